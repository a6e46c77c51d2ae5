import type { NoticePages } from '../layouts/notice-page.ts';
import { say } from '../words/say.ts';
import { dividendPaths } from './dividend-paths.ts';

export const noticePages: NoticePages = {
  dividend_: {
    words: () => say('Dividends'),
    to: dividendPaths.dividends,
    isOfSacco: true,
    elsewhere: dividendPaths.own,
  },
};
