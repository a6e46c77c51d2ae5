import { type Cents, formatShillings, shillingsFromCents } from '@ushirika/contract/money';
import type { Receipt } from '@ushirika/contract/receipts';
import { Refusal } from '@ushirika/contract/refusals';
import type { MembershipState, SaccoState } from '@ushirika/contract/saccos';
import type { Tx } from '../../db/tx.ts';
import { type JournalInput, PLATFORM_BOOK, type PostResult } from '../../ledger/ledger.types.ts';
import { errorOf, post } from '../../ledger/post.ts';
import { texts } from '../../ledger/sql-arrays.ts';

export interface SavingsDeposit {
  readonly userId: string;
  readonly saccoId: string;
  readonly amountCents: Cents;
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
 * The number of statements does not grow with the batch. Nothing is locked here: a refund happens 60 days after its
 * notice, and from the notice on nothing more is saved, so that the two never meet.
 */
export async function depositSavings(tx: Tx, deposits: readonly SavingsDeposit[]): Promise<(Receipt | Refusal)[]> {
  const standings = await standingsOf(tx, deposits);
  const answers = deposits.map((_, index) => refusalOfSaving(standings[index]));
  const journals = deposits.flatMap((deposit, index) =>
    answers[index] ? [] : [{ index, journal: savingsJournal(tx, deposit) }],
  );
  const results = await post(
    tx,
    journals.map(({ journal }) => journal),
  );
  const receipts: (Receipt | Refusal | null)[] = answers;
  for (const [position, { index, journal }] of journals.entries()) {
    const name = standings[index]?.name ?? '';
    receipts[index] = answerOf(tx, results[position] as PostResult, journal, name);
  }
  return receipts as (Receipt | Refusal)[];
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
    return new Refusal('not_found', { message: 'There is no such sacco.' });
  }
  if (standing.member_state === null || standing.member_state === 'exited') {
    return new Refusal('not_a_member', { message: `You are not a member of ${standing.name}.` });
  }
  if (standing.sacco_state !== 'active') {
    return new Refusal('sacco_inactive', { message: `${standing.name} is not active: it takes no savings now.` });
  }
  if (standing.member_state === 'leaving') {
    return new Refusal('exit_conflict', {
      message: `You have given notice to ${standing.name}. Cancel the exit to save there again.`,
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
        debit: { book: PLATFORM_BOOK, kind: 'wallet', owner: userId },
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

function answerOf(tx: Tx, result: PostResult, journal: JournalInput, saccoName: string): Receipt | Refusal {
  const amount = shillingsFromCents(journal.transfers[0]?.amount ?? 0);
  if (result.status === 'refused') {
    const error = errorOf(result.reason, journal);
    if (!(error instanceof Refusal)) throw error;
    if (error.code !== 'insufficient_funds') return error;
    return new Refusal('insufficient_funds', {
      message: `Not enough money in your wallet to save ${formatShillings(amount)}.`,
    });
  }
  return {
    id: journal.idempotencyKey.slice(-36),
    what: `Savings in ${saccoName}`,
    amount,
    at: tx.now.toISOString(),
    journal: result.journalId,
  };
}
