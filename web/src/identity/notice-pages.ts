import type { NoticePages } from '../layouts/notice-page.ts';
import { paths } from '../paths.ts';
import { say } from '../words/say.ts';

export const noticePages: NoticePages = {
  new_device: { words: () => say('Account Settings'), to: paths.settings },
  password_: { words: () => say('Account Settings'), to: paths.settings },
  second_factor_: { words: () => say('Account Settings'), to: paths.settings },
  recovery_: { words: () => say('Account Settings'), to: paths.settings },
  phone_: { words: () => say('My Profile'), to: paths.profile },
  identity_card_: { words: () => say('My Profile'), to: paths.profile },
};
