import type { Office } from '@ushirika/contract/route';
import { type Sentence, sentence, several } from '@ushirika/contract/sentence';
import { z } from 'zod';
import type { Database, Tx } from '../../db/tx.ts';
import { otherOfficials, tellPeople } from '../saccos/change-officials.ts';
import { officeSaid } from '../saccos/offices.ts';
import { lackOf } from '../saccos/officials-too-few.ts';

const payloadSchema = z.object({
  user: z.uuid(),
  sacco: z.uuid(),
  cause: z.enum(['notice', 'vote']).default('notice'),
});
type Cause = z.infer<typeof payloadSchema>['cause'];

/**
 * Somebody has given notice, and with it their offices in the sacco ended (docs/decisions/181), or members have ended one by a vote (195): they
 * hear of it, and so do the officials who are left, and operators where those are too few. Each office is told of once, however often the job runs.
 */
export async function tellOfEndedOffices(database: Database, payload: unknown): Promise<void> {
  const { user: userId, sacco: saccoId, cause } = payloadSchema.parse(payload);
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
    const { gone, own } = saidOf(cause, { name, person, offices });
    const causedBy = cause === 'notice' ? userId : null;
    await tellPeople(tx, causedBy, others, { template: 'office_ended', text: gone });
    await tellPeople(tx, causedBy, [userId], { template: 'office_ended', text: own });
    await tellOperators(tx, causedBy, { saccoId, name, cause });
  });
}

interface Named {
  readonly name: string;
  readonly person: string;
  readonly offices: ReturnType<typeof several>;
}

/** What the officials who are left are told, and whoever held the offices. */
function saidOf(cause: Cause, { name, person, offices }: Named): { readonly gone: Sentence; readonly own: Sentence } {
  if (cause === 'vote') {
    return {
      gone: sentence('{name}: members have voted that {person} is no longer {offices}.', { name, person, offices }),
      own: sentence('{name}: members have voted that your office ends: {offices}. You stay a member.', {
        name,
        offices,
      }),
    };
  }
  return {
    gone: sentence('{name}: {person} has given notice and is no longer {offices}.', { name, person, offices }),
    own: sentence('With your notice to {name} your office has ended: {offices}.', { name, offices }),
  };
}

/** Without a chair nobody invites officials, and a single one confirms nothing: only operators can name others then. */
async function tellOperators(
  tx: Tx,
  causedBy: string | null,
  { saccoId, name, cause }: { readonly saccoId: string; readonly name: string; readonly cause: Cause },
): Promise<void> {
  const held = await tx.sql<{ user_id: string; office: Office }[]>`
    select user_id, office from offices
    where sacco_id = ${saccoId} and ended_at is null and until > ${tx.now} and suspended_since(user_id, ${tx.now}) is null`;
  const lack = lackOf(held);
  if (!lack) return;
  const operators = await tx.sql<{ user_id: string }[]>`
    select user_id from operators where revoked_at is null order by user_id`;
  await tellPeople(
    tx,
    causedBy,
    operators.map((each) => each.user_id),
    { template: 'officials_too_few', text: tooFewSaid(cause, lack === 'chair', name) },
  );
}

function tooFewSaid(cause: Cause, isWithoutChair: boolean, name: string): Sentence {
  if (cause === 'vote') {
    return isWithoutChair
      ? sentence('{name}: after a vote nobody is chair. Members can elect one.', { name })
      : sentence('{name}: after a vote fewer than two officials are left. Members can elect others.', { name });
  }
  return isWithoutChair
    ? sentence('{name}: after a notice of leaving nobody is chair. Ask for the minutes, and name officials.', { name })
    : sentence(
        '{name}: after a notice of leaving fewer than two officials are left. Ask for the minutes, and name officials.',
        { name },
      );
}
