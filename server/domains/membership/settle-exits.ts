import { type Cents, formatShillings, shillingsFromCents } from '@ushirika/contract/money';
import { joined, type Sentence, sentence } from '@ushirika/contract/sentence';
import type { Database, Tx } from '../../db/tx.ts';
import { balances } from '../../ledger/balances.ts';
import { type JournalInput, PLATFORM_BOOK } from '../../ledger/ledger.types.ts';
import { post } from '../../ledger/post.ts';
import { notify } from '../notifications/notify.ts';
import { amountValue, saccoValue } from '../notifications/sms-values.ts';
import type { Sms } from '../notifications/sms-words.ts';
import { type LockedSacco, lockSacco } from '../saccos/lock-sacco.ts';
import { addToCounts } from '../saccos/platform-counts.ts';
import { type ExitBlocks, type ExitRow, sharesOf } from './exit.queries.ts';
import { sharesNote } from './membership.rules.ts';
import { membershipSms } from './membership.sms.ts';
import type { OnLeaving } from './request-exit.ts';

const CHUNK = 100;

/**
 * Pays out the exits whose 60 days are over and ends the memberships of those who have sold their last share. Each exit
 * is a transaction of its own: one that cannot be paid holds up no other. What cannot be paid now is tried again at the
 * next run and shows as overdue.
 */
export async function settleExits(
  database: Database,
  exitBlocks: ExitBlocks,
  onLeaving: OnLeaving = async () => {},
): Promise<void> {
  const settling = { exitBlocks, onLeaving };
  const faults: unknown[] = [];
  for await (const exit of exitsToSettle(database)) {
    await database.transaction((tx) => settleExit(tx, exit, settling)).catch((fault) => faults.push(fault));
  }
  // The job fails for them, so that an operator sees it, after everybody else was paid.
  if (faults.length > 0) throw new AggregateError(faults, `${faults.length} exits could not be settled: ${faults[0]}`);
}

interface ExitToSettle {
  readonly id: string;
  readonly sacco_id: string;
  readonly user_id: string;
}

/** Who still has shares to sell, perhaps for years, is passed over here: no transaction each, hour by hour. */
async function* exitsToSettle(database: Database): AsyncGenerator<ExitToSettle> {
  let after = '00000000-0000-0000-0000-000000000000';
  for (;;) {
    const exits = await database.sql<ExitToSettle[]>`
      select id, sacco_id, user_id from exit_requests
      where id > ${after} and (
        (state = 'requested' and due_at <= ${database.now()})
        or (state = 'shares_to_sell' and not exists (
          select from accounts
          where book_id = sacco_id and owner_id = user_id and kind in ('holding', 'holding_hold') and balance > 0)))
      order by id limit ${CHUNK}`;
    yield* exits;
    const last = exits.at(-1);
    if (!last || exits.length < CHUNK) return;
    after = last.id;
  }
}

interface Settling {
  readonly exitBlocks: ExitBlocks;
  readonly onLeaving: OnLeaving;
}

async function settleExit(tx: Tx, found: ExitToSettle, settling: Settling): Promise<void> {
  const member = { userId: found.user_id, saccoId: found.sacco_id };
  const sacco = await lockSacco(tx, member.saccoId);
  const [exit] = await tx.sql<ExitRow[]>`select * from exit_requests where id = ${found.id} for update`;
  // Another run, or a cancellation, was first.
  if (exit?.state === 'requested' && exit.due_at <= tx.now) await refund(tx, sacco, exit, settling);
  else if (exit?.state === 'shares_to_sell' && (await sharesOf(tx, member)) === 0) {
    await complete(tx, sacco, exit, settling);
  }
}

async function refund(tx: Tx, sacco: LockedSacco, exit: ExitRow, settling: Settling): Promise<void> {
  const member = { userId: exit.user_id, saccoId: exit.sacco_id };
  const blocks = await settling.exitBlocks(tx, member);
  if (blocks.length > 0) return markOverdue(tx, sacco, exit, joined(blocks.map(({ text }) => text)));
  const [deposits = 0] = await balances(tx, [{ book: sacco.id, kind: 'deposits', owner: member.userId }]);
  if (deposits > 0) {
    const [result] = await post(tx, [refundJournal(exit, deposits)]);
    if (result?.status === 'refused') {
      if (result.reason !== 'insufficient_funds') throw new Error(`A refund was refused: ${result.reason}.`);
      return markOverdue(tx, sacco, exit, sentence('The sacco does not have the money at hand yet.'));
    }
  }
  const shares = await sharesOf(tx, member);
  await tx.sql`
    update exit_requests
    set state = 'shares_to_sell', refunded_at = ${tx.now}, refund_cents = ${deposits}, overdue_since = null
    where id = ${exit.id}`;
  await tell(
    tx,
    exit,
    refundText(sacco.name, deposits, shares),
    membershipSms.exitRefunded(saccoValue(sacco), amountValue(deposits)),
  );
  if (shares === 0) await complete(tx, sacco, exit, settling);
}

function refundText(name: string, deposits: Cents, shares: number): Sentence {
  const paid =
    deposits > 0
      ? sentence('Your savings in {name}, {amount}, are in your wallet.', {
          name,
          amount: formatShillings(shillingsFromCents(deposits)),
        })
      : sentence('You had no savings left in {name}.', { name });
  return shares > 0 ? joined([paid, sharesNote(shares)]) : paid;
}

function refundJournal(exit: ExitRow, amount: Cents): JournalInput {
  const { user_id: userId, sacco_id: saccoId } = exit;
  return {
    kind: 'deposits_refunded',
    idempotencyKey: `deposits_refunded:${exit.id}`,
    causedBy: userId,
    about: { type: 'exit_request', id: exit.id },
    transfers: [
      {
        debit: { book: saccoId, kind: 'deposits', owner: userId },
        credit: { book: saccoId, kind: 'cash', owner: null },
        amount,
      },
      {
        debit: { book: PLATFORM_BOOK, kind: 'settlement', owner: saccoId },
        credit: { book: PLATFORM_BOOK, kind: 'wallet', owner: userId },
        amount,
      },
    ],
  };
}

/** The person has left: orders, the count and the membership follow. Offices ended with the notice. */
async function complete(tx: Tx, sacco: LockedSacco, exit: ExitRow, { onLeaving }: Settling): Promise<void> {
  const { user_id: userId, sacco_id: saccoId } = exit;
  await onLeaving(tx, { userId, saccoId });
  await tx.sql`update exit_requests set state = 'completed', completed_at = ${tx.now} where id = ${exit.id}`;
  await tx.sql`
    update memberships set state = 'exited', state_at = ${tx.now} where sacco_id = ${saccoId} and user_id = ${userId}`;
  await tx.sql`update sacco_figures set members = members - 1 where sacco_id = ${saccoId}`;
  await tell(
    tx,
    exit,
    sentence('You have left {name}.', { name: sacco.name }),
    membershipSms.exitCompleted(saccoValue(sacco)),
  );
  await addToCounts(tx, { members: sacco.state === 'active' ? -1 : 0 }, userId);
}

/** Told once; shown as overdue, on the sacco's public page too, until it is paid. */
async function markOverdue(tx: Tx, sacco: LockedSacco, exit: ExitRow, why: Sentence): Promise<void> {
  if (exit.overdue_since !== null) return;
  await tx.sql`update exit_requests set overdue_since = ${tx.now} where id = ${exit.id}`;
  const text = sentence('Your savings in {name} could not be paid back yet: {why}', { name: sacco.name, why });
  await tell(tx, exit, text, membershipSms.exitOverdue(saccoValue(sacco)));
}

function tell(tx: Tx, exit: ExitRow, text: Sentence, sms: Sms): Promise<void> {
  return notify(tx, { userId: exit.user_id, topic: 'money', template: sms.template, text, sms, causedBy: null });
}
