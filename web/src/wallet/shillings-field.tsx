import { plainAmount } from '@ushirika/contract/typed';
import type { ClipboardEvent, InputEvent, ReactNode } from 'react';
import { MoneyField } from '../ui/fields.tsx';
import { toast } from '../ui/toast.ts';
import { say } from '../words/say.ts';

/** A number of whole shillings, as M-Pesa moves them. Its least in the field is 0 (spec 5); the server knows the limits. */
export function ShillingsField(props: {
  label: string;
  name: string;
  hint?: ReactNode;
  defaultValue?: string | undefined;
  onInput?: (event: InputEvent<HTMLInputElement>) => void;
}) {
  return (
    <MoneyField
      {...props}
      type="number"
      min={0}
      step={1}
      inputMode="numeric"
      onPaste={paste}
      onWheel={(event) => event.currentTarget.blur()}
    />
  );
}

/** Puts in what a paste says, `KES 2,500.00`: the browser would drop letters and commas by itself, and make 150 of 1,50. */
function paste(event: ClipboardEvent<HTMLInputElement>): void {
  event.preventDefault();
  const field = event.currentTarget;
  const amount = plainAmount(event.clipboardData.getData('text'));
  if (amount === null) return void toast.error(say('That is not an amount in shillings, such as 2500 or 2,500.'));
  field.value = amount.replace(/\.00?$/, '');
  field.dispatchEvent(new Event('input', { bubbles: true }));
}
