import { constants, createPrivateKey, sign } from 'node:crypto';
import type { Office } from '@ushirika/contract/route';
import {
  PREFIX_BYTES,
  PSS_SALT_BYTES,
  SALT_BYTES,
  SERIAL_BYTES,
  SIGNATURE_BYTES,
  signedMessage,
  toText,
} from '@ushirika/contract/secret-ballots';
import { nairobiDay } from '@ushirika/contract/time';
import type { ChangeAsked } from '@ushirika/contract/voting';
import { CHOICES, type Choice } from '@ushirika/contract/voting-rules';
import type { Tx } from '../db/tx.ts';
import { complaintTermsChange } from '../domains/complaints/change-complaint-terms.ts';
import { dividendChange } from '../domains/dividends/declare-dividend.ts';
import { saccoTermsChange } from '../domains/market/change-sacco-terms.ts';
import { poolTermsChange } from '../domains/pools/change-pool-parameters.ts';
import { poolStewardChange } from '../domains/pools/elect-steward.ts';
import type { ChangeExecutors } from '../domains/saccos/changes.types.ts';
import { blindSign } from '../domains/voting/ballot-keys.ts';
import { bylawsChange, registerBylaws } from '../domains/voting/bylaws.ts';
import { setCandidatePicture } from '../domains/voting/candidate-picture.ts';
import { castBallots } from '../domains/voting/cast-ballots.ts';
import { castSecretBallots } from '../domains/voting/cast-secret-ballots.ts';
import { draftProposal } from '../domains/voting/draft-proposal.ts';
import { signProposal } from '../domains/voting/sign-proposal.ts';
import { standForElection } from '../domains/voting/stand-for-election.ts';
import { tendVotes } from '../domains/voting/tend-votes.ts';
import { type DemoPerson, members, secondOfficial, treasurer, wanjiru } from './people.ts';
import { portrait } from './portrait.ts';
import { mwangaza } from './saccos.ts';
import { at, type Cast, type DemoPart, type Happening, type Scene } from './scene.ts';

/** The story votes on complaints, on what joining costs, on by-laws, on a dividend (dividends.ts), and in pools (pool-votes.ts). */
export const executors = {
  complaint_terms: complaintTermsChange,
  sacco_terms: saccoTermsChange(),
  dividend: dividendChange(),
  bylaws: bylawsChange,
  pool_terms: poolTermsChange,
  pool_steward: poolStewardChange,
} as Partial<ChangeExecutors> as ChangeExecutors;

const BYLAWS = `1. Name. The society is Mwangaza Traders Sacco.
2. Members. Whoever trades at the market and is of age may join, and pays the registration fee.
3. Votes. One member has one vote, whatever the number of shares. Nobody votes for somebody else.
4. Shares. Share capital is not paid back. A member sells shares to another member.
5. Savings. Savings are paid back within 60 days of a notice, once nothing is owed.
6. Loans. Nobody decides about their own loan, or about one that they guarantee.
7. Officials. Members elect them for three years, and may end an office before that by two thirds.
8. Meetings. Votes are held in this application, with their notice, or at a general meeting.`;

interface DemoVote {
  readonly day: number;
  readonly title: string;
  readonly text: string;
  /** An official of the board, whose draft the other official signs; or a member, whose draft waits. */
  readonly by: DemoPerson;
  readonly change?: ChangeAsked;
  readonly isSecret?: boolean;
  /** Of by-laws: the number on the certificate, which two officials record 40 days later. */
  readonly registered?: string;
  /** An election: in which these stand, two days after the draft, and say this. Choices are their places; `-` for abstaining. */
  readonly election?: { readonly office: Office; readonly candidates: readonly (readonly [DemoPerson, string])[] };
  /** What the members choose on the day after voting begins, by their places: `f`, `a`, `-` for abstaining, `.` for nothing. */
  readonly choices?: string;
}

/** Votes in each state: recorded, voted down, too few votes twice, carried out, waiting for that, open, coming, and a draft. */
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
    day: 250,
    by: secondOfficial,
    title: 'Lower the registration fee to Ksh. 800',
    text: 'A thousand shillings keep people away who earn by the day. With Ksh. 800 we still cover the papers and the card of a new member. Members who have paid a thousand get nothing back.',
    change: {
      kind: 'sacco_terms',
      values: { reg_fee: 800_00, min_shares: mwangaza.minShares, share_value: mwangaza.shareValueCents },
    },
    choices: 'fffaffffffafff.fffff-fff',
  },
  {
    day: 270,
    by: secondOfficial,
    title: 'By-laws for a sacco that votes in the application',
    text: 'Our by-laws of the registration knew meetings alone. These say how we vote here, and that a member sells shares to another one.',
    change: { kind: 'bylaws', values: { text: BYLAWS } },
    registered: 'CS/17204/B2',
    choices: 'ffffffffffafff.fffff-fff',
  },
  {
    day: 343,
    by: treasurer,
    title: 'Lower the registration fee to Ksh. 600',
    text: 'Since we lowered it to Ksh. 800, three times as many people have asked us how to join. With Ksh. 600 we still pay for the card and the papers.',
    change: {
      kind: 'sacco_terms',
      values: { reg_fee: 600_00, min_shares: mwangaza.minShares, share_value: mwangaza.shareValueCents },
    },
    choices: 'ffffaffffffaff-fffffffffff',
  },
  {
    day: 330,
    by: secondOfficial,
    title: 'Pay the committees Ksh. 500 a sitting',
    text: 'The members of the credit committee and of the supervisory committee come to the office twice a month. They would get Ksh. 500 for each sitting, about Ksh. 60,000 a year.',
    isSecret: true,
    choices: 'faafaf-afa.afafa..fafa',
  },
  {
    day: 335,
    by: treasurer,
    title: 'Elect a member of the credit committee',
    text: 'The committee looks at every application for a loan. A third member shares the work, and decides where one of the two has an interest in a loan.',
    election: {
      office: 'credit_committee',
      candidates: [
        [
          members[2] as DemoPerson,
          'I have sold at the market for twelve years and know who repays. I have time on Tuesdays and Fridays.',
        ],
        [members[5] as DemoPerson, 'I kept the books of our women’s group, and never a shilling was missing.'],
      ],
    },
    choices: '01100-0011000100100110010010',
  },
  {
    day: 361,
    by: secondOfficial,
    title: 'Elect a vice chair',
    text: 'The vice chair leads the meetings when the chair cannot come. The office has been empty since we were registered.',
    election: {
      office: 'vice_chair',
      candidates: [[members[5] as DemoPerson, 'I would hold the meetings to their time, and let everybody speak.']],
    },
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
      {
        executed: boolean;
        recorded: boolean;
        rejected: boolean;
        second: boolean;
        open: boolean;
        coming: boolean;
        waits: boolean;
        draft: boolean;
        fee: boolean;
        bylaws: boolean;
        secret: boolean;
        elected: boolean;
        nominations: boolean;
      }[]
    >`
      select bool_or(executed_at is not null) as executed, bool_or(executed_at is not null and change_kind = 'sacco_terms') as fee,
        exists (select from bylaws where in_force_at is not null) as bylaws,
        bool_or(outcome = 'passed' and kind = 'resolution') as recorded, bool_or(outcome = 'rejected') as rejected,
        bool_or(ballot = 'secret' and counted_at is not null) as secret,
        bool_or(elected is not null and executed_at is not null) as elected,
        bool_or(kind = 'election' and published_at is not null and counted_at is null) as nominations,
        bool_or(round = 2 and outcome = 'no_quorum') as second,
        bool_or(published_at is not null and counted_at is null and turnout > 0) as open, bool_or(published_at is null) as draft,
        bool_or(kind = 'change' and published_at is not null and counted_at is null and turnout = 0) as coming,
        bool_or(outcome = 'passed' and eta is not null and executed_at is null) as waits
      from proposals`;
    return Object.entries(found ?? {}).flatMap(([what, is]) => (is ? [] : [`a vote: ${what}`]));
  },
};

function happeningsOf(
  scene: Scene,
  cast: Cast,
  { day, by, title, text, change, isSecret = false, registered: no, election, choices = '' }: DemoVote,
): Happening[] {
  let id = '';
  const on = (when: number, hour: number, act: Happening['act']): Happening => ({
    at: at(scene, when, hour),
    what: `the vote “${title}” on day ${when}`,
    act,
  });
  const signer = by === treasurer ? secondOfficial : treasurer;
  const tend = (when: number) => on(when, 3, () => tendVotes(scene.database, executors));
  const isOfBoard = by !== wanjiru;
  // An election has 15 days of notice. Two thirds take longer: five days of voting, and seven until it is carried out.
  const isSpecial = change?.kind === 'sacco_terms' || change?.kind === 'bylaws';
  const begins = election || isSpecial ? 16 : 8;
  const later = election ? [19, 22] : isSpecial ? [21, 28, 29] : [11, 13, 28, 29];
  return [
    on(day, 1, async (tx: Tx) => {
      const ballot = isSecret ? 'secret' : 'open';
      const what = { saccoId: cast.sacco(mwangaza), title, text, office: election?.office, change };
      const input = { ...what, class: 'ordinary', ballot } as const;
      id = await draftProposal(tx, cast.person(by), input, executors);
    }),
    ...(isOfBoard
      ? [
          on(day, 2, (tx: Tx) =>
            signProposal(tx, cast.person(signer), { id, saccoId: cast.sacco(mwangaza) }, executors),
          ),
          tend(day),
        ]
      : []),
    ...(election?.candidates ?? []).map(([person, words], number) =>
      on(day + 2, 5, (tx: Tx) => stand(tx, cast.person(person), { id, saccoId: cast.sacco(mwangaza) }, words, number)),
    ),
    ...(choices === ''
      ? []
      : [
          tend(day + begins),
          on(day + begins, 4, async (tx: Tx) =>
            isSecret || election
              ? castSecretly(tx, await votesIn(tx, { cast, id, choices, election }))
              : castBallots(tx, votesOf(cast, id, choices)),
          ),
          ...later.map((days) => tend(day + days)),
          ...(no ? registered({ scene, cast, day, no, vote: () => id }, on) : []),
        ]
    ).filter((happening) => happening.at < scene.end),
  ];
}

async function stand(
  tx: Tx,
  person: { readonly userId: string },
  of: { readonly id: string; readonly saccoId: string },
  words: string,
  number: number,
): Promise<void> {
  await standForElection(tx, person, { ...of, words });
  await setCandidatePicture(tx, person, { ...of, picture: await portrait(number) });
}

interface Registered {
  readonly scene: Scene;
  readonly cast: Cast;
  readonly day: number;
  readonly no: string;
  readonly vote: () => string;
}

/** Two officials record the certificate of by-laws, 40 days after the draft. */
function registered(
  { scene, cast, day, no, vote }: Registered,
  on: (when: number, hour: number, act: Happening['act']) => Happening,
): Happening[] {
  return [secondOfficial, treasurer].map((person, place) =>
    on(day + 40 + place, 6, (tx: Tx) => {
      const certificate = { no, on: nairobiDay(at(scene, day + 38, 6)) };
      return registerBylaws(tx, cast.person(person), { id: vote(), saccoId: cast.sacco(mwangaza), ...certificate });
    }),
  );
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

export interface SecretChoice {
  readonly userId: string;
  readonly proposalId: string;
  readonly choice: string;
}

/** The choices of secret votes and of elections. */
async function votesIn(
  tx: Tx,
  { cast, id, choices, election }: Pick<DemoVote, 'election'> & { cast: Cast; id: string; choices: string },
): Promise<SecretChoice[]> {
  if (!election) return votesOf(cast, id, choices);
  const stand = await tx.sql<{ id: string; member_id: string }[]>`
    select id, member_id from election_candidates where proposal_id = ${id}`;
  return [...choices].flatMap((letter, place) => {
    const [candidate] = election.candidates[Number(letter)] ?? [];
    const userId = candidate && cast.person(candidate).userId;
    const choice = letter === '-' ? 'abstain' : stand.find(({ member_id }) => member_id === userId)?.id;
    const person = members[place];
    return choice && person ? [{ ...cast.person(person), proposalId: id, choice }] : [];
  });
}

/**
 * As the members' browsers do it (web/src/voting/cast-secretly.ts), but signed with the key itself: blinding takes a tenth of a second
 * for each. What is stored has the same form.
 */
export async function castSecretly(tx: Tx, votes: readonly SecretChoice[]): Promise<void> {
  for (const { userId, proposalId, choice } of votes) {
    const [key] = await tx.sql<{ private_key: Buffer }[]>`
      select private_key from proposal_keys where proposal_id = ${proposalId} and round = 1`;
    if (!key) continue;
    const random = (length: number) => tx.database.randomBytes(length);
    const blinded = Buffer.concat([Buffer.of(0), random(SIGNATURE_BYTES - 1)]);
    const given = await tx.sql`
      insert into ballot_tokens (proposal_id, round, handle, blinded, blind_signature)
      select proposal_id, 1, handle, ${blinded}, ${blindSign(key.private_key, blinded)} from proposal_roll
      where proposal_id = ${proposalId} and member_id = ${userId}`;
    if (given.count === 0) continue;
    const paper = { serial: toText(random(SERIAL_BYTES)), prefix: toText(random(PREFIX_BYTES)) };
    const signer = createPrivateKey({ key: key.private_key, type: 'pkcs8', format: 'der' });
    const padding = constants.RSA_PKCS1_PSS_PADDING;
    const signature = sign('sha384', signedMessage(paper), { key: signer, padding, saltLength: PSS_SALT_BYTES });
    await castSecretBallots(tx, [
      { ...paper, proposalId, choice, signature: toText(signature), salt: toText(random(SALT_BYTES)) },
    ]);
  }
}
