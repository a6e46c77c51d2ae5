import { expect, test } from 'vitest';
import { ConnectionLimiter } from './connection-limiter.ts';
import { Deadline } from './deadline.ts';

const turn = () => new Promise((resolve) => setImmediate(resolve));

test('a request that finds the queue full is refused at once; jobs and batches always wait', async () => {
  const limiter = new ConnectionLimiter({ atOnceMax: 1, waitingMax: 1 });
  expect(limiter.acquire(new Deadline())).toBeUndefined();
  const waiting = limiter.acquire(new Deadline());
  expect(() => limiter.acquire(new Deadline())).toThrow('The service is busy. Try again in a moment.');
  const job = limiter.acquire(undefined);
  const batch = limiter.acquire(new Deadline({ isOfOneRequest: false }));
  expect(limiter.figures()).toMatchObject({ running: 1, waiting: 3, refused: 1 });
  limiter.release();
  await waiting;
  limiter.release();
  await job;
  limiter.release();
  await batch;
  limiter.release();
  expect(limiter.figures()).toMatchObject({ running: 0, waiting: 0 });
});

test('a request whose deadline passed in the queue is refused, and the next one starts', async () => {
  const limiter = new ConnectionLimiter({ atOnceMax: 1, waitingMax: 1 });
  limiter.acquire(undefined);
  const late = new Deadline();
  const refused = expect(limiter.acquire(late)).rejects.toMatchObject({ code: 'unavailable' });
  expect(late.expire().code).toBe('unavailable');
  const next = limiter.acquire(new Deadline());
  await refused;
  limiter.release();
  await next;
  await turn();
  expect(limiter.figures()).toMatchObject({ running: 1, waiting: 0, refused: 1 });
});

test('a deadline answers `unavailable` until COMMIT is sent, and `unknown_outcome` afterwards', () => {
  const before = new Deadline();
  expect(before.expire().code).toBe('unavailable');
  expect(() => before.commits()).toThrow();
  const after = new Deadline();
  after.commits();
  expect(after.expire().code).toBe('unknown_outcome');
  const shared = new Deadline({ isOfOneRequest: false });
  const [one, other] = [new Deadline(), new Deadline()];
  one.joins(shared);
  other.joins(shared);
  expect(one.expire().code).toBe('unavailable');
  expect(() => shared.commits()).toThrow();
  const committed = new Deadline({ isOfOneRequest: false });
  other.joins(committed);
  committed.commits();
  expect(other.expire().code).toBe('unknown_outcome');
});
