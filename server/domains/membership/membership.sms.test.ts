import type { Sms } from '../notifications/sms-words.ts';
import { sample, testSms } from '../notifications/test-sms.ts';
import { membershipSms } from './membership.sms.ts';

const all: Record<keyof typeof membershipSms, readonly Sms[]> = {
  exitRefunded: [sample.sacco, null].map((name) => membershipSms.exitRefunded(name, sample.amount)),
  exitCompleted: [sample.sacco, null].map((name) => membershipSms.exitCompleted(name)),
  exitOverdue: [sample.sacco, null].map((name) => membershipSms.exitOverdue(name)),
};

testSms(all, ['exitRefunded']);
