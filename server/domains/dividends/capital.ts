import {
  afterPayout,
  belowMinimum,
  type Capital,
  type CapitalMinimums,
  type CapitalRatios,
  capitalRatios,
} from '@ushirika/contract/dividend-rules';
import type { AccountKind } from '@ushirika/contract/journals';
import type { Cents } from '@ushirika/contract/money';
import { trialBalance } from '../../ledger/balances.ts';
import type { Reader } from './year-figures.ts';

export interface CapitalAfter {
  readonly before: CapitalRatios;
  readonly after: CapitalRatios;
  readonly minimum: CapitalMinimums;
  readonly below: readonly (keyof CapitalMinimums)[];
  /** Whether a payout that brings them below the minimum is refused, or only warned of. */
  readonly isBinding: boolean;
}

/** The capital of a sacco before and after so much was distributed, by its books. */
export async function capitalAfter(reader: Reader, saccoId: string, payout: Cents): Promise<CapitalAfter> {
  const capital = await capitalOf(reader, saccoId);
  const { isBinding, ...minimum } = await minimumsOf(reader, saccoId);
  const after = capitalRatios(afterPayout(capital, payout));
  return { before: capitalRatios(capital), after, minimum, below: belowMinimum(after, minimum), isBinding };
}

/** Income that no closed year has kept apart yet is no capital. */
async function capitalOf(reader: Reader, saccoId: string): Promise<Capital> {
  const lines = new Map((await trialBalance(reader, saccoId)).map(({ kind, balance }) => [kind, balance]));
  const sum = (...kinds: AccountKind[]) => kinds.reduce((total, kind) => total + (lines.get(kind) ?? 0), 0);
  return {
    shareCapital: sum('share_capital'),
    reserves: sum('statutory_reserve', 'retained_surplus'),
    assets: sum('cash', 'loan_principal', 'interest_receivable', 'penalty_receivable') - sum('loan_loss_provision'),
    deposits: sum('deposits', 'deposits_hold'),
  };
}

async function minimumsOf(reader: Reader, saccoId: string): Promise<CapitalMinimums & { readonly isBinding: boolean }> {
  const [row] = await reader.sql<(CapitalMinimums & { is_binding: boolean })[]>`
    select m.core_to_assets, m.institutional_to_assets, m.core_to_deposits, m.is_binding
    from saccos s join capital_minimums m on m.sacco_type = s.type where s.id = ${saccoId}`;
  if (!row) throw new Error('A sacco has no minimum of capital.');
  return {
    core_to_assets: row.core_to_assets / 100,
    institutional_to_assets: row.institutional_to_assets / 100,
    core_to_deposits: row.core_to_deposits / 100,
    isBinding: row.is_binding,
  };
}
