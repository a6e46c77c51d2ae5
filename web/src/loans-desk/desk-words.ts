import type { LoanNotice, RecoveryStep } from '@ushirika/contract/loan-recovery';
import type { DeskLoanDetail, GuaranteeState, LoanClass, LoanState } from '@ushirika/contract/loans';
import type { TagTone } from '../ui/card.tsx';
import { say } from '../words/say.ts';
import type { DeskListName } from './loans-desk.queries.ts';

export function listWords(list: DeskListName): string {
  const words: Record<DeskListName, string> = {
    to_review: say('To review'),
    to_disburse: say('To pay out'),
    to_check: say('To check'),
    substitutions: say('New guarantors'),
    arrears: say('Arrears'),
    active: say('All owed'),
    written_off: say('Written off'),
    over: say('Over'),
  };
  return words[list];
}

/** A loan's state as officials call it. */
export function deskStateWords(state: LoanState): string {
  const words: Record<LoanState, string> = {
    guarantors_pending: say('Waits for guarantors'),
    submitted: say('With the committee'),
    returned: say('Back with the borrower'),
    approved: say('Approved'),
    accepted: say('Accepted'),
    disbursing: say('Payout ordered'),
    active: say('On time'),
    in_arrears: say('In arrears'),
    defaulted: say('In default'),
    recovering: say('In recovery'),
    written_off: say('Written off'),
    rejected: say('Rejected'),
    withdrawn: say('Taken back'),
    expired: say('Expired'),
    closed: say('Paid'),
  };
  return words[state];
}

export const deskStateTones: Readonly<Record<LoanState, TagTone>> = {
  guarantors_pending: 'plain',
  submitted: 'ochre',
  returned: 'plain',
  approved: 'indigo',
  accepted: 'ochre',
  disbursing: 'ochre',
  active: 'forest',
  in_arrears: 'clay',
  defaulted: 'clay',
  recovering: 'clay',
  written_off: 'clay',
  rejected: 'plain',
  withdrawn: 'plain',
  expired: 'plain',
  closed: 'plain',
};

export function classWords(of: LoanClass): string {
  const words: Record<LoanClass, string> = {
    performing: say('Performing'),
    watch: say('Watch'),
    substandard: say('Substandard'),
    doubtful: say('Doubtful'),
    loss: say('Loss'),
  };
  return words[of];
}

/** Days past due that make the class. */
export function classDays(of: LoanClass): string {
  const words: Record<LoanClass, string> = {
    performing: say('nothing past due'),
    watch: say('1 to 30 days past due'),
    substandard: say('31 to 180 days past due'),
    doubtful: say('181 to 360 days past due'),
    loss: say('more than 360 days past due'),
  };
  return words[of];
}

export function pledgeWords(state: GuaranteeState): string {
  const words: Record<GuaranteeState, string> = {
    asked: say('Not answered'),
    accepted: say('Signed'),
    live: say('In force'),
    refused: say('Refused'),
    lapsed: say('Lapsed'),
    voided: say('Void'),
    released: say('Released'),
    called: say('Called'),
  };
  return words[state];
}

export const pledgeTones: Readonly<Record<GuaranteeState, TagTone>> = {
  asked: 'ochre',
  accepted: 'forest',
  live: 'forest',
  refused: 'plain',
  lapsed: 'plain',
  voided: 'plain',
  released: 'plain',
  called: 'clay',
};

type Decision = DeskLoanDetail['reviews'][number]['decision'];

export function decisionWords(decision: Decision): string {
  const words: Record<Decision, string> = {
    approve: say('For it'),
    reject: say('Against it'),
    return: say('Sent back'),
  };
  return words[decision];
}

export const decisionTones: Readonly<Record<Decision, TagTone>> = {
  approve: 'forest',
  reject: 'clay',
  return: 'ochre',
};

export function limitWords(kind: DeskLoanDetail['limit']['parts'][number]['kind']): string {
  const words: Record<typeof kind, string> = {
    savings: say('By savings'),
    product: say('By the product'),
    core_capital: say('By the sacco’s capital'),
    ability: say('By income'),
  };
  return words[kind];
}

export function stepWords(kind: RecoveryStep): string {
  const words: Record<RecoveryStep, string> = {
    default: say('Default'),
    final_notice: say('Final notice'),
    own_deposits: say('The borrower’s own savings'),
    pool: say('The guarantor pool'),
    guarantors: say('The guarantors'),
    write_off: say('Write-off'),
  };
  return words[kind];
}

/** What an official presses to take it. */
export function actWords(kind: RecoveryStep): string {
  const words: Record<RecoveryStep, string> = {
    default: say('Declare the default'),
    final_notice: say('Send the final notice'),
    own_deposits: say('Take the borrower’s savings'),
    pool: say('Call the pool'),
    guarantors: say('Call the guarantors'),
    write_off: say('Write the loan off'),
  };
  return words[kind];
}

/** How interest is reckoned. */
export function interestWords(method: DeskLoanDetail['method']): string {
  const words: Record<typeof method, string> = {
    annuity: say('equal instalments on the balance'),
    equal_principal: say('equal principal on the balance'),
    flat: say('flat on the whole amount'),
  };
  return words[method];
}

export function noticeWords(kind: LoanNotice['kind']): string {
  const words: Record<LoanNotice['kind'], string> = {
    reminder: say('Reminder before an instalment'),
    missed: say('Instalment missed'),
    first: say('First notice'),
    formal: say('Formal notice'),
    second: say('Second notice'),
    default_due: say('Default to be decided'),
    defaulted: say('Default declared'),
    final: say('Final notice'),
    taken: say('Taken to pay the loan'),
    restructure: say('New schedule offered'),
    written_off: say('Written off'),
  };
  return words[kind];
}

/** What became of a notice's SMS. */
export function smsWords(sms: LoanNotice['sms']): string {
  if (!sms) return say('no SMS');
  const words: Record<typeof sms.state, string> = {
    queued: say('SMS waits'),
    sending: say('SMS waits'),
    sent: say('SMS delivered to the provider'),
    failed: say('SMS failed'),
    unknown: say('SMS may have gone out'),
    expired: say('SMS not sent in time'),
  };
  return words[sms.state];
}
