import { Refusal } from '@ushirika/contract/refusal';
import type { Office } from '@ushirika/contract/route';
import { type Sentence, sentence } from '@ushirika/contract/sentence';
import { isGuarded } from '#faults';
import type { Database, Tx } from '../../db/tx.ts';
import type { PersonsName } from '../identity/identity.types.ts';
import { nameSkeleton } from '../identity/name-skeleton.rules.ts';
import { refuseOperatorsName } from '../identity/operators.ts';
import { otherAccountsAmong } from '../identity/second-account.ts';
import { isNotOver } from './votes-not-over.ts';

/** An office is held for three years (domain.md 4.8). */
const TERM_YEARS = 3;

export interface HeldOffice {
  readonly saccoId: string;
  readonly office: Office;
  readonly until: Date;
}

const OFFICES: Readonly<Record<Office, Sentence>> = {
  chair: sentence('chair'),
  vice_chair: sentence('vice chair'),
  secretary: sentence('secretary'),
  treasurer: sentence('treasurer'),
  credit_committee: sentence('credit committee member'),
  supervisory_committee: sentence('supervisory committee member'),
  manager: sentence('manager'),
};

/** An office, within a sentence. */
export const officeSaid = (office: Office): Sentence => OFFICES[office];

/**
 * Records that somebody holds an office from now on. An earlier term that is over gives way.
 * @throws Refusal `office_conflict`; `validation_failed` when the person has an operator's name
 */
export async function openOffice(
  tx: Tx,
  actor: { readonly userId: string },
  input: { readonly saccoId: string; readonly userId: string; readonly office: Office },
): Promise<void> {
  const { saccoId, userId, office } = input;
  // Locked against a change of the name at this moment.
  const [person] = await tx.sql<{ first_name: string; last_name: string }[]>`
    select first_name, last_name from users where id = ${userId} for share`;
  if (person) await refuseOperatorsName(tx, { userId, firstName: person.first_name, lastName: person.last_name });
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
    throw new Refusal('office_conflict', {
      message: sentence('The office of {office} is already held.', { office: officeSaid(office) }),
    });
  }
}

/**
 * Whether this name looks like that of an official other than the person. Reads all officials: for operators, who are few
 * and take a name rarely.
 */
export async function isNameOfOfficial(tx: Tx, { userId, firstName, lastName }: PersonsName): Promise<boolean> {
  const officials = await tx.sql<{ name: string }[]>`
    select distinct u.id, u.first_name || ' ' || u.last_name as name from offices o join users u on u.id = o.user_id
    where o.ended_at is null and o.until > ${tx.now} and u.id <> ${userId}`;
  const skeleton = nameSkeleton(`${firstName} ${lastName}`);
  return officials.some(({ name }) => nameSkeleton(name) === skeleton);
}

/**
 * No operator takes an official's name. Everybody else may have it.
 * @throws Refusal `validation_failed`, under the names
 */
export async function refuseOfficialsName(tx: Tx, name: PersonsName): Promise<void> {
  const [operator] = await tx.sql`
    select from operators where user_id = ${name.userId} and revoked_at is null`;
  if (!operator || !(await isNameOfOfficial(tx, name)) || !isGuarded('operators_names')) return;
  const message = sentence(
    'An official of a sacco has that name, and they must not be mistaken for you. Add a further name of yours.',
  );
  throw new Refusal('validation_failed', { message, errors: { first_name: [message] } });
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

export const BARRED = sentence(
  'Nobody is of the supervisory committee and holds another office too: it examines the others.',
);

/** Whether somebody holds an office in the sacco, also with another account of theirs, that excludes this one: nobody examines themselves. */
export async function isBarred(
  tx: Tx,
  { saccoId, office }: { readonly saccoId: string; readonly office: Office },
  userId: string,
): Promise<boolean> {
  const held = await tx.sql<{ user_id: string }[]>`
    select user_id from offices
    where sacco_id = ${saccoId} and ended_at is null and until > ${tx.now}
      and (office = 'supervisory_committee') <> (${office} = 'supervisory_committee')`;
  const holders = held.map(({ user_id }) => user_id);
  return holders.includes(userId) || (await otherAccountsAmong(tx, userId, holders)).size > 0;
}

/**
 * Nobody comes back into an office whom members vote out, or have voted out in the last three years, but by an election: also under another
 * account, and whoever resigned meanwhile (docs/decisions/195).
 * @throws Refusal `office_conflict`
 */
export async function refuseVotedOut(
  tx: Tx,
  { saccoId, userId }: { readonly saccoId: string; readonly userId: string },
): Promise<void> {
  const since = new Date(tx.now);
  since.setUTCFullYear(since.getUTCFullYear() - TERM_YEARS);
  const votes = await tx.sql<{ about_id: string }[]>`
    select distinct p.about_id from proposals p
    where p.sacco_id = ${saccoId} and p.change_kind = 'official_removal' and (p.executed_at > ${since} or ${isNotOver(tx.sql, tx.now)})`;
  const people = votes.map(({ about_id }) => about_id);
  const isThem = people.includes(userId) || (await otherAccountsAmong(tx, userId, people)).size > 0;
  if (isThem && isGuarded('saccos.voted_out')) throw new Refusal('office_conflict', { message: VOTED_OUT });
}

const VOTED_OUT = sentence(
  'Members vote that you leave an office of this sacco, or voted so in the last three years: only an election brings you back.',
);

/** @throws Refusal `office_conflict` for whoever is on the supervisory committee and for another office, or the other way */
export async function refuseBarred(
  tx: Tx,
  named: { readonly saccoId: string; readonly office: Office },
  userId: string,
): Promise<void> {
  if (await isBarred(tx, named, userId)) throw new Refusal('office_conflict', { message: BARRED });
}
