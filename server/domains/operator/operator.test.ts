import { operatorContract } from '@ushirika/contract/operator';
import { proposalsContract } from '@ushirika/contract/proposals';
import { POINTS_BY_HAND } from '@ushirika/contract/saccos';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '../../db/test-database.ts';
import { testPeople } from '../../db/test-people.ts';
import { logsHealth, waiting } from '../../domains.ts';
import { testApp } from '../../http/test-app.ts';
import { balances } from '../../ledger/balances.ts';
import { PLATFORM_BOOK } from '../../ledger/ledger.types.ts';
import { giveReferralCode, noteRegistration } from '../referrals/note-registration.ts';
import { openException } from '../wallet/money-exceptions.ts';
import { operatorRoutes } from './operator.routes.ts';
import { confirmedPhone, inSuspense, signedIn } from './test-operators.ts';

let database: TestDatabase;
let people: ReturnType<typeof testPeople>;
let app: Awaited<ReturnType<typeof testApp>>;
let strict: Awaited<ReturnType<typeof testApp>>;
let asha: string;
let second: string;
let member: string;
let phoneOfMember: string;

beforeAll(async () => {
  database = await testDatabase();
  people = testPeople(database);
  [asha, second, member] = [await people.person('Asha'), await people.person('Second'), await people.person('Member')];
  for (const operator of [asha, second]) await signedIn(database, operator);
  phoneOfMember = await confirmedPhone(database, member);
  const publicUrl = 'https://ushirika.test';
  const open = (strictActivation: boolean) =>
    testApp({
      database,
      contract: [...operatorContract, ...proposalsContract],
      bindings: operatorRoutes({
        database,
        publicUrl,
        strictActivation,
        supportPhone: null,
        waiting,
        logsHealth: logsHealth(null),
      }),
      operators: [asha, second],
    });
  app = await open(false);
  strict = await open(true);
});

afterAll(async () => {
  await Promise.all([app.close(), strict.close()]);
  await database.close();
});

const reason = 'The papers were seen';
const act = (id: string, what: string, as = asha, body: object = { reason }, on = app) => {
  // Nobody acts twice in one millisecond: the log goes by time.
  database.world.advance(1);
  return on.call('POST', `/operator/saccos/${id}/${what}`, { as, body });
};
const lastAction = async () => (await app.call('GET', '/operator/actions', { as: asha })).body.results[0];

describe('who may come in', () => {
  test.each([
    ['GET', '/operator/saccos'],
    ['POST', '/operator/saccos/01900000-0000-7000-8000-00000000dead/activation'],
    ['POST', '/operator/saccos/01900000-0000-7000-8000-00000000dead/rejection'],
    ['POST', '/operator/saccos/01900000-0000-7000-8000-00000000dead/suspension'],
    ['POST', '/operator/saccos/01900000-0000-7000-8000-00000000dead/reinstatement'],
    ['GET', '/operator/deposits'],
    ['POST', '/operator/deposits/01900000-0000-7000-8000-00000000dead/resolution'],
    ['GET', '/operator/referrals'],
    ['POST', '/operator/referrals/01900000-0000-7000-8000-00000000dead/review'],
    ['GET', '/operator/health'],
    ['GET', '/operator/actions'],
  ] as const)('%s %s is for operators only', async (method, path) => {
    const visitor = await app.call(method, path, method === 'POST' ? { body: {} } : {});
    expect([visitor.status, visitor.body.code]).toEqual([401, 'not_signed_in']);
    const client = await app.call(method, path, method === 'POST' ? { as: member, body: {} } : { as: member });
    expect([client.status, client.body.code]).toEqual([403, 'not_allowed']);
  });
});

describe('saccos', () => {
  test('are listed by state with their checklist, and found by name or number', async () => {
    const pending = await people.sacco('Pamoja Sacco', member, 'pending');
    const naming = database.newId();
    await database.owner`
      insert into office_invitations (id, sacco_id, office, id_number, invited_by, created_at, expires_at, named_as, confirmed_by,
        confirmed_at, first_no_by, first_no_at, first_no_reason)
      values (${naming}, ${pending}, 'treasurer', '70000001', ${asha}, ${database.now()}, ${new Date(database.now().getTime() + 86_400_000)},
        'operator', ${second}, ${database.now()}, ${member}, ${database.now()}, 'Nobody elected them.')`;
    const { body } = await app.call('GET', '/operator/saccos?status=pending', { as: asha });
    expect(body).toMatchObject({
      count: 1,
      results: [
        {
          id: pending,
          name: 'Pamoja Sacco',
          state: 'pending',
          created_by: { id: member, first_name: 'Member' },
          members: 0,
          strict: false,
          confirmed_by: null,
          namings: [{ id: naming, first_no: { by: { id: member }, reason: 'Nobody elected them.' }, is_mine: true }],
        },
      ],
    });
    expect(
      body.results[0].checklist.map(({ point, met }: { point: string; met: boolean }) => [point, met]),
    ).toContainEqual(['certificate', false]);
    const found = async (search: string) =>
      (await app.call('GET', `/operator/saccos?search=${encodeURIComponent(search)}`, { as: asha })).body.count;
    expect([await found('PAMO'), await found(body.results[0].reg_no.toLowerCase()), await found('nothing')]).toEqual([
      1, 1, 0,
    ]);
  });

  test('without a chair, or with fewer than two officials, are listed apart, with what they lack since when', async () => {
    const { owner } = database;
    const id = await people.sacco('Mlima Sacco', member);
    const other = await people.person('Other');
    const found = async () =>
      (await app.call('GET', '/operator/saccos?officials=too_few&search=mlima', { as: asha })).body.results.map(
        (one: { officials_too_few: object }) => one.officials_too_few,
      );
    const at = (day: number) => new Date(database.now().getTime() - day * 86_400_000);
    const ends = (userId: string, office: string, day: number) => owner`
      update offices set since = ${at(90)}, ended_at = ${at(day)}
      where sacco_id = ${id} and user_id = ${userId} and office = ${office}`;
    expect(await found()).toEqual([{ lack: 'officials', since: database.now().toISOString() }]);
    await people.official(id, member);
    await people.official(id, member, 'secretary');
    await people.official(id, other, 'treasurer');
    expect(await found()).toEqual([]);
    // Whoever is suspended cannot act: it is as if they were not there.
    await people.suspend(other, asha);
    expect(await found()).toEqual([{ lack: 'second_official', since: database.now().toISOString() }]);
    await owner`update account_suspensions set ended_at = lapses_at, end_kind = 'lapsed' where user_id = ${other}`;
    await ends(member, 'chair', 20);
    expect(await found()).toEqual([{ lack: 'chair', since: at(20).toISOString() }]);
    await ends(other, 'treasurer', 10);
    expect(await found()).toEqual([{ lack: 'second_official', since: at(10).toISOString() }]);
    // A term that is over counts as one that was ended.
    await owner`
      update offices set since = ${at(90)}, until = ${at(5)} where sacco_id = ${id} and office = 'secretary'`;
    expect(await found()).toEqual([{ lack: 'officials', since: at(5).toISOString() }]);
    await owner`update saccos set state = 'pending' where id = ${id}`;
    expect(await found()).toEqual([]);
  });

  test('without strictness one operator activates, and the reason is kept', async () => {
    const id = await people.sacco('Moja Sacco', member, 'pending');
    const done = await act(id, 'activation');
    expect(done.body).toEqual({ success: true, message: 'The sacco is active.', sacco: { id, state: 'active' } });
    // Auditors also read which points were open. Two acts of one moment have no order.
    const { results } = (await app.call('GET', '/operator/actions?limit=2', { as: asha })).body;
    const by = { operator: { id: asha, first_name: 'Asha' }, about: { type: 'sacco', id, name: 'Moja Sacco' } };
    expect(results).toHaveLength(2);
    expect(results).toContainEqual(expect.objectContaining({ action: 'sacco_activated', reason }));
    expect(results.find(({ action }: { action: string }) => action === 'sacco_points_open')).toMatchObject({
      ...by,
      reason: expect.stringMatching(
        /^At least 3 officials, .*; The by-laws have been seen; The KRA PIN has been seen; .*; A test deposit of Ksh\. 1 arrived$/,
      ),
    });
    expect(results.find(({ action }: { action: string }) => action === 'sacco_activated')).toMatchObject(by);
    const again = await act(id, 'activation');
    expect([again.status, again.body.code]).toEqual([409, 'sacco_state_conflict']);
  });

  test('with strictness every point must be met, and two operators must say so', async () => {
    const id = await people.sacco('Mbili Sacco', member, 'pending');
    const open = await act(id, 'activation', asha, { reason }, strict);
    expect([open.status, open.body.message]).toEqual([409, expect.stringMatching(/^Still open: /)]);
    await meetEveryPoint(id);
    const first = await act(id, 'activation', asha, { reason }, strict);
    expect(first.body).toMatchObject({
      message: 'Your word is kept. A second operator must confirm it.',
      sacco: { state: 'pending' },
    });
    expect((await lastAction()).action).toBe('sacco_confirmed');
    const [row] = (await strict.call('GET', '/operator/saccos?search=mbili', { as: asha })).body.results;
    expect(row).toMatchObject({ strict: true, confirmed_by: { id: asha } });
    const same = await act(id, 'activation', asha, { reason }, strict);
    expect([same.status, same.body.code]).toEqual([409, 'second_operator_required']);
    const other = await act(id, 'activation', second, { reason }, strict);
    expect(other.body.sacco).toEqual({ id, state: 'active' });
  });

  test('with strictness the first word of somebody who is no operator any more does not count', async () => {
    const id = await people.sacco('Mbili Tena Sacco', member, 'pending');
    await meetEveryPoint(id);
    await act(id, 'activation', asha, { reason }, strict);
    await database.owner`update operators set revoked_at = ${database.now()} where user_id = ${asha}`;
    const listedBy = async () =>
      (await strict.call('GET', '/operator/saccos?search=mbili%20tena', { as: second })).body.results[0];
    expect(await listedBy()).toMatchObject({ confirmed_by: null });
    expect((await act(id, 'activation', second, { reason }, strict)).body.sacco.state).toBe('pending');
    await database.owner`update operators set revoked_at = null where user_id = ${asha}`;
    expect(await listedBy()).toMatchObject({ confirmed_by: { id: second } });
    expect((await act(id, 'activation', asha, { reason }, strict)).body.sacco.state).toBe('active');
  });

  test('are rejected, suspended and reinstated, each from its own state, each with its reason', async () => {
    const [turnedDown, running] = [
      await people.sacco('Tatu Sacco', member, 'pending'),
      await people.sacco('Nne Sacco', member),
    ];
    expect((await act(turnedDown, 'rejection')).body.sacco.state).toBe('rejected');
    expect((await lastAction()).action).toBe('sacco_rejected');
    expect((await act(running, 'suspension')).body.sacco.state).toBe('suspended');
    expect((await act(running, 'suspension')).body.code).toBe('sacco_state_conflict');
    expect((await act(running, 'rejection')).body.code).toBe('sacco_state_conflict');
    const proposed = await act(running, 'reinstatement');
    expect(proposed.body).toMatchObject({
      message: 'Your word is kept. A second operator must confirm it.',
      sacco: { state: 'suspended' },
    });
    expect((await lastAction()).action).toBe('sacco_reinstatement_proposed');
    expect((await act(running, 'reinstatement', second)).body.code).toBe('second_operator_required');
    const { body } = await app.call('GET', '/operator/proposals', { as: second });
    const [{ id }] = body.results;
    const confirm = (as: string) =>
      app.call('POST', `/operator/proposals/${id}/confirmation`, { as, body: { reason } });
    expect((await confirm(asha)).body.code).toBe('second_operator_required');
    expect((await confirm(second)).body.proposal.state).toBe('done');
    expect((await act(running, 'reinstatement')).body.code).toBe('sacco_state_conflict');
  });

  test.each([{}, { reason: '' }, { reason: ' no  ' }, { reason: 'x'.repeat(501) }])(
    'no act without a reason: %j',
    async (body) => {
      const id = await people.sacco(`Sababu ${JSON.stringify(body).slice(0, 40)}`, member, 'pending');
      const refused = await act(id, 'activation', asha, body);
      expect([refused.status, Object.keys(refused.body.errors)]).toEqual([400, ['reason']]);
      expect(await database.sql`select from operator_actions where about_id = ${id}`).toHaveLength(0);
    },
  );

  test('an act that is refused leaves no word of itself', async () => {
    const refused = await act('01900000-0000-7000-8000-00000000dead', 'activation');
    expect(refused.status).toBe(404);
    expect(
      await database.sql`select from operator_actions where about_id = '01900000-0000-7000-8000-00000000dead'`,
    ).toHaveLength(0);
  });

  async function meetEveryPoint(id: string): Promise<void> {
    const now = database.now();
    const officials = [
      await people.person('Chair'),
      await people.person('Secretary'),
      await people.person('Treasurer'),
    ];
    for (const [index, office] of (['chair', 'secretary', 'treasurer'] as const).entries()) {
      const userId = officials[index] ?? '';
      await database.sql`update users set phone_confirmed_at = ${now} where id = ${userId}`;
      await people.official(id, userId, office);
    }
    await database.sql`
      insert into sacco_checks (sacco_id, point, note, checked_by, checked_at)
      select ${id}, point, 'Seen', ${asha}, ${now} from unnest(${[...POINTS_BY_HAND]}::text[]) as point`;
  }
});

describe('money exceptions', () => {
  const open = (amountCents: number, receipt: string, phone: string | null = null) =>
    inSuspense(database, { amountCents, receipt, phone, claimedBy: second });

  test('are listed the oldest first, with the phone masked and the member whose phone it is', async () => {
    const first = await open(500_00, 'SGH7XK2L9P', phoneOfMember);
    database.world.advance(1_000);
    const later = await open(20_00, 'SGH7XK2L9Q');
    const { body } = await app.call('GET', '/operator/deposits?status=suspense', { as: asha });
    expect(body.results.map(({ id }: { id: string }) => id)).toEqual([first, later]);
    expect(body.results[0]).toMatchObject({
      text: 'A payment to the paybill named an account that is nobody’s.',
      receipt: 'SGH7XK2L9P',
      phone: expect.stringMatching(/^2547\d\d\*\*\*\d{3}$/),
      amount: 500,
      held_in: 'suspense',
      account: 'KAMAU 7',
      claimant: { id: second, first_name: 'Second' },
      actions: ['credit', 'return_note'],
      owner: { id: member, first_name: 'Member' },
      resolution: null,
    });
    const page = await app.call('GET', '/operator/deposits?limit=1', { as: asha });
    const next = await app.call('GET', page.body.next.replace('https://ushirika.test/api/v1', ''), { as: asha });
    expect(next.body.results.map(({ id }: { id: string }) => id)).toEqual([later]);
  });

  test('looking is logged, once an hour', async () => {
    const looks = async () =>
      (await database.sql`select from operator_actions where action = 'exceptions_listed' and operator_id = ${second}`)
        .length;
    await app.call('GET', '/operator/deposits', { as: second });
    await app.call('GET', '/operator/deposits', { as: second });
    expect(await looks()).toBe(1);
    database.world.advance(3_600_001);
    for (const operator of [asha, second]) await signedIn(database, operator);
    await app.call('GET', '/operator/deposits', { as: second });
    expect(await looks()).toBe(2);
  });

  test('are credited to a member by ID number when a second operator has confirmed it, with both reasons kept', async () => {
    const id = await open(75_00, 'SGH7XK2L9R', phoneOfMember);
    const [row] = await database.sql<{ id_number: string }[]>`select id_number from users where id = ${member}`;
    const body = { action: 'credit', user: row?.id_number.toLowerCase(), reason: 'Named herself on the phone' };
    const credit = (as: string) => app.call('POST', `/operator/deposits/${id}/resolution`, { as, body });
    const answers = await Promise.all([credit(asha), credit(second)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(answers.find(({ status }) => status === 409)?.body.code).toBe('second_operator_required');
    const first = answers[0]?.status === 200 ? asha : second;
    const other = first === asha ? second : asha;
    const wallet = { book: PLATFORM_BOOK, kind: 'wallet', owner: member } as const;
    expect(await balances(database.sql, [wallet])).toEqual([0]);
    const { proposal } = answers.find(({ status }) => status === 200)?.body ?? {};
    database.world.advance(1);
    const confirm = (as: string) =>
      app.call('POST', `/operator/proposals/${proposal}/confirmation`, { as, body: { reason: 'I saw the SMS' } });
    expect((await confirm(first)).body.code).toBe('second_operator_required');
    expect((await confirm(other)).body).toMatchObject({ message: 'Confirmed, and done.', proposal: { state: 'done' } });
    expect(await balances(database.sql, [wallet])).toEqual([75_00]);
    const kept = await database.sql`select action, reason from operator_actions where about_id = ${id} order by at, id`;
    expect(kept).toEqual([
      { action: 'money_exception_credit_proposed', reason: 'Named herself on the phone' },
      { action: 'money_exception_credit_confirmed', reason: 'I saw the SMS' },
    ]);
    const { body: done } = await app.call('GET', '/operator/deposits?status=resolved', { as: asha });
    expect(done.results[0]).toMatchObject({
      id,
      actions: [],
      resolution: { action: 'credit', resolved_by: { id: other } },
    });
  });

  test('are never credited to the operator who does it, nor to nobody', async () => {
    const id = await open(10_00, 'SGH7XK2L9S');
    const resolve = (body: object) => app.call('POST', `/operator/deposits/${id}/resolution`, { as: asha, body });
    expect((await resolve({ action: 'credit', user: asha, reason })).body.code).toBe('not_allowed');
    expect((await resolve({ action: 'credit', user: 'NOBODY99', reason })).body.errors).toEqual({
      user: ['Nobody has that ID number.'],
    });
    expect((await resolve({ action: 'credit', reason })).body.errors).toEqual({
      user: ['Say whom to credit: nobody has that id.'],
    });
    expect((await resolve({ action: 'keep', reason })).status).toBe(400);
    expect((await resolve({ action: 'dismiss' })).body.errors).toHaveProperty('reason');
  });
});

describe('a withdrawal of which M-Pesa said nothing', () => {
  test('is not decided by the operator whose own it is, and never just dismissed', async () => {
    const withdrawal = database.newId();
    await database.sql`
      insert into withdrawals (id, user_id, phone, amount_cents, state, created_at)
      values (${withdrawal}, ${asha}, '254722000001', 5000, 'created', ${database.now()})`;
    const about = { type: 'withdrawal', id: withdrawal };
    const id = await database.transaction((tx) =>
      openException(tx, { kind: 'withdrawal_unknown', about, amountCents: 50_00, heldIn: 'reserve', detail: {} }),
    );
    const { body } = await app.call('GET', '/operator/deposits', { as: second });
    expect(body.results.find((each: { id: string }) => each.id === id)).toMatchObject({ held_in: 'reserve' });
    const resolve = (as: string, action: string) =>
      app.call('POST', `/operator/deposits/${id}/resolution`, { as, body: { action, reason } });
    for (const action of ['credit', 'return_note']) {
      const own = await resolve(asha, action);
      expect([own.status, own.body.message]).toEqual([403, 'Another operator must decide about money of yours.']);
    }
    expect((await resolve(second, 'dismiss')).body.errors).toEqual({
      action: ['That action does not fit this exception.'],
    });
  });
});

describe('held referrals', () => {
  test('are listed with their causes and reviewed once, with the reason kept', async () => {
    const code = await database.transaction((tx) => giveReferralCode(tx, member));
    const referred = await people.person('Twin');
    for (const [userId, referralCode] of [
      [member, null],
      [referred, code],
    ] as const) {
      await database.transaction((tx) =>
        noteRegistration(tx, {
          userId,
          phone: `2541${userId.slice(-8)}`,
          idNumber: userId.slice(-8),
          address: '196.201.214.10',
          referralCode,
        }),
      );
    }
    const { body } = await app.call('GET', '/operator/referrals', { as: asha });
    expect(body).toMatchObject({
      count: 1,
      results: [
        {
          causes: ['Both accounts were registered from one network address.'],
          referrer: { id: member },
          referred: { id: referred, first_name: 'Twin' },
          status: 'Lead',
          sacco: null,
        },
      ],
    });
    database.world.advance(1);
    const review = (decision: string) =>
      app.call('POST', `/operator/referrals/${body.results[0].id}/review`, { as: asha, body: { decision, reason } });
    expect((await review('deny')).body).toMatchObject({ success: true, message: 'Denied: there is no reward.' });
    expect((await review('release')).body.code).toBe('exception_already_resolved');
    expect(await lastAction()).toMatchObject({
      action: 'referral_denied',
      about: { type: 'referral', id: body.results[0].id },
      reason,
    });
    const unknown = await app.call('POST', '/operator/referrals/01900000-0000-7000-8000-00000000dead/review', {
      as: asha,
      body: { decision: 'deny', reason },
    });
    expect(unknown.status).toBe(404);
  });
});

describe('health', () => {
  test('tells of jobs, callbacks, exceptions and the last audit', async () => {
    await database.sql`select enqueue_jobs('send_sms', '{{}}', now() - interval '1 minute', null, null, false)`;
    await database.sql`insert into audit_runs (id, ran_at, breaches) values (${database.newId()}, ${database.now()}, 0)`;
    const { status, body } = await app.call('GET', '/operator/health', { as: asha });
    expect(status).toBe(200);
    expect(body.jobs).toContainEqual({
      task: 'send_sms',
      waiting: expect.any(Number),
      failing: 0,
      oldest_due_at: expect.any(String),
      last_error: null,
    });
    expect(body.callbacks.map(({ kind }: { kind: string }) => kind)).toContain('stk');
    expect(body).toMatchObject({
      deposits_pending: { count: 0, oldest_at: null },
      exceptions_open: { count: expect.any(Number), oldest_at: expect.any(String) },
      audit: { passed: true, breaches: 0 },
      logs: { count: 0, halted: [], last_signed_at: null },
      chain: null,
    });
  });

  test('counts the SMS of the last 24 hours that were refused, or of which nobody knows (field case M13)', async () => {
    const figure = async () => (await app.call('GET', '/operator/health', { as: asha })).body.messages_refused;
    const before = await figure();
    const settled = (state: string, hoursAgo: number) => {
      const at = new Date(database.now().getTime() - hoursAgo * 3_600_000);
      return database.owner`
        insert into sms_messages (id, phone, template, kind, text, is_secret, state, attempts, created_at, send_before, attempted_at,
          settled_at)
        values (${database.newId()}, '254711082001', 'phone_code', 'security', null, true, ${state}, 1, ${at}, ${new Date(at.getTime() + 60_000)}, ${at}, ${at})`;
    };
    for (const [state, hoursAgo] of [
      ['failed', 1],
      ['unknown', 23],
      ['sent', 1],
      ['failed', 25],
    ] as const)
      await settled(state, hoursAgo);
    expect(await figure()).toBe(before + 2);
  });
});

describe('the log of what operators did', () => {
  test('cannot be changed by the application', async () => {
    await expect(database.sql`update operator_actions set reason = 'another'`).rejects.toThrow('permission denied');
    await expect(database.sql`delete from operator_actions`).rejects.toThrow('permission denied');
  });

  test('is read newest first, page by page', async () => {
    const first = await app.call('GET', '/operator/actions?limit=2', { as: second });
    const rest = await app.call('GET', first.body.next.replace('https://ushirika.test/api/v1', ''), { as: second });
    const ids = [...first.body.results, ...rest.body.results].map(({ id }: { id: string }) => id);
    expect(ids).toEqual([...ids].sort().reverse());
    expect(new Set(ids).size).toBe(4);
  });
});
