import { aboutTypes, operatorActs } from '@ushirika/contract/operator-acts';
import { PROPOSAL_KINDS, type ProposalKind } from '@ushirika/contract/proposals';
import type { Words } from '@ushirika/contract/words';
import { say } from '../words/say.ts';

/** An operator's act in words, from the name under which it is kept. A name that is not known is shown as it is. */
export function actionWords(action: string): string {
  const declared = declaredIn<Words>(operatorActs, action);
  return declared ? say(declared[0]) : (proposalActionWords(action) ?? action.replaceAll('_', ' '));
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
    case 'official_naming':
      return say('Name an official, by two operators');
    case 'sacco_reinstatement':
      return say('Reinstate a suspended sacco');
    case 'sacco_suspension':
      return say('Suspend a sacco, by two operators');
    case 'suspended_payout':
      return say('Pay a suspended person their own money');
  }
}

/** What an act or an exception is about: its kind with its name; without a name, with the last six characters of its id. */
export function aboutWords({ type, id, name }: { type: string; id: string; name?: string | null }): string {
  if (name) return `${typeWords(type)}: ${name}`;
  return id === '' ? typeWords(type) : `${typeWords(type)} …${id.slice(-6)}`;
}

function typeWords(type: string): string {
  const declared = declaredIn<Words>(aboutTypes, type);
  return declared ? say(declared[0]) : type.replaceAll('_', ' ');
}

const declaredIn = <T>(table: Readonly<Record<string, T>>, name: string): T | undefined =>
  Object.hasOwn(table, name) ? table[name] : undefined;
