import type { EntryKind, Payload } from '@ushirika/verifier/entry';
import type { Tx } from '../../db/tx.ts';
import { integers } from '../../ledger/sql-arrays.ts';
import type { NewEntry } from './append-entries.ts';

interface EventRow {
  readonly id: number;
  readonly sacco_id: string | null;
  readonly kind: EntryKind;
  readonly head: Payload['head'];
  readonly parts: Payload['parts'];
}

/** The next events, in the order of their ids. Their payloads leave `log_events` in the same transaction, for `log_facts`. */
export async function takeEvents(
  tx: Tx,
  { after, upto, most }: { after: number; upto: number; most: number },
): Promise<NewEntry[]> {
  const rows = await tx.sql<EventRow[]>`
    select id, sacco_id, kind, head, parts from log_events where id > ${after} and id <= ${upto} order by id limit ${most}`;
  await tx.sql`
    update log_events set head = null, parts = null, logged_at = ${tx.now} where id = any(${integers(rows.map(({ id }) => id))}::bigint[])`;
  return rows.map(({ id, sacco_id, kind, head, parts }) => ({
    saccoId: sacco_id,
    kind,
    journalId: null,
    eventId: id,
    head,
    parts,
  }));
}
