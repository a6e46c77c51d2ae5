import type { NoticePages } from '../layouts/notice-page.ts';
import { paths } from '../paths.ts';
import { say } from '../words/say.ts';

export const noticePages: NoticePages = {
  exit_: { words: () => say('Dashboard'), to: paths.client, isOfSacco: true },
  rights_ended: { words: () => say('Dashboard'), to: paths.client, isOfSacco: true },
  identity_cards_supervised: { words: () => say('Members'), to: paths.clientMembers, isOfSacco: true },
};
