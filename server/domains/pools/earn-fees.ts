import type { Cents } from '@ushirika/contract/money';
import { eachPart } from '../../db/each-part.ts';
import type { Database, Tx } from '../../db/tx.ts';
import { type JournalInput, PLATFORM_BOOK } from '../../ledger/ledger.types.ts';
import { post } from '../../ledger/post.ts';
import { integers, texts } from '../../ledger/sql-arrays.ts';
import { countInDay } from './pool-days.ts';
import {
  type ContractRow,
  changeMembers,
  changePools,
  type LockRow,
  lockPools,
  locksByContract,
  type MemberChange,
  positionOf,
  reserveOf,
  unearnedOf,
} from './pool-rows.ts';
import { allocate, earnedFee, splitFee } from './pools.rules.ts';

const CHUNK = 200;

/** What is earned for one month of a guarantee, and by whom. */
interface Earned {
  readonly contract: ContractRow;
  readonly month: number;
  readonly cents: Cents;
  readonly members: readonly { readonly memberId: string; readonly cents: Cents }[];
  readonly reserve: Cents;
  readonly sacco: Cents;
}

/**
 * Earns what is due of fees, month by month (A5): by the other members in proportion to their locks, by the reserve and by the sacco. The
 * rows say how many months were earned, so that a month is earned once, however often this runs. Sets of contracts, each a transaction.
 */
export async function earnFees(database: Database): Promise<void> {
  let after: Due | null = null;
  const failed: Due[] = [];
  for (;;) {
    const due: readonly Due[] = await dueAfter(database, after);
    if (due.length === 0) break;
    await earnSet(database, due).catch(() => failed.push(...due));
    after = due.at(-1) ?? null;
  }
  // A contract that goes wrong stops none but itself.
  await eachPart(failed.map((one) => () => earnSet(database, [one])));
}

interface Due {
  readonly id: string;
  readonly pool_id: string;
  readonly earns_at: Date;
}

const dueAfter = (database: Database, last: Due | null) => database.sql<Due[]>`
  select id, pool_id, earns_at from pool_contracts
  where earns_at <= ${database.now()} and (${last === null} or (earns_at, id) > (${last?.earns_at ?? null}::timestamptz, ${last?.id ?? null}::uuid))
  order by earns_at, id limit ${CHUNK}`;

async function earnSet(database: Database, due: readonly Due[]): Promise<void> {
  await database.transaction(async (tx) => {
    await lockPools(
      tx,
      due.map(({ pool_id }) => pool_id),
    );
    const contracts = await tx.sql<ContractRow[]>`
      select * from pool_contracts
      where id = any (${texts(due.map(({ id }) => id))}::uuid[]) and earns_at <= ${tx.now} order by id`;
    const journals = await earn(
      tx,
      contracts.map((contract) => ({ contract, months: monthsPassed(contract, tx.now) })),
    );
    await postJournals(tx, journals);
  });
}

/** Posts what pools move: fees, calls, releases, recoveries. One that is refused is an error, and ends the transaction. */
export async function postJournals(tx: Tx, journals: readonly JournalInput[]): Promise<void> {
  if (journals.length === 0) return;
  const results = await post(tx, journals);
  const refused = results.findIndex(({ status }) => status === 'refused');
  if (refused >= 0) throw new Error(`The journal ${journals[refused]?.idempotencyKey} was refused.`);
}

/** Whole months since the loan was paid out, at most those of the guarantee. */
export function monthsPassed(
  { activated_at, months }: Pick<ContractRow, 'activated_at' | 'months'>,
  now: Date,
): number {
  if (activated_at === null) return 0;
  let passed = 0;
  while (passed < months && monthAfter(activated_at, passed + 1) <= now) passed += 1;
  return passed;
}

/** The same day of a later month, or its last day; by the clock of Nairobi, which has no summer time. */
export function monthAfter(at: Date, months: number): Date {
  const OFFSET_MS = 3 * 3_600_000;
  const local = new Date(at.getTime() + OFFSET_MS);
  const day = local.getUTCDate();
  const moved = new Date(local);
  moved.setUTCDate(1);
  moved.setUTCMonth(moved.getUTCMonth() + months);
  const lastDay = new Date(Date.UTC(moved.getUTCFullYear(), moved.getUTCMonth() + 1, 0)).getUTCDate();
  moved.setUTCDate(Math.min(day, lastDay));
  return new Date(moved.getTime() - OFFSET_MS);
}

/**
 * Earns each contract up to a month, whose pools are locked. Writes the rows and gives the journals to post. A constant number of
 * statements.
 */
export async function earn(
  tx: Tx,
  due: readonly { readonly contract: ContractRow; readonly months: number }[],
): Promise<JournalInput[]> {
  const behind = due.filter(({ contract, months }) => months > contract.months_earned);
  if (behind.length === 0) return [];
  const locks = await locksByContract(
    tx,
    behind.map(({ contract }) => contract.id),
  );
  const earned = behind.flatMap(({ contract, months }) => earnedOf(contract, months, locks.get(contract.id) ?? []));
  await changeMembers(
    tx,
    earned.flatMap(({ members }) =>
      members.map(({ memberId, cents }): MemberChange => ({ memberId, position: cents })),
    ),
  );
  await changePools(
    tx,
    earned.map(({ contract, members, reserve, cents }) => ({
      poolId: contract.pool_id,
      positions: members.reduce((sum, share) => sum + share.cents, 0),
      reserve,
      unearned: -cents,
    })),
  );
  await writeMonths(tx, behind, earned);
  await countInDay(
    tx,
    earned.filter(({ cents }) => cents > 0).map(({ contract, cents }) => ({ poolId: contract.pool_id, earned: cents })),
  );
  return earned.filter(({ cents }) => cents > 0).map(journalOf);
}

function earnedOf(contract: ContractRow, months: number, locks: readonly LockRow[]): Earned[] {
  const others = locks.filter(({ member_id, current_cents }) => member_id !== contract.member_id && current_cents > 0);
  const split = { members: contract.fee_members, reserve: contract.fee_reserve, sacco: contract.fee_sacco };
  const found: Earned[] = [];
  for (let month = contract.months_earned + 1; month <= months; month += 1) {
    const upTo = (to: number) => earnedFee(contract.fee_cents, contract.months, to);
    const cents = upTo(month) - upTo(month - 1);
    const parts = splitFee(cents, split);
    const shares =
      others.length === 0
        ? []
        : allocate(
            parts.members,
            others.map(({ current_cents }) => current_cents),
          );
    found.push({
      contract,
      month,
      cents,
      members: others.flatMap(({ member_id }, index) => {
        const share = shares[index] ?? 0;
        return share > 0 ? [{ memberId: member_id, cents: share }] : [];
      }),
      // Where nobody else's money backs it, the reserve has their part.
      reserve: parts.reserve + (others.length === 0 ? parts.members : 0),
      sacco: parts.sacco,
    });
  }
  return found;
}

async function writeMonths(
  tx: Tx,
  due: readonly { readonly contract: ContractRow; readonly months: number }[],
  earned: readonly Earned[],
): Promise<void> {
  const sums = new Map<string, Cents>();
  for (const { contract, cents } of earned) sums.set(contract.id, (sums.get(contract.id) ?? 0) + cents);
  await tx.sql`
    update pool_contracts c set months_earned = d.months, fee_earned_cents = c.fee_earned_cents + d.cents, earns_at = d.next
    from unnest(${texts(due.map(({ contract }) => contract.id))}::uuid[], ${integers(due.map(({ months }) => months))}::int[],
      ${integers(due.map(({ contract }) => sums.get(contract.id) ?? 0))}::bigint[],
      ${texts(due.map(({ contract, months }) => nextAt(contract, months)))}::timestamptz[]) as d (id, months, cents, next)
    where c.id = d.id`;
}

function nextAt(contract: ContractRow, months: number): string | null {
  if (months >= contract.months || contract.activated_at === null) return null;
  return monthAfter(contract.activated_at, months + 1).toISOString();
}

function journalOf({ contract, month, members, reserve, sacco }: Earned): JournalInput {
  const fees = unearnedOf(contract.pool_id);
  const saccoId = contract.sacco_id as string;
  const settlement = { book: PLATFORM_BOOK, kind: 'settlement', owner: saccoId } as const;
  return {
    kind: 'pool_fee_earned',
    idempotencyKey: `pool_fee_earned:${contract.id}:${month}`,
    causedBy: null,
    about: { type: 'pool_contract', id: contract.id },
    transfers: [
      ...members.map(({ memberId, cents }) => ({ debit: fees, credit: positionOf(memberId), amount: cents })),
      ...(reserve > 0 ? [{ debit: fees, credit: reserveOf(contract.pool_id), amount: reserve }] : []),
      ...(sacco > 0
        ? [
            { debit: fees, credit: settlement, amount: sacco },
            {
              debit: { book: saccoId, kind: 'cash', owner: null } as const,
              credit: { book: saccoId, kind: 'fee_income', owner: null } as const,
              amount: sacco,
            },
          ]
        : []),
    ],
  };
}
