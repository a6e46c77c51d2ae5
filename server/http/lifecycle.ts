/**
 * - `starting`: not listening, or not everything is ready yet.
 * - `open`: serves.
 * - `draining`: is about to end. It still serves, because the load balancer has not noticed yet, and closes each
 *   connection after its answer.
 * - `closing`: refuses new requests; requests under way are finished.
 */
export type Phase = 'starting' | 'open' | 'draining' | 'closing';

/** The phase of a process between start and end, and whether it should be sent requests now. */
export class Lifecycle {
  #phase: Phase = 'starting';
  #drains = 0;
  readonly #needs = new Map<string, () => boolean>();
  readonly #onDraining: (() => void)[] = [];

  get phase(): Phase {
    return this.#phase;
  }

  /** How often the process was told to end. */
  get drains(): number {
    return this.#drains;
  }

  /** Adds a condition for readiness. `/readyz` shows `reason` while `holds` returns false. */
  needs(reason: string, holds: () => boolean): void {
    this.#needs.set(reason, holds);
  }

  /** Calls `listener` once, when draining starts. */
  onDraining(listener: () => void): void {
    this.#onDraining.push(listener);
  }

  /** Marks the start as finished. */
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

  /** Why the process should not be sent requests; empty when it is ready. */
  reasonsAgainst(): string[] {
    const unmet = [...this.#needs].filter(([, holds]) => !holds()).map(([reason]) => reason);
    return this.#phase === 'open' ? unmet : [this.#phase, ...unmet];
  }
}
