import { useEffect, useState } from 'react';
import { paths } from '../paths.ts';
import { browserCrypto } from './browser-crypto.ts';
import { type Checked, checkSaved } from './check-saved.ts';
import { rememberKeys } from './known-keys.ts';
import { lookUp, serverLogs } from './log-source.ts';
import type { SavedReceipt } from './saved-receipt.ts';

/** The address that this document was loaded from. The browser writes its entry anew for each question, so that it is asked once. */
const [loaded] = performance.getEntriesByType('navigation');

/** Whether this document was loaded at /verify: a document keeps its content policy, whatever page it shows. */
export const isDocumentOfVerify = (): boolean =>
  loaded !== undefined && new URL(loaded.name).pathname === paths.verify();

/** Checks a receipt in this browser; null while that goes on. */
export function useChecked(receipt: SavedReceipt | null, endpoint: string | null) {
  const [checked, setChecked] = useState<Checked | null>(null);
  const [round, setRound] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another round checks the same again
  useEffect(() => {
    let isOver = false;
    setChecked(null);
    if (receipt) {
      const mayAskChain = isDocumentOfVerify();
      const means = { crypto: browserCrypto, logs: serverLogs, lookUp, endpoint, mayAskChain };
      void checkSaved(receipt, means).then((result) => {
        if (!isOver) setChecked(result);
      });
    }
    return () => {
      isOver = true;
    };
  }, [receipt, endpoint, round]);
  return {
    checked,
    again: () => setRound(round + 1),
    /** From now on the keys that the server has now are known, too. */
    trustNewKeys: () => {
      if (receipt && checked) rememberKeys(browserCrypto.sha256, receipt.entry.log, checked.newKeys);
      setRound(round + 1);
    },
  };
}
