import { operatorContract } from '@ushirika/contract/operator';
import { proposalsContract } from '@ushirika/contract/proposals';
import { publicContract } from '@ushirika/contract/public';
import { saccoChangesContract } from '@ushirika/contract/sacco-changes';
import { saccosContract } from '@ushirika/contract/saccos';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '../../db/test-database.ts';
import { testPeople } from '../../db/test-people.ts';
import { logsHealth, waiting } from '../../domains.ts';
import { testApp } from '../../http/test-app.ts';
import { saccosRoutes } from '../saccos/saccos.routes.ts';
import { testChanges } from '../saccos/test-changes.ts';
import { noteAction } from './note-action.ts';
import { operatorRoutes } from './operator.routes.ts';
import { propose } from './proposals.ts';
import { sweepProposals } from './sweep-proposals.ts';
import { signedIn } from './test-operators.ts';

/*
 * One operator names an official, a second one confirms it (docs/decisions/181); power 6 of the thief's hour.
 */

const DAY = 86_400_000;
let database: TestDatabase;
let people: ReturnType<typeof testPeople>;
let app: Awaited<ReturnType<typeof testApp>>;
let asha: string;
let second: string;
let third: string;
let chair: string;
let secretary: string;
let friend: string;
let sacco: string;

beforeAll(async () => {
  database = await testDatabase();
  people = testPeople(database);
  [asha, second, third] = [await people.person('Asha'), await people.person('Second'), await people.person('Third')];
  const publicUrl = 'https://ushirika.test';
  app = await testApp({
    database,
    contract: [
      ...saccosContract,
      ...saccoChangesContract,
      ...publicContract,
      ...operatorContract,
      ...proposalsContract,
    ],
    bindings: [
      ...saccosRoutes({
        database,
        publicUrl,
        changes: testChanges(),
        noteOperatorAct: noteAction,
        proposeNaming: (tx, actor, { namingId, reason }) =>
          propose(tx, actor, { kind: 'official_naming', aboutId: namingId, reason }),
      }),
      ...operatorRoutes({
        database,
        publicUrl,
        strictActivation: false,
        supportPhone: null,
        waiting,
        logsHealth: logsHealth(null),
      }),
    ],
    operators: [asha, second, third],
  });
});
beforeEach(async () => {
  [chair, secretary] = [await people.person('Wanjiru', 'Kamau'), await people.person('Otieno', 'Ouma')];
  friend = await people.person('Friend');
  sacco = await people.sacco(`Sacco of ${chair}`, chair);
  await people.official(sacco, chair, 'chair');
  await people.official(sacco, secretary, 'secretary');
  await people.member(sacco, friend);
});
afterAll(async () => {
  await app.close();
  await database.close();
});

const numberOf = async (userId: string) =>
  (await database.owner<{ id_number: string }[]>`select id_number from users where id = ${userId}`)[0]?.id_number ?? '';
async function name(as: string, whom = friend, office = 'treasurer') {
  // Nobody acts twice in one millisecond: the log goes by time.
  database.world.advance(1);
  await signedIn(database, as);
  const body = { id_number: await numberOf(whom), office };
  return app.call('POST', `/sacco/${sacco}/officials`, { as, body });
}
const open = async (as: string) => {
  const { body } = await app.call('GET', '/operator/proposals?limit=100', { as });
  return body.results.filter(({ about }: { about: { id: string } }) => about.id === sacco);
};
async function decide(as: string, how: 'confirmation' | 'refusal', id?: string) {
  database.world.advance(1);
  await signedIn(database, as);
  const proposal = id ?? (await open(as))[0]?.id;
  return app.call('POST', `/operator/proposals/${proposal}/${how}`, { as, body: { reason: 'The minutes say so' } });
}
const told = async (userId: string) =>
  database.owner`select from notifications where user_id = ${userId} and template = 'office_named'`;
const naming = async () => {
  const [row] = await database.owner<{ id: string; state: string; is_asked: boolean }[]>`
    select id, state, exists (select from graphile_worker._private_jobs j where j.payload ->> 'id' = i.id::text) as is_asked
    from office_invitations i where sacco_id = ${sacco} order by created_at desc, id desc limit 1`;
  return row;
};

test('one operator names an official, and nobody is asked before a second one has confirmed it', async () => {
  const { status, body } = await name(asha);
  expect([status, body]).toMatchObject([
    201,
    { message: 'Your word is kept. A second operator must confirm it.', official: { state: 'proposed' } },
  ]);
  expect(await naming()).toMatchObject({ state: 'waiting', is_asked: false });
  expect(await told(chair)).toHaveLength(0);
  const waitsFor = { kind: 'official_naming', about: { type: 'sacco', id: sacco }, about_name: `Sacco of ${chair}` };
  const named = { office: 'treasurer', id_number: await numberOf(friend) };
  expect(await open(asha)).toMatchObject([{ ...waitsFor, naming: named, actions: ['withdraw'] }]);
  expect(await open(second)).toMatchObject([{ ...waitsFor, naming: named, actions: ['confirm'] }]);
  expect((await decide(asha, 'confirmation')).body.code).toBe('second_operator_required');
  expect((await decide(second, 'refusal')).body.code).toBe('not_allowed');
  expect((await decide(second, 'confirmation')).body).toMatchObject({
    message: 'Confirmed. If somebody with that ID number is registered here, an SMS asks them to accept.',
    proposal: { state: 'waiting' },
  });
  database.world.advance(1);
  await sweepProposals(database, database.now());
  expect(await naming()).toMatchObject({ state: 'asked', is_asked: true });
  expect(await told(chair)).toHaveLength(1);
  const { body: actions } = await app.call('GET', '/operator/actions?limit=20', { as: asha });
  const log = actions.results.filter(({ action }: { action: string }) => action.startsWith('official_naming'));
  expect(log).toMatchObject([
    { action: 'official_naming_confirmed', about: { type: 'sacco', id: sacco } },
    { action: 'official_naming_proposed', about: { type: 'sacco', id: sacco } },
  ]);
});

test('the database keeps that two operators name', async () => {
  await name(asha);
  const by = (operator: string | null) => database.owner`
    update office_invitations set state = 'asked', confirmed_by = ${operator}, confirmed_at = ${operator && database.now()}
    where sacco_id = ${sacco}`;
  await expect(by(null)).rejects.toThrow('office_invitations_by_two_operators');
  await expect(by(asha)).rejects.toThrow('office_invitations_by_another');
  await people.suspend(chair, second);
  await expect(by(second)).rejects.toThrow('an operator who suspended an official names nobody there');
});

test('an operator who suspended an official of a sacco names nobody there, nor confirms it, until 90 days after that', async () => {
  await people.suspend(secretary, asha);
  expect((await name(asha)).body).toMatchObject({
    code: 'not_allowed',
    message:
      'You have suspended an official of this sacco. Until 90 days after that, other operators name its officials.',
  });
  expect((await name(second)).status).toBe(201);
  // The page offers the confirmation only to operators who may confirm.
  expect(await open(asha)).toMatchObject([{ actions: [] }]);
  const [{ id }] = await open(second);
  expect((await decide(asha, 'confirmation')).body.code).toBe('not_allowed');
  // The suspension counts though its official resigned meanwhile. 98 days later it counts no more.
  await database.owner`update offices set ended_at = ${database.now()} where user_id = ${secretary}`;
  expect((await decide(asha, 'confirmation', id)).body.code).toBe('not_allowed');
  database.world.advance(98 * DAY);
  expect((await name(asha)).status).toBe(201);
});

test('whoever confirms reads at once that the operator who proposed it may name nobody there, and nobody is asked', async () => {
  await name(asha);
  await people.suspend(secretary, asha);
  const refusal = {
    code: 'not_allowed',
    message: 'The operator who proposed it may name nobody in this sacco now. Nobody was asked.',
  };
  expect((await decide(second, 'confirmation')).body).toMatchObject(refusal);
  const elsewhere = await people.sacco(`Other sacco of ${chair}`, chair);
  sacco = elsewhere;
  await name(third);
  await people.member(elsewhere, third);
  expect((await decide(second, 'confirmation')).body).toMatchObject(refusal);
  expect(await naming()).toMatchObject({ state: 'waiting', is_asked: false });
});

test('no operator names themselves, and the operator who names takes it back until it is confirmed', async () => {
  expect((await name(asha, asha)).body).toMatchObject({
    code: 'not_allowed',
    message: 'You name somebody else: that is your own ID number.',
  });
  await name(second, asha);
  expect((await decide(asha, 'confirmation')).body.code).toBe('not_allowed');
  expect((await decide(second, 'refusal')).body).toMatchObject({ proposal: { state: 'withdrawn' } });
  expect(await naming()).toMatchObject({ state: 'waiting', is_asked: false });
  await name(asha, friend, 'secretary');
  expect((await name(asha, friend, 'secretary')).body.code).toBe('office_conflict');
});
