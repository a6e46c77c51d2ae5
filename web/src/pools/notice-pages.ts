import type { NoticePages } from '../layouts/notice-page.ts';
import { say } from '../words/say.ts';
import { clientPoolPaths } from './pool-paths.ts';

export const noticePages: NoticePages = {
  pool_: { words: () => say('Guarantor Pools'), to: () => clientPoolPaths.list, isOfSacco: true },
};
