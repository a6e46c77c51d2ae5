import { Refusal } from '@ushirika/contract/refusal';
import { afterAll, expect, test } from 'vitest';
import { Random } from '../../../prove/random.ts';
import { type TestDatabase, testDatabase } from '../../db/test-database.ts';
import { testPeople } from '../../db/test-people.ts';
import type { Tx } from '../../db/tx.ts';
import { amountShown, writeOffShown } from '../../demo/amount-shown.ts';
import { arm, disarm } from '../../faults.proving.ts';
import { balances } from '../../ledger/balances.ts';
import { breaches, ledgerInvariants } from '../../ledger/invariants.ts';
import { PLATFORM_BOOK } from '../../ledger/ledger.types.ts';
import { decideDefault, sendFinalNotice } from './decide-default.ts';
import { loanRecoveryInvariants } from './loan-recovery.invariants.ts';
import { loansInvariants } from './loans.invariants.ts';
import { recoverLoan, type Taking } from './recover-loan.ts';
import { type LateLoan, recoveryOf } from './recovery-facts.ts';
import { payGuarantors } from './refund-guarantors.ts';
import { repayAny } from './repay-late.ts';
import { answerRestructure, confirmRestructure, proposeRestructure } from './restructure-loan.ts';
import { runLoanDays } from './run-loan-days.ts';
import { scheduleCode, testLateLoans } from './test-late-loans.ts';
import { writeOffLoan } from './write-off-loan.ts';

/*
 * Random lives of loans: days, payments, defaults, recoveries, new schedules, while connections break. After every fourth step all that
 * must be true of loans is asked (`LOAN_EVERY=1`: after each). A failure names its seed: `LOAN_SEED=7 LOAN_LIVES=1 vitest run … loan-lives` has it again.
 */
const SEED = Number(process.env.LOAN_SEED ?? 1);
const LIVES = Number(process.env.LOAN_LIVES ?? 4);
const STEPS = Number(process.env.LOAN_STEPS ?? 40);
const EVERY = Number(process.env.LOAN_EVERY ?? 4);
const DAY_MS = 86_400_000;

let database: TestDatabase;
let people: ReturnType<typeof testPeople>;
let late: ReturnType<typeof testLateLoans>;
let founder: string;
let operator: string;

/** The invariants are asked of all that is in the database: with every life they take longer. */
const LIVES_OF_DATABASE = 50;

async function open(): Promise<void> {
  database = await testDatabase();
  people = testPeople(database);
  late = testLateLoans(database);
  founder = await people.person('Wanjiru', 'Kamau');
  operator = await people.person('Operator');
}
afterAll(() => database.close());

interface Life {
  readonly sacco: string;
  readonly loans: readonly { readonly id: string; readonly borrower: string; readonly guarantors: readonly string[] }[];
  readonly committee: readonly string[];
  readonly treasurer: string;
  readonly supervisor: string;
}

async function person(sacco: string, name: string, savings: number): Promise<string> {
  const id = await people.person(name);
  await late.saver(sacco, id, savings);
  await database.owner`
    insert into sessions (id, user_id, token_hash, device, address, proven_at, created_at, last_seen_at, expires_at)
    values (${id}, ${id}, rpad(${id}::text, 43, '.'), 'a test', '10.0.0.1', 'infinity', now(), now(), 'infinity')`;
  return id;
}

async function begin(random: Random): Promise<Life> {
  const sacco = await late.saccos.sacco(founder, operator);
  const official = async (office: Parameters<typeof late.official>[2]) => {
    const id = await person(sacco, 'Official', 0);
    await late.official(sacco, id, office);
    return id;
  };
  const committee = [await official('credit_committee'), await official('credit_committee')];
  const [treasurer, supervisor] = [await official('treasurer'), await official('supervisory_committee')];
  const loans: Life['loans'][number][] = [];
  for (let count = 0; count < 3; count += 1) {
    const amountCents = random.whole(10_000, 10_000_000);
    const ownCents = random.whole(1, amountCents);
    const borrower = await person(sacco, 'Borrower', ownCents + random.whole(0, 1_000_000));
    const pledges: { guarantor: string; cents: number }[] = [];
    for (let each = random.whole(0, 3); each > 0; each -= 1) {
      const cents = random.whole(1, amountCents);
      pledges.push({ guarantor: await person(sacco, 'Guarantor', cents + random.whole(0, 5_000)), cents });
    }
    // Money of the sacco beside what is lent.
    await late.saver(sacco, await people.person('Saver'), amountCents);
    const id = await late.loan({
      sacco,
      borrower,
      amountCents,
      months: random.whole(1, 24),
      method: random.pick(['annuity', 'equal_principal', 'flat'] as const),
      monthlyRate: random.whole(0, 500),
      penaltyRate: random.whole(0, 500),
      ownCents,
      pledges,
    });
    loans.push({ id, borrower, guarantors: pledges.map(({ guarantor }) => guarantor) });
    if (random.chance(0.5)) await late.saccos.fund(borrower, random.whole(1, 20_000_000));
  }
  return { sacco, loans, committee, treasurer, supervisor };
}

/** Confirms the new schedule that waits, with the months that are shown. */
async function confirmShown(
  tx: Tx,
  actor: Parameters<typeof confirmRestructure>[1],
  about: { readonly saccoId: string; readonly loanId: string },
): Promise<void> {
  const [offer] = await tx.sql<{ months: number }[]>`
    select months from loan_restructures where loan_id = ${about.loanId} order by id desc limit 1`;
  await confirmRestructure(tx, actor, { ...about, months: offer?.months ?? 1 });
}

const as = (userId: string) => ({ userId, sessionId: userId });

/** One thing that may happen, while one commit in ten goes wrong. What is refused or breaks has to leave nothing half done. */
async function step(life: Life, random: Random): Promise<string> {
  const { id: loanId, borrower, guarantors } = random.pick(life.loans);
  const { sacco: saccoId } = life;
  const about = { saccoId, loanId };
  const reason = 'It is so.';
  const acts: Readonly<Record<string, [number, (tx: Tx) => Promise<unknown>]>> = {
    'what is due': [8, (tx) => takeDueStep(tx, life, about, random)],
    pay: [4, (tx) => pay(tx, { loanId, borrower, cents: random.whole(1, 3_000_000), random })],
    'pay much': [1, (tx) => pay(tx, { loanId, borrower, cents: 100_000_000, random })],
    default: [1, (tx) => decideDefault(tx, as(random.pick(life.committee)), { ...about, reason })],
    'final notice': [1, (tx) => sendFinalNotice(tx, as(life.treasurer), about)],
    recover: [
      1,
      (tx) => takeShown(tx, life, { ...about, step: random.pick(['own_deposits', 'guarantors'] satisfies Taking[]) }),
    ],
    'write off': [1, (tx) => giveUp(tx, as(random.pick([life.treasurer, life.supervisor])), { ...about, reason })],
    'pay guarantors': [2, (tx) => payGuarantors(tx, as(borrower), { ...about, cents: random.whole(1, 2_000_000) })],
    propose: [1, (tx) => proposeRestructure(tx, as(life.treasurer), { ...about, months: random.whole(1, 36), reason })],
    confirm: [2, (tx) => confirmShown(tx, as(random.pick(life.committee)), about)],
    answer: [
      3,
      async (tx) => {
        const userId = random.pick([borrower, ...guarantors]);
        const signed = await scheduleCode(tx, { loanId, userId });
        const answer = { ...about, agree: random.chance(0.9), ...(signed ? { signed } : {}) };
        await answerRestructure(tx, as(userId), answer);
      },
    ],
  };
  if (random.chance(0.35)) {
    const days = random.pick([1, 1, 5, 15, 31]);
    database.world.advance(days * DAY_MS);
    await untilDone(() => runLoanDays(database, { saccos: [saccoId], loansAtOnce: 2 }), random);
    return `${days} days`;
  }
  const drawn = Object.entries(acts).flatMap(([name, [weight, run]]) =>
    Array.from({ length: weight }, () => [name, run] as const),
  );
  const [name, run] = random.pick(drawn);
  arm({ seed: random.whole(1, 1e9), rates: { commit_never_sent: 0.05, commit_reply_lost: 0.05, begin_lost: 0.05 } });
  const outcome = await database.transaction(run).then(
    () => 'done',
    (error: unknown) => {
      if (error instanceof Refusal) return error.code;
      if ((error as { code?: string }).code === 'CONNECTION_CLOSED') return 'broken';
      throw error;
    },
  );
  disarm();
  return `${name}: ${outcome}`;
}

/** As the desk shows it at that moment. */
async function takeShown(
  tx: Tx,
  life: Life,
  input: { readonly saccoId: string; readonly loanId: string; readonly step: Taking },
): Promise<unknown> {
  const shownCents = await amountShown(tx, input.loanId, input.step);
  return recoverLoan(tx, as(life.treasurer), { ...input, shownCents });
}

/** The same of a vote for a write-off. */
async function giveUp(
  tx: Tx,
  actor: ReturnType<typeof as>,
  input: { readonly saccoId: string; readonly loanId: string; readonly reason: string },
): Promise<unknown> {
  return writeOffLoan(tx, actor, { ...input, shownCents: await writeOffShown(tx, input.loanId) });
}

/** The step of a recovery that may be taken now, by somebody who may. */
async function takeDueStep(
  tx: Tx,
  life: Life,
  about: { readonly saccoId: string; readonly loanId: string },
  random: Random,
): Promise<unknown> {
  const [loan] = await tx.sql<LateLoan[]>`select * from loans where id = ${about.loanId}`;
  const { steps } = await recoveryOf({ sql: tx.sql, now: tx.now }, loan as LateLoan);
  const due = steps.find(({ state }) => state === 'now')?.kind;
  const reason = 'It is due.';
  switch (due) {
    case 'default':
      return decideDefault(tx, as(random.pick(life.committee)), { ...about, reason });
    case 'final_notice':
      return sendFinalNotice(tx, as(life.treasurer), about);
    case 'write_off':
      return giveUp(tx, as(random.pick([life.treasurer, life.supervisor])), { ...about, reason });
    case undefined:
      throw new Refusal('recovery_too_early');
    default:
      return takeShown(tx, life, { ...about, step: due });
  }
}

async function pay(
  tx: Tx,
  paid: { readonly loanId: string; readonly borrower: string; readonly cents: number; readonly random: Random },
): Promise<void> {
  const { loanId, borrower: payerId, cents: amountCents, random } = paid;
  const surplus = random.pick(['shorten', 'lower_instalment'] as const);
  const [answer] = await repayAny(tx, [
    { loanId, payerId, amountCents, channel: 'wallet', key: `loan_repaid:${tx.newId()}`, surplus },
  ]);
  if (answer instanceof Refusal) throw answer;
}

async function untilDone(run: () => Promise<void>, random: Random): Promise<void> {
  for (;;) {
    arm({ seed: random.whole(1, 1e9), rates: { commit_never_sent: 0.02, commit_reply_lost: 0.02 } });
    const isDone = await run().then(
      () => true,
      () => false,
    );
    disarm();
    if (isDone) return;
  }
}

test(`loans live through what may happen to them, from the seed ${SEED} on`, { timeout: 3_600_000 }, async () => {
  const seen = new Set<string>();
  for (let life = 0; life < LIVES; life += 1) {
    if (life > 0 && life % LIVES_OF_DATABASE === 0) await database.close();
    if (life % LIVES_OF_DATABASE === 0) await open();
    const seed = SEED + life;
    database.world.setNow(new Date('2026-03-02T06:00:00Z'));
    const random = new Random(seed);
    const begun = await begin(random);
    // Half of them pay nothing for the first four months.
    for (let months = random.chance(0.5) ? 4 : 0; months > 0; months -= 1) {
      database.world.advance(31 * DAY_MS);
      await runLoanDays(database, { saccos: [begun.sacco] });
    }
    const total = await moneyIn();
    const happened: string[] = [];
    for (let count = 0; count < STEPS; count += 1) {
      happened.push(await step(begun, random));
      seen.add(happened.at(-1) ?? '');
      if ((count + 1) % EVERY !== 0) continue;
      const all = [...ledgerInvariants, ...loansInvariants, ...loanRecoveryInvariants];
      const broken = await breaches(database.sql, all);
      expect(broken, `LOAN_SEED=${seed} LOAN_LIVES=1, after: ${happened.join(', ')}`).toEqual([]);
    }
    expect(await moneyIn()).toBe(total);
  }
  // What the last lives reached, for whoever wants many.
  if (process.env.LOAN_SAY) {
    const steps =
      await database.sql`select step, count(*)::int as times from loan_recovery_steps group by step order by step`;
    const states = await database.sql`select state, count(*)::int as loans from loans group by state order by state`;
    console.log([...seen].sort().join('\n'), steps, states);
  }
  expect(seen).toContain('pay: done');
});

/** What M-Pesa holds: nothing that happens to a loan changes it. */
async function moneyIn(): Promise<number> {
  const [float = 0] = await balances(database, [{ book: PLATFORM_BOOK, kind: 'mpesa_float', owner: null }]);
  return float;
}
