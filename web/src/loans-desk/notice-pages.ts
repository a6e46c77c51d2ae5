import type { NoticePages } from '../layouts/notice-page.ts';
import { say } from '../words/say.ts';
import { deskPaths } from './desk-paths.ts';

export const noticePages: NoticePages = {
  write_off_: { words: () => say('Credit desk'), to: deskPaths.desk, isOfSacco: true },
  default_proposed: { words: () => say('Credit desk'), to: deskPaths.desk, isOfSacco: true },
  schedule_proposed: { words: () => say('Credit desk'), to: deskPaths.desk, isOfSacco: true },
};
