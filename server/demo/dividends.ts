import type { dividendTerms } from '@ushirika/contract/dividends';
import type { Tx } from '../db/tx.ts';
import { chooseDividend } from '../domains/dividends/choose-dividend.ts';
import { closingToKeep, yearClosingChange } from '../domains/dividends/close-year.ts';
import { dividendChange } from '../domains/dividends/declare-dividend.ts';
import { payDividends } from '../domains/dividends/pay-dividends.ts';
import { reckonYears } from '../domains/dividends/reckon-years.ts';
import { recordResidence } from '../domains/dividends/record-residence.ts';
import { dividendLoans } from '../domains/loans/share-out-dividend.ts';
import { requestExit } from '../domains/membership/request-exit.ts';
import { settleExits } from '../domains/membership/settle-exits.ts';
import { applyChanges } from '../domains/saccos/apply-changes.ts';
import type { ChangeExecutors } from '../domains/saccos/changes.types.ts';
import { confirmChange } from '../domains/saccos/decide-change.ts';
import { proposeChange } from '../domains/saccos/propose-change.ts';
import { castBallots } from '../domains/voting/cast-ballots.ts';
import { draftProposal } from '../domains/voting/draft-proposal.ts';
import { signProposal } from '../domains/voting/sign-proposal.ts';
import { tendVotes } from '../domains/voting/tend-votes.ts';
import { see } from './identity.ts';
import { join, register, save } from './member-acts.ts';
import { topUp } from './money-acts.ts';
import { type DemoPerson, formerMember, secondOfficial, treasurer } from './people.ts';
import { foundersOfMwangaza, mwangaza } from './saccos.ts';
import { at, type Cast, type DemoPart, firstYear, type Happening, type Scene } from './scene.ts';
import { signedIn } from './signed-in.ts';

/** A founder who works abroad: the dividend is taxed as a non-resident’s. */
const abroad = foundersOfMwangaza[4] as DemoPerson;

/** The changes that the story closes and votes on here. */
const executors = {
  year_closing: yearClosingChange,
  dividend: dividendChange(),
} as Partial<ChangeExecutors> as ChangeExecutors;

const RATES = {
  share_rate: 12,
  savings_rate: 6,
  savings_method: 'month_after',
  share_tax: 5,
  savings_tax: 15,
} as const;

/** The first year of Mwangaza: its founders hold shares and save, and one who has left since, two officials close it, and its dividend is voted on and paid. */
export const dividends: DemoPart = {
  happenings: (scene, cast) => [...earlySavings(scene, cast), ...told(scene, cast), ...savedAndLeft(scene, cast)],
  async weekly(database) {
    await reckonYears(database);
    await payDividends(database, dividendLoans);
  },
  async missing(sql) {
    const [found] = await sql<{ paid: boolean; shares: boolean; abroad: boolean; left: boolean }[]>`
      select exists (select from dividends where state = 'done') as paid,
        exists (select from dividend_receipts where into_shares) as shares,
        exists (select from dividend_payments p join member_residences r on r.user_id = p.member_id
          where r.lives = 'abroad' and p.kind = 'shares' and p.tax_cents = round(p.gross_cents * 0.15)) as abroad,
        exists (select from dividend_receipts r join memberships m on m.user_id = r.member_id where m.state = 'exited') as left`;
    return Object.entries(found ?? {}).flatMap(([what, is]) => (is ? [] : [`a dividend: ${what}`]));
  },
};

/** A little, every month until the others come: the money that they brought lasts for three months. */
function earlySavings(scene: Scene, cast: Cast): Happening[] {
  const { foundedOn } = firstYear(scene);
  const cents = 500_00;
  return foundersOfMwangaza.flatMap((person, position) => {
    const happenings: Happening[] = [];
    for (let day = foundedOn + 40 + position, month = 0; day < 0; day += 30, month += 1) {
      if (month % 3 === 0) happenings.push(topUp(scene, cast, person, 3 * cents, at(scene, day, 9)));
      const act = (tx: Tx) => save(tx, cast, mwangaza, person, cents);
      happenings.push({ at: at(scene, day, 10), what: `${person.firstName} saves early`, act });
    }
    return happenings;
  });
}

/** Savings without shares, and notice once the dividend is paid: 60 days later nothing is left but the dividend. */
function savedAndLeft(scene: Scene, cast: Cast): Happening[] {
  const { foundedOn, overOn } = firstYear(scene);
  const { database } = scene;
  const person = formerMember;
  const on = (day: number, what: string, act: Happening['act']): Happening => ({
    at: at(scene, day, 11),
    what: `${person.firstName} ${what}`,
    act,
  });
  return [
    register(scene, cast, person, at(scene, foundedOn + 35)),
    topUp(scene, cast, person, 3_000_00, at(scene, foundedOn + 36)),
    on(foundedOn + 37, 'joins', (tx: Tx) => join(tx, cast, mwangaza, person)),
    on(foundedOn + 38, 'saves', (tx: Tx) => save(tx, cast, mwangaza, person, 2_000_00)),
    on(overOn + 24, 'gives notice', (tx: Tx) =>
      requestExit(tx, cast.person(person), { saccoId: cast.sacco(mwangaza), reason: 'My stall has closed.' }),
    ),
    on(overOn + 85, 'has left', () => settleExits(database, async () => [])),
  ];
}

function told(scene: Scene, cast: Cast): Happening[] {
  const { database } = scene;
  const { year, overOn: day } = firstYear(scene);
  const saccoId = () => cast.sacco(mwangaza);
  const on = (when: number, hour: number, act: Happening['act']): Happening => ({
    at: at(scene, day + when, hour),
    what: `the dividend of ${year}, ${when} days after its closing`,
    act,
  });
  const recordDate = new Date(at(scene, day + 18).getTime()).toISOString().slice(0, 10);
  const values: ReturnType<typeof dividendTerms.parse> = { ...RATES, year, record_date: recordDate };
  let vote = '';
  return [
    on(0, 1, async (tx: Tx) => {
      for (const person of foundersOfMwangaza) {
        await see(tx, cast, mwangaza, person, person === treasurer ? secondOfficial : treasurer);
      }
    }),
    on(0, 2, (tx: Tx) => close(tx, cast, year)),
    on(0, 3, (tx: Tx) => livesAbroad(tx, cast)),
    on(1, 4, async () => {
      await applyChanges(database, executors);
      await reckonYears(database);
    }),
    on(1, 5, async (tx: Tx) => {
      const draft = { title: `A dividend of ${RATES.share_rate}% for ${year}`, text: TEXT, class: 'ordinary' } as const;
      const change = { kind: 'dividend', values } as const;
      vote = await draftProposal(tx, cast.person(treasurer), { saccoId: saccoId(), ...draft, change }, executors);
    }),
    on(1, 6, (tx: Tx) => signProposal(tx, cast.person(secondOfficial), { id: vote, saccoId: saccoId() }, executors)),
    on(5, 1, (tx: Tx) => chooseDividend(tx, cast.person(secondOfficial), { saccoId: saccoId(), into: 'shares' })),
    ...[1, 9].map((when) => on(when, 7, () => tendVotes(database, executors))),
    on(9, 8, async (tx: Tx) => {
      const roll = await tx.sql<{ userId: string }[]>`
        select member_id as "userId" from proposal_roll where proposal_id = ${vote}`;
      const ballot = { saccoId: saccoId(), proposalId: vote, choice: 'for' } as const;
      return castBallots(
        tx,
        roll.map((member) => ({ ...member, ...ballot })),
      );
    }),
    // Counted, and carried out 48 hours later: as it would be by the schedule.
    ...[12, 14].map((when) => on(when, 1, () => tendVotes(database, executors))),
    on(20, 1, () => payDividends(database, dividendLoans)),
  ];
}

const TEXT =
  'In its first months the sacco has earned its registration fees. A fifth is reserve, and a small dividend shows every member that it is reckoned by the day.';

async function livesAbroad(tx: Tx, cast: Cast): Promise<void> {
  const saccoId = cast.sacco(mwangaza);
  const [member] = await tx.sql<{ id: string }[]>`
    select id from memberships where sacco_id = ${saccoId} and user_id = ${cast.person(abroad).userId}`;
  const residence = { saccoId, membershipId: member?.id ?? '', lives: 'abroad', paper: PAPER } as const;
  await signedIn(tx, cast, treasurer, (actor) => recordResidence(tx, actor, residence));
}

const PAPER = 'Work permit and residence card of Qatar, valid until 2028';

async function close(tx: Tx, cast: Cast, year: number): Promise<void> {
  const saccoId = cast.sacco(mwangaza);
  const about = { saccoId, proposedBy: cast.person(treasurer).userId };
  const payload = await closingToKeep(tx, saccoId, year);
  const changeId = await proposeChange(tx, about, { kind: 'year_closing', payload }, yearClosingChange);
  await confirmChange(tx, cast.person(secondOfficial), { changeId, saccoId }, executors);
}
