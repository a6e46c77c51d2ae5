import { sentence, sharesSaid } from '@ushirika/contract/sentence';
import type { Database, Tx } from '../../db/tx.ts';
import { type Notice, notifyAll } from '../notifications/notify.ts';
import { type LockedSacco, lockSacco } from '../saccos/lock-sacco.ts';

/** Members who become provisional in one transaction, and versions of terms in one run. */
const CHUNK = 500;

interface Due {
  readonly sacco_id: string;
  readonly number: number;
}

/**
 * The time is over in which members kept their full rights with fewer shares than a new minimum: those who still hold fewer are
 * provisional again, and told. In chunks that commit; it may run twice at once, or again after it was cut off.
 */
export async function endKeptRights(database: Database): Promise<void> {
  const due = await database.sql<Due[]>`
    select sacco_id, number from sacco_terms
    where kept_until <= ${database.now()} and kept_ended_at is null order by kept_until limit ${CHUNK}`;
  for (const one of due) while (await database.transaction((tx) => endChunk(tx, one)));
}

/** @returns whether there may be more */
async function endChunk(tx: Tx, { sacco_id, number }: Due): Promise<boolean> {
  const sacco = await lockSacco(tx, sacco_id);
  const [last] = await tx.sql<Due[]>`
    select number from sacco_terms where sacco_id = ${sacco_id} order by number desc limit 1`;
  // Later terms have a time of their own, or need fewer shares.
  const isLast = last?.number === number;
  const ended = isLast ? await endRights(tx, sacco) : [];
  if (ended.length === CHUNK) return true;
  await tx.sql`
    update sacco_terms set kept_ended_at = ${tx.now}
    where sacco_id = ${sacco_id} and number = ${number} and kept_ended_at is null`;
  return false;
}

async function endRights(tx: Tx, { id, name, min_shares }: LockedSacco): Promise<string[]> {
  const rows = await tx.sql<{ user_id: string }[]>`
    update memberships m set state = 'provisional', state_at = ${tx.now}, paid_up_at = null
    where m.sacco_id = ${id} and m.user_id in (
      select own.user_id from memberships own
      left join accounts a on a.book_id = own.sacco_id and a.owner_id = own.user_id and a.kind in ('holding', 'holding_hold')
      where own.sacco_id = ${id} and own.state = 'active'
      group by own.user_id having coalesce(sum(a.balance), 0) < ${min_shares} order by own.user_id limit ${CHUNK})
    returning m.user_id`;
  const text = sentence(
    '{name}: members hold at least {shares} by now, and you hold fewer. Your shares and savings stay yours. Buy what is missing to have a member’s full rights again.',
    { name, shares: sharesSaid(min_shares) },
  );
  const people = rows.map(({ user_id }) => user_id);
  await notifyAll(
    tx,
    people.map((userId): Notice => ({ userId, topic: 'saccos', template: 'rights_ended', text })),
  );
  return people;
}
