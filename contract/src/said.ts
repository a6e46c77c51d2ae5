import { z } from 'zod';
import type { Sentence } from './sentence.ts';

/** A sentence of the server in a reply, in the reader's language. */
export const said = z.string().brand<'said'>();
export type Said = z.output<typeof said>;

/** A reply as a verb makes it: where the reader finds a sentence it has one in no language yet. */
export type Unsaid<Reply> = Reply extends Said
  ? Sentence
  : Reply extends string | number | boolean | null | undefined
    ? Reply
    : Reply extends readonly (infer Item)[]
      ? Unsaid<Item>[]
      : Reply extends object
        ? { [Name in keyof Reply]: Unsaid<Reply[Name]> }
        : Reply;
