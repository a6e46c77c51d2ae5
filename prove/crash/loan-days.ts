import { copyTemplate, type TestDatabase } from '../../server/db/test-copy.ts';
import { testPeople } from '../../server/db/test-people.ts';
import type { Database } from '../../server/db/tx.ts';
import { runLoanDays } from '../../server/domains/loans/run-loan-days.ts';
import { testLateLoans } from '../../server/domains/loans/test-late-loans.ts';
import type { Run, Tier } from '../harness.ts';
import { assertInvariants } from './books.ts';
import { Findings, type Part, sizeOf } from './part.ts';
import { committedApart, TappedServers } from './tapped-server.ts';

interface Size {
  /**
   * After how many messages the first run is cut off, and by how many the next ones go on longer. The seed moves the first one within
   * the stride, so that several seeds come to every message.
   */
  readonly first: number;
  readonly stride: number;
  /** After so many runs of a day it is left in peace. */
  readonly runs: number;
  /** How often it begins anew, once a day needs no more messages than a run has, or was left in peace. */
  readonly passes: number;
}
const SIZES: Readonly<Record<Tier, Size>> = {
  c: { first: 1, stride: 31, runs: 16, passes: 1 },
  n: { first: 1, stride: 7, runs: 1_000, passes: 1 },
  r: { first: 1, stride: 1, runs: 1_000, passes: 12 },
};
/** Around the end of a chunk. */
const CONTROL: Size = { first: 70, stride: 3, runs: 25, passes: 1 };
const LOANS = 7;
/** So that a day has several chunks. */
const LOANS_AT_ONCE = 3;
const DAY_MS = 86_400_000;
/** Loans are paid out from this morning on, one a day; their first instalments fall due a month later. */
const FIRST = new Date('2026-01-31T06:00:00Z');
/** The first run is so long after it that some are overdue, and has some days to catch up with. */
const DAYS_AT_FIRST = 36;
const DAYS_MISSING = 6;

/**
 * The daily run of a sacco's loans is cut off after its first, second, third ... message to or from PostgreSQL and started again,
 * until it comes to its end. Then each day was run once: all is as in a sacco with the same loans whose runs nobody cut off.
 */
export async function killLoanDays(run: Run): Promise<Part> {
  const findings = new Findings();
  findings.expects('days resumed', 'reminders', 'penalties', 'notices');
  const database = await copyTemplate(run.serverUrl, { poolSize: 4 });
  const servers = new TappedServers(database, findings, run.broken ? markedApart : null);
  try {
    const [sacco, twin] = await lendTwice(database);
    const stage = { servers, sacco, findings, cutsServerOnly: run.broken !== undefined };
    const size = run.broken ? CONTROL : sizeOf(run, SIZES);
    const first = size.first + (run.broken ? 0 : run.seed % size.stride);
    let messages = first;
    let days = 0;
    for (let pass = 0; pass < size.passes && findings.count === 0; days += 1) {
      database.world.setNow(new Date(FIRST.getTime() + (DAYS_AT_FIRST + days) * DAY_MS));
      const done = await untilRun(stage, size, messages);
      const isWhole = done.cuts === 0 || done.cuts >= size.runs;
      pass += isWhole ? 1 : 0;
      messages = isWhole ? first : done.messages;
      await runLoanDays(database, { saccos: [twin], loansAtOnce: LOANS_AT_ONCE });
      await compare(database, [sacco, twin], findings);
    }
    if (run.broken || findings.count > 0) return findings.outcome();
    await count(database, twin, findings);
    await assertInvariants(database.url, findings);
    const cuts = findings.timesOf('cut off by the server') + findings.timesOf('cut off by PostgreSQL');
    findings.figure('P2', `${cuts} runs of a sacco’s day cut off at a message, ${days} times resumed: each day once`);
    return findings.outcome();
  } finally {
    await servers.close();
    await database.close();
  }
}

interface Stage {
  readonly servers: TappedServers;
  /** Whether it is always the server that dies. */
  readonly cutsServerOnly: boolean;
  readonly sacco: string;
  readonly findings: Findings;
}

/** Runs what is due again and again, each time `stride` messages longer, until one run comes to its end. */
async function untilRun(
  { servers, sacco, findings, cutsServerOnly }: Stage,
  size: Size,
  first: number,
): Promise<{ readonly messages: number; readonly cuts: number }> {
  let messages = first;
  for (let runs = 0; ; runs += 1, messages += size.stride) {
    const by = cutsServerOnly || runs % 3 !== 2 ? 'server' : 'PostgreSQL';
    const most = runs < size.runs ? messages : Number.MAX_SAFE_INTEGER;
    const { isCut, error } = await servers.cutOff({ messages: most, by }, (database) =>
      runLoanDays(database, { saccos: [sacco], loansAtOnce: LOANS_AT_ONCE }),
    );
    if (error !== null && !isCut) findings.violated(`the day fails without being cut off: ${error}`);
    // A server that lost its connection alone may have gone on by itself.
    if (error === null && runs > 0) findings.fired('days resumed');
    if (error === null || findings.count > 0) return { messages, cuts: runs + (isCut ? 1 : 0) };
  }
}

/** Two saccos with the same loans, which nobody repays; the first has a guarantor and own savings behind it. */
async function lendTwice(database: TestDatabase): Promise<[string, string]> {
  database.world.setNow(FIRST);
  const [people, late] = [testPeople(database), testLateLoans(database)];
  const founder = await people.person('Founder');
  const saccos: string[] = [];
  for (let count = 0; count < 2; count += 1)
    saccos.push(await late.saccos.sacco(founder, await people.person('Operator')));
  for (let nth = 0; nth < LOANS; nth += 1) {
    for (const sacco of saccos) {
      const [borrower, guarantor] = [await people.person('Borrower'), await people.person('Guarantor')];
      await late.saver(sacco, borrower, 50_000_00);
      await late.saver(sacco, guarantor, 10_000_00);
      const behind = nth === 0 ? { ownCents: 5_000_00, pledges: [{ guarantor, cents: 10_000_00 }] } : {};
      const terms = { amountCents: (nth + 1) * 5_000_00 + 33, months: 6 + nth, ...behind };
      await late.loan({ sacco, borrower, ...terms, method: nth % 2 === 0 ? 'annuity' : 'flat' });
    }
    database.world.advance(DAY_MS);
  }
  // All days until then were run, and nothing came about in them but interest, which is as much on the last day alone.
  const last = new Date(FIRST.getTime() + (DAYS_AT_FIRST - DAYS_MISSING) * DAY_MS);
  for (const sacco of saccos) {
    await database.owner`
      insert into loan_days (id, sacco_id, day, state, started_at, finished_at)
      values (${database.newId()}, ${sacco}, ${last}, 'done', ${last}, ${last})`;
  }
  return saccos as [string, string];
}

/** What the days of a sacco have done to it, without ids: days and their journals, loans, events, notices and SMS. */
async function stateOf({ owner }: TestDatabase, sacco: string): Promise<Record<string, unknown[]>> {
  const days = await owner`
    select day, state, step, chunks, loans, interest_cents, penalty_cents, provision_cents, reminders, notices, expired,
      p.journals
    from loan_days d left join (
      select j.about_id, json_agg(json_build_array(j.kind, t.amount) order by j.id) as journals
      from journals j join transfers t on t.journal_id = j.id where j.about_type = 'loan_day' group by j.about_id) p on p.about_id = d.id
    where sacco_id = ${sacco} order by day`;
  const loans = await owner`
    select state, class, principal_cents, interest_cents, penalty_cents, provision_cents, accrued_through, days_past_due,
      overdue_cents, notices_given, period_number
    from loans where sacco_id = ${sacco} order by amount_cents`;
  const events = await owner`
    select e.kind, count(*)::int as times from loan_events e join loans l on l.id = e.loan_id
    where l.sacco_id = ${sacco} group by e.kind order by e.kind`;
  const notices = await owner`
    select n.kind, count(*)::int as times, count(n.notification_id)::int as shown, count(n.sms_id)::int as texts
    from loan_notices n join loans l on l.id = n.loan_id where l.sacco_id = ${sacco} group by n.kind order by n.kind`;
  return { days, loans, events, notices };
}

async function compare(database: TestDatabase, [sacco, twin]: [string, string], findings: Findings): Promise<void> {
  const [cut, whole] = [await stateOf(database, sacco), await stateOf(database, twin)];
  for (const [what, rows] of Object.entries(whole)) {
    for (const [at, row] of rows.entries()) {
      const [mine, theirs] = [JSON.stringify(cut[what]?.[at]), JSON.stringify(row)];
      if (mine !== theirs)
        findings.violated(`after runs that were cut off, the ${what} differ from the twin's: ${mine}, and ${theirs}`);
    }
    if (cut[what]?.length !== rows.length)
      findings.violated(`there are ${cut[what]?.length} ${what}, and the twin has ${rows.length}`);
  }
}

/** Days on which nothing but interest came about would prove less. */
async function count(database: TestDatabase, twin: string, findings: Findings): Promise<void> {
  const [row] = await database.owner<{ reminders: number; notices: number; penalties: number }[]>`
    select sum(reminders)::int as reminders, sum(notices)::int as notices,
      (count(*) filter (where penalty_cents > 0))::int as penalties
    from loan_days where sacco_id = ${twin}`;
  for (const [what, times] of Object.entries(row ?? {})) findings.fired(what, times);
}

/** The negative control: how far a day has come is kept at once, and not together with what was done. */
const markedApart = (database: Database): Database => committedApart(database, /loan_days/);
