import { sentence } from '@ushirika/contract/sentence';
import { nairobiDay } from '@ushirika/contract/time';
import type { Tx } from '../../db/tx.ts';
import { notifyAll } from './notify.ts';

/**
 * Counts messages that are about to be sent, by the day of Nairobi. When a day has had as many as `alarmAt`, operators are
 * told once in the app, and no more news is put into the outbox that day; codes and security go on.
 */
export async function countSentToday(tx: Tx, messages: number, alarmAt: number): Promise<void> {
  if (messages === 0) return;
  const day = nairobiDay(tx.now);
  const [counted] = await tx.sql<{ sent: number; alarmed_at: Date | null }[]>`
    insert into sms_days (day, sent) values (${day}, ${messages})
    on conflict (day) do update set sent = sms_days.sent + excluded.sent
    returning sent, alarmed_at`;
  if (!counted || counted.sent < alarmAt || counted.alarmed_at !== null) return;
  await tx.sql`update sms_days set alarmed_at = ${tx.now} where day = ${day}`;
  const operators = await tx.sql<{ user_id: string }[]>`
    select user_id from operators where revoked_at is null order by user_id`;
  const text = sentence(
    '{n} SMS have been sent today: more than usual. News stays in the app until tomorrow; codes go on. Look who causes them.',
    { n: alarmAt },
  );
  await notifyAll(
    tx,
    operators.map(({ user_id: userId }) => ({ userId, template: 'sms_alarm', text, causedBy: null })),
  );
}
