import { copyTemplate, type TestDatabase } from '../../server/db/test-copy.ts';
import { testPeople } from '../../server/db/test-people.ts';
import type { Database } from '../../server/db/tx.ts';
import { dividendChange } from '../../server/domains/dividends/declare-dividend.ts';
import { dividendsInvariants } from '../../server/domains/dividends/dividends.invariants.ts';
import { payDividends } from '../../server/domains/dividends/pay-dividends.ts';
import { loansInvariants } from '../../server/domains/loans/loans.invariants.ts';
import { dividendLoans } from '../../server/domains/loans/share-out-dividend.ts';
import { testLateLoans } from '../../server/domains/loans/test-late-loans.ts';
import { buyShares } from '../../server/domains/shares/buy-shares.ts';
import { breaches, ledgerInvariants } from '../../server/ledger/invariants.ts';
import { PLATFORM_BOOK } from '../../server/ledger/ledger.types.ts';
import { postOrRefuse } from '../../server/ledger/post.ts';
import type { Run, Tier } from '../harness.ts';
import { type Asked, assertSame, type Strides, throughMessages } from './each-message.ts';
import { Findings, type Part, sizeOf } from './part.ts';
import { committedApart, TappedServers } from './tapped-server.ts';

const SIZES: Readonly<Record<Tier, Strides>> = {
  c: { first: 5, stride: 223 },
  n: { first: 1, stride: 7 },
  r: { first: 1, stride: 1 },
};
/** Around the end, where members are told; the stride is shorter than the pause behind it. */
const CONTROL: Strides = { first: 1610, stride: 30 };
const MEMBERS = 6;
/** So that a dividend has several chunks. */
const MEMBERS_OF_CHUNK = 2;
const YEAR = 2025;
const SURPLUS = 100_000_00;

/**
 * A dividend is paid by its job, which is cut off after its first, second, third ... message to or from PostgreSQL, through the last,
 * and runs again. Then each member was paid once, to the cent, has the shares that it bought, and was told once.
 */
export async function cutOffDividends(run: Run): Promise<Part> {
  const findings = new Findings();
  const database = await copyTemplate(run.serverUrl, { poolSize: 4 });
  const servers = new TappedServers(database, findings, run.broken ? toldApart : null);
  try {
    database.world.setNow(new Date('2026-03-02T06:00:00Z'));
    const [people, late] = [testPeople(database), testLateLoans(database)];
    const [chair, operator] = [await people.person('Chair'), await people.person('Operator')];
    const size = run.broken ? CONTROL : sizeOf(run, SIZES);
    const cuts = await throughMessages(size, { findings, isBroken: run.broken !== undefined }, async (cut) => {
      const scene = { people, late, chair, operator, ...(run.broken ? { atOnce: 1 } : {}) };
      const { id, paying } = await declared(database, scene);
      const answer = await servers.askTwice(cut, paying);
      await assertPaid(database, id, findings, `a dividend is paid, cut off after message ${cut.messages}`);
      return [answer];
    });
    if (run.broken || findings.count > 0) return findings.outcome();
    const all = [...ledgerInvariants, ...loansInvariants, ...dividendsInvariants];
    for (const { name, rows } of await breaches(database.owner, all))
      findings.violated(`after dividends that were cut off, "${name}" is broken: ${JSON.stringify(rows[0])}`);
    findings.figure('P2', `${cuts} payouts of dividends cut off at a message: each member once`);
    return findings.outcome();
  } finally {
    await servers.close();
    await database.close();
  }
}

interface Scene {
  readonly people: ReturnType<typeof testPeople>;
  readonly late: ReturnType<typeof testLateLoans>;
  readonly chair: string;
  readonly operator: string;
  /** Chunks that are paid at once, where not as many as the product pays. */
  readonly atOnce?: number;
}

/** A sacco of its own, whose members have shares, some of them late loans or one that was written off, and some of whom want shares for it. */
async function declared(database: TestDatabase, scene: Scene): Promise<{ id: string; paying: Asked }> {
  const { late, chair, operator } = scene;
  const sacco = await late.saccos.sacco(chair, operator, {
    name: `Sacco ${database.newId().slice(-12)}`,
    regNo: database.newId(),
  });
  database.world.setNow(new Date('2026-01-02T06:00:00Z'));
  const members: string[] = [];
  for (let nth = 0; nth < MEMBERS; nth += 1) {
    const member = await memberWithShares(database, { ...scene, sacco }, 20 + nth);
    const loan = nth % 3 === 0 ? null : await late.loan({ sacco, borrower: member, amountCents: 30_00, months: 1 });
    if (loan && nth % 3 === 2) await givenUp(database, { sacco, loan, guarantor: members[0] ?? '' });
    members.push(member);
  }
  database.world.setNow(new Date('2026-03-02T06:00:00Z'));
  await closedYear(database, { sacco, chair, members });
  const record_date = '2026-03-01';
  const rates = { share_rate: 10, savings_rate: 0, savings_method: 'month_after', share_tax: 5, savings_tax: 15 };
  const about = { saccoId: sacco, proposedBy: chair };
  await database.transaction((tx) =>
    dividendChange(MEMBERS_OF_CHUNK).apply(tx, about, { ...rates, year: YEAR, record_date }),
  );
  const [dividend] = await database.owner<{ id: string }[]>`select id from dividends where sacco_id = ${sacco}`;
  const id = dividend?.id ?? '';
  return {
    id,
    paying: {
      async act(server) {
        await payDividends(server, dividendLoans, scene.atOnce);
        // So that a cut also comes after everything is done: these are more messages than the longest stride.
        for (let nth = 0; nth < 120; nth += 1) await server.sql`select`;
      },
      isDone: async () =>
        (await database.owner`select from dividends where id = ${id} and state = 'done'`).length === 1,
    },
  };
}

/** As if the loan had been written off after a guarantor paid for it: to whom the borrower owes more than the dividend can pay of the loan too. */
async function givenUp(
  database: TestDatabase,
  { sacco, loan, guarantor }: { readonly sacco: string; readonly loan: string; readonly guarantor: string },
): Promise<void> {
  const own = (kind: 'provision_expense' | 'loan_loss_provision') => ({ book: sacco, kind, owner: null });
  await move(database, 'loan_written_off', [
    { debit: own('provision_expense'), credit: own('loan_loss_provision'), amount: 30_00 },
    { debit: own('loan_loss_provision'), credit: { book: sacco, kind: 'loan_principal', owner: loan }, amount: 30_00 },
  ]);
  const now = database.now();
  // Without the notices and votes on the way there.
  await database.owner`alter table loans disable trigger loan_moves_on`;
  await database.owner`
    update loans set state = 'written_off', state_at = ${now}, written_off_at = ${now}, class = null where id = ${loan}`;
  await database.owner`alter table loans enable trigger loan_moves_on`;
  await database.owner`
    insert into loan_guarantees (id, loan_id, kind, guarantor_id, amount_cents, state, state_at, start_cents, asked_at, answer_by, terms,
      terms_hash, signed_at, called_cents, called_at)
    values (${database.newId()}, ${loan}, 'member', ${guarantor}, 500, 'called', ${now}, 500, ${now}, ${now}, '{}',
      ${'0'.repeat(64)}, ${now}, 500, ${now})`;
}

async function memberWithShares(
  database: TestDatabase,
  { people, late, sacco }: Scene & { readonly sacco: string },
  shares: number,
): Promise<string> {
  const userId = await people.person('Member');
  await late.saccos.join(sacco, userId);
  await move(database, 'wallet_topped_up', [
    {
      debit: { book: PLATFORM_BOOK, kind: 'mpesa_float', owner: null },
      credit: { book: PLATFORM_BOOK, kind: 'wallet', owner: userId },
      amount: shares * 100_00 + SURPLUS,
    },
  ]);
  await database.transaction((tx) => buyShares(tx, [{ userId, saccoId: sacco, shares, amountCents: shares * 100_00 }]));
  return userId;
}

const move = (
  database: TestDatabase,
  kind: 'wallet_topped_up' | 'sacco_joined' | 'year_closed' | 'loan_written_off',
  transfers: Parameters<typeof postOrRefuse>[1]['transfers'],
) =>
  database.transaction((tx) => {
    const id = tx.newId();
    return postOrRefuse(tx, {
      kind,
      idempotencyKey: `${kind}:${id}`,
      causedBy: null,
      about: { type: 'test', id },
      transfers,
    });
  });

/** The first member's fees are the surplus; two officials have closed it, and it is reckoned: each held a share for a hundred days. */
async function closedYear(
  database: TestDatabase,
  { sacco, chair, members }: { readonly sacco: string; readonly chair: string; readonly members: readonly string[] },
): Promise<void> {
  const own = (kind: 'cash' | 'fee_income' | 'surplus_appropriated' | 'retained_surplus' | 'statutory_reserve') =>
    ({ book: sacco, kind, owner: null }) as const;
  await move(database, 'sacco_joined', [
    {
      debit: { book: PLATFORM_BOOK, kind: 'wallet', owner: members[0] ?? '' },
      credit: { book: PLATFORM_BOOK, kind: 'settlement', owner: sacco },
      amount: SURPLUS,
    },
    { debit: own('cash'), credit: own('fee_income'), amount: SURPLUS },
  ]);
  await move(database, 'year_closed', [
    { debit: own('surplus_appropriated'), credit: own('retained_surplus'), amount: SURPLUS * 0.8 },
    { debit: own('surplus_appropriated'), credit: own('statutory_reserve'), amount: SURPLUS * 0.2 },
  ]);
  const now = database.now();
  await database.owner`
    insert into closed_years (sacco_id, year, closed_at, proposed_by, surplus_cents, reserve_cents, distributable_cents, share_value_cents,
      reckoned_at, members)
    values (${sacco}, ${YEAR}, ${now}, ${chair}, ${SURPLUS}, ${SURPLUS * 0.2}, ${SURPLUS * 0.8}, 10000, ${now}, ${members.length})`;
  await database.owner`
    insert into year_members (sacco_id, year, member_id, share_days, month_after, month_of, lowest_balance)
    select ${sacco}, ${YEAR}, member, 20000 + 101 * place, 0, 0, 0
    from unnest(${[...members]}::uuid[]) with ordinality as m (member, place)`;
  await database.owner`
    insert into dividend_choices (sacco_id, user_id, into_what, chosen_at)
    select ${sacco}, member, 'shares', ${now} from unnest(${members.filter((_, nth) => nth % 2 === 0)}::uuid[]) member`;
}

async function assertPaid(database: TestDatabase, id: string, findings: Findings, when: string): Promise<void> {
  const [row] = await database.owner<Record<string, unknown>[]>`
    select d.state, (d.gross_cents - d.tax_cents)::int as net,
      (select count(*)::int from dividend_receipts r where r.dividend_id = d.id) as receipts,
      (select sum(r.net_cents)::int from dividend_receipts r where r.dividend_id = d.id) as paid,
      (select sum(r.arrears_cents)::int from dividend_receipts r where r.dividend_id = d.id) as arrears,
      (select coalesce(sum(p.amount_cents), 0)::int from loan_repayments p
       where p.idempotency_key like 'dividend:' || d.id || ':%') as repaid,
      (select sum(r.refunded_cents)::int from dividend_receipts r where r.dividend_id = d.id) as back,
      (select sum(g.refunded_cents)::int from loan_guarantees g join loans l on l.id = g.loan_id
       where l.sacco_id = d.sacco_id) as refunded,
      (select sum(r.shares)::int from dividend_receipts r where r.dividend_id = d.id) as shares,
      (select sum(m.shares)::int from share_movements m where m.sacco_id = d.sacco_id and m.reason = 'dividend') as entered,
      (select sum(balance)::int from accounts where kind = 'dividends_payable' and owner_id = d.id) as left,
      (select count(*)::int from notifications n join dividend_receipts r on r.member_id = n.user_id and r.dividend_id = d.id
       where n.template = 'dividend_paid') as told
    from dividends d where d.id = ${id}`;
  const { net, arrears, back, shares } = row ?? {};
  const wanted = {
    ...{
      state: 'done',
      receipts: MEMBERS,
      paid: net,
      repaid: arrears,
      refunded: back,
      entered: shares,
      left: 0,
      told: MEMBERS,
    },
  };
  assertSame(row, wanted, findings, when);
}

/** The negative control: members are told at once, and not together with the mark that they were. */
const toldApart = (database: Database): Database => committedApart(database, /insert into notifications/, 20);
