import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, mkdtempSync, openSync, readdirSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { constants, getPriority, setPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Control, faultsOf, type Harness, type Order, type Outcome, type Tier } from './harness.ts';
import { recordFigures } from './promises.ts';

/**
 * `npm run prove -- --tier n|r [--only matrix,fuzz] [--seed 7] [--part 3] [--record]`: every harness of a tier, each in a
 * process of its own, its negative controls first. Ends with 1 when one is red, or when a control stayed green. What takes
 * hours is divided into parts (decision 135), which may be run on different days. One after the other, for most have a
 * clock to keep; a harness that has none runs beside them on what they leave.
 */
const { values } = parseArgs({
  options: {
    tier: { type: 'string', default: 'n' },
    only: { type: 'string' },
    seed: { type: 'string' },
    part: { type: 'string' },
    record: { type: 'boolean', default: false },
  },
});

/** Whoever calls a run off: an operator, a terminal, a session's end. */
const CALLED_OFF = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;
/** Where the lines of a harness go, and what it may take of the machine. */
interface RunMode {
  say(line: string): void;
  /** Of its process: ours, or a file. */
  readonly output: 'inherit' | number;
  /** Whether it lets the others go first. */
  readonly isBeside: boolean;
}
const FOREGROUND: RunMode = { say: (line) => console.log(line), output: 'inherit', isBeside: false };
/** The priority of what runs beside; whoever runs us may have given us less. */
const BESIDE = Math.max(getPriority(), constants.priority.PRIORITY_BELOW_NORMAL);
const tier = tierOf(values.tier);
const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 31));
const onlyPart = values.part === undefined ? null : Number(values.part);
const harnesses = await findHarnesses(values.only?.split(',') ?? null);
for (const { name, parts } of harnesses) assertPart(name, parts?.[tier] ?? 1);
console.log(`Tier ${tier.toUpperCase()}, seed ${seed}: ${harnesses.map(({ name }) => name).join(', ')}\n`);
const papers = mkdtempSync(join(tmpdir(), 'ushirika-prove-'));
const underWay = new Set<ChildProcess>();
process.on('exit', () => {
  for (const child of underWay) child.kill();
  rmSync(papers, { recursive: true, force: true });
});
for (const signal of CALLED_OFF) process.on(signal, () => process.exit(143));
const began = performance.now();
const patient = harnesses.length > 1 ? harnesses.filter(({ isPatient }) => isPatient) : [];
const beside = patient.map(proveBeside);
let red = 0;
for (const harness of harnesses) if (!patient.includes(harness)) red += await prove(harness, FOREGROUND);
for (const wrong of await Promise.all(beside)) red += wrong;
console.log(`\n${harnesses.length} harnesses in ${minutesSince(began)} min, ${red} red (seed ${seed})`);
process.exitCode = red > 0 ? 1 : 0;

function tierOf(text: string): Tier {
  if (text === 'c' || text === 'n' || text === 'r') return text;
  throw new Error('--tier is c, n or r.');
}

/** A part that is not there would be proved by doing nothing. */
function assertPart(name: string, parts: number): void {
  if (onlyPart === null || (Number.isInteger(onlyPart) && onlyPart >= 1 && onlyPart <= parts)) return;
  throw new Error(`${name} has ${parts === 1 ? 'one part' : `parts 1 to ${parts}`} in tier ${tier.toUpperCase()}.`);
}

async function findHarnesses(only: readonly string[] | null): Promise<Harness[]> {
  const names = readdirSync(import.meta.dirname).filter((name) =>
    existsSync(join(import.meta.dirname, name, `${name}.harness.ts`)),
  );
  const unknown = only?.filter((name) => !names.includes(name)) ?? [];
  if (unknown.length > 0) throw new Error(`There is no ${unknown.join(', ')}; there are ${names.join(', ')}.`);
  const all = await Promise.all(
    names.map(async (name) => (await import(`./${name}/${name}.harness.ts`)).harness as Harness),
  );
  return all.filter(({ name, tiers }) => (only ? only.includes(name) : tiers.includes(tier)));
}

/** Out of the others' way, and told in one piece at its end. */
async function proveBeside(harness: Harness): Promise<number> {
  const told = join(papers, `${harness.name}.txt`);
  const output = openSync(told, 'w');
  console.log(`${harness.name} runs beside the others, and is told at its end.`);
  const say = (line: string) => void writeSync(output, `${line}\n`);
  const wrong = await prove(harness, { say, output, isBeside: true });
  closeSync(output);
  console.log(readFileSync(told, 'utf8').trimEnd());
  return wrong;
}

/** Runs a harness and its controls; returns how much of it was red that should not be, or green that should not be. */
async function prove(harness: Harness, mode: RunMode): Promise<number> {
  const { say } = mode;
  say(`${harness.name}  ${harness.title} (${harness.promises.join(', ')})`);
  const parts = harness.parts?.[tier] ?? 1;
  // A tier that is not divided is all of it: each control speaks for it.
  const guards = ({ part: own = 1 }: Control, part: number) => parts === 1 || own === part;
  const stayedGreen: Control[] = [];
  for (const control of harness.controls.filter((one) => onlyPart === null || guards(one, onlyPart))) {
    const { violations } = await runApart({ name: harness.name, tier: 'c', seed, broken: control.name }, mode);
    const isRed = control.expected.test(violations[0] ?? '');
    say(`    ${isRed ? 'red, as it must be' : 'NOT SEEN RED'}: ${control.breaks}`);
    if (!isRed) say(`      ${violations[0] ?? 'it stayed green'}`);
    if (!isRed) stayedGreen.push(control);
  }
  let wrong = stayedGreen.length;
  for (let part = 1; part <= parts; part += 1) {
    const mayRecord = stayedGreen.every((control) => control.part !== undefined && !guards(control, part));
    if (onlyPart === null || onlyPart === part) wrong += await provePart(harness, part, { parts, mayRecord, mode });
  }
  return wrong;
}

/**
 * Returns 1 where it is red. Each part has a seed of its own. What was not seen red when it was broken proves nothing, and
 * is not recorded.
 */
async function provePart(
  { name }: Harness,
  part: number,
  { parts, mayRecord, mode }: { readonly parts: number; readonly mayRecord: boolean; readonly mode: RunMode },
): Promise<number> {
  const { say } = mode;
  const start = performance.now();
  const partSeed = seed + part - 1;
  const outcome = await runApart({ name, tier, seed: partSeed, ...(parts > 1 ? { part } : {}) }, mode);
  const faults = faultsOf(outcome);
  if (parts > 1) say(`    part ${part} of ${parts}, seed ${partSeed}`);
  for (const fault of faults.slice(0, 20)) say(`    VIOLATED: ${fault}`);
  for (const [promise, figure] of Object.entries(outcome.figures)) say(`    ${promise}: ${figure}`);
  say(`    fired: ${JSON.stringify(outcome.fired)}; ${minutesSince(start)} min`);
  if (faults.length > 0) return 1;
  // A part of the crash harness alone is not what its line promises.
  if (values.record && mayRecord && !process.env.PROVE_PART) {
    const harness = parts > 1 ? `${name} ${part}/${parts}` : name;
    recordFigures(outcome.figures, { harness, tier, seed: partSeed, commit: commitNow() });
  }
  return 0;
}

/** In a process of its own: a harness that falls over takes nobody with it, and leaves nothing behind. */
async function runApart(order: Omit<Order, 'file'>, { output, isBeside }: RunMode): Promise<Outcome> {
  const file = join(mkdtempSync(join(papers, 'run-')), 'outcome.json');
  const program = join(import.meta.dirname, 'run-harness.program.ts');
  // As the server's own process has it (decision 137).
  const env = { MALLOC_ARENA_MAX: '2', ...process.env };
  const child = spawn(
    process.execPath,
    ['--conditions=proving', program, JSON.stringify({ ...order, file } satisfies Order)],
    { stdio: ['ignore', output, output], env },
  );
  if (isBeside && child.pid !== undefined) setPriority(child.pid, BESIDE);
  underWay.add(child);
  const [code] = await once(child, 'exit');
  underWay.delete(child);
  const outcome = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Outcome) : null;
  return outcome ?? { violations: [`the harness itself fell over (exit code ${code})`], fired: {}, figures: {} };
}

/** Null where this is no checkout. */
function commitNow(): string | null {
  const { status, stdout } = spawnSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' });
  return status === 0 ? stdout.trim() : null;
}

function minutesSince(from: number): string {
  return ((performance.now() - from) / 60_000).toFixed(1);
}
