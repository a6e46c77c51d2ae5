import { useSyncExternalStore } from 'react';
import { say } from '../words/say.ts';

/** Says that there is no network; money is never queued for later. */
export function OfflineNote() {
  const isOnline = useSyncExternalStore(subscribe, () => navigator.onLine);
  return (
    <div role="status">
      {!isOnline && (
        <p className="bg-ochre-tint px-4 py-2 text-center text-small font-semibold text-ochre-ink">
          {say('You are offline. You can look around; nothing is sent until you are back.')}
        </p>
      )}
    </div>
  );
}

function subscribe(listener: () => void): () => void {
  addEventListener('online', listener);
  addEventListener('offline', listener);
  return () => {
    removeEventListener('online', listener);
    removeEventListener('offline', listener);
  };
}
