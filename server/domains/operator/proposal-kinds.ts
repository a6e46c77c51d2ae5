import type { Cents } from '@ushirika/contract/money';
import type { ProposalKind } from '@ushirika/contract/proposals';
import { Refusal } from '@ushirika/contract/refusal';
import { sentence, stateSaid } from '@ushirika/contract/sentence';
import type { Tx } from '../../db/tx.ts';
import { lockSuspension } from '../identity/decide-suspension.ts';
import { lockSacco } from '../saccos/lock-sacco.ts';
import { carryOutNaming, examineNaming, lockSaccoOfNaming } from '../saccos/name-as-operators.ts';
import { refuseOwnSacco } from '../saccos/refuse-own-sacco.ts';
import { reinstateSacco } from '../saccos/reinstate-sacco.ts';
import { examineSuspension, suspendByTwo } from '../saccos/suspend-sacco.ts';
import { examineSuspendedPayout, payOutSuspended } from '../wallet/pay-out-suspended.ts';
import { examineResolution, lockException, payerOfException, resolveException } from '../wallet/resolve-exception.ts';
import type { Draft, ProposalRow } from './proposals.ts';

/** Who is told before it is carried out, and may object. */
export interface Payer {
  /** Null where M-Pesa did not say it: nobody can be told, and it waits all the same. */
  readonly phone: string | null;
  readonly receipt: string;
  readonly amountCents: Cents;
}

/** One act that takes two operators. */
export interface KindOfProposal {
  /** Locks what it is about, in the order of everybody who does; the proposal's own row is locked after it. */
  readonly lock: (tx: Tx, aboutId: string) => Promise<unknown>;
  /**
   * Judges it as it would be now, when it is proposed and again when it is confirmed. Says whose the money becomes, or
   * already is: that person can be neither of the two operators.
   */
  readonly examine: (
    tx: Tx,
    actor: { readonly userId: string },
    draft: Draft,
  ) => Promise<{ readonly beneficiaryId: string | null; readonly amountCents: Cents | null }>;
  /** The kind about the same thing that cannot be done while this one can. */
  readonly other?: ProposalKind;
  /** Where somebody may object for 48 hours; null or left out: it is carried out at once. */
  readonly payerOf?: (tx: Tx, proposal: ProposalRow) => Promise<Payer | null>;
  /** A job carries it out at once: no operator's session may read or write these rows (decision 110). */
  readonly isCarriedOutByPlatform?: true;
  /** Does it, in the transaction that closes the proposal. */
  readonly execute: (tx: Tx, proposal: ProposalRow) => Promise<void>;
}

const resolution = (action: 'credit' | 'return_note'): KindOfProposal => ({
  lock: lockException,
  async examine(tx, _actor, { aboutId, userId }) {
    const found = await examineResolution(tx, { exceptionId: aboutId, action, userId });
    if (action === 'credit') await refuseAfterObjection(tx, aboutId, found.beneficiaryId);
    return found;
  },
  ...(action === 'credit'
    ? { payerOf: (tx: Tx, { about_id, beneficiary_id }: ProposalRow) => payerOfException(tx, about_id, beneficiary_id) }
    : {}),
  execute: (tx, { id, about_id: exceptionId, beneficiary_id: userId, reason, confirmed_by }) =>
    resolveException(
      tx,
      { userId: confirmed_by as string },
      { exceptionId, action, userId: userId ?? undefined, reason, proposalId: id },
    ),
});

/** Once its payer has objected, money goes to whose phone paid, or back. */
async function refuseAfterObjection(tx: Tx, exceptionId: string, beneficiaryId: string | null): Promise<void> {
  const [objected] = await tx.sql`
    select from operator_proposals p join money_exceptions e on e.id = p.about_id
    where p.about_id = ${exceptionId} and p.state = 'objected' and not exists (
      select from users u where u.id = ${beneficiaryId} and u.phone = e.phone and u.phone_confirmed_at is not null)`;
  if (objected) throw new Refusal('payer_objected');
}

const reinstatement: KindOfProposal = {
  lock: lockSacco,
  async examine(tx, actor, { aboutId }) {
    const sacco = await lockSacco(tx, aboutId);
    await refuseOwnSacco(tx, actor, sacco);
    if (sacco.state !== 'suspended') {
      throw new Refusal('sacco_state_conflict', {
        message: sentence('The sacco is {state}: only one that is suspended can become active.', {
          state: stateSaid(sacco.state),
        }),
      });
    }
    return { beneficiaryId: null, amountCents: null };
  },
  other: 'sacco_suspension',
  execute: (tx, { about_id: saccoId, reason, confirmed_by }) =>
    reinstateSacco(tx, { userId: confirmed_by as string }, { saccoId, reason }),
};

/** What one operator alone may not suspend (saccos/suspend-sacco.ts). */
const suspension: KindOfProposal = {
  lock: lockSacco,
  async examine(tx, actor, { aboutId }) {
    await examineSuspension(tx, actor, aboutId);
    return { beneficiaryId: null, amountCents: null };
  },
  other: 'sacco_reinstatement',
  execute: (tx, { about_id: saccoId, proposed_by: proposedBy, reason, confirmed_by, confirmation }) =>
    suspendByTwo(tx, {
      saccoId,
      proposedBy,
      reason,
      confirmedBy: confirmed_by as string,
      confirmation: confirmation as string,
    }),
};

/** Two operators name an official: one alone could suspend officials and name friends in their place. */
const naming: KindOfProposal = {
  lock: lockSaccoOfNaming,
  async examine(tx, actor, { aboutId }) {
    await examineNaming(tx, actor, aboutId);
    return { beneficiaryId: null, amountCents: null };
  },
  isCarriedOutByPlatform: true,
  execute: (tx, { about_id: namingId, confirmed_by }) =>
    carryOutNaming(tx, { namingId, confirmedBy: confirmed_by as string }),
};

const suspendedPayout: KindOfProposal = {
  lock: lockSuspension,
  async examine(tx, _actor, { aboutId: userId, amountCents }) {
    if (amountCents === undefined) throw new Error('A payout says how much.');
    await examineSuspendedPayout(tx, { userId, amountCents });
    return { beneficiaryId: userId, amountCents };
  },
  isCarriedOutByPlatform: true,
  execute: (tx, { id: proposalId, about_id: userId, amount_cents: amountCents }) =>
    payOutSuspended(tx, { userId, amountCents: amountCents as Cents, proposalId }),
};

const KINDS: Readonly<Record<ProposalKind, KindOfProposal>> = {
  money_exception_credit: resolution('credit'),
  money_exception_return: resolution('return_note'),
  official_naming: naming,
  sacco_reinstatement: reinstatement,
  sacco_suspension: suspension,
  suspended_payout: suspendedPayout,
};

export const kindOf = (kind: ProposalKind): KindOfProposal => KINDS[kind];
