import type { SuspensionAction } from '@ushirika/contract/operator';
import { Refusal } from '@ushirika/contract/refusal';
import { sentence } from '@ushirika/contract/sentence';

const DAY_MS = 86_400_000;
/** One operator alone suspends for so long. */
export const SUSPENSION_MS = 14 * DAY_MS;
/** So long after a suspension of theirs lapsed, or they lifted it, the same operator suspends the same person not again. */
export const SAME_OPERATOR_MS = 90 * DAY_MS;
export const SUSPENSIONS_PER_DAY = 20;

/** A suspension that has not ended. */
export interface OpenSuspension {
  readonly suspendedBy: string;
  readonly upheldBy: string | null;
  /** The operator who asked to lift it; another operator lifts it. */
  readonly liftAskedBy: string | null;
  readonly lapsesAt: Date;
}

export interface Suspendable {
  readonly userId: string;
  readonly isOperator: boolean;
  readonly open: OpenSuspension | null;
  /**
   * Whether a suspension by the operator who asks lapsed in the last 90 days, or was lifted by them. A lift by others is not counted: a
   * friend of a thief could otherwise lift it at once, and keep the operator from stopping the thief again.
   */
  readonly wasLatelyTheirs: boolean;
}

/** Whether it has run out, although nobody has written that down yet. */
export function hasLapsed({ upheldBy, lapsesAt }: Pick<OpenSuspension, 'upheldBy' | 'lapsesAt'>, now: Date): boolean {
  return upheldBy === null && lapsesAt <= now;
}

/** Why an operator may not do this with a person's account; null where they may. */
export function refusalOfSuspension(
  action: SuspensionAction,
  operatorId: string,
  person: Suspendable,
  now: Date,
): Refusal | null {
  const open = person.open && !hasLapsed(person.open, now) ? person.open : null;
  if (action === 'suspend') {
    if (person.userId === operatorId || person.isOperator) return new Refusal('suspension_not_allowed');
    if (open) return new Refusal('suspension_conflict', { message: sentence('This account is suspended already.') });
    // One that is over, although nobody has written that down yet, counts like those that are written down.
    const wasTheirs = person.wasLatelyTheirs || person.open?.suspendedBy === operatorId;
    return wasTheirs ? new Refusal('second_operator_required', { message: AGAIN }) : null;
  }
  if (!open) return new Refusal('suspension_conflict', { message: sentence('This account is not suspended.') });
  if (action === 'lift')
    return open.liftAskedBy === operatorId ? new Refusal('second_operator_required', { message: LIFT_BY_TWO }) : null;
  if (open.upheldBy !== null)
    return new Refusal('suspension_conflict', { message: sentence('It has been upheld already.') });
  return open.suspendedBy === operatorId ? new Refusal('second_operator_required') : null;
}

const LIFT_BY_TWO = sentence('You have asked to lift it. Another operator must lift it too.');
/** One operator lifts alone what they suspended alone. For any other suspension one operator asks, and another lifts it. */
export const isLiftedBy = (operatorId: string, { suspendedBy, upheldBy, liftAskedBy }: OpenSuspension): boolean =>
  (suspendedBy === operatorId && upheldBy === null) || (liftAskedBy !== null && liftAskedBy !== operatorId);
const AGAIN = sentence('You suspended this account before. Within 90 days only another operator can do it again.');

/** What an operator can do with a person's account now. */
export function actionsOf(operatorId: string, person: Suspendable, now: Date): SuspensionAction[] {
  const all: readonly SuspensionAction[] = ['suspend', 'uphold', 'lift'];
  return all.filter((action) => refusalOfSuspension(action, operatorId, person, now) === null);
}
