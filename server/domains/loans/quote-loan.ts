import type * as shapes from '@ushirika/contract/loans';
import { type Cents, shillingsFromCents } from '@ushirika/contract/money';
import type { BodyOf } from '@ushirika/contract/route';
import type { Unsaid } from '@ushirika/contract/said';
import { nairobiDay } from '@ushirika/contract/time';
import type { Tx } from '../../db/tx.ts';
import { texts } from '../../ledger/sql-arrays.ts';
import { poolCoversOf } from '../pools/guarantee-cover.ts';
import { type Cover, coverFor, coverWith, refuseFeeOfAll } from './loan-cover.ts';
import { type BorrowerFacts, borrowerFacts, offeredTerms, refuseOutside, shownLimit } from './loan-limits.ts';
import type { GuaranteeRow, LoanRow, Reader } from './loan-rows.ts';
import { costOf, type ProductTerms, productsOf, shownProduct } from './loan-terms.ts';
import { APPLICATION_STATES } from './loans.rules.ts';
import { shownInstalment } from './running-schedule.ts';

type Member = { readonly userId: string; readonly saccoId: string };

/**
 * The loans that a sacco offers, and how much somebody could borrow of the one with the widest limits. Applications count once they are
 * handed in, as in the calculator and as an application is judged.
 */
export async function standingLimit(
  reader: Reader,
  member: Member,
): Promise<{ products: shapes.LoanProduct[]; limit: Unsaid<shapes.LoanLimit> }> {
  const [all, facts] = await Promise.all([productsOf(reader, member.saccoId), borrowerFacts(reader, member)]);
  const offered = all.filter(({ is_offered }) => is_offered);
  return { products: offered.map(shownProduct), limit: widestLimit(facts, offered) };
}

function widestLimit(now: BorrowerFacts, offered: readonly ProductTerms[]): Unsaid<shapes.LoanLimit> {
  const limits = offered.map((terms) => shownLimit(now, { terms, offer: { ...terms, months: terms.max_months } }));
  return limits.reduce((best, each) => (each.limit > best.limit ? each : best), limits[0] ?? NOTHING);
}

/** What pledging so much for another member does to somebody's own savings and to what they can borrow. */
export async function effectOfPledge(
  reader: Reader,
  member: Member,
  pledge: Cents,
): Promise<NonNullable<shapes.GuaranteeToSign['signing']>> {
  const [all, now, own] = await Promise.all([
    productsOf(reader, member.saccoId),
    borrowerFacts(reader, member),
    openApplications(reader, member),
  ]);
  const offered = all.filter(({ is_offered }) => is_offered);
  const after = {
    ...now,
    savings: { free: Math.max(0, now.savings.free - pledge), pledged: now.savings.pledged + pledge },
  };
  const free = { now: now.savings.free, after: after.savings.free };
  return {
    free: shillingsFromCents(now.savings.free),
    free_after: shillingsFromCents(after.savings.free),
    limit: widestLimit(now, offered).limit,
    limit_after: widestLimit(after, offered).limit,
    applications: await effectOnCovers(reader, own, free),
  };
}

/** Applications whose cover is not complete yet: free savings of their borrower count for them, and are held once they are handed in. */
function openApplications(reader: Reader, { userId, saccoId }: Member): Promise<LoanRow[]> {
  return (reader.sql as Tx['sql'])<LoanRow[]>`
    select * from loans where borrower_id = ${userId} and sacco_id = ${saccoId}
      and state = any (${texts(APPLICATION_STATES)}::text[]) order by id`;
}

type Effect = NonNullable<shapes.GuaranteeToSign['signing']>['applications'][number];
interface Free {
  readonly now: Cents;
  readonly after: Cents;
}

/** What less in free savings does to the cover of applications, of those alone whose cover it changes. In two statements. */
async function effectOnCovers(reader: Reader, loans: readonly LoanRow[], free: Free): Promise<Effect[]> {
  if (loans.length === 0) return [];
  const sql = reader.sql as Tx['sql'];
  const ids = loans.map(({ id }) => id);
  const [guarantees, pools] = await Promise.all([
    sql<GuaranteeRow[]>`select * from loan_guarantees where loan_id = any (${texts(ids)}::uuid[]) order by id`,
    poolCoversOf({ sql }, ids),
  ]);
  return loans.flatMap((loan) => {
    const own = guarantees.filter(({ loan_id }) => loan_id === loan.id);
    return effectOnCover(loan, free, (cents) => coverWith(loan, own, { guaranteed: pools.get(loan.id), free: cents }));
  });
}

function effectOnCover({ id, number }: LoanRow, free: Free, coverAt: (cents: Cents) => Cover): Effect[] {
  const [now, after] = [coverAt(free.now), coverAt(free.after)];
  if (now.own === after.own && now.toCover === after.toCover) return [];
  const shown = shillingsFromCents;
  const missing = { to_cover: shown(now.toCover), to_cover_after: shown(after.toCover) };
  return [{ id, number, own: shown(now.own), own_after: shown(after.own), ...missing }];
}

const NOTHING: Unsaid<shapes.LoanLimit> = { limit: 0, parts: [], against: [] };

/**
 * What a loan would cost if it were paid out today. Nothing is kept.
 * @throws Refusal `loan_terms_not_met`
 */
export async function quoteOf(
  reader: Reader,
  member: Member,
  body: BodyOf<typeof shapes.quoteLoan>,
): Promise<Unsaid<shapes.LoanQuote>> {
  const { amount, months, net_income: netIncome, pool_fee: poolFee = 0 } = body;
  const terms = await offeredTerms(reader, member.saccoId, body.product);
  refuseOutside(terms, { amount, months });
  const facts = await borrowerFacts(reader, member);
  const cost = costOf({ ...terms, amount_cents: amount, months }, { from: nairobiDay(reader.now), poolFee });
  refuseFeeOfAll(cost.paidOut, poolFee);
  const cover = await coverFor(
    reader,
    { id: null, amount_cents: amount, min_guarantors: terms.min_guarantors },
    [],
    facts.savings.free,
  );
  const shown = shillingsFromCents;
  return {
    product: shownProduct(terms),
    amount: shown(amount),
    months,
    instalment: shown(cost.schedule.instalment),
    total_interest: shown(cost.schedule.totalInterest),
    fee: shown(cost.fee),
    paid_out: shown(cost.paidOut),
    pool_fee: shown(poolFee),
    total_cost: shown(cost.totalCost),
    true_monthly_rate: cost.trueMonthlyRate,
    annual_percentage_rate: Math.round(cost.trueMonthlyRate * 12 * 100) / 100,
    schedule: scheduleShown(cost.schedule.instalments, amount),
    limit: shownLimit(facts, { terms, offer: { ...terms, months }, netIncome, amount }),
    own_cover: shown(cover.own),
    to_cover: shown(cover.toCover),
    guarantors_needed: cover.guarantorsNeeded,
  };
}

function scheduleShown(
  instalments: ReturnType<typeof costOf>['schedule']['instalments'],
  amount: Cents,
): shapes.Instalment[] {
  let balance = amount;
  return instalments.map((each) => {
    balance -= each.principal;
    return shownInstalment(each, balance);
  });
}
