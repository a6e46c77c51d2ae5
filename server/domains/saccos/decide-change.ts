import { isDeepStrictEqual } from 'node:util';
import { Refusal } from '@ushirika/contract/refusal';
import { OFFICES } from '@ushirika/contract/route';
import { CHANGE_DELAY_HOURS, CHANGE_LAPSES_AFTER_DAYS, CLOSED_DAYS } from '@ushirika/contract/sacco-changes';
import type { SaccoState } from '@ushirika/contract/saccos';
import { sentence } from '@ushirika/contract/sentence';
import { isGuarded } from '#faults';
import type { Tx } from '../../db/tx.ts';
import { refuseSecondAccount } from '../identity/second-account.ts';
import { nameOf, otherOfficials, tellPeople } from './change-officials.ts';
import type { About, ChangeExecutors, ChangeRow } from './changes.types.ts';
import { lockSacco } from './lock-sacco.ts';
import { refuseWithoutOffice } from './propose-change.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
export const LAPSES_AFTER_MS = CHANGE_LAPSES_AFTER_DAYS * DAY_MS;

export const aboutOf = (row: Pick<ChangeRow, 'sacco_id' | 'proposed_by'>): About => ({
  saccoId: row.sacco_id,
  proposedBy: row.proposed_by,
});

interface Deciding {
  readonly changeId: string;
  /** Null: not in the name of a sacco, which is enough to take back what is one's own. */
  readonly saccoId: string | null;
}

/**
 * A second official says yes. New terms hold a day later, which members are told; a name holds at once, and so does what closes a
 * market or a loan product, which opens again after 14 days unless members decide otherwise (docs/decisions/191).
 * @throws Refusal `not_found` where it is none of the sacco's, `not_allowed` without an office or for another account of who
 *   proposed it, `second_official_required` for one's own,
 *   `change_conflict` where it is decided already or has come to nothing, and what the executor says
 */
export async function confirmChange(
  tx: Tx,
  actor: { readonly userId: string },
  input: { readonly changeId: string; readonly saccoId: string },
  executors: ChangeExecutors,
): Promise<ChangeRow> {
  const change = await lockOwnChange(tx, actor, input);
  const executor = executors[change.kind];
  const about = aboutOf(change);
  await refuseWithoutOffice(tx, { saccoId: input.saccoId, userId: actor.userId }, executor);
  if (change.proposed_by === actor.userId && isGuarded('second_official')) {
    throw new Refusal('second_official_required', {
      message: sentence('You have proposed this: another official confirms it.'),
    });
  }
  await refuseSecondAccount(tx, actor.userId, [change.proposed_by], SECOND_ACCOUNT);
  refuseDecided(tx, change, ['proposed']);
  const refusal =
    (await executor.refusalTo?.(tx, actor.userId, change.payload)) ??
    (await executor.refusalOf(tx, about, change.payload));
  if (refusal) throw refusal;
  if (!isDeepStrictEqual(await executor.current(tx, about, change.payload), change.expected)) {
    throw new Refusal('change_conflict', { message: sentence('The terms have changed since this was proposed.') });
  }
  const undo = (await executor.closes?.(tx, about, change.payload)) ?? null;
  const isDelayed = executor.isDelayed && undo === null;
  const effectiveAt = isDelayed ? new Date(tx.now.getTime() + CHANGE_DELAY_HOURS * HOUR_MS) : tx.now;
  await tx.sql`
    update sacco_changes set state = 'confirmed', confirmed_by = ${actor.userId}, confirmed_at = ${tx.now},
      effective_at = ${effectiveAt}, undo_payload = ${undo && JSON.stringify(undo)}::text::jsonb,
      undo_at = ${undo && new Date(tx.now.getTime() + CLOSED_DAYS * DAY_MS)}
    where id = ${change.id}`;
  if (isDelayed) await executor.announce(tx, about, change.payload, effectiveAt);
  else await putInForce(tx, actor.userId, change, executors);
  return readChange(tx, change.id);
}

/** What is told to another account of who proposed it. */
export const SECOND_ACCOUNT = sentence(
  'Your account and that of the official who proposed this look like one person’s. Another official must confirm it.',
);

/**
 * Another official says no, to what waits for a second one or is to hold soon. Whoever has said no to the same matter within 30 days leaves it
 * to the others: no official alone stops it for good (docs/decisions/233).
 */
export async function refuseChange(
  tx: Tx,
  actor: { readonly userId: string },
  input: { readonly changeId: string; readonly saccoId: string },
  executors: ChangeExecutors,
): Promise<ChangeRow> {
  const change = await lockOwnChange(tx, actor, input);
  refuseDecided(tx, change, ['proposed', 'confirmed']);
  const end = change.proposed_by === actor.userId ? 'withdrawn' : 'refused';
  if (end === 'refused') await refuseSecondNo(tx, change, actor.userId);
  await endBy(tx, change, actor, end);
  await tellEnd(tx, change, executors, { actorId: actor.userId, end });
  return readChange(tx, change.id);
}

const SECOND_NO_DAYS = 30;

/** A matter is what waits one at a time: a kind of terms of a sacco, the waiver of one loan, one person’s name. */
async function refuseSecondNo(tx: Tx, change: ChangeRow, userId: string): Promise<void> {
  const { kind, sacco_id: saccoId, proposed_by: proposedBy, payload } = change;
  const since = new Date(tx.now.getTime() - SECOND_NO_DAYS * DAY_MS);
  const before = await tx.sql`
    select from sacco_changes
    where kind = ${kind} and case when ${saccoId}::uuid is null then proposed_by = ${proposedBy} else sacco_id = ${saccoId}::uuid end
      and payload ->> 'loan' is not distinct from ${payload.loan ?? null}::text
      and state = 'refused' and ended_at > ${since} and (ended_by = ${userId} or share_identity(ended_by, ${userId}))`;
  if (before.length === 0) return;
  throw new Refusal('change_conflict', {
    message: sentence('You have refused the same within the last 30 days. This time another official must say no.'),
  });
}

/** Only officials decide, and only in a sacco that was active once: before that there is nothing to change. */
async function lockOwnChange(
  tx: Tx,
  { userId }: { readonly userId: string },
  { changeId, saccoId }: { readonly changeId: string; readonly saccoId: string },
): Promise<ChangeRow> {
  await refuseWithoutOffice(tx, { saccoId, userId }, { offices: OFFICES });
  const change = await lockChange(tx, { changeId, saccoId });
  const [sacco] = await tx.sql<{ state: SaccoState }[]>`select state from saccos where id = ${saccoId}`;
  if (sacco?.state === 'active' || sacco?.state === 'suspended') return change;
  throw new Refusal('sacco_inactive');
}

/** Whoever proposed it takes it back. */
export async function withdrawChange(
  tx: Tx,
  actor: { readonly userId: string },
  { changeId }: { readonly changeId: string },
  executors: ChangeExecutors,
): Promise<ChangeRow> {
  const change = await lockChange(tx, { changeId, saccoId: null });
  if (change.proposed_by !== actor.userId) throw noSuchChange();
  refuseDecided(tx, change, ['proposed', 'confirmed']);
  await endBy(tx, change, actor, 'withdrawn');
  if (change.state === 'confirmed') await tellEnd(tx, change, executors, { actorId: actor.userId, end: 'withdrawn' });
  return readChange(tx, change.id);
}

/** Does what a confirmed change says; its locks are held. Both are told, and so are the members by the executor's own acts. */
export async function putInForce(
  tx: Tx,
  causedBy: string | null,
  change: ChangeRow,
  executors: ChangeExecutors,
): Promise<void> {
  const executor = executors[change.kind];
  await executor.apply(tx, aboutOf(change), change.payload);
  await tx.sql`update sacco_changes set state = 'in_force', ended_at = ${tx.now} where id = ${change.id}`;
  // What officials closed and open again themselves.
  await tx.sql`
    update sacco_changes set settled = 'taken_back', settled_at = ${tx.now}
    where sacco_id = ${change.sacco_id}::uuid and kind = ${change.kind} and undo_payload = ${JSON.stringify(change.payload)}::text::jsonb
      and settled_at is null`;
  const name = await nameOf(tx, aboutOf(change));
  await tellPeople(tx, causedBy, [change.proposed_by], {
    template: 'change_in_force',
    text: sentence('{name}: the change of {change} that you proposed is in force.', { name, change: executor.words }),
  });
}

/**
 * Locks what a change is about (the sacco, or the person whose name it is), and then the change itself: the order in which
 * whoever proposes takes them.
 */
export async function lockChange(tx: Tx, { changeId, saccoId }: Deciding): Promise<ChangeRow> {
  const [named] = await tx.sql<Pick<ChangeRow, 'sacco_id' | 'proposed_by'>[]>`
    select sacco_id, proposed_by from sacco_changes where id = ${changeId}`;
  if (!named) throw noSuchChange();
  if (named.sacco_id !== null) {
    if (saccoId !== null && named.sacco_id !== saccoId) throw noSuchChange();
    await lockSacco(tx, named.sacco_id);
  } else {
    await tx.sql`select from users where id = ${named.proposed_by} for no key update`;
    if (saccoId !== null && !(await isOfficialOf(tx, named.proposed_by, saccoId))) throw noSuchChange();
  }
  await tx.sql`select from sacco_changes where id = ${changeId} for update`;
  return readChange(tx, changeId);
}

async function readChange(tx: Tx, id: string): Promise<ChangeRow> {
  const [row] = await tx.sql<ChangeRow[]>`
    select id, kind, sacco_id, proposed_by, proposed_at, payload, expected, state, confirmed_by, confirmed_at, effective_at,
      ended_at, closes_at_once, undo_payload, undo_at, settled_at
    from sacco_changes where id = ${id}`;
  if (!row) throw noSuchChange();
  return row;
}

async function isOfficialOf(tx: Tx, userId: string, saccoId: string): Promise<boolean> {
  const [held] = await tx.sql`
    select from offices
    where sacco_id = ${saccoId} and user_id = ${userId} and ended_at is null and until > ${tx.now}`;
  return held !== undefined;
}

function refuseDecided(tx: Tx, change: ChangeRow, states: readonly ChangeRow['state'][]): void {
  const isLapsed = change.state === 'proposed' && change.proposed_at.getTime() + LAPSES_AFTER_MS <= tx.now.getTime();
  const isInForce = change.effective_at !== null && change.effective_at <= tx.now;
  if (states.includes(change.state) && !isLapsed && !isInForce) return;
  throw new Refusal('change_conflict', { message: sentence('That is decided already.') });
}

async function endBy(
  tx: Tx,
  change: ChangeRow,
  { userId }: { readonly userId: string },
  state: 'withdrawn' | 'refused',
): Promise<void> {
  await tx.sql`
    update sacco_changes set state = ${state}, ended_at = ${tx.now}, ended_by = ${userId} where id = ${change.id}`;
}

/** The officials hear that it does not come, and why; then the members who were told that it would. */
async function tellEnd(
  tx: Tx,
  change: ChangeRow,
  executors: ChangeExecutors,
  { actorId, end }: { readonly actorId: string; readonly end: 'withdrawn' | 'refused' },
): Promise<void> {
  const about = aboutOf(change);
  const { words, offices } = executors[change.kind];
  const name = await nameOf(tx, about);
  const people = [...(await otherOfficials(tx, about, offices)), change.proposed_by];
  const others = people.filter((userId) => userId !== actorId);
  const proposer = await nameOf(tx, { saccoId: null, proposedBy: change.proposed_by });
  const why =
    end === 'withdrawn'
      ? sentence('{proposer} has taken it back.', { proposer })
      : sentence('An official has said no.');
  await tellPeople(tx, actorId, others, {
    template: 'change_refused',
    text: sentence('{name}: the change of {change} does not come. {why}', { name, change: words, why }),
  });
  await recallChange(tx, change, executors, { causedBy: actorId, toldAlready: [...others, actorId] });
}

/** Members who were told at the confirmation that a change comes are told that it does not. */
export async function recallChange(
  tx: Tx,
  change: ChangeRow,
  executors: ChangeExecutors,
  { causedBy, toldAlready }: { readonly causedBy: string | null; readonly toldAlready: readonly string[] },
): Promise<void> {
  const { confirmed_at: confirmedAt, effective_at: effectiveAt } = change;
  if (confirmedAt === null || effectiveAt === null) return;
  await executors[change.kind].recall(tx, aboutOf(change), { confirmedAt, effectiveAt, causedBy }, toldAlready);
}

const noSuchChange = () => new Refusal('not_found', { message: sentence('There is no such change.') });
