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
  /** Where loans took a part, or all of it. */
  used: (amount: SmsValue, used: SmsValue, sacco: SmsValue | null) =>
    sms(
      'dividend_paid',
      'news',
      fixed`Ushirika: of your dividend from ${either(sacco, fixed`your sacco`)}, ${amount} after tax, ${used} paid your loans and those who guaranteed them.`,
      fixed`Ushirika: kutoka kwa gawio lako la ${either(sacco, fixed`sacco yako`)}, ${amount} baada ya kodi, ${used} zimelipia mikopo yako na wadhamini wake.`,
    ),
};
