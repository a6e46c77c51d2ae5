import { Refusal } from '@ushirika/contract/refusal';
import { sentence } from '@ushirika/contract/sentence';
import type { Database, Tx } from '../../db/tx.ts';
import type { OfficialNames, PersonsName, WaitingName } from '../identity/identity.types.ts';
import { LAPSES_AFTER_MS } from './decide-change.ts';
import { officialNameChange } from './name-changes.ts';
import { refuseOfficialsName } from './offices.ts';
import { proposeChange } from './propose-change.ts';

const NOBODY_ELSE = sentence(
  'You hold an office: another official confirms your new name, and there is none yet. Ask our support to name one, on the strength of your minutes. What else you change here needs nobody’s word.',
);

/** What identity asks about the names of officials. A new one is a change by two officials (docs/decisions/164). */
export function officialNames(database: Pick<Database, 'sql' | 'now'>): OfficialNames {
  return {
    isHeld,
    propose,
    withdraw,
    refuseOfficialsName,
    waitingOf: (userId) => waitingOf(database, userId),
  };
}

async function isHeld(tx: Tx, userId: string): Promise<boolean> {
  const [held] = await tx.sql`
    select from offices o join saccos s on s.id = o.sacco_id
    where o.user_id = ${userId} and o.ended_at is null and o.until > ${tx.now} and s.state in ('active', 'suspended')`;
  return held !== undefined;
}

/** The later of two proposals counts; the same once more is the same. */
async function propose(tx: Tx, { userId, firstName, lastName }: PersonsName): Promise<void> {
  const payload = { first_name: firstName, last_name: lastName };
  const [same] = await tx.sql`
    select from sacco_changes
    where proposed_by = ${userId} and kind = 'official_name' and state = 'proposed'
      and proposed_at > ${new Date(tx.now.getTime() - LAPSES_AFTER_MS)}
      and payload = ${JSON.stringify(payload)}::text::jsonb`;
  if (same) return;
  await withdraw(tx, userId);
  try {
    await proposeChange(
      tx,
      { saccoId: null, proposedBy: userId },
      { kind: 'official_name', payload },
      // It is proposed here alone: nothing ends before another official has confirmed it.
      officialNameChange({ renaming: async () => async () => {} }),
    );
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== 'second_official_required') throw error;
    throw new Refusal('second_official_required', { message: NOBODY_ELSE });
  }
}

async function withdraw(tx: Tx, userId: string): Promise<void> {
  await tx.sql`
    update sacco_changes set state = 'withdrawn', ended_at = ${tx.now}, ended_by = ${userId}
    where proposed_by = ${userId} and kind = 'official_name' and state = 'proposed'`;
}

/** What waits of somebody who holds no office any more is nobody's to confirm: they change their name at once. */
async function waitingOf({ sql, now }: Pick<Database, 'sql' | 'now'>, userId: string): Promise<WaitingName | null> {
  const [row] = await sql<{ id: string; payload: { first_name: string; last_name: string }; proposed_at: Date }[]>`
    select id, payload, proposed_at from sacco_changes
    where proposed_by = ${userId} and kind = 'official_name' and state = 'proposed'
      and proposed_at > ${new Date(now().getTime() - LAPSES_AFTER_MS)}
      and exists (select from offices where user_id = ${userId} and ended_at is null and until > ${now()})`;
  if (!row) return null;
  const { id: changeId, payload, proposed_at } = row;
  const lapsesAt = new Date(proposed_at.getTime() + LAPSES_AFTER_MS);
  return { changeId, firstName: payload.first_name, lastName: payload.last_name, lapsesAt };
}
