/** Sentences of savings: the English ICU text, and its Swahili. */
export const savingsTexts = {
  'Your monthly saving of {amount} ends. It does not come back if you take the notice back.':
    'Akiba yako ya kila mwezi ya {amount} inaisha. Hairudi ukiondoa notisi.',
  'You have no standing order here.': 'Huna akiba ya kila mwezi hapa.',
  'You are not a member of {name}.': 'Wewe si mwanachama wa {name}.',
  '{name} is not active: it takes no savings now.': '{name} haitumiki: haipokei akiba kwa sasa.',
  'You have given notice to {name}. Cancel the exit to save there again.':
    'Umetoa notisi kwa {name}. Ondoa notisi ili uweke akiba huko tena.',
  'Not enough money in your wallet to save {amount}.': 'Pesa hazitoshi kwenye pochi yako kuweka akiba ya {amount}.',
  'Savings in {name}': 'Akiba katika {name}',
  'Your standing order of {amount} for {name} is saved.':
    'Akiba yako ya kila mwezi ya {amount} katika {name} imewekwa.',
  'Your standing order of {amount} for {name} is ended, because you are leaving or have left.':
    'Akiba yako ya kila mwezi ya {amount} katika {name} imesitishwa, kwa kuwa unaondoka au umeondoka.',
  'your wallet holds too little': 'pesa kwenye pochi yako hazitoshi',
  'the sacco cannot take savings now': 'sacco haiwezi kupokea akiba kwa sasa',
  'Your standing order of {amount} for {name} is skipped this month: {why}.':
    'Akiba yako ya kila mwezi ya {amount} katika {name} haikuwekwa mwezi huu: {why}.',
  'Your standing order of {amount} for {name} waits: {why}. We try again tomorrow.':
    'Akiba yako ya kila mwezi ya {amount} katika {name} inasubiri: {why}. Tutajaribu tena kesho.',
  'Your standing order is set up.': 'Umeanza kuweka akiba ya kila mwezi.',
  'Your standing order is ended.': 'Akiba yako ya kila mwezi imesitishwa.',
  '{amount} is saved.': '{amount} zimewekwa kwenye akiba.',
} as const;
