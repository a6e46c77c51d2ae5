import { toBase64, toHex } from '@ushirika/verifier/bytes';
import { NO_LEAF } from '@ushirika/verifier/entry';
import { nodeCrypto } from '@ushirika/verifier/node-crypto';
import { isSignedBy, parseCheckpoint } from '@ushirika/verifier/note';
import { Edge, isConsistent, rootOfInclusion } from '@ushirika/verifier/tree';
import { beforeEach, describe, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '../../db/test-database.ts';
import { testPeople } from '../../db/test-people.ts';
import { breaches } from '../../ledger/invariants.ts';
import { testSaccos } from '../saccos/test-saccos.ts';
import { faultsOfLogs } from './check-log.ts';
import type { HaltedLog } from './halt-log.ts';
import { keysOf } from './log-keys.ts';
import { proofsInvariants } from './proofs.invariants.ts';
import { consistencyProof, inclusionProofs, rootAt } from './read-tree.ts';
import { Sequencer } from './sequencer.ts';
import { logAll, signOn, someoneWrites } from './test-logs.ts';

const { sha256 } = nodeCrypto;
let database: TestDatabase;
let saccos: ReturnType<typeof testSaccos>;
let sequencer: Sequencer;
let people: ReturnType<typeof testPeople>;
let member: string;

beforeEach(async () => {
  database = await testDatabase();
  saccos = testSaccos(database);
  sequencer = new Sequencer({ database, originBase: 'sacco.test/log' });
  people = testPeople(database);
  member = await people.person('Amina', 'Wafula');
  return () => database.close();
});

async function fund(times: number): Promise<void> {
  for (let at = 0; at < times; at += 1) await saccos.fund(member, 100_00 + at);
}

interface Head {
  readonly id: number;
  readonly size: number;
  readonly root: Buffer;
}

async function head(): Promise<Head> {
  const [log] = await database.sql<Head[]>`select id, size, root from logs where sacco_id is null`;
  if (!log) throw new Error('The platform has no log.');
  return log;
}

const logged = async () =>
  (
    await database.sql<{ journal_id: number }[]>`
    select journal_id from log_entries where journal_id is not null order by journal_id`
  ).map(({ journal_id }) => journal_id);

const sound = async () => expect(await breaches(database.owner, proofsInvariants)).toEqual([]);

/** Runs a statement as PostgreSQL's own superuser would: with no trigger. */
async function tamper(statement: string): Promise<void> {
  await database.owner.begin(async (sql) => {
    await sql`set local session_replication_role = replica`;
    await sql.unsafe(statement);
  });
}

describe('what is posted is logged', () => {
  test('each journal is in the log once, behind an entry that says when the log began', async () => {
    await fund(5);
    expect(await logAll(database, sequencer)).toBe(5);
    expect(await logAll(database, sequencer)).toBe(0);
    await fund(2);
    expect(await logAll(database, sequencer)).toBe(2);
    expect(await logged()).toHaveLength(7);
    const [first] = await database.sql`select kind, journal_id from log_entries where i = 0`;
    expect(first).toEqual({ kind: 'log', journal_id: null });
    expect((await head()).size).toBe(8);
    await sound();
  });

  test('a journal that commits late is not missed, though later ones were there before it', async () => {
    let commit = () => {};
    const late = database.owner.begin(async (sql) => {
      await sql`
        insert into journals (idempotency_key, kind, about_type, about_id, posted_at)
        values ('late', 'wallet_topped_up', 'test', ${member}, now())`;
      await new Promise<void>((resolve) => {
        commit = resolve;
      });
    });
    await someoneWrites(database);
    await fund(3);
    // Nothing is logged while the first one may still commit.
    expect(await sequencer.catchUp()).toBe(0);
    commit();
    await late;
    expect(await logAll(database, sequencer)).toBe(4);
    expect(await logged()).toHaveLength(4);
  });

  test('two processes at once log each journal once', async () => {
    await fund(40);
    const other = new Sequencer({ database, originBase: 'sacco.test/log' });
    await Promise.all([sequencer.catchUp(), other.catchUp(), sequencer.catchUp()]);
    await logAll(database, sequencer);
    expect(await logged()).toHaveLength(40);
    await sound();
  });

  test('two processes at once log thousands of journals once, though each reads the next ones ahead', async () => {
    await database.owner`
      insert into journals (idempotency_key, kind, about_type, about_id, posted_at)
      select 'many_' || n, 'wallet_topped_up', 'test', ${member}, now() from generate_series(1, 6500) n`;
    const other = new Sequencer({ database, originBase: 'sacco.test/log' });
    // While one pauses after a batch, the other appends what the first has read ahead.
    const turns = async (one: Sequencer) => {
      for (let turn = 0; turn < 20; turn += 1) await one.catchUp({ pauses: 1 });
    };
    await Promise.all([turns(sequencer), turns(other)]);
    await logAll(database, sequencer);
    const all = await logged();
    expect([all.length, new Set(all).size]).toEqual([6500, 6500]);
  });

  test('a sacco has a log of its own, and the platform’s book another', async () => {
    const sacco = await saccos.sacco(await people.person('Founder'), await people.person('Operator'));
    await saccos.fund(member, 5_000_00);
    await saccos.join(sacco, member);
    await logAll(database, sequencer);
    const origins = await database.sql<{ origin: string }[]>`select origin from logs order by id`;
    expect(origins.map(({ origin }) => origin)).toContain('sacco.test/log/platform');
    expect(origins.every(({ origin }) => ['sacco.test/log/platform', `sacco.test/log/${sacco}`].includes(origin))).toBe(
      true,
    );
  });
});

describe('the tree', () => {
  test('all proofs of a log of 600 entries hold, read from tiles and from its edge', async () => {
    await fund(3);
    await logAll(database, sequencer);
    await database.owner`
      insert into journals (idempotency_key, kind, about_type, about_id, posted_at)
      select 'many ' || n, 'wallet_topped_up', 'test', ${member}, now() from generate_series(1, 596) n`;
    await logAll(database, sequencer);
    const { id, size, root } = await head();
    expect(size).toBe(600);
    const leaves = await database.sql<{ leaf: Buffer }[]>`select leaf from log_entries where log_id = ${id} order by i`;
    const edge = new Edge(sha256);
    const roots = leaves.map(({ leaf }) => {
      edge.append(leaf);
      return edge.root();
    });
    expect(toHex(edge.root())).toBe(toHex(root));
    expect(await database.sql`select level, n from log_tiles order by level, n`).toEqual([
      { level: 0, n: 0 },
      { level: 0, n: 1 },
    ]);
    for (const index of [0, 1, 255, 256, 511, 512, 598, 599]) {
      const [proof = []] = await inclusionProofs(database, id, [index], 600);
      const found = rootOfInclusion(sha256, leaves[index]?.leaf ?? NO_LEAF, { index, size: 600, proof });
      expect(found && toHex(found)).toBe(toHex(root));
    }
    for (const from of [1, 2, 255, 256, 300, 512, 599]) {
      const fromRoot = roots[from - 1] ?? NO_LEAF;
      expect(toHex(await rootAt(database, id, from))).toBe(toHex(fromRoot));
      const proof = await consistencyProof(database, id, from, 600);
      expect(isConsistent(sha256, { from, fromRoot, to: 600, toRoot: root }, proof)).toBe(true);
    }
    await sound();
  });

  test('proofs hold as the log grows, of its size now and of former ones, though tiles are kept in memory', async () => {
    for (const [step, more] of [399, 300, 600].entries()) {
      await database.owner`
        insert into journals (idempotency_key, kind, about_type, about_id, posted_at)
        select ${`step ${step} `} || n, 'wallet_topped_up', 'test', ${member}, now() from generate_series(1, ${more}::int) n`;
      await logAll(database, sequencer);
      const { id, size, root } = await head();
      for (const index of [0, 300, size - 1]) {
        const [{ leaf } = { leaf: NO_LEAF }] = await database.sql<{ leaf: Buffer }[]>`
          select leaf from log_entries where log_id = ${id} and i = ${index}`;
        for (const of of [size, 390]) {
          if (index >= of) continue;
          const [proof = []] = await inclusionProofs(database, id, [index], of);
          const found = rootOfInclusion(sha256, leaf, { index, size: of, proof });
          expect(found && toHex(found)).toBe(toHex(of === size ? root : await rootAt(database, id, of)));
        }
      }
    }
    expect((await head()).size).toBe(1300);
  });
});

describe('checkpoints', () => {
  test('a log that has grown is signed once, and its signature is the platform’s', async () => {
    await fund(2);
    await logAll(database, sequencer);
    expect(await signOn(database)).toBe(1);
    expect(await signOn(database)).toBe(0);
    const [{ note } = { note: '' }] = await database.sql<{ note: string }[]>`select note from checkpoints`;
    const checkpoint = parseCheckpoint(note);
    const [key] = await keysOf(database, 'sacco.test/log/platform');
    expect(checkpoint.size).toBe(3);
    expect(key && (await isSignedBy(nodeCrypto, checkpoint, key))).toBe(true);
    expect(toBase64(checkpoint.root)).toBe((await head()).root.toString('base64'));
  });

  test('a log that was signed after each of 4,100 entries is checked in pieces, and each head that nobody signed is found', async () => {
    await database.owner`
      insert into journals (idempotency_key, kind, about_type, about_id, posted_at)
      select gen_random_uuid(), 'wallet_topped_up', 'test', ${member}, now() from generate_series(1, 4099) n`;
    await logAll(database, sequencer);
    expect(await signOn(database)).toBe(1);
    const { id, size } = await head();
    expect(size).toBe(4100);
    await tamper(`
      insert into checkpoints (log_id, size, root, note, key_id, signed_at)
      select log_id, n, root, note, key_id, signed_at from checkpoints, generate_series(1, 4099) n where log_id = ${id}`);
    let most = 0;
    const counting = new Proxy(database.owner, {
      // Pieces of statements are never awaited.
      apply: (target, self, given) => {
        const query = Reflect.apply(target, self, given);
        const answered = query.then.bind(query);
        const counted = (rows: readonly object[]) => {
          most = Math.max(most, rows.length);
          return rows;
        };
        return Object.assign(query, {
          // biome-ignore lint/suspicious/noThenProperty: a query is awaited by its own
          then: (...on: Parameters<typeof answered>) => answered(counted).then(...on),
        });
      },
    });
    const faults = await faultsOfLogs(counting, 10_000);
    const unsigned = faults.filter(({ fault }) => fault.endsWith('is not the one that was signed'));
    expect(unsigned).toHaveLength(4099);
    expect(faults.filter(({ fault }) => fault === 'a signed checkpoint has another root')).toHaveLength(4099);
    expect(most).toBe(2000);
    await tamper(`update checkpoints set size = 4200 where size = 4100`);
    expect((await faultsOfLogs(database.owner, 10_000)).at(-1)?.fault).toBe('entries that were signed are missing');
  });

  test('nothing more is signed of a log whose history was changed', async () => {
    await fund(4);
    await logAll(database, sequencer);
    await signOn(database);
    await tamper(`update log_entries set leaf = sha256('another') where i = 2`);
    await fund(1);
    await logAll(database, sequencer);
    const broken: HaltedLog[] = [];
    expect(await signOn(database, (error) => broken.push(error))).toBe(0);
    expect(broken.map(({ message }) => message)).toEqual([expect.stringContaining('do not continue')]);
  });
});

describe('what was logged cannot be changed', () => {
  beforeEach(async () => {
    await fund(4);
    await logAll(database, sequencer);
    await signOn(database);
  });

  test.each([
    'update log_entries set leaf = commitment',
    'delete from log_entries where i = 3',
    'truncate log_entries',
    'update checkpoints set note = note',
    'delete from checkpoints',
    'update logs set size = size - 1',
    'update logs set root = last_leaf',
    'delete from logs',
  ])('even the owner of the tables is refused: %s', async (statement) => {
    await expect(database.owner.unsafe(statement)).rejects.toMatchObject({ code: '42501' });
    await expect(database.sql.unsafe(statement)).rejects.toMatchObject({ code: '42501' });
  });

  test.each([
    [
      'an amount',
      'update transfers set amount = amount + 1 where journal_id = (select min(id) from journals)',
      'do not say',
    ],
    [
      'a time',
      `update journals set posted_at = posted_at + interval '1 second' where id = (select min(id) from journals)`,
      'do not say',
    ],
    [
      'who caused it',
      `update journals set caused_by = gen_random_uuid() where id = (select min(id) from journals)`,
      'do not say',
    ],
    ['an account’s owner', `update accounts set owner_id = gen_random_uuid() where kind = 'wallet'`, 'do not say'],
    [
      'a transfer that is gone',
      'delete from transfers where journal_id = (select min(id) from journals)',
      'do not say',
    ],
    ['a journal that is gone', 'delete from journals where id = (select min(id) from journals)', 'is missing'],
    ['an entry that is gone', 'delete from log_entries where i = 2', 'an entry is missing'],
    ['the last entry', 'delete from log_entries where i = 4', 'says 5'],
    ['a leaf', `update log_entries set leaf = sha256('x') where i = 1`, 'chained'],
    ['a commitment', `update log_entries set commitment = sha256('x') where i = 1`, 'do not say'],
    ['a secret', `update log_entries set secret = sha256('x') where i = 1`, 'do not say'],
    ['an hour', `update log_entries set hour = hour + interval '1 hour' where i = 1`, 'chained'],
    ['the beginning', `update log_facts set head = head || '{"at": "2020"}'`, 'do not say'],
    ['the root', `update logs set root = sha256('x')`, 'the root is not'],
    ['a checkpoint', `update checkpoints set root = sha256('x')`, 'another root'],
    [
      'an anchor of another root',
      `insert into anchors (log_id, size, root, chain_id, contract, state, created_at)
       select log_id, size, sha256('x'), 1, '0x' || repeat('0', 40), 'pending', now() from checkpoints`,
      'Every anchor is of a signed checkpoint',
    ],
    [
      'an anchor of what was never signed',
      `insert into anchors (log_id, size, root, chain_id, contract, state, created_at)
       select log_id, 3, root, 1, '0x' || repeat('0', 40), 'pending', now() from checkpoints`,
      'Every anchor is of a signed checkpoint',
    ],
  ])('a superuser without triggers is found: %s', async (_, statement, step) => {
    await tamper(statement);
    const found = JSON.stringify(await breaches(database.owner, proofsInvariants));
    expect(found).toContain(step);
  });
});
