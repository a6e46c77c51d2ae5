import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '../../db/test-database.ts';
import { testPeople } from '../../db/test-people.ts';
import { createChain } from '../../gateways/chain/chain.ts';
import type { Chain, ChainSettings } from '../../gateways/chain/chain.types.ts';
import { type LocalChain, prepareLocalChain, startLocalChain } from '../../gateways/chain/local-chain.ts';
import { breaches } from '../../ledger/invariants.ts';
import { testSaccos } from '../saccos/test-saccos.ts';
import { ChainWitness } from './chain-witness.ts';
import { healthOfLogs } from './logs-health.queries.ts';
import { proofsInvariants } from './proofs.invariants.ts';
import { publishAnchors } from './publish-anchors.ts';
import { Sequencer } from './sequencer.ts';
import { signCheckpoints } from './sign-checkpoints.ts';
import { SignedHeads } from './signed-heads.ts';
import { copied, logAll, testKeyring } from './test-logs.ts';

const originBase = 'sacco.test/log';
let database: TestDatabase;
let people: ReturnType<typeof testPeople>;
let member: string;
let folder: string;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'ushirika-heads-'));
  database = await testDatabase();
  people = testPeople(database);
  member = await people.person('Amina', 'Wafula');
  return async () => {
    await database.close();
    rmSync(folder, { recursive: true });
  };
});

/** Lets the platform's log of a database grow. */
async function grow(times: number, of: TestDatabase = database): Promise<void> {
  await of.owner`
    insert into journals (idempotency_key, kind, about_type, about_id, posted_at)
    select gen_random_uuid(), 'wallet_topped_up', 'test', ${member}, now() from generate_series(1, ${times}) n`;
  await logAll(of, new Sequencer({ database: of, originBase }));
}

interface Process {
  readonly of?: TestDatabase;
  readonly heads?: SignedHeads;
  readonly chain?: Chain | null;
  readonly witness?: ChainWitness;
  readonly atOnce?: number;
}

/** The job of a process on a machine. @returns how many heads it signed, and what it told of halted logs */
async function sign({ of = database, heads = new SignedHeads(folder), chain = null, ...given }: Process = {}) {
  const told: string[] = [];
  const { witness = new ChainWitness(async () => chain) } = given;
  const deps = { database: of, keyring: testKeyring, heads, chainWitness: witness, atOnce: given.atOnce };
  const signed = await signCheckpoints(deps, ({ message }) => told.push(message));
  return { signed, told };
}

const signedSizes = async (of: TestDatabase = database) =>
  (await of.sql<{ size: number }[]>`select size from checkpoints order by size`).map(({ size }) => size);
const fileText = () => readFileSync(join(folder, 'signed-heads.txt'), 'utf8');

async function backUp(): Promise<TestDatabase> {
  const both = await copied(database);
  database = both.database;
  return both.older;
}

describe('a database that was restored to an older second', () => {
  test.each([
    ['is smaller', 1, 'has 7 entries of it, and the database 5'],
    ['has grown past it with other entries', 6, 'has another root for its first 7 entries'],
  ])('is not signed: the file of the machine knows more, where the log %s', async (_, times, because) => {
    await grow(3);
    await sign();
    const older = await backUp();
    await grow(3);
    expect((await sign()).signed).toBe(1);
    await grow(times, older);
    const { signed, told } = await sign({ of: older });
    expect(signed).toBe(0);
    expect(told).toEqual([expect.stringContaining(`the file of this machine ${because}`)]);
    expect(await signedSizes(older)).toEqual([4]);
    expect((await sign({ of: older })).told).toEqual([]);
    expect((await healthOfLogs(older, null)).logs).toMatchObject({
      count: 1,
      halted: [{ origin: 'sacco.test/log/platform', sacco: null, by: 'file' }],
    });
    const named = JSON.stringify(await breaches(older.owner, proofsInvariants));
    expect(named).toContain(because);
    // The newer one goes on.
    await grow(1);
    expect((await sign()).signed).toBe(1);
    await older.close();
  });

  test('goes on where nothing was signed since', async () => {
    await grow(3);
    await sign();
    const older = await backUp();
    await grow(2, older);
    expect(await sign({ of: older })).toEqual({ signed: 1, told: [] });
    await older.close();
  });
});

test('a log that is halted while a process is about to sign it is not signed', async () => {
  await grow(3);
  class Halting extends SignedHeads {
    override async read() {
      const heads = await super.read();
      await database.owner`update logs set halted_at = now(), halted_because = 'the chain knows more', halted_by = 'chain'`;
      return heads;
    }
  }
  expect((await sign({ heads: new Halting(folder) })).signed).toBe(0);
  expect(await signedSizes()).toEqual([]);
});

test('logs are signed in turn, also where more have grown than one run signs', async () => {
  const saccos = testSaccos(database);
  const sacco = await saccos.sacco(await people.person('Founder'), await people.person('Operator'));
  await saccos.fund(member, 5_000_00);
  await saccos.join(sacco, member);
  for (const _ of [1, 2, 3]) {
    await grow(1);
    await sign({ atOnce: 1 });
  }
  const logs = await database.sql`select distinct log_id from checkpoints`;
  expect(logs).toHaveLength(2);
});

test('the page Health tells of movements that are in no signed head yet', async () => {
  const logs = async () => (await healthOfLogs(database, null)).logs;
  expect(await logs()).toEqual({ count: 0, halted: [], last_signed_at: null, unsigned_since: null });
  await database.owner`
    insert into journals (idempotency_key, kind, about_type, about_id, posted_at)
    values ('one', 'wallet_topped_up', 'test', ${member}, '2026-11-20T10:00:00Z'),
      ('two', 'wallet_topped_up', 'test', ${member}, '2026-11-20T11:00:00Z')`;
  expect(await logs()).toMatchObject({ count: 0, unsigned_since: '2026-11-20T10:00:00.000Z' });
  await logAll(database, new Sequencer({ database, originBase }));
  expect(await logs()).toMatchObject({ count: 1, unsigned_since: '2026-11-20T10:00:00.000Z' });
  await sign();
  // An entry about the log itself stands before the next movement.
  await database.owner`select log_platform_event('key_rotated', now(), '{}')`;
  await logAll(database, new Sequencer({ database, originBase }));
  await database.owner`
    insert into journals (idempotency_key, kind, about_type, about_id, posted_at)
    values ('three', 'wallet_topped_up', 'test', ${member}, '2026-11-20T12:00:00Z')`;
  await logAll(database, new Sequencer({ database, originBase }));
  expect(await logs()).toMatchObject({ unsigned_since: '2026-11-20T12:00:00.000Z' });
  await sign();
  expect(await logs()).toMatchObject({ unsigned_since: null, last_signed_at: database.now().toISOString() });
});

describe('the file of a machine', () => {
  test('is begun where it is missing, and has a line for each log, before anybody can read the head', async () => {
    await grow(3);
    class Looking extends SignedHeads {
      override async keep(heads: Parameters<SignedHeads['keep']>[0]) {
        await super.keep(heads);
        expect(await signedSizes()).toEqual([]);
        expect(fileText()).toContain('sacco.test/log/platform 4 ');
      }
    }
    expect((await sign({ heads: new Looking(folder) })).signed).toBe(1);
    expect(await signedSizes()).toEqual([4]);
    const lines = fileText().trim().split('\n');
    expect(lines).toHaveLength(2);
    expect([...(await new SignedHeads(folder).read()).keys()]).toEqual(['sacco.test/log/platform']);
  });

  test('of an older version, without signatures, is read as it is, and gets them with the next heads', async () => {
    await grow(3);
    await sign();
    const line = /^(\S+ 4 \S+) \S+$/m;
    expect(fileText()).toMatch(line);
    writeFileSync(join(folder, 'signed-heads.txt'), fileText().replace(line, '$1'));
    expect(fileText()).not.toMatch(line);
    await grow(1);
    expect(await sign()).toEqual({ signed: 1, told: [] });
    expect(fileText()).toMatch(/^\S+ 5 \S+ \S+$/m);
  });

  test('may know a head whose checkpoint was not stored: a process that was killed there signs it again', async () => {
    await grow(3);
    class Killed extends SignedHeads {
      override async keep(heads: Parameters<SignedHeads['keep']>[0]) {
        await super.keep(heads);
        throw new Error('killed');
      }
    }
    await expect(sign({ heads: new Killed(folder) })).rejects.toThrow('killed');
    expect(await signedSizes()).toEqual([]);
    await grow(1);
    expect(await sign()).toEqual({ signed: 1, told: [] });
  });

  test('keeps the heads of two processes that sign at once', async () => {
    await grow(3);
    const saccos = testSaccos(database);
    const sacco = await saccos.sacco(await people.person('Founder'), await people.person('Operator'));
    await saccos.fund(member, 5_000_00);
    await saccos.join(sacco, member);
    await grow(1);
    await Promise.all([sign(), sign(), sign()]);
    await grow(1);
    await sign();
    expect([...(await new SignedHeads(folder).read()).keys()].sort()).toEqual(
      [`sacco.test/log/${sacco}`, 'sacco.test/log/platform'].sort(),
    );
  });

  test('keeps the newer of two heads of a log, where the process that read the older one writes last', async () => {
    await grow(3);
    let isSecond = false;
    class Slow extends SignedHeads {
      override async read() {
        const heads = await super.read();
        if (!isSecond) {
          isSecond = true;
          await grow(2);
          await sign();
        }
        return heads;
      }
    }
    await sign({ heads: new Slow(folder) });
    expect(await signedSizes()).toContain(6);
    expect(fileText()).toContain('sacco.test/log/platform 6 ');
  });

  test('that cannot be understood or read is one sentence, and nothing is signed', async () => {
    await grow(3);
    const path = join(folder, 'signed-heads.txt');
    writeFileSync(path, '# heads\nsacco.test/log/platform four\n');
    await expect(sign()).rejects.toThrow(
      `The file ${path}, in which this machine keeps what it signed, cannot be understood in line 2. Nothing is signed here until it can be used: see docs/chain.md.`,
    );
    rmSync(path);
    mkdirSync(path);
    await expect(sign()).rejects.toThrow('cannot be read (EISDIR)');
    const noFolder = join(folder, 'file');
    writeFileSync(noFolder, '');
    await expect(sign({ heads: new SignedHeads(noFolder) })).rejects.toThrow('cannot be read (ENOTDIR)');
    expect(await signedSizes()).toEqual([]);
  });
});

describe('the chain as a witness', () => {
  let local: LocalChain;
  let settings: ChainSettings;
  let chain: Chain;
  beforeAll(async () => {
    local = await startLocalChain(null);
  });
  afterAll(() => local.stop());
  beforeEach(async () => {
    settings = await prepareLocalChain(local, null);
    chain = createChain(settings);
  });

  test('stops a machine without a file before its first signature', async () => {
    await grow(3);
    await sign();
    const older = await backUp();
    await grow(3);
    await sign();
    await publishAnchors({ database, chain });
    rmSync(join(folder, 'signed-heads.txt'));
    await grow(1, older);
    const { signed, told } = await sign({ of: older, chain });
    expect(signed).toBe(0);
    expect(told).toEqual([expect.stringContaining('the chain has 7 entries of it, and the database 5')]);
    expect(await signedSizes(older)).toEqual([4]);
    await older.close();
  });

  test('that is silent is waited for by a process that has just started, and by no other', async () => {
    await grow(3);
    const silent = createChain({ ...settings, rpcUrl: 'http://127.0.0.1:9' });
    await expect(sign({ chain: silent })).rejects.toThrow('The chain does not answer');
    expect(await signedSizes()).toEqual([]);
    let now = chain;
    const witness = new ChainWitness(async () => now);
    expect((await sign({ witness })).signed).toBe(1);
    now = silent;
    await grow(1);
    expect((await sign({ witness })).signed).toBe(1);
  });

  test('is looked at by each run of the publisher, which notes whether the key has money', async () => {
    const { privateKeyToAccount } = await import('viem/accounts');
    const { address } = privateKeyToAccount(settings.privateKey);
    const looks = () => database.sql`select funds, contract from chain_looks`;
    await grow(1);
    await sign();
    await publishAnchors({ database, chain });
    expect(await looks()).toEqual([{ funds: 'enough', contract: chain.contract }]);
    await local.request('anvil_setBalance', [address, '0x1']);
    await publishAnchors({ database, chain });
    expect(await looks()).toEqual([{ funds: 'short', contract: chain.contract }]);
    const health = async () => (await healthOfLogs(database, 3_600)).chain;
    expect(await health()).toMatchObject({ funds: 'short', is_silent: false, last_anchor_at: expect.any(String) });
    database.world.advance(4 * 3_600_000);
    expect(await health()).toMatchObject({ is_silent: true });
    expect((await healthOfLogs(database, null)).chain).toBeNull();
  });
});
