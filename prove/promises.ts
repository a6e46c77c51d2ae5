import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Tier } from './harness.ts';

/** Where the promises stand, with what was last measured. */
const PROMISES_FILE = fileURLToPath(new URL('../docs/promises.md', import.meta.url));

/** A line of the table: `| P1 | promise | number | harness | state | last C or N | last R |`. */
export interface PromiseLine {
  readonly id: string;
  readonly promise: string;
  readonly number: string;
  readonly harnesses: readonly string[];
  /** `kept`, `in part: …` or `not yet: …`. */
  readonly state: string;
  readonly lastNightly: string;
  readonly lastRelease: string;
}

/** Reads the table of docs/promises.md. */
export function readPromises(text = readFileSync(PROMISES_FILE, 'utf8')): PromiseLine[] {
  return text
    .split('\n')
    .filter((line) => /^\| P\d+ \|/.test(line))
    .map((line) => {
      const cells = line.split(' | ').map((cell) => cell.replace(/^\| | \|$/g, '').trim());
      const [id = '', promise = '', number = '', harnesses = '', state = '', lastNightly = '', lastRelease = ''] =
        cells;
      const named = harnesses === '—' ? [] : harnesses.split(', ');
      return { id, promise, number, harnesses: named, state, lastNightly, lastRelease };
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

/** Writes what a run measured into the lines of its promises, beside what other harnesses measured of the same ones. */
export function recordFigures(figures: Readonly<Record<string, string>>, measured: Measured): void {
  const column = measured.tier === 'r' ? 6 : 5;
  const lines = readFileSync(PROMISES_FILE, 'utf8').split('\n');
  for (const [id, figure] of Object.entries(figures)) {
    const index = lines.findIndex((line) => line.startsWith(`| ${id} |`));
    if (index < 0) throw new Error(`docs/promises.md has no line for ${id}.`);
    const cells = (lines[index] as string).replace(/^\| | \|$/g, '').split(' | ');
    cells[column] = withFigure(cells[column] ?? '—', figure, measured);
    lines[index] = `| ${cells.join(' | ')} |`;
  }
  writeFileSync(PROMISES_FILE, lines.join('\n'));
}

/** The cell of a promise: one entry a harness, each `<harness> <tier>, <date>, seed <seed>, at <commit>: <figure>`. */
function withFigure(cell: string, figure: string, { harness, tier, seed, commit }: Measured): string {
  const date = new Date().toISOString().slice(0, 10);
  // A part takes the place of its like, and of a run of the whole.
  const whole = `${harness.split(' ')[0]} ${tier.toUpperCase()},`;
  const others = cell
    .split('<br>')
    .filter((entry) => entry !== '—' && !entry.startsWith(`${harness} `) && !entry.startsWith(whole));
  const entry = `${harness} ${tier.toUpperCase()}, ${date}, seed ${seed}${commit ? `, at ${commit}` : ''}: ${figure.replaceAll('|', '/')}`;
  return [...others, entry].sort().join('<br>');
}
