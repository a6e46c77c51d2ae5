import { type Cents, formatShillings, shillingsFromCents } from '@ushirika/contract/money';
import { REVIEW_HOURS } from '@ushirika/contract/pools';
import { Refusal } from '@ushirika/contract/refusal';
import { type Sentence, sentence } from '@ushirika/contract/sentence';
import { plainCode } from '@ushirika/contract/typed';
import { isGuarded } from '#faults';
import type { Database, Tx } from '../../db/tx.ts';
import { digitCode, fastHash } from '../identity/codes.rules.ts';
import { sendAsked } from '../notifications/notify.ts';
import { amountValue, codeValue } from '../notifications/sms-values.ts';
import { approveGuarantee, judgeSigned, refuseDeclined } from './approve-guarantee.ts';
import { interestedIn, refuseWhileMoneyIsHeld, stewardsOfPool } from './pool-access.ts';
import { after, HOUR_MS, type PoolLocked } from './pool-rows.ts';
import { poolsSms } from './pools.sms.ts';
import { lockRequest, type PoolNeeds, type RequestRow } from './request-guarantee.ts';
import { hashOfTerms, type Wording } from './signed-terms.ts';
import { tellOfPools } from './tell-of-pools.ts';

const CODE_DIGITS = 8;
const CODE_MS = 10 * 60_000;
const TRIES_MAX = 5;

interface Signing {
  readonly requestId: string;
  readonly quoteHash: string;
}

/**
 * Sends the borrower the code that signs, with what is signed and what can be lost. Ten minutes; the newest alone counts.
 * It is judged once more first: nobody gets a code for what the pool would decline.
 * @throws Refusal `not_found`, `pool_request_conflict`, `pool_quote_changed`, `phone_unconfirmed`, `guarantee_declined`, `too_many_requests`
 */
export async function askContractCode(
  tx: Tx,
  actor: { readonly userId: string },
  signing: Signing,
  needs: PoolNeeds,
): Promise<Date> {
  const { request, pool } = await lockRequest(tx, signing.requestId);
  refuseUnquoted(tx, request, actor.userId, signing.quoteHash);
  const phone = await confirmedPhone(tx, actor.userId);
  refuseDeclined(await judgeSigned(tx, pool, request, needs));
  const code = digitCode(CODE_DIGITS, (length) => tx.database.randomBytes(length));
  const id = tx.newId();
  const expiresAt = after(tx.now, CODE_MS);
  await tx.sql`
    insert into pool_codes (id, request_id, user_id, code_hash, created_at, expires_at)
    values (${id}, ${request.id}, ${actor.userId}, ${hashOf(id, code)}, ${tx.now}, ${expiresAt})`;
  const sms = poolsSms.contractCode(
    codeValue(`${code.slice(0, 4)} ${code.slice(4)}`),
    amountValue(request.amount_cents),
    amountValue(request.fee_cents),
    amountValue(request.own_lock_cents),
  );
  await sendAsked(tx, { userId: actor.userId, phone, sms, causedBy: actor.userId, sendBefore: expiresAt });
  return expiresAt;
}

const hashOf = (id: string, code: string) => fastHash(`${id}:${code}`);

async function confirmedPhone(tx: Tx, userId: string): Promise<string> {
  const [person] = await tx.sql<{ phone: string; phone_confirmed_at: Date | null }[]>`
    select phone, phone_confirmed_at from users where id = ${userId}`;
  if (!person?.phone_confirmed_at) throw new Refusal('phone_unconfirmed');
  return person.phone;
}

function refuseUnquoted(tx: Tx, request: RequestRow, userId: string, quoteHash: string): void {
  if (request.user_id !== userId) throw new Refusal('not_found');
  if (request.state !== 'QUOTED' || request.expires_at === null || request.expires_at <= tx.now) {
    throw new Refusal('pool_request_conflict');
  }
  if (request.quote_hash !== quoteHash) throw new Refusal('pool_quote_changed');
}

/**
 * Signs the memorandum with one's name and the code (A7, A9). It is approved and locked at once where it is small and the borrower is
 * trusted, or goes to the stewards. Two that are signed at once for the last capacity come one after the other.
 * @throws Refusal `not_found`, `pool_request_conflict`, `pool_quote_changed`, `payout_held`, `phone_unconfirmed`, `signature_mismatch`,
 *   `otp_not_accepted`, `guarantee_declined`
 */
export async function acceptGuaranteeContract(
  database: Database,
  actor: { readonly userId: string },
  input: Signing & { readonly signedName: string; readonly code: string },
  needs: PoolNeeds,
): Promise<{ contractId: string | null }> {
  // Judged before the code is tried, so that no code and no try is lost on what cannot be signed anyhow.
  await database.transaction(async (tx) => {
    const { request, pool } = await lockRequest(tx, input.requestId);
    await refuseSigning(tx, request, actor.userId, input);
    refuseDeclined(await judgeSigned(tx, pool, request, needs));
  });
  await takeCode(database, actor.userId, input.requestId, input.code);
  return database.transaction((tx) => signRequest(tx, actor, input, needs));
}

/** Signs a request whose code was right; it is judged once more under the pool's lock. */
export async function signRequest(
  tx: Tx,
  actor: { readonly userId: string },
  input: Signing & { readonly signedName: string },
  needs: PoolNeeds,
): Promise<{ contractId: string | null }> {
  const { request, pool } = await lockRequest(tx, input.requestId);
  await refuseSigning(tx, request, actor.userId, input);
  const judged = await judgeSigned(tx, pool, request, needs);
  refuseDeclined(judged);
  const signed = await keepSignature(tx, pool, request, input.signedName);
  if (judged.judgement.isAutomatic) {
    return { contractId: await approveGuarantee(tx, { pool, request: signed, approvedBy: null }) };
  }
  await sendToStewards(tx, { pool, request }, needs);
  return { contractId: null };
}

async function refuseSigning(
  tx: Tx,
  request: RequestRow,
  userId: string,
  { quoteHash, signedName }: { readonly quoteHash: string; readonly signedName: string },
): Promise<void> {
  refuseUnquoted(tx, request, userId, quoteHash);
  await refuseWhileMoneyIsHeld(tx, userId);
  await confirmedPhone(tx, userId);
  const [person] = await tx.sql<{ name: string }[]>`
    select first_name || ' ' || last_name as name from users where id = ${userId}`;
  if (plain(person?.name ?? '') !== plain(signedName)) throw new Refusal('signature_mismatch');
}

const plain = (name: string) => name.normalize('NFKC').toLowerCase().replaceAll(/\s+/g, ' ').trim();

/** Counts a try before it is judged, so that tries at once are no more than tries in turn. */
async function takeCode(database: Database, userId: string, requestId: string, typed: string): Promise<void> {
  if (!isGuarded('pools.codes')) return;
  const now = database.now();
  const [code] = await database.sql<{ id: string; code_hash: string }[]>`
    update pool_codes set tries = tries + 1
    where id = (select id from pool_codes where request_id = ${requestId} and user_id = ${userId}
                order by created_at desc, id desc limit 1)
      and tries < ${TRIES_MAX} and used_at is null and expires_at > ${now}
    returning id, code_hash`;
  if (!code || hashOf(code.id, plainCode(typed)) !== code.code_hash) {
    throw new Refusal('otp_not_accepted');
  }
  const used = await database.sql`update pool_codes set used_at = ${now} where id = ${code.id} and used_at is null`;
  if (used.count === 0) throw new Refusal('otp_not_accepted');
}

async function keepSignature(tx: Tx, pool: PoolLocked, request: RequestRow, signedName: string): Promise<RequestRow> {
  const memorandumHash = memorandumHashOf(request, { poolId: pool.id, signedName, signedAt: tx.now });
  await tx.sql`
    update pool_requests set signed_name = ${signedName}, signed_at = ${tx.now}, memorandum_hash = ${memorandumHash},
      state = 'IN_REVIEW', state_at = ${tx.now}, expires_at = ${after(tx.now, REVIEW_HOURS * HOUR_MS)}
    where id = ${request.id}`;
  return { ...request, signed_name: signedName, signed_at: tx.now, memorandum_hash: memorandumHash };
}

/** Over the terms, whoever signed them, and when. */
export function memorandumHashOf(
  request: Pick<RequestRow, 'id' | 'user_id' | 'quote_hash'>,
  signed: { readonly poolId: string; readonly signedName: string; readonly signedAt: Date },
): string {
  return hashOfTerms({
    request: request.id,
    quote: request.quote_hash,
    pool: signed.poolId,
    borrower: request.user_id,
    signed_name: signed.signedName,
    signed_at: signed.signedAt.toISOString(),
  });
}

/** Tells the stewards who may decide: neither the borrower nor whoever is related to them. */
async function sendToStewards(
  tx: Tx,
  { pool, request }: { readonly pool: PoolLocked; readonly request: RequestRow },
  needs: PoolNeeds,
): Promise<void> {
  const [stewards, interested] = await Promise.all([
    stewardsOfPool(tx, pool.id),
    interestedIn(tx, request.user_id, needs),
  ]);
  await tellOfPools(
    tx,
    request.user_id,
    stewards
      .filter((userId) => !interested.includes(userId))
      .map((userId) => ({
        userId,
        template: 'pool_review',
        text: sentence(
          '{pool}: a request for a guarantee of {amount} waits for the stewards. Decide within 72 hours.',
          {
            pool: pool.name,
            amount: money(request.amount_cents),
          },
        ),
      })),
  );
}

const money = (cents: Cents) => formatShillings(shillingsFromCents(cents));

/** What the borrower signs, a sentence a line (Law of Contract Act s. 3(1): in writing, and signed). */
export function memorandumOf(request: {
  readonly poolName: string;
  readonly borrower: string;
  readonly amount: Cents;
  readonly months: number;
  readonly rate: number;
  readonly fee: Cents;
  readonly ownLock: Cents;
  readonly wording: Wording;
}): Sentence[] {
  const { poolName: pool, borrower, months } = request;
  const amount = money(request.amount);
  return [
    sentence('The pool {pool} guarantees {amount} of a loan of {borrower} over {months} months.', {
      pool,
      amount,
      borrower,
      months,
    }),
    ...feeLines({ fee: money(request.fee), rate: request.rate / 100 }, request.wording),
    sentence('Paid off early, the part of the fee that is not earned comes back.'),
    sentence('{own} of the borrower’s own money in the pool is locked, and {others} of the other members.', {
      own: money(request.ownLock),
      others: money(request.amount - request.ownLock),
    }),
    sentence('With each repayment of principal the guarantee and the locks fall in proportion.'),
    sentence(
      'If the loan is not repaid, the borrower’s whole free position pays first, then a part of the reserve, then the locks.',
    ),
    sentence('What the reserve and the others pay, the borrower owes the pool at once.'),
  ];
}

/** What was signed in the first wording is read in it. */
function feeLines(values: { readonly fee: string; readonly rate: number }, wording: Wording): Sentence[] {
  if (wording === 1)
    return [
      sentence(
        'The fee is {fee}, at {rate} % a year on what is guaranteed. It leaves the wallet when the loan is paid out.',
        values,
      ),
    ];
  return [
    sentence('The fee is {fee}. It leaves the wallet once, when the loan is paid out.', { fee: values.fee }),
    sentence(
      'It is {rate} % a year of what is still guaranteed, reckoned as if the loan is repaid in equal parts each month.',
      { rate: values.rate },
    ),
  ];
}
