import {
  amina,
  BAHARI,
  CHIKAS,
  chika,
  EARLIER,
  farida,
  halima,
  id,
  LATER,
  REJECTED,
  type RowPart,
  UMOJA,
  WAITING,
} from '../../db/row-world.ts';

/** What Amina proposed and Halima confirms: that a sacco is suspended again. */
const agreed = (number: number, sacco: string, more: object = {}) => ({
  id: id(number),
  kind: 'sacco_suspension',
  about_id: sacco,
  state: 'proposed',
  proposed_by: amina,
  confirmed_by: halima,
  ...more,
});
const again = (sacco: string, more: object = {}) => ({
  sacco_id: sacco,
  suspended_by: amina,
  upheld_by: halima,
  lapses_at: LATER,
  ...more,
});
const CONFIRMED_BY_ANOTHER = id(16);

export const rows: RowPart = {
  world: {
    operator_proposals: [
      agreed(230, UMOJA),
      agreed(231, BAHARI, { kind: 'sacco_reinstatement' }),
      agreed(232, WAITING, { state: 'refused' }),
      agreed(233, REJECTED, { proposed_by: farida }),
      agreed(234, CHIKAS, { confirmed_by: chika, closed_by: halima }),
      agreed(235, CONFIRMED_BY_ANOTHER, { confirmed_by: chika, closed_by: halima }),
    ],
  },
  cases: {
    sacco_suspensions: [
      {
        is: 'one by Halima',
        row: { sacco_id: UMOJA, suspended_by: halima, lapses_at: LATER },
        see: 'halima',
        add: 'halima',
        into: [
          [{ upheld_by: halima }, 'halima'],
          [{ upheld_by: amina }, ''],
          [{ ended_at: LATER, ended_because: 'reinstated' }, 'halima'],
          [{ ended_at: LATER, ended_because: 'lapsed' }, ''],
        ],
      },
      { is: 'one in Amina’s name', row: { sacco_id: UMOJA, suspended_by: amina, lapses_at: LATER }, see: 'halima' },
      { is: 'one that never lapses', row: { sacco_id: UMOJA, suspended_by: halima }, see: 'halima' },
      {
        is: 'one that is upheld as it begins, which nobody proposed',
        row: again(UMOJA, { suspended_by: halima, upheld_by: amina }),
        see: 'halima',
      },
      {
        is: 'one that has ended',
        row: { sacco_id: UMOJA, suspended_by: halima, lapses_at: LATER, ended_at: EARLIER },
        see: 'halima',
        into: [[{ ended_because: 'reinstated' }, '']],
      },
      { is: 'one that two operators agreed on', row: again(UMOJA), see: 'halima', add: 'halima' },
      { is: 'such a one that never lapses', row: again(UMOJA, { lapses_at: null }), see: 'halima' },
      { is: 'such a one that has ended', row: again(UMOJA, { ended_at: EARLIER }), see: 'halima' },
      { is: 'one where they agreed on something else', row: again(BAHARI), see: 'halima' },
      { is: 'one where it was refused', row: again(WAITING), see: 'halima' },
      { is: 'one that somebody else proposed', row: again(REJECTED), see: 'halima' },
      { is: 'one that Chika confirmed', row: again(CHIKAS, { upheld_by: chika }), see: 'halima' },
      { is: 'one that Halima says she confirmed', row: again(CONFIRMED_BY_ANOTHER), see: 'halima' },
    ],
  },
};
