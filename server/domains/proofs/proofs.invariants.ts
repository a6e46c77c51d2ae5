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
    name: 'Every log has its beginning, and every entry, fact, tile and checkpoint has its log',
    find: (sql) => sql`
      select l.origin as log, l.started_at, f.head ->> 'at' as logged_at
      from logs l left join log_facts f on f.log_id = l.id and f.i = 0
      where l.size > 0 and f.head ->> 'at' is distinct from to_char(l.started_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
      union all
      select each.kind || ' of log ' || each.log_id, null, null
      from (
        select distinct 'entries' as kind, log_id from log_entries
        union all select distinct 'facts', log_id from log_facts
        union all select distinct 'tiles', log_id from log_tiles
        union all select distinct 'checkpoints', log_id from checkpoints
        union all select distinct 'anchors', log_id from anchors
        union all select distinct 'totals', log_id from log_totals
      ) each left join logs l on l.id = each.log_id where l.id is null
      limit ${breachesShown}`,
  },
  {
    name: 'A log has ended where another one follows it, and at the same moment',
    find: (sql) => sql`
      select l.origin as log, l.ended_at, n.origin as next, n.started_at from logs l left join logs n on n.follows = l.id
      where l.ended_at is distinct from n.started_at limit ${breachesShown}`,
  },
  {
    name: 'Every fact is of an entry that is about no journal, and such an entry has its fact until it is erased',
    find: (sql) => sql`
      select coalesce(f.log_id, e.log_id) as log_id, coalesce(f.i, e.i) as entry
      from log_facts f
      full join (select log_id, i, secret from log_entries where journal_id is null) e on e.log_id = f.log_id and e.i = f.i
      where e.i is null or f.i is null and e.secret is not null
      limit ${breachesShown}`,
  },
  {
    name: 'Every event is in the log of its sacco, of its kind, and of its member',
    find: (sql) => sql`
      select v.id as event_id, v.kind, v.sacco_id, v.subject_id
      from log_events v join log_entries e on e.event_id = v.id join logs l on l.id = e.log_id
      left join log_facts f on f.log_id = e.log_id and f.i = e.i
      where v.kind <> e.kind or v.sacco_id is distinct from l.sacco_id
        or v.erased_at is null and v.subject_id::text is distinct from f.parts -> 0 ->> 'owner'
      limit ${breachesShown}`,
  },
  {
    name: 'Every total that was logged is kept under its day and its sacco, with pieces of no other',
    find: (sql) => sql`
      select coalesce(t.log_id, e.log_id) as log_id, coalesce(t.i, e.i) as entry
      from log_totals t
      full join (select e.log_id, e.i, l.sacco_id, f.head from log_entries e join logs l on l.id = e.log_id
        left join log_facts f on f.log_id = e.log_id and f.i = e.i where e.kind = 'totals') e on e.log_id = t.log_id and e.i = t.i
      where t.id is null or e.i is null or t.sacco_id is distinct from e.sacco_id or t.what is distinct from e.head ->> 'what'
        or t.day::text is distinct from e.head ->> 'day'
      union all
      select p.total_id, null from log_total_pieces p left join log_totals t on t.id = p.total_id where t.secret is null
      limit ${breachesShown}`,
  },
  {
    name: 'Every total of members’ balances is what its leaves give, and what was logged',
    find: async (sql) => (await faultsOfTotals(sql, breachesShown)).map((fault) => ({ ...fault })),
  },
];
