import { SMALL_SUM_A_DAY } from '@ushirika/contract/constants';
import { type Cents, formatShillings, shillingsFromCents } from '@ushirika/contract/money';
import { Refusal } from '@ushirika/contract/refusal';
import { sentence } from '@ushirika/contract/sentence';
import { nairobiDay } from '@ushirika/contract/time';
import { isGuarded } from '#faults';
import type { Tx } from '../../db/tx.ts';
import { lockBalances } from '../../ledger/balances.ts';
import { PLATFORM_BOOK } from '../../ledger/ledger.types.ts';
import { integers, texts } from '../../ledger/sql-arrays.ts';
import { refusalOfHold } from './account-hold.rules.ts';
import { provenSince } from './prove-password.ts';

const MOST = 100 * SMALL_SUM_A_DAY;

/** One act by which value leaves a wallet: to other people, or into a sacco that others may lead. */
export interface Moved {
  readonly userId: string;
  /** The session that asks. */
  readonly sessionId: string;
  /** What may leave the person by it at most, in cents. */
  readonly cents: Cents;
}

/**
 * For every act by which value leaves a wallet by its owner's will: a session that was left open moves a small sum a day, and no more
 * without the password (decision 151). What was moved with fresh proof counts for nothing. The verb calls this last,
 * after it has posted and so holds the wallet's lock; a refusal takes all of the act back.
 * @throws Refusal `proof_required` with `allowance`, `left` and `value` in shillings; `payout_held` after a reset
 */
export async function valueMoved(tx: Tx, moved: Moved): Promise<void> {
  if (moved.cents === 0) return;
  await lockBalances(tx, [{ book: PLATFORM_BOOK, kind: 'wallet', owner: moved.userId }]);
  const allowance = await allowanceOf(tx, [moved]);
  const refusal = allowance.take(moved);
  if (refusal) throw refusal;
  await allowance.write();
}

/** What people may move in a batch of which nobody is refused by another's doing. */
export interface Allowance {
  /** Takes from what is left to whoever asks; the refusal of that one, by which nothing is taken. */
  take(moved: Moved): Refusal | null;
  /** What was taken did not happen after all. */
  giveBack(moved: Moved): void;
  /** Keeps what was taken: one statement, or none. */
  write(): Promise<void>;
}

/**
 * What those who ask may move, read under the locks of their wallets: as much as they have where the password was entered
 * a short while ago, a small sum a day elsewhere, and no more than that while their money is held. One statement.
 */
export async function allowanceOf(tx: Tx, asked: readonly Omit<Moved, 'cents'>[]): Promise<Allowance> {
  const days = new UnprovenDays(tx);
  const rows = await tx.sql<{ session_id: string; user_id: string; held_until: Date | null }[]>`
    select asked.session_id, asked.user_id,
      (select payout_held_until from users u where u.id = asked.user_id and u.payout_held_until > ${tx.now}) as held_until
    from (select distinct user_id, session_id from unnest(
      ${texts(asked.map(({ userId }) => userId))}::uuid[],
      ${texts(asked.map(({ sessionId }) => sessionId))}::uuid[]) as each (user_id, session_id)) as asked
    where exists (select from users u where u.id = asked.user_id and u.payout_held_until > ${tx.now})
      or not exists (
        select from sessions s
        where s.id = asked.session_id and s.ended_at is null and s.proven_at > ${provenSince(tx.now)})`;
  await days.read(rows.map(({ user_id }) => user_id));
  const bounded = new Map(rows.map((row) => [row.session_id, row.held_until]));
  return {
    take({ userId, sessionId, cents }) {
      const heldUntil = bounded.get(sessionId);
      if (heldUntil === undefined) return null;
      const refusal = days.refusalOf(userId, cents);
      if (refusal) return refusalOfHold('payout_held', heldUntil, tx.now, HELD) ?? refusal;
      days.add(userId, cents);
      return null;
    },
    giveBack({ userId, sessionId, cents }) {
      if (bounded.has(sessionId)) days.add(userId, -cents);
    },
    write: () => days.write(),
  };
}

const HELD = sentence('For 24 hours after a new password or phone, at most {allowance} a day leaves your wallet.', {
  allowance: formatShillings(SMALL_SUM_A_DAY),
});

/**
 * What people have moved today without fresh proof, for a batch that judges one act after the other. Read under the locks
 * of their wallets, which whoever writes holds too: many at once count one after another.
 */
export class UnprovenDays {
  readonly #tx: Tx;
  readonly #before = new Map<string, Cents>();
  readonly #added = new Map<string, Cents>();

  constructor(tx: Tx) {
    this.#tx = tx;
  }

  /** @param userIds those of whom a session without fresh proof asks for something; for nobody nothing is asked */
  async read(userIds: readonly string[]): Promise<void> {
    if (userIds.length === 0) return;
    const rows = await this.#tx.sql<{ user_id: string; moved_cents: number }[]>`
      select user_id, moved_cents from unproven_days
      where user_id = any (${texts(userIds)}::uuid[]) and day = ${nairobiDay(this.#tx.now)}`;
    for (const row of rows) this.#before.set(row.user_id, row.moved_cents);
  }

  /** Why somebody may not move so much more today, or null. */
  refusalOf(userId: string, cents: Cents): Refusal | null {
    const left = Math.max(0, MOST - this.#movedBy(userId));
    return cents > left && isGuarded('value_moved_by_old_session') ? refusalOfValue(cents, left) : null;
  }

  /** Notes what somebody moved. */
  add(userId: string, cents: Cents): void {
    if (cents !== 0) this.#added.set(userId, (this.#added.get(userId) ?? 0) + cents);
  }

  /** Keeps what was added: one statement, or none. */
  async write(): Promise<void> {
    const added = [...this.#added].filter(([, cents]) => cents > 0).sort(([one], [other]) => (one < other ? -1 : 1));
    if (added.length === 0) return;
    await this.#tx.sql`
      insert into unproven_days as d (user_id, day, moved_cents)
      select user_id, ${nairobiDay(this.#tx.now)}::date, cents
      from unnest(${texts(added.map(([userId]) => userId))}::uuid[],
                  ${integers(added.map(([, cents]) => cents))}::bigint[]) as added (user_id, cents)
      on conflict (user_id, day) do update set moved_cents = d.moved_cents + excluded.moved_cents`;
  }

  #movedBy(userId: string): Cents {
    return (this.#before.get(userId) ?? 0) + (this.#added.get(userId) ?? 0);
  }
}

function refusalOfValue(cents: Cents, left: Cents): Refusal {
  const [allowance, leftToday, value] = [MOST, left, cents].map(shillingsFromCents) as [number, number, number];
  const values = { value: formatShillings(value), allowance: formatShillings(allowance) };
  return new Refusal('proof_required', {
    message:
      left === MOST
        ? sentence(
            'Enter your password to go on: this moves {value}. Without it at most {allowance} a day can leave your wallet.',
            values,
          )
        : sentence(
            'Enter your password to go on: this moves {value}. Without it at most {allowance} a day can leave your wallet. Of it {left} is left today.',
            { ...values, left: formatShillings(leftToday) },
          ),
    extra: { allowance, left: leftToday, value },
  });
}
