import { defaultServerConditions } from 'vite';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { branchingTexts } from './web/build/icu.ts';

const node = { environment: 'node' as const, testTimeout: 30_000, hookTimeout: 60_000 };

/**
 * The harnesses take minutes each, and their files are the smallest: by themselves they would come last, and one core would
 * wait while the other ends the longest of them.
 */
class HarnessesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isHarness = ({ moduleId }: TestSpecification) => moduleId.includes('/prove/');
    return [...sorted.filter(isHarness), ...sorted.filter((file) => !isHarness(file))];
  }
}

/**
 * Tests that have PostgreSQL. The fault points of server/faults.ts are real here, and do nothing until a harness arms them.
 * `isolate: false` lets the files of one process share the modules that they load: a quarter of the work (decision 175).
 */
const withDatabase = (test: { name: string; include: string[]; isolate?: boolean }) => ({
  extends: true as const,
  ssr: { resolve: { conditions: ['proving', ...defaultServerConditions] } },
  test: { ...node, ...test, globalSetup: ['server/db/test-server.ts'] },
});

export default defineConfig({
  test: {
    sequence: { sequencer: HarnessesFirst },
    // A worker often waits, for PostgreSQL and for processes that start and end: four keep two cores busy.
    pool: 'forks',
    maxWorkers: 4,
    projects: [
      withDatabase({ name: 'prove', include: ['prove/**/*.test.ts'] }),
      withDatabase({
        name: 'server',
        include: ['server/**/*.test.ts', 'bench/**/*.test.ts', 'scripts/**/*.test.ts'],
        isolate: false,
      }),
      {
        extends: true,
        test: { ...node, name: 'contract', include: ['{contract,verifier}/**/*.test.ts'], isolate: false },
      },
      { extends: true, test: { ...node, name: 'tidy', include: ['tidy/**/*.test.ts'] } },
      {
        extends: true,
        plugins: [branchingTexts(`${import.meta.dirname}/web/src/words/sw`)],
        test: { ...node, name: 'web', include: ['web/src/**/*.test.ts'], isolate: false },
      },
    ],
  },
});
