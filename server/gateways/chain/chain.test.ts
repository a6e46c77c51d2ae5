import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { toHex } from '@ushirika/verifier/bytes';
import { askByFetch, logIdOf, rootOnChain } from '@ushirika/verifier/chain';
import { nodeCrypto } from '@ushirika/verifier/node-crypto';
import {
  consistencyRanges,
  Edge,
  inclusionRanges,
  isConsistent,
  type Range,
  rootOfInclusion,
} from '@ushirika/verifier/tree';
import { createPublicClient, createWalletClient, http, toFunctionSelector } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { anchorAbi as abi } from './anchor-abi.ts';
import { createChain } from './chain.ts';
import type { Chain, ChainSettings } from './chain.types.ts';
import { type LocalChain, prepareLocalChain, startLocalChain } from './local-chain.ts';

const { sha256 } = nodeCrypto;
let local: LocalChain;
let settings: ChainSettings;
let chain: Chain;
let client: ReturnType<typeof clientOf>;
const clientOf = (rpcUrl: string) => createPublicClient({ transport: http(rpcUrl, { batch: { batchSize: 200 } }) });

beforeAll(async () => {
  local = await startLocalChain(null);
  settings = await prepareLocalChain(local, null);
  chain = createChain(settings);
  client = clientOf(settings.rpcUrl);
});
afterAll(() => local.stop());

const leaves = (count: number, word = 'leaf') =>
  Array.from({ length: count }, (_, at) => createHash('sha256').update(`${word} ${at}`).digest() as Uint8Array);

function rootOf(all: readonly Uint8Array[], { start, end }: Range = { start: 0, end: all.length }): Uint8Array {
  const edge = new Edge(sha256);
  for (const leaf of all.slice(start, end)) edge.append(leaf);
  return edge.root();
}
const consistency = (all: readonly Uint8Array[], from: number, to: number) =>
  from === 0 ? [] : consistencyRanges(from, to).map((range) => rootOf(all, range));
const inclusion = (all: readonly Uint8Array[], index: number, size: number) =>
  inclusionRanges(index, size).map((range) => rootOf(all, range));
const hex = (bytes: Uint8Array): `0x${string}` => `0x${toHex(bytes)}`;

let logs = 0;
async function newLog(): Promise<Uint8Array> {
  logs += 1;
  const logId = logIdOf(sha256, `sacco.test/log/${logs}`);
  await chain.register(logId);
  return logId;
}

test('a log that another publisher registers at the same moment is registered, and that is no trouble', async () => {
  const logId = await newLog();
  // A relay that answers once as the chain was a moment before: nobody publishes this log.
  let stale = 1;
  const relay = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request as AsyncIterable<Buffer>) parts.push(part);
    const body = String(Buffer.concat(parts));
    const isAsked = body.includes(toFunctionSelector('publisherOf(bytes32)').slice(2)) && stale-- > 0;
    const answer = isAsked
      ? JSON.stringify({ jsonrpc: '2.0', id: JSON.parse(body).id, result: `0x${'0'.repeat(64)}` })
      : await (
          await fetch(settings.rpcUrl, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
        ).text();
    response.writeHead(200, { 'content-type': 'application/json' }).end(answer);
  });
  await new Promise<void>((resolve) => relay.listen(0, '127.0.0.1', resolve));
  try {
    const rpcUrl = `http://127.0.0.1:${(relay.address() as AddressInfo).port}`;
    await createChain({ ...settings, rpcUrl }).register(logId);
    expect(stale).toBe(0);
  } finally {
    relay.closeAllConnections();
    relay.close();
  }
});

/** The gas that anchoring took. */
async function anchor(logId: Uint8Array, all: readonly Uint8Array[], from: number, to: number): Promise<number> {
  const root = rootOf(all, { start: 0, end: to });
  const signed = await chain.sign({ logId, size: to, root, proof: consistency(all, from, to) });
  expect(await signed.send()).toBe(true);
  const { gasUsed } = await local.request<{ gasUsed: string }>('eth_getTransactionReceipt', [signed.transaction]);
  return Number(gasUsed);
}

/** Each proof that differs from this one in one place. */
function mutations(proof: readonly Uint8Array[]): Uint8Array[][] {
  const flipped = proof.flatMap((hash, at) => {
    const other = Uint8Array.from(hash);
    other[at % 32] = (other[at % 32] ?? 0) ^ 1;
    return [proof.with(at, other), proof.toSpliced(at, 1), proof.toSpliced(at, 0, hash)];
  });
  return [...flipped, [...proof, ...leaves(1, 'more')]];
}

/** Whether the contract would take it, as the gateway tries it. */
const takes = (logId: Uint8Array, size: number, root: Uint8Array, proof: readonly Uint8Array[]): Promise<string> =>
  client
    .simulateContract({
      address: settings.contract,
      abi,
      account: privateKeyToAccount(settings.privateKey),
      functionName: 'anchor',
      args: [hex(logId), BigInt(size), hex(root), proof.map(hex)],
    })
    .then(
      () => 'taken',
      (error: Error) => /Error: (\w+)\(\)/.exec(error.message)?.[1] ?? error.message,
    );

describe('the contract', () => {
  test('takes what the verifier takes, and refuses each changed proof, for all trees of up to 24 entries', async () => {
    const all = leaves(24);
    const another = leaves(24, 'another');
    const roots = all.map((_, at) => rootOf(all, { start: 0, end: at + 1 }));
    const found = { taken: 0, refused: 0 };
    for (let from = 1; from < 24; from += 1) {
      const logId = await newLog();
      await anchor(logId, all, 0, from);
      const tried: Promise<void>[] = [];
      for (let to = from + 1; to <= 24; to += 1) {
        const [fromRoot, toRoot] = [roots[from - 1] as Uint8Array, roots[to - 1] as Uint8Array];
        const proof = consistency(all, from, to);
        // Another history, with a proof that is right for it.
        const anotherRoot = rootOf(another, { start: 0, end: to });
        expect(await takes(logId, to, anotherRoot, consistency(another, from, to))).toBe('Inconsistent');
        for (const each of [proof, ...mutations(proof)]) {
          const isRight = isConsistent(sha256, { from, fromRoot, to, toRoot }, each);
          expect(isRight).toBe(each === proof);
          tried.push(
            takes(logId, to, toRoot, each).then((answer) => {
              expect(`${from} -> ${to}: ${answer}`).toBe(`${from} -> ${to}: ${isRight ? 'taken' : 'Inconsistent'}`);
              found[isRight ? 'taken' : 'refused'] += 1;
            }),
          );
        }
      }
      await Promise.all(tried);
    }
    expect(found.taken).toBe((23 * 24) / 2);
    expect(found.refused).toBeGreaterThan(3_000);
  }, 240_000);

  test('agrees with the verifier on random trees, whose leaves it verifies', async () => {
    // The same trees in each run: a linear congruence is enough to choose sizes.
    let seed = 35;
    const upTo = (most: number) => {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
      return 1 + (seed % most);
    };
    for (let round = 0; round < 12; round += 1) {
      const from = upTo(700);
      const to = from + upTo(700);
      const all = leaves(to, `tree ${round}`);
      const logId = await newLog();
      await anchor(logId, all, 0, from);
      await anchor(logId, all, from, to);
      const index = upTo(to) - 1;
      const leaf = all[index] as Uint8Array;
      const proof = inclusion(all, index, to);
      const verify = (each: readonly Uint8Array[]) =>
        client.readContract({
          address: settings.contract,
          abi,
          functionName: 'verify',
          args: [hex(logId), BigInt(to), hex(leaf), BigInt(index), each.map(hex)],
        });
      for (const each of [proof, ...mutations(proof)]) {
        const found = rootOfInclusion(sha256, leaf, { index, size: to, proof: each });
        expect(await verify(each)).toBe(found !== null && toHex(found) === toHex(rootOf(all)));
      }
    }
  });

  test('refuses a log that shrinks, another history, an unknown log, an empty root and a stranger', async () => {
    const all = leaves(20);
    const logId = await newLog();
    await anchor(logId, all, 0, 8);
    await anchor(logId, all, 8, 13);
    const root = rootOf(all);
    expect(await takes(logId, 12, root, consistency(all, 8, 12))).toBe('NotGrowing');
    expect(await takes(logId, 13, root, [])).toBe('NotGrowing');
    const forged = all.with(10, leaves(1, 'forged')[0] as Uint8Array);
    expect(await takes(logId, 20, rootOf(forged), consistency(forged, 13, 20))).toBe('Inconsistent');
    expect(await takes(logIdOf(sha256, 'nobody'), 20, root, [])).toBe('NotRegistered');
    expect(await takes(logId, 20, new Uint8Array(32), consistency(all, 13, 20))).toBe('NoRoot');
    const stranger = createChain({ ...settings, privateKey: `0x${'11'.repeat(32)}` });
    const call = { logId, size: 20, root, proof: consistency(all, 13, 20) };
    await expect(stranger.sign(call)).rejects.toMatchObject({ reason: 'NotPublisher' });
    await expect(stranger.register(logIdOf(sha256, 'nobody'))).rejects.toMatchObject({ reason: 'NotRegistered' });
  });

  test('lets its owner alone name another publisher, and hand the ownership over in two steps', async () => {
    const logId = await newLog();
    const next = privateKeyToAccount(`0x${'22'.repeat(32)}`);
    await local.request('anvil_setBalance', [next.address, '0xde0b6b3a7640000']);
    const asked = async (
      privateKey: `0x${string}`,
      functionName: 'rotate' | 'transferOwnership' | 'acceptOwnership',
    ) => {
      const account = privateKeyToAccount(privateKey);
      const args = { rotate: [hex(logId), next.address], transferOwnership: [next.address], acceptOwnership: [] };
      const call = { address: settings.contract, abi, account, functionName, args: args[functionName] };
      const { request } = await client.simulateContract(call as never);
      const hash = await createWalletClient({ account, transport: http(settings.rpcUrl) }).writeContract(
        request as never,
      );
      await client.waitForTransactionReceipt({ hash, pollingInterval: 50 });
    };
    const nextKey = `0x${'22'.repeat(32)}` as const;
    await expect(asked(nextKey, 'rotate')).rejects.toThrow('NotOwner');
    await asked(settings.privateKey, 'rotate');
    expect(await takes(logId, 5, rootOf(leaves(5)), [])).toBe('NotPublisher');
    await expect(asked(nextKey, 'acceptOwnership')).rejects.toThrow('NotOwner');
    await asked(settings.privateKey, 'transferOwnership');
    await asked(nextKey, 'acceptOwnership');
    const owner = () => client.readContract({ address: settings.contract, abi, functionName: 'owner' });
    expect(await owner()).toBe(next.address);
    // Back, for the other tests.
    const back = privateKeyToAccount(settings.privateKey);
    const wallet = createWalletClient({ account: next, transport: http(settings.rpcUrl) });
    const contract = { address: settings.contract, abi, chain: null } as const;
    await wallet.writeContract({ ...contract, functionName: 'transferOwnership', args: [back.address] });
    await asked(settings.privateKey, 'acceptOwnership');
    expect(await owner()).toBe(back.address);
  });

  test('takes at most 80,000 gas for each later anchor of a log of up to 1,500 entries', async () => {
    const all = leaves(1_500);
    const logId = await newLog();
    const first = await anchor(logId, all, 0, 5);
    const gas: number[] = [];
    let from = 5;
    for (const to of [6, 7, 20, 63, 64, 65, 127, 300, 511, 700, 1_023, 1_025, 1_237, 1_365, 1_499, 1_500]) {
      gas.push(await anchor(logId, all, from, to));
      from = to;
    }
    console.log(`gas: first ${first}, later ${Math.min(...gas)} to ${Math.max(...gas)}`);
    expect(Math.max(...gas)).toBeLessThanOrEqual(80_000);
  });
});

test('the verifier reads the chain by plain requests, and is told where it asks another chain', async () => {
  const all = leaves(9);
  const logId = await newLog();
  await anchor(logId, all, 0, 9);
  const where = { rpcUrl: settings.rpcUrl, chainId: settings.chainId, contract: settings.contract };
  expect(toHex((await rootOnChain(askByFetch, where, { logId, size: 9 })) ?? new Uint8Array())).toBe(
    toHex(rootOf(all)),
  );
  expect(await rootOnChain(askByFetch, where, { logId, size: 8 })).toBeNull();
  await expect(rootOnChain(askByFetch, { ...where, chainId: 1 }, { logId, size: 9 })).rejects.toThrow('not of chain 1');
  const nothing = { ...where, contract: `0x${'33'.repeat(20)}` };
  await expect(rootOnChain(askByFetch, nothing, { logId, size: 9 })).rejects.toThrow('no contract');
});
