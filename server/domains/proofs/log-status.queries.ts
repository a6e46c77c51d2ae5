import type { Database } from '../../db/tx.ts';

export interface LogStatus {
  readonly origin: string;
  readonly size: number;
  readonly ended_at: Date | null;
  readonly signed: { readonly size: number; readonly at: Date } | null;
  readonly anchored: { readonly size: number; readonly at: Date } | null;
  readonly halted: { readonly at: Date; readonly because: string } | null;
}

interface StatusRow {
  readonly origin: string;
  readonly size: number;
  readonly ended_at: Date | null;
  readonly signed_size: number | null;
  readonly signed_at: Date;
  readonly anchored_size: number | null;
  readonly block_at: Date;
  readonly halted_at: Date | null;
  readonly halted_because: string;
}

/** All logs, those that ended too, in the order in which they began. */
export async function statusOfLogs({ sql }: Database): Promise<LogStatus[]> {
  const rows = await sql<StatusRow[]>`
    select l.origin, l.size, l.ended_at, c.size as signed_size, c.signed_at, a.size as anchored_size, a.block_at, l.halted_at, l.halted_because
    from logs l
    left join lateral (select size, signed_at from checkpoints where log_id = l.id order by size desc limit 1) c on true
    left join lateral (
      select size, block_at from anchors where log_id = l.id and state = 'confirmed' order by size desc limit 1) a on true
    order by l.id`;
  return rows.map(({ origin, size, ended_at, signed_size, anchored_size, halted_at, ...row }) => ({
    origin,
    size,
    ended_at,
    signed: signed_size === null ? null : { size: signed_size, at: row.signed_at },
    anchored: anchored_size === null ? null : { size: anchored_size, at: row.block_at },
    halted: halted_at === null ? null : { at: halted_at, because: row.halted_because },
  }));
}
