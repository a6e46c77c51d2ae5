import type { BallotKind } from '@ushirika/contract/secret-ballots';
import type { ChangeAsked } from '@ushirika/contract/voting';
import type { Choice, VoteClass } from '@ushirika/contract/voting-rules';
import { RULES_OF_CLASS } from '@ushirika/contract/voting-rules';
import type { TestDatabase } from '../../db/test-database.ts';
import type { ChangeExecutors } from '../saccos/changes.types.ts';
import { confirmChange } from '../saccos/decide-change.ts';
import { proposeChange } from '../saccos/propose-change.ts';
import { castBallots } from './cast-ballots.ts';
import { changeToKeep, givingWayToVotes } from './changes-by-vote.ts';
import { draftProposal } from './draft-proposal.ts';
import { signProposal } from './sign-proposal.ts';
import { tendVotes } from './tend-votes.ts';

const DAY_MS = 86_400_000;
const TEXT = 'We have spoken about it at our meetings, and now we decide.';

/** Votes by their own verbs, for tests of what they change. */
export function testVotes(database: TestDatabase, executors: ChangeExecutors) {
  const changes = givingWayToVotes(executors);
  const tend = () => tendVotes(database, executors);
  const days = (count: number) => database.world.advance(count * DAY_MS);
  const votes = {
    tend,
    days,
    /** All members of a sacco could be on a roll: they joined 31 days ago, and their ID cards were seen. */
    async onRoll(saccoId: string, userIds: readonly string[], seenBy: string): Promise<void> {
      await database.owner`
        update memberships set joined_at = ${new Date(database.now().getTime() - 31 * DAY_MS)} where sacco_id = ${saccoId}`;
      await database.owner`
        insert into identity_checks (id, user_id, seen_by, document, seen_at)
        select gen_random_uuid(), id, ${seenBy}, 'national_id', ${database.now()} from unnest(${[...userIds]}::uuid[]) id`;
      await database.owner`update users set phone_confirmed_at = ${database.now()} where id = any (${[...userIds]}::uuid[])`;
    },
    /** Drafted by one of the board, signed by another one. */
    async publish(
      saccoId: string,
      [drafter, signer]: readonly [string, string],
      change: ChangeAsked,
      ballot: BallotKind = 'open',
    ): Promise<string> {
      const draft = {
        saccoId,
        title: 'We change our terms',
        text: TEXT,
        class: 'ordinary' as VoteClass,
        change,
        ballot,
      };
      const id = await database.transaction((tx) => draftProposal(tx, { userId: drafter }, draft, executors));
      await database.transaction((tx) => signProposal(tx, { userId: signer }, { id, saccoId }, executors));
      return id;
    },
    /** Everybody votes alike; it is counted. */
    async decide(id: string, saccoId: string, voters: readonly string[], choice: Choice = 'for'): Promise<void> {
      const [row] = await database.owner<{ opens_at: Date; closes_at: Date }[]>`
        select opens_at, closes_at from proposals where id = ${id}`;
      if (!row) throw new Error('There is no such vote.');
      database.world.setNow(row.opens_at);
      const cast = voters.map((userId) => ({ userId, saccoId, proposalId: id, choice }));
      await database.transaction((tx) => castBallots(tx, cast));
      database.world.setNow(row.closes_at);
      await tend();
    },
    /** The whole of it: published, voted for by everybody, and carried out. */
    async change(
      saccoId: string,
      board: readonly [string, string],
      voters: readonly string[],
      change: ChangeAsked,
    ): Promise<string> {
      const id = await votes.publish(saccoId, board, change);
      await votes.decide(id, saccoId, voters);
      days(RULES_OF_CLASS[change.kind === 'sacco_terms' ? 'special' : 'ordinary'].timelock_hours / 24);
      await tend();
      return id;
    },
    /** The way by two officials: one proposes, another confirms. */
    async byOfficials(saccoId: string, [one, other]: readonly [string, string], asked: ChangeAsked): Promise<string> {
      const { kind } = asked;
      const about = { saccoId, proposedBy: one };
      const changeId = await database.transaction((tx) =>
        proposeChange(tx, about, { kind, payload: changeToKeep(asked) }, changes[kind]),
      );
      await database.transaction((tx) => confirmChange(tx, { userId: other }, { changeId, saccoId }, changes));
      return changeId;
    },
  };
  return votes;
}
