import { shillingsFromCents } from '@ushirika/contract/money';
import type { listOperatorPools, OperatorPool } from '@ushirika/contract/operator';
import type { PoolReview, PoolState } from '@ushirika/contract/pools';
import type { QueryOf, ReplyOf } from '@ushirika/contract/route';
import { countUpTo, readCursor, toPage } from '../../db/page.ts';
import type { Database } from '../../db/tx.ts';

interface Row {
  id: string;
  name: string;
  sacco_id: string | null;
  sacco_name: string | null;
  state: PoolState;
  members_count: number;
  min_contribution_cents: number;
  created_at: Date;
  created_by: string;
  first_name: string;
  last_name: string;
  refused_before: number;
  is_public: boolean;
  review: PoolReview;
  review_reason: string | null;
  reviewed_at: Date | null;
}

/** A page of pools by where their review stands. */
export async function operatorPools(
  { sql, now }: Database,
  query: QueryOf<typeof listOperatorPools>,
  linkTo: (cursor: string) => string,
): Promise<ReplyOf<typeof listOperatorPools>> {
  const cursor = readCursor(query.cursor, ['uuid']);
  const isUp = (query.review === 'waiting') !== (cursor?.isBack ?? false);
  const order = isUp ? sql`asc` : sql`desc`;
  const [rows, count] = await Promise.all([
    sql<Row[]>`
      with page as materialized (
        select p.id from pools p where p.review = ${query.review}
          ${cursor ? sql`and p.id ${isUp ? sql`>` : sql`<`} ${cursor.keys[0] as string}` : sql``}
        order by p.id ${order} limit ${query.limit + 1}
      )
      select p.id, p.name, p.sacco_id, s.name as sacco_name, p.state, p.members_count, terms.min_contribution_cents,
        p.created_at, p.created_by, u.first_name, u.last_name, p.is_public, p.review, p.review_reason, p.reviewed_at,
        (select count(*)::int from pools o where o.created_by = p.created_by and o.review = 'refused' and o.id <> p.id)
          as refused_before
      from page join pools p on p.id = page.id
      join users u on u.id = p.created_by
      left join saccos s on s.id = p.sacco_id
      cross join lateral (
        select t.min_contribution_cents from pool_parameters t
        where t.pool_id = p.id and t.valid_from <= ${now()} order by t.valid_from desc limit 1
      ) terms
      order by p.id ${order}`,
    countUpTo(sql, sql`from pools where review = ${query.review}`),
  ]);
  const page = toPage(rows, { limit: query.limit, cursor, keysOf: (row) => [row.id], linkTo });
  return { ...page, count, results: page.results.map(toOperatorPool) };
}

function toOperatorPool(row: Row): OperatorPool {
  return {
    id: row.id,
    name: row.name,
    sacco: row.sacco_id === null ? null : { id: row.sacco_id, name: row.sacco_name ?? '' },
    state: row.state,
    members_count: row.members_count,
    min_contribution: shillingsFromCents(row.min_contribution_cents),
    created_at: row.created_at.toISOString(),
    created_by: { id: row.created_by, first_name: row.first_name, last_name: row.last_name },
    refused_before: row.refused_before,
    is_public: row.is_public,
    review: row.review,
    review_reason: row.review_reason,
    reviewed_at: row.reviewed_at?.toISOString() ?? null,
  };
}
