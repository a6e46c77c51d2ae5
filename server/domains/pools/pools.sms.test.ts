import type { Sms } from '../notifications/sms-words.ts';
import { sample, testSms } from '../notifications/test-sms.ts';
import { poolsSms } from './pools.sms.ts';

const { amount, code } = sample;

const all: Record<keyof typeof poolsSms, readonly Sms[]> = {
  contractCode: [poolsSms.contractCode(code, amount, amount, amount)],
  withdrawn: [poolsSms.withdrawn(amount)],
  demandBorrower: [poolsSms.demandBorrower(amount)],
  demandBacker: [poolsSms.demandBacker(amount)],
  lost: [poolsSms.lost(amount)],
  calledBorrower: [poolsSms.calledBorrower(amount, amount)],
};

testSms(all, ['contractCode']);
