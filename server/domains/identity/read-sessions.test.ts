import type { Session } from '@ushirika/contract/identity';
import { replyInWords } from '@ushirika/contract/in-words';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { type TestDatabase, testDatabase } from '../../db/test-database.ts';
import { changePassword } from './change-password.ts';
import { endSession } from './end-session.ts';
import { sessionsOf } from './identity.queries.ts';
import { grantOperator, revokeOperator } from './operators.ts';
import { createSessionReader } from './read-sessions.ts';
import {
  ELSEWHERE,
  PASSWORD,
  personNumber,
  refusalOf,
  sessionReader,
  signIn,
  signUp,
  type TestIdentity,
  testIdentity,
} from './test-identity.ts';

let database: TestDatabase;
let identity: TestIdentity;
let n = 0;
beforeAll(async () => {
  database = await testDatabase();
});
beforeEach(() => {
  identity = testIdentity(database);
  n += 1;
});
afterAll(() => database.close());

const MINUTE = 60_000;
const seenAt = async (id: string) => {
  const [row] = await database.sql<{ last_seen_at: Date }[]>`select last_seen_at from sessions where id = ${id}`;
  return row?.last_seen_at;
};

describe('a session', () => {
  test('lives for an hour without a request, and each request gives it another', async () => {
    const { token, actor } = await signUp(identity, personNumber(n));
    const read = sessionReader(identity);
    database.world.advance(59 * MINUTE);
    expect(await read(token)).toMatchObject({ sessionId: actor.sessionId });
    await vi.waitFor(async () => expect(await seenAt(actor.sessionId)).toEqual(database.now()));
    database.world.advance(59 * MINUTE);
    expect(await read(token)).not.toBeNull();
    await vi.waitFor(async () => expect(await seenAt(actor.sessionId)).toEqual(database.now()));
    database.world.advance(60 * MINUTE);
    expect(await read(token)).toBeNull();
  });

  test('ends after twelve hours however busy it is', async () => {
    const { token, actor } = await signUp(identity, personNumber(n));
    const read = sessionReader(identity);
    for (let half = 0; half < 23; half += 1) {
      database.world.advance(30 * MINUTE);
      expect(await read(token)).not.toBeNull();
      await vi.waitFor(async () => expect(await seenAt(actor.sessionId)).toEqual(database.now()));
    }
    database.world.advance(30 * MINUTE);
    expect(await read(token)).toBeNull();
  });

  test('is written at most once a minute', async () => {
    const { token, actor } = await signUp(identity, personNumber(n));
    const opened = database.now();
    database.world.advance(59_000);
    await sessionReader(identity)(token);
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(await seenAt(actor.sessionId)).toEqual(opened);
  });

  test('is not found by a token that is not exactly its own', async () => {
    const { token } = await signUp(identity, personNumber(n));
    const read = sessionReader(identity);
    const near = `${token.slice(0, 42)}${token.endsWith('A') ? 'B' : 'A'}`;
    for (const wrong of ['', 'undefined', near, `${token}A`, token.slice(1), `${token.slice(0, 42)}'`]) {
      expect(await read(wrong)).toBeNull();
    }
  });
});

describe('reading sessions', () => {
  test('those asked for together are read by one statement, and each gets its own answer', async () => {
    const one = await signUp(identity, personNumber(n));
    const two = await signUp(identity, personNumber(n + 1000));
    let statements = 0;
    const sql = new Proxy(database.sql, {
      apply: (target, self, args) => {
        statements += 1;
        return Reflect.apply(target as never, self, args);
      },
    });
    const read = createSessionReader({ database: { ...database, sql } });
    const unknown = 'A'.repeat(43);
    const found = await Promise.all([one.token, unknown, two.token, one.token].map((token) => read(token)));
    expect(found.map((session) => session?.userId)).toEqual([one.user.id, undefined, two.user.id, one.user.id]);
    expect(statements).toBe(1);
  });

  test('when the database fails, everyone who asked is told, and the next are answered again', async () => {
    const { token } = await signUp(identity, personNumber(n));
    let isDown = true;
    const sql = new Proxy(database.sql, {
      apply: (target, self, args) =>
        isDown ? Promise.reject(new Error('down')) : Reflect.apply(target as never, self, args),
    });
    const read = createSessionReader({ database: { ...database, sql } });
    const outcomes = await Promise.allSettled([read(token), read(token)]);
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    isDown = false;
    expect(await read(token)).not.toBeNull();
  });
});

describe('signed-in devices', () => {
  test('are listed newest first, in words their owner knows, with the present one marked', async () => {
    const { person, actor } = await signUp(identity, personNumber(n));
    database.world.advance(1000);
    await signIn(identity, person.id_number, PASSWORD, ELSEWHERE);
    const list = replyInWords(await sessionsOf(database, actor), 'en') as Session[];
    expect(list.map(({ device, address, current }) => [device, address, current])).toEqual([
      ['Unknown device', '196.201.214.9', false],
      ['Chrome on Android', '41.90.1.2', true],
    ]);
  });

  test('can be signed out one by one', async () => {
    const { person, actor } = await signUp(identity, personNumber(n));
    const other = await signIn(identity, person.id_number, PASSWORD, ELSEWHERE);
    const read = sessionReader(identity);
    const id = (await read(other.token))?.sessionId ?? '';
    await database.transaction((tx) => endSession(tx, actor, { id }));
    expect(await read(other.token)).toBeNull();
    const again = await refusalOf(database.transaction((tx) => endSession(tx, actor, { id })));
    expect(again.code).toBe('not_found');
  });

  test("somebody else's is not there", async () => {
    const mine = await signUp(identity, personNumber(n));
    const theirs = await signUp(identity, personNumber(n + 1000));
    const id = theirs.actor.sessionId;
    const refused = await refusalOf(database.transaction((tx) => endSession(tx, mine.actor, { id })));
    expect(refused.code).toBe('not_found');
    expect(await sessionReader(identity)(theirs.token)).not.toBeNull();
  });
});

describe('changing a password', () => {
  test('signs every other device out and keeps this one', async () => {
    const { person, token, actor } = await signUp(identity, personNumber(n));
    const other = await signIn(identity, person.id_number);
    await changePassword(identity, actor, { currentPassword: PASSWORD, password: 'Umoja#2027' });
    const read = sessionReader(identity);
    expect(await read(other.token)).toBeNull();
    expect(await read(token)).not.toBeNull();
    await expect(signIn(identity, person.id_number, 'Umoja#2027')).resolves.toBeTruthy();
  });

  test('is refused without the current one, and five wrong ones rest for 15 minutes', async () => {
    const { actor } = await signUp(identity, personNumber(n));
    const attempt = (currentPassword: string) =>
      refusalOf(changePassword(identity, actor, { currentPassword, password: 'Umoja#2027' }));
    for (let time = 0; time < 5; time += 1) {
      expect((await attempt('Wrong#2026')).body()).toMatchObject({
        code: 'current_password_wrong',
        errors: { current_password: ['Your current password is not right.'] },
      });
    }
    expect((await attempt(PASSWORD)).code).toBe('too_many_requests');
  });

  test('is refused for a weak one', async () => {
    const { actor } = await signUp(identity, personNumber(n));
    const refused = await refusalOf(changePassword(identity, actor, { currentPassword: PASSWORD, password: 'weak' }));
    expect(refused.message).toBe('Password has not satisfied the required specs');
  });
});

test('an operator is one from the next request on, and is none from the request after it is taken away', async () => {
  const { token, user } = await signUp(identity, personNumber(n));
  const read = sessionReader(identity);
  expect((await read(token))?.isOperator).toBe(false);
  expect(await database.transaction((tx) => grantOperator(tx, user.id))).toBe(true);
  expect(await database.transaction((tx) => grantOperator(tx, user.id))).toBe(false);
  expect((await read(token))?.isOperator).toBe(true);
  expect(await database.transaction((tx) => revokeOperator(tx, user.id))).toBe(true);
  expect(await database.transaction((tx) => revokeOperator(tx, user.id))).toBe(false);
  expect(await read(token)).toBeNull();
});
