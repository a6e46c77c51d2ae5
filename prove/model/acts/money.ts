import type { ShownException } from '../mpesa-judge.ts';
import type { Person } from '../naive-books.ts';
import { byReceipt, DEPOSIT_FATES, PAYOUT_FATES, type Payment, paybillBody, SECRET } from '../naive-mpesa.ts';
import { proceedsHeld } from '../naive-proof.ts';
import type { Act, Planned, Simulation } from '../simulation.ts';
import { friendsPhone, hasAgreed, isPromptedOften } from './payers.ts';
import { isProven, planProve } from './profile.ts';

/* Money in and out by M-Pesa. What M-Pesa then does is drawn here, and judged in mpesa-judge.ts. */

const PROMPT_MS = 2 * 60_000;
const HOUR_MS = 3_600_000;

const shillings = (cents: number) => cents / 100;

function own(simulation: Simulation): { person: Person; token: string | undefined } | null {
  const person = simulation.someone();
  return person && !person.isOperator ? { person, token: person.sessions.at(-1)?.token } : null;
}

function planDeposit(simulation: Simulation): Planned | null {
  const able = simulation.active.filter(({ isConfirmed, isOperator }) => isConfirmed && !isOperator);
  const one = able.length > 0 && simulation.random.chance(0.9) ? simulation.random.pick(able) : null;
  const found = one ? { person: one, token: one.sessions.at(-1)?.token } : own(simulation);
  if (!found) return null;
  const { random } = simulation;
  const { person } = found;
  const isOdd = random.chance(0.05);
  const most = random.chance(0.4) ? 60_000 : 2_000;
  const cents = isOdd ? random.pick([150, 0, 250_001_00]) : random.whole(1, most) * 100;
  const agreed = simulation.books.agreements.filter((each) => each.person === person);
  const isFriends = random.chance(agreed.length > 0 ? 0.5 : 0.05);
  const friends = agreed.length > 0 ? random.pick(agreed).phone : friendsPhone(simulation);
  const phone = isFriends ? friends : person.phone;
  const isAbroad = random.chance(0.02);
  const fate = random.chance(0.5) ? 'paid' : simulation.inTurn('deposit', DEPOSIT_FATES);
  const lateMs = random.whole(1, 200) * HOUR_MS;
  return topUp(simulation, { person, cents, phone, isFriends, isAbroad, fate, lateMs });
}

interface TopUp {
  readonly person: Person;
  readonly cents: number;
  readonly phone: string;
  readonly isFriends: boolean;
  readonly isAbroad: boolean;
  readonly fate: (typeof DEPOSIT_FATES)[number] | 'paid';
  readonly lateMs: number;
}

export function topUp(simulation: Simulation, topped: TopUp): Planned {
  const { person, cents, phone, isFriends, isAbroad, fate, lateMs } = topped;
  const { now, judge } = simulation;
  const token = person.sessions.at(-1)?.token;
  return {
    say: `person ${person.number} tops up ${cents} by ${phone}: ${fate}`,
    asking: { route: 'deposit', token, body: { amount: shillings(cents), phone: isAbroad ? '+447911123456' : phone } },
    touches: [[`person ${person.number}`], [`phone ${phone}`]],
    isKeyed: true,
    expect() {
      if (cents % 100 !== 0) return 'amount_not_whole_shillings';
      if (cents < 100 || cents > 250_000_00) return 'amount_out_of_range';
      if (isAbroad) return 'phone_not_kenyan';
      if (!isFriends && !person.isConfirmed) return 'phone_unconfirmed';
      if (isFriends && !hasAgreed(simulation, person, phone)) return 'phone_holder_not_asked';
      const prompt = `${person.number} ${phone}`;
      const open = judge.openPrompts.get(prompt);
      if (judge.unpaidOf(person, now) >= 10) return 'too_many_requests';
      if (open !== undefined && open > now - PROMPT_MS) return 'deposit_in_progress';
      if (isFriends && isPromptedOften(simulation, phone)) return 'too_many_requests';
      if (isFriends) simulation.books.friendsPrompts.push({ phone, at: now });
      judge.openPrompts.set(prompt, now);
      return 'ok';
    },
    learn(reply) {
      const { id } = reply.deposit;
      simulation.mpesa.depositFates.set(id, { fate, lateMs });
      judge.expectDeposit({ id, person, phone, cents, fate, at: now });
      simulation.count(`deposit ${fate}`);
      return undefined;
    },
  };
}

function planWithdraw(simulation: Simulation): Planned | null {
  const able = simulation.active.filter(
    ({ isConfirmed, wallet, isOperator }) => isConfirmed && wallet > 5_000 && !isOperator,
  );
  const one = able.length > 0 && simulation.random.chance(0.85) ? simulation.random.pick(able) : null;
  const found = one ? { person: one, token: one.sessions.at(-1)?.token } : own(simulation);
  if (!found) return null;
  const { random, now, judge } = simulation;
  const { person, token } = found;
  const most = Math.floor(person.wallet / 100);
  const cents = random.chance(0.1)
    ? random.pick([900, 1050, 250_001_00, (most + 1) * 100])
    : random.whole(10, Math.max(10, Math.min(most, 3_000))) * 100;
  const isOther = random.chance(0.04);
  const phone = isOther ? '254799000111' : person.phone;
  const fate = random.chance(0.4) ? 'paid' : simulation.inTurn('withdrawal', PAYOUT_FATES);
  return {
    say: `person ${person.number} withdraws ${cents}: ${fate}`,
    asking: { route: 'withdraw', token, body: { amount: shillings(cents), phone } },
    touches: [[`person ${person.number}`]],
    isKeyed: true,
    expect() {
      if (!isProven(simulation, person)) return 'proof_required';
      if (!person.isConfirmed) return 'phone_unconfirmed';
      if (person.payoutHeldUntil > now) return 'payout_held';
      if (cents % 100 !== 0) return 'amount_not_whole_shillings';
      if (cents < 1_000 || cents > 250_000_00) return 'amount_out_of_range';
      if (isOther) return 'phone_not_yours';
      if (person.wallet < cents) return 'insufficient_funds';
      if (person.wallet - proceedsHeld(person, now) < cents) {
        simulation.count('proceeds of a sale held');
        return 'payout_held';
      }
      person.wallet -= cents;
      person.held += cents;
      return 'ok';
    },
    learn(reply) {
      const { id } = reply.withdrawal;
      simulation.mpesa.payoutFates.set(id, fate);
      judge.expectWithdrawal({ id, person, cents, fate, at: now });
      simulation.count(`withdrawal ${fate}`);
      return undefined;
    },
  };
}

/** Somebody pays the paybill by hand; M-Pesa may ask first whether the account number is anybody's. */
function planPayByHand(simulation: Simulation): Planned | null {
  const { random, books, judge } = simulation;
  const people = books.people.filter(({ id, isOperator }) => id !== '' && !isOperator);
  if (people.length === 0) return null;
  const person = random.pick(people);
  const kind = random.next();
  const byPhone = !simulation.isFaulty && kind > 0.7 && kind < 0.85;
  const byNumber = ` ${person.account.slice(0, 3)} ${person.account.slice(3)} `;
  const account = kind < 0.7 ? byNumber : byPhone ? `0${person.phone.slice(3)}` : 'SHOP 7';
  const phone = random.chance(0.8) ? person.phone : `25474${random.whole(1_000_000, 1_000_040)}`;
  const cents = random.whole(1, 2_000) * 100;
  const isAsked = random.chance(0.4);
  const told = !byPhone && random.chance(0.25) ? 0 : random.pick([1, 1, 1, 2]);
  const isOurs = kind < 0.7 || (byPhone && person.isConfirmed);
  const draft = { receipt: 'SASKEDFRST', cents, account, at: simulation.now };
  const pay = () => {
    if (isAsked && !isOurs) return;
    const payment = simulation.mpesa.payByHand(phone, cents, account.trim(), told);
    judge.expectPayment(payment, isOurs ? person : null);
    simulation.count(told === 0 ? 'paybill untold' : isOurs ? 'paybill to a member' : 'paybill to nobody');
  };
  return {
    say: `${cents} is paid by hand to ${kind < 0.7 ? `person ${person.number}` : account}${isAsked ? ', asked first' : ''}, told ${told} times`,
    asking: {
      route: random.chance(0.5) ? 'hookValidation' : 'c2bValidation',
      params: { secret: SECRET },
      body: isAsked ? paybillBody(draft) : { not: 'a payment' },
    },
    touches: [[`person ${person.number}`], ['phones'], [`receipt of ${phone} ${cents}`]],
    expect: () => 'ok',
    learn(reply) {
      pay();
      const isAccepted = reply.ResultCode === '0';
      return isAccepted === (!isAsked || isOurs) ? undefined : `validation said ${reply.ResultCode}`;
    },
  };
}

/** "I paid, and it is not here": one's own payment, another's, one that never was. */
function planClaim(simulation: Simulation): Planned | null {
  const { random, mpesa, judge, active } = simulation;
  const since = simulation.now - 30 * 24 * HOUR_MS;
  const waiting = [...mpesa.payments.values()]
    .filter(({ booked, at }) => booked !== 'wallet' && at > since)
    .sort(byReceipt);
  const payerOf = (payment: Payment) => active.find(({ phone, isOperator }) => phone === payment.phone && !isOperator);
  const theirs = waiting.filter((payment) => payerOf(payment)?.isConfirmed);
  const kind = random.next();
  // What was booked and is a week old the naive books have forgotten.
  const known = mpesa.recent.filter(({ receipt }) => mpesa.payments.has(receipt));
  const from = kind < 0.7 ? theirs : kind < 0.8 ? waiting : known.sort(byReceipt);
  if (from.length === 0 && kind < 0.9) return null;
  const payment = from.length > 0 ? random.pick(from) : null;
  const person = (kind < 0.7 && payment && payerOf(payment)) || own(simulation)?.person;
  if (!person) return null;
  const token = person.sessions.at(-1)?.token;
  const receipt = payment?.receipt ?? `SNEVER${random.whole(1000, 9999)}`;
  const phone = payment?.phone ?? person.phone;
  return {
    say: `person ${person.number} claims a payment of ${payment?.cents ?? 'nobody'}`,
    asking: { route: 'claimReceipt', token, body: { transaction_id: receipt, phone_number: phone } },
    touches: [[`person ${person.number}`], [`receipt ${receipt}`]],
    isKeyed: true,
    expect() {
      if (judge.isCreditedByReceipt(receipt)) return 'receipt_already_claimed';
      judge.claims.push({ person, receipt });
      return 'ok';
    },
  };
}

/** An operator says what should become of what no rule could settle; where money stands, another confirms it. */
function planResolve(simulation: Simulation): Planned | null {
  const { random, judge, books } = simulation;
  const operator = simulation.operator();
  if (!operator || simulation.exceptions.length === 0) return null;
  if (!isProven(simulation, operator) && random.chance(0.8)) return planProve(simulation, operator);
  const proposed = simulation.exceptions.filter(({ proposal }) => proposal);
  if (proposed.length > 0 && random.chance(0.7)) return planConfirm(simulation, operator, random.pick(proposed));
  const fresh = simulation.exceptions.filter(({ proposal }) => !proposal);
  const money = fresh.filter(({ held_in }) => held_in !== 'nowhere');
  const from = money.length > 0 && random.chance(0.8) ? money : fresh;
  if (from.length === 0) return null;
  const exception = random.pick(from);
  const isSuspense = exception.held_in === 'suspense';
  // Money for anybody else waits for its payer; those 48 hours are in server/domains/operator/proposals.test.ts.
  const theirs = exception.owner ?? exception.claimant;
  const person = books.people.find(({ id, isOperator }) => id !== '' && id === theirs?.id && !isOperator);
  const isOwn = isSuspense && random.chance(0.1);
  const fitting = isSuspense ? (isOwn || (person && random.chance(0.6)) ? 'credit' : 'return_note') : 'credit';
  const action = exception.held_in === 'nowhere' ? 'dismiss' : fitting;
  const misfit = random.chance(0.05) ? (exception.held_in === 'nowhere' ? 'credit' : 'dismiss') : null;
  const user = isOwn ? operator : person;
  return {
    say: `operator ${operator.number} decides about what stands in ${exception.held_in}: ${misfit ?? action}`,
    asking: {
      route: 'resolveMoneyException',
      token: operator.sessions.at(-1)?.token,
      params: { id: exception.id },
      body: {
        action: misfit ?? action,
        reason: 'As the statement of M-Pesa says.',
        ...(isSuspense && action === 'credit' ? { user: user?.idNumber } : {}),
      },
    },
    touches: touchesOf(operator, exception, person),
    isKeyed: true,
    expect() {
      if ((misfit ?? action) !== 'dismiss' && !isProven(simulation, operator)) return 'proof_required';
      if (judge.resolved.has(exception.id)) return 'exception_already_resolved';
      if (misfit) return 'validation_failed';
      if (isOwn) return 'not_allowed';
      if (action === 'dismiss') judge.resolve(exception, action, operator);
      return 'ok';
    },
  };
}

/** The second operator confirms what the first proposed, or one of them gives it up. */
function planConfirm(simulation: Simulation, operator: Person, exception: ShownException): Planned | null {
  const { random, books, judge, now } = simulation;
  const { proposal } = exception;
  if (!proposal || Date.parse(proposal.lapses_at) <= now + HOUR_MS) return null;
  const person = books.people.find(({ id }) => id !== '' && id === proposal.beneficiary?.id);
  const action = proposal.kind === 'money_exception_credit' ? 'credit' : 'return_note';
  const isTheirs = [exception.owner?.id, exception.claimant?.id].includes(person?.id);
  const waits = exception.held_in === 'suspense' && action === 'credit' && !isTheirs;
  const isGivenUp = waits || random.chance(0.1);
  const isFirst = proposal.proposed_by.id === operator.id;
  return {
    say: `operator ${operator.number} ${isGivenUp ? 'takes back' : 'confirms'} what was proposed of ${exception.held_in}`,
    asking: {
      route: isGivenUp ? 'refuseProposal' : 'confirmProposal',
      token: operator.sessions.at(-1)?.token,
      params: { id: proposal.id },
      body: { reason: 'As the statement of M-Pesa says.' },
    },
    touches: touchesOf(operator, exception, person),
    isKeyed: true,
    expect() {
      if (isGivenUp) return isFirst ? 'ok' : 'not_allowed';
      if (!isProven(simulation, operator)) return 'proof_required';
      if (isFirst) return 'second_operator_required';
      if (judge.resolved.has(exception.id)) return 'exception_already_resolved';
      judge.resolve(exception, action, person ?? operator);
      return 'ok';
    },
  };
}

const touchesOf = (operator: Person, exception: ShownException, person: Person | undefined): Planned['touches'] => [
  [`person ${operator.number}`],
  [`exception ${exception.id}`],
  [`receipt ${exception.receipt}`],
  ['phones'],
  ...(person ? [[`person ${person.number}`] as [string]] : []),
];

export const moneyActs: readonly Act[] = [
  { name: 'top up', routes: ['deposit', 'stkCallback'], weight: 9, plan: planDeposit },
  {
    name: 'withdraw',
    routes: ['withdraw', 'payoutResult', 'payoutTimeout', 'statusResult', 'statusTimeout'],
    weight: 6,
    plan: planWithdraw,
  },
  {
    name: 'pay by hand',
    routes: ['c2bConfirmation', 'hookConfirmation', 'c2bValidation', 'hookValidation'],
    weight: 3,
    plan: planPayByHand,
  },
  { name: 'claim a receipt', routes: ['claimReceipt'], weight: 4, plan: planClaim },
  {
    name: 'resolve an exception',
    routes: ['resolveMoneyException', 'confirmProposal', 'refuseProposal'],
    weight: 10,
    plan: planResolve,
  },
];
