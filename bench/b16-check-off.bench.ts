import type { Database } from '../server/db/tx.ts';
import { decideCheckOff } from '../server/domains/loans/decide-check-off.ts';
import { loansInvariants } from '../server/domains/loans/loans.invariants.ts';
import { makeCheckOff } from '../server/domains/loans/make-check-off.ts';
import { payCheckOff } from '../server/domains/loans/pay-check-off.ts';
import { payLines, runCheckOffs, tellMembers } from '../server/domains/loans/run-check-offs.ts';
import { dayAfter } from '../server/domains/loans/schedule.rules.ts';
import { breaches, ledgerInvariants } from '../server/ledger/invariants.ts';
import { PLATFORM_BOOK } from '../server/ledger/ledger.types.ts';
import { post } from '../server/ledger/post.ts';
import type { Bench, BenchContext, BenchServer, Measurement } from './bench.types.ts';
import { bookLoans } from './loan-book-ledger.ts';
import { type LoanDatabase, openLoans, processorTimeOf } from './loan-database.ts';
import { median } from './statistics.ts';

const members = Number(process.env.MEMBERS ?? 200_000);
const leastPerSecond = 15_000;

export const bench: Bench = {
  id: 'B16',
  title: `A check-off: one sum for ${members.toLocaleString('en-US')} members of one sacco, shared out to their loans`,
  async run(context): Promise<Measurement[]> {
    const server = await context.startServer();
    const sacco = await openSacco(context, server);
    const runs: Run[] = [];
    const theirs: number[] = [];
    try {
      for (let pair = 0; pair < context.pairs; pair += 1) {
        const run = await runCheckOff(server, sacco);
        context.say(
          `${Math.round(run.perSecond)} journals/s; ${run.micros.toFixed(0)} µs of processor a journal (PostgreSQL ${run.ofPostgres.toFixed(0)}); members told in ${run.tellSeconds.toFixed(1)} s`,
        );
        runs.push(run);
        theirs.push(await server.pgbenchTpcb(context.seconds));
      }
      const found = await breachesOf(sacco.database);
      const breach = found.length === 0 ? {} : { breach: found.join('; ') };
      const micros = median(runs.map((run) => run.micros));
      return [
        {
          title: 'journals a second through post, all rows of loans and repayments written',
          ratios: runs.map(({ perSecond }) => perSecond),
          threshold: { is: 'least', value: leastPerSecond },
          details: [
            `processor time: ${micros.toFixed(0)} µs a journal, ${median(runs.map((run) => run.ofPostgres)).toFixed(0)} of them in PostgreSQL: two cores that do nothing else make ${Math.round(2e6 / micros)} a second at most`,
            `members are told afterwards: ${median(runs.map((run) => run.tellSeconds)).toFixed(1)} s`,
          ],
          ...breach,
        },
        {
          title: 'journals/s ÷ pgbench TPC-B tps',
          ratios: runs.map(({ perSecond }, index) => perSecond / (theirs[index] ?? Number.NaN)),
          threshold: { is: 'least', value: 3 },
          details: [`TPC-B ${Math.round(median(theirs))} tps`],
          ...breach,
        },
      ];
    } finally {
      await sacco.database.close();
    }
  },
};

interface OpenSacco extends LoanDatabase {
  readonly saccoId: string;
  readonly officials: readonly [string, string];
  readonly payer: string;
  readonly sessionId: string;
}

/** One sacco with two officials, a payer whose password counts as just entered, and a loan of each member. */
async function openSacco(context: BenchContext, server: BenchServer): Promise<OpenSacco> {
  const started = performance.now();
  const book = { loansPerSacco: members, loansPerBorrower: 1, daysMost: 120, part: 10_000 };
  const opened = await openLoans(server, 'check_off', { loans: members, book, more: officials });
  await bookLoans(opened.url);
  const [ids] = await opened.database.sql<{ sacco: string; people: string[]; session: string }[]>`
    select (select id from saccos) as sacco, (select array_agg(id) from (select id from users order by id limit 3) u) as people,
      (select id from sessions where user_id = (select id from users order by id limit 1)) as session`;
  const [payer = '', one = '', two = ''] = ids?.people ?? [];
  context.say(`filled in ${Math.round((performance.now() - started) / 1_000)} s`);
  const of = { saccoId: ids?.sacco ?? '', officials: [one, two] as const, payer, sessionId: ids?.session ?? '' };
  // The same object: its day is what the database's clock reads.
  return Object.assign(opened, of);
}

const officials = [
  `insert into offices (id, sacco_id, user_id, office, since, until, recorded_by)
   select gen_random_uuid(), (select id from saccos), u.id, o.office, '2020-01-01', '2099-01-01', u.id
   from (values (1, 'treasurer'), (2, 'chair')) o (place, office)
   cross join lateral (select id from users order by id offset o.place limit 1) u`,
  `update sessions set proven_at = 'infinity', expires_at = 'infinity'`,
];

interface Run {
  readonly perSecond: number;
  readonly micros: number;
  readonly ofPostgres: number;
  readonly tellSeconds: number;
}

/** One month: the list, its check and its payment are not measured, the sharing out is. */
async function runCheckOff(server: BenchServer, sacco: OpenSacco): Promise<Run> {
  for (let days = 0; days < 30; days += 1) sacco.day = dayAfter(sacco.day, 1);
  const id = await paidList(sacco);
  const started = performance.now();
  const spent = await processorTimeOf(server, () => payLines(sacco.database, id));
  const seconds = (performance.now() - started) / 1_000;
  const [done] = await sacco.database.sql<{ repayments: number }[]>`
    select sum(repayments)::int as repayments from check_off_chunks where check_off_id = ${id}`;
  const journals = done?.repayments ?? 0;
  const telling = performance.now();
  await tellMembers(sacco.database, id);
  const tellSeconds = (performance.now() - telling) / 1_000;
  await runCheckOffs(sacco.database);
  return {
    perSecond: journals / seconds,
    micros: (spent.node + spent.postgres) / journals,
    ofPostgres: spent.postgres / journals,
    tellSeconds,
  };
}

/** What each owes next; every fiftieth brings a shilling more. */
async function paidList({ database, saccoId, officials, payer, sessionId }: OpenSacco): Promise<string> {
  const lines = await database.sql<{ member: string; amountCents: number }[]>`
    select m.id as member, l.due_cents + case when row_number() over () % 50 = 0 then 100 else 0 end as "amountCents"
    from loans l join memberships m on m.user_id = l.borrower_id and m.sacco_id = l.sacco_id where l.due_cents is not null`;
  const amount = lines.reduce((sum, { amountCents }) => sum + amountCents, 0);
  await database.transaction((tx) =>
    post(tx, [
      {
        kind: 'paybill_received',
        idempotencyKey: `paybill_received:${tx.newId()}`,
        causedBy: payer,
        about: { type: 'bench', id: payer },
        transfers: [
          {
            debit: { book: PLATFORM_BOOK, kind: 'mpesa_float', owner: null },
            credit: { book: PLATFORM_BOOK, kind: 'wallet', owner: payer },
            amount,
          },
        ],
      },
    ]),
  );
  const [one, two] = officials;
  const id = await database.transaction((tx) =>
    makeCheckOff(tx, { userId: one, saccoId }, { employer: 'County', payerId: payer, lines }),
  );
  await database.transaction((tx) => decideCheckOff(tx, { userId: two, saccoId }, { id, decision: 'approve' }));
  await database.transaction((tx) => payCheckOff(tx, { userId: payer, sessionId }, { id, amountCents: amount }));
  return id;
}

/** Books and loans must agree, and every cent of every list must be somewhere. */
async function breachesOf(database: Database): Promise<string[]> {
  const found = await database.sql.begin(async (snapshot) => {
    await snapshot`set local statement_timeout = 0`;
    // Nobody paid these loans out.
    const ofLoans = loansInvariants.filter(({ name }) => !name.includes('was paid out by two officials'));
    return breaches(snapshot, [...ledgerInvariants, ...ofLoans]);
  });
  return found.map(({ name }) => name);
}
