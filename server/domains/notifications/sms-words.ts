import type { Language } from '@ushirika/contract/notifications';
import type { SmsKind } from './sms.rules.ts';
import type { SmsValue } from './sms-values.ts';

declare const ours: unique symbol;
/** The words of an SMS: fixed ones of a domain's `*.sms.ts`, with checked values between them. */
export type SmsWords = string & { readonly [ours]: true };

/** An SMS as it may be sent; only `sms` makes one, and only the domains' `*.sms.ts` call it (tidy/imports.test.ts). */
export interface Sms {
  readonly template: string;
  readonly kind: SmsKind;
  readonly words: Readonly<Record<Language, SmsWords>>;
}

/** Our own words, with values of sms-values.ts between them: another text does not compile (decision 158). */
export const fixed = (parts: TemplateStringsArray, ...values: readonly SmsValue[]) =>
  String.raw({ raw: parts }, ...values) as SmsWords;

export const sms = (template: string, kind: SmsKind, en: SmsWords, sw: SmsWords): Sms => ({
  template,
  kind,
  words: { en, sw },
});

/** Fixed words may stand between fixed words. */
export const within = (words: SmsWords) => words as string as SmsValue;

/** A value, or what stands there without one: a name that was not checked is left out. */
export const either = (given: SmsValue | null, otherwise: SmsWords) => given ?? within(otherwise);
