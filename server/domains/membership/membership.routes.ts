import * as contract from '@ushirika/contract/membership';
import { Refusal } from '@ushirika/contract/refusal';
import { sentence, sharesSaid } from '@ushirika/contract/sentence';
import type { Database, Tx } from '../../db/tx.ts';
import { type Binding, bindHandler, bindVerb } from '../../http/bind.ts';
import { requireProof } from '../identity/prove-password.ts';
import type { RelatedPairs } from '../identity/related-pairs.types.ts';
import { valueMoved } from '../identity/value-moved.ts';
import { cancelExit } from './cancel-exit.ts';
import { cardRoutes } from './card.routes.ts';
import { endKeptRights } from './end-kept-rights.ts';
import { type ExitBlocks, exitStatusOf, type LeavingEffects, noticesToLeave, readExit } from './exit.queries.ts';
import { type AfterJoined, joinSacco } from './join-sacco.ts';
import { listMembers } from './list-members.ts';
import { stayingText } from './membership.rules.ts';
import { rateSacco } from './rate-sacco.ts';
import { type OnLeaving, requestExit } from './request-exit.ts';
import { settleExits } from './settle-exits.ts';
import { tellOfEndedOffices } from './tell-of-ended-offices.ts';

export interface MembershipDependencies {
  readonly database: Database;
  readonly publicUrl: string;
  /** What domains below do when somebody has joined, in the same transaction (referrals). */
  readonly afterJoined?: AfterJoined;
  /** What domains below hold against a refund (loans, guarantees). */
  readonly exitBlocks?: ExitBlocks;
  /** What leaving does to savings and pools, said beforehand. */
  readonly leavingEffects?: LeavingEffects;
  /** What domains below do when somebody leaves a sacco (market). */
  readonly onLeaving?: OnLeaving;
  /** Which accounts may belong together (referrals); without, none does. */
  readonly relatedPairs?: RelatedPairs;
}

const nothing = async () => {};
const noBlocks = async () => [];
const noEffects = async () => [];
const nobodyRelated: RelatedPairs = async () => new Set();

export function membershipRoutes(dependencies: MembershipDependencies): Binding[] {
  const { database, publicUrl, afterJoined = nothing, exitBlocks = noBlocks, onLeaving } = dependencies;
  const exitOf = async (tx: Tx, member: { userId: string; saccoId: string }) => {
    const exit = await exitStatusOf(tx, member, exitBlocks);
    if (!exit) throw new Error('The exit that was just written is not there.');
    return exit;
  };
  const { relatedPairs = nobodyRelated, leavingEffects = noEffects } = dependencies;
  return [
    ...cardRoutes({ database, publicUrl, relatedPairs }),
    bindVerb(contract.joinSacco, async (tx, { actor, body }) => {
      const input = {
        saccoId: body.sacco,
        regFeeCents: body.reg_fee,
        minShares: body.min_shares,
        shareValueCents: body.share_value,
        totalCents: body.total,
      };
      const { membershipId, joinedAt, saccoName, minShares, receipt } = await joinSacco(tx, actor, input, afterJoined);
      await valueMoved(tx, { ...actor, cents: body.total });
      return {
        success: true as const,
        message: sentence("Welcome to {name}. Buy at least {shares} to have a member's full rights.", {
          name: saccoName,
          shares: sharesSaid(minShares),
        }),
        membership: {
          id: membershipId,
          sacco: body.sacco,
          state: 'provisional' as const,
          joined_at: joinedAt.toISOString(),
        },
        receipt,
      };
    }),
    ...readings({ database, publicUrl, exitBlocks, leavingEffects }),
    bindVerb(contract.requestExit, async (tx, { actor, body }) => {
      await requireProof(tx, actor);
      await requestExit(tx, actor, { saccoId: body.sacco, reason: body.reason ?? null }, onLeaving);
      const exit = await exitOf(tx, { userId: actor.userId, saccoId: body.sacco });
      return { success: true as const, message: sentence('Your notice is given: the 60 days have begun.'), exit };
    }),
    bindVerb(contract.cancelExit, async (tx, { actor, query, saccoId }) => {
      const member = { userId: actor.userId, saccoId: saccoMeant(query.sacco, saccoId) };
      const { missingShares } = await cancelExit(tx, actor, member);
      return { success: true as const, message: stayingText(missingShares), exit: await exitOf(tx, member) };
    }),
    bindVerb(contract.rateSacco, async (tx, { actor, params, body }) => {
      const rating = await rateSacco(tx, actor, { saccoId: params.id, stars: body.stars, comment: body.comment });
      return { success: true as const, message: sentence('Thank you. Your rating is counted.'), rating };
    }),
  ] as Binding[];
}

type Readings = Required<Pick<MembershipDependencies, 'database' | 'publicUrl' | 'exitBlocks' | 'leavingEffects'>>;

const readings = ({ database, publicUrl, exitBlocks, leavingEffects }: Readings): Binding[] => [
  bindHandler(contract.listMembers, ({ actor, saccoId, query }) =>
    listMembers(database, publicUrl, actor, saccoId, query),
  ),
  bindHandler(contract.readExit, async ({ actor, query, saccoId }) => {
    const member = { userId: actor.userId, saccoId: saccoMeant(query.sacco, saccoId) };
    return readExit(database, member, exitBlocks, leavingEffects);
  }),
  bindHandler(contract.listExits, async ({ saccoId }) => ({ results: await noticesToLeave(database, saccoId) })),
];

function saccoMeant(named: string | undefined, chosen: string | null): string {
  const saccoId = named ?? chosen;
  if (saccoId === null || saccoId === undefined) throw new Refusal('sacco_required');
  return saccoId;
}

/** The jobs of this domain: refunds of exits whose 60 days are over, and news of offices that ended with a notice. */
export function membershipTasks({
  database,
  exitBlocks = noBlocks,
  onLeaving,
}: Pick<MembershipDependencies, 'database' | 'exitBlocks' | 'onLeaving'>): Record<
  string,
  (payload: unknown) => Promise<void>
> {
  return {
    end_kept_rights: () => endKeptRights(database),
    settle_exits: () => settleExits(database, exitBlocks, onLeaving),
    tell_of_ended_offices: (payload) => tellOfEndedOffices(database, payload),
  };
}

export const membershipSchedules = [
  { task: 'settle_exits', everySeconds: 3600 },
  { task: 'end_kept_rights', everySeconds: 600 },
];
