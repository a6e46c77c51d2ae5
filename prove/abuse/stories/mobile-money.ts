import type { Story } from '../story.ts';

/** What somebody does with M-Pesa: other people's payments, other people's phones, and our charges. */
export const mobileMoneyStories: readonly Story[] = [
  {
    name: 'paybill-word',
    tells: 'somebody signs up with a word, or a number, that others type as the account where they pay by hand',
    without: 'issued_account_numbers',
    breaks: 'an ID number, which nobody has looked at, is taken for the account of whoever signed up with it',
    expected: /2,345 that a stranger paid by hand are in the thief’s wallet/,
    async play({ person, ask, paysByHand, wallet, mustNot }) {
      const thief = await person('Thief');
      const signUp = await ask(null, 'POST', '/auth/register/', {
        ...{ first_name: 'Thief', last_name: 'Again', id_number: 'SAVINGS', phone_number: '254733100200' },
        ...{ email: 'savings@thief.example', password: 'Robbing#2026', user_type: 'client' },
      });
      mustNot(signUp.status === 201, 'somebody signed up with the word SAVINGS for an ID number');
      const again = { ...thief, token: signUp.body.token ?? thief.token };
      await paysByHand('254733100100', 1_234, 'Savings');
      await paysByHand('254733100100', 2_345, thief.idNumber);
      mustNot((await wallet(again)) === 1_234, '1,234 that a stranger paid to "Savings" are in the thief’s wallet');
      mustNot((await wallet(thief)) > 0, '2,345 that a stranger paid by hand are in the thief’s wallet');
    },
  },
];
