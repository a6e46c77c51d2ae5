import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Tier } from './harness.ts';

const PROMISES_FILE = fileURLToPath(new URL('../docs/promises.md', import.meta.url));
const FIGURES_FILE = fileURLToPath(new URL('../docs/promises.json', import.meta.url));

/** A line of the table in docs/promises.md: `| P1 | promise | number | harnesses | state |`. */
export interface PromiseLine {
  readonly id: string;
  readonly promise: string;
  readonly number: string;
  readonly harnesses: readonly string[];
  /** `kept`, `in part: …` or `not yet: …`. */
  readonly state: string;
}

/** Reads the table of docs/promises.md. */
export function readPromises(text = readFileSync(PROMISES_FILE, 'utf8')): PromiseLine[] {
  return text
    .split('\n')
    .filter((line) => /^\| P\d+ \|/.test(line))
    .map((line) => {
      const cells = line.replace(/^\| | \|$/g, '').split(' | ');
      const [id = '', promise = '', number = '', harnesses = '', state = ''] = cells.map((cell) => cell.trim());
      return { id, promise, number, harnesses: harnesses === '—' ? [] : harnesses.split(', '), state };
    });
}

/** Which run measured something. */
export interface Measured {
  /** Its name, and which part of how many where a tier is divided: `model 3/10`. */
  readonly harness: string;
  readonly tier: Tier;
  readonly seed: number;
  /** What was measured: the commit, where it is known. */
  readonly commit: string | null;
}

/** What was last measured of a promise: a line of docs/promises.json. */
export interface Figure extends Measured {
  readonly promise: string;
  /** `2026-11-23`. */
  readonly date: string;
  readonly figure: string;
}

export function readFigures(): Figure[] {
  return JSON.parse(readFileSync(FIGURES_FILE, 'utf8')) as Figure[];
}

/** Writes what a run measured into docs/promises.json, beside what other harnesses measured of the same promises. */
export function recordFigures(figures: Readonly<Record<string, string>>, measured: Measured): void {
  const { harness, tier, seed, commit } = measured;
  const date = new Date().toISOString().slice(0, 10);
  const taken = Object.entries(figures).map(
    ([promise, figure]): Figure => ({ promise, harness, tier, date, seed, commit, figure }),
  );
  const kept = readFigures().filter((old) => !taken.some((figure) => replaces(figure, old)));
  const sorted = [...kept, ...taken].sort((a, b) => orderOf(a).localeCompare(orderOf(b), 'en', { numeric: true }));
  writeFileSync(FIGURES_FILE, `${JSON.stringify(sorted, null, 2)}\n`);
}

/** A part takes the place of its like, and of a run of the whole; the whole that of all parts. */
function replaces(figure: Figure, old: Figure): boolean {
  const nameOf = ({ harness }: Figure) => harness.split(' ')[0];
  const isSameRun = figure.promise === old.promise && figure.tier === old.tier && nameOf(figure) === nameOf(old);
  const isWhole = ({ harness }: Figure) => !harness.includes(' ');
  return isSameRun && (isWhole(figure) || isWhole(old) || figure.harness === old.harness);
}

const orderOf = ({ promise, tier, harness }: Figure) => `${promise} ${tier} ${harness}`;
