import { proofsContract } from '@ushirika/contract/proofs';
import { sharesContract } from '@ushirika/contract/shares';
import { fromBase64, toBase64 } from '@ushirika/verifier/bytes';
import { leafOf } from '@ushirika/verifier/entry';
import { nodeCrypto } from '@ushirika/verifier/node-crypto';
import { parseCheckpoint, parseProof } from '@ushirika/verifier/note';
import { checkReceipt, type Receipt, tlogProofOf } from '@ushirika/verifier/receipt';
import { isConsistent, leafHash, rootOfInclusion } from '@ushirika/verifier/tree';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '../../db/test-database.ts';
import { testPeople } from '../../db/test-people.ts';
import { testApp } from '../../http/test-app.ts';
import { standings } from '../membership/standings.ts';
import { testSaccos } from '../saccos/test-saccos.ts';
import { sharesRoutes } from '../shares/shares.routes.ts';
import { proofsRoutes } from './proofs.routes.ts';
import { logAndSign } from './test-logs.ts';

const { sha256 } = nodeCrypto;
let database: TestDatabase;
let app: Awaited<ReturnType<typeof testApp>>;
let sacco: string;
let amina: string;
let baraka: string;
/** The journals of Amina's top-up and of her shares, and of Baraka's top-up. */
let toppedUp: string;
let shares: string;
let barakas: string;

const newestJournal = async () =>
  String((await database.sql<{ id: number }[]>`select max(id) as id from journals`)[0]?.id);
const read = (path: string, as?: string) => app.call('GET', path, as ? { as } : {});
const receiptOf = async (journal: string, as: string): Promise<Receipt> =>
  (await read(`/log/receipts/${journal}`, as)).body.receipt as Receipt;

beforeAll(async () => {
  database = await testDatabase();
  const people = testPeople(database);
  const saccos = testSaccos(database);
  amina = await people.person('Amina', 'Wafula');
  baraka = await people.person('Baraka', 'Otieno');
  sacco = await saccos.sacco(await people.person('Founder'), await people.person('Operator'));
  app = await testApp({
    database,
    contract: [...proofsContract, ...sharesContract],
    bindings: [...proofsRoutes({ database }), ...sharesRoutes({ database, publicUrl: 'https://ushirika.test' })],
    standingOf: standings(database),
  });
  await saccos.fund(baraka, 70_00);
  barakas = await newestJournal();
  await saccos.fund(amina, 5_000_00);
  toppedUp = await newestJournal();
  await saccos.join(sacco, amina);
  const bought = await app.call('POST', '/sacco/members/pay_shares_amount', {
    as: amina,
    sacco,
    key: 'buy-1',
    body: { sacco, shares: 10, amount: 1_000 },
  });
  expect(bought.status).toBe(200);
  shares = await newestJournal();
  await logAndSign(database);
});
afterAll(async () => {
  await app.close();
  await database.close();
});

describe('a receipt', () => {
  test('is checked without the server: opened, in the log, signed', async () => {
    const receipt = await receiptOf(shares, amina);
    const { keys } = (await read(`/log/${sacco}`)).body;
    const steps = await checkReceipt(nodeCrypto, receipt, { keys, chain: null });
    expect(steps.map(({ name, state }) => `${name}: ${state}`)).toEqual([
      'opened: passed',
      'in_log: passed',
      'signed: passed',
      'same_history: open',
      'on_chain: open',
    ]);
    expect(receipt.opening.head).toMatchObject({ kind: 'shares_bought', journal: Number(shares) });
  });

  test('names the step that fails where anything on it was changed', async () => {
    const receipt = await receiptOf(shares, amina);
    const { keys } = (await read(`/log/${sacco}`)).body as { keys: string[] };
    const failed = async (changed: object, trusted = keys) =>
      (await checkReceipt(nodeCrypto, { ...receipt, ...changed }, { keys: trusted, chain: null }))
        .filter(({ state }) => state === 'failed')
        .map(({ name }) => name);
    const { opening, entry, inclusion } = receipt;
    const other = toBase64(sha256(Buffer.from('other')));
    expect(
      await failed({ opening: { ...opening, head: { ...(opening.head as object), kind: 'sacco_joined' } } }),
    ).toEqual(['opened']);
    expect(await failed({ entry: { ...entry, t: '2020-01-01T00:00:00Z' } })).toEqual(['in_log']);
    expect(await failed({ inclusion: [...inclusion.slice(0, -1), other] })).toEqual(['in_log']);
    expect(await failed({ inclusion: ['!'] })).toEqual(['in_log']);
    expect(await failed({ checkpoint: receipt.checkpoint.replace(/.(?=\n$)/, 'A') })).toContain('signed');
    expect(await failed({}, [(await read('/log/platform')).body.keys[0]])).toEqual(['signed']);
  });

  test('shows its owner their own side, and nothing of anybody else’s', async () => {
    const { opening } = await receiptOf(shares, amina);
    const shown = opening.shown.map(({ value }) => value as { owner?: string });
    expect(shown.map(({ owner }) => owner)).toEqual([amina]);
    expect(opening.parts.length).toBeGreaterThan(2);
    expect(JSON.stringify(shown)).not.toContain('share_capital');
  });

  test('is for whom it is about: another member’s, a future one’s, and one without a session are not there', async () => {
    expect((await read(`/log/receipts/${shares}`, baraka)).status).toBe(404);
    expect((await read(`/log/receipts/${barakas}`, amina)).status).toBe(404);
    expect((await read('/log/receipts/999999', amina)).status).toBe(404);
    expect((await read(`/log/receipts/${shares}`)).status).toBe(401);
    expect((await read('/log/receipts/0', amina)).status).toBe(404);
  });

  test('says that it is being logged until its entry is signed', async () => {
    await database.owner`
      insert into journals (idempotency_key, kind, about_type, about_id, posted_at, caused_by)
      values ('being logged', 'wallet_topped_up', 'test', ${amina}, now(), ${amina})`;
    const journal = await newestJournal();
    expect((await read(`/log/receipts/${journal}`, amina)).body).toEqual({ state: 'being_logged', receipt: null });
    await logAndSign(database);
    expect((await read(`/log/receipts/${journal}`, amina)).body.state).toBe('logged');
  });

  test('is written as a .tlog-proof that proves the same entry', async () => {
    const receipt = await receiptOf(toppedUp, amina);
    const { index, proof, checkpoint } = parseProof(tlogProofOf(receipt));
    const { size, root } = parseCheckpoint(checkpoint);
    const found = rootOfInclusion(sha256, leafOf(sha256, receipt.entry), { index, size, proof });
    expect(found && toBase64(found)).toBe(toBase64(root));
  });
});

test('a page has 50 receipts at most, each with a proof of its own', async () => {
  expect((await read('/log/receipts?limit=50', amina)).status).toBe(200);
  expect((await read('/log/receipts?limit=51', amina)).status).toBe(400);
  expect((await read('/log/receipts/events?limit=51', amina)).status).toBe(400);
});

test('a member adds up all their receipts, page by page, to their balances', async () => {
  const balances = new Map<string, number>();
  const seen = new Set<number>();
  let next: number | null = 0;
  while (next !== null) {
    const { body } = await read(`/log/receipts?after=${next}&limit=1`, amina);
    for (const { opening } of body.results as Receipt[]) {
      for (const { value } of opening.shown) {
        for (const side of (value as { sides?: { transfer: number; kind: string; side: string; amount: number }[] })
          .sides ?? []) {
          if (seen.has(side.transfer)) continue;
          seen.add(side.transfer);
          balances.set(
            side.kind,
            (balances.get(side.kind) ?? 0) + (side.side === 'credit' ? side.amount : -side.amount),
          );
        }
      }
    }
    next = body.next;
  }
  expect(Object.fromEntries(balances)).toEqual({ wallet: 4_000_00, holding: 10 });
});

describe('what everybody may read', () => {
  test('a log says since when it is kept, and its newest checkpoint is a signed note', async () => {
    const { status, body } = await read(`/log/${sacco}`);
    expect(status).toBe(200);
    expect(body).toMatchObject({ origin: `ushirika.test/log/${sacco}`, size: 6, checkpoints: [{ size: 6 }] });
    const note = (await read(`/log/${sacco}/checkpoint`)).bytes.toString();
    expect(parseCheckpoint(note)).toMatchObject({ origin: `ushirika.test/log/${sacco}`, size: 6 });
  });

  test('two heads are proven to be of one history, and an entry to be in a head', async () => {
    const { body: log } = await read('/log/platform');
    const { size } = log;
    const { proof } = (await read(`/log/platform/proof/consistency?from=2&to=${size}`)).body;
    const rows = await database.sql<
      { leaf: Buffer }[]
    >`select leaf from log_entries e join logs l on l.id = e.log_id where l.sacco_id is null order by i`;
    const root = fromBase64(log.checkpoints[0].root);
    const [first, second] = rows.map(({ leaf }) => leaf);
    if (!first || !second) throw new Error('The platform has two entries.');
    const fromRoot = sha256(Buffer.concat([Buffer.of(1), first, second]));
    expect(
      isConsistent(sha256, { from: 2, fromRoot, to: size, toRoot: root }, (proof as string[]).map(fromBase64)),
    ).toBe(true);
    const { proof: inclusion } = (await read(`/log/platform/proof/inclusion?index=1&size=${size}`)).body;
    const found = rootOfInclusion(sha256, second, { index: 1, size, proof: (inclusion as string[]).map(fromBase64) });
    expect(found && toBase64(found)).toBe(toBase64(root));
  });

  test('tiles hold the leaves, and entries hash to them once they are a day old', async () => {
    const { size } = (await read('/log/platform')).body;
    const rows = await database.sql<
      { leaf: Buffer }[]
    >`select leaf from log_entries e join logs l on l.id = e.log_id where l.sacco_id is null order by i`;
    const tile = await app.call('GET', `/log/platform/tile/0/000.p/${size}`);
    expect(Buffer.compare(tile.bytes, Buffer.concat(rows.map(({ leaf }) => leaf)))).toBe(0);
    const notYet = async () => expect((await read(`/log/platform/tile/entries/000.p/${size}`)).status).toBe(404);
    await notYet();
    // The entries say the hour in which they were logged, and not the minute: each is a whole day old.
    const day = 86_400_000;
    database.world.advance(day);
    await notYet();
    const [{ hour } = { hour: new Date(0) }] = await database.sql<
      { hour: Date }[]
    >`select max(hour) as hour from log_entries`;
    database.world.setNow(new Date(hour.getTime() + 25 * 3_600_000 - 1));
    await notYet();
    database.world.advance(1);
    const { bytes } = await app.call('GET', `/log/platform/tile/entries/000.p/${size}`);
    let at = 0;
    for (const { leaf } of rows) {
      const length = bytes.readUInt16BE(at);
      expect(Buffer.from(leafHash(sha256, bytes.subarray(at + 2, at + 2 + length)))).toEqual(leaf);
      at += 2 + length;
    }
    expect(at).toBe(bytes.length);
  });

  test.each([
    '/log/platform/tile/0/000',
    '/log/platform/tile/0/000.p/256',
    '/log/platform/tile/0/000.p/200',
    '/log/platform/tile/0/x000/001',
    '/log/platform/tile/0/001/002',
    '/log/platform/tile/0/x001/x002/003',
    '/log/platform/proof/inclusion?index=9999&size=9999',
    '/log/platform/proof/inclusion?index=5&size=5',
    '/log/platform/proof/consistency?from=0&to=2',
    '/log/platform/proof/consistency?from=3&to=2',
    '/log/00000000-0000-7000-8000-00000000dead',
    '/log/00000000-0000-7000-8000-00000000dead/checkpoint',
  ])('what is not in the log is not found: %s', async (path) => {
    expect((await read(path)).status).toBe(404);
  });
});
