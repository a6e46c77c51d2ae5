import type { Cents } from '@ushirika/contract/money';
import type { Tx } from '../../db/tx.ts';
import type { AccountKey, JournalInput } from '../../ledger/ledger.types.ts';
import { texts } from '../../ledger/sql-arrays.ts';
import { lockPoolsOf } from '../pools/guarantee-life.ts';
import { recoverForPool } from '../pools/recover-for-pool.ts';
import { lockSacco } from '../saccos/lock-sacco.ts';
import { principalOf, settlementOf, walletOf } from './loan-rows.ts';
import { closeWhenPaid, moveRecoveryOn } from './recover-loan.ts';
import { ownSavingsTaken } from './recovery.rules.ts';
import type { LateLoan } from './recovery-facts.ts';
import { refundToPost } from './refund-guarantors.ts';
import type { PaidBefore, ShareOutLine } from './share-out-chunk.ts';
import { allocateTaken, writeTaken } from './write-recovery.ts';

/** A dividend whose members' parts are in the sacco's account. */
export interface DividendHeld {
  readonly id: string;
  readonly saccoId: string;
  readonly account: AccountKey;
}

/** What of a line went where, before its member got anything. */
export interface LineTaken {
  readonly line: number;
  /** What paid the sacco. */
  readonly toLoans: Cents;
  /** What guarantors and pools got back. */
  readonly toGuarantors: Cents;
  /** Of these, what leaves the sacco's cash for wallets. */
  readonly ofCash: Cents;
}

export interface Taken extends PaidBefore {
  readonly lines: readonly LineTaken[];
}

/** What is paid of a loan, before it has its journal. */
interface OfLoan {
  readonly loan: LateLoan;
  readonly key: string;
  readonly taken: { readonly principal: Cents; readonly interest: Cents; readonly penalty: Cents };
  readonly journal: JournalInput;
}

/**
 * Takes what members owe of loans in recovery and written off out of their dividend (domain.md 4.1, waterfall). First the guarantors get back what
 * they paid, then the pool. The rest is the sacco's, principal first: all of it is owed at once. The sacco, pools and loans are locked, and nothing is
 * posted yet. The number of statements grows with such loans, not with the lines.
 */
export async function takeForRecoveries(
  tx: Tx,
  dividend: DividendHeld,
  lines: readonly ShareOutLine[],
): Promise<Taken> {
  const loans = await lockLateLoans(tx, dividend, lines);
  const taking = new Taking(tx, dividend);
  for (const line of lines) {
    const own = loans.get(line.memberId);
    if (own) await taking.take(line, own);
  }
  return taking;
}

/** Loans of members of which more is owed than what is late, the longest in arrears first, and locked; no others. */
async function lockLateLoans(
  tx: Tx,
  { saccoId }: DividendHeld,
  lines: readonly ShareOutLine[],
): Promise<ReadonlyMap<string, readonly LateLoan[]>> {
  const members = texts(lines.map(({ memberId }) => memberId));
  const read = () => tx.sql<LateLoan[]>`
    select l.* from unnest(${members}::uuid[]) as m (id) join loans l on l.borrower_id = m.id
    where l.sacco_id = ${saccoId} and (l.state in ('recovering', 'written_off') or l.disbursed_at is not null and (
      exists (select from loan_guarantees g where g.loan_id = l.id and g.kind = 'member' and g.called_cents > g.refunded_cents)
      or exists (select from pool_contracts c where c.loan_id = l.id and c.claim_cents > c.recovered_cents)))
    order by l.arrears_since, l.id`;
  const found = await read();
  if (found.length === 0) return new Map();
  await lockSacco(tx, saccoId);
  const all = await tx.sql<{ id: string }[]>`
    select l.id from unnest(${members}::uuid[]) as m (id) join loans l on l.borrower_id = m.id
    where l.sacco_id = ${saccoId} and l.disbursed_at is not null and l.state <> 'closed'`;
  const ids = [...new Set([...found, ...all].map(({ id }) => id))];
  await lockPoolsOf(tx, { loanIds: ids });
  // All of these members' loans at once, in one order: those that are late are paid after these.
  await tx.sql`select from loans where id = any (${texts(ids)}::uuid[]) order by id for update`;
  return Map.groupBy(await read(), ({ borrower_id }) => borrower_id);
}

class Taking implements Taken {
  readonly lines: LineTaken[] = [];
  readonly journals: JournalInput[] = [];
  readonly #ofLoans: OfLoan[] = [];
  readonly #tx: Tx;
  readonly #of: DividendHeld;

  constructor(tx: Tx, of: DividendHeld) {
    this.#tx = tx;
    this.#of = of;
  }

  async take({ line, memberId, amountCents }: ShareOutLine, loans: readonly LateLoan[]): Promise<void> {
    let [toLoans, toGuarantors, ofCash] = [0, 0, 0];
    const left = () => amountCents - toLoans - toGuarantors;
    for (const loan of loans) {
      if (left() === 0) break;
      const key = `dividend:${this.#of.id}:${memberId}:${loan.id}`;
      const refund = await refundToPost(this.#tx, loan, { cents: left(), key, from: this.#of.account });
      this.journals.push(...refund.journals);
      toGuarantors += refund.cents;
      const ofPool = await this.#toPool(loan, left(), key);
      toGuarantors += ofPool;
      ofCash += refund.ofCash + ofPool;
      toLoans += this.#toLoan(loan, left(), key);
    }
    this.lines.push({ line, toLoans, toGuarantors, ofCash });
  }

  /** A pool has its own money: it comes out of the borrower's wallet, which gets it for that alone. */
  async #toPool(loan: LateLoan, cents: Cents, key: string): Promise<Cents> {
    if (cents === 0) return 0;
    const { taken, journals } = await recoverForPool(this.#tx, { loanId: loan.id, cents, causedBy: null });
    if (taken === 0) return 0;
    const { saccoId, account } = this.#of;
    this.journals.push({
      kind: 'dividend_paid',
      idempotencyKey: `dividend_paid:${key}`,
      causedBy: null,
      about: { type: 'dividend', id: this.#of.id },
      transfers: [
        { debit: account, credit: { book: saccoId, kind: 'cash', owner: null }, amount: taken },
        { debit: settlementOf(saccoId), credit: walletOf(loan.borrower_id), amount: taken },
      ],
    });
    this.journals.push(...journals);
    return taken;
  }

  #toLoan(loan: LateLoan, cents: Cents, key: string): Cents {
    if (loan.state !== 'recovering' && loan.state !== 'written_off') return 0;
    const owed = { principal: loan.principal_cents, interest: loan.interest_cents, penalty: loan.penalty_cents };
    const { principal, interest, penalty } = ownSavingsTaken(owed, { held: 0, free: cents });
    if (principal + interest + penalty === 0) return 0;
    const taken = { principal, interest, penalty };
    const journal = this.#journalOf(loan, taken, key);
    this.journals.push(journal);
    this.#ofLoans.push({ loan, key, taken, journal });
    return principal + interest + penalty;
  }

  #journalOf(loan: LateLoan, { principal, interest, penalty }: OfLoan['taken'], key: string): JournalInput {
    const { saccoId: book, account: debit } = this.#of;
    const own = (kind: AccountKey['kind']): AccountKey => ({ book, kind, owner: null });
    const isWrittenOff = loan.state === 'written_off';
    const kind = isWrittenOff ? 'recovered_after_write_off' : 'loan_repaid';
    const transfers = isWrittenOff
      ? [{ debit, credit: own('recovery_income'), amount: principal + interest + penalty }]
      : [
          { debit, credit: principalOf(loan), amount: principal },
          { debit, credit: own('interest_receivable'), amount: interest },
          { debit, credit: own('penalty_receivable'), amount: penalty },
        ];
    return {
      kind,
      idempotencyKey: `${kind}:${key}`,
      causedBy: null,
      about: { type: 'loan', id: loan.id },
      transfers: transfers.filter(({ amount }) => amount > 0),
    };
  }

  /** Writes what was paid of the loans, and closes those of which nothing is owed any more. */
  async written(journalIds: readonly string[]): Promise<void> {
    const idOf = new Map(this.journals.map((journal, index) => [journal, journalIds[index] ?? '']));
    for (const { loan, key, taken, journal } of this.#ofLoans) {
      const allocation = await allocateTaken(this.#tx, loan, taken);
      const paid = { channel: 'dividend', key } as const;
      const journalId = idOf.get(journal) ?? '';
      await writeTaken(this.#tx, loan, allocation, { journalId, byId: null, released: 0, paid });
      if (loan.state === 'recovering') await moveRecoveryOn(this.#tx, loan);
      else await closeWhenPaid(this.#tx, loan);
    }
  }
}
