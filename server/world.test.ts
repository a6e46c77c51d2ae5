import { expect, test } from 'vitest';
import { newId, realWorld } from './world.ts';

test('Random bytes are of the length asked for and never come twice, whatever lengths are asked for in turn', () => {
  const seen = new Set<string>();
  for (let round = 0; round < 2_000; round += 1) {
    const length = [16, 24, 64, 65, 8, 200][round % 6] ?? 16;
    const bytes = realWorld.randomBytes(length);
    expect(bytes).toHaveLength(length);
    expect(bytes.some((byte) => byte !== 0)).toBe(true);
    seen.add(bytes.subarray(0, 8).toString('hex'));
  }
  expect(seen.size).toBe(2_000);
});

test('Bytes once handed out are not changed by those that follow', () => {
  const first = realWorld.randomBytes(16);
  const copy = Buffer.from(first);
  for (let round = 0; round < 1_000; round += 1) realWorld.randomBytes(16).fill(0);
  expect(first).toEqual(copy);
});

test('An id is a UUIDv7 that carries its time', () => {
  const id = newId({ now: () => new Date(0x0190_a000_0000), randomBytes: realWorld.randomBytes });
  expect(id).toMatch(/^0190a000-0000-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
});
