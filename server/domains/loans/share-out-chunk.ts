import type { Cents } from '@ushirika/contract/money';
import { nairobiDay } from '@ushirika/contract/time';
import type { Tx } from '../../db/tx.ts';
import type { AccountKey, JournalInput } from '../../ledger/ledger.types.ts';
import { post } from '../../ledger/post.ts';
import { texts } from '../../ledger/sql-arrays.ts';
import { lockContracts, releaseGuarantees } from '../pools/guarantee-life.ts';
import { checkOffAccount } from './check-off-rows.ts';
import { settlementOf, walletOf } from './loan-rows.ts';
import { type PayableLoan, payableLoans } from './payable-loans.ts';
import { idOf, journalOfRepayment, outOf, releasedBy, repayingTransfers } from './repay-loans.ts';
import { allocatePayment, payableNow } from './repayment.rules.ts';
import { tellOfRepayments } from './tell-of-loans.ts';
import { type Applied, insertRepayments, writeRepaid } from './write-repayments.ts';

export interface CheckOffOfChunk {
  readonly id: string;
  readonly saccoId: string;
  /** Names the chunk: its journals carry it. */
  readonly firstLine: number;
}

export interface CheckOffLine {
  readonly line: number;
  readonly memberId: string;
  readonly amountCents: Cents;
}

/** What a line paid of its member's loans, and what went to their wallet. */
export interface LineOutcome {
  readonly line: number;
  readonly repaid: Cents;
  readonly returned: Cents;
}

export interface CheckOffPaid {
  readonly repayments: number;
  /** One for each line. */
  readonly outcomes: readonly LineOutcome[];
}

/**
 * Shares out what an employer has paid for members: each one's loans in this sacco, the oldest unpaid instalment first, up to what may
 * be paid of each without prepaying; the rest goes to the member's wallet. A loan in recovery is left to the member, since
 * guarantors may come before it. The number of statements does not grow with the lines. Each payment is one journal; what
 * interest accrues by them is one journal for all.
 * @param keep writes what became of the lines: before `post`, which locks accounts of the sacco that other chunks wait for
 * @returns what became of each line; the wallets are locked then
 */
export async function shareOutChunk(
  tx: Tx,
  checkOff: CheckOffOfChunk,
  lines: readonly CheckOffLine[],
  keep: (paid: CheckOffPaid) => Promise<void>,
): Promise<readonly LineOutcome[]> {
  const day = nairobiDay(tx.now);
  const loansOf = await loansOfMembers(tx, checkOff.saccoId, lines);
  const payables = await lockPayableLoans(tx, loansOf, day);
  const batch = new Batch(tx, checkOff, day);
  for (const line of lines) batch.take(line, loansOf.get(line.memberId) ?? [], payables);
  const { applied, returns } = batch;
  const ofPools = await releaseGuarantees(tx, outOf(applied, day));
  await writeRepaid(tx, { day, following: new Map(), applied });
  await keep({ repayments: applied.length, outcomes: batch.outcomes });
  await tellOfRepayments(
    tx,
    applied.filter(({ allocation }) => allocation.isPaidOff),
  );
  const journals = [...applied.map(({ journal }) => journal), ...returns, ...ofPools];
  const accrual = batch.accrual();
  const results = await post(tx, [...accrual, ...journals]);
  const ids = journals.map((journal, index) => idOf(results[index + accrual.length], journal));
  await insertRepayments(tx, applied, ids.slice(0, applied.length));
  return batch.outcomes;
}

/** The loans of each member that may be paid, in the order in which they are. */
async function loansOfMembers(
  tx: Tx,
  saccoId: string,
  lines: readonly CheckOffLine[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const rows = await tx.sql<{ id: string; borrower_id: string }[]>`
    select l.id, l.borrower_id
    from unnest(${texts(lines.map(({ memberId }) => memberId))}::uuid[]) as m (id) join loans l on l.borrower_id = m.id
    where l.sacco_id = ${saccoId} and l.state in ('active', 'in_arrears', 'defaulted')
    order by l.due_on, l.id`;
  const loansOf = new Map<string, string[]>();
  for (const { id, borrower_id } of rows) {
    const own = loansOf.get(borrower_id);
    if (own) own.push(id);
    else loansOf.set(borrower_id, [id]);
  }
  return loansOf;
}

const SHARED_OUT: ReadonlySet<string> = new Set(['active', 'in_arrears', 'defaulted']);

async function lockPayableLoans(
  tx: Tx,
  loansOf: ReadonlyMap<string, readonly string[]>,
  day: string,
): Promise<ReadonlyMap<string, PayableLoan>> {
  const ids = [...loansOf.values()].flat().sort();
  if (ids.length === 0) return new Map();
  // Pools are locked before loans.
  await lockContracts(tx, ids);
  const payables = await payableLoans(tx, ids, day, { isLocking: true });
  return new Map(
    payables.filter(({ loan }) => SHARED_OUT.has(loan.state)).map((payable) => [payable.loan.id, payable]),
  );
}

/** Carries each loan on as it is paid, and keeps what is to be written. */
class Batch {
  readonly applied: Applied[] = [];
  /** What loans did not need. */
  readonly returns: JournalInput[] = [];
  readonly outcomes: LineOutcome[] = [];
  #accrued: Cents = 0;
  readonly #tx: Tx;
  readonly #of: CheckOffOfChunk;
  readonly #day: string;
  readonly #received: AccountKey;

  constructor(tx: Tx, of: CheckOffOfChunk, day: string) {
    this.#tx = tx;
    this.#of = of;
    this.#day = day;
    this.#received = checkOffAccount(of.saccoId, of.id);
  }

  take(line: CheckOffLine, loanIds: readonly string[], payables: ReadonlyMap<string, PayableLoan>): void {
    let left = line.amountCents;
    for (const id of loanIds) {
      const payable = payables.get(id);
      const most = payable ? Math.min(left, payableNow(payable.owed, this.#day)) : 0;
      if (payable && most > 0) left -= this.#pay(line, payable, most);
      if (left === 0) break;
    }
    this.outcomes.push({ line: line.line, repaid: line.amountCents - left, returned: left });
    if (left > 0) this.returns.push(this.#return(line, left));
  }

  #pay({ line }: CheckOffLine, payable: PayableLoan, amount: Cents): Cents {
    const { loan, owed } = payable;
    const allocation = allocatePayment(owed, { amount, day: this.#day, surplus: 'shorten' });
    const left = owed.principal - allocation.principal - allocation.prepaid;
    const releases = releasedBy(payable.guarantees, left, loan.amount_cents);
    const transfers = repayingTransfers(payable, this.#received, { allocation, releases });
    const journal = journalOfRepayment(this.#tx, payable, null, transfers);
    this.#accrued += payable.toAccrue + allocation.accruedNow;
    payable.apply(allocation, releases);
    this.applied.push({
      payable,
      // The list has the payer.
      repayment: { payerId: null, channel: 'check_off', key: `check_off:${this.#of.id}:${line}:${loan.id}` },
      allocation,
      releases,
      journal,
    });
    return allocation.amount;
  }

  #return({ line, memberId }: CheckOffLine, amount: Cents): JournalInput {
    const { id, saccoId } = this.#of;
    return {
      kind: 'check_off_returned',
      idempotencyKey: `check_off_returned:${id}:${line}`,
      causedBy: null,
      about: { type: 'check_off', id },
      transfers: [
        { debit: this.#received, credit: { book: saccoId, kind: 'cash', owner: null }, amount },
        { debit: settlementOf(saccoId), credit: walletOf(memberId), amount },
      ],
    };
  }

  /** Interest that is paid before the day's run has accrued it. */
  accrual(): JournalInput[] {
    const { id, saccoId, firstLine } = this.#of;
    if (this.#accrued === 0) return [];
    const own = (kind: AccountKey['kind']): AccountKey => ({ book: saccoId, kind, owner: null });
    return [
      {
        kind: 'interest_accrued',
        idempotencyKey: `interest_accrued:check_off:${id}:${firstLine}`,
        causedBy: null,
        about: { type: 'check_off', id },
        transfers: [{ debit: own('interest_receivable'), credit: own('interest_income'), amount: this.#accrued }],
      },
    ];
  }
}
