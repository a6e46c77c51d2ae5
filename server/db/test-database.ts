import { inject } from 'vitest';
import type { World } from '../world.ts';
import { copyTemplate, type TestDatabase, type TestDatabaseOptions } from './test-copy.ts';
import type { TestWorld } from './test-world.ts';

export type { TestDatabase } from './test-copy.ts';
export { type TestWorld, testWorld } from './test-world.ts';

/**
 * A fresh, migrated database for a test file. Call it at the top of the file or in `beforeAll`. Closing it is optional:
 * the server ends with the run.
 */
export function testDatabase<W extends World = TestWorld>(
  options: TestDatabaseOptions<W> = {},
): Promise<TestDatabase<W>> {
  return copyTemplate(inject('testServerUrl'), options);
}
