import type {
  Complaint,
  ComplaintKind,
  ComplaintOutcome,
  ComplaintState,
  ComplaintStep,
  EscalationCause,
} from '@ushirika/contract/complaints';
import type { TagTone } from '../ui/card.tsx';
import { say } from '../words/say.ts';
import type { Side } from './complaints.queries.ts';

export function kindWords(kind: ComplaintKind): string {
  const words: Record<ComplaintKind, string> = {
    money: say('Lost or missing money'),
    payout: say('Refund or exit not paid'),
    loan: say('A loan or a guarantee'),
    shares: say('Shares or the market'),
    conduct: say('Conduct of an official'),
    records: say('Records or statements'),
    other: say('Something else'),
  };
  return words[kind];
}

export function stateWords(state: ComplaintState): string {
  const words: Record<ComplaintState, string> = {
    open: say('Waits for an answer'),
    in_hand: say('Being worked on'),
    answered: say('Answered'),
    with_operator: say('With Ushirika'),
    closed: say('Complaint closed'),
    resolved: say('Decided'),
  };
  return words[state];
}

export const stateTones: Readonly<Record<ComplaintState, TagTone>> = {
  open: 'ochre',
  in_hand: 'indigo',
  answered: 'forest',
  with_operator: 'clay',
  closed: 'plain',
  resolved: 'plain',
};

/** The clock that runs, in words; who reads them is one of the two sides. Null where none runs. */
export function clockWords({ clock }: Pick<Complaint, 'clock'>, side: Side): string | null {
  if (!clock) return null;
  const n = clock.days_left;
  if (clock.due === 'answer') {
    if (n < 0) return say('The answer is overdue');
    return n === 0 ? say('Answer due today') : say('Answer due {n, plural, one {tomorrow} other {in # days}}', { n });
  }
  if (clock.due === 'resolution') {
    if (n < 0) return say('The final answer is overdue');
    return n === 0
      ? say('Final answer due today')
      : say('Final answer due {n, plural, one {tomorrow} other {in # days}}', { n });
  }
  if (side !== 'member') return say('The member can appeal until it closes by itself');
  if (n <= 0) return say('Close it or appeal today');
  return say('Close it or appeal {n, plural, one {by tomorrow} other {within # days}}', { n });
}

/** Whether little time is left, for whoever has to act. */
export function isPressing({ clock }: Pick<Complaint, 'clock'>): boolean {
  return clock !== null && clock.due !== 'reaction' && clock.days_left <= 2;
}

/** Why a complaint came to the operators, in the words of whoever reads it. */
export function causeWords(because: EscalationCause, side: Side): string {
  const words: Record<EscalationCause, string> = {
    unanswered: say('The sacco did not answer in time.'),
    unresolved: say('The sacco did not settle it in time.'),
    appealed: side === 'member' ? say('You appealed.') : say('The member appealed.'),
    nobody_else: say('No official of the sacco may answer it.'),
  };
  return words[because];
}

export function outcomeWords(outcome: ComplaintOutcome): string {
  return outcome === 'upheld' ? say('The complaint is right') : say('The complaint is not right');
}

/** One step, in the words of whoever reads it. */
export function stepWords(step: ComplaintStep, side: Side): string {
  const isMine = side === 'member';
  const name = step.name ?? '';
  switch (step.kind) {
    case 'made':
      return isMine ? say('You complained') : say('{name} complained', { name });
    case 'progress':
      return say('{name} works on it', { name });
    case 'answered':
      return say('{name} gave the final answer', { name });
    case 'appealed':
      return isMine ? say('You appealed') : say('{name} appealed', { name });
    case 'escalated':
      return say('It went to Ushirika');
    case 'closed':
      return isMine ? say('You closed it') : say('{name} closed it', { name });
    case 'lapsed':
      return say('It closed by itself after 14 days');
    case 'resolved':
      return say('Ushirika decided');
  }
}
