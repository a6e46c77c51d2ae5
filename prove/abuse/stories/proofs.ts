import { takeTotals } from '../../../server/domains/proofs/take-totals.ts';
import { logAndSign } from '../../../server/domains/proofs/test-logs.ts';
import type { Scene } from '../scene.ts';
import type { Story } from '../story.ts';

/** The totals of the day are taken, and all that is in the books is logged and signed. */
async function logAll({ product: { database } }: Scene): Promise<void> {
  const originBase = 'stories.test/log';
  await takeTotals({ database, originBase });
  await logAndSign(database, originBase);
}

/** What the log of the books tells somebody of others. */
export const proofStories: readonly Story[] = [
  {
    name: 'anothers-receipts',
    tells:
      'a member asks for the receipts of everybody’s ballots and offices by their numbers, and for others’ part of the totals',
    without: 'proofs.own_receipts',
    breaks: 'a receipt is shown to whoever asks for its number',
    expected: /receipts of others were shown to Pest/,
    async play(scene) {
      const { sacco, person, member, ask, mustNot, product } = scene;
      const umoja = await sacco();
      const [pest, victim] = [await person('Pest'), await person('Victim')];
      await member(pest, umoja, 10);
      await member(victim, umoja, 40);
      // A total is taken of ten accounts at least.
      for (let n = 0; n < 8; n += 1) await member(await person(`Neighbour${'abcdefgh'[n]}`), umoja, 11 + n);
      await logAll(scene);
      const events = await product.database.owner<{ id: string }[]>`
        select id::text as id from log_events where sacco_id = ${umoja.id} and subject_id is not null`;
      let shown = 0;
      for (const { id } of events) if ((await ask(pest, 'GET', `/log/receipts/event/${id}`)).status === 200) shown += 1;
      mustNot(events.length === 0 || shown > 0, `${shown} receipts of others were shown to Pest`);
      const { results } = (await ask(pest, 'GET', `/log/totals/own?log=${umoja.id}`)).body;
      const leaves: { amount: number; steps: { sum: number }[] }[] = results.flatMap(
        (each: { leaves: object[] | null }) => each.leaves ?? [],
      );
      const own = leaves.reduce((sum, { amount }) => sum + amount, 0);
      mustNot(
        leaves.length !== 2 || own !== 10,
        `Pest was shown ${leaves.length} leaves of ${own} shares in the total`,
      );
    },
  },
];
