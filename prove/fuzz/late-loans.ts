import { nairobiDay } from '@ushirika/contract/time';
import { amountShown, writeOffShown } from '../../server/demo/amount-shown.ts';
import { decideDefault, sendFinalNotice } from '../../server/domains/loans/decide-default.ts';
import { recoverLoan } from '../../server/domains/loans/recover-loan.ts';
import { runLoanDays } from '../../server/domains/loans/run-loan-days.ts';
import { writeOffLoan } from '../../server/domains/loans/write-off-loan.ts';
import { asked, daysAgo, type Hand, type Lending, PAID_OUT_DAYS } from './lenders.ts';
import { type PooledLoans, poolClaims } from './pool-guarantees.ts';

/** How long ago the arrears of a loan of one month were noticed, and its default was decided. */
const NOTICED_DAYS = 45;
const DEFAULTED_DAYS = 15;
const AMOUNT = 1_000_00;
/** Guarantors are paid back from time to time: not all of it at once. */
const LARGE = 100_000_00;

/** Loans on which `neighbour` has paid nothing, each a step further on the way to its write-off. */
export async function lateLoans(lending: Lending, pooled: PooledLoans): Promise<void> {
  const names = ['early', 'bare', 'half', 'offered', 'withdrawn', 'defaulted', 'noticed', 'taken', 'proposed'] as const;
  const loans = {} as Record<(typeof names)[number], string>;
  for (const name of names)
    loans[name] = await daysAgo(lending, PAID_OUT_DAYS, () => late(lending, name === 'taken' ? LARGE : AMOUNT));
  await daysAgo(lending, NOTICED_DAYS, () => runDay(lending));
  const inDefault = [loans.defaulted, loans.noticed, loans.taken, loans.proposed, pooled.called, pooled.old];
  await daysAgo(lending, DEFAULTED_DAYS, async () => {
    for (const loan of inDefault) await decide(lending, loan);
    for (const loan of inDefault.slice(1)) await act(lending, 'one', loan, sendFinalNotice);
  });
  await daysDone(lending);
  for (const loan of [loans.taken, loans.proposed, pooled.called, pooled.old])
    await take(lending, loan, 'own_deposits');
  for (const loan of [pooled.called, pooled.old]) await take(lending, loan, 'pool');
  for (const loan of [loans.taken, loans.proposed]) await take(lending, loan, 'guarantors');
  await act(lending, 'two', loans.proposed, async (tx, actor, input) => {
    const shownCents = await writeOffShown(tx, input.loanId);
    await writeOffLoan(tx, actor, { ...input, reason: 'Nobody is left to pay it.', shownCents });
  });
  await offers(lending, loans);
  await poolClaims(lending, pooled);
  tellOfDesk(lending, loans);
}

const late = ({ late, lateSacco: sacco, hands }: Lending, amountCents: number) =>
  late.loan({
    sacco,
    borrower: hands.neighbour.id,
    amountCents,
    months: 1,
    pledges: [{ guarantor: hands.member.id, cents: amountCents }],
  });

/** One day's run, as if it followed the one before: it brings the arrears, all notices that are due, and the demands of pools. */
async function runDay({ crowd, lateSacco }: Lending): Promise<void> {
  const { database } = crowd.product;
  const yesterday = new Date(database.now().getTime() - 86_400_000);
  const [before] = await database.owner<{ id: string }[]>`
    insert into loan_days (id, sacco_id, day, state, started_at, finished_at)
    values (gen_random_uuid(), ${lateSacco}, ${nairobiDay(yesterday)}, 'done', ${yesterday}, ${yesterday}) returning id`;
  await runLoanDays(database, { saccos: [lateSacco] });
  await database.owner`delete from loan_days where id = ${before?.id ?? ''}`;
}

/** All days up to today are run, so that jobs have none to make up for. */
async function daysDone({ crowd, sacco, lateSacco }: Lending): Promise<void> {
  const { database } = crowd.product;
  const now = database.now();
  const today = nairobiDay(now);
  await database.owner`update loan_days set day = ${today} where sacco_id = ${lateSacco}`;
  await database.owner`update loans set accrued_through = ${today} where sacco_id = ${lateSacco}`;
  await database.owner`
    insert into loan_days (id, sacco_id, day, state, started_at, finished_at)
    values (gen_random_uuid(), ${sacco}, ${today}, 'done', ${now}, ${now})`;
}

type Step = typeof sendFinalNotice;

function act({ crowd, hands, lateSacco }: Lending, name: 'one' | 'two', loanId: string, step: Step): Promise<unknown> {
  const { id: userId, sessionId } = hands[name] as Hand;
  return crowd.product.database.transaction((tx) => step(tx, { userId, sessionId }, { saccoId: lateSacco, loanId }));
}

async function decide(lending: Lending, loan: string): Promise<void> {
  for (const name of ['one', 'two'] as const) {
    await act(lending, name, loan, async (tx, actor, input) => {
      await decideDefault(tx, actor, { ...input, reason: 'Nothing was paid.' });
    });
  }
}

/** `two` is the manager. */
const take = (lending: Lending, loan: string, step: Parameters<typeof recoverLoan>[2]['step']) =>
  act(lending, 'two', loan, async (tx, actor, input) => {
    await recoverLoan(tx, actor, { ...input, step, shownCents: await amountShown(tx, loan, step) });
  });

/** Two officials offer a new schedule; one waits for the second of them. */
async function offers(
  lending: Lending,
  { half, offered, withdrawn }: Readonly<Record<'half' | 'offered' | 'withdrawn', string>>,
): Promise<void> {
  const { lateSacco: sacco, hands } = lending;
  const body = { months: 12, reason: 'The shop burnt down.' };
  const confirmed = { sacco, body: { months: body.months } };
  for (const loan of [half, offered, withdrawn]) {
    // Who has proposed it takes it back, of the campaign’s people.
    const by = loan === withdrawn ? hands.official : hands.two;
    await asked(lending, by, ['POST', `/sacco/loans/${loan}/restructure`], { sacco, body });
    if (loan !== offered) continue;
    await asked(lending, hands.one, ['POST', `/sacco/loans/${loan}/restructure/confirm`], confirmed);
  }
}

function tellOfDesk({ pools, lateSacco: sacco }: Lending, loans: Readonly<Record<string, string>>): void {
  const ready = (routes: readonly string[], people: readonly string[], loan: string | undefined, amount = 10) => {
    for (const route of routes) for (const as of people) pools.ready(route, as, { sacco, loan: loan ?? '', amount });
  };
  const desk = ['official', 'secretary'];
  ready(['readLoanRecovery'], desk, loans.defaulted);
  ready(['decideDefault'], ['official'], loans.early);
  for (const as of desk)
    pools.ready('proposeWaiver', as, { sacco, loan: loans.defaulted ?? '', penalty: 0, interest: 1 });
  ready(['proposeRestructure', 'quoteRestructure'], desk, loans.bare);
  pools.ready('confirmRestructure', 'official', { sacco, loan: loans.half ?? '', month: 12 });
  ready(['readRestructure', 'answerRestructure'], ['member', 'neighbour'], loans.offered);
  ready(['withdrawRestructure'], ['official'], loans.withdrawn);
  ready(['sendFinalNotice'], desk, loans.defaulted);
  // A step takes no more than the amount that it carries, and gives no more up.
  ready(['recoverLoan'], desk, loans.noticed, LARGE / 100);
  ready(['writeOffLoan'], desk, loans.taken, LARGE / 100);
  ready(['declineWriteOff'], desk, loans.proposed);
  ready(['payGuarantors'], ['neighbour'], loans.taken);
}
