import type { Story } from '../story.ts';

/** What somebody makes the others of a market believe. */
export const priceStories: readonly Story[] = [
  {
    name: 'two-accounts-print-the-price',
    tells: 'two accounts of one person trade to and fro so that the last price reads 110, then 90',
    without: 'figures_of_many',
    breaks: 'every trade is the last price',
    expected: /two accounts made the last price 110/,
    async play({ product, person, sacco, member, does, mustNot }) {
      const umoja = await sacco();
      const [one, other] = [await person('One'), await person('Other')];
      for (const each of [one, other]) {
        await member(each, umoja, 20);
        await product.saccos.fund(each.id, 5_000_00);
      }
      const lasts = new Set<number>();
      for (const [seller, buyer, price, shares] of [
        [one, other, 110, 1],
        [one, other, 110, 5],
        [other, one, 90, 6],
      ] as const) {
        const order = { sacco: umoja.id, shares, price };
        await does(seller, 'POST', '/sacco/order-book-items', { ...order, side: 'sell' });
        await does(buyer, 'POST', '/sacco/order-book-items', { ...order, side: 'buy' });
        const { body } = await does(umoja.chair, 'GET', `/sacco/order-book-stats?sacco=${umoja.id}&range=1d`);
        for (const read of [body.last_price, body.high, body.low]) if (read !== null) lasts.add(read);
      }
      for (const last of lasts) mustNot(true, `two accounts made the last price ${last}`);
      await product.app.tasks.tell_of_marked_pairs?.({});
      const { body } = await does(umoja.chair, 'GET', '/sacco/marked-pairs', undefined, { sacco: umoja.id });
      mustNot(body.count !== 1, 'the officials were not told who traded to and fro');
    },
  },
];
