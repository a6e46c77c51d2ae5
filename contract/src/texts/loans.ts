/** What the server says about loans and guarantees. */
export const loansTexts = {
  'A loan is at most Ksh. 100,000,000.': 'Mkopo haupaswi kuzidi Ksh. 100,000,000.',
  'Say what the loan is for.': 'Sema mkopo ni wa nini.',
  'Write the reason.': 'Andika sababu.',
  'The largest amount cannot be below the smallest.': 'Kiasi cha juu hakiwezi kuwa chini ya kiasi cha chini.',
  'The longest time cannot be below the shortest.': 'Muda mrefu zaidi hauwezi kuwa chini ya ule mfupi zaidi.',
} as const;
