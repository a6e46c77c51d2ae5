import { describe, expect, test } from 'vitest';
import { testWorld } from '../../db/test-world.ts';
import { createPasswords } from './passwords.ts';

const make = (options: { atOnceMax?: number; waitingMax?: number } = {}) =>
  createPasswords({ world: testWorld(), atOnceMax: 2, waitingMax: 20, ...options });

describe('passwords', () => {
  test('are kept as argon2id with 19 MiB, two passes and a salt of their own', async () => {
    const passwords = make();
    const [one, two] = await Promise.all([passwords.hash('Ushirika#2026'), passwords.hash('Ushirika#2026')]);
    expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/);
    expect(one).not.toBe(two);
  });

  test('the right one is known again and no other', async () => {
    const passwords = make();
    const encoded = await passwords.hash('Ushirika#2026');
    expect(await passwords.verify('Ushirika#2026', encoded)).toBe(true);
    expect(await passwords.verify('Ushirika#2027', encoded)).toBe(false);
    expect(await passwords.verify('ushirika#2026', encoded)).toBe(false);
  });

  test('one that another keyboard composes differently is the same', async () => {
    const passwords = make();
    const encoded = await passwords.hash('Caf\u00e9#2026');
    expect(await passwords.verify('Cafe\u0301#2026', encoded)).toBe(true);
  });

  test('nobody has one, at the price of one hash', async () => {
    const passwords = make();
    expect(await passwords.verify('Ushirika#2026', null)).toBe(false);
    expect(passwords.begun()).toBe(1);
  });

  test('hashes of other costs, from before, are still verified', async () => {
    const older = '$argon2id$v=19$m=64,t=1,p=1$c29tZXNhbHRzb21lc2FsdA$';
    const { argon2Sync } = await import('node:crypto');
    const hash = argon2Sync('argon2id', {
      message: 'Old#2020',
      nonce: Buffer.from('somesaltsomesalt'),
      memory: 64,
      passes: 1,
      parallelism: 1,
      tagLength: 32,
    });
    expect(await make().verify('Old#2020', older + hash.toString('base64').replace(/=+$/, ''))).toBe(true);
  });

  test('a flood waits in a line of bounded length, and who comes after is told to come again', async () => {
    const passwords = make({ atOnceMax: 1, waitingMax: 2 });
    const hashing = Array.from({ length: 5 }, () => passwords.hash('Ushirika#2026'));
    expect(passwords.figures?.()).toEqual({ waiting: 2, refused: 2 });
    const outcomes = await Promise.allSettled(hashing);
    expect(passwords.figures?.()).toEqual({ waiting: 0, refused: 2 });
    const refused = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []));
    expect(refused.map(({ code, details }) => [code, details.retryAfterSeconds])).toEqual([
      ['unavailable', 2],
      ['unavailable', 2],
    ]);
    await expect(passwords.hash('Ushirika#2026')).resolves.toMatch(/^\$argon2id/);
  });
});
