import { MARKED_PAIRS_SHOWN, type MarkedPair, listMarkedPairs as route } from '@ushirika/contract/market';
import { shillingsFromCents } from '@ushirika/contract/money';
import type { ReplyOf } from '@ushirika/contract/route';
import { sentence, sharesSaid } from '@ushirika/contract/sentence';
import type { Database, Tx } from '../../db/tx.ts';
import { texts } from '../../ledger/sql-arrays.ts';
import { notifyAll } from '../notifications/notify.ts';

/*
 * Pairs of members who bought back from each other within a week. Their trades do not count for the figures (decision
 * 156), and only officials of their sacco see who they are.
 */

interface PairRow {
  readonly id: string;
  readonly day: string;
  readonly one: string;
  readonly one_handle: string;
  readonly other: string;
  readonly other_handle: string;
  readonly trades: number;
  readonly shares: number;
  readonly value_cents: number;
  readonly first_at: Date;
  readonly last_at: Date;
}

/** The latest marked pairs of a sacco. Runs as the official: PostgreSQL shows no rows to others. */
export async function markedPairsOf(database: Database, saccoId: string): Promise<ReplyOf<typeof route>> {
  const rows = await database.sql<PairRow[]>`
    with latest as materialized (
      select * from marked_pairs where sacco_id = ${saccoId} order by id desc limit ${MARKED_PAIRS_SHOWN}
    )
    select p.id, p.day::text as day, p.trades, p.shares, p.value_cents, p.first_at, p.last_at,
      a.first_name || ' ' || a.last_name as one, b.first_name || ' ' || b.last_name as other,
      one.handle as one_handle, two.handle as other_handle
    from latest p
    join people a on a.id = p.one_id join member_handles one on one.sacco_id = p.sacco_id and one.user_id = p.one_id
    join people b on b.id = p.other_id join member_handles two on two.sacco_id = p.sacco_id and two.user_id = p.other_id
    order by p.id desc`;
  const results = rows.map(
    (row): MarkedPair => ({
      id: row.id,
      day: row.day,
      members: [
        { name: row.one, handle: row.one_handle },
        { name: row.other, handle: row.other_handle },
      ],
      trades: row.trades,
      shares: row.shares,
      value: shillingsFromCents(row.value_cents),
      first_at: row.first_at.toISOString(),
      last_at: row.last_at.toISOString(),
    }),
  );
  return { count: results.length, next: null, previous: null, results };
}

/** Tells officials of new pairs: one message for each sacco, however many pairs. A pair is told once a day. */
export async function tellOfMarkedPairs(database: Database): Promise<void> {
  const saccos = await database.sql<{ sacco_id: string }[]>`
    select distinct sacco_id from marked_pairs where told_at is null order by sacco_id`;
  for (const { sacco_id } of saccos) await database.transaction((tx) => tellOfficials(tx, sacco_id));
}

async function tellOfficials(tx: Tx, saccoId: string): Promise<void> {
  const pairs = await tx.sql<{ shares: number }[]>`
    update marked_pairs set told_at = ${tx.now} where sacco_id = ${saccoId} and told_at is null
    returning shares`;
  if (pairs.length === 0) return;
  const officials = await tx.sql<{ user_id: string; name: string }[]>`
    select distinct o.user_id, s.name from offices o join saccos s on s.id = o.sacco_id
    where o.sacco_id = ${saccoId} and o.ended_at is null and o.until > ${tx.now}
      and o.office = any (${texts(route.offices ?? [])}::text[])`;
  const number = pairs.reduce((sum, { shares }) => sum + shares, 0);
  const shares = sharesSaid(number);
  const n = pairs.length;
  await notifyAll(
    tx,
    officials.map(({ user_id: userId, name }) => ({
      userId,
      topic: 'saccos' as const,
      template: 'pair_marked',
      causedBy: null,
      text:
        n === 1
          ? sentence(
              'Two members of {name} sold {shares} back to one another within a week. These trades do not move the price. Who they are is under Share Trading.',
              { name, shares },
            )
          : sentence(
              '{n} pairs of members of {name} sold {shares} back to one another within a week. These trades do not move the price. Who they are is under Share Trading.',
              { n, name, shares },
            ),
    })),
  );
}
