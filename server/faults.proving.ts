import { createHash } from 'node:crypto';
import type { FaultPoint, Guard } from './faults.ts';

/**
 * How often each fault happens, from 0 to 1, drawn from a seed: the same seed and order bring the same faults. With
 * `whose`, the order is of each by themselves: what others do at the same time changes nothing.
 */
export interface FaultPlan {
  readonly seed: number;
  readonly rates: Readonly<Partial<Record<FaultPoint, number>>>;
  /** Turns of each point that are spared at first, so that a process gets as far as its start. With `whose`: of each. */
  readonly skip?: number;
  /** Names what is being done just now. */
  readonly whose?: () => string;
}

// Only `--conditions=proving` leads here (see faults.ts). Should anybody ever give it to the product itself, it stops.
if (process.env.NODE_ENV === 'production') throw new Error('Fault points are for prove/ alone, never for production.');

let plan: FaultPlan | null = process.env.FAULTS ? (JSON.parse(process.env.FAULTS) as FaultPlan) : null;
const asked = new Map<string, number>();
const fired = new Map<FaultPoint, number>();

/** From now on the faults of this plan happen. */
export function arm(faults: FaultPlan): void {
  plan = faults;
  asked.clear();
  fired.clear();
}

/** No more faults; returns how often each happened. */
export function disarm(): Partial<Record<FaultPoint, number>> {
  plan = null;
  return firedSoFar();
}

export function firedSoFar(): Partial<Record<FaultPoint, number>> {
  return Object.fromEntries(fired);
}

export function buggify(point: FaultPoint): boolean {
  const rate = plan?.rates[point] ?? 0;
  if (!plan || rate <= 0) return false;
  const turns = plan.whose ? `${point} of ${plan.whose()}` : point;
  const turn = (asked.get(turns) ?? 0) + 1;
  asked.set(turns, turn);
  if (turn <= (plan.skip ?? 0) || draw(`${plan.seed}:${turns}:${turn}`) >= rate) return false;
  fired.set(point, (fired.get(point) ?? 0) + 1);
  // A child process may be killed at any moment: whoever started it counts by these lines.
  if (process.env.FAULTS) console.log(`fault ${point}`);
  return true;
}

let leftOut: Guard | null = null;

/** From now on this rule against abuse is not applied; `null` applies all of them again. */
export function leaveOut(guard: Guard | null): void {
  leftOut = guard;
}

export function isGuarded(guard: Guard): boolean {
  return guard !== leftOut;
}

/** A number in [0, 1) that hangs on the text alone. */
function draw(text: string): number {
  return createHash('sha256').update(text).digest().readUIntBE(0, 6) / 2 ** 48;
}
