import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Requests } from './requests.ts';

/** Bounds memory and file handles: an idle connection costs some 20 kB. */
const CONNECTIONS_MAX = 10_000;

/**
 * The open connections of a server. Node's own `closeIdleConnections` misses connections that have never sent anything.
 */
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

  /** Connections that were refused because too many were open. */
  get refused(): number {
    return this.#refused;
  }

  /** Closes each connection that has no request under way. Bytes written to it before are still delivered. */
  closeIdle(): void {
    const busy = this.#requests.sockets();
    for (const socket of [...this.#open]) if (!busy.has(socket)) socket.destroySoon();
  }
}
