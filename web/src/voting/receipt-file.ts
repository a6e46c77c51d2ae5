import type { SecretReceipt, VotingProposalDetail } from '@ushirika/contract/voting';
import { longDate } from '../words/dates.ts';
import { say } from '../words/say.ts';
import { choiceWordsIn } from './voting-words.ts';

/** The receipt of a secret ballot as a file: what it is stands in it, for whoever finds it years later. */
export function receiptFile(vote: VotingProposalDetail, receipt: SecretReceipt): string {
  const about = {
    what: say('The receipt of a secret ballot. After the count it finds this ballot among all others.'),
    vote: vote.title,
    sacco: vote.sacco.name,
    voting_ends: vote.closes_at && longDate(vote.closes_at),
    in_words: choiceWordsIn(vote, receipt.choice),
  };
  return JSON.stringify({ v: 1, kind: 'secret ballot', ...about, ...receipt }, null, 2);
}

/** Reads such a file. Null where it is none, or of another vote. */
export function readReceiptFile(text: string, voteId: string): SecretReceipt | null {
  const found = parsed(text);
  if (found?.proposal !== voteId || typeof found.round !== 'number') return null;
  const { proposal, round, serial, choice, salt, commit } = found;
  const words = [serial, choice, salt, commit];
  if (words.some((each) => typeof each !== 'string')) return null;
  return { proposal, round, serial, choice, salt, commit } as SecretReceipt;
}

function parsed(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const found: unknown = JSON.parse(text);
    return typeof found === 'object' && found !== null ? (found as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}
