import { formatShillings } from '@ushirika/contract/format';
import type { ClientProfile } from '@ushirika/contract/identity';
import { LongDate } from '../ui/figures.tsx';
import { say } from '../words/say.ts';

/** What of the wallet came from a sale, and from when on it can be withdrawn. */
export function ProceedsHeld({ kept: { amount, until } }: { kept: NonNullable<ClientProfile['proceeds_held']> }) {
  return (
    <>
      {say('{x} from shares that you sold can be withdrawn from', { x: formatShillings(amount) })}{' '}
      <LongDate iso={until} time />.
    </>
  );
}
