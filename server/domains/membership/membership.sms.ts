import type { SmsValue } from '../notifications/sms-values.ts';
import { either, fixed, sms } from '../notifications/sms-words.ts';

export const membershipSms = {
  exitRefunded: (sacco: SmsValue | null, amount: SmsValue) =>
    sms(
      'exit_refunded',
      'news',
      fixed`Ushirika: ${amount} of savings in ${either(sacco, fixed`your sacco`)} is back in your wallet. Sign in to see what is left to do.`,
      fixed`Ushirika: akiba ya ${amount} katika ${either(sacco, fixed`sacco yako`)} imerudi kwenye pochi yako. Ingia uone kilichobaki.`,
    ),
  exitCompleted: (sacco: SmsValue | null) =>
    sms(
      'exit_completed',
      'news',
      fixed`Ushirika: you have left ${either(sacco, fixed`your sacco`)}.`,
      fixed`Ushirika: umeondoka ${either(sacco, fixed`kwenye sacco yako`)}.`,
    ),
  exitOverdue: (sacco: SmsValue | null) =>
    sms(
      'exit_overdue',
      'news',
      fixed`Ushirika: your savings in ${either(sacco, fixed`your sacco`)} could not be paid back yet. Sign in to read why.`,
      fixed`Ushirika: akiba yako katika ${either(sacco, fixed`sacco yako`)} haijarudishwa bado. Ingia usome sababu.`,
    ),
};
