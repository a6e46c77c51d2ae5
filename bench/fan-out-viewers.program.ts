import net from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ViewersCommand, ViewersResult } from './fan-out-viewers.ts';
import { quantile } from './statistics.ts';

/** The viewers, a process of their own: bare sockets and as little work for each frame as can be. */
process.on('message', (command: ViewersCommand) => {
  execute(command).then(
    (result) => process.send?.(result),
    (error: unknown) => process.send?.({ error: String(error) }),
  );
});
process.on('disconnect', () => process.exit(0));

const now = () => performance.timeOrigin + performance.now();

interface Viewer {
  readonly index: number;
  socket: net.Socket;
  /** The last sequence; -1 before the first event. */
  at: number;
  pending: string;
}

let viewers: Viewer[] = [];
let open: Extract<ViewersCommand, { do: 'open' }> | null = null;
let deliveries = 0;
let gaps = 0;
let reloads = 0;
let missing = 0;
let hungUp = 0;
/** Of frames: from, to, and when; of naive messages: how late. */
let frames: number[] = [];
let delays: number[] = [];

async function execute(command: ViewersCommand): Promise<ViewersResult> {
  if (command.do === 'open') await openAll(command);
  if (command.do === 'reset') [deliveries, gaps, reloads, missing, hungUp, frames, delays] = [0, 0, 0, 0, 0, [], []];
  if (command.do === 'cut') await cut(command.viewers, command.forMs);
  if (command.do === 'close') {
    for (const { socket } of viewers.splice(0)) socket.removeAllListeners('close').destroy();
  }
  if (command.do === 'count' && command.until !== undefined) await arrival(command.until);
  const late = command.do === 'count' && command.published ? delaysOf(command.published) : delays;
  return { deliveries, gaps, reloads, missing, hungUp, p50: quantile(late, 0.5), p99: quantile(late, 0.99) };
}

async function openAll(command: Extract<ViewersCommand, { do: 'open' }>): Promise<void> {
  open = command;
  viewers = [];
  for (let start = 0; start < command.viewers; start += 50) {
    const some = Array.from({ length: Math.min(50, command.viewers - start) }, (_, index) => begin(start + index));
    viewers.push(...(await Promise.all(some)));
  }
}

async function begin(index: number): Promise<Viewer> {
  const viewer: Viewer = { index, socket: new net.Socket(), at: -1, pending: '' };
  await connect(viewer);
  return viewer;
}

/** Resolves with the first event, or the end of the handshake. */
function connect(viewer: Viewer): Promise<void> {
  const { port, tokens, path } = open as NonNullable<typeof open>;
  const token = tokens[viewer.index];
  const isNaive = token === undefined;
  const head = isNaive
    ? 'Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: MDEyMzQ1Njc4OWFiY2RlZg==\r\n'
    : `Authorization: Token ${token}\r\n${viewer.at < 0 ? '' : `Last-Event-ID: ${viewer.at}\r\n`}`;
  return new Promise((resolve, reject) => {
    const socket = net.connect({ port, host: '127.0.0.1', noDelay: true }, () => {
      socket.write(`GET ${path} HTTP/1.1\r\nHost: bench\r\n${head}\r\n`);
    });
    viewer.socket = socket;
    viewer.pending = '';
    socket.on('error', reject);
    if (isNaive) {
      socket.once('data', (answer) => {
        if (!answer.toString('latin1').startsWith('HTTP/1.1 101')) reject(new Error(answer.toString()));
        socket.on('data', hearMessages(viewer));
        resolve();
      });
      return;
    }
    socket.on('data', (chunk) => {
      if (viewer.socket === socket && hearFrames(viewer, chunk.toString('latin1'))) resolve();
    });
    socket.on('close', () => {
      hungUp += 1;
      reject(new Error(`Closed: ${viewer.pending.slice(0, 500)}`));
    });
  });
}

const BOOK = /event: (?:book\ndata: \{"from":(\d+),"sequence":(\d+),|reload\ndata: \{"sequence":(\d+)\})/g;

/** Whether an event that says a sequence was in it. */
function hearFrames(viewer: Viewer, chunk: string): boolean {
  const text = viewer.pending + chunk;
  let end = 0;
  let isHeard = false;
  BOOK.lastIndex = 0;
  for (let found = BOOK.exec(text); found; found = BOOK.exec(text)) {
    end = BOOK.lastIndex;
    isHeard = true;
    const [, from, to, reload] = found;
    if (reload !== undefined) reloads += 1;
    if (from !== undefined && viewer.at >= 0 && Number(from) !== viewer.at) gaps += 1;
    const sequence = Number(to ?? reload);
    if (from !== undefined && Number(from) < sequence) {
      deliveries += sequence - Number(from);
      frames.push(Number(from), sequence, now());
    }
    viewer.at = sequence;
  }
  // What an event that came in two pieces begins with.
  viewer.pending = text.slice(Math.max(end, text.length - 100));
  return isHeard;
}

/** Counts the messages of one client; of one in fifty it looks how late they are. */
function hearMessages(viewer: Viewer): (chunk: Buffer) => void {
  let rest: Buffer = Buffer.alloc(0);
  return (chunk) => {
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    let at = 0;
    while (bytes.length - at >= 4) {
      // As a server sends them: one piece, not masked, a length of two bytes.
      if (bytes[at] !== 0x81 || bytes[at + 1] !== 126) throw new Error('A frame of another kind.');
      const length = bytes.readUInt16BE(at + 2);
      if (bytes.length - at < 4 + length) break;
      deliveries += 1;
      if (viewer.index % 50 === 0) {
        const message = JSON.parse(bytes.toString('latin1', at + 4, at + 4 + length)) as { readonly at: number };
        delays.push(now() - message.at);
      }
      at += 4 + length;
    }
    rest = bytes.subarray(at);
  };
}

async function cut(count: number, forMs: number): Promise<void> {
  const gone = viewers.slice(0, count);
  for (const { socket } of gone) socket.removeAllListeners('close').destroy();
  await sleep(forMs);
  await Promise.all(gone.map(connect));
}

/** Waits until every viewer has heard of a sequence, or for five seconds: those who have not then miss something. */
async function arrival(sequence: number): Promise<void> {
  const latest = performance.now() + 5_000;
  const behind = () => viewers.filter(({ at }) => at < sequence).length;
  while (behind() > 0 && performance.now() < latest) await sleep(10);
  missing = behind();
}

/** How late each change came to each viewer; of several thousand frames each fifth is enough. */
function delaysOf({ first, at }: { readonly first: number; readonly at: readonly number[] }): number[] {
  const found: number[] = [];
  for (let frame = 0; frame < frames.length; frame += 15) {
    const [from = 0, to = 0, heardAt = 0] = frames.slice(frame, frame + 3);
    for (let sequence = from + 1; sequence <= to; sequence += 1) {
      const publishedAt = at[sequence - first];
      if (publishedAt !== undefined) found.push(heardAt - publishedAt);
    }
  }
  return found;
}
