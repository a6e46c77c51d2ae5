import { operatorContract } from '@ushirika/contract/operator';
import { proposalsContract } from '@ushirika/contract/proposals';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '../../db/test-database.ts';
import { testPeople } from '../../db/test-people.ts';
import { logsHealth, waiting } from '../../domains.ts';
import { testApp } from '../../http/test-app.ts';
import { hasIdentitySeen } from '../identity/identity-checks.ts';
import { operatorRoutes } from './operator.routes.ts';

let database: TestDatabase;
let people: ReturnType<typeof testPeople>;
let app: Awaited<ReturnType<typeof testApp>>;
let asha: string;
let second: string;
let amina: string;

beforeAll(async () => {
  database = await testDatabase();
  people = testPeople(database);
  [asha, second] = [await people.person('Asha'), await people.person('Second')];
  app = await testApp({
    database,
    contract: [...operatorContract, ...proposalsContract],
    bindings: operatorRoutes({
      database,
      publicUrl: 'https://ushirika.test',
      strictActivation: false,
      supportPhone: null,
      waiting,
      logsHealth: logsHealth(null),
    }),
    operators: [asha, second],
  });
});
beforeEach(async () => {
  amina = await people.person('Amina', 'Yusuf');
});
afterAll(async () => {
  await app.close();
  await database.close();
});

async function numberOf(userId: string): Promise<string> {
  const [row] = await database.owner<{ id_number: string }[]>`select id_number from users where id = ${userId}`;
  return row?.id_number ?? '';
}
const record = async (as: string, of: string, over: object = {}) =>
  app.call('POST', `/operator/people/${of}/identity-checks`, {
    as,
    body: { document: 'passport', number: await numberOf(of), ...over },
  });
const listed = async (query = '') =>
  (await app.call('GET', `/operator/identity-checks${query}`, { as: second })).body.results;
const withdraw = (as: string, id: string) =>
  app.call('POST', `/operator/identity-checks/${id}/withdrawal`, { as, body: { reason: 'The card was a copy' } });
const isSeen = async (userId: string) =>
  (await database.transaction((tx) => hasIdentitySeen(tx, [userId], null))).has(userId);
const found = async () =>
  (await app.call('POST', '/operator/people/search', { as: asha, body: { sought: await numberOf(amina) } })).body
    .results[0].identity;
const lastAction = async () => (await app.call('GET', '/operator/actions', { as: asha })).body.results[0];

test('an operator records a card; the person is told by Ushirika, and the log names the operator', async () => {
  expect(await found()).toEqual({ seen_at: null, mpesa_name: null, may_record: true });
  database.world.advance(1);
  const { status, body } = await record(asha, amina);
  expect([status, body.check]).toMatchObject([
    201,
    { person: { id: amina }, seen_by: { id: asha }, sacco: null, office: null, document: 'passport' },
  ]);
  expect(await isSeen(amina)).toBe(true);
  expect(await lastAction()).toMatchObject({
    action: 'identity_check_recorded',
    about: { type: 'person', id: amina },
    reason: null,
  });
  const [told] = await database.owner<{ text: string }[]>`select text from notifications where user_id = ${amina}`;
  expect(told?.text).toBe('Ushirika recorded that your ID card was seen. If that is not true, call us.');
  expect(await found()).toMatchObject({ seen_at: expect.any(String), may_record: false });
});

test('never their own card, nobody who is not here, no other number, not twice, and not from an old session', async () => {
  expect((await record(asha, asha)).body.code).toBe('own_card');
  expect((await record(asha, database.newId(), { number: '12345678' })).body.code).toBe('not_found');
  expect((await record(asha, amina, { number: '12345678' })).body.code).toBe('card_not_of_account');
  expect((await record(amina, second)).body.code).toBe('not_allowed');
  await record(asha, amina);
  expect((await record(second, amina)).body.code).toBe('identity_check_conflict');
  await database.owner`update sessions set proven_at = null where user_id = ${asha}`;
  expect((await record(asha, await people.person('Njeri'))).body.code).toBe('proof_required');
  await database.owner`update sessions set proven_at = ${database.now()} where user_id = ${asha}`;
});

test('operators take back what anybody recorded, and find the records of one official', async () => {
  const [chair, sacco] = [await people.person('Kiprop'), await people.sacco('Sacco of the cards', second)];
  await people.official(sacco, chair, 'chair');
  await database.owner`
    insert into identity_checks (id, user_id, seen_by, sacco_id, office, document, seen_at)
    values (${database.newId()}, ${amina}, ${chair}, ${sacco}, 'chair', 'national_id', ${database.now()})`;
  const [check] = await listed(`?seen_by=${chair}`);
  expect(check).toMatchObject({ person: { id: amina }, sacco: { id: sacco }, office: 'chair', may_withdraw: true });
  expect(await listed(`?person=${amina}`)).toEqual([check]);
  expect((await withdraw(asha, check.id)).body.check.ended).toMatchObject({
    kind: 'withdrawn',
    by: { id: asha },
    reason: 'The card was a copy',
  });
  expect(await isSeen(amina)).toBe(false);
  const news = await database.owner<{ text: string }[]>`
    select text from notifications where user_id = ${chair} and template = 'identity_cards_supervised'`;
  expect(news.map(({ text }) => text)).toEqual([
    'Sacco of the cards: an operator of Ushirika took back the record of the ID card of Amina Yusuf. Look at it under Members.',
  ]);
  database.world.advance(1);
  expect((await withdraw(asha, check.id)).body.code).toBe('identity_check_conflict');
  expect((await withdraw(asha, database.newId())).body.code).toBe('not_found');
  // Of an operator's own card another one decides.
  await database.owner`
    insert into identity_checks (id, user_id, seen_by, document, seen_at)
    values (${database.newId()}, ${asha}, ${second}, 'passport', ${database.now()})`;
  const [own] = await listed(`?person=${asha}`);
  expect((await withdraw(asha, own.id)).body.code).toBe('own_card');
});
