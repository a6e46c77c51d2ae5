import type { Outcome, Run, Tier } from '../harness.ts';

/** One part of the crash harness: what it saw, without judging what never happened. */
export type Part = Outcome;

/** Each size by its tier. */
export function sizeOf<T>(run: Pick<Run, 'tier'>, sizes: { readonly [tier in Tier]: T }): T {
  return sizes[run.tier];
}

/** Collects what a part finds; the same sentence is said once. */
export class Findings {
  readonly #violations = new Set<string>();
  readonly #fired: Record<string, number> = {};
  readonly #figures: Record<string, string> = {};

  violated(sentence: string): void {
    this.#violations.add(sentence);
  }

  /** Says what must have happened at least once in this run. */
  expects(...names: readonly string[]): void {
    for (const name of names) this.#fired[name] ??= 0;
  }

  fired(name: string, times = 1): void {
    this.#fired[name] = (this.#fired[name] ?? 0) + times;
  }

  timesOf(name: string): number {
    return this.#fired[name] ?? 0;
  }

  figure(promise: string, sentence: string): void {
    this.#figures[promise] = sentence;
  }

  get count(): number {
    return this.#violations.size;
  }

  outcome(): Part {
    return { violations: [...this.#violations], fired: this.#fired, figures: this.#figures };
  }
}

/** All parts as one outcome; figures of one promise stand one after another. */
export function together(parts: readonly Part[]): Outcome {
  const fired: Record<string, number> = {};
  const figures: Record<string, string> = {};
  for (const part of parts) {
    for (const [name, times] of Object.entries(part.fired)) fired[name] = (fired[name] ?? 0) + times;
    for (const [promise, figure] of Object.entries(part.figures)) {
      figures[promise] = figures[promise] ? `${figures[promise]}; ${figure}` : figure;
    }
  }
  return { violations: parts.flatMap(({ violations }) => violations), fired, figures };
}
