import type { Office } from '@ushirika/contract/route';
import type { OfficialsLack, OfficialsTooFew, SaccoState } from '@ushirika/contract/saccos';
import type { Fragment, ISql } from 'postgres';
import type { Database } from '../../db/tx.ts';
import { texts } from '../../ledger/sql-arrays.ts';

type Sql = Database['sql'];

/** What one official does another confirms. */
export const OFFICIALS_LEAST = 2;

interface Held {
  readonly user_id: string;
  readonly office: Office;
}

/** What of officials a sacco lacks with those who hold an office and may act in it now. @returns null where it has a chair and another official */
export function lackOf(held: readonly Held[]): OfficialsLack | null {
  if (held.length === 0) return 'officials';
  if (new Set(held.map(({ user_id }) => user_id)).size < OFFICIALS_LEAST) return 'second_official';
  return held.some(({ office }) => office === 'chair') ? null : 'chair';
}

/** The same where it was activated: before, nobody can have named its officials. */
export function officialsLack(state: SaccoState, held: readonly Held[]): OfficialsLack | null {
  return state === 'active' || state === 'suspended' ? lackOf(held) : null;
}

/**
 * In SQL: whether an office (`o`) is held by somebody who may act in it. Whoever is suspended cannot, and nothing comes about by a vote that
 * they gave before (docs/decisions/189). For operators and the platform.
 */
export const isHeld = (sql: ISql, now: Date): Fragment => sql`
  (o.ended_at is null and o.until > ${now} and suspended_since(o.user_id, ${now}) is null)`;

/** In SQL, for a list of them alone: whether `officialsLack` of a sacco (`s`) says something. */
export const hasTooFewOfficials = (sql: Sql, now: Date) => sql`(s.state in ('active', 'suspended') and not (
  (select count(distinct o.user_id) from offices o where o.sacco_id = s.id and ${isHeld(sql, now)}) >= ${OFFICIALS_LEAST}
  and exists (select from offices o where o.sacco_id = s.id and o.office = 'chair' and ${isHeld(sql, now)})))`;

/**
 * What each of these saccos lacks of officials, and since when; nothing of one that has a chair and another official. For operators: the
 * suspended count as absent, and that an account is suspended is told to nobody else.
 */
export async function officialsTooFew(
  { sql, now }: Pick<Database, 'sql' | 'now'>,
  saccoIds: readonly string[],
): Promise<ReadonlyMap<string, OfficialsTooFew>> {
  const rows = await sql<{ id: string; state: SaccoState; active_at: Date; held: Held[] }[]>`
    select s.id, s.state, coalesce(
      (select min(c.changed_at) from sacco_state_changes c where c.sacco_id = s.id and c.to_state = 'active'), s.state_at) as active_at, coalesce(
      (select json_agg(json_build_object('user_id', o.user_id, 'office', o.office)) from offices o
       where o.sacco_id = s.id and ${isHeld(sql, now())}), '[]') as held
    from saccos s where s.id = any (${texts(saccoIds)}::uuid[])`;
  const found = rows.flatMap(({ id, state, active_at: activeAt, held }) => {
    const lack = officialsLack(state, held);
    return lack ? [{ id, lack, activeAt }] : [];
  });
  const left = await lastHeld(
    { sql, now },
    found.map(({ id }) => id),
  );
  return new Map(
    found.map(({ id, lack, activeAt }) => {
      const since = lack === 'chair' ? left.get(id)?.chair_left_at : left.get(id)?.left_at;
      return [id, { lack, since: (since ?? activeAt).toISOString() }];
    }),
  );
}

interface LastHeld {
  readonly sacco_id: string;
  /** When the last of those who are no officials any more held an office. */
  readonly left_at: Date | null;
  readonly chair_left_at: Date | null;
}

/** Until when offices were held in some saccos that have too few officials: until it ended, or its holder was suspended. */
async function lastHeld(
  { sql, now }: Pick<Database, 'sql' | 'now'>,
  saccoIds: readonly string[],
): Promise<ReadonlyMap<string, LastHeld>> {
  if (saccoIds.length === 0) return new Map();
  const rows = await sql<LastHeld[]>`
    select sacco_id, max(over_at) filter (where not is_official) as left_at,
      max(over_at) filter (where office = 'chair') as chair_left_at
    from (
      select sacco_id, office, coalesce(ended_at, least(until, suspended_since(user_id, ${now()}))) as over_at,
        bool_or(${isHeld(sql, now())}) over (partition by sacco_id, user_id) as is_official
      from offices o where sacco_id = any (${texts(saccoIds)}::uuid[])) held
    group by sacco_id`;
  return new Map(rows.map((row) => [row.sacco_id, row]));
}
