import { writeFileSync } from 'node:fs';
import { isLost } from '../server/db/database.ts';
import { startThrowAway } from '../server/db/test-server.ts';
import type { Harness, Order } from './harness.ts';
import { whateverHappens } from './support/waiting.ts';

// One run of one harness for `prove.ts`, on a throw-away PostgreSQL; its outcome goes to a file.

// A run that is called off takes what it has started with it.
for (const name of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.once(name, () => process.exit(143));
// As the server's own process has it (server/start.ts): a server that a harness cut off may break as it makes a connection.
process.on('unhandledRejection', (error) => {
  if (!isLost(error)) throw error;
  console.error('A connection to PostgreSQL broke as it was made:', error);
});

const order = JSON.parse(process.argv[2] ?? '{}') as Order;
const { harness } = (await import(`./${order.name}/${order.name}.harness.ts`)) as { harness: Harness };
const { server, prepared, end, remove } = await startThrowAway();
const ending = whateverHappens(() => {
  process.kill(server.pid, 'SIGQUIT');
  remove();
});
try {
  const outcome = await harness.run({
    tier: order.tier,
    seed: order.seed,
    serverUrl: server.urlOf('postgres'),
    prepared,
    ...(order.part === undefined ? {} : { part: order.part }),
    ...(order.broken === undefined ? {} : { broken: order.broken }),
    tell: (line) => console.log(`      ${line}`),
  });
  writeFileSync(order.file, JSON.stringify(outcome));
} finally {
  await end();
  ending.done();
}
process.exit(0);
