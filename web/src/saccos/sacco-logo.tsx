import { useEffect, useState } from 'react';
import { currentSession } from '../session/session.ts';
import { Monogram } from '../ui/avatar.tsx';

interface Named {
  readonly name: string;
  readonly logo: string | null;
}

/**
 * A sacco's logo, or its monogram. While the sacco waits for its activation the logo is for its founder, its officials and
 * operators alone: then it is fetched in their name, and the monogram stands until it is there.
 */
export function SaccoLogo({ sacco, isActive, large }: { sacco: Named; isActive: boolean; large?: boolean }) {
  const fetched = usePrivatePicture(isActive ? null : sacco.logo);
  return <Monogram name={sacco.name} logo={isActive ? sacco.logo : fetched} {...(large ? { large } : {})} />;
}

function usePrivatePicture(address: string | null): string | null {
  const [shown, setShown] = useState<string | null>(null);
  useEffect(() => {
    const session = currentSession();
    if (!address || !session) return;
    let url = '';
    const ending = new AbortController();
    void fetchPicture(address, session.token, ending.signal).then((picture) => {
      if (!picture || ending.signal.aborted) return;
      url = URL.createObjectURL(picture);
      setShown(url);
    });
    return () => {
      ending.abort();
      setShown(null);
      if (url) URL.revokeObjectURL(url);
    };
  }, [address]);
  return shown;
}

/** Null where it does not come: the monogram stays. */
async function fetchPicture(address: string, token: string, signal: AbortSignal): Promise<Blob | null> {
  try {
    const response = await fetch(address, { headers: { authorization: `Token ${token}` }, signal });
    return response.ok ? await response.blob() : null;
  } catch {
    return null;
  }
}
