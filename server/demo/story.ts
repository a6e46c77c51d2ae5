import type { Office } from '@ushirika/contract/route';
import type { Tx } from '../db/tx.ts';
import { confirmPhone, requestPhoneConfirmation } from '../domains/identity/confirm-phone.ts';
import { grantOperator } from '../domains/identity/operators.ts';
import { createPasswords } from '../domains/identity/passwords.ts';
import { rateSacco } from '../domains/membership/rate-sacco.ts';
import { requestExit } from '../domains/membership/request-exit.ts';
import { DEFAULT_SMS_COUNTRIES } from '../domains/notifications/sms-countries.ts';
import { noteAction } from '../domains/operator/note-action.ts';
import { advanceReferrals } from '../domains/referrals/advance-referrals.ts';
import { giveReferralCode } from '../domains/referrals/note-registration.ts';
import { activateSacco } from '../domains/saccos/activate-sacco.ts';
import { openOffice } from '../domains/saccos/offices.ts';
import { recordCheck } from '../domains/saccos/record-check.ts';
import { recordOfficial } from '../domains/saccos/record-official.ts';
import { registerSacco } from '../domains/saccos/register-sacco.ts';
import { POINTS_BY_HAND, type PointByHand } from '../domains/saccos/saccos.rules.ts';
import { createStandingOrder } from '../domains/savings/create-standing-order.ts';
import { runStandingOrders } from '../domains/savings/run-standing-orders.ts';
import { complaints } from './complaints.ts';
import { dividends } from './dividends.ts';
import { identity } from './identity.ts';
import { checkOffs } from './lending/check-offs.ts';
import { loans } from './lending/loans.ts';
import { pools } from './lending/pools.ts';
import { join, register, roundUp, save } from './member-acts.ts';
import { buy, comparison, topUp } from './money-acts.ts';
import { type DemoPerson, members, newcomer, operator, secondOfficial, secondOperator, wanjiru } from './people.ts';
import { refusedAndReversed } from './refused-and-reversed.ts';
import {
  type DemoSacco,
  foundersOfMwangaza,
  LEAVER,
  LEAVES_ON,
  logoOf,
  mwangaza,
  nuru,
  saccos,
  umoja,
} from './saccos.ts';
import { at, Cast, type DemoPart, firstYear, type Happening, type Scene } from './scene.ts';
import { shareMarkets, tendShareMarkets } from './share-markets.ts';
import { voting } from './voting.ts';

export interface Story {
  readonly happenings: readonly Happening[];
  /** Its first day; the founding of Mwangaza lies before it. */
  readonly start: Date;
  readonly end: Date;
}

/** What the domains show, beside the founding of the saccos and the lives of their members. */
export const demoParts: readonly DemoPart[] = [
  { happenings: referrals, weekly: advanceReferrals },
  pools,
  { happenings: wanjirusOwn, weekly: runStandingOrders },
  { happenings: newcomersOwn },
  { happenings: leaving },
  { happenings: shareMarkets, weekly: tendShareMarkets },
  loans,
  checkOffs,
  complaints,
  identity,
  dividends,
  refusedAndReversed,
  voting,
];

/** Everything that happens in the year. */
export async function story(scene: Scene): Promise<Story> {
  const cast = new Cast();
  const told = [
    ...(await founding(scene, cast)),
    ...saccos.flatMap((sacco) =>
      sacco.members.flatMap((person, position) => membership(scene, cast, sacco, person, position)),
    ),
    ...demoParts.flatMap(({ happenings }) => happenings(scene, cast)),
    comparison(scene),
  ];
  return { happenings: told, start: scene.start, end: scene.end };
}

async function founding(scene: Scene, cast: Cast): Promise<Happening[]> {
  const operators = [operator, secondOperator];
  const { foundedOn } = firstYear(scene);
  const early = operators.map((one) => register(scene, cast, one, at(scene, foundedOn - 2)));
  early.push({
    at: at(scene, foundedOn - 2, 1),
    what: 'the operators are made',
    async act(tx: Tx) {
      for (const one of operators) await grantOperator(tx, cast.person(one).userId);
    },
  });
  const founded = await Promise.all(
    saccos.map((sacco, index) => foundSacco(scene, cast, sacco, sacco === mwangaza ? foundedOn : 2 + index)),
  );
  return [...early, ...founded.flat()];
}

async function foundSacco(scene: Scene, cast: Cast, sacco: DemoSacco, day: number): Promise<Happening[]> {
  const logo = await logoOf(sacco);
  const registeredOn = sacco.isActivated ? day : 352;
  const steps: Happening[] = sacco.isActivated ? [register(scene, cast, sacco.founder, at(scene, day - 1))] : [];
  steps.push({
    at: at(scene, registeredOn),
    what: `${sacco.name} is registered`,
    async act(tx: Tx) {
      const { id } = await registerSacco(tx, cast.person(sacco.founder), { ...sacco, logo });
      cast.saccos.set(sacco.name, id);
    },
  });
  if (!sacco.isActivated) return steps;
  const officials: [DemoPerson, Office][] = [[sacco.founder, 'treasurer']];
  if (sacco === mwangaza) {
    steps.push(register(scene, cast, secondOfficial, at(scene, day, 1)));
    officials.push([secondOfficial, 'secretary']);
  }
  for (const [person, office] of officials) {
    steps.push({
      at: at(scene, day, 2),
      what: `${person.firstName} becomes ${office} of ${sacco.name}`,
      act: (tx: Tx) => takeOffice(tx, cast, { sacco, person, office }),
    });
  }
  steps.push({
    at: at(scene, day, 4),
    what: `${sacco.name} is activated`,
    act: (tx: Tx) => checkAndActivate(tx, cast, sacco),
  });
  return steps;
}

/** The founder in person; whom he names has accepted with the code of an SMS that nobody reads here. */
async function takeOffice(
  tx: Tx,
  cast: Cast,
  { sacco, person, office }: { sacco: DemoSacco; person: DemoPerson; office: Office },
): Promise<void> {
  const founder = cast.person(sacco.founder);
  const named = { saccoId: cast.sacco(sacco), office };
  if (person === sacco.founder) await recordOfficial(tx, founder, { ...named, idNumber: person.idNumber });
  else await openOffice(tx, founder, { ...named, userId: cast.person(person).userId });
}

async function checkAndActivate(tx: Tx, cast: Cast, sacco: DemoSacco): Promise<void> {
  const saccoId = cast.sacco(sacco);
  for (const point of Object.keys(POINTS_BY_HAND) as PointByHand[]) {
    const sasraNumber =
      point === 'authorisation' && sacco.type === 'sacco' ? `SASRA/NWDT/${sacco.regNo.slice(3)}` : null;
    await recordCheck(tx, cast.operator(), { saccoId, point, note: 'Seen and copied.', sasraNumber });
  }
  const reason = 'All papers are in order.';
  await activateSacco(tx, cast.operator(), { saccoId, reason, strict: false });
  await noteAction(tx, cast.operator(), { action: 'sacco_activated', about: { type: 'sacco', id: saccoId }, reason });
}

const isOfficial = (sacco: DemoSacco, person: DemoPerson): boolean =>
  person === sacco.founder || (sacco === mwangaza && person === secondOfficial);

/** Whoever is referred signs up in `referrals`; Wanjiru is a member of two saccos and signs up once. */
const referredPeople = new Map([3, 8, 14, 33].map((position, order) => [members[position]?.idNumber, order] as const));

/** A member's year: signing up, the fee, the first shares, some more, and savings every month. Founders of Mwangaza came before it. */
function membership(scene: Scene, cast: Cast, sacco: DemoSacco, person: DemoPerson, position: number): Happening[] {
  const entersOn = isOfficial(sacco, person) ? 8 : 10 + position * 6;
  const isEarly = sacco === mwangaza && foundersOfMwangaza.includes(person);
  const joinsOn = isEarly ? firstYear(scene).foundedOn + 6 + position : entersOn;
  const name = `${person.firstName} of ${sacco.name}`;
  const steps: Happening[] = [];
  const isNew = !isOfficial(sacco, person) && !(person === wanjiru && sacco !== mwangaza);
  if (isNew && !referredPeople.has(person.idNumber)) steps.push(register(scene, cast, person, at(scene, joinsOn - 1)));
  const shares = sacco.minShares + (position % 4) * 10;
  const firstCents = sacco.regFeeCents + shares * sacco.shareValueCents + sacco.monthlyCents;
  steps.push(topUp(scene, cast, person, roundUp(firstCents), at(scene, joinsOn)));
  steps.push({ at: at(scene, joinsOn, 1), what: `${name} joins`, act: (tx: Tx) => join(tx, cast, sacco, person) });
  steps.push({
    at: at(scene, joinsOn, 2),
    what: `${name} buys shares`,
    act: (tx: Tx) => buy(tx, cast, sacco, person, shares),
  });
  let toPayInCents = 0;
  const months = savingMonths(sacco, position, entersOn);
  for (const { day, savedCents, more } of months) {
    toPayInCents += savedCents + more * sacco.shareValueCents;
    steps.push({
      at: at(scene, day, 10),
      what: `${name} saves`,
      act: (tx: Tx) => save(tx, cast, sacco, person, savedCents),
    });
    if (more === 0) continue;
    steps.push({
      at: at(scene, day, 11),
      what: `${name} buys more`,
      act: (tx: Tx) => buy(tx, cast, sacco, person, more),
    });
  }
  if (toPayInCents > 0) {
    // In three parts: nobody keeps a year's savings in a wallet.
    const part = roundUp(Math.ceil(toPayInCents / 3));
    for (const third of [0, 1, 2]) {
      const day = months[Math.floor((third * months.length) / 3)]?.day ?? entersOn + 30;
      steps.push(topUp(scene, cast, person, part, at(scene, day, third + (position % 6))));
    }
  }
  if (entersOn < 250 && !isOfficial(sacco, person)) {
    const stars = 3 + (position % 3);
    steps.push({
      at: at(scene, entersOn + 95, 3),
      what: `${name} rates`,
      act: (tx: Tx) =>
        rateSacco(tx, cast.person(person), { saccoId: cast.sacco(sacco), stars, comment: COMMENTS[stars] ?? '' }),
    });
  }
  return steps;
}

interface SavingMonth {
  readonly day: number;
  readonly savedCents: number;
  /** Shares bought on top. */
  readonly more: number;
}

function savingMonths(sacco: DemoSacco, position: number, entersOn: number): SavingMonth[] {
  const months: SavingMonth[] = [];
  const last = sacco === nuru && position === LEAVER ? LEAVES_ON : 364;
  for (let day = entersOn + 30, month = 1; day < last; day += 30, month += 1) {
    const savedCents = sacco.monthlyCents + ((position + month) % 3) * 250_00;
    months.push({ day, savedCents, more: (position + month) % 5 === 0 ? 5 : 0 });
  }
  return months;
}

const COMMENTS: Readonly<Record<number, string>> = {
  3: 'Good people; the meetings run long.',
  4: 'My savings show the same minute that I pay.',
  5: 'I can see every shilling. I have brought my sister.',
};

/** Four came by Wanjiru's link in the year; one has joined of late, and one has only signed up so far. */
function referrals(scene: Scene, cast: Cast): Happening[] {
  const code = (tx: Tx) => giveReferralCode(tx, cast.person(wanjiru).userId);
  const invited = [...mwangaza.members, ...umoja.members].filter(({ idNumber }) => referredPeople.has(idNumber));
  const signUps = invited.map((person) => {
    const sacco = mwangaza.members.includes(person) ? mwangaza : umoja;
    return register(scene, cast, person, at(scene, 9 + sacco.members.indexOf(person) * 6), code);
  });
  const lead: DemoPerson = { idNumber: '33901122', firstName: 'Mercy', lastName: 'Wanza', phone: '254721904455' };
  const joined: DemoPerson = { idNumber: '34507781', firstName: 'Brian', lastName: 'Mutua', phone: '254729118844' };
  return [
    ...signUps,
    register(scene, cast, joined, at(scene, 330), code),
    topUp(scene, cast, joined, 800_00, at(scene, 331)),
    { at: at(scene, 331, 1), what: 'Brian joins Umoja', act: (tx: Tx) => join(tx, cast, umoja, joined) },
    register(scene, cast, lead, at(scene, 349), code),
  ];
}

function wanjirusOwn(scene: Scene, cast: Cast): Happening[] {
  const actor = () => cast.person(wanjiru);
  return [
    {
      at: at(scene, 200),
      what: 'Wanjiru orders a saving for every fifth',
      act: (tx: Tx) =>
        createStandingOrder(tx, actor(), { saccoId: cast.sacco(mwangaza), amountCents: 1_000_00, day: 5 }),
    },
    topUp(scene, cast, wanjiru, 25_000_00, at(scene, 340)),
    { at: at(scene, 341), what: 'Wanjiru buys shares', act: (tx: Tx) => buy(tx, cast, mwangaza, wanjiru, 32) },
  ];
}

function newcomersOwn(scene: Scene, cast: Cast): Happening[] {
  return [
    register(scene, cast, newcomer, at(scene, 358)),
    confirmOwnPhone(scene, cast, newcomer, at(scene, 358, 1)),
    topUp(scene, cast, newcomer, 15_000_00, at(scene, 359)),
  ];
}

/** The code is read from the message that went to the phone, as its owner would. */
function confirmOwnPhone({ database, world }: Scene, cast: Cast, person: DemoPerson, when: Date): Happening {
  return {
    at: when,
    what: `${person.firstName} confirms the phone`,
    async act() {
      const passwords = createPasswords({ world, atOnceMax: 1, waitingMax: 1 });
      const deps = { database, passwords, smsCountries: DEFAULT_SMS_COUNTRIES };
      const actor = cast.person(person);
      await requestPhoneConfirmation(deps, actor);
      const [message] = await database.sql<{ text: string }[]>`
        select text from sms_messages where user_id = ${actor.userId} and template = 'phone_code' order by id desc limit 1`;
      await confirmPhone(deps, actor, { code: /\d{4} \d{4}/.exec(message?.text ?? '')?.[0] ?? '' });
    },
  };
}

/** One member is on the way out of Nuru: the sixty days run. */
function leaving(scene: Scene, cast: Cast): Happening[] {
  const person = nuru.members[LEAVER] as DemoPerson;
  return [
    {
      at: at(scene, LEAVES_ON, 12),
      what: `${person.firstName} gives notice`,
      act: (tx: Tx) =>
        requestExit(tx, cast.person(person), { saccoId: cast.sacco(nuru), reason: 'I am moving to Eldoret.' }),
    },
  ];
}
