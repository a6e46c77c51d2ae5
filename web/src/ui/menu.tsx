import { type FocusEvent, type KeyboardEvent, type ReactNode, useId, useRef, useState } from 'react';
import { Icon } from './icon.tsx';

/**
 * A button that opens a short list of links and buttons (a disclosure: its items keep their own roles). Arrow keys move,
 * Escape and leaving it close it. Give items the class `menu-item`.
 */
export function Menu({
  label,
  face,
  children,
  className = 'btn btn-quiet',
  align = 'right-0',
}: {
  /** The button's accessible name; `face` is what is seen. */
  label: string;
  face: ReactNode;
  children: ReactNode;
  className?: string;
  align?: string;
}) {
  const [isOpen, setOpen] = useState(false);
  const root = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const listId = useId();
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape' && isOpen) {
      setOpen(false);
      button.current?.focus();
    }
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
    event.preventDefault();
    if (!isOpen) setOpen(true);
    const items = [...(root.current?.querySelectorAll<HTMLElement>('.menu-item') ?? [])];
    const at = items.indexOf(document.activeElement as HTMLElement);
    items.at(event.key === 'ArrowDown' ? (at + 1) % items.length : Math.max(at, 0) - 1)?.focus();
  };
  const onBlur = (event: FocusEvent) => {
    if (event.relatedTarget && !root.current?.contains(event.relatedTarget)) setOpen(false);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: keys and focus of the items inside bubble to here
    <div ref={root} className="relative" onKeyDown={onKeyDown} onBlur={onBlur}>
      <button
        ref={button}
        type="button"
        className={className}
        aria-expanded={isOpen}
        aria-controls={listId}
        onClick={() => setOpen(!isOpen)}
      >
        <span className="sr-only">{label}</span>
        <span aria-hidden="true" className="contents">
          {face}
        </span>
        <Icon name="down" className="size-4" />
      </button>
      {isOpen && <div className="fixed inset-0 z-30" aria-hidden="true" onClick={() => setOpen(false)} />}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents lint/a11y/noStaticElementInteractions: choosing an item closes it */}
      <div id={listId} hidden={!isOpen} className={`menu top-full mt-1 ${align}`} onClick={() => setOpen(false)}>
        {children}
      </div>
    </div>
  );
}
