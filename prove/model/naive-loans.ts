import { by } from './in-order.ts';
import { dayOf, type Member, type NaiveBooks, type Person, type Sacco } from './naive-books.ts';

/*
 * Loans as a clerk would keep them: schedules, what a payment pays, what a day adds, what is pledged. The rules are those of
 * domain.md 4.1, written once more. Cents; rates are hundredths of a percent a month.
 */

const DAY_MS = 86_400_000;
/** The last day of a month on which an instalment falls due. */
const LAST_DUE_DAY = 28;
const GRACE_DAYS = 5;
/** The least that an instalment is. */
const SHILLING = 1_00;
const RELEASE_LEAST = 100_00;
/** The sum that may be overdue without consequence, and that a payment may leave of the whole loan. */
const TOLERANCE = 10_00;
const ANSWER_DAYS = 7;
const APPLICATION_DAYS = 30;
const GUARANTOR_DAYS = 180;
const LIVE_MAX = 5;
/** How often a borrower asks in a sacco in 24 hours and for one application, and how many stand for a loan (decision 186). */
const ASKS_A_DAY = 10;
const ASKS_OF_LOAN = 20;
const GUARANTORS_MAX = 10;

export interface LoanTerms {
  readonly method: 'annuity' | 'equal_principal' | 'flat';
  readonly rate: number;
  readonly feeRate: number;
  readonly penaltyRate: number;
  readonly least: number;
  readonly most: number;
  readonly monthsMax: number;
  /** Hundredths: 300 is three times the savings. */
  readonly multiplier: number;
  readonly memberDays: number;
  readonly guarantorsMin: number;
}

export interface LoanProduct {
  id: string;
  readonly name: string;
  terms: LoanTerms;
  /** Since when these terms hold. */
  from: number;
}

/** Days of a loan and their interest. */
export interface Span {
  readonly from: string;
  readonly to: string;
  readonly interest: number;
}

/** `interest` is the interest that is due with the instalment. */
export interface Instalment {
  readonly startsOn: string;
  readonly dueOn: string;
  readonly principal: number;
  readonly interest: number;
  paidPrincipal: number;
  paidInterest: number;
}

export interface Guarantee {
  id: string;
  readonly person: Person;
  readonly isOwn: boolean;
  readonly amount: number;
  state: 'asked' | 'accepted' | 'refused' | 'lapsed' | 'voided' | 'live' | 'released';
  answerBy: number;
  /** When they said no. */
  refusedAt?: number;
  pledged: number;
  /** What its terms are, as the guarantor was shown them; and the code of the SMS. */
  hash: string;
  code: string;
  readonly codesAsked: number[];
  wantsOut: boolean;
  signedAt?: number;
}

export type LoanState =
  | 'guarantors_pending'
  | 'returned'
  | 'submitted'
  | 'approved'
  | 'accepted'
  | 'disbursing'
  | 'active'
  | 'in_arrears'
  | 'withdrawn'
  | 'rejected'
  | 'expired'
  | 'closed';

export interface Loan {
  readonly number: number;
  id: string;
  readonly sacco: Sacco;
  readonly person: Person;
  readonly terms: LoanTerms;
  amount: number;
  months: number;
  purpose: string;
  income: number;
  hash: string;
  state: LoanState;
  expiresAt: number | null;
  guarantees: Guarantee[];
  /** When the borrower asked guarantors for it, also for another amount. */
  readonly asks: number[];
  /** Who has said what in the round that is under way. */
  voices: { readonly person: Person; readonly decision: 'approve' | 'reject' }[];
  orderedBy: Person | null;
  /** The officials who have returned it, and the officials who have refused its payout: each once. */
  readonly returnedBy: Person[];
  readonly refusedBy: Person[];
  principal: number;
  penalty: number;
  instalments: Instalment[];
  spans: Span[];
  /** All interest that was ever paid. */
  interestPaid: number;
  /** The day up to which interest is in the books, and how much of it so far. */
  accruedOn: string;
  provision: number;
  class: string;
  isStanding: boolean;
  /** Instalments that were to be paid by themselves, and how that went. */
  readonly runs: { readonly number: number; tries: number; triedOn: string; state: 'waiting' | 'paid' | 'skipped' }[];
}

export interface LoanBook {
  readonly products: LoanProduct[];
  /** The last day that was run. */
  lastDay: string | null;
  interest: number;
  interestIncome: number;
  penalties: number;
  penaltyIncome: number;
  fees: number;
  provision: number;
  /** Principal that was forgiven. */
  forgiven: number;
}

export const newLoanBook = (): LoanBook => ({
  products: [],
  lastDay: null,
  interest: 0,
  interestIncome: 0,
  penalties: 0,
  penaltyIncome: 0,
  fees: 0,
  provision: 0,
  forgiven: 0,
});

/* Days. */

const after = (day: string, days: number) => new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10);
const daysFrom = (one: string, other: string) => (Date.parse(other) - Date.parse(one)) / DAY_MS;

function monthsOn(day: string, months: number): string {
  const [year = 0, month = 0, date = 0] = day.split('-').map(Number);
  const [years, left] = [Math.floor((month - 1 + months) / 12), (month - 1 + months) % 12];
  return `${year + years}-${String(left + 1).padStart(2, '0')}-${String(Math.min(date, LAST_DUE_DAY)).padStart(2, '0')}`;
}

/* Schedules. Fractions are whole numbers, so that half a cent is half a cent. */

/** `a / b`, half a cent up. */
function half(a: bigint, b: bigint): number {
  return Number(a / b) + (2n * (a % b) >= b ? 1 : 0);
}

/** What each instalment of an annuity or of a flat loan comes to. */
function instalmentOf({ method, rate }: Pick<LoanTerms, 'method' | 'rate'>, amount: number, months: number): number {
  if (method !== 'annuity' || rate === 0)
    return half(BigInt(amount * (10_000 + rate * months)), BigInt(10_000 * months));
  const grown = BigInt(10_000 + rate) ** BigInt(months);
  return half(BigInt(amount) * BigInt(rate) * grown, 10_000n * (grown - 10_000n ** BigInt(months)));
}

interface Plan {
  readonly terms: Pick<LoanTerms, 'method' | 'rate'>;
  readonly amount: number;
  readonly months: number;
  readonly from: string;
}

/** The k-th of so many parts of a sum, of which none loses a cent. */
const partOf = (sum: bigint, by: bigint, k: number, of: number) =>
  half(sum * BigInt(k), by * BigInt(of)) - half(sum * BigInt(k - 1), by * BigInt(of));

export function schedule({ terms, amount, months, from }: Plan): Instalment[] {
  const { method, rate } = terms;
  const fixed = method === 'annuity' ? instalmentOf(terms, amount, months) : null;
  const interestOfMonth = (owed: number, k: number) =>
    method === 'flat'
      ? partOf(BigInt(amount) * BigInt(rate * months), 10_000n, k, months)
      : half(BigInt(owed) * BigInt(rate), 10_000n);
  const made: Instalment[] = [];
  let balance = amount;
  for (let k = 1; k <= months && balance > 0; k += 1) {
    const [startsOn, dueOn] = [k === 1 ? from : monthsOn(from, k - 1), monthsOn(from, k)];
    const base = method === 'flat' ? amount : balance;
    // A loan of the 29th to the 31st falls due on the 28th: its first time is paid by the day.
    const isByDay = startsOn.slice(8) !== dueOn.slice(8);
    const ofTime = isByDay
      ? half(BigInt(base) * BigInt(rate * 12 * daysFrom(startsOn, dueOn)), 3_650_000n)
      : interestOfMonth(balance, k);
    const wanted = fixed === null ? partOf(BigInt(amount), 1n, k, months) : fixed - ofTime;
    const paid = Math.max(wanted, SHILLING - ofTime);
    // A rest that would make an instalment below one shilling is paid with the one before.
    const left = balance - paid;
    const isLast = k === months || left <= 0 || left + interestOfMonth(left, k + 1) < SHILLING;
    const principal = isLast ? balance : paid;
    let interest = ofTime;
    if (isLast && method === 'flat')
      for (let later = k + 1; later <= months; later += 1) interest += interestOfMonth(0, later);
    made.push({ startsOn, dueOn, principal, interest, paidPrincipal: 0, paidInterest: 0 });
    balance -= principal;
  }
  return made;
}

/** The interest on a balance for the days of an instalment's time from a day on. */
function daysBring(rate: number, balance: number, { startsOn, dueOn }: Instalment, from: string): number {
  const days = daysFrom(from, dueOn);
  if (startsOn.slice(8) !== dueOn.slice(8)) return half(BigInt(balance) * BigInt(rate * 12 * days), 3_650_000n);
  return half(BigInt(balance) * BigInt(rate * days), BigInt(10_000 * daysFrom(startsOn, dueOn)));
}

/* What is owed. */

export const isOwed = ({ state }: Loan) => state === 'active' || state === 'in_arrears';
const isOver = ({ state }: Loan) => ['withdrawn', 'rejected', 'expired', 'closed'].includes(state);
const unpaid = (each: Instalment) => each.principal + each.interest - each.paidPrincipal - each.paidInterest;

/** The interest of a span by the end of a day. */
function brought({ from, to, interest }: Span, day: string): number {
  const gone = Math.max(0, Math.min(daysFrom(from, day), daysFrom(from, to)));
  return Math.floor((interest * gone) / daysFrom(from, to));
}

/** Interest that is earned by a day and not paid. */
export const interestOwed = ({ spans, interestPaid }: Loan, day: string) =>
  spans.reduce((sum, each) => sum + brought(each, day), -interestPaid);

export const payoffOf = (loan: Loan, day: string) => {
  const on = day > loan.accruedOn ? day : loan.accruedOn;
  return loan.principal + loan.penalty + interestOwed(loan, on);
};

/** The instalment with which more than the tolerance is due or overdue. */
export function dueOf({ instalments, principal }: Loan): Instalment | null {
  if (principal === 0) return null;
  let asked = 0;
  for (const each of instalments) {
    asked += unpaid(each);
    if (unpaid(each) > 0 && asked > TOLERANCE) return each;
  }
  return null;
}

export function isLate(loan: Loan, today: string): boolean {
  return loan.state === 'in_arrears' || (loan.state === 'active' && (dueOf(loan)?.dueOn ?? today) < today);
}

/** Whether no principal is due after a day. */
const isAllDueBy = ({ instalments }: Loan, day: string) =>
  instalments.every(({ dueOn, principal, paidPrincipal }) => dueOn <= day || principal === paidPrincipal);

/** Interest up to a day comes into the books. */
function accrue(loan: Loan, day: string): void {
  if (day <= loan.accruedOn) return;
  const added = interestOwed(loan, day) - interestOwed(loan, loan.accruedOn);
  loan.accruedOn = day;
  loan.sacco.lending.interest += added;
  loan.sacco.lending.interestIncome += added;
}

export type Surplus = 'shorten' | 'lower_instalment' | 'excuse';

export interface Payment {
  readonly cents: number;
  readonly surplus: Surplus;
  readonly now: number;
  /** The negative controls. */
  readonly broken?: string | undefined;
}

/**
 * Pays penalty, then the interest and the principal that are due, the oldest first. A rest is paid in advance. The caller has checked that
 * the wallet has the money.
 */
export function repay(books: NaiveBooks, loan: Loan, { cents, surplus, now, broken }: Payment): void {
  const today = dayOf(now);
  accrue(loan, today);
  const { sacco, instalments } = loan;
  const { lending } = sacco;
  const missing = payoffOf(loan, today) - cents;
  const isAllDue = isAllDueBy(loan, today);
  const isAll = missing <= (isAllDue ? TOLERANCE : 0);
  const before = interestOwed(loan, loan.accruedOn);
  if (isAll) forgive(books, loan, missing, before);
  let left = cents + (isAll ? missing : 0);
  const take = (most: number) => {
    const taken = Math.min(left, most);
    left -= taken;
    return taken;
  };
  const payPenalty = () => {
    const paid = take(loan.penalty);
    loan.penalty -= paid;
    lending.penalties -= paid;
  };
  if (broken !== 'interest-first') payPenalty();
  const due = isAll ? [] : instalments.filter(({ dueOn }) => dueOn <= today);
  let interestPaid = isAll ? take(before) : 0;
  for (const each of due) {
    const paid = take(each.interest - each.paidInterest);
    each.paidInterest += paid;
    interestPaid += paid;
  }
  for (const each of due) {
    const paid = take(each.principal - each.paidPrincipal);
    each.paidPrincipal += paid;
    loan.principal -= paid;
  }
  if (broken === 'interest-first') payPenalty();
  if (isAll) loan.principal -= left;
  loan.interestPaid += interestPaid;
  const ahead = isAll ? 0 : left;
  if (ahead > 0) interestPaid += payAhead(loan, ahead, today, surplus);
  lending.interest -= interestPaid;
  loan.person.wallet -= cents;
  sacco.cash += cents;
  if (loan.principal === 0) close(loan);
  else if (loan.state === 'in_arrears' && (dueOf(loan)?.dueOn ?? today) >= today) loan.state = 'active';
  if (broken !== 'pledges-kept' || loan.principal === 0) release(books, loan);
  books.note(loan.principal === 0 ? 'loan paid off' : ahead > 0 ? 'loan prepaid' : 'loan repaid in part');
}

/**
 * Pays in advance: the interest up to today, then principal. The payment counts for the instalment under way, or for all that come. The
 * rest makes the loan shorter or its instalments smaller. Returns the interest that was paid.
 */
function payAhead(loan: Loan, cents: number, today: string, surplus: Surplus): number {
  const interest = Math.min(cents, interestOwed(loan, today));
  loan.interestPaid += interest;
  loan.principal -= cents - interest;
  const coming = loan.instalments.filter(({ dueOn }) => dueOn > today);
  const [first] = coming;
  const sums = coming.map((each) => each.principal + each.interest);
  let left = cents;
  const isUnderWay = (each: Instalment) => each === first && !loan.instalments.some(({ dueOn }) => dueOn === today);
  for (const each of coming) {
    if (surplus !== 'excuse' && !isUnderWay(each)) continue;
    const counted = Math.min(left, unpaid(each));
    const ofInterest = Math.min(counted, interest - (cents - left));
    each.paidInterest += Math.max(0, ofInterest);
    each.paidPrincipal += counted - Math.max(0, ofInterest);
    left -= counted;
  }
  const isPrepaid = left - Math.max(0, interest - (cents - left)) > 0;
  spread(loan, coming, { sums, today, isLower: isPrepaid && surplus === 'lower_instalment' });
  return interest;
}

/**
 * Each instalment keeps its sum: first the interest of its time, with interest for which others had no room, then principal. The last has
 * the rest.
 */
function spread(
  loan: Loan,
  coming: readonly Instalment[],
  { sums, today, isLower }: { readonly sums: readonly number[]; readonly today: string; readonly isLower: boolean },
): void {
  const { terms } = loan;
  const last = coming.at(-1);
  const spans = loan.spans.filter(({ from }) => from < today);
  let [balance, waiting] = [loan.principal, interestOwed(loan, today)];
  const made: Instalment[] = [];
  let lower: number | null = null;
  for (const [at, each] of coming.entries()) {
    const paid = each.paidPrincipal + each.paidInterest;
    if (balance === 0) {
      if (paid > 0) made.push({ ...each, interest: each.paidInterest, principal: each.paidPrincipal });
      continue;
    }
    const from = each.startsOn < today ? today : each.startsOn;
    const old = loan.spans.find((span) => span.to === each.dueOn) as Span;
    const isFlat = terms.method === 'flat';
    const brings = isFlat ? old.interest - brought(old, today) : daysBring(terms.rate, balance, each, from);
    // A flat loan's months stay as they are. For other loans the span under way ends today, with its interest so far.
    if (!isFlat && old.from < today) {
      const index = spans.indexOf(old);
      spans[index] = { from: old.from, to: today, interest: brought(old, today) };
    }
    if (!spans.includes(old) || !isFlat) spans.push(isFlat ? old : { from, to: each.dueOn, interest: brings });
    const wasMet = paid >= (sums[at] as number);
    let sum = sums[at] as number;
    if (isLower && !wasMet) {
      const equal: number = lower ?? lowered(terms, balance + waiting + paid, coming.slice(at), loan.spans);
      // Where more of one is paid than that, the others pay all that is left.
      if (paid <= equal || each === last) lower = equal;
      sum = Math.min(sum, terms.method === 'equal_principal' ? equal + brings : equal);
    }
    const left = balance + waiting + brings - Math.max(0, sum - paid);
    const room = each === last || left < SHILLING ? Number.MAX_SAFE_INTEGER : Math.max(0, sum - paid);
    const interest = Math.min(room, waiting + brings);
    const principal = Math.min(balance, room - interest);
    waiting += brings - interest;
    balance -= principal;
    made.push({ ...each, interest: each.paidInterest + interest, principal: each.paidPrincipal + principal });
  }
  loan.spans = spans;
  loan.instalments = [...loan.instalments.filter(({ dueOn }) => dueOn <= today), ...made];
}

/** The lower sum with which the same number of instalments is enough; with equal principals it has no interest. */
function lowered(terms: LoanTerms, owed: number, some: readonly Instalment[], spans: readonly Span[]): number {
  const count = some.length;
  if (terms.method === 'annuity') return instalmentOf(terms, owed, count);
  const isTheirs = ({ to }: Span) => some.some(({ dueOn }) => dueOn === to);
  const flat = terms.method === 'flat' ? spans.filter(isTheirs).reduce((sum, { interest }) => sum + interest, 0) : 0;
  return Math.ceil((owed + flat) / count);
}

function forgive(books: NaiveBooks, { penalty, sacco: { lending } }: Loan, cents: number, interest: number): void {
  const ofInterest = Math.min(cents, interest);
  const ofPenalty = Math.min(cents - ofInterest, penalty);
  lending.interestIncome -= ofInterest;
  lending.penaltyIncome -= ofPenalty;
  lending.forgiven += cents - ofInterest - ofPenalty;
  if (cents > 0) books.note('rest of a loan forgiven');
}

function close(loan: Loan): void {
  loan.sacco.lending.provision -= loan.provision;
  loan.provision = 0;
  loan.class = '';
  loan.state = 'closed';
  loan.isStanding = false;
}

/* What is pledged. */

/** Shares of a sum in proportion; a cent that is over goes to who is cut off most, and of those to the first. */
function shareOut(sum: number, weights: readonly number[]): number[] {
  const all = weights.reduce((total, weight) => total + weight, 0);
  if (all === 0) return weights.map(() => 0);
  const exact = weights.map((weight) => BigInt(sum) * BigInt(weight));
  const shares = exact.map((each) => Number(each / BigInt(all)));
  const cutOff = (at: number) => (exact[at] as bigint) % BigInt(all);
  const order = [...weights.keys()].sort((one, other) => Number(cutOff(other) - cutOff(one)) || one - other);
  const over = sum - shares.reduce((total, share) => total + share, 0);
  for (const at of order.slice(0, over)) shares[at] = (shares[at] as number) + 1;
  return shares;
}

/** Somebody's savings are free again, so much of a guarantee. */
function free(books: NaiveBooks, { sacco }: Loan, guarantee: Guarantee, cents: number): void {
  const member = books.memberOf(guarantee.person, sacco) as Member;
  guarantee.pledged -= cents;
  member.pledged -= cents;
  member.savings += cents;
}

/** In proportion to the principal: first what members have pledged, then the borrower's own. Less than Kes 100 stays. */
function release(books: NaiveBooks, loan: Loan): void {
  const live = loan.guarantees.filter(({ state }) => state === 'live').sort(by(({ id }) => id));
  if (loan.principal === 0) {
    for (const each of loan.guarantees.filter(({ state }) => state === 'asked')) each.state = 'voided';
    for (const each of live) {
      free(books, loan, each, each.pledged);
      each.state = 'released';
    }
    return;
  }
  const sum = (of: (each: Guarantee) => number) => live.reduce((total, each) => total + of(each), 0);
  const pledgedFor = BigInt(sum(({ amount }) => amount)) * BigInt(loan.principal);
  const needed = Number((pledgedFor + BigInt(loan.amount) - 1n) / BigInt(loan.amount));
  const all = sum(({ pledged }) => pledged) - needed;
  if (all < RELEASE_LEAST) return;
  const members = live.filter(({ isOwn }) => !isOwn);
  const ofMembers = Math.min(
    all,
    members.reduce((total, { pledged }) => total + pledged, 0),
  );
  const shares = shareOut(
    ofMembers,
    members.map(({ pledged }) => pledged),
  );
  for (const [at, each] of members.entries()) free(books, loan, each, shares[at] ?? 0);
  for (const each of live.filter(({ isOwn }) => isOwn)) free(books, loan, each, all - ofMembers);
  books.note('pledges released in part');
}

export function pledge(books: NaiveBooks, { sacco }: Loan, guarantee: Guarantee): void {
  const member = books.memberOf(guarantee.person, sacco) as Member;
  member.savings -= guarantee.amount;
  member.pledged += guarantee.amount;
  guarantee.pledged = guarantee.amount;
  guarantee.state = 'accepted';
}

/** Guarantees of a loan that was not paid out come to nothing. */
export function voidAll(
  books: NaiveBooks,
  loan: Loan,
  which: (guarantee: Guarantee) => boolean = () => true,
): Guarantee[] {
  const ended = loan.guarantees.filter((each) => (each.state === 'asked' || each.state === 'accepted') && which(each));
  for (const each of ended) {
    each.state = 'voided';
    free(books, loan, each, each.pledged);
  }
  return ended;
}

export function endApplication(books: NaiveBooks, loan: Loan, state: 'withdrawn' | 'rejected' | 'expired'): void {
  voidAll(books, loan);
  loan.state = state;
  loan.expiresAt = null;
  books.note(`application ${state}`);
}

export const answerBy = (now: number) => now + ANSWER_DAYS * DAY_MS;
export const expiryOf = (now: number) => now + APPLICATION_DAYS * DAY_MS;

/* Who may borrow, how much, and who may guarantee. */

const loansOf = ({ loans }: NaiveBooks, person: Person, sacco: Sacco) =>
  loans.filter((loan) => loan.person === person && loan.sacco === sacco);

export const isBehind = (books: NaiveBooks, person: Person, sacco: Sacco, now: number) =>
  loansOf(books, person, sacco).some((loan) => isLate(loan, dayOf(now)));

/** Why somebody gets no loan at all, or null; `isDecided` where officials have approved it already. */
export function unfit(
  books: NaiveBooks,
  member: Member,
  terms: LoanTerms,
  now: number,
  isDecided = false,
): string | null {
  const { sacco, person, state, joinedAt } = member;
  if (sacco.state !== 'active') return 'sacco_inactive';
  const left = actsLeft(books, sacco, [person], now);
  if (!isDecided && !(left.has('review') && left.has('payout'))) return 'loan_conflict';
  if (state === 'provisional') return 'full_rights_required';
  if (state === 'leaving') return 'exit_conflict';
  if (Math.floor((now - joinedAt) / DAY_MS) < terms.memberDays) return 'loan_terms_not_met';
  if (isBehind(books, person, sacco, now)) return 'loan_terms_not_met';
  return isDecided || person.cardSeenUntil === Number.POSITIVE_INFINITY ? null : 'loan_terms_not_met';
}

const PAYING = ['chair', 'secretary', 'vice_chair', 'manager', 'treasurer'];
const DEFAULTING = ['credit_committee', 'chair', 'vice_chair', 'secretary', 'treasurer', 'supervisory_committee'];

/**
 * What officials can do without some people: two of the committee decide; two pay out, one of them none of those who decide;
 * two decide about a default.
 */
export function actsLeft(books: NaiveBooks, sacco: Sacco, without: readonly Person[], now: number): Set<string> {
  const people = [...new Set(sacco.offices.map(({ person }) => person))].filter((person) => !without.includes(person));
  const holding = (offices: readonly string[]) =>
    people.filter((person) => books.officesOf(person, sacco, now).some((office) => offices.includes(office)));
  const committee = holding(['credit_committee']);
  const payers = holding(PAYING);
  const isPaidWith = (checker: Person) =>
    payers.some((person) => person !== checker) && committee.filter((person) => person !== checker).length >= 2;
  return new Set([
    ...(committee.length >= 2 ? ['review'] : []),
    ...(payers.some(isPaidWith) ? ['payout'] : []),
    ...(holding(DEFAULTING).length >= 2 ? ['default'] : []),
  ]);
}

/** Savings without lump sums of the last 90 days: of each 30 days as much counts as in the poorest of the three before. */
function qualifying({ savings, pledged, saved }: Member, now: number): number {
  const periods = [0, 0, 0, 0, 0, 0];
  for (const { at, cents } of saved) {
    const period = Math.floor((now - at) / (30 * DAY_MS));
    if (period < periods.length) periods[period] = (periods[period] as number) + cents;
  }
  const regular = Math.min(...periods.slice(3));
  const young = periods.slice(0, 3).reduce((sum, cents) => sum + Math.max(0, cents - regular), 0);
  return Math.max(0, savings + pledged - young);
}

const DECIDING = ['submitted', 'approved', 'accepted', 'disbursing'];

/** How much somebody may borrow, but for what they can pay a month. */
export function limitOf(books: NaiveBooks, member: Member, terms: LoanTerms, now: number, without?: Loan): number {
  const { sacco, person } = member;
  const others = loansOf(books, person, sacco).filter((loan) => loan !== without);
  const owed = others.reduce(
    (sum, { state, amount, principal }) => sum + (DECIDING.includes(state) ? amount : principal),
    0,
  );
  const { interestIncome, penaltyIncome, fees, provision, forgiven } = sacco.lending;
  const own =
    sacco.capital + sacco.fees - sacco.rewardsPaid + interestIncome + penaltyIncome + fees - provision - forgiven;
  const bySavings = Math.max(0, Math.floor((qualifying(member, now) * terms.multiplier) / 100) - owed);
  return Math.min(bySavings, terms.most, Math.max(0, Math.floor(own / 10) - owed));
}

/** Two thirds of the declared income are enough for the instalment: the harness declares far more, or next to nothing. */
export const canPay = (terms: LoanTerms, amount: number, months: number, income: number) =>
  instalmentOf(terms, amount, months) * 3 <= income * 2;

export const openApplications = (books: NaiveBooks, person: Person, sacco: Sacco) =>
  loansOf(books, person, sacco).filter(({ state, expiresAt }) => state === 'submitted' || expiresAt !== null).length;

/** Whether somebody may guarantee so much of a loan; what they gave for this one is not counted. */
export function mayGuarantee(books: NaiveBooks, loan: Loan, person: Person, pledged: number, now: number): boolean {
  const { sacco } = loan;
  const member = books.memberOf(person, sacco);
  const binding = ({ state, isOwn }: Guarantee) => !isOwn && (state === 'accepted' || state === 'live');
  const given = books.loans
    .filter((other) => other !== loan)
    .flatMap(({ guarantees }) => guarantees.filter((each) => each.person === person && binding(each)));
  const isReciprocal = loansOf(books, person, sacco).some(({ guarantees }) =>
    guarantees.some((each) => each.person === loan.person && (each.state === 'accepted' || each.state === 'live')),
  );
  return (
    person !== loan.person &&
    member?.state === 'active' &&
    now - member.joinedAt >= GUARANTOR_DAYS * DAY_MS &&
    books.officesOf(person, sacco, now).length === 0 &&
    !isBehind(books, person, sacco, now) &&
    given.length < LIVE_MAX &&
    !isReciprocal &&
    !books.areRelated(loan.person, person) &&
    person.isConfirmed &&
    member.savings >= pledged
  );
}

/**
 * The borrower asks somebody for a part of a loan: `ok`, or the code of the refusal. For another amount an open request changes, and its
 * code signs nothing any more; for the same it stays.
 */
export function askFor(books: NaiveBooks, loan: Loan, asked: Guarantee, now: number): string {
  if (asked.amount > loan.amount) return 'loan_conflict';
  if (!mayGuarantee(books, loan, asked.person, 0, now)) return 'guarantor_not_accepted';
  const open = loan.guarantees.filter(({ state }) => state === 'asked' || state === 'accepted');
  const before = open.find(({ person }) => person === asked.person);
  if (before?.state === 'accepted') return 'loan_conflict';
  if (before?.amount === asked.amount) return 'ok';
  if (!before && open.length >= GUARANTORS_MAX) return 'loan_conflict';
  const often = asksTooOften(books, loan, asked.person, now);
  if (often) books.note(often);
  if (often) return 'loan_conflict';
  loan.asks.push(now);
  if (before) Object.assign(before, { amount: asked.amount, code: '' });
  else loan.guarantees.push(asked);
  return 'ok';
}

/** Ten times in 24 hours in a sacco, twenty times for one application; and nobody who said no to this borrower in 24 hours. */
function asksTooOften(books: NaiveBooks, loan: Loan, person: Person, now: number): string | null {
  const dayAgo = now - DAY_MS;
  const own = new Set([loan, ...loansOf(books, loan.person, loan.sacco)]);
  const saidNo = ({ guarantees }: Loan) =>
    guarantees.some((each) => each.person === person && (each.refusedAt ?? Number.NEGATIVE_INFINITY) > dayAgo);
  const today = [...own].flatMap(({ asks }) => asks).filter((at) => at > dayAgo);
  if ([...own].some(saidNo)) return 'somebody asked who said no';
  return today.length >= ASKS_A_DAY || loan.asks.length >= ASKS_OF_LOAN ? 'guarantors asked too often' : null;
}

/** What of a loan the borrower's own savings stand for; null where it is not covered. */
export function ownPart(loan: Loan, own: number): number | null {
  const pledges = loan.guarantees.filter(({ state, isOwn }) => state === 'accepted' && !isOwn);
  const pledged = pledges.reduce((sum, { amount }) => sum + amount, 0);
  const used = Math.max(0, Math.min(own, loan.amount - pledged));
  const isEnough = pledged + used >= loan.amount;
  const areEnough = own >= loan.amount || pledges.length >= loan.terms.guarantorsMin;
  return isEnough && areEnough ? used : null;
}

export const ownPledged = ({ guarantees }: Loan) =>
  guarantees.reduce((sum, { isOwn, state, amount }) => sum + (isOwn && state === 'accepted' ? amount : 0), 0);

export const loanFee = ({ feeRate }: LoanTerms, amount: number) => half(BigInt(amount) * BigInt(feeRate), 10_000n);

export function payOut(books: NaiveBooks, loan: Loan, now: number): void {
  const { sacco, amount, months, terms, person } = loan;
  const fee = loanFee(terms, amount);
  const from = dayOf(now);
  loan.state = 'active';
  loan.expiresAt = null;
  loan.principal = amount;
  loan.instalments = schedule({ terms, amount, months, from });
  loan.spans = loan.instalments.map(({ startsOn, dueOn, interest }) => ({ from: startsOn, to: dueOn, interest }));
  loan.accruedOn = from;
  loan.class = 'performing';
  sacco.cash -= amount - fee;
  sacco.lending.fees += fee;
  person.wallet += amount - fee;
  for (const each of loan.guarantees) if (each.state === 'accepted') each.state = 'live';
  books.note('loan paid out');
}

/* What binds people: they are not paid out, and may not trade. */

export function isBound({ loans }: NaiveBooks, { person, sacco }: Member): boolean {
  return loans.some(
    (loan) =>
      loan.sacco === sacco &&
      ((loan.person === person && !isOver(loan)) ||
        loan.guarantees.some((each) => each.person === person && !each.isOwn && each.pledged > 0)),
  );
}

export function mayNotTrade(books: NaiveBooks, person: Person, sacco: Sacco, now: number): boolean {
  if (isBehind(books, person, sacco, now)) return true;
  if (books.memberOf(person, sacco)?.state !== 'leaving') return false;
  return books.loans.some(
    (loan) =>
      loan.sacco === sacco &&
      ((loan.person === person && isOwed(loan)) ||
        loan.guarantees.some((each) => each.person === person && !each.isOwn && each.pledged > 0)),
  );
}

/* What the clock does. */

const BANDS = [
  ['performing', 0, 100],
  ['watch', 1, 500],
  ['substandard', 31, 2_500],
  ['doubtful', 181, 5_000],
  ['loss', 361, 10_000],
] as const;
/** From six in the morning on a day is run. */
const RUNS_FROM_MS = 6 * 3_600_000;

/** Every day that is missing of every sacco in which somebody has ever applied. */
export function runLoanDays(books: NaiveBooks, now: number, broken?: string): void {
  const last = dayOf(now - RUNS_FROM_MS);
  for (const sacco of books.saccos) {
    const loans = books.loans.filter((loan) => loan.sacco === sacco);
    const { lending } = sacco;
    for (; lending.lastDay !== null && lending.lastDay < last; lending.lastDay = after(lending.lastDay, 1)) {
      const day = after(lending.lastDay, 1);
      for (const loan of loans) if (isOwed(loan)) passDay(loan, day, broken);
      for (const loan of loans) if (isOwed(loan)) closeRest(books, loan, day);
    }
  }
}

function passDay(loan: Loan, day: string, broken?: string): void {
  const { lending } = loan.sacco;
  accrue(loan, day);
  const since = dueOf(loan)?.dueOn ?? day;
  const late = loan.instalments.filter((each) => since < day && each.dueOn < day && unpaid(each) > 0);
  for (const each of late) {
    const days = daysFrom(each.dueOn, day) - (broken === 'no-grace' ? 0 : GRACE_DAYS);
    const upTo = (count: number) =>
      Number((BigInt(unpaid(each)) * BigInt(loan.terms.penaltyRate * 12 * count)) / 3_650_000n);
    const added = days > 0 ? upTo(days) - upTo(days - 1) : 0;
    loan.penalty += added;
    lending.penalties += added;
    lending.penaltyIncome += added;
  }
  const daysLate = Math.max(0, daysFrom(since, day));
  const [name, , rate] = BANDS.findLast(([, from]) => daysLate >= from) ?? BANDS[0];
  loan.state = daysLate > 0 ? 'in_arrears' : 'active';
  loan.class = name;
  const provision = Math.ceil((loan.principal * rate) / 10_000);
  lending.provision += provision - loan.provision;
  loan.provision = provision;
}

/** A loan whose last instalment is due, and of which no more than the tolerance is owed, is over. */
function closeRest(books: NaiveBooks, loan: Loan, day: string): void {
  const rest = payoffOf(loan, day);
  if (rest > TOLERANCE || !isAllDueBy(loan, day)) return;
  const interest = interestOwed(loan, loan.accruedOn);
  forgive(books, loan, rest, interest);
  loan.interestPaid += interest;
  loan.sacco.lending.interest -= interest;
  loan.sacco.lending.penalties -= loan.penalty;
  loan.penalty = 0;
  loan.principal = 0;
  close(loan);
  release(books, loan);
  books.note('rest of a loan forgiven by itself');
}

/** Ends signatures of 30 days ago whose application is not handed in. */
export function endOldSignatures(books: NaiveBooks, loan: Loan, now: number): void {
  if (loan.state !== 'guarantors_pending' && loan.state !== 'returned') return;
  const isOld = ({ isOwn, state, signedAt }: Guarantee) =>
    !isOwn && state === 'accepted' && signedAt !== undefined && expiryOf(signedAt) <= now;
  voidAll(books, loan, isOld);
}

/** Requests that nobody answered, and applications without a step, come to nothing. */
export function tendLoans(books: NaiveBooks, now: number): void {
  for (const loan of books.loans) endOldSignatures(books, loan, now);
  for (const loan of books.loans) {
    for (const each of loan.guarantees) {
      if (each.state !== 'asked' || each.answerBy > now) continue;
      each.state = 'lapsed';
      books.note('guarantee lapsed');
    }
  }
  for (const loan of books.loans) {
    if (loan.expiresAt !== null && loan.expiresAt <= now) endApplication(books, loan, 'expired');
  }
}

/**
 * Pays all that is due by itself, or as much as the wallet has: once for each instalment, on three days where the wallet has too little.
 */
export function runStandingRepayments(books: NaiveBooks, now: number): void {
  const today = dayOf(now);
  for (const loan of books.loans.filter(isOwed).sort(by(({ id }) => id))) {
    const due = dueOf(loan);
    if (!loan.isStanding || !due || due.dueOn > today) continue;
    const number = loan.instalments.indexOf(due);
    const before = loan.runs.find((each) => each.number === number);
    if (before && (before.state !== 'waiting' || before.triedOn >= today)) continue;
    const run = before ?? { number, tries: 0, triedOn: '', state: 'waiting' };
    if (!before) loan.runs.push(run);
    run.tries += 1;
    run.triedOn = today;
    const reached = loan.instalments.filter(({ dueOn }) => dueOn <= today);
    const all = reached.reduce((sum, each) => sum + unpaid(each), loan.penalty);
    const cents = Math.min(all, payoffOf(loan, today), loan.person.wallet);
    if (cents > 0) {
      repay(books, loan, { cents, surplus: 'shorten', now });
      books.note('instalment paid by itself');
    }
    if (!isOwed(loan) || dueOf(loan) !== due) run.state = 'paid';
    else if (run.tries >= 3) run.state = 'skipped';
  }
}
