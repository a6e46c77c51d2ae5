import { once } from 'node:events';
import net from 'node:net';

/** What a connection does to the bytes that pass over it. One at a time; `flow` is none. */
export type Fault =
  | { readonly kind: 'flow' }
  /** Nothing passes in either direction, and nobody is told: a stalled disk, a stopped process, a cable pulled out. */
  | { readonly kind: 'freeze' }
  /** Every chunk is late by so much, in each direction. */
  | { readonly kind: 'latency'; readonly ms: number }
  /** So many bytes every so often, in each direction. */
  | { readonly kind: 'drip'; readonly bytes: number; readonly everyMs: number }
  /** Requests pass and nothing comes back: it was done, and nobody learns of it. */
  | { readonly kind: 'deaf' };

export interface TcpProxy {
  readonly port: number;
  /** The same address with the proxy's host and port in it. */
  through(url: string): string;
  /** From now on, for connections that stand and connections to come. What was held back passes when it is set to `flow`. */
  set(fault: Fault): void;
  /** Breaks every connection that stands with a reset; new ones are taken. */
  cut(): void;
  /** Ends every connection as a peer does that says goodbye (FIN); new ones are taken. */
  hangUp(): void;
  /** The connection that carries the last of so many bytes to the client is reset just then: in the middle of an answer. Null calls it off. */
  resetAfter(bytesToClient: number | null): void;
  /** Connections refused at once (true), or taken again. */
  refuse(refused: boolean): void;
  /**
   * How much has passed, and what was really done to it: connections that stood and were cut or hung up, connections reset after so
   * many bytes, and bytes that were held back and let go.
   */
  readonly seen: {
    connections: number;
    toServer: number;
    toClient: number;
    broken: number;
    resets: number;
    held: number;
  };
  close(): Promise<void>;
}

/**
 * A small TCP proxy between two parts of the house, that can freeze, cut, delay, drip or reset what passes. It reads
 * only while it may pass on, so that a frozen connection fills up as a real one does.
 */
export async function tcpProxy(target: { readonly host: string; readonly port: number }): Promise<TcpProxy> {
  const proxy = new FaultyProxy(target);
  await proxy.listen();
  return proxy;
}

class FaultyProxy implements TcpProxy {
  readonly seen = { connections: 0, toServer: 0, toClient: 0, broken: 0, resets: 0, held: 0 };
  readonly #target: { readonly host: string; readonly port: number };
  readonly #server: net.Server;
  readonly #connections = new Set<ProxiedConnection>();
  #fault: Fault = { kind: 'flow' };
  #resetAfter: number | null = null;
  #isRefusing = false;
  #port = 0;

  constructor(target: { readonly host: string; readonly port: number }) {
    this.#target = target;
    this.#server = net.createServer({ allowHalfOpen: true, noDelay: true }, (client) => this.#take(client));
  }

  get port(): number {
    return this.#port;
  }

  async listen(): Promise<void> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    this.#port = (this.#server.address() as net.AddressInfo).port;
  }

  through(url: string): string {
    const address = new URL(url);
    address.hostname = '127.0.0.1';
    address.port = String(this.#port);
    return address.toString();
  }

  set(fault: Fault): void {
    this.#fault = fault;
    for (const connection of this.#connections) connection.set(fault);
  }

  cut(): void {
    this.seen.broken += this.#connections.size;
    for (const connection of [...this.#connections]) connection.reset();
  }

  hangUp(): void {
    this.seen.broken += this.#connections.size;
    for (const connection of [...this.#connections]) connection.end();
  }

  resetAfter(bytesToClient: number | null): void {
    this.#resetAfter = bytesToClient;
  }

  refuse(refused: boolean): void {
    this.#isRefusing = refused;
  }

  async close(): Promise<void> {
    for (const connection of [...this.#connections]) connection.reset();
    this.#server.close();
    await once(this.#server, 'close');
  }

  #take(client: net.Socket): void {
    if (this.#isRefusing) {
      client.resetAndDestroy();
      return;
    }
    this.seen.connections += 1;
    const server = net.connect({ ...this.#target, allowHalfOpen: true, noDelay: true });
    const connection = new ProxiedConnection(client, server, {
      passed: (direction, bytes) => this.#count(direction, bytes, connection),
      held: (bytes) => {
        this.seen.held += bytes;
      },
      gone: () => void this.#connections.delete(connection),
    });
    this.#connections.add(connection);
    connection.set(this.#fault);
  }

  #count(direction: 'toServer' | 'toClient', bytes: number, connection: ProxiedConnection): void {
    this.seen[direction] += bytes;
    if (direction !== 'toClient' || this.#resetAfter === null) return;
    this.#resetAfter -= bytes;
    if (this.#resetAfter > 0) return;
    this.#resetAfter = null;
    this.seen.resets += 1;
    connection.reset();
  }
}

interface Watcher {
  passed(direction: 'toServer' | 'toClient', bytes: number): void;
  held(bytes: number): void;
  gone(): void;
}

/** One connection of a client, and ours to the server for it. */
class ProxiedConnection {
  readonly #sockets: readonly [net.Socket, net.Socket];
  readonly #ways: readonly [Way, Way];
  readonly #watcher: Watcher;

  constructor(client: net.Socket, server: net.Socket, watcher: Watcher) {
    this.#sockets = [client, server];
    this.#watcher = watcher;
    this.#ways = [new Way(client, server, 'toServer', watcher), new Way(server, client, 'toClient', watcher)];
    for (const socket of this.#sockets) {
      socket.on('error', () => this.reset());
      socket.on('close', () => this.#closed());
    }
  }

  set(fault: Fault): void {
    const [toServer, toClient] = this.#ways;
    toServer.set(fault.kind === 'deaf' ? { kind: 'flow' } : fault);
    toClient.set(fault.kind === 'deaf' ? { kind: 'freeze' } : fault);
  }

  reset(): void {
    for (const socket of this.#sockets) socket.resetAndDestroy();
    this.#watcher.gone();
  }

  end(): void {
    for (const socket of this.#sockets) socket.destroySoon();
    this.#watcher.gone();
  }

  #closed(): void {
    for (const way of this.#ways) way.stop();
    if (this.#sockets.every(({ destroyed }) => destroyed)) this.#watcher.gone();
  }
}

/** One direction: reads, holds back as the fault says, writes. */
class Way {
  readonly #from: net.Socket;
  readonly #to: net.Socket;
  readonly #direction: 'toServer' | 'toClient';
  readonly #watcher: Watcher;
  #fault: Fault = { kind: 'flow' };
  #held: Buffer[] = [];
  #hasEnded = false;
  #timer: NodeJS.Timeout | null = null;

  constructor(from: net.Socket, to: net.Socket, direction: 'toServer' | 'toClient', watcher: Watcher) {
    this.#from = from;
    this.#to = to;
    this.#direction = direction;
    this.#watcher = watcher;
    from.on('data', (chunk) => {
      this.#held.push(chunk);
      this.#move();
    });
    from.on('end', () => {
      this.#hasEnded = true;
      this.#move();
    });
    from.on('close', () => {
      // Gone without a goodbye: the other side learns it at once, unless the connection is held still.
      if (!this.#hasEnded && this.#fault.kind !== 'freeze') to.destroy();
    });
    to.on('drain', () => this.#move());
  }

  set(fault: Fault): void {
    this.stop();
    // What came to a frozen connection waits in front of it, unread.
    if (this.#fault.kind === 'freeze') this.#watcher.held(this.#from.readableLength + this.#heldBytes());
    this.#fault = fault;
    this.#move();
  }

  stop(): void {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
  }

  #move(): void {
    const { kind } = this.#fault;
    if (kind === 'freeze') {
      this.#from.pause();
      return;
    }
    if (kind === 'flow') {
      for (const chunk of this.#held.splice(0)) this.#write(chunk);
      this.#readOn();
      if (this.#hasEnded && this.#held.length === 0) this.#to.end();
      return;
    }
    this.#moveLater();
  }

  /** Late or little by little: one timer at a time, what is left waits for the next. */
  #moveLater(): void {
    if (this.#timer || (this.#held.length === 0 && !this.#hasEnded)) return;
    const fault = this.#fault;
    const waitMs = fault.kind === 'latency' ? fault.ms : fault.kind === 'drip' ? fault.everyMs : 0;
    const ripe = this.#held.length;
    this.#from.pause();
    this.#timer = setTimeout(() => {
      this.#timer = null;
      const before = this.#heldBytes();
      if (fault.kind === 'drip') this.#write(this.#take(fault.bytes));
      else for (const chunk of this.#held.splice(0, ripe)) this.#write(chunk);
      this.#watcher.held(before - this.#heldBytes());
      this.#readOn();
      if (this.#held.length > 0) this.#moveLater();
      else if (this.#hasEnded) this.#to.end();
    }, waitMs);
  }

  #take(bytes: number): Buffer {
    const all = Buffer.concat(this.#held);
    this.#held = all.length > bytes ? [all.subarray(bytes)] : [];
    return all.subarray(0, bytes);
  }

  #write(chunk: Buffer): void {
    if (chunk.length === 0 || this.#to.destroyed) return;
    this.#to.write(chunk);
    this.#watcher.passed(this.#direction, chunk.length);
  }

  #heldBytes(): number {
    return this.#held.reduce((sum, { length }) => sum + length, 0);
  }

  #readOn(): void {
    if (this.#to.writableNeedDrain) this.#from.pause();
    else this.#from.resume();
  }
}
