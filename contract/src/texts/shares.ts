/** Sentences of shares: the English ICU text, and its Swahili. */
export const sharesTexts = {
  'Not enough money in your wallet: these shares cost {cost}.':
    'Pesa hazitoshi kwenye pochi yako: hisa hizi zinagharimu {cost}.',
  '{shares} of {name}': '{shares} za {name}',
  'You have bought {what}.': 'Umenunua {what}.',
  'Join {name} before you buy its shares.': 'Jiunge na {name} kabla ya kununua hisa zake.',
  '{name} is not active: it sells no shares now.': '{name} haitumiki: haiuzi hisa kwa sasa.',
  'You have given notice to {name}. Cancel the exit to buy shares there again.':
    'Umetoa notisi kwa {name}. Ondoa notisi ili ununue hisa huko tena.',
  'The price of {shares} of {name} is {cost} now. Look again and confirm.':
    'Bei ya {shares} za {name} sasa ni {cost}. Angalia tena na uthibitishe.',
} as const;
