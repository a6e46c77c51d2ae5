import type { ClientProfile } from '@ushirika/contract/identity';
import type { Claim, Deposit, Withdrawal } from '@ushirika/contract/wallet';
import { useEffect, useSyncExternalStore } from 'react';
import { addressOf } from '../../api/call.ts';
import { queryClient, refresh } from '../../api/queries.ts';
import { currentSession, signOut } from '../../session/session.ts';
import { eventReader, type StreamEvent } from './event-stream.ts';

/*
 * One's own money as it moves: one stream for the tab, open while anything on screen uses it. EventSource cannot send
 * the token, so the stream is read from a fetch. Where there is no stream, whoever waits asks again by themselves.
 */

const AGAIN_MS = [1_000, 2_000, 5_000, 10_000, 30_000] as const;

let users = 0;
let ended: AbortController | null = null;
let isOpen = false;
const listeners = new Set<() => void>();

/** Keeps the stream open while the caller is on screen; true while it is connected. */
export function useLiveMoney(): boolean {
  useEffect(() => {
    users += 1;
    if (users === 1) start();
    return () => {
      users -= 1;
      if (users === 0) stop();
    };
  }, []);
  return useSyncExternalStore(subscribe, () => isOpen);
}

function start(): void {
  stop();
  const own = new AbortController();
  ended = own;
  void follow(own.signal);
}

function stop(): void {
  ended?.abort();
  ended = null;
  setOpen(false);
}

/** Reads the stream, and connects again when it breaks: soon at first, then less and less often. */
async function follow(signal: AbortSignal): Promise<void> {
  let failures = 0;
  while (!signal.aborted && currentSession()) {
    try {
      await readStream(signal, () => {
        failures = 0;
      });
    } catch {
      // Broken, or never there: the next try follows.
    }
    if (!signal.aborted) setOpen(false);
    await pause(AGAIN_MS[Math.min(failures, AGAIN_MS.length - 1)] ?? 30_000, signal);
    failures += 1;
  }
}

async function readStream(signal: AbortSignal, onOpen: () => void): Promise<void> {
  const token = currentSession()?.token;
  const headers = { authorization: `Token ${token}`, accept: 'text/event-stream' };
  const response = await fetch(addressOf('/client/live', {}), { headers, signal });
  if (response.status === 401) return signOut('ended');
  if (!response.ok || !response.body) throw new Error(`The stream was refused: ${response.status}`);
  onOpen();
  setOpen(true);
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  const events = eventReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    for (const event of events(value)) take(event);
  }
}

/** What came is written where the screens read it; what follows from it is fetched again. */
function take({ event, data }: StreamEvent): void {
  if (event === 'wallet') {
    const wallet = JSON.parse(data) as ClientProfile['wallet'];
    const moved = setWallet(wallet);
    if (moved) void refresh(['Client']);
  }
  if (event === 'deposit' || event === 'withdrawal' || event === 'claim') {
    const thing = JSON.parse(data) as Deposit | Withdrawal | Claim;
    queryClient.setQueryData(['Client', event, thing.id], thing);
    void queryClient.invalidateQueries({ queryKey: ['Client', 'deposits'] });
  }
}

/** Whether the balance differs from what is shown. */
function setWallet(wallet: ClientProfile['wallet']): boolean {
  let moved = false;
  for (const part of ['profile', 'summary']) {
    queryClient.setQueriesData<{ wallet: ClientProfile['wallet'] }>({ queryKey: ['Client', part] }, (old) => {
      if (!old || (old.wallet.amount === wallet.amount && old.wallet.held === wallet.held)) return old;
      moved = true;
      return { ...old, wallet };
    });
  }
  return moved;
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((done) => {
    const timer = setTimeout(done, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      done();
    });
  });
}

function setOpen(next: boolean): void {
  if (isOpen === next) return;
  isOpen = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
