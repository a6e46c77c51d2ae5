import { toBase64 } from '@ushirika/verifier/bytes';
import { logIdOf, rootAtCall } from '@ushirika/verifier/chain';
import type { Receipt } from '@ushirika/verifier/receipt';
import { beforeEach, expect, test, vi } from 'vitest';
import { browserCrypto } from './browser-crypto.ts';
import { checkSaved, verdictOf } from './check-saved.ts';
import { isDemonstrationChain } from './demonstration-chain.ts';
import { rememberKeys } from './known-keys.ts';
import type { Absence, LogSource } from './log-source.ts';
import { codeOf, readReceipt, type SavedReceipt, shortReceipt } from './saved-receipt.ts';
import { reasonOf } from './step-words.ts';
import { testLog } from './test-receipts.ts';

const ORIGIN = 'ushirika.test/log/platform';
const topUp = (transfer: number, after: number) => ({
  kind: 'wallet_topped_up',
  sides: [{ account: 7, kind: 'wallet', transfer, side: 'credit' as const, amount: 100_00, after }],
});
const log = await testLog(ORIGIN, [topUp(1, 100_00), topUp(2, 200_00), topUp(3, 300_00)]);
/** Another history of the same length, under a key of its own. */
const other = await testLog(ORIGIN, [topUp(1, 100_00), topUp(2, 999_00), topUp(3, 300_00)]);

const gone: LogSource = {
  facts: async () => null,
  checkpoint: async () => null,
  inclusion: async () => null,
  consistency: async () => null,
};
const facts = {
  origin: ORIGIN,
  sacco: null,
  started_at: '2026-11-20T06:00:00.000Z',
  size: 3,
  keys: [log.vkey],
  checkpoints: [],
  anchors: [],
  chain: null,
  key_dates: [],
  halted_at: null,
  halted_by: null,
  generations: [],
  beginning: null,
};
const server: LogSource = {
  facts: async () => facts,
  checkpoint: () => log.checkpoint(3),
  inclusion: async (_, i, size) => log.inclusion(i, size),
  consistency: async (_, from, to) => log.consistency(from, to),
};

const CONTRACT = `0x${'ab'.repeat(20)}`;
const anchored = async (): Promise<Receipt> => ({
  ...(await log.receipt(1, 2)),
  anchor: {
    chain_id: 31337,
    contract: CONTRACT,
    size: 3,
    root: log.root(3),
    consistency: log.consistency(2, 3),
  },
});
/** A chain that has one root for this log at size 3. */
const chain =
  (root: string, chainId = 31337) =>
  async (_: string, body: string) => {
    const { method, params } = JSON.parse(body) as { method: string; params: [{ data: string }] };
    if (method === 'eth_chainId') return { result: `0x${chainId.toString(16)}` };
    const isAsked = params[0].data === rootAtCall(logIdOf(browserCrypto.sha256, ORIGIN), 3);
    return { result: `0x${isAsked ? Buffer.from(root, 'base64').toString('hex') : '0'.repeat(64)}` };
  };

beforeEach(() => {
  const kept = new Map<string, string>();
  vi.stubGlobal('localStorage', {
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, value: string) => kept.set(name, value),
  });
  return () => vi.unstubAllGlobals();
});

async function check(
  receipt: object,
  logs = server,
  ask = chain(log.root(3)),
  endpoint: string | null = 'http://chain',
  mayAskChain = true,
  absence: Absence | null = null,
) {
  const saved = await readReceipt(JSON.stringify(receipt));
  if (!saved) throw new Error('This receipt cannot be read.');
  const means = {
    crypto: browserCrypto,
    logs,
    endpoint,
    mayAskChain,
    ask,
    lookUp: async () => ({ facts: await logs.facts(ORIGIN), absence }),
  };
  const checked = await checkSaved(saved as SavedReceipt, means);
  return {
    verdict: verdictOf(checked),
    steps: checked.steps.map(({ name, state, why }) => [name, state, why].filter(Boolean).join(' ')),
  };
}
const failed = async (...given: Parameters<typeof check>) =>
  (await check(...given)).steps.filter((step) => step.includes(' failed'));

test('a receipt with its anchor passes all five steps', async () => {
  expect(await check(await anchored())).toEqual({
    verdict: 'right',
    steps: ['opened passed', 'in_log passed', 'signed passed', 'same_history passed', 'on_chain passed demonstration'],
  });
});

test('the chain of the demonstration is said to prove nothing, though the step passed, and a public chain is not', () => {
  expect(isDemonstrationChain(31_337)).toBe(true);
  for (const publicChain of [1, 42_220, 8_453]) expect(isDemonstrationChain(publicChain)).toBe(false);
  expect(reasonOf({ name: 'on_chain', state: 'passed', why: 'demonstration' })).toContain('proves nothing to others');
  expect(reasonOf({ name: 'on_chain', state: 'passed' })).toBeNull();
});

test('each step is red where what it rests on was changed', async () => {
  const receipt = await anchored();
  const { opening, entry, anchor } = receipt;
  const wrong = toBase64(browserCrypto.sha256(new Uint8Array([1])));
  const [part] = opening.shown;
  const sides = [{ ...topUp(2, 200_00).sides[0], amount: 900_00 }];
  const forged = { ...opening, shown: [{ ...part, value: { owner: 'me', sides } }] };
  expect(await failed({ ...receipt, opening: forged })).toEqual(['opened failed']);
  expect(await failed({ ...receipt, entry: { ...entry, t: '2020-01-01T00:00:00Z' } })).toEqual(['in_log failed']);
  expect(await failed({ ...receipt, checkpoint: await other.checkpoint(2) })).toEqual([
    'in_log failed',
    'signed failed',
  ]);
  const unsigned = await check({ ...receipt, checkpoint: await other.checkpoint(2) }, server, chain(log.root(3)));
  expect(unsigned.steps.slice(3)).toEqual(['same_history open step_before', 'on_chain open step_before']);
  const resigned = receipt.checkpoint.replace(/.{8}\n$/, 'AAAAAAA=\n');
  expect(await failed({ ...receipt, checkpoint: resigned })).toContain('signed failed');
  expect(await failed({ ...receipt, anchor: { ...anchor, consistency: [wrong] } })).toEqual(['same_history failed']);
  expect(await failed(receipt, server, chain(wrong))).toEqual(['on_chain failed']);
  expect(await failed({ ...receipt, anchor: { ...anchor, size: 9 } })).toContain('on_chain failed no_anchor_there');
});

test('a chain’s server that is silent, or of another chain, is no fault of the receipt', async () => {
  const receipt = await anchored();
  const silent = async () => {
    throw new Error('no network');
  };
  expect((await check(receipt, server, silent)).steps.at(-1)).toBe('on_chain open chain_silent');
  expect((await check(receipt, server, chain(log.root(3), 1))).steps.at(-1)).toBe('on_chain open other_chain');
  expect((await check(receipt, server, silent, null)).steps.at(-1)).toBe('on_chain open no_endpoint');
  const neverAsked = async () => expect.unreachable('This document may ask nobody else.');
  expect((await check(receipt, server, neverAsked, 'http://chain', false)).steps.at(-1)).toBe(
    'on_chain open other_document',
  );
});

test('a receipt that was anchored before the log moved to another contract or chain is checked by the one that the log has now', async () => {
  const first = await anchored();
  const elsewhere = (chain_id: number, contract: string) => ({
    ...first,
    anchor: { ...first.anchor, chain_id, contract },
  });
  for (const receipt of [elsewhere(42_220, `0x${'ef'.repeat(20)}`), elsewhere(31_337, CONTRACT)]) {
    expect(await check(receipt, writing(3), chainOf(3))).toMatchObject({
      verdict: 'right',
      steps: expect.arrayContaining(['same_history passed', 'on_chain passed moved']),
    });
    // Nothing is written to the new one yet.
    const unwritten = { ...writing(3), facts: async () => ({ ...(await writing(3).facts(ORIGIN)), anchors: [] }) };
    expect((await check(receipt, unwritten as LogSource)).steps.at(-1)).toBe('on_chain open not_written');
    // Another history stands there.
    expect(await failed(receipt, writing(3, other.root(3)), chainOf(3, other.root(3)))).toEqual([
      'same_history failed',
    ]);
    expect(await failed(receipt, writing(3), chainOf(3, other.root(3)))).toEqual(['on_chain failed']);
  }
});

test('with our server gone a receipt that brings its proof is checked by the key that this browser has seen', async () => {
  const receipt = await log.receipt(0, 2);
  expect((await check(receipt, gone)).steps).toEqual([
    'opened passed',
    'in_log passed',
    'signed open no_key',
    'same_history open no_server',
    'on_chain open not_carried',
  ]);
  rememberKeys(browserCrypto.sha256, ORIGIN, [log.vkey]);
  expect(await check(receipt, gone)).toEqual({
    verdict: 'so_far',
    steps: [
      'opened passed',
      'in_log passed',
      'signed passed',
      'same_history open no_server',
      'on_chain open not_carried',
    ],
  });
});

test('the short form of a QR code gets its proof and checkpoint from the server, and without it says what is missing', async () => {
  const short = shortReceipt(await log.receipt(1));
  const code = await codeOf(short);
  expect(await readReceipt(`https://ushirika.test/verify#r=${code}`)).toEqual(await readReceipt(JSON.stringify(short)));
  expect((await check(short)).steps.slice(0, 4)).toEqual([
    'opened passed',
    'in_log passed',
    'signed passed',
    'same_history passed',
  ]);
  expect((await check(short, gone)).steps).toEqual([
    'opened passed',
    'in_log open no_server',
    'signed open no_server',
    'same_history open no_server',
    'on_chain open not_carried',
  ]);
});

/** A server whose log is on the chain at a size, by what it says. */
const writing = (size: number, root = log.root(size)): LogSource => ({
  ...server,
  facts: async () => ({
    ...facts,
    anchors: [{ size, root, block: 12, transaction: `0x${'cd'.repeat(32)}`, at: '2026-11-20T07:00:00.000Z' }],
    chain: { chain_id: 42_220, contract: CONTRACT, rpc_url: null },
  }),
});
const chainOf = (size: number, root = log.root(size)) => {
  const call = rootAtCall(logIdOf(browserCrypto.sha256, ORIGIN), size);
  return async (_: string, body: string) => {
    const { method, params } = JSON.parse(body) as { method: string; params: [{ data: string }] };
    if (method === 'eth_chainId') return { result: '0xa4ec' };
    return { result: `0x${params[0].data === call ? Buffer.from(root, 'base64').toString('hex') : '0'.repeat(64)}` };
  };
};

test('a copy without its writing on the chain gets it from the server, and all five steps pass', async () => {
  const passed = { verdict: 'right', steps: expect.arrayContaining(['same_history passed', 'on_chain passed']) };
  const short = shortReceipt(await log.receipt(1));
  // The head is as long as what is on the chain, longer, and shorter.
  expect(await check(short, writing(3), chainOf(3))).toMatchObject(passed);
  expect(await check(short, writing(2), chainOf(2))).toMatchObject(passed);
  expect(await check(await log.receipt(1, 2), writing(3), chainOf(3))).toMatchObject(passed);
});

test('a writing on the chain that the server names is believed only with its proof and the chain’s own answer', async () => {
  const short = shortReceipt(await log.receipt(1));
  expect(await failed(short, writing(2, other.root(2)), chainOf(2, other.root(2)))).toEqual(['same_history failed']);
  expect(await failed(short, writing(2), chainOf(2, other.root(2)))).toEqual(['on_chain failed']);
  const forged = { ...writing(2), consistency: async () => [toBase64(browserCrypto.sha256('no proof'))] };
  expect(await failed(short, forged, chainOf(2))).toEqual(['same_history failed']);
});

test('why a copy is not compared with the chain is said: not written since, no chain, or no server', async () => {
  const newest = shortReceipt(await log.receipt(2));
  expect((await check(newest, writing(2), chainOf(2))).steps.at(-1)).toBe('on_chain open not_written');
  expect((await check(newest, server)).steps.at(-1)).toBe('on_chain open no_chain');
  expect((await check(newest, gone)).steps.at(-1)).toBe('on_chain open not_carried');
});

test('a receipt of another website, or of a log that is not here, is not called unchecked, and our server is not said to be gone', async () => {
  for (const absence of ['other_host', 'no_such_log'] as const) {
    expect(await check(shortReceipt(await log.receipt(1)), gone, undefined, null, true, absence)).toEqual({
      verdict: 'elsewhere',
      steps: [
        'opened passed',
        'in_log open not_here',
        'signed open not_here',
        'same_history open not_here',
        'on_chain open not_here',
      ],
    });
  }
  // A receipt that is wrong by itself stays wrong.
  const { entry, opening } = await log.receipt(1);
  const changed = { ...shortReceipt({ entry, opening: { ...opening, head: {} } }) };
  expect((await check(changed, gone, undefined, null, true, 'other_host')).verdict).toBe('wrong');
  // One of our own without a network is no stranger.
  expect((await check(shortReceipt(await log.receipt(1)), gone)).verdict).toBe('open');
});

test('a server that shows another history than the receipt’s is caught, also where it has fewer entries than it signed', async () => {
  const rewritten: LogSource = {
    ...server,
    facts: async () => ({ ...facts, keys: [log.vkey, other.vkey] }),
    checkpoint: () => other.checkpoint(3),
    consistency: async (_, from, to) => other.consistency(from, to),
  };
  expect(await failed(await log.receipt(1, 2), rewritten)).toEqual(['same_history failed']);
  const shorter: LogSource = { ...server, checkpoint: () => log.checkpoint(2) };
  expect(await failed(await log.receipt(0, 3), shorter)).toEqual(['same_history failed']);
});

test('a key that differs from the first one seen is a failure, until the reader trusts it', async () => {
  await check(await log.receipt(0), server);
  const renewed: LogSource = {
    ...server,
    facts: async () => ({ ...facts, keys: [other.vkey] }),
    checkpoint: () => other.checkpoint(3),
  };
  const receipt = await other.receipt(0);
  expect((await check(receipt, renewed)).steps[2]).toBe('signed failed key_changed');
  rememberKeys(browserCrypto.sha256, ORIGIN, [other.vkey]);
  expect((await check(receipt, renewed)).steps[2]).toBe('signed passed');
});

test('a key that the one before it has signed for is followed, over several changes; one that it has not is not', async () => {
  const third = await testLog(ORIGIN, [topUp(1, 100_00), topUp(2, 200_00), topUp(3, 300_00)]);
  const [since, until] = ['2026-11-20T06:00:00.000Z', null];
  const changed = (first: string | null, second: string | null): LogSource => ({
    ...server,
    facts: async () => ({
      ...facts,
      keys: [third.vkey, other.vkey, log.vkey],
      key_dates: [second, first, null].map((signed_by_last) => ({ since, until, signed_by_last })),
    }),
    checkpoint: () => third.checkpoint(3),
  });
  const receipt = await third.receipt(0);
  const [first, second] = [await log.signFor(other.vkey), await other.signFor(third.vkey)];
  await check(await log.receipt(0), server);
  // Nobody, another key, or the right one for another key.
  for (const wrong of [null, await third.signFor(third.vkey), await other.signFor(log.vkey), 'no signature']) {
    expect((await check(receipt, changed(first, wrong))).steps[2]).toBe('signed failed key_changed');
  }
  expect((await check(receipt, changed(null, second))).steps[2]).toBe('signed passed');
  // It is known from then on, with the server gone too.
  expect((await check(receipt, gone)).steps[2]).toBe('signed passed');
  expect((await check(await log.receipt(0), gone)).steps[2]).toBe('signed passed');
});

test('a browser that stores nothing checks all the same', async () => {
  vi.stubGlobal('localStorage', {
    getItem: () => {
      throw new DOMException('refused', 'SecurityError');
    },
    setItem: () => {
      throw new DOMException('refused', 'SecurityError');
    },
  });
  expect((await check(await log.receipt(0))).steps[2]).toBe('signed passed');
});
