import type { TestDatabase } from '../../db/test-database.ts';
import { testPeople } from '../../db/test-people.ts';
import { balances } from '../../ledger/balances.ts';
import { testSaccos } from '../saccos/test-saccos.ts';
import { buyShares } from '../shares/buy-shares.ts';
import type { MarketCommand, MarketDependencies, MarketOutcome } from './market.types.ts';
import { holdingHoldOf, holdingOf, walletHoldOf, walletOf } from './market-accounts.ts';
import { trade } from './trade.ts';

/** Members with shares and money by the product's own verbs, for tests of the market. */
export function testTraders(database: TestDatabase) {
  const people = testPeople(database);
  const saccos = testSaccos(database);
  let staff: Promise<readonly [string, string]> | null = null;
  const founders = () => (staff ??= Promise.all([people.person('Founder'), people.person('Operator')]));
  return {
    /** An active sacco at Ksh. 100 a share; at least `minShares` at first. */
    async sacco(minShares = 10): Promise<string> {
      const [founder, operator] = await founders();
      return saccos.sacco(founder, operator, { minShares });
    },
    /** A member who has bought so many shares from the sacco, and then has so much money. */
    async trader(sacco: string, { shares = 0, cents = 0, name = 'Trader' }): Promise<string> {
      const user = await people.person(name);
      await saccos.join(sacco, user);
      if (shares > 0) {
        await saccos.fund(user, shares * 100_00);
        const purchase = { userId: user, saccoId: sacco, shares, amountCents: shares * 100_00 };
        const [bought] = await database.transaction((tx) => buyShares(tx, [purchase], async () => {}));
        if (bought instanceof Error) throw bought;
      }
      if (cents > 0) await saccos.fund(user, cents);
      return user;
    },
    run(commands: readonly MarketCommand[], dependencies: MarketDependencies = {}) {
      return database.transaction((tx) => trade(tx, commands, dependencies));
    },
    /** One command; throws its refusal. */
    async act(command: MarketCommand, dependencies: MarketDependencies = {}): Promise<MarketOutcome> {
      const [answer] = await database.transaction((tx) => trade(tx, [command], dependencies));
      if (!answer || answer instanceof Error) throw answer;
      return answer;
    },
    async standing(sacco: string, user: string) {
      const [wallet = 0, hold = 0, free = 0, held = 0] = await balances(database, [
        walletOf(user),
        walletHoldOf(user),
        holdingOf(sacco, user),
        holdingHoldOf(sacco, user),
      ]);
      return { wallet, hold, free, held };
    },
  };
}
