import { type RefusalCode, sharedRefusals } from './refusals.ts';
import type { Caller, Route } from './route.ts';

const ofSession: readonly RefusalCode[] = ['not_signed_in', 'session_ended'];

/** What the door answers, by whom it lets in. */
const ofCaller: Readonly<Record<Caller, readonly RefusalCode[]>> = {
  anyone: [],
  provider: [],
  signed_in: ofSession,
  member: [...ofSession, 'sacco_required', 'not_a_member'],
  official: [...ofSession, 'sacco_required', 'not_allowed', 'second_factor_enrolment_required'],
  operator: [...ofSession, 'not_allowed', 'second_factor_enrolment_required'],
};

/**
 * A person whose account is suspended reads what is theirs, votes, stands, complains and pays what they owe. Only taking money out and binding
 * others stops (docs/decisions/161).
 */
export const mayWhileSuspended = ({ method, caller, whileSuspended }: Route): boolean =>
  whileSuspended === true || (method === 'GET' && caller !== 'official' && caller !== 'operator');

/** Every refusal that a route may answer with: its own, those of its caller and of its repetition, and the shared. */
export function refusalsOf(route: Route): readonly RefusalCode[] {
  const ofRepetition: readonly RefusalCode[] = route.repetition === 'key' ? ['idempotency_key_reused'] : [];
  const ofSuspended: readonly RefusalCode[] =
    ofCaller[route.caller].length === 0 || mayWhileSuspended(route) ? [] : ['account_suspended'];
  return [
    ...new Set([...ofCaller[route.caller], ...ofSuspended, ...ofRepetition, ...route.refusals, ...sharedRefusals]),
  ];
}
