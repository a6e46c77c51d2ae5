import { DEFAULT_DEPUTIES, DEFAULT_OFFICES } from '@ushirika/contract/loan-recovery';
import { Refusal } from '@ushirika/contract/refusal';
import type { Office } from '@ushirika/contract/route';
import { type Sentence, sentence } from '@ushirika/contract/sentence';
import { isGuarded } from '#faults';
import type { Tx } from '../../db/tx.ts';
import { texts } from '../../ledger/sql-arrays.ts';
import { areTwoPeople } from '../identity/second-account.ts';
import { lockPoolsOf } from '../pools/guarantee-life.ts';
import { lockSacco } from '../saccos/lock-sacco.ts';
import { isHeld } from '../saccos/officials-too-few.ts';
import { type LoanRow, lockLoan, noSuchLoan, type Reader } from './loan-rows.ts';
import { samePersonAmong } from './second-account.ts';

type Official = { readonly userId: string; readonly saccoId: string };

/** The offices that somebody holds in a sacco at this moment. */
export async function officesHeld(reader: Reader, { userId, saccoId }: Official): Promise<Office[]> {
  const rows = await (reader.sql as Tx['sql'])<{ office: Office }[]>`
    select office from offices
    where sacco_id = ${saccoId} and user_id = ${userId} and ended_at is null and until > ${reader.now} order by office`;
  return rows.map(({ office }) => office);
}

/**
 * The platform writes, so PostgreSQL does not ask whose office it is at that moment: we do. Returns the one of them that is held
 * and stands first in the list.
 * @throws Refusal `not_allowed`
 */
export async function refuseOffice(tx: Tx, official: Official, allowed: readonly Office[]): Promise<Office> {
  const held = await officesHeld(tx, official);
  const office = allowed.find((each) => held.includes(each));
  if (!office) throw new Refusal('not_allowed');
  return office;
}

/**
 * Those of some loans in which somebody has an interest: it is theirs, they guarantee it or were asked to, or money of theirs is in a pool that
 * backs it, or their account looks like the borrower's (`loan_interests`, docs/decisions/187). Asked of the platform.
 */
export async function interestsOf(
  reader: Reader,
  userId: string,
  loanIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await (reader.sql as Tx['sql'])<{ loan_id: string }[]>`
    select loan_id from loan_interests where user_id = ${userId} and loan_id = any (${texts(loanIds)}::uuid[])`;
  return new Set(rows.map(({ loan_id }) => loan_id));
}

/** Why somebody with an interest in a loan decides nothing about it. */
export const INTERESTED = sentence(
  'Others must decide about this loan: it is yours or that of an account that looks like yours, you guarantee it, or your money is or was in a pool that backs it.',
);

/** Nobody decides about a loan in which they have an interest. @throws Refusal `not_allowed` */
export async function refuseInterested(
  tx: Tx,
  { userId }: { readonly userId: string },
  loan: Pick<LoanRow, 'id'>,
): Promise<void> {
  if (!isGuarded('loans.own_loan') || (await interestsOf(tx, userId, [loan.id])).size === 0) return;
  throw new Refusal('not_allowed', { message: INTERESTED });
}

/** Locks a loan of the official's sacco, after the sacco and the pools that stand for it or for the loan that it pays off. @throws Refusal `not_found` */
export async function lockLoanOfSacco(tx: Tx, saccoId: string, loanId: string): Promise<LoanRow> {
  const [found] = await tx.sql<Pick<LoanRow, 'refinances_id'>[]>`
    select refinances_id from loans where id = ${loanId} and sacco_id = ${saccoId}`;
  if (!found) throw noSuchLoan();
  await lockSacco(tx, saccoId);
  await lockPoolsOf(tx, { loanIds: [loanId, ...(found.refinances_id === null ? [] : [found.refinances_id])] });
  return lockLoan(tx, loanId);
}

/** An office of a sacco, and who holds it. */
export interface Holder {
  readonly user_id: string;
  readonly office: Office;
}

/**
 * The offices of a sacco that somebody holds and may act in now, by holder. Whoever is suspended cannot act. Who stands in for them is another
 * question: `holdersToWaitFor`.
 */
export async function holdersOf(reader: Reader, saccoId: string): Promise<Holder[]> {
  return (reader.sql as Tx['sql'])<Holder[]>`
    select o.user_id, o.office from offices o
    where o.sacco_id = ${saccoId} and ${isHeld(reader.sql as Tx['sql'], reader.now)}
    order by o.user_id`;
}

/**
 * Officials vote about loans while their sacco is active (docs/decisions/181). A no to a write-off and the steps of a recovery that was decided
 * before go on in a suspended one. Its lock is held, so its state stays.
 * @throws Refusal `sacco_inactive`
 */
export async function refuseInactiveSacco(tx: Tx, saccoId: string): Promise<void> {
  if ((await whyNoVotes(tx, saccoId)) !== null) throw new Refusal('sacco_inactive');
}

/** Why no official of a sacco votes about a loan now, so that no page offers it: by the rule of `refuseInactiveSacco`. */
export async function whyNoVotes(reader: Reader, saccoId: string): Promise<Sentence | null> {
  const [sacco] = await (reader.sql as Tx['sql'])<{ state: string }[]>`select state from saccos where id = ${saccoId}`;
  return sacco?.state === 'active' ? null : NO_VOTES;
}

const NO_VOTES = sentence('The sacco is not active: its officials vote about no loan until it is active again.');

/** Officials of a sacco who hold one of these offices and may act in it, but for some people. */
export async function officialsWith(
  reader: Reader,
  saccoId: string,
  offices: readonly Office[],
  without: readonly string[] = [],
): Promise<string[]> {
  const held = await holdersOf(reader, saccoId);
  const those = held.filter(({ user_id, office }) => offices.includes(office) && !without.includes(user_id));
  return [...new Set(those.map(({ user_id }) => user_id))];
}

/**
 * Officials of a sacco who hold one of these offices and are not absent for good: others stand in only for those whose suspension a second
 * operator has upheld. One operator alone could else suspend a treasurer, and have a deputy pay a loan out (docs/decisions/189).
 */
export async function holdersToWaitFor(reader: Reader, saccoId: string, offices: readonly Office[]): Promise<string[]> {
  const rows = await (reader.sql as Tx['sql'])<{ user_id: string }[]>`
    select distinct o.user_id from offices o
    where o.sacco_id = ${saccoId} and o.office = any (${texts(offices)}::text[]) and o.ended_at is null and o.until > ${reader.now}
      and not exists (select from account_suspensions s where s.user_id = o.user_id and s.ended_at is null and s.upheld_at is not null)
    order by o.user_id`;
  return rows.map(({ user_id }) => user_id);
}

/**
 * Whether a vote for a default counts: whoever cast it still holds the office in which they did, or holds one that decides about this
 * default now. They could cast it now in that one, and nobody votes twice.
 * @param offices those that whoever voted holds now
 * @param deciding those that decide about the default of this loan
 */
export const countsForDefault = (
  { office, offices }: { readonly office: Office; readonly offices: readonly Office[] },
  deciding: readonly Office[],
): boolean => offices.some((each) => each === office || deciding.includes(each));

/**
 * Whose votes count for the default of the arrears that are under way, by the loan's id, in the order of their votes. Of loans of one sacco.
 * Asked of the platform.
 * @param deciding the offices that decide about the default of each loan
 */
export async function defaultVoters(
  reader: Reader,
  saccoId: string,
  deciding: ReadonlyMap<string, readonly Office[]>,
): Promise<ReadonlyMap<string, readonly string[]>> {
  if (deciding.size === 0) return new Map();
  const votes = await (reader.sql as Tx['sql'])<
    { loan_id: string; by_id: string; office: Office; offices: readonly Office[] }[]
  >`
    select v.loan_id, v.by_id, v.office, array_agg(o.office) as offices
    from loans l join loan_recovery_voices v on v.loan_id = l.id and v.arrears_since = l.arrears_since and v.kind = 'default'
    join offices o on o.sacco_id = ${saccoId} and o.user_id = v.by_id and ${isHeld(reader.sql as Tx['sql'], reader.now)}
    where l.id = any (${texts([...deciding.keys()])}::uuid[])
    group by v.loan_id, v.by_id, v.office, v.at order by v.at, v.by_id`;
  const counted = votes.filter((vote) => countsForDefault(vote, deciding.get(vote.loan_id) ?? []));
  return new Map(
    [...Map.groupBy(counted, ({ loan_id }) => loan_id)].map(([id, of]) => [id, of.map(({ by_id }) => by_id)]),
  );
}

/** What somebody is told who has voted for a step of a recovery. */
export const VOTED = sentence('You have voted already. Another official must cast the second vote.');

/** Officials of a loan's sacco who have an interest in it: none of them decides about it. */
export async function interestedIn(reader: Reader, loan: Pick<LoanRow, 'id' | 'sacco_id'>): Promise<string[]> {
  const interested = await interestedOfficials(reader, loan.sacco_id, [loan.id]);
  return [...(interested.get(loan.id) ?? [])];
}

/** The same of several loans of one sacco, by the loan's id. */
export async function interestedOfficials(
  reader: Reader,
  saccoId: string,
  loanIds: readonly string[],
): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const found = new Map<string, Set<string>>();
  if (loanIds.length === 0) return found;
  const rows = await (reader.sql as Tx['sql'])<{ loan_id: string; user_id: string }[]>`
    select distinct i.loan_id, i.user_id from loan_interests i
    join offices o on o.user_id = i.user_id and o.sacco_id = ${saccoId} and o.ended_at is null and o.until > ${reader.now}
    where i.loan_id = any (${texts(loanIds)}::uuid[])`;
  for (const { loan_id, user_id } of rows) found.set(loan_id, (found.get(loan_id) ?? new Set()).add(user_id));
  return found;
}

/**
 * The offices that decide about a default: the credit committee. Deputies decide too where fewer than two people of the committee have no
 * interest in the loan: two accounts of one person are one (docs/decisions/189). Of loans of one sacco, by the loan's id, in three statements.
 */
export async function defaultOffices(
  reader: Reader,
  saccoId: string,
  loanIds: readonly string[],
): Promise<ReadonlyMap<string, readonly Office[]>> {
  if (loanIds.length === 0) return new Map();
  const [committee, interested] = await Promise.all([
    holdersToWaitFor(reader, saccoId, DEFAULT_OFFICES),
    interestedOfficials(reader, saccoId, loanIds),
  ]);
  const isOnePerson = await samePersonAmong(reader, committee);
  const officesFor = (loanId: string) => {
    const free = committee.filter((each) => !interested.get(loanId)?.has(each));
    return areTwoPeople(free, isOnePerson) ? DEFAULT_OFFICES : [...DEFAULT_OFFICES, ...DEFAULT_DEPUTIES];
  };
  return new Map(loanIds.map((id) => [id, officesFor(id)]));
}
