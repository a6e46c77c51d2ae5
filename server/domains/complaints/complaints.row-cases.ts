import {
  ALL,
  amina,
  BAHARI,
  chika,
  EARLIER,
  farida,
  halima,
  id,
  member,
  type RowPart,
  UMOJA,
} from '../../db/row-world.ts';

const [COMPLAINT, APPEALED] = [id(26), id(27)];
/** Saccos of the operator: one of which they are a member, and one that they only founded. */
const [HALIMAS, FOUNDED] = [id(16), id(17)];

/** About Umoja, unless another is named. */
const complained = (complainer_id: string, more: object = {}) => ({
  id: id(82),
  sacco_id: UMOJA,
  complainer_id,
  state: 'open',
  ...more,
});

export const rows: RowPart = {
  world: {
    saccos: [
      { id: HALIMAS, name: 'Halima’s Sacco', reg_no: 'CS/6', state: 'active', created_by: id(9) },
      { id: FOUNDED, name: 'The Sacco that Halima founded', reg_no: 'CS/7', state: 'active', created_by: halima },
    ],
    memberships: [member(HALIMAS, halima, 35)],
    complaints: [complained(amina, { id: COMPLAINT }), complained(amina, { id: APPEALED, escalated_at: EARLIER })],
  },
  cases: {
    complaint_pictures: [
      { is: 'that of Amina’s complaint about Umoja', row: { complaint_id: COMPLAINT, webp: '' }, see: 'amina chika' },
    ],
    complaint_steps: [
      {
        is: 'a step of Amina’s complaint about Umoja',
        row: { complaint_id: COMPLAINT, number: 1 },
        see: 'amina chika',
      },
      {
        is: 'a step of one that an operator has',
        row: { complaint_id: APPEALED, number: 1 },
        see: 'amina chika halima',
      },
    ],
    complaint_terms: [{ is: 'Umoja’s', row: { sacco_id: UMOJA, valid_from: EARLIER }, see: ALL }],
    complaints: [
      { is: 'Amina’s about Umoja', row: complained(amina), see: 'amina chika' },
      {
        is: 'Amina’s that an operator has',
        row: complained(amina, { escalated_at: EARLIER }),
        see: 'amina chika halima',
      },
      {
        is: 'Amina’s that names Umoja’s chair, and that an operator has',
        row: complained(amina, { escalated_at: EARLIER, about_id: chika }),
        see: 'amina halima',
      },
      {
        is: 'Amina’s that names the operator',
        row: complained(amina, { escalated_at: EARLIER, about_id: halima }),
        see: 'amina chika',
      },
      {
        is: 'Amina’s about a sacco of the operator’s own',
        row: complained(amina, { sacco_id: HALIMAS, escalated_at: EARLIER }),
        see: 'amina',
      },
      {
        is: 'Amina’s about a sacco that the operator founded',
        row: complained(amina, { sacco_id: FOUNDED, escalated_at: EARLIER }),
        see: 'amina',
      },
      { is: 'one of Umoja’s chair', row: complained(chika), see: 'chika' },
      { is: 'one of Amina’s about Bahari', row: complained(amina, { sacco_id: BAHARI }), see: 'amina saidi' },
      { is: 'one in another’s name', row: complained(farida), see: 'farida chika' },
    ],
  },
  history: ['complaint_pictures', 'complaint_steps', 'complaint_terms'],
};
