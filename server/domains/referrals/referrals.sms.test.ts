import { linkValue } from '../notifications/sms-values.ts';
import type { Sms } from '../notifications/sms-words.ts';
import { sample, testSms } from '../notifications/test-sms.ts';
import { referralsSms } from './referrals.sms.ts';

const all: Record<keyof typeof referralsSms, readonly Sms[]> = {
  invitation: [sample.person, null].map((name) =>
    referralsSms.invitation(name, linkValue('https://ushirika.test', '/auth/register?referal_code=WAN123')),
  ),
  referralRewarded: [
    referralsSms.referralRewarded(sample.person, sample.sacco, sample.amount),
    referralsSms.referralRewarded(null, null, sample.amount),
  ],
};

testSms(all, ['invitation', 'referralRewarded']);
