import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { toBase64, toHex, utf8 } from './bytes.ts';
import { runCommand } from './commands.ts';
import { nodeCrypto } from './node-crypto.ts';
import { type Receipt, tlogProofOf } from './receipt.ts';
import { type ServedLog, serveLog, TestLog, testKey, testReceipt } from './test-log.ts';

const { sha256 } = nodeCrypto;
const CONTRACT = `0x${'ab'.repeat(20)}`;
const keys = testKey('sacco.example/log/1', 'log');
const log = new TestLog('sacco.example/log/1', keys);
const fork = new TestLog('sacco.example/log/1', keys, (at) => `other ${at}`);
let folder: string;
let served: ServedLog;
let receipt: Receipt;

/** Runs a command line. */
async function run(...words: string[]): Promise<{ code: number; said: string }> {
  const lines: string[] = [];
  const code = await runCommand(words, {
    say: (line) => lines.push(line),
    stop: new AbortController().signal,
    now: () => new Date(1_790_000_000_000),
  });
  return { code, said: lines.join('\n') };
}

async function file(name: string, content: unknown): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'verify-'));
  served = await serveLog(log, 70);
  receipt = testReceipt(log, CONTRACT);
});
afterAll(async () => {
  await served.close();
  await rm(folder, { recursive: true });
});

describe('a receipt', () => {
  test('is right with a key that the reader knows, and its facts are shown as text alone', async () => {
    const { code, said } = await run('receipt', await file('right.json', receipt), '--key', keys.vkey);
    expect(said.match(/^(PASSED|FAILED|NOT CHECKED)/gm)).toEqual([
      'PASSED',
      'PASSED',
      'PASSED',
      'PASSED',
      'NOT CHECKED',
    ]);
    expect(said).toContain('"amount":-31000');
    expect(said).not.toContain('\u202e');
    expect(code).toBe(0);
  });

  test('is not fully checked without a key: 2', async () => {
    const { code, said } = await run('receipt', await file('right.json', receipt));
    expect([code, said]).toEqual([2, expect.stringContaining('NOT CHECKED  The head of the log is signed')]);
  });

  test('is checked as a .tlog-proof too, and one without its entry is not fully checked', async () => {
    const proof = tlogProofOf(receipt);
    const { code, said } = await run('receipt', await file('r.tlog-proof', proof), '--key', keys.vkey);
    expect([code, said]).toEqual([0, expect.stringContaining('"amount":-31000')]);
    // It brings its key and its anchor along, as the JSON does.
    const alone = await run('receipt', await file('r.tlog-proof', proof));
    expect(alone).toEqual(await run('receipt', await file('right.json', receipt)));
    const bare = await file('bare.tlog-proof', proof.replace(/^extra .*\n/m, ''));
    expect(await run('receipt', bare, '--key', keys.vkey)).toMatchObject({ code: 2 });
    const moved = await file('moved.tlog-proof', proof.replace('index 0', 'index 1'));
    expect(await run('receipt', moved, '--key', keys.vkey)).toMatchObject({ code: 1 });
  });

  test('is wrong where anything was changed, and the step is named: 1', async () => {
    const [shown] = receipt.opening.shown;
    const richer = { ...receipt.opening, shown: [{ ...shown, value: { owner: 'Amina\u202e', amount: -1 } }] };
    const failed = async (changed: object, ...more: string[]) => {
      const path = await file('wrong.json', { ...receipt, ...changed });
      const { code, said } = await run('receipt', path, '--key', keys.vkey, ...more);
      return [code, said.match(/^FAILED.*/gm)?.map((line) => line.slice(13, 40))];
    };
    expect(await failed({ opening: richer })).toEqual([1, ['The facts on the receipt ar']]);
    expect(await failed({ entry: { ...receipt.entry, i: 1 } })).toEqual([1, ['The entry is in the log, at']]);
    const [head] = [log.note(2, testKey(log.origin, 'log'))];
    expect(await failed({ checkpoint: head, anchor: null })).toEqual([
      1,
      ['The entry is in the log, at', 'The head of the log is sign'],
    ]);
    expect(await failed({ type: 'else' })).toEqual([1, ['The file is a receipt. Its ']]);
  });

  test('is asked of the chain that the reader names; a chain that is silent leaves it open', async () => {
    let root = receipt.anchor?.root ?? '';
    let isUp = true;
    const chain = createServer(async (request, response) => {
      const parts: Buffer[] = [];
      for await (const part of request as AsyncIterable<Buffer>) parts.push(part);
      const { method } = JSON.parse(String(Buffer.concat(parts))) as { method: string };
      const result = method === 'eth_chainId' ? '0x7a69' : `0x${toHex(Buffer.from(root, 'base64'))}`;
      response.writeHead(isUp ? 200 : 503).end(JSON.stringify({ jsonrpc: '2.0', id: 1, result }));
    });
    await new Promise<void>((resolve) => chain.listen(0, '127.0.0.1', resolve));
    const rpc = `http://127.0.0.1:${(chain.address() as AddressInfo).port}`;
    const path = await file('right.json', receipt);
    const ask = (...more: string[]) => run('receipt', path, '--key', keys.vkey, '--rpc', rpc, ...more);
    expect(await ask('--contract', CONTRACT)).toMatchObject({
      code: 0,
      said: expect.stringContaining('in every point'),
    });
    const other = ['--contract', `0x${'cd'.repeat(20)}`];
    expect(await ask(...other)).toMatchObject({
      code: 1,
      said: expect.stringContaining('another contract than those'),
    });
    // The log has moved from one contract to another: the reader knows both.
    expect(await ask('--contract', CONTRACT, ...other)).toMatchObject({ code: 0 });
    root = toBase64(sha256(utf8('another root')));
    expect(await ask()).toMatchObject({ code: 2, said: expect.stringContaining('named no contract') });
    const known = ['--contract', CONTRACT];
    expect(await ask(...known)).toMatchObject({ code: 1, said: expect.stringContaining('another root') });
    isUp = false;
    expect(await ask(...known)).toMatchObject({ code: 2, said: expect.stringContaining('gave no answer') });
    chain.closeAllConnections();
    chain.close();
  });
});

describe('two heads', () => {
  const heads = async (newer: TestLog, size = 33) => [
    await file('old.note', log.note(5)),
    await file('new.note', newer.note(size)),
  ];

  test('are of one history by a proof from a file or from the log: 0', async () => {
    const two = await heads(log);
    const json = await file('proof.json', { proof: log.proof(5, 33) });
    const lines = await file('proof.txt', `${log.proof(5, 33).join('\n')}\n`);
    for (const from of [
      ['--proof', json],
      ['--proof', lines],
      ['--url', served.url],
    ]) {
      expect(await run('consistency', ...two, '--key', keys.vkey, ...from)).toMatchObject({ code: 0 });
    }
  });

  test('are not checked without a proof or a key, or where the log gives no answer: 2', async () => {
    const two = await heads(log);
    expect(await run('consistency', ...two, '--key', keys.vkey)).toMatchObject({ code: 2 });
    expect(await run('consistency', ...two, '--url', served.url)).toMatchObject({ code: 2 });
    const away = ['--key', keys.vkey, '--url', 'http://127.0.0.1:1/log'];
    expect(await run('consistency', ...two, ...away)).toMatchObject({ code: 2 });
    expect(await run('consistency', ...two.reverse(), '--key', keys.vkey)).toMatchObject({ code: 2 });
  });

  test('are of two histories where the proof does not hold, or two roots have one size: 1', async () => {
    const proof = await file('proof.json', { proof: fork.proof(5, 33) });
    expect(await run('consistency', ...(await heads(fork)), '--key', keys.vkey, '--proof', proof)).toMatchObject({
      code: 1,
    });
    const same = await run('consistency', ...(await heads(fork, 5)), '--key', keys.vkey);
    expect(same).toMatchObject({ code: 1, said: expect.stringContaining('two different histories') });
    const stranger = testKey(log.origin, 'log').vkey;
    expect(await run('consistency', ...(await heads(log, 5)), '--key', stranger)).toMatchObject({ code: 1 });
  });
});

test('what cannot be read is not found wrong: 2', async () => {
  for (const words of [
    [],
    ['receipt'],
    ['receipt', '/nowhere.json'],
    ['tally', '/nowhere'],
    ['constructor'],
    ['receipt', '--wrong'],
    ['witness', '--state', folder, '--name', 'two words', '--log', served.url],
    ['witness', '--state', folder, '--name', 'w', '--log', served.url, '--listen', 'x'],
    ['receipt', await file('right.json', receipt), '--key', 'no key'],
  ]) {
    expect({ words, ...(await run(...words)) }).toMatchObject({ words, code: 2 });
  }
});

test('a witness is run by one command, and what it keeps is a head that it has signed', async () => {
  const state = join(folder, 'witness');
  const words = ['witness', '--log', served.url, '--state', state, '--name', 'witness.example/w1', '--key', keys.vkey];
  const { code, said } = await run(...words);
  expect([code, said]).toEqual([0, expect.stringContaining('70 entries, co-signed')]);
  const name = toHex(sha256(utf8(log.origin))).slice(0, 32);
  expect(await readFile(join(state, `${name}.note`), 'utf8')).toContain('— witness.example/w1 ');
});
