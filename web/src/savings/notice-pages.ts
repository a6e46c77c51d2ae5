import type { NoticePages } from '../layouts/notice-page.ts';
import { paths } from '../paths.ts';
import { say } from '../words/say.ts';

export const noticePages: NoticePages = {
  standing_order_: { words: () => say('Dashboard'), to: paths.client, isOfSacco: true },
};
