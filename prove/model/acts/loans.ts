import { dayOf, type Member, type Person, type Sacco } from '../naive-books.ts';
import {
  answerBy,
  askFor,
  canPay,
  endApplication,
  expiryOf,
  type Guarantee,
  isOwed,
  type Loan,
  type LoanProduct,
  type LoanTerms,
  limitOf,
  loanFee,
  mayGuarantee,
  openApplications,
  ownPart,
  ownPledged,
  payOut,
  payoffOf,
  pledge,
  repay,
  type Surplus,
  schedule,
  unfit,
  voidAll,
} from '../naive-loans.ts';
import { noteMoved, proofFor } from '../naive-proof.ts';
import type { Act, Planned, Simulation } from '../simulation.ts';
import { officialsOf, proposal } from './changes.ts';
import { isProven } from './profile.ts';

/*
 * Loans from the application to the last instalment. Most of it takes several people, one after the other: `lend.ts` brings them
 * together, and here is what each of them asks. What one person does alone is drawn like any other act.
 */

const DAY_MS = 86_400_000;
const CODE_MS = 10 * 60_000;
const shillings = (cents: number) => cents / 100;
const tokenOf = ({ sessions }: Person) => sessions.at(-1)?.token;
const isHere = ({ sessions, isOperator }: Person) => sessions.length > 0 && !isOperator;
const NOTHING_HAS_THIS_HASH = '0'.repeat(64);
const APPLIED = ['guarantors_pending', 'returned'];
/** They order a payout where no treasurer may. */
export const PAYERS = ['chair', 'secretary', 'vice_chair', 'manager', 'treasurer'];

/** All whose savings or wallets may move with a loan. */
function touchesOf(loan: Pick<Loan, 'sacco' | 'guarantees'>, ...people: readonly Person[]): Planned['touches'] {
  const all = new Set([...people, ...loan.guarantees.map(({ person }) => person)]);
  return [
    ...[...all].map(({ number }): [string] => [`person ${number}`]),
    [`state ${loan.sacco.number}`, 'members'],
    [`loans of ${loan.sacco.number}`],
  ];
}

/** Whether the product makes the same of the terms: what is signed is a loan in whole months. */
// biome-ignore lint/suspicious/noExplicitAny: replies of every route
function wrongFacts(reply: any, { terms, amount, months }: Loan): string | undefined {
  const made = schedule({ terms, amount, months, from: '2026-01-01' });
  const interest = made.reduce((sum, each) => sum + each.interest, 0);
  const most = Math.max(...made.map((each) => each.principal + each.interest));
  const fee = loanFee(terms, amount);
  const said = [amount, amount - fee, fee, most, interest, interest + fee].map(shillings).join();
  const { key_facts: is } = reply.loan;
  const got = [is.amount, is.paid_out, is.fee, is.instalment, is.total_interest, is.total_cost].join();
  return said === got ? undefined : `key facts of ${got} (${said})`;
}

/** Takes over what the product drew: the hash of the terms, and the requests to guarantors. */
// biome-ignore lint/suspicious/noExplicitAny: replies of every route
function learnLoan({ books }: Simulation, loan: Loan, reply: any): string | undefined {
  loan.id = reply.loan.id;
  loan.hash = reply.loan.key_facts.hash;
  for (const each of loan.guarantees.filter(({ id }) => id === '')) {
    const memberId = books.memberOf(each.person, loan.sacco)?.id;
    const known = loan.guarantees.map(({ id }) => id);
    const is = reply.loan.guarantees.find(
      (one: { id: string; member: string }) => one.member === memberId && !known.includes(one.id),
    );
    if (!is) return `no guarantee of person ${each.person.number}`;
    each.id = is.id;
  }
  return reply.loan.state === loan.state ? wrongFacts(reply, loan) : `a loan that is ${reply.loan.state}`;
}

function newGuarantee(person: Person, amount: number, now: number): Guarantee {
  const nothing = { id: '', pledged: 0, hash: '', code: '', wantsOut: false } as const;
  return { ...nothing, person, amount, isOwn: false, state: 'asked', answerBy: answerBy(now), codesAsked: [] };
}

/* Products: two officials make them, as they change other terms. */

export function proposeProduct(simulation: Simulation, sacco: Sacco, person: Person, name: string): Planned {
  const { random } = simulation;
  const product = sacco.lending.products.find((each) => each.name === name);
  const terms: LoanTerms = {
    method: simulation.inTurn('method', ['annuity', 'equal_principal', 'flat'] as const),
    rate: random.pick([0, 100, 125, 150]),
    feeRate: random.pick([0, 100, 250]),
    penaltyRate: random.pick([100, 100, 200]),
    least: 100_00,
    most: 50_000_00,
    monthsMax: 18,
    multiplier: random.pick([200, 300, 400]),
    memberDays: random.pick([0, 90]),
    guarantorsMin: random.pick([0, 1, 2]),
  };
  return {
    say: `person ${person.number} proposes the loan ${name} of sacco ${sacco.number}: ${terms.method}`,
    asking: {
      route: 'changeLoanProduct',
      token: tokenOf(person),
      sacco: sacco.id,
      body: {
        ...(product ? { product: product.id } : {}),
        name,
        method: terms.method,
        monthly_rate: terms.rate / 100,
        min_amount: shillings(terms.least),
        max_amount: shillings(terms.most),
        min_months: 1,
        max_months: terms.monthsMax,
        multiplier: terms.multiplier / 100,
        min_member_days: terms.memberDays,
        min_guarantors: terms.guarantorsMin,
        fee_percentage: terms.feeRate / 100,
        penalty_rate: terms.penaltyRate / 100,
        is_offered: true,
      },
    },
    ...proposal(simulation, sacco, person, { kind: 'loans', after: { ...terms, name } }),
  };
}

function planProduct(simulation: Simulation): Planned | null {
  const { random, lenders } = simulation;
  const known = lenders.flatMap((sacco) => sacco.lending.products.map((product) => ({ sacco, product })));
  const ready = known.filter(({ product }) => product.id !== '');
  if (ready.length === 0) return null;
  const { sacco, product } = random.pick(ready);
  const officials = officialsOf(simulation, sacco, 'loans').filter(isHere);
  const person = officials.length > 0 && random.chance(0.9) ? random.pick(officials) : simulation.someone();
  return person ? proposeProduct(simulation, sacco, person, product.name) : null;
}

/* The application. */

export interface Wish {
  readonly member: Member;
  readonly product: LoanProduct;
  readonly amount: number;
  readonly months: number;
  readonly income: number;
  readonly asked: readonly { readonly person: Person; readonly cents: number }[];
}

export function applyFor(simulation: Simulation, wish: Wish): Planned {
  const { books, now } = simulation;
  const { member, product, amount, months, income, asked } = wish;
  const { person, sacco } = member;
  const { terms } = product;
  const loan: Loan = {
    ...{ number: books.loans.length + 1, id: '', sacco, person, terms, amount, months, purpose: 'A stall.', income },
    ...{ hash: '', state: 'guarantors_pending', expiresAt: expiryOf(now), voices: [], orderedBy: null },
    ...{ returnedBy: [], refusedBy: [] },
    ...{ guarantees: [], asks: [] },
    ...{
      principal: 0,
      penalty: 0,
      instalments: [],
      spans: [],
      interestPaid: 0,
      accruedOn: '',
      provision: 0,
      class: '',
      isStanding: false,
      runs: [],
    },
  };
  const ids = asked.map((each) => books.memberOf(each.person, sacco)?.id);
  return {
    say: `person ${person.number} applies for ${amount} in ${months} months in sacco ${sacco.number}`,
    asking: {
      route: 'applyForLoan',
      token: tokenOf(person),
      sacco: sacco.id,
      body: {
        product: product.id,
        amount: shillings(amount),
        months,
        purpose: loan.purpose,
        net_income: shillings(income),
        guarantors: asked.map(({ cents }, at) => ({ member: ids[at], amount: shillings(cents) })),
      },
    },
    touches: touchesOf(loan, person),
    isKeyed: true,
    expect() {
      const refusal = refusalOf(simulation, loan, member);
      if (refusal) return refusal;
      if (openApplications(books, person, sacco) >= 2) return 'loan_conflict';
      for (const each of asked) {
        const answer = askFor(books, loan, newGuarantee(each.person, each.cents, now), now);
        if (answer !== 'ok') return answer;
      }
      books.loans.push(loan);
      sacco.lending.lastDay ??= dayOf(now - DAY_MS);
      return 'ok';
    },
    learn: (reply) => learnLoan(simulation, loan, reply),
  };
}

/** Why nobody would give this loan, or null. */
function refusalOf({ books, now }: Simulation, loan: Loan, member: Member, isFitAsked = true): string | null {
  const { terms, amount, months, income } = loan;
  if (member.state === 'exited') return 'not_a_member';
  const reason = isFitAsked ? unfit(books, member, terms, now) : null;
  if (reason) return reason;
  if (amount < terms.least || amount > terms.most || months > terms.monthsMax) return 'loan_terms_not_met';
  const isAbove = amount > limitOf(books, member, terms, now, loan) || !canPay(terms, amount, months, income);
  return isAbove ? 'loan_limit_exceeded' : null;
}

const memberOf = ({ books }: Simulation, { person, sacco }: Loan) => books.memberOf(person, sacco) as Member;

export function changeApplication(simulation: Simulation, loan: Loan, amount: number, months: number): Planned {
  const { books, now } = simulation;
  const { person } = loan;
  return {
    say: `person ${person.number} changes loan ${loan.number} to ${amount} in ${months} months`,
    asking: {
      ...{ route: 'changeLoan', token: tokenOf(person), sacco: loan.sacco.id, params: { id: loan.id } },
      body: { amount: shillings(amount), months, purpose: loan.purpose, net_income: shillings(loan.income) },
    },
    touches: touchesOf(loan, person),
    expect() {
      if (memberOf(simulation, loan).state === 'exited') return 'not_a_member';
      if (!APPLIED.includes(loan.state)) return 'loan_conflict';
      const refusal = refusalOf(simulation, { ...loan, amount, months }, memberOf(simulation, loan));
      if (refusal) return refusal;
      const isSame = amount === loan.amount && months === loan.months;
      const bound = loan.guarantees.filter(({ state }) => state === 'asked' || state === 'accepted');
      if (!isSame && !bound.every((each) => mayGuarantee(books, loan, each.person, 0, now)))
        return 'guarantor_not_accepted';
      loan.expiresAt = expiryOf(now);
      if (isSame) return 'ok';
      Object.assign(loan, { amount, months });
      // Who has not answered reads the change in the same request; who had signed is asked anew. None for more than the loan.
      const voided = voidAll(books, loan, ({ state }) => state === 'accepted');
      for (const each of loan.guarantees.filter(({ state }) => state === 'asked')) {
        Object.assign(each, { amount: Math.min(each.amount, amount), code: '' });
      }
      loan.guarantees.push(...voided.map((each) => newGuarantee(each.person, Math.min(each.amount, amount), now)));
      loan.asks.push(...voided.map(() => now));
      return 'ok';
    },
    learn: (reply) => learnLoan(simulation, loan, reply),
  };
}

export function askGuarantor(simulation: Simulation, loan: Loan, asked: Person, cents: number): Planned {
  const { books, now } = simulation;
  return {
    say: `person ${loan.person.number} asks person ${asked.number} for ${cents} for loan ${loan.number}`,
    asking: {
      ...{ route: 'askGuarantor', token: tokenOf(loan.person), sacco: loan.sacco.id, params: { id: loan.id } },
      body: { member: books.memberOf(asked, loan.sacco)?.id, amount: shillings(cents) },
    },
    touches: touchesOf(loan, loan.person, asked),
    expect() {
      if (memberOf(simulation, loan).state === 'exited') return 'not_a_member';
      if (!APPLIED.includes(loan.state)) return 'loan_conflict';
      const unfitNow = unfit(books, memberOf(simulation, loan), loan.terms, now);
      if (unfitNow) return unfitNow;
      const answer = askFor(books, loan, newGuarantee(asked, cents, now), now);
      if (answer === 'ok') loan.expiresAt = expiryOf(now);
      return answer;
    },
    learn: (reply) => learnLoan(simulation, loan, reply),
  };
}

export function dropGuarantor(simulation: Simulation, loan: Loan, guarantee: Guarantee): Planned {
  const { books } = simulation;
  return {
    say: `person ${loan.person.number} does without person ${guarantee.person.number} for loan ${loan.number}`,
    asking: {
      route: 'dropGuarantor',
      token: tokenOf(loan.person),
      sacco: loan.sacco.id,
      params: { id: loan.id, guarantee: guarantee.id },
    },
    touches: touchesOf(loan, loan.person),
    expect() {
      if (memberOf(simulation, loan).state === 'exited') return 'not_a_member';
      if (!APPLIED.includes(loan.state)) return 'loan_conflict';
      return voidAll(books, loan, (each) => each === guarantee).length > 0 ? 'ok' : 'loan_conflict';
    },
  };
}

/** What the borrower asks about a loan: it is theirs, and they are still a member. */
function ofBorrower(loan: Loan, route: string, body?: object): Pick<Planned, 'asking' | 'touches'> {
  const of = { token: tokenOf(loan.person), sacco: loan.sacco.id, params: { id: loan.id } };
  return { asking: { route, ...of, ...(body ? { body } : {}) }, touches: touchesOf(loan, loan.person) };
}

/** Nobody pledges or accepts while the password is old, or their money is held. */
function unsafe(simulation: Simulation, person: Person): string | null {
  if (!isProven(simulation, person)) return 'proof_required';
  return person.payoutHeldUntil > simulation.now ? 'payout_held' : null;
}

export function submit(simulation: Simulation, loan: Loan): Planned {
  const { books, now } = simulation;
  const member = memberOf(simulation, loan);
  return {
    say: `person ${loan.person.number} submits loan ${loan.number}`,
    ...ofBorrower(loan, 'submitLoan'),
    expect() {
      if (member.state === 'exited') return 'not_a_member';
      if (!APPLIED.includes(loan.state)) return 'loan_conflict';
      const refusal =
        unsafe(simulation, loan.person) ??
        (loan.person.isConfirmed ? null : 'phone_unconfirmed') ??
        unfit(books, member, loan.terms, now) ??
        refusalOf(simulation, loan, member, false);
      if (refusal) return refusal;
      const own = ownPart(loan, member.savings);
      if (own === null) return 'loan_not_covered';
      for (const each of loan.guarantees) if (each.state === 'asked') each.state = 'voided';
      if (own > 0) {
        const guarantee: Guarantee = { ...newGuarantee(loan.person, own, now), isOwn: true };
        loan.guarantees.push(guarantee);
        pledge(books, loan, guarantee);
      }
      Object.assign(loan, { state: 'submitted', expiresAt: expiryOf(now), voices: [] });
      return 'ok';
    },
    learn: (reply) => learnLoan(simulation, loan, reply),
  };
}

export function withdraw(simulation: Simulation, loan: Loan): Planned {
  const { books } = simulation;
  return {
    say: `person ${loan.person.number} takes loan ${loan.number} back`,
    ...ofBorrower(loan, 'withdrawLoan'),
    expect() {
      if (memberOf(simulation, loan).state === 'exited') return 'not_a_member';
      const open = [...APPLIED, 'submitted', 'approved', 'accepted', 'disbursing'];
      if (!open.includes(loan.state)) return 'loan_conflict';
      endApplication(books, loan, 'withdrawn');
      return 'ok';
    },
  };
}

export function accept(simulation: Simulation, loan: Loan, isOther = false): Planned {
  const hash = isOther ? NOTHING_HAS_THIS_HASH : loan.hash;
  return {
    say: `person ${loan.person.number} accepts loan ${loan.number}`,
    ...ofBorrower(loan, 'acceptLoan', { terms_hash: hash, pay_to: 'wallet' }),
    expect() {
      if (memberOf(simulation, loan).state === 'exited') return 'not_a_member';
      if (loan.state !== 'approved') return 'loan_conflict';
      const refusal = unsafe(simulation, loan.person) ?? (isOther ? 'loan_terms_changed' : null);
      if (refusal) return refusal;
      Object.assign(loan, { state: 'accepted', expiresAt: expiryOf(simulation.now) });
      return 'ok';
    },
  };
}

/* The guarantor. */

function ofGuarantor(loan: Loan, { id, person }: Guarantee, route: string, body?: object) {
  const of = { token: tokenOf(person), sacco: loan.sacco.id, params: { id } };
  return { asking: { route, ...of, ...(body ? { body } : {}) }, touches: touchesOf(loan, person) };
}

/** A request can be answered for a week, as long as the loan is not with the committee. */
function unanswerable(
  { books, now }: Simulation,
  loan: Loan,
  { person, state, answerBy: until }: Guarantee,
): string | null {
  if (books.memberOf(person, loan.sacco)?.state === 'exited') return 'not_a_member';
  return state === 'asked' && until > now && APPLIED.includes(loan.state) ? null : 'guarantee_conflict';
}

export function askCode(simulation: Simulation, loan: Loan, guarantee: Guarantee, isOther = false): Planned {
  const { books, now } = simulation;
  const { person } = guarantee;
  const hash = isOther ? NOTHING_HAS_THIS_HASH : guarantee.hash;
  return {
    say: `person ${person.number} asks for the code for loan ${loan.number}`,
    ...ofGuarantor(loan, guarantee, 'askGuaranteeCode', { terms_hash: hash }),
    expect() {
      const refusal = unanswerable(simulation, loan, guarantee);
      if (refusal) return refusal;
      if (isOther) return 'loan_terms_changed';
      if (!person.isConfirmed) return 'phone_unconfirmed';
      if (guarantee.codesAsked.filter((at) => at > now - DAY_MS).length >= 5) return 'too_many_requests';
      guarantee.codesAsked.push(now);
      guarantee.code = '';
      books.codesAwaited.push(guarantee);
      return 'ok';
    },
  };
}

export function sign(simulation: Simulation, loan: Loan, guarantee: Guarantee, odd?: 'code' | 'terms'): Planned {
  const { books, now } = simulation;
  const { person, amount } = guarantee;
  const isWrong = odd === 'code' || (guarantee.codesAsked.at(-1) ?? 0) <= now - CODE_MS;
  const body = {
    terms_hash: odd === 'terms' ? NOTHING_HAS_THIS_HASH : guarantee.hash,
    code: odd === 'code' ? '0000 0000' : guarantee.code,
  };
  return {
    say: `person ${person.number} signs for ${amount} of loan ${loan.number}${odd ? ` with another ${odd}` : ''}`,
    ...ofGuarantor(loan, guarantee, 'acceptGuarantee', body),
    expect() {
      const refusal = unanswerable(simulation, loan, guarantee);
      if (refusal) return refusal;
      if (person.payoutHeldUntil > now) return 'payout_held';
      if (odd === 'terms') return 'loan_terms_changed';
      if (isWrong) return 'otp_not_accepted';
      if (!mayGuarantee(books, loan, person, amount, now)) return 'guarantor_not_accepted';
      pledge(books, loan, guarantee);
      guarantee.signedAt = now;
      return 'ok';
    },
    learn: ({ guarantee: is }) => (is.pledged === shillings(amount) ? undefined : `a pledge of ${is.pledged}`),
  };
}

export function refuse(simulation: Simulation, loan: Loan, guarantee: Guarantee): Planned {
  return {
    say: `person ${guarantee.person.number} does not guarantee loan ${loan.number}`,
    ...ofGuarantor(loan, guarantee, 'refuseGuarantee'),
    expect() {
      if (simulation.books.memberOf(guarantee.person, loan.sacco)?.state === 'exited') return 'not_a_member';
      const isSigned = guarantee.state === 'accepted' && APPLIED.includes(loan.state);
      if (guarantee.state !== 'asked' && !isSigned) return 'guarantee_conflict';
      if (isSigned) voidAll(simulation.books, loan, (each) => each === guarantee);
      Object.assign(guarantee, { state: 'refused', refusedAt: simulation.now });
      return 'ok';
    },
  };
}

export function wantOut(simulation: Simulation, loan: Loan, guarantee: Guarantee): Planned {
  return {
    say: `person ${guarantee.person.number} asks to be replaced for loan ${loan.number}`,
    ...ofGuarantor(loan, guarantee, 'askToBeReplaced'),
    expect() {
      if (simulation.books.memberOf(guarantee.person, loan.sacco)?.state === 'exited') return 'not_a_member';
      const isBinding = guarantee.state === 'accepted' || guarantee.state === 'live';
      if (!isBinding || guarantee.wantsOut) return 'guarantee_conflict';
      guarantee.wantsOut = true;
      return 'ok';
    },
  };
}

/* The desk. */

/** Whoever borrows or guarantees decides nothing about a loan. */
export const isInterested = (loan: Loan, person: Person) =>
  loan.person === person ||
  loan.guarantees.some((each) => each.person === person && ['asked', 'accepted', 'live'].includes(each.state));

interface Said {
  readonly person: Person;
  readonly route: string;
  readonly offices: readonly string[];
  readonly body: object;
}

/** An official asks something about a loan, with a password that was entered a short while ago. */
function ofDesk(simulation: Simulation, loan: Loan, { person, route, offices, body }: Said) {
  const { books, now } = simulation;
  return {
    asking: { route, token: tokenOf(person), sacco: loan.sacco.id, params: { id: loan.id }, body },
    touches: touchesOf(loan, loan.person, person),
    refusal(): string | null {
      if (!books.officesOf(person, loan.sacco, now).some((office) => offices.includes(office))) return 'not_allowed';
      if (isInterested(loan, person)) return 'not_allowed';
      return isProven(simulation, person) ? null : 'proof_required';
    },
  };
}

export function review(
  simulation: Simulation,
  loan: Loan,
  person: Person,
  decision: 'approve' | 'reject' | 'return',
  isOther = false,
): Planned {
  const { books, now } = simulation;
  const { refusal, ...asked } = ofDesk(simulation, loan, {
    person,
    route: 'reviewLoan',
    offices: ['credit_committee', 'treasurer', 'chair', 'manager'],
    body: { decision, reason: 'Looked at it.', terms_hash: isOther ? NOTHING_HAS_THIS_HASH : loan.hash },
  });
  return {
    say: `person ${person.number} says of loan ${loan.number}: ${decision}`,
    ...asked,
    expect() {
      const refused = refusal();
      if (refused) return refused;
      if (loan.sacco.state !== 'active') return 'sacco_inactive';
      const isOfCommittee = books.officesOf(person, loan.sacco, now).includes('credit_committee');
      if (loan.state !== 'submitted' || !isOfCommittee) return 'loan_conflict';
      if (isOther) return 'loan_terms_changed';
      if (loan.voices.some((voice) => voice.person === person)) return 'loan_conflict';
      if (decision === 'return') {
        if (loan.returnedBy.includes(person)) return 'loan_conflict';
        loan.returnedBy.push(person);
        voidAll(books, loan, ({ isOwn }) => isOwn);
        Object.assign(loan, { state: 'returned', expiresAt: expiryOf(now) });
        return 'ok';
      }
      loan.voices.push({ person, decision });
      const count = (wanted: string) => loan.voices.filter((voice) => voice.decision === wanted).length;
      if (count('reject') >= 2) endApplication(books, loan, 'rejected');
      else if (count('approve') >= 2) Object.assign(loan, { state: 'approved', expiresAt: expiryOf(now) });
      return 'ok';
    },
    learn: (reply) => (reply.loan.state === loan.state ? undefined : `a loan that is ${reply.loan.state}`),
  };
}

export function order(simulation: Simulation, loan: Loan, person: Person, isOther = false): Planned {
  const { books, now } = simulation;
  const { refusal, ...asked } = ofDesk(simulation, loan, {
    person,
    route: 'orderDisbursement',
    offices: PAYERS,
    body: { terms_hash: isOther ? NOTHING_HAS_THIS_HASH : loan.hash },
  });
  return {
    say: `person ${person.number} orders that loan ${loan.number} be paid out`,
    ...asked,
    expect() {
      const refused = refusal();
      if (refused) return refused;
      if (loan.state !== 'accepted') return 'loan_conflict';
      if (isOther) return 'loan_terms_changed';
      const mayCheck = (other: Person) =>
        other !== person &&
        !isInterested(loan, other) &&
        !hasSpoken(loan, other) &&
        books.officesOf(other, loan.sacco, now).some((office) => PAYERS.includes(office));
      if (!loan.sacco.offices.some((held) => mayCheck(held.person))) return 'second_official_required';
      Object.assign(loan, { state: 'disbursing', orderedBy: person });
      return 'ok';
    },
  };
}

/** Who gave a voice about an application checks no payout of it. */
export const hasSpoken = (loan: Loan, person: Person): boolean => loan.voices.some((voice) => voice.person === person);

export function check(
  simulation: Simulation,
  loan: Loan,
  person: Person,
  decision: 'pay' | 'refuse',
  isOther = false,
): Planned {
  const { books, now } = simulation;
  const { refusal, ...asked } = ofDesk(simulation, loan, {
    person,
    route: 'checkDisbursement',
    offices: PAYERS,
    body: { decision, reason: 'Looked at it.', terms_hash: isOther ? NOTHING_HAS_THIS_HASH : loan.hash },
  });
  return {
    say: `person ${person.number} checks loan ${loan.number}: ${decision}`,
    ...asked,
    expect() {
      const refused = refusal();
      if (refused) return refused;
      if (loan.state !== 'disbursing') return 'loan_conflict';
      if (loan.orderedBy === person || hasSpoken(loan, person)) return 'not_allowed';
      if (decision === 'refuse' && loan.refusedBy.includes(person)) return 'loan_conflict';
      if (isOther) return 'loan_terms_changed';
      if (decision === 'refuse') {
        loan.refusedBy.push(person);
        Object.assign(loan, { state: 'accepted', orderedBy: null, expiresAt: expiryOf(now) });
        return 'ok';
      }
      const late = refusedAtLast(simulation, loan);
      if (!late) payOut(books, loan, now);
      return late ?? 'ok';
    },
    learn: (reply) => (reply.loan.state === loan.state ? undefined : `a loan that is ${reply.loan.state}`),
  };
}

/** All rules are asked once more before money moves. */
function refusedAtLast(simulation: Simulation, loan: Loan): string | null {
  const { books, now } = simulation;
  const member = memberOf(simulation, loan);
  const reason = member.state === 'exited' ? 'full_rights_required' : unfit(books, member, loan.terms, now, true);
  if (reason) return reason === 'sacco_inactive' ? reason : 'loan_limit_exceeded';
  const isAbove = loan.amount > limitOf(books, member, loan.terms, now, loan);
  if (isAbove || !canPay(loan.terms, loan.amount, loan.months, loan.income)) return 'loan_limit_exceeded';
  if (ownPart(loan, ownPledged(loan)) === null) return 'loan_not_covered';
  return loan.sacco.cash < loan.amount - loanFee(loan.terms, loan.amount) ? 'sacco_funds_insufficient' : null;
}

/* The repayment. */

function paid(simulation: Simulation, loan: Loan, cents: number, surplus: Surplus): string {
  const { books, now, broken } = simulation;
  if (loan.person.wallet < cents) return 'insufficient_funds';
  const unproven = proofFor(loan.person, cents, now);
  if (unproven) return unproven;
  noteMoved(loan.person, cents, now);
  repay(books, loan, { cents, surplus, now, broken });
  return 'ok';
}

// biome-ignore lint/suspicious/noExplicitAny: replies of every route
function wrongRepaid(reply: any, loan: Loan, cents: number): string | undefined {
  const said = [cents, loan.principal].map(shillings).join();
  const got = [reply.receipt.amount, reply.loan.principal_owed].join();
  return said === got && reply.loan.state === loan.state
    ? undefined
    : `${got} paid and owed, ${reply.loan.state} (${said}, ${loan.state})`;
}

export function repayPart(simulation: Simulation, loan: Loan, cents: number, surplus: Surplus = 'shorten'): Planned {
  return {
    say: `person ${loan.person.number} pays ${cents} of loan ${loan.number}`,
    ...ofBorrower(loan, 'repayLoan', { amount: shillings(cents), surplus }),
    isKeyed: true,
    expect() {
      if (memberOf(simulation, loan).state === 'exited') return 'not_a_member';
      if (!isOwed(loan)) return 'loan_conflict';
      if (cents > payoffOf(loan, dayOf(simulation.now))) return 'loan_overpaid';
      return paid(simulation, loan, cents, surplus);
    },
    learn: (reply) => wrongRepaid(reply, loan, cents),
  };
}

export function payOff(simulation: Simulation, loan: Loan, more = 0): Planned {
  const cents = Math.max(1, payoffOf(loan, dayOf(simulation.now)) + more);
  return {
    say: `person ${loan.person.number} pays loan ${loan.number} off with ${cents}`,
    ...ofBorrower(loan, 'payOffLoan', { amount: shillings(cents) }),
    isKeyed: true,
    expect() {
      if (memberOf(simulation, loan).state === 'exited') return 'not_a_member';
      if (loan.instalments.length === 0) return 'loan_conflict';
      if (!isOwed(loan) || more !== 0) return 'loan_terms_changed';
      return paid(simulation, loan, cents, 'shorten');
    },
    learn: (reply) => wrongRepaid(reply, loan, cents),
  };
}

export function surplusOf(simulation: Simulation, loan: Loan, surplus: Surplus): Planned {
  return {
    say: `person ${loan.person.number} lets what is paid in advance on loan ${loan.number} ${surplus}`,
    ...ofBorrower(loan, 'setSurplus', { surplus }),
    expect() {
      if (memberOf(simulation, loan).state === 'exited') return 'not_a_member';
      if (!isOwed(loan)) return 'loan_conflict';
      return 'ok';
    },
  };
}

export function standing(simulation: Simulation, loan: Loan, isOn: boolean): Planned {
  return {
    say: `person ${loan.person.number} has loan ${loan.number} paid by itself: ${isOn}`,
    ...ofBorrower(loan, 'setStandingRepayment', { is_on: isOn }),
    expect() {
      if (memberOf(simulation, loan).state === 'exited') return 'not_a_member';
      if (isOn && !isProven(simulation, loan.person)) return 'proof_required';
      if (!isOwed(loan)) return 'loan_conflict';
      loan.isStanding = isOn;
      return 'ok';
    },
  };
}

/** A part, what is due, a little, all but a few shillings, or more than is owed. */
export function someRepayment(simulation: Simulation, loan: Loan): Planned {
  const { random, now } = simulation;
  const all = payoffOf(loan, dayOf(now));
  const kind = random.next();
  const most = Math.max(1, Math.min(all, loan.person.wallet));
  if (kind < 0.1) return payOff(simulation, loan, random.pick([0, 0, 100]));
  if (kind < 0.15) return repayPart(simulation, loan, all + 1);
  if (kind < 0.25 && all > 12_00) return repayPart(simulation, loan, all - random.whole(1, 12_00));
  const cents = kind < 0.5 ? random.whole(1, most) : random.whole(1, Math.max(1, Math.floor(most / 4)));
  return repayPart(simulation, loan, cents, random.pick(['shorten', 'lower_instalment', 'excuse']));
}

/** A loan whose borrower is here. */
function ownLoan({ books, random }: Simulation, isFit: (loan: Loan) => boolean): Loan | null {
  const here = books.loans.filter((loan) => isHere(loan.person) && isFit(loan));
  return here.length > 0 ? random.pick(here) : null;
}

function planned(
  isFit: (loan: Loan) => boolean,
  plan: (simulation: Simulation, loan: Loan) => Planned | null,
): Act['plan'] {
  return (simulation) => {
    const loan = ownLoan(simulation, isFit);
    return loan && plan(simulation, loan);
  };
}

const isOpen = ({ state }: Loan) => APPLIED.includes(state) || state === 'submitted';

/** Asked where several people have come together (lend.ts). */
const together = () => null;

/** What is drawn while somebody lends, one act in so many: `weight` is among these. */
export const loanActs: readonly Act[] = [
  { name: 'propose a loan product', routes: ['changeLoanProduct'], weight: 1, plan: planProduct },
  { name: 'apply for a loan', routes: ['applyForLoan'], weight: 0, plan: together },
  { name: 'change an application', routes: ['changeLoan'], weight: 0, plan: together },
  { name: 'ask a guarantor', routes: ['askGuarantor'], weight: 0, plan: together },
  { name: 'drop a guarantor', routes: ['dropGuarantor'], weight: 0, plan: together },
  { name: 'ask for a code to sign', routes: ['askGuaranteeCode'], weight: 0, plan: together },
  { name: 'sign a guarantee', routes: ['acceptGuarantee'], weight: 0, plan: together },
  { name: 'refuse a guarantee', routes: ['refuseGuarantee'], weight: 0, plan: together },
  { name: 'ask to be replaced', routes: ['askToBeReplaced'], weight: 0, plan: together },
  { name: 'submit a loan', routes: ['submitLoan'], weight: 1, plan: planned(isOpen, submit) },
  { name: 'withdraw a loan', routes: ['withdrawLoan'], weight: 0.5, plan: planned(isOpen, withdraw) },
  { name: 'review a loan', routes: ['reviewLoan'], weight: 0, plan: together },
  { name: 'accept a loan', routes: ['acceptLoan'], weight: 0, plan: together },
  { name: 'order a disbursement', routes: ['orderDisbursement'], weight: 0, plan: together },
  { name: 'check a disbursement', routes: ['checkDisbursement'], weight: 0, plan: together },
  { name: 'repay a loan', routes: ['repayLoan'], weight: 8, plan: planned(isOwed, someRepayment) },
  {
    name: 'pay a loan off',
    routes: ['payOffLoan'],
    weight: 4,
    plan: planned(isOwed, (simulation, loan) => payOff(simulation, loan)),
  },
  {
    name: 'have a loan paid by itself',
    routes: ['setStandingRepayment', 'setSurplus'],
    weight: 4,
    plan: planned(isOwed, (simulation, loan) => {
      const { random } = simulation;
      if (random.chance(0.5))
        return surplusOf(simulation, loan, random.pick(['shorten', 'lower_instalment', 'excuse']));
      return standing(simulation, loan, random.chance(0.7));
    }),
  },
];
