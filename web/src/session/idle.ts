import { IDLE_LOGOUT_MS } from '@ushirika/contract/constants';
import { now } from '../clock.ts';
import { currentSession, signOut } from './session.ts';

const ACTIVE_AT = 'active_at';
const SHARE_EVERY_MS = 5_000;
const ACTS = ['mousemove', 'keydown', 'click', 'scroll'] as const;

let activeAt = 0;
let sharedAt = 0;
let timer: ReturnType<typeof setTimeout> | undefined;

/**
 * Signs out after 60 minutes without mouse move, key, click or scroll in any tab: each tab writes its last act to
 * storage, at most once in five seconds, and asks all of them before it ends the session.
 */
export function startIdleLogout(): void {
  for (const act of ACTS) addEventListener(act, noteActivity, { passive: true, capture: true });
  addEventListener('visibilitychange', check);
  const shared = readSharedActivity();
  activeAt = currentSession() && shared ? shared : now();
  check();
}

/** Milliseconds until the session is idle, from the last act of any tab; 0 or less means now. */
export function idleLeftMs(at: number, ownActivity: number, sharedActivity: number): number {
  return Math.max(ownActivity, sharedActivity) + IDLE_LOGOUT_MS - at;
}

function noteActivity(): void {
  const at = now();
  if (idleLeftMs(at, activeAt, readSharedActivity()) <= 0 && currentSession()) {
    check();
    return;
  }
  activeAt = at;
  if (at - sharedAt < SHARE_EVERY_MS && at >= sharedAt) return;
  sharedAt = at;
  if (!currentSession()) return;
  try {
    localStorage.setItem(ACTIVE_AT, String(at));
  } catch {
    // Then this tab speaks for itself only.
  }
}

function check(): void {
  clearTimeout(timer);
  const left = idleLeftMs(now(), activeAt, readSharedActivity());
  if (left > 0) {
    timer = setTimeout(check, left);
    return;
  }
  activeAt = now();
  if (currentSession()) signOut('idle');
  timer = setTimeout(check, IDLE_LOGOUT_MS);
}

function readSharedActivity(): number {
  try {
    return Number(localStorage.getItem(ACTIVE_AT)) || 0;
  } catch {
    return 0;
  }
}
