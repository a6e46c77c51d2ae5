import { formatShillings } from '@ushirika/contract/format';
import type { PoolRequest } from '@ushirika/contract/pools';
import { usePoolContracts, usePoolRequests } from '../pools/pools.queries.ts';
import { SelectField } from '../ui/fields.tsx';
import { say } from '../words/say.ts';
import { monthsInWords } from './loan-words.ts';

/** Guarantees of pools that are approved and wait for a loan of one's own. */
export function useFreePoolGuarantees(): readonly PoolRequest[] {
  const { rows: requests = [] } = usePoolRequests();
  const { rows: contracts = [] } = usePoolContracts('borrower', 'open');
  const free = new Set(
    contracts.flatMap(({ id, state, loan }) => (state === 'PENDING_LOAN' && loan === null ? [id] : [])),
  );
  return requests.filter(({ contract }) => contract !== null && free.has(contract));
}

/** Names a pool's guarantee for the loan; nothing where one has none. */
export function PoolGuaranteeField({
  free,
  value,
  onChange,
}: {
  free: readonly PoolRequest[];
  value: string;
  onChange: (id: string) => void;
}) {
  if (free.length === 0) return null;
  return (
    <SelectField
      label={say('A pool that stands behind this loan (optional)')}
      name="pool_guarantee"
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
      hint={say('You have this guarantee already. Its fee is paid when the loan is paid out.')}
    >
      <option value="">{say('No')}</option>
      {free.map(({ id, pool, amount, period_months: months }) => (
        <option key={id} value={id}>
          {pool.name} · {formatShillings(amount)} · {monthsInWords(months)}
        </option>
      ))}
    </SelectField>
  );
}
