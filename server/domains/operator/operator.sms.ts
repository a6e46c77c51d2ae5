import type { SmsValue } from '../notifications/sms-values.ts';
import { fixed, sms } from '../notifications/sms-words.ts';

export const operatorSms = {
  /** A payment from this phone will be given to somebody whose phone it is not. */
  paymentDisputed: (amount: SmsValue, receipt: SmsValue, link: SmsValue, code: SmsValue) =>
    sms(
      'payment_disputed',
      'payer',
      fixed`Ushirika: ${amount} paid from your phone (M-Pesa ${receipt}) will be given to another member in 48 hours. Not right? Object at ${link} with code ${code}.`,
      fixed`Ushirika: ${amount} zilizolipwa kwa simu yako (M-Pesa ${receipt}) zitapewa mwanachama mwingine baada ya saa 48. Si sawa? Pinga katika ${link} kwa msimbo ${code}.`,
    ),
};
