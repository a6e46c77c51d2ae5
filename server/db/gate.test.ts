import { expect, test } from 'vitest';
import { Deadline } from './deadline.ts';
import { Gate } from './gate.ts';

const turn = () => new Promise((resolve) => setImmediate(resolve));

test('who finds the queue full is refused at once; jobs and lanes wait all the same', async () => {
  const gate = new Gate({ atOnceMax: 1, waitingMax: 1 });
  expect(gate.enter(new Deadline())).toBeUndefined();
  const waiting = gate.enter(new Deadline());
  expect(() => gate.enter(new Deadline())).toThrow('The service is busy. Try again in a moment.');
  const job = gate.enter(undefined);
  const lane = gate.enter(new Deadline({ isOfOneRequest: false }));
  expect(gate.figures()).toMatchObject({ running: 1, waiting: 3, refused: 1 });
  gate.leave();
  await waiting;
  gate.leave();
  await job;
  gate.leave();
  await lane;
  gate.leave();
  expect(gate.figures()).toMatchObject({ running: 0, waiting: 0 });
});

test('who waited past its deadline is refused in its turn, and makes room for another', async () => {
  const gate = new Gate({ atOnceMax: 1, waitingMax: 1 });
  gate.enter(undefined);
  const late = new Deadline();
  const refused = expect(gate.enter(late)).rejects.toMatchObject({ code: 'unavailable' });
  expect(late.expire().code).toBe('unavailable');
  const next = gate.enter(new Deadline());
  await refused;
  gate.leave();
  await next;
  await turn();
  expect(gate.figures()).toMatchObject({ running: 1, waiting: 0, refused: 1 });
});

test('a deadline says `unavailable` until COMMIT was sent, and after it that nobody can tell', () => {
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
