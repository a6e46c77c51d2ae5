import { askByFetch, logIdOf } from '@ushirika/verifier/chain';
import { nodeCrypto } from '@ushirika/verifier/node-crypto';
import { checkReceipt } from '@ushirika/verifier/receipt';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '../../db/test-database.ts';
import { testPeople } from '../../db/test-people.ts';
import { createChain } from '../../gateways/chain/chain.ts';
import type { Chain, ChainSettings } from '../../gateways/chain/chain.types.ts';
import { type LocalChain, prepareLocalChain, startLocalChain } from '../../gateways/chain/local-chain.ts';
import { testSaccos } from '../saccos/test-saccos.ts';
import { logFactsOf } from './log-facts.queries.ts';
import { receiptOf } from './proofs.queries.ts';
import { publishAnchors } from './publish-anchors.ts';
import { logAndSign } from './test-logs.ts';

let local: LocalChain;
let settings: ChainSettings;
let chain: Chain;
let database: TestDatabase;
let saccos: ReturnType<typeof testSaccos>;
let member: string;

beforeAll(async () => {
  local = await startLocalChain(null);
});
afterAll(() => local.stop());

beforeEach(async () => {
  // A contract of its own: each database has a log of the same name.
  settings = await prepareLocalChain(local, null);
  chain = createChain(settings);
  database = await testDatabase();
  saccos = testSaccos(database);
  member = await testPeople(database).person('Amina', 'Wafula');
  await grow(3);
  return () => database.close();
});

/** Lets the platform's log grow, and signs it. */
async function grow(times: number): Promise<void> {
  for (let at = 0; at < times; at += 1) await saccos.fund(member, 100_00 + at);
  await logAndSign(database, 'sacco.test/log');
}

const publish = (by: Chain = chain) => publishAnchors({ database, chain: by });
const states = async () =>
  (
    await database.sql<{ size: number; state: string; reason: string | null }[]>`
    select size, state, reason from anchors order by id`
  ).map(({ size, state, reason }) => [size, state, reason].filter((part) => part !== null).join(' '));
const head = async () => (await chain.head(logIdOf(nodeCrypto.sha256, 'sacco.test/log/platform'))).size;
const tamper = (statement: string) =>
  database.owner.begin(async (sql) => {
    await sql`set local session_replication_role = replica`;
    await sql.unsafe(statement);
  });

test('a log that has grown is anchored once, and its receipts show it', async () => {
  expect(await publish()).toBe(1);
  expect(await publish()).toBe(0);
  await grow(2);
  expect(await publish()).toBe(1);
  expect(await states()).toEqual(['4 confirmed', '6 confirmed']);
  const facts = await logFactsOf(database, 'platform', chain);
  expect(facts.anchors.map(({ size }) => size)).toEqual([6, 4]);
  expect(facts.chain).toEqual({ chain_id: 31_337, contract: chain.contract, rpc_url: settings.rpcUrl });
  // One that is anchored, and one that was logged after the last anchor.
  const journals = await database.sql<{ id: number }[]>`select id from journals order by id`;
  await grow(1);
  const [{ id: newest } = { id: 0 }] = await database.sql<{ id: number }[]>`select max(id) as id from journals`;
  const trust = { keys: facts.keys, chain: { rpcUrl: settings.rpcUrl, contracts: [chain.contract], ask: askByFetch } };
  const checked = async (journal: number) => {
    const receipt = await receiptOf(database, member, journal);
    if (!receipt) throw new Error('The movement has no receipt.');
    return (await checkReceipt(nodeCrypto, receipt, trust)).map(({ state }) => state);
  };
  for (const { id } of journals) {
    expect(await checked(id)).toEqual(['passed', 'passed', 'passed', 'passed', 'passed']);
  }
  expect(await checked(newest)).toEqual(['passed', 'passed', 'passed', 'open', 'open']);
});

describe('a chain that takes back its blocks', () => {
  test('is given the anchor again', async () => {
    const before = await local.request<string>('evm_snapshot');
    await publish();
    await local.request('evm_revert', [before]);
    expect(await head()).toBe(0);
    expect(await publish()).toBe(1);
    expect(await states()).toEqual(['4 absent', '4 confirmed']);
    expect(await head()).toBe(4);
  });

  test('with the transaction in another block keeps the anchor', async () => {
    await publish();
    await local.request('anvil_reorg', [2, []]);
    await publish();
    expect(await head()).toBe(4);
    expect((await states()).at(-1)).toBe('4 confirmed');
  });
});

describe('a chain that does not answer', () => {
  test('leaves the books as they are, and gets the anchor when it is back', async () => {
    const down = createChain({ ...settings, rpcUrl: 'http://127.0.0.1:9' });
    await expect(publish(down)).rejects.toThrow();
    expect(await states()).toEqual([]);
    await grow(1);
    expect(await publish()).toBe(1);
    expect(await states()).toEqual(['5 confirmed']);
  });

  test('while its answer was awaited is asked again, and the anchor is not made twice', async () => {
    const lost: Chain = {
      ...chain,
      sign: async (call) => {
        const signed = await chain.sign(call);
        const send = async () => {
          await signed.send();
          throw new Error('timed out');
        };
        return { ...signed, send };
      },
    };
    await expect(publish(lost)).rejects.toThrow('timed out');
    expect(await states()).toEqual(['4 pending']);
    expect(await publish()).toBe(0);
    expect(await states()).toEqual(['4 confirmed']);
  });

  test('any more is left: the log is anchored on another chain, though an anchor of the old one was never settled', async () => {
    const lost: Chain = { ...chain, sign: () => Promise.reject(new Error('the chain has ended')) };
    await expect(publish(lost)).rejects.toThrow('the chain has ended');
    expect(await states()).toEqual(['4 pending']);
    const next = createChain(await prepareLocalChain(local, null));
    expect(await publish(next)).toBe(1);
    expect(await states()).toEqual(['4 refused other_chain', '4 confirmed']);
    expect((await logFactsOf(database, 'platform', next)).anchors).toHaveLength(1);
  });

  test('of the log’s contract is left: a receipt names the new one, and one that names the old one is right for who knows both', async () => {
    const [{ id: journal } = { id: 0 }] = await database.sql<{ id: number }[]>`select min(id) as id from journals`;
    const { keys } = await logFactsOf(database, 'platform', chain);
    await publish();
    const older = await receiptOf(database, member, journal);
    const next = createChain(await prepareLocalChain(local, null));
    expect(await publish(next)).toBe(1);
    const newer = await receiptOf(database, member, journal);
    expect([older, newer].map((receipt) => receipt?.anchor?.contract)).toEqual([chain.contract, next.contract]);
    for (const receipt of [older, newer]) {
      if (!receipt) throw new Error('The movement has no receipt.');
      const known = { rpcUrl: settings.rpcUrl, contracts: [next.contract, chain.contract], ask: askByFetch };
      const steps = await checkReceipt(nodeCrypto, receipt, { keys, chain: known });
      expect(steps.map(({ state }) => state)).toEqual(Array(5).fill('passed'));
    }
  });

  test('with a block for a minute leaves the anchor pending, until it is mined', async () => {
    await publish();
    await grow(1);
    await local.request('evm_setAutomine', [false]);
    const hasty: Chain = {
      ...chain,
      sign: async (call) => {
        const signed = await chain.sign(call);
        const send = async () => {
          void signed.send();
          await expect
            .poll(() => local.request('eth_getTransactionByHash', [signed.transaction]))
            .toMatchObject({ blockNumber: null });
          return false;
        };
        return { ...signed, send };
      },
    };
    await publish(hasty);
    expect(await states()).toEqual(['4 confirmed', '5 pending']);
    await local.request('evm_mine');
    await local.request('evm_setAutomine', [true]);
    await publish();
    expect(await states()).toEqual(['4 confirmed', '5 confirmed']);
  });
});

describe('a publisher that is killed', () => {
  const killedAt = (step: 'signing' | 'sending'): Chain => ({
    ...chain,
    sign: async (call) => {
      if (step === 'signing') throw new Error('killed');
      const signed = await chain.sign(call);
      const send = () => Promise.reject(new Error('killed'));
      return { ...signed, send };
    },
  });

  test('after it stored its intent begins again', async () => {
    await expect(publish(killedAt('signing'))).rejects.toThrow('killed');
    expect(await states()).toEqual(['4 pending']);
    expect(await publish()).toBe(1);
    expect(await states()).toEqual(['4 absent', '4 confirmed']);
  });

  test('before it sent what it had signed waits ten minutes, since nobody knows whether it was sent', async () => {
    await expect(publish(killedAt('sending'))).rejects.toThrow('killed');
    expect(await publish()).toBe(0);
    await database.owner`update anchors set created_at = created_at - interval '11 minutes'`;
    expect(await publish()).toBe(1);
    expect(await states()).toEqual(['4 absent', '4 confirmed']);
  });
});

test('two publishers at once anchor a log once', async () => {
  await Promise.all([publish(), publish(createChain(settings)), publish()]);
  await publish();
  expect((await states()).filter((state) => state.endsWith('confirmed'))).toEqual(['4 confirmed']);
  expect(await head()).toBe(4);
});

test('an anchor of a size that another publisher’s anchor has is given up, and later ones go on', async () => {
  await publish();
  await database.owner`
    insert into anchors (log_id, size, root, chain_id, contract, state, created_at)
    select log_id, size, root, chain_id, contract, 'pending', now() from anchors where state = 'confirmed'`;
  expect(await publish()).toBe(0);
  expect(await states()).toEqual(['4 confirmed', '4 absent']);
  await grow(1);
  expect(await publish()).toBe(1);
});

test('what another database’s publisher has anchored is taken over', async () => {
  await publish();
  await database.owner`update anchors set state = 'absent'`;
  await database.owner`update anchors set confirmed_at = null`;
  expect(await publish()).toBe(0);
  expect(await states()).toEqual(['4 absent', '4 confirmed']);
});

test('an anchor whose transaction is too old to be found keeps no later one away', async () => {
  await publish();
  await database.owner`update anchors set state = 'absent'`;
  await database.owner`update anchors set confirmed_at = null`;
  await local.request('anvil_mine', ['0x7d1']);
  expect(await publish()).toBe(0);
  await grow(1);
  await publish();
  expect(await publish()).toBe(0);
  expect((await states()).at(-1)).toBe('5 confirmed');
});

test('a key without funds is said, and anchors as soon as it has some', async () => {
  await publish();
  await grow(1);
  const { privateKeyToAccount } = await import('viem/accounts');
  const { address } = privateKeyToAccount(settings.privateKey);
  await local.request('anvil_setBalance', [address, '0x1']);
  await expect(publish()).rejects.toMatchObject({ reason: 'no_funds' });
  expect(await chain.isShortOfFunds()).toBe(true);
  await local.request('anvil_setBalance', [address, '0x3635c9adc5dea00000']);
  expect(await publish()).toBe(1);
  expect(await states()).toEqual(['4 confirmed', '5 refused no_funds', '5 confirmed']);
});

test('a key that is not the publisher’s is refused, and the log is told to be unknown', async () => {
  const stranger = createChain({ ...settings, privateKey: `0x${'11'.repeat(32)}` });
  await expect(publish(stranger)).rejects.toMatchObject({ reason: 'NotRegistered' });
  expect(await states()).toEqual(['4 refused NotRegistered']);
});

describe('a log whose history is not the chain’s', () => {
  const isHalted = async () => {
    await expect(publish()).rejects.toThrow('is halted');
    await grow(1);
    const [{ size } = { size: 0 }] = await database.sql<{ size: number }[]>`select max(size) as size from checkpoints`;
    expect((await logFactsOf(database, 'platform', chain)).halted_at).not.toBeNull();
    return size;
  };

  test('is halted: nothing of it is signed or anchored any more', async () => {
    await publish();
    await tamper(`update log_entries set leaf = sha256('another') where i = 2`);
    await tamper(`delete from checkpoints`);
    await tamper(`update logs set root = sha256('x')`);
    await grow(2);
    // Whatever was signed before the chain was looked at.
    await tamper(
      `insert into checkpoints (log_id, size, root, note, key_id, signed_at) select id, size, root, '', 1, now() from logs`,
    );
    expect(await isHalted()).toBe(6);
    expect(await head()).toBe(4);
  });

  test('is halted where the database was set back to an earlier second', async () => {
    await publish();
    await grow(3);
    await publish();
    // The copy of an hour ago: four entries.
    await tamper('delete from log_entries where i > 3');
    await tamper('delete from checkpoints where size > 4');
    await tamper('delete from anchors');
    await tamper(`update logs set size = 4, edge = substr(edge, 1, 32)`);
    expect(await isHalted()).toBe(4);
    expect(await head()).toBe(7);
  });
});
