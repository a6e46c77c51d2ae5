import { useSearchParams } from 'react-router';

/**
 * The dialog that a page shows, kept in its address (`?open=top-up&deposit=…`): going back closes it, loading again
 * shows it as it was. `more` are the dialog's own values.
 */
export function useOpenInAddress() {
  const [search, setSearch] = useSearchParams();
  const open = search.get('open');
  const show = (name: string, more: Readonly<Record<string, string>> = {}) => {
    setSearch(withDialog(search, { open: name, ...more }));
  };
  /** A dialog about money in place of the open one, which is there again once it is closed. */
  const showBetween = (name: string, more: Readonly<Record<string, string>> = {}) => {
    setSearch(between(search, { open: name, ...more }));
  };
  /** The same dialog goes on with other values: the address changes without a step to go back to. */
  const goOn = (more: Readonly<Record<string, string>>) => {
    setSearch(withDialog(search, { ...waitingIn(search), open: open ?? '', ...more }), { replace: true });
  };
  const close = () => setSearch(closed(search), { replace: true });
  return { open, value: (name: string) => search.get(name), show, showBetween, goOn, close };
}

/** Names of the dialogs about one's money, and their values. */
const OF_MONEY = ['top-up', 'confirm', 'withdraw', 'receipt', 'confirm-phone'];
const MONEY_VALUES = ['deposit', 'claim', 'withdrawal', 'again', 'journal'];
/** Values of the dialog that waits meanwhile; `then` is its name. */
const WAITING_VALUES = ['then', 'sacco', 'trade', 'order'];
const OF_DIALOGS = ['open', ...MONEY_VALUES, ...WAITING_VALUES];

const waitingIn = (search: URLSearchParams) =>
  Object.fromEntries(WAITING_VALUES.map((name) => [name, search.get(name) ?? '']));

/** Notes the dialog that was open, where it is none about money itself. */
export function between(search: URLSearchParams, values: Readonly<Record<string, string>>): URLSearchParams {
  const open = search.get('open') ?? '';
  const then = search.get('then') ?? (OF_MONEY.includes(open) ? '' : open);
  return withDialog(search, { ...waitingIn(search), then, ...values });
}

/** Without the open dialog: the one that waited meanwhile is open, or none. */
export function closed(search: URLSearchParams): URLSearchParams {
  const { then = '', ...values } = waitingIn(search);
  return withDialog(search, then ? { ...values, open: then } : {});
}

/** What else the address says, such as a search, stays. */
export function withDialog(search: URLSearchParams, values: Readonly<Record<string, string>>): URLSearchParams {
  const next = new URLSearchParams(search);
  for (const name of OF_DIALOGS) next.delete(name);
  for (const [name, value] of Object.entries(values)) if (value) next.set(name, value);
  return next;
}
