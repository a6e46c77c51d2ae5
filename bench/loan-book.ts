import postgres from 'postgres';
import { type Crowd, fillPeople } from './people.ts';

export interface LoanBook {
  readonly loansPerSacco: number;
  readonly loansPerBorrower: number;
  /** The oldest was paid out so many days ago. */
  readonly daysMost: number;
  /** Principal of an instalment, in cents; twelve of them, each with 1 % of the balance as interest and 30 days long. */
  readonly part: number;
}
/** Saccos with 10,000 loans each, ten to a borrower. */
const MANY_SACCOS: LoanBook = { loansPerSacco: 10_000, loansPerBorrower: 10, daysMost: 330, part: 1_000_000 };
/** The day up to which the loans have been run; the bench runs those after it. */
export const RUN_UP_TO = '2026-06-30';

/**
 * Fills a migrated database with loans as the product would have written them: of twelve months, paid out on the days of the last
 * eleven, one in twenty with an instalment that was missed. Loans of all saccos lie between each other, as they came. Set-based and
 * as the owner, without the foreign keys' triggers.
 */
export async function fillLoans(ownerUrl: string, loans: number, book: LoanBook = MANY_SACCOS): Promise<void> {
  const saccos = loans / book.loansPerSacco;
  const crowd: Crowd = { members: loans / book.loansPerBorrower, saccos, signedIn: saccos, topUps: 0 };
  await fillPeople(ownerUrl, crowd);
  const sql = postgres(ownerUrl, { max: 1, onnotice: () => {} });
  try {
    await sql.unsafe(`set session_replication_role = replica; set work_mem = '128MB'; ${ids}`);
    for (const statement of [...products(saccos), loansOf(loans, saccos, book), instalmentsOf(book), days])
      await sql.unsafe(statement);
    await sql.unsafe('set session_replication_role = origin');
    await sql.unsafe('vacuum analyze');
    await sql.unsafe('checkpoint');
  } finally {
    await sql.end();
  }
}

/** As people.ts makes them. */
const ids = `
  create or replace function pg_temp.bench_id(thing text, number bigint) returns uuid language sql immutable as $$
    select (lpad(to_hex(1700000000000 + number), 12, '0') || '7' || substr(md5(thing || number::text), 1, 3)
      || '8' || substr(md5(thing || number::text), 4, 15))::uuid
  $$;`;

const products = (saccos: number) => [
  `insert into loan_products (id, sacco_id, created_at)
   select pg_temp.bench_id('product', s), pg_temp.bench_id('sacco', s), '2020-01-01' from generate_series(1, ${saccos}) s`,
  `insert into loan_product_terms (product_id, valid_from, name, method, monthly_rate, fee_rate, penalty_rate, min_amount_cents,
     max_amount_cents, min_months, max_months, multiplier, min_member_days, min_guarantors, is_offered, changed_by)
   select id, '2020-01-01', 'Development', 'equal_principal', 100, 0, 100, 100, 10000000000, 1, 120, 300, 0, 0, true,
     pg_temp.bench_id('user', 1) from loan_products`,
];

const loansOf = (loans: number, saccos: number, { part, loansPerBorrower, daysMost }: LoanBook) =>
  `
  insert into loans (id, number, sacco_id, borrower_id, product_id, terms_from, method, monthly_rate, fee_rate, penalty_rate,
    min_guarantors, amount_cents, months, purpose, net_income_cents, state, state_at, applied_at, round, submitted_at, decided_at,
    terms_hash, accepted_at, accepted_hash, pay_to, disbursed_at, disbursed_on, principal_cents, interest_cents, accrued_through,
    period_number, period_starts_on, period_ends_on, period_interest_cents, period_accrued_cents, due_number, due_on, due_cents,
    overdue_cents, days_past_due, class, provision_cents, arrears_since, notices_given)
  select pg_temp.bench_id('loan', i), new_loan_number(), pg_temp.bench_id('sacco', s), pg_temp.bench_id('user', 1 + i % (${loans} / ${loansPerBorrower})),
    pg_temp.bench_id('product', s), '2020-01-01', 'equal_principal', 100, 0, 100, 0, 12 * ${part}, 12, 'School fees', 10000000,
    case when late then 'in_arrears' else 'active' end, paid_out, paid_out, 1, paid_out, paid_out, repeat('0', 64),
    paid_out, repeat('0', 64), 'wallet', paid_out, paid_out::date, (12 - paid) * ${part},
    case when late then interest(now - 1) else 0 end + interest(now) * gone / 30, date '${RUN_UP_TO}', now, began, began + 30, interest(now),
    interest(now) * gone / 30, paid + 1, case when late then began else began + 30 end,
    ${part} + case when late then interest(now - 1) else interest(now) end,
    case when late then ${part} + interest(now - 1) else 0 end, case when late then gone else 0 end,
    case when late and gone > 0 then 'watch' else 'performing' end,
    (12 - paid) * ${part} / 100 * case when late and gone > 0 then 5 else 1 end,
    case when late then began end, case when late then case when gone >= 7 then 2 else 1 end else 0 end
  from (
    select i, 1 + i % ${saccos} as s, age / 30 + 1 as now, age % 30 as gone, (date '${RUN_UP_TO}' - age)::timestamptz as paid_out,
      date '${RUN_UP_TO}' - age % 30 as began, is_late as late, age / 30 - is_late::int as paid
    from generate_series(1::bigint, ${loans}) i
    cross join lateral (select (i * 7919 % ${daysMost})::int as age) a
    cross join lateral (select i % 20 = 0 and age >= 30 and age % 30 > 0 as is_late) l) each
  cross join lateral (select) none
  order by i`.replaceAll(/interest\(([^)]+)\)/g, `((13 - ($1)) * ${part / 100})`);

const instalmentsOf = ({ part }: LoanBook) => `
  insert into loan_instalments (loan_id, number, starts_on, due_on, principal_cents, interest_cents, paid_principal_cents,
    paid_interest_cents, paid_on)
  select l.id, n, l.disbursed_on + 30 * (n - 1), l.disbursed_on + 30 * n, ${part}, (13 - n) * ${part / 100},
    case when n < l.due_number then ${part} else 0 end, case when n < l.due_number then (13 - n) * ${part / 100} else 0 end,
    case when n < l.due_number then l.disbursed_on + 30 * n end
  from loans l cross join generate_series(1, 12) n
  order by l.id, n`;

const days = `
  insert into loan_days (id, sacco_id, day, state, started_at, finished_at)
  select pg_temp.bench_id('day', row_number() over ()), sacco_id, '${RUN_UP_TO}', 'done', now(), now() from loan_products`;
