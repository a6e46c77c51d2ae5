import type { ClientProfile } from '@ushirika/contract/identity';
import type { Claim, Deposit, Withdrawal } from '@ushirika/contract/wallet';
import { useEffect, useSyncExternalStore } from 'react';
import { followEvents, type StreamEvent } from '../api/event-stream.ts';
import { queryClient, refresh } from '../api/queries.ts';

/*
 * One's own money as it moves: one stream for the tab, open while anything on screen uses it. Where there is no stream,
 * whoever waits asks again by themselves.
 */

let users = 0;
let ended: AbortController | null = null;
let isOpen = false;
/** Nothing has come over this connection yet. */
let isNew = true;
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

const FOLLOWED = ['deposit', 'withdrawal', 'claim'] as const;

/** What came is written where the screens read it; what follows from it is fetched again. */
function take({ event, data }: StreamEvent): void {
  if (isNew) catchUp();
  if (event === 'wallet') takeWallet(JSON.parse(data) as ClientProfile['wallet']);
  const followed = FOLLOWED.find((one) => one === event);
  if (followed) takeChange(followed, JSON.parse(data) as Deposit | Withdrawal | Claim);
}

/** From its first word on the server tells every change; what changed before nobody has told. */
function catchUp(): void {
  isNew = false;
  for (const what of FOLLOWED) void queryClient.invalidateQueries({ queryKey: ['Client', what] });
}

/** Shown at once, and asked for again: an answer that was on its way already is older, and would take its place. */
function takeChange(what: (typeof FOLLOWED)[number], thing: Deposit | Withdrawal | Claim): void {
  queryClient.setQueryData(['Client', what, thing.id], thing);
  void queryClient.invalidateQueries({ queryKey: ['Client', what, thing.id] });
  void queryClient.invalidateQueries({ queryKey: ['Client', 'deposits'] });
}

/**
 * Shows the balance that the server has told. An answer that is still on its way may have been read before the balance
 * changed, so it is corrected once it has come.
 */
export function takeWallet(wallet: ClientProfile['wallet']): void {
  if (setWallet(wallet)) void refresh(['Client']);
  const onTheirWay = queryClient.getQueryCache().findAll({ queryKey: ['Client'], fetchStatus: 'fetching' });
  void Promise.allSettled(onTheirWay.map((query) => query.promise)).then(() => {
    if (setWallet(wallet)) void refresh(['Client']);
  });
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
  isNew = true;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
