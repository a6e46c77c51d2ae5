import type { Language, Notification, Preferences } from '@ushirika/contract/notifications';
import { Refusal } from '@ushirika/contract/refusal';
import { sentence } from '@ushirika/contract/sentence';
import { byTopic, type NotificationTopic } from '@ushirika/contract/topics';
import type { Database, Tx } from '../../db/tx.ts';
import { texts } from '../../ledger/sql-arrays.ts';

type Sql = Database['sql'] | Tx['sql'];

/** What holds for a person who has chosen nothing. */
export const DEFAULT_PREFERENCES: Preferences = { language: 'en', sms: byTopic(() => true) };

interface PreferenceRow {
  readonly user_id: string;
  readonly language: Language;
  readonly chosen: Readonly<Partial<Record<string, boolean>>>;
}

export async function preferencesOf(sql: Sql, userId: string): Promise<Preferences> {
  return (await preferencesOfAll(sql, [userId])).get(userId) ?? DEFAULT_PREFERENCES;
}

/** What people have chosen, by their ids; who has chosen nothing is not there. */
export async function preferencesOfAll(sql: Sql, userIds: readonly string[]): Promise<Map<string, Preferences>> {
  if (userIds.length === 0) return new Map();
  const rows = await sql<PreferenceRow[]>`
    select p.user_id, p.language,
      coalesce(json_object_agg(c.topic, c.is_wanted) filter (where c.topic is not null), '{}') as chosen
    from notification_preferences p left join sms_choices c on c.user_id = p.user_id
    where p.user_id = any (${texts([...new Set(userIds)])}::uuid[]) group by p.user_id`;
  return new Map(
    rows.map(({ user_id, language, chosen }) => [
      user_id,
      { language, sms: byTopic((topic) => chosen[topic] ?? DEFAULT_PREFERENCES.sms[topic]) },
    ]),
  );
}

interface NotificationRow {
  id: string;
  topic: NotificationTopic;
  template: string;
  text: string;
  created_at: Date;
  read_at: Date | null;
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export interface NotificationPage {
  readonly rows: Notification[];
  readonly count: number;
  readonly unread: number;
  readonly nextCursor: string | null;
}

/** A page of a person's list, newest first; the cursor is the id of the last row seen (ids grow with time). */
export async function notificationsOf(
  sql: Database['sql'],
  userId: string,
  page: { readonly cursor?: string | undefined; readonly limit: number },
): Promise<NotificationPage> {
  const after = page.cursor === undefined ? 'ffffffff-ffff-ffff-ffff-ffffffffffff' : page.cursor;
  if (!UUID.test(after))
    throw new Refusal('validation_failed', { errors: { cursor: [sentence('That cursor is not one of ours.')] } });
  const [rows, counts] = await Promise.all([
    sql<NotificationRow[]>`
      select id, topic, template, text, created_at, read_at from notifications
      where user_id = ${userId} and id < ${after}
      order by id desc limit ${page.limit + 1}`,
    sql<{ count: number; unread: number }[]>`
      select (select count(*)::int from (select 1 from notifications where user_id = ${userId} limit 10000) as counted) as count,
             ${unreadOf(sql, userId)} as unread`,
  ]);
  const shown = rows.slice(0, page.limit);
  return {
    rows: shown.map((row) => ({
      id: row.id,
      topic: row.topic,
      template: row.template,
      text: row.text,
      created_at: row.created_at.toISOString(),
      read_at: row.read_at?.toISOString() ?? null,
    })),
    count: counts[0]?.count ?? 0,
    unread: counts[0]?.unread ?? 0,
    nextCursor: rows.length > page.limit ? (shown.at(-1)?.id ?? null) : null,
  };
}

/** How many are unread, counted up to 100. */
export async function unreadCount(sql: Sql, userId: string): Promise<number> {
  const [row] = await sql<{ unread: number }[]>`select ${unreadOf(sql, userId)} as unread`;
  return row?.unread ?? 0;
}

function unreadOf(sql: Sql, userId: string) {
  return sql`
    (select count(*)::int from
      (select 1 from notifications where user_id = ${userId} and read_at is null limit 100) as counted)`;
}
