import { API_BASE } from '@ushirika/contract/constants';
import { formatShillings, shillingsFromCents } from '@ushirika/contract/money';
import { Refusal } from '@ushirika/contract/refusal';
import * as contract from '@ushirika/contract/savings';
import { sentence } from '@ushirika/contract/sentence';
import { linker, readCursor, toPage } from '../../db/page.ts';
import type { Database, Tx } from '../../db/tx.ts';
import { type Binding, bindBatched, bindHandler, bindVerb, type Call } from '../../http/bind.ts';
import { accountHistory, balances } from '../../ledger/balances.ts';
import { requireProof } from '../identity/prove-password.ts';
import { cancelStandingOrder } from './cancel-standing-order.ts';
import { createStandingOrder } from './create-standing-order.ts';
import { depositSavings } from './deposit-savings.ts';
import { runStandingOrders } from './run-standing-orders.ts';
import { standingOrderOf } from './standing-orders.queries.ts';

export interface SavingsDependencies {
  readonly database: Database;
  readonly publicUrl: string;
}

export function savingsRoutes({ database, publicUrl }: SavingsDependencies): Binding[] {
  const orderOf = async (tx: Tx, member: { userId: string; saccoId: string }) => {
    const order = await standingOrderOf(tx, member);
    if (!order) throw new Error('The standing order that was just written is not there.');
    return order;
  };
  return [
    bindHandler(contract.readSavings, async ({ actor, saccoId, query }) => {
      const account = { book: saccoId, kind: 'deposits', owner: actor.userId } as const;
      const cursor = readCursor(query.cursor, ['integer']);
      const before = cursor === null ? null : Number(cursor.keys[0]);
      const [[free = 0, pledged = 0], entries, order] = await Promise.all([
        balances(database, [account, { ...account, kind: 'deposits_hold' }]),
        accountHistory(database, { keys: [account], cursor: before, limit: query.limit + 1 }),
        standingOrderOf(database, { userId: actor.userId, saccoId }),
      ]);
      const linkTo = linker(`${publicUrl}${API_BASE}/sacco/savings`, query);
      const page = toPage(entries, { limit: query.limit, cursor: null, keysOf: ({ id }) => [id], linkTo });
      return {
        count: await movementsOf(database, account.book, account.owner),
        next: page.next,
        previous: null,
        results: page.results.map((entry) => ({
          id: entry.journalId,
          at: entry.postedAt.toISOString(),
          kind: entry.kind,
          amount: shillingsFromCents(entry.change),
          balance_after: shillingsFromCents(entry.balanceAfter),
        })),
        balance: shillingsFromCents(free + pledged),
        pledged: shillingsFromCents(pledged),
        standing_order: order,
      };
    }),
    bindBatched(contract.depositSavings, 'savings', deposit, ({ body }) => body.sacco),
    bindHandler(contract.readStandingOrder, async ({ actor, saccoId }) => ({
      standing_order: await standingOrderOf(database, { userId: actor.userId, saccoId }),
    })),
    bindVerb(contract.createStandingOrder, async (tx, { actor, body }) => {
      await requireProof(tx, actor);
      const { sacco: saccoId, amount: amountCents, day } = body;
      await createStandingOrder(tx, actor, { saccoId, amountCents, day });
      const order = await orderOf(tx, { userId: actor.userId, saccoId });
      return { success: true as const, message: sentence('Your standing order is set up.'), standing_order: order };
    }),
    bindVerb(contract.cancelStandingOrder, async (tx, { actor, saccoId }) => {
      await cancelStandingOrder(tx, actor, { saccoId });
      return { success: true as const, message: sentence('Your standing order is ended.') };
    }),
  ] as Binding[];
}

async function deposit(tx: Tx, calls: readonly Call<typeof contract.depositSavings>[]) {
  const receipts = await depositSavings(
    tx,
    calls.map(({ actor, body }) => ({ ...actor, saccoId: body.sacco, amountCents: body.amount })),
  );
  return receipts.map((receipt) => {
    if (receipt instanceof Refusal) return receipt;
    return {
      success: true as const,
      message: sentence('{amount} is saved.', { amount: formatShillings(receipt.amount) }),
      receipt,
    };
  });
}

/** Exact up to this many; a longer history says this many. */
const COUNT_MAX = 10_000;

async function movementsOf(database: Database, book: string, owner: string): Promise<number> {
  const [row] = await database.sql<{ count: number }[]>`
    with account as (
      select id from accounts where book_id = ${book} and kind = 'deposits' and owner_id = ${owner}
    )
    select least(${COUNT_MAX},
      (select count(*) from (select from transfers t join account a on t.debit_account_id = a.id limit ${COUNT_MAX}) as d)
      + (select count(*) from (select from transfers t join account a on t.credit_account_id = a.id limit ${COUNT_MAX}) as c)
    )::int as count`;
  return row?.count ?? 0;
}

/** The jobs of this domain: the standing orders of the day. */
export function savingsTasks({
  database,
}: Pick<SavingsDependencies, 'database'>): Record<string, (payload: unknown) => Promise<void>> {
  return { run_standing_orders: () => runStandingOrders(database) };
}

/** Every hour: a day's orders are carried out soon after midnight, and after an outage as soon as it is over. */
export const savingsSchedules = [{ task: 'run_standing_orders', everySeconds: 3600 }];
