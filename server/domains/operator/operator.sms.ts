import type { SmsValue } from '../notifications/sms-values.ts';
import { fixed, sms } from '../notifications/sms-words.ts';

export const operatorSms = {
  /** To the phone that paid: operators will credit the payment to another person. The code lets the payer object. */
  paymentDisputed: (amount: SmsValue, receipt: SmsValue, link: SmsValue, code: SmsValue) =>
    sms(
      'payment_disputed',
      'payer',
      fixed`Ushirika: ${amount} paid from your phone (M-Pesa ${receipt}) will be given to another member in 48 hours. Not right? Object at ${link} with code ${code}.`,
      fixed`Ushirika: ${amount} zilizolipwa kwa simu yako (M-Pesa ${receipt}) zitapewa mwanachama mwingine baada ya saa 48. Si sawa? Pinga katika ${link} kwa msimbo ${code}.`,
    ),
};
