import type { LoanFigures } from '@ushirika/contract/loans';
import { type Cents, shillingsFromCents } from '@ushirika/contract/money';
import type { Office } from '@ushirika/contract/route';
import type { Tx } from '../../db/tx.ts';
import { defaultOffices, stillHoldsOffice } from './loan-officials.ts';
import type { Reader } from './loan-rows.ts';
import { writeOffMay } from './write-off-sides.ts';

interface VoiceRow {
  readonly loan_id: string;
  readonly number: string;
  readonly owed: Cents;
  readonly kind: 'default' | 'write_off';
  readonly by_id: string;
  readonly name: string;
  readonly office: Office;
  readonly at: Date;
  readonly declined: boolean;
}

interface Official {
  readonly userId: string;
  readonly saccoId: string;
  readonly held: readonly Office[];
}

/**
 * The defaults and write-offs that wait for the vote of an official, the oldest first: not their own votes, none that they have declined,
 * and none of loans in which they have an interest. Asked of the platform.
 */
export async function votesThatWait(reader: Reader, official: Official): Promise<LoanFigures['votes_for_me']> {
  const voices = await openVoices(reader, official);
  const loans = Map.groupBy(voices, ({ loan_id }) => loan_id);
  const deciding = await defaultOffices(
    reader,
    official.saccoId,
    voices.filter(({ kind }) => kind === 'default').map(({ loan_id }) => loan_id),
  );
  return [...loans.values()].flatMap((of) => {
    const [first] = of;
    if (!first || !isAsked(of, official, deciding.get(first.loan_id) ?? [])) return [];
    const { loan_id: loan, number, kind: step, owed, by_id, name, office, at } = first;
    const by = { id: by_id, name };
    return [{ loan, number, step, owed: shillingsFromCents(owed), by, office, at: at.toISOString() }];
  });
}

/** Whether these votes about one loan wait for somebody. By the rules of `writeOffLoan` and `decideDefault`. */
function isAsked(voices: readonly VoiceRow[], { userId, held }: Official, deciding: readonly Office[]): boolean {
  const declined = voices.some((voice) => voice.declined);
  if (voices.some(({ kind }) => kind === 'write_off')) {
    return writeOffMay(voices, { userId, held, declined }).includes('decline');
  }
  return deciding.some((office) => held.includes(office)) && !voices.some(({ by_id }) => by_id === userId);
}

/** A loan has votes of one kind at most: a default comes before a write-off, and ends with a step. */
function openVoices(reader: Reader, { userId, saccoId }: Official): Promise<VoiceRow[]> {
  return (reader.sql as Tx['sql'])<VoiceRow[]>`
    select v.loan_id, l.number, l.principal_cents + l.interest_cents + l.penalty_cents as owed, v.kind, v.by_id,
      p.first_name || ' ' || p.last_name as name, v.office, v.at,
      exists (select from loan_write_off_declines d
              where d.loan_id = v.loan_id and d.arrears_since = v.arrears_since and d.by_id = ${userId}) as declined
    from loans l
    join loan_recovery_voices v on v.loan_id = l.id and v.arrears_since = l.arrears_since
      and v.kind = case l.state when 'recovering' then 'write_off' else 'default' end
    join people p on p.id = v.by_id
    where l.sacco_id = ${saccoId} and l.state in ('in_arrears', 'recovering') and ${stillHoldsOffice(reader, saccoId)}
      and not exists (select from loan_recovery_steps s
                      where s.loan_id = v.loan_id and s.arrears_since = v.arrears_since and s.step = v.kind)
      and not exists (select from loan_interests i where i.loan_id = l.id and i.user_id = ${userId})
    order by v.at, v.loan_id`;
}
