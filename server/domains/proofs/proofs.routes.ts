import * as contract from '@ushirika/contract/proofs';
import { asSystem } from '../../db/person.ts';
import type { Database } from '../../db/tx.ts';
import type { Chain } from '../../gateways/chain/chain.types.ts';
import { type Binding, bindFile, bindHandler } from '../../http/bind.ts';
import { ChainWitness } from './chain-witness.ts';
import { eventReceiptOf, eventReceiptsAfter, receiptAbout, saccoOfVote } from './fact-receipts.queries.ts';
import { logFactsOf } from './log-facts.queries.ts';
import {
  consistencyOf,
  entriesOf,
  inclusionOf,
  newestCheckpoint,
  receiptOf,
  receiptsAfter,
  tileAddressOf,
  tileOf,
} from './proofs.queries.ts';
import { publishAnchors } from './publish-anchors.ts';
import { type SigningDeps, signCheckpoints } from './sign-checkpoints.ts';
import { type TotalsDeps, takeTotals } from './take-totals.ts';
import { KeptReceipts, ownTotals, totalsOf } from './totals.queries.ts';

export interface ProofsDependencies {
  readonly database: Database;
  /** The chain that anchors are on, once it is ready. */
  readonly chain?: () => Chain | null;
}

/** A full tile never changes. */
const TILE_CACHE_SECONDS = 86_400;

/** Logs are public, and are read as the platform. A receipt is asked for by its owner, and is read as the platform for this person alone. */
export function proofsRoutes({ database, chain = () => null }: ProofsDependencies): Binding[] {
  const tile = async (log: string, level: string, pieces: readonly string[]) => {
    const address = tileAddressOf(pieces);
    const bytes = await asSystem(() =>
      level === 'entries' ? entriesOf(database, log, address) : tileOf(database, log, Number(level), address),
    );
    return { contentType: 'application/octet-stream', bytes, cacheSeconds: TILE_CACHE_SECONDS };
  };
  const reader = { database, kept: new KeptReceipts() };
  return [
    bindHandler(contract.readLog, ({ params }) => asSystem(() => logFactsOf(database, params.log, chain()))),
    bindFile(contract.readCheckpoint, async ({ params }) => ({
      contentType: 'text/plain; charset=utf-8',
      bytes: Buffer.from(await asSystem(() => newestCheckpoint(database, params.log))),
    })),
    bindFile(contract.readTile, ({ params: { log, level, a } }) => tile(log, level, [a])),
    bindFile(contract.readDeepTile, ({ params: { log, level, a, b } }) => tile(log, level, [a, b])),
    bindFile(contract.readDeepestTile, ({ params: { log, level, a, b, c } }) => tile(log, level, [a, b, c])),
    bindHandler(contract.readInclusion, async ({ params, query }) => ({
      proof: await asSystem(() => inclusionOf(database, params.log, query)),
    })),
    bindHandler(contract.readConsistency, async ({ params, query }) => ({
      proof: await asSystem(() => consistencyOf(database, params.log, query)),
    })),
    bindHandler(contract.readProofReceipt, async ({ actor, params }) => {
      const receipt = await asSystem(() => receiptOf(database, actor.userId, Number(params.journal)));
      return { state: receipt ? ('logged' as const) : ('being_logged' as const), receipt };
    }),
    bindHandler(contract.listProofReceipts, async ({ actor, query }) => {
      const { receipts, waiting, next } = await asSystem(() => receiptsAfter(database, actor.userId, query));
      return { results: [...receipts], next, being_logged: waiting };
    }),
    bindHandler(contract.readEventReceipt, async ({ actor, params }) => {
      const receipt = await asSystem(() => eventReceiptOf(database, actor.userId, Number(params.event)));
      return { state: receipt ? ('logged' as const) : ('being_logged' as const), receipt };
    }),
    bindHandler(contract.readReceiptAbout, async ({ actor, params: { what, id } }) => {
      // Read as the member: the database shows them the votes that are theirs to read.
      const subject = { what, id, saccoOfVote: what === 'vote' ? await saccoOfVote(database, id) : null };
      const receipt = await asSystem(() => receiptAbout(database, actor.userId, subject));
      return { state: receipt ? ('logged' as const) : ('being_logged' as const), receipt };
    }),
    bindHandler(contract.listEventReceipts, ({ actor, query }) =>
      asSystem(() => eventReceiptsAfter(database, actor.userId, query)),
    ),
    bindHandler(contract.readLogTotals, async ({ params }) => ({
      results: await asSystem(() => totalsOf(reader, params.log)),
    })),
    bindHandler(contract.readOwnTotals, async ({ actor, query }) => ({
      results: await asSystem(() => ownTotals(reader, actor.userId, query.log)),
    })),
  ] as Binding[];
}

export interface ProofsTasksDependencies extends TotalsDeps, Pick<SigningDeps, 'keyring' | 'heads'> {
  readonly chain: () => Promise<Chain | null>;
}

/** Signs what has grown and anchors what was signed; a log that is halted is told to whoever reads the process's log. */
export function proofsTasks({ chain, ...deps }: ProofsTasksDependencies) {
  const signing = { ...deps, chainWitness: new ChainWitness(chain) };
  return {
    sign_checkpoints: async () => {
      await signCheckpoints(signing, (halted) => console.error(halted.message));
    },
    take_totals: async () => void (await takeTotals(deps)),
    publish_anchors: async () => {
      const to = await chain();
      if (to) await publishAnchors({ database: deps.database, chain: to });
    },
  };
}

export const proofsSchedules = [
  { task: 'sign_checkpoints', everySeconds: 30 },
  // The totals of a day are taken in its first hour, or when the first process of that day starts.
  { task: 'take_totals', everySeconds: 3600 },
] as const;

/** @param everySeconds null: nothing is anchored */
export const anchorSchedules = (everySeconds: number | null) =>
  everySeconds === null ? [] : [{ task: 'publish_anchors', everySeconds }];
