import { defaultServerConditions } from 'vite';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

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

export default defineConfig({
  test: {
    sequence: { sequencer: HarnessesFirst },
    // Two cores are shared with PostgreSQL.
    pool: 'forks',
    maxWorkers: 2,
    projects: [
      {
        extends: true,
        // The fault points of server/faults.ts are real here, and do nothing until a harness arms them.
        ssr: { resolve: { conditions: ['proving', ...defaultServerConditions] } },
        test: {
          ...node,
          name: 'server',
          include: ['server/**/*.test.ts', 'bench/**/*.test.ts', 'prove/**/*.test.ts', 'scripts/**/*.test.ts'],
          globalSetup: ['server/db/test-server.ts'],
        },
      },
      { extends: true, test: { ...node, name: 'contract', include: ['contract/**/*.test.ts'] } },
      { extends: true, test: { ...node, name: 'tidy', include: ['tidy/**/*.test.ts'] } },
      { extends: true, test: { ...node, name: 'web', include: ['web/src/**/*.test.ts'] } },
    ],
  },
});
