import { proofsContract } from '@ushirika/contract/proofs';
import { nodeCrypto } from '@ushirika/verifier/node-crypto';
import { checkReceipt, type Receipt } from '@ushirika/verifier/receipt';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '../../db/test-database.ts';
import { testApp } from '../../http/test-app.ts';
import { marketTermsChange } from '../market/change-market-terms.ts';
import { saccoTermsChange } from '../market/change-sacco-terms.ts';
import { testTraders } from '../market/test-traders.ts';
import { standings } from '../membership/standings.ts';
import { testChanges } from '../saccos/test-changes.ts';
import { testVotes } from '../voting/test-votes.ts';
import { proofsRoutes } from './proofs.routes.ts';
import { logAndSign } from './test-logs.ts';

const NOBODYS = '01900000-0000-7000-8000-00000000dead';
let database: TestDatabase;
let app: Awaited<ReturnType<typeof testApp>>;
let votes: ReturnType<typeof testVotes>;
let sacco: string;
let members: string[];
let stranger: string;

beforeAll(async () => {
  database = await testDatabase();
  const traders = testTraders(database);
  votes = testVotes(database, testChanges({ market_terms: marketTermsChange(), sacco_terms: saccoTermsChange() }));
  sacco = await traders.sacco(5);
  await database.owner`update offices set ended_at = ${database.now()} where sacco_id = ${sacco}`;
  members = [];
  for (let n = 0; n < 6; n += 1) members.push(await traders.trader(sacco, { shares: 20 }));
  await traders.treasurer(sacco, board()[0]);
  await traders.official(sacco, board()[1], 'secretary');
  await votes.onRoll(sacco, members, await traders.trader(sacco, { name: 'Officer' }));
  stranger = await traders.trader(await traders.sacco(5), { shares: 5 });
  app = await testApp({
    database,
    contract: proofsContract,
    bindings: proofsRoutes({ database }),
    standingOf: standings(database),
  });
});
afterAll(async () => {
  await app.close();
  await database.close();
});

const board = () => [members[0], members[1]] as [string, string];
const about = (what: string, id: string, as?: string) =>
  app.call('GET', `/log/receipts/about/${what}/${id}`, as ? { as } : {});
const logAll = () => logAndSign(database, 'sacco.test/log');

/** An event as the tables of loans and pools write it. @returns the id of what it is about */
async function signed(by: string, kind: 'loans' | 'pools', event: string, name: string): Promise<string> {
  const [row] = await database.owner<{ id: string }[]>`
    insert into log_events (sacco_id, kind, subject_id, head, parts)
    values (${sacco}, ${kind}, ${by}, jsonb_build_object('event', ${event}::text, ${name}::text, gen_random_uuid()),
      jsonb_build_array(jsonb_build_object('owner', ${by}::text)))
    returning head ->> ${name} as id`;
  return row?.id ?? '';
}

async function isProven(receipt: Receipt): Promise<boolean> {
  const steps = await checkReceipt(nodeCrypto, receipt, { keys: [receipt.key], chain: null });
  return steps.slice(0, 3).every(({ state }) => state === 'passed');
}

test.each([
  ['guarantee', 'loans', 'guarantee_signed', 'guarantee'],
  ['pool-contract', 'pools', 'pool_contract_signed', 'contract'],
] as const)(
  'the receipt of a %s is found by its id, by whoever signed it and by nobody else',
  async (what, kind, event, name) => {
    const [signer, other] = board();
    const id = await signed(signer, kind, event, name);
    expect((await about(what, id, signer)).body).toEqual({ state: 'being_logged', receipt: null });
    await logAll();
    const { body } = await about(what, id, signer);
    expect(body).toMatchObject({ state: 'logged', receipt: { opening: { head: { event, [name]: id } } } });
    expect(body.receipt.opening.shown).toMatchObject([{ value: { owner: signer } }]);
    expect(await isProven(body.receipt)).toBe(true);
    expect((await about(what, id, other)).status).toBe(404);
    expect((await about(what, id)).status).toBe(401);
    expect((await about(what === 'guarantee' ? 'pool-contract' : 'guarantee', id, signer)).status).toBe(404);
    expect((await about('vote', id, signer)).status).toBe(404);
    expect((await about(what, NOBODYS, signer)).status).toBe(404);
  },
);

test('a vote has a receipt of its result for each member, and of an open ballot for who cast it', async () => {
  const values = { reg_fee: 501_00, min_shares: 5, share_value: 100_00 };
  const id = await votes.publish(sacco, board(), { kind: 'sacco_terms', values });
  const [voter, other] = board();
  expect((await about('ballot', id, voter)).status).toBe(404);
  expect((await about('vote', id, voter)).status).toBe(404);
  await votes.decide(id, sacco, [voter, ...members.slice(2)]);
  expect((await about('vote', id, other)).body).toEqual({ state: 'being_logged', receipt: null });
  await logAll();
  const ballot = (await about('ballot', id, voter)).body.receipt;
  expect(ballot.opening).toMatchObject({
    head: { event: 'open_ballot', proposal: id },
    shown: [{ value: { owner: voter, choice: 'for' } }],
  });
  expect(await isProven(ballot)).toBe(true);
  expect((await about('ballot', id, other)).status).toBe(404);
  const result = (await about('vote', id, other)).body.receipt;
  expect(result.opening).toMatchObject({ head: { event: 'vote_counted', proposal: id, for: 5 }, shown: [] });
  expect(await isProven(result)).toBe(true);
  expect((await about('vote', id, stranger)).status).toBe(404);
  expect((await about('vote', id)).status).toBe(401);
});
