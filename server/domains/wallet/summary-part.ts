import { type Cents, shillingsFromCents } from '@ushirika/contract/money';
import type { ReplyOf } from '@ushirika/contract/route';
import type { readSummary } from '@ushirika/contract/summary';
import type { Fragment } from 'postgres';
import type { Database } from '../../db/tx.ts';
import { PLATFORM_BOOK } from '../../ledger/ledger.types.ts';
import { isoOf } from './iso-of.ts';

type Sql = Database['sql'];
type Summary = ReplyOf<typeof readSummary>;

/**
 * A domain's part of `GET /client/summary`: fragments of the one statement, and the reply's fields made from their
 * result. A field without a part is empty.
 */
export interface SummaryPart {
  readonly ofPerson?: Piece<Partial<Omit<Summary, 'saccos'>>>;
  readonly ofSacco?: Piece<Partial<Omit<Summary['saccos'][number], 'id' | 'name' | 'membership'>>>;
}

interface Piece<Fields> {
  /**
   * Arguments of `json_build_object`: names and expressions, separated by commas. A person's fragment may use
   * `asked.user_id`; a sacco's may use the membership `m`, the sacco `s`, and what `joins` adds.
   */
  readonly json: (sql: Sql) => Fragment;
  readonly joins: (sql: Sql, now: Date) => Fragment;
  /** @param found the values of `json`, by their names */
  fields(found: object): Fields;
}

interface Found {
  readonly available: Cents;
  readonly held: Cents;
  readonly activity: { id: number; at: string; kind: string; change: Cents; after: Cents }[];
}

const ACTIVITY_SHOWN = 10;

/**
 * The wallet, its hold, and the last ten events of the wallet. The newest movements are read from both indexes of
 * transfers. It reads twice as many movements as events, since one event moves a wallet at most twice (shares and their
 * fees).
 */
export const walletSummary: SummaryPart = {
  ofPerson: {
    json: (sql) => sql`
      'available', coalesce(wallet.balance, 0), 'held', coalesce(hold.balance, 0), 'activity', coalesce(activity.list, '[]')`,
    joins: (sql) => sql`
      left join accounts wallet
        on wallet.book_id = ${PLATFORM_BOOK} and wallet.kind = 'wallet' and wallet.owner_id = asked.user_id
      left join accounts hold
        on hold.book_id = ${PLATFORM_BOOK} and hold.kind = 'wallet_hold' and hold.owner_id = asked.user_id
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
      ) activity on true`,
    fields: ({ available, held, activity }: Found) => ({
      wallet: {
        amount: shillingsFromCents(available + held),
        held: shillingsFromCents(held),
        available: shillingsFromCents(available),
      },
      activity: activity.map((entry) => ({
        id: String(entry.id),
        at: isoOf(entry.at),
        kind: entry.kind,
        amount: shillingsFromCents(entry.change),
        balance_after: shillingsFromCents(entry.after),
      })),
    }),
  },
};
