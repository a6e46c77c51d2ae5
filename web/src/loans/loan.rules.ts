import { centsOf } from '@ushirika/contract/format';
import type { Restructure } from '@ushirika/contract/loan-recovery';
import type { Instalment, Loan, LoanDetail, LoanProduct, LoanQuote, LoanState } from '@ushirika/contract/loans';
import type { SaccoChange } from '@ushirika/contract/sacco-changes';
import type { TypedTerms } from './loan-paths.ts';

/*
 * What the pages of loans work out by themselves, without a rule of the server's in it.
 */

export { centsTyped } from '@ushirika/contract/typed';

/** Cents that guarantors have to cover, besides own savings and what a pool stands for. */
export const centsForGuarantors = (quote: LoanQuote, poolCents: number): number =>
  Math.max(0, centsOf(quote.to_cover) - poolCents);

/** Cents as they stand in a field: whole shillings without their cents. */
export function typedCents(cents: number): string {
  const rest = cents % 100;
  return `${Math.floor(cents / 100)}${rest ? `.${String(rest).padStart(2, '0')}` : ''}`;
}

/**
 * What the address says, and where it says nothing something that can be had: the first product, within what one may borrow. A product
 * that is not offered stays named: no other is chosen for the person.
 */
export function keptTerms(search: URLSearchParams, products: readonly LoanProduct[], limit: number): TypedTerms {
  const asked = search.get('product') || products[0]?.id || '';
  const typed = { product: asked, amount: search.get('amount') ?? '', months: search.get('months') ?? '' };
  const product = products.find(({ id }) => id === asked);
  if (!product) return typed;
  // In thousands, where the limit reaches so far.
  const round = Math.floor(Math.min(limit, product.max_amount) / 1_000) * 1_000;
  const usual = Math.max(round, product.min_amount);
  return {
    product: asked,
    amount: search.get('amount') ?? typedCents(centsOf(usual)),
    months: search.get('months') ?? String(Math.max(product.min_months, Math.min(12, product.max_months))),
  };
}

/** A loan that two officials have stopped. `until` is null while members vote on that, and once they have kept it so. */
export interface StoppedLoan {
  readonly id: string;
  readonly name: string;
  readonly until: string | null;
}

/** Of the changes of a sacco, newest first: the loans that it has stopped and does not offer again yet. */
export function stoppedLoans(
  changes: readonly SaccoChange[] = [],
  offered: readonly { readonly id: string }[] = [],
): StoppedLoan[] {
  const seen = new Set(offered.map(({ id }) => id));
  return changes.flatMap(({ kind, undo_at, vote, after: { product, name } }) => {
    const id = String(product);
    if (kind !== 'loan_product' || !(undo_at || vote) || seen.has(id)) return [];
    seen.add(id);
    return [{ id, name: String(name), until: vote ? null : undo_at }];
  });
}

/** Cents for each of `parts` guarantors: whole shillings but for the last, who takes what is left. */
export function inEqualParts(cents: number, parts: number): number[] {
  if (parts <= 0) return [];
  const each = Math.floor(cents / parts / 100) * 100;
  return Array.from({ length: parts }, (_, index) => (index < parts - 1 ? each : cents - each * (parts - 1)));
}

/**
 * The day of the next instalment where its month has not begun: the one before it is paid already. What is paid until then lowers the
 * principal and leaves that instalment due. Null where a payment pays an instalment.
 */
export function dueLater(
  { next_due: next, overdue, schedule, disbursed_at }: LoanDetail,
  today: string,
): string | null {
  if (!next || overdue > 0 || !disbursed_at) return null;
  const place = schedule.findIndex(({ due_on }) => due_on === next.date);
  const begins = place > 0 ? schedule[place - 1]?.due_on : undefined;
  return begins !== undefined && today < begins ? next.date : null;
}

/** Whether an instalment was paid before its day. */
export const isPaidAhead = ({ paid_on, due_on }: LoanDetail['schedule'][number]): boolean =>
  paid_on !== null && paid_on < due_on;

/** Whether the instalment in a place was paid before its month began: what the schedule leaves after it is not what was owed then. */
export function isPaidBeforeItsMonth(schedule: readonly LoanDetail['schedule'][number][], place: number): boolean {
  const begins = schedule[place - 1]?.due_on;
  const paidOn = schedule[place]?.paid_on ?? null;
  return begins !== undefined && paidOn !== null && paidOn < begins;
}

/** What guarantors and a pool have paid for a loan and have not got back, in cents: what is repaid goes to them first. */
export const claimedCents = ({ guarantees }: Pick<LoanDetail, 'guarantees'>): number =>
  guarantees.reduce((sum, { claim }) => sum + centsOf(claim), 0);

/** Whether a new schedule may be offered for a loan: it is late, and nothing of it was recovered. */
export const isLate = (state: LoanState | null): boolean => state === 'in_arrears' || state === 'defaulted';

/** Whether all that is owed of a loan is due at once, and not by instalments. */
export const isDueAtOnce = ({ state }: Pick<LoanDetail, 'state'>): boolean =>
  state === 'recovering' || state === 'written_off';

export type StageKey = 'guarantors' | 'sending' | 'committee' | 'acceptance' | 'payment' | 'repayment';
export type StageState = 'done' | 'now' | 'later';
export interface Stage {
  readonly key: StageKey;
  readonly state: StageState;
}

const STAGES: readonly StageKey[] = ['guarantors', 'committee', 'acceptance', 'payment', 'repayment'];

/** How many stages a loan in this state has behind it; null for one that never came to be paid out. */
const BEHIND: Readonly<Record<LoanState, number | null>> = {
  guarantors_pending: 0,
  submitted: 1,
  returned: 1,
  approved: 2,
  accepted: 3,
  disbursing: 3,
  active: 4,
  in_arrears: 4,
  defaulted: 4,
  recovering: 4,
  written_off: 4,
  closed: 5,
  rejected: null,
  withdrawn: null,
  expired: null,
};

/** Whether an application is covered, and waits for its borrower to send it to the committee. A loan in a list does not say. */
export const isToSend = ({ state, may }: Pick<LoanDetail, 'state' | 'may'>): boolean =>
  state === 'guarantors_pending' && may.includes('submit');

/** The way of a loan from its application to its end, and where on it the loan is. Empty where it came to nothing. */
export function stagesOf(state: LoanState, toSend = false): Stage[] {
  const behind = BEHIND[state];
  if (behind === null) return [];
  return STAGES.map((key, index) => ({
    key: index === 0 && toSend ? 'sending' : key,
    state: index < behind ? 'done' : index === behind ? 'now' : 'later',
  }));
}

/** Whether anything is owed on it now. */
export function isOwed({ state }: Pick<Loan, 'state'>): boolean {
  return BEHIND[state] === 4;
}

/** Whether it may still be paid out. */
export function isOnItsWay({ state }: Pick<Loan, 'state'>): boolean {
  const behind = BEHIND[state];
  return behind !== null && behind < 4;
}

/** Whether borrower and guarantors can still answer an offer. Until the night after its last moment it stays `proposed`. */
export function isStillAsked({ state, answer_by }: Pick<Restructure, 'state' | 'answer_by'>, at: number): boolean {
  return state === 'proposed' && at < Date.parse(answer_by);
}

/** Shillings of the principal that are repaid. */
export function repaidOf({ amount, principal_owed }: Pick<Loan, 'amount' | 'principal_owed'>): number {
  return Math.max(0, centsOf(amount) - centsOf(principal_owed)) / 100;
}

/** Cents of the principal that savings, signatures and a pool cover, and those that nothing covers yet. */
export function coverCents({ needed, own, guarantors, pool }: LoanDetail['cover']): {
  covered: number;
  missing: number;
} {
  const covered = centsOf(own) + centsOf(guarantors) + centsOf(pool);
  return { covered, missing: Math.max(0, centsOf(needed) - covered) };
}

/** How many guarantors must still sign besides those who have, and how many the loan needs in all. */
export function guarantorsToSign({ cover, guarantees }: Pick<LoanDetail, 'cover' | 'guarantees'>): {
  missing: number;
  all: number;
} {
  const signed = guarantees.filter(
    ({ kind, state, replaces }) => kind === 'member' && (state === 'live' || (state === 'accepted' && !replaces)),
  );
  return { missing: cover.guarantors_needed, all: cover.guarantors_needed + signed.length };
}

/** A bar of the schedule's chart: where it begins and ends, as parts of the largest instalment. */
export interface Bar {
  readonly number: number;
  readonly principal: number;
  readonly interest: number;
}

export function barsOf(schedule: readonly Pick<Instalment, 'number' | 'principal' | 'interest' | 'total'>[]): Bar[] {
  const most = Math.max(...schedule.map(({ total }) => total), 0);
  if (most === 0) return [];
  return schedule.map(({ number, principal, interest }) => ({
    number,
    principal: principal / most,
    interest: interest / most,
  }));
}

/** Which of the parts of a limit decides: the smallest, and of equals the first. */
export function decidingPart<Part extends { readonly amount: number }>(parts: readonly Part[]): Part | undefined {
  return parts.reduce<Part | undefined>(
    (least, part) => (least && least.amount <= part.amount ? least : part),
    undefined,
  );
}
