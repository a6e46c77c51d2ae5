import { isDeepStrictEqual } from 'node:util';
import { Refusal } from '@ushirika/contract/refusal';
import type { Office } from '@ushirika/contract/route';
import type { BallotKind } from '@ushirika/contract/secret-ballots';
import { sentence } from '@ushirika/contract/sentence';
import { BY_TWO_THIRDS } from '@ushirika/contract/vote-kinds';
import { CANCELLATIONS_PER_DAY, type ChangeAsked, OPEN_DRAFTS_MAX, type ProposalKind } from '@ushirika/contract/voting';
import { DRAFT_DAYS, signaturesOfMembers, type VoteClass } from '@ushirika/contract/voting-rules';
import type { Tx } from '../../db/tx.ts';
import { ableInPool } from '../pools/pools-that-vote.ts';
import { refuseUnvoted } from '../pools/voted-pool.ts';
import { tellPeople } from '../saccos/change-officials.ts';
import type { ChangeExecutors } from '../saccos/changes.types.ts';
import { type LockedSacco, lockSacco } from '../saccos/lock-sacco.ts';
import { isNotOver } from '../saccos/votes-not-over.ts';
import { officialsOfBoard } from './board.ts';
import { changeToKeep, openClosing, withoutClosing } from './changes-by-vote.ts';
import { refuseOffRoll } from './off-roll.ts';
import { addEvent, type BoardOffice, noSuchProposal, type ProposalRow, voteSaid } from './proposal-rows.ts';
import { votesOf } from './saccos-that-vote.ts';
import { isCardSeen } from './stand-for-election.ts';
import { isAboutPerson, refuseBarred, refuseBusy, votesInTheWay } from './votes-underway.ts';

const DAY_MS = 86_400_000;
const classOfChange = ({ kind }: ChangeAsked): VoteClass => (BY_TWO_THIRDS.includes(kind) ? 'special' : 'ordinary');
/** About persons members vote in secret. */
const ballotOf = ({ ballot = 'open', office, change }: Drafting): BallotKind =>
  office || (change && isAboutPerson(change.kind)) ? 'secret' : ballot;

export interface Drafting {
  readonly saccoId: string;
  readonly title: string;
  readonly text: string;
  readonly class: VoteClass;
  /** Left out: open. */
  readonly ballot?: BallotKind;
  readonly change?: ChangeAsked | undefined;
  /** An election for this office: secret, and of the class of elections. */
  readonly office?: Office | undefined;
}

/**
 * Drafts a vote. Whoever drafts it has signed it. The same draft once more, while it waits, is the same.
 * @throws Refusal `sacco_inactive`, `full_rights_required`, `votes_limit_reached`, `vote_conflict` for whoever took one on the same back lately, or has a new name whose card was not seen, `change_conflict`, and what the change's executor says
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
  const poolId = await poolOf(tx, input);
  const board = poolId === null ? await officialsOfBoard(tx, input.saccoId) : [];
  const office = board.find(({ user_id }) => user_id === actor.userId)?.office ?? null;
  if (office === null) await refuseOffRoll(tx, { sacco_id: input.saccoId, pool_id: poolId }, actor.userId);
  await refuseUnseenName(tx, input.saccoId, actor.userId);
  const known = await openDraftsOf(tx, input, actor.userId);
  const same = known.find((draft) => isSameDraft(draft, input));
  if (same) return same.id;
  await refuseBusy(tx, { pool_id: poolId, change_kind: input.change?.kind ?? null }, actor.userId);
  await refuseTakenBackOften(tx, input.saccoId, actor.userId);
  if (known.length >= OPEN_DRAFTS_MAX) {
    throw new Refusal('votes_limit_reached', {
      message: sentence('Three drafts of yours wait for signatures. Take one back first.'),
    });
  }
  const id = await insertDraft(
    tx,
    {
      ...input,
      poolId,
      draftedBy: actor.userId,
      draftedAs: office,
      members: poolId === null ? sacco.members : await ableInPool(tx, poolId),
    },
    executors,
  );
  await refuseBarred(tx, id, actor.userId);
  await addEvent(tx, id, { kind: 'drafted', byId: actor.userId });
  await tx.sql`insert into proposal_signatures (proposal_id, user_id, at) values (${id}, ${actor.userId}, ${tx.now})`;
  if (office !== null) await askTheBoard(tx, { id, sacco, board, by: actor.userId });
  return id;
}

/** The pool whose members vote; null where those of the sacco do. @throws Refusal `change_conflict` */
async function poolOf(tx: Tx, { saccoId, change }: Drafting): Promise<string | null> {
  if (!change || !('pool' in change.values)) return null;
  await refuseUnvoted(tx, { saccoId, poolId: change.values.pool });
  return change.values.pool;
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

/** Refuses a drafter with a new name whose ID card was not seen under it: members read the drafter’s name. */
async function refuseUnseenName(tx: Tx, saccoId: string, userId: string): Promise<void> {
  const [renamed] = await tx.sql`select where former_name(${userId}, ${tx.now}) is not null`;
  if (!renamed || (await isCardSeen(tx, saccoId, userId))) return;
  throw new Refusal('vote_conflict', {
    message: sentence(
      'Show your ID card to an official first: nobody drafts a vote under a name whose card was not seen.',
    ),
  });
}

type OpenDraft = Pick<ProposalRow, 'id' | 'title' | 'text' | 'class' | 'office' | 'ballot' | 'change_kind' | 'payload'>;

async function openDraftsOf(tx: Tx, { saccoId }: Drafting, userId: string) {
  return tx.sql<OpenDraft[]>`
    select id, title, text, class, office, ballot, change_kind, payload from proposals
    where drafted_by = ${userId} and sacco_id = ${saccoId} and published_at is null and cancelled_at is null
      and (complete_at is not null or drafted_at > ${new Date(tx.now.getTime() - DRAFT_DAYS * DAY_MS)})`;
}

/** The same words about another change, or of another class, are another draft. */
const isSameDraft = (
  { title, text, class: voteClass, office, ballot, change_kind, payload }: OpenDraft,
  asked: Drafting,
): boolean =>
  title === asked.title &&
  text === asked.text &&
  voteClass === classOf(asked) &&
  office === (asked.office ?? null) &&
  ballot === ballotOf(asked) &&
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
  /** The pool whose members vote. */
  readonly poolId: string | null;
  readonly draftedBy: string;
  readonly draftedAs: BoardOffice | null;
  /** Of a sacco its members, of a pool those who could vote: of so many one in twenty signs. */
  readonly members: number;
}

async function insertDraft(tx: Tx, draft: Draft, executors: ChangeExecutors): Promise<string> {
  const id = tx.newId();
  const { saccoId, poolId, draftedBy, draftedAs, change, office = null } = draft;
  if (office !== null && change) throw new Refusal('validation_failed', { errors: { office: [NOT_BOTH] } });
  if (office !== null) await refuseUnderway(tx, saccoId, office);
  const kept = change ? await keptChange(tx, draft, change, executors) : null;
  const person = kept?.person ?? null;
  const signatures = draftedAs === null ? await signaturesOf(tx, draft, person) : 2;
  await tx.sql`
    insert into proposals (id, sacco_id, pool_id, kind, class, ballot, office, title, text, change_kind, expected, payload, about_id, drafted_by, drafted_as,
      drafted_at, signatures_needed)
    values (${id}, ${saccoId}, ${poolId}, ${kindOf(draft)}, ${classOf(draft)}, ${ballotOf(draft)}, ${office},
      ${draft.title},
      ${draft.text}, ${change?.kind ?? null}, ${kept && JSON.stringify(kept.expected)}::text::jsonb,
      ${kept && JSON.stringify(kept.payload)}::text::jsonb, ${person}, ${draftedBy}, ${draftedAs}, ${tx.now},
      ${signatures})`;
  return id;
}

/** Whom it is about does not sign it: of three members who could vote two are left. */
async function signaturesOf(tx: Tx, { saccoId, poolId, members }: Draft, person: string | null): Promise<number> {
  const usual = signaturesOfMembers(members);
  if (person === null || poolId !== null) return usual;
  const [votes] = await votesOf(tx, [saccoId]);
  return Math.min(usual, Math.max(2, (votes?.able ?? 0) - 1));
}

const ABOUT_YOU = sentence('This vote would be about you: another member drafts it.');
const NOT_BOTH = sentence('An election changes nothing else.');

const kindOf = ({ change, office }: Draft): ProposalKind => (office ? 'election' : change ? 'change' : 'resolution');

function classOf({ change, office, class: asked }: Drafting): VoteClass {
  if (office) return 'election';
  return change ? classOfChange(change) : asked;
}

/** One election for an office that one person holds, at a time: asked at the draft and again at the publication. */
export async function refuseUnderway(tx: Tx, saccoId: string, office: Office): Promise<void> {
  if (office === 'credit_committee' || office === 'supervisory_committee') return;
  const [other] = await tx.sql<{ id: string }[]>`
    select p.id from proposals p where p.sacco_id = ${saccoId} and p.office = ${office} and ${isNotOver(tx.sql, tx.now)} limit 1`;
  if (!other) return;
  const message = sentence('Members elect somebody for this office already.');
  throw new Refusal('change_conflict', { message, extra: { vote: other.id } });
}

/** The change as it is kept, beside what holds now; of what two officials have closed, beside what holds without that. */
async function keptChange(tx: Tx, { saccoId, draftedBy }: Draft, change: ChangeAsked, executors: ChangeExecutors) {
  const executor = executors[change.kind];
  const about = { saccoId, proposedBy: draftedBy };
  const payload = changeToKeep(change);
  const closing = await openClosing(tx, { saccoId, kind: change.kind, payload });
  const expected = withoutClosing(await executor.current(tx, about, payload), closing);
  const refusal = await executor.refusalOf(tx, about, payload);
  if (refusal) throw refusal;
  if (isDeepStrictEqual(expected, payload)) {
    throw new Refusal('change_conflict', { message: closing ? OPENS_BY_ITSELF : sentence('That holds already.') });
  }
  const person = (await executor.personOf?.(tx, about, payload)) ?? null;
  // Whoever offers to be a steward drafts that alone.
  if (person === draftedBy && change.kind !== 'pool_steward')
    throw new Refusal('vote_conflict', { message: ABOUT_YOU });
  return { payload, expected, person };
}

const OPENS_BY_ITSELF = sentence('It opens again by itself, unless members vote to keep it closed.');

async function askTheBoard(
  tx: Tx,
  {
    id,
    sacco,
    board,
    by,
  }: {
    readonly id: string;
    readonly sacco: LockedSacco;
    readonly board: readonly { readonly user_id: string }[];
    readonly by: string;
  },
): Promise<void> {
  const others = board.map(({ user_id }) => user_id).filter((userId) => userId !== by);
  const other = (await votesInTheWay(tx, [id], tx.now)).get(id);
  const [draft] = await tx.sql<ProposalRow[]>`select * from proposals where id = ${id}`;
  if (!draft) throw noSuchProposal();
  const values = { name: sacco.name, vote: voteSaid(draft) };
  await tellPeople(tx, by, [...new Set(others)], {
    template: 'vote_drafted',
    text: other
      ? sentence(
          '{name}: an official asks you to sign the draft of {vote}. It can be published once {other} is over, on the same.',
          { ...values, other: voteSaid(other) },
        )
      : sentence('{name}: an official asks you to sign the draft of {vote}. It is published once you sign.', values),
  });
}
