import { toBase64 } from '@ushirika/verifier/bytes';
import type { EntryKind, Payload } from '@ushirika/verifier/entry';
import type { Tx } from '../../db/tx.ts';
import { integers } from '../../ledger/sql-arrays.ts';
import { appendEntries, type NewEntry, openNextLog, takeLease } from './append-entries.ts';
import type { HaltedBy, KnownHead } from './halt-log.ts';
import { type Deciding, type HaltedLogRow, haltedLog, whatIsKnown, whyStillHalted } from './halted-log.queries.ts';
import { KnownAccounts, readJournals } from './journal-payloads.ts';
import { nextOrigin } from './log-name.ts';

const BATCH = 1_000;

/** The log that was begun, or the sentence why none was. */
export type Begun = { readonly origin: string; readonly follows: KnownHead | null } | { readonly refused: string };

/**
 * Ends a halted log and begins another, whose first entry names the last head that anybody knows of the old one. Journals and events that the old
 * one never signed are logged again in the new one. What was signed stays.
 */
export async function beginLogAnew(deps: Deciding, name: string): Promise<Begun> {
  const log = await haltedLog(deps.database, name);
  if ('refused' in log) return log;
  if ((await whyStillHalted(deps, log)) === null) {
    return { refused: 'The database continues what was signed again: use `log continue`. Nothing was begun.' };
  }
  const last = lastOf(await whatIsKnown(deps, log));
  return deps.database.transaction(async (tx) => {
    await takeLease(tx, { waits: true });
    const ended = await tx.sql`
      update logs set ended_at = ${tx.now} where id = ${log.id} and halted_at is not null and ended_at is null returning id`;
    if (ended.length === 0) return { refused: 'Somebody else has decided about this log meanwhile.' };
    const origin = nextOrigin(log.origin);
    await openNextLog(tx, { saccoId: log.sacco_id, origin, follows: log.id });
    await appendEntries(tx, '', [firstEntry(tx, log, last)]);
    await logAgain(tx, log);
    return { origin, follows: last?.head ?? null };
  });
}

type Known = { readonly by: HaltedBy; readonly head: KnownHead };

/** The largest; of two that are equal the one that no backup of ours brings back. */
function lastOf(known: readonly Known[]): Known | null {
  const trust = { chain: 2, file: 1, database: 0 };
  const [last = null] = known.toSorted(
    (one, other) => other.head.size - one.head.size || trust[other.by] - trust[one.by],
  );
  return last;
}

function firstEntry(tx: Tx, { sacco_id, origin, halted_because }: HaltedLogRow, last: Known | null): NewEntry {
  const follows = {
    log: origin,
    size: last?.head.size ?? 0,
    root: last ? toBase64(last.head.root) : null,
    known_by: last?.by ?? null,
  };
  const head = { kind: 'log_started', at: tx.now.toISOString(), sacco: sacco_id, follows, because: halted_because };
  return { saccoId: sacco_id, kind: 'log', journalId: null, head, parts: [] };
}

interface LeftRow {
  readonly i: number;
  readonly kind: EntryKind;
  readonly journal_id: number | null;
  readonly event_id: number | null;
  readonly head: Payload['head'] | null;
  readonly parts: Payload['parts'] | null;
}

/** Journals and events of the entries that were never signed, in their order. */
async function logAgain(tx: Tx, { id, sacco_id, signed_size }: HaltedLogRow): Promise<void> {
  const accounts = new KnownAccounts();
  for (let isMore = true; isMore; ) {
    const rows = await tx.sql<LeftRow[]>`
      select e.i, e.kind, e.journal_id, e.event_id, f.head, f.parts
      from log_entries e left join log_facts f on f.log_id = e.log_id and f.i = e.i
      where e.log_id = ${id} and e.i >= ${signed_size ?? 0} and e.secret is not null
        and num_nonnulls(e.journal_id, e.event_id) = 1
      order by e.i limit ${BATCH}`;
    isMore = rows.length === BATCH;
    if (rows.length === 0) break;
    const ids = rows.flatMap(({ journal_id }) => journal_id ?? []);
    const journals = new Map((await readJournals(tx, accounts, { ids })).map((each) => [each.journalId, each]));
    const again = rows.flatMap(({ kind, journal_id, event_id, head, parts }): NewEntry[] => {
      const payload = journal_id === null ? { head: head ?? {}, parts: parts ?? [] } : journals.get(journal_id);
      if (!payload) return [];
      const about = event_id === null ? {} : { eventId: event_id };
      return [{ ...payload, saccoId: sacco_id, kind, journalId: journal_id, ...about }];
    });
    await tx.sql`select leave_unsigned_entries(${id}, ${integers(rows.map(({ i }) => i))}::bigint[])`;
    await appendEntries(tx, '', again);
  }
}
