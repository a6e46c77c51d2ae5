import { shillingsFromCents } from '@ushirika/contract/money';
import type { ReplyOf } from '@ushirika/contract/route';
import type { MembershipState } from '@ushirika/contract/saccos';
import type { readSummary } from '@ushirika/contract/summary';
import { joinedLookup } from '../../db/joined-lookup.ts';
import type { Database } from '../../db/tx.ts';
import { PLATFORM_BOOK } from '../../ledger/ledger.types.ts';
import { texts } from '../../ledger/sql-arrays.ts';

type Summary = ReplyOf<typeof readSummary>;

interface SummaryRow {
  readonly available: number;
  readonly held: number;
  readonly saccos: {
    id: string;
    name: string;
    state: MembershipState;
    share_value_cents: number;
    shares: number;
    held_shares: number;
    savings_cents: number;
  }[];
  readonly activity: { id: number; at: string; kind: string; change: number; after: number }[];
}

/** Makes the reader of `GET /client/summary`: always from the database, one statement for all who ask in one turn. */
export function summaries(database: Database): (userId: string) => Promise<Summary> {
  return joinedLookup((userIds: readonly string[]) => summariesOf(database, userIds), 64);
}

const ACTIVITY_SHOWN = 10;

/**
 * The summaries of many people in one statement: the wallet and its hold, each sacco with holding and savings by their
 * accounts' key, and the last ten events of the wallet from the
 * ends of its two indexes: twice as many movements, since one event moves a wallet twice at most (shares and their fees).
 */
export async function summariesOf(database: Pick<Database, 'sql'>, userIds: readonly string[]): Promise<Summary[]> {
  const rows = await database.sql<SummaryRow[]>`
    select coalesce(wallet.balance, 0)::bigint as available, coalesce(hold.balance, 0)::bigint as held,
      coalesce(saccos.list, '[]') as saccos, coalesce(activity.list, '[]') as activity
    from unnest(${texts(userIds)}::uuid[]) with ordinality as asked (user_id, place)
    left join accounts wallet
      on wallet.book_id = ${PLATFORM_BOOK} and wallet.kind = 'wallet' and wallet.owner_id = asked.user_id
    left join accounts hold
      on hold.book_id = ${PLATFORM_BOOK} and hold.kind = 'wallet_hold' and hold.owner_id = asked.user_id
    left join lateral (
      select json_agg(json_build_object(
        'id', s.id, 'name', s.name, 'state', m.state, 'share_value_cents', s.share_value_cents,
        'shares', coalesce(holding.balance, 0) + coalesce(holding_hold.balance, 0),
        'held_shares', coalesce(holding_hold.balance, 0), 'savings_cents', coalesce(deposits.balance, 0)) order by s.name_folded) as list
      from memberships m
      join saccos s on s.id = m.sacco_id
      left join accounts holding
        on holding.book_id = s.id and holding.kind = 'holding' and holding.owner_id = m.user_id
      left join accounts holding_hold
        on holding_hold.book_id = s.id and holding_hold.kind = 'holding_hold' and holding_hold.owner_id = m.user_id
      left join accounts deposits
        on deposits.book_id = s.id and deposits.kind = 'deposits' and deposits.owner_id = m.user_id
      where m.user_id = asked.user_id and m.state <> 'exited'
    ) saccos on true
    left join lateral (
      select json_agg(json_build_object(
        'id', t.journal_id, 'at', j.posted_at, 'kind', j.kind, 'change', t.change, 'after', t.after)
        order by t.id desc) as list
      from (
        select journal_id, max(id) as id, sum(change) as change, (array_agg(after order by id desc))[1] as after
        from (
          (select id, journal_id, -amount as change, debit_balance_after as after from transfers
           where debit_account_id = wallet.id order by id desc limit ${2 * ACTIVITY_SHOWN})
          union all
          (select id, journal_id, amount, credit_balance_after from transfers
           where credit_account_id = wallet.id order by id desc limit ${2 * ACTIVITY_SHOWN})
          order by id desc limit ${2 * ACTIVITY_SHOWN}
        ) moved
        group by journal_id order by max(id) desc limit ${ACTIVITY_SHOWN}
      ) t
      join journals j on j.id = t.journal_id
    ) activity on true
    order by asked.place`;
  return rows.map(summaryOf);
}

function summaryOf(row: SummaryRow): Summary {
  return {
    wallet: {
      amount: shillingsFromCents(row.available + row.held),
      held: shillingsFromCents(row.held),
      available: shillingsFromCents(row.available),
    },
    saccos: row.saccos.map((sacco) => ({
      id: sacco.id,
      name: sacco.name,
      membership: sacco.state,
      shares: sacco.shares,
      held_shares: sacco.held_shares,
      share_value: shillingsFromCents(sacco.share_value_cents),
      value: shillingsFromCents(sacco.shares * sacco.share_value_cents),
      savings: shillingsFromCents(sacco.savings_cents),
      // Loans and guarantees do not exist yet: nobody owes any.
      loans_outstanding: 0,
      next_due: null,
      guarantees_given: 0,
    })),
    open_votes: 0,
    open_requests: 0,
    activity: row.activity.map((entry) => ({
      id: String(entry.id),
      at: isoOf(entry.at),
      kind: entry.kind,
      amount: shillingsFromCents(entry.change),
      balance_after: shillingsFromCents(entry.after),
    })),
  };
}

/**
 * PostgreSQL's JSON spelling of an instant (`2026-12-05T08:30:00.12+00:00`) in ours. Connections are in UTC; any other
 * spelling takes the long way. Ten dates a summary made this worth a function.
 */
export function isoOf(text: string): string {
  if (!text.endsWith('+00:00')) return new Date(text).toISOString();
  const plain = text.slice(0, -6);
  return `${(plain.length > 19 ? plain : `${plain}.`).slice(0, 23).padEnd(23, '0')}Z`;
}
