import type {
  PoolContractState,
  PoolRequestEnd,
  PoolRequestState,
  PoolWithdrawal,
  TrustPart,
} from '@ushirika/contract/pools';
import type { ProposalState } from '@ushirika/contract/voting-rules';
import type { TagTone } from '../ui/card.tsx';
import { say } from '../words/say.ts';

/** A state as a tag says it. */
export type Tagged = readonly [tone: TagTone, words: string];

export function requestTag(state: PoolRequestState): Tagged {
  const shown: Record<PoolRequestState, Tagged> = {
    QUOTED: ['ochre', say('Waits for your signature')],
    DECLINED: ['clay', say('Declined')],
    CANCELLED: ['plain', say('Taken back')],
    EXPIRED: ['plain', say('Lapsed')],
    IN_REVIEW: ['indigo', say('With the stewards')],
    APPROVED: ['forest', say('Approved')],
  };
  return shown[state];
}

export function contractTag(state: PoolContractState): Tagged {
  const shown: Record<PoolContractState, Tagged> = {
    PENDING_LOAN: ['ochre', say('Waits for its loan')],
    ACTIVE: ['forest', say('In force')],
    RELEASING: ['forest', say('Being released')],
    DEMAND: ['clay', say('Payment demanded')],
    DISPUTED: ['clay', say('Disputed')],
    CALLED: ['clay', say('Called')],
    SETTLED: ['plain', say('Settled')],
    RECOVERING: ['clay', say('Paid, being recovered')],
    RECOVERED: ['forest', say('Paid back')],
    WRITTEN_OFF: ['plain', say('Claim given up')],
    RELEASED: ['plain', say('Released')],
  };
  return shown[state];
}

export function withdrawalTag(state: PoolWithdrawal['state']): Tagged {
  const shown: Record<PoolWithdrawal['state'], Tagged> = {
    waiting: ['ochre', say('Under notice')],
    paid: ['forest', say('Paid to your wallet')],
    cancelled: ['plain', say('Taken back')],
  };
  return shown[state];
}

/** How far a vote of the pool is; of one that is over nothing is shown. */
export function voteTag(state: ProposalState): Tagged {
  const shown: Partial<Record<ProposalState, Tagged>> = {
    draft: ['plain', say('Waits for signatures')],
    published: ['indigo', say('Voting comes')],
    open: ['ochre', say('Open for voting')],
    closed: ['indigo', say('Being counted')],
    queued: ['forest', say('Passed')],
    held: ['ochre', say('Passed, held')],
    execution_failed: ['ochre', say('Passed, not carried out')],
  };
  return shown[state] ?? ['plain', say('Vote')];
}

export function trustPartWords(part: TrustPart): string {
  const words: Record<TrustPart, string> = {
    age: say('Time as a member'),
    kyc: say('Who you are'),
    contributions: say('Saving every month'),
    repayment: say('Paying back on time'),
    standing: say('Standing now'),
    defaults: say('Defaults'),
  };
  return words[part];
}

export type StewardAct = 'suspend' | 'reopen' | 'close';

export function stewardWords(act: StewardAct): string {
  const words: Record<StewardAct, string> = {
    suspend: say('Suspend the pool'),
    reopen: say('Open it again'),
    close: say('Close the pool'),
  };
  return words[act];
}

/** Who declined a request, as their role. */
export function endWords({ by }: PoolRequestEnd): string {
  if (by === 'stewards') return say('The stewards of the pool declined it');
  if (by === 'nobody') return say('The stewards of the pool did not decide in 72 hours');
  return say('The rules of the pool decline it');
}

/** What the stewards wrote, and what stood against it by the rules. */
export const endReasons = ({ words, reasons }: PoolRequestEnd): readonly string[] => [
  ...words.map((each) => `“${each}”`),
  ...reasons,
];
