import type { AccountKind } from '@ushirika/contract/journals';
import type { Tx } from '../db/tx.ts';
import type { JournalInput } from './ledger.types.ts';

/** The journal to reverse, and the heading of the reversal. */
export interface ReversalInput {
  readonly journalId: string;
  readonly idempotencyKey: string;
  readonly causedBy: string | null;
  readonly about: { readonly type: string; readonly id: string };
}

/**
 * The journal that reverses another: its transfers mirrored, the last one first. Post it like any other; it is refused
 * where the money has been spent meanwhile. A journal is reversed at most once (a unique index).
 */
export async function reversalOf(tx: Pick<Tx, 'sql'>, input: ReversalInput): Promise<JournalInput> {
  const rows = await tx.sql<
    {
      amount: number;
      book: string;
      debit_kind: AccountKind;
      debit_owner: string | null;
      credit_kind: AccountKind;
      credit_owner: string | null;
    }[]
  >`
    select t.amount, d.book_id as book, d.kind as debit_kind, d.owner_id as debit_owner, c.kind as credit_kind,
      c.owner_id as credit_owner
    from transfers t
    join accounts d on d.id = t.debit_account_id
    join accounts c on c.id = t.credit_account_id
    where t.journal_id = ${input.journalId}
    order by t.position desc`;
  if (rows.length === 0) throw new Error(`There is no journal ${input.journalId} to reverse.`);
  return {
    kind: 'reversal',
    idempotencyKey: input.idempotencyKey,
    causedBy: input.causedBy,
    about: input.about,
    reverses: input.journalId,
    transfers: rows.map((row) => ({
      debit: { book: row.book, kind: row.credit_kind, owner: row.credit_owner },
      credit: { book: row.book, kind: row.debit_kind, owner: row.debit_owner },
      amount: Number(row.amount),
    })),
  };
}
