import { amina, chika, EARLIER, farida, id, ownAlone, type RowPart, saidi, UMOJA } from '../../db/row-world.ts';

export const rows: RowPart = {
  cases: {
    invitations: [{ is: 'Amina’s own', row: { inviter_id: amina }, see: 'amina', add: 'amina' }],
    referral_codes: ownAlone({ see: 'amina', add: 'amina', change: 'amina' }, { code: 'X' }),
    referral_rewards: [{ is: 'Amina’s reward', row: { referral_id: id(70), referrer_id: amina }, see: 'amina halima' }],
    referral_terms: [
      {
        is: 'those of Umoja, by its chair',
        row: { sacco_id: UMOJA, valid_from: EARLIER, changed_by: chika },
        see: 'amina farida chika halima',
      },
    ],
    referrals: [
      {
        is: 'Farida’s, whom Amina brought and who has not joined',
        row: { referrer_id: amina, referred_id: farida, status: 'lead' },
        see: 'amina farida halima',
        change: 'halima',
        into: [
          [{ status: 'joined' }, 'farida halima'],
          [{ status: 'fully_paid' }, 'halima'],
          [{ status: 'joined', referred_id: saidi }, 'halima'],
        ],
      },
      {
        is: 'Farida’s, who has joined',
        row: { referrer_id: amina, referred_id: farida, status: 'joined' },
        see: 'amina farida halima',
        change: 'halima',
      },
    ],
  },
  history: ['referral_rewards', 'referral_terms'],
};
