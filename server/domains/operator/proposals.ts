import type { Cents } from '@ushirika/contract/money';
import type { ProposalKind, ProposalState } from '@ushirika/contract/proposals';
import { Refusal } from '@ushirika/contract/refusal';
import { sentence } from '@ushirika/contract/sentence';
import type { Text } from '@ushirika/contract/texts';
import type { Fragment } from 'postgres';
import { isGuarded } from '#faults';
import type { Database, Tx } from '../../db/tx.ts';
import { enqueue } from '../../jobs.ts';
import { lockSaccoOfNaming } from '../saccos/name-as-operators.ts';
import { noteAction } from './note-action.ts';
import { kindOf } from './proposal-kinds.ts';

/*
 * Two operators (docs/decisions/149): what money leaves by, and what an operator alone must not do, is a row that one operator
 * writes and another confirms. To add an act:
 * 1. name its kind in `PROPOSAL_KINDS` (contract/src/proposals.ts) and in the check of `operator_proposals.kind`;
 * 2. write its `KindOfProposal` and put it into `KINDS` (proposal-kinds.ts): how its thing is locked, what is judged of it,
 *    how it is carried out;
 * 3. bind a route of one's own that asks for `requireProof` and calls `propose`.
 * Confirming, refusing, withdrawing, lapsing, the list at the desk, the log and that neither operator gains are done here.
 */

/** A proposal as it stands; `amountCents` where money moves. */
export interface ProposalRow {
  readonly id: string;
  readonly kind: ProposalKind;
  readonly about_id: string;
  readonly beneficiary_id: string | null;
  readonly amount_cents: Cents | null;
  readonly reason: string;
  readonly state: ProposalState;
  readonly proposed_by: string;
  readonly lapses_at: Date;
  readonly confirmed_by: string | null;
  /** The second operator's reason. */
  readonly confirmation: string | null;
  readonly due_at: Date | null;
}

/** What is asked of the operators: `userId` where the money may go to several people. */
export interface Draft {
  readonly kind: ProposalKind;
  readonly aboutId: string;
  readonly userId?: string | undefined;
  /** Where an operator says how much. */
  readonly amountCents?: Cents | undefined;
  readonly reason: string;
}

/** Nobody confirmed it for so long: it lapses. */
const LAPSES_MS = 7 * 86_400_000;
/** For so long the payer may object, from when they were told. */
export const OBJECTION_MS = 48 * 3_600_000;

/**
 * The first of two operators says what should be done; nothing moves. Asks no password: the route does (`requireProof`).
 * @returns the proposal's id
 * @throws Refusal `not_found`, `not_allowed` for one's own money or sacco, `second_operator_required` where the same is
 *   proposed already, and what the kind refuses
 */
export async function propose(tx: Tx, actor: { readonly userId: string }, draft: Draft): Promise<string> {
  const { kind, aboutId, reason } = draft;
  const { lock, examine, other } = kindOf(kind);
  await lock(tx, aboutId);
  const { beneficiaryId, amountCents } = await examine(tx, actor, draft);
  refuseOwn(actor, beneficiaryId);
  await lapseUnconfirmed(tx, tx.now, tx.sql`about_id = ${aboutId}`);
  // What can be proposed now, the other cannot be done any more: a sacco is active, or suspended.
  if (other) await lapseOther(tx, aboutId, other);
  const [row] = await tx.sql<{ id: string }[]>`
    insert into operator_proposals
      (id, kind, about_id, beneficiary_id, amount_cents, reason, state, proposed_by, proposed_at, lapses_at)
    values (${tx.newId()}, ${kind}, ${aboutId}, ${beneficiaryId}, ${amountCents}, ${reason}, 'proposed', ${actor.userId},
            ${tx.now}, ${new Date(tx.now.getTime() + LAPSES_MS)})
    on conflict (about_id, kind, beneficiary_id, amount_cents) where state in ('proposed', 'waiting') do nothing
    returning id`;
  if (!row) {
    throw new Refusal('second_operator_required', {
      message: sentence('An operator has proposed the same already. Another operator must confirm it.'),
    });
  }
  await noteAction(tx, actor, { action: `${kind}_proposed`, about: await aboutOf(tx, kind, aboutId), reason });
  return row.id;
}

/**
 * The second operator confirms. It is carried out at once; or a job does so at `due_at`, until when the payer may object.
 * @throws Refusal `not_found`, `second_operator_required`, `not_allowed`, `proposal_closed`, and what the kind refuses
 */
export async function confirmProposal(
  tx: Tx,
  actor: { readonly userId: string },
  input: { readonly proposalId: string; readonly reason: string },
): Promise<{ readonly kind: ProposalKind; readonly state: ProposalState }> {
  const proposal = await lockProposal(tx, input.proposalId);
  if (proposal.proposed_by === actor.userId && isGuarded('second_operator'))
    throw new Refusal('second_operator_required');
  refuseOwn(actor, proposal.beneficiary_id);
  if (proposal.state !== 'proposed' || proposal.lapses_at <= tx.now) throw new Refusal('proposal_closed');
  await refuseFormerOperators(tx, [proposal.proposed_by, null]);
  const { kind, about_id: aboutId, reason } = proposal;
  const { examine, execute } = kindOf(kind);
  const amountCents = proposal.amount_cents ?? undefined;
  // What was so when it was proposed may have changed; both operators answer for it.
  await examine(tx, actor, { kind, aboutId, userId: proposal.beneficiary_id ?? undefined, amountCents, reason });
  const dueAt = await dueAtOf(tx, proposal);
  await tx.sql`
    update operator_proposals set confirmed_by = ${actor.userId}, confirmed_at = ${tx.now}, confirmation = ${input.reason},
      due_at = ${dueAt}, state = ${dueAt ? 'waiting' : 'proposed'}
    where id = ${proposal.id}`;
  const about = await aboutOf(tx, kind, aboutId);
  await noteAction(tx, actor, { action: `${kind}_confirmed`, about, reason: input.reason });
  if (dueAt) return { kind, state: 'waiting' };
  await execute(tx, { ...proposal, confirmed_by: actor.userId, confirmation: input.reason });
  await closeProposal(tx, proposal.id, 'done', null);
  return { kind, state: 'done' };
}

/** When a job carries it out, which is asked for; null where it is carried out at once, by the operator who confirms it. */
async function dueAtOf(tx: Tx, proposal: ProposalRow): Promise<Date | null> {
  const { payerOf, isCarriedOutByPlatform } = kindOf(proposal.kind);
  if (isCarriedOutByPlatform) {
    await enqueue(tx, 'carry_out_proposal', { id: proposal.id });
    // Later than its confirmation, and at once.
    return new Date(tx.now.getTime() + 1);
  }
  const payer = (await payerOf?.(tx, proposal)) ?? null;
  if (!payer || !isGuarded('payer_may_object')) return null;
  await enqueue(tx, 'tell_payer', { id: proposal.id }, { key: `tell_payer:${proposal.id}` });
  return new Date(tx.now.getTime() + OBJECTION_MS);
}

/**
 * Whoever proposed it withdraws it, also while it waits for the payer. Nobody else closes it: one operator alone would keep the others from it
 * for ever. Of somebody who is no operator any more anybody does. Nothing moves.
 * @throws Refusal `not_found`, `proposal_closed`, `not_allowed`
 */
export async function refuseProposal(
  tx: Tx,
  actor: { readonly userId: string },
  input: { readonly proposalId: string; readonly reason: string },
): Promise<ProposalState> {
  const proposal = await lockProposal(tx, input.proposalId);
  if (proposal.state !== 'proposed' && proposal.state !== 'waiting') throw new Refusal('proposal_closed');
  const state = proposal.proposed_by === actor.userId ? 'withdrawn' : 'refused';
  if (state === 'refused' && (await isOperator(tx, proposal.proposed_by)) && isGuarded('operator.refused_by_nobody')) {
    throw new Refusal('not_allowed', { message: NOBODY_REFUSES });
  }
  await closeProposal(tx, proposal.id, state, input.reason, actor.userId);
  const about = await aboutOf(tx, proposal.kind, proposal.about_id);
  await noteAction(tx, actor, { action: `${proposal.kind}_${state}`, about, reason: input.reason });
  return state;
}

/** Locks what it is about first, as everybody who locks that, and then the proposal. */
export async function lockProposal(tx: Tx, id: string): Promise<ProposalRow> {
  const [seen] = await tx.sql<{ kind: ProposalKind; about_id: string }[]>`
    select kind, about_id from operator_proposals where id = ${id}`;
  if (!seen) throw new Refusal('not_found');
  await kindOf(seen.kind).lock(tx, seen.about_id);
  const [row] = await tx.sql<ProposalRow[]>`
    select id, kind, about_id, beneficiary_id, amount_cents, reason, state, proposed_by, lapses_at, confirmed_by, confirmation,
      due_at
    from operator_proposals where id = ${id} for update`;
  if (!row) throw new Refusal('not_found');
  return row;
}

/** An operator who is against it does not confirm it. If one of them could close it, no other could confirm it. */
const NOBODY_REFUSES = sentence(
  'Only who proposed it takes it back. Leave it: without a second operator it lapses after seven days.',
);

/** An operator who decides otherwise takes back what they proposed about it. */
export async function withdrawOwn(
  tx: Tx,
  actor: { readonly userId: string },
  { kind, aboutId, reason }: Pick<Draft, 'kind' | 'aboutId' | 'reason'>,
): Promise<void> {
  const withdrawn = await tx.sql`
    update operator_proposals set state = 'withdrawn', closed_at = ${tx.now}, closed_by = ${actor.userId}, closing = ${reason}
    where about_id = ${aboutId} and kind = ${kind} and state = 'proposed' and proposed_by = ${actor.userId}`;
  if (withdrawn.count === 0) return;
  await noteAction(tx, actor, { action: `${kind}_withdrawn`, about: await aboutOf(tx, kind, aboutId), reason });
}

async function lapseOther(tx: Tx, aboutId: string, kind: ProposalKind): Promise<void> {
  await tx.sql`
    update operator_proposals set state = 'lapsed', closed_at = ${tx.now},
      closing = ${'What it is about was settled otherwise.' satisfies Text}
    where about_id = ${aboutId} and kind = ${kind} and state = 'proposed'`;
}

/** Closes those of some proposals (`which`, a condition) that nobody confirmed in time. */
export async function lapseUnconfirmed(
  { sql }: Pick<Database, 'sql'> | Pick<Tx, 'sql'>,
  now: Date,
  which: Fragment,
): Promise<void> {
  await sql`
    update operator_proposals set state = 'lapsed', closed_at = ${now}, closing = ${'Nobody confirmed it in time.' satisfies Text}
    where state = 'proposed' and lapses_at <= ${now} and ${which}`;
}

export async function closeProposal(
  tx: Tx,
  id: string,
  state: ProposalState,
  closing: string | null,
  closedBy: string | null = null,
): Promise<void> {
  await tx.sql`
    update operator_proposals set state = ${state}, closed_at = ${tx.now}, closed_by = ${closedBy}, closing = ${closing}
    where id = ${id}`;
}

export function aboutTypeOf(kind: ProposalKind): 'money_exception' | 'sacco' | 'person' {
  if (kind === 'official_naming' || kind === 'sacco_reinstatement' || kind === 'sacco_suspension') return 'sacco';
  return kind === 'suspended_payout' ? 'person' : 'money_exception';
}

/** The subject of an act in the log: of a naming it is the sacco. */
async function aboutOf(tx: Tx, kind: ProposalKind, id: string) {
  const aboutId = kind === 'official_naming' ? (await lockSaccoOfNaming(tx, id)).id : id;
  return { type: aboutTypeOf(kind), id: aboutId };
}

function refuseOwn(actor: { readonly userId: string }, beneficiaryId: string | null): void {
  if (beneficiaryId !== actor.userId) return;
  throw new Refusal('not_allowed', { message: sentence('Another operator must decide about money of yours.') });
}

async function isOperator(tx: Tx, userId: string): Promise<boolean> {
  const [operator] = await tx.sql`select from operators where user_id = ${userId} and revoked_at is null`;
  return operator !== undefined;
}

/** The word of somebody who is no operator any more does not count as one of two. Null: nobody has said it yet. */
export async function refuseFormerOperators(tx: Tx, [proposer, confirmer]: readonly [string, string | null]) {
  const wanted = [...new Set([proposer, confirmer ?? proposer])];
  const operators = await tx.sql`
    select from operators where user_id = any (${wanted}::uuid[]) and revoked_at is null`;
  if (operators.length === wanted.length) return;
  const message =
    confirmer === null
      ? sentence('Who proposed it is no operator any more. Propose it anew.')
      : sentence('One of the two operators is no operator any more. Propose it anew.');
  throw new Refusal('proposal_closed', { message });
}
