import type { Office } from '@ushirika/contract/route';
import { sentence, several } from '@ushirika/contract/sentence';
import { z } from 'zod';
import type { Database, Tx } from '../../db/tx.ts';
import { otherOfficials, tellPeople } from '../saccos/change-officials.ts';
import { officeSaid } from '../saccos/offices.ts';
import { lackOf } from '../saccos/officials-too-few.ts';

const payloadSchema = z.object({ user: z.uuid(), sacco: z.uuid() });

/**
 * Somebody has given notice, and with it their offices in the sacco ended (docs/decisions/181): they hear of it, and so do the officials
 * who are left, and operators where those are too few. Each office is told of once, however often the job runs.
 */
export async function tellOfEndedOffices(database: Database, payload: unknown): Promise<void> {
  const { user: userId, sacco: saccoId } = payloadSchema.parse(payload);
  await database.transaction(async (tx) => {
    const ended = await tx.sql<{ office: Office }[]>`
      update offices set end_told_at = ${tx.now}
      where sacco_id = ${saccoId} and user_id = ${userId} and ended_at < until and end_told_at is null
      returning office`;
    if (ended.length === 0) return;
    const [names] = await tx.sql<{ sacco: string; person: string }[]>`
      select s.name as sacco, u.first_name || ' ' || u.last_name as person
      from saccos s, users u where s.id = ${saccoId} and u.id = ${userId}`;
    const { sacco: name = '', person = '' } = names ?? {};
    const offices = several(
      ended.map(({ office }) => officeSaid(office)),
      ', ',
    );
    const others = await otherOfficials(tx, { saccoId, proposedBy: userId });
    const gone = sentence('{name}: {person} has given notice and is no longer {offices}.', { name, person, offices });
    await tellPeople(tx, others, 'office_ended', gone);
    const own = sentence('With your notice to {name} your office has ended: {offices}.', { name, offices });
    await tellPeople(tx, [userId], 'office_ended', own);
    await tellOperators(tx, { saccoId, name });
  });
}

/** Without a chair nobody invites officials, and a single one confirms nothing: only operators can name others then. */
async function tellOperators(
  tx: Tx,
  { saccoId, name }: { readonly saccoId: string; readonly name: string },
): Promise<void> {
  const held = await tx.sql<{ user_id: string; office: Office }[]>`
    select user_id, office from offices
    where sacco_id = ${saccoId} and ended_at is null and until > ${tx.now} and suspended_since(user_id, ${tx.now}) is null`;
  const lack = lackOf(held);
  if (!lack) return;
  const operators = await tx.sql<{ user_id: string }[]>`
    select user_id from operators where revoked_at is null order by user_id`;
  const text =
    lack === 'chair'
      ? sentence('{name}: after a notice of leaving nobody is chair. Ask for the minutes, and name officials.', {
          name,
        })
      : sentence(
          '{name}: after a notice of leaving fewer than two officials are left. Ask for the minutes, and name officials.',
          { name },
        );
  await tellPeople(
    tx,
    operators.map((each) => each.user_id),
    'officials_too_few',
    text,
  );
}
