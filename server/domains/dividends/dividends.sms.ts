import type { SmsValue } from '../notifications/sms-values.ts';
import { either, fixed, sms } from '../notifications/sms-words.ts';

export const dividendsSms = {
  paid: (amount: SmsValue, sacco: SmsValue | null) =>
    sms(
      'dividend_paid',
      'news',
      fixed`Ushirika: ${either(sacco, fixed`your sacco`)} has paid you a dividend and interest of ${amount} after tax. Sign in to see how it was reckoned.`,
      fixed`Ushirika: ${either(sacco, fixed`sacco yako`)} imekulipa gawio na faida ya akiba: ${amount} baada ya kodi. Ingia uone hesabu yake.`,
    ),
};
