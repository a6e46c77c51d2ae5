import { maskPhone } from '@ushirika/contract/phone';

/** What identity tells people in the app alone; what goes by SMS is in identity.sms.ts. */
export const messages = {
  newDevice: (device: string) => ({
    en: `You signed in on a new device: ${device}. If that was not you, change your password.`,
    sw: `Umeingia kwa kifaa kipya: ${device}. Kama si wewe, badilisha nenosiri lako.`,
  }),
  phoneLost: (phone: string) => ({
    en: `The number ${maskPhone(phone)} was confirmed by another account. If it is yours too, enter another number under Profile.`,
    sw: `Nambari ${maskPhone(phone)} imethibitishwa na akaunti nyingine. Weka nambari nyingine kwenye Wasifu wako.`,
  }),
  welcome: (firstName: string) => ({
    en: `Welcome to Ushirika, ${firstName}. Join a sacco to own its shares.`,
    sw: `Karibu Ushirika, ${firstName}. Jiunge na sacco ili umiliki hisa zake.`,
  }),
};
