import { Mark } from '../ui/icon.tsx';
import { say } from '../words/say.ts';

/** Before the first page's own code is here. */
export function Splash() {
  return (
    <div className="grid min-h-dvh place-content-center justify-items-center gap-3 text-ink-2">
      <Mark className="size-12" />
      <p role="status">{say('Loading...')}</p>
    </div>
  );
}
