import { compareLoans } from './compare-loans.ts';
import { compareMarkets } from './compare-markets.ts';
import type { NaiveBooks } from './naive-books.ts';
import type { Simulation } from './simulation.ts';

const PLATFORM = '00000000-0000-7000-8000-000000000001';
const DEBIT_KINDS = new Set([
  'mpesa_float',
  'cash',
  'marketing_expense',
  'shares_issued',
  'loan_principal',
  'interest_receivable',
  'penalty_receivable',
  'provision_expense',
  'surplus_appropriated',
]);

/** Compares everything that the naive books hold with what the product's tables hold. Answers the first difference. */
export async function compare(simulation: Simulation): Promise<string | undefined> {
  return (
    (await compareBalances(simulation)) ??
    compareFloat(simulation) ??
    (await compareMembers(simulation)) ??
    (await compareSaccos(simulation)) ??
    (await compareReferrals(simulation)) ??
    (await compareMarkets(simulation)) ??
    (await compareLoans(simulation))
  );
}

function expectedBalances(books: NaiveBooks): Map<string, number> {
  const expected = new Map<string, number>();
  const put = (name: string, cents: number) => {
    if (cents !== 0) expected.set(name, cents);
  };
  put(`platform mpesa_float`, books.float);
  put(`platform suspense`, books.suspense);
  for (const person of books.people) {
    put(`platform wallet ${person.number}`, person.wallet);
    put(`platform wallet_hold ${person.number}`, person.held);
  }
  for (const sacco of books.saccos) {
    put(`platform settlement ${sacco.number}`, sacco.cash);
    const of = (kind: string, cents: number) => put(`sacco ${sacco.number} ${kind}`, cents);
    of('cash', sacco.cash);
    of('share_capital', sacco.capital);
    of('fee_income', sacco.fees);
    of('marketing_expense', sacco.rewardsPaid);
    of('shares_issued', sacco.issued);
    const { interest, interestIncome, penalties, penaltyIncome, fees, provision, forgiven } = sacco.lending;
    of('interest_receivable', interest);
    of('interest_income', interestIncome);
    of('penalty_receivable', penalties);
    of('penalty_income', penaltyIncome);
    of('loan_fee_income', fees);
    of('loan_loss_provision', provision);
    of('provision_expense', provision + forgiven);
    const { reserve, retained, tax, closed } = sacco.surplus;
    of('statutory_reserve', reserve);
    of('retained_surplus', retained);
    of('tax_payable', tax);
    of(
      'surplus_appropriated',
      closed.reduce((sum, year) => sum + year.reserve + year.distributable, 0),
    );
    for (const { year, dividend } of closed) of(`dividends_payable ${year}`, dividend?.owed ?? 0);
  }
  for (const { id, places } of books.pools)
    for (const { person, position } of places) put(`platform pool_position ${id} of ${person.number}`, position);
  for (const { number, sacco, principal } of books.loans)
    put(`sacco ${sacco.number} loan_principal ${number}`, principal);
  for (const { person, sacco, savings, pledged, shares, heldShares } of books.members) {
    put(`sacco ${sacco.number} deposits ${person.number}`, savings);
    put(`sacco ${sacco.number} deposits_hold ${person.number}`, pledged);
    put(`sacco ${sacco.number} holding ${person.number}`, shares - heldShares);
    put(`sacco ${sacco.number} holding_hold ${person.number}`, heldShares);
  }
  return expected;
}

async function compareBalances({ books, house }: Simulation): Promise<string | undefined> {
  const numbers = new Map<string | null, number | string>([[null, '']]);
  for (const { id, number } of [...books.people, ...books.saccos, ...books.loans]) numbers.set(id, number);
  const dividends = await house.database.owner<{ id: string; year: number }[]>`select id, year from dividends`;
  for (const { id, year } of dividends) numbers.set(id, year);
  const numberOf = new Map(books.people.map(({ id, number }) => [id, number]));
  const places = await house.database.owner<{ id: string; user_id: string; pool_id: string }[]>`
    select id, user_id, pool_id from pool_members`;
  for (const { id, user_id, pool_id } of places) numbers.set(id, `${pool_id} of ${numberOf.get(user_id)}`);
  const rows = await house.database.owner<
    { book_id: string; kind: string; asset: string; owner_id: string | null; balance: string }[]
  >`select book_id, kind, asset, owner_id, balance from accounts where balance <> 0`;
  const expected = expectedBalances(books);
  const sums = new Map<string, number>();
  for (const { book_id, kind, asset, owner_id, balance } of rows) {
    const book = book_id === PLATFORM ? 'platform' : `sacco ${numbers.get(book_id)}`;
    const name = `${book} ${kind} ${numbers.get(owner_id) ?? owner_id}`.trim();
    const cents = Number(balance);
    const said = expected.get(name) ?? 0;
    if (said !== cents) return `${name}: the naive books have ${said}, the product ${cents}`;
    if (cents < 0) return `${name} is below zero: ${cents}`;
    expected.delete(name);
    const sum = `${book} ${asset}`;
    sums.set(sum, (sums.get(sum) ?? 0) + (DEBIT_KINDS.has(kind) ? cents : -cents));
  }
  const [missing] = expected;
  if (missing) return `${missing[0]}: the naive books have ${missing[1]}, the product nothing`;
  const [uneven] = [...sums].filter(([, sum]) => sum !== 0);
  if (uneven) return `in ${uneven[0]} debits and credits differ by ${uneven[1]}`;
  return;
}

/** What M-Pesa holds for us is what the books say, but for what it has not told yet. Shares times par are capital. */
function compareFloat({ books, mpesa, judge }: Simulation): string | undefined {
  const told = mpesa.heldCents - judge.unknownCents();
  if (told !== books.float) return `M-Pesa holds ${told} that it has told of, and the float is ${books.float}`;
  for (const sacco of books.saccos) {
    const atPar = sacco.issued * sacco.shareValue;
    if (atPar !== sacco.capital)
      return `sacco ${sacco.number}: shares at par are ${atPar}, the capital is ${sacco.capital}`;
  }
  return;
}

async function compareMembers({ books, house }: Simulation): Promise<string | undefined> {
  const rows = await house.database.owner<
    { sacco_id: string; user_id: string; state: string; exit: string | null; order_id: string | null }[]
  >`
    select m.sacco_id, m.user_id, m.state, o.id as order_id,
      (select e.state from exit_requests e where e.sacco_id = m.sacco_id and e.user_id = m.user_id order by e.id desc limit 1) as exit
    from memberships m left join standing_orders o on o.sacco_id = m.sacco_id and o.user_id = m.user_id and o.state = 'active'`;
  if (rows.length !== books.members.length)
    return `${rows.length} memberships, and ${books.members.length} in the naive books`;
  const found = new Map(rows.map((row) => [`${row.sacco_id} ${row.user_id}`, row]));
  for (const { sacco, person, state, exit, order } of books.members) {
    const row = found.get(`${sacco.id} ${person.id}`);
    const who = `person ${person.number} in sacco ${sacco.number}`;
    if (row?.state !== state) return `${who} is ${row?.state}, in the naive books ${state}`;
    if (row.exit !== (exit?.state ?? null))
      return `the exit of ${who} is ${row.exit}, in the naive books ${exit?.state}`;
    if (row.order_id !== (order?.id ?? null))
      return `the standing order of ${who} is ${row.order_id ? 'there' : 'gone'}`;
  }
  return;
}

async function compareSaccos({ books, house }: Simulation): Promise<string | undefined> {
  const rows = await house.database.owner<{ id: string; state: string; members: number; holders: string }[]>`
    select s.id, s.state, f.members, concat_ws(' ', f.share_holders, f.qualified_holders,
      case when f.holding_limit_since is null then 'free' else 'limited' end) as holders from saccos s join sacco_figures f on f.sacco_id = s.id`;
  if (rows.length !== books.saccos.length)
    return `${rows.length} saccos, and ${books.saccos.length} in the naive books`;
  const found = new Map(rows.map((row) => [row.id, row]));
  for (const sacco of books.saccos) {
    const row = found.get(sacco.id);
    const said = `${sacco.state}, ${books.membersOf(sacco)} members, holders ${books.holdersOf(sacco)} ${books.qualifiedOf(sacco)} ${books.isLimited(sacco) ? 'limited' : 'free'}`;
    const is = `${row?.state}, ${row?.members} members, holders ${row?.holders}`;
    if (said !== is) return `sacco ${sacco.number} is ${is}; in the naive books ${said}`;
  }
  return;
}

async function compareReferrals({ books, house }: Simulation): Promise<string | undefined> {
  const rows = await house.database.owner<{ id: string; status: string; reward_state: string; review: string }[]>`
    select id, status, reward_state, review from referrals`;
  const found = new Map(rows.map((row) => [row.id, row]));
  for (const referral of books.referrals) {
    const row = found.get(referral.id);
    const said = `${referral.status}, ${referral.reward}, ${referral.review}`;
    const is = `${row?.status}, ${row?.reward_state}, ${row?.review}`;
    if (said !== is) return `the referral of person ${referral.referred.number} is ${is}; in the naive books ${said}`;
  }
  return;
}
