import type { dividendTerms } from '@ushirika/contract/dividends';
import type { Tx } from '../db/tx.ts';
import { chooseDividend } from '../domains/dividends/choose-dividend.ts';
import { closingToKeep, yearClosingChange } from '../domains/dividends/close-year.ts';
import { dividendChange } from '../domains/dividends/declare-dividend.ts';
import { payDividends } from '../domains/dividends/pay-dividends.ts';
import { reckonYears } from '../domains/dividends/reckon-years.ts';
import { shareOutDividend } from '../domains/loans/share-out-dividend.ts';
import { applyChanges } from '../domains/saccos/apply-changes.ts';
import type { ChangeExecutors } from '../domains/saccos/changes.types.ts';
import { confirmChange } from '../domains/saccos/decide-change.ts';
import { proposeChange } from '../domains/saccos/propose-change.ts';
import { castBallots } from '../domains/voting/cast-ballots.ts';
import { draftProposal } from '../domains/voting/draft-proposal.ts';
import { signProposal } from '../domains/voting/sign-proposal.ts';
import { tendVotes } from '../domains/voting/tend-votes.ts';
import { see } from './identity.ts';
import { secondOfficial, treasurer, wanjiru } from './people.ts';
import { mwangaza } from './saccos.ts';
import { at, type Cast, DAY_MS, type DemoPart, type Happening, type Scene } from './scene.ts';

/** The story closes years and votes on dividends alone here. */
const executors = {
  year_closing: yearClosingChange,
  dividend: dividendChange(),
} as Partial<ChangeExecutors> as ChangeExecutors;

const RATES = {
  share_rate: 15,
  savings_rate: 6,
  savings_method: 'month_after',
  share_tax: 5,
  savings_tax: 15,
} as const;
/** From then on enough members of the story joined 30 days ago to vote. */
const FIRST_VOTE_DAY = 45;
/** Its first year is told where it has so many days: enough to earn something, and before loans have used its capital. */
const [YEAR_DAYS_LEAST, YEAR_DAYS_MOST] = [35, 45];

/** The first year of Mwangaza, closed and paid while the sacco is small, once its members can vote. */
export const dividends: DemoPart = {
  happenings(scene, cast) {
    const year = new Date(scene.start).getUTCFullYear();
    const newYear = Math.ceil((Date.parse(`${year + 1}-01-01T04:00:00Z`) - scene.start.getTime()) / DAY_MS);
    const day = Math.max(newYear, FIRST_VOTE_DAY);
    const isToldHere = newYear >= YEAR_DAYS_LEAST && newYear <= YEAR_DAYS_MOST;
    return isToldHere ? told(scene, cast, { year, day }) : [];
  },
  async weekly(database) {
    await reckonYears(database);
    await payDividends(database, shareOutDividend);
  },
  async missing(sql) {
    const [found] = await sql<{ paid: boolean; shares: boolean }[]>`
      select exists (select from dividends where state = 'done') as paid,
        exists (select from dividend_receipts where into_shares) as shares`;
    return Object.entries(found ?? {}).flatMap(([what, is]) => (is ? [] : [`a dividend: ${what}`]));
  },
};

function told(scene: Scene, cast: Cast, { year, day }: { readonly year: number; readonly day: number }): Happening[] {
  const { database } = scene;
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
      for (const person of [treasurer, secondOfficial, wanjiru]) {
        await see(tx, cast, mwangaza, person, person === treasurer ? secondOfficial : treasurer);
      }
    }),
    on(0, 2, (tx: Tx) => close(tx, cast, year)),
    on(1, 4, async () => {
      await applyChanges(database, executors);
      await reckonYears(database);
    }),
    on(1, 5, async (tx: Tx) => {
      const draft = { title: `A dividend of 15% for ${year}`, text: TEXT, class: 'ordinary' } as const;
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
    ...[12, 15].map((when) => on(when, 1, () => tendVotes(database, executors))),
    on(20, 1, () => payDividends(database, shareOutDividend)),
  ];
}

const TEXT =
  'In its first weeks the sacco has earned its registration fees. A fifth is reserve, and a small dividend shows every member that it is reckoned by the day.';

async function close(tx: Tx, cast: Cast, year: number): Promise<void> {
  const saccoId = cast.sacco(mwangaza);
  const about = { saccoId, proposedBy: cast.person(treasurer).userId };
  const payload = await closingToKeep(tx, saccoId, year);
  const changeId = await proposeChange(tx, about, { kind: 'year_closing', payload }, yearClosingChange);
  await confirmChange(tx, cast.person(secondOfficial), { changeId, saccoId }, executors);
}
