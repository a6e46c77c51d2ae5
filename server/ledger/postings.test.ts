import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { accountKinds } from './account-kinds.ts';
import { type JournalInput, PLATFORM_BOOK } from './ledger.types.ts';
import { assertKnownPostings, type JournalKind, type Pair, postings } from './postings.ts';

const root = join(import.meta.dirname, '../..');

/** The rows of the table: event, book, debit, credit, when. */
function readTable(): string[][] {
  return readFileSync(join(root, 'docs/postings.md'), 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('|') && !line.startsWith('|---') && !line.startsWith('| event'))
    .map((line) =>
      line
        .slice(1, -1)
        .split('|')
        .map((cell) => cell.trim()),
    );
}

const registry = Object.entries<readonly Pair[]>(postings);

test('The table in docs/postings.md and the registry in the code hold the same events, books and accounts', () => {
  const written = readTable()
    .filter(([event]) => event !== 'reversal')
    .map(([event, book, debit, credit]) => `${event}: ${book} ${debit} > ${credit}`);
  const coded = registry.flatMap(([kind, pairs]) =>
    pairs.map(([book, debit, credit]) => `${kind}: ${book} ${debit} > ${credit}`),
  );
  expect(written.sort()).toEqual(coded.sort());
  expect(readTable().filter(([event]) => event === 'reversal')).toHaveLength(1);
});

test('Every row says when the event happens', () => {
  expect(readTable().filter((row) => row.length !== 5 || row[4] === '')).toEqual([]);
});

describe('Every pair could post', () => {
  for (const [kind, pairs] of registry) {
    test(`${kind}: both accounts exist and are of one asset`, () => {
      for (const [, debit, credit] of pairs) {
        const [debited, credited] = [debit, credit].map((side) => accountKinds[side.split(':')[0] as 'wallet']);
        expect(debited, debit).toBeDefined();
        expect(credited, credit).toBeDefined();
        expect(debited?.asset).toBe(credited?.asset);
      }
    });
  }
});

test('Every event is posted somewhere in the code, so that the table tells no tales', () => {
  const code = sources(join(root, 'server')).map((path) => readFileSync(path, 'utf8'));
  const unused = registry.filter(([kind]) => !code.some((text) => text.includes(`'${kind}'`))).map(([kind]) => kind);
  expect(unused).toEqual([]);
});

test('post refuses a kind or a pair that is not in the registry', () => {
  const wallet = { book: PLATFORM_BOOK, kind: 'wallet', owner: PLATFORM_BOOK } as const;
  const float = { book: PLATFORM_BOOK, kind: 'mpesa_float', owner: null } as const;
  const journal = (kind: string, more: Partial<JournalInput> = {}): JournalInput => ({
    kind: kind as JournalKind,
    idempotencyKey: 'k',
    causedBy: null,
    about: { type: 'test', id: PLATFORM_BOOK },
    transfers: [{ debit: float, credit: wallet, amount: 1 }],
    ...more,
  });
  const backwards = { transfers: [{ debit: wallet, credit: float, amount: 1 }] };
  expect(() => assertKnownPostings(journal('wallet_topped_up'))).not.toThrow();
  expect(() => assertKnownPostings(journal('wallet_topped_up', backwards))).toThrow(
    'may not post P wallet: mpesa_float',
  );
  expect(() => assertKnownPostings(journal('bribed'))).toThrow('No journal is of the kind bribed');
  expect(() => assertKnownPostings(journal('reversal', { ...backwards, reverses: '1' }))).not.toThrow();
  expect(() => assertKnownPostings(journal('reversal', { reverses: '1' }))).toThrow('may not post');
  expect(() => assertKnownPostings(journal('reversal', backwards))).toThrow('names the journal that it reverses');
  expect(() => assertKnownPostings(journal('wallet_topped_up', { reverses: '1' }))).toThrow(
    'A reversal, and nothing else',
  );
});

function sources(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts') && !entry.name.endsWith('.test.ts'))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !path.includes('node_modules') && !path.endsWith('ledger/postings.ts'));
}
