/** Sentences of savings: the English ICU text, and its Swahili. */
export const savingsTexts = {
  'You have no standing order here.': 'Huna agizo la kudumu hapa.',
  'You are not a member of {name}.': 'Wewe si mwanachama wa {name}.',
  '{name} is not active: it takes no savings now.': '{name} haitumiki: haipokei akiba kwa sasa.',
  'You have given notice to {name}. Cancel the exit to save there again.':
    'Umetoa notisi kwa {name}. Futa ombi la kuondoka ili uweke akiba huko tena.',
  'Not enough money in your wallet to save {amount}.': 'Pesa hazitoshi kwenye pochi yako kuweka akiba ya {amount}.',
  'Savings in {name}': 'Akiba katika {name}',
  'Your standing order of {amount} for {name} is saved.':
    'Agizo lako la kudumu la {amount} kwa {name} limewekwa kwenye akiba.',
  'Your standing order of {amount} for {name} is ended, because you are leaving or have left.':
    'Agizo lako la kudumu la {amount} kwa {name} limekomeshwa, kwa kuwa unaondoka au umeondoka.',
  'your wallet holds too little': 'pochi yako ina pesa kidogo mno',
  'the sacco cannot take savings now': 'sacco haiwezi kupokea akiba kwa sasa',
  'Your standing order of {amount} for {name} is skipped this month: {why}.':
    'Agizo lako la kudumu la {amount} kwa {name} limerukwa mwezi huu: {why}.',
  'Your standing order of {amount} for {name} waits: {why}. We try again tomorrow.':
    'Agizo lako la kudumu la {amount} kwa {name} linasubiri: {why}. Tutajaribu tena kesho.',
  'Your standing order is set up.': 'Agizo lako la kudumu limewekwa.',
  'Your standing order is ended.': 'Agizo lako la kudumu limekomeshwa.',
  '{amount} is saved.': '{amount} imewekwa kwenye akiba.',
} as const;
