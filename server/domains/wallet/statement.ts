import { csvText } from '@ushirika/contract/csv';
import { inWords } from '@ushirika/contract/in-words';
import { type Cents, shillingsFromCents } from '@ushirika/contract/money';
import type { Language } from '@ushirika/contract/notifications';
import { Refusal } from '@ushirika/contract/refusal';
import { daysSaid, type Sentence, sentence } from '@ushirika/contract/sentence';
import { nairobiDay } from '@ushirika/contract/time';
import { STATEMENT_DAYS_MAX } from '@ushirika/contract/wallet';
import { accountHistory } from '../../ledger/balances.ts';
import { type HistoryDeps, type Movement, startOfDay, walletHistory } from './history.ts';
import { wallet } from './receipts.ts';

/** The most movements in one file. */
const ROWS_MAX = 10_000;
const PAGE = 500;

export interface Statement {
  readonly owner: { readonly name: string; readonly idNumber: string };
  /** First and last day, in Nairobi. */
  readonly from: string;
  readonly to: string;
  readonly madeAt: Date;
  readonly openingCents: Cents;
  readonly closingCents: Cents;
  readonly inCents: Cents;
  readonly outCents: Cents;
  /** Oldest first. */
  readonly rows: readonly Movement[];
}

/** Reads a statement of a wallet. Throws `validation_failed` for a span that is backwards or too long. */
export async function statementOf(
  deps: HistoryDeps,
  userId: string,
  span: { readonly from?: string | undefined; readonly to?: string | undefined },
): Promise<Statement> {
  const { database } = deps;
  const to = span.to ?? nairobiDay(database.now());
  const from = span.from ?? nairobiDay(startOfDay(to, -30));
  const days = Math.round((startOfDay(to).getTime() - startOfDay(from).getTime()) / 86_400_000) + 1;
  if (days < 1) throw wrongSpan('from', sentence('The first day must not be after the last.'));
  if (days > STATEMENT_DAYS_MAX)
    throw wrongSpan('from', sentence('A statement spans at most {days}.', { days: daysSaid(STATEMENT_DAYS_MAX) }));
  const [owner] = await database.sql<{ name: string; id_number: string }[]>`
    select first_name || ' ' || last_name as name, id_number from users where id = ${userId}`;
  if (!owner) throw new Refusal('not_found');
  const rows = await allRows(deps, userId, from, to);
  const [before] = await accountHistory(database, { keys: [wallet(userId)], to: startOfDay(from), limit: 1 });
  const openingCents = before?.balanceAfter ?? 0;
  const sumOf = (direction: 'in' | 'out') =>
    rows.reduce((sum, row) => (row.direction === direction ? sum + Math.round(row.amount * 100) : sum), 0);
  const [inCents, outCents] = [sumOf('in'), sumOf('out')];
  const closingCents = openingCents + inCents - outCents;
  const madeAt = database.now();
  return {
    owner: { name: owner.name, idNumber: owner.id_number },
    from,
    to,
    madeAt,
    openingCents,
    closingCents,
    inCents,
    outCents,
    rows,
  };
}

async function allRows(deps: HistoryDeps, userId: string, from: string, to: string): Promise<Movement[]> {
  const rows: Movement[] = [];
  for (let before: number | null = null; ; ) {
    const page: Movement[] = await walletHistory(deps, userId, { from, to, before, limit: PAGE });
    rows.push(...page);
    if (rows.length > ROWS_MAX)
      throw wrongSpan('to', sentence('That is more than fits in one statement. Choose fewer days.'));
    const last = page.at(-1);
    if (!last || page.length < PAGE) return rows.reverse();
    before = Number(last.id);
  }
}

function wrongSpan(field: 'from' | 'to', message: Sentence): Refusal {
  return new Refusal('validation_failed', { message, errors: { [field]: [message] } });
}

/** `1234.50`: without separators, so that spreadsheets read it as a number. */
export function plainShillings(cents: Cents): string {
  const sign = cents < 0 ? '-' : '';
  const whole = Math.abs(cents);
  return `${sign}${Math.trunc(whole / 100)}.${String(whole % 100).padStart(2, '0')}`;
}

export const centsOf = (transaction: Movement): Cents => Math.round(transaction.amount * 100);

/** Day and time in Nairobi: `2026-11-20 14:05`. */
export function nairobiMinute(iso: string): string {
  return new Date(new Date(iso).getTime() + 3 * 3_600_000).toISOString().slice(0, 16).replace('T', ' ');
}

/** The name of a statement's file, without its ending. */
export function statementName({ from, to }: Statement, language: Language): string {
  return inWords(sentence('ushirika-statement-{from}-to-{to}', { from, to }), language);
}

/** The statement as CSV. */
export function statementCsv(statement: Statement, language: Language): Buffer {
  const say = (words: Sentence) => inWords(words, language);
  const lines = [
    [
      say(sentence('Date (Nairobi)')),
      say(sentence('Description')),
      say(sentence('M-Pesa receipt')),
      say(sentence('Money in')),
      say(sentence('Money out')),
      say(sentence('Balance')),
    ],
    [statement.from, say(sentence('Opening balance')), '', '', '', plainShillings(statement.openingCents)],
    ...statement.rows.map((row) => [
      nairobiMinute(row.at),
      say(row.description),
      row.receipt ?? '',
      row.direction === 'in' ? plainShillings(centsOf(row)) : '',
      row.direction === 'out' ? plainShillings(centsOf(row)) : '',
      plainShillings(Math.round(row.balance * 100)),
    ]),
    [statement.to, say(sentence('Closing balance')), '', '', '', plainShillings(statement.closingCents)],
  ];
  return Buffer.from(csvText(lines), 'utf8');
}

/** The figures above the table. */
export const figuresOf = ({ openingCents, inCents, outCents, closingCents }: Statement) =>
  [
    [sentence('Opening balance'), shillingsFromCents(openingCents)],
    [sentence('Money in'), shillingsFromCents(inCents)],
    [sentence('Money out'), shillingsFromCents(outCents)],
    [sentence('Closing balance'), shillingsFromCents(closingCents)],
  ] as const;
