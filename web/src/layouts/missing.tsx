import { useContext, useEffect } from 'react';
import { Dialog } from '../ui/dialog.tsx';
import { say } from '../words/say.ts';
import { Again, notLoaded } from './later.tsx';

/** In the place of a part that could not be loaded: a sentence, and another try by hand or when the network is back. */
export function Missing({ onLeft, onClose }: { onLeft: () => void; onClose?: (() => void) | undefined }) {
  const again = useContext(Again);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, for as long as it is missing
  useEffect(() => {
    addEventListener('online', again);
    return () => {
      removeEventListener('online', again);
      onLeft();
    };
  }, []);
  const sentence = (
    <div role="alert" className="grid justify-items-start gap-4">
      <p>{notLoaded()}</p>
      <button type="button" className="btn btn-line" onClick={again}>
        {say('Try again')}
      </button>
    </div>
  );
  if (!onClose) return <div className="card m-auto w-full max-w-xl p-5">{sentence}</div>;
  return (
    <Dialog title={say('Not loaded')} onClose={onClose}>
      {sentence}
    </Dialog>
  );
}
