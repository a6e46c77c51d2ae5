import type { ExitBlock } from '@ushirika/contract/membership';
import { loanPaths } from '../../loans/loan-paths.ts';
import { clientPoolPaths } from '../../pools/pool-paths.ts';

/** Where that is settled which holds the refund of somebody's savings back. */
export function exitBlockPath(at: ExitBlock['at']): string {
  if (at.kind === 'guarantees') return loanPaths.loans('guarantees');
  return at.kind === 'loan' ? loanPaths.loan(at.id) : clientPoolPaths.pool(at.id);
}
