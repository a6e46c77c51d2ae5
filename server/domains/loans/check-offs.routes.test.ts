import { checkOffsContract } from '@ushirika/contract/check-offs';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '../../db/test-database.ts';
import { testPeople } from '../../db/test-people.ts';
import { type TestWorld, testWorld } from '../../db/test-world.ts';
import { testApp } from '../../http/test-app.ts';
import { balances } from '../../ledger/balances.ts';
import { PLATFORM_BOOK } from '../../ledger/ledger.types.ts';
import { standings } from '../membership/standings.ts';
import { checkOffsRoutes } from './check-offs.routes.ts';
import { expireCheckOffs } from './expire-check-offs.ts';
import { loanLeavingEffects } from './leaving-effects.ts';
import { runCheckOffs } from './run-check-offs.ts';
import { testLateLoans } from './test-late-loans.ts';

const DAY_MS = 86_400_000;
let world: TestWorld;
let database: TestDatabase;
let people: ReturnType<typeof testPeople>;
let late: ReturnType<typeof testLateLoans>;
let app: Awaited<ReturnType<typeof testApp>>;
let operator: string;
let sacco: string;
let treasurer: string;
let chair: string;
let secretary: string;
let payer: string;
let amina: string;
let baraka: string;

beforeAll(async () => {
  world = testWorld();
  database = await testDatabase({ world });
  people = testPeople(database);
  late = testLateLoans(database);
  operator = await people.person('Operator');
  app = await testApp({
    database,
    contract: checkOffsContract,
    bindings: checkOffsRoutes({ database, publicUrl: 'https://ushirika.test' }),
    standingOf: standings(database),
  });
});
beforeEach(async () => {
  chair = await people.person('Wanjiru', 'Kamau');
  sacco = await late.saccos.sacco(chair, operator);
  treasurer = await people.person('Otieno', 'Ouma');
  secretary = await people.person('Njoki', 'Maina');
  payer = await withPhone('Jane', 'Wafula');
  await late.official(sacco, treasurer, 'treasurer');
  await late.official(sacco, secretary, 'secretary');
  amina = await withPhone('Amina', 'Said');
  baraka = await withPhone('Baraka', 'Ali');
  for (const member of [amina, baraka]) await late.saver(sacco, member, 0);
  await late.saver(sacco, await people.person('Saver'), 1_000_000_00);
});
afterAll(async () => {
  await app.close();
  await database.close();
});

async function withPhone(first: string, last: string): Promise<string> {
  const id = await people.person(first, last);
  await database.owner`
    update users set phone = '2547' || lpad((substr(phone, 5)::bigint + 10000000)::text, 8, '0'), phone_confirmed_at = ${world.now()}
    where id = ${id}`;
  return id;
}
const phoneOf = async (id: string) =>
  (await database.sql<{ phone: string }[]>`select phone from users where id = ${id}`)[0]?.phone ?? '';
const wallet = async (owner: string) => (await balances(database, [{ book: PLATFORM_BOOK, kind: 'wallet', owner }]))[0];

/** A form with its fields, and the list as a file or as text. */
function form(fields: Readonly<Record<string, string>>, file?: string) {
  const boundary = '----ushirika';
  const parts = Object.entries(fields).map(
    ([name, value]) => `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  );
  const list =
    file === undefined
      ? ''
      : `--${boundary}\r\nContent-Disposition: form-data; name="list"; filename="may.csv"\r\nContent-Type: text/csv\r\n\r\n${file}\r\n`;
  return {
    body: `${parts.join('')}${list}--${boundary}--\r\n`,
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
  };
}
interface Sent {
  readonly as?: string;
  readonly lines?: string;
  readonly file?: string;
  readonly by?: string;
  readonly phone?: string;
  readonly employer?: string;
}
const send = async (
  path: string,
  { as = treasurer, lines, file, by = payer, phone, employer = 'County of Nairobi' }: Sent,
) =>
  app.call('POST', path, {
    as,
    sacco,
    ...form({ employer, payer_phone: phone ?? (await phoneOf(by)), list_text: lines ?? '' }, file),
  });
/** One that nobody has. */
const phoneNo = (n: number) => `254799${String(n).padStart(6, '0')}`;
const preview = (sent: Sent) => send('/sacco/check-off-previews', sent);
const make = (sent: Sent) => send('/sacco/check-offs', sent);
const lineFor = async (id: string, amount: number | string) => `${await phoneOf(id)},${amount}`;
async function made(amount = 1_000, employer = 'County of Nairobi'): Promise<string> {
  const { status, body } = await make({ lines: await lineFor(amina, amount), employer });
  expect([status, body.code]).toEqual([201, undefined]);
  return body.check_off.id;
}
/** As many as one official makes in a day, each by its amount; then it is the day after. */
async function inTwoDays(first: number, last: number, listed: (amount: number) => Promise<unknown>): Promise<void> {
  for (let amount = first; amount <= last; amount += 1) {
    if (amount === first + 7) world.setNow(new Date(world.now().getTime() + DAY_MS));
    await listed(amount);
  }
}
const decide = (id: string, as = chair, body: object = { decision: 'approve' }) =>
  app.call('POST', `/sacco/check-offs/${id}/decision`, { as, sacco, body });
async function checked(amount = 1_000, employer?: string): Promise<string> {
  const id = await made(amount, employer);
  expect((await decide(id)).status).toBe(200);
  return id;
}
const withdraw = (id: string, as = treasurer, reason = 'The sums are of last month.') =>
  app.call('POST', `/sacco/check-offs/${id}/withdrawal`, { as, sacco, body: { reason } });
const pay = (id: string, amount = 1_000, as = payer, key = database.newId()) =>
  app.call('POST', `/check-offs/${id}/payment`, { as, key, body: { amount } });
const decline = (id: string, as = payer) =>
  app.call('POST', `/check-offs/${id}/refusal`, { as, body: { reason: 'I employ nobody of them.' } });
const codes = (...answers: { status: number; body: { code?: string } }[]) =>
  answers.map(({ status, body }) => body.code ?? status);
const told = async (userId: string) =>
  (
    await database.sql<{ template: string }[]>`select template from notifications where user_id = ${userId} order by id`
  ).map(({ template }) => template);

describe('a list that is looked up', () => {
  test('says what it comes to, who would pay with a shortened name, and which lines are wrong; it keeps nothing', async () => {
    const stranger = await withPhone('Stranger', 'Elsewhere');
    const lines = [
      'Phone,Amount',
      await lineFor(amina, 2_500),
      await lineFor(stranger, 100),
      await lineFor(amina, 50),
      await lineFor(baraka, '800.50'),
    ].join('\n');
    const { status, body } = await preview({ lines });
    expect(status).toBe(200);
    expect(body).toMatchObject({ payer: 'Jane W.', lines: 2, amount: 3_300.5, wrong_count: 2 });
    expect(body.wrong).toMatchObject([
      { line: 3, why: 'No member of your sacco has confirmed this phone number.' },
      { line: 4, why: 'This member stands in line 2 already.' },
    ]);
    expect(await database.sql`select from check_offs where sacco_id = ${sacco}`).toHaveLength(0);
  });

  test('says of a member’s ID number where a phone belongs that it is one; of other numbers it says no such thing', async () => {
    const stranger = await withPhone('Stranger', 'Elsewhere');
    const ids = [
      [amina, '22915620'],
      [baraka, '1234509'],
      [stranger, '22915621'],
    ] as const;
    for (const [id, number] of ids) await database.owner`update users set id_number = ${number} where id = ${id}`;
    const lines = 'Phone,Amount\n22915620,100\nID No. 1234509,100\n22915621,100\n01234509,100\n071234567,100';
    const { body } = await preview({ lines });
    const isId = 'This is the ID number of a member, not a phone number.';
    expect(body.wrong.map(({ why }: { why: string }) => why)).toEqual([
      isId,
      isId,
      'No member of your sacco has confirmed this phone number.',
      'That is not a phone number.',
      'That is not a phone number.',
    ]);
    expect(body.lines).toBe(0);
  });

  test('marks a line whose name is not the name of the member with its phone, and books none of it', async () => {
    const [first, second] = [await lineFor(amina, 2_500), await lineFor(baraka, 800)];
    const names = await database.sql<{ id: string; first_name: string; last_name: string }[]>`
      select id, first_name, last_name from users where id = any (${[amina, baraka]}::uuid[])`;
    const nameOf = (id: string) => names.find((each) => each.id === id) ?? { first_name: '', last_name: '' };
    for (const head of ['Name', 'Employee', 'Jina', 'Member name', 'SURNAME']) {
      const lines = `${head},Phone,Amount\n${nameOf(amina).first_name.toUpperCase()} W.,${first}\nZawadi Chepkemoi,${second}`;
      const { body } = await preview({ lines });
      expect(body).toMatchObject({ lines: 1, amount: 2_500, wrong_count: 1 });
      expect(body.wrong).toMatchObject([
        { line: 3, why: 'The member with this phone number has another name than the list says.' },
      ]);
    }
    // A next of kin, a staff number and an empty name say nothing against it.
    const others = `Next of kin name,Employee,Name,Phone,Amount\nZawadi,EMP 4512,,${first}`;
    expect((await preview({ lines: others })).body).toMatchObject({ lines: 1, wrong_count: 0 });
  });

  test('does not find a member by a phone that is only written down', async () => {
    await database.owner`update users set phone_confirmed_at = null where id = ${amina}`;
    const { body } = await preview({ lines: await lineFor(amina, 1) });
    expect(body.wrong).toHaveLength(1);
    expect((await preview({ lines: await lineFor(baraka, 1), by: amina })).body.payer).toBeNull();
  });

  test('names at most twenty wrong lines', async () => {
    const { body } = await preview({ file: 'x,1\n'.repeat(30) });
    expect(body.wrong).toHaveLength(20);
    expect(body.wrong_count).toBe(30);
  });

  test('tells an official of so many payers a day alone, but for one who has paid before', async () => {
    const id = await checked();
    await late.saccos.fund(payer, 1_000_00);
    expect((await pay(id)).status).toBe(200);
    const lines = await lineFor(amina, 1);
    // One question was about the payer, before they had paid: 29 phones are left.
    expect((await preview({ lines, by: baraka })).body.payer).not.toBeNull();
    for (let each = 1; each < 29; each += 1) expect((await preview({ lines, phone: phoneNo(each) })).status).toBe(200);
    expect(codes(await preview({ lines, phone: phoneNo(29) }))).toEqual(['too_many_requests']);
    // Before the list is read.
    expect(codes(await preview({ lines: '', by: amina }), await make({ lines: '', by: amina }))).toEqual([
      'too_many_requests',
      'too_many_requests',
    ]);
    expect((await preview({ lines })).status).toBe(200);
    // The list of somebody who was looked up that day is mended all the same, until the day is over.
    for (let each = 0; each < 40; each += 1) expect((await preview({ lines, by: baraka })).status).toBe(200);
    // Another official asks on their own account.
    expect((await preview({ lines, by: amina, as: chair })).status).toBe(200);
    world.setNow(new Date(world.now().getTime() + DAY_MS));
    for (let each = 0; each < 30; each += 1) await preview({ lines, phone: phoneNo(each) });
    expect(codes(await preview({ lines, by: baraka }))).toEqual(['too_many_requests']);
  });

  test('tells all officials of a sacco together of 60 payers a day, however many they are and whoever takes up an office', async () => {
    const lines = await lineFor(amina, 1);
    for (let each = 0; each < 58; each += 1) {
      const as = each < 29 ? treasurer : chair;
      expect((await preview({ lines, phone: phoneNo(each), as })).status).toBe(200);
    }
    // A phone that one of them has asked about counts once for the sacco.
    expect((await preview({ lines, phone: phoneNo(0), as: chair })).status).toBe(200);
    expect((await preview({ lines, phone: phoneNo(58) })).status).toBe(200);
    await late.official(sacco, secretary, 'manager');
    expect((await preview({ lines, phone: phoneNo(59), as: secretary })).status).toBe(200);
    expect(codes(await preview({ lines, phone: phoneNo(60), as: secretary }))).toEqual(['too_many_requests']);
    world.setNow(new Date(world.now().getTime() + DAY_MS));
    expect((await preview({ lines, phone: phoneNo(60), as: secretary })).status).toBe(200);
  });

  test('is read thirty times an hour where it is long, whoever pays it', async () => {
    const long = { file: '\n'.repeat(256 * 1_024 + 1) };
    for (let each = 0; each < 30; each += 1) expect(codes(await preview(long))).not.toEqual(['too_many_requests']);
    expect(codes(await preview(long))).toEqual(['too_many_requests']);
    expect((await preview({ lines: await lineFor(amina, 1) })).status).toBe(200);
  });

  test('is refused to officials of other offices, to members, and in a sacco that is not active', async () => {
    const lines = await lineFor(amina, 1);
    expect(codes(await preview({ lines, as: secretary }), await preview({ lines, as: amina }))).toEqual([
      'not_allowed',
      'not_allowed',
    ]);
    await database.owner`update saccos set state = 'suspended' where id = ${sacco}`;
    expect(codes(await preview({ lines }), await make({ lines }))).toEqual(['sacco_inactive', 'sacco_inactive']);
  });
});

describe('a list that is made', () => {
  test('is refused while a line is wrong, or nobody has confirmed the payer’s phone', async () => {
    const wrong = await make({ lines: 'x,1' });
    expect(wrong.body).toMatchObject({ code: 'check_off_lines_wrong', wrong_count: 1, wrong: [{ line: 1 }] });
    expect(codes(await make({ lines: '' }))).toEqual(['validation_failed']);
    const unknown = await people.person('Unknown');
    expect(codes(await make({ lines: await lineFor(amina, 1), by: unknown }))).toEqual(['check_off_payer_unknown']);
    const link = await make({ lines: await lineFor(amina, 1), employer: 'Win at www.prize.example' });
    expect(link.body.errors.employer).toHaveLength(1);
  });

  test('once more is the same one, and of another official it is refused', async () => {
    const id = await made();
    expect(await made()).toBe(id);
    expect(codes(await make({ lines: await lineFor(amina, 1_000), as: chair }))).toEqual(['check_off_conflict']);
    expect(await database.sql`select from check_offs where sacco_id = ${sacco}`).toHaveLength(1);
    await decide(id);
    const again = await make({ lines: await lineFor(amina, 1_000) });
    expect(again.body).toMatchObject({
      check_off: { id, state: 'checked' },
      message: 'You have made this very list before. Another official has looked at it since.',
    });
  });

  test('is checked by another official alone, who sees the largest lines and those of whoever is involved in it', async () => {
    await late.saccos.join(sacco, treasurer);
    await database.owner`update users set phone_confirmed_at = ${world.now()} where id = ${treasurer}`;
    const lines = [await lineFor(treasurer, 10), await lineFor(amina, 20), await lineFor(baraka, 30)].join('\n');
    const { body } = await make({ file: lines });
    const { id } = body.check_off;
    expect(body.check_off).toMatchObject({ state: 'listed', amount: 60, may: ['withdraw'], shared: null });
    const seen = await app.call('GET', `/sacco/check-offs/${id}`, { as: chair, sacco });
    expect([seen.body.may, seen.body.second_account]).toEqual([['approve', 'refuse'], null]);
    await people.onePhone(treasurer, chair);
    const { results } = (await app.call('GET', '/sacco/check-offs?status=to_check', { as: chair, sacco })).body;
    expect(results).toMatchObject([
      { may: ['refuse'], second_account: expect.stringContaining('look like one person’s') },
    ]);
    // The database takes no yes of such an account either.
    const byHand = database.owner`
      update check_offs set state = 'checked', checked_by = ${chair}, checked_at = listed_at where id = ${id}`;
    await expect(byHand).rejects.toThrow('the two officials look like one person');
    await database.owner`delete from referral_traces where user_id = ${treasurer}`;
    expect(seen.body.notable).toMatchObject([
      { line: 3, member: 'Baraka Ali', amount: 30, marks: [] },
      { line: 2, amount: 20 },
      { line: 1, amount: 10, marks: ['maker'] },
    ]);
    expect((await app.call('GET', `/sacco/check-offs/${id}`, { as: secretary, sacco })).body.may).toEqual([]);
    expect(codes(await decide(id, treasurer), await decide(id, secretary), await decide(id, amina))).toEqual([
      'not_allowed',
      'not_allowed',
      'not_allowed',
    ]);
    const readings =
      await database.sql`select from member_record_readings where read_by = ${chair} and sacco_id = ${sacco}`;
    expect(readings).toHaveLength(1);
    expect((await decide(id)).body.check_off.state).toBe('checked');
    expect(codes(await decide(id))).toEqual(['check_off_conflict']);
  });

  test('is not checked by its payer, whatever their office', async () => {
    chair = await withPhone('Esther', 'Wambui');
    await late.official(sacco, chair, 'vice_chair');
    const { body } = await make({ lines: await lineFor(amina, 1_000), by: chair });
    const { id } = body.check_off;
    const seen = await app.call('GET', `/sacco/check-offs/${id}`, { as: chair, sacco });
    expect(seen.body.may).toEqual([]);
    const answer = await decide(id);
    expect(answer.body).toMatchObject({ code: 'not_allowed', message: expect.stringContaining('you are to pay it') });
    await expect(
      database.owner`update check_offs set state = 'checked', checked_by = ${chair}, checked_at = now() where id = ${id}`,
    ).rejects.toThrow('check_offs_checked_by');
    await withdraw(id);
  });

  test('that is refused has a reason, and its payer hears nothing of it', async () => {
    const id = await made();
    expect(codes(await decide(id, chair, { decision: 'refuse' }))).toEqual(['validation_failed']);
    const { body } = await decide(id, chair, { decision: 'refuse', reason: 'It is the list of April.' });
    expect(body.check_off).toMatchObject({ state: 'refused', reason: 'It is the list of April.', may: [] });
    expect((await app.call('GET', '/check-offs', { as: payer })).body.count).toBe(0);
    expect(await told(payer)).toEqual([]);
  });

  test('is taken back before it is paid by the officials who made and checked it, and by nobody else', async () => {
    const listed = await made();
    expect(codes(await withdraw(listed, secretary), await withdraw(listed, chair))).toEqual([
      'check_off_conflict',
      'check_off_conflict',
    ]);
    const byHand = database.owner`
      update check_offs set state = 'withdrawn', ended_at = listed_at, ended_by = ${chair},
        reason = 'Nobody stops me.' where id = ${listed}`;
    await expect(byHand).rejects.toThrow('check_offs_taken_back_by_makers');
    expect((await withdraw(listed)).body.check_off.state).toBe('withdrawn');
    expect(await told(payer)).toEqual([]);
    const id = await checked();
    expect(codes(await withdraw(id, amina), await withdraw(id, secretary))).toEqual([
      'not_allowed',
      'check_off_conflict',
    ]);
    // Five signs of two halves are ten for JavaScript and five for a person.
    for (const short of ['Too late.', '😀😀😀😀😀'])
      expect(codes(await withdraw(id, chair, short))).toEqual(['validation_failed']);
    const reason = 'The sums are of last month.';
    expect((await withdraw(id, chair)).body.check_off).toMatchObject({
      ...{ state: 'withdrawn', reason, may: [] },
      taken_back_by: { id: chair },
    });
    // Its payer has never paid a list of this sacco: what officials typed stands on the page alone.
    const withdrawals = () => database.sql<{ text: string }[]>`
      select text from notifications where user_id = ${payer} and template = 'check_off_withdrawn' order by id`;
    const [{ text } = { text: '' }] = await withdrawals();
    expect(text).toMatch(/You pay nothing\. Read why under Check-offs\.$/);
    expect(text).not.toContain(reason);
    expect((await app.call('GET', `/check-offs/${id}`, { as: payer })).body).toMatchObject({
      state: 'withdrawn',
      reason,
    });
    // Both of one instant: in no order.
    expect((await told(payer)).sort()).toEqual(['check_off_waits', 'check_off_withdrawn']);
    expect(codes(await pay(id), await withdraw(id))).toEqual(['check_off_conflict', 'check_off_conflict']);
    const paid = await checked(2_000);
    await late.saccos.fund(payer, 2_000_00);
    await pay(paid, 2_000);
    expect(codes(await withdraw(paid))).toEqual(['check_off_conflict']);
    // Now the payer has paid one.
    world.advance(1);
    await withdraw(await checked(3_000));
    expect((await withdrawals()).map((each) => each.text).at(-1)).toContain(
      'You pay nothing. Read why under Check-offs.',
    );
  });

  test('is one of three that a payer has open, of this sacco', async () => {
    const first = await made(1);
    await checked(2);
    await made(3);
    const fourth = { lines: await lineFor(amina, 4) };
    expect(codes(await make(fourth))).toEqual(['check_off_limit_reached']);
    await withdraw(first);
    expect(codes(await make(fourth))).toEqual([201]);
  });

  test('is one of ten that a payer has open, and of forty within thirty days, once they have paid a list', async () => {
    const paid = await checked();
    await late.saccos.fund(payer, 1_000_00);
    expect((await pay(paid)).status).toBe(200);
    await inTwoDays(1, 10, made);
    expect(codes(await make({ lines: await lineFor(amina, 11) }))).toEqual(['check_off_limit_reached']);
    await database.owner`
      update check_offs set state = 'withdrawn', ended_at = ${world.now()}, ended_by = listed_by, reason = 'Listed twice by us.'
      where state = 'listed'`;
    await database.owner`
      insert into check_offs (id, sacco_id, payer_id, employer, amount_cents, lines, state, listed_by, listed_at, checked_by, checked_at,
        ended_at, ended_by)
      select md5(n::text)::uuid, ${sacco}, ${payer}, 'County of Nairobi', 100, 1, 'withdrawn', ${treasurer},
        ${world.now()}::timestamptz - interval '2 days', ${chair}, ${world.now()}::timestamptz - interval '2 days', ${world.now()}, ${chair}
      from generate_series(1, 38) n`;
    const last = await make({ lines: await lineFor(amina, 12) });
    expect(codes(last, await decide(last.body.check_off.id))).toEqual([201, 200]);
    const refused = await make({ lines: await lineFor(amina, 13) });
    expect(refused.body.message).toMatch(/^Your sacco has asked this payer 40 times in 30 days/);
  });

  test('is not made for a payer who has declined three within thirty days', async () => {
    for (const amount of [1, 2, 3]) await decline(await checked(amount));
    const fourth = { lines: await lineFor(amina, 4) };
    const refused = await make(fourth);
    expect(refused.body.code).toBe('check_off_limit_reached');
    expect(refused.body.message).toMatch(/^This payer has declined 3 lists/);
    world.setNow(new Date(world.now().getTime() + 31 * DAY_MS));
    expect(codes(await make(fourth))).toEqual([201]);
  });

  test('is not made for a payer who was asked ten times within thirty days, whatever became of it', async () => {
    await inTwoDays(1, 10, async (amount) => withdraw(await checked(amount)));
    const refused = await make({ lines: await lineFor(amina, 11) });
    expect(refused.body.message).toMatch(/^Your sacco has asked this payer 10 times in 30 days/);
    // Another payer is asked all the same.
    expect(codes(await make({ lines: await lineFor(amina, 11), by: baraka }))).toEqual([201]);
  });

  test('is not checked where its payer has declined three, or was asked ten times, since it was made', async () => {
    for (const amount of [1, 2]) await decline(await checked(amount));
    const [third, fourth] = [await checked(3), await made(4)];
    await decline(third);
    const declined = await decide(fourth);
    expect(declined.body.code).toBe('check_off_limit_reached');
    expect(declined.body.message).toMatch(/^This payer has declined 3 lists/);
    // It can be refused, and taken back.
    expect((await decide(fourth, chair, { decision: 'refuse', reason: 'They have said no.' })).status).toBe(200);
    world.setNow(new Date(world.now().getTime() + 31 * DAY_MS));
    await inTwoDays(1, 9, async (amount) => withdraw(await checked(amount)));
    const [tenth, eleventh] = [await made(10), await made(11)];
    expect((await decide(tenth)).status).toBe(200);
    expect((await decide(eleventh)).body.message).toMatch(/^Your sacco has asked this payer 10 times in 30 days/);
  });

  /** What the chair has made today, a list of so many lines at a time. */
  const listedToday = (lists: number, lines: number, isChecked: boolean) => database.owner`
    insert into check_offs (id, sacco_id, payer_id, employer, amount_cents, lines, state, listed_by, listed_at, checked_by, checked_at,
      ended_at, ended_by)
    select gen_random_uuid(), ${sacco}, ${baraka}, 'County of Nakuru', 100, ${lines}, 'withdrawn', ${chair}, ${world.now()},
      ${isChecked ? treasurer : null}, ${isChecked ? world.now() : null}, ${world.now()}, ${chair}
    from generate_series(1, ${lists}::int)`;

  test('is one of eight of its official within 24 hours; those that nobody checked do not count for the sacco’s twenty', async () => {
    await listedToday(20, 1, false);
    const next = { lines: await lineFor(amina, 21) };
    expect((await make({ ...next, as: chair })).body).toMatchObject({
      code: 'check_off_limit_reached',
      message: 'You have made 8 lists within 24 hours. Wait, or another official makes the next one.',
    });
    await withdraw((await make(next)).body.check_off.id);
    await listedToday(20, 1, true);
    expect((await make(next)).body.message).toMatch(/^Your sacco has made 20 lists within 24 hours/);
    world.setNow(new Date(world.now().getTime() + DAY_MS));
    expect(codes(await make(next))).toEqual([201]);
  });

  test('has at most a million lines with the others of 24 hours', async () => {
    await listedToday(1, 999_999, true);
    const two = [await lineFor(amina, 1), await lineFor(baraka, 1)].join('\n');
    expect((await make({ lines: two })).body.message).toMatch(/^The lists of a sacco have 1,000,000 lines at most/);
    expect((await make({ lines: await lineFor(amina, 1), as: chair })).body.message).toMatch(
      /^Your lists have 500,000 lines/,
    );
    expect(codes(await make({ lines: await lineFor(amina, 1) }))).toEqual([201]);
  });

  test('is made one at a time of a sacco: three at once do not pass a limit of which one is left', async () => {
    await made(1);
    await made(2);
    const sent = await Promise.all([3, 4, 5].map(async (amount) => make({ lines: await lineFor(amina, amount) })));
    expect(codes(...sent).sort()).toEqual([201, 'check_off_limit_reached', 'check_off_limit_reached']);
  });

  test('is not checked in a sacco that was suspended meanwhile, but refused', async () => {
    const id = await made();
    await database.owner`update saccos set state = 'suspended' where id = ${sacco}`;
    expect(codes(await decide(id))).toEqual(['sacco_inactive']);
    expect((await decide(id, chair, { decision: 'refuse', reason: 'We are suspended.' })).status).toBe(200);
    expect(await told(payer)).toEqual([]);
  });

  test('sends its payer one SMS a day, however often it is checked and taken back', async () => {
    const sent = () => database.sql`select from sms_messages where user_id = ${payer} and template = 'check_off_waits'`;
    for (const amount of [1, 2, 3]) await withdraw(await checked(amount));
    expect(await sent()).toHaveLength(1);
    // The day begins with an SMS that was sent, not with a list that was checked without one.
    for (const [amount, messages] of [
      [4, 1],
      [5, 2],
    ] as const) {
      world.setNow(new Date(world.now().getTime() + 0.96 * DAY_MS));
      await withdraw(await checked(amount));
      expect(await sent()).toHaveLength(messages);
    }
    expect((await told(payer)).filter((template) => template === 'check_off_waits')).toHaveLength(5);
  });
});

describe('the payer', () => {
  test('sees who asks and for whom, pays the sum as shown once, and not what became of it', async () => {
    const loan = { sacco, borrower: amina, amountCents: 12_000_00, months: 12, method: 'equal_principal' as const };
    await late.loan(loan);
    const lines = [await lineFor(amina, 2_000), await lineFor(baraka, 500)].join('\n');
    const { id } = (await make({ lines })).body.check_off;
    expect(codes(await pay(id, 2_500))).toEqual(['not_found']);
    await decide(id);
    const one = await app.call('GET', `/check-offs/${id}`, { as: payer });
    expect(one.body).toMatchObject({
      amount: 2_500,
      lines: 2,
      listed_by: { name: 'Otieno Ouma' },
      checked_by: { name: 'Wanjiru Kamau' },
      may: ['pay', 'decline'],
    });
    expect(codes(await pay(id, 2_400), await pay(id, 2_500))).toEqual(['loan_terms_changed', 'insufficient_funds']);
    await late.saccos.fund(payer, 3_000_00);
    const key = database.newId();
    const answers = await Promise.all([pay(id, 2_500, payer, key), pay(id, 2_500, payer, key), pay(id, 2_500)]);
    expect(codes(...answers).sort()).toEqual([200, 200, 'check_off_conflict']);
    expect(answers[0]?.body.receipt).toMatchObject({
      amount: 2_500,
      what: expect.stringMatching(/^Check-off for Umoja Sacco/),
    });
    expect(await wallet(payer)).toBe(500_00);
    expect(await told(treasurer)).toContain('check_off_paid');
    // The job that shares it out is there at once.
    const jobs = await database.owner`
      select from graphile_worker.jobs where task_identifier = 'run_check_offs'`;
    expect(jobs.length).toBeGreaterThan(0);
    await runCheckOffs(database);
    const all = await app.call('GET', `/check-offs/${id}/lines`, { as: payer });
    expect(all.body.results).toEqual([
      { line: 1, member: 'Amina Said', amount: 2_000 },
      { line: 2, member: 'Baraka Ali', amount: 500 },
    ]);
    const ofDesk = await app.call('GET', `/sacco/check-offs/${id}/lines?limit=1`, { as: secretary, sacco });
    expect(ofDesk.body.results[0].outcome).toEqual({ to_loans: 1_120, to_wallet: 880 });
    const next = ofDesk.body.next.slice('https://ushirika.test/api/v1'.length);
    expect((await app.call('GET', next, { as: secretary, sacco })).body.results).toMatchObject([
      { line: 2, outcome: { to_loans: 0, to_wallet: 500 } },
    ]);
    const after = await app.call('GET', `/sacco/check-offs/${id}`, { as: secretary, sacco });
    expect(after.body).toMatchObject({ state: 'done', shared: { lines: 2, to_loans: 1_120, to_wallet: 1_380 } });
  });

  test('is the only one who pays or declines; a member of the list reads nothing of it', async () => {
    const id = await checked();
    await late.saccos.fund(amina, 1_000_00);
    expect(codes(await pay(id, 1_000, amina), await decline(id, amina))).toEqual(['not_found', 'not_found']);
    for (const path of [`/check-offs/${id}`, `/check-offs/${id}/lines`]) {
      expect(codes(await app.call('GET', path, { as: amina }), await app.call('GET', path, { as: chair }))).toEqual([
        'not_found',
        'not_found',
      ]);
    }
    expect((await decline(id)).body.check_off).toMatchObject({ state: 'declined', reason: 'I employ nobody of them.' });
    expect(await told(chair)).toContain('check_off_declined');
    expect(codes(await pay(id), await decline(id))).toEqual(['check_off_conflict', 'check_off_conflict']);
  });

  test('with a session that was left open, or money that is held, pays a small sum only', async () => {
    const id = await checked(50_000);
    await late.saccos.fund(payer, 50_000_00);
    // The session opens with the first request.
    await app.call('GET', '/check-offs', { as: payer });
    await database.owner`update sessions set proven_at = ${new Date(world.now().getTime() - DAY_MS)} where id = ${payer}`;
    expect(codes(await pay(id, 50_000))).toEqual(['proof_required']);
    const until = new Date(world.now().getTime() + DAY_MS);
    await database.owner`update users set payout_held_until = ${until} where id = ${payer}`;
    expect(codes(await pay(id, 50_000))).toEqual(['payout_held']);
    expect(await wallet(payer)).toBe(50_000_00);
  });

  test('pays nothing to a sacco that was suspended meanwhile', async () => {
    const id = await checked();
    await late.saccos.fund(payer, 1_000_00);
    await database.owner`update saccos set state = 'suspended' where id = ${sacco}`;
    expect(codes(await pay(id))).toEqual(['sacco_inactive']);
  });
});

describe('time', () => {
  test('ends a list of which nobody does the next step in thirty days, and tells whoever knew of it', async () => {
    const [listed, waiting] = [await made(1), await checked(2)];
    world.setNow(new Date(world.now().getTime() + 30 * DAY_MS - 1));
    await expireCheckOffs(database);
    expect((await app.call('GET', `/check-offs/${waiting}`, { as: payer })).body.state).toBe('checked');
    world.setNow(new Date(world.now().getTime() + 1));
    await expireCheckOffs(database);
    await expireCheckOffs(database);
    for (const id of [listed, waiting]) {
      const { body } = await app.call('GET', `/sacco/check-offs/${id}`, { as: chair, sacco });
      expect(body).toMatchObject({ state: 'expired', expires_at: null, may: [] });
    }
    expect(codes(await pay(waiting, 2))).toEqual(['check_off_conflict']);
    expect((await told(payer)).filter((template) => template === 'check_off_expired')).toHaveLength(1);
    expect((await told(treasurer)).filter((template) => template === 'check_off_expired')).toHaveLength(2);
  });

  test('may take a member of the list out of the sacco: what was paid for them is in their wallet', async () => {
    const id = await checked();
    await database.owner`update memberships set state = 'exited' where user_id = ${amina} and sacco_id = ${sacco}`;
    await late.saccos.fund(payer, 1_000_00);
    expect((await pay(id)).status).toBe(200);
    await runCheckOffs(database);
    expect(await wallet(amina)).toBe(1_000_00);
    const { body } = await app.call('GET', `/sacco/check-offs/${id}/lines`, { as: chair, sacco });
    expect(body.results).toMatchObject([{ member: 'Amina Said', outcome: { to_loans: 0, to_wallet: 1_000 } }]);
    // And no new list finds them.
    expect((await preview({ lines: await lineFor(amina, 1_000) })).body.wrong).toHaveLength(1);
  });

  test('is told to who leaves, as long as their employer has paid in the last 90 days', async () => {
    const effects = async (userId: string) =>
      (await loanLeavingEffects({ sql: database.sql, now: world.now() }, { userId, saccoId: sacco })).map(
        ({ values }) => values,
      );
    const id = await checked();
    await late.saccos.fund(payer, 1_000_00);
    // A list that nobody has paid is no news to its members.
    expect(await effects(amina)).toEqual([]);
    expect((await pay(id)).status).toBe(200);
    expect(await effects(amina)).toEqual([{ employer: 'County of Nairobi' }]);
    expect(await effects(baraka)).toEqual([]);
    world.setNow(new Date(world.now().getTime() + 90 * DAY_MS));
    expect(await effects(amina)).toEqual([]);
  });
});
