import { Refusal } from '@ushirika/contract/refusal';
import type { Office } from '@ushirika/contract/route';
import type { SaccoChange } from '@ushirika/contract/sacco-changes';
import { sentence } from '@ushirika/contract/sentence';
import type { Database } from '../../db/tx.ts';
import type { ChangeExecutors, ChangeRow } from './changes.types.ts';
import { LAPSES_AFTER_MS } from './decide-change.ts';
import { officesOf } from './offices.ts';

/** Of those that are decided, so many of the last are shown. */
const SHOWN_MAX = 20;

interface ShownRow extends ChangeRow {
  readonly proposer: string;
  readonly confirmer: string | null;
}

interface Asker {
  readonly userId: string;
}

type Reader = Pick<Database, 'sql' | 'now'>;

/** What waits, and what was decided lately, newest first. Which of them somebody sees, the rows' policies say. */
export async function changesOf(
  database: Reader,
  asker: Asker,
  saccoId: string,
  executors: ChangeExecutors,
): Promise<SaccoChange[]> {
  const { sql } = database;
  const rows = await readShown(
    sql,
    sql`c.sacco_id = ${saccoId} or c.sacco_id is null and c.proposed_by in (
        select o.user_id from offices o
        where o.sacco_id = ${saccoId} and o.ended_at is null and o.until > ${database.now()})`,
  );
  const held = await officesOf(database, asker.userId, saccoId);
  const offices = held.map(({ office }) => office);
  return rows.map((row) => shown(row, { ...asker, offices, now: database.now() }, executors));
}

/** One that the asker has just decided. */
export async function changeById(
  database: Reader,
  asker: Asker,
  { id, saccoId }: { readonly id: string; readonly saccoId: string | null },
  executors: ChangeExecutors,
): Promise<SaccoChange> {
  const [row] = await readShown(database.sql, database.sql`c.id = ${id}`);
  if (!row) throw new Refusal('not_found', { message: sentence('There is no such change.') });
  const held = saccoId === null ? [] : await officesOf(database, asker.userId, saccoId);
  const offices = held.map(({ office }) => office);
  return shown(row, { ...asker, offices, now: database.now() }, executors);
}

function readShown(sql: Database['sql'], which: ReturnType<Database['sql']>): Promise<ShownRow[]> {
  return sql<ShownRow[]>`
    select c.id, c.kind, c.sacco_id, c.proposed_by, c.proposed_at, c.payload, c.expected, c.state, c.confirmed_by,
      c.confirmed_at, c.effective_at, c.ended_at, coalesce(p.first_name || ' ' || p.last_name, '') as proposer,
      q.first_name || ' ' || q.last_name as confirmer
    from sacco_changes c
    left join people p on p.id = c.proposed_by left join people q on q.id = c.confirmed_by
    where ${which}
    order by c.state in ('proposed', 'confirmed') desc, c.id desc limit ${SHOWN_MAX}`;
}

function shown(
  row: ShownRow,
  asker: Asker & { readonly offices: readonly Office[]; readonly now: Date },
  executors: ChangeExecutors,
): SaccoChange {
  return {
    id: row.id,
    kind: row.kind,
    state: row.state,
    before: row.expected,
    after: row.payload,
    proposed_by: { id: row.proposed_by, name: row.proposer },
    proposed_at: row.proposed_at.toISOString(),
    lapses_at: row.state === 'proposed' ? new Date(row.proposed_at.getTime() + LAPSES_AFTER_MS).toISOString() : null,
    confirmed_by: row.confirmed_by === null ? null : { id: row.confirmed_by, name: row.confirmer ?? '' },
    effective_at: row.effective_at?.toISOString() ?? null,
    ended_at: row.ended_at?.toISOString() ?? null,
    may: mayOf(row, asker, executors),
  };
}

function mayOf(
  row: ShownRow,
  { userId, offices }: Asker & { readonly offices: readonly Office[] },
  executors: ChangeExecutors,
): SaccoChange['may'] {
  if (row.state !== 'proposed' && row.state !== 'confirmed') return [];
  if (row.proposed_by === userId) return ['withdraw'];
  if (offices.length === 0) return [];
  const mayConfirm = row.state === 'proposed' && offices.some((office) => executors[row.kind].offices.includes(office));
  return mayConfirm ? ['confirm', 'refuse'] : ['refuse'];
}
