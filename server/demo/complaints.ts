import {
  COMPLAINT_STATES,
  type ComplaintKind,
  type ComplaintOutcome,
  type ComplaintState,
} from '@ushirika/contract/complaints';
import type { Tx } from '../db/tx.ts';
import { answerComplaint } from '../domains/complaints/answer-complaint.ts';
import { carryClocks } from '../domains/complaints/carry-clocks.ts';
import { appealComplaint, closeComplaint, resolveComplaint } from '../domains/complaints/end-complaint.ts';
import { makeComplaint } from '../domains/complaints/make-complaint.ts';
import { type DemoPerson, members, secondOfficial, treasurer, wanjiru } from './people.ts';
import { type DemoSacco, mwangaza, umoja } from './saccos.ts';
import { at, type Cast, type DemoPart, type Happening, type Scene } from './scene.ts';

interface DemoComplaint {
  readonly by: DemoPerson;
  readonly day: number;
  readonly kind: ComplaintKind;
  readonly text: string;
  readonly sacco?: DemoSacco;
  readonly about?: DemoPerson;
  readonly progress?: readonly [day: number, text: string];
  readonly answered?: readonly [day: number, text: string];
  readonly appealed?: readonly [day: number, text: string];
  readonly closed?: number;
  readonly resolved?: readonly [day: number, outcome: ComplaintOutcome, reason: string];
}

const person = (place: number) => members[place] as DemoPerson;

/** One in each state, and enough that are over for the public page to show its figures. */
const told: readonly DemoComplaint[] = [
  {
    by: person(3),
    day: 205,
    kind: 'records',
    text: 'My statement of May lacks the saving that I made on the 12th. The receipt is in my wallet.',
    answered: [209, 'The saving was booked on the 13th. It stands on the first line of your statement of June.'],
    closed: 211,
  },
  {
    by: person(5),
    day: 230,
    kind: 'money',
    text: 'I paid the registration fee twice in the same evening, and one of the two has not come back.',
    progress: [233, 'We have asked for the list of that evening and will tell you what it shows.'],
    answered: [245, 'You were right. The second fee was paid back into your wallet this morning.'],
    closed: 247,
  },
  {
    by: person(7),
    day: 260,
    kind: 'shares',
    text: 'I offered ten shares at the market and nobody bought them for a month. Why does the sacco not buy them?',
    answered: [268, 'A sacco does not buy back its own shares. You can lower the price down to Ksh. 90 a share.'],
  },
  {
    by: person(9),
    day: 290,
    kind: 'payout',
    text: 'The repair fund promised me Ksh. 3,000 in March. I have asked at the stall four times since.',
    resolved: [
      318,
      'upheld',
      'The minutes of March show the promise. The sacco pays Ksh. 3,000 within 7 days and says so to this member.',
    ],
  },
  {
    by: person(11),
    day: 310,
    kind: 'loan',
    text: 'I was refused a loan although I have saved for two years and owe nothing to anybody.',
    answered: [315, 'The credit committee asks for three guarantors, and your application named two of them.'],
    appealed: [317, 'My brother-in-law had agreed as well. They did not wait until he was back.'],
    resolved: [
      325,
      'not_upheld',
      'The rule of three guarantors holds for everybody. Apply again once the third has said yes; nothing stands against it.',
    ],
  },
  {
    by: person(17),
    day: 345,
    kind: 'loan',
    text: 'My guarantee for a friend has not been released, though he paid his last instalment in September.',
    answered: [350, 'The last instalment was short of Ksh. 40, so that the loan is not closed yet.'],
    appealed: [352, 'The Ksh. 40 were paid on the same day. The receipt was shown to the treasurer twice.'],
  },
  {
    by: wanjiru,
    day: 352,
    kind: 'records',
    text: 'The minutes of the last general meeting are not in the office, and nobody knows when they come.',
    progress: [356, 'The secretary is writing them up. They will be in the office before the end of the month.'],
  },
  {
    by: wanjiru,
    day: 355,
    kind: 'money',
    text: 'A standing order of Ksh. 1,000 was taken twice this month, on the 5th and on the 6th.',
    answered: [361, 'It was one order, moved to the 6th because your wallet was empty on the 5th. See your statement.'],
  },
  {
    by: person(13),
    day: 360,
    kind: 'payout',
    text: 'I gave notice for the merry-go-round and was told to wait, without any date for my Ksh. 4,500.',
  },
  {
    by: person(15),
    day: 362,
    kind: 'conduct',
    about: secondOfficial,
    text: 'He read out in the market how much I have saved, before everybody who stood there.',
  },
  {
    by: person(33),
    day: 361,
    kind: 'other',
    sacco: umoja,
    text: 'The meeting was moved to a Friday evening, when riders work. Please keep to Sundays.',
  },
];

/** What members complained of, and what came of it. What is left unanswered the weekly job takes to the operators. */
export const complaints: DemoPart = {
  happenings: (scene, cast) => told.flatMap((complaint) => happeningsOf(scene, cast, complaint)),
  weekly: carryClocks,
  async missing(sql) {
    const found = await sql<{ state: ComplaintState }[]>`select distinct state from complaints`;
    const states = new Set(found.map(({ state }) => state));
    return COMPLAINT_STATES.filter((state) => !states.has(state)).map((state) => `a complaint that is ${state}`);
  },
};

function happeningsOf(scene: Scene, cast: Cast, complaint: DemoComplaint): Happening[] {
  const { by, day, kind, text, sacco = mwangaza, progress, answered, appealed, closed, resolved } = complaint;
  let complaintId = '';
  const on = (when: number, act: (tx: Tx) => Promise<void>): Happening => ({
    at: at(scene, when, 2),
    what: `${by.firstName}’s complaint of day ${day}`,
    act,
  });
  const answer = ([when, words]: readonly [number, string], isFinal: boolean) =>
    on(when, (tx) => {
      const saccoId = cast.sacco(sacco);
      return answerComplaint(tx, cast.person(treasurer), { complaintId, saccoId, text: words, isFinal });
    });
  return [
    on(day, async (tx) => {
      const saccoId = cast.sacco(sacco);
      const aboutOffice = await officeOf(tx, cast, complaint, saccoId);
      complaintId = await makeComplaint(tx, cast.person(by), { saccoId, kind, text, aboutOffice, picture: null });
    }),
    ...(progress ? [answer(progress, false)] : []),
    ...(answered ? [answer(answered, true)] : []),
    ...(appealed
      ? [on(appealed[0], (tx) => appealComplaint(tx, cast.person(by), { complaintId, text: appealed[1] }))]
      : []),
    ...(closed ? [on(closed, (tx) => closeComplaint(tx, cast.person(by), { complaintId }))] : []),
    ...(resolved
      ? [
          on(resolved[0], (tx) => {
            const [, outcome, reason] = resolved;
            return resolveComplaint(tx, cast.operator(), { complaintId, outcome, reason });
          }),
        ]
      : []),
  ];
}

async function officeOf(tx: Tx, cast: Cast, { about }: DemoComplaint, saccoId: string): Promise<string | null> {
  if (!about) return null;
  const [office] = await tx.sql<{ id: string }[]>`
    select id from offices
    where sacco_id = ${saccoId} and user_id = ${cast.person(about).userId} and ended_at is null order by since limit 1`;
  return office?.id ?? null;
}
