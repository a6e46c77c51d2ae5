import type { ChangedValues, ChangeKind } from '@ushirika/contract/change-kinds';
import type { Refusal } from '@ushirika/contract/refusal';
import type { Office } from '@ushirika/contract/route';
import type { ChangeState } from '@ushirika/contract/sacco-changes';
import type { Sentence } from '@ushirika/contract/sentence';
import type { Database, Tx } from '../../db/tx.ts';

/** What a change is about: the terms of a sacco, or (null) the name of whoever proposed it. */
export interface About {
  readonly saccoId: string | null;
  readonly proposedBy: string;
  /** The vote that carries it out, where it is one. */
  readonly proposalId?: string;
  /** When members were asked: what they saw then holds. */
  readonly publishedAt?: Date | null;
}

export interface ChangeRow {
  readonly id: string;
  readonly kind: ChangeKind;
  readonly sacco_id: string | null;
  readonly proposed_by: string;
  readonly proposed_at: Date;
  readonly payload: ChangedValues;
  readonly expected: ChangedValues;
  readonly state: ChangeState;
  readonly confirmed_by: string | null;
  readonly confirmed_at: Date | null;
  readonly effective_at: Date | null;
  readonly ended_at: Date | null;
  /** As it was proposed: whether it does nothing but close what is open. */
  readonly closes_at_once: boolean;
  /** Of what was closed at once: what it goes back to, and when, unless members decide otherwise. */
  readonly undo_payload: ChangedValues | null;
  readonly undo_at: Date | null;
  readonly settled_at: Date | null;
}

/** A confirmed change that is recalled: the time at which members were told of it, and the time from which they were told that it holds. */
export interface Recalled {
  readonly confirmedAt: Date;
  readonly effectiveAt: Date;
  /** The account that ended it; null for the clock. */
  readonly causedBy: string | null;
}

export interface ClosingVote {
  readonly id: string;
  readonly title: string;
}

/** How one kind of change is carried out, by the domain that it belongs to. Its locks are held when it is asked. */
export interface ChangeExecutor {
  /** Who may propose and confirm it; every official may refuse it, once in 30 days. */
  readonly offices: readonly Office[];
  /** Whether it waits a day after the confirmation. */
  readonly isDelayed: boolean;
  /** `the market rules of your sacco`, in the middle of a sentence. */
  readonly words: Sentence;
  /** What holds now of what a change is about. */
  current(tx: Tx, about: About, payload: ChangedValues): Promise<ChangedValues>;
  /** Why it cannot be, or null. */
  refusalOf(tx: Tx, about: About, payload: ChangedValues): Promise<Refusal | null>;
  /** The reason why this official neither proposes nor confirms it, or null. */
  refusalTo?(tx: Tx, userId: string, payload: ChangedValues): Promise<Refusal | null>;
  /** The person whom it is about; null where it is about nobody any more. Only changes about a person have it. */
  personOf?(tx: Tx, about: About, payload: ChangedValues): Promise<string | null>;
  /** What members are told as soon as it is certain that it comes. */
  announce(tx: Tx, about: About, payload: ChangedValues, effectiveAt: Date): Promise<void>;
  /** Tells those whom `announce` told at the confirmation that it does not come after all, but for those in `toldAlready`. */
  recall(tx: Tx, about: About, recalled: Recalled, toldAlready: readonly string[]): Promise<void>;
  apply(tx: Tx, about: About, payload: ChangedValues): Promise<void>;
  /** Of what was closed at once: the vote on whether it stays closed, under way or carried out; else null. */
  voteOnClosing?(database: Pick<Database, 'sql' | 'now'>, closing: ChangeRow): Promise<ClosingVote | null>;
  /** Where a change does nothing but close what is open: what it would go back to; else null. */
  closes?(tx: Tx, about: About, payload: ChangedValues): Promise<ChangedValues | null>;
}

/** Handed in by `server/domains.ts`: what is changed belongs to domains below. */
export type ChangeExecutors = Readonly<Record<ChangeKind, ChangeExecutor>>;
