import { proofsContract } from '@ushirika/contract/proofs';
import { sharesContract } from '@ushirika/contract/shares';
import { nairobiDay } from '@ushirika/contract/time';
import { fromBase64 } from '@ushirika/verifier/bytes';
import { nodeCrypto } from '@ushirika/verifier/node-crypto';
import { checkReceipt, type Receipt } from '@ushirika/verifier/receipt';
import { isInSum, type SumStep, sumLeaf } from '@ushirika/verifier/sum-tree';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '../../db/test-database.ts';
import { testPeople } from '../../db/test-people.ts';
import { testApp } from '../../http/test-app.ts';
import { breaches } from '../../ledger/invariants.ts';
import { standings } from '../membership/standings.ts';
import { testSaccos } from '../saccos/test-saccos.ts';
import { sharesRoutes } from '../shares/shares.routes.ts';
import { openNextLog } from './append-entries.ts';
import { eraseEntry } from './erase-entry.ts';
import { proofsInvariants } from './proofs.invariants.ts';
import { proofsRoutes } from './proofs.routes.ts';
import { Sequencer } from './sequencer.ts';
import { takeTotals } from './take-totals.ts';
import { logAndSign, logAll as logEverything, someoneWrites } from './test-logs.ts';

const { sha256 } = nodeCrypto;
const originBase = 'sacco.test/log';
const YEAR_MS = 366 * 86_400_000;
let database: TestDatabase;
let app: Awaited<ReturnType<typeof testApp>>;
let people: ReturnType<typeof testPeople>;
let saccos: ReturnType<typeof testSaccos>;
let sequencer: Sequencer;
let sacco: string;
let amina: string;
let baraka: string;

beforeEach(async () => {
  database = await testDatabase();
  people = testPeople(database);
  saccos = testSaccos(database);
  sequencer = new Sequencer({ database, originBase });
  amina = await people.person('Amina', 'Wafula');
  baraka = await people.person('Baraka', 'Otieno');
  sacco = await saccos.sacco(await people.person('Founder'), await people.person('Operator'));
  app = await testApp({
    database,
    contract: [...proofsContract, ...sharesContract],
    bindings: [...proofsRoutes({ database }), ...sharesRoutes({ database, publicUrl: 'https://ushirika.test' })],
    standingOf: standings(database),
  });
});
afterEach(async () => {
  await app.close();
  await database.close();
});

const sound = async () => expect(await breaches(database.owner, proofsInvariants)).toEqual([]);
const read = (path: string, as?: string) => app.call('GET', path, as ? { as } : {});

const logAll = () => logAndSign(database, originBase);

/** Amina as the sacco's supervisor: one event about a person. */
async function takeOffice(since = database.now()): Promise<number> {
  await database.owner`
    insert into offices (id, sacco_id, user_id, office, since, until, recorded_by)
    values (gen_random_uuid(), ${sacco}, ${amina}, 'supervisory_committee', ${since}, ${new Date(since.getTime() + YEAR_MS)}, ${amina})`;
  const [event] = await database.sql<{ id: number }[]>`select max(id) as id from log_events`;
  return event?.id ?? 0;
}

const eventEntries = async () =>
  (
    await database.sql<{ event_id: number }[]>`
    select event_id from log_entries where event_id is not null order by event_id`
  ).map(({ event_id }) => event_id);

const eventIds = async () =>
  (await database.sql<{ id: number }[]>`select id from log_events order by id`).map(({ id }) => id);

describe('an event', () => {
  test('is in the log once, however many processes log, and nowhere else any more', async () => {
    await takeOffice();
    const other = new Sequencer({ database, originBase });
    await Promise.all([sequencer.catchUp(), other.catchUp(), sequencer.catchUp()]);
    await logEverything(database, sequencer);
    expect(await eventEntries()).toEqual(await eventIds());
    expect(await database.sql`select from log_events where head is not null or parts is not null`).toHaveLength(0);
    await sound();
  });

  test('that is undone with its transaction is in no log', async () => {
    const before = await eventIds();
    await expect(
      database.owner.begin(async (sql) => {
        await sql`update offices set ended_at = since + interval '1 day' where sacco_id = ${sacco}`;
        throw new Error('undone');
      }),
    ).rejects.toThrow('undone');
    await logEverything(database, sequencer);
    expect(await eventEntries()).toEqual(before);
    await sound();
  });

  test('waits for a transaction that has begun to write before it', async () => {
    await sequencer.catchUp();
    let commit = () => {};
    const late = database.owner.begin(async (sql) => {
      await sql`update offices set ended_at = since + interval '1 day' where sacco_id = ${sacco}`;
      await new Promise<void>((resolve) => {
        commit = resolve;
      });
    });
    await someoneWrites(database);
    await takeOffice();
    expect(await sequencer.catchUp()).toBe(0);
    commit();
    await late;
    await logEverything(database, sequencer);
    expect(await eventEntries()).toEqual(await eventIds());
    await sound();
  });

  test('tells the terms, the state and the officials of a sacco', async () => {
    await logAll();
    const heads = await database.sql<{ event: string }[]>`
      select f.head ->> 'event' as event from log_facts f join log_entries e on e.log_id = f.log_id and e.i = f.i
      where e.event_id is not null order by e.event_id`;
    expect(heads.map(({ event }) => event)).toEqual(expect.arrayContaining(['terms_in_force', 'state_changed']));
  });

  test.each([
    'update log_events set kind = kind',
    'update log_events set subject_id = null',
    'delete from log_events',
    'truncate log_events',
    `update log_facts set head = '{}'`,
    'delete from log_facts',
    'truncate log_facts',
  ])('even the owner of the tables is refused: %s', async (statement) => {
    await takeOffice();
    await logAll();
    await expect(database.owner.unsafe(statement)).rejects.toMatchObject({ code: '42501' });
  });

  test('that a superuser changed is found by the audit', async () => {
    await takeOffice();
    await logAll();
    await database.owner.begin(async (sql) => {
      await sql`set local session_replication_role = replica`;
      await sql`update log_facts set parts = '[]' where jsonb_array_length(parts) > 0`;
    });
    expect(JSON.stringify(await breaches(database.owner, proofsInvariants))).toContain('do not say');
  });
});

describe('the receipt of an event', () => {
  test('is its subject’s, checks without the server, and nobody else is shown it', async () => {
    const event = await takeOffice();
    const waiting = await read(`/log/receipts/event/${event}`, amina);
    expect(waiting.body).toEqual({ state: 'being_logged', receipt: null });
    await logAll();
    const { body } = await read(`/log/receipts/event/${event}`, amina);
    const { keys } = (await read(`/log/${sacco}`)).body;
    const steps = await checkReceipt(nodeCrypto, body.receipt as Receipt, { keys, chain: null });
    expect(steps.slice(0, 3).map(({ state }) => state)).toEqual(['passed', 'passed', 'passed']);
    expect(body.receipt.opening.shown.map(({ value }: { value: object }) => value)).toEqual([{ owner: amina }]);
    expect((await read(`/log/receipts/event/${event}`, baraka)).status).toBe(404);
    expect((await read(`/log/receipts/event/${event}`)).status).toBe(401);
    expect((await read('/log/receipts/events', amina)).body).toMatchObject({ results: [body.receipt], next: null });
    expect((await read('/log/receipts/events', baraka)).body.results).toEqual([]);
  });
});

describe('erasing', () => {
  test('destroys what an entry says of a person, says so in the log, and all other proofs hold', async () => {
    const event = await takeOffice();
    const kept = await takeOffice2();
    await logAll();
    const [place] = await database.sql<{ i: number }[]>`select i from log_entries where event_id = ${event}`;
    const i = place?.i ?? 0;
    expect(await eraseEntry(database, sacco, i)).toContain('kept for seven years');
    database.world.advance(8 * YEAR_MS);
    expect(await eraseEntry(database, sacco, i)).toBeNull();
    expect(await eraseEntry(database, sacco, i)).toContain('erased before');
    await logAll();
    expect((await read(`/log/receipts/event/${event}`, amina)).status).toBe(404);
    expect(
      await database.sql`select from log_facts f join log_entries e on e.log_id = f.log_id and e.i = f.i
      where e.event_id = ${event}`,
    ).toHaveLength(0);
    const other = (await read(`/log/receipts/event/${kept}`, baraka)).body.receipt as Receipt;
    const { keys, size } = (await read(`/log/${sacco}`)).body;
    const steps = await checkReceipt(nodeCrypto, other, { keys, chain: null });
    expect(steps.slice(0, 3).map(({ state }) => state)).toEqual(['passed', 'passed', 'passed']);
    const [last] = await database.sql<{ head: object }[]>`
      select head from log_facts f join logs l on l.id = f.log_id where l.sacco_id = ${sacco} and f.i = ${size - 1}`;
    expect(last?.head).toMatchObject({ event: 'entry_erased', entry: i });
    await sound();
  });

  test('in a log that has ended is told by the log that follows it', async () => {
    const event = await takeOffice();
    await logAll();
    const [place] = await database.sql<{ log_id: number; i: number; origin: string }[]>`
      select e.log_id, e.i, l.origin from log_entries e join logs l on l.id = e.log_id where e.event_id = ${event}`;
    const { log_id, i, origin } = place ?? { log_id: 0, i: 0, origin: '' };
    await database.transaction(async (tx) => {
      await tx.sql`update logs set halted_at = ${tx.now}, halted_because = 'restored', halted_by = 'file', ended_at = ${tx.now} where id = ${log_id}`;
      await openNextLog(tx, { saccoId: sacco, origin: `${origin}.2`, follows: log_id });
    });
    database.world.advance(8 * YEAR_MS);
    expect(await eraseEntry(database, `${sacco}.2`, i)).toContain('no such entry');
    expect(await eraseEntry(database, sacco, i)).toBeNull();
    await logAll();
    const [told] = await database.sql<{ head: object }[]>`
      select f.head from log_facts f join logs l on l.id = f.log_id
      where l.origin = ${`${origin}.2`} and f.head ->> 'event' = 'entry_erased'`;
    expect(told?.head).toMatchObject({ log: origin, entry: i });
  });

  test('is refused for a movement of money, for what names nobody, and for what is not there', async () => {
    await saccos.fund(amina, 100_00);
    await logAll();
    expect(await eraseEntry(database, 'platform', 1)).toContain('Accounting records');
    expect(await eraseEntry(database, 'platform', 0)).toContain('nothing of a person');
    expect(await eraseEntry(database, 'platform', 99)).toContain('no such entry');
  });
});

/** Baraka takes an office too. */
async function takeOffice2(): Promise<number> {
  await database.owner`
    insert into offices (id, sacco_id, user_id, office, since, until, recorded_by)
    values (gen_random_uuid(), ${sacco}, ${baraka}, 'supervisory_committee', ${database.now()},
      ${new Date(database.now().getTime() + YEAR_MS)}, ${amina})`;
  const [event] = await database.sql<{ id: number }[]>`select max(id) as id from log_events`;
  return event?.id ?? 0;
}

interface Leaf {
  account: number;
  kind: string;
  amount: number;
  salt: string;
  steps: SumStep[];
}

const isProven = (leaf: Leaf, { total, root }: { total: number; root: string }, amount = leaf.amount) =>
  isInSum(sha256, sumLeaf(sha256, { account: leaf.account, salt: fromBase64(leaf.salt), amount }), leaf.steps, {
    sum: total,
    hash: fromBase64(root),
  });

/** Eight people more with something in their wallets: a total is of ten accounts at least. */
async function eightMore(): Promise<string[]> {
  const some = [];
  for (let n = 0; n < 8; n += 1) {
    const person = await people.person(`Saver${'abcdefgh'[n]}`);
    await saccos.fund(person, 1_234_00 + n * 77_00);
    some.push(person);
  }
  return some;
}

/** The newest head of the platform's log stands on a chain. */
const anchorPlatform = () => database.owner`
  insert into anchors (log_id, size, root, chain_id, contract, state, transaction, block, block_at, confirmed_at, created_at)
  select c.log_id, c.size, c.root, 31337, ${`0x${'11'.repeat(20)}`}, 'confirmed', ${`0x${'22'.repeat(32)}`}, 7, ${database.now()}, ${database.now()}, ${database.now()}
  from checkpoints c join logs l on l.id = c.log_id where l.sacco_id is null order by c.size desc limit 1`;

describe('the total of a day', () => {
  test('is what all wallets hold, is logged once, and each member proves their own part', async () => {
    await saccos.fund(amina, 5_000_00);
    await saccos.fund(baraka, 70_00);
    await saccos.join(sacco, amina);
    await eightMore();
    const both = await Promise.all([takeTotals({ database, originBase }), takeTotals({ database, originBase })]);
    expect(both[0] + both[1]).toBeGreaterThan(0);
    expect(await takeTotals({ database, originBase })).toBe(0);
    await logAll();
    const [total] = (await read('/log/platform/totals')).body.results;
    const [wallets] = await database.sql<{ sum: number }[]>`
      select sum(balance)::bigint as sum from accounts where kind in ('wallet', 'wallet_hold', 'pool_position')`;
    expect(total).toMatchObject({ what: 'wallets', total: wallets?.sum });
    const { keys } = (await read('/log/platform')).body;
    const steps = await checkReceipt(nodeCrypto, total.receipt as Receipt, { keys, chain: null });
    expect(steps.slice(0, 3).map(({ state }) => state)).toEqual(['passed', 'passed', 'passed']);
    expect(total.receipt.opening.head).toMatchObject({ total: total.total, root: total.root });
    for (const [person, amount] of [
      [amina, null],
      [baraka, 70_00],
    ] as const) {
      const [own] = (await read('/log/totals/own?log=platform', person)).body.results;
      const leaves = own.leaves as Leaf[];
      expect(leaves).toHaveLength(2);
      if (amount !== null) expect(leaves.reduce((sum, leaf) => sum + leaf.amount, 0)).toBe(amount);
      for (const leaf of leaves) {
        expect(isProven(leaf, total)).toBe(true);
        expect(isProven(leaf, total, leaf.amount + 1)).toBe(false);
      }
    }
    await sound();
  });

  test('tells a member what nobody else holds, neither beside their own leaf nor above it', async () => {
    await saccos.fund(amina, 5_000_00);
    await saccos.fund(baraka, 70_00);
    const others = await eightMore();
    await takeTotals({ database, originBase });
    const [total] = (await read('/log/platform/totals')).body.results;
    const held = await database.sql<{ balance: number }[]>`
      select balance from accounts where kind in ('wallet', 'wallet_hold', 'pool_position') and balance > 0`;
    const balances = held.map(({ balance }) => balance);
    expect(total.leaves).toBe(2 * balances.length);
    let all = 0;
    for (const person of [amina, baraka, ...others]) {
      const [own] = (await read('/log/totals/own?log=platform', person)).body.results;
      for (const { amount, steps } of own.leaves as Leaf[]) {
        all += amount;
        expect(steps.filter(({ sum }) => balances.includes(sum))).toEqual([]);
      }
    }
    expect(all).toBe(total.total);
  });

  test('is not taken of fewer than ten accounts: it would say too much of each', async () => {
    await saccos.fund(amina, 5_000_00);
    await logAll();
    await takeTotals({ database, originBase });
    expect(await database.sql`select from log_totals`).toHaveLength(0);
    expect((await read('/log/platform/totals')).body.results).toEqual([]);
  });

  test('is read from memory: its receipt is made again once it is anchored, and another total has another', async () => {
    for (const person of [amina, baraka]) await saccos.fund(person, 5_000_00);
    await eightMore();
    await takeTotals({ database, originBase });
    const total = async () => (await read('/log/platform/totals')).body.results[0];
    const unsigned = await total();
    expect(unsigned.receipt).toBeNull();
    await logAll();
    const signed = await total();
    expect(signed.receipt.checkpoint).toContain(`${originBase}/platform`);
    await saccos.fund(amina, 1_00);
    await logAll();
    // The head of before proves it as well: nothing is made again while somebody reads.
    expect((await total()).receipt).toEqual(signed.receipt);
    await anchorPlatform();
    const anchored = await total();
    expect(anchored.receipt.anchor.size).toBeGreaterThan(0);
    expect((await total()).receipt).toEqual(anchored.receipt);
    database.world.advance(86_400_000);
    await takeTotals({ database, originBase });
    expect(await total()).toMatchObject({ day: nairobiDay(database.now()), receipt: null });
    await logAll();
    expect((await total()).receipt.entry.i).toBeGreaterThan(anchored.receipt.entry.i);
  });

  const buyShares = async () => {
    for (const [at, buyer] of [amina, baraka, ...(await eightMore())].entries()) {
      await saccos.fund(buyer, 5_000_00);
      await saccos.join(sacco, buyer);
      const paid = { as: buyer, sacco, key: `buy-${at}`, body: { sacco, shares: 10, amount: 1_000 } };
      expect((await app.call('POST', '/sacco/members/pay_shares_amount', paid)).status).toBe(200);
    }
  };

  test('of a sacco is the number of shares that were issued', async () => {
    await buyShares();
    await takeTotals({ database, originBase });
    const { results } = (await read(`/log/${sacco}/totals`)).body;
    expect(results).toHaveLength(1);
    expect(results[0]).toMatchObject({ what: 'shares', total: 100, shares_issued: 100, leaves: 20 });
  });

  test('is not logged where the ledger says another sum: the job fails, after all other totals were taken', async () => {
    await buyShares();
    await database.owner.begin(async (sql) => {
      await sql`set local session_replication_role = replica`;
      await sql`update accounts set balance = balance + 1 where kind = 'wallet' and owner_id = ${amina}`;
    });
    await expect(takeTotals({ database, originBase })).rejects.toThrow('the rest of the ledger says');
    expect(await database.sql`select what from log_totals`).toEqual([{ what: 'shares' }]);
  });

  test('is in pieces of 256, whose proofs hold for each of 1,000 accounts', async () => {
    await database.owner.begin(async (sql) => {
      await sql`set local session_replication_role = replica`;
      await sql`
        insert into accounts (book_id, owner_id, kind, asset, balance, debit_normal, may_go_negative)
        select a.book_id, case n when 1 then ${amina}::uuid when 257 then ${baraka}::uuid else gen_random_uuid() end, 'wallet', 'KES', n, false,
          false from (values ('00000000-0000-7000-8000-000000000001'::uuid)) a (book_id), generate_series(1, 1000) n
        on conflict do nothing`;
      await sql`
        insert into accounts (book_id, owner_id, kind, asset, balance, debit_normal, may_go_negative)
        select '00000000-0000-7000-8000-000000000001', null, 'mpesa_float', 'KES', 500500, true, false
        on conflict (book_id, kind, owner_id) do update set balance = excluded.balance`;
    });
    await takeTotals({ database, originBase });
    const [total] = (await read('/log/platform/totals')).body.results;
    expect(total).toMatchObject({ total: 500_500, leaves: 2_000 });
    for (const person of [amina, baraka]) {
      const [own] = (await read('/log/totals/own?log=platform', person)).body.results;
      for (const leaf of own.leaves as Leaf[]) expect(isProven(leaf, total)).toBe(true);
      expect(own.leaves).toHaveLength(2);
    }
  });

  test.each([
    ['a leaf', `update log_total_pieces set leaves = set_byte(leaves, 15, get_byte(leaves, 15) # 1)`, 'a piece is not'],
    ['a sum', `update log_total_pieces set sum = sum + 1`, 'a piece is not'],
    ['a hash', `update log_total_pieces set hash = sha256('x')`, 'a piece is not'],
    ['a leaf that is gone', `update log_total_pieces set leaves = substr(leaves, 1, 16)`, 'a piece is not'],
    ['all pieces', `delete from log_total_pieces`, 'it has 0 leaves, and 20'],
    ['the first salt of a piece', `update log_total_pieces set first_salt = sha256('x')`, 'a piece is not'],
    ['the secret', `update log_totals set secret = sha256('x')`, 'a piece is not'],
  ])('is made again by the audit, which finds what a superuser changed: %s', async (_, statement, fault) => {
    await saccos.fund(amina, 5_000_00);
    await saccos.fund(baraka, 70_00);
    await eightMore();
    await takeTotals({ database, originBase });
    await logAll();
    await sound();
    await database.owner.begin(async (sql) => {
      await sql`set local session_replication_role = replica`;
      await sql.unsafe(statement);
    });
    const named = JSON.stringify(await breaches(database.owner, proofsInvariants));
    expect(named).toContain(`wallets of ${nairobiDay(database.now())}: ${fault}`);
  });

  test('keeps what members prove for 30 days, and its root for ever', async () => {
    for (const person of [amina, baraka]) await saccos.fund(person, 5_000_00);
    await eightMore();
    await takeTotals({ database, originBase });
    database.world.advance(32 * 86_400_000);
    await takeTotals({ database, originBase });
    const rows = await database.sql<{ is_kept: boolean }[]>`
      select secret is not null as is_kept from log_totals where what = 'wallets' order by day`;
    expect(rows.map(({ is_kept }) => is_kept)).toEqual([false, true]);
    expect(
      await database.sql`select distinct total_id from log_total_pieces p join log_totals t on t.id = p.total_id
      where t.what = 'wallets'`,
    ).toHaveLength(1);
  });

  test('says that it can be proven no longer, once its leaves are destroyed', async () => {
    for (const person of [amina, baraka]) await saccos.fund(person, 5_000_00);
    await eightMore();
    await takeTotals({ database, originBase });
    await database.sql`update log_totals set secret = null`;
    await database.sql`delete from log_total_pieces`;
    const [own] = (await read('/log/totals/own?log=platform', amina)).body.results;
    expect(own.leaves).toBeNull();
    expect(own.total.leaves).toBe(20);
    await sound();
  });
});
