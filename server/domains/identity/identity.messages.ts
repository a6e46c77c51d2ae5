import { maskPhone } from '@ushirika/contract/phone';

/** What identity tells people, in both languages. Each fits one SMS of 160 characters, or nearly. */
export const messages = {
  resetCode: (code: string) => ({
    en: `Ushirika: your reset code is ${code}. It works for 10 minutes. If you did not ask for it, ignore this message.`,
    sw: `Ushirika: msimbo wako wa kubadilisha nenosiri ni ${code}. Unatumika kwa dakika 10. Kama hukuuomba, puuza ujumbe huu.`,
  }),
  phoneCode: (code: string) => ({
    en: `Ushirika: ${code} confirms this phone number. It works for 10 minutes. Tell it to nobody.`,
    sw: `Ushirika: ${code} inathibitisha nambari hii ya simu. Inatumika kwa dakika 10. Usimwambie mtu yeyote.`,
  }),
  passwordReset: {
    en: 'Ushirika: your password was reset and every device signed out. Withdrawals are held for 24 hours. Not you? Call us at once.',
    sw: 'Ushirika: nenosiri lako limebadilishwa na vifaa vyote vimeondolewa. Utoaji pesa umesitishwa kwa saa 24. Si wewe? Tupigie sasa.',
  },
  passwordChanged: {
    en: 'Ushirika: your password was changed and your other devices were signed out. Not you? Reset it at once.',
    sw: 'Ushirika: nenosiri lako limebadilishwa na vifaa vyako vingine vimeondolewa. Si wewe? Libadilishe upya sasa.',
  },
  phoneChanged: (phone: string) => ({
    en: `Ushirika: the phone of your account was changed to ${maskPhone(phone)}. Not you? Reset your password at once.`,
    sw: `Ushirika: simu ya akaunti yako imebadilishwa kuwa ${maskPhone(phone)}. Si wewe? Badilisha nenosiri lako sasa.`,
  }),
  phoneConfirmed: (phone: string) => ({
    en: `Ushirika: ${maskPhone(phone)} is now confirmed for your account.`,
    sw: `Ushirika: ${maskPhone(phone)} sasa imethibitishwa kwa akaunti yako.`,
  }),
  secondFactorOn: {
    en: 'Ushirika: an authenticator app now protects your account. Your other devices were signed out.',
    sw: 'Ushirika: programu ya uthibitisho sasa inalinda akaunti yako. Vifaa vyako vingine vimeondolewa.',
  },
  secondFactorOff: {
    en: 'Ushirika: the authenticator app of your account was turned off. Not you? Reset your password at once.',
    sw: 'Ushirika: programu ya uthibitisho ya akaunti yako imezimwa. Si wewe? Badilisha nenosiri lako sasa.',
  },
  recoveryCodeUsed: (left: number) => ({
    en: `Ushirika: a recovery code was used to sign in. ${left} left. Not you? Reset your password at once.`,
    sw: `Ushirika: msimbo wa dharura umetumika kuingia. Imebaki ${left}. Si wewe? Badilisha nenosiri lako sasa.`,
  }),
  newDevice: (device: string) => ({
    en: `You signed in on a new device or network: ${device}. If that was not you, change your password.`,
    sw: `Umeingia kwa kifaa au mtandao mpya: ${device}. Kama si wewe, badilisha nenosiri lako.`,
  }),
  suspended: {
    en: 'Ushirika: your account is suspended while we look into it. Your money and shares stay yours. Call us if you do not know why.',
    sw: 'Ushirika: akaunti yako imesimamishwa tunapochunguza. Pesa na hisa zako ni zako bado. Tupigie kama hujui sababu.',
  },
  suspensionUpheld: {
    en: 'Ushirika: a second person has looked at your account, and it stays suspended. Call us to have it looked at again.',
    sw: 'Ushirika: mtu wa pili amekagua akaunti yako, na bado imesimamishwa. Tupigie ili ikaguliwe tena.',
  },
  suspensionLifted: {
    en: 'Ushirika: your account is open again. Sign in as before.',
    sw: 'Ushirika: akaunti yako imefunguliwa tena. Ingia kama kawaida.',
  },
  welcome: (firstName: string) => ({
    en: `Welcome to Ushirika, ${firstName}. Join a sacco to own its shares.`,
    sw: `Karibu Ushirika, ${firstName}. Jiunge na sacco ili umiliki hisa zake.`,
  }),
};
