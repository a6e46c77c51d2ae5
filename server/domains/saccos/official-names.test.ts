import { identityContract } from '@ushirika/contract/identity';
import { saccoChangesContract } from '@ushirika/contract/sacco-changes';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '../../db/test-database.ts';
import { testPeople } from '../../db/test-people.ts';
import { testApp } from '../../http/test-app.ts';
import { identityRoutes } from '../identity/identity.routes.ts';
import { testIdentity } from '../identity/test-identity.ts';
import { applyChanges } from './apply-changes.ts';
import { changesRoutes } from './changes.routes.ts';
import { officesOf } from './offices.ts';
import { officialNames } from './official-names.ts';
import { testChanges } from './test-changes.ts';

const DAY_MS = 86_400_000;
const changes = testChanges();
let database: TestDatabase;
let people: ReturnType<typeof testPeople>;
let app: Awaited<ReturnType<typeof testApp>>;
let operator: string;
let sacco: string;
let chair: string;
let treasurer: string;
beforeAll(async () => {
  database = await testDatabase();
  people = testPeople(database);
  operator = await people.person('Halima', 'Yusuf');
  app = await testApp({
    database,
    contract: [...identityContract, ...saccoChangesContract],
    bindings: [
      ...identityRoutes({ ...testIdentity(database), officialNames: officialNames(database) }),
      ...changesRoutes({ database, changes }),
    ],
    operators: [operator],
    standingOf: async (userId, saccoId) => {
      const held = saccoId === null ? [] : await officesOf(database, userId, saccoId);
      return { isMember: held.length > 0, offices: held.map(({ office }) => office) };
    },
  });
});
beforeEach(async () => {
  chair = await people.person('Wanjiru', 'Kamau');
  treasurer = await people.person('Otieno', 'Ouma');
  sacco = await people.sacco(`Sacco of ${chair}`, chair);
  await people.official(sacco, chair, 'chair');
  await people.official(sacco, treasurer, 'treasurer');
});
afterAll(async () => {
  await app.close();
  await database.close();
});

const profileOf = async (as: string) => (await app.call('GET', '/client/', { as })).body;
const nameOf = async (as: string) => {
  const { user } = await profileOf(as);
  return `${user.first_name} ${user.last_name}`;
};
/** Sends the profile with another name, and what else is to be another. */
async function rename(as: string, first_name: string, over: object = {}) {
  const { phone_number, email, last_name } = (await profileOf(as)).user;
  return app.call('PATCH', '/client/', { as, body: { first_name, last_name, phone_number, email, ...over } });
}
const proposed = async (as: string, firstName: string) => {
  await rename(as, firstName);
  return (await profileOf(as)).waiting_name.change as string;
};
const decide = (as: string, id: string, how: 'confirmation' | 'refusal' | 'withdrawal', where = sacco) =>
  app.call('POST', `/sacco/changes/${id}/${how}`, { as, sacco: where });
const told = async (userId: string, template: string) => {
  const rows = await database.sql<{ text: string }[]>`
    select text from notifications where user_id = ${userId} and template = ${template} order by id`;
  return rows.map(({ text }) => text);
};
const stateOf = async (id: string) =>
  (await database.owner<{ state: string }[]>`select state from sacco_changes where id = ${id}`)[0]?.state;
const endOffice = (userId: string) =>
  database.owner`update offices set ended_at = ${database.now()} where user_id = ${userId} and ended_at is null`;

test('an official’s new name waits for another official; phone and e-mail hold at once', async () => {
  const email = `new-${chair}@example.com`;
  const { status, body } = await rename(chair, 'Halima', { email });
  expect([status, body]).toMatchObject([
    200,
    {
      message: 'Saved. Your new name waits for another official.',
      name_waits: true,
      user: { first_name: 'Wanjiru', email },
    },
  ]);
  const lapses_at = new Date(database.now().getTime() + 7 * DAY_MS).toISOString();
  expect((await profileOf(chair)).waiting_name).toMatchObject({ first_name: 'Halima', last_name: 'Kamau', lapses_at });
  expect(await told(treasurer, 'change_proposed')).toEqual([
    'Wanjiru Kamau: another official asks you to confirm a change of name. Look at it and say yes or no within 7 days.',
  ]);
  const other = await rename(chair, 'Wanjiru', { email: `newer-${chair}@example.com` });
  expect(other.body).toMatchObject({ message: 'Update was Successfull', name_waits: false });
  expect((await profileOf(chair)).waiting_name.first_name).toBe('Halima');
});

test('another official of the sacco confirms it, and the name is the new one at once', async () => {
  const id = await proposed(chair, 'Halima');
  await database.owner`
    insert into identity_checks (id, user_id, seen_by, sacco_id, office, document, seen_at)
    values (${database.newId()}, ${chair}, ${treasurer}, ${sacco}, 'treasurer', 'national_id', ${database.now()})`;
  await database.owner`
    insert into mpesa_names (user_id, phone, state, at) select id, phone, 'agrees', created_at from users where id = ${chair}`;
  await database.owner`update users set phone_confirmed_at = ${database.now()} where id = ${chair}`;
  const card = { by: 'Otieno Ouma', office: 'treasurer', document: 'national_id', sacco: { id: sacco } };
  expect((await profileOf(chair)).verified).toMatchObject({ id: true, card, mpesa_name: 'agrees' });
  const { body } = await decide(treasurer, id, 'confirmation');
  expect(body).toMatchObject({ message: 'Confirmed. It holds from now on.', change: { state: 'in_force' } });
  expect([await nameOf(chair), (await profileOf(chair)).waiting_name]).toEqual(['Halima Kamau', null]);
  expect((await profileOf(chair)).verified).toMatchObject({ id: false, card: null, mpesa_name: null });
  expect(await told(chair, 'change_in_force')).toEqual([
    'Halima Kamau: the change of name that you proposed is in force.',
  ]);
});

test('nobody confirms their own name, nor does an official of another sacco', async () => {
  const id = await proposed(chair, 'Halima');
  expect((await decide(chair, id, 'confirmation')).body.code).toBe('second_official_required');
  const stranger = await people.person('Kiprop', 'Koech');
  const elsewhere = await people.sacco(`Elsewhere of ${stranger}`, stranger);
  await people.official(elsewhere, stranger);
  expect((await decide(stranger, id, 'confirmation', elsewhere)).body.code).toBe('not_found');
  expect((await decide(stranger, id, 'withdrawal', elsewhere)).body.code).toBe('not_found');
  expect(await nameOf(chair)).toBe('Wanjiru Kamau');
});

test('an accomplice in a sacco that is not active yet confirms no name, though both are its officials', async () => {
  const id = await proposed(chair, 'Halima');
  const accomplice = await people.person('Kiprop', 'Koech');
  const waiting = await people.sacco(`Waiting of ${chair}`, chair, 'pending');
  await people.official(waiting, chair, 'chair');
  await people.official(waiting, accomplice, 'treasurer');
  expect((await decide(accomplice, id, 'confirmation', waiting)).body.code).toBe('sacco_inactive');
  expect(await nameOf(chair)).toBe('Wanjiru Kamau');
});

test('a later name takes the place of the one that waits; the same name again is the same proposal', async () => {
  const first = await proposed(chair, 'Halima');
  expect(await proposed(chair, 'Halima')).toBe(first);
  const second = await proposed(chair, 'Njeri');
  expect([await stateOf(first), await stateOf(second)]).toEqual(['withdrawn', 'proposed']);
  expect((await decide(treasurer, first, 'confirmation')).body.code).toBe('change_conflict');
  await decide(treasurer, second, 'confirmation');
  expect(await nameOf(chair)).toBe('Njeri Kamau');
});

test('another official says no, or whoever asked takes it back, and the old name stays', async () => {
  const refused = await proposed(chair, 'Halima');
  expect((await decide(treasurer, refused, 'refusal')).body.change.state).toBe('refused');
  expect(await told(chair, 'change_refused')).toEqual([
    'Wanjiru Kamau: the change of name does not come. An official has said no.',
  ]);
  const id = await proposed(chair, 'Halima');
  expect((await app.call('POST', `/sacco/changes/${id}/withdrawal`, { as: chair })).body.message).toBe(
    'Taken back. Nothing changes.',
  );
  expect([await nameOf(chair), (await profileOf(chair)).waiting_name]).toEqual(['Wanjiru Kamau', null]);
  expect((await decide(treasurer, id, 'confirmation')).body.code).toBe('change_conflict');
});

test('what nobody confirms in a week comes to nothing, and five names in a day are enough', async () => {
  const id = await proposed(chair, 'Halima');
  database.world.advance(7 * DAY_MS);
  expect((await profileOf(chair)).waiting_name).toBe(null);
  expect((await decide(treasurer, id, 'confirmation')).body.code).toBe('change_conflict');
  await applyChanges(database, changes);
  expect(await stateOf(id)).toBe('lapsed');
  for (const name of ['Aisha', 'Baraka', 'Chebet', 'Dalila', 'Esther']) await proposed(chair, name);
  expect((await rename(chair, 'Fatuma')).body.code).toBe('changes_limit_reached');
  expect((await profileOf(chair)).waiting_name.first_name).toBe('Esther');
});

test('where there is no other official the name is refused, and nothing else is changed with it', async () => {
  await endOffice(treasurer);
  const before = (await profileOf(chair)).user;
  const { status, body } = await rename(chair, 'Halima', { email: `new-${chair}@example.com` });
  expect([status, body.code]).toEqual([409, 'second_official_required']);
  expect(body.message).toMatch(/Ask our support to name one, on the strength of your minutes\./);
  expect((await profileOf(chair)).user).toEqual(before);
  // Those of a sacco that is not active yet decide nothing.
  const pending = await people.sacco(`Pending of ${chair}`, chair, 'pending');
  await people.official(pending, chair, 'chair');
  await people.official(pending, await people.person('Kiprop', 'Koech'), 'treasurer');
  expect((await rename(chair, 'Halima')).body.code).toBe('second_official_required');
});

test('two who confirm at once change it once, and of a yes and taking it back at once one counts', async () => {
  const secretary = await people.person('Moraa', 'Nyambane');
  await people.official(sacco, secretary, 'secretary');
  const id = await proposed(chair, 'Halima');
  const both = await Promise.all([decide(treasurer, id, 'confirmation'), decide(secretary, id, 'confirmation')]);
  expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
  expect([await nameOf(chair), await told(chair, 'change_in_force')]).toEqual(['Halima Kamau', [expect.any(String)]]);
  const next = await proposed(chair, 'Njeri');
  const [yes, back] = await Promise.all([decide(treasurer, next, 'confirmation'), decide(chair, next, 'withdrawal')]);
  expect([yes.status, back.status].sort()).toEqual([200, 409]);
  expect(await nameOf(chair)).toBe(yes.status === 200 ? 'Njeri Kamau' : 'Halima Kamau');
});

test('a member without an office, and the founder of a sacco that waits for its activation, are renamed at once', async () => {
  const member = await people.person('Kiprop', 'Koech');
  await people.member(sacco, member);
  expect((await rename(member, 'Halima')).body).toMatchObject({ name_waits: false, user: { first_name: 'Halima' } });
  const founder = await people.person('Moraa', 'Nyambane');
  await people.official(await people.sacco(`Pending of ${founder}`, founder, 'pending'), founder);
  expect((await rename(founder, 'Kerubo')).body).toMatchObject({ name_waits: false, user: { first_name: 'Kerubo' } });
});

test('whoever leaves their office is renamed at once, and what waited is nobody’s to confirm any more', async () => {
  const id = await proposed(chair, 'Halima');
  await endOffice(chair);
  expect((await profileOf(chair)).waiting_name).toBe(null);
  expect((await decide(treasurer, id, 'confirmation')).body.code).toBe('not_found');
  expect((await rename(chair, 'Njeri')).body).toMatchObject({ name_waits: false, user: { first_name: 'Njeri' } });
  expect(await stateOf(id)).toBe('withdrawn');
});

test('no official gets an operator’s name or that of another official of the sacco, whoever came first', async () => {
  const refused = { status: 400, body: { code: 'validation_failed', errors: { first_name: [expect.any(String)] } } };
  expect(await rename(chair, 'Halíma', { last_name: 'Yusuf.' })).toMatchObject(refused);
  expect(await rename(chair, '0tieno', { last_name: 'Ouma' })).toMatchObject(refused);
  expect(await rename(chair, 'Otieno', { last_name: 'Ouma' })).toMatchObject(refused);
  const id = await proposed(chair, 'Njeri');
  await database.owner`update users set first_name = 'Njeri', last_name = 'Kamau' where id = ${treasurer}`;
  expect(await decide(treasurer, id, 'confirmation')).toMatchObject(refused);
  expect(await nameOf(chair)).toBe('Wanjiru Kamau');
});

test('no operator takes an official’s name; a member’s they may have', async () => {
  const { body } = await rename(operator, 'Wanjiru', { last_name: 'Kámau' });
  expect(body).toMatchObject({
    code: 'validation_failed',
    errors: { first_name: [expect.stringMatching(/An official/)] },
  });
  await people.person('Barasa', 'Wafula');
  expect((await rename(operator, 'Barasa', { last_name: 'Wafula' })).body.name_waits).toBe(false);
  await rename(operator, 'Halima', { last_name: 'Yusuf' });
});
