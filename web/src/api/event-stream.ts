import { currentSession, signOut } from '../session/session.ts';
import { currentLanguage } from '../words/say.ts';
import { addressOf } from './call.ts';

/** One event of a stream of server-sent events. */
export interface StreamEvent {
  readonly event: string;
  readonly data: string;
  readonly id?: string;
}

/**
 * Reads server-sent events (WHATWG HTML 9.2.6) out of pieces of text, wherever the pieces are cut. Comments and `retry`
 * are passed over: the reader decides by itself when to connect again.
 */
export function eventReader(): (piece: string) => StreamEvent[] {
  let rest = '';
  return (piece) => {
    const blocks = (rest + piece).replace(/\r\n?/g, '\n').split('\n\n');
    rest = blocks.pop() ?? '';
    return blocks.flatMap((block) => eventOf(block) ?? []);
  };
}

function eventOf(block: string): StreamEvent | null {
  let event = 'message';
  let id: string | undefined;
  const data: string[] = [];
  for (const line of block.split('\n')) {
    const [, field, value = ''] = /^(\w+)(?:: ?(.*))?$/.exec(line) ?? [];
    if (field === 'event') event = value;
    if (field === 'data') data.push(value);
    if (field === 'id') id = value;
  }
  if (data.length === 0) return null;
  return id === undefined ? { event, data: data.join('\n') } : { event, data: data.join('\n'), id };
}

const AGAIN_MS = [1_000, 2_000, 5_000, 10_000, 30_000] as const;
/** The server says every 20 s that it is there. A line that is silent for longer than this is dead, whatever it looks like. */
const SILENCE_MS = 50_000;

export interface Followed {
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  /** Ends it for good. */
  readonly signal: AbortSignal;
  /** What `Last-Event-ID` says at the next connection; null sends none. */
  readonly lastEventId?: () => string | null;
  readonly onEvent: (event: StreamEvent) => void;
  /** Whether there is a connection, and how many tries in a row have come to nothing. */
  readonly onChange: (isOpen: boolean, failures: number) => void;
}

/**
 * Follows a stream of the server: EventSource cannot send the token, so it is read from a fetch. Connects again when it
 * breaks, soon at first, then less and less often; at once when the page is seen again or the network is back.
 */
export async function followEvents(followed: Followed): Promise<void> {
  const { signal, onChange } = followed;
  let failures = 0;
  while (!signal.aborted && currentSession()) {
    try {
      await readStream(followed, () => {
        failures = 0;
        onChange(true, 0);
      });
    } catch {
      // Broken, or never there: the next try follows.
    }
    if (!signal.aborted) onChange(false, failures);
    await pause(AGAIN_MS[Math.min(failures, AGAIN_MS.length - 1)] ?? 30_000, signal);
    failures += 1;
  }
}

async function readStream(followed: Followed, onOpen: () => void): Promise<void> {
  const headers: Record<string, string> = {
    authorization: `Token ${currentSession()?.token}`,
    accept: 'text/event-stream',
    'accept-language': currentLanguage(),
  };
  const last = followed.lastEventId?.();
  if (last) headers['last-event-id'] = last;
  const silence = new AbortController();
  const signal = AbortSignal.any([followed.signal, silence.signal]);
  let alarm = setTimeout(() => silence.abort(), SILENCE_MS);
  try {
    const response = await fetch(addressOf(followed.path, { query: followed.query ?? {} }), { headers, signal });
    if (response.status === 401) return signOut('ended');
    if (!response.ok || !response.body) throw new Error(`The stream was refused: ${response.status}`);
    onOpen();
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    const events = eventReader();
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      clearTimeout(alarm);
      alarm = setTimeout(() => silence.abort(), SILENCE_MS);
      for (const event of events(value)) followed.onEvent(event);
    }
  } finally {
    clearTimeout(alarm);
  }
}

/** Waits, but no longer than until the page is seen again or the network is back. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((done) => {
    const ended = new AbortController();
    const end = () => {
      clearTimeout(timer);
      ended.abort();
      done();
    };
    const timer = setTimeout(end, ms);
    const options = { signal: ended.signal };
    signal.addEventListener('abort', end, options);
    addEventListener('online', end, options);
    document.addEventListener('visibilitychange', () => document.visibilityState === 'visible' && end(), options);
  });
}
