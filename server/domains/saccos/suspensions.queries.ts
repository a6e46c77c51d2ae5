import type { SaccoSuspension } from '@ushirika/contract/operator';
import type { SaccoDetail } from '@ushirika/contract/saccos';
import type { Database } from '../../db/tx.ts';
import { isOwnSacco } from './refuse-own-sacco.ts';

interface Row {
  sacco_id: string;
  suspended_by: string;
  by_first_name: string;
  by_last_name: string;
  suspended_at: Date;
  reason: string;
  lapses_at: Date | null;
  upheld_by: string | null;
  upheld_first_name: string | null;
  upheld_last_name: string | null;
  upheld_reason: string | null;
  is_own: boolean;
  is_by_operator: boolean;
}

/** The suspensions of some saccos that have not ended, by the saccos' ids, as an operator sees them. */
export async function openSuspensionsOf(
  { sql, now }: Pick<Database, 'sql' | 'now'>,
  saccoIds: readonly string[],
  operatorId: string,
): Promise<Map<string, SaccoSuspension>> {
  if (saccoIds.length === 0) return new Map();
  const rows = await sql<Row[]>`
    select a.sacco_id, a.suspended_by, s.first_name as by_first_name, s.last_name as by_last_name, a.suspended_at, a.reason,
      a.lapses_at, a.upheld_by, u.first_name as upheld_first_name, u.last_name as upheld_last_name, a.upheld_reason,
      ${isOwnSacco({ sql }, sql`a.sacco_id`, operatorId)} as is_own,
      exists (select from operators o where o.user_id = a.suspended_by and o.revoked_at is null) as is_by_operator
    from sacco_suspensions a join users s on s.id = a.suspended_by left join users u on u.id = a.upheld_by
    where a.sacco_id = any (${[...saccoIds]}::uuid[]) and a.ended_at is null`;
  return new Map(rows.map((row) => [row.sacco_id, onWire(row, operatorId, now())]));
}

function onWire(row: Row, operatorId: string, now: Date): SaccoSuspension {
  const lapsesAt = row.upheld_by === null ? row.lapses_at : null;
  return {
    suspended_by: { id: row.suspended_by, first_name: row.by_first_name, last_name: row.by_last_name },
    suspended_at: row.suspended_at.toISOString(),
    reason: row.reason,
    lapses_at: lapsesAt?.toISOString() ?? null,
    upheld_by:
      row.upheld_by === null
        ? null
        : { id: row.upheld_by, first_name: row.upheld_first_name ?? '', last_name: row.upheld_last_name ?? '' },
    upheld_reason: row.upheld_reason,
    may_uphold:
      lapsesAt !== null && lapsesAt > now && row.is_by_operator && row.suspended_by !== operatorId && !row.is_own,
  };
}

/** The suspension that has not ended, as everybody reads it of a sacco; asked as the platform. Null where there is none. */
export async function suspensionOf(
  { sql }: Pick<Database, 'sql'>,
  saccoId: string,
  isTold: boolean,
): Promise<SaccoDetail['suspension']> {
  const [row] = await sql<Pick<Row, 'suspended_at' | 'reason' | 'lapses_at' | 'upheld_by'>[]>`
    select suspended_at, reason, lapses_at, upheld_by from sacco_suspensions where sacco_id = ${saccoId} and ended_at is null`;
  if (!row) return null;
  return {
    since: row.suspended_at.toISOString(),
    until: row.upheld_by === null ? (row.lapses_at?.toISOString() ?? null) : null,
    reason: isTold ? row.reason : null,
  };
}
