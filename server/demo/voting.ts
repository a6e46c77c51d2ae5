import type { ChangeAsked } from '@ushirika/contract/voting';
import { CHOICES, type Choice } from '@ushirika/contract/voting-rules';
import type { Tx } from '../db/tx.ts';
import { complaintTermsChange } from '../domains/complaints/change-complaint-terms.ts';
import { dividendChange } from '../domains/dividends/declare-dividend.ts';
import type { ChangeExecutors } from '../domains/saccos/changes.types.ts';
import { castBallots } from '../domains/voting/cast-ballots.ts';
import { draftProposal } from '../domains/voting/draft-proposal.ts';
import { signProposal } from '../domains/voting/sign-proposal.ts';
import { tendVotes } from '../domains/voting/tend-votes.ts';
import { type DemoPerson, members, secondOfficial, treasurer, wanjiru } from './people.ts';
import { mwangaza } from './saccos.ts';
import { at, type Cast, type DemoPart, type Happening, type Scene } from './scene.ts';

/** The story votes on complaints, and on a dividend (dividends.ts). */
const executors = {
  complaint_terms: complaintTermsChange,
  dividend: dividendChange(),
} as Partial<ChangeExecutors> as ChangeExecutors;

interface DemoVote {
  readonly day: number;
  readonly title: string;
  readonly text: string;
  /** An official of the board, whose draft the other official signs; or a member, whose draft waits. */
  readonly by: DemoPerson;
  readonly change?: ChangeAsked;
  /** What the members choose on the day after voting begins, by their places: `f`, `a`, `-` for abstaining, `.` for nothing. */
  readonly choices?: string;
}

/** One that was recorded, one that was voted down, one that had too few votes twice, one carried out, an open one, a coming one, a draft. */
const told: readonly DemoVote[] = [
  {
    day: 262,
    by: treasurer,
    title: 'Rent the stall beside the bus stage for two years',
    text: 'The stall costs Ksh. 8,000 a month. It gives us a counter of our own on market days, where members pay in and ask. The lease runs for two years and can be ended with three months’ notice.',
    choices: 'ffafff-ffaff.fff-ff..ffaf',
  },
  {
    day: 215,
    by: secondOfficial,
    title: 'Meet on weekday evenings instead of Sundays',
    text: 'Meetings would begin at six in the evening on the first Tuesday of the month. Whoever sells at the market on Sundays could come then.',
    choices: 'aafaa-aafaaa.aaafaa..aafa',
  },
  {
    day: 240,
    by: secondOfficial,
    title: 'Print the yearly report on paper for every member',
    text: 'Printing costs about Ksh. 60 for each member. The report can be read in the app by everybody, also without paper.',
    choices: '..f..f.f',
  },
  {
    day: 300,
    by: treasurer,
    title: 'Answer complaints within a week',
    text: 'Today our officials have fourteen days for a first answer and thirty to settle a complaint. We shorten that to seven and twenty-one days.',
    change: { kind: 'complaint_terms', values: { answer_days: 7, resolve_days: 21 } },
    choices: 'ffffaff-fff.fffaff..ffff',
  },
  {
    day: 356,
    by: secondOfficial,
    title: 'Buy a fireproof safe for the office',
    text: 'A safe of 60 kg costs Ksh. 38,500 with transport. The papers of the registration, the stamp and the cheque book would be kept in it.',
    choices: 'ff.a.f',
  },
  {
    day: 362,
    by: treasurer,
    title: 'Settle complaints within a fortnight',
    text: 'Since complaints are answered within a week, most of them are settled within two. We make that the rule: seven days to a first answer, fourteen to the final one.',
    change: { kind: 'complaint_terms', values: { answer_days: 7, resolve_days: 14 } },
  },
  {
    day: 363,
    by: wanjiru,
    title: 'A tent for the members who wait outside the office',
    text: 'On market days twenty of us stand in the sun or the rain. A tent of three metres costs Ksh. 9,000.',
  },
];

/** Votes of Mwangaza, in most of their states. */
export const voting: DemoPart = {
  happenings: (scene, cast) => told.flatMap((vote) => happeningsOf(scene, cast, vote)),
  weekly: (database) => tendVotes(database, executors),
  async missing(sql) {
    const [found] = await sql<
      { executed: boolean; recorded: boolean; rejected: boolean; second: boolean; open: boolean; draft: boolean }[]
    >`
      select bool_or(executed_at is not null) as executed, bool_or(outcome = 'passed' and kind = 'resolution') as recorded,
        bool_or(outcome = 'rejected') as rejected, bool_or(round = 2 and outcome = 'no_quorum') as second,
        bool_or(published_at is not null and counted_at is null and turnout > 0) as open, bool_or(published_at is null) as draft
      from proposals`;
    return Object.entries(found ?? {}).flatMap(([what, is]) => (is ? [] : [`a vote: ${what}`]));
  },
};

function happeningsOf(scene: Scene, cast: Cast, { day, by, title, text, change, choices = '' }: DemoVote): Happening[] {
  let id = '';
  const on = (when: number, hour: number, act: Happening['act']): Happening => ({
    at: at(scene, when, hour),
    what: `the vote “${title}” on day ${when}`,
    act,
  });
  const signer = by === treasurer ? secondOfficial : treasurer;
  const tend = (when: number) => on(when, 3, () => tendVotes(scene.database, executors));
  const isOfBoard = by !== wanjiru;
  return [
    on(day, 1, async (tx: Tx) => {
      const saccoId = cast.sacco(mwangaza);
      id = await draftProposal(tx, cast.person(by), { saccoId, title, text, class: 'ordinary', change }, executors);
    }),
    ...(isOfBoard
      ? [
          on(day, 2, (tx: Tx) =>
            signProposal(tx, cast.person(signer), { id, saccoId: cast.sacco(mwangaza) }, executors),
          ),
          tend(day),
        ]
      : []),
    ...(choices === ''
      ? []
      : [
          tend(day + 8),
          on(day + 8, 4, (tx: Tx) => castBallots(tx, votesOf(cast, id, choices))),
          ...[11, 13, 28, 29].map((later) => tend(day + later)),
        ]
    ).filter((happening) => happening.at < scene.end),
  ];
}

const CHOICE_OF: Readonly<Record<string, Choice>> = { f: CHOICES[0], a: CHOICES[1], '-': CHOICES[2] };

function votesOf(cast: Cast, proposalId: string, choices: string) {
  const saccoId = cast.sacco(mwangaza);
  return [...choices].flatMap((letter, place) => {
    const choice = CHOICE_OF[letter];
    const person = members[place];
    return choice && person ? [{ ...cast.person(person), saccoId, proposalId, choice }] : [];
  });
}
