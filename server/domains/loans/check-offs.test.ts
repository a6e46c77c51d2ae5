import { Refusal } from '@ushirika/contract/refusal';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { arm, disarm, type FaultPlan } from '../../faults.proving.ts';
import { balances } from '../../ledger/balances.ts';
import { breaches, ledgerInvariants } from '../../ledger/invariants.ts';
import { PLATFORM_BOOK } from '../../ledger/ledger.types.ts';
import { decideCheckOff } from './decide-check-off.ts';
import { eachAlone } from './each-alone.ts';
import { loansInvariants } from './loans.invariants.ts';
import { makeCheckOff } from './make-check-off.ts';
import { LINES_OF_CHUNK, lockPayments, payCheckOff } from './pay-check-off.ts';
import { runCheckOffs } from './run-check-offs.ts';
import { runLoanDays } from './run-loan-days.ts';
import { testLending } from './test-lending.ts';

const lending = await testLending();
const { database, people, late, goTo } = lending;
let sacco: string;
let treasurer: string;
let chair: string;
let payer: string;

afterAll(() => database.close());
/** The morning of 2 March 2026 in Nairobi; each test has a sacco of its own with two officials and an employer. */
beforeEach(async () => {
  sacco = await lending.sacco();
  chair = lending.founder;
  treasurer = await people.person('Treasurer');
  payer = await people.person('County', 'Government');
  await signIn(payer);
  await late.official(sacco, treasurer, 'treasurer');
  await late.saver(sacco, await people.person('Saver'), 1_000_000_00);
});

const memberIdOf = async (userId: string) =>
  (await database.sql<{ id: string }[]>`select id from memberships where user_id = ${userId}`)[0]?.id ?? '';
/** A member with loans of 12 months at 1 % a month on equal parts of the principal. */
async function borrower(...amounts: readonly number[]) {
  const userId = await people.person('Amina', 'Otieno');
  await late.saver(sacco, userId, 0);
  const loans: string[] = [];
  for (const amountCents of amounts) {
    loans.push(await late.loan({ sacco, borrower: userId, amountCents, months: 12, method: 'equal_principal' }));
  }
  return { userId, member: await memberIdOf(userId), loans };
}
type Line = { readonly member: string; readonly amountCents: number };
const list = (lines: readonly Line[], by = treasurer) =>
  database.transaction((tx) =>
    makeCheckOff(tx, { userId: by, saccoId: sacco }, { employer: 'County of Nairobi', payerId: payer, lines }),
  );
const check = (id: string, by = chair, decision: 'approve' | 'refuse' = 'approve') =>
  database.transaction((tx) =>
    decideCheckOff(tx, { userId: by, saccoId: sacco }, { id, decision, reason: 'Not our list.' }),
  );
/** The id of the one session is the person's; its password counts as just entered. */
async function signIn(userId: string): Promise<void> {
  await database.owner`
    insert into sessions (id, user_id, token_hash, device, address, proven_at, created_at, last_seen_at, expires_at)
    values (${userId}, ${userId}, ${`${userId}0000000`}, 'Test', '127.0.0.1', 'infinity', ${database.now()}, ${database.now()},
      'infinity') on conflict do nothing`;
}
const pay = async (id: string, by = payer, amountCents?: number) => {
  const amount = amountCents ?? (await checkOff(id))?.amount_cents;
  return database.transaction((tx) =>
    payCheckOff(tx, { userId: by, sessionId: by }, { id, amountCents: Number(amount) }),
  );
};
async function paidFor(lines: readonly Line[]): Promise<string> {
  const id = await list(lines);
  await check(id);
  await late.saccos.fund(
    payer,
    lines.reduce((sum, { amountCents }) => sum + amountCents, 0),
  );
  await pay(id);
  return id;
}
const wallet = async (owner: string) => (await balances(database, [{ book: PLATFORM_BOOK, kind: 'wallet', owner }]))[0];
const waiting = async (id: string) => (await balances(database, [{ book: sacco, kind: 'check_off', owner: id }]))[0];
const loan = async (id: string | undefined) => (await database.sql`select * from loans where id = ${id ?? ''}`)[0];
const checkOff = async (id: string) => (await database.sql`select * from check_offs where id = ${id}`)[0];
const refusal = (act: Promise<unknown>) =>
  act.then(
    () => null,
    (thrown) => (thrown instanceof Refusal ? thrown.code : thrown),
  );
const sound = () => breaches(database.sql, [...ledgerInvariants, ...loansInvariants]);

describe('a list', () => {
  test('is made by one official, checked by another, and paid once by the payer', async () => {
    const { member, userId } = await borrower(120_000_00);
    const lines = [{ member, amountCents: 11_200_00 }];
    expect(await refusal(list(lines, userId))).toBe('not_allowed');
    expect(await refusal(list([{ member: database.newId(), amountCents: 1 }]))).toBe('check_off_lines_wrong');
    expect(await refusal(list([...lines, ...lines]))).toBe('check_off_conflict');
    const id = await list(lines);
    expect(await refusal(pay(id))).toBe('not_found');
    expect(await refusal(check(id, treasurer))).toBe('not_allowed');
    expect(await refusal(check(id, userId))).toBe('not_allowed');
    // Two accounts of one person are not two officials.
    await people.onePhone(treasurer, chair);
    expect(await refusal(check(id))).toBe('not_allowed');
    await database.owner`delete from referral_traces where user_id = ${treasurer}`;
    await check(id);
    expect(await refusal(check(id))).toBe('check_off_conflict');
    expect(await refusal(pay(id))).toBe('insufficient_funds');
    expect(await refusal(pay(id, userId))).toBe('not_found');
    await late.saccos.fund(payer, 20_000_00);
    const answers = await Promise.all([1, 2, 3].map(() => refusal(pay(id))));
    expect(answers.sort()).toEqual(['check_off_conflict', 'check_off_conflict', null]);
    expect(await wallet(payer)).toBe(8_800_00);
    expect(await waiting(id)).toBe(11_200_00);
    expect(await sound()).toEqual([]);
  });

  test('that is being made holds up nobody who needs the sacco’s lock', async () => {
    const { member } = await borrower();
    await database.transaction(async (tx) => {
      const input = { employer: 'County of Nairobi', payerId: payer, lines: [{ member, amountCents: 1 }] };
      await makeCheckOff(tx, { userId: treasurer, saccoId: sacco }, input);
      // A purchase, a join or a loan.
      await database.owner`select from sacco_figures where sacco_id = ${sacco} for no key update nowait`;
    });
  });

  test('is paid in a batch with others, the other way round at the same time', async () => {
    const { member } = await borrower();
    const ids: string[] = [];
    for (const amountCents of [1_00, 2_00, 3_00]) ids.push(await list([{ member, amountCents }]));
    for (const id of ids) await check(id);
    await late.saccos.fund(payer, 4_00);
    // PostgreSQL ends one of two that wait for each other, and it begins anew.
    let begun = 0;
    const batch = (order: readonly string[], afterFirst: () => Promise<void>) =>
      database.transaction(async (tx) => {
        begun += 1;
        await lockPayments(
          tx,
          order.map((id) => ({ userId: payer, id })),
        );
        return eachAlone(tx, order, async (id) => {
          if (id === order[1]) await afterFirst();
          await payCheckOff(tx, { userId: payer, sessionId: payer }, { id, amountCents: (ids.indexOf(id) + 1) * 100 });
          return id;
        });
      });
    const isWaiting = async () => {
      const waits = await database.owner`
        select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
      return waits.length > 0;
    };
    let other: ReturnType<typeof batch> | undefined;
    const forth = await batch(ids, async () => {
      other = batch([...ids].reverse(), async () => {});
      await expect.poll(isWaiting).toBe(true);
    });
    const back = (await other) ?? [];
    expect(begun).toBe(2);
    const paid = [ids[0], ids[1]];
    expect(forth.map((each) => (each instanceof Refusal ? each.code : each))).toEqual([...paid, 'insufficient_funds']);
    expect(back.map((each) => each instanceof Refusal)).toEqual([true, true, true]);
    // What was refused has left nothing.
    for (const id of ids) {
      const isPaid = paid.includes(id);
      expect(await checkOff(id)).toMatchObject({ state: isPaid ? 'running' : 'checked' });
      expect(await waiting(id)).toBe(isPaid ? (ids.indexOf(id) + 1) * 100 : 0);
      const chunks = await database.sql`select from check_off_chunks where check_off_id = ${id}`;
      expect(chunks).toHaveLength(isPaid ? 1 : 0);
    }
    expect(await sound()).toEqual([]);
  });

  test('that is refused moves nothing', async () => {
    const id = await list([{ member: (await borrower(120_000_00)).member, amountCents: 1_00 }]);
    await check(id, chair, 'refuse');
    expect(await refusal(pay(id))).toBe('not_found');
    await runCheckOffs(database);
    expect(await checkOff(id)).toMatchObject({ state: 'refused' });
  });
});

describe('what was paid', () => {
  test('pays what is due of each loan, the longest due first, then the instalment under way; the rest is the member’s', async () => {
    const { userId, member, loans } = await borrower(120_000_00);
    const before = await wallet(userId);
    goTo('2026-03-20');
    const younger = await late.loan({
      sacco,
      borrower: userId,
      amountCents: 60_000_00,
      months: 12,
      method: 'equal_principal',
    });
    goTo('2026-04-01');
    await runLoanDays(database, { saccos: [sacco] });
    // An instalment of 11,200, then one of 5,600; 777 is more. Interest is 30 of 31 days of 1,200, and 12 of 31 of 600.
    const id = await paidFor([{ member, amountCents: 11_200_00 + 5_600_00 + 777_00 }]);
    await runCheckOffs(database);
    expect(await loan(loans[0])).toMatchObject({ principal_cents: 109_961_29, interest_cents: 0, due_number: 2 });
    expect(await loan(younger)).toMatchObject({ principal_cents: 54_632_25, interest_cents: 0, due_number: 2 });
    expect(await wallet(userId)).toBe((before ?? 0) + 60_000_00 + 777_00);
    expect(await waiting(id)).toBe(0);
    expect(await checkOff(id)).toMatchObject({ state: 'done' });
    expect(
      await database.sql`
        select channel, paid_by, amount_cents, interest_cents, principal_cents, prepaid_cents from loan_repayments
        where loan_id = any (${[loans[0] as string, younger]}) order by amount_cents desc`,
    ).toMatchObject([
      { channel: 'check_off', paid_by: null, amount_cents: 11_200_00, interest_cents: 1_161_29, prepaid_cents: 0 },
      { channel: 'check_off', paid_by: null, amount_cents: 5_600_00, interest_cents: 232_25, prepaid_cents: 0 },
    ]);
    const told = await database.sql`select template from notifications where user_id = ${userId} and topic = 'loans'`;
    expect(told.filter(({ template }) => template === 'check_off_paid')).toHaveLength(1);
    expect(await sound()).toEqual([]);
    expect(
      await database.sql`select line, repaid_cents, returned_cents from check_off_outcomes where check_off_id = ${id}`,
    ).toEqual([{ line: 1, repaid_cents: 16_800_00, returned_cents: 777_00 }]);
    // What is over is held as what shares were sold for is.
    expect(await database.sql`select cents from sale_proceeds where user_id = ${userId}`).toEqual([{ cents: 777_00 }]);
    // An outcome that is not the line’s amount is found.
    await database.owner`update check_off_outcomes set returned_cents = 0 where check_off_id = ${id}`;
    expect((await sound()).map(({ name }) => name)).toEqual([
      expect.stringMatching(/^What is kept of held proceeds/),
      expect.stringMatching(/^Each line of a check-off/),
    ]);
    await database.owner`update check_off_outcomes set returned_cents = 77700 where check_off_id = ${id}`;
  });

  test('is not enough: the older loan is paid first; a guarantor’s pledge falls, a loan that is paid is over', async () => {
    const guarantor = await people.person('Guarantor');
    await late.saver(sacco, guarantor, 50_000_00);
    const userId = await people.person('Baraka');
    await late.saver(sacco, userId, 0);
    const one = { sacco, borrower: userId, amountCents: 12_000_00, months: 1, method: 'equal_principal' as const };
    const short = await late.loan({ ...one, pledges: [{ guarantor, cents: 12_000_00 }] });
    goTo('2026-03-10');
    const long = await late.loan({ ...one, months: 12 });
    goTo('2026-04-02');
    const member = await memberIdOf(userId);
    await paidFor([{ member, amountCents: 6_120_00 }]);
    await runCheckOffs(database);
    // 120 of interest, then half of the principal: half of the pledge is free again.
    expect(await loan(short)).toMatchObject({ principal_cents: 6_000_00, state: 'active' });
    expect(await loan(long)).toMatchObject({ principal_cents: 12_000_00 });
    expect(await balances(database, [{ book: sacco, kind: 'deposits_hold', owner: guarantor }])).toEqual([6_000_00]);
    await paidFor([{ member, amountCents: 6_500_00 }]);
    await runCheckOffs(database);
    expect(await loan(short)).toMatchObject({ state: 'closed', closed_because: 'paid' });
    expect(await balances(database, [{ book: sacco, kind: 'deposits_hold', owner: guarantor }])).toEqual([0]);
    const told =
      await database.sql`select template from notifications where user_id = ${guarantor} and topic = 'loans'`;
    expect(told.map(({ template }) => template)).toContain('loan_pledge_free');
    expect(await sound()).toEqual([]);
  });

  test('for a member without a loan that is due goes to the wallet', async () => {
    const { userId, member } = await borrower();
    await paidFor([{ member, amountCents: 1_234_56 }]);
    await runCheckOffs(database);
    expect(await wallet(userId)).toBe(1_234_56);
    expect(await sound()).toEqual([]);
  });
});

describe('many chunks', () => {
  /** As many members as make three chunks of two lines: the test sets the lines of a chunk. */
  async function small() {
    const members = [];
    for (let each = 0; each < 6; each += 1) members.push(await borrower(12_000_00));
    const id = await paidFor(members.map(({ member }, index) => ({ member, amountCents: 1_120_00 + index })));
    await database.owner`update check_off_chunks set last_line = 2 where check_off_id = ${id}`;
    await database.owner`
      insert into check_off_chunks (check_off_id, first_line, last_line, state)
      values (${id}, 3, 4, 'waiting'), (${id}, 5, 6, 'waiting')`;
    return { id, members };
  }
  const shared = async (id: string) =>
    database.sql`
      select state, repayments, repaid_cents, returned_cents from check_off_chunks where check_off_id = ${id} order by first_line`;
  const everything = [
    { state: 'told', repayments: 2, repaid_cents: 2_240_00, returned_cents: 1 },
    { state: 'told', repayments: 2, repaid_cents: 2_240_00, returned_cents: 5 },
    { state: 'told', repayments: 2, repaid_cents: 2_240_00, returned_cents: 9 },
  ];
  async function isPaidOnce({ id, members }: Awaited<ReturnType<typeof small>>) {
    expect(await shared(id)).toEqual(everything);
    expect(await checkOff(id)).toMatchObject({ state: 'done' });
    for (const { loans } of members) expect(await loan(loans[0])).toMatchObject({ principal_cents: 10_930_32 });
    const paid = await database.sql`
      select from loan_repayments where loan_id = any (${members.flatMap(({ loans }) => loans)}::uuid[])`;
    expect(paid).toHaveLength(6);
    expect(await waiting(id)).toBe(0);
    expect(await sound()).toEqual([]);
  }

  test('run twice at once, each chunk is paid by one', async () => {
    const made = await small();
    goTo('2026-03-15');
    await Promise.all([runCheckOffs(database), runCheckOffs(database), runCheckOffs(database, { chunksAtOnce: 1 })]);
    await isPaidOnce(made);
    await runCheckOffs(database);
    await isPaidOnce(made);
  });

  test.each(['commit_never_sent', 'commit_reply_lost'] as const)(
    'killed at each of its commits (%s), it goes on where it was cut off and pays nobody twice',
    async (point) => {
      const made = await small();
      goTo('2026-03-15');
      let kills = 0;
      for (let skip = 0; ; skip += 1) {
        arm({ seed: 1, rates: { [point]: 1 } as FaultPlan['rates'], skip: skip % 5 });
        const isKilled = await runCheckOffs(database, { chunksAtOnce: 1 }).then(
          () => false,
          () => true,
        );
        disarm();
        expect(await sound()).toEqual([]);
        if (!isKilled) break;
        kills += 1;
      }
      expect(kills).toBeGreaterThan(2);
      await isPaidOnce(made);
    },
  );

  test('a list is cut into chunks', async () => {
    const { member } = await borrower();
    const id = await paidFor([{ member, amountCents: 5 }]);
    expect(await shared(id)).toHaveLength(1);
    expect(LINES_OF_CHUNK).toBe(1_000);
  });
});
