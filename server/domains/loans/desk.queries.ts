import { API_BASE } from '@ushirika/contract/constants';
import type * as shapes from '@ushirika/contract/loans';
import {
  COMMITTEE_APPROVALS,
  GUARANTOR_MEMBER_DAYS,
  LOAN_CLASSES,
  listDeskLoanMovements,
  listDeskLoans,
  PAYOUT_OFFICES,
} from '@ushirika/contract/loans';
import { type Cents, formatShillings, shillingsFromCents } from '@ushirika/contract/money';
import type { Office, QueryOf } from '@ushirika/contract/route';
import type { Unsaid } from '@ushirika/contract/said';
import { type Sentence, sentence } from '@ushirika/contract/sentence';
import { nairobiDay } from '@ushirika/contract/time';
import type { Fragment } from 'postgres';
import { countUpTo, linker, readCursor, toPage } from '../../db/page.ts';
import { asSystem } from '../../db/person.ts';
import type { Database, Tx } from '../../db/tx.ts';
import { texts } from '../../ledger/sql-arrays.ts';
import { hasIdentitySeen } from '../identity/identity-checks.ts';
import type { RelatedPairs } from '../identity/related-pairs.types.ts';
import { isHeld } from '../saccos/officials-too-few.ts';
import { ownLoans } from './apply-for-loan.ts';
import { DEFAULT_FROM_DAYS } from './arrears.rules.ts';
import { barText } from './limit-words.ts';
import { type Cover, coverFor } from './loan-cover.ts';
import { historyOf } from './loan-facts.ts';
import { type BorrowerFacts, barsOf, borrowerFacts, partsFor, shownLimit } from './loan-limits.ts';
import { movementsPage } from './loan-movements.ts';
import { INTERESTED, interestsOf, officesHeld, VOTED, whyNoVotes } from './loan-officials.ts';
import { type LoanRow, noSuchLoan, type Reader, readerOf } from './loan-rows.ts';
import { termsOfLoan } from './loan-terms.ts';
import {
  type Deps,
  decideBy,
  detailOf,
  guaranteesOf,
  isOwed,
  readShown,
  type ShownRow,
  shownLoan,
} from './loans.queries.ts';
import { APPLICATION_STATES, limitOf } from './loans.rules.ts';
import { SECOND_ACCOUNT_CHECKS } from './pay-out-loan.ts';
import { DEFAULT_VOTES } from './recovery.rules.ts';
import { isForManager, needsSecondTier, type Voices } from './review.rules.ts';
import { officesToSpeakIn, type Speaking, voicesOf } from './review-loan.ts';
import { otherAccountsOf, SECOND_ACCOUNT } from './second-account.ts';
import { votesThatWait } from './votes-that-wait.ts';
import { whoDecides } from './who-decides.ts';
import { WRITE_OFF_OFFICES } from './write-off-sides.ts';

type Official = { readonly userId: string; readonly saccoId: string };

/** How the recovery of a loan that is behind stands. */
export interface RecoveryStanding {
  readonly nextStep: Unsaid<shapes.DeskLoan['next_step']>;
  readonly may: shapes.Loan['may'];
  readonly steps: Unsaid<shapes.LoanDetail['steps']>;
  /** Who has voted for a default that is not decided. */
  readonly voters: readonly string[];
}

/** The day's run and recovery say it (server/domains.ts gives it). */
export interface LoanSteps {
  /** Of those loans that are behind, by the loan's id, for somebody with these offices. A constant number of statements. */
  standings(
    reader: Reader,
    loans: readonly LoanRow[],
    offices: readonly Office[],
  ): Promise<ReadonlyMap<string, RecoveryStanding>>;
  days(reader: Reader, saccoId: string): Promise<shapes.LoanFigures['days']>;
}

/** Without recovery there is nothing to do but to wait for the borrower. */
export const NO_STEPS: LoanSteps = {
  standings: async () => new Map(),
  days: async () => [],
};

/** What the desk is handed in of later domains. */
export interface DeskNeeds {
  readonly steps: LoanSteps;
  readonly relatedPairs: RelatedPairs;
}

const shown = shillingsFromCents;

const LISTS: Readonly<
  Record<QueryOf<typeof listDeskLoans>['list'], { readonly isUp: boolean; readonly states: readonly string[] }>
> = {
  to_review: { isUp: true, states: ['submitted'] },
  to_disburse: { isUp: true, states: ['accepted'] },
  to_check: { isUp: true, states: ['disbursing'] },
  substitutions: { isUp: true, states: ['active', 'in_arrears', 'defaulted', 'recovering'] },
  arrears: { isUp: true, states: ['active', 'in_arrears', 'defaulted', 'recovering'] },
  active: { isUp: false, states: ['active', 'in_arrears', 'defaulted', 'recovering'] },
  written_off: { isUp: false, states: ['written_off'] },
  over: { isUp: false, states: ['closed', 'rejected', 'withdrawn', 'expired'] },
};

function narrowed(sql: Database['sql'], list: QueryOf<typeof listDeskLoans>['list'], today: string): Fragment {
  // Those whom the day's run has found late: its index has them alone.
  if (list === 'arrears') return sql`and l.arrears_since is not null and l.due_on < ${today}`;
  if (list === 'substitutions') {
    return sql`and exists (select from loan_guarantees g
                           where g.loan_id = l.id and g.state = 'accepted' and g.replaces_id is not null)`;
  }
  return sql``;
}

const EPOCH = '2000-01-01';
const keysOfLate = ({ due_on, id }: ShownRow) => [
  Math.round((Date.parse(due_on ?? EPOCH) - Date.parse(EPOCH)) / 86_400_000),
  id,
];

/** Loans of a sacco for its officials. */
export async function deskLoans(
  { database, publicUrl, ...needs }: Deps & DeskNeeds,
  official: Official,
  query: QueryOf<typeof listDeskLoans>,
) {
  const { sql } = database;
  const today = nairobiDay(database.now());
  const { isUp: isOldest, states } = LISTS[query.list];
  const isArrears = query.list === 'arrears';
  const cursor = readCursor(query.cursor, isArrears ? ['int4', 'uuid'] : ['uuid']);
  const isUp = isOldest !== (cursor?.isBack ?? false);
  const order = isUp ? sql`asc` : sql`desc`;
  const matching = sql`
    from loans l where l.sacco_id = ${official.saccoId} and l.state = any (${texts(states)}::text[])
    ${narrowed(sql, query.list, today)}`;
  // The longest late first: by the day on which the oldest unpaid instalment was due.
  const first = isArrears ? sql`l.due_on ${order},` : sql``;
  const keys = isArrears ? sql`(l.due_on - ${EPOCH}::date, l.id)` : sql`(l.id)`;
  const given =
    cursor?.keys.length === 2
      ? sql`(${cursor.keys[0] as number}::int, ${cursor.keys[1] as string}::uuid)`
      : sql`(${(cursor?.keys[0] ?? null) as string | null}::uuid)`;
  const after = cursor ? sql`and ${keys} ${isUp ? sql`>` : sql`<`} ${given}` : sql``;
  const reader = readerOf(database);
  const [rows, count] = await Promise.all([
    readShown(
      reader,
      sql`select l.id ${matching} ${after} order by ${first} l.id ${order} limit ${query.limit + 1}`,
      order,
      first,
    ),
    countUpTo(sql, matching),
  ]);
  const linkTo = linker(`${publicUrl}${API_BASE}${listDeskLoans.path}`, query);
  const page = toPage(rows, { limit: query.limit, cursor, keysOf: isArrears ? keysOfLate : (row) => [row.id], linkTo });
  // Whose money is in a pool behind a loan is nobody's row of an official's.
  const acts = await asSystem(() => actsOf(reader, page.results, official, needs));
  const results = page.results.map((row) => {
    const { may, standing } = acts.get(row.id) as Acts;
    return { ...shownLoan(row, may, reader.now), ...deskFields(row), next_step: standing?.nextStep ?? null };
  });
  return { ...page, count, results };
}

const deskFields = (row: ShownRow) => ({
  borrower: { id: row.borrower_id, name: row.borrower_name },
  is_of_official: row.is_of_official,
  former_name: row.former_name,
  class: row.class,
  provision: shown(row.provision_cents),
  decide_by: row.state === 'submitted' ? decideBy(row) : null,
});

interface Acts {
  readonly may: shapes.Loan['may'];
  /** Why not the act that is due. */
  readonly barred: Sentence | null;
  readonly standing: RecoveryStanding | null;
  /** Why they may say no and not yes to the act that is due. */
  readonly secondAccount: Sentence | null;
}

/** What an official may do with loans now, and else why not, by the loan's id. A constant number of statements. */
async function actsOf(
  reader: Reader,
  loans: readonly LoanRow[],
  official: Official,
  { steps, relatedPairs }: DeskNeeds,
): Promise<ReadonlyMap<string, Acts>> {
  const ids = loans.map(({ id }) => id);
  const held = await officesHeld(reader, official);
  const submitted = loans.filter(({ state }) => state === 'submitted');
  const [standings, interests, speaking, given, noVotes] = await Promise.all([
    steps.standings(reader, loans.filter(isOwed), held),
    interestsOf(reader, official.userId, ids),
    officesToSpeakIn(reader, { userId: official.userId, held }, submitted, relatedPairs),
    givenBy(reader, official, loans),
    whyNoVotes(reader, official.saccoId),
  ]);
  return new Map(
    loans.map((loan) => [
      loan.id,
      actsFor({
        due: dueAct(loan),
        standing: standings.get(loan.id) ?? null,
        isInterested: interests.has(loan.id),
        speaking: speaking.get(loan.id),
        given: given.get(loan.id) ?? NOTHING_GIVEN,
        userId: official.userId,
        held,
        noVotes,
      }),
    ]),
  );
}

interface ActFacts {
  readonly due: Due | null;
  readonly standing: RecoveryStanding | null;
  readonly isInterested: boolean;
  readonly speaking: Speaking | undefined;
  readonly given: Given;
  readonly userId: string;
  readonly held: readonly Office[];
  /** Why nobody votes: the sacco is not active. */
  readonly noVotes: Sentence | null;
}

function actsFor({ due, standing, isInterested, speaking, given, userId, held, noVotes }: ActFacts): Acts {
  const recovering = mayStill(standing?.may ?? [], noVotes);
  const [none, secondAccount] = [[], null];
  if (isInterested) {
    return { may: none, barred: due !== null || recovering.length > 0 ? INTERESTED : null, standing, secondAccount };
  }
  if (due === null) {
    const barred = recovering.includes('default') ? refusalOfDefault(userId, standing?.voters ?? [], given) : null;
    return { may: recovering.filter((act) => act !== 'default' || barred === null), barred, standing, secondAccount };
  }
  const barred =
    (due.act === 'review' ? noVotes : null) ?? refusalOfOffice(due, speaking, held) ?? refusalOfGiven(due.act, given);
  if (barred) return { may: none, barred, standing, secondAccount };
  return {
    may: [due.act],
    barred,
    standing,
    secondAccount: refusalOfYes(due.act, given) ?? (due.act === 'check' ? noVotes : null),
  };
}

const VOTES: ReadonlySet<shapes.Loan['may'][number]> = new Set(['default', 'write_off', 'restructure']);

/** Of the acts of a recovery those that are no votes, where nobody votes. */
const mayStill = (may: shapes.Loan['may'], noVotes: Sentence | null): shapes.Loan['may'] =>
  noVotes === null ? may : may.filter((act) => !VOTES.has(act));

/** By the rule of `decideDefault`. */
function refusalOfDefault(userId: string, voters: readonly string[], { accounts }: Given): Sentence | null {
  if (voters.includes(userId) && voters.length < DEFAULT_VOTES) return VOTED;
  return voters.some((each) => accounts.has(each)) ? SECOND_ACCOUNT : null;
}

/** Why an official may say no and not yes: by the rules of `reviewLoan` and `decideDisbursement`. */
function refusalOfYes(act: Due['act'], given: Given): Sentence | null {
  if (act === 'review' && given.byOtherAccount) return SECOND_ACCOUNT;
  return act === 'check' && (given.byOtherAccount || given.orderedByOtherAccount) ? SECOND_ACCOUNT_CHECKS : null;
}

function refusalOfOffice(due: Due, speaking: Speaking | undefined, held: readonly Office[]): Sentence | null {
  if (due.act === 'review') {
    if (speaking?.office) return null;
    return speaking?.refusal ?? sentence('This loan needs no vote from your office.');
  }
  if (PAYOUT_OFFICES.some((office) => held.includes(office))) return null;
  return sentence('Your office does not take this step.');
}

type Due = { readonly act: 'review' | 'disburse' | 'check' };

function dueAct({ state }: LoanRow): Due | null {
  if (state === 'submitted') return { act: 'review' };
  if (state === 'accepted') return { act: 'disburse' };
  if (state === 'disbursing') return { act: 'check' };
  return null;
}

/** What an official and other accounts of theirs have done about a loan. */
interface Given {
  /** Whether the official has voted in the round that is under way. */
  readonly vote: boolean;
  /** Whether another account of theirs has approved it in that round. */
  readonly byOtherAccount: boolean;
  readonly ordered: boolean;
  readonly orderedByOtherAccount: boolean;
  /** The other accounts of theirs. */
  readonly accounts: ReadonlySet<string>;
}

const NOTHING_GIVEN: Given = {
  ...{ vote: false, byOtherAccount: false, ordered: false, orderedByOtherAccount: false },
  accounts: new Set(),
};

/** The same of several loans of their sacco, by the loan's id. */
async function givenBy(
  reader: Reader,
  official: Official,
  loans: readonly LoanRow[],
): Promise<ReadonlyMap<string, Given>> {
  const { userId } = official;
  const accounts = await otherAccountsOf(reader, official);
  const others = texts([...accounts]);
  const rows = await (reader.sql as Tx['sql'])<(Omit<Given, 'accounts'> & { id: string })[]>`
    select l.id,
      exists (select from loan_reviews r where r.loan_id = l.id and r.round = l.round and r.reviewer_id = ${userId}) as vote,
      exists (select from loan_reviews r where r.loan_id = l.id and r.round = l.round and r.decision = 'approve'
                and r.reviewer_id = any (${others}::uuid[])) as "byOtherAccount",
      exists (select from loan_disbursements d where d.loan_id = l.id and d.state = 'ordered' and d.ordered_by = ${userId}) as ordered,
      exists (select from loan_disbursements d where d.loan_id = l.id and d.state = 'ordered'
                and d.ordered_by = any (${others}::uuid[])) as "orderedByOtherAccount"
    from loans l where l.id = any (${texts(loans.map(({ id }) => id))}::uuid[])`;
  return new Map(rows.map((row) => [row.id, { ...row, accounts }]));
}

function refusalOfGiven(act: Due['act'], given: Given): Sentence | null {
  if (act === 'review' && given.vote) return sentence('You have voted on this application.');
  if (act === 'check' && given.vote) {
    return sentence('You decided about this application, so another official checks its payout.');
  }
  if (act === 'check' && given.ordered) {
    return sentence('You ordered this payment, so another official checks it.');
  }
  return null;
}

/**
 * Everything about one loan that its review needs. That an official read it is kept, like every reading of a member's record.
 * @throws Refusal `not_found`
 */
export async function deskLoanOf(
  database: Database,
  official: Official,
  id: string,
  needs: DeskNeeds,
): Promise<Unsaid<shapes.DeskLoanDetail>> {
  // The sacco's own books, and what guarantors may pledge, are nobody's rows.
  return readAndRecord(database, official, id, () => deskDetail(database, official, id, needs));
}

/** Every movement of money of a loan of the sacco, by pages; the reading is kept. @throws Refusal `not_found`, `validation_failed` */
export async function deskLoanMovements(
  { database, publicUrl }: Deps,
  official: Official,
  id: string,
  query: QueryOf<typeof listDeskLoanMovements>,
) {
  const address = `${publicUrl}${API_BASE}${listDeskLoanMovements.path.replace('{id}', id)}`;
  return readAndRecord(database, official, id, () => movementsPage(database, id, query, address));
}

/**
 * Reads something of a loan of the sacco as the platform, and keeps that an official read it. One who guarantees the loan, or whose own it is, reads
 * it as an official too, and decides nothing about it.
 * @throws Refusal `not_found` where the loan is not the sacco's
 */
async function readAndRecord<T>(
  database: Database,
  { saccoId, userId }: Official,
  id: string,
  read: () => Promise<T>,
): Promise<T> {
  const [loan] = await database.sql<{ borrower_id: string }[]>`
    select borrower_id from loans where id = ${id} and sacco_id = ${saccoId}`;
  if (!loan) throw noSuchLoan();
  const found = await asSystem(read);
  await database.sql`
    insert into member_record_readings (id, sacco_id, read_by, read_at, members)
    values (${database.newId()}, ${saccoId}, ${userId}, ${database.now()}, array[${loan.borrower_id}]::uuid[])`;
  return found;
}

/** Applications that others have still to decide about. */
const UNDECIDED: readonly LoanRow['state'][] = [...APPLICATION_STATES, 'submitted'];

async function deskDetail(database: Database, official: Official, id: string, needs: DeskNeeds) {
  const reader = readerOf(database);
  const [row] = await readShown(reader, database.sql`select id from loans where id = ${id}`, database.sql`asc`);
  if (!row) throw noSuchLoan();
  const member = { saccoId: row.sacco_id, userId: row.borrower_id };
  const [acts, facts, terms, voices] = await Promise.all([
    actsOf(reader, [row], official, needs).then((found) => found.get(row.id) as Acts),
    borrowerFacts(reader, member, ownLoans(row)),
    termsOfLoan(reader, row),
    voicesOf(reader, row),
  ]);
  // Once it was decided nobody asks who could.
  const amount = UNDECIDED.includes(row.state) ? row.amount_cents : null;
  const wanted = { terms, offer: row, netIncome: row.net_income_cents, amount };
  const steps = acts.standing?.steps;
  const [detail, borrower] = [await detailOf(reader, row, acts.may, steps), await borrowerOf(reader, row, facts)];
  return {
    ...detail,
    ...deskFields(row),
    borrower,
    limit: shownLimit(facts, wanted, 'official'),
    reviews: await reviewsOf(reader, id),
    approvals: approvalsOf(row, voices),
    findings: await findingsOf(reader, row, { facts, limit: limitOf(partsFor(facts, wanted)), terms }),
    barred: acts.barred,
    second_account: acts.secondAccount,
    disbursement: await orderOf(reader, id),
  };
}

function approvalsOf(row: LoanRow, voices: Voices): Unsaid<shapes.DeskLoanDetail['approvals']> {
  return {
    committee: voices.committeeApprovals,
    needed: COMMITTEE_APPROVALS,
    second_tier: needsSecondTier(row),
    second_tier_given: voices.secondTierApprovals > 0,
    manager: isForManager(row, voices),
    manager_given: voices.managerApprovals > 0,
    who: whoDecides(row, voices),
  };
}

async function borrowerOf(
  reader: Reader,
  row: ShownRow,
  facts: BorrowerFacts,
): Promise<shapes.DeskLoanDetail['borrower']> {
  const sql = reader.sql as Tx['sql'];
  const [[person], history, seen] = await Promise.all([
    sql<{ id_number: string; phone: string; joined_at: Date; shares: number; given: number }[]>`
      select u.id_number, u.phone, m.joined_at,
        (select coalesce(sum(balance), 0)::bigint from accounts where book_id = ${row.sacco_id} and owner_id = u.id
           and kind in ('holding', 'holding_hold')) as shares,
        (select coalesce(sum(g.pledged_cents), 0)::bigint from loan_guarantees g join loans l on l.id = g.loan_id
         where g.guarantor_id = u.id and g.kind = 'member' and l.sacco_id = ${row.sacco_id}) as given
      from users u join memberships m on m.user_id = u.id and m.sacco_id = ${row.sacco_id}
      where u.id = ${row.borrower_id}`,
    historyOf(reader, row.sacco_id, row.borrower_id),
    hasIdentitySeen({ sql }, [row.borrower_id], row.sacco_id),
  ]);
  if (!person) throw noSuchLoan();
  return {
    id: row.borrower_id,
    name: row.borrower_name,
    id_number: person.id_number,
    phone_number: person.phone,
    joined_at: person.joined_at.toISOString(),
    identity_seen: seen.has(row.borrower_id),
    savings: shown(facts.savings.free + facts.savings.pledged),
    shares: person.shares,
    guarantees_given: shown(person.given),
    other_loans: shown(facts.standing.otherPrincipal),
    history,
  };
}

async function reviewsOf({ sql }: Reader, loanId: string): Promise<shapes.DeskLoanDetail['reviews']> {
  const rows = await (sql as Tx['sql'])<
    { id: string; name: string; office: Office; decision: 'approve' | 'reject' | 'return'; reason: string; at: Date }[]
  >`
    select r.reviewer_id as id, u.first_name || ' ' || u.last_name as name, r.office, r.decision, r.reason, r.at
    from loan_reviews r join users u on u.id = r.reviewer_id where r.loan_id = ${loanId} order by r.id`;
  return rows.map(({ id, name, office, decision, reason, at }) => ({
    by: { id, name },
    office,
    decision,
    reason,
    at: at.toISOString(),
  }));
}

async function orderOf({ sql }: Reader, loanId: string): Promise<shapes.DeskLoanDetail['disbursement']> {
  const [row] = await (sql as Tx['sql'])<{ id: string; name: string; ordered_at: Date }[]>`
    select d.ordered_by as id, u.first_name || ' ' || u.last_name as name, d.ordered_at
    from loan_disbursements d join users u on u.id = d.ordered_by
    where d.loan_id = ${loanId} and d.state in ('ordered', 'paid')`;
  return row ? { ordered_by: { id: row.id, name: row.name }, ordered_at: row.ordered_at.toISOString() } : null;
}

/**
 * What the rules say, one by one, and whether it is met now. That an official of the sacco saw the ID card is no rule of a loan (decision 180):
 * `borrower.identity_seen` says it.
 */
async function findingsOf(
  reader: Reader,
  loan: ShownRow,
  {
    facts,
    limit,
    terms,
  }: {
    readonly facts: BorrowerFacts;
    readonly limit: Cents;
    readonly terms: { readonly min_member_days: number };
  },
): Promise<Unsaid<shapes.DeskLoanDetail['findings']>> {
  if (loan.disbursed_at !== null) return [];
  const guarantees = await guaranteesOf(reader, loan.id);
  const cover = await coverFor(reader, loan, guarantees, 0);
  const signed = guarantees.filter(({ kind, state }) => kind === 'member' && state === 'accepted').length;
  const money = (cents: Cents) => formatShillings(shown(cents));
  const covered = loan.amount_cents - cover.toCover;
  return [
    ...findingsAboutBorrower(facts, terms),
    {
      is_met: loan.amount_cents <= limit,
      text: sentence('{amount} is asked for; the limit is {limit}.', {
        amount: money(loan.amount_cents),
        limit: money(limit),
      }),
    },
    {
      is_met: cover.toCover === 0,
      text: sentence('{covered} of {amount} is covered by pledged savings.', {
        covered: money(covered),
        amount: money(loan.amount_cents),
      }),
    },
    { is_met: cover.guarantorsNeeded === 0, text: guarantorsText(cover, signed) },
  ];
}

function guarantorsText(
  { guarantorsNeeded, pool }: Pick<Cover, 'guarantorsNeeded' | 'pool'>,
  signed: number,
): Sentence {
  if (guarantorsNeeded === 0 && signed === 0) {
    return pool > 0
      ? sentence('No guarantor is needed: a guarantor pool and the borrower’s own savings cover the loan.')
      : sentence('No guarantor is needed: the borrower’s own savings cover the loan.');
  }
  return sentence(
    '{n, plural, one {# member has signed as a guarantor} other {# members have signed as guarantors}}. A guarantor has been a member for {days} days and holds no office.',
    { n: signed, days: GUARANTOR_MEMBER_DAYS },
  );
}

/** What the rules say about the borrower, whatever the loan. */
function findingsAboutBorrower(
  facts: BorrowerFacts,
  terms: { readonly min_member_days: number },
): Unsaid<shapes.DeskLoanDetail['findings']> {
  return [
    ...barsOf(facts, { terms, amount: null })
      .filter((bar) => bar === 'sacco_inactive' || bar === 'leaving')
      .map((bar) => ({ is_met: false, text: barText(bar, facts, terms, 'official') })),
    {
      is_met: facts.standing.membership === 'active' && facts.standing.days >= terms.min_member_days,
      text: sentence('A member in full rights for {days} days; this loan asks for {least}.', {
        days: facts.standing.days,
        least: terms.min_member_days,
      }),
    },
    {
      is_met: !facts.standing.isInArrears,
      text: sentence('The borrower is not behind with another loan, and owes no guarantor.'),
    },
  ];
}

/** What the sacco has lent, what of it is late, and what waits, for all and for the official who asks. */
export async function loanFigures(
  database: Database,
  official: { readonly userId: string; readonly saccoId: string },
  steps: LoanSteps,
): Promise<Unsaid<shapes.LoanFigures>> {
  const sql = database.sql;
  const { saccoId } = official;
  const today = nairobiDay(database.now());
  const [classes, [sums], [writtenOff], waived, [waiting], mine, days] = await Promise.all([
    sql<{ class: shapes.LoanClass; loans: number; owed: number; provision: number }[]>`
      select class, (count(*) filter (where ${isOwing(sql)}))::int as loans, sum(principal_cents)::bigint as owed, sum(provision_cents)::bigint as provision
      from loans where sacco_id = ${saccoId} and class is not null group by class`,
    sql<{ owed: number; loans: number; late30: number; late90: number }[]>`
      select coalesce(sum(principal_cents), 0)::bigint as owed, (count(*) filter (where ${isOwing(sql)}))::int as loans,
        coalesce(sum(principal_cents) filter (where due_on < ${today}::date - 30 or ${keptClass(sql, today, ['substandard', 'doubtful', 'loss'])}), 0)::bigint as late30,
        coalesce(sum(principal_cents) filter (where due_on < ${today}::date - 90 or ${keptClass(sql, today, ['doubtful', 'loss'])}), 0)::bigint as late90
      from loans where sacco_id = ${saccoId} and class is not null`,
    sql<{ loans: number; owed: number }[]>`
      select (count(*) filter (where ${isOwing(sql)}))::int as loans,
        coalesce(sum(principal_cents + interest_cents + penalty_cents), 0)::bigint as owed
      from loans where sacco_id = ${saccoId} and state = 'written_off'`,
    waivedLately(database, saccoId),
    sql<shapes.LoanFigures['waiting'][]>`
      select count(*) filter (where state = 'submitted')::int as to_review,
        count(*) filter (where state = 'accepted')::int as to_disburse,
        count(*) filter (where state = 'disbursing')::int as to_check,
        count(*) filter (where state in ('active', 'in_arrears', 'defaulted', 'recovering')
          and exists (select from loan_guarantees g
                      where g.loan_id = l.id and g.state = 'accepted' and g.replaces_id is not null))::int as substitutions,
        count(*) filter (where state in ('active', 'in_arrears', 'defaulted', 'recovering') and due_on < ${today})::int as arrears
      from loans l where sacco_id = ${saccoId}`,
    // Whose money is in a pool behind a loan is nobody's row of an official's.
    asSystem(() => waitingFor(readerOf(database), official, steps)),
    steps.days(readerOf(database), saccoId),
  ]);
  const owed = sums?.owed ?? 0;
  const part = (cents: number) => (owed === 0 ? 0 : Math.round((cents / owed) * 10_000) / 10_000);
  return {
    owed: shown(owed),
    loans: sums?.loans ?? 0,
    written_off: { loans: writtenOff?.loans ?? 0, owed: shown(writtenOff?.owed ?? 0) },
    waived,
    par30: part(sums?.late30 ?? 0),
    par90: part(sums?.late90 ?? 0),
    provision: shown(classes.reduce((total, { provision }) => total + provision, 0)),
    classes: LOAN_CLASSES.map((name) => {
      const row = classes.find((each) => each.class === name);
      return {
        class: name,
        loans: row?.loans ?? 0,
        owed: shown(row?.owed ?? 0),
        provision: shown(row?.provision ?? 0),
      };
    }),
    waiting: waiting ?? { to_review: 0, to_disburse: 0, to_check: 0, substitutions: 0, arrears: 0 },
    ...mine,
    days,
  };
}

/** The waivers of two officials in the last 365 days. */
async function waivedLately({ sql, now }: Database, saccoId: string): Promise<shapes.LoanFigures['waived']> {
  const [row] = await sql<{ waivers: number; cents: number }[]>`
    select count(*)::int as waivers,
      coalesce(sum(((payload ->> 'penalty')::numeric + (payload ->> 'interest')::numeric) * 100), 0)::bigint as cents
    from sacco_changes
    where sacco_id = ${saccoId} and kind = 'loan_waiver' and state = 'in_force'
      and ended_at > ${now()}::timestamptz - interval '365 days'`;
  return { waivers: row?.waivers ?? 0, amount: shown(row?.cents ?? 0) };
}

/** In SQL: a loan of which something is owed. One that is paid and waits to be closed is not counted. */
const isOwing = (sql: Database['sql']): Fragment => sql`principal_cents + interest_cents + penalty_cents > 0`;

/** In SQL: a loan that a new schedule left in one of these classes, while it keeps it. It counts as late as it was. */
const keptClass = (sql: Database['sql'], today: string, classes: readonly shapes.LoanClass[]): Fragment =>
  sql`coalesce(kept_class_until > ${today} and kept_class = any (${texts(classes)}::text[]), false)`;

/** How many loans wait for an act that this official may do, and which for their vote. */
async function waitingFor(
  reader: Reader,
  official: { readonly userId: string; readonly saccoId: string },
  steps: LoanSteps,
): Promise<Unsaid<Pick<shapes.LoanFigures, 'waiting_for_me' | 'votes_to_cast' | 'votes_barred'>>> {
  const [held, noVotes] = await Promise.all([officesHeld(reader, official), whyNoVotes(reader, official.saccoId)]);
  const [counts, recovery, votes_to_cast] = await Promise.all([
    countsFor(reader, official, held),
    stepsFor(reader, { ...official, held, noVotes }, steps),
    noVotes === null ? votesThatWait(reader, { ...official, held }) : [],
  ]);
  const to_review = noVotes === null ? counts.to_review : 0;
  return { waiting_for_me: { ...counts, to_review, recovery }, votes_to_cast, votes_barred: noVotes };
}

const STEP_ACTS: ReadonlySet<shapes.Loan['may'][number]> = new Set(['default', 'recover', 'write_off']);

/** Loans whose steps are worked out for one reading of the figures: some statements about all of them. */
const STEPS_MAX = 1000;

/**
 * How many steps of recovery this official may take now. A step for which a vote counts is left out: it waits for another vote
 * (`votesThatWait`). No step may be taken before day 90. Counts up to 1,000, of the loans that are behind longest.
 */
async function stepsFor(
  reader: Reader,
  { userId, saccoId, held, noVotes }: Official & Pick<ActFacts, 'held' | 'noVotes'>,
  steps: LoanSteps,
): Promise<number> {
  if (held.length === 0) return 0;
  const late = await (reader.sql as Tx['sql'])<LoanRow[]>`
    select l.* from loans l
    where l.sacco_id = ${saccoId} and l.arrears_since is not null
      and (l.state in ('defaulted', 'recovering') or l.state = 'in_arrears' and l.days_past_due >= ${DEFAULT_FROM_DAYS})
      and not exists (select from loan_interests i where i.loan_id = l.id and i.user_id = ${userId})
      and not exists (
        select from loan_recovery_voices v
        join offices o on o.sacco_id = l.sacco_id and o.user_id = v.by_id and ${isHeld(reader.sql as Tx['sql'], reader.now)}
          and o.office = any (${texts(WRITE_OFF_OFFICES)}::text[])
        where v.loan_id = l.id and v.arrears_since = l.arrears_since and v.kind = 'write_off' and l.state = 'recovering')
    order by l.arrears_since, l.id limit ${STEPS_MAX}`;
  const standings = [...(await steps.standings(reader, late, held)).values()];
  return standings.filter(({ may, voters }) =>
    mayStill(may, noVotes).some((act) => STEP_ACTS.has(act) && (act !== 'default' || voters.length === 0)),
  ).length;
}

async function countsFor(
  reader: Reader,
  official: { readonly userId: string; readonly saccoId: string },
  held: readonly Office[],
): Promise<Omit<shapes.LoanFigures['waiting_for_me'], 'recovery'>> {
  const holds = (offices: readonly Office[]) => offices.some((office) => held.includes(office));
  const sql = reader.sql as Tx['sql'];
  const { userId, saccoId } = official;
  const accounts = await otherAccountsOf(reader, official);
  // Nothing waits for an account that may only say no, because another one of the same person has said yes.
  const others = texts([...accounts]);
  const mine = texts([userId, ...accounts]);
  const [row] = await sql<Omit<shapes.LoanFigures['waiting_for_me'], 'recovery'>[]>`
    select
      count(*) filter (where state = 'submitted'
        and (${holds(['credit_committee'])} or ${holds(['treasurer', 'chair'])} and judged_cents > committee_alone_cents
          or ${holds(['manager'])} and judged_cents <= manager_alone_cents
            and not exists (select from loan_reviews r where r.loan_id = l.id and r.round = l.round
                              and r.office = 'credit_committee' and r.decision = 'reject'))
        and not exists (select from loan_reviews r
                        where r.loan_id = l.id and r.round = l.round and (r.reviewer_id = ${userId}
                          or r.decision = 'approve' and r.reviewer_id = any (${others}::uuid[]))))::int as to_review,
      count(*) filter (where state = 'accepted' and ${holds(PAYOUT_OFFICES)})::int as to_disburse,
      count(*) filter (where state = 'disbursing' and ${holds(PAYOUT_OFFICES)}
        and not exists (select from loan_reviews r
                        where r.loan_id = l.id and r.round = l.round and (r.reviewer_id = ${userId}
                          or r.decision = 'approve' and r.reviewer_id = any (${others}::uuid[])))
        and not exists (select from loan_disbursements d
                        where d.loan_id = l.id and d.state = 'ordered' and d.ordered_by = any (${mine}::uuid[])))::int as to_check,
      count(*) filter (where ${holds(['credit_committee'])} and state in ('active', 'in_arrears', 'defaulted', 'recovering')
        and exists (select from loan_guarantees g
                    where g.loan_id = l.id and g.state = 'accepted' and g.replaces_id is not null))::int as substitutions
    from loans l
    where sacco_id = ${saccoId}
      and state in ('submitted', 'accepted', 'disbursing', 'active', 'in_arrears', 'defaulted', 'recovering')
      and not exists (select from loan_interests i where i.loan_id = l.id and i.user_id = ${userId})`;
  return row ?? { to_review: 0, to_disburse: 0, to_check: 0, substitutions: 0 };
}
