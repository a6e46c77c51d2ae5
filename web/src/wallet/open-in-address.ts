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
  /** The same dialog goes on with other values: the address changes without a step to go back to. */
  const goOn = (more: Readonly<Record<string, string>>) => {
    setSearch(withDialog(search, { open: open ?? '', ...more }), { replace: true });
  };
  const close = () => setSearch(withDialog(search, {}), { replace: true });
  return { open, value: (name: string) => search.get(name), show, goOn, close };
}

const OF_DIALOGS = ['open', 'deposit', 'claim', 'withdrawal', 'again', 'journal', 'trade', 'order'];

/** What else the address says, such as a search, stays. */
export function withDialog(search: URLSearchParams, values: Readonly<Record<string, string>>): URLSearchParams {
  const next = new URLSearchParams(search);
  for (const name of OF_DIALOGS) next.delete(name);
  for (const [name, value] of Object.entries(values)) if (value) next.set(name, value);
  return next;
}
