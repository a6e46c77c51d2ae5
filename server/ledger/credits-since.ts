import type { Database, Tx } from '../db/tx.ts';
import { texts } from './sql-arrays.ts';

/** An account, and a transfer into it from which on all that are as young as asked for are found. */
export interface CreditsSince {
  readonly account_id: number;
  readonly owner_id: string;
  readonly first_id: number;
}

/** So many transfers are stepped over at once: one of each step is looked at. */
const STEP = 100;
/** A transfer has the moment at which its transaction began: two of one account may stand in the other order by as long as those last. */
const OUT_OF_ORDER_MS = 86_400_000;

/**
 * Where to begin reading what came into some people's accounts of a kind since a moment, in one statement. It steps back from the latest
 * transfer of each account, by its index: what it costs grows with what came since, not with the account's whole life. An account into
 * which nothing ever came is left out. The caller still asks each journal when it was posted.
 */
export async function creditsSince(
  reader: Pick<Tx, 'sql'> | Pick<Database, 'sql'>,
  asked: { readonly kind: string; readonly ownerIds: readonly string[]; readonly bookId: string | null },
  since: Date,
): Promise<CreditsSince[]> {
  return (reader.sql as Tx['sql'])<CreditsSince[]>`
    with recursive asked as (
      select id, owner_id from accounts
      where owner_id = any (${texts(asked.ownerIds)}::uuid[]) and kind = ${asked.kind}
        and (${asked.bookId}::uuid is null or book_id = ${asked.bookId}::uuid)
    ), back (account_id, first_id, posted_at) as (
      select asked.id, latest.id, latest.posted_at from asked cross join lateral (
        select t.id, j.posted_at from transfers t join journals j on j.id = t.journal_id
        where t.credit_account_id = asked.id order by t.id desc limit 1
      ) latest
      union all
      select back.account_id, oldest.id, oldest.posted_at from back cross join lateral (
        select t.id, j.posted_at
        from (
          select min(id) as id from (
            select id from transfers where credit_account_id = back.account_id and id < back.first_id order by id desc limit ${STEP}
          ) step
        ) page
        join transfers t on t.credit_account_id = back.account_id and t.id = page.id
        join journals j on j.id = t.journal_id
      ) oldest
      where back.posted_at >= ${new Date(since.getTime() - OUT_OF_ORDER_MS)}
    )
    select asked.id as account_id, asked.owner_id, min(back.first_id) as first_id
    from back join asked on asked.id = back.account_id group by asked.id, asked.owner_id`;
}
