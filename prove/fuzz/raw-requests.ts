import type { Random } from '../random.ts';

const head = (token: string) => `Host: a\r\nAuthorization: Token ${token}\r\n`;

/** What a client that is none may write to the port. */
const MAKERS: readonly ((token: string) => string)[] = [
  () => '\r\n\r\n',
  () => '\u0000'.repeat(100),
  () => 'GET\r\n\r\n',
  () => 'GET /api/v1/public/figures HTTP/9.9\r\nHost: a\r\n\r\n',
  () => 'GET /api/v1/public/figures HTTP/1.1\r\n\r\n',
  () => 'GET /api/v1/public/figures HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n',
  () => 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  () => 'TRACE /api/v1/public/figures HTTP/1.1\r\nHost: a\r\n\r\n',
  () => 'CONNECT evil.example:443 HTTP/1.1\r\nHost: a\r\n\r\n',
  () => 'OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n',
  () => 'GET http://evil.example/ HTTP/1.1\r\nHost: a\r\n\r\n',
  () => 'GET /%zz%00 HTTP/1.1\r\nHost: a\r\n\r\n',
  () => 'GET /\u0080\u00ff HTTP/1.1\r\nHost: a\r\n\r\n',
  () => `GET /${'a'.repeat(20_000)} HTTP/1.1\r\nHost: a\r\n\r\n`,
  () => `GET / HTTP/1.1\r\nHost: a\r\nX: ${'a'.repeat(20_000)}\r\n\r\n`,
  () => `GET / HTTP/1.1\r\nHost: a\r\n${'X: a\r\n'.repeat(3_000)}\r\n`,
  () => 'GET / HTTP/1.1\r\nHost: a\r\nX : b\r\n\r\n',
  () => 'GET / HTTP/1.1\r\nHost: a\r\n X: folded\r\n\r\n',
  () => 'GET / HTTP/1.1\r\nHost: a\r\nUpgrade: h2c\r\nConnection: Upgrade\r\n\r\n',
  (token) =>
    `POST /api/v1/sacco/savings/deposit HTTP/1.1\r\n${head(token)}Content-Type: application/json\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\n{"a":1`,
  (token) =>
    `POST /api/v1/sacco/savings/deposit HTTP/1.1\r\n${head(token)}Content-Type: application/json\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET / HTTP/1.1\r\n\r\n`,
  (token) =>
    `POST /api/v1/sacco/savings/deposit HTTP/1.1\r\n${head(token)}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n{"a":1}\r\n0\r\n\r\n`,
  (token) =>
    `POST /api/v1/sacco/savings/deposit HTTP/1.1\r\n${head(token)}Content-Type: application/json\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n`,
  (token) =>
    `POST /api/v1/sacco/savings/deposit HTTP/1.1\r\n${head(token)}Content-Type: application/json\r\nContent-Length: -1\r\n\r\n`,
  (token) =>
    `POST /api/v1/sacco/savings/deposit HTTP/1.1\r\n${head(token)}Content-Type: application/json\r\nContent-Length: 99999999999\r\n\r\n{}`,
  (token) =>
    `POST /api/v1/sacco/savings/deposit HTTP/1.1\r\n${head(token)}Content-Type: application/json\r\nContent-Length: 40\r\n\r\n{"amount":1`,
  (token) =>
    `POST /api/v1/sacco/savings/deposit HTTP/1.1\r\n${head(token)}Expect: 100-continue\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}`,
  (token) =>
    `POST /api/v1/sacco/savings/deposit HTTP/1.1\r\n${head(token)}Expect: 200-magic\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}`,
  (token) => `GET /api/v1/client/ HTTP/1.1\r\n${head(token)}\r\n`.repeat(20),
  (token) => `GET /api/v1/client/ HTTP/1.0\r\n${head(token)}\r\n`,
];

/** One of them, as it is or with a byte of it changed. */
export function rawRequests(random: Random, token: string): Buffer {
  const bytes = Buffer.from(random.pick(MAKERS)(token), 'latin1');
  if (random.chance(0.3)) bytes[random.whole(0, Math.min(bytes.length, 200) - 1)] = random.whole(0, 255);
  return random.chance(0.1) ? bytes.subarray(0, random.whole(1, bytes.length)) : bytes;
}
