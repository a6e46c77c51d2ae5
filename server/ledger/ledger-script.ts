import { expect } from 'vitest';
import type { TestDatabase } from '../db/test-database.ts';
import { balances } from './balances.ts';
import { type AccountKey, type JournalInput, PLATFORM_BOOK, type PostResult } from './ledger.types.ts';
import { post } from './post.ts';
import { allow } from './postings.ts';

/** A kind for the ledger's own tests: moves money between any two money accounts of a script. */
export const testKind = allow(
  'test',
  (['mpesa_float', 'wallet:U', 'suspense'] as const).flatMap((debit) =>
    (['mpesa_float', 'wallet:U', 'suspense'] as const).map((credit) => ['P', debit, credit] as const),
  ),
);
allow('test_other', [['P', 'mpesa_float', 'wallet:U']]);
allow('test_sacco', [
  ['S', 'cash', 'deposits:U'],
  ['S', 'shares_issued', 'holding:U'],
  ['S', 'holding:U', 'holding:U'],
]);

const about = { type: 'test', id: '0190a000-0000-7000-8000-00000000000a' };

/**
 * Runs scripts of journals. Names of accounts: `float`, `suspense`, and one capital letter for a member's wallet; in a
 * sacco's book `s.cash`, `s.issued`, `s.A` (deposits) and `s.hA` (holding). Each script has its own owners and keys.
 */
export class LedgerScript {
  readonly #database: TestDatabase;
  readonly #sacco: string;
  readonly #owners = new Map<string, string>();
  readonly #prefix: string;

  constructor(database: TestDatabase) {
    this.#database = database;
    this.#sacco = database.newId();
    this.#prefix = database.newId();
  }

  /**
   * Runs a text with one journal a line, `key [kind]: debit > credit amount, … = result`; `[kind]` may be left out.
   * Lines up to an empty line are one batch. The result is `posted`, `exists`, or a refusal with the index of its
   * transfer. A line `A 500, B 0` states balances.
   */
  async run(text: string): Promise<void> {
    for (const block of text.trim().split(/\n\s*\n/)) {
      const lines = block.split('\n').map((line) => line.trim());
      const journals = lines.filter((line) => line.includes(':'));
      const results = await this.postLines(journals.map((line) => line.split(' = ')[0] as string));
      expect(results.map((result, index) => `${journals[index]?.split(' = ')[0]} = ${wordsOf(result)}`)).toEqual(
        journals,
      );
      for (const line of lines.filter((each) => !each.includes(':'))) {
        expect(await this.balancesOf(line)).toBe(line);
      }
    }
  }

  postLines(lines: readonly string[]): Promise<PostResult[]> {
    return this.#database.transaction((tx) =>
      post(
        tx,
        lines.map((line) => this.journal(line)),
      ),
    );
  }

  /** `key [kind]: debit > credit amount, …` */
  journal(line: string): JournalInput {
    const [, key, kind, transfers] = /^(\S+?)(?: \[(\w+)\])?:(.*)$/.exec(line) ?? [];
    return {
      kind: (kind ?? testKind) as JournalInput['kind'],
      idempotencyKey: `${key}:${this.#prefix}`,
      causedBy: null,
      about,
      transfers: (transfers ?? '')
        .split(',')
        .filter((part) => part.trim() !== '')
        .map((part) => {
          const [, debit, credit, amount] = /^\s*(\S+) > (\S+) (\S+)\s*$/.exec(part) ?? [];
          return { debit: this.key(debit ?? ''), credit: this.key(credit ?? ''), amount: Number(amount) };
        }),
    };
  }

  key(name: string): AccountKey {
    const own = { float: 'mpesa_float', suspense: 'suspense' } as const;
    const saccos = { 's.cash': 'cash', 's.issued': 'shares_issued' } as const;
    if (name in own) return { book: PLATFORM_BOOK, kind: own[name as keyof typeof own], owner: null };
    if (name in saccos) return { book: this.#sacco, kind: saccos[name as keyof typeof saccos], owner: null };
    if (name.startsWith('s.h')) return { book: this.#sacco, kind: 'holding', owner: this.#owner(name.slice(3)) };
    if (name.startsWith('s.')) return { book: this.#sacco, kind: 'deposits', owner: this.#owner(name.slice(2)) };
    return { book: PLATFORM_BOOK, kind: 'wallet', owner: this.#owner(name) };
  }

  /** The actual balances of the accounts in `line`, written in its form. */
  async balancesOf(line: string): Promise<string> {
    const names = line.split(',').map((part) => part.trim().split(' ')[0] as string);
    const found = await balances(
      this.#database,
      names.map((name) => this.key(name)),
    );
    return names.map((name, index) => `${name} ${found[index]}`).join(', ');
  }

  #owner(name: string): string {
    const owner = this.#owners.get(name) ?? this.#database.newId();
    this.#owners.set(name, owner);
    return owner;
  }
}

function wordsOf(result: PostResult): string {
  return result.status === 'refused' ? `${result.reason} ${result.transferIndex}` : result.status;
}
