import net from 'node:net';
import { Refusal } from '@ushirika/contract/refusal';
import { describe, expect, test } from 'vitest';
import { openDatabase } from './database.ts';
import { Deadline, withDeadline } from './deadline.ts';
import { testDatabase } from './test-database.ts';
import type { Tx } from './tx.ts';

const database = await testDatabase();
await database.owner`create table purses (id integer primary key, cents bigint not null, opened date, at timestamptz)`;
await database.owner`insert into purses values (1, 100, '2026-03-02', '2026-03-02T06:00:00Z'), (2, 200, null, null)`;

describe('one transaction', () => {
  test('has one connection, and its statements are prepared', async () => {
    const [first, second, statements] = await database.transaction(async (tx) => [
      await tx.sql`select pg_backend_pid() as pid`,
      await tx.sql`select pg_backend_pid() as pid, ${1}::int as by_text`,
      await tx.sql`select statement from pg_prepared_statements`,
    ]);
    expect(second?.[0]?.pid).toBe(first?.[0]?.pid);
    expect(statements?.map(({ statement }) => statement).join('\n')).toContain('by_text');
  });

  test('a failed transaction leaves nothing, and its effects after the commit never run', async () => {
    let ran = 0;
    const failing = database.transaction(async (tx) => {
      await tx.sql`update purses set cents = 0`;
      tx.afterCommit(() => {
        ran += 1;
      });
      throw new Refusal('insufficient_funds');
    });
    await expect(failing).rejects.toMatchObject({ code: 'insufficient_funds' });
    expect(await database.sql`select sum(cents)::bigint as cents from purses`).toMatchObject([{ cents: 300 }]);
    expect(ran).toBe(0);
  });

  test('effects run once, after the commit, and see it', async () => {
    const seen: string[] = [];
    await database.transaction(async (tx) => {
      tx.afterCommit(() => void seen.push('effect'));
      seen.push('verb');
    });
    expect(seen).toEqual(['verb', 'effect']);
  });

  test('a part that fails alone leaves nothing, not its effects either; the rest goes on', async () => {
    const seen: string[] = [];
    await database.transaction(async (tx) => {
      const part = (name: string, error: Error | null) =>
        tx.alone(async () => {
          await tx.sql`update purses set cents = cents + 1 where id = 1`;
          tx.afterCommit(() => void seen.push(name));
          if (error) throw error;
        });
      await part('done', null);
      await expect(part('refused', new Refusal('insufficient_funds'))).rejects.toBeInstanceOf(Refusal);
      await part('done too', null);
    });
    expect(seen).toEqual(['done', 'done too']);
    expect(await database.sql`select cents from purses where id = 1`).toMatchObject([{ cents: 102 }]);
    await database.sql`update purses set cents = 100 where id = 1`;
  });

  test('an effect that fails does not make the committed work look undone', async () => {
    const done = database.transaction(async (tx) => {
      tx.afterCommit(() => {
        throw new Error('the wake-up failed (expected in this test)');
      });
      return 'done';
    });
    await expect(done).resolves.toBe('done');
  });
});

describe('types of values from PostgreSQL', () => {
  test('int8 is a number, a date is its text, a timestamp is a Date', async () => {
    const [row] = await database.sql`select cents, opened, at, array[1, 2]::bigint[] as list from purses where id = 1`;
    expect(row).toEqual({
      cents: 100,
      opened: '2026-03-02',
      at: new Date('2026-03-02T06:00:00Z'),
      list: [1, 2],
    });
  });

  test('an int8 that a number cannot hold exactly is an error, never a rounded amount', async () => {
    await expect(database.sql`select 9007199254740993::bigint as cents`).rejects.toThrow('9007199254740993');
  });
});

describe('the application has no more power than it needs', () => {
  test('it runs as a role that owns nothing and cannot log in', async () => {
    const [row] = await database.sql`
      select current_user as name, rolsuper, rolbypassrls, rolcreatedb, rolcreaterole, rolcanlogin,
        (select count(*) from pg_class where relowner = pg_roles.oid) as owned
      from pg_roles where rolname = current_user`;
    expect(row).toEqual({
      name: 'ushirika_app',
      rolsuper: false,
      rolbypassrls: false,
      rolcreatedb: false,
      rolcreaterole: false,
      rolcanlogin: false,
      owned: 0,
    });
  });

  test.each([
    'create table mine (id integer)',
    'create schema mine',
    'drop table idempotency_keys',
    'alter table idempotency_keys add column more text',
    'truncate idempotency_keys',
    'create temporary table mine (id integer)',
    'select * from migration.applied',
    'select * from graphile_worker.jobs',
    'create role mine',
  ])('it may not: %s', async (statement) => {
    await expect(database.sql.unsafe(statement)).rejects.toMatchObject({
      code: expect.stringMatching(/^42501|3F000$/),
    });
  });
});

describe('deadlocks and lock timeouts', () => {
  test('a deadlock is rerun, and both come through', async () => {
    let runs = 0;
    const add = (first: number, second: number) =>
      database.transaction(async (tx) => {
        runs += 1;
        await tx.sql`update purses set cents = cents + 1 where id = ${first}`;
        await tx.sql`select pg_sleep(0.1)`;
        await tx.sql`update purses set cents = cents + 1 where id = ${second}`;
      });
    await Promise.all([add(1, 2), add(2, 1)]);
    expect(runs).toBe(3);
    expect(await database.sql`select cents from purses where id in (1, 2) order by id`).toMatchObject([
      { cents: 102 },
      { cents: 202 },
    ]);
  });

  test('a transaction that deadlocks every time is rerun three times and then refused', async () => {
    let runs = 0;
    const hopeless = database.transaction(async (tx) => {
      runs += 1;
      await tx.sql`do $$ begin raise exception 'collided' using errcode = '40001'; end $$`;
    });
    await expect(hopeless).rejects.toMatchObject({ code: 'unavailable', cause: { code: '40001' } });
    expect(runs).toBe(4);
  });

  test('a lock timeout is a refusal that may be retried', async () => {
    const hasty = openDatabase({ url: database.url, world: database.world, poolSize: 1, lockTimeoutMs: 50 });
    await database.transaction(async (tx) => {
      await tx.sql`select 1 from purses where id = 1 for update`;
      const waiting = hasty.transaction((other) => other.sql`select 1 from purses where id = 1 for update`);
      await expect(waiting).rejects.toMatchObject({ code: 'unavailable' });
    });
    await hasty.close();
  });
});

describe('a COMMIT without a clear answer', () => {
  test('is an unknown outcome when PostgreSQL warns at COMMIT', async () => {
    // A deferred trigger warns during COMMIT, as a cancelled wait for a synchronous standby would.
    await database.owner.unsafe(`
      create table doubtful (id integer);
      create function warn() returns trigger language plpgsql as
        $$ begin raise warning 'might not have been replicated'; return null; end $$;
      create constraint trigger warn after insert on doubtful deferrable initially deferred
        for each row execute function warn()`);
    let effects = 0;
    const doubtful = database.transaction(async (tx) => {
      tx.afterCommit(() => {
        effects += 1;
      });
      await tx.sql`insert into doubtful values (1)`;
    });
    await expect(doubtful).rejects.toMatchObject({ code: 'unknown_outcome' });
    expect(effects).toBe(0);
  });

  test('is an unknown outcome when the connection is lost during COMMIT', async () => {
    const proxy = await cuttingProxy(database.url);
    const through = openDatabase({ url: proxy.url, world: database.world, poolSize: 1 });
    await through.transaction((tx) => tx.sql`select 1`);
    const lost = through.transaction(async (tx) => {
      await tx.sql`update purses set cents = 777 where id = 1`;
      proxy.cutBeforeNextAnswer();
    });
    await expect(lost).rejects.toMatchObject({ code: 'unknown_outcome' });
    await expect
      .poll(async () => [...(await database.sql`select cents from purses where id = 1`)])
      .toEqual([{ cents: 777 }]);
    proxy.close();
  });

  test('is a plain failure when PostgreSQL answers the COMMIT with an error', async () => {
    await database.owner.unsafe(`
      create table checked (id integer unique deferrable initially deferred)`);
    const refused = database.transaction(async (tx) => {
      await tx.sql`insert into checked values (1), (1)`;
    });
    await expect(refused).rejects.toMatchObject({ code: '23505' });
  });
});

test('statements that are sent together after the deadline are all refused, and none rejects unhandled', async () => {
  const deadline = new Deadline();
  const purse = async (tx: Tx) => tx.sql`select cents from purses where id = 1`;
  const late = withDeadline(deadline, () =>
    database.transaction(async (tx) => {
      await purse(tx);
      deadline.expire();
      // The second statement is sent directly: if it threw, the rejection of the first would be unhandled.
      return Promise.all([purse(tx), tx.sql`select 1`, tx.sql.unsafe('select 2')]);
    }),
  );
  await expect(late).rejects.toMatchObject({ code: 'unavailable' });
  expect(await database.transaction(purse)).toHaveLength(1);
});

test('a transaction in which a statement failed does not count as a success when the verb catches the error', async () => {
  const swallowed = database.transaction(async (tx) => {
    await tx.sql`update purses set cents = 1 where id = 1`;
    await tx.sql`select 1 / 0`.catch(() => {});
  });
  await expect(swallowed).rejects.toMatchObject({ code: '22012' });
});

/** A TCP proxy to PostgreSQL that can be told to drop the next answer and close. */
async function cuttingProxy(url: string) {
  const target = new URL(url);
  const port = Number(target.port);
  let isCutting = false;
  const server = net.createServer((client) => {
    const upstream = net.connect(port, target.hostname);
    client.pipe(upstream);
    upstream.on('data', (bytes) => (isCutting ? client.destroy() : client.write(bytes)));
    upstream.on('error', () => client.destroy());
    client.on('error', () => upstream.destroy());
    client.on('close', () => upstream.end());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  target.port = String((server.address() as net.AddressInfo).port);
  return {
    url: target.toString(),
    cutBeforeNextAnswer: () => {
      isCutting = true;
    },
    close: () => server.close(),
  };
}
