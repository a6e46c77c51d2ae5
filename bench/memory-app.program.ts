import { readFileSync } from 'node:fs';
import type { ReplyOf } from '@ushirika/contract/route';
import { readSummary, summaryContract } from '@ushirika/contract/summary';
import type { Database } from '../server/db/tx.ts';
import { bindHandler } from '../server/http/bind.ts';
import { createHttpServer } from '../server/http/server.ts';
import { realWorld } from '../server/world.ts';

/**
 * `GET /client/summary` on the product's own HTTP stack, without a database: the session comes from a map and the reply
 * is the one that the product gave. What is left is the price of HTTP itself.
 */
interface Known {
  readonly sessions: Readonly<Record<string, string>>;
  readonly reply: ReplyOf<typeof readSummary>;
}

const { sessions, reply } = JSON.parse(readFileSync(process.env.BENCH_KNOWN ?? '', 'utf8')) as Known;
const users = new Map(Object.entries(sessions));
const noDatabase = {} as Database;

const http = await createHttpServer({
  contract: summaryContract,
  bindings: [bindHandler(readSummary, async () => reply)] as never,
  services: {
    database: noDatabase,
    checkReplies: false,
    gatekeepers: {
      readSession: async (token) => {
        const userId = users.get(token);
        return userId ? { userId, sessionId: userId, isOperator: false, mayHoldOffice: true } : null;
      },
      standingOf: async () => ({ isMember: false, offices: [] }),
    },
  },
  world: realWorld,
  publicUrl: 'http://localhost',
  webFolder: null,
  pageSettings: { displayedMemberOffset: 0 },
  rateLimits: null,
  trustProxy: false,
  logLevel: 'warn',
});
await http.listen({ port: Number(process.env.PORT), host: '127.0.0.1' });
process.on('SIGTERM', () => void http.close().then(() => process.exit(0)));
console.log('First answer can be given.');
