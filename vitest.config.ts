import { defaultServerConditions } from 'vite';
import { defineConfig } from 'vitest/config';

const node = { environment: 'node' as const, testTimeout: 30_000, hookTimeout: 60_000 };

export default defineConfig({
  test: {
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
