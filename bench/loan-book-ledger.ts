import postgres from 'postgres';
import { PLATFORM_BOOK } from '../server/ledger/ledger.types.ts';

/**
 * Books what `fillLoans` has filled, for one sacco: each loan's principal went from the sacco's cash to the borrower's wallet; interest and
 * provision as the loans' rows have them. Every invariant of the ledger holds after it.
 */
export async function bookLoans(ownerUrl: string): Promise<void> {
  const sql = postgres(ownerUrl, { max: 1, onnotice: () => {} });
  try {
    await sql.begin(async (tx) => {
      for (const statement of STATEMENTS) await tx.unsafe(statement);
    });
    await sql.unsafe('vacuum analyze accounts, journals, transfers');
    await sql.unsafe('checkpoint');
  } finally {
    await sql.end();
  }
}

const P = `'${PLATFORM_BOOK}'::uuid`;
const account = (kind: string, side: 'debit' | 'credit', rows: string, mayGoNegative = false) => `
  insert into accounts (balance, book_id, owner_id, kind, asset, debit_normal, may_go_negative)
  select balance, book, owner, '${kind}', 'KES', ${side === 'debit'}, ${mayGoNegative} from (${rows}) as each (balance, book, owner)`;
const sums = (column: string) => `select sum(${column})::bigint, sacco_id, null::uuid from loans group by sacco_id`;

const STATEMENTS = [
  account('loan_principal', 'debit', 'select principal_cents, sacco_id, id from loans order by id'),
  account('interest_receivable', 'debit', sums('interest_cents')),
  account('interest_income', 'credit', sums('interest_cents')),
  account('loan_loss_provision', 'credit', sums('provision_cents')),
  account('provision_expense', 'debit', sums('provision_cents'), true),
  // The journals of the disbursements, in the order of the loans.
  `create temp table booked as
   select l.id as loan_id, l.borrower_id, l.principal_cents as amount, a.id as principal, c.id as cash, s.id as settlement, w.id as wallet,
     row_number() over (order by l.id) as place, sum(l.principal_cents) over (order by l.id) as until,
     c.balance as cash_before, s.balance as settlement_before, w.balance as wallet_before
   from loans l
   join accounts a on a.book_id = l.sacco_id and a.kind = 'loan_principal' and a.owner_id = l.id
   join accounts c on c.book_id = l.sacco_id and c.kind = 'cash' and c.owner_id is null
   join accounts s on s.book_id = ${P} and s.kind = 'settlement' and s.owner_id = l.sacco_id
   join accounts w on w.book_id = ${P} and w.kind = 'wallet' and w.owner_id = l.borrower_id`,
  `insert into journals (posted_at, caused_by, about_id, kind, about_type, idempotency_key)
   select now() - interval '20 days', null, loan_id, 'loan_disbursed', 'loan', 'loan_disbursed:' || loan_id from booked order by place`,
  `insert into transfers (journal_id, position, debit_account_id, credit_account_id, amount, debit_balance_after, credit_balance_after)
   select j.id, p.position, case p.position when 0 then b.principal else b.settlement end,
     case p.position when 0 then b.cash else b.wallet end, b.amount,
     case p.position when 0 then b.amount else b.settlement_before - b.until end,
     case p.position when 0 then b.cash_before - b.until else b.wallet_before + b.amount end
   from booked b join journals j on j.idempotency_key = 'loan_disbursed:' || b.loan_id
   cross join (values (0::smallint), (1::smallint)) p (position) order by b.place, p.position`,
  `update accounts a set balance = a.balance - b.until
   from (select cash, settlement, max(until) as until from booked group by cash, settlement) b where a.id in (b.cash, b.settlement)`,
  'update accounts a set balance = a.balance + b.amount from booked b where a.id = b.wallet',
  ...(
    [
      ['interest_accrued', 'interest_receivable', 'interest_income'],
      ['provision_changed', 'provision_expense', 'loan_loss_provision'],
    ] as const
  ).flatMap(([kind, debit, credit]) => [
    `insert into journals (posted_at, caused_by, about_id, kind, about_type, idempotency_key)
     select now() - interval '20 days', null, id, '${kind}', 'sacco', '${kind}:' || id from saccos`,
    `insert into transfers (journal_id, position, debit_account_id, credit_account_id, amount, debit_balance_after, credit_balance_after)
     select j.id, 0, d.id, c.id, d.balance, d.balance, c.balance from saccos s
     join journals j on j.idempotency_key = '${kind}:' || s.id
     join accounts d on d.book_id = s.id and d.kind = '${debit}' join accounts c on c.book_id = s.id and c.kind = '${credit}'`,
  ]),
  'drop table booked',
];
