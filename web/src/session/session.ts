import { API_BASE } from '@ushirika/contract/constants';
import { useSyncExternalStore } from 'react';
import { clearLocalStorage } from '../preferences.ts';
import type { Explanation } from '../ui/form.tsx';
import { toast } from '../ui/toast.ts';
import { say } from '../words/say.ts';
import { parseStoredSacco, parseStoredSession, type Stored, type StoredSacco, type StoredSession } from './stored.ts';

export type { StoredSacco, StoredSession };

/**
 * The only module that reads and writes localStorage.user and localStorage.sacco. What the browser holds is the truth:
 * it is read anew each time and parsed once per text.
 */
const USER = 'user';
const SACCO = 'sacco';
const RETURN_TO = 'return_to';
const PROBE = 'probe';
/** More than a session and a chosen sacco take. */
const PROBE_LENGTH = 16_384;

type Navigate = (to: string, options?: { replace?: boolean }) => void;
export type SignOutReason = 'asked' | 'idle' | 'ended';

let navigate: Navigate = (to) => location.assign(to);
const listeners = new Set<() => void>();
const clearers = new Set<() => void>();

/** How this module goes to a page: the router's own way, handed in by the root layout. */
export function navigateBy(way: Navigate): void {
  navigate = way;
}

let privatePages = 0;

/** A page that only its person may see is on screen until the returned function is called. */
export function enterPrivatePage(): () => void {
  privatePages += 1;
  // Another tab may have signed out while the page was being drawn.
  if (!currentSession()) leavePrivatePage();
  return () => {
    privatePages -= 1;
  };
}

/** Keeps this tab in step with the others. Called once, at start. */
export function startSession(): void {
  addEventListener('storage', (event) => {
    if (event.storageArea !== localStorage) return;
    if (event.key !== null && event.key !== USER && event.key !== SACCO) return;
    tell();
    if (event.key !== SACCO) followOtherTab();
  });
}

/** Cached data to be dropped when somebody signs out. */
export function onSignOut(clear: () => void): void {
  clearers.add(clear);
}

export function readStoredSession(): Stored<StoredSession> {
  return readParsed(USER, parseStoredSession);
}

export function readStoredSacco(): Stored<StoredSacco> {
  return readParsed(SACCO, parseStoredSacco);
}

/** Who is signed in in this browser, or null. Safe while rendering. */
export function currentSession(): StoredSession | null {
  const stored = readStoredSession();
  return stored.state === 'present' ? stored.value : null;
}

/** The chosen sacco, or null. */
export function currentSacco(): StoredSacco | null {
  const stored = readStoredSacco();
  return stored.state === 'present' ? stored.value : null;
}

export function useSession(): StoredSession | null {
  return useSyncExternalStore(subscribe, currentSession);
}

export function useSacco(): StoredSacco | null {
  return useSyncExternalStore(subscribe, currentSacco);
}

/** Why nobody can be signed in in this browser, before anything is sent; null where it stores what a session needs. */
export function checkStorage(): Explanation | null {
  try {
    localStorage.setItem(PROBE, ' '.repeat(PROBE_LENGTH));
    localStorage.removeItem(PROBE);
    return null;
  } catch {
    return {
      toasts: [
        say(
          'This browser stores nothing for this site, so you cannot be signed in. Allow it to store data, or make room on the device. Nothing was sent.',
        ),
      ],
    };
  }
}

/** Stores the whole answer of the register or login call. Throws when the browser refuses or the answer is no session. */
export function storeSession(answer: object): void {
  const text = JSON.stringify(answer);
  if (parseStoredSession(text).state !== 'present') throw new Error('The answer holds no session.');
  localStorage.setItem(USER, text);
  tell();
}

/** Stores the person as the profile update answered it; the token stays. */
export function storeUpdatedPerson(user: object): void {
  const session = currentSession();
  if (!session) return;
  localStorage.setItem(USER, JSON.stringify({ ...session, user: { ...session.user, ...user } }));
  tell();
}

/** Stores the sacco that the person goes on to work in. */
export function chooseSacco(sacco: StoredSacco): void {
  localStorage.setItem(SACCO, JSON.stringify(sacco));
  tell();
}

/** Remembers the page that a person was sent away from, for after signing in. */
export function rememberPage(path: string): void {
  try {
    sessionStorage.setItem(RETURN_TO, path);
  } catch {
    // Then the person starts from /my-saccos.
  }
}

/** Where to go after signing in: the page that one was sent away from, else /my-saccos. */
export function takeRememberedPage(): string {
  let path: string | null = null;
  try {
    path = sessionStorage.getItem(RETURN_TO);
    sessionStorage.removeItem(RETURN_TO);
  } catch {
    path = null;
  }
  const ours = path?.startsWith('/') && !path.startsWith('//') && !path.startsWith('/auth');
  const possible = ours && !(path?.startsWith('/client') && !currentSacco());
  return possible && path ? path : '/my-saccos';
}

/** The sign-out helper: local storage, session storage and all cached data. Throws when the browser refuses. */
function clearEverything(): void {
  clearLocalStorage();
  sessionStorage.clear();
  for (const clear of clearers) clear();
  tell();
}

/** Opening sign-in without a session clears what is stored here; the remembered page is kept for after it. */
export function clearStoredData(): void {
  try {
    clearLocalStorage();
    for (const clear of clearers) clear();
  } catch {
    // Nothing is stored in a browser that refuses storage.
  }
}

/** A stored session that cannot be read is cleared, and the person told. The caller leads on to sign-in. */
export function leaveCorruptSession(): void {
  try {
    clearEverything();
  } catch {
    // The message says all that the person can do.
  }
  toast.error(say('Could not sign you in at the moment. Kindly try again later!!'), { travels: true });
}

/** Ends the session in this browser first, then tells the server; without a network the person is out all the same. */
export function signOut(reason: SignOutReason): void {
  const session = currentSession();
  const sacco = currentSacco();
  const page = location.pathname + location.search;
  try {
    clearEverything();
  } catch {
    toast.error(say('Failed to log you out!'));
    return;
  }
  if (session && reason !== 'ended') revokeToken(session.token, sacco?.id);
  if (reason === 'ended') rememberPage(page);
  navigate('/auth/login', { replace: reason !== 'asked' });
  if (reason === 'asked') toast.success(say('You been logged out '));
  if (reason === 'idle') toast(say('You been logged out '), { travels: true });
  if (reason === 'ended') toast.error(say('Your session has ended. Sign in again.'), { travels: true });
}

function revokeToken(token: string, saccoId: string | undefined): void {
  const headers: Record<string, string> = { authorization: `Token ${token}`, 'content-type': 'application/json' };
  if (saccoId) headers.saccoId = saccoId;
  fetch(`${API_BASE}/auth/logout/`, { method: 'POST', headers, body: '{}', keepalive: true }).catch(() => {});
}

/** Another tab signed out or in. */
function followOtherTab(): void {
  if (currentSession()) {
    if (location.pathname.startsWith('/auth/')) navigate('/my-saccos', { replace: true });
    return;
  }
  for (const clear of clearers) clear();
  if (privatePages > 0) leavePrivatePage();
}

function leavePrivatePage(): void {
  navigate('/auth/login', { replace: true });
  toast(say('You been logged out '), { travels: true });
}

const parsed = new Map<string, { text: string | null; stored: Stored<unknown> }>();

/** The same text gives the same object, as useSyncExternalStore asks. */
function readParsed<T>(key: string, parse: (text: string | null) => Stored<T>): Stored<T> {
  let text: string | null = null;
  try {
    text = localStorage.getItem(key);
  } catch {
    text = null;
  }
  const known = parsed.get(key);
  if (known && known.text === text) return known.stored as Stored<T>;
  const stored = parse(text);
  parsed.set(key, { text, stored });
  return stored;
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function tell(): void {
  for (const listener of listeners) listener();
}
