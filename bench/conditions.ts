import { closeSync, fdatasyncSync, openSync, readdirSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { join } from 'node:path';

/** Durable writes of 8 kB per second in a folder: what no commit can be faster than. */
export function measureFdatasync(folder: string, milliseconds = 1_000): number {
  const path = join(folder, 'fdatasync');
  const file = openSync(path, 'w');
  const page = Buffer.alloc(8_192, 1);
  const started = performance.now();
  let writes = 0;
  while (performance.now() - started < milliseconds) {
    writeSync(file, page, 0, page.length, 0);
    fdatasyncSync(file);
    writes += 1;
  }
  const rate = writes / ((performance.now() - started) / 1_000);
  closeSync(file);
  rmSync(path);
  return rate;
}

export interface CpuTimes {
  readonly total: number;
  readonly steal: number;
  readonly idle: number;
}

/** The machine's clock ticks so far; null where the system does not say. */
export function readCpuTimes(): CpuTimes | null {
  try {
    const line = readFileSync('/proc/stat', 'utf8').split('\n')[0] ?? '';
    const ticks = line.trim().split(/\s+/).slice(1).map(Number);
    // user nice system idle iowait irq softirq steal; guest time is counted in user already.
    return { total: ticks.slice(0, 8).reduce((a, b) => a + b, 0), idle: ticks[3] ?? 0, steal: ticks[7] ?? 0 };
  } catch {
    return null;
  }
}

/** The share of time that the host gave to others, in percent. */
export function stealPercent(before: CpuTimes | null, after: CpuTimes | null): string {
  if (!before || !after || after.total === before.total) return 'unknown';
  return `${((100 * (after.steal - before.steal)) / (after.total - before.total)).toFixed(1)} %`;
}

export function describeMachine(): string {
  const all = cpus();
  return `${all.length} cores of ${all[0]?.model.trim() ?? 'an unnamed processor'}, Node ${process.version}`;
}

/** A line of warning when others keep the machine busy: figures taken then are for a look, not for the record. */
export function describeQuiet(): string {
  const load = loadavg()[0] ?? 0;
  const isQuiet = load < cpus().length / 2;
  return isQuiet ? 'the machine is quiet' : `THE MACHINE IS BUSY (load ${load.toFixed(1)}): discard these figures`;
}

/**
 * Processor time, in microseconds, that a process and its children have used so far; null where /proc is not there.
 * Says what a unit of work costs even while others hold the processors, to the kernel's hundredth of a second.
 */
export function readProcessorTime(parent: number): number | null {
  try {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .reduce((sum, name) => sum + ticksOf(Number(name), parent) * 10_000, 0);
  } catch {
    return null;
  }
}

function ticksOf(pid: number, parent: number): number {
  try {
    // After the name in brackets: state, parent, …; then own user and system time, and that of children that ended.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
    const [user = 0, system = 0, endedUser = 0, endedSystem = 0] = fields.slice(11, 15).map(Number);
    if (pid === parent) return user + system + endedUser + endedSystem;
    return Number(fields[1]) === parent ? user + system : 0;
  } catch {
    return 0;
  }
}
