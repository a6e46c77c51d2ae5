import { Refusal } from '@ushirika/contract/refusal';
import type { FastifyInstance } from 'fastify';
import { buildApp } from '../../server/app.ts';
import { Deadline, withDeadline } from '../../server/db/deadline.ts';
import type { Database } from '../../server/db/tx.ts';
import { Requests } from '../../server/http/requests.ts';
import { type App, type AppParts, main } from '../../server/start.ts';

/**
 * The product as `server/main.ts` starts it, in a process of its own. `LIFE_BROKEN` breaks one part of its graceful
 * life from outside, for the negative controls of this harness; the product itself reads no such setting.
 */
const broken = process.env.LIFE_BROKEN ?? '';

async function build(parts: AppParts): Promise<App> {
  if (broken === 'late_commit') ignoreDeadlines(parts.database);
  if (broken === 'stays_silent') Requests.prototype.refuseAll = () => {};
  if (broken === 'stays_cut') loseForGood(parts.database);
  if (broken === 'forgets_commit') Deadline.prototype.commits = Deadline.prototype.check;
  const app = await buildApp(parts);
  const { http, lifecycle } = app;
  if (broken === 'ready_to_the_end' && lifecycle) {
    const needs: typeof lifecycle.needs = (reason, holds) => lifecycle.needs(reason, holds);
    return { ...app, lifecycle: { needs, open: () => lifecycle.open(), drain() {} } };
  }
  if (broken === 'drops_under_way') {
    const close = async () => {
      (http as unknown as FastifyInstance).server.closeAllConnections();
      await http.close();
    };
    return { ...app, http: { listen: (address) => http.listen(address), close } };
  }
  return app;
}

/** A transaction goes on after its request was told that nothing would happen. */
function ignoreDeadlines(database: Database): void {
  const { transaction } = database;
  Object.assign(database, {
    transaction: (run: Parameters<typeof transaction>[0]) =>
      withDeadline(new Deadline({ isOfOneRequest: false }), () => transaction(run)),
  });
}

const LOSSES: ReadonlySet<string> = new Set(['unavailable', 'unknown_outcome']);

/** Once a line was lost, every transaction fails as that one did. */
function loseForGood(database: Database): void {
  const { transaction } = database;
  let loss: unknown;
  Object.assign(database, {
    transaction: async (run: Parameters<typeof transaction>[0]) => {
      if (loss) throw loss;
      return transaction(run).catch((error: unknown) => {
        if (error instanceof Refusal && LOSSES.has(error.code)) loss = error;
        throw error;
      });
    },
  });
}

await main(process.env, build);
