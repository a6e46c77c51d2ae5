import { byQueue } from '@ushirika/contract/operator-acts';
import { expect, test } from 'vitest';
import { type Health, healthPoints as pointsOf } from './health.rules.ts';

const healthPoints = (health: Health) => pointsOf(health, (queue) => `/operator/${queue}`);

const well: Health = {
  at: '2026-11-20T12:00:00.000Z',
  jobs: [{ task: 'sms', waiting: 2, failing: 0, oldest_due_at: '2026-11-20T11:59:00.000Z', last_error: null }],
  callbacks: [],
  deposits_pending: { count: 1, oldest_at: '2026-11-20T11:58:00.000Z' },
  exceptions_open: { count: 0, amount: 0, oldest_at: null },
  waiting: byQueue(() => 0),
  messages_unsent: 3,
  messages_refused: 2,
  float: {
    compared_at: '2026-11-20T00:01:00.000Z',
    state: 'agrees',
    mpesa: 5_000,
    books: 5_000,
    agreed_at: '2026-11-20T00:01:00.000Z',
  },
  logs: {
    count: 4,
    halted: [],
    last_signed_at: '2026-11-20T11:59:30.000Z',
    unsigned_since: '2026-11-20T11:59:50.000Z',
  },
  chain: {
    looked_at: '2026-11-20T11:40:00.000Z',
    is_silent: false,
    last_anchor_at: '2026-11-20T11:40:00.000Z',
    funds: 'enough',
  },
  audit: { ran_at: '2026-11-20T06:00:00.000Z', passed: true, breaches: 0 },
};
const stateOf = (health: Health, name: string) => healthPoints(health).find((point) => point.name === name)?.state;

test('a platform on which nothing waits is well in every point', () => {
  expect(healthPoints(well).filter(({ state }) => state !== 'good')).toEqual([]);
});

test('many refused SMS are to be looked at (field case M13)', () => {
  expect(stateOf(well, 'SMS refused in 24 hours')).toBe('good');
  expect(stateOf({ ...well, messages_refused: 20 }, 'SMS refused in 24 hours')).toBe('look');
});

test('failing jobs and jobs that nobody does stand first', () => {
  const failing = { ...well, jobs: [{ task: 'sms', waiting: 0, failing: 1, oldest_due_at: null, last_error: 'no' }] };
  expect(healthPoints(failing)[0]).toMatchObject({ name: 'Jobs', figure: '1', state: 'bad' });
  const late = {
    ...well,
    jobs: [{ task: 'sms', waiting: 4, failing: 0, oldest_due_at: '2026-11-20T11:50:00.000Z', last_error: null }],
  };
  expect(healthPoints(late)[0]).toMatchObject({ name: 'Jobs', figure: '4', state: 'bad' });
});

test('a top-up that is open for a quarter of an hour is stuck', () => {
  const stuck = { ...well, deposits_pending: { count: 1, oldest_at: '2026-11-20T11:44:59.000Z' } };
  expect(stateOf(stuck, 'Top-ups under way')).toBe('bad');
  expect(stateOf(well, 'Top-ups under way')).toBe('good');
});

test('what waits for an operator asks to be looked at, and leads there', () => {
  const busy = {
    ...well,
    waiting: { ...well.waiting, saccos: 2 },
    exceptions_open: { count: 1, amount: 50, oldest_at: well.at },
  };
  expect(
    healthPoints(busy)
      .filter(({ state }) => state === 'look')
      .map(({ to }) => to),
  ).toEqual(['/operator/money', '/operator/saccos']);
});

test('a breach that the audit found is bad, and an audit that never ran is worth a look', () => {
  expect(stateOf({ ...well, audit: { ran_at: well.at, passed: false, breaches: 2 } }, 'Last audit')).toBe('bad');
  expect(stateOf({ ...well, audit: null }, 'Last audit')).toBe('look');
});

test('M-Pesa holding something else than the books is bad, unless payments under way may explain it', () => {
  const held = (state: 'agrees' | 'under_way' | 'differs') =>
    well.float && { ...well, float: { ...well.float, state, mpesa: 4_000 } };
  expect(stateOf(well, 'Money at M-Pesa')).toBe('good');
  expect(stateOf(held('under_way') as Health, 'Money at M-Pesa')).toBe('good');
  expect(stateOf(held('differs') as Health, 'Money at M-Pesa')).toBe('bad');
  expect(stateOf({ ...well, float: null }, 'Money at M-Pesa')).toBe('good');
  const old = { ...well, at: '2026-11-23T12:00:00.000Z', jobs: [] };
  expect(stateOf(old, 'Money at M-Pesa')).toBe('look');
});

test('a halted log stands first, and its point says what happened and what to do', () => {
  const halted = (by: 'database' | 'file' | 'chain') => ({
    ...well,
    logs: { ...well.logs, halted: [{ origin: 'sacco.example/log/platform', sacco: 'Umoja', by, since: well.at }] },
  });
  expect(healthPoints(halted('file'))[0]).toMatchObject({
    name: 'Logs of the books',
    figure: '1 halted',
    state: 'bad',
  });
  const words = (['file', 'chain', 'database'] as const).map((by) => healthPoints(halted(by))[0]?.detail);
  expect(words[0]).toContain('A server has signed a newer history of Umoja');
  expect(words[1]).toContain('The chain has another history of Umoja');
  expect(words[2]).toContain('Entries of Umoja were changed');
});

test('movements that no signed head has after five minutes are bad', () => {
  const late = { ...well, logs: { ...well.logs, unsigned_since: '2026-11-20T11:54:00.000Z' } };
  expect(stateOf(late, 'Logs of the books')).toBe('bad');
  expect(stateOf({ ...well, logs: { ...well.logs, last_signed_at: null } }, 'Logs of the books')).toBe('good');
});

test('a chain that is silent, a key with low funds and growing logs without an anchor for a day are bad', () => {
  const name = 'Anchors on the chain';
  const on = (changed: Partial<NonNullable<Health['chain']>>) =>
    healthPoints({ ...well, chain: { ...(well.chain as NonNullable<Health['chain']>), ...changed } }).find(
      (point) => point.name === name,
    );
  expect(on({})).toMatchObject({ state: 'good', figure: 'Up to date' });
  expect(on({ is_silent: true })).toMatchObject({ state: 'bad', figure: 'Silent' });
  expect(on({ funds: 'short' })).toMatchObject({ state: 'bad', figure: 'Low funds' });
  expect(on({ last_anchor_at: '2026-11-19T11:00:00.000Z' })).toMatchObject({ state: 'bad', figure: 'Late' });
  expect(on({ looked_at: null })?.state).toBe('look');
  expect(stateOf({ ...well, chain: null }, name)).toBe('good');
});
