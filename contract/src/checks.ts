import type { z } from 'zod';
import { inWords } from './in-words.ts';
import { Sentence, sentence, type ValuesOf } from './sentence.ts';
import type { Text } from './texts.ts';

/** The sentences of checks, by their English: zod carries texts only. All of them are made as the schemas are. */
const sentences = new Map<string, Sentence>();

/** What a check of a schema says to a person, as zod takes it. The server finds the sentence again (`saidByIssue`). */
export function check<T extends Text>(text: T, ...values: ValuesOf<T>): string {
  const said = sentence(text, ...values);
  const english = inWords(said, 'en');
  sentences.set(english, said);
  return english;
}

/** An issue for `addIssue` whose sentence has values that are known only then. */
export function issueOf(said: Sentence): { code: 'custom'; message: string; params: { said: Sentence } } {
  return { code: 'custom', message: inWords(said, 'en'), params: { said } };
}

/** What an issue says to a person; null where the words are zod's own, which speak to programmers. */
export function saidByIssue(issue: z.core.$ZodIssue): Sentence | null {
  const own: unknown = issue.code === 'custom' ? issue.params?.said : undefined;
  if (own instanceof Sentence) return own;
  return sentences.get(issue.message) ?? null;
}
