import { setTimeout } from 'node:timers/promises';

/** Waits for some work and no longer than so many milliseconds: at the end nobody waits for a silent database. */
export async function waitAtMost(milliseconds: number, work: Promise<unknown> | undefined): Promise<void> {
  await Promise.race([work, setTimeout(milliseconds, undefined, { ref: false })]);
}
