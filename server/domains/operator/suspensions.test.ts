import { operatorContract } from '@ushirika/contract/operator';
import { proposalsContract } from '@ushirika/contract/proposals';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '../../db/test-database.ts';
import { testPeople } from '../../db/test-people.ts';
import { logsHealth, waiting } from '../../domains.ts';
import { testApp } from '../../http/test-app.ts';
import { postOrRefuse } from '../../ledger/post.ts';
import { sweepIdentity } from '../identity/identity.tasks.ts';
import { moneyJournal, mpesaFloat, wallet } from '../wallet/receipts.ts';
import { operatorRoutes } from './operator.routes.ts';
import { sweepProposals } from './sweep-proposals.ts';
import { signedIn } from './test-operators.ts';

let database: TestDatabase;
let people: ReturnType<typeof testPeople>;
let app: Awaited<ReturnType<typeof testApp>>;
let asha: string;
let second: string;
let member: string;

const DAY = 86_400_000;
const reason = 'The phone was reported stolen';

beforeAll(async () => {
  database = await testDatabase();
  people = testPeople(database);
  [asha, second, member] = [await people.person('Asha'), await people.person('Second'), await people.person('Member')];
  app = await testApp({
    database,
    contract: [...operatorContract, ...proposalsContract],
    bindings: operatorRoutes({
      database,
      publicUrl: 'https://ushirika.test',
      strictActivation: false,
      supportPhone: '254700000001',
      waiting,
      logsHealth: logsHealth(null),
    }),
    operators: [asha, second],
  });
});
afterAll(async () => {
  await app.close();
  await database.close();
});

const decide = (as: string, id: string, action: string) => {
  database.world.advance(1);
  return app.call('POST', `/operator/people/${id}/suspension`, { as, body: { action, reason } });
};
const find = async (sought: string, as = asha) =>
  (await app.call('POST', '/operator/people/search', { as, body: { sought } })).body;
const listed = async () => (await app.call('GET', '/operator/suspensions', { as: second })).body.results;
const actions = async () => (await app.call('GET', '/operator/actions', { as: asha })).body.results;
/** A person whose phone a code has confirmed: only there an SMS goes. */
async function confirmed(name: string): Promise<string> {
  const user = await people.person(name);
  await database.owner`update users set phone_confirmed_at = ${database.now()} where id = ${user}`;
  return user;
}
const told = async (user: string) =>
  (
    await database.owner<{ template: string }[]>`
      select template from sms_messages where user_id = ${user} order by created_at, id`
  ).map(({ template }) => template);
const numbers = async (user: string) =>
  (
    await database.owner<{ id_number: string; phone: string }[]>`select id_number, phone from users where id = ${user}`
  )[0];

describe('finding a person', () => {
  test('is by the whole ID number or the phone in any spelling, and each search is in the log', async () => {
    const { id_number: idNumber = '', phone = '' } = (await numbers(member)) ?? {};
    const byNumber = await find(idNumber.toLowerCase());
    expect(byNumber.results).toMatchObject([
      { id: member, first_name: 'Member', id_number: idNumber, suspension: null, actions: ['suspend'] },
    ]);
    expect(byNumber.results[0].phone).toBe(`${phone.slice(0, 6)}***${phone.slice(-3)}`);
    expect((await find(`0${phone.slice(3)}`)).results).toEqual(byNumber.results);
    const [last] = await actions();
    expect(last).toMatchObject({ action: 'person_looked_up', about: { type: 'person', id: member } });
  });

  test('part of a number finds nobody, and that too is in the log, without what was typed', async () => {
    const { id_number: idNumber = '' } = (await numbers(member)) ?? {};
    database.world.advance(1);
    expect((await find(idNumber.slice(0, -1))).results).toEqual([]);
    const [last] = await actions();
    expect(last).toMatchObject({ action: 'person_looked_up', about: null });
    expect(JSON.stringify(last)).not.toContain(idNumber.slice(0, -1));
  });

  test('no operator searches for more than sixty in an hour', async () => {
    const curious = await people.person('Curious');
    await database.sql`insert into operators (user_id, granted_at) values (${curious}, ${database.now()})`;
    // The test's own sessions know the operators by name: only the count is asked here.
    await database.sql`
      insert into throttles (key, attempts, window_started_at, locks, updated_at)
      values (${`people:${asha}`}, 60, ${database.now()}, 0, ${database.now()})
      on conflict (key) do update set attempts = 60, locked_until = ${new Date(database.now().getTime() + 60_000)}`;
    expect((await find('T0000001')).code).toBe('too_many_requests');
    await database.sql`delete from throttles`;
    await database.sql`delete from operators where user_id = ${curious}`;
  });
});

describe('a suspension', () => {
  test('is told to its person, stands in the list and the log, and can be lifted with a reason', async () => {
    const user = await confirmed('Suspended');
    const done = await decide(asha, user, 'suspend');
    expect(done.body).toMatchObject({ success: true, suspension: { reason, upheld_by: null, actions: ['lift'] } });
    expect((await actions())[0]).toMatchObject({ action: 'account_suspended', about: { id: user }, reason });
    const [row] = await listed();
    expect(row).toMatchObject({ person: { id: user }, suspended_by: { id: asha }, actions: ['uphold', 'lift'] });
    expect(Date.parse(row.lapses_at) - Date.parse(row.suspended_at)).toBe(14 * DAY);
    expect((await decide(second, user, 'suspend')).body.code).toBe('suspension_conflict');
    expect((await decide(asha, user, 'lift')).body).toMatchObject({ suspension: null });
    expect((await actions())[0]).toMatchObject({ action: 'suspension_lifted', reason });
    expect(await told(user)).toEqual(['account_suspended', 'suspension_lifted']);
    const [sent] = await database.owner<{ text: string }[]>`
      select text from sms_messages where user_id = ${user} and template = 'account_suspended'`;
    expect(sent?.text).toContain('Call us on 254700000001, and we look at it with you.');
    expect((await decide(asha, user, 'lift')).body.code).toBe('suspension_conflict');
    expect(await listed()).toEqual([]);
  });

  test('by one operator alone is over after 14 days, and its person hears so', async () => {
    const user = await confirmed('Waiting');
    await decide(asha, user, 'suspend');
    database.world.advance(14 * DAY);
    expect(await listed()).toEqual([]);
    expect((await decide(second, user, 'uphold')).body.code).toBe('suspension_conflict');
    await Promise.all([sweepIdentity(database), sweepIdentity(database)]);
    expect(await told(user)).toEqual(['account_suspended', 'suspension_lapsed']);
  });

  test('is not begun anew by the same operator for 90 days, whether or not its end was written down; by another it is', async () => {
    const user = await people.person('Twice');
    await decide(asha, user, 'suspend');
    database.world.advance(15 * DAY);
    expect((await decide(asha, user, 'suspend')).body.code).toBe('second_operator_required');
    await sweepIdentity(database);
    expect((await decide(asha, user, 'suspend')).body.code).toBe('second_operator_required');
    expect((await find((await numbers(user))?.id_number ?? '')).results[0]).toMatchObject({
      actions: [],
      earlier_suspensions: 1,
    });
    expect((await decide(second, user, 'suspend')).status).toBe(200);
    database.world.advance(120 * DAY);
    expect((await decide(asha, user, 'suspend')).status).toBe(200);
  });

  test('is begun by no operator twice within 90 days, though another one suspended in between', async () => {
    const user = await people.person('Taken by turns');
    await decide(asha, user, 'suspend');
    database.world.advance(15 * DAY);
    expect((await decide(second, user, 'suspend')).status).toBe(200);
    database.world.advance(15 * DAY);
    expect((await decide(asha, user, 'suspend')).body.code).toBe('second_operator_required');
    await sweepIdentity(database);
    expect((await decide(asha, user, 'suspend')).body.code).toBe('second_operator_required');
    const { id_number: idNumber = '' } = (await numbers(user)) ?? {};
    expect((await find(idNumber)).results[0].actions).toEqual([]);
    // 90 days from the end of hers, which was on the 14th day.
    database.world.advance(75 * DAY);
    expect((await find(idNumber)).results[0].actions).toEqual(['suspend']);
    expect((await decide(asha, user, 'suspend')).status).toBe(200);
  });

  test('stands until it is lifted once a second operator upholds it, and nobody else', async () => {
    const user = await people.person('Upheld');
    await decide(asha, user, 'suspend');
    expect((await decide(asha, user, 'uphold')).body.code).toBe('second_operator_required');
    expect((await decide(second, user, 'uphold')).body.suspension).toMatchObject({
      lapses_at: null,
      actions: ['lift'],
    });
    expect((await decide(second, user, 'uphold')).body.code).toBe('suspension_conflict');
    database.world.advance(400 * DAY);
    await sweepIdentity(database);
    expect((await listed()).map(({ person }: { person: { id: string } }) => person.id)).toContain(user);
    // Nor does who suspended it lift alone what another one upheld.
    expect((await decide(asha, user, 'lift')).body).toMatchObject({ suspension: { lift_asked_by: { id: asha } } });
    expect((await decide(asha, user, 'lift')).body.code).toBe('second_operator_required');
    expect((await decide(second, user, 'lift')).body.suspension).toBeNull();
  });

  test('of a thief is not lifted by a friend alone, and whoever suspended them does it again at once after two lifted it (power 7)', async () => {
    const user = await confirmed('Friend of an operator');
    const third = await people.person('Third');
    await database.sql`insert into operators (user_id, granted_at) values (${third}, ${database.now()})`;
    await decide(asha, user, 'suspend');
    const asked = await decide(second, user, 'lift');
    expect(asked.body).toMatchObject({
      message: 'You have asked to lift it. Another operator must lift it too.',
      suspension: { lift_asked_by: { id: second }, actions: ['uphold'] },
    });
    expect((await actions())[0]).toMatchObject({ action: 'suspension_lift_asked' });
    expect((await decide(second, user, 'lift')).body.code).toBe('second_operator_required');
    expect(await told(user)).toEqual(['account_suspended']);
    await expect(database.owner`
      update account_suspensions set ended_at = ${database.now()}, end_kind = 'lifted', lifted_by = ${second}, lifted_reason = 'He is a friend'
      where user_id = ${user} and ended_at is null`).rejects.toThrow(/lifted_by_two/);
    await database.owner`
      update account_suspensions set ended_at = ${database.now()}, end_kind = 'lifted', lifted_by = ${third}, lifted_reason = 'So asked'
      where user_id = ${user} and ended_at is null`;
    expect((await find((await numbers(user))?.id_number ?? '')).results[0].actions).toEqual(['suspend']);
    expect((await decide(asha, user, 'suspend')).status).toBe(200);
    await decide(asha, user, 'lift');
    // Another operator begins the suspension that the first has lifted.
    expect((await decide(asha, user, 'suspend')).body.code).toBe('second_operator_required');
    await database.sql`delete from operators where user_id = ${third}`;
  });

  test('is refused for oneself, for another operator, and for nobody', async () => {
    expect((await decide(asha, asha, 'suspend')).body.code).toBe('suspension_not_allowed');
    expect((await decide(asha, second, 'suspend')).body.code).toBe('suspension_not_allowed');
    expect((await decide(asha, '01900000-0000-7000-8000-00000000dead', 'suspend')).body.code).toBe('not_found');
  });

  test('of an official is decided by no operator who is a member of that sacco', async () => {
    const [official, founder] = [await people.person('Official'), await people.person('Founder')];
    const sacco = await people.sacco('Of the operator', founder);
    await people.official(sacco, official, 'treasurer');
    await people.member(sacco, asha);
    expect((await decide(asha, official, 'suspend')).body).toMatchObject({
      code: 'not_allowed',
      message: 'Another operator must decide about a sacco of yours.',
    });
    expect((await decide(second, official, 'suspend')).status).toBe(200);
    expect((await decide(asha, official, 'uphold')).body.code).toBe('not_allowed');
    await decide(second, official, 'lift');
  });

  test('asked for by two operators at once is one', async () => {
    const user = await people.person('Raced');
    const answers = await Promise.all([decide(asha, user, 'suspend'), decide(second, user, 'suspend')]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  });

  test('comes twenty times a day from one operator, and no more', async () => {
    database.world.advance(2 * DAY);
    const users = await Promise.all(Array.from({ length: 21 }, (_, nth) => people.person(`Many${nth}`)));
    const answers = [];
    for (const user of users) answers.push((await decide(second, user, 'suspend')).body.code);
    expect(answers.filter((code) => code === undefined)).toHaveLength(20);
    expect(answers.at(-1)).toBe('suspension_limit_reached');
  });

  test('comes twenty times a day though all are asked for at once', async () => {
    database.world.advance(2 * DAY);
    const users = await Promise.all(Array.from({ length: 30 }, (_, nth) => people.person(`At once ${nth}`)));
    const answers = await Promise.all(users.map((user) => decide(second, user, 'suspend')));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(20);
    expect(answers.filter(({ body }) => body.code === 'suspension_limit_reached')).toHaveLength(10);
  });
});

describe('money of a suspended account', () => {
  const give = (user: string, cents: number) =>
    database.transaction((tx) =>
      postOrRefuse(
        tx,
        moneyJournal('wallet_topped_up', { type: 'deposit', id: tx.newId() }, null, mpesaFloat, wallet(user), cents),
      ),
    );
  const payOut = (as: string, user: string, amount: number) =>
    app.call('POST', `/operator/people/${user}/payout`, { as, body: { amount, reason } });
  const confirm = (as: string, proposal: string) =>
    app.call('POST', `/operator/proposals/${proposal}/confirmation`, { as, body: { reason } });
  const paid = (user: string) =>
    database.owner`select amount_cents::int, state, phone from withdrawals where user_id = ${user}`;
  const executed = () => {
    database.world.advance(1_000);
    return sweepProposals(database, database.now());
  };
  /** Suspended, with 5,000 in the wallet; both operators have just entered their passwords. */
  async function thief(): Promise<string> {
    await Promise.all([signedIn(database, asha), signedIn(database, second)]);
    const user = await confirmed('Thief');
    await give(user, 5_000_00);
    expect((await decide(asha, user, 'suspend')).status).toBe(200);
    return user;
  }

  test('leaves for its owner’s confirmed phone once a second operator confirms, and the account stays suspended', async () => {
    const user = await thief();
    const { body } = await payOut(asha, user, 3_000);
    expect((await confirm(asha, body.proposal)).body.code).toBe('second_operator_required');
    expect(await paid(user)).toEqual([]);
    const listedNow = (await listed()).find(({ person }: { person: { id: string } }) => person.id === user);
    expect(listedNow).toMatchObject({ wallet: 5_000, payout: { state: 'proposed', amount: 3_000 } });
    expect((await confirm(second, body.proposal)).body.proposal.state).toBe('waiting');
    await Promise.all([executed(), executed()]);
    const { phone } = (await numbers(user)) ?? {};
    expect(await paid(user)).toEqual([{ amount_cents: 3_000_00, state: 'created', phone }]);
    const done = (await listed()).find(({ person }: { person: { id: string } }) => person.id === user);
    expect(done).toMatchObject({ wallet: 2_000, payout: null, upheld_by: null });
  });

  test('is proposed for nobody whose account is open, for no unconfirmed phone, and for no more than there is', async () => {
    const user = await thief();
    const refusal = async (of: string, amount: number) => (await payOut(asha, of, amount)).body.code;
    expect(await refusal(await confirmed('Open'), 100)).toBe('not_found');
    expect(await refusal(user, 5_001)).toBe('insufficient_funds');
    expect(await refusal(user, 9)).toBe('amount_out_of_range');
    expect(await refusal(user, 10.5)).toBe('amount_not_whole_shillings');
    await database.owner`update users set phone_confirmed_at = null where id = ${user}`;
    expect(await refusal(user, 100)).toBe('phone_unconfirmed');
  });

  test('whose suspension was lifted meanwhile is their own to withdraw: the proposal is not carried out', async () => {
    const user = await thief();
    const { body } = await payOut(second, user, 3_000);
    await confirm(asha, body.proposal);
    await decide(asha, user, 'lift');
    await executed();
    expect(await paid(user)).toEqual([]);
    const closed = (await app.call('GET', '/operator/proposals?status=closed', { as: asha })).body.results;
    expect(closed[0]).toMatchObject({ id: body.proposal, state: 'lapsed', closing: 'That account is not suspended.' });
  });

  test('that cannot leave today holds up no other proposal, and the job says which it was', async () => {
    const [held, free] = [await thief(), await thief()];
    for (const user of [held, free]) {
      const { body } = await payOut(asha, user, 1_000);
      expect((await confirm(second, body.proposal)).status).toBe(200);
    }
    const until = new Date(database.now().getTime() + DAY);
    await database.owner`update users set payout_held_until = ${until} where id = ${held}`;
    await expect(executed()).rejects.toThrow(/^1 proposals could not be carried out: Refusal: Withdrawals are held/);
    expect(await paid(held)).toEqual([]);
    expect(await paid(free)).toHaveLength(1);
    database.world.advance(DAY);
    await executed();
    expect(await paid(held)).toHaveLength(1);
  });

  test('is not paid by a row that two operators did not agree on, whoever writes it', async () => {
    const user = await thief();
    const { body } = await payOut(asha, user, 3_000);
    const { phone = '' } = (await numbers(user)) ?? {};
    const write = (cents: number) => database.owner`
      insert into withdrawals (id, user_id, phone, amount_cents, state, created_at, proposal_id)
      values (${database.newId()}, ${user}, ${phone}, ${cents}, 'created', ${database.now()}, ${body.proposal})`;
    await expect(write(3_000_00)).rejects.toThrow(/two operators/);
    await confirm(second, body.proposal);
    await expect(write(4_000_00)).rejects.toThrow(/two operators/);
  });
});

describe('the database itself', () => {
  const asOperator = (operator: string, statement: string) =>
    database.owner.begin(async (sql) => {
      await sql.unsafe('set local role ushirika_member');
      await sql`select set_config('ushirika.user_id', ${operator}, true)`;
      return sql.unsafe(statement);
    });
  const insert = (by: string, user: string, days = 14) => `
    insert into account_suspensions (id, user_id, suspended_by, suspended_at, reason, lapses_at)
    values (gen_random_uuid(), '${user}', '${by}', now(), 'No reason', now() + interval '${days} days')`;

  test('takes no suspension in another operator’s name, of an operator, for longer, or from a member', async () => {
    const user = await people.person('Guarded');
    await expect(asOperator(asha, insert(second, user))).rejects.toThrow(/row-level security/);
    await expect(asOperator(asha, insert(asha, second))).rejects.toThrow(/office is revoked first/);
    await expect(asOperator(asha, insert(asha, user, 15))).rejects.toThrow(/check constraint/);
    await expect(asOperator(member, insert(member, user))).rejects.toThrow(/row-level security/);
    await asOperator(asha, insert(asha, user));
    const uphold = (by: string) =>
      `update account_suspensions set upheld_by = '${by}', upheld_at = suspended_at, upheld_reason = 'No reason'
       where user_id = '${user}'`;
    await expect(asOperator(asha, uphold(asha))).rejects.toThrow(/check constraint/);
    await expect(asOperator(asha, uphold(second))).rejects.toThrow(/row-level security/);
    expect((await asOperator(member, 'select * from account_suspensions')).length).toBe(0);
  });
});
