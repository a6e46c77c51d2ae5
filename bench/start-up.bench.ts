import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startProgram } from './app-process.ts';
import type { Bench, Measurement } from './bench.types.ts';

const root = join(import.meta.dirname, '..');

export const bench: Bench = {
  id: 'start',
  title: 'From `npm start` on an existing data folder, with the demonstration data in it, to the first answer',
  async run(context): Promise<Measurement[]> {
    const folder = mkdtempSync(join(tmpdir(), 'ushirika-bench-'));
    const start = async () => {
      const started = performance.now();
      const app = await startProgram(join(root, 'scripts/start.mjs'), { DATA_DIR: folder, DEMO: '1' });
      const seconds = (performance.now() - started) / 1_000;
      await app.stop();
      return seconds;
    };
    try {
      const first = await start();
      context.say(`the first start, which makes the database and the demonstration data: ${first.toFixed(1)} s`);
      const seconds: number[] = [];
      for (let pair = 0; pair < context.pairs; pair += 1) seconds.push(await start());
      return [
        {
          title: 'seconds to the first answer',
          ratios: seconds,
          threshold: { is: 'most', value: 5 },
          details: ['embedded PostgreSQL, fsync on; the web client was built before; a clean stop between the starts'],
        },
      ];
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
};
