import { afterEach, expect, test } from 'vitest';
import { testDatabase } from './db/test-database.ts';
import { watchClock } from './watched-clock.ts';
import { realWorld, type World } from './world.ts';

const database = await testDatabase();
let offsetMs = 0;
const world: World = { ...realWorld, now: () => new Date(realWorld.now().getTime() + offsetMs) };
const clocks: { stop(): void }[] = [];

afterEach(() => {
  for (const clock of clocks.splice(0)) clock.stop();
  offsetMs = 0;
});

async function watched() {
  const clock = watchClock(world);
  clocks.push(clock);
  await clock.watch(database);
  return clock;
}

test('a clock that agrees with the database tells the time', async () => {
  const clock = await watched();
  expect(clock.isRight).toBe(true);
  expect(Math.abs(clock.watched.now().getTime() - Date.now())).toBeLessThan(1_000);
});

test.each([-7_200_000, -3_000, 3_000, 86_400_000])(
  'one that jumps by %i ms refuses at once, and tells it again when right',
  async (ms) => {
    const clock = await watched();
    offsetMs = ms;
    expect(() => clock.watched.now()).toThrow(expect.objectContaining({ code: 'unavailable' }));
    await new Promise((resolve) => setTimeout(resolve, 700));
    expect(clock.isRight).toBe(false);
    offsetMs = 0;
    await expect.poll(() => clock.isRight, { timeout: 5_000 }).toBe(true);
  },
);

test('one that was wrong from the start is not believed, and ids are made all the same', async () => {
  offsetMs = 60_000;
  const clock = await watched();
  expect(clock.isRight).toBe(false);
  expect(clock.watched.randomBytes(4)).toHaveLength(4);
});

test('a database that says nothing takes nothing away from the clock', async () => {
  const clock = watchClock(world);
  clocks.push(clock);
  let isAway = false;
  const sql = ((...parameters: [TemplateStringsArray]) =>
    isAway ? Promise.reject(new Error('away')) : database.sql(...parameters)) as never;
  await clock.watch({ sql });
  isAway = true;
  await new Promise((resolve) => setTimeout(resolve, 700));
  expect(clock.isRight).toBe(true);
});
