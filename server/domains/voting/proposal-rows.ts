import type { ChangedValues, ChangeKind } from '@ushirika/contract/change-kinds';
import { Refusal } from '@ushirika/contract/refusal';
import type { Office } from '@ushirika/contract/route';
import type { BallotKind } from '@ushirika/contract/secret-ballots';
import { type Sentence, sentence } from '@ushirika/contract/sentence';
import { kindOfVote } from '@ushirika/contract/vote-kinds';
import type { ProposalKind, VoteEvent } from '@ushirika/contract/voting';
import {
  FIRST_GOVERNANCE,
  type Governance,
  type Outcome,
  type ProposalFacts,
  type ProposalState,
  rulesUnder,
  stateOf,
  type VoteClass,
  type VoteRules,
} from '@ushirika/contract/voting-rules';
import { isGuarded } from '#faults';
import type { Tx } from '../../db/tx.ts';
import { officeSaid } from '../saccos/offices.ts';

/** Offices that make drafts as the board. */
export const BOARD = ['chair', 'vice_chair', 'secretary', 'treasurer'] as const;
export type BoardOffice = (typeof BOARD)[number];

/** A row of `proposals`. */
export interface ProposalRow {
  readonly id: string;
  readonly sacco_id: string;
  /** Counted in its sacco, from one on. */
  readonly number: number;
  /** The guarantor pool whose members vote; null where those of the sacco do. */
  readonly pool_id: string | null;
  readonly kind: ProposalKind;
  readonly class: VoteClass;
  readonly ballot: BallotKind;
  readonly secret_demands: number;
  readonly title: string;
  readonly text: string;
  /** Of an election. The trigger `ballot_turns_secret` keeps these three, and the ballot, from changing once they are fixed. */
  readonly office: Office | null;
  readonly nominations_end: Date | null;
  readonly elected: string | null;
  readonly change_kind: ChangeKind | null;
  readonly expected: ChangedValues | null;
  readonly payload: ChangedValues | null;
  /** The person whom it is about. */
  readonly about_id: string | null;
  /** The names as it was drafted. PostgreSQL writes and keeps them. */
  readonly about_name: string | null;
  readonly drafter_name: string | null;
  readonly drafted_by: string;
  readonly drafted_as: BoardOffice | null;
  readonly drafted_at: Date;
  readonly signatures_needed: number;
  readonly signatures: number;
  /** For a draft: since when it has all its signatures and waits for another vote on the same. */
  readonly complete_at: Date | null;
  readonly published_at: Date | null;
  readonly rules: VoteRules | null;
  readonly roll_size: number | null;
  readonly round: number;
  readonly opens_at: Date | null;
  readonly closes_at: Date | null;
  readonly is_extended: boolean;
  readonly turnout: number;
  readonly cancelled_at: Date | null;
  /** Once it is published: who asks that it is taken back. */
  readonly take_back_by: string | null;
  readonly counted_at: Date | null;
  readonly outcome: Outcome | null;
  readonly eta: Date | null;
  readonly held_by: string | null;
  readonly held_until: Date | null;
  readonly released_at: Date | null;
  readonly voided_at: Date | null;
  readonly executed_at: Date | null;
  readonly failed_at: Date | null;
  /** After a refusal. */
  readonly next_try_at: Date | null;
  readonly given_up_at: Date | null;
  readonly expired_at: Date | null;
}

const factsOf = (row: ProposalRow): ProposalFacts => ({ ...row, is_executable: row.kind !== 'resolution' });

export const stateAt = (row: ProposalRow, now: Date): ProposalState => stateOf(factsOf(row), now);

/** The rules that were fixed; for a draft those that it would have now. */
export const rulesOf = (
  row: Pick<ProposalRow, 'rules' | 'class'> & { readonly governance?: Governance | null },
): VoteRules => row.rules ?? rulesUnder(row.governance ?? FIRST_GOVERNANCE, row.class);

/** Locks a proposal of a sacco and reads it. @throws Refusal `not_found` */
export async function lockProposal(
  tx: Tx,
  { id, saccoId }: { readonly id: string; readonly saccoId: string },
): Promise<ProposalRow> {
  const [row] = await tx.sql<ProposalRow[]>`
    select * from proposals where id = ${id} and sacco_id = ${saccoId} for no key update`;
  if (!row) throw noSuchProposal();
  return row;
}

export const noSuchProposal = () => new Refusal('not_found', { message: sentence('There is no such vote.') });

interface Event {
  readonly kind: VoteEvent;
  readonly byId?: string | null;
  readonly text?: string | null;
  /** Null: now. */
  readonly at?: Date | null;
}

/** Writes down what has happened to a proposal. Its lock is held. */
export async function addEvent(
  tx: Tx,
  proposalId: string,
  { kind, byId = null, text = null, at = null }: Event,
): Promise<void> {
  await tx.sql`
    insert into proposal_events (proposal_id, number, kind, at, by_id, text)
    select ${proposalId}, coalesce(max(number), 0) + 1, ${kind}, ${at ?? tx.now}, ${byId}, ${text}
    from proposal_events where proposal_id = ${proposalId}`;
}

/** Has members told, by the next run of the task: those of the roll, and of a publication all who were active then. Once for each. */
export async function tellRoll(
  tx: Tx,
  proposalId: string,
  what: 'published' | 'opened' | 'second_round' | 'result' | 'cancelled' | 'held' | 'voided',
): Promise<void> {
  await tx.sql`
    insert into proposal_tellings (proposal_id, what, created_at) values (${proposalId}, ${what}, ${tx.now})
    on conflict do nothing`;
}

/** `vote 12 (The by-laws)`: how a notice and a refusal name a vote. They have no word of whoever drafted it (decision 202). */
export const voteSaid = (vote: Pick<ProposalRow, 'number' | 'office' | 'change_kind' | 'title'>): Sentence =>
  isGuarded('voting.own_words')
    ? sentence('vote {n} ({kind})', { n: String(vote.number), kind: kindSaid(vote) })
    : sentence('{text}', { text: vote.title });

function kindSaid({ office, change_kind }: Pick<ProposalRow, 'office' | 'change_kind'>) {
  if (office !== null) return sentence('election: {office}', { office: officeSaid(office) });
  return change_kind === null ? sentence('a resolution') : kindOfVote(change_kind).title;
}

/** `Umoja Sacco`, or `Umoja Sacco, Harvest pool` of a vote of a pool: how a message begins. */
export async function electorateNamed(
  tx: Tx,
  { sacco_id, pool_id }: Pick<ProposalRow, 'sacco_id' | 'pool_id'>,
): Promise<string> {
  const [found] = await tx.sql<{ name: string }[]>`
    select s.name || coalesce(', ' || (select name from pools where id = ${pool_id}::uuid), '') as name
    from saccos s where s.id = ${sacco_id}`;
  return found?.name ?? '';
}
