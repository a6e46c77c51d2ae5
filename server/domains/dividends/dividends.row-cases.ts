import { ALL, amina, BAHARI, EARLIER, farida, id, MEMBERS, type RowPart, UMOJA } from '../../db/row-world.ts';

const DIVIDEND = id(101);
const CLOSED = { year: 2020, closed_at: EARLIER };

export const rows: RowPart = {
  world: {},
  cases: {
    withholding_rates: [
      { is: 'one of the law', row: { kind: 'shares', residence: 'kenya', valid_from: EARLIER }, see: ALL },
    ],
    member_residences: [
      {
        is: 'Amina’s',
        row: { id: id(102), sacco_id: UMOJA, user_id: amina, recorded_at: EARLIER },
        see: 'amina chika',
      },
      {
        is: 'Farida’s, of Bahari',
        row: { id: id(102), sacco_id: BAHARI, user_id: farida, recorded_at: EARLIER },
        see: 'farida saidi',
      },
    ],
    capital_minimums: [{ is: 'one of a type', row: { sacco_type: 'none' }, see: ALL }],
    closed_years: [
      { is: 'one of Umoja', row: { ...CLOSED, sacco_id: UMOJA }, see: MEMBERS },
      { is: 'one of Bahari', row: { ...CLOSED, sacco_id: BAHARI }, see: 'saidi' },
    ],
    dividends: [
      { is: 'one of Umoja', row: { id: DIVIDEND, sacco_id: UMOJA, year: 2020 }, see: MEMBERS },
      { is: 'one of Bahari', row: { id: DIVIDEND, sacco_id: BAHARI, year: 2020 }, see: 'saidi' },
    ],
    year_members: [{ is: 'Amina’s', row: { sacco_id: UMOJA, year: 2020, member_id: amina }, see: 'amina' }],
    dividend_payments: [
      { is: 'Amina’s', row: { dividend_id: DIVIDEND, member_id: amina, kind: 'shares' }, see: 'amina' },
    ],
    dividend_receipts: [{ is: 'Farida’s', row: { dividend_id: DIVIDEND, member_id: farida }, see: 'farida' }],
    dividend_choices: [
      {
        is: 'Amina’s',
        row: { sacco_id: UMOJA, user_id: amina },
        ...{ see: 'amina', add: 'amina', change: 'amina' },
        into: [
          [{ user_id: farida }, ''],
          [{ sacco_id: BAHARI }, ''],
        ],
      },
      { is: 'one in a sacco that is not hers', row: { sacco_id: BAHARI, user_id: amina }, see: 'amina' },
    ],
  },
};
