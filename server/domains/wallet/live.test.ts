import { afterAll, expect, test } from 'vitest';
import { asPerson, personNow } from '../../db/person.ts';
import { testDatabase } from '../../db/test-database.ts';
import { testPeople } from '../../db/test-people.ts';
import { announce, createLiveHub } from './live.ts';

const database = await testDatabase();
const hub = createLiveHub(database);
afterAll(async () => {
  await hub.close();
  await database.close();
});

test('each subscriber of the shared connection is told of their own changes, in their own context', async () => {
  const people = testPeople(database);
  const told: [string, string | undefined, number][] = [];
  const listen = (userId: string) =>
    asPerson({ userId }, () =>
      hub.subscribe(userId, async () => {
        const seen = await database.sql`select id from users`;
        told.push([userId, personNow()?.userId, seen.length]);
      }),
    );
  const [wanjiru, otieno] = [await people.person('Wanjiru'), await people.person('Otieno')];
  // Her subscription is the first, which opens the connection.
  await listen(wanjiru);
  await listen(otieno);
  await database.transaction((tx) => announce(tx, [{ userId: otieno, thing: 'wallet', id: '' }]));
  await expect.poll(() => told).toEqual([[otieno, otieno, 1]]);
  await database.transaction((tx) => announce(tx, [{ userId: wanjiru, thing: 'wallet', id: '' }]));
  await expect.poll(() => told.at(-1)).toEqual([wanjiru, wanjiru, 1]);
});
