import type { Cents } from '@ushirika/contract/money';
import { nairobiDay } from '@ushirika/contract/time';
import type { Database, Tx } from '../../db/tx.ts';
import { integers, texts } from '../../ledger/sql-arrays.ts';
import { requireProof } from '../identity/prove-password.ts';
import { lockOwnLoan, refuseState } from './own-loan.ts';
import { repayLoans } from './repay-loans.ts';
import { tellOfLoans } from './tell-of-loans.ts';

const CHUNK = 200;
const TRIES_MAX = 3;
const FIRST = '00000000-0000-0000-0000-000000000000';

/**
 * Pays each instalment from the wallet on its day by itself, or no longer. To turn it on needs the password: from then on money
 * leaves without it.
 * @throws Refusal `proof_required`, `loan_conflict`
 */
export async function setStandingRepayment(
  tx: Tx,
  actor: { readonly userId: string; readonly sessionId: string },
  input: { readonly loanId: string; readonly isOn: boolean },
): Promise<void> {
  const loan = await lockOwnLoan(tx, actor, input.loanId);
  if (input.isOn) await requireProof(tx, actor);
  refuseState(loan, 'active', 'in_arrears');
  await tx.sql`
    update loans set standing_since = ${input.isOn ? (loan.standing_since ?? tx.now) : null} where id = ${loan.id}`;
}

interface Due {
  readonly id: string;
  readonly number: string;
  readonly sacco_id: string;
  readonly borrower_id: string;
  readonly amount_cents: Cents;
  readonly due_number: number;
  /** The instalments that are due today or overdue. A payment pays interest of all of them before principal of the oldest. */
  readonly due_cents: Cents;
  readonly penalty_cents: Cents;
}

/**
 * Pays the instalments that are due today or overdue of loans with a standing repayment: once for each instalment, however often and in
 * however many processes this runs. A wallet that has too little is emptied, on three days at most; then the borrower pays the rest by
 * hand.
 */
export async function runStandingRepayments(database: Database): Promise<void> {
  let after = FIRST;
  for (;;) {
    const last = await database.transaction((tx) => runChunk(tx, after));
    if (last === null) return;
    after = last;
  }
}

async function runChunk(tx: Tx, after: string): Promise<string | null> {
  const today = nairobiDay(tx.now);
  const due = await tx.sql<Due[]>`
    select l.id, l.number, l.sacco_id, l.borrower_id, l.amount_cents, l.due_number, due.cents as due_cents, l.penalty_cents
    from loans l left join loan_standing_runs r on r.loan_id = l.id and r.number = l.due_number
    cross join lateral (
      select sum(i.principal_cents - i.paid_principal_cents + i.interest_cents - i.paid_interest_cents)::bigint as cents
      from loan_instalments i
      where i.loan_id = l.id and i.number >= coalesce(l.rest_number, l.due_number) and i.due_on <= ${today} and i.paid_on is null) due
    where l.standing_since is not null and l.due_on <= ${today} and l.id > ${after}
      and l.state in ('active', 'in_arrears')
      and (r.loan_id is null or r.state = 'waiting' and r.tried_on < ${today})
    order by l.id limit ${CHUNK}`;
  const last = due.at(-1);
  if (!last) return null;
  const claimed = await claim(tx, due, today);
  await repayLoans(
    tx,
    claimed.map(({ loan, tries }) => ({
      loanId: loan.id,
      payerId: loan.borrower_id,
      amountCents: loan.due_cents + loan.penalty_cents,
      channel: 'standing' as const,
      key: `standing:${loan.id}:${loan.due_number}:${tries}`,
    })),
  );
  const unpaid = await stillDue(tx, claimed);
  const outcomes = claimed.map(({ loan, tries }) => {
    // Also where the borrower has paid it in the meantime.
    return {
      loan,
      state: !unpaid.has(loan.id) ? 'paid' : tries < TRIES_MAX ? 'waiting' : 'skipped',
      isFirst: tries === 1,
    } as const;
  });
  await tx.sql`
    update loan_standing_runs r set state = w.state
    from unnest(${texts(outcomes.map(({ loan }) => loan.id))}::uuid[],
      ${integers(outcomes.map(({ loan }) => loan.due_number))}::smallint[],
      ${texts(outcomes.map(({ state }) => state))}::text[]) as w (loan_id, number, state)
    where r.loan_id = w.loan_id and r.number = w.number`;
  await tellOfLoans(
    tx,
    null,
    outcomes.flatMap(({ loan, state, isFirst }) => {
      if (state === 'paid' || (state === 'waiting' && !isFirst)) return [];
      return [{ loan, event: state === 'skipped' ? ('standing_skipped' as const) : ('standing_waiting' as const) }];
    }),
  );
  return last.id;
}

/** Loans of which the same instalment is still asked for: the payment was too small. */
async function stillDue(tx: Tx, claimed: readonly { readonly loan: Due }[]): Promise<ReadonlySet<string>> {
  const rows = await tx.sql<{ id: string; due_number: number }[]>`
    select id, due_number from loans
    where id = any (${texts(claimed.map(({ loan }) => loan.id))}::uuid[]) and due_number is not null`;
  const numbers = new Map(claimed.map(({ loan }) => [loan.id, loan.due_number]));
  return new Set(rows.filter(({ id, due_number }) => numbers.get(id) === due_number).map(({ id }) => id));
}

/** The day's try of each instalment is claimed by its row first: whoever else runs at the same time finds it taken. */
async function claim(
  tx: Tx,
  due: readonly Due[],
  today: string,
): Promise<{ readonly loan: Due; readonly tries: number }[]> {
  const rows = await tx.sql<{ loan_id: string; tries: number }[]>`
    insert into loan_standing_runs as run (loan_id, number, state, tries, tried_on)
    select loan_id, number, 'waiting', 1, ${today}
    from unnest(${texts(due.map(({ id }) => id))}::uuid[], ${integers(due.map(({ due_number }) => due_number))}::smallint[])
      as w (loan_id, number) order by loan_id
    on conflict (loan_id, number) do update set tries = run.tries + 1, tried_on = excluded.tried_on
    where run.state = 'waiting' and run.tried_on < excluded.tried_on
    returning loan_id, tries`;
  const tries = new Map(rows.map((row) => [row.loan_id, row.tries]));
  return due.flatMap((loan) => {
    const count = tries.get(loan.id);
    return count === undefined ? [] : [{ loan, tries: count }];
  });
}
