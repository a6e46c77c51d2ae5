import { useState } from 'react';
import { onSignOut, useSession } from '../session/session.ts';
import type { Asked } from './guarantors-step.tsx';

/** An application as it is typed, but for its terms, which stand in the address. */
export interface Rest {
  readonly purpose: string;
  readonly income: string;
  readonly refinances: string;
  /** A guarantee of a pool that one has already. */
  readonly poolGuarantee: string;
  readonly asked: readonly Asked[];
}

const EMPTY: Rest = { purpose: '', income: '', refinances: '', poolGuarantee: '', asked: [] };
const NAME = 'loan_application';

/**
 * An application typed half stays in this tab, for this person and sacco, until it is sent or somebody signs out: also
 * after the page was left or loaded again. A browser without storage keeps it while the page is open.
 */
export function useKeptApplication(sacco: string | undefined) {
  const whose = `${useSession()?.user.id} ${sacco}`;
  const [rest, setRest] = useState<Rest>(() => read(whose));
  const keep = (next: Rest) => {
    setRest(next);
    write({ whose, rest: next });
  };
  return { rest, keep, forget: () => write(null) };
}

onSignOut(() => write(null));

function read(whose: string): Rest {
  try {
    const kept = JSON.parse(sessionStorage.getItem(NAME) ?? 'null') as { whose: string; rest: Rest } | null;
    return kept?.whose === whose ? { ...EMPTY, ...kept.rest } : EMPTY;
  } catch {
    return EMPTY;
  }
}

function write(kept: { whose: string; rest: Rest } | null): void {
  try {
    if (kept) sessionStorage.setItem(NAME, JSON.stringify(kept));
    else sessionStorage.removeItem(NAME);
  } catch {
    // It stays on the page.
  }
}
