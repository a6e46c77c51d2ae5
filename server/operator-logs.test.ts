import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { nodeCrypto } from '@ushirika/verifier/node-crypto';
import { isSignedBy, keyChangeText, parseCheckpoint, parseKey } from '@ushirika/verifier/note';
import { checkReceipt, type Receipt } from '@ushirika/verifier/receipt';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from './db/test-database.ts';
import { testPeople } from './db/test-people.ts';
import { createKeyring } from './domains/identity/keyring.ts';
import { ChainWitness } from './domains/proofs/chain-witness.ts';
import { logFactsOf } from './domains/proofs/log-facts.queries.ts';
import { proofsInvariants } from './domains/proofs/proofs.invariants.ts';
import { consistencyOf, newestCheckpoint, receiptOf } from './domains/proofs/proofs.queries.ts';
import { publishAnchors } from './domains/proofs/publish-anchors.ts';
import { Sequencer } from './domains/proofs/sequencer.ts';
import { signCheckpoints } from './domains/proofs/sign-checkpoints.ts';
import { SignedHeads } from './domains/proofs/signed-heads.ts';
import { copied, logAll, testKeyring } from './domains/proofs/test-logs.ts';
import { testSaccos } from './domains/saccos/test-saccos.ts';
import { createChain } from './gateways/chain/chain.ts';
import type { ChainSettings } from './gateways/chain/chain.types.ts';
import { type LocalChain, prepareLocalChain, startLocalChain } from './gateways/chain/local-chain.ts';
import { breaches } from './ledger/invariants.ts';
import { runOperator } from './operator.ts';

const originBase = 'sacco.test/log';
let database: TestDatabase;
let fund: (personId: string, cents: number) => Promise<void>;
let member: string;
let folder: string;
let chainSettings: ChainSettings | null;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'ushirika-heads-'));
  chainSettings = null;
  database = await testDatabase();
  member = await testPeople(database).person('Amina', 'Wafula');
  ({ fund } = testSaccos(database));
  return async () => {
    await database.close();
    rmSync(folder, { recursive: true });
  };
});

/** Runs a command as an operator would, beside the server. */
async function operator(
  args: string,
  of = database,
  env: Readonly<Record<string, string>> = {},
  keyring = testKeyring,
) {
  const lines: string[] = [];
  const tools = { heads: new SignedHeads(folder), chainSettings, keyring: async () => keyring };
  const status = await runOperator(args.split(' '), async () => ({ database: of, tools, close: async () => {} }), {
    print: (line) => lines.push(line),
    readLine: async () => '',
    askSecret: null,
    env,
  });
  return { status, lines };
}

async function sign(of = database): Promise<number> {
  await logAll(of, new Sequencer({ database: of, originBase }));
  const deps = { database: of, keyring: testKeyring, heads: new SignedHeads(folder) };
  return signCheckpoints({ ...deps, chainWitness: new ChainWitness(async () => null) });
}

/** Movements without an account: what counts is that each is a journal. */
const grow = (of: TestDatabase, times: number) => of.owner`
  insert into journals (idempotency_key, kind, about_type, about_id, posted_at)
  select gen_random_uuid(), 'wallet_topped_up', 'test', ${member}, now() from generate_series(1, ${times}) n`;
const tamper = (statement: string) =>
  database.owner.begin(async (sql) => {
    await sql`set local session_replication_role = replica`;
    await sql.unsafe(statement);
  });
const sound = async () => expect(await breaches(database.owner, proofsInvariants)).toEqual([]);

/** The older copy of a database whose newer one had signed seven entries; two events and movements of its own are in it. */
async function restored(): Promise<void> {
  await fund(member, 100_00);
  await fund(member, 200_00);
  expect(await sign()).toBe(1);
  const both = await copied(database);
  await grow(both.database, 4);
  expect(await sign(both.database)).toBe(1);
  await both.database.close();
  database = both.older;
  await database.owner`
    insert into log_events (sacco_id, kind, subject_id, head, parts)
    values (null, 'pools', ${member}, '{"event": "signed"}', jsonb_build_array(jsonb_build_object('owner', ${member}::uuid)))`;
  await grow(database, 1);
  expect(await sign()).toBe(0);
}

describe('a halted log', () => {
  test('is not continued while the cause is there, and begins anew with the last head that was signed', async () => {
    await restored();
    const halted =
      'sacco.test/log/platform  5 entries, signed 3 at .*, HALTED since .*: the file of this machine has 7 entries of it, and the database 5';
    const signed = (await new SignedHeads(folder).read()).get('sacco.test/log/platform');
    const { keys: vkeys } = await logFactsOf(database, 'platform', null);
    const checkpoint = parseCheckpoint(signed?.note ?? '');
    expect(checkpoint).toMatchObject({ origin: 'sacco.test/log/platform', size: 7 });
    expect(await isSignedBy(nodeCrypto, checkpoint, parseKey(nodeCrypto.sha256, vkeys[0] ?? ''))).toBe(true);
    expect((await operator('log status')).lines).toEqual([
      expect.stringMatching(new RegExp(`^${halted}$`)),
      `The head of it that this machine signed last:\n${signed?.note?.trimEnd()}`,
      `1 heads are kept in ${join(folder, 'signed-heads.txt')}.`,
    ]);
    expect(await operator('log continue platform')).toEqual({
      status: 1,
      lines: [
        'The log sacco.test/log/platform stays halted: the file of this machine has 7 entries of it, and the database 5. Restore the newest copy of the database, or see docs/chain.md.',
      ],
    });
    const before = await newestCheckpoint(database, 'platform');
    expect(await operator('log begin-anew platform')).toEqual({
      status: 0,
      lines: ['The log sacco.test/log/platform.2 goes on. Its first entry names 7 entries of the old one.'],
    });
    await sound();
    expect(await sign()).toBe(1);
    expect(await newestCheckpoint(database, 'platform')).toBe(before);
    const [old, now] = [await logFactsOf(database, 'platform', null), await logFactsOf(database, 'platform.2', null)];
    expect(old).toMatchObject({ origin: 'sacco.test/log/platform', beginning: null, halted_by: 'file' });
    expect(now).toMatchObject({ origin: 'sacco.test/log/platform.2', size: 3, halted_at: null });
    expect(now.generations).toEqual(old.generations);
    const kept = (await new SignedHeads(folder).read()).get('sacco.test/log/platform');
    const root = Buffer.from(kept?.root ?? []).toString('base64');
    expect(now.generations.map(({ log, last_head }) => ({ log, last_head }))).toEqual([
      { log: 'platform', last_head: { size: 7, root } },
      { log: 'platform.2', last_head: null },
    ]);
    const steps = await checkReceipt(nodeCrypto, now.beginning as Receipt, { keys: now.keys, chain: null });
    expect(steps.slice(0, 3).map(({ state }) => state)).toEqual(['passed', 'passed', 'passed']);
    expect(now.beginning?.opening.head).toMatchObject({
      kind: 'log_started',
      follows: { log: 'sacco.test/log/platform', size: 7, root, known_by: 'file' },
    });
  });

  test('leaves its unsigned entries to the next one: each movement has a receipt, once', async () => {
    await restored();
    await operator('log begin-anew platform');
    await grow(database, 1);
    await sign();
    const logs = await database.sql`
      select l.origin, count(*)::int as entries from log_entries e join logs l on l.id = e.log_id
      where e.journal_id is not null or e.event_id is not null group by l.origin order by l.origin`;
    expect(logs).toEqual([
      { origin: 'sacco.test/log/platform', entries: 2 },
      { origin: 'sacco.test/log/platform.2', entries: 3 },
    ]);
    const journals = await database.sql<{ id: number }[]>`
      select distinct j.id from journals j join transfers t on t.journal_id = j.id order by j.id`;
    for (const { id } of journals) {
      const receipt = (await receiptOf(database, member, id)) as Receipt;
      const { keys } = await logFactsOf(database, 'platform', null);
      const steps = await checkReceipt(nodeCrypto, receipt, { keys, chain: null });
      expect(steps.slice(0, 3).map(({ state }) => state)).toEqual(['passed', 'passed', 'passed']);
    }
    expect(await consistencyOf(database, 'platform', { from: 1, to: 3 })).toHaveLength(2);
    await sound();
    expect((await operator('log begin-anew platform')).lines).toEqual([
      'The log sacco.test/log/platform.2 is not halted. Nothing was done.',
    ]);
    expect((await operator('log status')).lines[0]).toMatch(/signed 3 at .*, ended /);
  });

  test('is continued once the cause has gone, and then not begun anew', async () => {
    await fund(member, 100_00);
    await sign();
    await tamper(`create table kept as select leaf from log_entries where i = 1`);
    await tamper(`update log_entries set leaf = sha256('another') where i = 1`);
    await fund(member, 200_00);
    expect(await sign()).toBe(0);
    expect((await operator('log continue platform')).lines[0]).toContain('has another root for its first 2 entries');
    await tamper('update log_entries set leaf = (select leaf from kept) where i = 1');
    expect((await operator('log begin-anew platform')).lines).toEqual([
      'The database continues what was signed again: use `log continue`. Nothing was begun.',
    ]);
    expect(await operator('log continue platform')).toMatchObject({ status: 0 });
    expect(await sign()).toBe(1);
    expect((await operator('log continue platform')).lines[0]).toContain('is not halted');
  });

  test.each([
    ['log', 'Which? npm run operator -- log status | continue | begin-anew | rotate-key'],
    ['log continue', 'Which? npm run operator -- log continue <sacco’s id, or platform>'],
    ['log begin-anew platform.x', 'Which? npm run operator -- log begin-anew <sacco’s id, or platform>'],
    ['log continue 01900000-0000-7000-8000-00000000dead', 'There is no such log that runs.'],
    ['log rotate-key lots', 'Which? npm run operator -- log rotate-key, or rotate-key lost'],
    ['chain rotate', 'chain rotate needs CHAIN_* of the servers and CHAIN_NEW_PRIVATE_KEY (0x and 64 digits).'],
  ])('is named in one sentence where the words are wrong: %s', async (args, words) => {
    expect(await operator(args)).toEqual({ status: 1, lines: [words] });
  });
});

describe('a new key of the logs', () => {
  test('signs from then on, and what the old one signed stays right', async () => {
    await fund(member, 100_00);
    await sign();
    const [journal] = await database.sql<{ id: number }[]>`select id from journals`;
    const old = (await receiptOf(database, member, journal?.id ?? 0)) as Receipt;
    database.world.advance(60_000);
    expect(await operator('log rotate-key')).toEqual({
      status: 0,
      lines: [expect.stringContaining('browsers that know that one follow by themselves')],
    });
    await fund(member, 200_00);
    await sign();
    const facts = await logFactsOf(database, 'platform', null);
    expect(facts.keys).toHaveLength(2);
    const at = database.now().toISOString();
    expect(facts.key_dates).toEqual([
      { since: at, until: null, signed_by_last: expect.any(String) },
      { since: expect.any(String), until: at, signed_by_last: null },
    ]);
    const [next, last] = facts.keys.map((vkey) => parseKey(nodeCrypto.sha256, vkey).publicKey);
    const signature = Buffer.from(facts.key_dates[0]?.signed_by_last ?? '', 'base64');
    const message = Buffer.from(keyChangeText(next ?? Buffer.alloc(32)));
    expect(await nodeCrypto.verifyEd25519(last ?? Buffer.alloc(32), message, signature)).toBe(true);
    const fresh = (await receiptOf(database, member, journal?.id ?? 0)) as Receipt;
    const states = async (receipt: Receipt, key: number) =>
      (await checkReceipt(nodeCrypto, receipt, { keys: facts.keys.slice(key, key + 1), chain: null }))[2]?.state;
    expect([await states(old, 1), await states(old, 0)]).toEqual(['passed', 'failed']);
    expect([await states(fresh, 0), await states(fresh, 1)]).toEqual(['passed', 'failed']);
    const [event] = await database.sql`select head ->> 'event' as event from log_facts order by i desc limit 1`;
    expect(event).toEqual({ event: 'key_rotated' });
    await expect(database.owner`update log_keys set retired_at = null`).rejects.toMatchObject({ code: '42501' });
    await expect(database.owner`delete from log_keys`).rejects.toMatchObject({ code: '42501' });
    await sound();
  });
});

test('a new key of the logs is refused where the old one cannot be opened; where that is lost, none signs for it', async () => {
  await fund(member, 100_00);
  await sign();
  const other = createKeyring([Buffer.alloc(32, 9)]);
  const keys = () => database.sql`select public_key, retired_at from log_keys`;
  const before = await keys();
  expect(await operator('log rotate-key', database, {}, other)).toEqual({
    status: 1,
    lines: [
      `The key of the logs is sealed with the key ${testKeyring.keyIds[0]}, which does not open it: it must be in SECRETS_KEY, or in secrets.key of DATA_DIR.\n` +
        'Put that key back. Where it is lost for good, `npm run operator -- log rotate-key lost` makes a new key of the logs.',
    ],
  });
  expect(await keys()).toEqual(before);
  expect(await operator('log rotate-key lost', database, {}, other)).toEqual({
    status: 0,
    lines: [expect.stringContaining('No older one has signed for it')],
  });
  const { key_dates } = await logFactsOf(database, 'platform', null);
  expect(key_dates.map(({ signed_by_last }) => signed_by_last)).toEqual([null, null]);
});

describe('a new key of the chain', () => {
  let local: LocalChain;
  beforeAll(async () => {
    local = await startLocalChain(null);
  });
  afterAll(() => local.stop());

  test('is given the logs and the contract; the old one is refused', async () => {
    const settings = await prepareLocalChain(local, null);
    chainSettings = settings;
    await fund(member, 100_00);
    await sign();
    await publishAnchors({ database, chain: createChain(settings) });
    const next = `0x${'22'.repeat(32)}` as const;
    const { privateKeyToAccount } = await import('viem/accounts');
    const { address } = privateKeyToAccount(next);
    const rotate = () => operator('chain rotate', database, { CHAIN_NEW_PRIVATE_KEY: next });
    expect((await rotate()).lines).toEqual([
      'Not all was given to the new key: The chain refuses: no_funds. Run it again to go on.',
    ]);
    await local.request('anvil_setBalance', [address, '0x3635c9adc5dea00000']);
    expect((await rotate()).lines.slice(0, 2)).toEqual([
      `1 of 1 logs were given to the account ${address}.`,
      'It owns the contract.',
    ]);
    expect((await rotate()).lines[0]).toBe(`0 of 1 logs were given to the account ${address}.`);
    await fund(member, 200_00);
    await sign();
    await expect(publishAnchors({ database, chain: createChain(settings) })).rejects.toThrow('NotPublisher');
    expect(await publishAnchors({ database, chain: createChain({ ...settings, privateKey: next }) })).toBe(1);
  });

  test('that is not asked, since the chain is silent, leaves a halted log halted', async () => {
    await restored();
    chainSettings = { ...(await prepareLocalChain(local, null)), rpcUrl: 'http://127.0.0.1:9' };
    for (const verb of ['continue', 'begin-anew']) {
      expect((await operator(`log ${verb} platform`)).lines).toEqual([
        'The chain does not answer. Nothing was done: try again, or set no CHAIN_* for this command.',
      ]);
    }
  });
});
