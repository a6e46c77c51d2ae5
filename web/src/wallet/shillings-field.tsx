import type { ChangeEvent, ReactNode } from 'react';
import { MoneyField } from '../ui/fields.tsx';

/**
 * A number of whole shillings, as M-Pesa moves them. Its least in the field is 0 (spec 5); the server knows the limits. It is text: a field
 * of type number drops signs by itself, and makes 25 of 2,5.
 */
export function ShillingsField(props: {
  label: string;
  name: string;
  hint?: ReactNode;
  defaultValue?: string | undefined;
  onChange?: (event: ChangeEvent<HTMLInputElement>) => void;
}) {
  return <MoneyField {...props} min={0} />;
}
