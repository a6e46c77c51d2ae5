import { createHash } from 'node:crypto';
import type { World } from '../world.ts';

export interface TestWorld extends World {
  /** Advances the clock. */
  advance(ms: number): void;
  /** Sets the clock, forwards or back. */
  setNow(now: Date): void;
}

/** A clock and randomness for tests: the clock moves only when told, and a seed always gives the same bytes. */
export function testWorld(options: { now?: Date; seed?: string } = {}): TestWorld {
  let now = options.now ?? new Date('2026-03-02T06:00:00.000Z');
  const seed = options.seed ?? 'ushirika';
  let drawn = 0;
  return {
    now: () => new Date(now),
    advance: (ms) => {
      now = new Date(now.getTime() + ms);
    },
    setNow: (to) => {
      now = new Date(to);
    },
    randomBytes: (length) => {
      const blocks: Buffer[] = [];
      for (let have = 0; have < length; have += 32) {
        drawn += 1;
        blocks.push(createHash('sha256').update(`${seed} ${drawn}`).digest());
      }
      return Buffer.concat(blocks).subarray(0, length);
    },
  };
}
