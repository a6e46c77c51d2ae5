import { Refusal } from '@ushirika/contract/refusals';
import type { Office } from '@ushirika/contract/route';
import type { Database, Tx } from '../../db/tx.ts';

/** An office is held for three years (domain.md 4.8). */
const TERM_YEARS = 3;

export interface HeldOffice {
  readonly saccoId: string;
  readonly office: Office;
  readonly until: Date;
}

/** The words for an office, for people. */
export const OFFICE_NAMES: Readonly<Record<Office, string>> = {
  chair: 'chair',
  secretary: 'secretary',
  treasurer: 'treasurer',
  credit_committee: 'credit committee member',
  supervisory_committee: 'supervisory committee member',
};

export const OFFICE_NAMES_SWAHILI: Readonly<Record<Office, string>> = {
  chair: 'mwenyekiti',
  secretary: 'katibu',
  treasurer: 'mweka hazina',
  credit_committee: 'mjumbe wa kamati ya mikopo',
  supervisory_committee: 'mjumbe wa kamati ya usimamizi',
};

/** Records that somebody holds an office from now on. An earlier term that is over gives way. */
export async function openOffice(
  tx: Tx,
  actor: { readonly userId: string },
  input: { readonly saccoId: string; readonly userId: string; readonly office: Office },
): Promise<void> {
  const { saccoId, userId, office } = input;
  const until = new Date(tx.now);
  until.setUTCFullYear(until.getUTCFullYear() + TERM_YEARS);
  await tx.sql`
    update offices set ended_at = until
    where sacco_id = ${saccoId} and office = ${office} and ended_at is null and until <= ${tx.now}`;
  const inserted = await tx.sql`
    insert into offices (id, sacco_id, user_id, office, since, until, recorded_by)
    values (${tx.newId()}, ${saccoId}, ${userId}, ${office}, ${tx.now}, ${until}, ${actor.userId})
    on conflict do nothing`;
  if (inserted.count === 0) {
    throw new Refusal('office_conflict', { message: `The office of ${OFFICE_NAMES[office]} is already held.` });
  }
}

/** Ends the offices that somebody holds in a sacco: they leave it. */
export async function endOffices(tx: Tx, input: { readonly saccoId: string; readonly userId: string }): Promise<void> {
  await tx.sql`
    update offices set ended_at = ${tx.now}
    where sacco_id = ${input.saccoId} and user_id = ${input.userId} and ended_at is null`;
}

/** The offices that a person holds now, in one sacco or (null) in all. */
export async function officesOf(
  database: Pick<Database, 'sql' | 'now'>,
  userId: string,
  saccoId: string | null,
): Promise<HeldOffice[]> {
  const rows = await database.sql<{ sacco_id: string; office: Office; until: Date }[]>`
    select sacco_id, office, until from offices
    where user_id = ${userId} and ended_at is null and until > ${database.now()}
      and (${saccoId}::uuid is null or sacco_id = ${saccoId})
    order by since, office`;
  return rows.map((row) => ({ saccoId: row.sacco_id, office: row.office, until: row.until }));
}
