import { AsyncLocalStorage } from 'node:async_hooks';
import { createHash } from 'node:crypto';
import type { World } from '../../server/world.ts';

/**
 * A clock that moves only when told, and chance that hangs on what is being done and not on when its turn comes: acts
 * that run at once draw the same ids in every run of a seed, in whatever order the database answers them.
 */
export class SimulatedWorld implements World {
  #now: number;
  readonly #seed: number;
  readonly #doing = new AsyncLocalStorage<Stream>();
  readonly #otherwise: Stream;

  constructor(seed: number, beginsAt: Date) {
    this.#seed = seed;
    this.#now = beginsAt.getTime();
    this.#otherwise = new Stream(`${seed} otherwise`);
  }

  now(): Date {
    return new Date(this.#now);
  }

  get time(): number {
    return this.#now;
  }

  advance(ms: number): void {
    this.#now += ms;
  }

  randomBytes(length: number): Buffer {
    return (this.#doing.getStore() ?? this.#otherwise).take(length);
  }

  /** What is being done just now. */
  doingNow(): string {
    return (this.#doing.getStore() ?? this.#otherwise).name;
  }

  /** Runs something whose draws are its own: two things of one name draw the same. */
  doing<T>(name: string, run: () => Promise<T>): Promise<T> {
    return this.#doing.run(new Stream(`${this.#seed} ${name}`), run);
  }
}

class Stream {
  readonly name: string;
  #blocks = 0;
  #left = Buffer.alloc(0);

  constructor(name: string) {
    this.name = name;
  }

  take(length: number): Buffer {
    while (this.#left.length < length) {
      this.#blocks += 1;
      const block = createHash('sha512').update(`${this.name} ${this.#blocks}`).digest();
      this.#left = Buffer.concat([this.#left, block]);
    }
    // A copy: an id is written into the bytes that it was given.
    const taken = Buffer.from(this.#left.subarray(0, length));
    this.#left = this.#left.subarray(length);
    return taken;
  }
}
