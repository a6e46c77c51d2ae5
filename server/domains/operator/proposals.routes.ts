import { API_BASE } from '@ushirika/contract/constants';
import { shillingsFromCents } from '@ushirika/contract/money';
import * as contract from '@ushirika/contract/proposals';
import { type Sentence, sentence } from '@ushirika/contract/sentence';
import { linker } from '../../db/page.ts';
import { asSystem } from '../../db/person.ts';
import { type Binding, bindHandler, bindVerb } from '../../http/bind.ts';
import { requireProof } from '../identity/prove-password.ts';
import { noteLook } from './note-action.ts';
import type { OperatorDependencies } from './operator.routes.ts';
import { disputedPayments, objectToPayment } from './payer-notices.ts';
import { proposals } from './proposals.queries.ts';
import { confirmProposal, refuseProposal } from './proposals.ts';

/** A job carries these out at once. */
const SOON: Partial<Record<contract.ProposalKind, Sentence>> = {
  suspended_payout: sentence('Confirmed. M-Pesa is asked to pay it now.'),
  official_naming: sentence(
    'Confirmed. If somebody with that ID number is registered here, an SMS asks them to accept.',
  ),
};
const OBJECTION = sentence('Confirmed. The payer has 48 hours to object; then it is done.');
const OBJECTED = sentence('Thank you. The money stays where it is, and our team looks at it.');

/** What two operators do together, and what a payer says against it. */
export function proposalRoutes(deps: OperatorDependencies): Binding[] {
  return [...deskRoutes(deps), ...payerRoutes(deps)];
}

function deskRoutes({ database, publicUrl }: OperatorDependencies): Binding[] {
  return [
    bindHandler(contract.listProposals, async ({ actor, query }) => {
      await noteLook(database, actor, { action: 'proposals_listed', reason: 'Looked at what operators proposed.' });
      return proposals(database, actor, query, linker(`${publicUrl}${API_BASE}${contract.listProposals.path}`, query));
    }),
    bindVerb(contract.confirmProposal, async (tx, { actor, params, body }) => {
      await requireProof(tx, actor);
      const { kind, state } = await confirmProposal(tx, actor, { proposalId: params.id, reason: body.reason });
      const message = state === 'waiting' ? (SOON[kind] ?? OBJECTION) : sentence('Confirmed, and done.');
      return { success: true as const, message, proposal: { id: params.id, state } };
    }),
    bindVerb(contract.refuseProposal, async (tx, { actor, params, body }) => {
      const state = await refuseProposal(tx, actor, { proposalId: params.id, reason: body.reason });
      const message =
        state === 'withdrawn' ? sentence('You took your proposal back.') : sentence('Refused: nothing moves.');
      return { success: true as const, message, proposal: { id: params.id, state } };
    }),
  ] as Binding[];
}

/** The platform's acts, all three: whose phone paid is told nobody, and what allows them is that phone, or the code. */
function payerRoutes({ database }: OperatorDependencies): Binding[] {
  return [
    bindHandler(contract.listDisputedPayments, async ({ actor }) => {
      const results = await asSystem(() => disputedPayments(database, actor));
      return { count: results.length, next: null, previous: null, results };
    }),
    bindHandler(contract.objectSignedIn, async ({ actor, params }) => {
      const objector = { userId: actor.userId, proposalId: params.id };
      await asSystem(() => database.transaction((tx) => objectToPayment(tx, objector)));
      return { success: true as const, message: OBJECTED };
    }),
    bindHandler(contract.objectByCode, async ({ body }) => {
      const objected = await asSystem(() => database.transaction((tx) => objectToPayment(tx, { code: body.code })));
      const { amountCents, receipt } = objected;
      return { success: true as const, message: OBJECTED, amount: shillingsFromCents(amountCents), receipt };
    }),
  ] as Binding[];
}
