import { createHash } from 'node:crypto';
import { beforeEach, expect, test } from 'vitest';
import {
  type Claim,
  claimIdempotencyKeys,
  fileKeys,
  lookUpKeys,
  pruneKeys,
  releaseKeys,
  storeReplies,
} from './idempotency.ts';
import { testDatabase } from './test-database.ts';

const database = await testDatabase();
const wanjiru = '01956a00-0000-7000-8000-000000000001';
const otieno = '01956a00-0000-7000-8000-000000000002';

const claimOf = (key: string, request: string, userId = wanjiru, route = 'POST /client/deposit'): Claim => ({
  userId,
  key,
  route,
  requestHash: createHash('sha256').update(request).digest('hex'),
});

beforeEach(async () => {
  await database.owner`truncate idempotency_keys`;
});

const act = (claim: Claim, reply: unknown, holdMs = 0) =>
  database.transaction(async (tx) => {
    const [outcome] = await claimIdempotencyKeys(tx, [claim]);
    if (outcome !== 'claimed') return outcome;
    await tx.sql`select pg_sleep(${holdMs / 1000})`;
    await storeReplies(tx, [{ ...claim, status: 201, reply }]);
    return outcome;
  });

test('the first request acts and the second is given its reply', async () => {
  expect(await act(claimOf('k1', '{"amount":100}'), { receipt: 'A1' })).toBe('claimed');
  expect(await act(claimOf('k1', '{"amount":100}'), { receipt: 'A2' })).toEqual({
    replay: { status: 201, reply: { receipt: 'A1' } },
  });
});

test('a key that stands for another body, or another route, is refused', async () => {
  await act(claimOf('k1', '{"amount":100}'), { receipt: 'A1' });
  expect(await act(claimOf('k1', '{"amount":900}'), {})).toBe('reused');
  expect(await act(claimOf('k1', '{"amount":100}', wanjiru, 'POST /client/withdraw'), {})).toBe('reused');
});

test('two people may use one key', async () => {
  expect(await act(claimOf('k1', 'x'), {})).toBe('claimed');
  expect(await act(claimOf('k1', 'x', otieno), {})).toBe('claimed');
});

test('twice at once: one acts, the other waits for it and is given its reply', async () => {
  const outcomes = await Promise.all([
    act(claimOf('k1', 'x'), { receipt: 'same' }, 100),
    act(claimOf('k1', 'x'), { receipt: 'same' }, 100),
    act(claimOf('k1', 'x'), { receipt: 'same' }, 100),
  ]);
  expect(outcomes.filter((outcome) => outcome === 'claimed')).toHaveLength(1);
  expect(outcomes.filter((outcome) => typeof outcome === 'object')).toEqual([
    { replay: { status: 201, reply: { receipt: 'same' } } },
    { replay: { status: 201, reply: { receipt: 'same' } } },
  ]);
});

test('after a rollback the key is free for the request that waited', async () => {
  const failing = database.transaction(async (tx) => {
    await claimIdempotencyKeys(tx, [claimOf('k1', 'x')]);
    await tx.sql`select pg_sleep(0.1)`;
    throw new Error('refused');
  });
  const [, outcome] = await Promise.all([failing.catch(() => {}), act(claimOf('k1', 'x'), {})]);
  expect(outcome).toBe('claimed');
});

test('a batch: new, known, repeated and reused keys each get their own answer', async () => {
  await act(claimOf('known', 'x'), { receipt: 'K' });
  const outcomes = await database.transaction((tx) =>
    claimIdempotencyKeys(tx, [
      claimOf('new', 'x'),
      claimOf('known', 'x'),
      claimOf('new', 'x'),
      claimOf('new', 'y'),
      claimOf('known', 'y'),
      claimOf('new', 'x', otieno),
    ]),
  );
  expect(outcomes).toEqual([
    'claimed',
    { replay: { status: 201, reply: { receipt: 'K' } } },
    { sameAs: 0 },
    'reused',
    'reused',
    'claimed',
  ]);
});

test('batches that share keys in opposite order wait for each other and do not deadlock', async () => {
  const keys = Array.from({ length: 40 }, (_, index) => claimOf(`k${index}`, 'x'));
  const batch = (claims: Claim[]) =>
    database.transaction(async (tx) => {
      const outcomes = await claimIdempotencyKeys(tx, claims);
      await tx.sql`select pg_sleep(0.02)`;
      return outcomes.filter((outcome) => outcome === 'claimed').length;
    });
  const counts = await Promise.all([batch(keys), batch(keys.toReversed()), batch(keys), batch(keys.toReversed())]);
  expect(counts.toSorted()).toEqual([0, 0, 0, 40]);
});

test('a released key may act again', async () => {
  await database.transaction(async (tx) => {
    await claimIdempotencyKeys(tx, [claimOf('k1', 'x')]);
    await releaseKeys(tx, [claimOf('k1', 'x')]);
  });
  expect(await act(claimOf('k1', 'y'), {})).toBe('claimed');
});

test('keys are forgotten after a day, not before', async () => {
  await act(claimOf('k1', 'x'), {});
  database.world.advance(24 * 3_600_000 - 1);
  expect(await database.transaction(pruneKeys)).toBe(0);
  database.world.advance(2);
  expect(await database.transaction(pruneKeys)).toBe(1);
});

/** Acts as a batched route does: look up, act, file. Then waits for `beforeCommit`. A null reply is a refusal. */
const actAtOnce = (claim: Claim, reply: unknown, beforeCommit: () => Promise<void> = async () => {}) =>
  database.transaction(async (tx) => {
    const [outcome] = await lookUpKeys(tx, [claim]);
    if (outcome !== 'free') return outcome;
    await fileKeys(tx, [{ ...claim, answer: reply === null ? null : { status: 201, reply } }]);
    await beforeCommit();
    return 'acted';
  });

/** An act that has filed its key and commits when released. */
async function heldAct(claim: Claim, reply: unknown) {
  const [filed, letGo] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const outcome = actAtOnce(claim, reply, () => {
    filed.resolve();
    return letGo.promise;
  });
  await Promise.race([filed.promise, outcome]);
  return { outcome, letGo: letGo.resolve };
}

/** Waits until so many transactions of this database wait for another one. */
const untilWaiting = (count: number) =>
  expect
    .poll(
      () =>
        database.owner`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      { timeout: 20_000 },
    )
    .toHaveLength(count);

test('on a batched route the first request acts, the second gets its reply, and another body is refused', async () => {
  expect(await actAtOnce(claimOf('k1', 'x'), { receipt: 'A1' })).toBe('acted');
  expect(await actAtOnce(claimOf('k1', 'x'), { receipt: 'A2' })).toEqual({
    replay: { status: 201, reply: { receipt: 'A1' } },
  });
  expect(await actAtOnce(claimOf('k1', 'y'), {})).toBe('reused');
});

test('on a batched route the same request in two transactions at once acts in one; the other is rolled back and gets its reply', async () => {
  const first = await heldAct(claimOf('k1', 'x'), { receipt: 'A1' });
  const others = ['A2', 'A3'].map((receipt) => actAtOnce(claimOf('k1', 'x'), { receipt }));
  await untilWaiting(2);
  first.letGo();
  expect(await first.outcome).toBe('acted');
  const itsReply = { replay: { status: 201, reply: { receipt: 'A1' } } };
  expect(await Promise.all(others)).toEqual([itsReply, itsReply]);
});

test('on a batched route a refusal waits for the same request under way, and gets its reply instead', async () => {
  const twin = await heldAct(claimOf('k1', 'x'), { receipt: 'A1' });
  const refused = actAtOnce(claimOf('k1', 'x'), null);
  await untilWaiting(1);
  twin.letGo();
  expect(await refused).toEqual({ replay: { status: 201, reply: { receipt: 'A1' } } });
  expect(await twin.outcome).toBe('acted');
});

test('on a batched route a refused request leaves its key free', async () => {
  expect(await actAtOnce(claimOf('k1', 'x'), null)).toBe('acted');
  expect(await database.owner`select from idempotency_keys`).toHaveLength(0);
});

test('on a batched route a key that comes twice in one batch acts once, and with another body is refused', async () => {
  const batch = [claimOf('k1', 'x'), claimOf('k1', 'x'), claimOf('k1', 'y')];
  const outcomes = await database.transaction((tx) => lookUpKeys(tx, batch));
  expect(outcomes).toEqual(['free', { sameAs: 0 }, 'reused']);
});
