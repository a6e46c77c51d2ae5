import { useEffect, useState } from 'react';
import { useLocation, useSearchParams } from 'react-router';
import { Icon } from './icon.tsx';

/** What is searched for, from the address (`?name=` or another); written there once the person pauses. */
export function useTypedSearch(parameter: string) {
  const { pathname } = useLocation();
  const [search, setSearch] = useSearchParams();
  const sought = search.get(parameter) ?? '';
  const [typed, setTyped] = useState(sought);
  useEffect(() => {
    const wanted = typed.trim();
    if (wanted === sought) return;
    const timer = setTimeout(() => {
      // Somebody has gone on to another page, which is still on its way: writing this page's address would lead back.
      if (location.pathname !== pathname) return;
      // The browser's address, as a dialog of the address may be on its way, too.
      const next = new URLSearchParams(location.search);
      if (wanted) next.set(parameter, wanted);
      else next.delete(parameter);
      setSearch(next, { replace: true });
    }, 300);
    return () => clearTimeout(timer);
  }, [typed, sought, parameter, pathname, setSearch]);
  return { sought, typed, setTyped };
}

/** A box to search in. */
export function SearchBox({ label, typed, onType }: { label: string; typed: string; onType: (text: string) => void }) {
  return (
    <search className="relative grow basis-64">
      <Icon name="search" className="pointer-events-none absolute top-3.5 left-3.5 size-4.5 text-ink-3" />
      <input
        type="search"
        className="field-box pl-11"
        aria-label={label}
        placeholder={label}
        value={typed}
        onChange={(event) => onType(event.target.value)}
      />
    </search>
  );
}
