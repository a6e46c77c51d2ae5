import type { ReactNode } from 'react';
import { MoneyField } from '../ui/fields.tsx';

/** A number of whole shillings, as M-Pesa moves them. Its least in the field is 0 (spec 5); the server knows the limits. */
export function ShillingsField(props: {
  label: string;
  name: string;
  hint?: ReactNode;
  defaultValue?: string | undefined;
}) {
  return (
    <MoneyField
      {...props}
      type="number"
      min={0}
      step={1}
      inputMode="numeric"
      onWheel={(event) => event.currentTarget.blur()}
    />
  );
}
