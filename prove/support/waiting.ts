export function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** Calls `holds` until it returns true; throws with `what` when the time is over. */
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

/** Runs `undo` when this process exits, also after an error or a timeout; `done` cancels that. */
export function whateverHappens(undo: () => void): { done(): void } {
  endings.add(undo);
  return { done: () => void endings.delete(undo) };
}
