import { afterAll, expect, test } from 'vitest';
import { testDatabase } from '../db/test-database.ts';
import { testWorld } from '../db/test-world.ts';
import { creditsSince } from './credits-since.ts';
import { LedgerScript } from './ledger-script.ts';

const world = testWorld();
const database = await testDatabase({ world });
afterAll(() => database.close());

const DAY_MS = 86_400_000;

/** Three months with 150 payments each into one account, and one payment into another; thirty days lie between the months. */
async function paid() {
  const ledger = new LedgerScript(database);
  await ledger.run('first: float > B 7 = posted');
  const begins: Date[] = [];
  for (let month = 0; month < 3; month += 1) {
    world.advance(30 * DAY_MS);
    begins.push(database.now());
    const lines = Array.from({ length: 150 }, (_, n) => `m${month}n${n}: float > A ${n + 1} = posted`);
    await ledger.run(lines.join('\n'));
  }
  const { book, kind, owner } = ledger.key('A');
  const ids = await database.sql<{ id: number }[]>`
    select t.id from transfers t join accounts a on a.id = t.credit_account_id
    where a.book_id = ${book} and a.kind = ${kind} and a.owner_id = ${owner} order by t.id`;
  return { ledger, begins, bookId: book, kind, ids: ids.map(({ id }) => id), owner: owner as string };
}

test('begins before the first payment since a moment, and never far before it', async () => {
  const { ledger, begins, bookId, kind, ids, owner } = await paid();
  const asked = { kind, ownerIds: [owner], bookId };
  const since = async (moment: Date | undefined) =>
    (await creditsSince(database, asked, moment as Date))[0]?.first_id ?? 0;
  for (const month of [0, 1, 2]) {
    const first = await since(begins[month]);
    expect(first).toBeLessThanOrEqual(ids[month * 150] as number);
    expect(first).toBeGreaterThanOrEqual(ids[Math.max(0, month * 150 - 100)] as number);
  }
  expect(await since(new Date(database.now().getTime() + 9 * DAY_MS))).toBe(ids.at(-1));
  // Whoever was paid once and long ago costs one row, and whoever was never paid none.
  const other = ledger.key('B');
  const two = [other.owner as string, database.newId()];
  const found = await creditsSince(database, { ...asked, ownerIds: two, kind: other.kind }, database.now());
  expect(found.map(({ owner_id }) => owner_id)).toEqual([other.owner]);
});
