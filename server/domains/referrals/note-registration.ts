import type { Tx } from '../../db/tx.ts';
import { texts } from '../../ledger/sql-arrays.ts';
import { networkOf } from '../../network-of.ts';
import { CLUSTER_DAYS, CLUSTER_SIZE, codeFromId, isPublicAddress, readReferralCode } from './referrals.rules.ts';

export interface Registration {
  readonly userId: string;
  /** E.164 digits without the plus. */
  readonly phone: string;
  readonly idNumber: string;
  /** The network address of the request; null where there was none (the command line, the demonstration data). */
  readonly address: string | null;
  /** What stood in the referral field, as it was typed. */
  readonly referralCode?: string | null | undefined;
}

const DAY_MS = 86_400_000;

/**
 * Called in the transaction of a registration: gives the new person a code, and makes the referral when the code that
 * was typed is somebody's. An unknown code is noted and never in the way.
 */
export async function noteRegistration(tx: Tx, registration: Registration): Promise<void> {
  const { userId } = registration;
  await giveReferralCode(tx, userId);
  await keepTraces(tx, registration);
  const typed = registration.referralCode?.trim();
  if (!typed) return;
  const code = readReferralCode(typed);
  const referrerId = code === null ? null : await ownerOf(tx, code);
  if (referrerId === null || referrerId === userId) {
    await tx.sql`
      insert into unknown_referral_codes (user_id, code, created_at)
      values (${userId}, ${typed.slice(0, 100)}, ${tx.now}) on conflict do nothing`;
    return;
  }
  const causes = await causesToHold(tx, registration, referrerId);
  await tx.sql`
    insert into referrals (id, referrer_id, referred_id, created_at, status, reward_state, review, held_at, held_because)
    values (${tx.newId()}, ${referrerId}, ${userId}, ${tx.now}, 'lead', 'not_yet',
            ${causes.length > 0 ? 'held' : 'none'}, ${causes.length > 0 ? tx.now : null}, ${texts(causes)}::text[])
    on conflict (referred_id) do nothing`;
}

/** Gives a person a code, once; a code that is taken is drawn again. Answers the code. */
export async function giveReferralCode(tx: Tx, userId: string): Promise<string> {
  for (let draw = 0; draw < 10; draw += 1) {
    await tx.sql`
      insert into referral_codes (user_id, code, created_at)
      values (${userId}, ${codeFromId(tx.newId())}, ${tx.now}) on conflict do nothing`;
    const [row] = await tx.sql<{ code: string }[]>`select code from referral_codes where user_id = ${userId}`;
    if (row) return row.code;
  }
  throw new Error('Ten referral codes in a row were taken.');
}

async function ownerOf(tx: Tx, code: string): Promise<string | null> {
  const [row] = await tx.sql<{ user_id: string }[]>`select user_id from referral_codes where code = ${code}`;
  return row?.user_id ?? null;
}

async function keepTraces(tx: Tx, { userId, phone, idNumber, address }: Registration): Promise<void> {
  const kinds = ['phone', 'id'];
  const values = [phone, idNumber];
  if (address !== null && isPublicAddress(address)) {
    kinds.push('address');
    // An IPv6 home or phone has a /64 to itself: one address of it more or less hides nobody.
    values.push(networkOf(address));
  }
  await tx.sql`
    insert into referral_traces (user_id, kind, value, created_at)
    select ${userId}, kind, value, ${tx.now} from unnest(${texts(kinds)}::text[], ${texts(values)}::text[]) as trace (kind, value)
    on conflict do nothing`;
}

/** Why a person should look at this referral before it is rewarded; empty when nothing speaks against it. */
async function causesToHold(tx: Tx, registration: Registration, referrerId: string): Promise<string[]> {
  const { userId } = registration;
  const shared = await tx.sql<{ kind: string }[]>`
    select own.kind from referral_traces own
    join referral_traces theirs on theirs.kind = own.kind and theirs.value = own.value and theirs.user_id = ${referrerId}
    where own.user_id = ${userId} order by own.kind`;
  const since = new Date(tx.now.getTime() - CLUSTER_DAYS * DAY_MS);
  const [cluster] = await tx.sql<{ others: number }[]>`
    select count(*)::int as others from (
      select 1 from referrals r
      join referral_traces theirs on theirs.user_id = r.referred_id and theirs.kind = 'address'
      join referral_traces own on own.user_id = ${userId} and own.kind = 'address' and own.value = theirs.value
      where r.referrer_id = ${referrerId} and r.created_at > ${since}
      limit ${CLUSTER_SIZE}
    ) as found`;
  const causes = shared.map(({ kind }) => `same_${kind}`);
  return (cluster?.others ?? 0) + 1 >= CLUSTER_SIZE ? [...causes, 'many_from_one_address'] : causes;
}
