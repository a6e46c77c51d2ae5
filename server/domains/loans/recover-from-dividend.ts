import type { Cents } from '@ushirika/contract/money';
import type { Tx } from '../../db/tx.ts';
import type { AccountKey, JournalInput } from '../../ledger/ledger.types.ts';
import { texts } from '../../ledger/sql-arrays.ts';
import { lockPoolsOf } from '../pools/guarantee-life.ts';
import { recoverForPool } from '../pools/recover-for-pool.ts';
import { lockSacco } from '../saccos/lock-sacco.ts';
import { isClaimed, principalOf, settlementOf, walletOf } from './loan-rows.ts';
import { closeWhenPaid, moveRecoveryOn } from './recover-loan.ts';
import { principalFirst } from './recovery.rules.ts';
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
  /** What guarantors and pools got back, who had paid for the member's loans. */
  readonly refunded: Cents;
  /** Of these, what leaves the sacco's cash for wallets. */
  readonly leavesCash: Cents;
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
 * Takes out of members' dividend what they owe of loans in recovery and written off, and to guarantors and pools of loans that are closed
 * (domain.md 4.1, waterfall). First the guarantors of all of these loans get back what they paid, then the pools. The rest is the sacco's, principal
 * first: all of it is owed at once. Locks the sacco, pools and loans; updates the claims of guarantors and pools, and posts nothing: `journals` are
 * posted by the caller, who calls `written` with their ids after that. The number of statements grows with such loans.
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

/**
 * Members of whom `takeForRecoveries` takes something, of some members of a sacco: each of their loans takes a dozen statements, some of
 * them after accounts of the sacco are locked. So few of them are paid in one transaction (pay-dividends.ts).
 */
export async function membersInRecovery(
  tx: Pick<Tx, 'sql'>,
  saccoId: string,
  members: readonly string[],
): Promise<readonly string[]> {
  const loans = await inRecovery(tx, saccoId, members);
  return [...new Set(loans.map(({ borrower_id }) => borrower_id))];
}

/** Loans in recovery or written off, and closed ones whose guarantors or pool are still owed; the longest in arrears first. */
const inRecovery = ({ sql }: Pick<Tx, 'sql'>, saccoId: string, members: readonly string[]) => sql<LateLoan[]>`
  select l.* from unnest(${texts(members)}::uuid[]) as m (id) join loans l on l.borrower_id = m.id
  where l.sacco_id = ${saccoId} and (l.state in ('recovering', 'written_off') or l.disbursed_at is not null and ${isClaimed({ sql })})
  order by l.arrears_since, l.id`;

/** The loans of `inRecovery` by member. All open loans of these members are locked with them: what is late of those is paid after these. */
async function lockLateLoans(
  tx: Tx,
  { saccoId }: DividendHeld,
  lines: readonly ShareOutLine[],
): Promise<ReadonlyMap<string, readonly LateLoan[]>> {
  const members = lines.map(({ memberId }) => memberId);
  const found = await inRecovery(tx, saccoId, members);
  if (found.length === 0) return new Map();
  await lockSacco(tx, saccoId);
  const all = await tx.sql<{ id: string }[]>`
    select l.id from unnest(${texts(members)}::uuid[]) as m (id) join loans l on l.borrower_id = m.id
    where l.sacco_id = ${saccoId} and l.disbursed_at is not null and l.state <> 'closed'`;
  const ids = [...new Set([...found, ...all].map(({ id }) => id))];
  await lockPoolsOf(tx, { loanIds: ids });
  // At once and in one order, as everybody who locks several.
  await tx.sql`select from loans where id = any (${texts(ids)}::uuid[]) order by id for update`;
  return Map.groupBy(await inRecovery(tx, saccoId, members), ({ borrower_id }) => borrower_id);
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
    let [toLoans, refunded, leavesCash] = [0, 0, 0];
    const left = () => amountCents - toLoans - refunded;
    const keyOf = (loan: LateLoan) => `dividend:${this.#of.id}:${memberId}:${loan.id}`;
    for (const loan of loans) {
      const refund = await this.#toGuarantors(loan, left(), keyOf(loan));
      refunded += refund.cents;
      leavesCash += refund.leavesCash;
    }
    for (const loan of loans) {
      const ofPool = await this.#toPool(loan, left(), keyOf(loan));
      refunded += ofPool;
      leavesCash += ofPool;
    }
    for (const loan of loans) toLoans += this.#toLoan(loan, left(), keyOf(loan));
    this.lines.push({ line, toLoans, refunded, leavesCash });
  }

  async #toGuarantors(loan: LateLoan, cents: Cents, key: string): Promise<{ cents: Cents; leavesCash: Cents }> {
    if (cents === 0) return { cents: 0, leavesCash: 0 };
    const refund = await refundToPost(this.#tx, null, loan, { cents, key, from: this.#of.account });
    this.journals.push(...refund.journals);
    return refund;
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
    const taken = principalFirst(owed, cents);
    const sum = taken.principal + taken.interest + taken.penalty;
    if (sum === 0) return 0;
    const journal = this.#journalOf(loan, taken, key);
    this.journals.push(journal);
    this.#ofLoans.push({ loan, key, taken, journal });
    return sum;
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
      if (loan.state === 'recovering') await moveRecoveryOn(this.#tx, null, loan);
      else await closeWhenPaid(this.#tx, null, loan);
    }
  }
}
