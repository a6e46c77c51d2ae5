import { leaveOut } from '../../../server/faults.proving.ts';
import type { SaccoOfStory, Scene } from '../scene.ts';
import type { Story } from '../story.ts';

const TERMS = { price_mode: 'band', tick: 1, lot: 1, fee_basis_points: 50, fee_min: 10 };
const HOUR_MS = 3_600_000;

/** An official proposes, and another one who is in it says yes; a day passes, and the job has run. */
export async function agreed(scene: Scene, sacco: SaccoOfStory, path: string, body: object): Promise<void> {
  const { ask, product, signedIn } = scene;
  const proposed = await ask(sacco.chair, 'PUT', path, body, { sacco: sacco.id });
  const change = `/sacco/changes/${proposed.body?.change?.id}/confirmation`;
  await ask(sacco.treasurer, 'POST', change, undefined, { sacco: sacco.id });
  await aDayPasses({ product });
  for (const official of [sacco.chair, sacco.treasurer]) Object.assign(official, await signedIn(official));
}

async function aDayPasses({ product }: Pick<Scene, 'product'>): Promise<void> {
  product.database.world.advance(24 * HOUR_MS);
  await product.app.tasks.apply_changes?.({});
}

/** The rule is in the code and in the database. */
async function ownConfirmation({ product }: Pick<Scene, 'product'>): Promise<void> {
  leaveOut('second_official');
  await product.database.owner`alter table sacco_changes drop constraint sacco_changes_by_another`;
}

/** What officials do with the terms of their sacco. */
export const termsStories: readonly Story[] = [
  {
    name: 'chair-takes-the-trade-as-fee',
    tells: 'a buyer was shown a fee of half a percent, and the officials raise it before the buyer presses',
    without: 'terms_as_shown',
    breaks: 'an order is carried out at worse terms than its member was shown',
    expected: /a buyer who was shown 10 paid a fee of 15/,
    async play(scene) {
      const { person, member, does, ask, wallet, product, mustNot } = scene;
      const sacco = await scene.sacco();
      let [seller, buyer] = [await person('Seller'), await person('Buyer')];
      for (const one of [seller, buyer]) await member(one, sacco, 15);
      await does(seller, 'POST', '/sacco/order-book-items', { sacco: sacco.id, side: 'sell', shares: 5, price: 100 });
      const { terms } = (await does(buyer, 'GET', `/sacco/order-book?sacco=${sacco.id}`)).body;
      const dear = { ...TERMS, fee_basis_points: 300 };
      const { status } = await ask(
        sacco.chair,
        'PUT',
        '/sacco/market-terms',
        { ...dear, fee_min: 1_000 },
        { sacco: sacco.id },
      );
      mustNot(status !== 400, 'a least fee of 1,000 was proposed');
      await agreed(scene, sacco, '/sacco/market-terms', { ...dear, fee_min: 50 });
      [seller, buyer] = [await scene.signedIn(seller), await scene.signedIn(buyer)];
      await product.saccos.fund(buyer.id, 600_00);
      const before = await wallet(buyer);
      await ask(buyer, 'POST', '/sacco/order-book-items', {
        sacco: sacco.id,
        side: 'buy',
        shares: 5,
        price: 100,
        terms,
      });
      const paid = before - (await wallet(buyer));
      mustNot(paid > 510, `a buyer who was shown 10 paid a fee of ${paid - 500}`);
    },
  },
  {
    name: 'chair-freezes-selling',
    tells: 'two officials set a lot of 10,000 shares, so that nobody can sell any',
    without: 'lot_within_minimum',
    breaks: 'a lot may be more than the minimum shares',
    expected: /a member could sell none of 25 shares/,
    async play(scene) {
      const { person, member, ask, signedIn, mustNot } = scene;
      const sacco = await scene.sacco();
      const seller = await person('Seller');
      await member(seller, sacco, 25);
      await agreed(scene, sacco, '/sacco/market-terms', { ...TERMS, lot: 10_000 });
      const order = { sacco: sacco.id, side: 'sell', shares: 10, price: 100 };
      const { status } = await ask(await signedIn(seller), 'POST', '/sacco/order-book-items', order);
      mustNot(status !== 201, 'a member could sell none of 25 shares');
    },
  },
  {
    name: 'chair-flips-terms',
    tells: 'the chair alone changes the rules of the market forty times, and everybody’s orders are closed',
    without: ownConfirmation,
    breaks: 'whoever proposed terms may confirm them, too',
    expected: /the chair alone closed a member’s order/,
    async play(scene) {
      const { person, member, does, ask, signedIn, mustNot } = scene;
      const sacco = await scene.sacco();
      const seller = await person('Seller');
      await member(seller, sacco, 25);
      const order = { sacco: sacco.id, side: 'sell', shares: 5, price: 105 };
      const placed = await does(seller, 'POST', '/sacco/order-book-items', order);
      for (let flip = 0; flip < 40; flip += 1) {
        const rules = { ...TERMS, price_mode: flip % 2 === 0 ? 'par' : 'band' };
        const { body } = await ask(sacco.chair, 'PUT', '/sacco/market-terms', rules, { sacco: sacco.id });
        const own = `/sacco/changes/${body?.change?.id}/confirmation`;
        await ask(sacco.chair, 'POST', own, undefined, { sacco: sacco.id });
      }
      await aDayPasses(scene);
      const path = `/sacco/order-book-items?sacco=${sacco.id}&status=open`;
      const { body } = await ask(await signedIn(seller), 'GET', path);
      mustNot(body.results[0]?.id !== placed.body.order.id, 'the chair alone closed a member’s order');
    },
  },
  {
    name: 'chair-pays-accomplice-by-referral',
    tells: 'the chair alone sets a reward of 10,000 for those whom an accomplice brings',
    without: ownConfirmation,
    breaks: 'whoever proposed terms may confirm them, too',
    expected: /the chair alone set a reward of 10,?000/,
    async play(scene) {
      const { ask, does, signedIn, mustNot } = scene;
      const sacco = await scene.sacco();
      const terms = { reward: 10_000, monthly_rewards_max: 1_000 };
      const { body } = await ask(sacco.chair, 'PUT', '/sacco/referral-terms', terms, { sacco: sacco.id });
      const own = `/sacco/changes/${body?.change?.id}/confirmation`;
      await ask(sacco.chair, 'POST', own, undefined, { sacco: sacco.id });
      await aDayPasses(scene);
      const chair = await signedIn(sacco.chair);
      const now = await does(chair, 'GET', '/sacco/referral-terms', undefined, { sacco: sacco.id });
      mustNot(now.body.reward === 10_000, 'the chair alone set a reward of 10,000');
    },
  },
  {
    name: 'officials-spend-old-fees-on-friends',
    tells: 'officials pay an accomplice for a referral out of fees that the sacco earned months ago',
    without: async ({ product }) => {
      leaveOut('rewards_a_month');
      await product.database.owner`
        alter table referral_reward_months drop constraint rewards_within_fees_of_month_before`;
    },
    breaks: 'rewards of a month are not bounded by the fees of the month before',
    expected: /an accomplice had 500 out of fees of long ago/,
    async play({ sacco, person, member, does, signedIn, wallet, product, mustNot }) {
      const [home, accomplice] = [await sacco(), await person('Accomplice')];
      const { body } = await does(accomplice, 'GET', '/client/');
      const address = '10.77.7.7';
      const mule = { ...(await product.person('Mule', body.referal_code, address, address)), address };
      await product.confirmPhone(mule);
      await member(mule, home, 10);
      // Two months later: nobody has joined in the month before.
      product.database.world.advance(65 * 24 * HOUR_MS);
      await product.app.tasks.advance_referrals?.({});
      const had = await wallet(await signedIn(accomplice));
      mustNot(had > 0, `an accomplice had ${had} out of fees of long ago`);
    },
  },
];
