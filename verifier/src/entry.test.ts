import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fromBase64, textOf, toBase64, utf8 } from './bytes.ts';
import { canonical, type Plain } from './canonical.ts';
import { commitmentOf, entryBytes, isOpenedBy, type LogEntry, leafOf, NO_LEAF, open, saltOf } from './entry.ts';
import { nodeCrypto } from './node-crypto.ts';
import { isInSum, type SumNode, sumLeaf, sumLevels, sumProof } from './sum-tree.ts';

const { sha256 } = nodeCrypto;
const secret = sha256(utf8('secret'));
const payload = {
  head: { kind: 'shares_bought', at: '2026-04-01T09:00:00.000Z' },
  parts: [
    { owner: 'Amina', sides: [['wallet', -31_000]] },
    { owner: null, sides: [['cash', 31_000]] },
  ],
};
const entry: LogEntry = {
  v: 1,
  log: 'sacco.example/log/1',
  i: 0,
  t: '2026-04-01T09:00:00Z',
  k: 'books',
  c: toBase64(commitmentOf(sha256, secret, payload)),
  p: toBase64(NO_LEAF),
};

test('an entry is hashed as the canonical JSON of its seven members, sorted', () => {
  expect(textOf(entryBytes(entry))).toBe(
    `{"c":"${entry.c}","i":0,"k":"books","log":"sacco.example/log/1","p":"${entry.p}","t":"2026-04-01T09:00:00Z","v":1}`,
  );
  expect(leafOf(sha256, entry)).toEqual(sha256(Buffer.concat([Buffer.of(0), entryBytes(entry)])));
});

test('canonical JSON sorts names by UTF-16 and is read back as the same value', () => {
  expect(canonical({ '\u20ac': 1, '\r': 2, '1': 3, '\u0080': 4, '\ud83d\ude00': 5, ö: 6 })).toBe(
    '{"\\r":2,"1":3,"\u0080":4,"ö":6,"€":1,"😀":5}',
  );
  const plain = fc.letrec<{ value: Plain }>((tie) => ({
    value: fc.oneof(
      { depthSize: 'small' },
      fc.maxSafeInteger(),
      fc.boolean(),
      fc.constant(null),
      fc.string({ unit: 'grapheme' }),
      fc.array(tie('value')),
      fc.dictionary(fc.string(), tie('value'), { noNullPrototype: true }),
    ),
  })).value;
  fc.assert(fc.property(plain, (value) => canonical(JSON.parse(canonical(value))) === canonical(value)));
  expect(() => canonical(0.5)).toThrow('whole numbers');
  expect(() => canonical('\ud83d')).toThrow('surrogate');
});

test('a member is shown their own part, and the entry holds no other fact', () => {
  const opening = open(sha256, secret, payload, (part) => JSON.stringify(part).includes('Amina'));
  expect(opening.shown).toEqual([{ at: 0, salt: toBase64(saltOf(sha256, secret, 1)), value: payload.parts[0] }]);
  expect(isOpenedBy(sha256, entry, opening)).toBe(true);
  expect(JSON.stringify(opening)).not.toContain(toBase64(secret));
  expect(JSON.stringify(opening)).not.toContain('cash');
});

test('a changed fact, salt, place or hash is not what the entry commits to', () => {
  const opening = open(sha256, secret, payload, () => true);
  const [first, second] = opening.shown;
  if (!first || !second) throw new Error('Both parts are shown.');
  const other = toBase64(sha256(utf8('other')));
  const wrong = [
    { ...opening, head: { ...payload.head, kind: 'sacco_joined' } },
    { ...opening, salt: other },
    { ...opening, parts: [other, opening.parts[1] as string] },
    { ...opening, shown: [{ ...first, at: 1 }, second] },
    { ...opening, shown: [{ ...first, at: 2 }, second] },
    { ...opening, shown: [{ ...first, salt: other }, second] },
    { ...opening, shown: [{ ...first, value: { owner: 'Amina', sides: [['wallet', -1]] } }, second] },
    { ...opening, shown: [first, second, second] },
    { ...opening, shown: [second, first] },
  ];
  expect(wrong.map((each) => isOpenedBy(sha256, entry, each))).toEqual(wrong.map(() => false));
  expect(isOpenedBy(sha256, { ...entry, c: other }, opening)).toBe(false);
});

const amounts = fc.array(fc.integer({ min: 0, max: 10 ** 9 }), { minLength: 1, maxLength: 70 });
const leafFor = (amount: number, account: number): SumNode =>
  sumLeaf(sha256, { account, salt: sha256(utf8(String(account))), amount });

test('each amount is proven to be in the total, and no other amount is', () => {
  fc.assert(
    fc.property(amounts, (all) => {
      const levels = sumLevels(sha256, all.map(leafFor));
      const root = levels.at(-1)?.[0] as SumNode;
      expect(root.sum).toBe(all.reduce((sum, amount) => sum + amount, 0));
      return all.every((amount, at) => {
        const proof = sumProof(levels, at);
        return (
          isInSum(sha256, leafFor(amount, at), proof, root) &&
          !isInSum(sha256, leafFor(amount + 1, at), proof, root) &&
          !isInSum(sha256, leafFor(amount, at), proof, { ...root, sum: root.sum + 1 })
        );
      });
    }),
    { numRuns: 30 },
  );
});

test('a sum below zero hides no amount', () => {
  const levels = sumLevels(sha256, [leafFor(100, 1), leafFor(50, 2)]);
  const root = levels.at(-1)?.[0] as SumNode;
  const [step] = sumProof(levels, 0);
  if (!step) throw new Error('Two leaves have a proof of one step.');
  expect(isInSum(sha256, leafFor(100, 1), [{ ...step, sum: -50 }], { ...root, sum: 50 })).toBe(false);
  expect(() => isInSum(sha256, leafFor(100, 1), [{ ...step, hash: '!' }], root)).toThrow('not base64');
  expect(fromBase64(step.hash)).toHaveLength(32);
});
