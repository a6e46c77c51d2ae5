import type { ClientProfile } from '@ushirika/contract/identity';
import type { Claim, Deposit, Withdrawal } from '@ushirika/contract/wallet';
import { useEffect, useSyncExternalStore } from 'react';
import { followEvents, type StreamEvent } from '../../api/event-stream.ts';
import { queryClient, refresh } from '../../api/queries.ts';

/*
 * One's own money as it moves: one stream for the tab, open while anything on screen uses it. Where there is no stream,
 * whoever waits asks again by themselves.
 */

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
  void followEvents({ path: '/client/live', signal: own.signal, onEvent: take, onChange: setOpen });
}

function stop(): void {
  ended?.abort();
  ended = null;
  setOpen(false);
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

function setOpen(next: boolean): void {
  if (isOpen === next) return;
  isOpen = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
