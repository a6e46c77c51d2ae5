import { calendarDays } from '@ushirika/contract/calendar-days';
import type * as contract from '@ushirika/contract/membership';
import { EXITS_SHOWN, type ExitBlock, type ExitStatus, type NoticeToLeave } from '@ushirika/contract/membership';
import { shillingsFromCents } from '@ushirika/contract/money';
import type { Office, ReplyOf } from '@ushirika/contract/route';
import type { Unsaid } from '@ushirika/contract/said';
import type { Sentence } from '@ushirika/contract/sentence';
import { asSystem } from '../../db/person.ts';
import type { Database, Tx } from '../../db/tx.ts';
import { balances } from '../../ledger/balances.ts';
import { sharesNote } from './membership.rules.ts';

/** Reasons for which a refund cannot be made yet, each with where it is settled; domains below (loans, pools) hand theirs in. */
export type ExitBlocks = (
  reader: Pick<Tx, 'sql'> | Pick<Database, 'sql'>,
  member: { readonly userId: string; readonly saccoId: string },
) => Promise<Unsaid<ExitBlock>[]>;

/** What leaving does beside that to what somebody has set up or looks after, a sentence each; domains below hand theirs in. */
export type LeavingEffects = (
  reader: { readonly sql: Database['sql'] | Tx['sql']; readonly now: Date },
  member: { readonly userId: string; readonly saccoId: string },
) => Promise<Sentence[]>;

export interface ExitRow {
  readonly id: string;
  readonly sacco_id: string;
  readonly user_id: string;
  readonly state: ExitStatus['state'];
  readonly state_before: 'provisional' | 'active';
  readonly requested_at: Date;
  readonly due_at: Date;
  readonly refunded_at: Date | null;
  readonly refund_cents: number | null;
  readonly overdue_since: Date | null;
  readonly is_by_vote: boolean;
}

/** Where the latest exit of a person from a sacco stands, or null. */
export async function exitStatusOf(
  reader: Pick<Tx, 'sql' | 'now'> | Pick<Database, 'sql' | 'now'>,
  member: { readonly userId: string; readonly saccoId: string },
  exitBlocks: ExitBlocks,
): Promise<Unsaid<ExitStatus> | null> {
  const sql = reader.sql as Database['sql'];
  const now = typeof reader.now === 'function' ? reader.now() : reader.now;
  const [row] = await sql<ExitRow[]>`
    select id, sacco_id, user_id, state, state_before, requested_at, due_at, refunded_at, refund_cents, overdue_since,
      exists (select from expulsions e where e.exit_id = exit_requests.id) as is_by_vote
    from exit_requests where sacco_id = ${member.saccoId} and user_id = ${member.userId} order by id desc limit 1`;
  if (!row) return null;
  const [[deposits = 0, pledged = 0, free = 0, held = 0], blocked] = await Promise.all([
    balances(reader, [
      { book: member.saccoId, kind: 'deposits', owner: member.userId },
      { book: member.saccoId, kind: 'deposits_hold', owner: member.userId },
      { book: member.saccoId, kind: 'holding', owner: member.userId },
      { book: member.saccoId, kind: 'holding_hold', owner: member.userId },
    ]),
    row.state === 'requested' ? exitBlocks(reader, member) : [],
  ]);
  const shares = free + held;
  return {
    id: row.id,
    sacco: row.sacco_id,
    state: row.state,
    by_vote: row.is_by_vote,
    requested_at: row.requested_at.toISOString(),
    due_at: row.due_at.toISOString(),
    days_left: row.state === 'requested' ? Math.max(0, calendarDays(now, row.due_at)) : 0,
    overdue: row.state === 'requested' && row.due_at <= now,
    blocked_by: blocked,
    deposits: shillingsFromCents(deposits + pledged),
    shares,
    shares_note: sharesNote(shares),
    refunded_at: row.refunded_at?.toISOString() ?? null,
    refund: row.refund_cents === null ? null : shillingsFromCents(row.refund_cents),
  };
}

/** The members who have given notice to leave a sacco and are not paid back yet, the first due first. */
export async function noticesToLeave(database: Database, saccoId: string): Promise<NoticeToLeave[]> {
  const now = database.now();
  const rows = await database.sql<
    { id: string; user_id: string; name: string; requested_at: Date; due_at: Date; is_by_vote: boolean }[]
  >`
    select e.id, e.user_id, u.first_name || ' ' || u.last_name as name, e.requested_at, e.due_at,
      exists (select from expulsions x where x.exit_id = e.id) as is_by_vote
    from exit_requests e join people u on u.id = e.user_id
    where e.sacco_id = ${saccoId} and e.state = 'requested' order by e.due_at, e.id limit ${EXITS_SHOWN}`;
  const keys = rows.flatMap(({ user_id }) =>
    (['deposits', 'deposits_hold'] as const).map((kind) => ({ book: saccoId, kind, owner: user_id })),
  );
  // As the platform: officials learn whether there are savings, and not how much.
  const saved = await asSystem(() => balances(database, keys));
  return rows.map(({ id, name, requested_at, due_at, is_by_vote }, index) => ({
    ...{ id, name, requested_at: requested_at.toISOString(), due_at: due_at.toISOString() },
    days_left: Math.max(0, calendarDays(now, due_at)),
    overdue: due_at <= now,
    by_vote: is_by_vote,
    has_savings: (saved[2 * index] ?? 0) + (saved[2 * index + 1] ?? 0) > 0,
  }));
}

type Notice = NonNullable<ReplyOf<typeof contract.readExit>['notice']>;

/** Where somebody's latest exit from a sacco stands, and what a notice of this moment would end and wait for. */
export async function readExit(
  database: Database,
  member: { readonly userId: string; readonly saccoId: string },
  exitBlocks: ExitBlocks,
  leavingEffects: LeavingEffects,
): Promise<{ exit: Unsaid<ExitStatus> | null; notice: Unsaid<Notice> | null }> {
  const [exit, notice] = await Promise.all([
    exitStatusOf(database, member, exitBlocks),
    noticeOf(database, member, exitBlocks, leavingEffects),
  ]);
  return { exit, notice };
}

/** What a notice of this moment would end and wait for; null for who has given one, or is no member. */
async function noticeOf(
  database: Database,
  member: { readonly userId: string; readonly saccoId: string },
  exitBlocks: ExitBlocks,
  leavingEffects: LeavingEffects,
): Promise<Unsaid<Notice> | null> {
  const { sql } = database;
  const [membership] = await sql`
    select from memberships
    where sacco_id = ${member.saccoId} and user_id = ${member.userId} and state in ('provisional', 'active')`;
  if (!membership) return null;
  const now = database.now();
  const [held, blocked_by, effects] = await Promise.all([
    sql<{ office: Office; is_alone: boolean }[]>`
      select f.office, not exists (
        select from offices o
        where o.sacco_id = f.sacco_id and o.office = f.office and o.user_id <> f.user_id and o.ended_at is null
          and o.until > ${now}) as is_alone
      from offices f
      where f.sacco_id = ${member.saccoId} and f.user_id = ${member.userId} and f.ended_at is null and f.until > ${now}
      order by f.office`,
    exitBlocks(database, member),
    leavingEffects({ sql, now }, member),
  ]);
  const offices = held.map(({ office }) => office);
  return {
    offices,
    left_empty: held.filter(({ is_alone }) => is_alone).map(({ office }) => office),
    effects,
    blocked_by,
  };
}

/** All that are a member's, those in open offers included. */
export async function sharesOf(
  tx: Pick<Tx, 'sql'>,
  member: { readonly userId: string; readonly saccoId: string },
): Promise<number> {
  const [shares = 0, held = 0] = await balances(tx, [
    { book: member.saccoId, kind: 'holding', owner: member.userId },
    { book: member.saccoId, kind: 'holding_hold', owner: member.userId },
  ]);
  return shares + held;
}
