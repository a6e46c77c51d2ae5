import { SUCCESS_TOAST_MS, TOAST_MS } from '@ushirika/contract/constants';
import { useEffect, useSyncExternalStore } from 'react';
import { createPortal } from 'react-dom';
import { resolveValue, type Toast, useToaster } from 'react-hot-toast/headless';
import { say } from '../words/say.ts';
import { Icon } from './icon.tsx';
import { newestOf, toast } from './toast.ts';
import { useTopLayer } from './top-layer.ts';

const TIMES = {
  duration: TOAST_MS,
  success: { duration: SUCCESS_TOAST_MS },
  error: { duration: TOAST_MS },
  loading: { duration: Number.POSITIVE_INFINITY },
};

/**
 * The toasts at the top right, at most 20 (the library's limit), read out as they come. On a phone the newest alone: three
 * would cover a third of it; and in a dialog below its title, which it would cover.
 */
export function ToastList() {
  const { toasts: all, handlers } = useToaster(TIMES);
  const newest = newestOf(all);
  const isPhone = useIsPhone();
  useEffect(() => {
    if (!isPhone) return;
    for (const one of all) if (one.visible && one.id !== newest?.id) toast.dismiss(one.id);
  }, [isPhone, all, newest]);
  const toasts = isPhone && newest ? [newest] : all;
  const dialog = useTopLayer();
  return createPortal(
    <section
      aria-label={say('Notifications')}
      className="toasts pointer-events-none fixed top-3 right-3 left-3 z-[100] flex flex-col items-end gap-2"
      onMouseEnter={handlers.startPause}
      onMouseLeave={handlers.endPause}
    >
      {toasts.map((one) => (
        <ToastCard key={one.id} one={one} />
      ))}
    </section>,
    dialog ?? document.body,
  );
}

/** Narrower than the first breakpoint of the styles. */
const PHONE = '(width < 40rem)';

function useIsPhone(): boolean {
  return useSyncExternalStore(followPhone, () => matchMedia(PHONE).matches);
}

function followPhone(listener: () => void): () => void {
  const media = matchMedia(PHONE);
  media.addEventListener('change', listener);
  return () => media.removeEventListener('change', listener);
}

const TONES = {
  success: 'text-up',
  error: 'text-clay',
  loading: 'text-ink-2',
  blank: 'text-forest',
  custom: 'text-forest',
} as const;

function ToastCard({ one }: { one: Toast }) {
  return (
    <div
      className="toast pointer-events-auto flex w-full max-w-96 items-start gap-3 rounded-box border border-line bg-surface py-2 pr-2 pl-4 shadow-high"
      data-leaving={one.visible ? undefined : ''}
      {...one.ariaProps}
      role={one.type === 'error' ? 'alert' : 'status'}
      aria-live={one.type === 'error' ? 'assertive' : 'polite'}
    >
      <span className={`mt-2.5 ${TONES[one.type]}`}>
        <Icon name={one.type === 'error' ? 'alert' : one.type === 'success' ? 'check' : 'info'} />
      </span>
      <span className="grow py-2 font-medium whitespace-pre-wrap">{resolveValue(one.message, one)}</span>
      <button
        type="button"
        className="btn-quiet btn -my-0.5 shrink-0"
        aria-label={say('Dismiss')}
        onClick={() => toast.dismiss(one.id)}
      >
        <Icon name="close" />
      </button>
    </div>
  );
}
