import type { OrderSide } from '@ushirika/contract/market';
import { Refusal } from '@ushirika/contract/refusal';
import type { MembershipState } from '@ushirika/contract/saccos';
import type { TestDatabase } from '../../db/test-database.ts';
import { testPeople } from '../../db/test-people.ts';
import { balances } from '../../ledger/balances.ts';
import { PLATFORM_BOOK } from '../../ledger/ledger.types.ts';
import { post } from '../../ledger/post.ts';
import { testSaccos } from '../saccos/test-saccos.ts';
import { buyShares } from '../shares/buy-shares.ts';
import type { MarketCommand, MarketDependencies, MarketOutcome, PlaceOrder } from './market.types.ts';
import { holdingHoldOf, holdingOf, walletAccountOf, walletHoldOf } from './market-accounts.ts';
import { trade } from './trade.ts';

/** Members with shares and money, made by the product's own verbs, for tests of the market. */
export function testTraders(database: TestDatabase) {
  const people = testPeople(database);
  const saccos = testSaccos(database);
  let staff: Promise<readonly [string, string]> | null = null;
  const founders = () => (staff ??= Promise.all([people.person('Founder'), people.person('Operator')]));
  const buyFromSacco = async (sacco: string, user: string, shares: number) => {
    await saccos.fund(user, shares * 100_00);
    const purchase = { userId: user, saccoId: sacco, shares, amountCents: shares * 100_00 };
    const [bought] = await database.transaction((tx) => buyShares(tx, [purchase]));
    if (bought instanceof Error) throw bought;
  };
  return {
    buyFromSacco,
    fund: saccos.fund,
    /** Moves money out of the wallet to M-Pesa. */
    async spend(user: string, amount: number): Promise<void> {
      const id = database.newId();
      const paid = { causedBy: user, about: { type: 'test', id } };
      const [wallet, hold] = [walletAccountOf(user), walletHoldOf(user)];
      const out = { debit: hold, credit: { book: PLATFORM_BOOK, kind: 'mpesa_float', owner: null }, amount } as const;
      await database.transaction((tx) =>
        post(tx, [
          {
            ...paid,
            kind: 'withdrawal_reserved',
            idempotencyKey: `test_reserved:${id}`,
            transfers: [{ debit: wallet, credit: hold, amount }],
          },
          { ...paid, kind: 'withdrawal_paid', idempotencyKey: `test_paid:${id}`, transfers: [out] },
        ]),
      );
    },
    /** Gives a person an office. */
    official: people.official,
    treasurer: (sacco: string, user: string) => people.official(sacco, user, 'treasurer'),
    /** An active sacco at Ksh. 100 a share with a minimum of `minShares`. */
    async sacco(minShares = 10): Promise<string> {
      const [founder, operator] = await founders();
      return saccos.sacco(founder, operator, { minShares });
    },
    /** A member who has bought so many shares from the sacco, and then has so much money left. */
    async trader(sacco: string, { shares = 0, cents = 0, name = 'Trader' }): Promise<string> {
      const user = await people.person(name);
      await database.owner`update users set phone_confirmed_at = ${database.now()} where id = ${user}`;
      await saccos.join(sacco, user);
      if (shares > 0) await buyFromSacco(sacco, user, shares);
      if (cents > 0) await saccos.fund(user, cents);
      return user;
    },
    run(commands: readonly MarketCommand[], dependencies: MarketDependencies = {}) {
      return database.transaction((tx) => trade(tx, commands, dependencies));
    },
    /** Makes a person a member of one more sacco. */
    join: (sacco: string, user: string) => saccos.join(sacco, user),
    /** A command to place an order, with its price in shillings. */
    order(sacco: string, userId: string, side: OrderSide, shares: number, shillings: number): PlaceOrder {
      const priceCents = Math.round(100 * shillings);
      return { kind: 'place', userId, saccoId: sacco, side, shares, priceCents, expiresAt: null };
    },
    /** The result of each command of a batch: its trades as `2 at 98`, or the code of its refusal. */
    async went(commands: readonly MarketCommand[], dependencies: MarketDependencies = {}): Promise<string[]> {
      const answers = await database.transaction((tx) => trade(tx, commands, dependencies));
      return answers.map((answer) => {
        if (answer instanceof Refusal) return answer.code;
        return answer.trades.map(({ shares, priceCents }) => `${shares} at ${priceCents / 100}`).join(', ') || 'waits';
      });
    },
    /** The state of an order, as `open 3/10` or `cancelled 0/5 left`. */
    async fateOf(orderId: string): Promise<string> {
      const [row] = await database.owner<{ fate: string }[]>`
        select concat_ws(' ', state, filled || '/' || shares, cancel_reason) as fate from share_orders where id = ${orderId}`;
      return row?.fate ?? 'no such order';
    },
    /** The open orders of a side in queue order: member, shares left, and price. */
    async queue(sacco: string, side: OrderSide): Promise<(readonly [user: string, left: number, shillings: number])[]> {
      const rows = await database.owner<{ user_id: string; left: string; price: number }[]>`
        select user_id, shares - filled as left, price_cents / 100.0 as price from share_orders
        where sacco_id = ${sacco} and side = ${side} and state = 'open' order by rank, place`;
      return rows.map(({ user_id, left, price }) => [user_id, Number(left), Number(price)] as const);
    },
    /** The texts that a person was sent of one template, oldest first; `sms` counts the SMS. */
    async told(user: string, template: string): Promise<{ texts: string[]; sms: number }> {
      const rows = await database.owner<{ text: string }[]>`
        select text from notifications where user_id = ${user} and template = ${template} order by id`;
      const [sent] = await database.owner<{ count: number }[]>`
        select count(*)::int from sms_messages where user_id = ${user} and template = ${template}`;
      return { texts: rows.map(({ text }) => text), sms: sent?.count ?? 0 };
    },
    /** Suspends or reactivates the sacco in its row; its figures belong to another domain and are left alone. */
    async suspended(sacco: string, isSuspended: boolean): Promise<void> {
      await database.owner`update saccos set state = ${isSuspended ? 'suspended' : 'active'} where id = ${sacco}`;
    },
    /** Sets what a password reset or a changed phone sets. */
    async heldUntil(user: string, until: Date): Promise<void> {
      await database.owner`update users set payout_held_until = ${until} where id = ${user}`;
    },
    /** Sets the state of a membership. */
    async membership(sacco: string, user: string, state: MembershipState): Promise<void> {
      await database.owner`
        update memberships
        set state = ${state}, paid_up_at = case when ${state} = 'provisional' then null else coalesce(paid_up_at, joined_at) end
        where sacco_id = ${sacco} and user_id = ${user}`;
    },
    /** Runs one command; throws its refusal. */
    async act(command: MarketCommand, dependencies: MarketDependencies = {}): Promise<MarketOutcome> {
      const [answer] = await database.transaction((tx) => trade(tx, [command], dependencies));
      if (!answer || answer instanceof Error) throw answer;
      return answer;
    },
    async standing(sacco: string, user: string) {
      const [wallet = 0, hold = 0, free = 0, held = 0] = await balances(database, [
        walletAccountOf(user),
        walletHoldOf(user),
        holdingOf(sacco, user),
        holdingHoldOf(sacco, user),
      ]);
      return { wallet, hold, free, held };
    },
  };
}
