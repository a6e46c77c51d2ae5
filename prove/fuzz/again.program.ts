import { copyTemplate } from '../../server/db/test-copy.ts';
import { startThrowAway } from '../../server/db/test-server.ts';
import { startProduct } from '../support/product.ts';
import { concrete } from './campaign.ts';
import { gather, mostlyQuickPasswords } from './crowd.ts';
import { LendingDesk } from './lending.ts';
import { Pools } from './pools.ts';
import { replay } from './regressions.ts';
import { send } from './send.ts';
import { tapOf } from './sql-tap.ts';

/** `node prove/fuzz/again.program.ts '<line>'`: sends a request that the fuzzer printed, to the same people and saccos. */
const line = process.argv[2] ?? '';
const { server, end } = await startThrowAway();
try {
  const database = await copyTemplate(server.urlOf('postgres'), { poolSize: 6 });
  const passwords = mostlyQuickPasswords(database.world);
  const product = await startProduct(database, { LOG_LEVEL: 'error' }, { passwords });
  const crowd = await gather(product, new Pools());
  const pools = new Pools();
  const ground = { crowd, pools, lending: new LendingDesk(crowd, pools), tap: await tapOf(product) };
  console.log((await replay(ground, line, 5_000)) ?? 'Nothing is wrong with the answer:');
  console.log(await send({ crowd, limitMs: 5_000 }, concrete(crowd, line), 'inside'));
  await product.close();
} finally {
  await end();
}
process.exit(0);
