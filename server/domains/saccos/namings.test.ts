import { publicContract } from '@ushirika/contract/public';
import type { Office } from '@ushirika/contract/route';
import { saccoChangesContract } from '@ushirika/contract/sacco-changes';
import { saccosContract } from '@ushirika/contract/saccos';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '../../db/test-database.ts';
import { testPeople } from '../../db/test-people.ts';
import { testApp } from '../../http/test-app.ts';
import { changeState } from './change-state.ts';
import { lockSacco } from './lock-sacco.ts';
import { carryOutNaming } from './name-as-operators.ts';
import { namingsByOperators } from './namings.queries.ts';
import { sendOfficeInvitation } from './office-invitations.ts';
import { officesOf } from './offices.ts';
import { saccosRoutes } from './saccos.routes.ts';
import { testChanges } from './test-changes.ts';

const DAY_MS = 86_400_000;
let database: TestDatabase;
let people: ReturnType<typeof testPeople>;
let app: Awaited<ReturnType<typeof testApp>>;
let sacco: string;
let chair: string;
let secretary: string;
let njeri: string;
let operator: string;
let secondOperator: string;

beforeAll(async () => {
  database = await testDatabase();
  people = testPeople(database);
  [operator, secondOperator] = [await people.person('Operator'), await people.person('Second')];
  await database.owner`
    insert into operators (user_id, granted_at) values (${operator}, ${database.now()}), (${secondOperator}, ${database.now()})`;
  app = await testApp({
    database,
    operators: [operator],
    contract: [...saccosContract, ...saccoChangesContract, ...publicContract],
    bindings: saccosRoutes({
      database,
      publicUrl: 'https://ushirika.test',
      changes: testChanges(),
      noteOperatorAct: async () => {},
      proposeNaming: async () => {},
    }),
    standingOf: async (userId, saccoId) => {
      const held = saccoId === null ? [] : await officesOf(database, userId, saccoId);
      return { isMember: held.length > 0, offices: held.map(({ office }) => office) };
    },
  });
});
beforeEach(async () => {
  chair = await people.person('Wanjiru', 'Kamau');
  secretary = await people.person('Otieno', 'Ouma');
  njeri = await people.person('Njeri', 'Mwai');
  await hasConfirmed(njeri);
  sacco = await people.sacco(`Sacco of ${chair}`, chair);
  await people.official(sacco, chair, 'chair');
  await people.official(sacco, secretary, 'secretary');
});
afterAll(async () => {
  await app.close();
  await database.close();
});

/** As the code of an SMS does it. */
const hasConfirmed = (userId: string) =>
  database.owner`update users set phone_confirmed_at = ${database.now()} where id = ${userId}`;
async function numberOf(userId: string): Promise<string> {
  const [row] = await database.owner<{ id_number: string }[]>`select id_number from users where id = ${userId}`;
  return row?.id_number ?? '';
}
const invite = (as: string, id_number: string, office: Office = 'manager') =>
  app.call('POST', '/sacco/office-invitations', { as, sacco, body: { id_number, office } });
const invited = async (of: string, office: Office = 'manager') =>
  (await invite(chair, await numberOf(of), office)).body.invitation.id as string;
const decide = (as: string, id: string, how: 'confirmation' | 'refusal' | 'withdrawal', where = sacco) =>
  app.call('POST', `/sacco/office-invitations/${id}/${how}`, {
    as,
    sacco: where,
    ...(how === 'refusal' ? { body: { reason: 'Nobody elected them.' } } : {}),
  });
const listed = async (as: string) => (await app.call('GET', '/sacco/office-invitations', { as, sacco })).body.results;
const asked = async (as: string) => (await app.call('GET', '/client/office-invitations', { as })).body.results;
const accept = (as: string, id: string, code: string) =>
  app.call('POST', `/client/office-invitations/${id}/acceptance`, { as, body: { code } });
const told = async (userId: string, template: string) =>
  (
    await database.owner<{ text: string }[]>`
      select text from notifications where user_id = ${userId} and template = ${template} order by id`
  ).map(({ text }) => text);
/** Runs the job as the outbox would, and returns the code of the SMS. */
async function codeOf(id: string): Promise<string | undefined> {
  await sendOfficeInvitation(database, { id });
  const [row] = await database.owner<{ text: string }[]>`
    select m.text from sms_messages m join users u on u.id = m.user_id join office_invitations i on i.id_number = u.id_number
    where i.id = ${id} and m.text like '%-%-%-%' order by m.id desc limit 1`;
  return /[0-9A-Z]{4}(-[0-9A-Z]{4}){3}/.exec(row?.text ?? '')?.[0];
}
const jobs = async (id: string) =>
  database.owner`
    select from graphile_worker._private_jobs where payload ->> 'id' = ${id}`;

test('the chair invites, the secretary confirms, and the person takes the office up with the code of the SMS', async () => {
  await people.member(sacco, njeri);
  const { status, body } = await invite(chair, await numberOf(njeri));
  expect([status, body]).toMatchObject([
    202,
    {
      message: 'Written down. Nobody is asked before a second official confirms it.',
      invitation: {
        office: 'manager',
        member: 'Njeri Mwai',
        state: 'waiting',
        invited_by: { name: 'Wanjiru Kamau' },
        confirmed_by: null,
        may: ['withdraw'],
      },
    },
  ]);
  const { id } = body.invitation;
  expect(await jobs(id)).toHaveLength(0);
  await sendOfficeInvitation(database, { id });
  expect(await asked(njeri)).toEqual([]);
  expect(await told(secretary, 'office_naming_waits')).toHaveLength(1);
  expect((await listed(secretary))[0]).toMatchObject({ id, may: ['confirm', 'refuse'] });
  const confirmed = await decide(secretary, id, 'confirmation');
  expect(confirmed.body.invitation).toMatchObject({ state: 'asked', confirmed_by: { name: 'Otieno Ouma' } });
  expect(await jobs(id)).toHaveLength(1);
  const code = (await codeOf(id)) ?? '';
  expect(await asked(njeri)).toMatchObject([{ id, office: 'manager', sacco: { id: sacco } }]);
  expect((await accept(secretary, id, code)).body.code).toBe('not_found');
  await database.owner`update users set phone_confirmed_at = null where id = ${njeri}`;
  expect((await accept(njeri, id, code)).body.code).toBe('phone_unconfirmed');
  await hasConfirmed(njeri);
  expect((await accept(njeri, id, 'AAAA-AAAA-AAAA-AAAA')).body.code).toBe('otp_not_accepted');
  expect((await accept(njeri, id, code)).body).toMatchObject({ office: 'manager' });
  expect((await officesOf(database, njeri, sacco)).map(({ office }) => office)).toEqual(['manager']);
  expect((await listed(chair))[0]).toMatchObject({ id, state: 'accepted', may: [], expires_at: null });
  for (const each of [chair, secretary]) {
    expect((await told(each, 'office_taken_up')).at(-1)).toMatch(/: Njeri Mwai is now manager\.$/);
  }
});

test('only the chair invites, and only to what a chair may fill', async () => {
  const number = await numberOf(njeri);
  expect((await invite(secretary, number)).body.code).toBe('not_allowed');
  expect((await invite(njeri, number)).body.code).toBe('not_allowed');
  expect((await invite(chair, number, 'chair')).body.code).toBe('validation_failed');
  await database.owner`update offices set ended_at = ${database.now()} where user_id = ${chair}`;
  expect((await invite(chair, number)).body.code).toBe('not_allowed');
});

test('nobody examines themselves: of the supervisory committee nobody takes another office up, nor the other way', async () => {
  await people.member(sacco, njeri);
  await hasConfirmed(njeri);
  const acceptedAs = async (office: Office) => {
    // Two SMS of one millisecond have no order.
    database.world.advance(1);
    const id = await invited(njeri, office);
    await decide(secretary, id, 'confirmation');
    return accept(njeri, id, (await codeOf(id)) ?? '');
  };
  expect((await acceptedAs('supervisory_committee')).body).toMatchObject({ office: 'supervisory_committee' });
  expect((await acceptedAs('vice_chair')).body).toMatchObject({
    code: 'office_conflict',
    message: expect.stringContaining('it examines the others'),
  });
});

test('once members can vote the board invites nobody to the committee that examines it', async () => {
  await database.owner`insert into saccos_that_vote (sacco_id, since, largest_roll) values (${sacco}, ${database.now()}, 9)`;
  expect((await invite(chair, await numberOf(njeri), 'supervisory_committee')).body).toMatchObject({
    code: 'office_conflict',
    message: expect.stringContaining('Members elect the supervisory committee'),
  });
  await database.owner`delete from saccos_that_vote where sacco_id = ${sacco}`;
  expect((await invite(chair, await numberOf(njeri), 'supervisory_committee')).status).toBe(202);
});

test('whether anybody has the number is told to nobody; the name only of a member', async () => {
  const [here, nobody] = [await invite(chair, await numberOf(njeri)), await invite(chair, '66666666', 'vice_chair')];
  expect([here.status, nobody.status]).toEqual([202, 202]);
  expect([here.body.invitation.member, nobody.body.invitation.member]).toEqual([null, null]);
  const { id } = nobody.body.invitation;
  expect((await decide(secretary, id, 'confirmation')).status).toBe(200);
  await sendOfficeInvitation(database, { id });
  expect((await listed(chair)).find((each: { id: string }) => each.id === id).state).toBe('asked');
});

test('nobody is invited by themselves, and a sacco that is not active invites nobody', async () => {
  expect((await invite(chair, await numberOf(chair))).body).toMatchObject({
    code: 'not_allowed',
    message: 'You invite somebody else: that is your own ID number.',
  });
  await database.owner`update saccos set state = 'suspended' where id = ${sacco}`;
  expect((await invite(chair, await numberOf(njeri))).body.code).toBe('sacco_inactive');
});

test('an office that is held, or to which somebody is invited, is filled by nobody else', async () => {
  expect((await invite(chair, await numberOf(njeri), 'secretary')).body.code).toBe('office_conflict');
  const id = await invited(njeri);
  expect((await invite(chair, '66666666')).body).toMatchObject({
    code: 'office_conflict',
    message: 'Somebody is invited to that office already. Take that back first.',
  });
  expect((await decide(chair, id, 'withdrawal')).body.invitation.state).toBe('withdrawn');
  expect((await invite(chair, '66666666')).status).toBe(202);
  // A committee has several.
  for (const number of ['66666666', '77777777']) {
    expect((await invite(chair, number, 'credit_committee')).status).toBe(202);
  }
  expect((await invite(chair, '77777777', 'credit_committee')).body.code).toBe('office_conflict');
});

test('without a second official nobody is invited, nor where the second one is suspended and cannot act', async () => {
  await people.suspend(secretary, operator);
  expect((await invite(chair, await numberOf(njeri))).body.code).toBe('second_official_required');
  expect(await told(secretary, 'office_naming_waits')).toEqual([]);
  await database.owner`delete from account_suspensions where user_id = ${secretary}`;
  await database.owner`update offices set ended_at = ${database.now()} where user_id = ${secretary}`;
  expect((await invite(chair, await numberOf(njeri))).body.code).toBe('second_official_required');
});

test('ten are invited in a day', async () => {
  for (let time = 0; time < 10; time += 1) await invite(chair, `7777777${time}`, 'credit_committee');
  expect((await invite(chair, '88888888', 'credit_committee')).body.code).toBe('too_many_requests');
});

test('neither the chair nor whoever is invited confirms it', async () => {
  const id = await invited(secretary, 'treasurer');
  expect((await decide(chair, id, 'confirmation')).body.code).toBe('second_official_required');
  expect((await decide(secretary, id, 'confirmation')).body).toMatchObject({
    code: 'not_allowed',
    message: 'It is you who is invited: another official confirms it.',
  });
  // The database says so too.
  const byHand = database.owner`
    update office_invitations set state = 'asked', confirmed_by = ${chair}, confirmed_at = created_at where id = ${id}`;
  await expect(byHand).rejects.toThrow('office_invitations_by_another');
  expect((await decide(njeri, id, 'confirmation')).body.code).toBe('not_allowed');
});

test('two accounts of one person do not invite and confirm; either may say no', async () => {
  const id = await invited(njeri);
  expect(await listed(secretary)).toMatchObject([{ may: ['confirm', 'refuse'], second_account: null }]);
  await people.onePhone(chair, secretary);
  // The page says so before.
  expect(await listed(secretary)).toMatchObject([
    { may: ['refuse'], second_account: expect.stringContaining('look like one person’s') },
  ]);
  expect(await listed(chair)).toMatchObject([{ may: ['withdraw'], second_account: null }]);
  expect((await decide(secretary, id, 'confirmation')).body).toMatchObject({
    code: 'not_allowed',
    message: expect.stringContaining('look like one person’s'),
  });
  // The database says so too.
  const byHand = database.owner`
    update office_invitations set state = 'asked', confirmed_by = ${secretary}, confirmed_at = created_at where id = ${id}`;
  await expect(byHand).rejects.toThrow('the two officials look like one person');
  expect((await decide(secretary, id, 'refusal')).body.invitation.state).toBe('refused');
});

/** Two operators name Njeri. With the code of the SMS. */
async function named(office: Office = 'treasurer', isMember = false) {
  if (!isMember) await people.member(sacco, njeri);
  const body = { id_number: await numberOf(njeri), office };
  expect((await app.call('POST', `/sacco/${sacco}/officials`, { as: operator, body })).status).toBe(201);
  const [row] = await database.owner<{ id: string }[]>`
    select id from office_invitations where sacco_id = ${sacco} order by created_at desc limit 1`;
  const id = row?.id ?? '';
  // The second operator's confirmation carries this out (operator/official-namings.test.ts).
  await database.transaction((tx) => carryOutNaming(tx, { namingId: id, confirmedBy: secondOperator }));
  return { id, code: (await codeOf(id)) ?? '' };
}

test('a founder names one person three times in 30 days, in all saccos of theirs', async () => {
  const founder = await people.person('Founder');
  const saccos = [
    await people.sacco(`One of ${founder}`, founder, 'pending'),
    await people.sacco(`Two of ${founder}`, founder, 'pending'),
  ];
  const name = async (n: number) => {
    database.world.advance(2 * DAY_MS);
    const body = { id_number: await numberOf(njeri), office: 'treasurer' };
    const { status } = await app.call('POST', `/sacco/${saccos[n % 2]}/officials`, { as: founder, body });
    return status;
  };
  expect([await name(1), await name(2), await name(3), await name(4)]).toEqual([201, 201, 201, 429]);
  database.world.advance(23 * DAY_MS);
  expect(await name(5)).toBe(201);
});

test('the chair invites to an office while the word of one operator about it waits', async () => {
  const body = { id_number: await numberOf(njeri), office: 'treasurer' };
  const lone = await app.call('POST', `/sacco/${sacco}/officials`, { as: operator, body });
  expect(lone.body.official.state).toBe('proposed');
  expect((await invite(chair, await numberOf(njeri), 'treasurer')).status).toBe(202);
});

test('whom an operator names stands in the officials’ list, they are told, and any of them refuses', async () => {
  const { id, code } = await named();
  for (const each of [chair, secretary]) {
    expect((await told(each, 'office_named')).at(-1)).toMatch(
      /: an operator of Ushirika names somebody as treasurer\./,
    );
    expect(await listed(each)).toMatchObject([
      { id, member: 'Njeri Mwai', state: 'asked', invited_by: null, may: ['refuse'] },
    ]);
  }
  expect((await decide(secretary, id, 'withdrawal')).body.code).toBe('not_found');
  expect((await decide(secretary, id, 'refusal')).body.invitation).toMatchObject({ state: 'refused', may: [] });
  expect((await told(operator, 'office_naming_refused')).at(-1)).toMatch(
    /: Otieno Ouma has said no to whoever is named as treasurer\./,
  );
  database.world.advance(DAY_MS);
  expect((await accept(njeri, id, code)).body.code).toBe('not_found');
});

test('whom an operator names takes the office up a day later, so that they can be refused; the others are told then too', async () => {
  const { id, code } = await named();
  const early = await accept(njeri, id, code);
  expect([early.status, early.body.code, early.body.message]).toEqual([
    409,
    'office_conflict',
    expect.stringContaining('The officials of the sacco may refuse this for a day'),
  ]);
  database.world.advance(DAY_MS - 1);
  expect((await accept(njeri, id, code)).body.code).toBe('office_conflict');
  database.world.advance(1);
  expect((await accept(njeri, id, code)).status).toBe(200);
  for (const each of [chair, secretary]) {
    expect((await told(each, 'office_taken_up')).at(-1)).toMatch(/: Njeri Mwai is now treasurer\.$/);
  }
});

test('of whom an operator named before the sacco is active, its officials hear when it is, and the day begins then', async () => {
  const become = (to: 'suspended' | 'active') =>
    database.transaction(async (tx) =>
      changeState(tx, { userId: operator }, { sacco: await lockSacco(tx, sacco), to, reason: 'Said.' }),
    );
  await become('suspended');
  const { id, code } = await named();
  expect(await told(secretary, 'office_named')).toEqual([]);
  database.world.advance(2 * DAY_MS);
  await become('active');
  expect(await told(secretary, 'office_named')).toHaveLength(1);
  expect((await accept(njeri, id, code)).body.code).toBe('office_conflict');
  database.world.advance(DAY_MS - 1);
  expect((await accept(njeri, id, code)).body.code).toBe('office_conflict');
  database.world.advance(1);
  expect((await accept(njeri, id, code)).status).toBe(200);
});

const leave = (userId: string) =>
  database.owner`update offices set ended_at = ${database.now()} where user_id = ${userId}`;

test('where a sacco has officials but no chair, whom an operator names takes the office up at once', async () => {
  await people.official(sacco, await people.person('Baraka', 'Koech'), 'treasurer');
  await leave(chair);
  const { id, code } = await named('chair');
  expect((await accept(njeri, id, code)).status).toBe(200);
});

test('where a sacco has a chair and nobody else, whom an operator names takes the office up at once', async () => {
  await leave(secretary);
  const { id, code } = await named();
  expect((await accept(njeri, id, code)).status).toBe(200);
});

test('nobody is seated over officials whom one operator keeps from refusing: their day begins once no suspension by one alone stands (power 6)', async () => {
  const DAYS = 3;
  // A third operator: one who suspends an official names nobody.
  const third = await people.person('Third');
  await database.owner`
    insert into account_suspensions (id, user_id, suspended_by, suspended_at, reason, lapses_at)
    values (${database.newId()}, ${secretary}, ${third}, ${database.now()}, 'Strange payments', ${new Date(database.now().getTime() + DAYS * DAY_MS)})`;
  const { id, code } = await named();
  database.world.advance(DAY_MS + 1);
  expect((await accept(njeri, id, code)).body.code).toBe('office_conflict');
  database.world.advance((DAYS - 1) * DAY_MS);
  expect((await accept(njeri, id, code)).body.code).toBe('office_conflict');
  database.world.advance(DAY_MS);
  expect((await accept(njeri, id, code)).status).toBe(200);
});

test('an official of another sacco decides nothing, nor does anybody about whom a founder named', async () => {
  const id = await invited(njeri);
  const stranger = await people.person('Kiprop', 'Koech');
  const elsewhere = await people.sacco(`Elsewhere of ${stranger}`, stranger);
  await people.official(elsewhere, stranger);
  for (const how of ['confirmation', 'refusal', 'withdrawal'] as const) {
    expect((await decide(stranger, id, how, elsewhere)).body.code).toBe('not_found');
  }
  const byFounder = database.newId();
  await database.owner`
    insert into office_invitations (id, sacco_id, office, id_number, invited_by, created_at, expires_at)
    values (${byFounder}, ${sacco}, 'treasurer', '77777777', ${stranger}, ${database.now()},
            ${new Date(database.now().getTime() + DAY_MS)})`;
  expect((await decide(secretary, byFounder, 'refusal')).body.code).toBe('not_found');
  expect((await listed(secretary)).map((each: { id: string }) => each.id)).toEqual([id]);
});

test('another official says no, also after the confirmation, and the code is good for nothing', async () => {
  const id = await invited(njeri);
  await decide(secretary, id, 'confirmation');
  const code = (await codeOf(id)) ?? '';
  const treasurer = await people.person('Treasurer');
  await people.official(sacco, treasurer, 'treasurer');
  const refused = { by: { id: treasurer, name: 'Treasurer Mwangi' }, reason: 'Nobody elected them.' };
  expect((await decide(treasurer, id, 'refusal')).body.invitation).toMatchObject({
    state: 'refused',
    refused,
    may: [],
  });
  expect(await listed(chair)).toMatchObject([{ id, refused }]);
  for (const each of [chair, secretary]) {
    expect((await told(each, 'office_naming_refused')).at(-1)).toMatch(
      /: Treasurer Mwangi has said no to whoever is named as manager\. The reason: “Nobody elected them\.”$/,
    );
  }
  expect(await asked(njeri)).toEqual([]);
  expect((await accept(njeri, id, code)).body.code).toBe('not_found');
  expect((await decide(secretary, id, 'refusal')).body.code).toBe('change_conflict');
  expect((await decide(chair, id, 'withdrawal')).body.code).toBe('change_conflict');
});

test('an official who has refused somebody for an office lately refuses the next one only with another official, and not with an account of their own', async () => {
  const first = await named();
  expect((await decide(secretary, first.id, 'refusal')).body.message).toBe('Refused. Nothing changes.');
  expect((await told(operator, 'office_naming_refused')).at(-1)).toMatch(
    /: Otieno Ouma has said no to whoever is named as treasurer\./,
  );
  database.world.advance(1);
  const { id } = await named('treasurer', true);
  const no = await decide(secretary, id, 'refusal');
  expect([no.body.message, no.body.invitation.state, no.body.invitation.may]).toEqual([
    'Your no is recorded. You have refused somebody for this office lately, so another official must say no too.',
    'asked',
    [],
  ]);
  expect((await told(chair, 'office_naming_refused')).at(-1)).toMatch(/Another official must say no too/);
  // Officials and operators read who said it and why.
  const first_no = { by: { id: secretary, name: 'Otieno Ouma' }, reason: 'Nobody elected them.' };
  expect(no.body.invitation).toMatchObject({ first_no });
  const byOperators = async (userId: string) => (await namingsByOperators(database, [sacco], userId)).get(sacco) ?? [];
  expect(await byOperators(operator)).toMatchObject([{ id, office: 'treasurer', first_no, is_mine: true }]);
  expect(await byOperators(chair)).toMatchObject([{ id, is_mine: false }]);
  expect((await decide(secretary, id, 'refusal')).body.code).toBe('change_conflict');
  const double = await people.person('Double');
  await people.official(sacco, double, 'manager');
  await people.onePhone(secretary, double);
  expect((await decide(double, id, 'refusal')).body).toMatchObject({ code: 'not_allowed', message: /one person’s/ });
  expect((await decide(chair, id, 'refusal')).body.invitation.state).toBe('refused');
  expect(await byOperators(operator)).toEqual([]);
});

test('one official alone refuses one of several people who are invited at once', async () => {
  for (const number of ['77777771', '77777772']) await invite(chair, number, 'credit_committee');
  const ids = (await listed(secretary)).map(({ id }: { id: string }) => id);
  const states = [];
  for (const id of ids) states.push((await decide(secretary, id, 'refusal')).body.invitation.state);
  expect(states).toEqual(['refused', 'waiting']);
});

test('what a friend of the chair refuses takes the no from nobody else: an honest official refuses the next one alone', async () => {
  const [friend, double] = [await people.person('Friend'), await people.person('Double')];
  await people.official(sacco, friend, 'treasurer');
  await people.official(sacco, double, 'credit_committee');
  await people.onePhone(friend, double);
  const dummy = await invited(njeri);
  expect((await decide(friend, dummy, 'refusal')).body.invitation.state).toBe('refused');
  database.world.advance(1);
  const crony = await invited(await people.person('Crony'));
  expect((await decide(friend, crony, 'confirmation')).status).toBe(200);
  // The friend has a second account. Its no is the friend's second one, and it takes the no from nobody either.
  expect((await decide(double, crony, 'refusal')).body.invitation.state).toBe('asked');
  expect((await decide(secretary, crony, 'refusal')).body.invitation.state).toBe('refused');
  database.world.advance(1);
  const next = await invited(await people.person('Next'));
  expect((await decide(secretary, next, 'refusal')).body).toMatchObject({
    message: 'Refused. Nothing changes.',
    invitation: { state: 'refused' },
  });
});

test('an operator takes back whom they named, its officials hear it, and the chair’s ten a day are the chair’s alone', async () => {
  const { id, code } = await named();
  const takeBack = async (as: string) =>
    app.call('POST', `/sacco/${sacco}/officials/withdrawal`, {
      as,
      body: { id_number: await numberOf(njeri), office: 'treasurer' },
    });
  expect((await takeBack(chair)).body.code).toBe('not_found');
  expect((await takeBack(operator)).status).toBe(200);
  expect(await told(secretary, 'office_naming_withdrawn')).toHaveLength(1);
  expect((await accept(njeri, id, code)).body.code).toBe('not_found');
  expect((await takeBack(operator)).body.code).toBe('not_found');
  for (let time = 0; time < 10; time += 1) {
    expect((await invite(chair, `7777777${time}`, 'credit_committee')).status).toBe(202);
  }
});

test('only whoever invited takes it back', async () => {
  const id = await invited(njeri);
  expect((await decide(secretary, id, 'withdrawal')).body.code).toBe('not_found');
  expect((await decide(chair, id, 'refusal')).body.invitation.state).toBe('withdrawn');
});

test('what nobody confirms in a week lapses; what is confirmed has a week from then', async () => {
  const [late, confirmed] = [await invited(njeri), await invited(njeri, 'vice_chair')];
  database.world.advance(6 * DAY_MS);
  await decide(secretary, confirmed, 'confirmation');
  database.world.advance(2 * DAY_MS);
  expect((await decide(secretary, late, 'confirmation')).body.code).toBe('change_conflict');
  const states = Object.fromEntries(
    (await listed(chair)).map((each: { id: string; state: string }) => [each.id, each.state]),
  );
  expect([states[late], states[confirmed]]).toEqual(['lapsed', 'asked']);
});

test('only a member in full rights takes an office up; a code stays good for whoever becomes one, until they give notice', async () => {
  const again = async () => {
    database.world.advance(1);
    const id = await invited(njeri);
    await decide(secretary, id, 'confirmation');
    return { id, code: (await codeOf(id)) ?? '' };
  };
  let { id, code } = await again();
  const refused = async () => {
    const { status, body } = await accept(njeri, id, code);
    return [status, body.code, body.message];
  };
  const only = 'only members in full rights hold an office.';
  const joinFirst = `Join the sacco first, and buy the minimum shares: ${only}`;
  expect(await refused()).toEqual([422, 'full_rights_required', joinFirst]);
  await people.member(sacco, njeri, 'provisional');
  expect(await refused()).toEqual([422, 'full_rights_required', `Buy the minimum shares first: ${only}`]);
  const become = (state: string) => database.owner`
    update memberships set state = ${state}, paid_up_at = ${database.now()} where user_id = ${njeri}`;
  await become('leaving');
  // The notice has ended the invitation. A new one is as good as any, once they have rights again.
  expect((await accept(njeri, id, code)).body.code).toBe('not_found');
  ({ id, code } = await again());
  expect(await refused()).toEqual([422, 'full_rights_required', `You have given notice: ${only}`]);
  await become('exited');
  ({ id, code } = await again());
  expect(await refused()).toEqual([422, 'full_rights_required', joinFirst]);
  expect(await officesOf(database, njeri, sacco)).toEqual([]);
  await become('active');
  expect((await accept(njeri, id, code)).status).toBe(200);
});

/** By the trigger of migration 0162, as giving notice does it; and takes the notice back. */
async function givesNotice(userId: string): Promise<void> {
  for (const state of ['leaving', 'active'] as const) {
    await database.owner`
      update memberships set state = ${state}, state_at = ${database.now()} where sacco_id = ${sacco} and user_id = ${userId}`;
  }
}

test('a notice ends the open invitations of whoever gives it: an old code is good for nothing once it is taken back', async () => {
  await people.member(sacco, njeri);
  const [confirmed, waiting] = [await invited(njeri), await invited(njeri, 'vice_chair')];
  await decide(secretary, confirmed, 'confirmation');
  const code = (await codeOf(confirmed)) ?? '';
  const other = await invited(await people.person('Other'), 'credit_committee');
  // By a founder: officials do not read it, before and after.
  const byFounder = database.newId();
  await database.owner`
    insert into office_invitations (id, sacco_id, office, id_number, invited_by, created_at, expires_at, code_hash)
    values (${byFounder}, ${sacco}, 'treasurer', ${await numberOf(njeri)}, ${await people.person('Founder')}, ${database.now()},
            ${new Date(database.now().getTime() + DAY_MS)}, ${'x'.repeat(43)})`;
  expect(await asked(njeri)).toHaveLength(2);
  await givesNotice(njeri);
  expect(await asked(njeri)).toEqual([]);
  expect((await accept(njeri, confirmed, code)).body.code).toBe('not_found');
  expect((await decide(secretary, waiting, 'confirmation')).body.code).toBe('change_conflict');
  const states = (await listed(chair)).map((each: { id: string; state: string }) => [each.id, each.state]);
  expect(Object.fromEntries(states)).toEqual({ [confirmed]: 'withdrawn', [waiting]: 'withdrawn', [other]: 'waiting' });
  expect(await officesOf(database, njeri, sacco)).toEqual([]);
});

test('a notice of the chair ends what nobody has confirmed; what a second official stands behind goes on', async () => {
  await people.member(sacco, chair);
  await people.member(sacco, njeri);
  const [confirmed, waiting] = [await invited(njeri), await invited(njeri, 'vice_chair')];
  await decide(secretary, confirmed, 'confirmation');
  await givesNotice(chair);
  expect((await decide(secretary, waiting, 'confirmation')).body.code).toBe('change_conflict');
  expect((await accept(njeri, confirmed, (await codeOf(confirmed)) ?? '')).status).toBe(200);
});

test('nobody takes up an office of a suspended sacco, though an operator named them: nobody could refuse them', async () => {
  const { id, code } = await named('manager', true);
  expect((await accept(njeri, id, code)).body.code).toBe('full_rights_required');
  await database.owner`update saccos set state = 'suspended' where id = ${sacco}`;
  const { status, body } = await accept(njeri, id, code);
  expect([status, body.code, body.message]).toEqual([
    409,
    'sacco_state_conflict',
    'The sacco is suspended. Take the office up once it is active again.',
  ]);
  expect(await officesOf(database, njeri, sacco)).toEqual([]);
});

test('of two people who are asked at once to one office only one takes it', async () => {
  await people.member(sacco, njeri);
  const id = await invited(njeri);
  await decide(secretary, id, 'confirmation');
  const code = (await codeOf(id)) ?? '';
  const other = await people.person('Other');
  await database.owner`
    insert into offices (id, sacco_id, user_id, office, since, until, recorded_by)
    values (${database.newId()}, ${sacco}, ${other}, 'manager', ${database.now()},
            ${new Date(database.now().getTime() + DAY_MS)}, ${other})`;
  expect((await accept(njeri, id, code)).body.code).toBe('office_conflict');
  expect((await officesOf(database, njeri, sacco)).length).toBe(0);
});
