import { closeSync, openSync, readSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Product } from '../support/product.ts';

/** 42: a statement that is none. 22: a value that its type cannot be. Neither may depend on what a client sends. */
const FAULTY = /^(42|22)/;

/**
 * Listens to PostgreSQL's own log for the errors of one database: what the application swallows is heard too. The test
 * server's lines begin with time, process, database and SQLSTATE (`log_line_prefix` in test-server.ts).
 */
export class SqlTap {
  readonly #file: string;
  readonly #database: string;
  #offset: number;
  #rest = '';

  constructor(file: string, database: string) {
    this.#file = file;
    this.#database = database;
    this.#offset = statSync(file).size;
  }

  /** The errors since it was asked last. PostgreSQL writes one before it answers, so that it is of the latest request. */
  heard(): string[] {
    const { size } = statSync(this.#file);
    if (size <= this.#offset) return [];
    const buffer = Buffer.alloc(size - this.#offset);
    const file = openSync(this.#file, 'r');
    readSync(file, buffer, 0, buffer.length, this.#offset);
    closeSync(file);
    this.#offset = size;
    const lines = (this.#rest + buffer.toString('utf8')).split('\n');
    this.#rest = lines.pop() ?? '';
    return lines.flatMap((line) => {
      const [, database, code = '', message] =
        /^\S+ \S+ \S+ \[\d+\] (\S+) (\w{5}) (?:ERROR|FATAL|PANIC): +(.*)$/.exec(line) ?? [];
      return database === this.#database && FAULTY.test(code) ? [`SQLSTATE ${code}: ${message}`] : [];
    });
  }
}

/** The tap for a product's database, proved to hear: an error is made, and must come. */
export async function tapOf({ database }: Product): Promise<SqlTap> {
  const [row] = await database.owner<{ data_directory: string }[]>`show data_directory`;
  const [name] = await database.owner<{ name: string }[]>`select current_database() as name`;
  const tap = new SqlTap(join(dirname(row?.data_directory ?? ''), 'postgres.log'), name?.name ?? '');
  await database.owner.unsafe('selec 1').catch(() => {});
  if (tap.heard().length !== 1) throw new Error('The tap on PostgreSQL does not hear an error that was made for it.');
  return tap;
}
