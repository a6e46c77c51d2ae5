import type { NoticePages } from '../layouts/notice-page.ts';
import { say } from '../words/say.ts';
import { deskPaths } from './desk-paths.ts';

export const noticePages: NoticePages = {
  loan_submitted: { words: () => say('Credit desk'), to: deskPaths.desk, isOfSacco: true },
  loan_accepted: { words: () => say('Credit desk'), to: deskPaths.desk, isOfSacco: true },
  loan_to_check: { words: () => say('Credit desk'), to: deskPaths.desk, isOfSacco: true },
  loan_default_due: { words: () => say('Credit desk'), to: deskPaths.desk, isOfSacco: true },
  write_off_: { words: () => say('Credit desk'), to: deskPaths.desk, isOfSacco: true },
  default_proposed: { words: () => say('Credit desk'), to: deskPaths.desk, isOfSacco: true },
  schedule_proposed: { words: () => say('Credit desk'), to: deskPaths.desk, isOfSacco: true },
};
