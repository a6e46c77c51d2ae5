import { createHash } from 'node:crypto';
import type { ChangedValues } from '@ushirika/contract/change-kinds';
import { Refusal } from '@ushirika/contract/refusal';
import type { Office, ReplyOf } from '@ushirika/contract/route';
import { sentence } from '@ushirika/contract/sentence';
import { nairobiDay } from '@ushirika/contract/time';
import { type Bylaws, type readBylaws, recordBylaws } from '@ushirika/contract/voting';
import type { Database, Tx } from '../../db/tx.ts';
import { independentOf } from '../identity/second-account.ts';
import { otherOfficials, tellPeople } from '../saccos/change-officials.ts';
import type { About, ChangeExecutor } from '../saccos/changes.types.ts';
import { lockSacco } from '../saccos/lock-sacco.ts';
import { refuseWithoutOffice } from '../saccos/propose-change.ts';
import { noSuchProposal } from './proposal-rows.ts';

/* The by-laws of a sacco: members vote for a whole text, and it holds once it is registered (docs/decisions/197). */

const DAY_MS = 86_400_000;
const RECORDERS = recordBylaws.offices ?? [];

interface Version {
  readonly number: number;
  readonly proposal_id: string;
  readonly voted_at: Date;
  readonly registration_no: string | null;
  readonly registered_on: string | null;
  readonly recorded_by: string | null;
  readonly in_force_at: Date | null;
}

/** Members vote for other by-laws, by two thirds. They follow the last ones that members voted for, registered or not. */
export const bylawsChange: ChangeExecutor = {
  offices: [],
  isDelayed: false,
  words: sentence('the by-laws'),
  async current(tx, about): Promise<ChangedValues> {
    const last = await lastVoted(tx, about);
    return { version: last?.number ?? 0, sha256: last ? createHash('sha256').update(last.text).digest('hex') : '' };
  },
  async refusalOf(tx, about, payload) {
    const last = await lastVoted(tx, about);
    return last?.text === payload.text
      ? new Refusal('change_conflict', { message: sentence('That holds already.') })
      : null;
  },
  announce: async () => {},
  recall: async () => {},
  async apply(tx, about, payload) {
    const last = await lastVoted(tx, about);
    await tx.sql`
      insert into bylaws (sacco_id, number, text, proposal_id, voted_at)
      values (${about.saccoId}, ${(last?.number ?? 0) + 1}, ${String(payload.text)}, ${about.proposalId ?? null}, ${tx.now})`;
  },
};

async function lastVoted(tx: Tx, { saccoId }: About): Promise<{ number: number; text: string } | null> {
  const [last] = await tx.sql<{ number: number; text: string }[]>`
    select number, text from bylaws where sacco_id = ${saccoId}::uuid order by number desc limit 1`;
  return last ?? null;
}

/**
 * An official records the certificate of a registration. Once any two have recorded the same, the by-laws hold: a false number of one keeps
 * nothing out of force. Each may mend their own until then.
 * @throws Refusal `not_allowed`, also for a second account of whoever recorded the same, `not_found`, `vote_conflict`
 */
export async function registerBylaws(tx: Tx, actor: { readonly userId: string }, input: Registration): Promise<void> {
  await lockSacco(tx, input.saccoId);
  await refuseWithoutOffice(tx, { saccoId: input.saccoId, userId: actor.userId }, { offices: RECORDERS });
  const row = await lockVersion(tx, input);
  const isSame = row.registration_no === input.no && row.registered_on === input.on;
  if (row.in_force_at !== null) {
    if (isSame) return;
    throw new Refusal('vote_conflict', { message: sentence('These by-laws are in force already.') });
  }
  await refuseWrongDay(tx, row, input.on);
  const others = await whoRecordedTheSame(tx, actor, input);
  if (others.length === 0) return record(tx, actor, input);
  const [first] = await independentOf(tx, others, [actor.userId]);
  if (first === undefined) throw new Refusal('not_allowed', { message: ONE_PERSON });
  await keepRecord(tx, actor, input);
  await tx.sql`
    update bylaws set registration_no = ${input.no}, registered_on = ${input.on}::date, recorded_by = ${first},
      recorded_at = coalesce(recorded_at, ${tx.now}), confirmed_by = ${actor.userId}, in_force_at = ${tx.now}
    where sacco_id = ${input.saccoId} and number = ${row.number}`;
}

const ONE_PERSON = sentence(
  'Your account and that of the official who recorded this look like one person’s. Another official must record it.',
);

async function lockVersion(tx: Tx, { id, saccoId }: { id: string; saccoId: string }): Promise<Version> {
  const [row] = await tx.sql<Version[]>`
    select number, proposal_id, voted_at, registration_no, registered_on::text, recorded_by, in_force_at
    from bylaws where proposal_id = ${id} and sacco_id = ${saccoId} for update`;
  if (!row) throw noSuchProposal();
  return row;
}

async function refuseWrongDay(tx: Tx, row: Version, on: string): Promise<void> {
  if (on < nairobiDay(row.voted_at) || on > nairobiDay(tx.now)) {
    throw new Refusal('vote_conflict', {
      message: sentence('By-laws are registered after members have voted for them, and not in the future.'),
    });
  }
}

interface Registration {
  readonly id: string;
  readonly saccoId: string;
  readonly no: string;
  readonly on: string;
}

/** Other officials who have recorded the same, and hold their offices still. */
async function whoRecordedTheSame(
  tx: Tx,
  { userId }: { readonly userId: string },
  { id, saccoId, no, on }: Registration,
): Promise<string[]> {
  const rows = await tx.sql<{ recorded_by: string }[]>`
    select r.recorded_by from bylaw_records r
    where r.proposal_id = ${id} and r.recorded_by <> ${userId} and r.registration_no = ${no} and r.registered_on = ${on}::date
      and exists (select from offices o
        where o.sacco_id = ${saccoId} and o.user_id = r.recorded_by and o.office = any (${[...RECORDERS]}::text[])
          and o.ended_at is null and o.until > ${tx.now})
    order by r.recorded_at, r.recorded_by`;
  return rows.map(({ recorded_by }) => recorded_by);
}

async function keepRecord(
  tx: Tx,
  { userId }: { readonly userId: string },
  { id, no, on }: Registration,
): Promise<void> {
  await tx.sql`
    insert into bylaw_records (proposal_id, recorded_by, registration_no, registered_on, recorded_at)
    values (${id}, ${userId}, ${no}, ${on}::date, ${tx.now})
    on conflict (proposal_id, recorded_by) do update
      set registration_no = excluded.registration_no, registered_on = excluded.registered_on, recorded_at = excluded.recorded_at`;
}

async function record(tx: Tx, actor: { readonly userId: string }, asked: Registration): Promise<void> {
  const { id, saccoId, no, on } = asked;
  const { userId } = actor;
  await keepRecord(tx, actor, asked);
  const [sacco] = await tx.sql<{ name: string }[]>`
    update bylaws set registration_no = ${no}, registered_on = ${on}::date, recorded_by = ${userId}, recorded_at = ${tx.now}
    where proposal_id = ${id} returning (select name from saccos where id = ${saccoId}) as name`;
  const others = await otherOfficials(tx, { saccoId, proposedBy: userId }, RECORDERS);
  const text = sentence(
    '{name}: an official has recorded that the by-laws are registered. Record it too, from the certificate: then they hold.',
    { name: sacco?.name ?? '' },
  );
  await tellPeople(tx, userId, others, { template: 'bylaws_recorded', text });
}

interface Asker {
  readonly userId: string;
  readonly saccoId: string;
  readonly offices: readonly Office[];
}

type Shown = ReplyOf<typeof readBylaws>;

/** Those of a day or a version, with their text, and all versions, for members. */
export async function bylawsShown(
  database: Database,
  asker: Asker,
  { on, version }: { readonly on?: string | undefined; readonly version?: number | undefined },
): Promise<Shown> {
  const rows = await database.sql<(Version & { name: string | null })[]>`
    select b.number, b.proposal_id, b.voted_at, b.registration_no, b.registered_on::text, b.recorded_by, b.in_force_at,
      u.first_name || ' ' || u.last_name as name
    from bylaws b left join people u on u.id = b.recorded_by where b.sacco_id = ${asker.saccoId} order by b.number desc`;
  const versions = rows.map((row) => versionShown(row, asker));
  const end = on === undefined ? database.now().getTime() : Date.parse(`${on}T00:00:00+03:00`) + DAY_MS - 1;
  const chosen = versions.find(({ number, in_force_at }) =>
    version === undefined ? in_force_at !== null && Date.parse(in_force_at) <= end : number === version,
  );
  if (!chosen) return { bylaws: null, versions };
  const [found] = await database.sql<{ text: string }[]>`
    select text from bylaws where sacco_id = ${asker.saccoId} and number = ${chosen.number}`;
  return { bylaws: { ...chosen, text: found?.text ?? '' }, versions };
}

/** One version, as whoever recorded something of it reads it then. */
export async function bylawsOf(database: Database, asker: Asker, proposalId: string): Promise<Bylaws> {
  const { versions } = await bylawsShown(database, asker, {});
  const own = versions.find(({ proposal }) => proposal === proposalId);
  if (!own) throw noSuchProposal();
  return own;
}

function versionShown(row: Version & { readonly name: string | null }, { userId, offices }: Asker): Bylaws {
  const { registration_no: no, registered_on: on } = row;
  return {
    number: row.number,
    proposal: row.proposal_id,
    voted_at: row.voted_at.toISOString(),
    registration:
      no === null || on === null ? null : { no, on, recorded_by: row.name ?? '', is_by_me: row.recorded_by === userId },
    in_force_at: row.in_force_at?.toISOString() ?? null,
    may_record: row.in_force_at === null && offices.some((office) => RECORDERS.includes(office)),
  };
}
