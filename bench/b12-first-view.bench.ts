import { join } from 'node:path';
import { budgetedViews } from '../web/build/budgets.ts';
import { bytesOfView } from '../web/build/plugins.ts';
import type { Bench, Measurement } from './bench.types.ts';

const root = join(import.meta.dirname, '..');

/** What peers load before their first view (built from source, JavaScript in brotli; design notes, section 1e). */
const peers = 'beside it: Mifos web-app 1,230 kB, Cyclos 4 UI 269 kB, React with a router and no page 72 kB';

export const bench: Bench = {
  id: 'B12',
  title: 'JavaScript of a first view in kB of brotli 11: the entry, the view’s own modules and all that they import',
  async run(): Promise<Measurement[]> {
    const { buildWebClient } = await import('../scripts/running.mjs');
    if (!(await buildWebClient())) throw new Error('The web client could not be built.');
    return budgetedViews.map(({ view, modules, most }) => ({
      title: `${view}, kB`,
      ratios: [bytesOfView(join(root, 'web/dist'), modules) / 1_000],
      threshold: { is: 'most', value: most / 1_000 },
      details: view === '/' ? [peers] : [],
    }));
  },
};
