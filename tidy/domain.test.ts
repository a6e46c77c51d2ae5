import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { read, root } from './source.ts';

const guide = read('docs/adding-a-domain.md');
const shared = [...guide.matchAll(/^\d+\. `([^`]+)`/gm)].map(([, path = '']) => path);
const own = [...guide.matchAll(/^\| `([^`]+)`/gm)].map(([, path = '']) => path);

test('docs/adding-a-domain.md names at most 14 shared files', () => {
  expect(shared.length).toBeGreaterThan(5);
  expect(shared.length).toBeLessThanOrEqual(14);
  expect(new Set(shared).size).toBe(shared.length);
});

test('docs/adding-a-domain.md names files that exist', () => {
  expect([...own, ...shared].filter((path) => !existsSync(join(root, path)))).toEqual([]);
});
