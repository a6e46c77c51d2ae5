import type { NoticePages } from '../layouts/notice-page.ts';
import { paths } from '../paths.ts';
import { say } from '../words/say.ts';

export const noticePages: NoticePages = {
  shares_: { words: () => say('Share Trading'), to: paths.clientShareTrading, isOfSacco: true },
  order_: { words: () => say('Share Trading'), to: paths.clientShareTrading, isOfSacco: true },
  price_alert: { words: () => say('Share Trading'), to: paths.clientShareTrading, isOfSacco: true },
  market_terms_: { words: () => say('Share Trading'), to: paths.clientShareTrading, isOfSacco: true },
  pair_marked: { words: () => say('Share Trading'), to: paths.clientShareTrading, isOfSacco: true },
  minimum_raised: { words: () => say('Share Trading'), to: paths.clientShareTrading, isOfSacco: true },
};
