import * as contract from '@ushirika/contract/pools';
import { Refusal } from '@ushirika/contract/refusal';
import { sentence } from '@ushirika/contract/sentence';
import { asSystem } from '../../db/person.ts';
import type { Database, Tx } from '../../db/tx.ts';
import { type Binding, bindBatched, bindHandler, bindVerb } from '../../http/bind.ts';
import { requireProof } from '../identity/prove-password.ts';
import { changePoolState } from './change-pool-state.ts';
import { createPool } from './create-pool.ts';
import { decideRequest } from './decide-request.ts';
import { decideDispute, disputeCall } from './demand-guarantee.ts';
import { depositToPool, joinPool } from './deposit-to-pool.ts';
import { giveGuaranteeBack } from './give-guarantee-back.ts';
import {
  contractOf,
  decidedContract,
  disputesOf,
  dryRun,
  myContracts,
  myRequests,
  ownTrustScore,
  requestAsKept,
  requestJudgedNow,
  reviewOf,
  reviewsFor,
} from './guarantees.queries.ts';
import { detailsOfPool, listOfPools, membersOfPool, poolOf } from './pools.queries.ts';
import { payPoolClaim } from './recover-for-pool.ts';
import { cancelPoolRequest, noNeeds, type PoolNeeds, requestGuarantee } from './request-guarantee.ts';
import { acceptGuaranteeContract, askContractCode } from './sign-guarantee.ts';
import { cancelPoolWithdrawal, withdrawFromPool } from './withdraw-from-pool.ts';
import { myWithdrawals, withdrawalOf } from './withdrawals.queries.ts';
import { writeOffClaim } from './write-off-claim.ts';

export interface PoolsDependencies {
  readonly database: Database;
  /** The origin that links lead to, without a slash at its end. */
  readonly publicUrl: string;
  /** The functions of later domains; without them nobody has a history, an application or a relation. */
  readonly needs?: PoolNeeds;
}

/**
 * Guarantor pools. Each act changes rows of several people: the platform writes, and the verbs say who may. Acts with a key come by batch
 * queues, which keep the key in the act's transaction; one that is refused has written nothing.
 */
export function poolsRoutes(deps: PoolsDependencies): Binding[] {
  return [
    ...poolRoutes(deps),
    ...moneyRoutes(deps),
    ...noticeRoutes(deps),
    ...guaranteeRoutes(deps),
    ...contractRoutes(deps),
    ...deciderRoutes(deps),
  ];
}

function poolRoutes(deps: PoolsDependencies): Binding[] {
  const { database } = deps;
  return [
    bindVerb(contract.createPool, async (tx, { actor, saccoId, body, headers }) => {
      // A header that cannot be read must not turn a sacco's pool into an open one.
      if (saccoId === null && headers.saccoid !== undefined) throw new Refusal('sacco_required');
      const poolId = await createPool(tx, actor, { saccoId, fields: body });
      return {
        success: true as const,
        message: sentence('Your pool has been created. Others see it after a review, or once it has five members.'),
        pool: await poolOf(tx, poolId, actor.userId),
      };
    }),
    bindHandler(contract.listPools, ({ actor, query }) => listOfPools(deps, actor, query)),
    bindHandler(contract.poolDetailsOf, ({ actor, params }) => detailsOfPool(database, actor, params.id)),
    bindHandler(contract.listPoolMembers, ({ actor, query }) => membersOfPool(deps, actor, query)),
    bindHandler(contract.changePoolState, async ({ actor, params, body }) => {
      await provenFirst(database, actor);
      const message = await asPlatform(database, (tx) => changePoolState(tx, actor, { poolId: params.id, ...body }));
      return { success: true as const, message, pool: await detailsOfPool(database, actor, params.id) };
    }),
  ] as Binding[];
}

/** Each of a batch, one after the other; a refusal is that one's alone. */
async function eachOf<Call, Answer>(
  calls: readonly Call[],
  act: (call: Call) => Promise<Answer>,
): Promise<(Answer | Refusal)[]> {
  const answers: (Answer | Refusal)[] = [];
  for (const call of calls) {
    answers.push(
      await act(call).catch((error: unknown) => {
        if (error instanceof Refusal) return error;
        throw error;
      }),
    );
  }
  return answers;
}

const asPlatform = <T>(database: Database, act: (tx: Tx) => Promise<T>): Promise<T> =>
  asSystem(() => database.transaction(act));

function provenFirst(
  database: Database,
  actor: { readonly userId: string; readonly sessionId: string },
): Promise<void> {
  return database.transaction((tx) => requireProof(tx, actor));
}

/** What a member reads of the pool right after an act, in its transaction. */
const poolAfter = (tx: Tx, actor: { readonly userId: string; readonly isOperator: boolean }, poolId: string) =>
  detailsOfPool({ sql: tx.sql, now: () => tx.now } as unknown as Database, actor, poolId);

const depositOf = (
  { userId, sessionId }: { readonly userId: string; readonly sessionId: string },
  { pool, amount }: { readonly pool: string; readonly amount: number },
) => ({ userId, sessionId, poolId: pool, amount });

function moneyRoutes({ needs = noNeeds }: Pick<PoolsDependencies, 'needs'>): Binding[] {
  return [
    bindBatched(
      contract.joinPool,
      'pools',
      (tx, calls) =>
        eachOf(calls, async ({ actor, body }) => {
          const receipt = await joinPool(tx, { ...depositOf(actor, body), termsHash: body.terms_hash }, needs);
          const pool = await poolAfter(tx, actor, body.pool);
          const message = sentence('You have joined the pool {name}.', { name: pool.name });
          return { success: true as const, message, pool, receipt };
        }),
      ({ body }) => body.pool,
    ),
    bindBatched(
      contract.depositToPool,
      'pools',
      (tx, calls) =>
        eachOf(calls, async ({ actor, body }) => {
          const receipt = await depositToPool(tx, depositOf(actor, body));
          const pool = await poolAfter(tx, actor, body.pool);
          const message = sentence('Your deposit is in the pool {name}.', { name: pool.name });
          return { success: true as const, message, pool, receipt };
        }),
      ({ body }) => body.pool,
    ),
    bindBatched(
      contract.withdrawFromPool,
      'pools',
      (tx, calls) =>
        eachOf(calls, async ({ actor, body }) => {
          const id = await withdrawFromPool(tx, actor, { poolId: body.pool, amount: body.amount });
          return {
            success: true as const,
            message: sentence('Your notice is given. You are told when the money is in your wallet.'),
            pool: await poolAfter(tx, actor, body.pool),
            withdrawal: await withdrawalOf({ sql: tx.sql, now: () => tx.now } as unknown as Database, actor.userId, id),
          };
        }),
      ({ body }) => body.pool,
    ),
  ] as Binding[];
}

function noticeRoutes(deps: PoolsDependencies): Binding[] {
  const { database } = deps;
  return [
    bindHandler(contract.listPoolWithdrawals, ({ actor, query }) =>
      asSystem(() => myWithdrawals(deps, actor.userId, query)),
    ),
    bindHandler(contract.cancelPoolWithdrawal, async ({ actor, params }) => {
      const poolId = await asPlatform(database, (tx) => cancelPoolWithdrawal(tx, actor, { withdrawalId: params.id }));
      return {
        success: true as const,
        message: sentence('Your notice is taken back: the money stays in the pool.'),
        pool: await detailsOfPool(database, actor, poolId),
        withdrawal: await asSystem(() => withdrawalOf(database, actor.userId, params.id)),
      };
    }),
    bindBatched(
      contract.payPoolClaim,
      'pools',
      (tx, calls) =>
        eachOf(calls, async ({ actor, params, body }) => ({
          success: true as const,
          message: sentence('Paid. Those who lost get it first.'),
          receipt: await payPoolClaim(tx, actor, { contractId: params.id, amount: body.amount }),
        })),
      ({ params }) => params.id,
    ),
  ] as Binding[];
}

function guaranteeRoutes(deps: PoolsDependencies): Binding[] {
  const { database, publicUrl, needs = noNeeds } = deps;
  const reads = { database, publicUrl, needs };
  return [
    bindHandler(contract.readTrustScore, ({ actor }) =>
      asSystem(() => ownTrustScore(database, actor.userId, needs.historiesOf)),
    ),
    bindHandler(contract.quoteGuarantee, ({ actor, body }) => {
      const { pool: poolId, amount, period_months: months, loan = null } = body;
      return asSystem(() => dryRun(reads, { userId: actor.userId, poolId, amount, months, loanId: loan }));
    }),
    bindBatched(
      contract.requestGuarantee,
      'pools',
      (tx, calls) =>
        eachOf(calls, async ({ actor: { userId }, body }) => {
          const { pool: poolId, amount, period_months: months, loan = null, purpose } = body;
          const id = await requestGuarantee(tx, { userId, poolId, amount, months, loanId: loan, purpose }, needs);
          const request = await requestAsKept({ sql: tx.sql, now: () => tx.now } as unknown as Database, userId, id);
          const message =
            request.state === 'QUOTED'
              ? sentence('This is your quote. It holds for 72 hours.')
              : sentence('The pool cannot guarantee this now. Read why.');
          return { success: true as const, message, request };
        }),
      ({ body }) => body.pool,
    ),
    bindHandler(contract.listPoolRequests, ({ actor, query }) =>
      asSystem(() => myRequests(reads, actor.userId, query)),
    ),
    bindHandler(contract.readPoolRequest, ({ actor, params }) =>
      asSystem(() => requestJudgedNow(reads, actor.userId, params.id)),
    ),
    bindHandler(contract.cancelPoolRequest, async ({ actor, params }) => {
      await asPlatform(database, (tx) => cancelPoolRequest(tx, actor, { requestId: params.id }));
      const request = await asSystem(() => requestAsKept(database, actor.userId, params.id));
      return { success: true as const, message: sentence('The request is taken back.'), request };
    }),
  ] as Binding[];
}

function contractRoutes(deps: PoolsDependencies): Binding[] {
  const { database, publicUrl, needs = noNeeds } = deps;
  const reads = { database, publicUrl, needs };
  return [
    bindHandler(contract.askContractCode, async ({ actor, body }) => {
      const signing = { requestId: body.request, quoteHash: body.quote_hash };
      const expiresAt = await asPlatform(database, (tx) => askContractCode(tx, actor, signing, needs));
      const message = sentence('The code is on its way to your phone. It works for 10 minutes.');
      return { success: true as const, message, expires_at: expiresAt.toISOString() };
    }),
    bindHandler(contract.acceptGuaranteeContract, async ({ actor, body }) => {
      const { request: requestId, quote_hash: quoteHash, signed_name: signedName, code } = body;
      return asSystem(async () => {
        const { contractId } = await acceptGuaranteeContract(
          database,
          actor,
          { requestId, quoteHash, signedName, code },
          needs,
        );
        return {
          success: true as const,
          message:
            contractId === null
              ? sentence('Signed. The stewards decide within 72 hours.')
              : sentence('Signed and approved. Use it for a loan within 14 days.'),
          request: await requestAsKept(database, actor.userId, requestId),
          contract: contractId === null ? null : await contractOf(reads, actor.userId, contractId),
        };
      });
    }),
    bindHandler(contract.listPoolContracts, ({ actor, query }) =>
      asSystem(() => myContracts(reads, actor.userId, query)),
    ),
    bindHandler(contract.readPoolContract, ({ actor, params }) =>
      asSystem(() => contractOf(reads, actor.userId, params.id)),
    ),
    bindHandler(contract.giveGuaranteeBack, async ({ actor, params }) => {
      await asPlatform(database, (tx) => giveGuaranteeBack(tx, actor, { contractId: params.id }, needs));
      return {
        success: true as const,
        message: sentence('The guarantee is given back. The money that was locked for it is free.'),
        contract: await asSystem(() => contractOf(reads, actor.userId, params.id)),
      };
    }),
  ] as Binding[];
}

/** Stewards, and the supervisory committee of the sacco whose loan it is. */
function deciderRoutes(deps: PoolsDependencies): Binding[] {
  const { database, publicUrl, needs = noNeeds } = deps;
  const reads = { database, publicUrl, needs };
  return [
    bindHandler(contract.listPoolReviews, ({ actor, query }) => asSystem(() => reviewsFor(reads, actor.userId, query))),
    bindHandler(contract.decidePoolRequest, async ({ actor, params, body }) => {
      await provenFirst(database, actor);
      await asPlatform(database, (tx) => decideRequest(tx, actor, { requestId: params.id, ...body }, needs));
      const review = await asSystem(() => reviewOf(database, actor.userId, params.id));
      return { success: true as const, message: sentence('Your vote is recorded.'), review };
    }),
    bindHandler(contract.disputePoolCall, async ({ actor, params, body }) => {
      await asPlatform(database, (tx) => disputeCall(tx, actor, { contractId: params.id, reason: body.reason }));
      const shown = await asSystem(() => contractOf(reads, actor.userId, params.id));
      const message = sentence('Nothing is paid until the supervisory committee has decided.');
      return { success: true as const, message, contract: shown };
    }),
    bindHandler(contract.writeOffPoolClaim, async ({ actor, params, body }) => {
      await provenFirst(database, actor);
      const input = { contractId: params.id, reason: body.reason };
      const isWrittenOff = await asPlatform(database, (tx) => writeOffClaim(tx, actor, input));
      const message = isWrittenOff
        ? sentence('The claim is written off. What comes later is still shared out.')
        : sentence('Noted. Another steward has to say so too.');
      return {
        success: true as const,
        message,
        contract: await asSystem(() => contractOf(reads, actor.userId, params.id)),
      };
    }),
    bindHandler(contract.listPoolDisputes, ({ actor, saccoId, query }) =>
      asSystem(() => disputesOf(reads, actor.userId, saccoId, query)),
    ),
    bindHandler(contract.decidePoolDispute, async ({ actor, saccoId, params, body }) => {
      await provenFirst(database, actor);
      await asPlatform(database, (tx) => decideDispute(tx, actor, { saccoId, contractId: params.id, ...body }));
      const shown = await asSystem(() => decidedContract(database, actor.userId, params.id));
      const message =
        body.decision === 'stands' ? sentence('The demand stands.') : sentence('The demand is taken back.');
      return { success: true as const, message, contract: shown };
    }),
  ] as Binding[];
}
