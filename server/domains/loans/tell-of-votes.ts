import type { Office } from '@ushirika/contract/route';
import { type Sentence, sentence } from '@ushirika/contract/sentence';
import type { Tx } from '../../db/tx.ts';
import { notifyAll } from '../notifications/notify.ts';
import { said } from './loan-notices.ts';
import { interestedIn, officialsWith } from './loan-officials.ts';
import type { LateLoan } from './recovery-facts.ts';
import { independentOf } from './second-account.ts';
import { givenUp, OFFICES_OF_SIDE, sidesMissing, type Voter } from './write-off-sides.ts';

/**
 * Tells those of the other side that a write-off waits for one of them; nobody who has an interest in the loan. Once: a second vote of the
 * same side tells nobody again.
 */
export async function tellOfWriteOff(tx: Tx, loan: LateLoan, voters: readonly Voter[]): Promise<void> {
  const [first, second] = voters;
  if (!first || second) return;
  const asked = sidesMissing(voters).flatMap((side) => OFFICES_OF_SIDE[side]);
  await tellOfVote(tx, loan, { byId: first.id, asked, template: 'write_off_proposed', words: WRITE_OFF });
}

/** The same of the first vote for a default. @param asked the offices that decide about it */
export async function tellOfDefault(tx: Tx, loan: LateLoan, byId: string, asked: readonly Office[]): Promise<void> {
  await tellOfVote(tx, loan, { byId, asked, template: 'default_proposed', words: DEFAULT });
}

/** Tells the others that a new schedule waits for one of them, so that borrower and guarantors are asked. */
export async function tellOfSchedule(
  tx: Tx,
  loan: LateLoan,
  { byId, asked }: Pick<Vote, 'byId' | 'asked'>,
): Promise<void> {
  await tellOfVote(tx, loan, { byId, asked, template: 'schedule_proposed', words: SCHEDULE });
}

type Words = (values: Readonly<Record<'sacco' | 'name' | 'number' | 'amount', string>>) => Sentence;

const WRITE_OFF: Words = (values) =>
  sentence(
    '{sacco}: {name} proposes to write the loan {number} off. {amount} is owed. It waits for your vote: open the credit desk.',
    values,
  );
const DEFAULT: Words = (values) =>
  sentence(
    '{sacco}: {name} has voted that the loan {number} is in default. {amount} is owed. It waits for your vote: open the credit desk.',
    values,
  );

const SCHEDULE: Words = (values) =>
  sentence(
    '{sacco}: {name} proposes a new schedule for the loan {number}. {amount} is owed. It waits for a second official: open the credit desk.',
    values,
  );

interface Vote {
  /** Who has voted. */
  readonly byId: string;
  readonly asked: readonly Office[];
  readonly template: string;
  readonly words: Words;
}

async function tellOfVote(tx: Tx, loan: LateLoan, { byId, asked, template, words }: Vote): Promise<void> {
  const free = await officialsWith(tx, loan.sacco_id, asked, [byId, ...(await interestedIn(tx, loan))]);
  const officials = await independentOf(tx, free, [byId]);
  if (officials.length === 0) return;
  const [names] = await tx.sql<{ sacco: string; name: string }[]>`
    select s.name as sacco, p.first_name || ' ' || p.last_name as name
    from saccos s, people p where s.id = ${loan.sacco_id} and p.id = ${byId}`;
  if (!names) throw new Error('The sacco of a vote is not there.');
  const text = words({ ...names, number: loan.number, amount: said(givenUp(loan)) });
  await notifyAll(
    tx,
    officials.map((userId) => ({ userId, topic: 'saccos' as const, template, text, causedBy: byId })),
  );
}
