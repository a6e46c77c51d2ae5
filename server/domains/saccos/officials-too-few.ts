import type { Office } from '@ushirika/contract/route';
import type { OfficialsLack, OfficialsTooFew, SaccoState } from '@ushirika/contract/saccos';
import type { Database } from '../../db/tx.ts';
import { texts } from '../../ledger/sql-arrays.ts';

type Sql = Database['sql'];

/** What one official does another confirms. */
export const OFFICIALS_LEAST = 2;

/** In SQL: whether a sacco (`s`) that was activated has fewer than two officials now, or no chair. */
export const hasTooFewOfficials = (sql: Sql, now: Date) => sql`(s.state in ('active', 'suspended') and not (
  (select count(distinct o.user_id) from offices o where o.sacco_id = s.id and o.ended_at is null and o.until > ${now}) >= ${OFFICIALS_LEAST}
  and exists (select from offices o where o.sacco_id = s.id and o.office = 'chair' and o.ended_at is null and o.until > ${now})))`;

/** The same of those who hold an office now. */
export function officialsLack(
  state: SaccoState,
  officials: readonly { readonly user_id: string; readonly office: Office }[],
): OfficialsLack | null {
  if (state !== 'active' && state !== 'suspended') return null;
  if (officials.length === 0) return 'officials';
  if (new Set(officials.map(({ user_id }) => user_id)).size < OFFICIALS_LEAST) return 'second_official';
  return officials.some(({ office }) => office === 'chair') ? null : 'chair';
}

/** What each of these saccos lacks of officials, and since when; nothing of one that has a chair and another official. */
export async function officialsTooFew(
  { sql, now }: Pick<Database, 'sql' | 'now'>,
  saccoIds: readonly string[],
): Promise<ReadonlyMap<string, OfficialsTooFew>> {
  const rows = await sql<Row[]>`
    select s.id, s.state_at, (count(distinct o.user_id) filter (where o.is_held))::int as officials,
      max(o.over_at) filter (where not o.is_official) as left_at,
      max(o.over_at) filter (where o.office = 'chair') as chair_left_at
    from saccos s left join (
      select *, bool_or(is_held) over (partition by sacco_id, user_id) as is_official from (
        select sacco_id, user_id, office, coalesce(ended_at, until) as over_at, ended_at is null and until > ${now()} as is_held
        from offices where sacco_id = any (${texts(saccoIds)}::uuid[])) held
    ) o on o.sacco_id = s.id
    where s.id = any (${texts(saccoIds)}::uuid[]) and ${hasTooFewOfficials(sql, now())}
    group by s.id`;
  return new Map(rows.map((row) => [row.id, lackOf(row)]));
}

interface Row {
  readonly id: string;
  readonly state_at: Date;
  readonly officials: number;
  /** When the last of those who are no officials any more held an office. */
  readonly left_at: Date | null;
  readonly chair_left_at: Date | null;
}

function lackOf({ officials, left_at, chair_left_at, state_at }: Row): OfficialsTooFew {
  const [lack, since] =
    officials < OFFICIALS_LEAST
      ? ([officials === 0 ? 'officials' : 'second_official', left_at] as const)
      : (['chair', chair_left_at] as const);
  return { lack, since: (since ?? state_at).toISOString() };
}
