import { BOARD_OFFICES, type LoanRecovery } from '@ushirika/contract/loan-recovery';
import type { Cents } from '@ushirika/contract/money';
import type { Office } from '@ushirika/contract/route';
import type { Tx } from '../../db/tx.ts';
import { texts } from '../../ledger/sql-arrays.ts';
import { isHeld } from '../saccos/officials-too-few.ts';
import type { Reader } from './loan-rows.ts';
import type { LateLoan } from './recovery-facts.ts';
import type { IsOnePerson } from './second-account.ts';

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

/**
 * Two people complete a write-off if one holds an office of the board and the other one of the committee. Returns the office in which
 * `one` does; undefined if the two do not.
 */
function completingOffice(one: Voter, other: Voter): Office | undefined {
  if (one.id === other.id) return undefined;
  return (committeeOffice(other) && boardOffice(one)) ?? (boardOffice(other) && committeeOffice(one));
}

/** Whether two of those who voted complete it: then the loan is given up. Two accounts of one person do not. */
export const isAgreed = (voters: readonly Voter[], isOnePerson: IsOnePerson): boolean =>
  voters.some((one) => voters.some((other) => completingOffice(other, one) && !isOnePerson(one.id, other.id)));

/** In which office somebody votes or declines: of the side that is missing beside those who voted, where they hold one. */
export const officeToVoteIn = (by: Voter, voters: readonly Voter[]): Office | undefined =>
  completingOfficeAmong(by, voters) ?? boardOffice(by) ?? committeeOffice(by);

/** The office in which somebody would complete it with one of those who voted, and so may decline it; undefined if with none of them. */
export const completingOfficeAmong = (by: Voter, voters: readonly Voter[]): Office | undefined =>
  voters.map((voter) => completingOffice(by, voter)).find((office) => office !== undefined);

/** Whether somebody's vote counts beside those cast: it completes the write-off, or none of those who voted is an account of the same person. */
export const countsBeside = (by: Voter, voters: readonly Voter[], isOnePerson: IsOnePerson): boolean =>
  isAgreed([...voters, by], isOnePerson) || !voters.some(({ id }) => isOnePerson(id, by.id));

/** What somebody may do about a write-off that is due. `declined` is whether they have declined it before. */
export function writeOffMay(
  voters: readonly Voter[],
  { by, declined, isOnePerson }: { readonly by: Voter; readonly declined: boolean; readonly isOnePerson: IsOnePerson },
): LoanRecovery['write_off_may'] {
  if (!officeToVoteIn(by, voters)) return [];
  // Two who voted may complete it by an office that one of them took up later. Nothing happens then by itself: one of them votes again.
  if (voters.some(({ id }) => id === by.id)) return isAgreed(voters, isOnePerson) ? ['agree'] : [];
  return [
    ...(countsBeside(by, voters, isOnePerson) ? (['agree'] as const) : []),
    ...(!declined && completingOfficeAmong(by, voters) ? (['decline'] as const) : []),
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
    join offices o on o.sacco_id = ${sacco_id} and o.user_id = v.by_id and ${isHeld(sql, reader.now)}
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
