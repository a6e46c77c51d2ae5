import { type Cents, formatShillings, shillingsFromCents } from '@ushirika/contract/money';
import type { Receipt } from '@ushirika/contract/receipts';
import { Refusal } from '@ushirika/contract/refusal';
import type { MembershipState } from '@ushirika/contract/saccos';
import type { Unsaid } from '@ushirika/contract/said';
import { sentence, sharesSaid } from '@ushirika/contract/sentence';
import type { Tx } from '../../db/tx.ts';
import { PLATFORM_BOOK } from '../../ledger/ledger.types.ts';
import { postOrRefuse } from '../../ledger/post.ts';
import { notify } from '../notifications/notify.ts';
import { type LockedSacco, lockSacco } from '../saccos/lock-sacco.ts';
import { addToCounts } from '../saccos/platform-counts.ts';
import { refusalOfJoining } from './membership.rules.ts';

export interface JoinInput {
  readonly saccoId: string;
  /** The terms as they were shown to the person. */
  readonly regFeeCents: Cents;
  readonly minShares: number;
  readonly shareValueCents: Cents;
  /** The registration fee only. */
  readonly totalCents: Cents;
}

/** What a domain below wants to know of: it runs in the same transaction, after the fee is paid. */
export type AfterJoined = (
  tx: Tx,
  joined: { readonly userId: string; readonly saccoId: string; readonly membershipId: string },
) => Promise<void>;

export interface Joined {
  readonly membershipId: string;
  readonly joinedAt: Date;
  readonly saccoName: string;
  readonly minShares: number;
  readonly receipt: Unsaid<Receipt> | null;
}

/**
 * Joins a sacco at the terms that were shown: the registration fee leaves the wallet, and the person is a provisional
 * member until the minimum shares are paid. Founders join like everybody else.
 */
export async function joinSacco(
  tx: Tx,
  actor: { readonly userId: string },
  input: JoinInput,
  afterJoined: AfterJoined,
): Promise<Joined> {
  const sacco = await lockSacco(tx, input.saccoId);
  const [membership] = await tx.sql<{ state: MembershipState }[]>`
    select state from memberships where sacco_id = ${sacco.id} and user_id = ${actor.userId}`;
  const refusal = refusalOfJoining(
    {
      name: sacco.name,
      state: sacco.state,
      regFeeCents: sacco.reg_fee_cents,
      minShares: sacco.min_shares,
      shareValueCents: sacco.share_value_cents,
    },
    membership?.state ?? null,
    input,
  );
  if (refusal) throw refusal;
  await refuseOpenExit(tx, actor.userId, sacco.id);
  await refuseExpelled(tx, actor.userId, sacco.id);
  await refuseExpelledPerson(tx, actor.userId, sacco.id);
  const { id, joinings } = await enrol(tx, actor.userId, sacco.id);
  const receipt = sacco.reg_fee_cents === 0 ? null : await payFee(tx, actor.userId, sacco, id, joinings);
  await afterJoined(tx, { userId: actor.userId, saccoId: sacco.id, membershipId: id });
  await notify(tx, {
    userId: actor.userId,
    topic: 'saccos',
    template: 'sacco_joined',
    causedBy: actor.userId,
    text: sentence("You have joined {name}. Buy at least {shares} to have a member's full rights.", {
      name: sacco.name,
      shares: sharesSaid(sacco.min_shares),
    }),
  });
  await addToCounts(tx, { members: 1 }, actor.userId);
  return { membershipId: id, joinedAt: tx.now, saccoName: sacco.name, minShares: sacco.min_shares, receipt };
}

/** Shares of an earlier membership that are still being sold would have two owners' histories. */
async function refuseOpenExit(tx: Tx, userId: string, saccoId: string): Promise<void> {
  const [open] = await tx.sql`
    select from exit_requests
    where sacco_id = ${saccoId} and user_id = ${userId} and state in ('requested', 'shares_to_sell')`;
  if (open) throw new Refusal('exit_conflict');
}

async function refuseExpelled(tx: Tx, userId: string, saccoId: string): Promise<void> {
  const [expelled] = await tx.sql`
    select from expulsions where sacco_id = ${saccoId} and user_id = ${userId} and admitted_at is null`;
  if (!expelled) return;
  throw new Refusal('not_allowed', {
    message: sentence(
      'Members of this sacco have voted that you leave. You join again once they have voted to admit you.',
    ),
  });
}

/** Nor by another account that looks like theirs. */
async function refuseExpelledPerson(tx: Tx, userId: string, saccoId: string): Promise<void> {
  const [found] = await tx.sql<{ is_expelled: boolean }[]>`
    select expelled_as_another_account(${saccoId}, ${userId}) as is_expelled`;
  if (!found?.is_expelled) return;
  throw new Refusal('not_allowed', {
    message: sentence(
      'Members of this sacco have voted that somebody leaves whose account looks like one person’s with yours. You join once they have voted to admit that account again.',
    ),
  });
}

async function enrol(tx: Tx, userId: string, saccoId: string): Promise<{ id: string; joinings: number }> {
  const [row] = await tx.sql<{ id: string; joinings: number }[]>`
    insert into memberships (id, sacco_id, user_id, state, state_at, joined_at)
    values (${tx.newId()}, ${saccoId}, ${userId}, 'provisional', ${tx.now}, ${tx.now})
    on conflict (sacco_id, user_id) do update
    set state = 'provisional', state_at = excluded.state_at, joined_at = excluded.joined_at, paid_up_at = null,
        joinings = memberships.joinings + 1
    where memberships.state = 'exited'
    returning id, joinings`;
  if (!row) throw new Refusal('already_a_member');
  await tx.sql`update sacco_figures set members = members + 1 where sacco_id = ${saccoId}`;
  return row;
}

async function payFee(
  tx: Tx,
  userId: string,
  sacco: LockedSacco,
  membershipId: string,
  joinings: number,
): Promise<Unsaid<Receipt>> {
  const amount = sacco.reg_fee_cents;
  const journal = await postOrRefuse(tx, {
    kind: 'sacco_joined',
    idempotencyKey: `sacco_joined:${membershipId}:${joinings}`,
    causedBy: userId,
    about: { type: 'sacco', id: sacco.id },
    transfers: [
      {
        debit: { book: PLATFORM_BOOK, kind: 'wallet', owner: userId },
        credit: { book: PLATFORM_BOOK, kind: 'settlement', owner: sacco.id },
        amount,
      },
      {
        debit: { book: sacco.id, kind: 'cash', owner: null },
        credit: { book: sacco.id, kind: 'fee_income', owner: null },
        amount,
      },
    ],
  }).catch((error: unknown) => {
    if (!(error instanceof Refusal) || error.code !== 'insufficient_funds') throw error;
    throw new Refusal('insufficient_funds', {
      message: sentence('Not enough money in your wallet: joining costs {cost}.', {
        cost: formatShillings(shillingsFromCents(amount)),
      }),
    });
  });
  return {
    id: membershipId,
    what: sentence('Registration fee of {name}', { name: sacco.name }),
    amount: shillingsFromCents(amount),
    at: tx.now.toISOString(),
    journal,
  };
}
