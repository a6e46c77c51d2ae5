import { operatorContract } from '@ushirika/contract/operator';
import { proposalsContract } from '@ushirika/contract/proposals';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '../../db/test-database.ts';
import { testPeople } from '../../db/test-people.ts';
import { testApp } from '../../http/test-app.ts';
import { sweepIdentity } from '../identity/identity.tasks.ts';
import { operatorRoutes } from './operator.routes.ts';

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
    bindings: operatorRoutes({ database, publicUrl: 'https://ushirika.test', strictActivation: false }),
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
    expect((await decide(second, user, 'lift')).status).toBe(200);
  });

  test('is refused for oneself, for another operator, and for nobody', async () => {
    expect((await decide(asha, asha, 'suspend')).body.code).toBe('suspension_not_allowed');
    expect((await decide(asha, second, 'suspend')).body.code).toBe('suspension_not_allowed');
    expect((await decide(asha, '01900000-0000-7000-8000-00000000dead', 'suspend')).body.code).toBe('not_found');
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
