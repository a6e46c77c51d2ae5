import type { SmsValue } from '../notifications/sms-values.ts';
import { either, fixed, sms } from '../notifications/sms-words.ts';

export const referralsSms = {
  invitation: (inviter: SmsValue | null, link: SmsValue) =>
    sms(
      'invitation',
      'invitation',
      fixed`${either(inviter, fixed`A member`)} invites you to Ushirika. Save together, own shares and see every shilling. Sign up: ${link}`,
      fixed`${either(inviter, fixed`Mwanachama`)} anakualika Ushirika. Wekeni akiba pamoja, milikini hisa na mwone kila shilingi. Jisajili: ${link}`,
    ),
  referralRewarded: (referred: SmsValue | null, sacco: SmsValue | null, amount: SmsValue) =>
    sms(
      'referral_rewarded',
      'news',
      fixed`Ushirika: ${either(referred, fixed`somebody`)}, whom you referred, is Fully Paid in ${either(sacco, fixed`a sacco`)}. ${amount} is in your wallet. Thank you!`,
      fixed`Ushirika: ${either(referred, fixed`mtu`)}, uliyemwalika, amekamilisha malipo katika ${either(sacco, fixed`sacco`)}. ${amount} zimeingia kwenye pochi yako. Asante!`,
    ),
};
