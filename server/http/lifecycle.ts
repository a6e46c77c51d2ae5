/**
 * - `starting`: not listening, or not everything is there yet.
 * - `open`: serves.
 * - `draining`: is about to end. It still serves, for whoever balances the load has not heard of it, and asks each
 *   connection to go.
 * - `closing`: refuses what is new; what is under way is carried to its end.
 */
export type Phase = 'starting' | 'open' | 'draining' | 'closing';

/** Where a process is between its start and its end, and whether it should be sent requests now. */
export class Lifecycle {
  #phase: Phase = 'starting';
  #drains = 0;
  readonly #needs = new Map<string, () => boolean>();
  readonly #onDraining: (() => void)[] = [];

  get phase(): Phase {
    return this.#phase;
  }

  /** How often it was told to end. */
  get drains(): number {
    return this.#drains;
  }

  /** Something that must hold for the process to be ready; `reason` is shown to whoever asks why it is not. */
  needs(reason: string, holds: () => boolean): void {
    this.#needs.set(reason, holds);
  }

  /** Told once, as the draining begins. */
  onDraining(listener: () => void): void {
    this.#onDraining.push(listener);
  }

  /** Everything is there. */
  open(): void {
    if (this.#phase === 'starting') this.#phase = 'open';
  }

  drain(): void {
    this.#drains += 1;
    if (this.#phase === 'draining' || this.#phase === 'closing') return;
    this.#phase = 'draining';
    for (const listener of this.#onDraining) listener();
  }

  close(): void {
    this.#phase = 'closing';
  }

  /** Why it should not be sent requests; empty when it is ready. */
  reasonsAgainst(): string[] {
    const unmet = [...this.#needs].filter(([, holds]) => !holds()).map(([reason]) => reason);
    return this.#phase === 'open' ? unmet : [this.#phase, ...unmet];
  }
}
