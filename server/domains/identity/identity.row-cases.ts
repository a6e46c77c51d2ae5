import { amina, BAHARI, EARLIER, farida, type RowPart, UMOJA } from '../../db/row-world.ts';

const seen = (user_id: string, more: object = {}) => ({
  user_id,
  seen_by: farida,
  sacco_id: UMOJA,
  office: 'secretary',
  document: 'national_id',
  seen_at: EARLIER,
  ...more,
});

export const rows: RowPart = {
  world: {},
  cases: {
    identity_checks: [
      { is: 'Amina’s, recorded in Umoja', row: seen(amina), see: 'amina chika halima' },
      { is: 'Amina’s, recorded in Bahari', row: seen(amina, { sacco_id: BAHARI }), see: 'amina saidi halima' },
      {
        is: 'Farida’s, recorded by an operator',
        row: seen(farida, { sacco_id: null, office: null, seen_by: amina }),
        see: 'farida halima',
      },
    ],
    mpesa_names: [{ is: 'Amina’s', row: { user_id: amina, state: 'agrees' }, see: 'amina halima' }],
  },
};
