import { explainFailure } from '../api/api-form.tsx';
import { CallFailure } from '../api/failure.ts';
import type { Explanation } from '../ui/form.tsx';
import { refreshVotes } from './voting.queries.ts';
import { votingPaths } from './voting-paths.ts';

/** What went wrong; where a vote is no longer as it was on screen, it is fetched again. */
export function explainVote(error: unknown): Explanation {
  if (error instanceof CallFailure && ['vote_conflict', 'not_on_roll', 'not_found'].includes(error.code)) {
    void refreshVotes();
  }
  return explainFailure(error);
}

/** The same for a draft: what is wrong with `change.values.answer_days` stands beside the field `answer_days`. */
export function explainDraft(error: unknown): Explanation {
  const { toasts, fields = {} } = explainVote(error);
  const named = Object.entries(fields).map(([path, sentence]) => [path.split('.').at(-1) ?? path, sentence]);
  return { toasts, fields: Object.fromEntries(named) };
}

/**
 * Where it stands what has to be decided first: a vote on the same, or a change that two officials make, on its own page. Null where nothing is
 * in the way.
 */
export function wayToWhatWaits(error: unknown, pageOfChange: string | null = null): string | null {
  if (!(error instanceof CallFailure)) return null;
  if (typeof error.body.vote === 'string') return votingPaths.vote(error.body.vote);
  return error.body.waits === true ? pageOfChange : null;
}
