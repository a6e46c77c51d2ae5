import { buggify } from '#faults';

/** One request to a provider: bounded in time and size, never redirected, never repeated. */
export type Answer =
  | { readonly kind: 'json'; readonly status: number; readonly body: Readonly<Record<string, unknown>> }
  | { readonly kind: 'other'; readonly status: number; readonly empty: boolean }
  | { readonly kind: 'none'; readonly detail: string };

export interface AskOptions {
  readonly fetch: typeof globalThis.fetch;
  readonly method: 'GET' | 'POST';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly timeoutMs: number;
  readonly bytesMax: number;
}

/** Never throws: what cannot be had is `none`, and `detail` says why without quoting the request or the answer. */
export async function ask(options: AskOptions): Promise<Answer> {
  try {
    if (buggify('gateway_unreached')) return { kind: 'none', detail: 'ECONNREFUSED' };
    const response = await options.fetch(options.url, {
      method: options.method,
      headers: options.headers,
      ...(options.body === undefined ? {} : { body: options.body }),
      redirect: 'manual',
      signal: AbortSignal.timeout(options.timeoutMs),
    });
    const text = await boundedText(response, options.bytesMax);
    if (buggify('gateway_answer_lost')) return { kind: 'none', detail: 'timed out' };
    if (buggify('gateway_fault')) return { kind: 'other', status: 500, empty: true };
    if (text === null) return { kind: 'none', detail: 'the answer is too large' };
    if (response.status >= 300 && response.status < 400) return { kind: 'none', detail: 'redirected' };
    const body = jsonObject(text);
    return body
      ? { kind: 'json', status: response.status, body }
      : { kind: 'other', status: response.status, empty: text.trim() === '' };
  } catch (error) {
    return { kind: 'none', detail: reasonOf(error) };
  }
}

async function boundedText(response: Response, bytesMax: number): Promise<string | null> {
  if (!response.body) return '';
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of response.body) {
    length += chunk.byteLength;
    if (length > bytesMax) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function jsonObject(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Readonly<Record<string, unknown>>)
      : null;
  } catch {
    return null;
  }
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'failed';
  if (error.name === 'TimeoutError') return 'timed out';
  const cause: unknown = error.cause;
  const code = typeof cause === 'object' && cause !== null && 'code' in cause ? String(cause.code) : '';
  return code || error.name;
}
