import http from 'node:http';

export interface Asked {
  readonly method?: 'GET' | 'POST';
  readonly path: string;
  readonly token?: string;
  readonly key?: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A whole answer, or how the line ended without one. */
export interface Told {
  /** 0 where there was no whole answer. */
  readonly status: number;
  readonly code: string;
  readonly retryAfter: number | null;
  readonly closes: boolean;
  readonly text: string;
  readonly ms: number;
  /** `ECONNREFUSED` and the like where there was no answer. */
  readonly error: string | null;
  /** The line had carried an answer before. */
  readonly wasReused: boolean;
}

/** One client: a line that is kept between requests, as a browser keeps its own. */
export class Asker {
  readonly #port: number;
  readonly #agent = new http.Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY });

  constructor(port: number) {
    this.#port = port;
  }

  ask(asked: Asked): Promise<Told> {
    const began = performance.now();
    const { token, key, body } = asked;
    const text = body === undefined ? '' : JSON.stringify(body);
    return new Promise((resolve) => {
      const request = http.request({
        host: '127.0.0.1',
        port: this.#port,
        agent: this.#agent,
        method: asked.method ?? (body === undefined ? 'GET' : 'POST'),
        path: asked.path,
        headers: {
          ...(text === '' ? {} : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }),
          ...(token === undefined ? {} : { authorization: `Token ${token}` }),
          ...(key === undefined ? {} : { 'idempotency-key': key }),
          ...asked.headers,
        },
      });
      const tell = (told: Partial<Told>) =>
        resolve({
          status: 0,
          code: '',
          retryAfter: null,
          closes: false,
          text: '',
          error: null,
          wasReused: request.reusedSocket,
          ...told,
          ms: performance.now() - began,
        });
      request.on('error', (error: NodeJS.ErrnoException) => tell({ error: error.code ?? error.message }));
      request.on('response', (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk) => chunks.push(chunk));
        response.on('error', (error: NodeJS.ErrnoException) => tell({ error: `cut: ${error.code ?? error.message}` }));
        response.on('end', () => tell(answerOf(response, Buffer.concat(chunks).toString())));
      });
      request.end(text);
    });
  }

  close(): void {
    this.#agent.destroy();
  }
}

function answerOf(response: http.IncomingMessage, text: string): Partial<Told> {
  if (!response.complete) return { error: 'cut: in the middle of an answer' };
  const retryAfter = response.headers['retry-after'];
  return {
    status: response.statusCode ?? 0,
    code: /"code":"(\w+)"/.exec(text)?.[1] ?? '',
    retryAfter: retryAfter === undefined ? null : Number(retryAfter),
    closes: response.headers.connection === 'close',
    text,
  };
}
