import { shillingsFromCents } from '@ushirika/contract/money';
import type { listOperatorActions, OperatorAction, platformHealth } from '@ushirika/contract/operator';
import { DESK_QUEUES, type DeskQueue, type OperatorAct, operatorActs } from '@ushirika/contract/operator-acts';
import type { QueryOf, ReplyOf } from '@ushirika/contract/route';
import type { Unsaid } from '@ushirika/contract/said';
import { fromStored, type Sentence, sentence, several } from '@ushirika/contract/sentence';
import type { Counted } from '../../db/counted.ts';
import { countUpTo, readCursor, toPage } from '../../db/page.ts';
import type { Database } from '../../db/tx.ts';
import { POINTS_BY_HAND, POINTS_SEEN } from '../saccos/saccos.rules.ts';

type Health = ReplyOf<typeof platformHealth>;

const DAY_MS = 86_400_000;
const CALLBACK_KINDS = [
  'stk',
  'payout_result',
  'payout_timeout',
  'status_result',
  'status_timeout',
  'balance_result',
  'balance_timeout',
  'c2b_confirmation',
];

/** How many wait for an operator, as the domains count them. */
export type Waiting = Readonly<Record<DeskQueue, Counted>>;

/** How the logs of the books are doing, as their own domain says it. */
export type LogsHealth = (database: Database) => Promise<Pick<Health, 'logs' | 'chain'>>;

/** How the platform is doing, from its own rows. */
export async function healthOf(database: Database, waiting: Waiting, logsHealth: LogsHealth): Promise<Health> {
  const now = database.now();
  const [jobs, callbacks, figures, float, logs] = await Promise.all([
    jobsOf(database),
    callbacksOf(database, new Date(now.getTime() - DAY_MS)),
    figuresOf(database, waiting),
    floatOf(database),
    logsHealth(database),
  ]);
  return { at: now.toISOString(), jobs, callbacks, ...figures, float, ...logs };
}

async function jobsOf({ sql }: Database): Promise<Health['jobs']> {
  const rows = await sql<
    { task: string; waiting: number; failing: number; oldest_due_at: Date | null; last_error: string | null }[]
  >`select task, waiting, failing, oldest_due_at, last_error from job_figures()`;
  return rows.map((row) => ({ ...row, oldest_due_at: row.oldest_due_at?.toISOString() ?? null }));
}

async function callbacksOf({ sql }: Database, since: Date): Promise<Health['callbacks']> {
  const rows = await sql<{ kind: string; last_at: Date | null; last_24_hours: number }[]>`
    select kinds.kind, (select max(last_received_at) from callback_log c where c.kind = kinds.kind) as last_at,
      (select count(*)::int from callback_log c where c.kind = kinds.kind and c.last_received_at > ${since}) as last_24_hours
    from unnest(${CALLBACK_KINDS}::text[]) with ordinality as kinds (kind, position) order by kinds.position`;
  return rows.map((row) => ({ ...row, last_at: row.last_at?.toISOString() ?? null }));
}

interface FloatRow {
  state: 'open' | 'agrees' | 'differs' | 'unanswered';
  compared_at: Date;
  mpesa_cents: number;
  expected_cents: number;
  agreed_at: Date | null;
}

/** The newest comparison that M-Pesa has answered, and when one was last equal. */
async function floatOf({ sql }: Database): Promise<Health['float']> {
  const [row] = await sql<FloatRow[]>`
    select state, compared_at, mpesa_cents, expected_cents,
      (select max(compared_at) from float_comparisons where state = 'agrees') as agreed_at
    from float_comparisons where compared_at is not null order by day desc limit 1`;
  if (!row) return null;
  return {
    compared_at: row.compared_at.toISOString(),
    state: row.state === 'agrees' || row.state === 'differs' ? row.state : 'under_way',
    mpesa: shillingsFromCents(row.mpesa_cents),
    books: shillingsFromCents(row.expected_cents),
    agreed_at: row.agreed_at?.toISOString() ?? null,
  };
}

interface FigureRow {
  deposits: number;
  oldest_deposit: Date | null;
  exceptions: number;
  exception_cents: number;
  oldest_exception: Date | null;
  waiting: Health['waiting'];
  unsent: number;
  refused: number;
  audited_at: Date | null;
  breaches: number | null;
}

async function figuresOf(
  database: Database,
  waiting: Waiting,
): Promise<Omit<Health, 'at' | 'jobs' | 'callbacks' | 'float' | 'logs' | 'chain'>> {
  const { sql } = database;
  const dayBefore = new Date(database.now().getTime() - 86_400_000);
  const queues = DESK_QUEUES.map(
    (queue, index) => sql`${index > 0 ? sql`, ` : sql``}${queue}::text, (${waiting[queue](sql)})`,
  );
  const [row] = await sql<FigureRow[]>`
    select d.deposits, d.oldest_deposit, e.exceptions, e.exception_cents, e.oldest_exception,
      json_build_object(${queues}) as waiting,
      (select count(*)::int from sms_messages where state in ('queued', 'sending')) as unsent,
      (select count(*)::int from sms_messages
        where state in ('failed', 'unknown') and settled_at > ${dayBefore}) as refused,
      audit.ran_at as audited_at, audit.breaches
    from (select count(*)::int as deposits, min(created_at) as oldest_deposit from deposits
          where state in ('created', 'sending', 'sent')) d
    cross join (select count(*)::int as exceptions, min(opened_at) as oldest_exception,
                  coalesce(sum(amount_cents) filter (where held_in = 'suspense'), 0)::bigint as exception_cents
                from money_exceptions where resolved_at is null) e
    left join (select ran_at, breaches from audit_runs order by ran_at desc, id desc limit 1) audit on true`;
  if (!row) throw new Error('Figures that are always one row are none.');
  return {
    deposits_pending: { count: row.deposits, oldest_at: row.oldest_deposit?.toISOString() ?? null },
    exceptions_open: {
      count: row.exceptions,
      amount: shillingsFromCents(row.exception_cents),
      oldest_at: row.oldest_exception?.toISOString() ?? null,
    },
    waiting: row.waiting,
    messages_unsent: row.unsent,
    messages_refused: row.refused,
    audit: row.audited_at && {
      ran_at: row.audited_at.toISOString(),
      passed: row.breaches === 0,
      breaches: row.breaches ?? 0,
    },
  };
}

interface ActionRow {
  id: string;
  at: Date;
  operator_id: string;
  first_name: string;
  last_name: string;
  action: string;
  about_type: string | null;
  about_id: string | null;
  about_name: string | null;
  reason: string;
}

/** What operators did and looked at, newest first. */
export async function operatorActions(
  { sql }: Database,
  query: QueryOf<typeof listOperatorActions>,
  linkTo: (cursor: string) => string,
): Promise<Unsaid<ReplyOf<typeof listOperatorActions>>> {
  const cursor = readCursor(query.cursor, ['uuid']);
  const [rows, count] = await Promise.all([
    sql<ActionRow[]>`
      select a.id, a.at, a.operator_id, u.first_name, u.last_name, a.action, a.about_type, a.about_id, a.reason,
        case a.about_type
          when 'sacco' then (select s.name from saccos s where s.id = a.about_id::uuid)
          when 'pool' then (select p.name from pools p where p.id = a.about_id::uuid)
          when 'person' then (select p.first_name || ' ' || p.last_name from users p where p.id = a.about_id::uuid) end as about_name
      from operator_actions a join users u on u.id = a.operator_id
      where true ${cursor ? sql`and a.id ${cursor.isBack ? sql`>` : sql`<`} ${cursor.keys[0] as string}` : sql``}
      order by a.id ${cursor?.isBack ? sql`asc` : sql`desc`} limit ${query.limit + 1}`,
    countUpTo(sql, sql`from operator_actions`),
  ]);
  const page = toPage(rows, { limit: query.limit, cursor, keysOf: (row) => [row.id], linkTo });
  return { ...page, count, results: page.results.map(toAction) };
}

function toAction(row: ActionRow): Unsaid<OperatorAction> {
  return {
    id: row.id,
    at: row.at.toISOString(),
    operator: { id: row.operator_id, first_name: row.first_name, last_name: row.last_name },
    action: row.action,
    about: row.about_type === null ? null : { type: row.about_type, id: row.about_id ?? '', name: row.about_name },
    reason: reasonOf(row),
  };
}

/** Null where nobody was asked for a reason, and the act says all. The points that an activation left open are named in words. */
function reasonOf({ action, reason }: ActionRow): Sentence | null {
  const act = Object.hasOwn(operatorActs, action) ? operatorActs[action as OperatorAct][0] : null;
  if (reason === `${act}.`) return null;
  const points = action === 'sacco_points_open' ? openPointsIn(reason) : [];
  return points.length > 0 ? sentence('{parts}', { parts: several(points, '; ') }) : fromStored(reason);
}

/** In the log they stand as `Open: by laws, kra pin.`; none where it is another text. */
function openPointsIn(reason: string): Sentence[] {
  const [, names = ''] = /^Open: (.*)\.$/.exec(reason) ?? [];
  const keys = names.split(', ').map((name) => name.replaceAll(' ', '_'));
  return keys.every(isPoint) ? keys.map((key) => sentence(POINTS[key])) : [];
}

const POINTS = { ...POINTS_SEEN, ...POINTS_BY_HAND };
const isPoint = (key: string): key is keyof typeof POINTS => Object.hasOwn(POINTS, key);
