import { isText, type Text } from './texts.ts';
import type { Words } from './words.ts';

/** A point in time: its long date, or the date with the time, as the reader's language writes it. */
export interface When {
  readonly at: Date;
  readonly form: 'date' | 'date and time';
}

/** Several sentences, one behind the other. */
export interface Several {
  readonly parts: readonly Sentence[];
  readonly between: string;
}

/** Countries by their ISO codes, one of which is meant. */
export interface Countries {
  readonly countries: readonly string[];
}

/** What fills a hole of a text. A sentence within a sentence is said in the same language, and so is a pair of words. */
export type SentenceValue = string | number | Sentence | When | Several | Countries | Words;

type IsName<Inside> = Inside extends `${string}${' ' | '{' | '#'}${string}` ? never : Inside;
type NameBefore<Inside> = Inside extends `${infer Name},${string}` ? Name : Inside;
type FirstHole<Rest> = Rest extends `${infer Inside}}${string}` ? IsName<NameBefore<Inside>> : never;

/**
 * The names of the holes of a text: what stands between `{` and the next `,` or `}`. A branch of a plural or select is two
 * words at least, or it would be read as a name here; a test holds the catalogue to it.
 */
export type HolesOf<T> = T extends `${string}{${infer Rest}` ? FirstHole<Rest> | HolesOf<Rest> : never;

export type ValuesOf<T> = [HolesOf<T> & string] extends [never]
  ? []
  : [values: Readonly<Record<HolesOf<T> & string, SentenceValue>>];

/** A text of the catalogue with its values, in no language yet. */
export class Sentence {
  readonly text: Text;
  readonly values: Readonly<Record<string, SentenceValue>>;

  constructor(text: Text, values: Readonly<Record<string, SentenceValue>>) {
    this.text = text;
    this.values = values;
  }
}

/** Makes a sentence. It takes the very values that its text has holes for. */
export function sentence<T extends Text>(text: T, ...[values]: ValuesOf<T>): Sentence {
  return new Sentence(text, values ?? {});
}

/**
 * The sentence of a text that was stored in English. Before a colon stands one of the catalogue, behind it what a person
 * wrote: `The by-laws have been seen: Copy of May`. What is not of the catalogue a person wrote, and stays as it is.
 */
export function fromStored(text: string): Sentence {
  if (isText(text)) return new Sentence(text, {});
  const [what = '', ...written] = text.split(': ');
  if (written.length === 0 || !isText(what)) return sentence('{text}', { text });
  return sentence('{what}: {written}', { what: new Sentence(what, {}), written: written.join(': ') });
}

export const sharesSaid = (n: number) => sentence('{n, plural, one {# share} other {# shares}}', { n });
export const daysSaid = (n: number) => sentence('{n, plural, one {# day} other {# days}}', { n });
const STATES = {
  pending: sentence('pending'),
  active: sentence('active'),
  suspended: sentence('suspended'),
  rejected: sentence('rejected'),
} as const;

/** The state of a sacco, within a sentence. */
export const stateSaid = (state: keyof typeof STATES): Sentence => STATES[state];

/** A wait, as minutes or hours. */
export function waitSaid(seconds: number): Sentence {
  const minutes = Math.ceil(seconds / 60);
  if (minutes <= 1) return sentence('a minute');
  if (minutes < 120) return sentence('{n, plural, one {# minute} other {# minutes}}', { n: minutes });
  return sentence('{n, plural, one {# hour} other {# hours}}', { n: Math.ceil(minutes / 60) });
}
export const longDate = (at: Date): When => ({ at, form: 'date' });
export const longDateTime = (at: Date): When => ({ at, form: 'date and time' });
/** Sentences one behind the other as one. */
export const joined = (parts: readonly Sentence[]): Sentence => sentence('{parts}', { parts: several(parts) });
export const several = (parts: readonly Sentence[], between = ' '): Several => ({ parts, between });
