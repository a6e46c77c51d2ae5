import type { Payload } from '@ushirika/verifier/entry';
import type { Database, Tx } from '../../db/tx.ts';
import { PLATFORM_BOOK } from '../../ledger/ledger.types.ts';
import { integers } from '../../ledger/sql-arrays.ts';

/** A journal with its transfers, as the tables have it. */
interface JournalRow {
  readonly id: number;
  readonly kind: string;
  readonly at: string;
  readonly caused_by: string | null;
  readonly about_type: string;
  readonly about_id: string;
  readonly reverses: number | null;
  readonly key: string;
  readonly transfers: readonly TransferRow[];
}

/** In order: id, position, debited account, credited account, amount, balance of the first after it, balance of the second. */
type TransferRow = readonly [number, number, number, number, number, number, number];

interface AccountRow {
  readonly id: number;
  readonly book_id: string;
  readonly owner_id: string | null;
  readonly kind: string;
  readonly asset: string;
}

/** What an entry is to commit to, and the log that it belongs to. */
export interface JournalPayload extends Payload {
  readonly journalId: number;
  /** The sacco's log; null is the platform's. */
  readonly saccoId: string | null;
}

/** One account of a journal's part, in whole cents or whole shares. */
export interface LoggedSide {
  readonly account: number;
  readonly book: string;
  readonly kind: string;
  readonly asset: string;
  /** The transfer and its place in the journal. */
  readonly transfer: number;
  readonly position: number;
  readonly side: 'debit' | 'credit';
  readonly amount: number;
  /** The account's balance after it, on its normal side. */
  readonly after: number;
}

const sidesOf = (sides: readonly LoggedSide[]) => sides as unknown as readonly { [name: string]: string | number }[];

/** Accounts never change their book, owner, kind or asset, so they are read once. */
export class KnownAccounts {
  #rows = new Map<number, AccountRow>();
  static readonly MOST = 200_000;

  async read(sql: Tx['sql'] | Database['sql'], ids: readonly number[]): Promise<ReadonlyMap<number, AccountRow>> {
    // Another read may still be using the former ones.
    if (this.#rows.size > KnownAccounts.MOST) this.#rows = new Map();
    const known = this.#rows;
    const unknown = [...new Set(ids)].filter((id) => !known.has(id));
    if (unknown.length > 0) {
      const rows = await sql<AccountRow[]>`
        select id::float8 as id, book_id, owner_id, kind, asset from accounts where id = any(${unknown}::bigint[])`;
      for (const row of rows) known.set(row.id, row);
    }
    return known;
  }
}

/** Which journals are read: the next ones above an id, at most `most`; or some by their ids. */
type Wanted =
  | { readonly after: number; readonly upto: number; readonly most: number }
  | { readonly ids: readonly number[] };

/**
 * Reads journals in the order of their ids, as payloads of entries; two statements. Ids are cast, since the owner's connection of
 * `npm run audit` reads a bigint as text.
 */
export async function readJournals(
  { sql }: Pick<Tx | Database, 'sql'>,
  accounts: KnownAccounts,
  wanted: Wanted,
): Promise<JournalPayload[]> {
  const which =
    'ids' in wanted
      ? sql`id = any(${integers(wanted.ids)}::bigint[])`
      : sql`id > ${wanted.after} and id <= ${wanted.upto} order by id limit ${wanted.most}`;
  const journals = await sql<JournalRow[]>`
    select j.id::float8 as id, j.kind, to_char(j.posted_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as at, j.caused_by, j.about_type,
      j.about_id, j.reverses::float8 as reverses, j.idempotency_key as key, coalesce(t.transfers, '[]') as transfers
    from (select * from journals where ${which}) j
    left join lateral (
      select json_agg(json_build_array(t.id, t.position, t.debit_account_id, t.credit_account_id, t.amount,
        t.debit_balance_after, t.credit_balance_after) order by t.position) as transfers
      from transfers t where t.journal_id = j.id
    ) t on true
    order by j.id`;
  const ids = journals.flatMap(({ transfers }) => transfers.flatMap(([, , debit, credit]) => [debit, credit]));
  const known = await accounts.read(sql, ids);
  return journals.map((journal) => payloadOf(journal, known));
}

/**
 * The payload of a journal. Its head is for everybody who took part. The first part is shown to nobody: the person who caused it, the thing
 * that it is about, and the accounts without an owner are only held to what they were. Then follows a part for each owner of its accounts,
 * so that a buyer is shown nothing of the seller. Names are in their order, which makes the canonical text cheap.
 */
function payloadOf(journal: JournalRow, accounts: ReadonlyMap<number, AccountRow>): JournalPayload {
  const parts = new Map<string | null, LoggedSide[]>();
  let saccoId: string | null = null;
  for (const [transfer, position, debit, credit, amount, debitAfter, creditAfter] of journal.transfers) {
    for (const [id, side, after] of [
      [debit, 'debit', debitAfter],
      [credit, 'credit', creditAfter],
    ] as const) {
      const account = accounts.get(id);
      const { book_id: book = '', owner_id = null, kind = '', asset = '' } = account ?? {};
      if (book !== PLATFORM_BOOK && book !== '') saccoId ??= book;
      const sides = parts.get(owner_id) ?? [];
      sides.push({ account: id, after, amount, asset, book, kind, position, side, transfer });
      parts.set(owner_id, sides);
    }
  }
  return {
    journalId: journal.id,
    saccoId,
    head: { at: journal.at, journal: journal.id, kind: journal.kind, reverses: journal.reverses },
    parts: [
      {
        about: [journal.about_type, journal.about_id],
        caused_by: journal.caused_by,
        key: journal.key,
        sides: sidesOf(parts.get(null) ?? []),
      },
      ...[...parts].flatMap(([owner, sides]) => (owner === null ? [] : [{ owner, sides: sidesOf(sides) }])),
    ],
  };
}
