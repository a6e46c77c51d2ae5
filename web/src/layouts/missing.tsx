import { useContext, useEffect, useState } from 'react';
import { isNewerBuildOut, loadNewerBuild } from '../new-build.ts';
import { Dialog } from '../ui/dialog.tsx';
import { say } from '../words/say.ts';
import { Again, notLoaded } from './later.tsx';

/** The first requests after a network is back often fail still: for so long a part is asked for again by itself. */
const BACK_MS = 20_000;
const AGAIN_MS = 1_500;
let backAt = Number.NEGATIVE_INFINITY;
addEventListener('online', () => {
  backAt = performance.now();
});

/**
 * A sentence in the place of a part that could not be loaded, and another try by hand or when the network is back. Where a newer build is
 * out, the person loads the page again.
 */
export function Missing({ onLeft, onClose }: { onLeft: () => void; onClose?: (() => void) | undefined }) {
  const again = useContext(Again);
  const [isOld, setOld] = useState(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, for as long as it is missing
  useEffect(() => {
    addEventListener('online', again);
    const soon = performance.now() - backAt < BACK_MS ? setTimeout(again, AGAIN_MS) : undefined;
    void isNewerBuildOut().then(setOld);
    return () => {
      removeEventListener('online', again);
      clearTimeout(soon);
      onLeft();
    };
  }, []);
  const sentence = (
    <div role="alert" className="grid justify-items-start gap-4">
      <p>
        {isOld
          ? say('A newer version of this page is out. Load it again to go on; what is typed here is lost then.')
          : notLoaded()}
      </p>
      <button type="button" className="btn btn-line" onClick={isOld ? () => void loadNewerBuild() : again}>
        {isOld ? say('Load again') : say('Try again')}
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
