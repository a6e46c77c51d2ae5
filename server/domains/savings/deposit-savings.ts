import { type Cents, formatShillings, shillingsFromCents } from '@ushirika/contract/money';
import type { Receipt } from '@ushirika/contract/receipts';
import { Refusal } from '@ushirika/contract/refusal';
import type { MembershipState, SaccoState } from '@ushirika/contract/saccos';
import type { Unsaid } from '@ushirika/contract/said';
import { sentence } from '@ushirika/contract/sentence';
import type { Tx } from '../../db/tx.ts';
import { lockAccounts } from '../../ledger/balances.ts';
import { type AccountKey, type JournalInput, PLATFORM_BOOK, type PostResult } from '../../ledger/ledger.types.ts';
import { errorOf, post } from '../../ledger/post.ts';
import { texts } from '../../ledger/sql-arrays.ts';
import { allowanceOf, type Moved } from '../identity/value-moved.ts';

export interface SavingsDeposit {
  readonly userId: string;
  readonly saccoId: string;
  readonly amountCents: Cents;
  /** Who asks by hand; a standing order was agreed to with the password. */
  readonly sessionId?: string;
  /** Unique for ever: the same key saves once. Left out, the deposit gets a fresh one. */
  readonly idempotencyKey?: string;
}

interface Standing {
  readonly name: string;
  readonly sacco_state: SaccoState;
  readonly member_state: MembershipState | null;
}

/**
 * Moves money from wallets into savings, each as if alone and in the order given: a receipt, or the refusal of that one.
 * The number of statements does not grow with the batch. No sacco is locked: a refund happens 60 days after its
 * notice, and from the notice on nothing more is saved, so that the two never meet. What an old session may move is judged
 * under the wallets' locks.
 */
export async function depositSavings(
  tx: Tx,
  deposits: readonly SavingsDeposit[],
): Promise<(Unsaid<Receipt> | Refusal)[]> {
  const standings = await standingsOf(tx, deposits);
  const answers = deposits.map((_, index) => refusalOfSaving(standings[index]));
  const possible = deposits.flatMap((deposit, index) =>
    answers[index] ? [] : [{ index, deposit, journal: savingsJournal(tx, deposit) }],
  );
  const accounts = await lockAccounts(
    tx,
    possible.flatMap(({ journal }) => journal.transfers.flatMap(({ debit, credit }) => [debit, credit])),
  );
  const allowance = await allowanceOf(
    tx,
    deposits.flatMap((deposit) => movedBy(deposit) ?? []),
  );
  const wallets = new Map<string, Cents>();
  const taken = new Map<number, Moved | null>();
  const allowed = possible.filter(({ index, deposit }) => {
    const { userId, amountCents } = deposit;
    const left = wallets.get(userId) ?? accounts.balanceOf(walletAccountOf(userId));
    // What the wallet lacks, those before in the batch counted, is refused as that: nobody is asked for a password in vain.
    if (left < amountCents) return true;
    const moved = movedBy(deposit);
    answers[index] = moved && allowance.take(moved);
    if (answers[index] !== null) return false;
    wallets.set(userId, left - amountCents);
    taken.set(index, moved);
    return true;
  });
  const results = await post(
    tx,
    allowed.map(({ journal }) => journal),
    accounts,
  );
  const receipts: (Unsaid<Receipt> | Refusal | null)[] = answers;
  for (const [position, { index, journal }] of allowed.entries()) {
    const result = results[position] as PostResult;
    const moved = taken.get(index);
    if (moved && result.status === 'refused') allowance.giveBack(moved);
    receipts[index] = answerOf(tx, result, journal, standings[index]?.name ?? '');
  }
  await allowance.write();
  return receipts as (Unsaid<Receipt> | Refusal)[];
}

const walletAccountOf = (owner: string): AccountKey => ({ book: PLATFORM_BOOK, kind: 'wallet', owner });

function movedBy({ userId, sessionId, amountCents: cents }: SavingsDeposit): Moved | null {
  return sessionId === undefined ? null : { userId, sessionId, cents };
}

async function standingsOf(tx: Tx, deposits: readonly SavingsDeposit[]): Promise<(Standing | undefined)[]> {
  const rows = await tx.sql<(Standing & { place: number })[]>`
    select asked.place, s.name, s.state as sacco_state, m.state as member_state
    from unnest(${texts(deposits.map(({ userId }) => userId))}::uuid[],
                ${texts(deposits.map(({ saccoId }) => saccoId))}::uuid[]) with ordinality as asked (user_id, sacco_id, place)
    join saccos s on s.id = asked.sacco_id
    left join memberships m on m.sacco_id = asked.sacco_id and m.user_id = asked.user_id`;
  const standings = new Array<Standing | undefined>(deposits.length);
  for (const row of rows) standings[Number(row.place) - 1] = row;
  return standings;
}

/** The first reason against saving in a sacco, or null. */
export function refusalOfSaving(standing: Standing | undefined): Refusal | null {
  if (!standing || standing.sacco_state === 'rejected') {
    return new Refusal('not_found', { message: sentence('There is no such sacco.') });
  }
  if (standing.member_state === null || standing.member_state === 'exited') {
    return new Refusal('not_a_member', {
      message: sentence('You are not a member of {name}.', { name: standing.name }),
    });
  }
  if (standing.sacco_state !== 'active') {
    return new Refusal('sacco_inactive', {
      message: sentence('{name} is not active: it takes no savings now.', { name: standing.name }),
    });
  }
  if (standing.member_state === 'leaving') {
    return new Refusal('exit_conflict', {
      message: sentence('You have given notice to {name}. Cancel the exit to save there again.', {
        name: standing.name,
      }),
    });
  }
  return null;
}

function savingsJournal(tx: Tx, deposit: SavingsDeposit): JournalInput {
  const { userId, saccoId, amountCents: amount } = deposit;
  return {
    kind: 'savings_deposited',
    idempotencyKey: deposit.idempotencyKey ?? `savings_deposited:${tx.newId()}`,
    causedBy: userId,
    about: { type: 'sacco', id: saccoId },
    transfers: [
      {
        debit: walletAccountOf(userId),
        credit: { book: PLATFORM_BOOK, kind: 'settlement', owner: saccoId },
        amount,
      },
      {
        debit: { book: saccoId, kind: 'cash', owner: null },
        credit: { book: saccoId, kind: 'deposits', owner: userId },
        amount,
      },
    ],
  };
}

function answerOf(tx: Tx, result: PostResult, journal: JournalInput, saccoName: string): Unsaid<Receipt> | Refusal {
  const amount = shillingsFromCents(journal.transfers[0]?.amount ?? 0);
  if (result.status === 'refused') {
    const error = errorOf(result.reason, journal);
    if (!(error instanceof Refusal)) throw error;
    if (error.code !== 'insufficient_funds') return error;
    return new Refusal('insufficient_funds', {
      message: sentence('Not enough money in your wallet to save {amount}.', { amount: formatShillings(amount) }),
    });
  }
  return {
    id: journal.idempotencyKey.slice(-36),
    what: sentence('Savings in {name}', { name: saccoName }),
    amount,
    at: tx.now.toISOString(),
    journal: result.journalId,
  };
}
