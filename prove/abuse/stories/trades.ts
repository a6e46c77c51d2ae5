import type { Actor, SaccoOfStory, Scene } from '../scene.ts';
import type { Story } from '../story.ts';

/** An order, at a price in shillings, as somebody asks for it. */
const order = (side: 'buy' | 'sell', sacco: SaccoOfStory, shares: number, price: number) =>
  ['POST', '/sacco/order-book-items', { sacco: sacco.id, side, shares, price }] as const;

/** A sacco whose prices may be anything from 50 to 200, and a member with many of its shares. */
async function thiefsSacco({ sacco, person, member, product }: Scene): Promise<{ home: SaccoOfStory; thief: Actor }> {
  const [home, thief] = [await sacco(), await person('Thief')];
  await member(thief, home, 200);
  await product.database.owner`
    update markets set price_mode = 'band', floor_percentage = 50, ceiling_percentage = 200 where sacco_id = ${home.id}`;
  return { home, thief };
}

const withdrawal = ({ phone }: Actor, amount: number) =>
  ['POST', '/integrations/mpesa/withdraw', { amount, phone }] as const;

/** How value moves to others by an account that is another's, or comes to one's own and leaves. */
export const tradeStories: readonly Story[] = [
  {
    name: 'stale-session-trades',
    tells: 'somebody finds a phone that was signed in a while ago, buys dear from an accomplice and sells back cheaply',
    without: 'value_moved_by_old_session',
    breaks: 'a session of a quarter of an hour ago may trade without the password',
    expected: /a session of 16 minutes traded 1[5-9],?\d+ away/,
    async play(scene) {
      const { person, member, ask, later, signedIn, wallet, mustNot } = scene;
      const { home, thief: before } = await thiefsSacco(scene);
      const victim = await person('Victim');
      await member(victim, home, 10);
      await scene.product.saccos.fund(victim.id, 20_000_00);
      await later(16);
      const thief = await signedIn(before);
      for (let round = 0; round < 6; round += 1) {
        await ask(thief, ...order('sell', home, 20, 200));
        await ask(victim, ...order('buy', home, 20, 200));
        await ask(victim, ...order('sell', home, 20, 50));
        await ask(thief, ...order('buy', home, 20, 50));
      }
      const lost = 20_000 - (await wallet(victim));
      mustNot(lost > 1_000, `a session of 16 minutes traded ${lost} away`);
    },
  },
  {
    name: 'stale-session-joins',
    tells: 'somebody finds such a phone and has it join their own sacco, whose fee is high',
    without: 'value_moved_by_old_session',
    breaks: 'a session of a quarter of an hour ago may pay any fee without the password',
    expected: /a session of 16 minutes paid a fee of 5000/,
    async play({ sacco, person, product, ask, later, wallet, mustNot }) {
      const [home, victim] = [await sacco(), await person('Victim', 20_000)];
      await product.database.owner`update saccos set reg_fee_cents = 500000 where id = ${home.id}`;
      await later(16);
      const terms = { reg_fee: 5_000, min_shares: 10, share_value: 100, total: 5_000 };
      await ask(victim, 'POST', '/sacco/members/join', { sacco: home.id, ...terms });
      mustNot((await wallet(victim)) < 20_000, 'a session of 16 minutes paid a fee of 5000');
    },
  },
  {
    name: 'many-at-once',
    tells: 'somebody with such a phone sends many small orders in the same moment',
    without: 'value_moved_by_old_session',
    breaks: 'nobody counts what a session moves without the password',
    expected: /a session of 16 minutes moved 1[0-9],?\d+ at once/,
    async play(scene) {
      const { person, member, ask, later, wallet, mustNot } = scene;
      const { home } = await thiefsSacco(scene);
      const victim = await person('Victim');
      await member(victim, home, 10);
      await scene.product.saccos.fund(victim.id, 20_000_00);
      await later(16);
      await Promise.all(Array.from({ length: 12 }, () => ask(victim, ...order('buy', home, 9, 110))));
      const moved = 20_000 - (await wallet(victim));
      mustNot(moved > 1_000, `a session of 16 minutes moved ${moved} at once`);
    },
  },
  {
    name: 'proceeds-leave-at-once',
    tells: 'somebody with a phone signed in just now has it buy dear from them, and takes the money to M-Pesa',
    without: 'proceeds_held',
    breaks: 'what shares were sold for may leave at once',
    expected: /the thief withdrew 3500/,
    async play(scene) {
      const { person, member, ask, does, mustNot } = scene;
      const { home, thief } = await thiefsSacco(scene);
      const [victim, accomplice] = [await person('Victim'), await person('Accomplice')];
      await member(victim, home, 10);
      await member(accomplice, home, 200);
      await scene.product.saccos.fund(victim.id, 20_000_00);
      await does(thief, ...order('sell', home, 20, 200));
      await does(victim, ...order('buy', home, 20, 200));
      const first = await ask(thief, ...withdrawal(thief, 3_500));
      mustNot(first.status === 202, 'the thief withdrew 3500 of what they had just sold for 4000');
      // Passed on by another trade it is held anew.
      await does(accomplice, ...order('sell', home, 15, 200));
      await ask(thief, ...order('buy', home, 15, 200));
      const second = await ask(accomplice, ...withdrawal(accomplice, 2_500));
      mustNot(second.status === 202, 'the accomplice withdrew 2500 of what the thief had passed on');
    },
  },
];
