import type { ChangeAsked } from '@ushirika/contract/voting';
import { CHOICES, type Choice } from '@ushirika/contract/voting-rules';
import type { Tx } from '../../db/tx.ts';
import { castBallots } from '../../domains/voting/cast-ballots.ts';
import { draftProposal } from '../../domains/voting/draft-proposal.ts';
import { signProposal } from '../../domains/voting/sign-proposal.ts';
import { tendVotes } from '../../domains/voting/tend-votes.ts';
import { type DemoPerson, members, treasurer, wanjiru } from '../people.ts';
import { mwangaza } from '../saccos.ts';
import { at, type Cast, type Happening, type Scene } from '../scene.ts';
import { castSecretly, executors } from '../voting.ts';
import { mitumba } from './called-pool.ts';
import { type DemoPool, soko } from './pool-stories.ts';

/*
 * Members of a pool vote: on other terms, which hold since then; on who is a steward; and on terms of another pool, where voting is under way.
 */

const person = (place: number) => members[place] as DemoPerson;
const [otieno, chebet, akinyi, wambui, jepkosgei] = [person(1), person(2), person(5), person(6), person(10)];

interface PoolVote {
  readonly pool: DemoPool;
  readonly day: number;
  readonly by: DemoPerson;
  readonly signers: readonly DemoPerson[];
  readonly title: string;
  readonly text: string;
  readonly change: (pool: string) => ChangeAsked;
  /** Who votes on the day after voting begins; in secret about a person. */
  readonly votes: readonly (readonly [DemoPerson, Choice])[];
  readonly isSecret?: boolean;
}

const [yes, no, abstain] = CHOICES;

const termsOf = ({ fields: { name: _, ...terms } }: DemoPool, more: Partial<DemoPool['fields']>) => ({
  ...terms,
  ...more,
});

const told: readonly PoolVote[] = [
  {
    pool: mitumba,
    day: 240,
    by: akinyi,
    signers: [wambui, wanjiru],
    title: 'Two months in the pool before asking',
    text: 'Whoever joins should be known to us before our money stands behind a loan. We ask for sixty days instead of thirty, and make the price a little lower for all: three and a half percent.',
    change: (pool) => ({
      kind: 'pool_terms',
      values: { pool, ...termsOf(mitumba, { min_member_period: 60, base_risk_percentage: 350 }) },
    }),
    votes: [
      [akinyi, yes],
      [wambui, yes],
      [wanjiru, yes],
      [jepkosgei, no],
    ],
  },
  {
    pool: mitumba,
    day: 262,
    by: jepkosgei,
    signers: [akinyi, wanjiru],
    title: 'Jepkosgei as a steward',
    text: 'Akinyi decides alone, and she travels for bales every month. I am at my stall every day, and would decide with her.',
    change: (pool) => ({ kind: 'pool_steward', values: { pool } }),
    votes: [
      [akinyi, yes],
      [wambui, yes],
      [wanjiru, yes],
    ],
    isSecret: true,
  },
  {
    pool: soko,
    day: 338,
    by: otieno,
    signers: [treasurer, person(0)],
    title: 'Otieno as a second steward',
    text: 'Above Ksh. 1,750 two stewards must agree, and we have one: nobody gets a guarantee for a full load of stock. I would look at requests with Wanjiru.',
    change: (pool) => ({ kind: 'pool_steward', values: { pool } }),
    votes: [
      [otieno, yes],
      [treasurer, yes],
      [person(0), yes],
      [wanjiru, yes],
    ],
    isSecret: true,
  },
  {
    pool: soko,
    day: 356,
    by: treasurer,
    signers: [otieno, chebet],
    title: 'Let new members begin with Ksh. 2,500',
    text: 'A guarantee of the pool is spread over few of us. With Ksh. 2,500 from whoever joins, less of each one is locked. Nobody who is in it pays anything.',
    change: (pool) => ({ kind: 'pool_terms', values: { pool, ...termsOf(soko, { min_contribution: 2_500_00 }) } }),
    votes: [
      [treasurer, yes],
      [otieno, abstain],
    ],
  },
];

/** The votes of the pools, each with its signatures, its voting and what follows. */
export const poolVotes = (scene: Scene, cast: Cast, poolOf: (pool: DemoPool) => string): Happening[] =>
  told.flatMap((vote) => happeningsOf(scene, cast, poolOf, vote));

function happeningsOf(scene: Scene, cast: Cast, poolOf: (pool: DemoPool) => string, vote: PoolVote): Happening[] {
  const { pool, day, by, signers, title, text, change, isSecret = false } = vote;
  let id = '';
  const saccoId = () => cast.sacco(mwangaza);
  const on = (when: number, hour: number, act: Happening['act']): Happening => ({
    at: at(scene, when, hour),
    what: `the vote “${title}” on day ${when}`,
    act,
  });
  const tend = (when: number) => on(when, 3, () => tendVotes(scene.database, executors));
  return [
    on(day, 1, async (tx: Tx) => {
      const input = { saccoId: saccoId(), title, text, class: 'ordinary', ballot: 'open' } as const;
      id = await draftProposal(tx, cast.person(by), { ...input, change: change(poolOf(pool)) }, executors);
    }),
    ...signers.map((signer) =>
      on(day, 2, (tx: Tx) => signProposal(tx, cast.person(signer), { id, saccoId: saccoId() }, executors)),
    ),
    ...[day, day + 8].map(tend),
    on(day + 8, 4, (tx: Tx) => {
      const votes = vote.votes.map(([who, choice]) => ({
        ...cast.person(who),
        ...{ saccoId: saccoId(), proposalId: id, choice },
      }));
      return isSecret ? castSecretly(tx, votes) : castBallots(tx, votes);
    }),
    ...[11, 13, 14].map((days) => tend(day + days)),
  ].filter((happening) => happening.at < scene.end);
}
