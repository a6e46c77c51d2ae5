import type { LoanMethod } from '@ushirika/contract/loans';
import type { Office } from '@ushirika/contract/route';
import { nairobiDay } from '@ushirika/contract/time';
import type { TestDatabase } from '../../db/test-database.ts';
import type { Tx } from '../../db/tx.ts';
import { type JournalInput, PLATFORM_BOOK, type TransferInput } from '../../ledger/ledger.types.ts';
import { postOrRefuse } from '../../ledger/post.ts';
import { fastHash } from '../identity/codes.rules.ts';
import { testSaccos } from '../saccos/test-saccos.ts';
import { depositSavings } from '../savings/deposit-savings.ts';
import type { LoanRow } from './loan-rows.ts';
import { guaranteeTerms, guaranteeTermsHash } from './loan-terms.ts';
import { isDated, newScheduleHash, type RestructureRow } from './new-schedule.ts';
import type { Signed } from './restructure-loan.ts';
import { runLoanDays } from './run-loan-days.ts';
import { dayAfter, scheduleOf } from './schedule.rules.ts';

export interface TestLoan {
  readonly sacco: string;
  readonly borrower: string;
  readonly amountCents: number;
  readonly months: number;
  readonly method?: LoanMethod;
  /** Hundredths of a percent a month. */
  readonly monthlyRate?: number;
  readonly penaltyRate?: number;
  /** The borrower’s own savings that are pledged. */
  readonly ownCents?: number;
  readonly pledges?: readonly { readonly guarantor: string; readonly cents: number }[];
}

/**
 * A code as the SMS has it, for a guarantor who agrees to the new schedule that is offered; undefined where they are not asked.
 */
export async function scheduleCode(
  tx: Tx,
  { loanId, userId }: { readonly loanId: string; readonly userId: string },
): Promise<(Signed & { readonly code: string }) | undefined> {
  const [guarantee] = await tx.sql<{ id: string }[]>`
    select id from loan_guarantees where loan_id = ${loanId} and guarantor_id = ${userId} and kind = 'member' and state = 'live'`;
  const [loan] = await tx.sql<LoanRow[]>`select * from loans where id = ${loanId}`;
  const [offer] = await tx.sql<RestructureRow[]>`
    select * from loan_restructures where loan_id = ${loanId} and state = 'proposed'`;
  if (!guarantee || !loan || !offer || !isDated(offer)) return undefined;
  const [codeId, code, termsHash] = [tx.newId(), '12345678', newScheduleHash(loan, offer, userId)];
  await tx.sql`
    insert into loan_guarantee_codes (id, guarantee_id, code_hash, terms_hash, created_at, expires_at)
    values (${codeId}, ${guarantee.id}, ${fastHash(`${codeId}:${code}`)}, ${termsHash}, ${tx.now}, ${new Date(tx.now.getTime() + 60_000)})`;
  return { codeId, code, termsHash };
}

/**
 * Days on which nothing comes about but interest and penalty, for a loan of 2 March that is never paid: before the reminder of the
 * first instalment, and between the notices. What accrues in them is the same on the last of them alone.
 */
const QUIET = [
  ['2026-03-03', '2026-03-28'],
  ['2026-04-15', '2026-04-28'],
  ['2026-05-13', '2026-05-28'],
  ['2026-06-05', '2026-06-28'],
] as const;

/**
 * Loans that are paid out already, for tests of what time does to them: rows and books as the disbursement leaves them, without
 * the way there. The clock says when.
 */
export function testLateLoans(database: TestDatabase) {
  const saccos = testSaccos(database);
  const products = new Map<string, string>();
  const product = async (sacco: string, by: string): Promise<string> => {
    const known = products.get(sacco);
    if (known) return known;
    const id = database.newId();
    const from = new Date('2020-01-01T00:00:00Z');
    await database.owner`insert into loan_products (id, sacco_id, created_at) values (${id}, ${sacco}, ${from})`;
    await database.owner`
      insert into loan_product_terms (product_id, valid_from, name, method, monthly_rate, fee_rate, penalty_rate, min_amount_cents,
        max_amount_cents, min_months, max_months, multiplier, min_member_days, min_guarantors, is_offered, changed_by)
      values (${id}, ${from}, 'Development', 'annuity', 100, 0, 100, 100, 10000000000, 1, 120, 300, 0, 0, true, ${by})`;
    products.set(sacco, id);
    return id;
  };
  const move = (kind: JournalInput['kind'], transfers: readonly TransferInput[], about = database.newId()) =>
    database.transaction((tx) =>
      postOrRefuse(tx, {
        kind,
        idempotencyKey: `test:${kind}:${database.newId()}`,
        causedBy: null,
        about: { type: 'test', id: about },
        transfers,
      }),
    );
  const save = async (sacco: string, userId: string, cents: number): Promise<void> => {
    await saccos.fund(userId, cents);
    await database.transaction((tx) => depositSavings(tx, [{ userId, saccoId: sacco, amountCents: cents }]));
  };
  /** As if the days before one had been run. */
  const passOver = async (sacco: string, day: string): Promise<string> => {
    await database.owner`
      insert into loan_days (id, sacco_id, day, state, started_at, finished_at)
      select gen_random_uuid(), ${sacco}, passed::date, 'done', now(), now()
      from generate_series(
        coalesce((select max(day) + 1 from loan_days where sacco_id = ${sacco}), ${day}::date - 1), ${day}::date - 1,
        interval '1 day') passed`;
    return day;
  };
  return {
    saccos,
    save,
    /** Runs the days of a sacco up to one, each on its morning; of quiet days the last. */
    async live(sacco: string, until: string): Promise<void> {
      let day = nairobiDay(database.now());
      while (day < until) {
        day = dayAfter(day, 1);
        const last = QUIET.find(([from, to]) => from <= day && day < to && to < until)?.[1];
        if (last) day = await passOver(sacco, last);
        database.world.setNow(new Date(`${day}T06:00:00Z`));
        await runLoanDays(database, { saccos: [sacco] });
      }
    },
    async official(sacco: string, userId: string, office: Office): Promise<void> {
      const now = database.now();
      await database.owner`
        insert into offices (id, sacco_id, user_id, office, since, until, recorded_by)
        values (${database.newId()}, ${sacco}, ${userId}, ${office}, ${now}, ${new Date(now.getTime() + 1e11)}, ${userId})`;
    },
    /** A member with so much in savings. */
    async saver(sacco: string, userId: string, cents: number): Promise<void> {
      await saccos.join(sacco, userId);
      if (cents > 0) await save(sacco, userId, cents);
    },
    async loan(of: TestLoan): Promise<string> {
      const { sacco, borrower, amountCents, months, method = 'annuity', monthlyRate = 100, penaltyRate = 100 } = of;
      const [id, now, today] = [database.newId(), database.now(), nairobiDay(database.now())];
      const productId = await product(sacco, borrower);
      const { instalments } = scheduleOf({
        method,
        rate: monthlyRate,
        wholeShillings: false,
        amount: amountCents,
        months,
        from: today,
      });
      const [first] = instalments;
      if (!first) throw new Error('A loan has an instalment.');
      const hash = '0'.repeat(64);
      await database.owner`
        insert into loans (id, sacco_id, borrower_id, product_id, terms_from, method, monthly_rate, fee_rate, penalty_rate,
          min_guarantors, amount_cents, months, purpose, net_income_cents, state, state_at, applied_at, round, submitted_at,
          decided_at, terms_hash, accepted_at, accepted_hash, pay_to, disbursed_at, disbursed_on, principal_cents,
          accrued_through, period_number, period_starts_on, period_ends_on, period_interest_cents, period_accrued_cents,
          due_number, due_on, due_cents, class)
        values (${id}, ${sacco}, ${borrower}, ${productId}, '2020-01-01T00:00:00Z', ${method}, ${monthlyRate}, 0, ${penaltyRate},
          0, ${amountCents}, ${months}, 'A test', 1000000, 'active', ${now}, ${now}, 1, ${now}, ${now}, ${hash}, ${now}, ${hash},
          'wallet', ${now}, ${today}, ${amountCents}, ${today}, 1, ${first.startsOn}, ${first.dueOn}, ${first.interest}, 0,
          1, ${first.dueOn}, ${first.principal + first.interest}, 'performing')`;
      for (const each of instalments) {
        await database.owner`
          insert into loan_instalments (loan_id, number, starts_on, due_on, principal_cents, interest_cents)
          values (${id}, ${each.number}, ${each.startsOn}, ${each.dueOn}, ${each.principal}, ${each.interest})`;
      }
      const [orderer, checker] = await database.owner<{ id: string }[]>`
        select id from users u
        where not exists (select from loan_interests i where i.loan_id = ${id} and i.user_id = u.id) order by id limit 2`;
      await database.owner`
        insert into loan_disbursements (id, loan_id, terms_hash, ordered_by, ordered_at, state, decided_by, decided_at)
        values (${database.newId()}, ${id}, ${hash}, ${orderer?.id ?? null}, ${now}, 'paid', ${checker?.id ?? null}, ${now})`;
      const account = (kind: TransferInput['debit']['kind'], owner: string | null) => ({ book: sacco, kind, owner });
      await move('loan_disbursed', [
        { debit: account('loan_principal', id), credit: account('cash', null), amount: amountCents },
        {
          debit: { book: PLATFORM_BOOK, kind: 'settlement', owner: sacco },
          credit: { book: PLATFORM_BOOK, kind: 'wallet', owner: borrower },
          amount: amountCents,
        },
      ]);
      const pledges = [
        ...(of.ownCents ? [{ kind: 'self', guarantor: borrower, cents: of.ownCents }] : []),
        ...(of.pledges ?? []).map((pledge) => ({ kind: 'member', ...pledge })),
      ];
      const [loan] = await database.sql<LoanRow[]>`select * from loans where id = ${id}`;
      for (const { kind, guarantor, cents } of pledges) {
        await move('savings_pledged', [
          { debit: account('deposits', guarantor), credit: account('deposits_hold', guarantor), amount: cents },
        ]);
        const guarantee = { id: database.newId(), guarantor_id: guarantor, amount_cents: cents };
        await database.owner`
          insert into loan_guarantees (id, loan_id, kind, guarantor_id, amount_cents, state, state_at, pledged_cents, start_cents,
            asked_at, answer_by, terms, terms_hash, signed_at)
          values (${guarantee.id}, ${id}, ${kind}, ${guarantor}, ${cents}, 'live', ${now}, ${cents}, ${cents}, ${now},
            ${kind === 'self' ? null : now}, ${JSON.stringify(guaranteeTerms(loan as LoanRow, guarantee))}::text::jsonb,
            ${guaranteeTermsHash(loan as LoanRow, guarantee)}, ${now})`;
      }
      return id;
    },
  };
}
