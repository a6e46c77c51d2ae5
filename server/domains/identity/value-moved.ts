import { SMALL_SUM_A_DAY } from '@ushirika/contract/constants';
import { type Cents, formatShillings, shillingsFromCents } from '@ushirika/contract/money';
import { Refusal } from '@ushirika/contract/refusals';
import { nairobiDay } from '@ushirika/contract/time';
import { isGuarded } from '#faults';
import type { Tx } from '../../db/tx.ts';
import { lockBalances } from '../../ledger/balances.ts';
import { PLATFORM_BOOK } from '../../ledger/ledger.types.ts';
import { integers, texts } from '../../ledger/sql-arrays.ts';
import { isProven } from './prove-password.ts';

const MOST = 100 * SMALL_SUM_A_DAY;

/** One act by which value may come to other people. */
export interface Moved {
  readonly userId: string;
  /** The session that asks. */
  readonly sessionId: string;
  /** What may leave the person by it at most, in cents. */
  readonly cents: Cents;
}

/**
 * For every act by which value comes to other people: a session that was left open moves a small sum a day, and no more
 * without the password (decision 151). What was moved with fresh proof counts for nothing. The verb calls this last,
 * after it has posted and so holds the wallet's lock; a refusal takes all of the act back.
 * @throws Refusal `proof_required` with `allowance`, `left` and `value` in shillings
 */
export async function valueMoved(tx: Tx, moved: Moved): Promise<void> {
  if (moved.cents === 0) return;
  if (await isProven(tx, moved)) return;
  await lockBalances(tx, [{ book: PLATFORM_BOOK, kind: 'wallet', owner: moved.userId }]);
  const days = new UnprovenDays(tx);
  await days.read([moved.userId]);
  const refusal = days.refusalOf(moved.userId, moved.cents);
  if (refusal) throw refusal;
  days.add(moved.userId, moved.cents);
  await days.write();
}

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
    if (cents > 0) this.#added.set(userId, (this.#added.get(userId) ?? 0) + cents);
  }

  /** Keeps what was added: one statement, or none. */
  async write(): Promise<void> {
    const added = [...this.#added].sort(([one], [other]) => (one < other ? -1 : 1));
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
  const without = left === MOST ? '' : ` Of it ${formatShillings(leftToday)} is left today.`;
  return new Refusal('proof_required', {
    message: `Enter your password to go on: this moves ${formatShillings(value)}. Without it at most ${formatShillings(allowance)} a day can go to other people.${without}`,
    extra: { allowance, left: leftToday, value },
  });
}
