import { expect, test } from 'vitest';
import { smsPartsOf, toGsmLetters } from '../notifications/gsm-letters.ts';
import {
  accountValue,
  amountValue,
  codeValue,
  countValue,
  dayValues,
  personValue,
} from '../notifications/sms-values.ts';
import type { Sms } from '../notifications/sms-words.ts';
import { sample, testSms } from '../notifications/test-sms.ts';
import { loansSms } from './loans.sms.ts';

const all: Record<keyof typeof loansSms, readonly Sms[]> = {
  guaranteeCode: [
    loansSms.guaranteeCode(sample.code, sample.person, accountValue('812345678'), sample.amount, sample.amount),
    loansSms.guaranteeCode(sample.code, null, accountValue('812345678'), sample.amount, sample.amount),
  ],
  scheduleCode: [
    loansSms.scheduleCode(sample.code, sample.person, sample.amount, countValue(36), sample.amount),
    loansSms.scheduleCode(sample.code, null, sample.amount, countValue(36), sample.amount),
  ],
  guarantorAsked: [loansSms.guarantorAsked(sample.sacco, sample.amount), loansSms.guarantorAsked(null, sample.amount)],
  approved: [loansSms.approved(sample.sacco, sample.amount), loansSms.approved(null, sample.amount)],
  disbursed: [loansSms.disbursed(sample.sacco, sample.amount), loansSms.disbursed(null, sample.amount)],
  repaid: [loansSms.repaid(sample.amount, sample.amount)],
  repaidAhead: [loansSms.repaidAhead(sample.amount, sample.amount, dayValues('2026-09-30'))],
  paidOff: [loansSms.paidOff(sample.amount)],
  checkOffWaits: [loansSms.checkOffWaits(sample.sacco, sample.amount), loansSms.checkOffWaits(null, sample.amount)],
  standingSkipped: [
    loansSms.standingSkipped(sample.sacco, sample.amount),
    loansSms.standingSkipped(null, sample.amount),
  ],
};

testSms(all, [
  'guaranteeCode',
  'scheduleCode',
  'guarantorAsked',
  'approved',
  'disbursed',
  'checkOffWaits',
  'standingSkipped',
]);

test('a guarantor’s code for a loan of Wanjikũ Mũthoni is two parts, where four were charged (field case M12)', () => {
  const borrower = personValue({ first_name: 'Wanjikũ', last_name: 'Mũthoni' });
  const number = accountValue('734733451');
  const { words } = loansSms.guaranteeCode(
    codeValue('12345678'),
    borrower,
    number,
    amountValue(100_000_00),
    amountValue(40_000_00),
  );
  expect([smsPartsOf(words.en), smsPartsOf(toGsmLetters(words.en))]).toEqual([4, 2]);
});
