import type { SmsValue } from '../notifications/sms-values.ts';
import { fixed, sms } from '../notifications/sms-words.ts';

/** Codes, and what happened to one’s account. Codes say what they are for and that nobody else is to have them. */
export const identitySms = {
  resetCode: (code: SmsValue) =>
    sms(
      'reset_code',
      'reset_code',
      fixed`Ushirika: your reset code is ${code}. It works for 10 minutes. If you did not ask for it, ignore this message.`,
      fixed`Ushirika: msimbo wako wa kuweka nenosiri upya ni ${code}. Unatumika kwa dakika 10. Kama hukuuomba, puuza ujumbe huu.`,
    ),
  phoneCode: (code: SmsValue) =>
    sms(
      'phone_code',
      'claim_code',
      fixed`Ushirika: ${code} confirms this phone number. It works for 10 minutes. Tell it to nobody.`,
      fixed`Ushirika: ${code} inathibitisha nambari hii ya simu. Inatumika kwa dakika 10. Usimwambie mtu yeyote.`,
    ),
  passwordReset: () =>
    sms(
      'password_reset',
      'security',
      fixed`Ushirika: your password was reset and every device signed out. Withdrawals are held for 24 hours. Not you? Call us at once.`,
      fixed`Ushirika: nenosiri lako limebadilishwa na vifaa vyote vimeondolewa. Kutoa pesa kumezuiwa kwa saa 24. Si wewe? Tupigie sasa.`,
    ),
  passwordChanged: () =>
    sms(
      'password_changed',
      'security',
      fixed`Ushirika: your password was changed and your other devices were signed out. Not you? Reset it at once.`,
      fixed`Ushirika: nenosiri lako limebadilishwa na vifaa vyako vingine vimeondolewa. Si wewe? Libadilishe upya sasa.`,
    ),
  phoneChanged: (phone: SmsValue) =>
    sms(
      'phone_changed',
      'security',
      fixed`Ushirika: the phone of your account was changed to ${phone}. Not you? Reset your password at once.`,
      fixed`Ushirika: simu ya akaunti yako imebadilishwa kuwa ${phone}. Si wewe? Badilisha nenosiri lako sasa.`,
    ),
  phoneConfirmed: (phone: SmsValue) =>
    sms(
      'phone_confirmed',
      'security',
      fixed`Ushirika: ${phone} is now confirmed for your account.`,
      fixed`Ushirika: ${phone} sasa imethibitishwa kwa akaunti yako.`,
    ),
  secondFactorOn: () =>
    sms(
      'second_factor_on',
      'security',
      fixed`Ushirika: an authenticator app now protects your account. Your other devices were signed out.`,
      fixed`Ushirika: programu ya uthibitishaji sasa inalinda akaunti yako. Vifaa vyako vingine vimeondolewa.`,
    ),
  secondFactorOff: () =>
    sms(
      'second_factor_off',
      'security',
      fixed`Ushirika: the authenticator app of your account was turned off. Not you? Reset your password at once.`,
      fixed`Ushirika: programu ya uthibitishaji ya akaunti yako imezimwa. Si wewe? Badilisha nenosiri lako sasa.`,
    ),
  /** With the number to call where the operators have set one, as the pages say it. */
  suspended: (supportPhone: SmsValue | null) =>
    supportPhone
      ? sms(
          'account_suspended',
          'security',
          fixed`Ushirika: your account is suspended. Your money and shares stay yours. Call us on ${supportPhone}, and we look at it with you.`,
          fixed`Ushirika: akaunti yako imesimamishwa. Pesa na hisa zako ni zako bado. Tupigie ${supportPhone}, tuikague pamoja nawe.`,
        )
      : sms(
          'account_suspended',
          'security',
          fixed`Ushirika: your account is suspended. Your money and shares stay yours. Speak to an official of your sacco: they ask us to look at it with you.`,
          fixed`Ushirika: akaunti yako imesimamishwa. Pesa na hisa zako ni zako bado. Ongea na afisa wa sacco yako: atatuomba tuikague pamoja nawe.`,
        ),
  suspensionUpheld: () =>
    sms(
      'suspension_upheld',
      'security',
      fixed`Ushirika: a second person has looked at your account, and it stays suspended. Call us to have it looked at again.`,
      fixed`Ushirika: mtu wa pili amekagua akaunti yako, na bado imesimamishwa. Tupigie ili ikaguliwe tena.`,
    ),
  suspensionLifted: () =>
    sms(
      'suspension_lifted',
      'security',
      fixed`Ushirika: your account is open again. Sign in as before.`,
      fixed`Ushirika: akaunti yako imefunguliwa tena. Ingia kama kawaida.`,
    ),
  recoveryCodeUsed: (left: SmsValue) =>
    sms(
      'recovery_code_used',
      'security',
      fixed`Ushirika: a recovery code was used to sign in. ${left} left. Not you? Reset your password at once.`,
      fixed`Ushirika: msimbo wa dharura umetumika kuingia. Imebaki ${left}. Si wewe? Badilisha nenosiri lako sasa.`,
    ),
};
