import { type Cents, formatShillings, shillingsFromCents } from '@ushirika/contract/money';
import { DISPUTE_DAYS } from '@ushirika/contract/pools';
import { Refusal } from '@ushirika/contract/refusal';
import { sentence } from '@ushirika/contract/sentence';
import { isGuarded } from '#faults';
import type { Tx } from '../../db/tx.ts';
import { booleans, integers, texts } from '../../ledger/sql-arrays.ts';
import { amountValue } from '../notifications/sms-values.ts';
import { lockContracts } from './guarantee-life.ts';
import { stewardsOfPool } from './pool-access.ts';
import {
  addContractEvents,
  after,
  type ContractRow,
  DAY_MS,
  lockPool,
  lockPools,
  locksByContract,
  memberOf,
  type NewEvent,
} from './pool-rows.ts';
import { poolsSms } from './pools.sms.ts';
import { type PoolNotice, tellOfPools } from './tell-of-pools.ts';

const REMINDED = [30, 60, 76] as const;
export const DEMAND_DAYS = 60;
/** A demand that was taken back is not made again for so long. */
const REST_MS = 30 * DAY_MS;

export interface Late {
  readonly loanId: string;
  readonly daysPastDue: number;
}

/**
 * Loans that are late, day by day: the borrower and those whose money is locked are told after 30 days, the pool's money is demanded
 * after 60, and they are told again after 76. Each once for one delay, however often this runs. Returns the loans of which a step was taken.
 */
export async function demandGuarantees(tx: Tx, late: readonly Late[]): Promise<string[]> {
  const contracts = await lockContracts(
    tx,
    late.map(({ loanId }) => loanId),
  );
  const steps = late.flatMap(({ loanId, daysPastDue }): Step[] => {
    const contract = contracts.get(loanId);
    const day = REMINDED.findLast((each) => each <= daysPastDue);
    if (!contract || day === undefined || day <= contract.reminded_day) return [];
    const isRunning = contract.state === 'ACTIVE' || contract.state === 'RELEASING';
    if (!isRunning && contract.state !== 'DEMAND') return [];
    const isResting = contract.demand_not_before !== null && contract.demand_not_before > tx.now;
    if (day >= DEMAND_DAYS && isRunning && isResting) return [];
    return [{ contract, day, isDemand: day >= DEMAND_DAYS && isRunning }];
  });
  if (steps.length === 0) return [];
  await tx.sql`
    update pool_contracts c set reminded_day = s.day,
      state = case when s.demand then 'DEMAND' else c.state end,
      state_at = case when s.demand then ${tx.now} else c.state_at end,
      demanded_at = case when s.demand then ${tx.now} else c.demanded_at end
    from unnest(${texts(steps.map(({ contract }) => contract.id))}::uuid[], ${integers(steps.map(({ day }) => day))}::int[],
      ${booleans(steps.map(({ isDemand }) => isDemand))}::boolean[]) as s (id, day, demand)
    where c.id = s.id`;
  await addContractEvents(
    tx,
    steps.map(
      ({ contract, isDemand }): NewEvent => ({
        contractId: contract.id,
        event: isDemand ? 'demanded' : 'reminded',
        amount: contract.outstanding_cents,
      }),
    ),
  );
  await tellOfLate(tx, steps);
  return steps.map(({ contract }) => contract.loan_id as string);
}

interface Step {
  readonly contract: ContractRow;
  readonly day: number;
  readonly isDemand: boolean;
}

/** A guarantor who was not told goes to court: each is told, by SMS too, and the notice stays in their list. */
async function tellOfLate(tx: Tx, steps: readonly Step[]): Promise<void> {
  const locks = await locksByContract(
    tx,
    steps.map(({ contract }) => contract.id),
  );
  const notices = steps.flatMap(({ contract, isDemand }): PoolNotice[] => {
    const backers = (locks.get(contract.id) ?? []).filter(
      ({ user_id, current_cents }) => user_id !== contract.user_id && current_cents > 0,
    );
    const template = isDemand ? 'pool_demand' : 'pool_late';
    return [
      {
        userId: contract.user_id,
        template: `${template}_borrower`,
        text: sentence(
          'Your guaranteed loan is late. If you do not pay, the pool pays up to {outstanding}, your own position first, and you owe it.',
          { outstanding: money(contract.outstanding_cents) },
        ),
        sms: poolsSms.demandBorrower(amountValue(contract.outstanding_cents)),
      },
      ...backers.map(({ user_id, current_cents }) => ({
        userId: user_id,
        template: `${template}_backer`,
        text: sentence('A loan that your guarantor pool guarantees is late. You can lose at most {locked}.', {
          locked: money(current_cents),
        }),
        ...(isDemand ? { sms: poolsSms.demandBacker(amountValue(current_cents)) } : {}),
      })),
    ];
  });
  await tellOfPools(tx, null, notices);
}

/** For one loan, from the desk. */
export async function demandGuarantee(tx: Tx, late: Late): Promise<boolean> {
  return (await demandGuarantees(tx, [late])).length > 0;
}

/** A contract by its id, once its pool is locked. */
export async function lockContract(tx: Tx, contractId: string): Promise<ContractRow> {
  const [found] = await tx.sql<{ pool_id: string }[]>`select pool_id from pool_contracts where id = ${contractId}`;
  if (!found) throw new Refusal('not_found');
  await lockPool(tx, found.pool_id);
  const [row] = await tx.sql<ContractRow[]>`select * from pool_contracts where id = ${contractId} for update`;
  if (!row) throw new Refusal('not_found');
  return row;
}

/**
 * A steward objects to a demand: nothing is paid until the supervisory committee of the sacco has decided. The borrower does not, nor
 * after it is paid.
 * @throws Refusal `not_found`, `not_allowed`, `pool_contract_conflict`
 */
export async function disputeCall(
  tx: Tx,
  actor: { readonly userId: string },
  input: { readonly contractId: string; readonly reason: string },
): Promise<void> {
  const contract = await lockContract(tx, input.contractId);
  const stewards = await stewardsOfPool(tx, contract.pool_id);
  if (!stewards.includes(actor.userId)) throw new Refusal('not_found');
  if (contract.state !== 'DEMAND') throw new Refusal('pool_contract_conflict');
  if (contract.user_id === actor.userId) throw new Refusal('not_allowed');
  await tx.sql`
    insert into pool_disputes (id, contract_id, disputed_by, reason, disputed_at)
    values (${tx.newId()}, ${contract.id}, ${actor.userId}, ${input.reason}, ${tx.now})`;
  await tx.sql`update pool_contracts set state = 'DISPUTED', state_at = ${tx.now} where id = ${contract.id}`;
  await addContractEvents(tx, [{ contractId: contract.id, event: 'disputed', by: actor.userId, reason: input.reason }]);
  const committee = await tx.sql<{ user_id: string }[]>`
    select distinct user_id from offices
    where sacco_id = ${contract.sacco_id} and office = 'supervisory_committee' and ended_at is null and until > ${tx.now}`;
  await tellOfPools(
    tx,
    actor.userId,
    committee.map(({ user_id }) => ({
      userId: user_id,
      template: 'pool_disputed',
      text: sentence(
        'A guarantor pool disputes a demand of the sacco. Decide within 14 days: after that the demand stands.',
      ),
    })),
  );
}

/**
 * The supervisory committee decides a dispute: the demand stands and can be paid, or it is taken back and rests for 30 days. Nobody
 * decides about a guarantee of their own, one that their money backs, or a dispute that they raised.
 * @throws Refusal `not_found`, `not_allowed`, `pool_contract_conflict`
 */
export async function decideDispute(
  tx: Tx,
  actor: { readonly userId: string },
  input: {
    readonly saccoId: string;
    readonly contractId: string;
    readonly decision: 'stands' | 'taken_back';
    readonly reason: string;
  },
): Promise<void> {
  const contract = await lockContract(tx, input.contractId);
  if (contract.sacco_id !== input.saccoId) throw new Refusal('not_found');
  if (contract.state !== 'DISPUTED') throw new Refusal('pool_contract_conflict');
  const locks = (await locksByContract(tx, [contract.id])).get(contract.id) ?? [];
  const stewards = await stewardsOfPool(tx, contract.pool_id);
  const member = await memberOf(tx, contract.pool_id, actor.userId);
  const hasInterest =
    contract.user_id === actor.userId ||
    stewards.includes(actor.userId) ||
    (member?.position_cents ?? 0) > 0 ||
    locks.some(({ user_id }) => user_id === actor.userId);
  if (hasInterest && isGuarded('pools.own_dispute')) {
    throw new Refusal('not_allowed', {
      message: sentence('Your own money or your own pool is in this. Another member of the committee decides.'),
    });
  }
  await tx.sql`
    update pool_disputes set decision = ${input.decision}, decided_by = ${actor.userId}, decided_reason = ${input.reason},
      decided_at = ${tx.now}
    where contract_id = ${contract.id} and decision is null`;
  const stands = input.decision === 'stands';
  const running = contract.outstanding_cents < contract.amount_cents ? 'RELEASING' : 'ACTIVE';
  await tx.sql`
    update pool_contracts set state = ${stands ? 'CALLED' : running}, state_at = ${tx.now},
      demanded_at = ${stands ? contract.demanded_at : null}, reminded_day = ${stands ? contract.reminded_day : 0},
      demand_not_before = ${stands ? null : after(tx.now, REST_MS)}
    where id = ${contract.id}`;
  await addContractEvents(tx, [
    {
      contractId: contract.id,
      event: stands ? 'dispute_refused' : 'dispute_upheld',
      by: actor.userId,
      reason: input.reason,
    },
  ]);
}

const AT_ONCE = 200;

/**
 * Disputes that the supervisory committee has not decided for 14 days: the demand stands, and can be paid. A committee that is silent would
 * else keep the sacco from its money for ever. Returns how many there were.
 */
export async function endSilentDisputes(tx: Tx): Promise<number> {
  const due = await tx.sql<{ id: string; contract_id: string; pool_id: string }[]>`
    select d.id, d.contract_id, c.pool_id from pool_disputes d join pool_contracts c on c.id = d.contract_id
    where d.decision is null and d.disputed_at <= ${after(tx.now, -DISPUTE_DAYS * DAY_MS)}
    order by d.disputed_at, d.id limit ${AT_ONCE}`;
  await lockPools(
    tx,
    due.map(({ pool_id }) => pool_id),
  );
  const ended = await tx.sql<{ contract_id: string; disputed_by: string }[]>`
    update pool_disputes set decision = 'stands', decided_at = ${tx.now}
    where id = any (${texts(due.map(({ id }) => id))}::uuid[]) and decision is null
    returning contract_id, disputed_by`;
  await tx.sql`
    update pool_contracts set state = 'CALLED', state_at = ${tx.now}
    where id = any (${texts(ended.map(({ contract_id }) => contract_id))}::uuid[]) and state = 'DISPUTED'`;
  await addContractEvents(
    tx,
    ended.map(({ contract_id }): NewEvent => ({ contractId: contract_id, event: 'dispute_lapsed' })),
  );
  await tellOfPools(
    tx,
    null,
    ended.map(({ disputed_by }) => ({
      userId: disputed_by,
      template: 'pool_dispute_lapsed',
      text: sentence(
        'The supervisory committee did not decide about your objection within 14 days: the demand stands.',
      ),
    })),
  );
  return due.length;
}

const money = (cents: Cents) => formatShillings(shillingsFromCents(cents));
