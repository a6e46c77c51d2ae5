import { API_BASE } from '@ushirika/contract/constants';
import type { FormerName } from '@ushirika/contract/former-name';
import { ratesShown } from '@ushirika/contract/loan-rates';
import type * as shapes from '@ushirika/contract/loans';
import { listLoanMovements, listMyLoans, OWED_STATES, REVIEW_DAYS } from '@ushirika/contract/loans';
import { type Cents, shillingsFromCents } from '@ushirika/contract/money';
import type { PoolContractState } from '@ushirika/contract/pools';
import type { QueryOf } from '@ushirika/contract/route';
import type { Unsaid } from '@ushirika/contract/said';
import { nairobiDay } from '@ushirika/contract/time';
import type { Fragment } from 'postgres';
import { isGuarded } from '#faults';
import { countUpTo, linker, readCursor, toPage } from '../../db/page.ts';
import { asSystem } from '../../db/person.ts';
import type { Database, Tx } from '../../db/tx.ts';
import { texts } from '../../ledger/sql-arrays.ts';
import { poolCoverOf } from '../pools/guarantee-cover.ts';
import { endedRequestsOf } from '../pools/request-end.ts';
import { coverFor } from './loan-cover.ts';
import { timelineOf } from './loan-events.ts';
import { type Savings, savingsOf } from './loan-facts.ts';
import { movementsPage, newestMovements } from './loan-movements.ts';
import { type GuaranteeRow, isClaimed, type LoanRow, noSuchLoan, type Reader, readerOf } from './loan-rows.ts';
import { keyFactsOf } from './loan-terms.ts';
import { isReplaceable } from './loans.rules.ts';
import { scheduleInForce } from './new-schedule.ts';
import { interestToday } from './payable-loans.ts';
import { ownSavingsTaken } from './recovery.rules.ts';
import { type LateLoan, recoveryOf } from './recovery-facts.ts';
import { isLate, shownSteps } from './recovery-steps.ts';
import { hasOffer } from './restructure-loan.ts';
import { runningSchedule } from './running-schedule.ts';
import { daysBetween } from './schedule.rules.ts';

export interface Deps {
  readonly database: Database;
  readonly publicUrl: string;
}

/** A loan with what its list shows. */
export interface ShownRow extends LoanRow {
  readonly product_name: string;
  readonly sacco_name: string;
  readonly borrower_name: string;
  readonly next_on: string | null;
  readonly next_cents: Cents | null;
  readonly late_on: string | null;
  readonly late_cents: Cents | null;
  readonly claims_cents: Cents;
  readonly has_offer: boolean;
  readonly former_name: FormerName | null;
  readonly is_of_official: boolean;
  /** Accrued by the end of today and not paid. */
  readonly interest_today: Cents;
}

const shown = shillingsFromCents;

/** Loans with what belongs to them. The ids come from a query of their own, so that an index finds them. */
export async function readShown(
  reader: Reader,
  ids: Fragment,
  order: Fragment,
  /** What stands before the id in the order. */
  first: Fragment = (reader.sql as Tx['sql'])``,
): Promise<ShownRow[]> {
  const sql = reader.sql as Tx['sql'];
  const today = nairobiDay(reader.now);
  const rows = await sql<Omit<ShownRow, 'interest_today'>[]>`
    with page as materialized (${ids})
    select l.*, t.name as product_name, s.name as sacco_name, coalesce(p.first_name || ' ' || p.last_name, '') as borrower_name,
      next.due_on as next_on, next.cents as next_cents, case when l.due_on < ${today} then l.due_on end as late_on,
      late.cents as late_cents,
      claims.cents as claims_cents, ${hasOffer(reader)} as has_offer,
      former_name(l.borrower_id, ${reader.now}) as former_name,
      exists (select from offices o where o.sacco_id = l.sacco_id and o.user_id = l.borrower_id and o.ended_at is null
                and o.until > ${reader.now}) as is_of_official
    from page join loans l on l.id = page.id
    join loan_product_terms t on t.product_id = l.product_id and t.valid_from = l.terms_from
    join saccos s on s.id = l.sacco_id
    left join people p on p.id = l.borrower_id
    -- Of a loan that is not late, what is asked for next has the rests of the instalments before.
    left join lateral (
      select i.due_on, case when i.number = l.due_number then l.due_cents
        else i.principal_cents + i.interest_cents - i.paid_principal_cents - i.paid_interest_cents end as cents
      from loan_instalments i where i.loan_id = l.id and i.paid_on is null and i.due_on >= greatest(l.due_on, ${today}::date)
      order by i.number limit 1
    ) next on true
    left join lateral (
      select sum(principal_cents + interest_cents - paid_principal_cents - paid_interest_cents)::bigint as cents
      from loan_instalments i where i.loan_id = l.id and i.paid_on is null and i.due_on < ${today} and l.due_on < ${today}
    ) late on true
    cross join lateral (
      select coalesce(sum(called_cents - refunded_cents), 0)::bigint as cents
      from loan_guarantees g where g.loan_id = l.id and g.kind = 'member'
    ) claims
    order by ${first} l.id ${order}`;
  const interest = await interestToday(reader, rows);
  return rows.map((row) => ({ ...row, interest_today: interest.get(row.id) ?? row.interest_cents }));
}

/** All that is owed of a loan today. */
const owedToday = (row: ShownRow): Cents =>
  isOwed(row) ? row.principal_cents + row.interest_today + row.penalty_cents : 0;

export const isOwed = ({ state }: Pick<LoanRow, 'state'>): boolean =>
  (OWED_STATES as readonly string[]).includes(state);

export function shownLoan(row: ShownRow, may: shapes.Loan['may'], now: Date): shapes.Loan {
  return {
    id: row.id,
    number: row.number,
    sacco: { id: row.sacco_id, name: row.sacco_name },
    product: row.product_name,
    state: row.state,
    closed_because: row.closed_because,
    amount: shown(row.amount_cents),
    months: row.months,
    new_months: row.restructured_months,
    applied_at: row.applied_at.toISOString(),
    disbursed_at: row.disbursed_at?.toISOString() ?? null,
    principal_owed: shown(row.principal_cents),
    owed: shown(owedToday(row)),
    owed_to_guarantors: shown(row.claims_cents),
    // Interest that is scheduled behind a write-off is never owed.
    overdue: shown(Math.min((row.late_cents ?? 0) + row.penalty_cents, owedToday(row))),
    days_past_due: row.late_on === null ? 0 : daysBetween(row.late_on, nairobiDay(now)),
    has_offer: row.has_offer,
    next_due: row.next_on === null ? null : { amount: shown(row.next_cents ?? 0), date: row.next_on },
    may,
  };
}

/** What the borrower may do with a loan now. */
export function borrowerMay({
  state,
  principal_cents,
  interest_cents,
  penalty_cents,
}: Pick<LoanRow, 'state' | 'principal_cents' | 'interest_cents' | 'penalty_cents'>): shapes.Loan['may'] {
  if (state === 'guarantors_pending' || state === 'returned') return ['ask_guarantors', 'submit', 'change', 'withdraw'];
  if (state === 'approved') return ['accept', 'withdraw'];
  if (state === 'submitted' || state === 'accepted' || state === 'disbursing') return ['withdraw'];
  // Also where guarantors have paid all of the principal, and where the sacco has given it up.
  return isOwed({ state }) && principal_cents + interest_cents + penalty_cents > 0 ? ['repay'] : [];
}

/** What guarantors have paid for a loan stays owed to them once it is closed. */
function withClaims(detail: Unsaid<shapes.LoanDetail>): Unsaid<shapes.LoanDetail> {
  const isClaimed = detail.guarantees.some(({ kind, claim }) => kind === 'member' && claim > 0);
  return isClaimed && !detail.may.includes('repay') ? { ...detail, may: [...detail.may, 'pay_guarantors'] } : detail;
}

/** One's own loans in a sacco, newest first. */
export async function myLoans(
  { database, publicUrl }: Deps,
  { userId, saccoId }: { readonly userId: string; readonly saccoId: string },
  query: QueryOf<typeof listMyLoans>,
) {
  const { sql } = database;
  const cursor = readCursor(query.cursor, ['uuid']);
  const isUp = cursor?.isBack ?? false;
  const order = isUp ? sql`asc` : sql`desc`;
  const isOver = sql`l.state = any (${texts(['rejected', 'withdrawn', 'expired', 'closed'])}::text[])`;
  const which = {
    all: sql`true`,
    over: isOver,
    open: sql`not ${isOver}`,
    unsettled: sql`(not ${isOver} or l.state = 'closed' and ${isClaimed({ sql })})`,
  }[query.status ?? 'all'];
  const matching = sql`from loans l where l.borrower_id = ${userId} and l.sacco_id = ${saccoId} and ${which}`;
  const after = cursor ? sql`and l.id ${isUp ? sql`>` : sql`<`} ${cursor.keys[0] as string}` : sql``;
  const [rows, count] = await Promise.all([
    readShown(
      readerOf(database),
      sql`select l.id ${matching} ${after} order by l.id ${order} limit ${query.limit + 1}`,
      order,
    ),
    countUpTo(sql, matching),
  ]);
  const linkTo = linker(`${publicUrl}${API_BASE}${listMyLoans.path}`, query);
  const page = toPage(rows, { limit: query.limit, cursor, keysOf: (row) => [row.id], linkTo });
  return { ...page, count, results: page.results.map((row) => shownLoan(row, borrowerMay(row), database.now())) };
}

/**
 * Whether a loan is somebody's own, by their own policies. @throws Refusal `not_found`
 */
export async function refuseUnseenLoan(database: Database, userId: string, id: string, saccoId: string): Promise<void> {
  if (!isGuarded('loans.sides')) return;
  const [seen] = await database.sql`
    select from loans where id = ${id} and borrower_id = ${userId} and sacco_id = ${saccoId}`;
  if (!seen) throw noSuchLoan();
}

/** One of one's own loans, whole. @throws Refusal `not_found` */
export async function loanOf(
  database: Database,
  { userId, saccoId }: { readonly userId: string; readonly saccoId: string },
  id: string,
): Promise<Unsaid<shapes.LoanDetail>> {
  await refuseUnseenLoan(database, userId, id, saccoId);
  // The names of guarantors, whom the borrower has asked, are no rows of the borrower's.
  return asSystem(async () => {
    const reader = readerOf(database);
    const [row] = await readShown(reader, database.sql`select id from loans where id = ${id}`, database.sql`asc`);
    if (!row) throw noSuchLoan();
    const detail = withClaims(await detailOf(reader, row, borrowerMay(row)));
    return { ...detail, guarantees: [...detail.guarantees, ...(await declinedPools(reader, row))] };
  });
}

/** Every movement of money of one of one's own loans, by pages. @throws Refusal `not_found`, `validation_failed` */
export async function movementsOfLoan(
  { database, publicUrl }: Deps,
  { userId, saccoId }: { readonly userId: string; readonly saccoId: string },
  id: string,
  query: QueryOf<typeof listLoanMovements>,
) {
  await refuseUnseenLoan(database, userId, id, saccoId);
  const address = `${publicUrl}${API_BASE}${listLoanMovements.path.replace('{id}', id)}`;
  // That a recovery took it is no row of the borrower's.
  return asSystem(() => movementsPage(database, id, query, address));
}

/** One's own loan within the transaction that has just changed it; whose it is was asked before. */
export async function ownLoanIn(tx: Tx, id: string): Promise<Unsaid<shapes.LoanDetail>> {
  const [row] = await readShown(tx, tx.sql`select id from loans where id = ${id}`, tx.sql`asc`);
  if (!row) throw noSuchLoan();
  return withClaims(await detailOf(tx, row, borrowerMay(row)));
}

/**
 * A loan with its guarantees, schedule and timeline; who may read it is asked before.
 * @param stepsRead the steps of its recovery, where they have been read
 */
export async function detailOf(
  reader: Reader,
  row: ShownRow,
  may: shapes.Loan['may'],
  stepsRead?: Unsaid<shapes.LoanDetail['steps']>,
): Promise<Unsaid<shapes.LoanDetail>> {
  const { now } = reader;
  const [guarantees, schedule, timeline, movements, savings, refinanced, changed] = await Promise.all([
    guaranteesOf(reader, row.id),
    runningSchedule(reader, row),
    timelineOf(reader, row),
    newestMovements(reader, row),
    savingsOf(reader, row.sacco_id, row.borrower_id),
    refinancedBy(reader, row),
    scheduleInForce(reader, row),
  ]);
  const [pools, steps] = await Promise.all([poolGuarantee(reader, row.id), stepsRead ?? stepsOf(reader, row)]);
  const isOpen = row.state === 'guarantors_pending' || row.state === 'returned';
  const cover = await coverFor(reader, row, guarantees, isOpen ? savings.free : 0);
  const isCovered = cover.isCovered;
  return {
    ...shownLoan(row, isCovered ? may : may.filter((act) => act !== 'submit'), now),
    product_id: row.product_id,
    purpose: row.purpose,
    net_income: shown(row.net_income_cents),
    method: row.method,
    ...ratesShown(row.monthly_rate / 100),
    submitted_at: row.state === 'guarantors_pending' ? null : (row.submitted_at?.toISOString() ?? null),
    decide_by: row.state === 'submitted' ? decideBy(row) : null,
    interest_owed: shown(row.interest_today),
    penalty_owed: shown(row.penalty_cents),
    cover: {
      needed: shown(row.amount_cents),
      own: shown(cover.own),
      guarantors: shown(cover.pledged),
      pool: shown(cover.pool),
      guarantors_needed: cover.guarantorsNeeded,
    },
    guarantees: [...guarantees.map((guarantee) => shownGuarantee(guarantee, row, guarantees)), ...pools],
    key_facts: keyFactsOf(row, now, cover.poolFee),
    ...schedule,
    changed,
    ...timeline,
    ...movements,
    standing_repayment: row.standing_since !== null,
    surplus: row.surplus,
    pay_to: row.pay_to,
    refinances: refinanced,
    reason: row.state_reason,
    taking: takingOf(row, guarantees, savings),
    steps,
  };
}

async function stepsOf(reader: Reader, row: ShownRow): Promise<Unsaid<shapes.LoanDetail['steps']>> {
  const loan = row as unknown as LateLoan;
  return isLate(loan) ? shownSteps(loan, await recoveryOf(reader, loan)) : [];
}

/** Over, given up, or with the borrower's savings applied already. */
const TAKEN_NO_MORE: ReadonlySet<LoanRow['state']> = new Set([
  'recovering',
  'written_off',
  'closed',
  'rejected',
  'withdrawn',
  'expired',
]);

/** What of the borrower's savings a recovery may take, by its own rule. */
function takingOf(
  row: ShownRow,
  guarantees: readonly Pick<GuaranteeRow, 'kind' | 'state' | 'pledged_cents'>[],
  { free }: Savings,
): shapes.LoanDetail['taking'] {
  if (TAKEN_NO_MORE.has(row.state)) return null;
  const isHeld = ({ kind, state }: Pick<GuaranteeRow, 'kind' | 'state'>) =>
    kind === 'self' && (state === 'accepted' || state === 'live');
  const held = guarantees.find(isHeld)?.pledged_cents ?? 0;
  const owed = isOwed(row)
    ? { principal: row.principal_cents, interest: row.interest_today, penalty: row.penalty_cents }
    : { principal: row.amount_cents, interest: 0, penalty: 0 };
  const { fromHeld, fromFree } = ownSavingsTaken(owed, { held, free });
  return { held: shown(held), free: shown(free), most: shown(fromHeld + fromFree) };
}

const DAY_MS = 86_400_000;

export function decideBy({ submitted_at }: Pick<LoanRow, 'submitted_at'>): string | null {
  return submitted_at && new Date(submitted_at.getTime() + REVIEW_DAYS * DAY_MS).toISOString();
}

interface NamedGuarantee extends GuaranteeRow {
  readonly name: string;
  readonly member_id: string | null;
}

export async function guaranteesOf({ sql }: Reader, loanId: string): Promise<NamedGuarantee[]> {
  return (sql as Tx['sql'])<NamedGuarantee[]>`
    select g.*, u.first_name || ' ' || u.last_name as name, m.id as member_id
    from loan_guarantees g join loans l on l.id = g.loan_id join users u on u.id = g.guarantor_id
    left join memberships m on m.sacco_id = l.sacco_id and m.user_id = g.guarantor_id
    where g.loan_id = ${loanId} order by g.id`;
}

export function shownGuarantee(
  row: NamedGuarantee,
  loan: Pick<LoanRow, 'state'>,
  all: readonly GuaranteeRow[],
): Unsaid<shapes.Guarantee> {
  const isOpen = loan.state === 'guarantors_pending' || loan.state === 'returned';
  const isReplaced = all.some(
    (each) => each.replaces_id === row.id && (each.state === 'asked' || each.state === 'accepted'),
  );
  const isPending = row.state === 'asked' || row.state === 'accepted';
  const may: shapes.Guarantee['may'] = [];
  if (row.kind === 'member' && isOpen && row.state === 'asked') may.push('change_amount');
  if (row.kind === 'member' && isPending && (isOpen || row.replaces_id !== null)) may.push('take_back');
  if (row.kind === 'member' && row.state === 'live' && row.pledged_cents > 0 && !isReplaced && isReplaceable(loan))
    may.push('replace');
  return {
    id: row.id,
    kind: row.kind,
    name: row.name,
    member: row.member_id,
    amount: shown(row.amount_cents),
    pledged: shown(row.pledged_cents),
    state: row.state,
    asked_at: row.asked_at.toISOString(),
    answer_by: row.state === 'asked' ? (row.answer_by?.toISOString() ?? null) : null,
    signed_at: row.signed_at?.toISOString() ?? null,
    claim: shown(row.called_cents - row.refunded_cents),
    called: row.called_cents > 0 ? { paid: shown(row.called_cents), recovered: shown(row.refunded_cents) } : null,
    declined: null,
    replaces: isPending ? row.replaces_id : null,
    release_asked_at: row.release_asked_at?.toISOString() ?? null,
    may,
  };
}

/** The pool's guarantee for a loan as one of its guarantees. */
async function poolGuarantee({ sql }: Reader, loanId: string): Promise<Unsaid<shapes.Guarantee>[]> {
  const pool = await poolCoverOf({ sql: sql as Tx['sql'] }, loanId);
  if (!pool) return [];
  return [
    {
      id: pool.requestId,
      kind: 'pool',
      name: pool.poolName,
      member: null,
      amount: shown(pool.amount),
      pledged: shown(pool.outstanding),
      state: pool.state === null ? 'asked' : POOL_STATES_SHOWN[pool.state],
      asked_at: pool.askedAt.toISOString(),
      answer_by: pool.answerBy?.toISOString() ?? null,
      signed_at: pool.signedAt?.toISOString() ?? null,
      claim: shown(pool.claim),
      called: pool.paid > 0 ? { paid: shown(pool.paid), recovered: shown(pool.recovered) } : null,
      declined: null,
      replaces: null,
      release_asked_at: null,
      may: [],
    },
  ];
}

/** A guarantee of a pool in the words of guarantees: once it has paid it is in force no more. */
const POOL_STATES_SHOWN: Readonly<Record<PoolContractState, shapes.GuaranteeState>> = {
  PENDING_LOAN: 'accepted',
  ACTIVE: 'live',
  RELEASING: 'live',
  DEMAND: 'live',
  DISPUTED: 'live',
  CALLED: 'live',
  SETTLED: 'called',
  RECOVERING: 'called',
  RECOVERED: 'called',
  WRITTEN_OFF: 'called',
  RELEASED: 'released',
};

/** Pools that were asked for this loan and declined, with what their stewards wrote: for the borrower alone. */
async function declinedPools(
  { sql }: Reader,
  { id, borrower_id }: Pick<LoanRow, 'id' | 'borrower_id'>,
): Promise<Unsaid<shapes.LoanDetail>['guarantees']> {
  const ended = await endedRequestsOf({ sql: sql as Tx['sql'] }, { loanId: id, userId: borrower_id });
  return ended.map(({ id, poolName, amount, askedAt, signedAt, end }) => ({
    id,
    kind: 'pool',
    name: poolName,
    member: null,
    amount: shown(amount),
    pledged: 0,
    state: end.by === 'nobody' ? 'lapsed' : 'refused',
    asked_at: askedAt.toISOString(),
    answer_by: null,
    signed_at: signedAt?.toISOString() ?? null,
    claim: 0,
    called: null,
    declined: end,
    replaces: null,
    release_asked_at: null,
    may: [],
  }));
}

async function refinancedBy(
  { sql }: Reader,
  { refinances_id, disbursed_at }: LoanRow,
): Promise<shapes.LoanDetail['refinances']> {
  if (refinances_id === null || disbursed_at !== null) return null;
  const [old] = await (sql as Tx['sql'])<{ number: string; owed: Cents }[]>`
    select number, principal_cents + interest_cents + penalty_cents as owed from loans where id = ${refinances_id}`;
  return old ? { number: old.number, owed: shown(old.owed) } : null;
}
