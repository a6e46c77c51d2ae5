import type { ReactNode } from 'react';
import { Field } from '../../ui/fields.tsx';

/** A number of whole shillings, as M-Pesa moves them. Its least in the field is 0 (spec 5); the server knows the limits. */
export function ShillingsField({ label, name, hint }: { label: string; name: string; hint?: ReactNode }) {
  return (
    <Field label={label} name={name} hint={hint}>
      {(control) => (
        <div className="relative">
          <span
            aria-hidden="true"
            className="pointer-events-none absolute inset-y-0 left-4 grid place-items-center text-ink-2"
          >
            Ksh.
          </span>
          <input
            {...control}
            type="number"
            min={0}
            step={1}
            inputMode="numeric"
            autoComplete="off"
            className="field-box num pl-14"
            onWheel={(event) => event.currentTarget.blur()}
          />
        </div>
      )}
    </Field>
  );
}
