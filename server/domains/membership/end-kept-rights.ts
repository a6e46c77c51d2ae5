import { sentence, sharesSaid } from '@ushirika/contract/sentence';
import type { Database, Tx } from '../../db/tx.ts';
import { texts } from '../../ledger/sql-arrays.ts';
import { type Notice, notifyAll } from '../notifications/notify.ts';
import { lockSacco } from '../saccos/lock-sacco.ts';

/** Members who become provisional in one transaction, and versions of terms in one run. */
const CHUNK = 500;

interface Due {
  readonly sacco_id: string;
  readonly number: number;
}

/**
 * The time is over in which members kept their full rights with fewer shares than a new minimum: those who still hold fewer are
 * provisional again, and told. All members are added up once, and once more at the end; what is between commits in chunks. It may run
 * twice at once, or again after it was cut off.
 */
export async function endKeptRights(database: Database): Promise<void> {
  const due = await database.sql<Due[]>`
    select sacco_id, number from sacco_terms
    where kept_until <= ${database.now()} and kept_ended_at is null order by kept_until limit ${CHUNK}`;
  for (const one of due) {
    for (;;) {
      const fewer = await database.transaction((tx) => findFewer(tx, one));
      if (fewer.length === 0) break;
      for (let from = 0; from < fewer.length; from += CHUNK) {
        const people = fewer.slice(from, from + CHUNK);
        await database.transaction((tx) => endRights(tx, one, people));
      }
    }
  }
}

/** Later terms have a time of their own, or need fewer shares. */
async function isLast(tx: Tx, { sacco_id, number }: Due): Promise<boolean> {
  const [last] = await tx.sql<Due[]>`
    select number from sacco_terms where sacco_id = ${sacco_id} order by number desc limit 1`;
  return last?.number === number;
}

/** Members in full rights who hold fewer than the minimum. Where there are none any more, the time has ended. */
async function findFewer(tx: Tx, one: Due): Promise<string[]> {
  const { id, min_shares } = await lockSacco(tx, one.sacco_id);
  const rows = (await isLast(tx, one))
    ? await tx.sql<{ user_id: string }[]>`
        select own.user_id from memberships own
        left join accounts a on a.book_id = own.sacco_id and a.owner_id = own.user_id and a.kind in ('holding', 'holding_hold')
        where own.sacco_id = ${id} and own.state = 'active'
        group by own.user_id having coalesce(sum(a.balance), 0) < ${min_shares} order by own.user_id`
    : [];
  if (rows.length === 0) {
    await tx.sql`
      update sacco_terms set kept_ended_at = ${tx.now}
      where sacco_id = ${id} and number = ${one.number} and kept_ended_at is null`;
  }
  return rows.map(({ user_id }) => user_id);
}

/** Of these, those who hold fewer still: they may have bought meanwhile. */
async function endRights(tx: Tx, one: Due, people: readonly string[]): Promise<void> {
  const { id, name, min_shares } = await lockSacco(tx, one.sacco_id);
  if (!(await isLast(tx, one))) return;
  const rows = await tx.sql<{ user_id: string }[]>`
    update memberships m set state = 'provisional', state_at = ${tx.now}, paid_up_at = null
    where m.sacco_id = ${id} and m.user_id = any (${texts(people)}::uuid[]) and m.state = 'active'
      and (select coalesce(sum(a.balance), 0) from accounts a
           where a.book_id = m.sacco_id and a.owner_id = m.user_id and a.kind in ('holding', 'holding_hold')) < ${min_shares}
    returning m.user_id`;
  const text = sentence(
    '{name}: members hold at least {shares} by now, and you hold fewer. Your shares and savings stay yours. Buy what is missing to have a member’s full rights again.',
    { name, shares: sharesSaid(min_shares) },
  );
  await notifyAll(
    tx,
    rows.map(
      ({ user_id: userId }): Notice => ({ userId, topic: 'saccos', template: 'rights_ended', text, causedBy: null }),
    ),
  );
}
