import { nairobiDay } from '@ushirika/contract/time';
import type { Database, Tx } from '../../db/tx.ts';
import type { JournalInput } from '../../ledger/ledger.types.ts';
import { errorOf, post } from '../../ledger/post.ts';
import { closeRests } from './close-rests.ts';
import { expireInChunks } from './expire-loans.ts';
import { type Passed, passLoans } from './loan-day-pass.ts';
import { giveNotices, remindBorrowers } from './loan-notices.ts';
import { dayAfter } from './schedule.rules.ts';

/** Loans whose rows one transaction changes: a payer of one of them waits for its end, under half a second. */
const LOANS_AT_ONCE = 20_000;
/** Saccos whose days run at once: PostgreSQL does the work. */
const SACCOS_AT_ONCE = 2;
/** From this hour in Nairobi on the day is run, so that nobody is reminded by SMS in the night. */
const RUNS_FROM_HOUR = 6;
/** The first half of the advisory locks under which the days of a sacco are begun. */
const BEGINNING = 7251;
const FIRST = '00000000-0000-0000-0000-000000000000';

export interface RunOptions {
  readonly loansAtOnce?: number;
  readonly saccosAtOnce?: number;
  /** These alone; all that lend, unless told. */
  readonly saccos?: readonly string[];
}

/**
 * Runs every day that is missing of every sacco that lends, day by day and in order. Each chunk commits with its mark, so it goes
 * on where it was cut off; of two at once each chunk is done by one. What fails for one sacco holds up no other.
 */
export async function runLoanDays(database: Database, options: RunOptions = {}): Promise<void> {
  const last = lastDay(database.now());
  const lending = await lendingSaccos(database, last);
  const saccos = options.saccos ? lending.filter((id) => options.saccos?.includes(id)) : lending;
  const faults: unknown[] = [];
  const worker = async () => {
    for (let saccoId = saccos.pop(); saccoId !== undefined; saccoId = saccos.pop()) {
      await runSacco(database, { saccoId, last, size: options.loansAtOnce ?? LOANS_AT_ONCE }).catch((fault) =>
        faults.push(fault),
      );
    }
  };
  await Promise.all(Array.from({ length: options.saccosAtOnce ?? SACCOS_AT_ONCE }, worker));
  if (faults.length > 0) throw new AggregateError(faults, `The days of ${faults.length} saccos failed: ${faults[0]}`);
}

/** The last day that may be run by now. */
function lastDay(now: Date): string {
  const hour = new Date(now.getTime() + 3 * 3_600_000).getUTCHours();
  const today = nairobiDay(now);
  return hour < RUNS_FROM_HOUR ? dayAfter(today, -1) : today;
}

/** Saccos with a loan or an application, of which a day is missing. */
async function lendingSaccos(database: Database, last: string): Promise<string[]> {
  const rows = await database.sql<{ sacco_id: string }[]>`
    select sacco_id from (select distinct sacco_id from loan_products) lending
    where not exists (select from loan_days d where d.sacco_id = lending.sacco_id and d.day >= ${last} and d.state = 'done')
      and exists (select from loans l where l.sacco_id = lending.sacco_id)
    order by sacco_id desc`;
  return rows.map(({ sacco_id }) => sacco_id);
}

interface Run {
  readonly saccoId: string;
  readonly last: string;
  readonly size: number;
}

async function runSacco(database: Database, run: Run): Promise<void> {
  while (await database.transaction((tx) => advance(tx, run)));
}

interface Day {
  readonly id: string;
  readonly sacco_id: string;
  readonly day: string;
  readonly step: 'loans' | 'notices' | 'expiries';
  readonly after_loan: string | null;
  readonly chunks: number;
}

/** One chunk of the step that is due; false once no day is missing. */
async function advance(tx: Tx, { saccoId, last, size }: Run): Promise<boolean> {
  const [day] = await tx.sql<Day[]>`
    select id, sacco_id, day, step, after_loan, chunks from loan_days
    where sacco_id = ${saccoId} and state = 'running' for update`;
  if (!day) return beginNext(tx, saccoId, last);
  if (day.step === 'loans') await passChunk(tx, day, size);
  else if (day.step === 'notices') await noticesChunk(tx, day);
  else await expiriesChunk(tx, day);
  return true;
}

/** The day after the last one; the first day is that of the first application. */
async function beginNext(tx: Tx, saccoId: string, last: string): Promise<boolean> {
  // One after another: what the next statement reads is what the one before has begun or done.
  await tx.sql`select pg_advisory_xact_lock(${BEGINNING}, hashtext(${saccoId}))`;
  const [next] = await tx.sql<{ day: string | null; is_running: boolean }[]>`
    select coalesce(
        (select max(day) + 1 from loan_days where sacco_id = ${saccoId}),
        (select (min(applied_at) at time zone 'Africa/Nairobi')::date from loans where sacco_id = ${saccoId})) as day,
      exists (select from loan_days where sacco_id = ${saccoId} and state = 'running') as is_running`;
  // Another process has begun it meanwhile: we go on with it.
  if (next?.is_running) return true;
  if (!next?.day || next.day > last) return false;
  await tx.sql`
    insert into loan_days (id, sacco_id, day, state, step, started_at)
    values (${tx.newId()}, ${saccoId}, ${next.day}, 'running', 'loans', ${tx.now})`;
  return true;
}

async function passChunk(tx: Tx, day: Day, size: number): Promise<void> {
  const chunk = { saccoId: day.sacco_id, day: day.day, after: day.after_loan ?? FIRST, size };
  const passed = await passLoans(tx, chunk);
  await postDay(tx, day, passed);
  if (passed.toRemind.length > 0) await remindBorrowers(tx, passed.toRemind);
  const isLast = passed.loans < size;
  await tx.sql`
    update loan_days set step = ${isLast ? 'notices' : 'loans'}, after_loan = coalesce(${passed.last}::uuid, after_loan),
      chunks = chunks + 1, loans = loans + ${passed.loans}, interest_cents = interest_cents + ${passed.interest},
      penalty_cents = penalty_cents + ${passed.penalty}, provision_cents = provision_cents + ${passed.provision},
      reminders = reminders + ${passed.toRemind.length}
    where id = ${day.id}`;
}

/** One journal of each kind, of a sacco and a day; more only for a sacco whose loans are more than one chunk. */
async function postDay(tx: Tx, day: Day, { interest, penalty, provision }: Passed): Promise<void> {
  const account = (
    kind: 'interest_receivable' | 'interest_income' | 'penalty_receivable' | 'penalty_income' | Provisions,
  ) => ({
    book: day.sacco_id,
    kind,
    owner: null,
  });
  const journal = (
    kind: 'interest_accrued' | 'penalty_accrued' | 'provision_changed',
    [debit, credit]: readonly [Parameters<typeof account>[0], Parameters<typeof account>[0]],
    amount: number,
  ): JournalInput[] =>
    amount === 0
      ? []
      : [
          {
            kind,
            idempotencyKey: `${kind}:${day.sacco_id}:${day.day}:${day.chunks}`,
            causedBy: null,
            about: { type: 'loan_day', id: day.id },
            transfers: [{ debit: account(debit), credit: account(credit), amount }],
          },
        ];
  const set: readonly [Provisions, Provisions] =
    provision > 0 ? ['provision_expense', 'loan_loss_provision'] : ['loan_loss_provision', 'provision_expense'];
  const journals = [
    ...journal('interest_accrued', ['interest_receivable', 'interest_income'], interest),
    ...journal('penalty_accrued', ['penalty_receivable', 'penalty_income'], penalty),
    ...journal('provision_changed', set, Math.abs(provision)),
  ];
  const results = await post(tx, journals);
  for (const [index, result] of results.entries()) {
    if (result.status === 'refused') throw errorOf(result.reason, journals[index] as JournalInput);
    if (result.status === 'exists') throw new Error(`The day ${day.day} of ${day.sacco_id} was posted before.`);
  }
}
type Provisions = 'provision_expense' | 'loan_loss_provision';

async function noticesChunk(tx: Tx, day: Day): Promise<void> {
  const { given, isDone } = await giveNotices(tx, { saccoId: day.sacco_id, day: day.day });
  await tx.sql`
    update loan_days set notices = notices + ${given}, step = ${isDone ? 'expiries' : 'notices'} where id = ${day.id}`;
}

/** Rests are forgiven here and not as the loans are passed: pools are locked before loans. */
async function expiriesChunk(tx: Tx, day: Day): Promise<void> {
  const rests = await closeRests(tx, { saccoId: day.sacco_id, day: day.day });
  const { expired, isDone: isExpired } = await expireInChunks(tx, { saccoId: day.sacco_id });
  const isDone = rests.isDone && isExpired;
  await tx.sql`
    update loan_days set expired = expired + ${expired}, state = ${isDone ? 'done' : 'running'},
      step = ${isDone ? null : 'expiries'}, finished_at = ${isDone ? tx.now : null}
    where id = ${day.id}`;
}
