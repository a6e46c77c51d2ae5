import { breachesShown, type Invariant } from '../../ledger/invariants.ts';
import { faultsOfLogs } from './check-log.ts';
import { faultsOfTotals } from './check-totals.ts';

export const proofsInvariants: readonly Invariant[] = [
  {
    name: 'Every log is what its entries and the books give, and continues each signed checkpoint',
    find: async (sql) => (await faultsOfLogs(sql, breachesShown)).map((fault) => ({ ...fault })),
  },
  {
    name: 'Every journal up to the one that was logged last is in one log, once',
    find: (sql) => sql`
      select j.id as journal_id, count(e.i)::int as entries
      from journals j left join log_entries e on e.journal_id = j.id
      where j.id <= (select upto from log_cursors where source = 'journals')
      group by j.id having count(e.i) <> 1
      limit ${breachesShown}`,
  },
  {
    name: 'Every event up to the one that was logged last is in one log, once, and nowhere else any more',
    find: (sql) => sql`
      select v.id as event_id, count(e.i)::int as entries
      from log_events v left join log_entries e on e.event_id = v.id
      where v.id <= (select upto from log_cursors where source = 'events')
      group by v.id having count(e.i) <> 1 or v.logged_at is null
      union all
      select e.event_id, 0 from log_entries e left join log_events v on v.id = e.event_id
      where e.event_id is not null and (v.id is null or (v.erased_at is null) <> (e.secret is not null))
      limit ${breachesShown}`,
  },
  {
    name: 'A full tile holds the leaves, or the hashes of the tiles below, that it is made of',
    find: (sql) => sql`
      select t.log_id, t.level, t.n from log_tiles t
      where t.hashes is distinct from (
        case when t.level = 0 then (
          select string_agg(e.leaf, ''::bytea order by e.i) from log_entries e
          where e.log_id = t.log_id and e.i between t.n * 256 and t.n * 256 + 255)
        else (
          select string_agg(b.root, ''::bytea order by b.n) from log_tiles b
          where b.log_id = t.log_id and b.level = t.level - 1 and b.n between t.n * 256 and t.n * 256 + 255)
        end)
      limit ${breachesShown}`,
  },
  {
    name: 'No log is halted: each continues what was signed and anchored before',
    find: (sql) => sql`
      select origin as log, halted_at, halted_because from logs
      where halted_at is not null and ended_at is null limit ${breachesShown}`,
  },
  {
    name: 'Every anchor is of a signed checkpoint of its log, with the same root',
    find: (sql) => sql`
      select l.origin as log, a.size, a.state, c.root is not null as is_signed
      from anchors a join logs l on l.id = a.log_id left join checkpoints c on c.log_id = a.log_id and c.size = a.size
      where c.root is distinct from a.root limit ${breachesShown}`,
  },
  {
    name: 'Every total of members’ balances is what its leaves give, and what was logged',
    find: async (sql) => (await faultsOfTotals(sql, breachesShown)).map((fault) => ({ ...fault })),
  },
];
