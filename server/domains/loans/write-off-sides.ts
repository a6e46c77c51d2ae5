import { BOARD_OFFICES, type LoanRecovery } from '@ushirika/contract/loan-recovery';
import type { Office } from '@ushirika/contract/route';
import type { RecoveryVoice } from './decide-default.ts';

/*
 * A write-off takes one of the board and one of the supervisory committee. Somebody who holds an office of both counts as of the side
 * that has not spoken.
 */

type Spoken = Pick<RecoveryVoice, 'by_id' | 'office'>;

const isOfCommittee = ({ office }: Pick<Spoken, 'office'>) => office === 'supervisory_committee';

/** Whether one of each side has voted for it: then the loan is given up. */
export const haveBothSpoken = (voices: readonly Spoken[]): boolean =>
  voices.some(isOfCommittee) && !voices.every(isOfCommittee);

/** The offices that vote about a write-off. Somebody votes in the first one that they hold: those of the side that has not spoken come first. */
export const writeOffOffices = (voices: readonly Spoken[]): readonly Office[] =>
  voices.length > 0 && !voices.some(isOfCommittee)
    ? ['supervisory_committee', ...BOARD_OFFICES]
    : [...BOARD_OFFICES, 'supervisory_committee'];

/** Whether one of the other side than that of an office has voted for it. */
export const isProposedToSideOf = (office: Office, voices: readonly Spoken[]): boolean =>
  voices.some((voice) => isOfCommittee(voice) !== isOfCommittee({ office }));

/** What somebody may do about a write-off that is due. `held` are their offices, `declined` is whether they have declined it before. */
export function writeOffMay(
  voices: readonly Spoken[],
  by: { readonly userId: string; readonly held: readonly Office[]; readonly declined: boolean },
): LoanRecovery['write_off_may'] {
  const office = writeOffOffices(voices).find((each) => by.held.includes(each));
  if (!office || voices.some(({ by_id }) => by_id === by.userId)) return [];
  return by.declined || !isProposedToSideOf(office, voices) ? ['agree'] : ['agree', 'decline'];
}
