import type { Cents } from '@ushirika/contract/money';
import { nairobiDay } from '@ushirika/contract/time';
import type { Tx } from '../../db/tx.ts';
import type { AccountKey, JournalInput } from '../../ledger/ledger.types.ts';
import { post } from '../../ledger/post.ts';
import { texts } from '../../ledger/sql-arrays.ts';
import { lockContracts, releaseGuarantees } from '../pools/guarantee-life.ts';
import { allocateOrClose } from './closing.rules.ts';
import { journalsBeside } from './closing.ts';
import { type Counted, owedWhenMade } from './counted-day.rules.ts';
import { countedOf } from './counted-day.ts';
import { settlementOf, walletOf } from './loan-rows.ts';
import {
  allOwed,
  type Following,
  followingOf,
  needsComing,
  owedWith,
  type PayableLoan,
  payableLoans,
} from './payable-loans.ts';
import {
  carryOn,
  excusedUntilOf,
  idOf,
  journalOfRepayment,
  outOf,
  releasedBy,
  repayingTransfers,
} from './repay-loans.ts';
import type { OwedLoan } from './repayment.rules.ts';
import { tellOfRepayments, tellOfTakenBack } from './tell-of-loans.ts';
import { type Applied, insertRepayments, writeRepaid } from './write-repayments.ts';

/** Where the money of many members is that is shared out, and how its journals name it. */
export interface ShareOutSource {
  readonly saccoId: string;
  readonly account: AccountKey;
  readonly about: JournalInput['about'];
  readonly channel: 'check_off' | 'dividend';
  /** The journal of what goes to a wallet. */
  readonly returned: 'check_off_returned' | 'dividend_paid';
  /** Names a member's part for ever; with the loan it is the key of what it pays of it. */
  readonly keyOf: (line: ShareOutLine) => string;
  /** Names the chunk. */
  readonly chunkKey: string;
  /** The day on which an employer paid it; others count today. */
  readonly paidByEmployerOn?: string;
  /** The most that is paid of a loan. */
  readonly mostOf: (owed: OwedLoan, day: string) => Cents;
  /** What was taken of the lines before: it is posted together with what they pay. */
  readonly before?: PaidBefore;
}

/** What was taken of lines before their loans are paid. The claims of those who get it are updated already. */
export interface PaidBefore {
  readonly journals: readonly JournalInput[];
  /**
   * Updates the loans that were paid, which need the journals' ids.
   * @param journalIds of the journals, in their order
   */
  readonly written: (journalIds: readonly string[]) => Promise<void>;
}

export interface ShareOutLine {
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

export interface SharedOut {
  readonly repayments: number;
  /** One for each line. */
  readonly outcomes: readonly LineOutcome[];
}

/**
 * Shares out what an employer has paid for members, or what they get of a dividend: each one's loans in this sacco, the oldest unpaid
 * instalment first, up to what the source pays of each; the rest goes to the member's wallet. A loan in recovery is left to the member, since
 * guarantors may come before it, unless the source took its part before. The number of statements does not grow with the lines, but for what
 * `before` writes. Each payment is one journal; what interest accrues by them is one journal for all.
 * @param keep writes what became of the lines: before `post`, which locks accounts of the sacco that other chunks wait for
 * @returns what became of each line; the wallets are locked then
 */
export async function shareOutChunk(
  tx: Tx,
  source: ShareOutSource,
  lines: readonly ShareOutLine[],
  keep: (paid: SharedOut) => Promise<void>,
): Promise<readonly LineOutcome[]> {
  const day = nairobiDay(tx.now);
  const loansOf = await loansOfMembers(tx, source.saccoId, lines);
  const payables = await lockPayableLoans(tx, loansOf, day);
  const loans = [...payables.keys()];
  const on = source.paidByEmployerOn;
  const counted = await countedOf(
    tx,
    loans.map((loanId) => (on === undefined ? null : { loanId, on, isOfEmployer: true })),
    day,
  );
  const following = await followingOf(tx, paidAhead([...payables.values()], lines, day));
  const batch = new Batch(tx, source, {
    day,
    following,
    counted: new Map(loans.map((id, index) => [id, counted[index] ?? null])),
  });
  for (const line of lines) batch.take(line, loansOf.get(line.memberId) ?? [], payables);
  const { applied, returns } = batch;
  const ofPools = await releaseGuarantees(tx, outOf(applied, day));
  await writeRepaid(tx, { day, following, applied });
  await keep({ repayments: applied.length, outcomes: batch.outcomes });
  await tellOfRepayments(
    tx,
    applied.filter(({ allocation }) => allocation.isPaidOff),
  );
  await tellOfTakenBack(tx, applied);
  const { before = { journals: [], written: async () => {} } } = source;
  const paid = applied.map(({ journal }) => journal);
  const journals = [...paid, ...before.journals, ...journalsBeside(applied), ...returns, ...ofPools];
  const accrual = batch.accrual();
  const results = await post(tx, [...accrual, ...journals]);
  const ids = journals.map((journal, index) => idOf(results[index + accrual.length], journal));
  await insertRepayments(tx, applied, ids.slice(0, applied.length));
  await before.written(ids.slice(applied.length, applied.length + before.journals.length));
  return batch.outcomes;
}

/** The loans of each member that may be paid, in the order in which they are. */
async function loansOfMembers(
  tx: Tx,
  saccoId: string,
  lines: readonly ShareOutLine[],
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

/** Loans that may be paid in advance, or paid off. */
function paidAhead(payables: readonly PayableLoan[], lines: readonly ShareOutLine[], day: string): PayableLoan[] {
  const ofMember = new Map<string, Cents>();
  for (const { memberId, amountCents } of lines) ofMember.set(memberId, (ofMember.get(memberId) ?? 0) + amountCents);
  return payables.filter((payable) => needsComing(payable, ofMember.get(payable.loan.borrower_id) ?? 0, day));
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
  readonly #of: ShareOutSource;
  readonly #day: string;
  readonly #following: Following;
  readonly #counted: ReadonlyMap<string, Counted | null>;

  constructor(
    tx: Tx,
    of: ShareOutSource,
    found: {
      readonly day: string;
      readonly following: Following;
      readonly counted: ReadonlyMap<string, Counted | null>;
    },
  ) {
    this.#tx = tx;
    this.#of = of;
    this.#day = found.day;
    this.#following = found.following;
    this.#counted = found.counted;
  }

  take(line: ShareOutLine, loanIds: readonly string[], payables: ReadonlyMap<string, PayableLoan>): void {
    let left = line.amountCents;
    for (const id of loanIds) {
      const payable = payables.get(id);
      const owed = payable && owedWhenMade(payable.owed, this.#counted.get(id) ?? null);
      const most = owed ? Math.min(left, this.#of.mostOf(owed, this.#day)) : 0;
      if (payable && most > 0) left -= this.#pay(line, payable, most);
      if (left === 0) break;
    }
    this.outcomes.push({ line: line.line, repaid: line.amountCents - left, returned: left });
    if (left > 0) this.returns.push(this.#return(line, left));
  }

  #pay(line: ShareOutLine, payable: PayableLoan, amount: Cents): Cents {
    const { loan } = payable;
    const owed = owedWith(payable, this.#following);
    const counted = this.#counted.get(loan.id) ?? null;
    const payment = { amount, day: this.#day, surplus: loan.surplus };
    const shared = allocateOrClose(owed, payment, counted, loan.tolerance_cents);
    const { allocation, settled, back, forgiven } = shared;
    const left = owed.principal - settled.principal - settled.prepaid;
    const releases = releasedBy(payable, left);
    const transfers = repayingTransfers(payable, this.#of.account, { allocation, releases });
    const journal = journalOfRepayment(this.#tx, payable, null, transfers);
    this.#accrued += payable.toAccrue;
    carryOn(payable, this.#following, shared, releases);
    this.applied.push({
      payable,
      back,
      forgiven,
      countsOn: counted !== null && counted.on < this.#day ? counted.on : null,
      // The list has the payer.
      repayment: {
        payerId: null,
        channel: this.#of.channel,
        key: `${this.#of.channel}:${this.#of.keyOf(line)}:${loan.id}`,
      },
      allocation,
      releases,
      journal,
      owedAfter: allOwed(payable),
      excusedUntil: excusedUntilOf(payable, settled),
    });
    return allocation.amount;
  }

  #return(line: ShareOutLine, amount: Cents): JournalInput {
    const { saccoId, account, about, returned, keyOf } = this.#of;
    return {
      kind: returned,
      idempotencyKey: `${returned}:${keyOf(line)}`,
      causedBy: null,
      about,
      transfers: [
        { debit: account, credit: { book: saccoId, kind: 'cash', owner: null }, amount },
        { debit: settlementOf(saccoId), credit: walletOf(line.memberId), amount },
      ],
    };
  }

  /** Interest that is paid before the day's run has accrued it. */
  accrual(): JournalInput[] {
    const { saccoId, about, channel, chunkKey } = this.#of;
    if (this.#accrued === 0) return [];
    const own = (kind: AccountKey['kind']): AccountKey => ({ book: saccoId, kind, owner: null });
    return [
      {
        kind: 'interest_accrued',
        idempotencyKey: `interest_accrued:${channel}:${chunkKey}`,
        causedBy: null,
        about,
        transfers: [{ debit: own('interest_receivable'), credit: own('interest_income'), amount: this.#accrued }],
      },
    ];
  }
}
