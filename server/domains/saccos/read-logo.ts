import { Refusal } from '@ushirika/contract/refusal';
import { sentence } from '@ushirika/contract/sentence';
import type { Database } from '../../db/tx.ts';
import { isShownWhole, type SaccoReader, type SaccoRow, saccoColumns } from './sacco-rows.ts';

export interface ReadLogo {
  readonly webp: Buffer;
  readonly version: string;
  /** Whether everybody may see it, and caches may keep it. */
  readonly isPublic: boolean;
}

/**
 * A sacco's logo; while the sacco waits for its activation, for those alone who see all of it.
 * @throws Refusal `not_found`
 */
export async function readLogo(database: Database, saccoId: string, reader: SaccoReader | null): Promise<ReadLogo> {
  const [row] = await database.sql.unsafe<(SaccoRow & { webp: Buffer })[]>(
    `select ${saccoColumns('$2')}, l.webp from sacco_logos l
     join saccos s on s.id = l.sacco_id join sacco_figures f on f.sacco_id = s.id
     left join memberships m on m.sacco_id = s.id and m.user_id = $2
     where l.sacco_id = $1 and s.state <> 'rejected'`,
    [saccoId, reader?.userId ?? null],
    { prepare: true },
  );
  if (!row || !isShownWhole(row, reader))
    throw new Refusal('not_found', { message: sentence('This sacco has no logo.') });
  return { webp: row.webp, version: row.logo_version ?? '', isPublic: row.state !== 'pending' };
}
