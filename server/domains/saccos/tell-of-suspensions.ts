import type { SaccoState } from '@ushirika/contract/saccos';
import { eachPart } from '../../db/each-part.ts';
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
  readonly changed_by: string | null;
  readonly changed_at: Date;
  /** When the suspension lapses; null where two operators want it. */
  readonly lapses_at: Date | null;
  /** A suspension that is over by now: whoever was not told of it is not told any more. */
  readonly is_over: boolean;
  /** The membership that was told last. */
  readonly after_id: string | null;
  /** Of an end: the last membership that was told of its beginning; null for none. */
  readonly until: string | null;
}

interface Member {
  readonly id: string;
  readonly user_id: string;
  /** The founder and the officials of that day were told with the change itself (`changeState`). */
  readonly is_told: boolean;
}

/**
 * Tells the members of saccos that were suspended, or whose suspension ended: in their lists, in chunks that commit with their mark, so
 * that nobody is told twice. The changes of a sacco are told in their order. One that goes wrong holds up no other sacco.
 * @param most how many members are told in one transaction
 * @throws what went wrong, after the others
 */
export async function tellOfSuspensions(database: Database, most = CHUNK): Promise<void> {
  const since = new Date(database.now().getTime() - NEWS_MS);
  // Here, and not where the change is made: an operator's role may not write the marks.
  await database.sql`
    insert into suspension_tellings (change_id)
    select c.id from sacco_state_changes c
    where (c.from_state = 'suspended' or c.to_state = 'suspended') and c.changed_at > ${since} order by c.id
    on conflict do nothing`;
  const open = await database.sql<{ sacco_id: string }[]>`
    select distinct c.sacco_id from suspension_tellings t join sacco_state_changes c on c.id = t.change_id
    where not t.is_done and c.changed_at > ${since}`;
  await eachPart(
    open.map(({ sacco_id: saccoId }) => async () => {
      while (await database.transaction((tx) => tellChunk(tx, { saccoId, since, most })));
    }),
  );
}

async function tellChunk(
  tx: Tx,
  { saccoId, since, most }: { readonly saccoId: string; readonly since: Date; readonly most: number },
): Promise<boolean> {
  const telling = await takeTelling(tx, saccoId, since);
  if (!telling) return false;
  const members = telling.is_over ? [] : await nextMembers(tx, telling, most);
  const { name, from_state: from, to_state: to, reason, lapses_at: lapsesAt, changed_by: causedBy } = telling;
  const text = stateText({ name, from, to, reason, lapsesAt });
  await notifyAll(
    tx,
    members
      .filter(({ is_told }) => !is_told)
      .map(({ user_id: userId }) => ({ userId, topic: 'saccos', template: `sacco_${to}`, text, causedBy })),
  );
  await tx.sql`
    update suspension_tellings set after_id = ${members.at(-1)?.id ?? telling.after_id}, is_done = ${members.length < most}
    where change_id = ${telling.id}`;
  return true;
}

/**
 * The sacco's oldest change that is not told, under its lock; null where there is none. A suspension and its change have one moment. One
 * that neither lapses nor was upheld began before suspensions had an end: nobody is told of it.
 */
async function takeTelling(tx: Tx, saccoId: string, since: Date): Promise<Telling | null> {
  const [telling] = await tx.sql<Telling[]>`
    select c.id, c.sacco_id, s.name, c.from_state, c.to_state, c.reason, c.changed_by, c.changed_at, t.after_id, begun.after_id as until,
      case when a.upheld_by is null then a.lapses_at end as lapses_at,
      c.to_state = 'suspended' and (a.id is null or a.ended_at is not null or coalesce(a.lapses_at, a.upheld_at) is null)
        or c.from_state = 'suspended' and begun.change_id is not null and begun.after_id is null as is_over
    from suspension_tellings t join sacco_state_changes c on c.id = t.change_id join saccos s on s.id = c.sacco_id
    left join sacco_suspensions a on a.sacco_id = c.sacco_id and a.suspended_at = c.changed_at
    left join lateral (
      select b.change_id, b.after_id from sacco_state_changes e join suspension_tellings b on b.change_id = e.id
      where c.from_state = 'suspended' and e.sacco_id = c.sacco_id and e.to_state = 'suspended' and e.id < c.id
      order by e.id desc limit 1) begun on true
    where c.sacco_id = ${saccoId} and not t.is_done and c.changed_at > ${since}
    order by c.changed_at, c.id limit 1 for update of t`;
  return telling ?? null;
}

/** Those who were members on that day. Of an end, only those who were told of its beginning. */
function nextMembers(tx: Tx, { sacco_id, changed_at, after_id, until }: Telling, most: number): Promise<Member[]> {
  return tx.sql<Member[]>`
    select m.id, m.user_id, m.user_id = s.created_by or exists (
      select from offices o
      where o.sacco_id = m.sacco_id and o.user_id = m.user_id and o.since <= ${changed_at} and o.until > ${changed_at}
        and (o.ended_at is null or o.ended_at > ${changed_at})) as is_told
    from memberships m join saccos s on s.id = m.sacco_id
    where m.sacco_id = ${sacco_id} and m.state <> 'exited' and m.joined_at <= ${changed_at}
      and m.id > ${after_id ?? FIRST} and (${until}::uuid is null or m.id <= ${until}::uuid)
    order by m.id limit ${most}`;
}
