import type postgres from 'postgres';
import { openDatabase } from '../../server/db/database.ts';
import type { TestDatabase } from '../../server/db/test-copy.ts';
import { testLateLoans } from '../../server/domains/loans/test-late-loans.ts';
import { createPool } from '../../server/domains/pools/create-pool.ts';
import { readPoolRows } from '../../server/domains/pools/pool-rows.ts';
import { termsHashOf } from '../../server/domains/pools/signed-terms.ts';
import { FIELDS } from '../../server/domains/pools/test-pools.ts';
import type { Findings } from './part.ts';

/** Lent to everybody before anything happens, and what everybody has in the pool then. */
export const LENT_CENTS = 50_000_00;
export const POOLED_CENTS = 500_00;

/** What a member of the scene has besides shares: a loan of their first sacco, and a position in a pool of it. */
export interface Lent {
  readonly sacco: string;
  readonly loan: string;
  readonly pool: string;
}

/** What members do with loans and pools: the request, and what it takes out of the wallet for good. */
export const loanActs = {
  repay: ({ loan }: Lent) => ({ path: `/loans/${loan}/repayments`, body: { amount: 30 }, cents: 30_00 }),
  /** Comes in by M-Pesa, and goes on to the loan by a job: what arrived is counted by its row. */
  prompt: ({ loan }: Lent) => ({ path: `/loans/${loan}/prompts`, body: { amount: 13 }, cents: 0 }),
  contribute: ({ pool }: Lent) => ({ path: '/guarantors/pools/deposit', body: { pool, amount: 9 }, cents: 9_00 }),
  notice: ({ pool }: Lent) => ({ path: '/guarantors/pools/withdraw', body: { pool, amount: 1 }, cents: 0 }),
};

/** A loan for each, paid out by the owner's hand, and a pool of the first one's that all of them join. */
export async function lendTo<P extends { readonly id: string }>(
  ownerUrl: string,
  people: readonly P[],
  sacco: string,
  join: (person: P, body: object) => Promise<void>,
): Promise<(P & Lent)[]> {
  const database = openDatabase({ url: ownerUrl, poolSize: 2, role: null });
  try {
    const late = testLateLoans(Object.assign(database, { owner: database.sql }) as unknown as TestDatabase);
    const [creator] = people as [P, ...P[]];
    const fields = { ...FIELDS, min_contribution: 100_00 };
    const pool = await database.transaction((tx) => createPool(tx, { userId: creator.id }, { saccoId: sacco, fields }));
    const [row] = await database.transaction((tx) => readPoolRows(tx, [pool]));
    if (!row) throw new Error('There is no pool.');
    const body = { pool, amount: POOLED_CENTS / 100, accept_terms: true, terms_hash: termsHashOf(row) };
    const lent: (P & Lent)[] = [];
    for (const person of people) {
      await join(person, body);
      const terms = { amountCents: LENT_CENTS, months: 12, monthlyRate: 10 };
      lent.push({ ...person, sacco, pool, loan: await late.loan({ sacco, borrower: person.id, ...terms }) });
    }
    return lent;
  } finally {
    await database.close();
  }
}

/** What of each kind is in the books, by the name that its answer gave it: for `presentOf`. */
export const presentOfLoans = (sql: postgres.Sql, ids: string) => sql`
  select right(j.idempotency_key, 36) as id from journals j
  where j.kind in ('loan_repaid', 'pool_deposited') and j.caused_by = any(${ids}::uuid[])
    and not exists (select from loan_repayments r where r.journal_id = j.id and r.channel = 'mpesa')
  union all select id::text from pool_withdrawals where user_id = any(${ids}::uuid[])`;

/** What came by prompts and went on to somebody's loans. */
export const repaidByPrompt = (sql: postgres.Sql, userId: string) => sql`
  (select coalesce(sum(amount_cents), 0) from loan_repayments where channel = 'mpesa' and paid_by = ${userId})`;

/** Payments that came by prompts, and have not gone on yet. */
export const promptsOnTheirWay = (sql: postgres.Sql) => sql`
  (select count(*) from loan_prompts p join deposits d on d.id = p.deposit_id
   where p.settled_at is null and d.credited_at is not null)`;

/** Each repayment in the books has its one row, and each payment that came by a prompt is one repayment. Only at rest. */
export async function assertLoans(sql: postgres.Sql, findings: Findings): Promise<void> {
  const [row] = await sql<Record<string, number>[]>`
    select
      (select count(*) from journals j where j.kind = 'loan_repaid'
         and 1 <> (select count(*) from loan_repayments r where r.journal_id = j.id))::int
        as "a repayment in the books without its one row",
      (select count(*) from loan_prompts p join deposits d on d.id = p.deposit_id where d.credited_at is not null
         and 1 <> (select count(*) from loan_repayments r where r.idempotency_key = 'mpesa:' || d.id
                     and r.loan_id = p.loan_id and r.amount_cents = d.amount_cents))::int
        as "a payment by prompt that is not one repayment"`;
  for (const [what, times] of Object.entries(row ?? {})) {
    if (times > 0) findings.violated(`the loans are not as they were paid: ${times} times ${what}`);
  }
}
