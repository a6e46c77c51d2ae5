import { formatShillings, shillingsFromCents } from '@ushirika/contract/money';
import type { Receipt } from '@ushirika/contract/receipts';
import { Refusal } from '@ushirika/contract/refusal';
import type { MembershipState } from '@ushirika/contract/saccos';
import type { Unsaid } from '@ushirika/contract/said';
import { sentence, sharesSaid } from '@ushirika/contract/sentence';
import { HOLDING_LIMIT_FROM, type Holding } from '@ushirika/contract/shares';
import type { Tx } from '../../db/tx.ts';
import { lockAccounts } from '../../ledger/balances.ts';
import { type AccountKey, type JournalInput, PLATFORM_BOOK, type PostResult } from '../../ledger/ledger.types.ts';
import type { LockedAccounts } from '../../ledger/locked-accounts.ts';
import { post } from '../../ledger/post.ts';
import { integers, texts } from '../../ledger/sql-arrays.ts';
import { type Allowance, allowanceOf, type Moved } from '../identity/value-moved.ts';
import { lockSaccos } from '../saccos/lock-sacco.ts';
import { saccosWithoutSales, salesWait } from '../saccos/terms-that-wait.ts';
import {
  applyPurchase,
  limitNow,
  type MemberNow,
  type Purchase,
  qualifiedChange,
  refusalOfPurchase,
  type SaccoNow,
} from './shares.rules.ts';

export interface SharePurchase extends Purchase {
  readonly userId: string;
  readonly saccoId: string;
  /** Who asks by hand, so that an old session buys for a small sum alone. */
  readonly sessionId?: string;
  /** Why the register says that it was: without, that the member bought them. */
  readonly reason?: 'dividend';
}

export interface Bought {
  readonly receipt: Unsaid<Receipt>;
  readonly holding: Holding;
}

/**
 * Buys shares from saccos at their share value, each purchase as if alone and in the order given, the effects of those
 * before it included: a receipt, or the refusal of that one. The number of statements does not grow with the batch.
 *
 * The saccos' locks come first, then every account that is decided by, then the journals; so nothing that a purchase was
 * judged by can change before it is written.
 */
export async function buyShares(tx: Tx, purchases: readonly SharePurchase[]): Promise<(Bought | Refusal)[]> {
  const scene = await setScene(tx, purchases);
  const judged = purchases.map((purchase) => judge(tx, scene, purchase));
  const accepted = judged.filter((answer): answer is Accepted => !(answer instanceof Refusal));
  if (accepted.length > 0) {
    const results = await post(
      tx,
      accepted.map(({ journal }) => journal),
      scene.accounts,
    );
    accepted.forEach((purchase, index) => {
      purchase.journalId = journalIdOf(results[index], purchase.journal);
    });
    await scene.allowance.write();
    await enter(tx, accepted);
  }
  return judged.map((answer) => (answer instanceof Refusal ? answer : boughtOf(tx, answer)));
}

/** Everything that purchases are judged by, as it stands while the locks are held. */
interface Scene {
  readonly saccos: ReadonlyMap<string, SaccoNow>;
  readonly members: ReadonlyMap<string, MemberNow>;
  /** Cents by user. */
  readonly wallets: Map<string, number>;
  readonly accounts: LockedAccounts;
  readonly allowance: Allowance;
}

interface Accepted {
  readonly purchase: SharePurchase;
  readonly movementId: string;
  readonly journal: JournalInput;
  readonly sacco: SaccoNow;
  readonly membership: MembershipState;
  readonly sharesAfter: number;
  readonly held: number;
  readonly isFirst: boolean;
  /** Who now holds the minimum shares, which fewer did before. */
  readonly isQualifying: boolean;
  readonly isPaidUp: boolean;
  journalId: string;
}

const memberKey = ({ userId, saccoId }: { readonly userId: string; readonly saccoId: string }) =>
  `${saccoId} ${userId}`;

async function setScene(tx: Tx, purchases: readonly SharePurchase[]): Promise<Scene> {
  const locked = await lockSaccos(
    tx,
    purchases.map(({ saccoId }) => saccoId),
  );
  const [memberships, withoutSales] = await Promise.all([
    membershipsOf(tx, purchases),
    saccosWithoutSales(tx, tx.now, [...locked.keys()]),
  ]);
  // Only what can become a purchase opens or locks accounts: one that is refused leaves nothing behind.
  const pairs = [...memberships].flatMap(([key, { state }]) => {
    const [saccoId = '', userId = ''] = key.split(' ');
    const mayBuy = state === 'provisional' || state === 'active';
    return mayBuy && locked.get(saccoId)?.state === 'active' ? [{ saccoId, userId }] : [];
  });
  const users = [...new Set(pairs.map(({ userId }) => userId))];
  const saccoIds = [...new Set(pairs.map(({ saccoId }) => saccoId))];
  const accounts = await lockAccounts(tx, [
    ...users.map((owner) => walletAccountOf(owner)),
    ...saccoIds.flatMap((saccoId) => accountsOfSacco(saccoId)),
    ...pairs.map(({ saccoId, userId }): AccountKey => ({ book: saccoId, kind: 'holding', owner: userId })),
  ]);
  const issuedAt = (book: string) =>
    saccoIds.includes(book) ? accounts.balanceOf({ book, kind: 'shares_issued', owner: null }) : 0;
  return {
    accounts,
    allowance: await allowanceOf(
      tx,
      purchases.flatMap((purchase) => movedBy(purchase) ?? []),
    ),
    wallets: new Map(users.map((userId) => [userId, accounts.balanceOf(walletAccountOf(userId))])),
    members: new Map([
      ...[...memberships].map(([key, { state: membership, held }]): [string, MemberNow] => [
        key,
        { membership, shares: 0, held },
      ]),
      ...pairs.map((pair): [string, MemberNow] => {
        const { state, held } = memberships.get(memberKey(pair)) ?? { state: null, held: 0 };
        const free = accounts.balanceOf({ book: pair.saccoId, kind: 'holding', owner: pair.userId });
        return [memberKey(pair), { membership: state, shares: free + held, held }];
      }),
    ]),
    saccos: new Map(
      [...locked].map(([id, sacco]) => [
        id,
        {
          name: sacco.name,
          state: sacco.state,
          minShares: sacco.min_shares,
          shareValueCents: sacco.share_value_cents,
          salesWait: withoutSales.has(id) ? salesWait(sacco.name) : null,
          issued: issuedAt(id),
          limit: limitNow(sacco),
        },
      ]),
    ),
  };
}

interface MembershipNow {
  readonly state: MembershipState;
  /** Shares that open orders hold. Whoever moves them has the sacco's lock, which is ours now. */
  readonly held: number;
}

async function membershipsOf(tx: Tx, purchases: readonly SharePurchase[]): Promise<Map<string, MembershipNow>> {
  const rows = await tx.sql<(MembershipNow & { sacco_id: string; user_id: string })[]>`
    select distinct m.sacco_id, m.user_id, m.state, coalesce(h.balance, 0)::bigint as held
    from unnest(${texts(purchases.map(({ saccoId }) => saccoId))}::uuid[],
                ${texts(purchases.map(({ userId }) => userId))}::uuid[]) as asked (sacco_id, user_id)
    join memberships m on m.sacco_id = asked.sacco_id and m.user_id = asked.user_id
    left join accounts h on h.book_id = m.sacco_id and h.kind = 'holding_hold' and h.owner_id = m.user_id`;
  return new Map(
    rows.map(({ sacco_id, user_id, state, held }) => [
      memberKey({ userId: user_id, saccoId: sacco_id }),
      { state, held: Number(held) },
    ]),
  );
}

function walletAccountOf(userId: string): AccountKey {
  return { book: PLATFORM_BOOK, kind: 'wallet', owner: userId };
}

/** What a purchase moves besides the member's own: all are locked at once, in one order. */
function accountsOfSacco(saccoId: string): AccountKey[] {
  return [
    { book: saccoId, kind: 'shares_issued', owner: null },
    { book: saccoId, kind: 'cash', owner: null },
    { book: saccoId, kind: 'share_capital', owner: null },
    { book: PLATFORM_BOOK, kind: 'settlement', owner: saccoId },
  ];
}

function judge(tx: Tx, scene: Scene, purchase: SharePurchase): Accepted | Refusal {
  const sacco = scene.saccos.get(purchase.saccoId);
  const member = scene.members.get(memberKey(purchase)) ?? { membership: null, shares: 0, held: 0 };
  const refusal = refusalOfPurchase(sacco, member, purchase);
  if (refusal || !sacco) return refusal ?? new Refusal('not_found');
  const wallet = scene.wallets.get(purchase.userId) ?? 0;
  if (wallet < purchase.amountCents) {
    const cost = formatShillings(shillingsFromCents(purchase.amountCents));
    return new Refusal('insufficient_funds', {
      message: sentence('Not enough money in your wallet: these shares cost {cost}.', { cost }),
    });
  }
  const moved = movedBy(purchase);
  const unproven = moved && scene.allowance.take(moved);
  if (unproven) return unproven;
  const before = { ...member };
  applyPurchase(sacco, member, purchase);
  scene.wallets.set(purchase.userId, wallet - purchase.amountCents);
  const movementId = tx.newId();
  return {
    purchase,
    movementId,
    journal: purchaseJournal(purchase, movementId),
    sacco,
    membership: member.membership ?? 'provisional',
    sharesAfter: member.shares,
    held: member.held,
    isFirst: before.shares === 0,
    isQualifying: qualifiedChange(before.shares, member.shares, sacco.minShares) > 0,
    isPaidUp: before.membership === 'provisional' && member.membership === 'active',
    journalId: '',
  };
}

function movedBy({ userId, sessionId, amountCents: cents }: SharePurchase): Moved | null {
  return sessionId === undefined ? null : { userId, sessionId, cents };
}

function purchaseJournal({ userId, saccoId, shares, amountCents }: SharePurchase, movementId: string): JournalInput {
  return {
    kind: 'shares_bought',
    idempotencyKey: `shares_bought:${movementId}`,
    causedBy: userId,
    about: { type: 'share_movement', id: movementId },
    transfers: [
      {
        debit: walletAccountOf(userId),
        credit: { book: PLATFORM_BOOK, kind: 'settlement', owner: saccoId },
        amount: amountCents,
      },
      {
        debit: { book: saccoId, kind: 'cash', owner: null },
        credit: { book: saccoId, kind: 'share_capital', owner: null },
        amount: amountCents,
      },
      {
        debit: { book: saccoId, kind: 'shares_issued', owner: null },
        credit: { book: saccoId, kind: 'holding', owner: userId },
        amount: shares,
      },
    ],
  };
}

/** The accounts were locked and judged: a refusal now is a fault, and the batch queue tries each purchase alone. */
function journalIdOf(result: PostResult | undefined, journal: JournalInput): string {
  if (result?.status === 'posted') return result.journalId;
  throw new Error(`The journal ${journal.idempotencyKey} was judged and then ${result?.status ?? 'lost'}.`);
}

/** Enters the purchases in the register, the legal act, and brings memberships and figures in line. */
async function enter(tx: Tx, accepted: readonly Accepted[]): Promise<void> {
  const column = <T>(of: (purchase: Accepted) => T) => accepted.map(of);
  await tx.sql`
    insert into share_movements (id, sacco_id, user_id, reason, shares, shares_after, amount_cents, journal_id, caused_by,
                                 moved_at)
    select id, sacco_id, user_id, reason, shares, shares_after, amount_cents, journal_id, user_id, ${tx.now}
    from unnest(
      ${texts(column(({ movementId }) => movementId))}::uuid[],
      ${texts(column(({ purchase }) => purchase.saccoId))}::uuid[],
      ${texts(column(({ purchase }) => purchase.userId))}::uuid[],
      ${texts(column(({ purchase }) => purchase.reason ?? 'bought_from_sacco'))}::text[],
      ${integers(column(({ purchase }) => purchase.shares))}::bigint[],
      ${integers(column(({ sharesAfter }) => sharesAfter))}::bigint[],
      ${integers(column(({ purchase }) => purchase.amountCents))}::bigint[],
      ${integers(column(({ journalId }) => Number(journalId)))}::bigint[]
    ) with ordinality as entry (id, sacco_id, user_id, reason, shares, shares_after, amount_cents, journal_id, place)
    order by place`;
  const paidUp = accepted.filter(({ isPaidUp }) => isPaidUp);
  if (paidUp.length > 0) {
    await tx.sql`
      update memberships m set state = 'active', state_at = ${tx.now}, paid_up_at = ${tx.now}
      from unnest(${texts(paidUp.map(({ purchase }) => purchase.saccoId))}::uuid[],
                  ${texts(paidUp.map(({ purchase }) => purchase.userId))}::uuid[]) as paid (sacco_id, user_id)
      where m.sacco_id = paid.sacco_id and m.user_id = paid.user_id and m.state = 'provisional'`;
  }
  await countHolders(
    tx,
    accepted.filter(({ isFirst, isQualifying }) => isFirst || isQualifying),
  );
}

/** The holders of each sacco; the tenth with the minimum shares dates the limit of one fifth, which then stays. */
async function countHolders(tx: Tx, newcomers: readonly Accepted[]): Promise<void> {
  if (newcomers.length === 0) return;
  await tx.sql`
    update sacco_figures f
    set share_holders = f.share_holders + grown.holders, qualified_holders = f.qualified_holders + grown.qualified,
      holding_limit_since = coalesce(f.holding_limit_since,
        case when f.qualified_holders + grown.qualified >= ${HOLDING_LIMIT_FROM} then ${tx.now}::timestamptz end)
    from (
      select sacco_id, sum(is_first)::int as holders, sum(is_qualifying)::int as qualified
      from unnest(
        ${texts(newcomers.map(({ purchase }) => purchase.saccoId))}::uuid[],
        ${integers(newcomers.map(({ isFirst }) => Number(isFirst)))}::bigint[],
        ${integers(newcomers.map(({ isQualifying }) => Number(isQualifying)))}::bigint[]
      ) as newcomer (sacco_id, is_first, is_qualifying)
      group by sacco_id
    ) grown
    where f.sacco_id = grown.sacco_id`;
}

function boughtOf(tx: Tx, accepted: Accepted): Bought {
  const { purchase, sacco, sharesAfter, held } = accepted;
  return {
    receipt: {
      id: accepted.movementId,
      what: sentence('{shares} of {name}', { shares: sharesSaid(purchase.shares), name: sacco.name }),
      amount: shillingsFromCents(purchase.amountCents),
      at: tx.now.toISOString(),
      journal: accepted.journalId,
    },
    holding: {
      sacco: purchase.saccoId,
      shares: sharesAfter,
      held,
      share_value: shillingsFromCents(sacco.shareValueCents),
      value: shillingsFromCents(sharesAfter * sacco.shareValueCents),
      min_shares: sacco.minShares,
      membership: accepted.membership,
    },
  };
}
