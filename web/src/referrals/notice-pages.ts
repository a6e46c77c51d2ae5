import type { NoticePages } from '../layouts/notice-page.ts';
import { paths } from '../paths.ts';
import { say } from '../words/say.ts';

export const noticePages: NoticePages = {
  referral_: { words: () => say('Referrals'), to: paths.clientReferrals, isOfSacco: true },
};
