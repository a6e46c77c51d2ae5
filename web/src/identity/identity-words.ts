import type { IdentityDocument } from '@ushirika/contract/identity';
import { say } from '../words/say.ts';

export const DOCUMENTS: readonly IdentityDocument[] = ['national_id', 'passport', 'alien_id'];

export function documentWords(document: IdentityDocument): string {
  const words: Record<IdentityDocument, string> = {
    national_id: say('National ID card'),
    passport: say('Passport'),
    alien_id: say('Alien ID card'),
  };
  return words[document];
}

/** What M-Pesa says of the name behind a confirmed phone. */
export function mpesaNameWords(state: 'agrees' | 'differs' | null): string {
  if (state === null) return say('Not compared yet');
  return state === 'agrees' ? say('The same name') : say('Another name');
}
