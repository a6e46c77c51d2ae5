export function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** Tries until it holds; throws with what was waited for when it does not in time. */
export async function until(
  what: string,
  holds: () => Promise<boolean>,
  timeoutMs: number,
  everyMs = 25,
): Promise<void> {
  const latest = performance.now() + timeoutMs;
  for (;;) {
    if (await holds()) return;
    if (performance.now() > latest) throw new Error(`${what}: not within ${timeoutMs / 1000} s.`);
    await sleep(everyMs);
  }
}

const endings = new Set<() => void>();
process.on('exit', () => {
  for (const end of endings) end();
});

/** What has to be undone even where this process ends in the middle, such as a test that ran out of time. */
export function whateverHappens(undo: () => void): { done(): void } {
  endings.add(undo);
  return { done: () => void endings.delete(undo) };
}
