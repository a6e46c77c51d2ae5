import { Refusal } from '@ushirika/contract/refusal';
import type { Office } from '@ushirika/contract/route';
import type { SaccoChange } from '@ushirika/contract/sacco-changes';
import type { Unsaid } from '@ushirika/contract/said';
import { sentence } from '@ushirika/contract/sentence';
import { asSystem } from '../../db/person.ts';
import type { Database } from '../../db/tx.ts';
import { otherAccountsAmong } from '../identity/second-account.ts';
import type { ChangeExecutors, ChangeRow } from './changes.types.ts';
import { LAPSES_AFTER_MS, SECOND_ACCOUNT } from './decide-change.ts';
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
): Promise<Unsaid<SaccoChange>[]> {
  const { sql } = database;
  const rows = await readShown(
    sql,
    sql`c.sacco_id = ${saccoId} or c.sacco_id is null and c.proposed_by in (
        select o.user_id from offices o
        where o.sacco_id = ${saccoId} and o.ended_at is null and o.until > ${database.now()})`,
  );
  const official = await officialFor(database, asker, saccoId, rows);
  return Promise.all(rows.map((row) => shown(database, row, official, executors)));
}

/** One that the asker has just decided. */
export async function changeById(
  database: Reader,
  asker: Asker,
  { id, saccoId }: { readonly id: string; readonly saccoId: string | null },
  executors: ChangeExecutors,
): Promise<Unsaid<SaccoChange>> {
  const [row] = await readShown(database.sql, database.sql`c.id = ${id}`);
  if (!row) throw new Refusal('not_found', { message: sentence('There is no such change.') });
  return shown(database, row, await officialFor(database, asker, saccoId, [row]), executors);
}

interface Official extends Asker {
  readonly offices: readonly Office[];
  /** Those who proposed and whose account looks like the asker's. */
  readonly accounts: ReadonlySet<string>;
}

async function officialFor(
  database: Reader,
  { userId }: Asker,
  saccoId: string | null,
  rows: readonly ShownRow[],
): Promise<Official> {
  const held = saccoId === null ? [] : await officesOf(database, userId, saccoId);
  const waiting = held.length === 0 ? [] : rows.filter(({ state }) => state === 'proposed');
  // Phones and registrations are nobody's to read.
  const accounts = await asSystem(() =>
    otherAccountsAmong(
      database,
      userId,
      waiting.map(({ proposed_by }) => proposed_by),
    ),
  );
  return { userId, offices: held.map(({ office }) => office), accounts };
}

function readShown(sql: Database['sql'], which: ReturnType<Database['sql']>): Promise<ShownRow[]> {
  return sql<ShownRow[]>`
    select c.id, c.kind, c.sacco_id, c.proposed_by, c.proposed_at, c.payload, c.expected, c.state, c.confirmed_by,
      c.confirmed_at, c.effective_at, c.ended_at, c.closes_at_once, c.undo_payload, c.undo_at, c.settled_at, coalesce(p.first_name || ' ' || p.last_name, '') as proposer,
      q.first_name || ' ' || q.last_name as confirmer
    from sacco_changes c
    left join people p on p.id = c.proposed_by left join people q on q.id = c.confirmed_by
    where ${which}
    order by c.state in ('proposed', 'confirmed') or c.undo_at is not null and c.settled_at is null desc, c.id desc limit ${SHOWN_MAX}`;
}

async function shown(
  database: Reader,
  row: ShownRow,
  official: Official,
  executors: ChangeExecutors,
): Promise<Unsaid<SaccoChange>> {
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
    at_once: row.closes_at_once || row.kind === 'official_name' || row.kind === 'loan_waiver',
    undo_at: row.settled_at === null ? (row.undo_at?.toISOString() ?? null) : null,
    vote: row.undo_at === null ? null : ((await executors[row.kind].voteOnClosing?.(database, row)) ?? null),
    ...mayOf(row, official, executors),
  };
}

/** By the rules of `confirmChange`, `refuseChange` and `withdrawChange`. */
function mayOf(
  row: ShownRow,
  { userId, offices, accounts }: Official,
  executors: ChangeExecutors,
): Pick<Unsaid<SaccoChange>, 'may' | 'second_account'> {
  const second_account = null;
  if (row.state !== 'proposed' && row.state !== 'confirmed') return { may: [], second_account };
  if (row.proposed_by === userId) return { may: ['withdraw'], second_account };
  if (offices.length === 0) return { may: [], second_account };
  const decides = row.state === 'proposed' && offices.some((office) => executors[row.kind].offices.includes(office));
  if (!decides) return { may: ['refuse'], second_account };
  return accounts.has(row.proposed_by)
    ? { may: ['refuse'], second_account: SECOND_ACCOUNT }
    : { may: ['confirm', 'refuse'], second_account };
}
