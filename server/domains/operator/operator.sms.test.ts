import { linkValue, receiptValue } from '../notifications/sms-values.ts';
import type { Sms } from '../notifications/sms-words.ts';
import { sample, testSms } from '../notifications/test-sms.ts';
import { operatorSms } from './operator.sms.ts';

const all: Record<keyof typeof operatorSms, readonly Sms[]> = {
  paymentDisputed: [
    operatorSms.paymentDisputed(
      sample.amount,
      receiptValue('SGH7XK2L9P'),
      linkValue('https://ushirika.test', '/objection'),
      sample.code,
    ),
  ],
};

testSms(all, ['paymentDisputed']);
