import { LATE_MS } from '../clock-jobs.ts';
import type { Member, Person, Sacco } from '../naive-books.ts';
import { dayOf, earnFees, newMember, save } from '../naive-books.ts';
import { noteMoved, proofFor } from '../naive-proof.ts';
import type { Act, Planned, Simulation } from '../simulation.ts';
import { isProven, planProve } from './profile.ts';

/* Joining, buying shares, saving, leaving. */

const DAY_MS = 86_400_000;

export interface There {
  readonly person: Person;
  readonly sacco: Sacco;
  readonly token: string | undefined;
}

/** Somebody who is here, and a sacco: one's own as a rule, now and then any. */
function meet(simulation: Simulation, ownChance = 0.9): There | null {
  const { random, books } = simulation;
  const person = simulation.someone();
  if (!person || person.isOperator) return null;
  // Who is leaving may do little there: seldom enough that they do not crowd the others out.
  const isShy = random.chance(0.9);
  const own = books.saccos.filter((sacco) => {
    const state = sacco.id === '' ? 'exited' : (books.memberOf(person, sacco)?.state ?? 'exited');
    return state !== 'exited' && !(isShy && state === 'leaving');
  });
  const isOwn = random.chance(ownChance);
  if (isOwn && own.length === 0) return null;
  const sacco = isOwn ? random.pick(own) : simulation.saccoIn('active', 'active', 'suspended', 'pending');
  return sacco ? { person, sacco, token: person.sessions.at(-1)?.token } : null;
}

const shillings = (cents: number) => cents / 100;

function planJoin(simulation: Simulation): Planned | null {
  const found = meet(simulation, 0.08);
  return found && join(simulation, found, simulation.random.chance(0.05));
}

export function join(simulation: Simulation, { person, sacco, token }: There, isStale = false): Planned {
  const { books, now } = simulation;
  const fee = shillings(sacco.regFee);
  return {
    say: `person ${person.number} joins sacco ${sacco.number}`,
    asking: {
      route: 'joinSacco',
      token,
      body: {
        sacco: sacco.id,
        reg_fee: fee,
        min_shares: isStale ? sacco.minShares + 1 : sacco.minShares,
        share_value: shillings(sacco.shareValue),
        total: fee,
      },
    },
    touches: [[`person ${person.number}`], [`state ${sacco.number}`, 'members'], [`referrer of ${person.number}`]],
    isKeyed: true,
    expect() {
      const member = books.memberOf(person, sacco);
      if (sacco.state === 'rejected') return 'not_found';
      if (sacco.state !== 'active') return 'sacco_inactive';
      if (member && member.state !== 'exited') return 'already_a_member';
      if (isStale) return 'terms_changed';
      if (member?.exit?.state === 'requested' || member?.exit?.state === 'shares_to_sell') return 'exit_conflict';
      if (person.wallet < sacco.regFee) return 'insufficient_funds';
      const unproven = proofFor(person, sacco.regFee, now);
      if (unproven) return unproven;
      noteMoved(person, sacco.regFee, now);
      person.wallet -= sacco.regFee;
      sacco.cash += sacco.regFee;
      earnFees(sacco, sacco.regFee, now);
      enrol(simulation, person, sacco, member, now);
      return 'ok';
    },
    learn: (reply) => ((reply.receipt?.amount ?? 0) === fee ? undefined : `a fee of ${reply.receipt?.amount}`),
  };
}

function enrol({ books }: Simulation, person: Person, sacco: Sacco, before: Member | null, now: number): void {
  for (const referral of books.referrals) {
    if (referral.referred === person && referral.status === 'lead') referral.status = 'joined';
  }
  if (before) Object.assign(before, { state: 'provisional', joinedAt: now, paidUpAt: null });
  else books.addMember(newMember(person, sacco, now));
}

/**
 * Whose order to buy waits and, with what they have, comes next to a fifth of the shares; and how many more of the sacco's own
 * make that too much, as far as they have the money.
 */
function nearTheLimit({ books }: Simulation): (There & { readonly shares: number }) | null {
  const limited = books.saccos.filter((sacco) => books.isLimited(sacco));
  const orders = limited.flatMap(({ market }) => market.open.filter(({ isSale }) => !isSale));
  let [nearest, least]: [ReturnType<typeof nearTheLimit>, number] = [null, Number.POSITIVE_INFINITY];
  for (const { person, sacco, shares, filled } of orders) {
    const token = person.sessions.at(-1)?.token;
    const left = sacco.issued / 5 - (books.memberOf(person, sacco)?.shares ?? 0) - (shares - filled);
    // The fifth grows with what is bought: (held + bid + x) * 5 > issued + x, solved for x.
    const more = Math.floor((left * 5) / 4) + 1;
    if (token === undefined || person.isOperator || left < 0 || left >= least) continue;
    if (more * sacco.shareValue > person.wallet) continue;
    [nearest, least] = [{ person, sacco, token, shares: more }, left];
  }
  return nearest;
}

/** Who can pay for one share of a sacco where that is fewer than the least: the control about the least is about them. */
function newcomer({ books, random }: Simulation): There | null {
  const here = books.members.filter(
    ({ person, sacco, state, shares }) =>
      person.sessions.length > 0 &&
      state === 'provisional' &&
      shares + 1 < sacco.minShares &&
      person.wallet >= sacco.shareValue,
  );
  if (here.length === 0) return null;
  const { person, sacco } = random.pick(here);
  return { person, sacco, token: person.sessions.at(-1)?.token };
}

function planBuy(simulation: Simulation): Planned | null {
  const { random } = simulation;
  const near = random.chance(0.1) ? nearTheLimit(simulation) : null;
  const few = simulation.broken === 'rule-changed' ? newcomer(simulation) : null;
  const found = few ?? near ?? meet(simulation, 0.96);
  if (!found) return null;
  const { person, sacco } = found;
  if (!isProven(simulation, person) && random.chance(0.5)) return planProve(simulation, person);
  if (few) return buy(simulation, few, 1);
  const shares = near ? near.shares : random.chance(0.5) ? random.whole(1, 5) : random.whole(1, sacco.minShares + 20);
  const cost = shares * sacco.shareValue;
  return buy(simulation, found, shares, random.chance(0.04) ? cost + 1 : cost);
}

export function buy(
  simulation: Simulation,
  { person, sacco, token }: There,
  shares: number,
  asked = shares * sacco.shareValue,
): Planned {
  const { books, broken } = simulation;
  const cost = shares * sacco.shareValue;
  // As long as not ten can hold shares, no purchase is judged by another's; then they go one by one, since those who
  // come at once are taken in the order in which their sessions were read.
  const isOrderFree = books.membersOf(sacco) < 10;
  return {
    say: `person ${person.number} buys ${shares} shares of sacco ${sacco.number}`,
    asking: { route: 'payShares', token, body: { sacco: sacco.id, shares, amount: shillings(asked) } },
    touches: [
      // Purchases of different saccos go on side by side.
      [`person ${person.number}`, `shares ${sacco.number}`],
      [`state ${sacco.number}`, 'members'],
      isOrderFree ? [`register ${sacco.number}`, 'shares'] : [`register ${sacco.number}`],
    ],
    isKeyed: true,
    expect() {
      const member = books.memberOf(person, sacco);
      const refusal = refusalOfSaving(member, sacco);
      if (refusal) return refusal;
      if (!member) return 'not_a_member';
      if (asked !== cost) return 'amount_mismatch';
      // The negative control: one of the two has another rule.
      const least = broken === 'rule-changed' ? 1 : sacco.minShares;
      if (member.state === 'provisional' && member.shares + shares < least) return 'minimum_shares_not_met';
      if (books.isLimited(sacco) && (member.shares + shares) * 5 > sacco.issued + shares) return 'one_fifth_exceeded';
      if (person.wallet < cost) return 'insufficient_funds';
      const unproven = proofFor(person, cost, simulation.now);
      if (unproven) return unproven;
      noteMoved(person, cost, simulation.now);
      person.wallet -= cost;
      sacco.cash += cost;
      sacco.capital += cost;
      sacco.issued += shares;
      member.shares += shares;
      books.isLimited(sacco);
      if (member.state === 'provisional') Object.assign(member, { state: 'active', paidUpAt: simulation.now });
      return 'ok';
    },
    learn: (reply) => (reply.receipt.amount === shillings(cost) ? undefined : `a price of ${reply.receipt.amount}`),
  };
}

function refusalOfSaving(member: Member | null, sacco: Sacco): string | null {
  if (sacco.state === 'rejected') return 'not_found';
  if (!member || member.state === 'exited') return 'not_a_member';
  if (sacco.state !== 'active') return 'sacco_inactive';
  return member.state === 'leaving' ? 'exit_conflict' : null;
}

function planSave(simulation: Simulation): Planned | null {
  const { random } = simulation;
  const found = meet(simulation, 0.96);
  if (!found) return null;
  const { person } = found;
  return saveIn(simulation, found, random.chance(0.05) ? person.wallet + 1 : random.whole(1, 30_000));
}

export function saveIn(simulation: Simulation, { person, sacco, token }: There, cents: number): Planned {
  const { books } = simulation;
  return {
    say: `person ${person.number} saves ${cents} in sacco ${sacco.number}`,
    asking: { route: 'depositSavings', token, body: { sacco: sacco.id, amount: shillings(cents) } },
    touches: [
      [`person ${person.number}`, `savings ${sacco.number}`],
      [`state ${sacco.number}`, 'members'],
    ],
    isKeyed: true,
    expect() {
      const member = books.memberOf(person, sacco);
      const refusal = refusalOfSaving(member, sacco);
      if (refusal || !member) return refusal ?? 'not_a_member';
      if (person.wallet < cents) return 'insufficient_funds';
      const unproven = proofFor(person, cents, simulation.now);
      if (unproven) return unproven;
      noteMoved(person, cents, simulation.now);
      person.wallet -= cents;
      sacco.cash += cents;
      save(member, cents, simulation.now);
      return 'ok';
    },
    learn: (reply) => (reply.receipt.amount === shillings(cents) ? undefined : `an amount of ${reply.receipt.amount}`),
  };
}

function planOrder(simulation: Simulation): Planned | null {
  const { books, random, now } = simulation;
  const found = meet(simulation);
  if (!found) return null;
  const { person, sacco, token } = found;
  if (!isProven(simulation, person) && random.chance(0.8)) return planProve(simulation, person);
  const amount = random.whole(100, 50_000);
  const day = random.whole(1, 28);
  return {
    say: `person ${person.number} orders ${amount} on day ${day} in sacco ${sacco.number}`,
    asking: { route: 'createStandingOrder', token, body: { sacco: sacco.id, amount: shillings(amount), day } },
    touches: [[`person ${person.number}`], [`state ${sacco.number}`, 'members']],
    expect() {
      if (!isProven(simulation, person)) return 'proof_required';
      const member = books.memberOf(person, sacco);
      const refusal = refusalOfSaving(member, sacco);
      if (refusal || !member) return refusal ?? 'not_a_member';
      if (member.order) return 'standing_order_conflict';
      const today = dayOf(now);
      const month = today.slice(0, 7);
      const firstMonth = day > Number(today.slice(8)) ? month : monthAfter(month);
      member.order = { id: '', amount, day, firstMonth, run: null };
      return 'ok';
    },
    learn(reply) {
      const order = books.memberOf(person, sacco)?.order;
      if (order) order.id = reply.standing_order.id;
      return undefined;
    },
  };
}

function monthAfter(month: string): string {
  const [year, number] = month.split('-').map(Number) as [number, number];
  return number === 12 ? `${year + 1}-01` : `${year}-${String(number + 1).padStart(2, '0')}`;
}

function planCancelOrder(simulation: Simulation): Planned | null {
  const { books, random } = simulation;
  const withOrder = books.members.filter(({ order, person }) => order && person.sessions.length > 0);
  const found = withOrder.length > 0 && random.chance(0.8) ? random.pick(withOrder) : meet(simulation);
  if (!found) return null;
  const { person, sacco } = found;
  return {
    say: `person ${person.number} ends the order in sacco ${sacco.number}`,
    asking: { route: 'cancelStandingOrder', token: person.sessions.at(-1)?.token, sacco: sacco.id },
    touches: [[`person ${person.number}`], [`state ${sacco.number}`, 'members']],
    expect() {
      const member = books.memberOf(person, sacco);
      if (!member || member.state === 'exited') return 'not_a_member';
      if (!member.order) return 'not_found';
      member.order = null;
      return 'ok';
    },
  };
}

/** Somebody whose order to buy waits: it is closed when they leave. */
function someBuyer({ books, random }: Simulation): There | null {
  const open = books.saccos.flatMap(({ market }) => market.open);
  const buyers = open.filter(({ isSale, person }) => !isSale && person.sessions.length > 0 && !person.isOperator);
  if (buyers.length === 0) return null;
  const { person, sacco } = random.pick(buyers);
  return { person, sacco, token: person.sessions.at(-1)?.token };
}

function planLeave(simulation: Simulation): Planned | null {
  const { books, now } = simulation;
  const found = (simulation.random.chance(0.25) ? someBuyer(simulation) : null) ?? meet(simulation, 0.9);
  if (!found) return null;
  const { person, sacco, token } = found;
  if (!isProven(simulation, person) && simulation.random.chance(0.8)) return planProve(simulation, person);
  return {
    say: `person ${person.number} gives notice to sacco ${sacco.number}`,
    asking: { route: 'requestExit', token, body: { sacco: sacco.id } },
    touches: [[`person ${person.number}`], [`state ${sacco.number}`, 'members']],
    expect() {
      if (!isProven(simulation, person)) return 'proof_required';
      const member = books.memberOf(person, sacco);
      if (!member || member.state === 'exited') return 'not_a_member';
      if (member.state === 'leaving') return 'exit_conflict';
      if (member.notices.filter((at) => at > now - 90 * DAY_MS).length >= 2) return 'too_many_notices';
      member.notices.push(now);
      const dueAt = now + 60 * DAY_MS;
      member.exit = { id: '', dueAt, stateBefore: member.state, state: 'requested' };
      member.state = 'leaving';
      for (const held of member.sacco.offices) if (held.person === member.person) held.isEnded = true;
      books.leaving.push({ member, at: now + LATE_MS });
      return 'ok';
    },
    learn(reply) {
      const member = books.memberOf(person, sacco);
      if (member?.exit) member.exit = { ...member.exit, id: reply.exit.id };
      const expected = new Date(now + 60 * DAY_MS).toISOString();
      return reply.exit.due_at === expected ? undefined : `a refund that is due at ${reply.exit.due_at}`;
    },
  };
}

function planStay(simulation: Simulation): Planned | null {
  const { books, random } = simulation;
  const leaving = books.members.filter(({ state, person }) => state === 'leaving' && person.sessions.length > 0);
  const canStay = leaving.filter(({ exit }) => exit?.state === 'requested');
  // An offer of all of one's shares leaves less than must stay, once the notice is taken back.
  const offering = canStay.filter(({ person, sacco }) =>
    sacco.market.open.some((order) => order.isSale && order.person === person),
  );
  const from = [offering, canStay, leaving].find((some) => some.length > 0 && random.chance(0.7));
  const found = from ? random.pick(from) : meet(simulation);
  if (!found) return null;
  const { person, sacco } = found;
  return {
    say: `person ${person.number} takes the notice to sacco ${sacco.number} back`,
    asking: { route: 'cancelExit', token: person.sessions.at(-1)?.token, query: { sacco: sacco.id } },
    touches: [[`person ${person.number}`], [`state ${sacco.number}`, 'members']],
    expect() {
      const member = books.memberOf(person, sacco);
      if (member?.exit?.state !== 'requested') return 'exit_conflict';
      member.exit.state = 'cancelled';
      // Who is leaving may sell everything. Whoever owns less than a member must is no full member for staying.
      const isShort = member.exit.stateBefore === 'active' && member.shares < sacco.minShares;
      member.state = isShort ? 'provisional' : member.exit.stateBefore;
      if (isShort) member.paidUpAt = null;
      if (isShort) books.note('stays, and has sold too many shares');
      return 'ok';
    },
  };
}

function planRate(simulation: Simulation): Planned | null {
  const { books, random, now } = simulation;
  const found = meet(simulation);
  if (!found) return null;
  const { person, sacco, token } = found;
  const stars = random.whole(1, 5);
  return {
    say: `person ${person.number} gives sacco ${sacco.number} ${stars} stars`,
    asking: { route: 'rateSacco', token, params: { id: sacco.id }, body: { stars } },
    touches: [[`person ${person.number}`], [`state ${sacco.number}`, 'members'], [`rating ${sacco.number}`]],
    expect() {
      const member = books.memberOf(person, sacco);
      if (member && books.officesOf(person, sacco, now).length > 0) return 'not_allowed';
      if (!member || member.state === 'exited') return 'not_a_member';
      if (member.state !== 'active') return 'full_rights_required';
      if (now - member.joinedAt < 90 * DAY_MS) return 'rating_too_early';
      sacco.ratings.set(person, stars);
      return 'ok';
    },
    learn(reply) {
      const sum = [...sacco.ratings.values()].reduce((one, other) => one + other, 0);
      const score = Math.round(((sum + 30) / (sacco.ratings.size + 10)) * 100) / 100;
      const isRight = reply.rating.score === score && reply.rating.count === sacco.ratings.size;
      return isRight ? undefined : `${reply.rating.count} ratings of ${reply.rating.score}`;
    },
  };
}

export const membershipActs: readonly Act[] = [
  { name: 'join', routes: ['joinSacco'], weight: 14, plan: planJoin },
  { name: 'buy shares', routes: ['payShares'], weight: 110, plan: planBuy },
  { name: 'save', routes: ['depositSavings'], weight: 180, plan: planSave },
  { name: 'standing order', routes: ['createStandingOrder'], weight: 5, plan: planOrder },
  { name: 'end standing order', routes: ['cancelStandingOrder'], weight: 2, plan: planCancelOrder },
  { name: 'give notice', routes: ['requestExit'], weight: 3, firstOften: 0.05, plan: planLeave },
  { name: 'take notice back', routes: ['cancelExit'], weight: 2, plan: planStay },
  { name: 'rate', routes: ['rateSacco'], weight: 4, plan: planRate },
];
