import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createBatchQueue } from '../ledger/batch-queue.ts';
import { openDatabase } from './database.ts';
import { joinedLookup } from './joined-lookup.ts';
import { asPerson, asSystem, inThisContext, personNow } from './person.ts';
import { type TestDatabase, testDatabase } from './test-database.ts';
import { testPeople } from './test-people.ts';
import type { Database } from './tx.ts';

let database: TestDatabase;
let wanjiru: { userId: string };
let otieno: { userId: string };

const whoAmI = async (sql: Database['sql']) => {
  const [row] = await sql<{ role: string; id: string | null }[]>`select current_user as role, person_id() as id`;
  return [row?.role, row?.id ?? null];
};
const phonesSeen = async (sql: Database['sql']) =>
  (await sql<{ id: string }[]>`select id from users order by first_name`).map(({ id }) => id);

beforeAll(async () => {
  database = await testDatabase();
  const people = testPeople(database);
  otieno = { userId: await people.person('Otieno') };
  wanjiru = { userId: await people.person('Wanjiru') };
});
afterAll(() => database.close());

describe('a statement of a person', () => {
  test('sees what that person may see: in a transaction and outside one', async () => {
    expect(await phonesSeen(database.sql)).toEqual([otieno.userId, wanjiru.userId]);
    await asPerson(wanjiru, async () => {
      expect(await whoAmI(database.sql)).toEqual(['ushirika_member', wanjiru.userId]);
      expect(await phonesSeen(database.sql)).toEqual([wanjiru.userId]);
      expect(await database.sql.unsafe('select id from users')).toHaveLength(1);
      await database.transaction(async (tx) => {
        expect(await whoAmI(tx.sql as never)).toEqual(['ushirika_member', wanjiru.userId]);
        expect(await phonesSeen(tx.sql as never)).toEqual([wanjiru.userId]);
      });
    });
    expect(await whoAmI(database.sql)).toEqual(['ushirika_app', null]);
  });

  test('sees nothing private where nobody is signed in', async () => {
    const rows = await database.owner.begin(async (sql) => {
      await sql`set local role ushirika_member`;
      return sql`select id from users`;
    });
    expect(rows).toEqual([]);
  });

  test('needs an id: any other text is refused', () => {
    expect(() => asPerson({ userId: `${wanjiru.userId}'; reset role; --` }, () => 0)).toThrow('no id');
  });

  test('belongs to the person who made it, whoever awaits it', async () => {
    const hers = asPerson(wanjiru, () => ({ query: database.sql`select id from users` }));
    expect(await hers.query).toEqual([{ id: wanjiru.userId }]);
    const again = asPerson(wanjiru, () => ({ query: database.sql`select id from users` }));
    expect(await asPerson(otieno, async () => await again.query)).toEqual([{ id: wanjiru.userId }]);
    const platforms = asSystem(() => ({ query: database.sql`select id from users` }));
    expect(await asPerson(otieno, async () => await platforms.query)).toHaveLength(2);
  });

  test('may be built of fragments like any other statement', async () => {
    const own = () => database.sql`and id = ${wanjiru.userId}`;
    const rows = await asPerson(wanjiru, () => database.sql`select first_name from users where true ${own()}`);
    expect(rows).toEqual([{ first_name: 'Wanjiru' }]);
  });

  test('is committed when it is answered, and an error leaves the connection usable', async () => {
    const few = openDatabase({ url: database.url, world: database.world, poolSize: 1 });
    await asPerson(wanjiru, async () => {
      const changed = await few.sql`update users set first_name = 'Wanjirũ' where id = ${wanjiru.userId}`;
      expect(changed.count).toBe(1);
      const foreign = await few.sql`update users set first_name = 'Mine' where id = ${otieno.userId}`;
      expect(foreign.count).toBe(0);
      await expect(few.sql`select 1 / 0`).rejects.toMatchObject({ code: '22012' });
      await expect(few.sql`select * from platform_secrets`).rejects.toMatchObject({ code: '42501' });
    });
    expect(await database.sql`select first_name from users where id = ${wanjiru.userId}`).toEqual([
      { first_name: 'Wanjirũ' },
    ]);
    expect(await whoAmI(few.sql)).toEqual(['ushirika_app', null]);
    await few.close();
  });
});

describe('concurrent people', () => {
  test('each see their own, on connections that they share with each other and with the platform', async () => {
    const few = openDatabase({ url: database.url, world: database.world, poolSize: 2 });
    const look = async (turn: number) => {
      await sleep(turn % 7);
      if (turn % 3 === 0) return (await phonesSeen(few.sql)).length === 2;
      const one = turn % 3 === 1 ? wanjiru : otieno;
      return asPerson(one, async () => {
        const seen =
          turn % 2 === 0 ? await phonesSeen(few.sql) : await few.transaction((tx) => phonesSeen(tx.sql as never));
        await sleep(turn % 5);
        return seen.length === 1 && seen[0] === one.userId && (await whoAmI(few.sql))[1] === one.userId;
      });
    };
    const all = await Promise.all(Array.from({ length: 600 }, (_, turn) => look(turn)));
    expect(all.filter((isRight) => !isRight)).toHaveLength(0);
    await few.close();
  });

  test('more people than connections: nobody sees the rows of another', async () => {
    const one = openDatabase({ url: database.url, world: database.world, poolSize: 1 });
    const seen = await Promise.all(
      Array.from({ length: 450 }, (_, turn) =>
        turn % 4 === 0 ? asPerson(turn % 8 === 0 ? wanjiru : otieno, () => whoAmI(one.sql)) : whoAmI(one.sql),
      ),
    );
    const expected = seen.map((_, turn) =>
      turn % 4 === 0 ? ['ushirika_member', (turn % 8 === 0 ? wanjiru : otieno).userId] : ['ushirika_app', null],
    );
    expect(seen).toEqual(expected);
    await one.close();
  });

  test("a connection that is killed during a person's statement fails that statement and no later one", async () => {
    const one = openDatabase({ url: database.url, world: database.world, poolSize: 1 });
    const [backend] = await one.sql<{ pid: number }[]>`select pg_backend_pid() as pid`;
    const waiting = asPerson(wanjiru, () => one.sql`select pg_sleep(5)`.then(() => 'slept'));
    const next = asPerson(otieno, () => whoAmI(one.sql));
    const outcomes = Promise.allSettled([waiting, next]);
    await sleep(100);
    await database.owner`select pg_terminate_backend(${backend?.pid ?? 0})`;
    const [lost, later] = await outcomes;
    expect(lost.status).toBe('rejected');
    if (later.status === 'fulfilled') expect(later.value).toEqual(['ushirika_member', otieno.userId]);
    expect(await asPerson(otieno, () => whoAmI(one.sql))).toEqual(['ushirika_member', otieno.userId]);
    expect(await whoAmI(one.sql)).toEqual(['ushirika_app', null]);
    await one.close();
  });
});

describe('work for many people at once runs as the platform', () => {
  test('a batch with commands of two people', async () => {
    const queue = createBatchQueue<string, (string | null)[]>({
      name: 'test',
      database,
      run: async (tx, commands) => {
        const me = await whoAmI(tx.sql as never);
        return commands.map((command) => [command, String(commands.length), me[0] ?? '', me[1] ?? null]);
      },
    });
    const answers = await Promise.all([
      asPerson(wanjiru, () => queue.submit('hers')),
      asPerson(otieno, () => queue.submit('his')),
    ]);
    expect(answers).toEqual([
      ['hers', '2', 'ushirika_app', null],
      ['his', '2', 'ushirika_app', null],
    ]);
    await queue.close();
  });

  test('a joined look-up, while those who asked keep their own identity', async () => {
    const lookUp = joinedLookup(async (keys: readonly string[]) => {
      const me = await whoAmI(database.sql);
      return keys.map((key) => `${key} of ${keys.length} as ${me[0]}`);
    });
    const ask = (one: { userId: string }, key: string) =>
      asPerson(one, async () => [await lookUp(key), personNow()?.userId]);
    expect(await Promise.all([ask(wanjiru, 'a'), ask(otieno, 'b')])).toEqual([
      ['a of 2 as ushirika_app', wanjiru.userId],
      ['b of 2 as ushirika_app', otieno.userId],
    ]);
  });

  test('a listener runs as the person who registered it', async () => {
    const listener = asPerson(otieno, () => inThisContext(() => personNow()?.userId));
    expect(asPerson(wanjiru, () => listener())).toBe(otieno.userId);
    expect(asSystem(() => personNow())).toBeNull();
  });
});
