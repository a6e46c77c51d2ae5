import type { Sms } from '../notifications/sms-words.ts';
import { sample, testSms } from '../notifications/test-sms.ts';
import { savingsSms } from './savings.sms.ts';

const all: Record<keyof typeof savingsSms, readonly Sms[]> = {
  standingOrder: (['waiting', 'skipped', 'ended'] as const).flatMap((state) => [
    savingsSms.standingOrder(state, sample.amount, sample.sacco),
    savingsSms.standingOrder(state, sample.amount, null),
  ]),
};

testSms(all, ['standingOrder']);
