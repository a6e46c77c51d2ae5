import {
  DEFAULT_OFFICES,
  FINAL_NOTICE_OFFICES,
  type LoanDay,
  type LoanNotice,
  type LoanRecovery,
  type NewScheduleCost,
  RECOVERY_OFFICES,
  RESTRUCTURE_OFFICES,
  type RecoveryStep,
  type Restructure,
  type WriteOffAmounts,
} from '@ushirika/contract/loan-recovery';
import type { Loan } from '@ushirika/contract/loans';
import { type Cents, shillingsFromCents } from '@ushirika/contract/money';
import { Refusal } from '@ushirika/contract/refusal';
import type { Office } from '@ushirika/contract/route';
import type { Unsaid } from '@ushirika/contract/said';
import { nairobiDay } from '@ushirika/contract/time';
import { asSystem } from '../../db/person.ts';
import type { Database, Tx } from '../../db/tx.ts';
import { texts } from '../../ledger/sql-arrays.ts';
import { movesOfDay } from '../pools/pool-days.ts';
import { isHeld } from '../saccos/officials-too-few.ts';
import type { LoanSteps, RecoveryStanding } from './desk.queries.ts';
import { defaultOffices, defaultVoters, interestsOf, officesHeld, whyNoVotes } from './loan-officials.ts';
import { noSuchLoan, type Reader, readerOf } from './loan-rows.ts';
import {
  areDatesMoved,
  datesOf,
  isDated,
  newScheduleHash,
  type RestructureRow,
  scheduleOfOffer,
} from './new-schedule.ts';
import { newScheduleCost } from './new-schedule-cost.ts';
import { type LateLoan, type Recovery, recoveriesOf, recoveryOf } from './recovery-facts.ts';
import { dateOfStep, isLate, shownSteps, stepSaid } from './recovery-steps.ts';
import { takesOf } from './recovery-takes.ts';
import { endsWithPool, longestMonths, mayOfferTogether, refuseTooLong, whyNoSchedule } from './restructure-limits.ts';
import { whyNotTakenBack } from './restructure-loan.ts';
import { samePersonAmong } from './second-account.ts';
import {
  givenUp,
  sidesMissing,
  type Voter,
  WRITE_OFF_OFFICES,
  writeOffMay,
  writeOffVoters,
} from './write-off-sides.ts';

/** The next step of a recovery and from when on it may be taken, where that is known. */
function nextRecoveryStep(loan: LateLoan, recovery: Recovery): RecoveryStanding['nextStep'] {
  const next = recovery.steps.find(({ state }) => state === 'now' || state === 'later');
  if (!next) return null;
  return { text: stepSaid(next.kind), from: dateOfStep(loan, recovery, next)?.toISOString() ?? null };
}

const MAY_RECOVER: Readonly<
  Record<RecoveryStep, { readonly may: Loan['may'][number]; readonly offices: readonly Office[] }>
> = {
  default: { may: 'default', offices: DEFAULT_OFFICES },
  final_notice: { may: 'recover', offices: FINAL_NOTICE_OFFICES },
  own_deposits: { may: 'recover', offices: RECOVERY_OFFICES },
  pool: { may: 'recover', offices: RECOVERY_OFFICES },
  guarantors: { may: 'recover', offices: RECOVERY_OFFICES },
  write_off: { may: 'write_off', offices: WRITE_OFF_OFFICES },
};

/** What the credit desk shows of recovery and of the days; `server/domains.ts` gives it to the loans' reads. */
export const loanSteps: LoanSteps = {
  async standings(reader, loans, offices) {
    const late = (loans as readonly LateLoan[]).filter(isLate);
    const ids = late.map(({ id }) => id);
    const saccoId = late[0]?.sacco_id ?? '';
    const [recoveries, deciding] = await Promise.all([
      recoveriesOf(reader, late),
      defaultOffices(reader, saccoId, ids),
    ]);
    const voters = await defaultVoters(reader, saccoId, deciding);
    return new Map(
      late.map((loan) => {
        const recovery = recoveries.get(loan.id) as Recovery;
        return [
          loan.id,
          {
            nextStep: nextRecoveryStep(loan, recovery),
            may: mayRecover(loan, recovery, { held: offices, deciding: deciding.get(loan.id) ?? [] }),
            steps: shownSteps(loan, recovery),
            voters: voters.get(loan.id) ?? [],
          },
        ];
      }),
    );
  },
  days: (reader, saccoId) => lastDays(reader, saccoId),
};

/** @param deciding the offices that decide about a default of this loan */
function mayRecover(
  loan: LateLoan,
  { steps }: Recovery,
  { held, deciding }: { readonly held: readonly Office[]; readonly deciding: readonly Office[] },
): Loan['may'] {
  const next = steps.find(({ state }) => state === 'now');
  const rule = next ? MAY_RECOVER[next.kind] : null;
  const offices = next?.kind === 'default' ? deciding : rule?.offices;
  const mayOffer =
    (loan.state === 'in_arrears' || loan.state === 'defaulted') &&
    RESTRUCTURE_OFFICES.some((office) => held.includes(office));
  return [
    ...(rule && offices?.some((office) => held.includes(office)) ? [rule.may] : []),
    ...(mayOffer ? (['restructure'] as const) : []),
  ];
}

/**
 * Everything about the recovery of a loan of the official's sacco. That it was read is kept, as for every record of a member.
 * @throws Refusal `not_found`
 */
export async function readRecovery(
  database: Database,
  reader: { readonly userId: string; readonly saccoId: string },
  loanId: string,
): Promise<Unsaid<LoanRecovery>> {
  const at = { sql: database.sql, now: database.now() };
  const [loan] = await at.sql<LateLoan[]>`
    select * from loans where id = ${loanId} and sacco_id = ${reader.saccoId} and disbursed_at is not null`;
  if (!loan || loan.borrower_id === reader.userId) throw noSuchLoan();
  await at.sql`
    insert into member_record_readings (id, sacco_id, read_by, read_at, members)
    values (${database.newId()}, ${loan.sacco_id}, ${reader.userId}, ${at.now}, array[${loan.borrower_id}]::uuid[])`;
  // Read so far as the official. What guarantors were told and paid is nobody's row of theirs.
  return asSystem(() => recoveryShown(at, loan, reader.userId));
}

/**
 * What a new schedule of so many months would cost, for an official who may propose it. The reading is kept, once in an hour: months are
 * tried one after the other.
 * @throws Refusal `not_found`, `loan_terms_not_met`, `loan_conflict`
 */
export async function quoteNewSchedule(
  database: Database,
  reader: { readonly userId: string; readonly saccoId: string },
  { loanId, months }: { readonly loanId: string; readonly months: number },
): Promise<NewScheduleCost> {
  const at = { sql: database.sql, now: database.now() };
  const [loan] = await at.sql<LateLoan[]>`
    select * from loans where id = ${loanId} and sacco_id = ${reader.saccoId} and disbursed_at is not null`;
  if (!loan || loan.borrower_id === reader.userId) throw noSuchLoan();
  if (loan.state !== 'in_arrears' && loan.state !== 'defaulted') throw new Refusal('loan_conflict');
  if (!(await wasReadLately(at, loan, reader.userId))) {
    await at.sql`
      insert into member_record_readings (id, sacco_id, read_by, read_at, members)
      values (${database.newId()}, ${loan.sacco_id}, ${reader.userId}, ${at.now}, array[${loan.borrower_id}]::uuid[])`;
  }
  return asSystem(async () => {
    await refuseTooLong(at, loan, months);
    const asked = { principal: loan.principal_cents, months, day: nairobiDay(at.now) };
    return newScheduleCost(at, loan, asked);
  });
}

const HOUR_MS = 3_600_000;
/** Readings of a sacco that are looked at, by their index: an older one is kept once more. */
const LATEST_READINGS = 200;

/** Whether an official has read the borrower's records within the hour. Whom an official has read of is no row of theirs. */
const wasReadLately = ({ sql, now }: Reader, loan: LateLoan, userId: string): Promise<boolean> =>
  asSystem(async () => {
    const lately = await (sql as Tx['sql'])`
      select from (
        select * from member_record_readings where sacco_id = ${loan.sacco_id} order by id desc limit ${LATEST_READINGS}) r
      where read_by = ${userId} and members = array[${loan.borrower_id}]::uuid[]
        and read_at > ${new Date(now.getTime() - HOUR_MS)} limit 1`;
    return lately.length > 0;
  });

export async function recoveryShown(at: Reader, loan: LateLoan, userId: string): Promise<Unsaid<LoanRecovery>> {
  const recovery = await recoveryOf(at, loan);
  const [takes, voices, voters, write_off_declines, notices, claims, restructure, most, barred, noVotes] =
    await Promise.all([
      takesOf(at, loan, recovery),
      votesOf(at, loan),
      writeOffVoters(at, loan),
      declinesOf(at, loan),
      noticesOf(at, loan.id),
      claimsOf(at, loan.id),
      restructureOf(at, loan, userId),
      longestMonths(at, loan),
      whyNoSchedule(at, loan),
      whyNoVotes(at, loan.sacco_id),
    ]);
  const writeOff = recovery.steps.find(({ kind }) => kind === 'write_off')?.state;
  const mayAbout = writeOff === 'now' ? await mayAboutWriteOff(at, loan, { userId, voters, write_off_declines }) : [];
  const isAhead = writeOff === 'now' || writeOff === 'later';
  return {
    ...{ loan: loan.id, steps: shownSteps(loan, recovery), takes },
    write_off: isAhead ? writeOffAmounts(loan, claims, recovery.poolsClaim) : null,
    write_off_declines,
    write_off_may: mayAbout.filter((act) => act !== 'agree' || noVotes === null),
    write_off_waits_for: writeOff === 'now' ? sidesMissing(voters) : [],
    ...{ voices, notices, claims, restructure },
    restructure_months: most.months,
    votes_barred: noVotes,
    restructure_barred:
      noVotes ?? barred ?? (most.months === 0 && most.until !== null ? endsWithPool(most.until) : null),
  };
}

/** By the rule of `writeOffLoan` and `declineWriteOff`. */
async function mayAboutWriteOff(
  at: Reader,
  loan: LateLoan,
  by: { readonly userId: string; readonly voters: readonly Voter[] } & Pick<LoanRecovery, 'write_off_declines'>,
): Promise<LoanRecovery['write_off_may']> {
  const { userId, voters } = by;
  const [offices, interested, isOnePerson] = await Promise.all([
    officesHeld(at, { userId, saccoId: loan.sacco_id }),
    interestsOf(at, userId, [loan.id]),
    samePersonAmong(at, [...voters.map(({ id }) => id), userId]),
  ]);
  if (interested.size > 0) return [];
  const declined = by.write_off_declines.some((each) => each.by.id === userId);
  return writeOffMay(voters, { by: { id: userId, offices }, declined, isOnePerson });
}

/** What `writeOffLoan` would give up at this moment. */
function writeOffAmounts(loan: LateLoan, claims: LoanRecovery['claims'], poolsClaim: Cents): WriteOffAmounts {
  const { principal_cents, interest_cents, penalty_cents, provision_cents } = loan;
  return {
    principal: shillingsFromCents(principal_cents),
    interest: shillingsFromCents(interest_cents),
    penalty: shillingsFromCents(penalty_cents),
    amount: shillingsFromCents(givenUp(loan)),
    set_aside: shillingsFromCents(provision_cents),
    expense: shillingsFromCents(givenUp(loan) - provision_cents),
    owed_to_guarantors: claims.reduce((sum, { owed }) => sum + Math.round(owed * 100), 0) / 100,
    owed_to_pool: shillingsFromCents(poolsClaim),
  };
}

async function declinesOf({ sql }: Reader, loan: LateLoan): Promise<LoanRecovery['write_off_declines']> {
  if (loan.arrears_since === null) return [];
  const rows = await (sql as Tx['sql'])<{ by_id: string; name: string; office: Office; reason: string; at: Date }[]>`
    select d.by_id, p.first_name || ' ' || p.last_name as name, d.office, d.reason, d.at
    from loan_write_off_declines d join people p on p.id = d.by_id
    where d.loan_id = ${loan.id} and d.arrears_since = ${loan.arrears_since} order by d.at, d.by_id`;
  return rows.map(({ by_id, name, office, reason, at }) => ({
    by: { id: by_id, name },
    office,
    reason,
    at: at.toISOString(),
  }));
}

/**
 * A vote counts with any office that its voter holds now and that decides about the step, and is shown with it. Once it is decided, the
 * votes stay as they were given.
 */
async function votesOf(reader: Reader, loan: LateLoan): Promise<LoanRecovery['voices']> {
  if (loan.arrears_since === null) return [];
  const deciding = (await defaultOffices(reader, loan.sacco_id, [loan.id])).get(loan.id) ?? [];
  const rows = await (reader.sql as Tx['sql'])<
    { kind: 'default' | 'write_off'; by_id: string; name: string; office: Office; reason: string; at: Date }[]
  >`
    select v.kind, v.by_id, p.first_name || ' ' || p.last_name as name,
      case when decided.step is null then held.office else v.office end as office, v.reason, v.at
    from loan_recovery_voices v join people p on p.id = v.by_id
    left join loan_recovery_steps decided
      on decided.loan_id = v.loan_id and decided.arrears_since = v.arrears_since and decided.step = v.kind
    left join lateral (
      select o.office from offices o
      where o.sacco_id = ${loan.sacco_id} and o.user_id = v.by_id and ${isHeld(reader.sql as Tx['sql'], reader.now)}
        and (o.office = v.office or o.office = any (
          case v.kind when 'write_off' then ${texts(WRITE_OFF_OFFICES)}::text[] else ${texts(deciding)}::text[] end))
      order by o.office <> v.office, o.office limit 1) held on true
    where v.loan_id = ${loan.id} and v.arrears_since = ${loan.arrears_since}
      and (held.office is not null or decided.step is not null)
    order by v.at, v.by_id`;
  return rows.map(({ kind, by_id, name, office, reason, at }) => ({
    step: kind,
    by: { id: by_id, name },
    office,
    reason,
    at: at.toISOString(),
  }));
}

interface NoticeRow {
  readonly kind: LoanNotice['kind'];
  readonly user_id: string;
  readonly name: string;
  readonly guarantee_id: string | null;
  readonly at: Date;
  readonly amount_cents: Cents;
  readonly days_past_due: number;
  readonly read_at: Date | null;
  readonly sms_state: NonNullable<LoanNotice['sms']>['state'] | null;
  readonly sms_at: Date | null;
  readonly gateway_id: string | null;
}

/** The proof of each notice: whether it was opened in the app, and what became of its SMS. */
async function noticesOf({ sql }: Reader, loanId: string): Promise<LoanNotice[]> {
  const rows = await (sql as Tx['sql'])<NoticeRow[]>`
    select n.kind, n.user_id, p.first_name || ' ' || p.last_name as name, n.guarantee_id, n.at, n.amount_cents, n.days_past_due,
      t.read_at, m.state as sms_state, coalesce(m.settled_at, m.attempted_at) as sms_at, m.gateway_id
    from loan_notices n join people p on p.id = n.user_id
    left join notifications t on t.id = n.notification_id
    left join sms_messages m on m.id = n.sms_id
    where n.loan_id = ${loanId} order by n.at desc, n.id limit 200`;
  return rows.map((row) => ({
    kind: row.kind,
    to: { id: row.user_id, name: row.name },
    is_guarantor: row.guarantee_id !== null,
    at: row.at.toISOString(),
    amount: shillingsFromCents(row.amount_cents),
    days_past_due: row.days_past_due,
    read_at: row.read_at?.toISOString() ?? null,
    sms:
      row.sms_state === null
        ? null
        : { state: row.sms_state, at: row.sms_at?.toISOString() ?? null, gateway_id: row.gateway_id },
  }));
}

async function claimsOf({ sql }: Reader, loanId: string): Promise<LoanRecovery['claims']> {
  const rows = await (sql as Tx['sql'])<{ guarantor_id: string; name: string; paid: Cents; refunded: Cents }[]>`
    select g.guarantor_id, p.first_name || ' ' || p.last_name as name, g.called_cents as paid, g.refunded_cents as refunded
    from loan_guarantees g join people p on p.id = g.guarantor_id
    where g.loan_id = ${loanId} and g.kind = 'member' and g.called_cents > 0 order by g.called_cents desc, g.id`;
  return rows.map(({ guarantor_id, name, paid, refunded }) => ({
    guarantor: { id: guarantor_id, name },
    paid: shillingsFromCents(paid),
    refunded: shillingsFromCents(refunded),
    owed: shillingsFromCents(paid - refunded),
  }));
}

type ShownOffer = RestructureRow & {
  readonly borrower_agreed: boolean;
  readonly guarantors: number;
  readonly agreed: number;
  readonly answered: boolean;
  readonly proposer: string;
  readonly confirmer: string | null;
};

/** The latest offer of a new schedule that was made to borrower and guarantors; null where there was none. `userId` is one of them. */
export async function offerToSides(at: Reader, loan: LateLoan, userId: string): Promise<Restructure | null> {
  const row = await latestOffer(at, loan, { userId, isConfirmed: true });
  if (!row) return null;
  const isOpen = row.state === 'proposed' && row.answer_by > at.now;
  const isBorrower = loan.borrower_id === userId;
  const [guarantor] = await (at.sql as Tx['sql'])<{ id: string }[]>`
    select id from loan_guarantees
    where loan_id = ${loan.id} and guarantor_id = ${userId} and kind = 'member' and state = 'live' and pledged_cents > 0`;
  const mayAnswer = isOpen && !row.answered && (isBorrower || guarantor !== undefined);
  const mayAgree = mayAnswer && !areDatesMoved(loan, row) && (!isBorrower || row.agreed === row.guarantors);
  return {
    ...(await shownOffer(at, loan, row)),
    ...{ proposed_by: null, confirmed_by: null },
    terms_hash: isDated(row) ? newScheduleHash(loan, row, userId) : null,
    guarantee: guarantor?.id ?? null,
    may: [...(mayAgree ? (['agree'] as const) : []), ...(mayAnswer ? (['refuse'] as const) : [])],
  };
}

/** The latest new schedule that officials have proposed; null where there was none. `userId` is an official. */
export async function restructureOf(at: Reader, loan: LateLoan, userId: string): Promise<Restructure | null> {
  const row = await latestOffer(at, loan, { userId, isConfirmed: false });
  if (!row) return null;
  return { ...(await shownOffer(at, loan, row)), may: await mayAboutOffer(at, loan, { row, userId }) };
}

/** By the rules of `confirmRestructure` and `withdrawRestructure`. */
async function mayAboutOffer(
  at: Reader,
  loan: LateLoan,
  { row, userId }: { readonly row: ShownOffer; readonly userId: string },
): Promise<Restructure['may']> {
  if ((row.state !== 'unconfirmed' && row.state !== 'proposed') || row.answer_by <= at.now) return [];
  const [offices, interested, isOnePerson, barred, noVotes, notTakenBack] = await Promise.all([
    officesHeld(at, { userId, saccoId: loan.sacco_id }),
    interestsOf(at, userId, [loan.id]),
    samePersonAmong(at, [row.proposed_by, userId]),
    whyNoSchedule(at, loan),
    whyNoVotes(at, loan.sacco_id),
    whyNotTakenBack(at, loan, { offer: row, userId }),
  ]);
  if (interested.size > 0 || !RESTRUCTURE_OFFICES.some((office) => offices.includes(office))) return [];
  const isAnother =
    row.proposed_by !== userId &&
    !isOnePerson(row.proposed_by, userId) &&
    (await mayOfferTogether(at, loan, [row.proposed_by, userId]));
  return [
    ...(row.state === 'unconfirmed' && isAnother && (barred ?? noVotes) === null ? (['confirm'] as const) : []),
    ...(notTakenBack === null ? (['withdraw'] as const) : []),
  ];
}

async function latestOffer(
  { sql }: Reader,
  loan: LateLoan,
  { userId, isConfirmed }: { readonly userId: string; readonly isConfirmed: boolean },
): Promise<ShownOffer | undefined> {
  const [row] = await (sql as Tx['sql'])<ShownOffer[]>`
    with live as (
      select guarantor_id from loan_guarantees
      where loan_id = ${loan.id} and kind = 'member' and state = 'live' and pledged_cents > 0)
    select r.*, p.first_name || ' ' || p.last_name as proposer, c.first_name || ' ' || c.last_name as confirmer,
      exists (select from loan_restructure_answers a
              where a.restructure_id = r.id and a.user_id = ${loan.borrower_id} and a.agrees) as borrower_agreed,
      (select count(*)::int from live) as guarantors,
      (select count(*)::int from live join loan_restructure_answers a on a.user_id = guarantor_id
       where a.restructure_id = r.id and a.agrees) as agreed,
      exists (select from loan_restructure_answers a where a.restructure_id = r.id and a.user_id = ${userId}) as answered
    from loan_restructures r
    join people p on p.id = r.proposed_by
    left join people c on c.id = r.confirmed_by
    where r.loan_id = ${loan.id}
      and (not ${isConfirmed} or r.confirmed_by is not null or r.state in ('in_force', 'refused'))
    order by r.id desc limit 1`;
  return row;
}

async function shownOffer(at: Reader, loan: LateLoan, row: ShownOffer): Promise<Omit<Restructure, 'may'>> {
  const today = nairobiDay(at.now);
  const schedule = scheduleOfOffer(
    loan,
    { principal: row.principal_cents, months: row.months },
    row.starts_on ?? today,
  );
  const dates = datesOf(schedule);
  const isOpen = (row.state === 'proposed' || row.state === 'unconfirmed') && row.answer_by > at.now;
  const asked = { principal: row.principal_cents, months: row.months, day: row.starts_on ?? today };
  return {
    id: row.id,
    state: row.state,
    months: row.months,
    principal: shillingsFromCents(row.principal_cents),
    instalment: shillingsFromCents(Math.max(...schedule.map(({ principal, interest }) => principal + interest))),
    cost: isOpen && !areDatesMoved(loan, row) ? await newScheduleCost(at, loan, asked) : null,
    terms_hash: null,
    guarantee: null,
    first_due_on: row.first_due_on ?? dates.first_due_on,
    last_due_on: row.last_due_on ?? dates.last_due_on,
    dates_moved: row.state === 'proposed' && areDatesMoved(loan, row),
    proposed_by: { id: row.proposed_by, name: row.proposer },
    confirmed_by: row.confirmed_by === null ? null : { id: row.confirmed_by, name: row.confirmer ?? '' },
    proposed_at: row.proposed_at.toISOString(),
    answer_by: row.answer_by.toISOString(),
    reason: row.reason,
    borrower_agreed: row.borrower_agreed,
    guarantors: row.guarantors,
    guarantors_agreed: row.agreed,
  };
}

interface DayRow {
  readonly day: string;
  readonly state: 'running' | 'done';
  readonly started_at: Date;
  readonly finished_at: Date | null;
  readonly loans: number;
  readonly interest_cents: Cents;
  readonly penalty_cents: Cents;
  readonly provision_cents: Cents;
  readonly reminders: number;
  readonly notices: number;
  readonly expired: number;
}

/**
 * What the run of one day did. What people were told, and what moved in pools, is nobody's row of an official's: it is counted.
 * @throws Refusal `not_found`
 */
export async function readDay(database: Database, saccoId: string, day: string): Promise<LoanDay> {
  const [row] = await database.sql<DayRow[]>`
    select day, state, started_at, finished_at, loans, interest_cents, penalty_cents, provision_cents, reminders, notices, expired
    from loan_days where sacco_id = ${saccoId} and day = ${day}`;
  if (!row) throw new Refusal('not_found');
  const at = readerOf(database);
  const [notices, moves] = await asSystem(() =>
    Promise.all([noticesOfRun(at, saccoId, day), movesOfDay({ sql: at.sql as Tx['sql'] }, saccoId, day)]),
  );
  return {
    day: row.day,
    state: row.state,
    started_at: row.started_at.toISOString(),
    finished_at: row.finished_at?.toISOString() ?? null,
    loans: row.loans,
    accrued: shillingsFromCents(row.interest_cents),
    penalties: shillingsFromCents(row.penalty_cents),
    provision: shillingsFromCents(row.provision_cents),
    reminders: row.reminders,
    noticed: row.notices,
    notices,
    lapsed: row.expired,
    pools: {
      earnings: moves.earnings,
      earned: shillingsFromCents(moves.earned_cents),
      withdrawals: moves.withdrawals,
      withdrawn: shillingsFromCents(moves.withdrawn_cents),
    },
  };
}

async function noticesOfRun({ sql }: Reader, saccoId: string, day: string): Promise<LoanDay['notices']> {
  return (sql as Tx['sql'])<LoanDay['notices']>`
    select n.kind, count(*)::int as count from loan_notices n join loans l on l.id = n.loan_id
    where n.run_of = ${day} and l.sacco_id = ${saccoId}
    group by n.kind order by array_position(array['missed', 'first', 'formal', 'second', 'default_due'], n.kind::text)`;
}

/** The last days' runs of a sacco, newest first. */
export async function lastDays({ sql }: Pick<Reader, 'sql'>, saccoId: string, limit = 14) {
  const rows = await (sql as Tx['sql'])<
    {
      day: string;
      state: 'running' | 'done';
      step: string | null;
      started_at: Date;
      finished_at: Date | null;
      interest_cents: Cents;
      penalty_cents: Cents;
      reminders: number;
      notices: number;
    }[]
  >`
    select day, state, step, started_at, finished_at, interest_cents, penalty_cents, reminders, notices from loan_days
    where sacco_id = ${saccoId} order by day desc limit ${limit}`;
  return rows.map((row) => ({
    day: row.day,
    state: row.state,
    step: row.step,
    started_at: row.started_at.toISOString(),
    finished_at: row.finished_at?.toISOString() ?? null,
    accrued: shillingsFromCents(row.interest_cents),
    penalties: shillingsFromCents(row.penalty_cents),
    reminders: row.reminders + row.notices,
  }));
}
