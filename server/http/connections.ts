import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Requests } from './requests.ts';

/** Bounds memory and file handles: a connection costs some 20 kB even when it says nothing. */
const CONNECTIONS_MAX = 10_000;

/** The lines of a server. Node's own `closeIdleConnections` leaves those that have never said anything. */
export class Connections {
  readonly #open = new Set<Socket>();
  readonly #requests: Requests;
  #refused = 0;

  constructor(server: Server, requests: Requests) {
    this.#requests = requests;
    server.maxConnections = CONNECTIONS_MAX;
    server.on('connection', (socket: Socket) => {
      this.#open.add(socket);
      socket.once('close', () => void this.#open.delete(socket));
    });
    server.on('drop', () => {
      this.#refused += 1;
    });
  }

  get count(): number {
    return this.#open.size;
  }

  /** How many were not taken because there were too many. */
  get refused(): number {
    return this.#refused;
  }

  /** Ends every line on which nobody waits for an answer; what was written to it is delivered first. */
  endQuiet(): void {
    const busy = this.#requests.sockets();
    for (const socket of [...this.#open]) if (!busy.has(socket)) socket.destroySoon();
  }
}
