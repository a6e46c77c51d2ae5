import { OWED_STATES } from '@ushirika/contract/loans';
import type { Cents } from '@ushirika/contract/money';
import type { MembershipState } from '@ushirika/contract/saccos';
import { nairobiDay } from '@ushirika/contract/time';
import type { Tx } from '../../db/tx.ts';
import { balances } from '../../ledger/balances.ts';
import { creditsSince } from '../../ledger/credits-since.ts';
import { texts } from '../../ledger/sql-arrays.ts';
import { isCounted } from '../identity/identity-checks.ts';
import type { RelatedPairs } from '../identity/related-pairs.types.ts';
import { isClaimed, type Reader, savingsAccounts } from './loan-rows.ts';
import { DECIDING_STATES, type GuarantorFacts, type RecentSavings } from './loans.rules.ts';

/*
 * What the rules of loans ask about people and saccos. Read as the platform: what is another person's, or the sacco's, is used and
 * not shown.
 */

const sqlOf = ({ sql }: Reader) => sql as Tx['sql'];
const SAVED_PERIODS = 6;
const CORE_CAPITAL = [
  'share_capital',
  'fee_income',
  'interest_income',
  'penalty_income',
  'loan_fee_income',
  'recovery_income',
  'marketing_expense',
  'provision_expense',
];

export interface Savings {
  /** Not pledged. */
  readonly free: Cents;
  readonly pledged: Cents;
}

/** Somebody's savings in a sacco. */
export async function savingsOf(reader: Reader, saccoId: string, userId: string): Promise<Savings> {
  const { free, pledged } = savingsAccounts(saccoId, userId);
  const [freeCents = 0, pledgedCents = 0] = await balances({ sql: sqlOf(reader) }, [free, pledged]);
  return { free: freeCents, pledged: pledgedCents };
}

/** What came into somebody's savings in each of the last six periods of 30 days, the latest first. */
export async function recentSavings(reader: Reader, saccoId: string, userId: string): Promise<RecentSavings> {
  const since = new Date(reader.now.getTime() - SAVED_PERIODS * 30 * 86_400_000);
  const asked = { kind: 'deposits', ownerIds: [userId], bookId: saccoId };
  const [deposits] = await creditsSince({ sql: sqlOf(reader) }, asked, since);
  if (!deposits) return Array.from({ length: SAVED_PERIODS }, () => 0);
  const rows = await sqlOf(reader)<{ period: number; saved: number }[]>`
    select floor(extract(epoch from ${reader.now}::timestamptz - j.posted_at) / (30 * 86400))::int as period,
      sum(t.amount)::bigint as saved
    from transfers t join journals j on j.id = t.journal_id
    where t.credit_account_id = ${deposits.account_id} and t.id >= ${deposits.first_id} and j.kind = 'savings_deposited'
      and j.posted_at > ${since}
    group by 1`;
  return Array.from({ length: SAVED_PERIODS }, (_, period) => rows.find((row) => row.period === period)?.saved ?? 0);
}

/** Shares, and what was earned less what it cost. */
export async function coreCapitalOf(reader: Reader, saccoId: string): Promise<Cents> {
  const [row] = await sqlOf(reader)<{ cents: number }[]>`
    select coalesce(sum(case when debit_normal then -balance else balance end), 0)::bigint as cents
    from accounts where book_id = ${saccoId} and owner_id is null and kind = any (${texts(CORE_CAPITAL)}::text[])`;
  return row?.cents ?? 0;
}

export interface Standing {
  /** `leaving` also once members have voted that this member leaves (docs/decisions/195). */
  readonly membership: MembershipState | null;
  readonly joinedAt: Date | null;
  /** Days since joining. */
  readonly days: number;
  /** Behind with a loan in the sacco, or guarantors have paid for a loan of theirs and have not got it back. */
  readonly isInArrears: boolean;
  readonly isSuspended: boolean;
  /** An official of the sacco, or an operator, has seen the ID card under the name of now. */
  readonly isIdentitySeen: boolean;
  /** Principal of loans that are owed, and of those that are with the sacco. */
  readonly otherPrincipal: Cents;
  readonly openApplications: number;
}

/** How somebody stands in a sacco. `without` is left out of what they owe: the loan itself and one that it refinances. */
export async function standingOf(
  reader: Reader,
  { saccoId, userId }: { readonly saccoId: string; readonly userId: string },
  without: readonly string[] = [],
): Promise<Standing> {
  const today = nairobiDay(reader.now);
  const [row] = await sqlOf(reader)<
    {
      state: MembershipState | null;
      joined_at: Date | null;
      arrears: boolean;
      suspended: boolean;
      seen: boolean;
      owed: number;
      applied: number;
      open: number;
    }[]
  >`
    select case when m.state in ('provisional', 'active') and stands_to_be_expelled(${saccoId}, asked.user_id) then 'leaving' else m.state end as state,
      m.joined_at, suspended_since(asked.user_id, ${reader.now}) is not null as suspended,
      exists (select from identity_checks c where c.user_id = asked.user_id and ${isCounted(sqlOf(reader), saccoId)}) as seen,
      l.arrears or g.called as arrears, l.owed, l.applied, l.open
    from (select ${userId}::uuid as user_id) asked
    left join memberships m on m.sacco_id = ${saccoId} and m.user_id = asked.user_id
    cross join lateral (
      select coalesce(bool_or(state in ('in_arrears', 'defaulted', 'recovering', 'written_off')
          or state = 'active' and due_on < ${today}), false) as arrears,
        coalesce(sum(principal_cents) filter (where state = any (${texts(OWED_STATES)}::text[])), 0)::bigint as owed,
        coalesce(sum(amount_cents) filter (where state = any (${texts(DECIDING_STATES)}::text[])), 0)::bigint as applied,
        count(*) filter (where disbursed_at is null and expires_at is not null or state = 'submitted')::int as open
      from loans where sacco_id = ${saccoId} and borrower_id = asked.user_id and id <> all (${texts(without)}::uuid[])
    ) l
    cross join lateral (
      select exists (select from loans l where l.borrower_id = asked.user_id and l.sacco_id = ${saccoId}
        and l.disbursed_at is not null and ${isClaimed(reader)}) as called
    ) g`;
  return {
    membership: row?.state ?? null,
    joinedAt: row?.joined_at ?? null,
    days: row?.joined_at ? Math.floor((reader.now.getTime() - row.joined_at.getTime()) / 86_400_000) : 0,
    isInArrears: row?.arrears ?? false,
    isSuspended: row?.suspended ?? false,
    isIdentitySeen: row?.seen ?? false,
    otherPrincipal: (row?.owed ?? 0) + (row?.applied ?? 0),
    openApplications: row?.open ?? 0,
  };
}

/** What the rules ask about somebody who is to guarantee a loan. */
export async function guarantorFacts(
  reader: Reader,
  asked: {
    readonly saccoId: string;
    readonly borrowerId: string;
    readonly guarantorId: string;
    /** A guarantee of theirs that is not counted: the one that they are asked for. */
    readonly guaranteeId?: string | null;
    /** The loan that is paid off from this one: its guarantees are over then. */
    readonly refinancesId?: string | null;
  },
  relatedPairs: RelatedPairs,
): Promise<GuarantorFacts> {
  const { saccoId, borrowerId, guarantorId } = asked;
  const [standing, savings, related, [row]] = await Promise.all([
    standingOf(reader, { saccoId, userId: guarantorId }),
    savingsOf(reader, saccoId, guarantorId),
    relatedPairs({ sql: sqlOf(reader) }, [{ one: borrowerId, other: guarantorId }]),
    sqlOf(reader)<{ official: boolean; live: number; reciprocal: boolean; confirmed: boolean }[]>`
      select u.phone_confirmed_at is not null as confirmed,
        exists (select from offices o where o.sacco_id = ${saccoId} and o.user_id = u.id and o.ended_at is null
                  and o.until > ${reader.now}) as official,
        (select count(*)::int from loan_guarantees g where g.guarantor_id = u.id and g.kind = 'member'
           and g.state in ('accepted', 'live') and g.id is distinct from ${asked.guaranteeId ?? null}::uuid
           and g.loan_id is distinct from ${asked.refinancesId ?? null}::uuid) as live,
        exists (select from loan_guarantees g join loans l on l.id = g.loan_id
                where g.guarantor_id = ${borrowerId} and l.borrower_id = u.id and g.state in ('accepted', 'live')
                  and l.sacco_id = ${saccoId}) as reciprocal
      from users u where u.id = ${guarantorId}`,
  ]);
  return {
    isBorrower: borrowerId === guarantorId,
    membership: standing.membership,
    joinedAt: standing.joinedAt,
    isOfficial: row?.official ?? false,
    isSuspended: standing.isSuspended,
    isInArrears: standing.isInArrears,
    liveGuarantees: row?.live ?? 0,
    isReciprocal: row?.reciprocal ?? false,
    isRelated: related.has(0),
    phoneConfirmed: row?.confirmed ?? false,
    freeSavings: savings.free,
  };
}

export interface History {
  readonly loans: number;
  readonly instalments: number;
  readonly on_time: number;
  readonly late: number;
  readonly in_arrears_now: boolean;
  readonly defaults: number;
}

const HISTORY_MONTHS = 24;

const NO_LOANS: History = { loans: 0, instalments: 0, on_time: 0, late: 0, in_arrears_now: false, defaults: 0 };

/**
 * How a borrower repaid in a sacco in the last 24 months. An instalment of today counts once it is paid, as in the trust score. Small ones
 * count here, and the score leaves them out.
 */
export async function historyOf(reader: Reader, saccoId: string, borrowerId: string): Promise<History> {
  return (await historiesIn(reader, saccoId, [borrowerId]))(borrowerId);
}

/** The same of several borrowers, in one statement. */
export async function historiesIn(
  reader: Reader,
  saccoId: string,
  borrowerIds: readonly string[],
): Promise<(borrowerId: string) => History> {
  const today = nairobiDay(reader.now);
  const rows = await sqlOf(reader)<(History & { borrower_id: string })[]>`
    select l.borrower_id, count(distinct l.id)::int as loans, count(i.number)::int as instalments,
      (count(i.number) filter (where coalesce(i.met_on, i.paid_on) <= i.due_on))::int as on_time,
      (count(i.number) filter (where coalesce(i.met_on, i.paid_on, 'infinity') > i.due_on))::int as late,
      coalesce(bool_or(l.state in ('in_arrears', 'defaulted', 'recovering', 'written_off')
        or l.state = 'active' and l.due_on < ${today}), false) as in_arrears_now,
      count(distinct l.id) filter (where l.last_default_at is not null)::int as defaults
    from loans l
    left join loan_instalments i on i.loan_id = l.id and i.due_on > ${today}::date - make_interval(months => ${HISTORY_MONTHS})
      and (i.due_on < ${today} or i.due_on = ${today} and coalesce(i.met_on, i.paid_on) is not null)
    where l.sacco_id = ${saccoId} and l.borrower_id = any (${texts(borrowerIds)}::uuid[]) and l.disbursed_at is not null
    group by l.borrower_id`;
  const found = new Map(rows.map(({ borrower_id, ...history }) => [borrower_id, history]));
  return (borrowerId) => found.get(borrowerId) ?? NO_LOANS;
}
