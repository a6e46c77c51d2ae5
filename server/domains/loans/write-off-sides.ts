import { BOARD_OFFICES, type LoanRecovery } from '@ushirika/contract/loan-recovery';
import type { Cents } from '@ushirika/contract/money';
import type { Office } from '@ushirika/contract/route';
import type { Tx } from '../../db/tx.ts';
import { texts } from '../../ledger/sql-arrays.ts';
import type { Reader } from './loan-rows.ts';
import type { AreRelated } from './one-voice.ts';
import type { LateLoan } from './recovery-facts.ts';

/*
 * A write-off takes two different people: one who holds an office of the board now, and another one of the supervisory committee. Somebody
 * who holds an office of both may stand for either, whoever votes first.
 */

const COMMITTEE_OFFICES = ['supervisory_committee'] as const satisfies Office[];
export const WRITE_OFF_OFFICES: readonly Office[] = [...BOARD_OFFICES, ...COMMITTEE_OFFICES];
export const OFFICES_OF_SIDE: Readonly<Record<LoanRecovery['write_off_waits_for'][number], readonly Office[]>> = {
  board: BOARD_OFFICES,
  supervisory_committee: COMMITTEE_OFFICES,
};

/** Somebody, with the offices that they hold now. */
export interface Voter {
  readonly id: string;
  readonly offices: readonly Office[];
}

const boardOffice = ({ offices }: Voter): Office | undefined => BOARD_OFFICES.find((each) => offices.includes(each));
const committeeOffice = ({ offices }: Voter): Office | undefined =>
  COMMITTEE_OFFICES.find((each) => offices.includes(each));

/** In which office somebody is the other one of a pair with somebody else; undefined where the two are none. */
function officeBeside(other: Voter, one: Voter): Office | undefined {
  if (one.id === other.id) return undefined;
  return (committeeOffice(other) && boardOffice(one)) ?? (boardOffice(other) && committeeOffice(one));
}

/** Whether two of those who voted for it are such a pair: then the loan is given up. Two accounts of one person are none. */
export const isAgreed = (voters: readonly Voter[], areRelated: AreRelated): boolean =>
  voters.some((one) => voters.some((other) => officeBeside(other, one) && !areRelated(one.id, other.id)));

/** In which office somebody votes or declines: of the side that is missing beside those who voted, where they hold one. */
export const officeToVoteIn = (by: Voter, voters: readonly Voter[]): Office | undefined =>
  officeAcross(by, voters) ?? boardOffice(by) ?? committeeOffice(by);

/** In which office somebody would complete it with one of those who voted, and so may decline it; undefined for nobody of the other side. */
export const officeAcross = (by: Voter, voters: readonly Voter[]): Office | undefined =>
  voters.map((voter) => officeBeside(voter, by)).find((office) => office !== undefined);

/** Whether the vote of somebody counts beside those who voted: it completes it, or none of those is an account of the same person. */
export const isVoiceOfTheirOwn = (by: Voter, voters: readonly Voter[], areRelated: AreRelated): boolean =>
  isAgreed([...voters, by], areRelated) || !voters.some(({ id }) => areRelated(id, by.id));

/** What somebody may do about a write-off that is due. `declined` is whether they have declined it before. */
export function writeOffMay(
  voters: readonly Voter[],
  { by, declined, areRelated }: { readonly by: Voter; readonly declined: boolean; readonly areRelated: AreRelated },
): LoanRecovery['write_off_may'] {
  if (!officeToVoteIn(by, voters)) return [];
  // An office that was taken up since may have made a pair of those who voted: one of them says it once more.
  if (voters.some(({ id }) => id === by.id)) return isAgreed(voters, areRelated) ? ['agree'] : [];
  return [
    ...(isVoiceOfTheirOwn(by, voters, areRelated) ? (['agree'] as const) : []),
    ...(!declined && officeAcross(by, voters) ? (['decline'] as const) : []),
  ];
}

/** The sides of which one more person would complete it; both where nobody has voted, or somebody of both. */
export function sidesMissing(voters: readonly Voter[]): LoanRecovery['write_off_waits_for'] {
  return [
    ...(voters.length === 0 || voters.some(committeeOffice) ? (['board'] as const) : []),
    ...(voters.length === 0 || voters.some(boardOffice) ? (['supervisory_committee'] as const) : []),
  ];
}

/** Who has voted for it during these arrears and holds an office of either side now; in the order of their votes. */
export async function writeOffVoters(
  reader: Reader,
  { id, sacco_id, arrears_since }: Pick<LateLoan, 'id' | 'sacco_id' | 'arrears_since'>,
): Promise<Voter[]> {
  const { sql } = reader as { sql: Tx['sql'] };
  return sql<Voter[]>`
    select v.by_id as id, array_agg(o.office order by o.office) as offices
    from loan_recovery_voices v
    join offices o on o.sacco_id = ${sacco_id} and o.user_id = v.by_id and o.ended_at is null and o.until > ${reader.now}
      and o.office = any (${texts(WRITE_OFF_OFFICES)}::text[])
    where v.loan_id = ${id} and v.kind = 'write_off' and v.arrears_since = ${arrears_since}
    group by v.by_id, v.at order by v.at, v.by_id`;
}

/** What the books give up of a loan. */
export const givenUp = ({
  principal_cents,
  interest_cents,
  penalty_cents,
}: Pick<LateLoan, 'principal_cents' | 'interest_cents' | 'penalty_cents'>): Cents =>
  principal_cents + interest_cents + penalty_cents;
