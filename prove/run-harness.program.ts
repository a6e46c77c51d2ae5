import { writeFileSync } from 'node:fs';
import { startThrowAway } from '../server/db/test-server.ts';
import type { Harness, Tier } from './harness.ts';

/** One run of one harness for `prove.ts`, on a throw-away PostgreSQL; its outcome goes to a file. */
interface Order {
  readonly name: string;
  readonly tier: Tier;
  readonly seed: number;
  readonly broken?: string;
  readonly file: string;
}

const order = JSON.parse(process.argv[2] ?? '{}') as Order;
const { harness } = (await import(`./${order.name}/${order.name}.harness.ts`)) as { harness: Harness };
const { server, end } = await startThrowAway();
try {
  const outcome = await harness.run({
    tier: order.tier,
    seed: order.seed,
    serverUrl: server.urlOf('postgres'),
    ...(order.broken === undefined ? {} : { broken: order.broken }),
    tell: (line) => console.log(`      ${line}`),
  });
  writeFileSync(order.file, JSON.stringify(outcome));
} finally {
  await end();
}
process.exit(0);
