import { useState } from 'react';
import { keepTyping, readTyping } from '../session/kept-typing.ts';
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

/** An application typed half stays in this tab, for this person and sacco, until it is sent. */
export function useKeptApplication(sacco: string | undefined) {
  const name = `loan application ${sacco}`;
  const [rest, setRest] = useState<Rest>(() => ({ ...EMPTY, ...readTyping<Rest>(name) }));
  const keep = (next: Rest) => {
    setRest(next);
    keepTyping(name, next);
  };
  return { rest, keep, forget: () => keepTyping(name, undefined) };
}
