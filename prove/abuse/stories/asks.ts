import { testLoans } from '../../../server/domains/loans/test-loans.ts';
import type { Actor, SaccoOfStory, Scene } from '../scene.ts';
import type { Story } from '../story.ts';

const DAY_MS = 86_400_000;
const ASKED = { amount: 15_000, months: 12, purpose: 'A second stall.', net_income: 50_000 };

/** A member for more than a year, with so many shillings saved all that time. */
async function saver({ person, member, product }: Scene, own: SaccoOfStory, name: string, shillings: number) {
  const [one, { world, owner }] = [await person(name), product.database];
  await member(one, own, 10);
  const now = world.now();
  world.setNow(new Date(now.getTime() - 400 * DAY_MS));
  await owner`update memberships set joined_at = ${world.now()} where user_id = ${one.id}`;
  await owner`
    insert into identity_checks (id, user_id, seen_by, document, seen_at)
    values (gen_random_uuid(), ${one.id}, ${own.chair.id}, 'national_id', ${world.now()})`;
  await testLoans(product.database).save(own.id, one.id, shillings * 100);
  world.setNow(now);
  return one;
}

/** An application for a loan of 15,000 at a sacco that lends, and a member whom its borrower asks. */
async function application(scene: Scene): Promise<{ own: SaccoOfStory; borrower: Actor; victim: Actor; path: string }> {
  const [own, given] = [await scene.sacco(), testLoans(scene.product.database)];
  for (const name of ['Mwema', 'Jioni']) {
    const one = await scene.person(name);
    await scene.member(one, own, 10);
    await given.office(own.id, one.id, 'credit_committee');
  }
  await given.buyShares(own.id, own.chair.id, 2_000_000_00);
  const product = await given.product(own.id, own.chair.id, { min_member_days: 0 });
  const [borrower, victim] = [await saver(scene, own, 'Borrower', 10_000), await saver(scene, own, 'Victim', 30_000)];
  const at = { sacco: own.id, key: `asks ${borrower.id}` };
  const { loan } = (await scene.does(borrower, 'POST', '/loans', { product, ...ASKED }, at)).body;
  return { own, borrower, victim, path: `/loans/${loan.id}` };
}

/** What asking for a guarantee can be used for. */
export const askStories: readonly Story[] = [
  {
    name: 'member-drowned-in-requests',
    tells:
      'a borrower asks one member for a guarantee again and again, until no SMS about that member’s own loan goes out',
    without: 'loans.asks',
    breaks: 'a borrower asks as often as they like',
    expected: /one borrower asked a member 30 times in an hour/,
    async play(scene) {
      const { ask, does, product, textsTo, mustNot } = scene;
      const { own, borrower, victim, path } = await application(scene);
      const [at, member] = [{ sacco: own.id }, await testLoans(product.database).memberId(own.id, victim.id)];
      let asked = 0;
      for (let n = 0; n < 30; n += 1) {
        const { status } = await ask(borrower, 'POST', `${path}/guarantors`, { member, amount: 1_000 + n }, at);
        if (status < 400) asked += 1;
        // Takes every third request back, to ask anew.
        if (status >= 400 || n % 3 < 2) continue;
        const { guarantees } = (await does(borrower, 'GET', path, undefined, at)).body;
        const open = guarantees.find(({ state }: { state: string }) => state === 'asked').id;
        await ask(borrower, 'DELETE', `${path}/guarantors/${open}`, undefined, at);
      }
      mustNot(asked > 10, `one borrower asked a member ${asked} times in an hour`);
      const texts = (await textsTo(victim.phone)).filter((text) => text.includes('asks you to pledge')).length;
      mustNot(texts > 3, `${texts} SMS asked one member for a guarantee in an hour`);
      mustNot(texts === 0, 'the member was not asked at all');
    },
  },
];
