import { copyTemplate, type TestDatabase } from '../../server/db/test-copy.ts';
import { loadDemo } from '../../server/demo/load-demo.ts';
import { proofsInvariants } from '../../server/domains/proofs/proofs.invariants.ts';
import { takeTotals } from '../../server/domains/proofs/take-totals.ts';
import { logAndSign } from '../../server/domains/proofs/test-logs.ts';
import { invariants } from '../../server/domains.ts';
import { breaches, type Invariant } from '../../server/ledger/invariants.ts';
import type { Control, Harness, Outcome, Run, Tier } from '../harness.ts';
import { Random } from '../random.ts';
import { type Column, columnsOf, EDITS, edit } from './edits.ts';

/** The day on which the demonstration's year ends. */
const DAY = new Date('2026-11-21T09:00:00.000Z');
/** At least, one of each table among them. */
const editsOf: Record<Tier, number> = { c: 0, n: 1_000, r: 1_000 };

/** The tables of the books: the ledger, the register of shares, and the log. Of each the columns that say nothing about the past. */
const BOOKS: Readonly<Record<string, readonly string[]>> = {
  // Whether it takes postings, and not what was posted.
  accounts: ['closed_at'],
  journals: [],
  transfers: [],
  // The id names the receipt's file alone.
  share_movements: ['id'],
  // How the market matched and which price it shows, and not what was traded.
  share_trades: ['taker_limit_cents', 'place', 'uncounted'],
  log_entries: [],
  // The hour of the log is in its entry.
  log_events: ['logged_at'],
  log_facts: [],
  // The secret key as it is sealed, and whether it signs still.
  log_keys: ['sealed_key', 'sealed_by', 'created_at', 'retired_at'],
  log_tiles: [],
  log_total_pieces: [],
  log_totals: [],
  logs: [],
  checkpoints: ['signed_at'],
};
/** A head is a signature under the books: one that is gone can be signed again, and every kept one is compared. */
const GOES_UNSEEN: readonly string[] = ['checkpoints: a row is removed'];

const controls: readonly Control[] = [
  {
    name: 'no_log',
    breaks: 'the audit does not build the logs again',
    expected: /was not found/,
  },
];

/** A change that the transaction takes back once it was looked for. */
class TakenBack extends Error {}

export const harness: Harness = {
  name: 'tamper',
  title: 'Each change of one row of the books, by a superuser with our triggers off, is found by the audit',
  promises: ['P21'],
  tiers: ['c', 'n', 'r'],
  isPatient: true,
  controls,
  async run(run: Run): Promise<Outcome> {
    const database = await copyTemplate(run.serverUrl, { poolSize: 4 });
    try {
      await loadDemo(database.url, DAY);
      await takeTotals({ database, originBase: 'sacco.test/log' });
      await logAndSign(database, 'sacco.test/log');
      return await new Tampering(run, database).run();
    } finally {
      await database.close();
    }
  },
};

/** A value that its column, a check or a key refuses (SQLSTATE 22, 23 and 428C9) is no edit. @throws anything else */
function refusedByItsColumns(error: { readonly code?: string }): null {
  if (!/^(2[23]|428C9)/.test(error.code ?? '')) throw error;
  return null;
}

class Tampering {
  readonly #run: Run;
  readonly #database: TestDatabase;
  readonly #random: Random;
  readonly #looked: readonly Invariant[];
  readonly #columns = new Map<string, Column[]>();
  readonly #missed: string[] = [];
  readonly #fired: Record<string, number> = {};
  #found = 0;

  constructor(run: Run, database: TestDatabase) {
    this.#run = run;
    this.#database = database;
    this.#random = new Random(run.seed);
    const isBlind = run.broken === 'no_log';
    const own = new Set(proofsInvariants);
    this.#looked = [...(isBlind ? [] : proofsInvariants), ...invariants.filter((each) => !own.has(each))];
  }

  async run(): Promise<Outcome> {
    const whole = await breaches(this.#database.owner, this.#looked);
    if (whole.length > 0)
      return this.#outcome(whole.map(({ name }) => `Nothing was changed, and it is broken: ${name}`));
    const tables = Object.keys(BOOKS);
    for (const table of tables) {
      this.#columns.set(table, await columnsOf(this.#database.owner, table));
      this.#fired[table] = 0;
      for (let tries = 0; tries < 20 && this.#fired[table] === 0; tries += 1) await this.#tamper(table);
    }
    for (let at = 1; this.#found + this.#missed.length < editsOf[this.#run.tier]; at += 1) {
      await this.#tamper(this.#random.pick(tables));
      if (at % 100 === 0) this.#run.tell(`${this.#found} edits found, ${this.#missed.length} not`);
    }
    return this.#outcome(this.#missed);
  }

  #outcome(violations: readonly string[]): Outcome {
    const total = this.#found + this.#missed.length;
    return {
      violations,
      fired: this.#fired,
      figures: { P21: `${total.toLocaleString('en')} edits of one row, ${this.#found.toLocaleString('en')} found` },
    };
  }

  /** One edit, looked for and taken back. Nothing comes of one that the columns themselves refuse. */
  async #tamper(table: string): Promise<void> {
    const kind = this.#random.pick(EDITS);
    const columns = this.#columns.get(table) ?? [];
    const done = await this.#database.owner
      .begin(async (sql) => {
        await sql`set local session_replication_role = replica`;
        const told = await edit(sql, kind, { table, columns, ignored: BOOKS[table] ?? [] }, this.#random).catch(
          refusedByItsColumns,
        );
        if (told !== null && !GOES_UNSEEN.includes(told)) this.#note(table, told, await this.#isFound(sql));
        throw new TakenBack();
      })
      .catch((error: unknown) => {
        if (!(error instanceof TakenBack)) throw error;
      });
    return done;
  }

  async #isFound(sql: Parameters<Invariant['find']>[0]): Promise<boolean> {
    for (const invariant of this.#looked) {
      if ((await breaches(sql, [invariant])).length > 0) return true;
    }
    return false;
  }

  #note(table: string, told: string, isFound: boolean): void {
    this.#fired[table] = (this.#fired[table] ?? 0) + 1;
    if (isFound) this.#found += 1;
    else {
      this.#missed.push(`An edit was not found. ${told}`);
      this.#run.tell(`not found: ${told}`);
    }
  }
}
