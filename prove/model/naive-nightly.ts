import { by } from './in-order.ts';
import { dayOf, type Exit, type Member, type NaiveBooks, type Referral, save } from './naive-books.ts';
import { isBound } from './naive-loans.ts';
import { hasPoolMoney } from './naive-pools.ts';

/*
 * What the passing of time does, in the naive books: refunds, standing orders, referrals, keys that are forgotten.
 * What M-Pesa does is observed and judged (mpesa-judge.ts).
 */

const DAY_MS = 86_400_000;

export interface Rules {
  readonly fullyPaidDays: number;
}

/** The 60 days are over: savings go back, if the sacco has the cash; who has no shares left has left. */
export function settleExits(books: NaiveBooks, now: number): void {
  const open = books.members.filter(({ exit }) => exit?.state === 'requested' || exit?.state === 'shares_to_sell');
  const byId = open.sort(by(({ exit }) => (exit as Exit).id));
  for (const member of byId) {
    const exit = member.exit as Exit;
    if (exit.state === 'requested') {
      if (exit.dueAt > now) continue;
      // A loan of theirs, savings that are pledged for another's, or money in a pool.
      if (isBound(books, member) || hasPoolMoney(books, member.person, member.sacco)) {
        books.note('refund waits for a loan or a pool');
        continue;
      }
      books.note(member.sacco.cash < member.savings ? 'refund overdue' : 'exit refunded');
      if (member.sacco.cash < member.savings) continue;
      member.sacco.cash -= member.savings;
      member.person.wallet += member.savings;
      member.savings = 0;
      exit.state = 'shares_to_sell';
    }
    if (member.shares > 0) continue;
    books.note('exit completed');
    exit.state = 'completed';
    member.state = 'exited';
    for (const held of member.sacco.offices) if (held.person === member.person) held.isEnded = true;
  }
}

/** The day's standing orders, the oldest first: three tries in a month, on days of their own. */
export function runStandingOrders(books: NaiveBooks, now: number): void {
  const today = dayOf(now);
  const month = today.slice(0, 7);
  for (const { order } of books.members) {
    if (order?.run?.state === 'waiting' && order.run.month < month) order.run.state = 'skipped';
  }
  const due = books.members.filter(({ order }) => {
    if (!order || order.day > Number(today.slice(8)) || order.firstMonth > month) return false;
    return order.run?.month !== month || (order.run.state === 'waiting' && order.run.triedOn < today);
  });
  const byId = due.sort(by(({ order }) => order?.id ?? ''));
  for (const member of byId) books.note(tryOrder(member, month, today, now));
}

/** What comes of it, in words. */
function tryOrder(member: Member, month: string, today: string, now: number): string {
  const { order, person, sacco } = member;
  if (!order) return 'no order';
  const tries = order.run?.month === month ? order.run.tries + 1 : 1;
  order.run = { month, tries, triedOn: today, state: 'waiting' };
  if (member.state === 'exited' || (sacco.state === 'active' && member.state === 'leaving')) {
    member.order = null;
    return 'order ended';
  }
  if (sacco.state === 'active' && person.wallet >= order.amount) {
    person.wallet -= order.amount;
    sacco.cash += order.amount;
    save(member, order.amount, now);
    order.run.state = 'paid';
    return 'order paid';
  }
  if (tries < 3) return 'order waits';
  order.run.state = 'skipped';
  return 'order skipped';
}

/** The daily run of referrals: who has joined, who is fully paid, and what is paid for it. */
export function advanceReferrals(books: NaiveBooks, now: number, rules: Rules): void {
  for (const referral of books.referrals) {
    const joined = books.members.filter(({ person }) => person === referral.referred);
    if (referral.status === 'lead' && joined.length > 0) referral.status = 'joined';
    if (referral.status === 'joined') becomeFullyPaid(books, referral, joined, now, rules);
  }
  const waiting = books.referrals
    .filter(({ reward, review }) => reward === 'waiting' && (review === 'none' || review === 'released'))
    .sort(by(({ id }) => id));
  for (let from = 0; from < waiting.length; from += 200) payRewards(books, waiting.slice(from, from + 200), now);
  books.traces = books.traces.filter(({ at }) => at >= now - 365 * DAY_MS);
}

function becomeFullyPaid(
  books: NaiveBooks,
  referral: Referral,
  joined: readonly Member[],
  now: number,
  rules: Rules,
): void {
  const since = now - rules.fullyPaidDays * DAY_MS;
  const [first] = joined
    .filter(({ state, paidUpAt }) => state === 'active' && paidUpAt !== null && paidUpAt <= since)
    .filter(({ shares, sacco }) => shares >= sacco.minShares)
    .sort(
      (one, other) => (one.paidUpAt ?? 0) - (other.paidUpAt ?? 0) || by<Member>(({ sacco }) => sacco.id)(one, other),
    );
  if (!first) return;
  const { sacco } = first;
  const reward = sacco.terms.findLast(({ at }) => at <= referral.at)?.reward ?? 500_00;
  const isOfficial = books.officesOf(referral.referrer, sacco, now).length > 0;
  books.note('referral fully paid');
  referral.status = 'fully_paid';
  referral.sacco = sacco;
  referral.reward = referral.review === 'denied' || reward === 0 || isOfficial ? 'none' : 'waiting';
  referral.cents = reward;
}

/** The oldest first. A reward comes out of what the sacco's fees have brought it; savings and shares are not its own.
 * In a month it pays no more than it earned in the month before. */
function payRewards(books: NaiveBooks, batch: readonly Referral[], now: number): void {
  const month = dayOf(now).slice(0, 7);
  for (const referral of batch) {
    const { sacco, cents, referrer } = referral;
    if (sacco?.state !== 'active') continue;
    const name = `${referrer.number} ${sacco.number} ${month}`;
    const paid = books.rewardsOfMonth.get(name) ?? 0;
    if (paid >= (sacco.terms.findLast(({ at }) => at <= now)?.monthlyMax ?? 10)) {
      books.note('reward waits for the month');
      continue;
    }
    if (sacco.fees - sacco.rewardsPaid < cents) {
      books.note('reward waits for income');
      continue;
    }
    const paidInMonth = sacco.rewardsOfMonth.get(month) ?? 0;
    if ((sacco.feesOfMonth.get(monthBefore(month)) ?? 0) - paidInMonth < cents) {
      books.note('reward waits for last month’s fees');
      continue;
    }
    // What it earned may be lent out.
    if (sacco.cash < cents) {
      books.note('reward waits for cash');
      continue;
    }
    books.note('reward paid');
    sacco.cash -= cents;
    sacco.rewardsPaid += cents;
    sacco.rewardsOfMonth.set(month, paidInMonth + cents);
    referrer.wallet += cents;
    referral.reward = 'paid';
    books.rewardsOfMonth.set(name, paid + 1);
  }
}

/** `2026-12` before `2027-01`. */
function monthBefore(month: string): string {
  const [year = 0, number = 0] = month.split('-').map(Number);
  return number === 1 ? `${year - 1}-12` : `${year}-${String(number - 1).padStart(2, '0')}`;
}

/** Keys are kept for a day. */
export function forgetKeys(books: NaiveBooks, now: number): void {
  books.replies = books.replies.filter(({ at }) => at >= now - DAY_MS);
}
