import type {
  GuaranteeState,
  LoanClass,
  LoanClosing,
  LoanEventKind,
  LoanMethod,
  LoanState,
  Surplus,
} from '@ushirika/contract/loans';
import type { Cents } from '@ushirika/contract/money';
import { Refusal } from '@ushirika/contract/refusal';
import { sentence } from '@ushirika/contract/sentence';
import type { Database, Tx } from '../../db/tx.ts';
import { type AccountKey, PLATFORM_BOOK } from '../../ledger/ledger.types.ts';
import { integersOrNulls, texts } from '../../ledger/sql-arrays.ts';
import type { GuaranteeTerms } from './loan-terms.ts';
import type { OwedInstalment } from './repayment.rules.ts';

/** A transaction, or the database at a moment. */
export interface Reader {
  readonly sql: Database['sql'] | Tx['sql'];
  readonly now: Date;
}

export const readerOf = (database: Database): Reader => ({ sql: database.sql, now: database.now() });

/** A row of `loans`, as the verbs need it. */
export interface LoanRow {
  readonly id: string;
  readonly number: string;
  readonly sacco_id: string;
  readonly borrower_id: string;
  /** As they are called now; null where a guarantor signed before names were signed. Null as well for a row that is not kept yet. */
  readonly borrower_name: string | null;
  readonly borrower_number: string | null;
  readonly product_id: string;
  readonly terms_from: Date;
  readonly method: LoanMethod;
  readonly monthly_rate: number;
  readonly fee_rate: number;
  readonly penalty_rate: number;
  readonly min_guarantors: number;
  readonly whole_shillings: boolean;
  readonly amount_cents: Cents;
  readonly months: number;
  readonly purpose: string;
  readonly net_income_cents: Cents;
  readonly refinances_id: string | null;
  readonly state: LoanState;
  readonly state_at: Date;
  readonly closed_because: LoanClosing | null;
  readonly state_reason: string | null;
  readonly applied_at: Date;
  readonly expires_at: Date | null;
  readonly round: number;
  /** What the round is decided by: the amounts that were in force when it was submitted, and what they are compared with. */
  readonly committee_alone_cents: Cents | null;
  readonly manager_alone_cents: Cents | null;
  readonly judged_cents: Cents | null;
  readonly submitted_at: Date | null;
  readonly decided_at: Date | null;
  readonly terms_hash: string;
  readonly accepted_at: Date | null;
  readonly pay_to: 'wallet' | 'mpesa' | null;
  readonly standing_since: Date | null;
  readonly surplus: Surplus;
  readonly disbursed_at: Date | null;
  readonly disbursed_on: string | null;
  readonly principal_cents: Cents;
  readonly interest_cents: Cents;
  readonly penalty_cents: Cents;
  readonly prepaid_cents: Cents;
  readonly accrued_through: string | null;
  readonly period_number: number | null;
  readonly period_starts_on: string | null;
  readonly period_ends_on: string | null;
  readonly period_interest_cents: Cents | null;
  readonly period_accrued_cents: Cents | null;
  /** The instalment with which more than the tolerance is asked for; of `rest_number` before it a rest within the tolerance is unpaid. */
  readonly due_number: number | null;
  readonly rest_number: number | null;
  readonly due_on: string | null;
  readonly due_cents: Cents | null;
  readonly overdue_cents: Cents;
  readonly days_past_due: number;
  readonly class: LoanClass | null;
  readonly provision_cents: Cents;
  readonly defaulted_at: Date | null;
  readonly last_default_at: Date | null;
  /** Of the new schedule that is in force: the principal that it began with, and its months. */
  readonly restructured_cents: Cents | null;
  readonly restructured_months: number | null;
  readonly duplum_cents: Cents | null;
  readonly charged_since_default_cents: Cents;
}

/** A row of `loan_guarantees`. */
export interface GuaranteeRow {
  readonly id: string;
  readonly loan_id: string;
  readonly kind: 'member' | 'self';
  readonly guarantor_id: string;
  readonly amount_cents: Cents;
  readonly state: GuaranteeState;
  readonly state_at: Date;
  readonly pledged_cents: Cents;
  readonly start_cents: Cents | null;
  readonly asked_at: Date;
  readonly answer_by: Date | null;
  /** As they are asked, or were signed. */
  readonly terms: GuaranteeTerms | null;
  readonly terms_hash: string | null;
  readonly signed_at: Date | null;
  readonly replaces_id: string | null;
  /** Of one that is to stand in for another: who confirmed or refused it. */
  readonly decided_by: string | null;
  readonly release_asked_at: Date | null;
  readonly called_cents: Cents;
  readonly refunded_cents: Cents;
}

export const noSuchLoan = () => new Refusal('not_found', { message: sentence('There is no such loan.') });
export const noSuchGuarantee = () => new Refusal('not_found', { message: sentence('There is no such guarantee.') });

/** Locks a loan's row. @throws Refusal `not_found` */
export async function lockLoan(tx: Tx, id: string): Promise<LoanRow> {
  const [row] = await tx.sql<LoanRow[]>`select * from loans where id = ${id} for update`;
  if (!row) throw noSuchLoan();
  return row;
}

/** Locks the guarantees of loans, in the order of their ids. The loans are locked before. */
export async function lockGuarantees(tx: Tx, loanIds: readonly string[]): Promise<GuaranteeRow[]> {
  return tx.sql<GuaranteeRow[]>`
    select * from loan_guarantees where loan_id = any (${texts(loanIds)}::uuid[]) order by id for update`;
}

/** The sacco and the loan of a guarantee; they are what is locked first. @throws Refusal `not_found` */
export async function loanOfGuarantee(
  reader: Reader,
  id: string,
): Promise<{
  readonly loanId: string;
  readonly saccoId: string;
  readonly guarantorId: string;
  readonly borrowerId: string;
}> {
  const [row] = await (reader.sql as Tx['sql'])<
    { loan_id: string; sacco_id: string; guarantor_id: string; borrower_id: string }[]
  >`
    select g.loan_id, l.sacco_id, g.guarantor_id, l.borrower_id
    from loan_guarantees g join loans l on l.id = g.loan_id where g.id = ${id} and g.kind = 'member'`;
  if (!row) throw noSuchGuarantee();
  return { loanId: row.loan_id, saccoId: row.sacco_id, guarantorId: row.guarantor_id, borrowerId: row.borrower_id };
}

export interface InstalmentRow {
  readonly loan_id: string;
  readonly number: number;
  readonly starts_on: string;
  readonly due_on: string;
  readonly principal_cents: Cents;
  readonly interest_cents: Cents;
  readonly paid_principal_cents: Cents;
  /** With interest that is due with a later instalment, and without such of earlier ones: `moved_interest_cents`. */
  readonly paid_interest_cents: Cents;
  readonly moved_interest_cents: Cents;
  readonly paid_on: string | null;
}

export const owedInstalment = (row: InstalmentRow): OwedInstalment => ({
  number: row.number,
  startsOn: row.starts_on,
  dueOn: row.due_on,
  principal: row.principal_cents,
  interest: row.interest_cents,
  paidPrincipal: row.paid_principal_cents,
  moved: row.moved_interest_cents,
  paidInterest: row.paid_interest_cents - row.moved_interest_cents,
});

export interface LoanEventInput {
  readonly loanId: string;
  readonly kind: LoanEventKind;
  /** Left out for the clock. */
  readonly byId?: string | null;
  readonly amountCents?: Cents | null;
  readonly guaranteeId?: string | null;
  readonly number?: number | null;
  readonly repaymentId?: string | null;
  readonly text?: string | null;
}

/** Adds what happened to loans, in one statement. */
export async function addLoanEvents(tx: Tx, events: readonly LoanEventInput[]): Promise<void> {
  if (events.length === 0) return;
  await tx.sql`
    insert into loan_events (id, loan_id, kind, at, by_id, amount_cents, guarantee_id, number, repayment_id, text)
    select id, loan_id, kind, ${tx.now}, by_id, amount_cents, guarantee_id, number, repayment_id, text
    from unnest(${texts(events.map(() => tx.newId()))}::uuid[], ${texts(events.map(({ loanId }) => loanId))}::uuid[],
      ${texts(events.map(({ kind }) => kind))}::text[], ${texts(events.map(({ byId }) => byId ?? null))}::uuid[],
      ${integersOrNulls(events.map(({ amountCents }) => amountCents ?? null))}::bigint[],
      ${texts(events.map(({ guaranteeId }) => guaranteeId ?? null))}::uuid[],
      ${integersOrNulls(events.map(({ number }) => number ?? null))}::integer[],
      ${texts(events.map(({ repaymentId }) => repaymentId ?? null))}::uuid[],
      ${texts(events.map(({ text }) => text ?? null))}::text[]
    ) as e (id, loan_id, kind, by_id, amount_cents, guarantee_id, number, repayment_id, text)`;
}

export const walletOf = (owner: string): AccountKey => ({ book: PLATFORM_BOOK, kind: 'wallet', owner });
export const settlementOf = (owner: string): AccountKey => ({ book: PLATFORM_BOOK, kind: 'settlement', owner });
export const savingsAccounts = (book: string, owner: string): { free: AccountKey; pledged: AccountKey } => ({
  free: { book, kind: 'deposits', owner },
  pledged: { book, kind: 'deposits_hold', owner },
});
export const principalOf = (loan: Pick<LoanRow, 'id' | 'sacco_id'>): AccountKey => ({
  book: loan.sacco_id,
  kind: 'loan_principal',
  owner: loan.id,
});

/** In SQL, of a loan `l`: guarantors or a pool have paid for it and have not got it back. It may be closed. */
export const isClaimed = ({ sql }: { readonly sql: unknown }) => (sql as Tx['sql'])`(
  exists (select from loan_guarantees g where g.loan_id = l.id and g.kind = 'member' and g.called_cents > g.refunded_cents)
  or exists (select from pool_contracts c where c.loan_id = l.id and c.claim_cents > c.recovered_cents))`;
