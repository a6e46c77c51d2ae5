import core from '@messageformat/core';
import { formatLongDate, formatLongDateTime } from './format.ts';
import type { Language } from './notifications.ts';
import { Sentence, type SentenceValue } from './sentence.ts';
import { swahiliOf } from './texts.ts';
import type { Words } from './words.ts';

type Said = Readonly<Record<string, string | number>>;

/** CommonJS: Node gives the class as the default, which the types have one step further. */
const MessageFormat = core as unknown as new (
  language: Language,
) => { compile(text: string): (values: Said) => string };

const formats = { en: new MessageFormat('en'), sw: new MessageFormat('sw') } as const;
/** Texts with a plural or a select, compiled when they are first said. */
const compiled = { en: new Map<string, (values: Said) => string>(), sw: new Map<string, (values: Said) => string>() };

/** A sentence in a language. */
export function inWords({ text, values }: Sentence, language: Language): string {
  const said = Object.fromEntries(Object.entries(values).map(([name, value]) => [name, spoken(value, language)]));
  return format(language === 'sw' ? swahiliOf[text] : text, said, language);
}

/** The English, as it is stored. */
export const english = (said: Sentence): string => inWords(said, 'en');

/** A reply in the reader's language: every sentence in it becomes its words. What holds none is given back as it is. */
export function replyInWords(reply: unknown, language: Language): unknown {
  if (reply instanceof Sentence) return inWords(reply, language);
  if (Array.isArray(reply)) {
    const items = reply.map((item) => replyInWords(item, language));
    return items.some((item, index) => item !== reply[index]) ? items : reply;
  }
  if (typeof reply !== 'object' || reply === null || Object.getPrototypeOf(reply) !== Object.prototype) return reply;
  let copy: Record<string, unknown> | null = null;
  for (const [name, value] of Object.entries(reply)) {
    const words = replyInWords(value, language);
    if (words === value) continue;
    copy ??= { ...reply };
    copy[name] = words;
  }
  return copy ?? reply;
}

/** Fills an ICU text. */
export function format(text: string, values: Said, language: Language): string {
  if (!isBranching(text)) return text.replace(/\{(\w+)\}/g, (hole, name: string) => String(values[name] ?? hole));
  let say = compiled[language].get(text);
  if (!say) {
    say = formats[language].compile(text);
    compiled[language].set(text, say);
  }
  return say(values);
}

/** Whether a text has a plural or a select; any other is filled by replacing its holes. */
export function isBranching(text: string): boolean {
  return /\{\w+,/.test(text);
}

function oneOf(countries: readonly string[], language: Language): string {
  const names = new Intl.DisplayNames(language, { type: 'region' });
  const list = new Intl.ListFormat(language, { type: 'disjunction' });
  return list.format(countries.map((code) => names.of(code) ?? code));
}

function spoken(value: SentenceValue, language: Language): string | number {
  if (typeof value !== 'object') return value;
  if (value instanceof Sentence) return inWords(value, language);
  if (isPair(value)) return value[language === 'sw' ? 1 : 0];
  if ('parts' in value) return value.parts.map((part) => inWords(part, language)).join(value.between);
  if ('countries' in value) return oneOf(value.countries, language);
  return value.form === 'date' ? formatLongDate(value.at, language) : formatLongDateTime(value.at, language);
}

/** Typescript does not tell a readonly tuple from the other values by `Array.isArray` alone. */
const isPair = (value: object): value is Words => Array.isArray(value);
