import { accountValue, codeValue, receiptValue } from '../notifications/sms-values.ts';
import type { Sms } from '../notifications/sms-words.ts';
import { sample, testSms } from '../notifications/test-sms.ts';
import { walletSms } from './wallet.sms.ts';

const all: Record<keyof typeof walletSms, readonly Sms[]> = {
  payerCode: [walletSms.payerCode(accountValue('123 456 789'), codeValue('1234 5678'))],
  moneyReceived: [walletSms.moneyReceived(sample.amount)],
  withdrawalPaid: [walletSms.withdrawalPaid(sample.amount)],
  withdrawalReturned: [walletSms.withdrawalReturned(sample.amount)],
  paymentReturned: [walletSms.paymentReturned(sample.amount, receiptValue('SGH7XK2L9P'))],
};

testSms(all);
