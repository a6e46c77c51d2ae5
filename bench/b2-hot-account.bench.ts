import { breachOf, loadInWords } from './b1-ledger.bench.ts';
import type { BatchLoad } from './batch-load.ts';
import type { Bench, Measurement } from './bench.types.ts';
import { fromTill, loadLedger, openWallets, randomPairs } from './ledger-load.ts';
import { median } from './statistics.ts';

export const bench: Bench = {
  id: 'B2',
  title: 'A hot account: every transfer debits one till, beside transfers between accounts drawn by Zipf',
  async run(context): Promise<Measurement[]> {
    const server = await context.startServer();
    const { wallets, till } = await openWallets(server.database);
    await loadLedger(server.database, 2, randomPairs(wallets, 0));
    const hot: BatchLoad[] = [];
    const random: BatchLoad[] = [];
    for (let pair = 0; pair < context.pairs; pair += 1) {
      const atTill = await loadLedger(server.database, context.seconds, fromTill(till, wallets, pair + 1));
      const spread = await loadLedger(server.database, context.seconds, randomPairs(wallets, pair + 1));
      hot.push(atTill);
      random.push(spread);
      context.say(
        `hot ${Math.round(atTill.perSecond)}/s (${loadInWords(atTill)}), random ${Math.round(spread.perSecond)}/s`,
      );
    }
    const rates = (loads: readonly BatchLoad[]) => loads.map(({ perSecond }) => perSecond);
    return [
      {
        title: 'hot ÷ random transfers/s',
        ratios: hot.map(({ perSecond }, index) => perSecond / (random[index]?.perSecond ?? Number.NaN)),
        threshold: { is: 'least', value: 1 },
        details: [`medians: hot ${Math.round(median(rates(hot)))}/s, random ${Math.round(median(rates(random)))}/s`],
        ...(await breachOf(server)),
      },
    ];
  },
};
