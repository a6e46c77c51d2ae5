import type { NoticePages } from '../layouts/notice-page.ts';
import { paths } from '../paths.ts';
import { say } from '../words/say.ts';

export const noticePages: NoticePages = {
  sacco_: { words: () => say('My saccos'), to: paths.mySaccos },
  office_: { words: () => say('Members'), to: paths.clientMembers, isOfSacco: true },
  office_recorded: { words: () => say('My saccos'), to: paths.mySaccos },
  change_: { words: () => say('Dashboard'), to: paths.client, isOfSacco: true },
};
