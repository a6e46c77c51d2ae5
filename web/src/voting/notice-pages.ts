import type { NoticePages } from '../layouts/notice-page.ts';
import { say } from '../words/say.ts';
import { votingPaths } from './voting-paths.ts';

export const noticePages: NoticePages = {
  vote_: { words: () => say('Voting Proposals'), to: () => votingPaths.votes(), isOfSacco: true },
  closing_lapsed: { words: () => say('Voting Proposals'), to: () => votingPaths.votes(), isOfSacco: true },
};
