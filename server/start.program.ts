import { Lifecycle } from './http/lifecycle.ts';
import { createHttpServer } from './http/server.ts';
import { main } from './start.ts';

// A program for start.test.ts: the product's start, doors and stop with an app of one page and one slow one.
await main(process.env, async ({ config, database, world }) => {
  const lifecycle = new Lifecycle();
  const http = await createHttpServer({
    contract: [],
    bindings: [],
    services: {
      database,
      checkReplies: true,
      gatekeepers: {
        readSession: async () => null,
        standingOf: async () => ({ isMember: false, offices: [] }),
      },
    },
    world,
    publicUrl: config.publicUrl,
    webFolder: null,
    pageSettings: { displayedMemberOffset: 0 },
    rateLimits: null,
    trustProxy: false,
    logLevel: config.logLevel,
    lifecycle,
  });
  http.get('/', async () => 'hello');
  http.get('/slow', async () => {
    console.log('slow begun');
    await new Promise((resolve) => setTimeout(resolve, 700));
    return database.sql`select 'done' as said`;
  });
  return { http, lifecycle, tasks: { nothing: async () => {} }, schedules: [] };
});
