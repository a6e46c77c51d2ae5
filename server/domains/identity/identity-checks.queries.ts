import type { IdentityCheck, IdentityDocument, identityChecksQuery } from '@ushirika/contract/identity';
import { Refusal } from '@ushirika/contract/refusal';
import type { Office } from '@ushirika/contract/route';
import type { z } from 'zod';
import { countUpTo, type Page, readCursor, toPage } from '../../db/page.ts';
import { asSystem } from '../../db/person.ts';
import type { Database, Tx } from '../../db/tx.ts';
import { texts } from '../../ledger/sql-arrays.ts';
import type { RelatedPairs } from './related-pairs.types.ts';

type Query = z.output<typeof identityChecksQuery>;

/** Whose records: those of one sacco for its officials, or for operators all of them, or those of a person or an official. */
export interface WhoseChecks {
  readonly saccoId: string | null;
  readonly person?: string | undefined;
  readonly seenBy?: string | undefined;
}

interface CheckRow {
  readonly id: string;
  readonly user_id: string;
  readonly first_name: string;
  readonly last_name: string;
  readonly document: IdentityDocument;
  readonly seen_at: Date;
  readonly seen_by: string;
  readonly seer: string;
  readonly sacco_id: string | null;
  readonly sacco: string | null;
  readonly office: Office | null;
  readonly ended_at: Date | null;
  readonly end_kind: 'withdrawn' | 'renamed' | null;
  readonly ended_by: string | null;
  readonly ender: string | null;
  readonly end_reason: string | null;
}

/**
 * Who recorded that they saw whose ID card, newest first. Which records there are for the asker, the rows' policies say. What
 * stands in them the platform reads: names of people who have left, and whether two accounts may belong together.
 */
export async function identityChecks(
  database: Pick<Database, 'sql'>,
  asker: { readonly userId: string },
  whose: WhoseChecks,
  query: Pick<Query, 'status' | 'cursor' | 'limit'>,
  { relatedPairs, linkTo }: { readonly relatedPairs: RelatedPairs; readonly linkTo: (cursor: string) => string },
): Promise<Page<IdentityCheck> & { count: number }> {
  const { sql } = database;
  const cursor = readCursor(query.cursor, ['uuid']);
  const state = { all: sql``, standing: sql`and c.ended_at is null`, ended: sql`and c.ended_at is not null` };
  const which = sql`
    (${whose.saccoId}::uuid is null or c.sacco_id = ${whose.saccoId}::uuid)
    and (${whose.person ?? null}::uuid is null or c.user_id = ${whose.person ?? null}::uuid)
    and (${whose.seenBy ?? null}::uuid is null or c.seen_by = ${whose.seenBy ?? null}::uuid) ${state[query.status]}`;
  const [rows, count] = await Promise.all([
    sql<{ id: string }[]>`
      select c.id from identity_checks c where ${which}
        ${cursor ? sql`and c.id ${cursor.isBack ? sql`>` : sql`<`} ${cursor.keys[0] as string}` : sql``}
      order by c.id ${cursor?.isBack ? sql`asc` : sql`desc`} limit ${query.limit + 1}`,
    countUpTo(sql, sql`from identity_checks c where ${which}`),
  ]);
  const page = toPage(rows, { limit: query.limit, cursor, keysOf: ({ id }) => [id], linkTo });
  const ids = page.results.map(({ id }) => id);
  return { ...page, count, results: await asSystem(() => checksByIds(database, asker, ids, relatedPairs)) };
}

async function checksByIds(
  database: Pick<Database, 'sql'>,
  asker: { readonly userId: string },
  ids: readonly string[],
  relatedPairs: RelatedPairs,
): Promise<IdentityCheck[]> {
  const rows = await database.sql<CheckRow[]>`
    ${checkRows(database.sql)} where c.id = any (${texts(ids)}::uuid[])
    order by array_position(${texts(ids)}::uuid[], c.id)`;
  return onWire(database, asker, rows, relatedPairs);
}

/** One that the asker has just written, or taken back; asked of the platform. */
export async function identityCheckById(
  database: Pick<Database, 'sql'>,
  asker: { readonly userId: string },
  id: string,
  relatedPairs: RelatedPairs,
): Promise<IdentityCheck> {
  const [check] = await checksByIds(database, asker, [id], relatedPairs);
  if (!check) throw new Refusal('not_found');
  return check;
}

function checkRows(sql: Database['sql']) {
  return sql`
    select c.id, c.user_id, u.first_name, u.last_name, c.document, c.seen_at, c.seen_by,
      b.first_name || ' ' || b.last_name as seer, c.sacco_id, s.name as sacco, c.office, c.ended_at, c.end_kind,
      c.ended_by, e.first_name || ' ' || e.last_name as ender, c.end_reason
    from identity_checks c join users u on u.id = c.user_id join users b on b.id = c.seen_by
    left join saccos s on s.id = c.sacco_id left join users e on e.id = c.ended_by`;
}

async function onWire(
  database: Pick<Database, 'sql'>,
  asker: { readonly userId: string },
  rows: readonly CheckRow[],
  relatedPairs: RelatedPairs,
): Promise<IdentityCheck[]> {
  const related = await relatedPairs(
    { sql: database.sql as unknown as Tx['sql'] },
    rows.map(({ user_id: one, seen_by: other }) => ({ one, other })),
  );
  return rows.map((row, place) => ({
    id: row.id,
    person: { id: row.user_id, first_name: row.first_name, last_name: row.last_name },
    document: row.document,
    seen_at: row.seen_at.toISOString(),
    seen_by: { id: row.seen_by, name: row.seer },
    sacco: row.sacco_id === null ? null : { id: row.sacco_id, name: row.sacco ?? '' },
    office: row.office,
    looks_related: related.has(place),
    ended:
      row.ended_at === null || row.end_kind === null
        ? null
        : {
            at: row.ended_at.toISOString(),
            kind: row.end_kind,
            by: row.ended_by === null ? null : { id: row.ended_by, name: row.ender ?? '' },
            reason: row.end_reason,
          },
    may_withdraw: row.ended_at === null && row.user_id !== asker.userId,
  }));
}
