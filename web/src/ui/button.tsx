import { type ComponentProps, type MouseEvent, type ReactNode, useId } from 'react';
import { Link } from 'react-router';
import { toast } from './toast.ts';

export type ButtonLook = 'main' | 'line' | 'soft' | 'clay' | 'quiet' | 'night' | 'night-main';

interface ButtonProps extends Omit<ComponentProps<'button'>, 'disabled'> {
  look?: ButtonLook;
  /** Why the button cannot be used now, in a sentence; while there is one it does nothing but say so. */
  disabledReason?: string | null;
  /** Something is under way; pressing again does nothing. */
  busy?: boolean;
}

/** A button. A disabled one stays reachable and says why. */
export function Button({
  look = 'main',
  disabledReason,
  busy,
  className = '',
  onClick,
  children,
  ...rest
}: ButtonProps) {
  const reasonId = useId();
  const press = (event: MouseEvent<HTMLButtonElement>) => {
    if (!disabledReason && !busy) return onClick?.(event);
    event.preventDefault();
    if (disabledReason) toast(disabledReason, { id: reasonId });
  };
  return (
    <>
      <button
        type="button"
        {...rest}
        className={`btn btn-${look} ${className}`}
        aria-disabled={disabledReason || busy ? true : undefined}
        aria-describedby={disabledReason ? reasonId : rest['aria-describedby']}
        title={disabledReason ?? rest.title}
        onClick={press}
      >
        {children}
      </button>
      {disabledReason && (
        <span id={reasonId} className="sr-only">
          {disabledReason}
        </span>
      )}
    </>
  );
}

/** A link that looks like a button. */
export function LinkButton({
  look = 'main',
  className = '',
  children,
  ...rest
}: ComponentProps<typeof Link> & { look?: ButtonLook; children: ReactNode }) {
  return (
    <Link {...rest} className={`btn btn-${look} ${className}`}>
      {children}
    </Link>
  );
}
