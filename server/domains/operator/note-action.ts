import type { AboutType, OperatorAct } from '@ushirika/contract/operator-acts';
import type { ProposalKind } from '@ushirika/contract/proposals';
import type { Text } from '@ushirika/contract/texts';
import type { Database, Tx } from '../../db/tx.ts';

/** What was done or looked at: an act that the contract declares with its words, or a step of a proposal. */
type Action = OperatorAct | `${ProposalKind}_${'proposed' | 'confirmed' | 'withdrawn' | 'refused'}`;

interface About {
  readonly type: AboutType;
  readonly id: string;
}

interface Noted {
  readonly action: Action;
  readonly about: About | null;
  readonly reason: string;
}

/** Keeps who did what, about what, why and when, in the transaction of the act itself. Never changed or deleted. */
export async function noteAction(tx: Tx, actor: { readonly userId: string }, act: Noted): Promise<void> {
  await tx.sql`
    insert into operator_actions (id, operator_id, at, action, about_type, about_id, reason)
    values (${tx.newId()}, ${actor.userId}, ${tx.now}, ${act.action}, ${act.about?.type ?? null},
            ${act.about?.id ?? null}, ${act.reason})`;
}

const HOUR_MS = 3_600_000;

/** Keeps that an operator looked at a list or a thing that names people: once an hour for each, however often it is turned. */
export async function noteLook(
  database: Database,
  actor: { readonly userId: string },
  look: { readonly action: OperatorAct; readonly reason: Text; readonly about?: About },
): Promise<void> {
  const since = new Date(database.now().getTime() - HOUR_MS);
  const [recent] = await database.sql`
    select from operator_actions where operator_id = ${actor.userId} and action = ${look.action} and at > ${since}
      and about_id is not distinct from ${look.about?.id ?? null} limit 1`;
  if (recent) return;
  await database.transaction((tx) => noteAction(tx, actor, { ...look, about: look.about ?? null }));
}
