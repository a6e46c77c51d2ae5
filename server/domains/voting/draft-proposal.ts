import { isDeepStrictEqual } from 'node:util';
import { Refusal } from '@ushirika/contract/refusal';
import { sentence } from '@ushirika/contract/sentence';
import { CANCELLATIONS_PER_DAY, type ChangeAsked, OPEN_DRAFTS_MAX } from '@ushirika/contract/voting';
import { DRAFT_DAYS, signaturesOfMembers, type VoteClass } from '@ushirika/contract/voting-rules';
import type { Tx } from '../../db/tx.ts';
import { tellPeople } from '../saccos/change-officials.ts';
import type { ChangeExecutors } from '../saccos/changes.types.ts';
import { type LockedSacco, lockSacco } from '../saccos/lock-sacco.ts';
import { officialsOfBoard } from './board.ts';
import { changeToKeep } from './changes-by-vote.ts';
import { refuseOffRoll } from './off-roll.ts';
import { addEvent, type BoardOffice, type ProposalRow } from './proposal-rows.ts';

const DAY_MS = 86_400_000;
/** Whatever its drafter would like: none of the changes that can be voted on is a matter of the by-laws. */
const CLASS_OF_CHANGES: VoteClass = 'ordinary';

export interface Drafting {
  readonly saccoId: string;
  readonly title: string;
  readonly text: string;
  readonly class: VoteClass;
  readonly change?: ChangeAsked | undefined;
}

/**
 * Drafts a vote. Whoever drafts it has signed it. The same draft once more, while it waits, is the same.
 * @throws Refusal `sacco_inactive`, `full_rights_required`, `votes_limit_reached`, `change_conflict`, and what the change's executor says
 */
export async function draftProposal(
  tx: Tx,
  actor: { readonly userId: string },
  input: Drafting,
  executors: ChangeExecutors,
): Promise<string> {
  const sacco = await lockSacco(tx, input.saccoId);
  refuseUnlessRunning(sacco);
  await refuseWithoutRights(tx, input.saccoId, actor.userId);
  const board = await officialsOfBoard(tx, input.saccoId);
  const office = board.find(({ user_id }) => user_id === actor.userId)?.office ?? null;
  if (office === null) await refuseOffRoll(tx, input.saccoId, actor.userId);
  const known = await openDraftsOf(tx, input, actor.userId);
  const same = known.find((draft) => isSameDraft(draft, input));
  if (same) return same.id;
  await refuseTakenBackOften(tx, input.saccoId, actor.userId);
  if (known.length >= OPEN_DRAFTS_MAX) {
    throw new Refusal('votes_limit_reached', {
      message: sentence('Three drafts of yours wait for signatures. Take one back first.'),
    });
  }
  const id = await insertDraft(tx, { ...input, draftedBy: actor.userId, office, members: sacco.members }, executors);
  await addEvent(tx, id, { kind: 'drafted', byId: actor.userId });
  await tx.sql`insert into proposal_signatures (proposal_id, user_id, at) values (${id}, ${actor.userId}, ${tx.now})`;
  if (office !== null) await askTheBoard(tx, { sacco, title: input.title, board, by: actor.userId });
  return id;
}

/** Votes go on in a suspended sacco: its members decide what becomes of it. */
export function refuseUnlessRunning({ state }: LockedSacco): void {
  if (state !== 'active' && state !== 'suspended') throw new Refusal('sacco_inactive');
}

/** Members with full rights draft and sign; whoever joined lately, or is leaving, does not. */
export async function refuseWithoutRights(tx: Tx, saccoId: string, userId: string): Promise<void> {
  const [member] = await tx.sql`
    select from memberships where sacco_id = ${saccoId} and user_id = ${userId} and state = 'active'`;
  if (!member) throw new Refusal('full_rights_required');
}

type OpenDraft = Pick<ProposalRow, 'id' | 'title' | 'text' | 'change_kind' | 'payload'>;

async function openDraftsOf(tx: Tx, { saccoId }: Drafting, userId: string) {
  return tx.sql<OpenDraft[]>`
    select id, title, text, change_kind, payload from proposals
    where drafted_by = ${userId} and sacco_id = ${saccoId} and published_at is null and cancelled_at is null
      and drafted_at > ${new Date(tx.now.getTime() - DRAFT_DAYS * DAY_MS)}`;
}

/** The same words about another change are another draft. */
const isSameDraft = ({ title, text, change_kind, payload }: OpenDraft, asked: Drafting): boolean =>
  title === asked.title &&
  text === asked.text &&
  change_kind === (asked.change?.kind ?? null) &&
  (!asked.change || isDeepStrictEqual(payload, changeToKeep(asked.change)));

async function refuseTakenBackOften(tx: Tx, saccoId: string, userId: string): Promise<void> {
  const [found] = await tx.sql<{ lately: number }[]>`
    select count(*)::int as lately from proposals
    where sacco_id = ${saccoId} and drafted_by = ${userId} and cancelled_at > ${new Date(tx.now.getTime() - DAY_MS)}`;
  if ((found?.lately ?? 0) < CANCELLATIONS_PER_DAY) return;
  throw new Refusal('votes_limit_reached', {
    message: sentence('You have taken back three drafts or votes in 24 hours. Draft another one tomorrow.'),
  });
}

interface Draft extends Drafting {
  readonly draftedBy: string;
  readonly office: BoardOffice | null;
  readonly members: number;
}

async function insertDraft(tx: Tx, draft: Draft, executors: ChangeExecutors): Promise<string> {
  const id = tx.newId();
  const { saccoId, draftedBy, office, change } = draft;
  const kept = change ? await keptChange(tx, draft, change, executors) : null;
  await tx.sql`
    insert into proposals (id, sacco_id, kind, class, title, text, change_kind, expected, payload, drafted_by, drafted_as, drafted_at,
      signatures_needed)
    values (${id}, ${saccoId}, ${change ? 'change' : 'resolution'}, ${change ? CLASS_OF_CHANGES : draft.class}, ${draft.title},
      ${draft.text}, ${change?.kind ?? null}, ${kept && JSON.stringify(kept.expected)}::text::jsonb,
      ${kept && JSON.stringify(kept.payload)}::text::jsonb, ${draftedBy}, ${office}, ${tx.now},
      ${office === null ? signaturesOfMembers(draft.members) : 2})`;
  return id;
}

/** The change as it is kept, beside what holds now. */
async function keptChange(tx: Tx, { saccoId, draftedBy }: Draft, change: ChangeAsked, executors: ChangeExecutors) {
  const executor = executors[change.kind];
  const about = { saccoId, proposedBy: draftedBy };
  const payload = changeToKeep(change);
  const expected = await executor.current(tx, about, payload);
  const refusal = await executor.refusalOf(tx, about, payload);
  if (refusal) throw refusal;
  if (isDeepStrictEqual(expected, payload)) {
    throw new Refusal('change_conflict', { message: sentence('That holds already.') });
  }
  return { payload, expected };
}

async function askTheBoard(
  tx: Tx,
  {
    sacco,
    title,
    board,
    by,
  }: {
    readonly sacco: LockedSacco;
    readonly title: string;
    readonly board: readonly { readonly user_id: string }[];
    readonly by: string;
  },
): Promise<void> {
  const others = board.map(({ user_id }) => user_id).filter((userId) => userId !== by);
  await tellPeople(
    tx,
    [...new Set(others)],
    'vote_drafted',
    sentence('{name}: an official asks you to sign the draft of a vote, “{title}”. It is published once you sign.', {
      name: sacco.name,
      title,
    }),
  );
}
