import { type ReactNode, useId, useLayoutEffect, useRef } from 'react';
import { say } from '../words/say.ts';
import { closeOnBack, openerOf } from './back-closes.ts';
import { Icon } from './icon.tsx';
import { forgetText, keepText } from './kept-text.ts';
import { toast } from './toast.ts';
import { enterTopLayer } from './top-layer.ts';

/** A dialog over the page, open while it is rendered. Its title is its name; Escape, the cross and going back close it. */
export function Dialog({
  title,
  onClose,
  wide = false,
  children,
}: {
  title: string;
  onClose: () => void;
  wide?: boolean;
  children: ReactNode;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  const close = useRef(onClose);
  close.current = onClose;
  // A layout effect, since it runs as the dialog leaves the screen: going back at once finds no dialog.
  useLayoutEffect(() => {
    const element = dialog.current;
    if (!element) return;
    const opener = document.activeElement;
    element.showModal();
    const leave = enterTopLayer(element);
    let isKept = false;
    const stay = closeOnBack(
      () => close.current(),
      () => {
        isKept = true;
        keepText(element);
      },
    );
    openerOf(element);
    return () => {
      leave();
      stay();
      if (!isKept) forgetText(element);
      element.close();
      toast.endOfPlace();
      if (opener instanceof HTMLElement && opener.isConnected) opener.focus();
    };
  }, []);
  return (
    <dialog
      ref={dialog}
      aria-labelledby={titleId}
      className={`sheet ${wide ? '[--sheet-width:44rem]' : ''}`}
      onCancel={(event) => {
        event.preventDefault();
        // React lets this event rise: Escape in a dialog over this one closes that one only.
        if (event.target === event.currentTarget) onClose();
      }}
    >
      <div className="z-10 flex shrink-0 items-center justify-between gap-4 border-b border-dashed border-line bg-surface py-2 pr-2 pl-5 sm:pl-6">
        <h2 id={titleId} className="py-2 text-title" tabIndex={-1}>
          {title}
        </h2>
        <button type="button" className="btn btn-quiet" aria-label={say('Close')} onClick={onClose}>
          <Icon name="close" />
        </button>
      </div>
      <div className="sheet-body p-5 pb-[max(20px,env(safe-area-inset-bottom))] sm:p-6">{children}</div>
    </dialog>
  );
}
