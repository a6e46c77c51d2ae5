import { formatShillings } from '@ushirika/contract/format';
import type { ClientProfile } from '@ushirika/contract/identity';
import { LongDate } from '../ui/figures.tsx';
import { say } from '../words/say.ts';

/** What of the wallet came from sales or check-offs, and from when on it can be withdrawn. */
export function ProceedsHeld({ kept: { amount, until } }: { kept: NonNullable<ClientProfile['proceeds_held']> }) {
  return (
    <>
      {say('{x} from share sales and check-offs can go to M-Pesa only from', { x: formatShillings(amount) })}{' '}
      <LongDate iso={until} time />.
    </>
  );
}
