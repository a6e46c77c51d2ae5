import { dividendChange } from '../../../server/domains/dividends/declare-dividend.ts';
import { reckonYears } from '../../../server/domains/dividends/reckon-years.ts';
import { lockSacco } from '../../../server/domains/saccos/lock-sacco.ts';
import { leaveOut } from '../../../server/faults.proving.ts';
import type { SaccoOfStory, Scene } from '../scene.ts';
import type { Story } from '../story.ts';

/** The tenth of the next January: the year that is over then. */
function nextYear({ product }: Scene): number {
  const { world } = product.database;
  const year = world.now().getUTCFullYear();
  world.setNow(new Date(`${year + 1}-01-10T06:00:00Z`));
  return year;
}

/** Two officials close a year, and a day passes. */
async function closes(scene: Scene, { id: sacco, chair, treasurer }: SaccoOfStory, year: number): Promise<void> {
  const { ask, product, signedIn } = scene;
  for (const each of [chair, treasurer]) Object.assign(each, await signedIn(each));
  const { body } = await ask(treasurer, 'POST', '/sacco/dividends/years', { year }, { sacco });
  await ask(chair, 'POST', `/sacco/changes/${body.change?.id}/confirmation`, undefined, { sacco });
  product.database.world.advance(25 * 3_600_000);
  await product.app.tasks.apply_changes?.({});
}

const kept = async ({ product }: Scene, sacco: string): Promise<number> =>
  (
    await product.database.sql<{ cents: number }[]>`
      select coalesce(sum(balance), 0)::int as cents from accounts where book_id = ${sacco} and kind = 'retained_surplus'`
  )[0]?.cents ?? 0;

/** The chair records where somebody lives for the tax. */
async function lives({ ask, product }: Scene, own: SaccoOfStory, userId: string, where: string): Promise<number> {
  const [membership] = await product.database.sql<{ id: string }[]>`
    select id from memberships where user_id = ${userId} and sacco_id = ${own.id}`;
  const path = `/sacco/members/${membership?.id}/residence`;
  return (await ask(own.chair, 'PUT', path, { lives: where, paper: 'A tax certificate' }, { sacco: own.id })).status;
}

const TERMS = { savings_method: 'month_after', share_tax: 5, savings_tax: 15 } as const;

/** What officials and members could try with a year's surplus. */
export const dividendStories: readonly Story[] = [
  {
    name: 'year-closed-twice',
    tells: 'two officials close the same year once more, to distribute its surplus twice',
    async without({ product }) {
      leaveOut('dividends.closed_once');
      await product.database.owner`alter table closed_years drop constraint closed_years_pkey cascade`;
    },
    breaks: 'a year may be closed as often as officials like',
    expected: /a year was closed twice/,
    async play(scene) {
      const own = await scene.sacco();
      const year = nextYear(scene);
      await closes(scene, own, year);
      const before = await kept(scene, own.id);
      scene.mustNot(before === 0, 'the fees of a year are no surplus');
      await closes(scene, own, year);
      const rows = await scene.product.database
        .sql`select from closed_years where sacco_id = ${own.id} and year = ${year}`;
      scene.mustNot(rows.length > 1, 'a year was closed twice');
    },
  },
  {
    name: 'dividend-beyond-the-surplus',
    tells: 'members vote themselves more than the sacco has earned, out of other people’s savings',
    without: 'dividends.surplus_alone',
    breaks: 'a dividend may cost more than may be distributed',
    expected: /a dividend of more than the surplus was let through/,
    async play(scene) {
      const own = await scene.sacco();
      const saver = await scene.person('Saver');
      await scene.member(saver, own, 10);
      await scene.product.saccos.fund(saver.id, 50_000_00);
      await scene.does(saver, 'POST', '/sacco/savings/deposit', { sacco: own.id, amount: 50_000 });
      const year = nextYear(scene);
      await scene.product.database.owner`update saccos set type = 'chama' where id = ${own.id}`;
      await closes(scene, own, year);
      await reckonYears(scene.product.database);
      const terms = { ...TERMS, year, share_rate: 100, savings_rate: 100, record_date: `${year + 1}-03-01` };
      const about = { saccoId: own.id, proposedBy: own.chair.id };
      const refused = await scene.product.database.transaction(async (tx) => {
        await lockSacco(tx, own.id);
        return dividendChange().refusalOf(tx, about, terms);
      });
      scene.mustNot(refused === null, 'a dividend of more than the surplus was let through');
    },
  },
  {
    name: 'living-in-kenya-again',
    tells: 'a member abroad is in Kenya again by the word of a friend, and saves ten percent of the dividend',
    without: 'dividends.residence_by_another',
    breaks: 'who recorded that a member lives abroad takes it back alone',
    expected: /one official alone changed the tax of a friend twice/,
    async play(scene) {
      const [own, friend] = [await scene.sacco(), await scene.person('Friend')];
      await scene.member(friend, own, 10);
      Object.assign(own.chair, await scene.signedIn(own.chair));
      const [abroad, kenya] = [
        await lives(scene, own, friend.id, 'abroad'),
        await lives(scene, own, friend.id, 'kenya'),
      ];
      scene.mustNot(abroad !== 200, 'an official cannot record it at all');
      scene.mustNot(kenya === 200, 'one official alone changed the tax of a friend twice');
    },
  },
  {
    name: 'ones-own-tax',
    tells: 'an official records where they live themselves, to choose what is withheld',
    async without({ product }) {
      leaveOut('dividends.residence_of_others');
      await product.database.owner`alter table member_residences drop constraint member_residences_check`;
    },
    breaks: 'officials record where they live themselves',
    expected: /an official chose their own tax/,
    async play(scene) {
      const own = await scene.sacco();
      Object.assign(own.chair, await scene.signedIn(own.chair));
      scene.mustNot((await lives(scene, own, own.chair.id, 'abroad')) === 200, 'an official chose their own tax');
    },
  },
  {
    name: 'shares-bought-for-the-dividend',
    tells: 'an official who knows the rates buys shares on the last day of the year, and a member moves savings in',
    async without({ product }) {
      await product.database.owner`
        create function whole_year() returns trigger language plpgsql as $$
        begin
          new.share_days := new.share_days + 365 * 40;
          new.month_after := new.month_of * 12;
          return new;
        end $$`;
      await product.database.owner`
        create trigger whole_year before insert on year_members for each row execute function whole_year()`;
    },
    breaks: 'what came in on the last day counts for the whole year',
    expected: /shares of one day count for more than a day/,
    async play(scene) {
      const own = await scene.sacco();
      const { world } = scene.product.database;
      const year = world.now().getUTCFullYear();
      world.setNow(new Date(`${year}-12-31T06:00:00Z`));
      const late = await scene.person('Late');
      await scene.member(late, own, 40);
      await scene.product.saccos.fund(late.id, 5_000_00);
      await scene.does(late, 'POST', '/sacco/savings/deposit', { sacco: own.id, amount: 5_000 });
      nextYear(scene);
      await closes(scene, own, year);
      await reckonYears(scene.product.database);
      const [counted] = await scene.product.database.sql<{ days: number; saved: number }[]>`
        select share_days::int as days, month_after::int as saved from year_members
        where sacco_id = ${own.id} and member_id = ${late.id}`;
      scene.mustNot((counted?.days ?? 0) > 40, 'shares of one day count for more than a day');
      scene.mustNot((counted?.saved ?? 0) > 0, 'savings of the last day count');
    },
  },
];
