import { leaveOut } from '../../server/faults.proving.ts';
import { stories } from '../domains.ts';
import type { Harness, Outcome, Run } from '../harness.ts';
import { productOn } from '../support/product.ts';
import { openScene } from './scene.ts';
import type { Story } from './story.ts';

/**
 * What ordinary accounts, one official or one operator can do to others: each story is played on the whole product with
 * its default settings, limits of requests included. A control plays one story with the rule that prevents it left out.
 */
export const harness: Harness = {
  name: 'abuse',
  title:
    'nobody robs, annoys or deceives another member with what an account, an office or the operator’s desk gives them',
  promises: ['P26'],
  tiers: ['c', 'n'],
  controls: stories.map(({ name, breaks, expected }) => ({ name, breaks, expected })),
  async run(run: Run): Promise<Outcome> {
    const played = stories.filter(({ name }) => run.broken === undefined || name === run.broken);
    const violations: string[] = [];
    const fired: Record<string, number> = {};
    const product = await productOn(run.serverUrl, { RATE_LIMITS: '1' });
    try {
      await product.app.tasks.register_paybill?.({});
      for (const story of played) {
        run.tell(story.name);
        fired[story.name] = 0;
        const scene = openScene(product, {
          mustNot(happened, sentence) {
            fired[story.name] = (fired[story.name] ?? 0) + 1;
            if (happened) violations.push(`${story.name}: ${sentence}`);
          },
        });
        if (run.broken !== undefined) await breakFor(story, scene);
        await story.play(scene);
        await scene.close();
      }
    } finally {
      leaveOut(null);
      await product.close();
    }
    const judgments = Object.values(fired).reduce((total, times) => total + times, 0);
    const figure = `${played.length} stories, ${judgments} things that must not happen: ${violations.length} happened`;
    return { violations, fired, figures: { P26: figure } };
  },
};

async function breakFor({ without }: Story, scene: ReturnType<typeof openScene>): Promise<void> {
  if (typeof without === 'string') leaveOut(without);
  else await without(scene);
}
