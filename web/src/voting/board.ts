import type { ClientProfile } from '@ushirika/contract/identity';
import type { Office } from '@ushirika/contract/route';

/** Whose drafts are the board's: another of them signs them. */
const BOARD: ReadonlySet<Office> = new Set(['chair', 'vice_chair', 'secretary', 'treasurer']);

/** Whether a person holds an office of the board in a sacco. */
export const isOfBoard = (profile: ClientProfile | undefined, sacco: string | undefined): boolean =>
  (profile?.roles ?? []).some((role) => role.sacco === sacco && role.office !== null && BOARD.has(role.office));
