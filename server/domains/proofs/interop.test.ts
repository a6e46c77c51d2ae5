import { execFile } from 'node:child_process';
import { proofsContract } from '@ushirika/contract/proofs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '../../db/test-database.ts';
import { testApp } from '../../http/test-app.ts';
import { proofsRoutes } from './proofs.routes.ts';
import { logAndSign } from './test-logs.ts';

let database: TestDatabase;
let app: Awaited<ReturnType<typeof testApp>>;
let log: string;

/** Logs so many more journals, and signs the head. */
async function grow(journals: number, round: number): Promise<void> {
  await database.owner`
    insert into journals (idempotency_key, kind, about_type, about_id, posted_at, caused_by)
    select 'interop ' || ${round}::int || ' ' || n, 'wallet_topped_up', 'test', gen_random_uuid(), now(), null
    from generate_series(1, ${journals}::int) n`;
  await logAndSign(database);
}

beforeAll(async () => {
  database = await testDatabase();
  app = await testApp({ database, contract: proofsContract, bindings: proofsRoutes({ database }) });
  log = `${await app.listen()}/api/v1/log/platform`;
  for (const [round, journals] of [3, 252, 300, 101].entries()) await grow(journals, round);
  database.world.advance(2 * 86_400_000);
});
afterAll(async () => {
  await app.close();
  await database.close();
});

const check = (address: string) =>
  new Promise<{ code: number; said: string }>((resolve) => {
    execFile(process.execPath, ['verifier/interop/run.mjs', address], (error, stdout, stderr) => {
      resolve({ code: Number(error?.code ?? 0), said: stdout + stderr });
    });
  });

test('the Go project’s own library checks a running log: its head, its tiles, its entries, and that it only grew', async () => {
  const { code, said } = await check(log);
  if (said.startsWith('SKIPPED: ')) {
    console.log(said);
    return;
  }
  expect(said.trim().split('\n')).toEqual([
    'PASSED: the head of 657 entries is signed by ushirika.test/log/platform',
    ...[0, 328, 656].flatMap((at) => [
      `PASSED: entry ${at} is in the log, by its tiles and by the server's proof`,
      `PASSED: entry ${at} is what its leaf is the hash of`,
    ]),
    ...[556, 256, 4].map((size) => `PASSED: the head continues the head of ${size} entries`),
  ]);
  expect(code).toBe(0);
}, 300_000);
