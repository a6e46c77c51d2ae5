import { PROPOSAL_KINDS, type ProposalKind } from '@ushirika/contract/proposals';
import { say } from '../words/say.ts';

/** An operator's act in words, from the name under which it is kept. A name that is not known is shown as it is. */
export function actionWords(action: string): string {
  switch (action) {
    case 'sacco_activated':
      return say('Activated a sacco');
    case 'sacco_confirmed':
      return say('Confirmed a sacco as the first of two');
    case 'sacco_rejected':
      return say('Rejected a sacco');
    case 'sacco_suspended':
      return say('Suspended a sacco');
    case 'sacco_reinstated':
      return say('Reinstated a sacco');
    case 'exceptions_listed':
      return say('Looked at the money exceptions');
    case 'exception_credited':
      return say('Credited an exception');
    case 'exception_returned':
      return say('Noted an exception as returned');
    case 'exception_dismissed':
      return say('Dismissed an exception');
    case 'held_referrals_listed':
      return say('Looked at the held referrals');
    case 'referral_released':
      return say('Released a reward');
    case 'referral_denied':
      return say('Denied a reward');
    case 'person_looked_up':
      return say('Looked a person up');
    case 'suspensions_listed':
      return say('Looked at the suspended accounts');
    case 'account_suspended':
      return say('Suspended an account');
    case 'suspension_upheld':
      return say('Upheld a suspension');
    case 'suspension_lifted':
      return say('Lifted a suspension');
    case 'pools_listed':
      return say('Looked at the guarantor pools');
    case 'pool_approved':
      return say('Approved a guarantor pool');
    case 'pool_refused':
      return say('Refused a guarantor pool');
    case 'proposals_listed':
      return say('Looked at what operators proposed');
    case 'official_named':
      return say('Named an official');
    case 'sacco_check_recorded':
      return say('Recorded a check');
    default:
      return proposalActionWords(action) ?? action.replaceAll('_', ' ');
  }
}

/** `sacco_reinstatement_proposed`: what was proposed, and what was done with the proposal. */
function proposalActionWords(action: string): string | null {
  const [, kind, step] = /^(.+)_(proposed|confirmed|withdrawn|refused)$/.exec(action) ?? [];
  const named = PROPOSAL_KINDS.find((known) => known === kind);
  if (!named) return null;
  const act = proposalWords(named);
  if (step === 'proposed') return say('Proposed: {act}', { act });
  if (step === 'confirmed') return say('Confirmed: {act}', { act });
  return step === 'withdrawn' ? say('Took back: {act}', { act }) : say('Refused: {act}', { act });
}

/** What takes two operators. */
export function proposalWords(kind: ProposalKind): string {
  switch (kind) {
    case 'money_exception_credit':
      return say('Credit a payment to a member');
    case 'money_exception_return':
      return say('Note a payment as returned');
    case 'sacco_reinstatement':
      return say('Reinstate a suspended sacco');
    case 'suspended_payout':
      return say('Pay a suspended person their own money');
  }
}

/** What an act or an exception is about: its kind, and the end of its id, which tells two apart. */
export function aboutWords({ type, id }: { type: string; id: string }): string {
  return id === '' ? typeWords(type) : `${typeWords(type)} …${id.slice(-6)}`;
}

function typeWords(type: string): string {
  switch (type) {
    case 'sacco':
      return say('Sacco');
    case 'money_exception':
      return say('Exception');
    case 'referral':
      return say('Referral');
    case 'person':
      return say('Person');
    case 'pool':
      return say('Guarantor pool');
    case 'deposit':
      return say('Top-up');
    case 'withdrawal':
      return say('Withdrawal');
    case 'receipt_claim':
      return say('Claim of a receipt');
    case 'paybill_payment':
      return say('Payment to the paybill');
    default:
      return type.replaceAll('_', ' ');
  }
}
