import { say } from '../words/say.ts';

/** How a call came to nothing. `server`: it answered with a refusal. `lost`: an act with money was sent and has no answer. */
export type FailureKind = 'server' | 'network' | 'timeout' | 'unreadable' | 'aborted' | 'lost';

/** A call that did not succeed. The words for a person are made here and nowhere else. */
export class CallFailure extends Error {
  readonly kind: FailureKind;
  readonly status: number;
  readonly code: string;
  /** Sentences by field. */
  readonly errors: Readonly<Record<string, readonly string[]>>;
  /** The whole refusal, such as the new terms with `terms_changed`. */
  readonly body: Readonly<Record<string, unknown>>;

  constructor(kind: FailureKind, message: string, status = 0, body: Readonly<Record<string, unknown>> = {}) {
    super(message);
    this.name = 'CallFailure';
    this.kind = kind;
    this.status = status;
    this.body = body;
    this.code = typeof body.code === 'string' ? body.code : '';
    this.errors = sentencesByField(body.errors);
  }

  /** The server has refused for good: nothing was done. After any other failure the act may or may not have happened. */
  get isFinal(): boolean {
    return this.kind === 'server' && this.status >= 400 && this.status < 500;
  }

  static fromAnswer(status: number, answer: unknown): CallFailure {
    const body = typeof answer === 'object' && answer !== null ? (answer as Record<string, unknown>) : {};
    const message = typeof body.message === 'string' && body.message ? body.message : body.detail;
    return new CallFailure('server', typeof message === 'string' ? message : '', status, body);
  }

  static fromThrown(error: unknown): CallFailure {
    const name = error instanceof Error ? error.name : '';
    if (name === 'TimeoutError') return new CallFailure('timeout', '');
    if (name === 'AbortError') return new CallFailure('aborted', '');
    return new CallFailure('network', '');
  }

  static lost(): CallFailure {
    return new CallFailure('lost', '');
  }

  static unreadable(status: number): CallFailure {
    return new CallFailure('unreadable', '', status);
  }
}

/** The sentence for any failure: the server's own where there is one. */
export function wordsFor(error: unknown): string {
  if (!(error instanceof CallFailure)) return say('Something Went wrong, try again later.');
  if (error.kind === 'network') return say('You seem to be offline. Check your connection and try again.');
  if (error.kind === 'lost') return say('No answer came. It may have gone through: send it again, it counts once.');
  if (error.kind === 'timeout') return say('That took too long. Check your connection and try again.');
  if (error.kind === 'unreadable') return say('The answer could not be read. Try again in a moment.');
  return error.message || say('Something Went wrong, try again later.');
}

/** Sign-in, forgot and reset: an answer with an error status is told with 'Error: ' before the server's message. */
export function wordsWithPrefix(error: unknown): string {
  const answered = error instanceof CallFailure && error.kind === 'server';
  return answered ? say('Error: ') + wordsFor(error) : wordsFor(error);
}

/** Sign-up: the first sentence of each entry in `errors`; without any, the one sentence for the failure. */
export function firstSentences(error: unknown): string[] {
  const entries = error instanceof CallFailure ? Object.values(error.errors) : [];
  const sentences = entries.flatMap((list) => (list[0] ? [list[0]] : []));
  return sentences.length > 0 ? sentences : [wordsFor(error)];
}

/** Join and buy: the server's message, or the part of the error's text between its first pair of single quotes. */
export function wordsOrQuoted(error: unknown): string {
  if (error instanceof CallFailure && error.kind === 'server' && !error.message) {
    const quoted = /'([^']*)'/.exec(JSON.stringify(error.body))?.[1];
    if (quoted) return quoted;
  }
  return wordsFor(error);
}

/** `success: false` in an answer that is no error. */
export function refusedIn(answer: unknown): string | null {
  const body = answer as { success?: unknown; message?: unknown } | null;
  if (body?.success !== false) return null;
  return typeof body.message === 'string' ? body.message : say('Something Went wrong, try again later.');
}

function sentencesByField(errors: unknown): Record<string, string[]> {
  if (typeof errors !== 'object' || errors === null) return {};
  const found: Record<string, string[]> = {};
  for (const [field, list] of Object.entries(errors)) {
    const sentences = (Array.isArray(list) ? list : [list]).filter((one) => typeof one === 'string');
    if (sentences.length > 0) found[field] = sentences;
  }
  return found;
}
