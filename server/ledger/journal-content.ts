import type { Tx } from '../db/tx.ts';
import { texts } from './sql-arrays.ts';

/** What two journals are compared by. */
export interface JournalContent {
  readonly id: number;
  readonly kind: string;
  readonly causedBy: string | null;
  readonly aboutType: string;
  readonly aboutId: string;
  readonly reverses: number | null;
  /** Debited account, credited account, amount. */
  readonly transfers: readonly (readonly [number, number, number])[];
}

/**
 * The journals that were written under these keys. A repeated journal is compared with the rows themselves, not with a
 * stored hash (docs/decisions/020).
 */
export async function readJournals(sql: Tx['sql'], keys: readonly string[]): Promise<Map<string, JournalContent>> {
  if (keys.length === 0) return new Map();
  const rows = await sql<(JournalContent & { key: string })[]>`
    select j.idempotency_key as key, j.id, j.kind, j.caused_by as "causedBy", j.about_type as "aboutType",
      j.about_id as "aboutId", j.reverses, (
        select coalesce(json_agg(json_build_array(t.debit_account_id, t.credit_account_id, t.amount) order by t.position), '[]')
        from transfers t where t.journal_id = j.id
      ) as transfers
    from journals j where j.idempotency_key = any (${texts(keys)}::text[])`;
  return new Map(rows.map(({ key, ...content }) => [key, content]));
}

export function sameContent(a: JournalContent, b: JournalContent): boolean {
  return (
    a.kind === b.kind &&
    a.causedBy === b.causedBy &&
    a.aboutType === b.aboutType &&
    a.aboutId === b.aboutId &&
    a.reverses === b.reverses &&
    a.transfers.length === b.transfers.length &&
    a.transfers.every((one, index) => one.every((value, column) => value === b.transfers[index]?.[column]))
  );
}
