import type { Story } from '../story.ts';

/** What a member does to the others of one sacco, without trading at a price. */
export const memberStories: readonly Story[] = [
  {
    name: 'accomplice-leaves-one-fifth',
    tells: 'of ten holders one, an accomplice, sells out so that another may buy three quarters of the sacco',
    without: 'one_fifth_stays',
    breaks: 'the limit of one fifth is asked of as many holders as there are at the moment',
    expected: /held 110 of 200 shares/,
    async play({ product, person, sacco, member, ask, does, mustNot }) {
      const umoja = await sacco();
      const [buyer, accomplice] = [await person('Buyer'), await person('Accomplice')];
      await member(buyer, umoja, 10);
      for (let count = 0; count < 6; count += 1) await member(await person('Neighbour'), umoja, 10);
      await member(accomplice, umoja, 10);
      await does(accomplice, 'POST', '/sacco/members/exit', { sacco: umoja.id });
      const order = { sacco: umoja.id, shares: 10, price: 100 };
      await does(accomplice, 'POST', '/sacco/order-book-items', { ...order, side: 'sell' });
      await product.saccos.fund(umoja.treasurer.id, 2_000_00);
      await does(umoja.treasurer, 'POST', '/sacco/order-book-items', { ...order, side: 'buy' });
      await product.saccos.fund(buyer.id, 10_000_00);
      await ask(buyer, 'POST', '/sacco/members/pay_shares_amount', { sacco: umoja.id, shares: 100, amount: 10_000 });
      const held = (await does(buyer, 'GET', '/client/summary')).body.saccos[0].shares;
      const { figures } = (await does(buyer, 'GET', `/sacco/${umoja.id}`)).body;
      mustNot(held > figures.shares_issued / 5, `one member held ${held} of ${figures.shares_issued} shares`);
    },
  },
  {
    name: 'first-order-shrinks',
    tells: 'somebody places a first order for the minimum shares and then makes it one share',
    without: 'first_order_stays_whole',
    breaks: 'a first order may be made smaller than a first purchase',
    expected: /waits for 1 share/,
    async play({ product, person, sacco, does, ask, mustNot }) {
      const umoja = await sacco();
      const newcomer = await person('Newcomer', 5_000);
      const terms = { reg_fee: 500, min_shares: 10, share_value: 100, total: 500 };
      await does(newcomer, 'POST', '/sacco/members/join', { sacco: umoja.id, ...terms });
      const wish = { sacco: umoja.id, side: 'buy', shares: 10, price: 100 };
      const { order } = (await does(newcomer, 'POST', '/sacco/order-book-items', wish)).body;
      await ask(newcomer, 'PATCH', `/sacco/order-book-items/${order.id}`, { shares: 1 });
      const [row] = await product.database.owner`select shares from share_orders where id = ${order.id}`;
      mustNot(Number(row?.shares) < 10, `a first order waits for ${row?.shares} share`);
    },
  },
  {
    name: 'note-tells-the-name',
    tells: 'a member buys one share to learn who sells, and what they own, from the contract note',
    without: 'handles',
    breaks: 'the papers of a trade name its other side',
    expected: /\/sacco\/trades\/.* named the seller/,
    async play({ product, person, sacco, member, does, mustNot }) {
      const umoja = await sacco();
      const [seller, nosy] = [await person('Zawadi'), await person('Nosy')];
      await member(seller, umoja, 20);
      await member(nosy, umoja, 10);
      await product.saccos.fund(nosy.id, 2_000_00);
      const order = { sacco: umoja.id, shares: 10, price: 100 };
      await does(seller, 'POST', '/sacco/order-book-items', { ...order, side: 'sell' });
      const { trades } = (await does(nosy, 'POST', '/sacco/order-book-items', { ...order, side: 'buy' })).body;
      const papers = [`/sacco/trades/${trades[0].id}`, '/sacco/shares', '/sacco/trades', '/sacco/order-book'];
      for (const path of [...papers, '/client/summary', '/client/notifications', '/client/transactions']) {
        const { text } = await does(nosy, 'GET', path, undefined, { sacco: umoja.id });
        mustNot(text.includes('Zawadi') || text.includes(seller.id), `${path} named the seller`);
      }
    },
  },
  {
    name: 'notices-without-end',
    tells: 'a member gives notice to leave and takes it back, thirty times',
    without: 'notices_bounded',
    breaks: 'notice may be given as often as it is taken back',
    expected: /gave notice 30 times, and 30 messages/,
    async play({ product, person, sacco, member, ask, mustNot }) {
      const umoja = await sacco();
      const fickle = await person('Fickle');
      await member(fickle, umoja, 10);
      for (let count = 0; count < 30; count += 1) {
        await ask(fickle, 'POST', '/sacco/members/exit', { sacco: umoja.id });
        await ask(fickle, 'DELETE', `/sacco/members/exit?sacco=${umoja.id}`);
      }
      const [said] = await product.database.owner`
        select (select count(*)::int from exit_requests where user_id = ${fickle.id}) as notices,
          (select count(*)::int from notifications where user_id = ${fickle.id} and template = 'exit_requested') as told`;
      mustNot(
        said?.notices > 2,
        `one member gave notice ${said?.notices} times, and ${said?.told} messages came of it`,
      );
    },
  },
  {
    name: 'provisional-member-rates',
    tells: 'accounts that join and buy no share give the sacco one star each',
    without: 'full_rights_rate',
    breaks: 'whoever joined 90 days ago may rate, with or without shares',
    expected: /without a share gave 1 star/,
    async play({ product, person, sacco, does, signedIn, ask, mustNot }) {
      const umoja = await sacco();
      const passerBy = await person('PasserBy', 500);
      const terms = { reg_fee: 500, min_shares: 10, share_value: 100, total: 500 };
      await does(passerBy, 'POST', '/sacco/members/join', { sacco: umoja.id, ...terms });
      product.database.world.advance(91 * 86_400_000);
      await ask(await signedIn(passerBy), 'POST', `/sacco/${umoja.id}/rating`, { stars: 1 });
      const [rated] = await product.database.owner`select stars from sacco_ratings where user_id = ${passerBy.id}`;
      mustNot(rated !== undefined, `a member without a share gave ${rated?.stars} star`);
    },
  },
];
