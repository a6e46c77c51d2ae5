import { API_BASE } from '@ushirika/contract/constants';
import { centsOf } from '@ushirika/contract/format';
import type { FormerName } from '@ushirika/contract/former-name';
import { ratesShown } from '@ushirika/contract/loan-rates';
import type * as shapes from '@ushirika/contract/loans';
import { listGuaranteeRequests } from '@ushirika/contract/loans';
import { shillingsFromCents } from '@ushirika/contract/money';
import type { QueryOf } from '@ushirika/contract/route';
import { nairobiDay } from '@ushirika/contract/time';
import type { Fragment } from 'postgres';
import { isGuarded } from '#faults';
import { countUpTo, linker, readCursor, toPage } from '../../db/page.ts';
import { asSystem } from '../../db/person.ts';
import type { Database, Tx } from '../../db/tx.ts';
import { texts } from '../../ledger/sql-arrays.ts';
import { hashOfTerms } from '../pools/signed-terms.ts';
import { FORMAL_FROM_DAYS } from './arrears.rules.ts';
import { coverFor } from './loan-cover.ts';
import { type History, historiesIn, savingsOf } from './loan-facts.ts';
import { type GuaranteeRow, type LoanRow, noSuchGuarantee, type Reader, readerOf } from './loan-rows.ts';
import { type GuaranteeTerms, guaranteeTerms, offerInForce } from './loan-terms.ts';
import type { Deps } from './loans.queries.ts';
import { isReplaceable } from './loans.rules.ts';
import { schedulesAgreedBy } from './new-schedule.ts';
import { effectOfPledge } from './quote-loan.ts';
import type { StepNow } from './recovery.rules.ts';
import { type LateLoan, type Recovery, recoveriesOf } from './recovery-facts.ts';
import { dateOfStep, isLate } from './recovery-steps.ts';
import { hasOffer } from './restructure-loan.ts';
import { daysBetween, trueRateOfTerms } from './schedule.rules.ts';
import { isAnswerable, isRevocable, signatureEnds } from './sign-guarantee.ts';

type Member = { readonly userId: string; readonly saccoId: string };

const STATES = {
  asked: ['asked'],
  given: ['accepted', 'live', 'called'],
  over: ['refused', 'lapsed', 'voided', 'released'],
} as const;

/** Guarantees that ask something of the guarantor: an answer, or to know that savings may be taken soon. */
const isWaiting = (sql: Database['sql']): Fragment => sql`(
  g.state = 'asked' or g.state = 'live' and g.pledged_cents > 0
    and (l.state in ('defaulted', 'recovering') or l.state = 'in_arrears' and l.days_past_due >= ${FORMAL_FROM_DAYS}))`;

/** Guarantees that are asked of one and that one has given, newest first. */
export async function myGuarantees(
  { database, publicUrl }: Deps,
  member: Member,
  query: QueryOf<typeof listGuaranteeRequests>,
) {
  const { sql } = database;
  const { userId, saccoId } = member;
  const cursor = readCursor(query.cursor, ['uuid']);
  const isUp = cursor?.isBack ?? false;
  const order = isUp ? sql`asc` : sql`desc`;
  const which =
    query.status === 'waiting'
      ? isWaiting(sql)
      : query.status
        ? sql`g.state = any (${texts(STATES[query.status])}::text[])`
        : sql`true`;
  const after = cursor ? sql`and g.id ${isUp ? sql`>` : sql`<`} ${cursor.keys[0] as string}` : sql``;
  // A guarantor has no rows of the loan: the platform reads what they may know of it (`shownRequest`).
  return asSystem(async () => {
    const reader = readerOf(database);
    const matching = sql`
      from loan_guarantees g join loans l on l.id = g.loan_id
      where g.guarantor_id = ${userId} and g.kind = 'member' and l.sacco_id = ${saccoId} and ${which}`;
    const [ids, count, free, [given]] = await Promise.all([
      sql<{ id: string }[]>`select g.id ${matching} ${after} order by g.id ${order} limit ${query.limit + 1}`,
      countUpTo(sql, matching),
      freeSavings(reader, member),
      sql<{ cents: number }[]>`
        select coalesce(sum(g.pledged_cents), 0)::bigint as cents
        from loan_guarantees g join loans l on l.id = g.loan_id
        where g.guarantor_id = ${userId} and g.kind = 'member' and l.sacco_id = ${saccoId}`,
    ]);
    const linkTo = linker(`${publicUrl}${API_BASE}${listGuaranteeRequests.path}`, query);
    const page = toPage(ids, { limit: query.limit, cursor, keysOf: ({ id }) => [id], linkTo });
    const shown = await shownRequests(
      { reader, saccoId, guarantorId: userId },
      page.results.map(({ id }) => id),
    );
    return {
      ...page,
      count,
      results: page.results.flatMap(({ id }) => shown.get(id) ?? []),
      pledged: shillingsFromCents(given?.cents ?? 0),
      free_savings: free,
    };
  });
}

/** One guarantee that is asked of somebody, or that they have given. @throws Refusal `not_found` */
export async function guaranteeRequestOf(
  database: Database,
  { userId, saccoId }: Member,
  id: string,
): Promise<shapes.GuaranteeRequest> {
  if (isGuarded('loans.sides')) {
    const [seen] = await database.sql`
      select from loan_guarantees where id = ${id} and guarantor_id = ${userId} and kind = 'member'`;
    if (!seen) throw noSuchGuarantee();
  }
  return asSystem(async () => {
    const sought = { reader: readerOf(database), saccoId, guarantorId: userId };
    const request = (await shownRequests(sought, [id])).get(id);
    if (!request) throw noSuchGuarantee();
    return request;
  });
}

/** The same to be answered, with what signing does to the guarantor's own money, or as it was signed. @throws Refusal `not_found` */
export async function guaranteeToSign(database: Database, member: Member, id: string): Promise<shapes.GuaranteeToSign> {
  const request = await guaranteeRequestOf(database, member, id);
  const [signing, signed, schedules, isCovered] = await asSystem(() =>
    Promise.all([
      request.may.includes('accept') ? effectOfPledge(readerOf(database), member, centsOf(request.pledge)) : null,
      request.signed_at === null ? null : signedTerms(database, request.id),
      request.signed_at === null ? [] : agreedSchedules(readerOf(database), request.loan, member.userId),
      BEFORE_PAYOUT.has(request.state) && isCoveredNow(readerOf(database), request),
    ]),
  );
  const is_needless = request.state === 'asked' && isCovered;
  const is_covered = request.loan_state === 'guarantors_pending' && isCovered;
  return { ...request, signing, signed, schedules, is_needless, is_covered };
}

const BEFORE_PAYOUT: ReadonlySet<shapes.GuaranteeState> = new Set(['asked', 'accepted']);

/** Whether an application is covered: free savings of its borrower count, and all signatures. */
async function isCoveredNow(reader: Reader, request: Pick<shapes.GuaranteeRequest, 'id' | 'loan'>): Promise<boolean> {
  const sql = reader.sql as Tx['sql'];
  const [loan] = await sql<LoanRow[]>`select * from loans where id = ${request.loan}`;
  const guarantees = await sql<
    GuaranteeRow[]
  >`select * from loan_guarantees where loan_id = ${request.loan} order by id`;
  const isExchange = guarantees.some(({ id, replaces_id }) => id === request.id && replaces_id !== null);
  if (!loan || loan.disbursed_at !== null || isExchange) return false;
  const { free } = await savingsOf(reader, loan.sacco_id, loan.borrower_id);
  return (await coverFor(reader, loan, guarantees, free)).isCovered;
}

async function agreedSchedules(reader: Reader, loanId: string, userId: string) {
  const [loan] = await (reader.sql as Tx['sql'])<LoanRow[]>`select * from loans where id = ${loanId}`;
  return loan ? schedulesAgreedBy(reader, loan, userId) : [];
}

/** What was signed, which is kept as it was then. */
async function signedTerms(database: Database, id: string): Promise<shapes.GuaranteeToSign['signed']> {
  const [row] = await database.sql<
    { terms: GuaranteeTerms | null; terms_hash: string | null; signed_at: Date | null }[]
  >`
    select terms, terms_hash, signed_at from loan_guarantees where id = ${id}`;
  if (!row?.terms || !row.signed_at) return null;
  const { terms } = row;
  const shown = shillingsFromCents;
  return {
    at: row.signed_at.toISOString(),
    pledge: shown(terms.most_to_lose_cents),
    amount: shown(terms.amount_cents),
    months: terms.months,
    instalment: shown(terms.instalment_cents),
    ...ratesShown(terms.monthly_rate / 100),
    penalty_rate: terms.penalty_rate / 100,
    purpose: terms.purpose,
    borrower: terms.borrower_name ?? null,
    borrower_number: terms.borrower_number ?? null,
    hash: row.terms_hash ?? hashOfTerms(terms),
  };
}

interface Sought {
  readonly reader: Reader;
  readonly saccoId: string;
  readonly guarantorId: string;
}

type Guarantee = GuaranteeRow & {
  readonly borrower: string;
  readonly borrower_number: string;
  readonly former_name: FormerName | null;
  readonly sacco_name: string;
  readonly has_offer: boolean;
};

const freeSavings = async (reader: Reader, { saccoId, userId }: Member) =>
  shillingsFromCents((await savingsOf(reader, saccoId, userId)).free);

/** Guarantees of a sacco as their guarantor reads them, by their ids, in a constant number of statements. */
async function shownRequests(
  { reader, saccoId, guarantorId }: Sought,
  ids: readonly string[],
): Promise<ReadonlyMap<string, shapes.GuaranteeRequest>> {
  if (ids.length === 0) return new Map();
  const sql = reader.sql as Tx['sql'];
  const guarantees = await sql<Guarantee[]>`
    select g.*, u.first_name || ' ' || u.last_name as borrower, u.account_number as borrower_number,
      former_name(u.id, ${reader.now}) as former_name, s.name as sacco_name,
      g.state = 'live' and g.pledged_cents > 0 and ${hasOffer(reader)} as has_offer
    from loan_guarantees g join loans l on l.id = g.loan_id join users u on u.id = l.borrower_id join saccos s on s.id = l.sacco_id
    where g.id = any (${texts(ids)}::uuid[]) and l.sacco_id = ${saccoId}`;
  const loans = await sql<LateLoan[]>`
    select * from loans where id = any (${texts(guarantees.map(({ loan_id }) => loan_id))}::uuid[])`;
  const stoodFor = new Set(guarantees.filter(({ state }) => state === 'live').map(({ loan_id }) => loan_id));
  const late = loans.filter((loan) => stoodFor.has(loan.id) && isLate(loan));
  const [recoveries, historyOfBorrower, free] = await Promise.all([
    recoveriesOf(reader, late),
    historiesIn(
      reader,
      saccoId,
      loans.map(({ borrower_id }) => borrower_id),
    ),
    freeSavings(reader, { saccoId, userId: guarantorId }),
  ]);
  const loanOf = new Map(loans.map((loan) => [loan.id, loan]));
  return new Map(
    guarantees.map((guarantee) => {
      const loan = loanOf.get(guarantee.loan_id) as LateLoan;
      const recovery = guarantee.state === 'live' ? ahead(loan, recoveries.get(loan.id)) : null;
      const about = { loan, history: historyOfBorrower(loan.borrower_id), free, recovery, now: reader.now };
      return [guarantee.id, shownRequest(guarantee, about)];
    }),
  );
}

/** What of a recovery is still ahead of a guarantor. */
function ahead(loan: LateLoan, recovery: Recovery | undefined): shapes.GuaranteeRequest['recovery'] {
  if (!recovery) return null;
  const isAhead = ({ state }: StepNow) => state === 'now' || state === 'later';
  const next = recovery.steps.find(isAhead);
  const taking = recovery.steps.find((step) => step.kind === 'guarantors' && isAhead(step));
  return {
    next: next?.kind ?? null,
    next_from: (next && dateOfStep(loan, recovery, next)?.toISOString()) ?? null,
    taken_from: taking?.from?.toISOString() ?? null,
  };
}

/** All that a guarantor reads: the loan, how the borrower repaid, and the worst that can happen. Nothing of the borrower's savings. */
function shownRequest(
  guarantee: Guarantee,
  {
    loan,
    history,
    free,
    recovery,
    now,
  }: {
    readonly loan: LoanRow;
    readonly history: History;
    readonly free: number;
    readonly recovery: shapes.GuaranteeRequest['recovery'];
    readonly now: Date;
  },
): shapes.GuaranteeRequest {
  const isHeld = guarantee.state === 'accepted' || guarantee.state === 'live';
  const { terms, hash, isConcerned } = termsShown(loan, guarantee);
  const today = nairobiDay(now);
  const shown = shillingsFromCents;
  return {
    id: guarantee.id,
    loan: loan.id,
    state: guarantee.state,
    borrower: guarantee.borrower,
    borrower_number: guarantee.borrower_number,
    former_name: guarantee.former_name,
    sacco: { id: loan.sacco_id, name: guarantee.sacco_name },
    purpose: terms.purpose,
    amount: shown(terms.amount_cents),
    months: terms.months,
    instalment: shown(terms.instalment_cents),
    ...ratesShown(terms.monthly_rate / 100),
    true_monthly_rate: trueRateOfTerms(
      { method: terms.method, rate: terms.monthly_rate, feeRate: loan.fee_rate },
      terms.months,
    ),
    pledge: shown(guarantee.amount_cents),
    pledged: shown(guarantee.pledged_cents),
    worst_case: shown(isHeld ? guarantee.pledged_cents : guarantee.state === 'asked' ? guarantee.amount_cents : 0),
    free_savings: free,
    history: isConcerned ? history : null,
    asked_at: guarantee.asked_at.toISOString(),
    signature_ends: isRevocable({ loan, guarantee }) ? (signatureEnds(guarantee)?.toISOString() ?? null) : null,
    answer_by: guarantee.state === 'asked' ? (guarantee.answer_by?.toISOString() ?? null) : null,
    signed_at: guarantee.signed_at?.toISOString() ?? null,
    terms_hash: hash,
    loan_state: isConcerned ? loan.state : null,
    days_past_due: isConcerned && loan.due_on !== null && loan.due_on < today ? daysBetween(loan.due_on, today) : 0,
    has_offer: guarantee.has_offer,
    claim: shown(guarantee.called_cents - guarantee.refunded_cents),
    release_asked_at: guarantee.release_asked_at?.toISOString() ?? null,
    recovery,
    may: guarantorMay(guarantee, loan, now),
  };
}

/**
 * Who stands for the loan or is asked to reads the terms that hold, and how it stands. Who said no, or whose guarantee is over, reads
 * what they were asked for or signed, and nothing that came later.
 */
function termsShown(
  loan: LoanRow,
  guarantee: GuaranteeRow,
): { readonly terms: GuaranteeTerms; readonly hash: string; readonly isConcerned: boolean } {
  const isConcerned = ['asked', 'accepted', 'live', 'called'].includes(guarantee.state) || !isGuarded('loans.sides');
  const now = guaranteeTerms(loan, guarantee);
  const signed = guarantee.state === 'asked' ? now : (guarantee.terms ?? now);
  return {
    terms: isConcerned ? { ...now, amount_cents: offerInForce(loan).amount_cents } : signed,
    hash: guarantee.terms_hash ?? hashOfTerms(signed),
    isConcerned,
  };
}

function guarantorMay(guarantee: GuaranteeRow, loan: LoanRow, now: Date): shapes.GuaranteeRequest['may'] {
  if (isAnswerable({ loan, guarantee }, now)) return ['accept', 'refuse'];
  if (isRevocable({ loan, guarantee })) return ['refuse'];
  const isBound = guarantee.state === 'accepted' || (guarantee.state === 'live' && isReplaceable(loan));
  return isBound && guarantee.release_asked_at === null ? ['ask_to_be_replaced'] : [];
}
