import { RECOVERY_OFFICES } from '@ushirika/contract/loan-recovery';
import { type Cents, shillingsFromCents } from '@ushirika/contract/money';
import { Refusal } from '@ushirika/contract/refusal';
import { sentence } from '@ushirika/contract/sentence';
import { nairobiDay } from '@ushirika/contract/time';
import { isGuarded } from '#faults';
import type { Tx } from '../../db/tx.ts';
import { lockAccounts } from '../../ledger/balances.ts';
import type { JournalInput, TransferInput } from '../../ledger/ledger.types.ts';
import type { LockedAccounts } from '../../ledger/locked-accounts.ts';
import { errorOf, post } from '../../ledger/post.ts';
import { texts } from '../../ledger/sql-arrays.ts';
import { requireProof } from '../identity/prove-password.ts';
import type { Sms } from '../notifications/sms-words.ts';
import { callGuarantee } from '../pools/call-guarantee.ts';
import { closeGuarantee } from '../pools/guarantee-life.ts';
import type { RecoveringActor } from './decide-default.ts';
import {
  borrowerOf,
  type LoanNotice,
  loansToTell,
  said,
  sendNotices,
  smsValues,
  type ToldLoan,
} from './loan-notices.ts';
import { lockLoanOfSacco, refuseInterested, refuseOffice } from './loan-officials.ts';
import { loanRecoverySms } from './loan-recovery.sms.ts';
import { addLoanEvents, type GuaranteeRow, lockGuarantees, principalOf, savingsAccounts } from './loan-rows.ts';
import { postAll, releaseJournal } from './pledges.ts';
import { releaseProvision } from './provision-of-loan.ts';
import { guarantorsPay, ownSavingsTaken } from './recovery.rules.ts';
import { type LateLoan, noteStep, refuseOutOfOrder } from './recovery-facts.ts';
import { tellOfLoans } from './tell-of-loans.ts';
import { allocateTaken, writeTaken } from './write-recovery.ts';

export type Taking = 'own_deposits' | 'pool' | 'guarantors';

interface Step {
  readonly loan: LateLoan;
  readonly guarantees: readonly GuaranteeRow[];
  readonly byId: string;
  /** What the official was shown that it takes. */
  readonly shown: Cents;
}

/** What a step took, and the journal that moved it; none where nothing was left to take. */
interface Took {
  readonly amount: Cents;
  readonly journalId: string | null;
}

/**
 * Takes the next step of a recovery: the borrower's own savings, then the pool, then the guarantors in proportion to their pledges.
 * `shownCents` is what the official was shown that it takes: never more is taken (docs/decisions/188).
 * @returns what it brought
 * @throws Refusal `not_found`, `not_allowed`, `proof_required`, `recovery_too_early`, `loan_conflict`, `pool_contract_conflict`,
 * `loan_terms_changed` with the amount of now
 */
export async function recoverLoan(
  tx: Tx,
  actor: RecoveringActor,
  input: { readonly saccoId: string; readonly loanId: string; readonly step: Taking; readonly shownCents: Cents },
): Promise<Cents> {
  const loan = (await lockLoanOfSacco(tx, input.saccoId, input.loanId)) as LateLoan;
  await refuseOffice(tx, { ...actor, saccoId: input.saccoId }, RECOVERY_OFFICES);
  await refuseInterested(tx, actor, loan);
  await requireProof(tx, actor);
  if (loan.state !== 'defaulted' && loan.state !== 'recovering') throw new Refusal('loan_conflict');
  await refuseOutOfOrder(tx, loan, input.step);
  const guarantees = await lockGuarantees(tx, [loan.id]);
  const step = { loan, guarantees, byId: actor.userId, shown: input.shownCents };
  const take = { own_deposits: takeOwnSavings, pool: takeFromPool, guarantors: takePledges }[input.step];
  const { amount, journalId } = await take(tx, step);
  await noteStep(tx, loan, { kind: input.step, byId: actor.userId, amount, ...(journalId ? { journalId } : {}) });
  await addLoanEvents(tx, [{ loanId: loan.id, kind: 'recovered', byId: actor.userId, amountCents: amount }]);
  await moveRecoveryOn(tx, actor.userId, loan);
  return amount;
}

type Ended = Pick<LateLoan, 'id' | 'number' | 'sacco_id' | 'borrower_id' | 'amount_cents'>;

/** In recovery from the first step on; closed once nothing is owed any more. Its row is locked, and what was taken is written. */
export async function moveRecoveryOn(
  tx: Tx,
  causedBy: string | null,
  loan: Ended & Pick<LateLoan, 'state'>,
): Promise<void> {
  if (loan.state === 'defaulted') {
    await tx.sql`update loans set state = 'recovering', state_at = ${tx.now} where id = ${loan.id}`;
  }
  const [left] = await tx.sql<
    { principal: Cents }[]
  >`select principal_cents as principal from loans where id = ${loan.id}`;
  // Guarantors and pools stand for principal alone.
  if (left?.principal === 0) {
    await releaseAll(tx, causedBy, loan);
    await postAll(tx, await closeGuarantee(tx, { loanId: loan.id }));
  }
  await closeWhenPaid(tx, causedBy, loan);
}

/** A loan in recovery, or one that was written off, of which nothing is owed any more is closed, and its borrower is told. */
export async function closeWhenPaid(tx: Tx, causedBy: string | null, loan: Ended): Promise<void> {
  const [left] = await tx.sql<{ owed: Cents; provision: Cents }[]>`
    select principal_cents + interest_cents + penalty_cents as owed, provision_cents as provision
    from loans where id = ${loan.id}`;
  if (left?.owed !== 0) return;
  await releaseProvision(tx, loan, left.provision);
  await releaseAll(tx, causedBy, loan);
  // Interest past the in-duplum stop is in the schedule until the day's run, and is never owed.
  await tx.sql`
    update loan_instalments set interest_cents = greatest(0, paid_interest_cents),
      paid_interest_cents = greatest(0, paid_interest_cents), paid_on = ${nairobiDay(tx.now)}
    where loan_id = ${loan.id} and paid_on is null`;
  await tx.sql`
    update loans set state = 'closed', state_at = ${tx.now}, closed_at = ${tx.now}, closed_because = 'recovered', class = null,
      provision_cents = 0, standing_since = null, last_default_at = ${tx.now}, rest_number = null, due_number = null, due_on = null,
      due_cents = null, overdue_cents = 0, days_past_due = 0
    where id = ${loan.id}`;
  await addLoanEvents(tx, [{ loanId: loan.id, kind: 'closed' }]);
  await tellOfLoans(tx, causedBy, [{ loan, event: 'closed' }]);
}

/** Guarantors who were not needed are free, and are told. */
async function releaseAll(tx: Tx, causedBy: string | null, loan: Ended): Promise<void> {
  const live = (await lockGuarantees(tx, [loan.id])).filter(({ pledged_cents }) => pledged_cents > 0);
  if (live.length === 0) return;
  await postAll(
    tx,
    live.map((guarantee) => releaseJournal(loan, guarantee)),
  );
  await tx.sql`
    update loan_guarantees set state = 'released', state_at = ${tx.now}, pledged_cents = 0
    where id = any (${texts(live.map(({ id }) => id))}::uuid[])`;
  const members = live.filter(({ kind }) => kind === 'member');
  await tellOfLoans(
    tx,
    causedBy,
    members.map((guarantee) => ({ loan, event: 'pledge_free', guarantee })),
  );
}

const journalOf = (
  { loan, byId }: Step,
  kind: JournalInput['kind'],
  transfers: readonly TransferInput[],
): JournalInput => ({
  kind,
  idempotencyKey: `${kind}:${loan.id}:${loan.arrears_since}`,
  causedBy: byId,
  about: { type: 'loan', id: loan.id },
  transfers: transfers.filter(({ amount }) => amount > 0),
});

/** Posts what there is to post; null for nothing. */
async function posted(tx: Tx, journal: JournalInput, locked: LockedAccounts | null = null): Promise<string | null> {
  if (journal.transfers.length === 0) return null;
  const [result] = await post(tx, [journal], locked);
  if (!result || result.status === 'refused') throw errorOf(result?.reason ?? 'insufficient_funds', journal);
  return result.journalId;
}

/**
 * Of a pool or of guarantors no more is taken than was shown, and not a part of it: the rest would be free. A payment of the borrower
 * makes it less, and then that is taken. Nothing that a borrower does makes it more: it is at most the principal that is owed, and at most
 * what was guaranteed.
 * @throws Refusal `loan_terms_changed`
 */
function refuseMore({ shown }: Step, now: Cents): void {
  if (now > shown) throw termsChanged(shown, now);
}

const termsChanged = (shown: Cents, now: Cents): Refusal =>
  new Refusal('loan_terms_changed', {
    message: sentence('Nothing was taken: you were shown {shown}, and now it would be {now}. Look at it again.', {
      shown: said(shown),
      now: said(now),
    }),
    extra: { amount: shillingsFromCents(now) },
  });

type Owed = Parameters<typeof ownSavingsTaken>[0];
type Saved = Parameters<typeof ownSavingsTaken>[1];

/** Savings that came in so long ago were there when the official looked. */
const LOOKED_MINUTES = 15;
/** So many of the latest credits are read: ten in each second of those minutes are fewer. */
const CREDITS_READ = 10_000;
/** What brings new money into savings. A pledge that is released was the owner's before, so it is no new money. */
const NEW_MONEY = ['savings_deposited', 'guarantor_refunded'] as const satisfies JournalInput['kind'][];

/**
 * Savings that came in since it was shown stay with the borrower, however many deposits there were. Less is not taken of what was there
 * before, as the step is taken once: whoever names a cent would leave the rest to the guarantors.
 * @throws Refusal `loan_terms_changed` where all that is there came in since, or less is named than was there
 */
async function refuseTooLittle(tx: Tx, { loan, shown }: Step, owed: Owed, saved: Saved): Promise<void> {
  const sumOf = ({ fromHeld, fromFree }: ReturnType<typeof ownSavingsTaken>) => fromHeld + fromFree;
  const now = sumOf(ownSavingsTaken(owed, saved));
  if (shown >= now || !isGuarded('loans.what_was_there')) return;
  const free = Math.max(0, saved.free - (await savedLately(tx, loan)));
  if (shown === 0 || shown < sumOf(ownSavingsTaken(owed, { ...saved, free }))) throw termsChanged(shown, now);
}

/** New money that came into the borrower's free savings in the last minutes. It reads a bounded number of rows. */
async function savedLately(tx: Tx, loan: LateLoan): Promise<Cents> {
  const since = new Date(tx.now.getTime() - LOOKED_MINUTES * 60_000);
  const { free } = savingsAccounts(loan.sacco_id, loan.borrower_id);
  const [row] = await tx.sql<{ cents: Cents }[]>`
    select coalesce(sum(amount), 0)::bigint as cents from (
      select t.amount, j.posted_at, j.kind
      from accounts a
      join lateral (
        select * from transfers where credit_account_id = a.id order by id desc limit ${CREDITS_READ}
      ) t on true
      join journals j on j.id = t.journal_id
      where a.book_id = ${free.book} and a.kind = ${free.kind} and a.owner_id = ${free.owner}
    ) latest
    where posted_at > ${since} and kind = any (${texts(NEW_MONEY)}::text[])`;
  return row?.cents ?? 0;
}

/** The borrower's savings that are pledged for this loan, then those that are free; principal first. */
async function takeOwnSavings(tx: Tx, step: Step): Promise<Took> {
  const { loan, guarantees } = step;
  const own = guarantees.find(({ kind, state }) => kind === 'self' && state === 'live');
  const { free, pledged } = savingsAccounts(loan.sacco_id, loan.borrower_id);
  const receivable = (kind: 'interest' | 'penalty') =>
    ({ book: loan.sacco_id, kind: `${kind}_receivable`, owner: null }) as const;
  const locked = await lockAccounts(tx, [
    free,
    pledged,
    principalOf(loan),
    receivable('interest'),
    receivable('penalty'),
  ]);
  const saved = locked.balanceOf(free);
  const held = own?.pledged_cents ?? 0;
  const owed = { principal: loan.principal_cents, interest: loan.interest_cents, penalty: loan.penalty_cents };
  await refuseTooLittle(tx, step, owed, { held, free: saved });
  const taken = ownSavingsTaken(owed, { held, free: saved }, step.shown);
  const journal = journalOf(step, 'deposits_recovered', [
    ...sourcesOf(taken).map(({ from, to, amount }) => ({
      debit: from === 'held' ? pledged : free,
      credit: to === 'principal' ? principalOf(loan) : receivable(to),
      amount,
    })),
    { debit: pledged, credit: free, amount: held - taken.fromHeld },
  ]);
  const journalId = await posted(tx, journal, locked);
  if (own) {
    await tx.sql`
      update loan_guarantees set state = 'called', state_at = ${tx.now}, pledged_cents = 0 where id = ${own.id}`;
  }
  const allocation = await allocateTaken(tx, loan, taken);
  if (journalId) await writeTaken(tx, loan, allocation, { journalId, byId: step.byId, released: held });
  if (allocation.amount > 0) {
    const told = await toldLoan(tx, loan.id);
    const sms = loanRecoverySms.taken(smsValues(told, allocation.amount));
    await tellBorrower(
      tx,
      step.byId,
      told,
      allocation.amount,
      (values) => sentence('{sacco} has taken {amount} of your savings for your loan {number}.', values),
      sms,
    );
  }
  return { amount: allocation.amount, journalId };
}

/** Which of the savings pay what: the pledged ones before the free, and principal before interest before penalty. */
function sourcesOf(taken: ReturnType<typeof ownSavingsTaken>) {
  let heldLeft = taken.fromHeld;
  return (['principal', 'interest', 'penalty'] as const).flatMap((to) => {
    const fromHeld = Math.min(heldLeft, taken[to]);
    heldLeft -= fromHeld;
    return [
      { from: 'held' as const, to, amount: fromHeld },
      { from: 'free' as const, to, amount: taken[to] - fromHeld },
    ];
  });
}

async function takeFromPool(tx: Tx, step: Step): Promise<Took> {
  const { loan, byId } = step;
  const called = await callGuarantee(tx, { loanId: loan.id, shortfall: loan.principal_cents, causedBy: byId });
  refuseMore(step, called.paid);
  const [journalId = null] = await postAll(tx, called.journals);
  if (called.paid === 0 || journalId === null) return { amount: 0, journalId: null };
  const allocation = await allocateTaken(tx, loan, { principal: called.paid, interest: 0, penalty: 0 });
  await writeTaken(tx, loan, allocation, { journalId, byId, released: 0 });
  return { amount: called.paid, journalId };
}

/** Guarantors in proportion to their pledges; what is left of a pledge is free again. Each payment is a claim on the borrower. */
async function takePledges(tx: Tx, step: Step): Promise<Took> {
  const { loan, guarantees, byId } = step;
  const live = guarantees.filter(({ kind, state }) => kind === 'member' && state === 'live');
  const shares = guarantorsPay(
    loan.principal_cents,
    live.map(({ pledged_cents }) => pledged_cents),
  );
  const paid = shares.reduce((sum, share) => sum + share, 0);
  refuseMore(step, paid);
  const journal = journalOf(
    step,
    'guarantor_called',
    live.flatMap(({ guarantor_id, pledged_cents }, index) => {
      const { free, pledged } = savingsAccounts(loan.sacco_id, guarantor_id);
      const share = shares[index] ?? 0;
      return [
        { debit: pledged, credit: principalOf(loan), amount: share },
        { debit: pledged, credit: free, amount: pledged_cents - share },
      ];
    }),
  );
  const journalId = await posted(tx, journal);
  await tx.sql`
    update loan_guarantees g
    set state = case when p.paid > 0 then 'called' else 'released' end, state_at = ${tx.now}, pledged_cents = 0,
      called_cents = g.called_cents + p.paid, called_at = case when p.paid > 0 then ${tx.now} else g.called_at end
    from unnest(${texts(live.map(({ id }) => id))}::uuid[], ${`{${shares.join(',')}}`}::bigint[]) as p (id, paid)
    where g.id = p.id`;
  if (journalId === null || paid === 0) return { amount: 0, journalId };
  const released = live.reduce((sum, { pledged_cents }) => sum + pledged_cents, 0);
  const allocation = await allocateTaken(tx, loan, { principal: paid, interest: 0, penalty: 0 });
  await writeTaken(tx, loan, allocation, { journalId, byId, released });
  await addLoanEvents(
    tx,
    live.map(({ id, guarantor_id }, index) => ({
      loanId: loan.id,
      kind: 'guarantor_paid',
      byId: guarantor_id,
      amountCents: shares[index] ?? 0,
      guaranteeId: id,
    })),
  );
  await tellGuarantors(tx, byId, loan.id, { guarantees: live, shares });
  await tellBorrower(tx, byId, await toldLoan(tx, loan.id), paid, (values) =>
    sentence(
      '{sacco} has taken {amount} of your guarantors’ savings for your loan {number}. You owe it to them now.',
      values,
    ),
  );
  return { amount: paid, journalId };
}

async function toldLoan(tx: Tx, loanId: string): Promise<ToldLoan> {
  const { loans } = await loansToTell(tx, [loanId]);
  const [loan] = loans;
  if (!loan) throw new Error('The loan of a recovery is not there.');
  return loan;
}

async function tellBorrower(
  tx: Tx,
  causedBy: string,
  loan: ToldLoan,
  amount: Cents,
  textOf: (values: { sacco: string; number: string; amount: string }) => LoanNotice['text'],
  sms?: Sms,
): Promise<void> {
  const text = textOf({ sacco: loan.sacco_name, number: loan.number, amount: said(amount) });
  const notice = { loan, kind: 'taken', to: loan.borrower_id, amount, text, ...(sms ? { sms } : {}) } as const;
  await sendNotices(tx, causedBy, [notice]);
}

async function tellGuarantors(
  tx: Tx,
  causedBy: string,
  loanId: string,
  { guarantees, shares }: { readonly guarantees: readonly GuaranteeRow[]; readonly shares: readonly Cents[] },
): Promise<void> {
  const loan = await toldLoan(tx, loanId);
  await sendNotices(
    tx,
    causedBy,
    guarantees.flatMap(({ id, guarantor_id }, index): LoanNotice[] => {
      const amount = shares[index] ?? 0;
      if (amount === 0) return [];
      const values = { sacco: loan.sacco_name, number: loan.number, borrower: borrowerOf(loan), amount: said(amount) };
      const text = sentence(
        '{sacco} has taken {amount} of your savings for the loan {number} of {borrower}. {borrower} owes it to you now. What {borrower} pays goes to the guarantors first.',
        values,
      );
      const sms = loanRecoverySms.takenOfGuarantor(smsValues(loan, amount));
      return [{ loan, kind: 'taken', to: guarantor_id, guaranteeId: id, amount, text, sms }];
    }),
  );
}
