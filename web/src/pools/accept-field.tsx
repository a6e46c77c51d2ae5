import { type ReactNode, useId } from 'react';
import { useFormState } from '../ui/form.tsx';

/** A box to tick; the sentence beside it is what is accepted. An empty one is a field that is missing. */
export function AcceptField({ name, children }: { name: string; children: ReactNode }) {
  const id = useId();
  const { errors, forget } = useFormState();
  const error = errors[name];
  return (
    <div>
      <label className="flex cursor-pointer items-start gap-3 rounded-box border border-edge px-3.5 py-3 has-checked:border-forest has-checked:bg-forest-tint has-focus-visible:outline-3 has-focus-visible:outline-(--focus)">
        <input
          type="checkbox"
          name={name}
          value="yes"
          aria-required
          aria-invalid={error ? true : undefined}
          aria-describedby={error ? id : undefined}
          onChange={() => forget(name)}
          className="mt-0.5 size-5 shrink-0 accent-forest"
        />
        <span className="min-w-0">{children}</span>
      </label>
      {error && (
        <p id={id} className="mt-1.5 text-small font-medium text-clay">
          {error}
        </p>
      )}
    </div>
  );
}
