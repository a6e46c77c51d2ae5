import { API_BASE } from '@ushirika/contract/constants';
import * as contract from '@ushirika/contract/operator';
import type { OperatorAct } from '@ushirika/contract/operator-acts';
import type { SaccoState } from '@ushirika/contract/saccos';
import { type Sentence, sentence } from '@ushirika/contract/sentence';
import type { Text } from '@ushirika/contract/texts';
import { linker } from '../../db/page.ts';
import type { Database, Tx } from '../../db/tx.ts';
import { type Answer, type Binding, bindHandler, bindVerb, type Call } from '../../http/bind.ts';
import { decideSuspension } from '../identity/decide-suspension.ts';
import { requireProof } from '../identity/prove-password.ts';
import { openSuspensions, peopleBy, suspensionOf } from '../identity/suspensions.queries.ts';
import { PEOPLE_SEARCH_RULE } from '../identity/throttle.rules.ts';
import { reserveAttempt } from '../identity/throttles.ts';
import { closeOrdersOfSuspended } from '../market/tend-markets.ts';
import { reviewPool } from '../pools/review-pool.ts';
import { heldReferrals } from '../referrals/referrals.queries.ts';
import { reviewReferral } from '../referrals/review-referral.ts';
import { activateSacco } from '../saccos/activate-sacco.ts';
import { refuseOfficialOfOwnSacco } from '../saccos/refuse-own-sacco.ts';
import { rejectSacco } from '../saccos/reject-sacco.ts';
import { SUSPENDED_ALONE_MAX, suspendSacco } from '../saccos/suspend-sacco.ts';
import { upholdSuspension } from '../saccos/uphold-suspension.ts';
import { identityBindings } from './identity-checks.routes.ts';
import { moneyExceptions } from './money-exceptions.queries.ts';
import { noteAction, noteLook } from './note-action.ts';
import { healthOf, type LogsHealth, operatorActions, type Waiting } from './operator.queries.ts';
import { operatorPools } from './operator-pools.queries.ts';
import { operatorSaccos } from './operator-saccos.queries.ts';
import { openProposalsAbout } from './proposals.queries.ts';
import { proposalRoutes } from './proposals.routes.ts';
import { propose, withdrawOwn } from './proposals.ts';
import { resolveMoneyException } from './resolve-money-exception.ts';

export interface OperatorDependencies {
  readonly database: Database;
  /** The origin that links lead to, without a slash at its end. */
  readonly publicUrl: string;
  /** STRICT_ACTIVATION: every point of the checklist and a second operator are needed. */
  readonly strictActivation: boolean;
  /** Whom to call about an account; null where nobody has set it (SUPPORT_PHONE). */
  readonly supportPhone: string | null;
  readonly waiting: Waiting;
  readonly logsHealth: LogsHealth;
}

export function operatorRoutes(deps: OperatorDependencies): Binding[] {
  return [
    ...saccoBindings(deps),
    ...moneyBindings(deps),
    ...referralBindings(deps),
    ...peopleBindings(deps),
    ...identityBindings(deps),
    ...poolBindings(deps),
    ...platformBindings(deps),
    ...proposalRoutes(deps),
  ];
}

const WAITING = sentence('Your word is kept. A second operator must confirm it.');
const SUSPENDED = sentence('The sacco is suspended for 14 days. It stays so only if another operator upholds it.');
const TWO_SUSPEND = sentence(
  'Nothing has changed yet: a second operator must confirm it, since the sacco was suspended in the last 90 days, or since you have suspended {n} that nobody upheld.',
  { n: SUSPENDED_ALONE_MAX },
);

type SaccoActRoute =
  | typeof contract.activateSaccoRoute
  | typeof contract.rejectSaccoRoute
  | typeof contract.upholdSaccoSuspensionRoute;

/** Activates a sacco, and logs the open points of its checklist for auditors. */
const activated =
  (strict: boolean): Act =>
  async (tx, actor, input) => {
    const { state, open } = await activateSacco(tx, actor, { ...input, strict });
    const about = { type: 'sacco', id: input.saccoId } as const;
    const reason = `Open: ${open.join(', ').replaceAll('_', ' ')}.`;
    if (open.length > 0) await noteAction(tx, actor, { action: 'sacco_points_open', about, reason });
    return state;
  };

type Act = (tx: Tx, actor: { userId: string }, input: { saccoId: string; reason: string }) => Promise<SaccoState>;

function saccoBindings({ database, publicUrl, strictActivation }: OperatorDependencies): Binding[] {
  const bindAct = (route: SaccoActRoute, action: OperatorAct, messages: Messages, act: Act) =>
    // All are of one shape; only name and path differ.
    bindVerb(route as typeof contract.activateSaccoRoute, async (tx, { actor, params, body }) => {
      await requireProof(tx, actor);
      const state = await act(tx, actor, { saccoId: params.id, reason: body.reason });
      const isDone = state !== 'pending';
      const about = { type: 'sacco', id: params.id } as const;
      await noteAction(tx, actor, { action: isDone ? action : 'sacco_confirmed', about, reason: body.reason });
      const message = isDone ? messages.done : (messages.waiting ?? messages.done);
      return { success: true as const, message, sacco: { id: params.id, state } };
    });
  const then = (state: SaccoState, verb: (...input: Parameters<Act>) => Promise<void>): Act => {
    return async (...input) => {
      await verb(...input);
      return state;
    };
  };
  return [
    bindHandler(contract.listOperatorSaccos, ({ actor: { userId }, query }) =>
      operatorSaccos(
        database,
        { userId, isStrict: strictActivation },
        query,
        linkerOf(publicUrl, contract.listOperatorSaccos.path, query),
      ),
    ),
    bindAct(
      contract.activateSaccoRoute,
      'sacco_activated',
      { done: sentence('The sacco is active.'), waiting: WAITING },
      activated(strictActivation),
    ),
    bindAct(
      contract.rejectSaccoRoute,
      'sacco_rejected',
      { done: sentence('The sacco is rejected.') },
      then('rejected', rejectSacco),
    ),
    bindVerb(contract.suspendSaccoRoute, suspended),
    bindAct(
      contract.upholdSaccoSuspensionRoute,
      'sacco_suspension_upheld',
      { done: sentence('Upheld. The sacco stays suspended until two operators reinstate it.') },
      then('suspended', async (tx, actor, input) => {
        await upholdSuspension(tx, actor, input);
        await withdrawOwn(tx, actor, { kind: 'sacco_reinstatement', aboutId: input.saccoId, reason: input.reason });
      }),
    ),
    bindVerb(contract.reinstateSaccoRoute, async (tx, { actor, params, body }) => {
      await requireProof(tx, actor);
      await propose(tx, actor, { kind: 'sacco_reinstatement', aboutId: params.id, reason: body.reason });
      return { success: true as const, message: WAITING, sacco: { id: params.id, state: 'suspended' as const } };
    }),
  ] as Binding[];
}

async function suspended(
  tx: Tx,
  { actor, params: { id }, body: { reason } }: Call<typeof contract.suspendSaccoRoute>,
): Promise<Answer<typeof contract.suspendSaccoRoute>> {
  await requireProof(tx, actor);
  if (!(await suspendSacco(tx, actor, { saccoId: id, reason }))) {
    await propose(tx, actor, { kind: 'sacco_suspension', aboutId: id, reason });
    return { success: true as const, message: TWO_SUSPEND, sacco: { id, state: 'active' as const } };
  }
  await noteAction(tx, actor, { action: 'sacco_suspended', about: { type: 'sacco', id }, reason });
  return { success: true as const, message: SUSPENDED, sacco: { id, state: 'suspended' as const } };
}

interface Messages {
  readonly done: Sentence;
  /** Where a second operator must follow. */
  readonly waiting?: Sentence;
}

function moneyBindings({ database, publicUrl }: OperatorDependencies): Binding[] {
  return [
    bindHandler(contract.listMoneyExceptions, async ({ actor, query }) => {
      await noteLook(database, actor, { action: 'exceptions_listed', reason: 'Looked at the money exceptions.' });
      return moneyExceptions(database, actor, query, linkerOf(publicUrl, contract.listMoneyExceptions.path, query));
    }),
    bindVerb(contract.resolveMoneyException, async (tx, { actor, params, body }) => {
      const input = { exceptionId: params.id, action: body.action, user: body.user, reason: body.reason };
      const proposal = await resolveMoneyException(tx, actor, input);
      return {
        success: true as const,
        message: proposal === null ? sentence('Dismissed.') : WAITING,
        id: params.id,
        proposal,
      };
    }),
  ] as Binding[];
}

function referralBindings({ database, publicUrl }: OperatorDependencies): Binding[] {
  return [
    bindHandler(contract.listHeldReferrals, async ({ actor, query }) => {
      await noteLook(database, actor, { action: 'held_referrals_listed', reason: 'Looked at the held referrals.' });
      return heldReferrals(database.sql, query, linkerOf(publicUrl, contract.listHeldReferrals.path, query));
    }),
    bindVerb(contract.reviewHeldReferral, async (tx, { actor, params, body }) => {
      await requireProof(tx, actor);
      await reviewReferral(tx, actor, { referralId: params.id, decision: body.decision, reason: body.reason });
      const action = body.decision === 'release' ? 'referral_released' : 'referral_denied';
      await noteAction(tx, actor, { action, about: { type: 'referral', id: params.id }, reason: body.reason });
      const message =
        body.decision === 'release'
          ? sentence('Released: the reward will be paid.')
          : sentence('Denied: there is no reward.');
      return { success: true as const, message, id: params.id };
    }),
  ] as Binding[];
}

const SUSPENSIONS = {
  suspend: { action: 'account_suspended', message: sentence('The account is suspended, and its owner told.') },
  uphold: { action: 'suspension_upheld', message: sentence('The suspension stands until it is lifted.') },
  asked: {
    action: 'suspension_lift_asked',
    message: sentence('You have asked to lift it. Another operator must lift it too.'),
  },
  lift: { action: 'suspension_lifted', message: sentence('The account is open again, and its owner told.') },
} as const;

function peopleBindings({ database, publicUrl, supportPhone }: OperatorDependencies): Binding[] {
  return [
    bindHandler(contract.findPeople, async ({ actor, body }) => {
      await reserveAttempt(database, `people:${actor.userId}`, PEOPLE_SEARCH_RULE);
      const found = await peopleBy(database, actor.userId, body.sought);
      // What was typed is nobody's where it was not found: it is not kept.
      const about = found.results[0] ? ({ type: 'person', id: found.results[0].id } as const) : null;
      const reason: Text = about ? 'Looked a person up.' : 'Looked somebody up who is not here.';
      await database.transaction((tx) => noteAction(tx, actor, { action: 'person_looked_up', about, reason }));
      const payoutOf = await payoutsOf(
        database,
        actor,
        found.results.map(({ id }) => id),
      );
      const results = found.results.map(({ suspension, ...person }) => ({
        ...person,
        suspension: suspension && { ...suspension, payout: payoutOf(person.id) },
      }));
      return { results };
    }),
    bindHandler(contract.listSuspensions, async ({ actor, query }) => {
      await noteLook(database, actor, { action: 'suspensions_listed', reason: 'Looked at the suspended accounts.' });
      const linkTo = linkerOf(publicUrl, contract.listSuspensions.path, query);
      const page = await openSuspensions(database, actor.userId, query, linkTo);
      const payoutOf = await payoutsOf(
        database,
        actor,
        page.results.map(({ person }) => person.id),
      );
      return { ...page, results: page.results.map((row) => ({ ...row, payout: payoutOf(row.person.id) })) };
    }),
    bindVerb(contract.decideSuspension, async (tx, { actor, params, body }) => {
      await requireProof(tx, actor);
      await refuseOfficialOfOwnSacco(tx, actor, { userId: params.id });
      const isDone = await decideSuspension(tx, actor, { ...body, userId: params.id, supportPhone });
      const { action, message } = SUSPENSIONS[isDone ? body.action : 'asked'];
      await noteAction(tx, actor, { action, about: { type: 'person', id: params.id }, reason: body.reason });
      if (body.action === 'suspend') await closeOrdersOfSuspended(tx);
      return { success: true as const, message, suspension: await suspensionOf(tx, actor.userId, params.id) };
    }),
    bindVerb(contract.payOutSuspended, async (tx, { actor, params, body }) => {
      await requireProof(tx, actor);
      const wanted = { aboutId: params.id, amountCents: body.amount, reason: body.reason };
      const proposal = await propose(tx, actor, { kind: 'suspended_payout', ...wanted });
      return { success: true as const, message: WAITING, proposal };
    }),
  ] as Binding[];
}

/** The payout of each of some people that is open, if there is one. */
async function payoutsOf(database: Database, actor: { readonly userId: string }, people: readonly string[]) {
  const open = await openProposalsAbout(database, actor, people);
  return (userId: string) => open.get(userId) ?? null;
}

function poolBindings({ database, publicUrl }: OperatorDependencies): Binding[] {
  return [
    bindHandler(contract.listOperatorPools, async ({ actor, query }) => {
      await noteLook(database, actor, { action: 'pools_listed', reason: 'Looked at the guarantor pools.' });
      return operatorPools(database, query, linkerOf(publicUrl, contract.listOperatorPools.path, query));
    }),
    bindVerb(contract.reviewPoolRoute, async (tx, { actor, params, body }) => {
      await requireProof(tx, actor);
      await reviewPool(tx, actor, { poolId: params.id, decision: body.decision, reason: body.reason });
      const isApproved = body.decision === 'approve';
      const action = isApproved ? 'pool_approved' : 'pool_refused';
      await noteAction(tx, actor, { action, about: { type: 'pool', id: params.id }, reason: body.reason });
      const message = isApproved
        ? sentence('Approved: everybody can see the pool.')
        : sentence('Refused: strangers do not see the pool.');
      return { success: true as const, message, id: params.id };
    }),
  ] as Binding[];
}

function platformBindings({ database, publicUrl, waiting, logsHealth }: OperatorDependencies): Binding[] {
  return [
    bindHandler(contract.platformHealth, () => healthOf(database, waiting, logsHealth)),
    bindHandler(contract.listOperatorActions, ({ query }) =>
      operatorActions(database, query, linkerOf(publicUrl, contract.listOperatorActions.path, query)),
    ),
  ] as Binding[];
}

function linkerOf(publicUrl: string, path: string, query: Readonly<Record<string, unknown>>) {
  return linker(`${publicUrl}${API_BASE}${path}`, query);
}
