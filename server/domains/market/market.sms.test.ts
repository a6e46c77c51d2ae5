import { expect, test } from 'vitest';
import { countValue, saccoValue } from '../notifications/sms-values.ts';
import type { Sms } from '../notifications/sms-words.ts';
import { sample, testSms } from '../notifications/test-sms.ts';
import { marketSms } from './market.sms.ts';

const { amount } = sample;
const mwangaza = saccoValue({ name: 'Mwangaza Traders Sacco', state: 'active' });
const side = { shares: countValue(120), amount };

const all: Record<keyof typeof marketSms, readonly Sms[]> = {
  sharesTraded: [
    marketSms.sharesTraded({ orders: countValue(3), sacco: mwangaza, sold: side, bought: side }),
    marketSms.sharesTraded({ orders: countValue(300), sacco: sample.sacco, sold: side, bought: side }),
    marketSms.sharesTraded({ orders: null, sacco: null, sold: null, bought: side }),
  ],
  priceAlert: [sample.sacco, null].map((name) => marketSms.priceAlert(name, sample.amount, sample.amount)),
};

testSms(all, ['sharesTraded', 'priceAlert']);

test('an SMS about trades gives the amounts exactly', () => {
  expect(all.sharesTraded[0]?.words.en).toBe(
    'Ushirika: 3 of your orders in Mwangaza Traders Sacco were filled: 120 shares sold for Ksh. 12,345,678.00, 120 shares bought for Ksh. 12,345,678.00.',
  );
});

test('one share has the singular noun', () => {
  const one = { shares: countValue(1), amount };
  expect(marketSms.sharesTraded({ orders: null, sacco: mwangaza, sold: one, bought: null }).words.en).toBe(
    'Ushirika: your order in Mwangaza Traders Sacco was filled: 1 share sold for Ksh. 12,345,678.00.',
  );
});
