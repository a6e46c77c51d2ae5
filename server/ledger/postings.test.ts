import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { accountKinds, declaredJournal, type JournalKind } from '@ushirika/contract/journals';
import { describe, expect, test, vi } from 'vitest';
import { type JournalInput, PLATFORM_BOOK } from './ledger.types.ts';
import { postings } from './postings.ts';

const root = join(import.meta.dirname, '../..');

const registry = Object.entries(postings);

const INTRODUCTION = `# Postings

Every event that moves money or shares, and the accounts that it debits and credits. Generated from \`contract/src/journals.ts\` by
\`vitest run --project server server/ledger/postings.test.ts --update\`; do not edit it by hand.
\`P\` is the platform's book, \`S\` the sacco's. \`:U\` marks an account of a member, \`:S\` of a sacco, \`:O\` of another thing (a pool,
a loan). An account without a mark is of the book itself.

**To add an event** declare it in \`contract/src/journals.ts\`, and nowhere else. Its kind is then a \`JournalInput['kind']\`.
\`post\` throws for any pair of accounts that it does not declare, and the history of a wallet shows it with its group and
description. A new kind of account is declared there too. An event that corrects a journal posts \`reversal\`.

| event (journal kind) | book | debit | credit | when |
|---|---|---|---|---|
| reversal | any | what the reversed journal credited | what it debited | a mistake is corrected; journals are never changed |
`;

test('docs/postings.md has the same events, books and accounts as the contract', async () => {
  const rows = registry.flatMap(([kind, { transfers }]) =>
    transfers.map((pair) => `| ${[kind, ...pair].join(' | ')} |\n`),
  );
  await expect(INTRODUCTION + rows.join('')).toMatchFileSnapshot('../../docs/postings.md');
});

test('Every transfer says when it happens, and an event that moves a wallet has its group and its description', () => {
  const unsaid = registry.filter(([, { transfers }]) => transfers.some(([, , , when]) => !when));
  const moving = registry.filter(([, { transfers }]) => transfers.some((pair) => pair.includes('wallet:U')));
  const unworded = moving.filter(([kind]) => !declaredJournal(kind)?.words || !declaredJournal(kind)?.group);
  expect([...unsaid, ...unworded].map(([kind]) => kind)).toEqual([]);
  expect(moving.length).toBeGreaterThan(10);
});

describe('Every pair could post', () => {
  for (const [kind, { transfers }] of registry) {
    test(`${kind}: both accounts exist and are of one asset`, () => {
      for (const [, debit, credit] of transfers) {
        const [debited, credited] = [debit, credit].map((side) => accountKinds[side.split(':')[0] as 'wallet']);
        expect(debited, debit).toBeDefined();
        expect(credited, credit).toBeDefined();
        expect(debited?.asset).toBe(credited?.asset);
      }
    });
  }
});

test('Every event of the table is posted somewhere in the code', () => {
  const code = sources(join(root, 'server')).map((path) => readFileSync(path, 'utf8'));
  const unused = registry.filter(([kind]) => !code.some((text) => text.includes(`'${kind}'`))).map(([kind]) => kind);
  expect(unused).toEqual([]);
});

test('post refuses a kind or a pair that is not in the registry', async () => {
  // Loaded again: tests of the ledger add kinds, and test files in one process share modules.
  vi.resetModules();
  const { assertKnownPostings } = await import('./postings.ts');
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
