import type { SmsValue } from '../notifications/sms-values.ts';
import { fixed, sms } from '../notifications/sms-words.ts';

/** The SMS about top-ups, withdrawals and other money into a wallet. */
export const walletSms = {
  payerCode: (account: SmsValue, code: SmsValue) =>
    sms(
      'payer_code',
      'payer_code',
      fixed`Ushirika: wallet ${account} wants to send M-Pesa prompts to this phone. Only if you know whose it is and want to pay into it, give them ${code}.`,
      fixed`Ushirika: pochi ${account} inataka kutuma maombi ya M-Pesa kwa simu hii. Kama unajua ni ya nani na unataka kuilipia, mpe ${code}.`,
    ),
  moneyReceived: (amount: SmsValue) =>
    sms(
      'money_received',
      'news',
      fixed`Ushirika: ${amount} is in your wallet.`,
      fixed`Ushirika: ${amount} zimeingia kwenye pochi yako.`,
    ),
  withdrawalPaid: (amount: SmsValue) =>
    sms(
      'withdrawal_paid',
      'news',
      fixed`Ushirika: ${amount} was sent from your wallet to your phone. Not you? Reset your password at once.`,
      fixed`Ushirika: ${amount} zimetumwa kutoka pochi yako kwa simu yako. Si wewe? Badilisha nenosiri lako sasa.`,
    ),
  withdrawalReturned: (amount: SmsValue) =>
    sms(
      'withdrawal_returned',
      'news',
      fixed`Ushirika: your withdrawal of ${amount} did not go through. The money is back in your wallet.`,
      fixed`Ushirika: kutoa ${amount} hakukufaulu. Pesa zimerudi kwenye pochi yako.`,
    ),
  paymentReturned: (amount: SmsValue, receipt: SmsValue) =>
    sms(
      'payment_returned',
      'news',
      fixed`Ushirika: ${amount} that you paid us (M-Pesa ${receipt}) was sent back to your phone. If it did not come, write to us.`,
      fixed`Ushirika: ${amount} ulizotulipa (M-Pesa ${receipt}) zimerudishwa kwenye simu yako. Zisipofika, tuandikie.`,
    ),
};
