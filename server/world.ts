import { randomBytes } from 'node:crypto';

/** What the process knows of the outside that is not data: injected, so that tests move time and replay a seed. */
export interface World {
  now(): Date;
  /** Unpredictable bytes: tokens, codes, the random part of ids. */
  randomBytes(length: number): Buffer;
}

/** Drawn from the system 4 kB at a time: an id needs 16 bytes, and a call to the system for each costs more than it. */
let drawn = Buffer.alloc(0);
/** Bytes of it that were handed out. */
let used = 0;

/** The real clock and the system's randomness: the only place that reads either. */
export const realWorld: World = {
  now: () => new Date(),
  randomBytes: (length) => {
    if (length > 64) return randomBytes(length);
    if (drawn.length - used < length) {
      drawn = randomBytes(4_096);
      used = 0;
    }
    // A copy, and the source is wiped: no byte is handed out twice, nor stays behind for whoever reads the memory.
    const bytes = Buffer.allocUnsafe(length);
    drawn.copy(bytes, 0, used, used + length);
    drawn.fill(0, used, used + length);
    used += length;
    return bytes;
  },
};

/** A UUIDv7 (RFC 9562): time-ordered, so that indexes grow at their end. */
export function newId(world: World): string {
  const bytes = world.randomBytes(16);
  bytes.writeUIntBE(world.now().getTime(), 0, 6);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x70;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = bytes.toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
