import { foldId, plainId } from '@ushirika/contract/identity';
import { type Cents, shillingsFromCents } from '@ushirika/contract/money';
import type { FoundPerson, listSuspensions, Suspension } from '@ushirika/contract/operator';
import { maskPhone, phoneDigits } from '@ushirika/contract/phone';
import type { QueryOf } from '@ushirika/contract/route';
import { countUpTo, type Page, readCursor, toPage } from '../../db/page.ts';
import type { Database, Tx } from '../../db/tx.ts';
import { identityEvidence } from './identity-checks.ts';
import { actionsOf, hasLapsed, SAME_OPERATOR_MS, type Suspendable } from './suspension.rules.ts';

interface PersonRow {
  id: string;
  first_name: string;
  last_name: string;
  id_number: string;
  phone: string;
  phone_confirmed_at: Date | null;
  created_at: Date;
  is_operator: boolean;
  earlier: number;
  was_lately_theirs: boolean;
  seen_by_operator: boolean;
}

interface SuspensionRow {
  id: string;
  user_id: string;
  first_name: string;
  last_name: string;
  suspended_at: Date;
  suspended_by: string;
  by_first_name: string;
  by_last_name: string;
  reason: string;
  lapses_at: Date;
  upheld_by: string | null;
  upheld_first_name: string | null;
  upheld_last_name: string | null;
  upheld_reason: string | null;
  lift_asked_by: string | null;
  lift_first_name: string | null;
  lift_last_name: string | null;
  wallet: Cents | null;
}

type PersonRead = Omit<FoundPerson, 'suspension'> & { readonly suspension: Suspension | null };

/** Who has this ID number or this phone, exactly: two people where one's ID number is the other's phone. */
export async function peopleBy(
  database: Database,
  operatorId: string,
  sought: string,
): Promise<{ results: PersonRead[] }> {
  const { sql } = database;
  const now = database.now();
  const people = await sql<PersonRow[]>`
    select u.id, u.first_name, u.last_name, u.id_number, u.phone, u.phone_confirmed_at, u.created_at,
      exists (select from operators o where o.user_id = u.id and o.revoked_at is null) as is_operator,
      (select count(*)::int from account_suspensions a where a.user_id = u.id and a.ended_at is not null) as earlier,
      exists (select from account_suspensions a where a.user_id = u.id and a.suspended_by = ${operatorId}
                and a.ended_at > ${new Date(now.getTime() - SAME_OPERATOR_MS)}
                and (a.end_kind = 'lapsed' or ${operatorId}::uuid in (a.lifted_by, a.lift_asked_by))) as was_lately_theirs,
      exists (select from identity_checks c
              where c.user_id = u.id and c.sacco_id is null and c.ended_at is null) as seen_by_operator
    from users u where u.id_number in (${plainId(sought)}, ${foldId(sought)}) or u.phone = ${phoneDigits(sought)}
    order by u.created_at`;
  const ids = people.map(({ id }) => id);
  const rows = await sql<SuspensionRow[]>`
    ${suspensionRows(database, now)} where a.ended_at is null and a.user_id = any (${ids}::uuid[])`;
  const evidenceOf = await identityEvidence(database, ids, null);
  const found = people.map((row): PersonRead => {
    const evidence = evidenceOf(row.id);
    const open = rows.find(({ user_id }) => user_id === row.id);
    const suspendable: Suspendable = {
      userId: row.id,
      isOperator: row.is_operator,
      open: open ? openOf(open) : null,
      wasLatelyTheirs: row.was_lately_theirs,
    };
    const stands = open !== undefined && !hasLapsed(openOf(open), now);
    return {
      id: row.id,
      first_name: row.first_name,
      last_name: row.last_name,
      id_number: row.id_number,
      phone: maskPhone(row.phone),
      phone_confirmed: row.phone_confirmed_at !== null,
      registered_at: row.created_at.toISOString(),
      is_operator: row.is_operator,
      suspension: stands ? onWire(open, operatorId, now) : null,
      earlier_suspensions: row.earlier,
      actions: actionsOf(operatorId, suspendable, now),
      identity: {
        seen_at: evidence.seenAt?.toISOString() ?? null,
        mpesa_name: evidence.mpesaName,
        may_record: row.id !== operatorId && !row.seen_by_operator,
      },
    };
  });
  return { results: found };
}

/** The accounts that are suspended, newest first. */
export async function openSuspensions(
  database: Database,
  operatorId: string,
  query: QueryOf<typeof listSuspensions>,
  linkTo: (cursor: string) => string,
): Promise<Page<Suspension> & { count: number }> {
  const { sql } = database;
  const now = database.now();
  const cursor = readCursor(query.cursor, ['uuid']);
  const standing = sql`a.ended_at is null and (a.upheld_by is not null or a.lapses_at > ${now})`;
  const [rows, count] = await Promise.all([
    sql<SuspensionRow[]>`
      ${suspensionRows(database, now)} where ${standing}
        ${cursor ? sql`and a.id ${cursor.isBack ? sql`>` : sql`<`} ${cursor.keys[0] as string}` : sql``}
      order by a.id ${cursor?.isBack ? sql`asc` : sql`desc`} limit ${query.limit + 1}`,
    countUpTo(sql, sql`from account_suspensions a where ${standing}`),
  ]);
  const page = toPage(rows, { limit: query.limit, cursor, keysOf: (row) => [row.id], linkTo });
  const results = page.results.map((row) => onWire(row, operatorId, now));
  return { ...page, count, results };
}

/** The open suspension of one person; null where there is none. */
export async function suspensionOf(tx: Tx, operatorId: string, userId: string): Promise<Suspension | null> {
  const [row] = await tx.sql<SuspensionRow[]>`
    ${suspensionRows(tx, tx.now)} where a.ended_at is null and a.user_id = ${userId}`;
  return row ? onWire(row, operatorId, tx.now) : null;
}

function suspensionRows({ sql }: Pick<Database, 'sql'> | Pick<Tx, 'sql'>, now: Date) {
  return sql`
    select a.id, a.user_id, u.first_name, u.last_name, a.suspended_at, a.suspended_by, s.first_name as by_first_name,
      s.last_name as by_last_name, a.reason, a.lapses_at, a.upheld_by, c.first_name as upheld_first_name,
      c.last_name as upheld_last_name, a.upheld_reason, a.lift_asked_by, l.first_name as lift_first_name, l.last_name as lift_last_name,
      suspended_wallet(a.user_id, ${now}) as wallet
    from account_suspensions a join users u on u.id = a.user_id join users s on s.id = a.suspended_by
    left join users c on c.id = a.upheld_by left join users l on l.id = a.lift_asked_by`;
}

const openOf = (row: SuspensionRow) => ({
  suspendedBy: row.suspended_by,
  upheldBy: row.upheld_by,
  liftAskedBy: row.lift_asked_by,
  lapsesAt: row.lapses_at,
});

function onWire(row: SuspensionRow, operatorId: string, now: Date): Suspension {
  // Who is suspended is no operator, and earlier suspensions are not read here: neither decides what can be done now.
  const person: Suspendable = { userId: row.user_id, isOperator: false, open: openOf(row), wasLatelyTheirs: false };
  return {
    person: { id: row.user_id, first_name: row.first_name, last_name: row.last_name },
    suspended_at: row.suspended_at.toISOString(),
    suspended_by: { id: row.suspended_by, first_name: row.by_first_name, last_name: row.by_last_name },
    reason: row.reason,
    lapses_at: row.upheld_by === null ? row.lapses_at.toISOString() : null,
    upheld_by:
      row.upheld_by === null
        ? null
        : { id: row.upheld_by, first_name: row.upheld_first_name ?? '', last_name: row.upheld_last_name ?? '' },
    upheld_reason: row.upheld_reason,
    lift_asked_by:
      row.lift_asked_by === null
        ? null
        : { id: row.lift_asked_by, first_name: row.lift_first_name ?? '', last_name: row.lift_last_name ?? '' },
    wallet: shillingsFromCents(row.wallet ?? 0),
    actions: actionsOf(operatorId, person, now),
  };
}
