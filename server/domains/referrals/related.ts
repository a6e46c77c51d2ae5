import type { Tx } from '../../db/tx.ts';
import { texts } from '../../ledger/sql-arrays.ts';
import type { Relative } from '../identity/related-pairs.types.ts';

/** Two people who may be one, or act as one. */
export interface TwoPeople {
  readonly one: string;
  readonly other: string;
}

/**
 * Which of these pairs are related, by their places in the list: one brought the other, or both registered with one ID number or phone, or
 * from one public address within 30 days (decision 072), or both have confirmed one phone: now, for recovery, or before. Another number that
 * nobody has confirmed ties nobody: anybody can write it down. Asked of the platform: traces are nobody's to read.
 */
export async function relatedPairs(tx: Pick<Tx, 'sql'>, pairs: readonly TwoPeople[]): Promise<Set<number>> {
  if (pairs.length === 0) return new Set();
  const rows = await tx.sql<{ place: number }[]>`
    select asked.place::int - 1 as place
    from unnest(${texts(pairs.map(({ one }) => one))}::uuid[], ${texts(pairs.map(({ other }) => other))}::uuid[])
      with ordinality as asked (one, other, place)
    where exists (
        select from referrals r where r.referred_id = asked.one and r.referrer_id = asked.other
      ) or exists (
        select from referrals r where r.referred_id = asked.other and r.referrer_id = asked.one
      ) or exists (
        select from referral_traces own
        join referral_traces theirs on theirs.user_id = asked.other and theirs.kind = own.kind and theirs.value = own.value
        where own.user_id = asked.one and (own.kind in ('id', 'phone') or own.kind = 'address'
          and abs(extract(epoch from own.created_at - theirs.created_at)) <= 30 * 86400)
      ) or exists (
        select from ${phonesOf(tx, tx.sql`asked.one`)} own join ${phonesOf(tx, tx.sql`asked.other`)} theirs using (phone)
      )`;
  return new Set(rows.map(({ place }) => Number(place)));
}

/** The phones that somebody has confirmed, now or before. */
const phonesOf = ({ sql }: Pick<Tx, 'sql'>, id: ReturnType<Tx['sql']>) => sql`(
  select phone from users where id = ${id} and phone_confirmed_at is not null
  union select recovery_phone from users where id = ${id} and recovery_phone_confirmed_at is not null
  union select value from referral_traces where user_id = ${id} and kind = 'confirmed_phone')`;

/**
 * Everybody who is related to one person, by the same rule as `relatedPairs`, and whom of them only that person's referral code makes a
 * relative, or the phone of that person's registration with which they registered later. It is read from the traces and phones of that person by index: what it costs does not grow with those whom they are
 * compared with.
 */
export async function relativesOf(tx: Pick<Tx, 'sql'>, userId: string): Promise<Relative[]> {
  return tx.sql<Relative[]>`
    with phones as materialized (select phone from ${phonesOf(tx, tx.sql`${userId}`)} own)
    select id, bool_and(is_brought) as "isOnlyBrought" from (
      select referrer_id as id, false as is_brought from referrals where referred_id = ${userId}
      union select referred_id, true from referrals where referrer_id = ${userId}
      union select theirs.user_id, false
      from referral_traces own join referral_traces theirs on theirs.kind = own.kind and theirs.value = own.value
      where own.user_id = ${userId} and own.kind = 'id'
      union select theirs.user_id, (theirs.created_at, theirs.user_id) > (own.created_at, own.user_id)
      from referral_traces own join referral_traces theirs on theirs.kind = own.kind and theirs.value = own.value
      where own.user_id = ${userId} and own.kind = 'phone'
      union select theirs.user_id, false
      from referral_traces own join referral_traces theirs on theirs.kind = own.kind and theirs.value = own.value
        and theirs.created_at between own.created_at - interval '30 days' and own.created_at + interval '30 days'
      where own.user_id = ${userId} and own.kind = 'address'
      union select u.id, false from phones p join users u on u.phone = p.phone and u.phone_confirmed_at is not null
      union select u.id, false from phones p join users u on u.recovery_phone = p.phone and u.recovery_phone_confirmed_at is not null
      union select t.user_id, false from phones p join referral_traces t on t.kind = 'confirmed_phone' and t.value = p.phone
    ) related where id <> ${userId} group by id`;
}
