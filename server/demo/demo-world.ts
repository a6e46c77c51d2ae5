import { createHash } from 'node:crypto';
import type { World } from '../world.ts';

/** A clock that the story moves, and chance that falls the same way every time. */
export interface DemoWorld extends World {
  setNow(now: Date): void;
}

/** The demonstration's own world. It makes no secret: people's passwords are public, and nobody is signed in. */
export function demoWorld(start: Date): DemoWorld {
  let now = start;
  let drawn = 0;
  return {
    now: () => new Date(now),
    setNow: (to) => {
      now = to;
    },
    randomBytes(length) {
      const blocks: Buffer[] = [];
      for (let have = 0; have < length; have += 32) {
        drawn += 1;
        blocks.push(createHash('sha256').update(`ushirika demonstration ${drawn}`).digest());
      }
      return Buffer.concat(blocks).subarray(0, length);
    },
  };
}
