import { copyTemplate, type TestDatabase } from '../../server/db/test-copy.ts';
import { testPeople } from '../../server/db/test-people.ts';
import type { Database } from '../../server/db/tx.ts';
import { loansInvariants } from '../../server/domains/loans/loans.invariants.ts';
import { payCheckOff } from '../../server/domains/loans/pay-check-off.ts';
import { runCheckOffs } from '../../server/domains/loans/run-check-offs.ts';
import { testLateLoans } from '../../server/domains/loans/test-late-loans.ts';
import { breaches, ledgerInvariants } from '../../server/ledger/invariants.ts';
import type { Run, Tier } from '../harness.ts';
import { type Asked, assertSame, type Strides, throughMessages } from './each-message.ts';
import { Findings, type Part, sizeOf } from './part.ts';
import { signIn } from './payouts.ts';
import { committedApart, TappedServers } from './tapped-server.ts';

const SIZES: Readonly<Record<Tier, Strides>> = {
  c: { first: 5, stride: 167 },
  n: { first: 1, stride: 1 },
  r: { first: 1, stride: 1 },
};
/** Around the end of a chunk. */
const CONTROL: Strides = { first: 265, stride: 3 };
const LINES = 30;
/** So that a list has several chunks. */
const LINES_OF_CHUNK = 10;
const DAY_MS = 86_400_000;

/**
 * A list of an employer's is paid, and the job shares it out: each is cut off after its first, second, third ... message to or from
 * PostgreSQL, through the last, and done again. Then each line was shared out once, to the cent, and each member told once.
 */
export async function cutOffCheckOffs(run: Run): Promise<Part> {
  const findings = new Findings();
  const database = await copyTemplate(run.serverUrl, { poolSize: 4 });
  const servers = new TappedServers(database, findings, run.broken ? notedApart : null);
  try {
    const employer = await employ(database);
    const size = run.broken ? CONTROL : sizeOf(run, SIZES);
    const cuts = await throughMessages(size, { findings, isBroken: run.broken !== undefined }, async (cut) => {
      const { id, payment, sharing } = await employer.list();
      const when = (what: string) => `a check-off is ${what}, cut off after message ${cut.messages}`;
      const paid = await servers.askTwice(cut, payment);
      await assertPaid(database, id, findings, when('paid'));
      const shared = await servers.askTwice(cut, sharing);
      await assertShared(database, id, findings, when('shared out'));
      return [paid, shared];
    });
    if (run.broken || findings.count > 0) return findings.outcome();
    await countOutcomes(database, findings);
    for (const { name, rows } of await breaches(database.owner, [...ledgerInvariants, ...loansInvariants]))
      findings.violated(`after check-offs that were cut off, "${name}" is broken: ${JSON.stringify(rows[0])}`);
    findings.figure('P2', `${cuts} payments and runs of check-offs cut off at a message: each line once`);
    return findings.outcome();
  } finally {
    await servers.close();
    await database.close();
  }
}

/** A sacco whose members work for one employer: some owe it nothing, some little, some more than they are paid for. */
async function employ(database: TestDatabase) {
  database.world.setNow(new Date('2026-03-02T06:00:00Z'));
  const [people, late] = [testPeople(database), testLateLoans(database)];
  const [chair, operator, treasurer] = [
    await people.person('Chair'),
    await people.person('Operator'),
    await people.person('Treasurer'),
  ];
  const [payer, saver] = [await people.person('County'), await people.person('Saver')];
  const sacco = await late.saccos.sacco(chair, operator);
  await late.official(sacco, treasurer, 'treasurer');
  await late.saver(sacco, saver, 5_000_000_00);
  await signIn(database, payer);
  await late.saccos.fund(payer, 50_000_000_00);
  const members: string[] = [];
  for (let nth = 0; nth < LINES; nth += 1) {
    const borrower = await people.person('Member');
    await late.saver(sacco, borrower, 0);
    members.push(borrower);
    const loan = (amountCents: number, months: number) => late.loan({ sacco, borrower, amountCents, months });
    if (nth % 3 === 1) await loan(100_000_00, 3);
    if (nth % 6 === 5) await loan(100_00, 1);
    if (nth % 12 === 5) await loan(150_00, 2);
  }
  database.world.advance(40 * DAY_MS);
  const by = { sacco, payer, treasurer, chair, members };
  let lists = 0;
  return {
    /** One more list, which another official has checked. By the owner's hand, since nobody may be asked so often. */
    async list(): Promise<{ id: string; payment: Asked; sharing: Asked }> {
      lists += 1;
      database.world.advance(DAY_MS);
      return listed(database, by, lists);
    },
  };
}

async function listed(
  database: TestDatabase,
  by: Readonly<Record<'sacco' | 'payer' | 'treasurer' | 'chair', string>> & { readonly members: readonly string[] },
  nth: number,
): Promise<{ id: string; payment: Asked; sharing: Asked }> {
  const [id, now, { payer }] = [database.newId(), database.now(), by];
  // Another cent for each list: notices name no employer (decision 202), and are told apart by their amounts.
  const sums = by.members.map((_, index) => 50_33 + index * 7_01 + nth);
  const amountCents = sums.reduce((sum, cents) => sum + cents, 0);
  await database.owner`
    insert into check_offs (id, sacco_id, payer_id, employer, amount_cents, lines, state, listed_by, listed_at, checked_by, checked_at)
    values (${id}, ${by.sacco}, ${payer}, ${`County ${nth}.`}, ${amountCents}, ${LINES}, 'checked', ${by.treasurer}, ${now},
      ${by.chair}, ${now})`;
  await database.owner`
    insert into check_off_lines (check_off_id, line, member_id, amount_cents)
    select ${id}, line, member, cents
    from unnest(${by.members}::uuid[], ${sums}::bigint[]) with ordinality as l (member, cents, line)`;
  const stateOf = async () =>
    (await database.owner<{ state: string }[]>`select state from check_offs where id = ${id}`)[0]?.state;
  const paying = { id, amountCents, linesOfChunk: LINES_OF_CHUNK };
  return {
    id,
    payment: {
      act: (server) => server.transaction((tx) => payCheckOff(tx, { userId: payer, sessionId: payer }, paying)),
      isDone: async () => (await stateOf()) !== 'checked',
    },
    sharing: {
      act: (server) => runCheckOffs(server, { chunksAtOnce: 1 }),
      isDone: async () => (await stateOf()) === 'done',
    },
  };
}

async function assertPaid(database: TestDatabase, id: string, findings: Findings, when: string): Promise<void> {
  const [row] = await database.owner<Record<string, unknown>[]>`
    select c.state, c.amount_cents::int as amount,
      (select count(*)::int from journals j where j.kind = 'check_off_received' and j.about_id = c.id) as journals,
      (select sum(balance)::int from accounts where kind = 'check_off' and owner_id = c.id) as received,
      (select string_agg(k.state || ' ' || k.first_line, ', ' order by k.first_line)
       from check_off_chunks k where k.check_off_id = c.id) as chunks,
      (select count(*)::int from notifications n
       where n.template = 'check_off_paid' and n.topic = 'saccos'
         and n.text like '%: a check-off of Ksh._' || to_char(c.amount_cents / 100.0, 'FM999,990.00') || ' is paid.%') as told
    from check_offs c where c.id = ${id}`;
  const wanted = {
    ...{ state: 'running', journals: 1, received: row?.amount },
    ...{ chunks: 'waiting 1, waiting 11, waiting 21', told: 2 },
  };
  assertSame(row, wanted, findings, when);
}

/** What became of the lines, beside what the books, the loans and the members' phones have of them. */
async function assertShared(database: TestDatabase, id: string, findings: Findings, when: string): Promise<void> {
  const [row] = await database.owner<Record<string, unknown>[]>`
    with o as (
      select o.repaid_cents, o.returned_cents, l.amount_cents
      from check_off_lines l left join check_off_outcomes o using (check_off_id, line) where l.check_off_id = ${id}
    )
    select c.state, c.amount_cents::int as amount,
      (select count(*)::int from o where o.repaid_cents + o.returned_cents = o.amount_cents) as lines,
      (select sum(o.repaid_cents + o.returned_cents)::int from o) as shared,
      (select sum(o.repaid_cents)::int from o) as owed,
      (select coalesce(sum(r.amount_cents), 0)::int from loan_repayments r
       where r.idempotency_key like 'check_off:' || c.id || ':%') as repaid,
      (select count(*)::int from o where o.returned_cents > 0) as rests,
      (select count(*)::int from journals j where j.kind = 'check_off_returned' and j.about_id = c.id) as returns,
      (select sum(balance)::int from accounts where kind = 'check_off' and owner_id = c.id) as left,
      (select sum(returned_cents)::int from check_off_outcomes) as returned,
      (select sum(cents)::int from sale_proceeds) as held,
      (select count(*)::int from check_off_lines l join notifications n on n.user_id = l.member_id
       where l.check_off_id = c.id and n.template = 'check_off_paid' and n.topic = 'loans'
         and n.text like '%: a check-off paid Ksh._' || to_char(l.amount_cents / 100.0, 'FM999,990.00') || ' for you.%') as told
    from check_offs c where c.id = ${id}`;
  const wanted = {
    ...{ state: 'done', lines: LINES, shared: row?.amount, repaid: row?.owed, returns: row?.rests, left: 0 },
    ...{ held: row?.returned, told: LINES },
  };
  assertSame(row, wanted, findings, when);
}

/** Lists that paid no loan, or all of it, would prove less. */
async function countOutcomes(database: TestDatabase, findings: Findings): Promise<void> {
  const [row] = await database.owner<Record<string, number>[]>`
    select count(*) filter (where repaid_cents = 0)::int as "lines of which all is returned",
      count(*) filter (where repaid_cents > 0 and returned_cents > 0)::int as "lines of which a part is returned",
      count(*) filter (where returned_cents = 0)::int as "lines that paid loans alone",
      (select count(*)::int from loans where state = 'closed') as "loans that a check-off paid off"
    from check_off_outcomes`;
  for (const [what, times] of Object.entries(row ?? {})) findings.fired(what, times);
}

/** The negative control: what members may not withdraw yet is noted at once, and not together with what they were given. */
const notedApart = (database: Database): Database => committedApart(database, /insert into sale_proceeds/);
