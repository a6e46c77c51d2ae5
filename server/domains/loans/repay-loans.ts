import type { LoanState, Surplus } from '@ushirika/contract/loans';
import { type Cents, formatShillings, shillingsFromCents } from '@ushirika/contract/money';
import type { Receipt } from '@ushirika/contract/receipts';
import { Refusal } from '@ushirika/contract/refusal';
import type { Unsaid } from '@ushirika/contract/said';
import { sentence } from '@ushirika/contract/sentence';
import { nairobiDay } from '@ushirika/contract/time';
import { isGuarded } from '#faults';
import type { Tx } from '../../db/tx.ts';
import { lockAccounts } from '../../ledger/balances.ts';
import type { AccountKey, JournalInput, PostResult, TransferInput } from '../../ledger/ledger.types.ts';
import type { LockedAccounts } from '../../ledger/locked-accounts.ts';
import { errorOf, post } from '../../ledger/post.ts';
import { texts } from '../../ledger/sql-arrays.ts';
import { type Allowance, allowanceOf } from '../identity/value-moved.ts';
import { lockContracts, releaseGuarantees } from '../pools/guarantee-life.ts';
import { askedOf, overdueOf } from './arrears.rules.ts';
import { allocateOrClose, type Shared } from './closing.rules.ts';
import { journalsBeside } from './closing.ts';
import type { Counted } from './counted-day.rules.ts';
import { countedOf } from './counted-day.ts';
import { type LoanRow, principalOf, savingsAccounts, settlementOf, walletOf } from './loan-rows.ts';
import { releasesOf } from './loans.rules.ts';
import {
  allOwed,
  type Following,
  followingOf,
  needsComing,
  owedWith,
  type PayableLoan,
  payableLoans,
  unpaidOfLoan,
} from './payable-loans.ts';
import { type Allocation, dueNow, type Payoff, payoffOf, type Settled, unpaidOf } from './repayment.rules.ts';
import { tellOfRepayments, tellOfTakenBack } from './tell-of-loans.ts';
import { type Applied, insertRepayments, writeRepaid } from './write-repayments.ts';

/** States in which a loan is in the sacco's books; one that was written off is paid otherwise. */
export const PAYABLE: ReadonlySet<LoanState> = new Set(['active', 'in_arrears', 'defaulted', 'recovering']);

export type RepaymentChannel =
  | 'wallet'
  | 'payoff'
  | 'standing'
  | 'mpesa'
  | 'paybill'
  | 'check_off'
  | 'dividend'
  | 'refinance';

export interface Repayment {
  readonly loanId: string;
  /** Whose wallet pays. */
  readonly payerId: string;
  readonly amountCents: Cents;
  /** `standing` takes no more than is late or due today, once the loan is locked, and empties a wallet that has less. */
  readonly channel: RepaymentChannel;
  /** Unique for ever: the same key pays once. */
  readonly key: string;
  /** Who asks themselves; what was agreed to before, or has just come by M-Pesa, needs no password. */
  readonly sessionId?: string;
  /** For this payment alone; left out, as the borrower has chosen for the loan. */
  readonly surplus?: Surplus | undefined;
  /** The Nairobi day on which it was made, where M-Pesa has told; otherwise it counts today. */
  readonly madeOn?: string | null;
  /** More than is owed is refused; without, no more than that is taken. */
  readonly isExact?: boolean;
}

export interface Repaid {
  readonly loanId: string;
  readonly amountCents: Cents;
  readonly isPaidOff: boolean;
  /** Where instalments are paid in advance: the day until which nothing is due. */
  readonly excusedUntil: string | null;
  readonly receipt: Unsaid<Receipt>;
}

/** What pays a loan off at this moment. Its row is locked or read. */
export async function payoffOfLoan(tx: Tx, loan: Pick<LoanRow, 'id'>): Promise<{ readonly payoff: Payoff }> {
  const [payable] = await payableLoans(tx, [loan.id], nairobiDay(tx.now));
  if (!payable) throw new Refusal('loan_conflict');
  return { payoff: payoffOf(owedWith(payable, await followingOf(tx, [payable]))) };
}

/**
 * Repays loans from wallets, each as if alone and in the order given: what was paid, or the refusal of that one. The loans' rows are
 * locked in the order of their ids, then all accounts; the number of statements does not grow with the batch, so that a
 * check-off of thousands goes through `post` as one payment does. Interest accrues up to today first.
 * @throws nothing for what a payer can cause: it is that one's `Refusal` (`loan_conflict`, `insufficient_funds`,
 *   `loan_overpaid`, `proof_required`, `payout_held`)
 */
export async function repayLoans(tx: Tx, repayments: readonly Repayment[]): Promise<(Repaid | Refusal)[]> {
  if (repayments.length === 0) return [];
  const day = nairobiDay(tx.now);
  const loanIds = [...new Set(repayments.map(({ loanId }) => loanId))].sort();
  // Pools are locked before loans.
  await lockContracts(tx, loanIds);
  const locked = await payableLoans(tx, loanIds, day, { isLocking: true });
  const payables = new Map(locked.map((payable) => [payable.loan.id, payable]));
  const paidBefore = await paidUnder(tx, repayments);
  const following = await followingOf(
    tx,
    locked.filter((payable) => needsComing(payable, paidTogether(payable, repayments), day)),
  );
  const accounts = await lockAccounts(tx, [...new Set(locked.flatMap((payable) => accountsOf(payable, repayments)))]);
  const allowance = await allowanceOf(
    tx,
    repayments.flatMap(({ payerId, sessionId }) => (sessionId === undefined ? [] : [{ userId: payerId, sessionId }])),
  );
  const counted = await countedOf(
    tx,
    repayments.map(({ loanId, madeOn }) => (madeOn ? { loanId, on: madeOn, isOfEmployer: false } : null)),
    day,
  );
  const judge = new Judge(tx, { day, payables, following, accounts, allowance, paidBefore });
  const judged = repayments.map((repayment, index) => judge.take(repayment, counted[index] ?? null));
  const applied = judged.filter((each): each is Applied => !(each instanceof Refusal) && 'journal' in each);
  const ofPools = await releaseGuarantees(tx, outOf(applied, day));
  await writeRepaid(tx, { day, following, applied });
  const backs = journalsBeside(applied);
  const results = await post(tx, [...applied.map(({ journal }) => journal), ...backs, ...ofPools], accounts);
  const journalIds = applied.map(({ journal }, index) => idOf(results[index], journal));
  for (const [index, journal] of backs.entries()) idOf(results[applied.length + index], journal);
  await insertRepayments(tx, applied, journalIds);
  await tellOfRepayments(tx, applied);
  await tellOfTakenBack(tx, applied);
  await allowance.write();
  const idBy = new Map(applied.map((each, index) => [each, journalIds[index] ?? '']));
  return judged.map((each) => ('journal' in each ? repaid(tx, each, idBy.get(each) ?? '') : each));
}

/** What is still owed of each loan that was paid, for the pools that guarantee it. While a loan is in recovery they stand for all that is left. */
export function outOf(applied: readonly Applied[], day: string) {
  const payables = [...new Set(applied.map(({ payable }) => payable))];
  return payables
    .filter(({ loan, owed }) => !staysPledged(loan, owed.principal))
    .map((payable) => ({
      loanId: payable.loan.id,
      principalOut: payable.owed.principal,
      principalAtStart: payable.loan.amount_cents,
      isCured: overdueOf(unpaidOfLoan(payable), day) === 0,
    }));
}

/**
 * A loan in recovery sets nothing free before its principal is paid: the borrower's own savings are gone by then, and what others have
 * pledged is measured by what is left, not by the loan.
 */
const staysPledged = ({ state }: Pick<LoanRow, 'state'>, principal: Cents) => state === 'recovering' && principal > 0;

/** Balances were looked at under their locks, so nothing but a mistake refuses. */
export function idOf(result: PostResult | undefined, journal: JournalInput): string {
  if (!result || result.status === 'refused') throw errorOf(result?.reason ?? 'journal_must_have_transfers', journal);
  return result.journalId;
}

function repaid(tx: Tx, { payable, allocation, journal, excusedUntil }: Applied, journalId: string): Repaid {
  return {
    loanId: payable.loan.id,
    amountCents: allocation.amount,
    isPaidOff: allocation.isPaidOff,
    excusedUntil,
    receipt: {
      id: journal.idempotencyKey.slice(-36),
      what: sentence('Repayment of loan {number}', { number: payable.loan.number }),
      amount: shillingsFromCents(allocation.amount),
      at: tx.now.toISOString(),
      journal: journalId,
    },
  };
}

/** Keys under which something was paid before. */
async function paidUnder(tx: Tx, repayments: readonly Repayment[]): Promise<ReadonlySet<string>> {
  const rows = await tx.sql<{ idempotency_key: string }[]>`
    select idempotency_key from loan_repayments
    where idempotency_key = any (${texts(repayments.map(({ key }) => key))}::text[])`;
  return new Set(rows.map(({ idempotency_key }) => idempotency_key));
}

const paidTogether = ({ loan }: PayableLoan, repayments: readonly Repayment[]): Cents =>
  repayments.reduce((total, each) => total + (each.loanId === loan.id ? each.amountCents : 0), 0);

const OWN_ACCOUNTS = [
  'cash',
  'interest_receivable',
  'interest_income',
  'penalty_receivable',
  'penalty_income',
  'loan_loss_provision',
  'provision_expense',
] as const;

/** Every account that a payment of a loan may move. */
export function accountsOf(
  { loan, guarantees }: PayableLoan,
  repayments: readonly Pick<Repayment, 'loanId' | 'payerId'>[],
): AccountKey[] {
  const book = loan.sacco_id;
  const own = OWN_ACCOUNTS.map((kind): AccountKey => ({ book, kind, owner: null }));
  const payers = repayments.filter(({ loanId }) => loanId === loan.id).map(({ payerId }) => walletOf(payerId));
  const pledged = guarantees.flatMap(({ guarantor_id }) => Object.values(savingsAccounts(book, guarantor_id)));
  return [...payers, settlementOf(book), ...own, principalOf(loan), ...pledged];
}

/** The accounts that are locked to pay a loan off, for who locks others with them. */
export async function accountsOfPayoff(tx: Tx, loan: Pick<LoanRow, 'id' | 'borrower_id'>): Promise<AccountKey[]> {
  const [payable] = await payableLoans(tx, [loan.id], nairobiDay(tx.now));
  return payable ? accountsOf(payable, [{ loanId: loan.id, payerId: loan.borrower_id }]) : [];
}

interface Situation {
  readonly day: string;
  readonly payables: ReadonlyMap<string, PayableLoan>;
  readonly following: Following;
  readonly accounts: LockedAccounts;
  readonly allowance: Allowance;
  readonly paidBefore: ReadonlySet<string>;
}

/** Judges one payment after the other, and carries each loan and wallet on as it is paid. */
class Judge {
  readonly #tx: Tx;
  readonly #situation: Situation;
  readonly #wallets = new Map<string, Cents>();
  readonly #keys = new Set<string>();

  constructor(tx: Tx, situation: Situation) {
    this.#tx = tx;
    this.#situation = situation;
  }

  take(repayment: Repayment, counted: Counted | null): Applied | Refusal {
    const { payables, day, paidBefore } = this.#situation;
    const payable = payables.get(repayment.loanId);
    if (!payable || payable.owed.principal === 0 || !PAYABLE.has(payable.loan.state)) {
      return new Refusal('loan_conflict');
    }
    if (paidBefore.has(repayment.key) || this.#keys.has(repayment.key)) return new Refusal('loan_conflict');
    const shared = this.#allocate(payable, repayment, { day, counted });
    if (shared instanceof Refusal) return shared;
    const refusal = this.#payFromWallet(repayment, shared.allocation.amount);
    if (refusal) return refusal;
    this.#keys.add(repayment.key);
    return this.#applied(payable, repayment, { ...shared, countsOn: counted?.on ?? null });
  }

  #allocate(
    payable: PayableLoan,
    repayment: Repayment,
    { day, counted }: { readonly day: string; readonly counted: Counted | null },
  ): Shared | Refusal {
    const owed = owedWith(payable, this.#situation.following);
    const { amount } = payoffOf(owed);
    if (repayment.isExact && repayment.amountCents > amount && isGuarded('loans.overpayment')) {
      return new Refusal('loan_overpaid', {
        message: sentence('{amount} pays the loan off today. That is more.', {
          amount: formatShillings(shillingsFromCents(amount)),
        }),
        extra: { owed: shillingsFromCents(amount) },
      });
    }
    const paid =
      repayment.channel === 'standing' ? this.#standing(repayment, dueNow(owed, day)) : repayment.amountCents;
    if (paid === 0) return new Refusal('loan_conflict');
    return allocateOrClose(
      owed,
      { amount: paid, day, surplus: repayment.surplus ?? payable.loan.surplus },
      counted,
      payable.loan.tolerance_cents,
    );
  }

  /** The sum that a standing repayment takes. An empty wallet is refused later, as one that has too little. */
  #standing({ amountCents, payerId }: Repayment, due: Cents): Cents {
    const wanted = Math.min(amountCents, due);
    return Math.min(wanted, this.#walletOf(payerId) || wanted);
  }

  #walletOf(payerId: string): Cents {
    return this.#wallets.get(payerId) ?? this.#situation.accounts.balanceOf(walletOf(payerId));
  }

  #payFromWallet({ payerId, sessionId }: Repayment, cents: Cents): Refusal | null {
    const left = this.#walletOf(payerId);
    if (left < cents) {
      return new Refusal('insufficient_funds', {
        message: sentence('Not enough money in your wallet to pay {amount}.', {
          amount: formatShillings(shillingsFromCents(cents)),
        }),
      });
    }
    const refusal =
      sessionId === undefined ? null : this.#situation.allowance.take({ userId: payerId, sessionId, cents });
    if (refusal) return refusal;
    this.#wallets.set(payerId, left - cents);
    return null;
  }

  #applied(payable: PayableLoan, repayment: Repayment, shared: Shared & { readonly countsOn: string | null }): Applied {
    const { allocation, settled, back, forgiven, countsOn } = shared;
    const principal = payable.owed.principal - settled.principal - settled.prepaid;
    const releases = releasedBy(payable, principal);
    const journal = journalOf(this.#tx, payable, { repayment, allocation, releases });
    carryOn(payable, this.#situation.following, shared, releases);
    const owedAfter = allOwed(payable);
    const excusedUntil = excusedUntilOf(payable, settled);
    return { payable, repayment, allocation, releases, journal, back, forgiven, countsOn, owedAfter, excusedUntil };
  }
}

/** The day until which nothing is due, where the next instalment was paid in advance; otherwise null. */
export function excusedUntilOf({ loan }: Pick<PayableLoan, 'loan'>, { rest, isPaidOff }: Settled): string | null {
  if (rest === null || isPaidOff) return null;
  const asked = askedOf({
    tolerance: loan.tolerance_cents,
    instalments: rest.map((each) => ({ dueOn: each.dueOn, unpaid: unpaidOf(each) })),
  });
  return asked === null || asked.index === 0 ? null : (rest[asked.index]?.dueOn ?? null);
}

/** Carries a loan on as it is after a payment, and keeps the new instalments that stand behind the ones read with it. */
export function carryOn(
  payable: PayableLoan,
  following: Following,
  { settled, back, forgiven }: Omit<Shared, 'allocation'>,
  releases: readonly Cents[],
): void {
  payable.takeBack(back);
  payable.forgive(forgiven);
  payable.apply(settled, releases);
  if (settled.rest === null) return;
  const kept = new Set(payable.owed.instalments.map(({ number }) => number));
  following.set(
    payable.loan.id,
    settled.rest.filter(({ number }) => !kept.has(number)),
  );
}

/** What of each pledge is free again: in proportion to the principal, and all once the loan is paid. */
export function releasedBy({ loan, guarantees }: Pick<PayableLoan, 'loan' | 'guarantees'>, principal: Cents): Cents[] {
  if (principal === 0) return guarantees.map(({ pledged_cents }) => pledged_cents);
  if (staysPledged(loan, principal)) return guarantees.map(() => 0);
  const live = guarantees.filter(({ state }) => state === 'live');
  const released = releasesOf(
    live.map((row) => ({ kind: row.kind, start: row.start_cents ?? row.pledged_cents, pledged: row.pledged_cents })),
    principal,
    loan.amount_cents,
  );
  const of = new Map(live.map((row, index) => [row.id, released[index] ?? 0]));
  return guarantees.map(({ id }) => of.get(id) ?? 0);
}

function journalOf(
  tx: Tx,
  payable: PayableLoan,
  paid: { readonly repayment: Repayment; readonly allocation: Allocation; readonly releases: readonly Cents[] },
): JournalInput {
  const { repayment, allocation } = paid;
  const book = payable.loan.sacco_id;
  const own = (kind: AccountKey['kind']): AccountKey => ({ book, kind, owner: null });
  return journalOfRepayment(tx, payable, repayment.payerId, [
    {
      debit: own('interest_receivable'),
      credit: own('interest_income'),
      amount: payable.toAccrue,
    },
    { debit: walletOf(repayment.payerId), credit: settlementOf(book), amount: allocation.amount },
    ...repayingTransfers(payable, own('cash'), paid),
  ]);
}

/** What a payment is in the sacco's book, from the account in which its money is. */
export function repayingTransfers(
  { loan, guarantees }: PayableLoan,
  from: AccountKey,
  { allocation, releases }: { readonly allocation: Allocation; readonly releases: readonly Cents[] },
): TransferInput[] {
  const book = loan.sacco_id;
  const own = (kind: AccountKey['kind']): AccountKey => ({ book, kind, owner: null });
  return [
    { debit: from, credit: own('penalty_receivable'), amount: allocation.penalty },
    { debit: from, credit: own('interest_receivable'), amount: allocation.interest },
    { debit: from, credit: principalOf(loan), amount: allocation.principal + allocation.prepaid },
    {
      debit: own('loan_loss_provision'),
      credit: own('provision_expense'),
      amount: allocation.isPaidOff ? loan.provision_cents : 0,
    },
    ...guarantees.map(({ guarantor_id }, index) => {
      const { free, pledged } = savingsAccounts(book, guarantor_id);
      return { debit: pledged, credit: free, amount: releases[index] ?? 0 };
    }),
  ];
}

export function journalOfRepayment(
  tx: Tx,
  { loan }: PayableLoan,
  causedBy: string | null,
  transfers: readonly TransferInput[],
): JournalInput {
  return {
    kind: 'loan_repaid',
    idempotencyKey: `loan_repaid:${tx.newId()}`,
    causedBy,
    about: { type: 'loan', id: loan.id },
    transfers: transfers.filter(({ amount }) => amount > 0),
  };
}
