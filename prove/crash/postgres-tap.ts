import { once } from 'node:events';
import net from 'node:net';

export type Direction = 'to server' | 'to client';

/** What the tap has let through when it stops. */
export interface Reached {
  /** The process of PostgreSQL at the other end of the connection. */
  readonly backend: number;
  /** The message's type, as the protocol names it. */
  readonly message: string;
  readonly direction: Direction;
}

/** FATAL: the database does not accept connections. */
const REFUSAL = 'SFATAL\0C57P03\0MNobody comes through.\0\0';
const TURNED_AWAY = Buffer.from(`E\0\0\0${String.fromCharCode(REFUSAL.length + 4)}${REFUSAL}`);

/** Lines between a server and PostgreSQL on which each message of the protocol is counted as it passes. */
export class PostgresTap {
  readonly #target: number;
  readonly #server: net.Server;
  readonly #lines = new Set<TappedLine>();
  #left = 0;
  #allowed = 0;
  #ways: 'to server' | 'both' = 'both';
  #isCut = false;
  #reached: ((reached: Reached) => void) | null = null;

  constructor(targetPort: number) {
    this.#target = targetPort;
    this.#server = net.createServer({ noDelay: true }, (client) => this.#take(client));
  }

  async listen(): Promise<void> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
  }

  through(url: string): string {
    const address = new URL(url);
    address.port = String((this.#server.address() as net.AddressInfo).port);
    return address.toString();
  }

  /** How many have passed since it was told to stop after some. */
  get passed(): number {
    return this.#allowed - this.#left;
  }

  /** After `messages` more have passed, to the server or whichever way, nothing passes any more, and `reached` is told. */
  stopAfter(
    { messages, ways }: { readonly messages: number; readonly ways: 'to server' | 'both' },
    reached: (reached: Reached) => void,
  ): void {
    this.#left = messages;
    this.#allowed = messages;
    this.#ways = ways;
    this.#reached = reached;
  }

  /** All lines are gone, and whoever wants another one is turned away: nothing comes through any more. */
  cut(): void {
    this.#isCut = true;
    for (const line of [...this.#lines]) line.destroy();
  }

  /** Everything passes again. What was held back is lost with its lines. */
  release(): void {
    this.#reached = null;
    for (const line of [...this.#lines]) if (line.isHeld) line.destroy();
  }

  async close(): Promise<void> {
    for (const line of [...this.#lines]) line.destroy();
    this.#server.close();
    await once(this.#server, 'close');
  }

  #take(client: net.Socket): void {
    if (this.#isCut) {
      client.on('error', () => {}).once('data', () => client.end(TURNED_AWAY));
      return;
    }
    const server = net.connect({ host: '127.0.0.1', port: this.#target, noDelay: true });
    const line = new TappedLine(client, server, {
      passes: (direction, message) => this.#passes(line, direction, message),
      gone: () => void this.#lines.delete(line),
    });
    this.#lines.add(line);
  }

  /** Whether this message may pass; the last one that may stops everything behind it. */
  #passes(line: TappedLine, direction: Direction, message: string): boolean {
    // A connection that is still being made carries nothing of a transfer, and its process has not said its name.
    if (!this.#reached || line.backend === 0) return true;
    if (this.#left === 0) {
      line.isHeld = true;
      return false;
    }
    if (this.#ways === 'to server' && direction !== 'to server') return true;
    this.#left -= 1;
    if (this.#left === 0) {
      line.isHeld = true;
      // After the message itself has been written.
      setImmediate(this.#reached, { backend: line.backend, message, direction });
    }
    return true;
  }
}

interface Watcher {
  passes(direction: Direction, message: string): boolean;
  gone(): void;
}

class TappedLine {
  isHeld = false;
  /** The id of PostgreSQL's process, once it has said it. */
  backend = 0;
  readonly #sockets: readonly net.Socket[];

  constructor(client: net.Socket, server: net.Socket, watcher: Watcher) {
    this.#sockets = [client, server];
    const toServer = new Messages(true);
    const toClient = new Messages(false);
    client.on('data', (bytes) => {
      for (const message of toServer.read(bytes)) {
        if (watcher.passes('to server', nameOf(message, toServer))) server.write(message);
      }
    });
    server.on('data', (bytes) => {
      for (const message of toClient.read(bytes)) {
        if (message[0] === 0x4b) this.backend = message.readInt32BE(5);
        if (watcher.passes('to client', nameOf(message, toClient))) client.write(message);
      }
    });
    for (const socket of this.#sockets) {
      socket.on('error', () => {});
      socket.on('close', () => {
        this.destroy();
        watcher.gone();
      });
    }
  }

  destroy(): void {
    for (const socket of this.#sockets) socket.destroy();
  }
}

function nameOf(message: Buffer, messages: Messages): string {
  return messages.wasStartup ? 'startup' : String.fromCharCode(message[0] ?? 0);
}

/** Cuts a stream of bytes into messages: a type and a length, but for a client's first, which has no type. */
class Messages {
  wasStartup = false;
  #startsUp: boolean;
  #rest: Buffer = Buffer.alloc(0);

  constructor(isClient: boolean) {
    this.#startsUp = isClient;
  }

  *read(bytes: Buffer): Generator<Buffer> {
    this.#rest = this.#rest.length > 0 ? Buffer.concat([this.#rest, bytes]) : bytes;
    for (;;) {
      const typeBytes = this.#startsUp ? 0 : 1;
      if (this.#rest.length < typeBytes + 4) return;
      const length = typeBytes + this.#rest.readInt32BE(typeBytes);
      if (this.#rest.length < length) return;
      const message = this.#rest.subarray(0, length);
      this.#rest = this.#rest.subarray(length);
      this.wasStartup = this.#startsUp;
      this.#startsUp = false;
      yield message;
    }
  }
}
