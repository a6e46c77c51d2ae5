import { useEffect, useState } from 'react';
import { currentSession } from './session.ts';

/**
 * A picture that is fetched in one's own name, as an address for `img`; null until it is there, and where it does not come.
 * @param saccoId the sacco as whose official one asks
 */
export function usePrivatePicture(address: string | null, saccoId?: string): string | null {
  const [shown, setShown] = useState<string | null>(null);
  useEffect(() => {
    const session = currentSession();
    if (!address || !session) return;
    let url = '';
    const ending = new AbortController();
    const headers = { authorization: `Token ${session.token}`, ...(saccoId ? { saccoId } : {}) };
    void fetchPicture(address, headers, ending.signal).then((picture) => {
      if (!picture || ending.signal.aborted) return;
      url = URL.createObjectURL(picture);
      setShown(url);
    });
    return () => {
      ending.abort();
      setShown(null);
      if (url) URL.revokeObjectURL(url);
    };
  }, [address, saccoId]);
  return shown;
}

async function fetchPicture(
  address: string,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<Blob | null> {
  try {
    const response = await fetch(address, { headers, signal });
    return response.ok ? await response.blob() : null;
  } catch {
    return null;
  }
}
