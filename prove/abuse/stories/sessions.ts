import type { Story } from '../story.ts';

/** What somebody does with a session that its owner left open. */
export const sessionStories: readonly Story[] = [
  {
    name: 'old-session-withdraws',
    tells: 'somebody finds a phone that was signed in a quarter of an hour ago and sends its money to M-Pesa',
    without: 'fresh_password',
    breaks: 'a session of a quarter of an hour ago may withdraw without the password',
    expected: /a session of 16 minutes withdrew 5,?000/,
    async play({ person, ask, later, wallet, mustNot }) {
      const victim = await person('Victim', 20_000);
      await later(16);
      await ask(victim, 'POST', '/integrations/mpesa/withdraw', { amount: 5_000, phone: victim.phone });
      mustNot((await wallet(victim)) < 20_000, 'a session of 16 minutes withdrew 5,000 without the password');
    },
  },
  {
    name: 'old-session-fills-the-thiefs-sacco',
    tells:
      'somebody finds a phone that was signed in a quarter of an hour ago and puts its money into a sacco of a friend',
    without: 'value_moved_by_old_session',
    breaks: 'a session of a quarter of an hour ago may buy shares of the sacco and save without the password',
    expected: /an old session, or one after a reset, put [12]\d{4} into a sacco/,
    async play({ person, member, sacco, ask, later, signedIn, product, wallet, mustNot }) {
      const [victim, friends] = [await person('Victim'), await sacco()];
      await member(victim, friends, 10);
      await product.saccos.fund(victim.id, 20_000_00);
      const putIn = async (thief: typeof victim) => {
        await ask(thief, 'POST', '/sacco/savings/deposit', { sacco: friends.id, amount: 5_000 });
        const shares = { sacco: friends.id, shares: 50, amount: 5_000 };
        await ask(thief, 'POST', '/sacco/members/pay_shares_amount', shares);
        await ask(thief, 'POST', '/sacco/savings/standing-order', { sacco: friends.id, amount: 9_000, day: 1 });
      };
      await later(16);
      await putIn(victim);
      // The password was reset by whoever read the code over a shoulder: it vouches for nothing until tomorrow.
      const tomorrow = new Date(product.database.now().getTime() + 86_400_000);
      await product.database.owner`update users set payout_held_until = ${tomorrow} where id = ${victim.id}`;
      await putIn(await signedIn(victim));
      const lost = 20_000 - (await wallet(victim));
      mustNot(lost > 1_000, `an old session, or one after a reset, put ${lost} into a sacco`);
    },
  },
  {
    name: 'old-session-takes-the-owners-phone-and-place',
    tells: 'with a phone that was left open somebody writes another number into the profile and gives notice to leave',
    without: 'fresh_password',
    breaks: 'a session of a quarter of an hour ago changes the profile and gives notice without the password',
    expected: /an old session changed the phone|an old session gave notice/,
    async play({ person, member, sacco, ask, later, mustNot }) {
      const [victim, home] = [await person('Victim'), await sacco()];
      await member(victim, home, 10);
      await later(16);
      const { body } = await ask(victim, 'GET', '/client/');
      const { first_name, last_name } = body.user;
      const profile = { first_name, last_name, email: body.email, phone_number: '254711999001' };
      const changed = await ask(victim, 'PATCH', '/client/', profile);
      mustNot(changed.status === 200, 'an old session changed the phone');
      const left = await ask(victim, 'POST', '/sacco/members/exit', { sacco: home.id });
      mustNot(left.status < 300, 'an old session gave notice');
    },
  },
];
