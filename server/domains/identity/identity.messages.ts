import { maskPhone } from '@ushirika/contract/phone';
import { type Sentence, sentence } from '@ushirika/contract/sentence';

/** What identity tells people in the app alone; what goes by SMS is in identity.sms.ts. */
export const messages = {
  newDevice: (device: Sentence) =>
    sentence('You signed in on a new device: {device}. If that was not you, change your password.', { device }),
  phoneLost: (phone: string) =>
    sentence(
      'The number {phone} was confirmed by another account. If it is yours too, enter another number under Profile.',
      { phone: maskPhone(phone) },
    ),
  welcome: (name: string) => sentence('Welcome to Ushirika, {name}. Join a sacco to own its shares.', { name }),
};
