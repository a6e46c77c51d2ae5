import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Harness } from './harness.ts';
import { readFigures, readPromises } from './promises.ts';

const folder = import.meta.dirname;
const names = readdirSync(folder).filter((name) => existsSync(join(folder, name, `${name}.harness.ts`)));
const harnesses = await Promise.all(
  names.map(async (name) => (await import(`./${name}/${name}.harness.ts`)).harness as Harness),
);
const promises = readPromises();

test('the table of promises has each of the 26 once', () => {
  expect(promises.map(({ id }) => id)).toEqual(Array.from({ length: 26 }, (_, index) => `P${index + 1}`));
});

test('a promise that is said to be kept has a harness that watches over it, and any other says why not', () => {
  const watched = new Set(harnesses.flatMap((harness) => harness.promises));
  for (const { id, state } of promises) {
    expect(state, id).toMatch(watched.has(id) ? /^(kept|in part: .+)$/ : /^not yet: .+$/);
  }
});

test('the table names for each promise the harnesses that watch over it', () => {
  for (const { id, harnesses: named } of promises) {
    const watching = harnesses.filter((harness) => harness.promises.includes(id)).map(({ name }) => name);
    expect([...named].sort(), id).toEqual(watching.sort());
  }
});

test('each harness has a negative control, its own name, and a test that runs both in every commit', () => {
  for (const [index, harness] of harnesses.entries()) {
    const name = names[index] as string;
    expect(harness.name).toBe(name);
    expect(harness.controls.length, name).toBeGreaterThan(0);
    expect(harness.tiers, name).toContain('c');
    expect(existsSync(join(folder, name, `${name}.test.ts`)), name).toBe(true);
  }
});

test('each promise that is watched has a figure of each harness that watches over it, and no other has', () => {
  const figures = readFigures();
  for (const { id, harnesses: named } of promises) {
    const measured = figures.filter(({ promise, tier }) => promise === id && tier !== 'r');
    // A harness that runs in parts has a figure of each part that watches over the promise.
    const measuring = new Set(measured.map(({ harness }) => harness.split(' ')[0]));
    expect([...measuring].sort(), id).toEqual([...named].sort());
  }
  // Each part of a harness that has several in tier N has held once.
  const held = new Set(figures.filter(({ tier }) => tier === 'n').map(({ harness }) => harness));
  const parts = harnesses.flatMap(({ name, parts: { n = 1 } = {} }) =>
    n === 1 ? [] : Array.from({ length: n }, (_, index) => `${name} ${index + 1}/${n}`),
  );
  expect(parts.filter((part) => !held.has(part))).toEqual([]);
  for (const { promise, date, seed, figure } of figures) {
    expect([promise, date, seed, figure], promise).toEqual([
      expect.stringMatching(/^P\d+$/),
      expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
      expect.any(Number),
      expect.stringMatching(/./),
    ]);
  }
});
