import { amina, BAHARI, EARLIER, farida, id, LATER, OFFICIAL, type RowPart, UMOJA } from '../../db/row-world.ts';

/** As loans.row-cases.ts has them: Amina's loan of Umoja, which Farida guarantees, and one of Bahari's. */
const [LOAN, FAR] = [id(402), id(403)];
const OFFER = id(430);

export const rows: RowPart = {
  world: {
    loan_restructures: [
      { id: OFFER, loan_id: LOAN, months: 12, state: 'proposed', confirmed_by: OFFICIAL, answer_by: LATER },
    ],
  },
  cases: {
    loan_days: [
      { is: 'one of Umoja', row: { id: id(431), sacco_id: UMOJA, day: EARLIER }, see: 'chika' },
      { is: 'one of Bahari', row: { id: id(431), sacco_id: BAHARI, day: EARLIER }, see: 'saidi' },
    ],
    loan_notices: [
      { is: 'one to Amina', row: { id: id(432), loan_id: LOAN, user_id: amina, kind: 'missed' }, see: 'amina chika' },
      {
        is: 'one to Farida about Amina’s loan',
        row: { id: id(432), loan_id: LOAN, user_id: farida, kind: 'formal' },
        see: 'farida chika',
      },
      {
        is: 'one about a loan of Bahari',
        row: { id: id(432), loan_id: FAR, user_id: amina, kind: 'missed' },
        see: 'amina saidi',
      },
    ],
    loan_recovery_voices: [
      {
        is: 'one about Amina’s loan',
        row: { loan_id: LOAN, kind: 'default', arrears_since: EARLIER, by_id: farida },
        see: 'chika',
      },
      {
        is: 'one about a loan of Bahari',
        row: { loan_id: FAR, kind: 'default', arrears_since: EARLIER, by_id: farida },
        see: 'saidi',
      },
    ],
    loan_write_off_declines: [
      {
        is: 'one about Amina’s loan',
        row: { loan_id: LOAN, arrears_since: EARLIER, by_id: farida },
        see: 'chika',
      },
      {
        is: 'one about a loan of Bahari',
        row: { loan_id: FAR, arrears_since: EARLIER, by_id: farida },
        see: 'saidi',
      },
    ],
    loan_recovery_steps: [
      {
        is: 'one of Amina’s loan',
        row: { loan_id: LOAN, arrears_since: EARLIER, step: 'default' },
        see: 'amina chika',
      },
      { is: 'one of Bahari', row: { loan_id: FAR, arrears_since: EARLIER, step: 'default' }, see: 'amina saidi' },
    ],
    loan_restructures: [
      {
        is: 'one for Amina’s loan, which Farida guarantees',
        row: { id: id(433), loan_id: LOAN, months: 12, state: 'withdrawn', confirmed_by: OFFICIAL },
        see: 'amina farida chika',
      },
      {
        is: 'one of Bahari',
        row: { id: id(433), loan_id: FAR, months: 12, state: 'withdrawn', confirmed_by: OFFICIAL },
        see: 'amina saidi',
      },
      {
        is: 'one for Amina’s loan that came to nothing before a second official confirmed it',
        row: { id: id(433), loan_id: LOAN, months: 12, state: 'lapsed' },
        see: 'chika',
      },
      {
        is: 'one of Bahari that one official alone has proposed',
        row: { id: id(433), loan_id: FAR, months: 12, state: 'unconfirmed' },
        see: 'saidi',
      },
      {
        is: 'one in force that came before two officials were needed',
        row: { id: id(433), loan_id: LOAN, months: 12, state: 'in_force' },
        see: 'amina farida chika',
      },
      {
        is: 'one refused of that time',
        row: { id: id(433), loan_id: LOAN, months: 12, state: 'refused' },
        see: 'amina farida chika',
      },
    ],
    loan_restructure_answers: [
      { is: 'Farida’s', row: { restructure_id: OFFER, user_id: farida, agrees: true }, see: 'amina farida chika' },
    ],
  },
  history: [
    'loan_notices',
    'loan_recovery_voices',
    'loan_recovery_steps',
    'loan_write_off_declines',
    'loan_restructure_answers',
  ],
};
