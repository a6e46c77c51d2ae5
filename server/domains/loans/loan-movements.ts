import { LOAN_MOVEMENTS_SHOWN, type LoanDetail, type LoanMovement } from '@ushirika/contract/loans';
import { type Cents, shillingsFromCents } from '@ushirika/contract/money';
import type { Unsaid } from '@ushirika/contract/said';
import { type Sentence, sentence } from '@ushirika/contract/sentence';
import { countUpTo, linker, type Page, readCursor, toPage } from '../../db/page.ts';
import type { Database, Tx } from '../../db/tx.ts';
import { type LoanRow, type Reader, readerOf } from './loan-rows.ts';
import { costOf } from './loan-terms.ts';

/** A movement, and where it stands: two of one moment are in the order of their ids. */
interface MovementRow {
  readonly at: Date;
  readonly id: string;
  /** The channel of a repayment, the step of a recovery, or what else it was. */
  readonly what: string;
  readonly amount_cents: Cents;
  readonly principal_cents: Cents;
  readonly interest_cents: Cents;
  readonly penalty_cents: Cents;
  readonly journal_id: string | null;
  readonly balance_cents: Cents;
}

/** The place before or behind which movements are read. */
interface Place {
  readonly at: Date;
  readonly id: string;
  readonly isBack: boolean;
}

const words: Readonly<Record<string, Sentence>> = {
  disbursed: sentence('Paid out'),
  wallet: sentence('Repaid from the wallet'),
  payoff: sentence('Paid off from the wallet'),
  standing: sentence('Repaid by the standing repayment'),
  mpesa: sentence('Repaid by M-Pesa'),
  paybill: sentence('Repaid by M-Pesa at the paybill'),
  check_off: sentence('Repaid by check-off'),
  dividend: sentence('Repaid from a dividend'),
  refinance: sentence('Paid off from a new loan'),
  recovery: sentence('Repaid after the recovery'),
  own_deposits: sentence('Taken of the borrower’s savings'),
  pool: sentence('Paid by the guarantor pool'),
  guarantors: sentence('Taken of the guarantors’ pledges'),
  write_off: sentence('Written off in the books; still owed'),
  guarantor_refunded: sentence('Paid back to a guarantor'),
};

const shown = shillingsFromCents;

// A payout stands before all else of its loan, and what is written off after all else of its moment.
const FIRST = '00000000-0000-0000-0000-000000000000';
const LAST = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** All movements of a loan, with their places. What guarantors get back pays nothing of the loan. */
const movementsFrom = (sql: Tx['sql'], loanId: string) => sql`
  select paid_at as at, id, channel as what, amount_cents, principal_cents + prepaid_cents as principal_cents, interest_cents, penalty_cents,
    journal_id
  from loan_repayments where loan_id = ${loanId}
  union all
  select at, ${LAST}::uuid, step, amount_cents, 0, 0, 0, journal_id from loan_recovery_steps where loan_id = ${loanId} and step = 'write_off'
  union all
  select at, id, kind, amount_cents, 0, 0, 0, null from loan_events where loan_id = ${loanId} and kind = 'guarantor_refunded'
  union all
  select disbursed_at, ${FIRST}::uuid, 'disbursed', amount_cents, 0, 0, 0,
    (select id from journals where idempotency_key = 'loan_disbursed:' || ${loanId})
  from loans where id = ${loanId} and disbursed_at is not null`;

/**
 * So many movements of a loan on one side of a place, from it on: each with the principal that was owed after it. That is what is owed now
 * and what newer ones have paid, so that nothing older is read.
 */
async function readMovements(
  { sql }: Reader,
  loanId: string,
  { limit, place = null }: { readonly limit: number; readonly place?: Place | null },
): Promise<MovementRow[]> {
  const tx = sql as Tx['sql'];
  const isBack = place?.isBack ?? false;
  const beyond = place ? tx`where (at, id) ${isBack ? tx`>` : tx`<`} (${place.at}, ${place.id}::uuid)` : tx``;
  const order = isBack ? tx`asc` : tx`desc`;
  return tx<MovementRow[]>`
    with page as materialized (
      select * from (${movementsFrom(tx, loanId)}) movements ${beyond} order by at ${order}, id ${order} limit ${limit}),
    newer as (
      select coalesce(sum(principal_cents + prepaid_cents), 0) as cents from loan_repayments
      where loan_id = ${loanId} and (paid_at, id) > (select at, id from page order by at desc, id desc limit 1))
    select p.at, p.id, coalesce(s.step, p.what) as what, p.amount_cents, p.principal_cents, p.interest_cents, p.penalty_cents,
      p.journal_id::text as journal_id,
      (l.principal_cents + newer.cents + coalesce(sum(p.principal_cents) over newest_first, 0))::bigint as balance_cents
    from page p cross join newer join loans l on l.id = ${loanId}
    left join loan_recovery_steps s on s.loan_id = ${loanId} and s.journal_id = p.journal_id
    window newest_first as (order by p.at desc, p.id desc rows between unbounded preceding and 1 preceding)
    order by p.at ${order}, p.id ${order}`;
}

type Newest = Pick<LoanDetail, 'movements' | 'has_more_movements'>;

/** What a loan shows of its movements, the newest first: how each was shared out, what is owed after it, and the journal that holds it. */
export async function newestMovements(reader: Reader, loan: LoanRow): Promise<Unsaid<Newest>> {
  if (loan.disbursed_at === null) return { movements: [], has_more_movements: false };
  const rows = await readMovements(reader, loan.id, { limit: LOAN_MOVEMENTS_SHOWN + 1 });
  return {
    movements: rows.slice(0, LOAN_MOVEMENTS_SHOWN).map((row) => shownMovement(loan, row)),
    has_more_movements: rows.length > LOAN_MOVEMENTS_SHOWN,
  };
}

/** All of them by pages, the newest first; who may read them is asked before. @throws Refusal `validation_failed` */
export async function movementsPage(
  database: Database,
  loanId: string,
  query: { readonly cursor?: string | undefined; readonly limit: number },
  address: string,
): Promise<Page<Unsaid<LoanMovement>> & { readonly count: number }> {
  const cursor = readCursor(query.cursor, ['integer', 'uuid']);
  const place = cursor && {
    at: new Date(cursor.keys[0] as number),
    id: cursor.keys[1] as string,
    isBack: cursor.isBack,
  };
  const reader = readerOf(database);
  const sql = database.sql as unknown as Tx['sql'];
  const [[loan], rows, count] = await Promise.all([
    sql<LoanRow[]>`select * from loans where id = ${loanId}`,
    readMovements(reader, loanId, { limit: query.limit + 1, place }),
    countUpTo(database.sql, sql`from (${movementsFrom(sql, loanId)}) movements`),
  ]);
  const keysOf = ({ at, id }: MovementRow) => [at.getTime(), id];
  const page = toPage(rows, { limit: query.limit, cursor, keysOf, linkTo: linker(address, query) });
  return { ...page, count, results: page.results.map((row) => shownMovement(loan as LoanRow, row)) };
}

function shownMovement(loan: LoanRow, row: MovementRow): Unsaid<LoanMovement> {
  return {
    at: row.at.toISOString(),
    what: words[row.what] ?? (words.recovery as Sentence),
    amount: shown(row.amount_cents),
    principal: shown(row.principal_cents),
    interest: shown(row.interest_cents),
    penalty: shown(row.penalty_cents),
    fee: row.what === 'disbursed' ? shown(costOf(loan).fee) : 0,
    balance_after: shown(row.balance_cents),
    entry: row.journal_id,
  };
}
