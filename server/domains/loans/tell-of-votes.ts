import { BOARD_OFFICES } from '@ushirika/contract/loan-recovery';
import type { Office } from '@ushirika/contract/route';
import { type Sentence, sentence } from '@ushirika/contract/sentence';
import type { Tx } from '../../db/tx.ts';
import { notifyAll } from '../notifications/notify.ts';
import type { RecoveryVoice } from './decide-default.ts';
import { said } from './loan-notices.ts';
import { interestedIn, officialsWith } from './loan-officials.ts';
import type { LateLoan } from './recovery-facts.ts';
import { isProposedToSideOf } from './write-off-sides.ts';

/**
 * Tells those of the other side that a write-off waits for one of them; nobody who has an interest in the loan. Once: a second vote of the
 * same side tells nobody again.
 */
export async function tellOfWriteOff(tx: Tx, loan: LateLoan, voices: readonly RecoveryVoice[]): Promise<void> {
  const sides: readonly Office[] = [...BOARD_OFFICES, 'supervisory_committee'];
  const asked = sides.filter((office) => isProposedToSideOf(office, voices));
  await tellOfVote(tx, loan, { voices, asked, template: 'write_off_proposed', words: WRITE_OFF });
}

/** The same of a first vote for a default. @param asked the offices that decide about it */
export async function tellOfDefault(
  tx: Tx,
  loan: LateLoan,
  { voices, asked }: { readonly voices: readonly RecoveryVoice[]; readonly asked: readonly Office[] },
): Promise<void> {
  await tellOfVote(tx, loan, { voices, asked, template: 'default_proposed', words: DEFAULT });
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

interface Vote {
  readonly voices: readonly RecoveryVoice[];
  readonly asked: readonly Office[];
  readonly template: string;
  readonly words: Words;
}

async function tellOfVote(tx: Tx, loan: LateLoan, { voices, asked, template, words }: Vote): Promise<void> {
  const [first, second] = voices;
  if (!first || second) return;
  const officials = await officialsWith(tx, loan.sacco_id, asked, [first.by_id, ...(await interestedIn(tx, loan))]);
  if (officials.length === 0) return;
  const [names] = await tx.sql<{ sacco: string; name: string }[]>`
    select s.name as sacco, p.first_name || ' ' || p.last_name as name
    from saccos s, people p where s.id = ${loan.sacco_id} and p.id = ${first.by_id}`;
  if (!names) throw new Error('The sacco of a vote is not there.');
  const owed = loan.principal_cents + loan.interest_cents + loan.penalty_cents;
  const text = words({ ...names, number: loan.number, amount: said(owed) });
  await notifyAll(
    tx,
    officials.map((userId) => ({ userId, topic: 'saccos' as const, template, text })),
  );
}
