import { inWords, replyInWords } from './in-words.ts';
import type { Language } from './notifications.ts';
import type { RefusalBody } from './refusal-body.ts';
import { type RefusalCode, refusals } from './refusals.ts';
import { Sentence } from './sentence.ts';

export interface RefusalDetails {
  /** A sentence more exact than the catalogue's. */
  message?: Sentence;
  /** Sentences by field, for forms. */
  errors?: Record<string, readonly Sentence[]>;
  /** Seconds after which a retry makes sense; becomes `Retry-After`. */
  retryAfterSeconds?: number;
  /** More for the body, such as the new terms with `terms_changed`. */
  extra?: Record<string, unknown>;
}

/** The sentence that the catalogue has for a refusal. */
export function sentenceOf(code: RefusalCode): Sentence {
  return new Sentence(refusals[code].message, {});
}

/** A refusal on its way to the person who asked: thrown by a verb, mapped to HTTP in one place. */
export class Refusal extends Error {
  readonly code: RefusalCode;
  /** What the person reads, in no language yet; `message` is its English. */
  readonly sentence: Sentence;
  readonly details: RefusalDetails;

  constructor(code: RefusalCode, details: RefusalDetails = {}) {
    const said = details.message ?? sentenceOf(code);
    super(inWords(said, 'en'));
    this.sentence = said;
    this.name = 'Refusal';
    this.code = code;
    this.details = details;
  }

  get status(): number {
    return refusals[this.code].status;
  }

  /** The body of the answer, in the reader's language. */
  body(language: Language = 'en'): RefusalBody & Record<string, unknown> {
    const { errors, extra } = this.details;
    const message = inWords(this.sentence, language);
    return {
      ...(replyInWords(extra ?? {}, language) as Record<string, unknown>),
      success: false,
      code: this.code,
      message,
      detail: message,
      ...(errors ? { errors: byField(errors, language) } : {}),
    };
  }
}

function byField(errors: Record<string, readonly Sentence[]>, language: Language): Record<string, string[]> {
  return Object.fromEntries(
    Object.entries(errors).map(([field, sentences]) => [field, sentences.map((one) => inWords(one, language))]),
  );
}
