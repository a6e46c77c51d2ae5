import { Refusal } from '@ushirika/contract/refusal';
import type { Office } from '@ushirika/contract/route';
import { type Sentence, sentence } from '@ushirika/contract/sentence';
import * as contract from '@ushirika/contract/voting';
import { asSystem } from '../../db/person.ts';
import type { Database, Tx } from '../../db/tx.ts';
import { type Binding, bindBatched, bindFile, bindHandler, type Call } from '../../http/bind.ts';
import { provenAmong, requireProof } from '../identity/prove-password.ts';
import { readerOf } from '../loans/loan-rows.ts';
import type { ChangeExecutors } from '../saccos/changes.types.ts';
import { type PictureRule, redrawPicture } from '../saccos/redraw-picture.ts';
import { answerVote } from './answer-vote.ts';
import { bylawsOf, bylawsShown, registerBylaws } from './bylaws.ts';
import { cancelProposal } from './cancel-proposal.ts';
import { candidatePicture, setCandidatePicture, standing } from './candidate-picture.ts';
import { castBallots } from './cast-ballots.ts';
import { castSecretBallots } from './cast-secret-ballots.ts';
import { isChangedByVote } from './changes-by-vote.ts';
import { clearTracesOfTheDay } from './clear-traces.ts';
import { demandSecret } from './demand-secret.ts';
import { draftProposal } from './draft-proposal.ts';
import { holdResult, releaseResult, voidResult } from './hold-result.ts';
import { issueToken } from './issue-token.ts';
import { junkBallots } from './junk-ballots.ts';
import { noteSaccosThatVote } from './saccos-that-vote.ts';
import { refuseUnlessOperator, showTitle } from './show-title.ts';
import { type Signed, signProposal } from './sign-proposal.ts';
import { standDown, standForElection } from './stand-for-election.ts';
import { tendVotes } from './tend-votes.ts';
import { voteRulesShown } from './vote-rules.ts';
import {
  type Asker,
  ballotsFile,
  hasFullRights,
  issuedFile,
  proposalOf,
  proposalsOf,
  publicVoteOf,
  publicVotes,
  refuseUnseen,
  rollFile,
  wouldVote,
} from './voting.queries.ts';

export interface VotingDependencies {
  readonly database: Database;
  readonly publicUrl: string;
  /** What a vote changes; without the wrapping by which two officials give way to votes. */
  readonly changes: ChangeExecutors;
}

/** A face beside a name; and what candidate_pictures holds. */
const PICTURE: PictureRule = { sideMax: 480, bytesMax: 204_800, refused: 'picture_not_accepted' };

interface MembersCall {
  readonly actor: { readonly userId: string; readonly sessionId: string; readonly offices: readonly Office[] };
  readonly saccoId: string;
}

/**
 * Votes. Each person reads as themself. The platform writes, since a signature or a count changes what is nobody's own row; before it
 * does, the person's own policies are asked whether there is such a vote, or such a sacco, for them.
 */
export function votingRoutes(deps: VotingDependencies): Binding[] {
  return [
    ...memberRoutes(deps),
    ...secretRoutes(deps),
    ...supervisorRoutes(deps),
    ...personRoutes(deps),
    ...rulesRoutes(deps),
    ...publicRoutes(deps),
    ...operatorRoutes(deps),
  ];
}

const askerOf = async (database: Database, { actor, saccoId }: MembersCall): Promise<Asker> => ({
  userId: actor.userId,
  saccoId,
  offices: actor.offices,
  hasFullRights: await hasFullRights(database, actor.userId, saccoId),
  ...(await asSystem(() => wouldVote(database, actor.userId, saccoId))),
});

/** In a transaction of the platform, once the password was entered: a session that was left open decides nothing (docs/decisions/190). */
const proven = <T>(database: Database, actor: MembersCall['actor'], act: (tx: Tx) => Promise<T>): Promise<T> =>
  asSystem(() =>
    database.transaction(async (tx) => {
      await requireProof(tx, actor);
      return act(tx);
    }),
  );

/** Does it to a vote, and answers with the vote as whoever did it reads it then. */
async function done<T>(
  database: Database,
  call: MembersCall & { readonly params: { readonly id: string } },
  message: Sentence | ((result: T) => Sentence),
  act: (tx: Tx) => Promise<T>,
) {
  const { saccoId, params } = call;
  await refuseUnseen(database, { saccoId, id: params.id });
  const result = await proven(database, call.actor, act);
  return {
    success: true as const,
    message: typeof message === 'function' ? message(result) : message,
    proposal: await proposalOf(database, await askerOf(database, call), params.id),
  };
}

const takenBackSaid = (isTakenBack: boolean): Sentence =>
  isTakenBack
    ? sentence('Taken back. Nobody votes on it.')
    : sentence('You have asked to take it back. Another one who has signed it must agree.');

const signedSaid = (became: Signed): Sentence => {
  if (became === 'waits_for_vote')
    return sentence('Signed. It is published by itself once the other vote on the same is over.');
  if (became === 'waits_for_place')
    return sentence('Signed. It is published by itself once another vote is counted: as many as may be are under way.');
  return sentence('Signed.');
};

function memberRoutes(deps: VotingDependencies): Binding[] {
  const { database, changes } = deps;
  return [
    bindHandler(contract.listVotingProposals, async (call) =>
      proposalsOf(deps, await askerOf(database, call), call.query),
    ),
    bindHandler(contract.readVotingProposal, async (call) =>
      proposalOf(database, await askerOf(database, call), call.params.id),
    ),
    bindHandler(contract.draftVotingProposal, async (call) => {
      const { actor, saccoId, body } = call;
      const asker = await askerOf(database, call);
      if (!asker.hasFullRights) throw new Refusal('full_rights_required');
      const id = await proven(database, actor, (tx) => draftProposal(tx, actor, { saccoId, ...body }, changes));
      const message = sentence('Drafted. It is published once it has its signatures.');
      return { success: true as const, message, proposal: await proposalOf(database, asker, id) };
    }),
    // Whether members can vote is reckoned from rows that are nobody's own.
    bindHandler(contract.readWayOfChanges, async ({ saccoId }) => {
      return {
        by: (await asSystem(() => isChangedByVote(readerOf(database), saccoId)))
          ? ('vote' as const)
          : ('officials' as const),
      };
    }),
    bindHandler(contract.signVotingProposal, (call) => {
      const { actor, saccoId, params } = call;
      return done(database, call, signedSaid, (tx) => signProposal(tx, actor, { ...params, saccoId }, changes));
    }),
    bindHandler(contract.cancelVotingProposal, (call) => {
      const { actor, saccoId, params, body } = call;
      const input = { ...params, saccoId, reason: body.reason };
      return done(database, call, takenBackSaid, (tx) => cancelProposal(tx, actor, input));
    }),
    bindBatched(contract.castBallot, 'ballots', async (tx, calls) => {
      const votes = calls.map(({ actor, saccoId, params, body }) => {
        return { userId: actor.userId, saccoId, proposalId: params.id, choice: body.choice };
      });
      const isProven = await provenAmong(
        tx,
        calls.map(({ actor }) => actor.sessionId),
      );
      const answers = await castBallots(tx, votes, (index) => isProven(calls[index]?.actor.sessionId));
      return answers.map((answer) =>
        answer instanceof Refusal
          ? answer
          : {
              success: true as const,
              message: sentence('Your vote is in. You may change it until voting ends.'),
              receipt: answer,
            },
      );
    }),
  ] as Binding[];
}

/** The ballots of a batch. Nobody is asked who casts them. */
const castTogether = async (tx: Tx, calls: readonly Call<typeof contract.castSecretBallot>[]) => {
  const votes = calls.map(({ params, body }) => ({ ...body, proposalId: params.id }));
  const answers = await castSecretBallots(tx, votes);
  return answers.map((answer) =>
    answer instanceof Refusal
      ? answer
      : {
          success: true as const,
          message: sentence('Your vote is in. After the count nothing that is stored ties it to you.'),
          receipt: answer,
        },
  );
};

/** Signatures go to members on the roll. The ballots come from nobody: no session is read, and nothing about the request is kept. */
function secretRoutes({ database }: VotingDependencies): Binding[] {
  return [
    bindHandler(contract.demandSecretBallot, (call) => {
      const { actor, saccoId, params } = call;
      const message = sentence('You have asked for a secret ballot.');
      return done(database, call, message, (tx) => demandSecret(tx, actor, { ...params, saccoId }));
    }),
    bindHandler(contract.issueBallotToken, async ({ actor, saccoId, params, body }) => {
      await refuseUnseen(database, { saccoId, id: params.id });
      const token = await proven(database, actor, (tx) => issueToken(tx, actor, { ...params, saccoId, ...body }));
      return { success: true as const, message: sentence('Your ballot paper is signed.'), ...token };
    }),
    bindBatched(contract.castSecretBallot, 'secret ballots', castTogether, undefined, junkBallots(database)),
  ] as Binding[];
}

/** The platform writes, since an event of a vote is nobody's own row; before it does, PostgreSQL is asked whether this is an operator. */
function operatorRoutes({ database }: VotingDependencies): Binding[] {
  return [
    bindHandler(contract.showVoteTitle, async ({ actor, params, body: { is_shown: isShown, reason } }) => {
      const act = async (tx: Tx) => {
        await requireProof(tx, actor);
        return showTitle(tx, actor, { id: params.id, isShown, reason });
      };
      await refuseUnlessOperator(database);
      return { success: true as const, message: await asSystem(() => database.transaction(act)) };
    }),
  ] as Binding[];
}

function supervisorRoutes({ database, changes }: VotingDependencies): Binding[] {
  return [
    bindHandler(contract.holdVoteResult, (call) => {
      const { actor, saccoId, params, body } = call;
      const input = { ...params, saccoId, reason: body.reason };
      return done(database, call, sentence('Held for 14 days at most.'), (tx) => holdResult(tx, actor, input));
    }),
    bindHandler(contract.releaseVoteResult, (call) => {
      const { actor, saccoId, params } = call;
      const message = sentence('Released. It is carried out when its time has come.');
      return done(database, call, message, (tx) => releaseResult(tx, actor, { ...params, saccoId }));
    }),
    bindHandler(contract.voidVoteResult, (call) => {
      const { actor, saccoId, params, body } = call;
      const input = { ...params, saccoId, reason: body.reason };
      const message = sentence('Voided. It is never carried out.');
      return done(database, call, message, (tx) => voidResult(tx, actor, input, changes));
    }),
  ] as Binding[];
}

/** Who stands for an election, and what the person whom a vote is about answers. */
function personRoutes({ database }: VotingDependencies): Binding[] {
  return [
    bindHandler(contract.standForElection, (call) => {
      const { actor, saccoId, params, body } = call;
      return done(database, call, sentence('You stand for this election.'), (tx) =>
        standForElection(tx, actor, { ...params, saccoId, ...body }),
      );
    }),
    bindHandler(contract.setCandidatePicture, async (call) => {
      const { actor, saccoId, params, file } = call;
      const of = { ...params, saccoId };
      await refuseUnseen(database, of);
      // Drawn before the transaction begins: it takes a while and needs no lock. What is refused anyhow is not drawn.
      await asSystem(() => database.transaction((tx) => standing(tx, actor, of)));
      if (!file) throw new Refusal('picture_not_accepted');
      const picture = (await redrawPicture(file.bytes, PICTURE, actor.userId)).webp;
      return done(database, call, sentence('Your picture stands beside your name.'), (tx) =>
        setCandidatePicture(tx, actor, { ...of, picture }),
      );
    }),
    bindFile(contract.readCandidatePicture, async ({ saccoId, params }) => ({
      contentType: 'image/webp',
      bytes: await candidatePicture(database, { ...params, saccoId }),
    })),
    bindHandler(contract.standDown, (call) => {
      const { actor, saccoId, params } = call;
      return done(database, call, sentence('You do not stand for this election any more.'), (tx) =>
        standDown(tx, actor, { ...params, saccoId }),
      );
    }),
    bindHandler(contract.answerVote, (call) => {
      const { actor, saccoId, params, body } = call;
      return done(database, call, sentence('Your answer stands beside the vote.'), (tx) =>
        answerVote(tx, actor, { ...params, saccoId, ...body }),
      );
    }),
  ] as Binding[];
}

/** The rules of votes and the by-laws, which members read, and whose registration officials record. */
function rulesRoutes({ database }: VotingDependencies): Binding[] {
  return [
    bindHandler(contract.readVoteRules, ({ saccoId }) => voteRulesShown(database, saccoId)),
    bindHandler(contract.readBylaws, ({ actor, saccoId, query }) =>
      bylawsShown(database, { ...actor, saccoId }, query),
    ),
    bindHandler(contract.recordBylaws, async ({ actor, saccoId, params, body }) => {
      await refuseUnseen(database, { saccoId, id: params.id });
      await proven(database, actor, (tx) => registerBylaws(tx, actor, { ...params, saccoId, ...body }));
      const bylaws = await bylawsOf(database, { ...actor, saccoId }, params.id);
      const message = bylaws.in_force_at
        ? sentence('The by-laws are in force.')
        : sentence('Recorded. They hold once another official has recorded the same.');
      return { success: true as const, message, bylaws };
    }),
  ] as Binding[];
}

/** For everybody, and asked as the platform: published votes alone, without who voted. */
function publicRoutes(deps: VotingDependencies): Binding[] {
  const { database } = deps;
  const text =
    (file: (database: Database, id: string) => Promise<string>) =>
    async ({ params }: { readonly params: { readonly id: string } }) => ({
      contentType: 'text/plain; charset=utf-8',
      bytes: Buffer.from(await asSystem(() => file(database, params.id))),
    });
  return [
    bindHandler(contract.listPublicVotes, ({ query }) => asSystem(() => publicVotes(deps, query))),
    bindHandler(contract.readPublicVote, ({ params, actor }) =>
      asSystem(() => publicVoteOf(database, params.id, actor?.isOperator)),
    ),
    bindFile(contract.readVoteRoll, text(rollFile)),
    bindFile(contract.readVoteBallots, text(ballotsFile)),
    bindFile(contract.readVoteIssued, text(issuedFile)),
  ] as Binding[];
}

export function votingTasks({ database, changes }: Pick<VotingDependencies, 'database' | 'changes'>) {
  return {
    tend_votes: () => tendVotes(database, changes),
    clear_traces_of_votes: () => clearTracesOfTheDay(database),
    note_saccos_that_vote: () => noteSaccosThatVote(database),
  };
}

export const votingSchedules = [
  { task: 'tend_votes', everySeconds: 15 },
  { task: 'clear_traces_of_votes', everySeconds: 600 },
  { task: 'note_saccos_that_vote', everySeconds: 3_600 },
] as const;
