import type { LogFacts, LogTotal } from '@ushirika/contract/proofs';
import { toBase64, utf8 } from '@ushirika/verifier/bytes';
import { sumLeaf, sumLevels, sumProof } from '@ushirika/verifier/sum-tree';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { browserCrypto } from '../verify/browser-crypto.ts';
import type { LogSource } from '../verify/log-source.ts';
import { testLog } from '../verify/test-receipts.ts';
import { isBeginningLogged, isOneHistory, isTotalLogged, type OwnTotals, ownPart, trustedKeys } from './check-books.ts';

const { sha256 } = browserCrypto;
const ORIGIN = 'ushirika.test/log/platform';
const LATER = `${ORIGIN}.2`;

const parts = [
  { account: 3, amount: 400_00 },
  { account: 7, amount: 120_00 },
  { account: 9, amount: 80_00 },
  { account: 3, amount: 100_00 },
];
const salted = parts.map((part, at) => ({ ...part, salt: sha256(utf8(`salt ${at}`)) }));
const levels = sumLevels(
  sha256,
  salted.map((leaf) => sumLeaf(sha256, leaf)),
);
const [top] = levels.at(-1) ?? [];
if (!top) throw new Error('The tree has a root.');
const root = toBase64(top.hash);
const totalHead = {
  event: 'totals',
  what: 'wallets',
  day: '2026-11-20',
  at: '2026-11-20T06:00:00.000Z',
  total: top.sum,
  root,
  leaves: 4,
  float_cents: 900_00,
  saccos_cents: 150_00,
  other_cents: 50_00,
  mpesa_cents: 905_00,
  expected_cents: 905_00,
  compared_at: '2026-11-19T20:00:00.000Z',
};
const log = await testLog(ORIGIN, [
  { kind: '', sides: [], head: { kind: 'log_started' } },
  { kind: '', sides: [], head: totalHead },
  { kind: 'wallet_topped_up', sides: [] },
]);
/** Another history of the same length, under a key of its own. */
const other = await testLog(ORIGIN, [
  { kind: '', sides: [], head: { kind: 'log_started' } },
  { kind: 'another', sides: [] },
  { kind: 'wallet_topped_up', sides: [] },
]);

const facts: LogFacts = {
  origin: ORIGIN,
  sacco: null,
  started_at: '2026-11-20T06:00:00.000Z',
  size: 3,
  keys: [log.vkey],
  key_dates: [{ since: '2026-11-20T06:00:00.000Z', until: null, signed_by_last: null }],
  checkpoints: [2, 1].map((size) => ({ size, root: log.root(size), signed_at: '2026-11-20T06:00:00.000Z' })),
  anchors: [],
  chain: null,
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

/** The receipt as the server sends it. */
const sent = async (of: typeof log, i: number) => (await of.receipt(i)) as unknown as NonNullable<LogTotal['receipt']>;

beforeEach(() => {
  const kept = new Map<string, string>();
  vi.stubGlobal('localStorage', {
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, value: string) => void kept.set(name, value),
  });
});

describe('one history', () => {
  const check = (changed: Partial<LogSource>, shown: Partial<LogFacts> = {}) =>
    isOneHistory(browserCrypto, { ...server, ...changed }, { ...facts, ...shown });

  test('is proven from the oldest head that the page shows to the newest', async () => {
    expect(await check({})).toBe(true);
  });

  test('is not, where a head on the page is not the beginning of the newest one', async () => {
    const checkpoints = [{ size: 2, root: other.root(2), signed_at: '2026-11-20T06:00:00.000Z' }];
    expect(await check({}, { checkpoints })).toBe(false);
  });

  test.each<[string, Partial<LogSource>, Partial<LogFacts>]>([
    ['a key that is not the log’s has signed the newest head', { checkpoint: () => other.checkpoint(3) }, {}],
    [
      'the newest head is of another log',
      { checkpoint: async () => (await testLog(LATER, [{ kind: 'another', sides: [] }])).checkpoint(1) },
      {},
    ],
    ['the server gives no head', { checkpoint: async () => null }, {}],
    ['the server gives no proof', { consistency: async () => null }, {}],
    ['the proof is another’s', { consistency: async (_, from, to) => other.consistency(from, to) }, {}],
    ['the page shows no head', {}, { checkpoints: [] }],
    ['the browser knows no key', {}, { keys: [] }],
  ])('is not, where %s', async (_, changed, shown) => {
    expect(await check(changed, shown)).toBe(false);
  });
});

const compared = { at: '2026-11-19T20:00:00.000Z', mpesa_cents: 905_00, expected_cents: 905_00 };
const reserves = { float_cents: 900_00, saccos_cents: 150_00, other_cents: 50_00, compared };
const total = async (): Promise<LogTotal> => ({
  what: 'wallets',
  day: '2026-11-20',
  at: '2026-11-20T06:00:00.000Z',
  total: top.sum,
  leaves: 4,
  root,
  index: 1,
  shares_issued: null,
  reserves,
  receipt: await sent(log, 1),
});

describe('a total', () => {
  const check = async (changed: Partial<LogTotal>, keys = [log.vkey]) =>
    isTotalLogged(browserCrypto, { ...(await total()), ...changed }, keys);
  test('is what the signed log says', async () => {
    expect(await check({})).toBe(true);
  });

  test.each<[string, Partial<LogTotal>]>([
    ['another sum', { total: top.sum + 1 }],
    ['another root', { root: toBase64(sha256(utf8('x'))) }],
    ['another number of leaves', { leaves: 3 }],
    ['another thing', { what: 'savings' }],
    ['shares that were never issued', { shares_issued: 5 }],
    ['another float', { reserves: { ...reserves, float_cents: 901_00 } }],
    ['other money of saccos', { reserves: { ...reserves, saccos_cents: 0 } }],
    ['other fees', { reserves: { ...reserves, other_cents: 0 } }],
    ['another day', { day: '2026-11-21' }],
    ['a later moment', { at: '2026-11-28T06:00:00.000Z' }],
    ['another answer of M-Pesa', { reserves: { ...reserves, compared: { ...compared, mpesa_cents: 1 } } }],
    ['other books beside M-Pesa', { reserves: { ...reserves, compared: { ...compared, expected_cents: 1 } } }],
    ['a later comparison', { reserves: { ...reserves, compared: { ...compared, at: '2026-11-28T20:00:00.000Z' } } }],
    ['no comparison, though one was logged', { reserves: { ...reserves, compared: null } }],
    ['no receipt', { receipt: null }],
  ])('is refused where the page shows %s', async (_, changed) => {
    expect(await check(changed)).toBe(false);
  });

  test('is refused under another key, and where what was logged was changed', async () => {
    expect(await check({}, [other.vkey])).toBe(false);
    const receipt = await sent(log, 1);
    const head = { ...totalHead, total: 1 };
    expect(await check({ total: 1, receipt: { ...receipt, opening: { ...receipt.opening, head } } })).toBe(false);
  });
});

describe('one’s own part of a total', () => {
  const leaf = (at: number) => {
    const { account, amount, salt } = salted[at] as (typeof salted)[number];
    return { account, kind: 'wallet', amount, salt: toBase64(salt), steps: sumProof(levels, at) };
  };
  const own = (leaves: object[] | null, what = 'wallets') => [{ total: { what }, leaves }] as unknown as OwnTotals;
  const part = async (mine: OwnTotals, keys = [log.vkey]) => ownPart(browserCrypto, await total(), mine, keys);

  test('is proven for each leaf, the two of an account too, and added up', async () => {
    expect(await part(own([leaf(0), leaf(3)]))).toMatchObject({ amount: 500_00, isProven: true });
    expect(await part(own([leaf(1), leaf(2)]))).toMatchObject({ amount: 200_00, isProven: true });
    expect(await part(own([]))).toMatchObject({ amount: 0, isProven: true });
    expect(await part(own([leaf(0)], 'savings'))).toMatchObject({ amount: 0, isProven: true });
  });

  test('is told by the kinds of accounts that pages show apart', async () => {
    const leaves = [leaf(0), leaf(3), { ...leaf(1), kind: 'wallet_hold' }, { ...leaf(2), kind: 'wallet_hold' }];
    expect([...((await part(own(leaves)))?.kinds ?? [])]).toEqual([
      ['wallet', 500_00],
      ['wallet_hold', 200_00],
    ]);
  });

  test('is not, with another amount, with another’s way, or with one leaf twice', async () => {
    expect((await part(own([{ ...leaf(0), amount: 400_01 }])))?.isProven).toBe(false);
    expect((await part(own([{ ...leaf(0), steps: leaf(1).steps }])))?.isProven).toBe(false);
    expect((await part(own([leaf(0), leaf(0)])))?.isProven).toBe(false);
  });

  test('is worth nothing, where the total itself is in no log that its key signed', async () => {
    expect(await part(own([leaf(0)]))).toMatchObject({ isLogged: true, isProven: true });
    expect(await part(own([leaf(0)]), [other.vkey])).toMatchObject({ isLogged: false });
  });

  test('is neither, where the server keeps no leaves of this total any more', async () => {
    expect(await part(own(null))).toBeNull();
  });
});

describe('the log after one that was ended', () => {
  const head = { log: ORIGIN, size: 7, root: log.root(3) };
  const started = (follows: object) => ({ kind: '', sides: [], head: { kind: 'log_started', follows } as never });

  test('names its last head in its first entry', async () => {
    const later = await testLog(LATER, [started(head), started({ ...head, size: 9 })]);
    const check = (given: typeof head, keys = [later.vkey], i = 0) =>
      sent(later, i).then((beginning) => isBeginningLogged(browserCrypto, { origin: LATER, beginning }, given, keys));
    expect(await check(head)).toBe(true);
    expect(await check({ ...head, size: 6 })).toBe(false);
    expect(await check({ ...head, root: log.root(2) })).toBe(false);
    expect(await check({ ...head, log: LATER })).toBe(false);
    expect(await check(head, [log.vkey])).toBe(false);
    expect(await check({ ...head, size: 9 }, [later.vkey], 1)).toBe(false);
    expect(await isBeginningLogged(browserCrypto, { origin: LATER, beginning: null }, head, [later.vkey])).toBe(false);
  });
});

test('the keys that a browser saw first are the ones that it trusts', async () => {
  expect(await trustedKeys(facts)).toEqual([log.vkey]);
  expect(await trustedKeys({ ...facts, keys: [other.vkey] })).toEqual([log.vkey]);
});
