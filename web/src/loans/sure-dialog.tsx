import type { ReactNode } from 'react';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { say } from '../words/say.ts';
import { useAct } from './use-act.ts';

/** Asks once more before something is done that cannot be undone by itself. */
export function SureDialog({
  title,
  act: words,
  isGrave = false,
  send,
  onClose,
  children,
}: {
  title: string;
  /** What the button that does it says. */
  act: string;
  isGrave?: boolean;
  send: () => Promise<{ message: string }>;
  onClose: () => void;
  children: ReactNode;
}) {
  const { busy, act } = useAct();
  const go = async () => {
    if (await act(send)) onClose();
  };
  return (
    <Dialog title={title} onClose={onClose}>
      {children}
      <div className="mt-5 grid gap-2.5 sm:grid-cols-2">
        <Button look={isGrave ? 'clay' : 'main'} busy={busy} onClick={() => void go()}>
          {busy ? say('processing...') : words}
        </Button>
        <Button look="line" onClick={onClose}>
          {say('Not now')}
        </Button>
      </div>
    </Dialog>
  );
}
