import type { Cents } from '@ushirika/contract/money';
import { Refusal } from '@ushirika/contract/refusal';
import { isGuarded } from '#faults';
import { eachPart } from '../../db/each-part.ts';
import type { Database, Tx } from '../../db/tx.ts';
import { texts } from '../../ledger/sql-arrays.ts';
import { lockPoolsOf } from '../pools/guarantee-life.ts';
import { lockSaccos } from '../saccos/lock-sacco.ts';
import { withdraw } from '../wallet/withdraw.ts';
import { addLoanEvents, type GuaranteeRow, type LoanRow, lockGuarantees } from './loan-rows.ts';
import { endSignaturesOf, signedBefore } from './old-signatures.ts';
import { endApplications, voidGuarantees } from './pledges.ts';
import { settleMpesaRepayments } from './prompt-repayment.ts';
import { tellOfLoans } from './tell-of-loans.ts';

const AT_ONCE = 100;
const MPESA_LEAST: Cents = 10_00;
const MPESA_MOST: Cents = 250_000_00;

/**
 * What the clock and M-Pesa do to loans. Requests that nobody answered lapse, and applications without a step expire. A replacement of a
 * guarantor ends where nothing is pledged any more. What came by M-Pesa goes to its loan; what was paid out goes on to the borrower's
 * phone. It may run any number of times at once. One row or part that goes wrong stops no other.
 */
export async function tendLoans(database: Database): Promise<void> {
  await eachPart([
    () => settleMpesaRepayments(database),
    () => untilDone(() => database.transaction(lapseRequests)),
    () => untilDone(() => database.transaction(expireApplications)),
    () => untilDone(() => database.transaction(endOldSignatures)),
    () => untilDone(() => database.transaction(endNeedlessExchanges)),
    () => sendOn(database),
  ]);
}

async function untilDone(act: () => Promise<boolean>): Promise<void> {
  while (await act());
}

/** A request to a guarantor lapses after 7 days. True where there may be more. */
async function lapseRequests(tx: Tx): Promise<boolean> {
  const due = await tx.sql<{ loan_id: string; sacco_id: string }[]>`
    select g.loan_id, l.sacco_id from loan_guarantees g join loans l on l.id = g.loan_id
    where g.state = 'asked' and g.answer_by <= ${tx.now} order by g.answer_by, g.id limit ${AT_ONCE}`;
  if (due.length === 0) return false;
  await lockSaccos(
    tx,
    due.map(({ sacco_id }) => sacco_id),
  );
  const loans = await tx.sql<LoanRow[]>`
    select * from loans where id = any (${texts(due.map(({ loan_id }) => loan_id))}::uuid[]) order by id for update`;
  const lapsed = await tx.sql<GuaranteeRow[]>`
    update loan_guarantees set state = 'lapsed', state_at = ${tx.now}
    where loan_id = any (${texts(loans.map(({ id }) => id))}::uuid[]) and state = 'asked' and answer_by <= ${tx.now}
    returning *`;
  const loanOf = new Map(loans.map((loan) => [loan.id, loan]));
  await addLoanEvents(
    tx,
    lapsed.map((row) => ({ loanId: row.loan_id, kind: 'guarantor_lapsed' as const, guaranteeId: row.id })),
  );
  await tellOfLoans(
    tx,
    null,
    lapsed.map((guarantee) => ({
      loan: loanOf.get(guarantee.loan_id) as LoanRow,
      event: 'guarantor_lapsed' as const,
      guarantee,
    })),
  );
  return due.length === AT_ONCE;
}

/** An application without a step of the borrower or the sacco for 30 days comes to nothing. True where there may be more. */
async function expireApplications(tx: Tx): Promise<boolean> {
  const due = await tx.sql<{ id: string; sacco_id: string }[]>`
    select id, sacco_id from loans where expires_at <= ${tx.now} order by expires_at, id limit ${AT_ONCE}`;
  if (due.length === 0) return false;
  await lockSaccos(
    tx,
    due.map(({ sacco_id }) => sacco_id),
  );
  await lockPoolsOf(tx, { loanIds: due.map(({ id }) => id) });
  const loans = await tx.sql<LoanRow[]>`
    select * from loans where id = any (${texts(due.map(({ id }) => id))}::uuid[]) and expires_at <= ${tx.now}
    order by id for update`;
  const ended = await endApplications(tx, loans, { state: 'expired', byId: null });
  const loanOf = new Map(loans.map((loan) => [loan.id, loan]));
  await tellOfLoans(tx, null, [
    ...loans.map((loan) => ({ loan, event: 'expired' as const })),
    ...ended
      .filter(({ kind }) => kind === 'member')
      .map((guarantee) => ({
        loan: loanOf.get(guarantee.loan_id) as LoanRow,
        event: 'pledge_free' as const,
        guarantee,
      })),
  ]);
  return due.length === AT_ONCE;
}

/** A signature that its guarantor could still take back ends after 30 days, whatever the borrower does. True where there may be more. */
async function endOldSignatures(tx: Tx): Promise<boolean> {
  const due = await tx.sql<{ loan_id: string; sacco_id: string }[]>`
    select g.loan_id, l.sacco_id from loan_guarantees g join loans l on l.id = g.loan_id
    where g.state = 'accepted' and g.signed_at <= ${signedBefore(tx.now)} and g.kind = 'member'
      and (g.replaces_id is not null or l.state in ('guarantors_pending', 'returned'))
    order by g.signed_at, g.id limit ${AT_ONCE}`;
  if (due.length === 0 || !isGuarded('loans.taken_back')) return false;
  await lockSaccos(
    tx,
    due.map(({ sacco_id }) => sacco_id),
  );
  const loans = await tx.sql<LoanRow[]>`
    select * from loans where id = any (${texts(due.map(({ loan_id }) => loan_id))}::uuid[]) order by id for update`;
  await endSignaturesOf(tx, null, loans);
  return due.length === AT_ONCE;
}

/**
 * Repayments have freed all that a guarantor pledged: nobody has to stand in for them any more, and what the other one signed for is
 * free again. True where there may be more.
 */
async function endNeedlessExchanges(tx: Tx): Promise<boolean> {
  const due = await tx.sql<{ loan_id: string; sacco_id: string }[]>`
    select next.loan_id, l.sacco_id from loan_guarantees next
    join loan_guarantees old on old.id = next.replaces_id join loans l on l.id = next.loan_id
    where next.replaces_id is not null and next.state in ('asked', 'accepted') and old.pledged_cents = 0
    order by next.replaces_id limit ${AT_ONCE}`;
  if (due.length === 0) return false;
  await lockSaccos(
    tx,
    due.map(({ sacco_id }) => sacco_id),
  );
  const loans = await tx.sql<LoanRow[]>`
    select * from loans where id = any (${texts(due.map(({ loan_id }) => loan_id))}::uuid[]) order by id for update`;
  const rows = await lockGuarantees(
    tx,
    loans.map(({ id }) => id),
  );
  const empty = new Set(rows.filter(({ pledged_cents }) => pledged_cents === 0).map(({ id }) => id));
  const ended = await voidGuarantees(tx, loans, ({ replaces_id: old }) => old !== null && empty.has(old));
  const loanOf = new Map(loans.map((loan) => [loan.id, loan]));
  await addLoanEvents(
    tx,
    ended.map((row) => ({ loanId: row.loan_id, kind: 'guarantor_needless' as const, guaranteeId: row.id })),
  );
  await tellOfLoans(
    tx,
    null,
    ended.map((guarantee) => ({
      loan: loanOf.get(guarantee.loan_id) as LoanRow,
      event: guarantee.state === 'accepted' ? ('pledge_free' as const) : ('guarantor_needless' as const),
      guarantee,
    })),
  );
  return due.length === AT_ONCE;
}

/**
 * A loan that the borrower asked to have by M-Pesa goes on from the wallet to their own confirmed phone: whole shillings, and what M-Pesa
 * takes at once. What cannot go stays in the wallet.
 */
async function sendOn(database: Database): Promise<void> {
  const waiting = await database.sql<{ id: string }[]>`select id from loans where to_phone = 'waiting' order by id`;
  await eachPart(
    waiting.map(
      ({ id }) =>
        () =>
          sendOneOn(database, id),
    ),
  );
}

async function sendOneOn(database: Database, id: string): Promise<void> {
  const mark = (tx: Tx, state: 'sent' | 'kept') => tx.sql`update loans set to_phone = ${state} where id = ${id}`;
  try {
    await database.transaction(async (tx) => {
      const [loan] = await tx.sql<(LoanRow & { phone: string; to_phone_cents: Cents })[]>`
        select l.*, u.phone from loans l join users u on u.id = l.borrower_id
        where l.id = ${id} and l.to_phone = 'waiting' for update of l`;
      if (!loan) return;
      const amountCents = Math.min(Math.floor(loan.to_phone_cents / 100) * 100, MPESA_MOST);
      await mark(tx, amountCents < MPESA_LEAST ? 'kept' : 'sent');
      if (amountCents >= MPESA_LEAST)
        await withdraw(tx, { userId: loan.borrower_id }, { amountCents, phone: loan.phone });
    });
  } catch (refusal) {
    if (!(refusal instanceof Refusal) || refusal.code === 'unavailable' || refusal.code === 'unknown_outcome')
      throw refusal;
    await database.transaction((tx) => mark(tx, 'kept'));
  }
}
