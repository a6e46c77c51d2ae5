import { expect, test } from 'vitest';
import { testDatabase } from '../../db/test-database.ts';
import { postgresTokenStore } from './token-store.ts';

const database = await testDatabase();
const KEY = 'a'.repeat(64);
const inAnHour = () => new Date(database.world.now().getTime() + 3_600_000);

test('of many processes that need a token at once one fetches, and all get it', async () => {
  let fetched = 0;
  const fetchToken = async () => {
    fetched += 1;
    await new Promise((done) => setTimeout(done, 50));
    return { token: `t${fetched}`, expiresAt: inAnHour() };
  };
  const stores = Array.from({ length: 5 }, () => postgresTokenStore(database));
  const tokens = await Promise.all(stores.map((store) => store.refresh(KEY, null, fetchToken)));
  expect(tokens.map((token) => token?.token)).toEqual(Array(5).fill('t1'));
  expect(fetched).toBe(1);
});

test('a token that another process has renewed already is taken, not fetched again', async () => {
  const store = postgresTokenStore(database);
  await store.refresh(KEY, 't1', async () => ({ token: 't2', expiresAt: inAnHour() }));
  const late = await store.refresh(KEY, 't1', async () => {
    throw new Error('fetched again');
  });
  expect(late?.token).toBe('t2');
});

test('a fetch that fails leaves the lease free and the old token in place', async () => {
  const store = postgresTokenStore(database);
  expect(await store.refresh(KEY, 't2', async () => null)).toBeNull();
  expect((await store.read(KEY))?.token).toBe('t2');
  const again = await store.refresh(KEY, 't2', async () => ({ token: 't3', expiresAt: inAnHour() }));
  expect(again?.token).toBe('t3');
});

test('a lease whose process died runs out, and the next process fetches', async () => {
  await database.sql`
    update daraja_token set lease = ${database.newId()}, leased_until = clock_timestamp() + interval '300 ms'
    where key = ${KEY}`;
  const store = postgresTokenStore(database);
  const token = await store.refresh(KEY, 't3', async () => ({ token: 't4', expiresAt: inAnHour() }));
  expect(token?.token).toBe('t4');
});
