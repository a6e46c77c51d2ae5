import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { proofsContract } from '@ushirika/contract/proofs';
import type { ChangeAsked } from '@ushirika/contract/voting';
import { runCommand } from '@ushirika/verifier/commands';
import { nodeCrypto } from '@ushirika/verifier/node-crypto';
import { checkReceipt, type Receipt } from '@ushirika/verifier/receipt';
import { compareWithLog } from '@ushirika/verifier/vote-in-log';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '../../db/test-database.ts';
import { testApp } from '../../http/test-app.ts';
import { marketTermsChange } from '../market/change-market-terms.ts';
import { saccoTermsChange } from '../market/change-sacco-terms.ts';
import { testTraders } from '../market/test-traders.ts';
import { standings } from '../membership/standings.ts';
import { testChanges } from '../saccos/test-changes.ts';
import { testVotes } from '../voting/test-votes.ts';
import { ballotsFile, issuedFile, publicVoteOf, rollFile } from '../voting/voting.queries.ts';
import { proofsRoutes } from './proofs.routes.ts';
import { logAndSign } from './test-logs.ts';

const NOBODYS = '01900000-0000-7000-8000-00000000dead';
const MARKET = {
  ...({
    price_mode: 'band',
    floor_percentage: 90,
    ceiling_percentage: 110,
    tick: 1_00,
    lot: 1,
    trading: 'open',
  } as const),
  ...{ fee_basis_points: 50, fee_min: 10_00, order_days_max: 90 },
};
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

describe('the files of a vote are compared with the receipt of its result', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tally-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  async function inDays(count: number): Promise<void> {
    for (let day = 0; day < count; day += 1) {
      votes.days(1);
      await votes.tend();
    }
  }

  /** A decided vote on the terms, of the board, with its public files and the receipt of its result. */
  async function decided(change: ChangeAsked, ballot: 'open' | 'secret') {
    // The vote before it is carried out first.
    votes.days(20);
    await votes.tend();
    const id = await votes.publish(sacco, board(), change, ballot);
    if (ballot === 'open') await votes.decide(id, sacco, members);
    // Nobody votes in either of two rounds.
    else {
      await inDays(12);
      expect(await database.sql`select round from proposals where id = ${id} and counted_at is null`).toEqual([
        { round: 2 },
      ]);
      await logAll();
      expect((await about('vote', id, board()[0])).status).toBe(404);
      await inDays(30);
    }
    await logAll();
    const { receipt } = (await about('vote', id, board()[0])).body;
    const vote = await publicVoteOf(database, id);
    const [roll, ballots, issued] = [
      await rollFile(database, id),
      await ballotsFile(database, id),
      await issuedFile(database, id),
    ];
    return { vote, roll, ballots, issued, receipt };
  }
  const terms = (fee: number): ChangeAsked => ({
    kind: 'sacco_terms',
    values: { reg_fee: fee, min_shares: 5, share_value: 100_00 },
  });
  type Files = Awaited<ReturnType<typeof decided>>;

  /** @returns the code that `tally` ends with, and the beginnings of the steps that it did not pass */
  async function tally({ vote, roll, ballots, issued, receipt }: Files) {
    const write = (name: string, text: string) => writeFile(join(folder, name), text);
    await write('vote.json', JSON.stringify(vote));
    await write('roll.txt', roll);
    await write('ballots.txt', ballots);
    await write('issued.txt', issued);
    await write('receipt.json', JSON.stringify(receipt));
    const said: string[] = [];
    const words = ['tally', folder, '--receipt', join(folder, 'receipt.json'), '--key', receipt.key];
    const code = await runCommand(words, {
      say: (line) => said.push(line),
      stop: new AbortController().signal,
      now: database.now,
    });
    return [code, said.filter((line) => /^(FAILED|NOT)/.test(line)).map((line) => line.slice(13, 38))];
  }
  const notOnChain = ['The log on the chain conti', 'The chain itself has this '].map((words) => words.slice(0, 25));

  test('in an open vote: another title, rule, roll or count than was logged is found', async () => {
    const files = await decided(terms(502_00), 'open');
    const { vote } = files;
    expect(await tally(files)).toEqual([0, notOnChain]);
    expect(await tally({ ...files, vote: { ...vote, title: 'We keep our terms' } })).toEqual([
      1,
      [...notOnChain, 'The title is as it was lo'],
    ]);
    // Strangers are not told each title.
    expect(await tally({ ...files, vote: { ...vote, title: '' } })).toEqual([
      0,
      [...notOnChain, 'The title is as it was lo'],
    ]);
    const rules = { ...vote.rules, timelock_hours: 1 };
    expect(await tally({ ...files, vote: { ...vote, rules } })).toEqual([
      1,
      [...notOnChain, 'The rules are as they wer'],
    ]);
    const renumbered = (text: string) => text.replaceAll(files.roll.slice(0, 32), '0'.repeat(32));
    const [roll, ballots] = [renumbered(files.roll), renumbered(files.ballots)];
    expect(await tally({ ...files, roll, ballots })).toEqual([1, [...notOnChain, 'The roll is as it was log']]);
    const { asked: _, ...older } = files.receipt.opening.head;
    expect(compareWithLog({ ...vote, roll_size: vote.roll_size ?? 0 }, files, older)).toMatchObject({
      lines: [expect.stringContaining('PASSED'), expect.stringContaining('NOT CHECKED')],
      code: 2,
    });
    // One who was for it abstains: ballots and announced counts agree, and the log does not.
    const [round] = vote.rounds;
    if (!round) throw new Error('No round.');
    const changed = { for: round.tally.for - 1, against: 0, abstain: 1 };
    const turned = { ...vote, rounds: [{ ...round, tally: changed }], result: changed };
    expect(await tally({ ...files, vote: turned, ballots: files.ballots.replace('"for"', '"abstain"') })).toEqual([
      1,
      [...notOnChain, 'The counts of round 1 and'],
    ]);
  });

  test('in a secret one: the key and the roll of the second round too, and a receipt of another vote is none', async () => {
    const files = await decided({ kind: 'market_terms', values: { ...MARKET, fee_min: 11_00 } }, 'secret');
    const { vote } = files;
    expect(vote.rounds).toHaveLength(2);
    expect(await tally(files)).toEqual([0, notOnChain]);
    const keys = vote.keys.map(({ round }) => ({ round, key: vote.keys[2 - round]?.key ?? '' }));
    expect(await tally({ ...files, vote: { ...vote, keys } })).toEqual([
      1,
      [...notOnChain, 'The key of the ballots is'],
    ]);
    const roll = files.roll.replace(/[0-9a-f]{32} 2/, `${'0'.repeat(32)} 2`);
    expect(await tally({ ...files, roll })).toEqual([1, [...notOnChain, 'The roll is as it was log']]);
    const issued = `${JSON.stringify({ round: 2, handle: files.roll.slice(-35, -3) })}\n`;
    expect(await tally({ ...files, issued })).toEqual([1, [...notOnChain, 'The numbers that were giv']]);
    const other = await decided(terms(504_00), 'open');
    expect(await tally({ ...files, receipt: other.receipt })).toEqual([
      1,
      [...notOnChain, 'The receipt is of the res'],
    ]);
  });
});
