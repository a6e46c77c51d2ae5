import { type Cents, formatShillings, shillingsFromCents } from '@ushirika/contract/money';
import { type Sentence, sentence } from '@ushirika/contract/sentence';
import type { Database } from '../../db/tx.ts';

interface Row {
  readonly number: string;
  readonly penalty_cents: Cents | null;
  readonly interest_cents: Cents | null;
  readonly principal_cents: Cents | null;
}

/**
 * What the receipt of a journal about a loan says besides: the loan's number, and how a repayment was shared out. It runs for a person, and finds
 * only what that person may read.
 */
export async function loanReceiptDetails(
  { sql }: Pick<Database, 'sql'>,
  about: { readonly type: string; readonly id: string },
  journal: string,
): Promise<{ readonly name: Sentence; readonly value: Sentence }[]> {
  if (about.type !== 'loan') return [];
  const [row] = await sql<Row[]>`
    select l.number, r.penalty_cents, r.interest_cents, r.principal_cents + r.prepaid_cents as principal_cents
    from loans l left join loan_repayments r on r.loan_id = l.id and r.journal_id = ${journal}::bigint
    where l.id = ${about.id}`;
  if (!row) return [];
  const parts: readonly (readonly [Sentence, Cents | null])[] = [
    [sentence('Of it penalty'), row.penalty_cents],
    [sentence('Of it interest'), row.interest_cents],
    [sentence('Of it principal'), row.principal_cents],
  ];
  return [
    { name: sentence('Loan'), value: sentence('{text}', { text: row.number }) },
    ...parts.flatMap(([name, cents]) =>
      cents === null || cents === 0
        ? []
        : [{ name, value: sentence('{text}', { text: formatShillings(shillingsFromCents(cents)) }) }],
    ),
  ];
}
