import type { Product } from '../../support/product.ts';
import type { Cast } from '../cast.ts';
import { type DomainPart, id, is, NOBODYS, of } from '../domain-part.ts';
import { forOneself, memberRead, operatorAct, operatorList, ownList } from '../policies.ts';
import { REWARD_OF_A } from '../rows.ts';

/** Who brought whom, and what a sacco pays for it. */
export const referrals: DomainPart = {
  policies: {
    referralSummary: forOneself(200),
    listReferrals: {
      ...ownList(),
      shows: `
      owner | names of whom the owner brought
      other | names of whom the other brought`,
    },
    sendInvitation: { ...forOneself(200), counterparty: ['public.sms_messages'] },
    readReferralTerms: { ...memberRead(), shows: 'members of A | rows of A' },
    changeReferralTerms: {
      caller: 'official',
      offices: ['chair', 'secretary', 'treasurer'],
      lines: `
      chair of A/secretary of A/treasurer of A | saccoId A                | 202
      chair of B/secretary of B/treasurer of B | saccoId B                | 202
      founder                                  | saccoId waiting/rejected | 409 second_official_required
      signed in                                | saccoId malformed/absent | 400 sacco_required
      signed in                                | *                        | 403 not_allowed`,
      counterparty: ['public.notifications'],
      shows: 'chair of A/secretary of A/treasurer of A | rows of A',
    },
    listHeldReferrals: { ...operatorList(), shows: 'operator | names', notes: 'public.operator_actions' },
    reviewHeldReferral: operatorAct('held/another held'),
  },
  fixtures: {
    'reviewHeldReferral.id': id('held referral'),
    'sendInvitation.phone_number': of(({ phone }) => phone.replace(/^2547/, '2541')),
    reward: is(100),
    monthly_rewards_max: is(5),
  },
  raise: async (product, cast) => {
    await raiseReferralTerms(product, cast);
    return { 'held referral': { objects: { ...(await raiseReferrals(product, cast)), ...NOBODYS } } };
  },
};

/** Two people whom the owner brought, one whom the other brought; each waits for a review. */
async function raiseReferrals(product: Product, cast: Cast): Promise<Readonly<Record<string, string>>> {
  const { owner, now } = product.database;
  const bring = async (referrer: string, first: string) => {
    const [row] = await owner<{ code: string }[]>`
      select code from referral_codes where user_id = ${cast.person(referrer).id}`;
    const brought = await product.person(first, row?.code);
    const [referral] = await owner<{ id: string }[]>`select id from referrals where referred_id = ${brought.id}`;
    return referral?.id as string;
  };
  const found = { held: await bring('owner', 'Qzreferred'), 'another held': await bring('owner', 'Qzbrought') };
  await bring('other', 'Qzforeignreferred');
  await bring('other', 'Qzforeignbrought');
  await owner`update referrals set review = 'held', held_at = ${now()}, held_because = '{same_phone}'`;
  return found;
}

async function raiseReferralTerms(product: Product, cast: Cast): Promise<void> {
  const { owner, now } = product.database;
  await owner`
    insert into referral_terms (sacco_id, valid_from, reward_cents, monthly_rewards_max, changed_by)
    values (${cast.saccos.A}, ${new Date(now().getTime() - 86_400_000)}, ${Math.round(REWARD_OF_A * 100)}, 77,
            ${cast.person('treasurer of A').id})`;
}
