import type { SaccoState } from '@ushirika/contract/saccos';
import type { Database, Tx } from '../../db/tx.ts';
import { notifyAll } from '../notifications/notify.ts';
import { stateText } from './change-state.ts';

/** Members who are told in one transaction. */
const CHUNK = 1_000;
/** A change that could not be told for so long is old news. */
const NEWS_MS = 7 * 86_400_000;
const FIRST = '00000000-0000-0000-0000-000000000000';

interface Telling {
  readonly id: string;
  readonly sacco_id: string;
  readonly name: string;
  readonly from_state: SaccoState;
  readonly to_state: SaccoState;
  readonly reason: string | null;
  /** Of a suspension by one operator, whatever became of it. */
  readonly lapses_at: Date | null;
  readonly after_id: string | null;
}

interface Member {
  readonly id: string;
  readonly user_id: string;
  /** The founder and the officials are told with the change itself (`changeState`). */
  readonly is_told: boolean;
}

/**
 * Tells the members of saccos that were suspended, or whose suspension ended: in their lists, in chunks that commit with their mark, so
 * that nobody is told twice. Of several processes each takes another change.
 */
export async function tellOfSuspensions(database: Database): Promise<void> {
  while (await database.transaction(tellChunk));
}

async function tellChunk(tx: Tx): Promise<boolean> {
  const telling = await takeTelling(tx);
  if (!telling) return false;
  const members = await tx.sql<Member[]>`
    select m.id, m.user_id, m.user_id = s.created_by or exists (
      select from offices o where o.sacco_id = m.sacco_id and o.user_id = m.user_id and o.ended_at is null and o.until > ${tx.now}) as is_told
    from memberships m join saccos s on s.id = m.sacco_id
    where m.sacco_id = ${telling.sacco_id} and m.state <> 'exited' and m.id > ${telling.after_id ?? FIRST}
    order by m.id limit ${CHUNK}`;
  const { name, from_state: state, to_state: to, reason, lapses_at: lapsesAt } = telling;
  const text = stateText({ sacco: { name, state }, to, reason, lapsesAt });
  await notifyAll(
    tx,
    members
      .filter(({ is_told }) => !is_told)
      .map(({ user_id: userId }) => ({ userId, topic: 'saccos', template: `sacco_${to}`, text })),
  );
  await tx.sql`
    update suspension_tellings set after_id = ${members.at(-1)?.id ?? telling.after_id}, is_done = ${members.length < CHUNK}
    where change_id = ${telling.id}`;
  return true;
}

/** The oldest change that is not told, under its lock. */
async function takeTelling(tx: Tx): Promise<Telling | null> {
  const since = new Date(tx.now.getTime() - NEWS_MS);
  await tx.sql`
    insert into suspension_tellings (change_id)
    select c.id from sacco_state_changes c
    where (c.from_state = 'suspended' or c.to_state = 'suspended') and c.changed_at > ${since}
    on conflict do nothing`;
  const [telling] = await tx.sql<Telling[]>`
    select c.id, c.sacco_id, s.name, c.from_state, c.to_state, c.reason, t.after_id,
      (select a.lapses_at from sacco_suspensions a
       where a.sacco_id = c.sacco_id and a.suspended_at = c.changed_at and a.upheld_at is distinct from c.changed_at) as lapses_at
    from suspension_tellings t join sacco_state_changes c on c.id = t.change_id join saccos s on s.id = c.sacco_id
    where not t.is_done and c.changed_at > ${since}
    order by c.changed_at, c.id limit 1 for update of t skip locked`;
  return telling ?? null;
}
