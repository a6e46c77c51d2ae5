import { API_BASE } from '@ushirika/contract/constants';
import { shillingsFromCents } from '@ushirika/contract/money';
import { Refusal } from '@ushirika/contract/refusal';
import type { QueryOf, ReplyOf } from '@ushirika/contract/route';
import type { MembershipState } from '@ushirika/contract/saccos';
import type { RegisterEntry, readShares as readSharesRoute } from '@ushirika/contract/shares';
import { linker, readCursor, toPage } from '../../db/page.ts';
import type { Database } from '../../db/tx.ts';
import { handlesOf } from '../membership/handles.ts';

interface HoldingRow {
  readonly min_shares: number;
  readonly share_value_cents: number;
  readonly state: MembershipState;
  readonly shares: number;
  readonly held: number;
  readonly entries: number;
}

interface EntryRow {
  readonly id: string;
  readonly place: number;
  readonly reason: RegisterEntry['reason'];
  readonly shares: number;
  readonly shares_after: number;
  readonly amount_cents: number;
  readonly moved_at: Date;
  /** The member on the other side; null is the sacco. */
  readonly counterparty: string | null;
  readonly sacco: string;
}

/** A member's shares in a sacco and the entries of the register, newest first. */
export async function sharesOfMember(
  database: Database,
  publicUrl: string,
  member: { readonly userId: string; readonly saccoId: string },
  query: QueryOf<typeof readSharesRoute>,
): Promise<ReplyOf<typeof readSharesRoute>> {
  const cursor = readCursor(query.cursor, ['integer']);
  const [holding, entries] = await Promise.all([
    holdingRow(database, member),
    entryRows(database, member, cursor, query.limit + 1),
  ]);
  if (!holding) throw new Refusal('not_a_member');
  const handles = await handlesOf(
    database,
    member.saccoId,
    entries.flatMap(({ counterparty }) => counterparty ?? []),
  );
  const linkTo = linker(`${publicUrl}${API_BASE}/sacco/shares`, query);
  const page = toPage(entries, { limit: query.limit, cursor, keysOf: ({ place }) => [place], linkTo });
  return {
    count: holding.entries,
    next: page.next,
    previous: page.previous,
    results: page.results.map((entry) => ({
      id: entry.id,
      at: entry.moved_at.toISOString(),
      reason: entry.reason,
      shares: entry.shares,
      shares_after: entry.shares_after,
      amount: shillingsFromCents(entry.amount_cents),
      counterparty: entry.counterparty === null ? entry.sacco : (handles.get(entry.counterparty) ?? 'A member'),
    })),
    holding: {
      sacco: member.saccoId,
      shares: holding.shares,
      held: holding.held,
      share_value: shillingsFromCents(holding.share_value_cents),
      value: shillingsFromCents(holding.shares * holding.share_value_cents),
      min_shares: holding.min_shares,
      membership: holding.state,
    },
  };
}

const COUNT_MAX = 10_000;

async function holdingRow(
  database: Database,
  { userId, saccoId }: { readonly userId: string; readonly saccoId: string },
): Promise<HoldingRow | undefined> {
  const [row] = await database.sql<HoldingRow[]>`
    select s.min_shares, s.share_value_cents, m.state,
      (coalesce(free.balance, 0) + coalesce(hold.balance, 0))::bigint as shares, coalesce(hold.balance, 0)::bigint as held,
      (select count(*)::int from (
        select from share_register where sacco_id = ${saccoId} and user_id = ${userId} limit ${COUNT_MAX}
      ) as found) as entries
    from memberships m join saccos s on s.id = m.sacco_id
    left join accounts free on free.book_id = s.id and free.kind = 'holding' and free.owner_id = m.user_id
    left join accounts hold on hold.book_id = s.id and hold.kind = 'holding_hold' and hold.owner_id = m.user_id
    where m.sacco_id = ${saccoId} and m.user_id = ${userId}`;
  return row;
}

function entryRows(
  database: Database,
  member: { readonly userId: string; readonly saccoId: string },
  cursor: ReturnType<typeof readCursor>,
  limit: number,
): Promise<EntryRow[]> {
  const order = cursor?.isBack ? 'asc' : 'desc';
  const condition = cursor ? `and place ${cursor.isBack ? '>' : '<'} $3::bigint` : '';
  // The page, merged from the ends of the three indexes under the view.
  return database.sql.unsafe<EntryRow[]>(
    `with page as materialized (
       select id, place, reason, shares, shares_after, amount_cents, counterparty, moved_at
       from share_register where sacco_id = $1 and user_id = $2 ${condition} order by place ${order} limit ${limit}
     )
     select r.id, r.place, r.reason, r.shares, r.shares_after, r.amount_cents, r.moved_at,
       r.counterparty, s.name as sacco
     from page r join saccos s on s.id = $1
     order by r.place ${order}`,
    [member.saccoId, member.userId, ...(cursor ? [Number(cursor.keys[0])] : [])],
    { prepare: true },
  ) as unknown as Promise<EntryRow[]>;
}
