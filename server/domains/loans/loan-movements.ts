import {
  LOAN_MOVEMENTS_SHOWN,
  type LoanDetail,
  type LoanMovement,
  type listLoanMovements,
} from '@ushirika/contract/loans';
import { type Cents, shillingsFromCents } from '@ushirika/contract/money';
import type { QueryOf } from '@ushirika/contract/route';
import type { Unsaid } from '@ushirika/contract/said';
import { type Sentence, sentence } from '@ushirika/contract/sentence';
import type { Fragment } from 'postgres';
import { COUNT_MAX, countUpTo, linker, type Page, readCursor, toPage } from '../../db/page.ts';
import type { Database, Tx } from '../../db/tx.ts';
import { type LoanRow, noSuchLoan, type Reader, readerOf } from './loan-rows.ts';
import { costOf } from './loan-terms.ts';

/** Where a movement stands among those of its loan. */
interface Place {
  readonly at: Date;
  /** Of one moment: the payout, what was paid, what guarantors got back, what was written off. */
  readonly rank: number;
  /** Of one moment and rank: the order in which they were posted. */
  readonly number: number;
}

interface MovementRow extends Place {
  /** The channel of a repayment, the step of a recovery, or what else it was. */
  readonly what: string;
  readonly amount_cents: Cents;
  readonly principal_cents: Cents;
  readonly interest_cents: Cents;
  readonly penalty_cents: Cents;
  readonly journal_id: string | null;
  readonly balance_cents: Cents;
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
  charges_waived: sentence('Penalty and interest waived by two officials'),
  rest_forgiven: sentence('Rest forgiven as the loan was closed'),
};

const shown = shillingsFromCents;

/** Which movements of a loan are read: so many of the newest, or of those before a place, or with `isBack` of those after it. */
interface Part {
  readonly limit: number;
  readonly place?: Place | null;
  readonly isBack?: boolean;
}

/** Each kind of movement is read for itself, in the order of its index, so that no more are read than are asked for. */
function movementsFrom(sql: Tx['sql'], loanId: string, { limit, place, isBack }: Part): Fragment {
  const order = isBack ? sql`asc` : sql`desc`;
  const one = (rank: number, columns: Fragment, from: Fragment, [at, number]: readonly [Fragment, Fragment]) => sql`
    (select ${at} as at, ${rank}::int as rank, ${number} as number, ${columns} ${from}
     ${
       place
         ? sql`and ${at} ${isBack ? sql`>=` : sql`<=`} ${place.at}
       and (${at}, ${rank}::int, ${number}) ${isBack ? sql`>` : sql`<`} (${place.at}, ${place.rank}::int, ${place.number}::bigint)`
         : sql``
     }
     order by ${at} ${order}, ${number} ${order} limit ${limit})`;
  const repaid = sql`
    channel as what, amount_cents, principal_cents + prepaid_cents as principal_cents, interest_cents, penalty_cents, journal_id`;
  const plain = (what: Fragment, journal: Fragment) =>
    sql`${what}, amount_cents, 0::bigint, 0::bigint, 0::bigint, ${journal}`;
  const payout = sql`(select id from journals where idempotency_key = 'loan_disbursed:' || ${loanId})`;
  return sql`
    ${one(1, repaid, sql`from loan_repayments where loan_id = ${loanId}`, [sql`paid_at`, sql`journal_id`])}
    union all
    ${one(0, plain(sql`'disbursed'`, payout), sql`from loans where id = ${loanId} and disbursed_at is not null`, [sql`disbursed_at`, sql`0::bigint`])}
    union all
    ${one(2, plain(sql`kind`, sql`null`), sql`from loan_events where loan_id = ${loanId} and kind = 'guarantor_refunded'`, [sql`at`, sql`place`])}
    union all
    ${one(4, plain(sql`kind`, sql`null`), sql`from loan_events where loan_id = ${loanId} and kind in ('charges_waived', 'rest_forgiven')`, [sql`at`, sql`place`])}
    union all
    ${one(3, plain(sql`step`, sql`journal_id`), sql`from loan_recovery_steps where loan_id = ${loanId} and step = 'write_off'`, [sql`at`, sql`0::bigint`])}`;
}

/**
 * Reads movements in the direction of the part, each with the principal that was owed after it: what is owed now and what newer ones paid. What
 * guarantors get back, and a write-off, pay nothing of the loan. Of a page behind others the newer ones are added up in PostgreSQL.
 */
async function readMovements({ sql }: Reader, loanId: string, part: Part): Promise<MovementRow[]> {
  const tx = sql as Tx['sql'];
  const order = part.isBack ? tx`asc` : tx`desc`;
  return tx<MovementRow[]>`
    with page as materialized (
      select * from (${movementsFrom(tx, loanId, part)}) movements
      order by at ${order}, rank ${order}, number ${order} limit ${part.limit}),
    first as (select * from page order by at desc, rank desc, number desc limit 1),
    newer as (
      select coalesce(sum(r.principal_cents + r.prepaid_cents), 0) as cents from first join loan_repayments r
        on r.loan_id = ${loanId} and r.paid_at >= first.at and (r.paid_at, 1, r.journal_id) > (first.at, first.rank, first.number))
    select p.at, p.rank, p.number, coalesce(s.step, p.what) as what, p.amount_cents, p.principal_cents, p.interest_cents, p.penalty_cents,
      p.journal_id::text as journal_id,
      (l.principal_cents + newer.cents + coalesce(sum(p.principal_cents) over newest_first, 0))::bigint as balance_cents
    from page p cross join newer join loans l on l.id = ${loanId}
    left join loan_recovery_steps s on s.loan_id = ${loanId} and s.journal_id = p.journal_id
    window newest_first as (
      order by p.at desc, p.rank desc, p.number desc rows between unbounded preceding and 1 preceding)
    order by p.at ${order}, p.rank ${order}, p.number ${order}`;
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

/**
 * All of them by pages, the newest first; who may read them is asked before.
 * @param address of the list, for the links to its other pages
 * @throws Refusal `validation_failed` for a cursor that is none of ours
 */
export async function movementsPage(
  database: Database,
  loanId: string,
  query: QueryOf<typeof listLoanMovements>,
  address: string,
): Promise<Page<Unsaid<LoanMovement>> & { readonly count: number }> {
  const cursor = readCursor(query.cursor, ['instant', 'int4', 'integer']);
  const [at, rank, number] = (cursor?.keys ?? []) as number[];
  const place = cursor && { at: new Date(at ?? 0), rank: rank ?? 0, number: number ?? 0 };
  const { sql } = database;
  const all = movementsFrom(sql as unknown as Tx['sql'], loanId, { limit: COUNT_MAX });
  const [[loan], rows, count] = await Promise.all([
    sql<LoanRow[]>`select * from loans where id = ${loanId}`,
    readMovements(readerOf(database), loanId, { limit: query.limit + 1, place, isBack: cursor?.isBack ?? false }),
    countUpTo(sql, sql`from (${all}) movements`),
  ]);
  if (!loan) throw noSuchLoan();
  const keysOf = (row: MovementRow) => [row.at.getTime(), row.rank, row.number];
  const page = toPage(rows, { limit: query.limit, cursor, keysOf, linkTo: linker(address, query) });
  return { ...page, count, results: page.results.map((row) => shownMovement(loan, row)) };
}

function shownMovement(loan: LoanRow, row: MovementRow): Unsaid<LoanMovement> {
  return {
    id: `${row.at.getTime()}.${row.rank}.${row.number}`,
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
