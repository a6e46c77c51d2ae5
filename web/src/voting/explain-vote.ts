import { explainFailure } from '../api/api-form.tsx';
import { CallFailure } from '../api/failure.ts';
import type { Explanation } from '../ui/form.tsx';
import { refreshVotes } from './voting.queries.ts';

/** What went wrong; where a vote is no longer as it was on screen, it is fetched again. */
export function explainVote(error: unknown): Explanation {
  if (error instanceof CallFailure && ['vote_conflict', 'not_on_roll', 'not_found'].includes(error.code)) {
    void refreshVotes();
  }
  return explainFailure(error);
}
