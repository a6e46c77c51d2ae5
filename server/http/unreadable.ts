import { Refusal } from '@ushirika/contract/refusal';

interface ClientSocket {
  readonly writable: boolean;
  readonly destroyed: boolean;
  readonly bytesRead?: number;
  write(text: string): unknown;
  destroy(error?: Error): unknown;
}

/**
 * Answers bytes that are no HTTP request: what cannot be parsed, too large headers, headers that never end. Fastify has
 * no request yet, so the answer is written to the socket, with the headers and the error body of all other answers.
 *
 * A connection that a browser opened in advance and did not use is closed without a word: a browser that is about to
 * use it would take a word for the answer to its request. After a mere close it asks again on another connection.
 */
export function refuseUnreadable(
  headers: Readonly<Record<string, unknown>>,
): (error: Error, socket: ClientSocket) => void {
  const fixed = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return (error, socket) => {
    const { code } = error as { code?: unknown };
    if (code === 'ECONNRESET' || socket.destroyed) return;
    if (socket.bytesRead === 0) {
      socket.destroy();
      return;
    }
    const refusal = new Refusal(code === 'HPE_HEADER_OVERFLOW' ? 'payload_too_large' : 'malformed_request');
    const body = JSON.stringify(refusal.body());
    const words = refusal.status === 413 ? 'Payload Too Large' : 'Bad Request';
    if (socket.writable) {
      socket.write(
        `HTTP/1.1 ${refusal.status} ${words}\r\n${fixed.join('')}Cache-Control: no-store\r\nConnection: close\r\n` +
          `Content-Type: application/json; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
      );
    }
    socket.destroy(error);
  };
}
