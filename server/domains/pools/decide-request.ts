import { type Cents, formatShillings, shillingsFromCents } from '@ushirika/contract/money';
import { Refusal } from '@ushirika/contract/refusal';
import { sentence } from '@ushirika/contract/sentence';
import type { Tx } from '../../db/tx.ts';
import { areTwoPeople, refuseSecondAccount, samePersonAmong } from '../identity/second-account.ts';
import { approveGuarantee, judgeSigned, refuseDeclined } from './approve-guarantee.ts';
import { interestedIn, stewardsOfPool, voicesForRequest, voicesNeeded } from './pool-access.ts';
import { decliningWords } from './request-end.ts';
import { lockRequest, type PoolNeeds, type RequestRow } from './request-guarantee.ts';
import { tellOfPools } from './tell-of-pools.ts';

export interface Voices {
  readonly approve: number;
  readonly decline: number;
  readonly needed: number;
}

type Matter = 'request' | 'reopen' | 'close' | 'write_off';

export interface Voice {
  readonly poolId: string;
  readonly matter: Matter;
  readonly aboutId: string;
  readonly since: Date;
  readonly stewardId: string;
  readonly voice: 'approve' | 'decline';
  readonly reason: string;
}

const SECOND_ACCOUNT = sentence(
  'Your account and that of a steward who has agreed look like one person’s. They count as one vote, so another steward must agree.',
);

/**
 * Keeps one steward's voice, under the pool's lock, and counts those of stewards who still are stewards. Two accounts of one person
 * agree once; a no is always taken (docs/decisions/189).
 * @returns null where that steward has spoken about it already
 * @throws Refusal `not_allowed` where another account of that person has agreed
 */
export async function addVoice(tx: Tx, voice: Voice, stewards: readonly string[]): Promise<Voices | null> {
  const added = await tx.sql`
    insert into pool_voices (pool_id, matter, about_id, since, steward_id, voice, reason, at)
    values (${voice.poolId}, ${voice.matter}, ${voice.aboutId}, ${voice.since}, ${voice.stewardId}, ${voice.voice},
      ${voice.reason}, ${tx.now})
    on conflict do nothing`;
  if (added.count === 0) return null;
  if (voice.voice === 'approve')
    await refuseSecondAccount(tx, voice.stewardId, await agreedBy(tx, voice, stewards), SECOND_ACCOUNT);
  return voicesOf(tx, voice, stewards);
}

/** The stewards of now who have agreed. */
async function agreedBy(tx: Tx, { aboutId, matter, since }: Voice, stewards: readonly string[]): Promise<string[]> {
  const rows = await tx.sql<Spoken[]>`
    select steward_id, voice from pool_voices
    where about_id = ${aboutId} and matter = ${matter} and since = ${since} and voice = 'approve'`;
  return rows.map(({ steward_id }) => steward_id).filter((id) => stewards.includes(id));
}

export async function voicesOf(
  tx: Pick<Tx, 'sql'>,
  { aboutId, matter, since }: Pick<Voice, 'aboutId' | 'matter' | 'since'>,
  stewards: readonly string[],
): Promise<Voices> {
  const rows = await tx.sql<Spoken[]>`
    select steward_id, voice from pool_voices
    where about_id = ${aboutId} and matter = ${matter} and since = ${since}`;
  return countVoices(rows, stewards, matter);
}

interface Spoken {
  readonly steward_id: string;
  readonly voice: string;
}

/** The voices of those who still are stewards. */
export function countVoices(rows: readonly Spoken[], stewards: readonly string[], matter: Matter): Voices {
  const counted = rows.filter(({ steward_id }) => stewards.includes(steward_id));
  const of = (wanted: string) => counted.filter(({ voice }) => voice === wanted).length;
  const needed = (matter === 'request' ? voicesForRequest : voicesNeeded)(stewards.length);
  return { approve: of('approve'), decline: of('decline'), needed };
}

/**
 * One steward's voice about a signed request, never their own nor of an account related to theirs. Two decide.
 * @throws Refusal `not_found`, `not_allowed`, `pool_request_conflict`, `guarantee_declined`
 */
export async function decideRequest(
  tx: Tx,
  actor: { readonly userId: string },
  input: { readonly requestId: string; readonly decision: 'approve' | 'decline'; readonly reason: string },
  needs: PoolNeeds,
): Promise<void> {
  const { request, pool } = await lockRequest(tx, input.requestId);
  const stewards = await stewardsOfPool(tx, pool.id);
  if (!stewards.includes(actor.userId)) throw new Refusal('not_found');
  if (request.state !== 'IN_REVIEW' || request.expires_at === null || request.expires_at <= tx.now) {
    throw new Refusal('pool_request_conflict');
  }
  const interested = await interestedIn(tx, request.user_id, needs);
  refuseInterest(actor.userId, interested);
  const voice: Voice = {
    poolId: pool.id,
    matter: 'request',
    aboutId: request.id,
    since: request.state_at,
    stewardId: actor.userId,
    voice: input.decision,
    reason: input.reason,
  };
  const voices = await addVoice(tx, voice, stewards);
  if (voices === null) throw new Refusal('pool_request_conflict', { message: SPOKEN });
  const free = stewards.filter((steward) => !interested.includes(steward));
  if (voices.approve >= voices.needed) {
    refuseDeclined(await judgeSigned(tx, pool, request, needs));
    await approveGuarantee(tx, { pool, request, approvedBy: actor.userId });
    await tellBorrower(tx, actor.userId, request, { pool: pool.name, words: null });
  } else if (voices.decline > 0 && !(await canStillAgree(tx, voice, { stewards, free }))) {
    // So many said no that those who are left cannot approve it any more.
    const [declined] = await tx.sql<{ words: string[] }[]>`
      update pool_requests r set state = 'DECLINED', state_at = ${tx.now}, expires_at = null, reasons = array['stewards']
      where id = ${request.id} returning ${decliningWords(tx.sql)} as words`;
    await tellBorrower(tx, actor.userId, request, { pool: pool.name, words: declined?.words ?? [] });
  }
}

/** Whether those who may decide and have said nothing yet can approve it, with those who have agreed. Two accounts of one person agree once. */
async function canStillAgree(
  tx: Tx,
  voice: Voice,
  { stewards, free }: { readonly stewards: readonly string[]; readonly free: readonly string[] },
): Promise<boolean> {
  const spoken = await tx.sql<Spoken[]>`
    select steward_id, voice from pool_voices
    where about_id = ${voice.aboutId} and matter = ${voice.matter} and since = ${voice.since}`;
  const silent = free.filter((steward) => !spoken.some(({ steward_id }) => steward_id === steward));
  const agreed = await agreedBy(tx, voice, stewards);
  const isOnePerson = await samePersonAmong(tx, [...agreed, ...silent]);
  if (agreed.length === 0) return areTwoPeople(silent, isOnePerson);
  return silent.some((one) => !agreed.some((other) => isOnePerson(one, other)));
}

const SPOKEN = sentence('You have decided about this already. Another steward has to.');

function refuseInterest(userId: string, interested: readonly string[]): void {
  if (!interested.includes(userId)) return;
  throw new Refusal('not_allowed', {
    message: sentence(
      'You do not decide about your own request, nor about one of an account that is related to yours.',
    ),
  });
}

/** @param words what those wrote who declined it; null where it was approved */
async function tellBorrower(
  tx: Tx,
  causedBy: string,
  request: RequestRow,
  { pool, words }: { readonly pool: string; readonly words: readonly string[] | null },
): Promise<void> {
  const isApproved = words === null;
  const amount = money(request.amount_cents);
  await tellOfPools(tx, causedBy, [
    {
      userId: request.user_id,
      template: isApproved ? 'pool_approved_guarantee' : 'pool_declined_guarantee',
      text: isApproved
        ? sentence('The stewards of {pool} approved your guarantee of {amount}. Use it for a loan within 14 days.', {
            pool,
            amount,
          })
        : sentence(
            'The stewards of {pool} declined your request for a guarantee of {amount}. Ask another pool, or members as guarantors. The reason: {reasons}',
            { pool, amount, reasons: words.map((each) => `“${each}”`).join(' ') },
          ),
    },
  ]);
}

const money = (cents: Cents) => formatShillings(shillingsFromCents(cents));
