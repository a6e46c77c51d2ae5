import { shillingsFromCents } from '@ushirika/contract/money';
import type { publicFigures as publicFiguresRoute } from '@ushirika/contract/public';
import type { ReplyOf } from '@ushirika/contract/route';
import { asSystem } from '../../db/person.ts';
import type { Database } from '../../db/tx.ts';
import { PLATFORM_BOOK } from '../../ledger/ledger.types.ts';

/**
 * What anyone may know of the platform as a whole, from rows that are kept up to date: a few dozen counters, one
 * account, the end of one index, and one row a market. Its cost grows with the number of saccos alone, by one short row
 * each; what people do does not make it dearer.
 */
export function publicFigures(database: Database): Promise<ReplyOf<typeof publicFiguresRoute>> {
  // The same for everybody, whoever asks: the newest entry of all, not the newest of one's own.
  return asSystem(() => readFigures(database));
}

interface FiguresRow {
  saccos: number;
  members: number;
  float_cents: number;
  last_entry_at: Date | null;
  shares_traded: number;
  turnover_cents: number;
  trades: number;
}

async function readFigures(database: Database): Promise<ReplyOf<typeof publicFiguresRoute>> {
  const [row] = await database.sql<FiguresRow[]>`
    select counted.*, traded.*,
      coalesce((
        -- Every shilling of every book stands behind the float: wallets, savings, shares and fees alike.
        select balance from accounts where book_id = ${PLATFORM_BOOK} and kind = 'mpesa_float' and owner_id is null
      ), 0)::bigint as float_cents,
      (select posted_at from journals order by id desc limit 1) as last_entry_at
    from (
      select
        coalesce(sum(value) filter (where name = 'saccos:active'), 0)::int as saccos,
        greatest(coalesce(sum(value) filter (where name = 'members'), 0), 0)::int as members
      from platform_counts
    ) as counted, (
      select
        coalesce(sum(shares_traded), 0)::bigint as shares_traded,
        coalesce(sum(turnover_cents), 0)::bigint as turnover_cents,
        coalesce(sum(trades), 0)::bigint as trades
      from markets
    ) as traded`;
  return {
    saccos: row?.saccos ?? 0,
    members: row?.members ?? 0,
    shillings_in_books: shillingsFromCents(row?.float_cents ?? 0),
    last_entry_at: row?.last_entry_at?.toISOString() ?? null,
    market: {
      shares_traded: row?.shares_traded ?? 0,
      turnover: shillingsFromCents(row?.turnover_cents ?? 0),
      trades: row?.trades ?? 0,
      // Every active sacco has a market, from its registration on.
      markets_open: row?.saccos ?? 0,
    },
  };
}
