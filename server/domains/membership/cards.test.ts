import { membershipContract } from '@ushirika/contract/membership';
import type { Office } from '@ushirika/contract/route';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '../../db/test-database.ts';
import { testPeople } from '../../db/test-people.ts';
import { testApp } from '../../http/test-app.ts';
import { breaches } from '../../ledger/invariants.ts';
import { identityInvariants } from '../identity/identity.invariants.ts';
import { hasIdentitySeen } from '../identity/identity-checks.ts';
import { membershipRoutes } from './membership.routes.ts';
import { standings } from './standings.ts';

const DAY_MS = 86_400_000;
let database: TestDatabase;
let people: ReturnType<typeof testPeople>;
let app: Awaited<ReturnType<typeof testApp>>;
/** Accounts that referrals would call related. */
const related = new Set<string>();
let sacco: string;
let secretary: string;
let supervisor: string;
let amina: string;

beforeAll(async () => {
  database = await testDatabase();
  people = testPeople(database);
  app = await testApp({
    database,
    contract: membershipContract,
    bindings: membershipRoutes({
      database,
      publicUrl: 'https://ushirika.test',
      relatedPairs: async (_tx, pairs) =>
        new Set(pairs.flatMap(({ one, other }, place) => (related.has(one) && related.has(other) ? [place] : []))),
    }),
    standingOf: standings(database),
  });
});
beforeEach(async () => {
  // The limit of a day counts by the official, and each test has its own.
  [secretary, supervisor, amina] = [
    await people.person('Wanjiru', 'Kamau'),
    await people.person('Otieno', 'Ouma'),
    await people.person('Amina', 'Yusuf'),
  ];
  sacco = await people.sacco(`Sacco of ${secretary}`, secretary);
  for (const each of [secretary, supervisor, amina]) await people.member(sacco, each);
  await office(secretary, 'secretary');
  await office(supervisor, 'supervisory_committee');
});
afterAll(async () => {
  await app.close();
  await database.close();
});

async function office(userId: string, name: Office, where = sacco): Promise<void> {
  await database.owner`
    insert into offices (id, sacco_id, user_id, office, since, until, recorded_by)
    values (${database.newId()}, ${where}, ${userId}, ${name}, ${database.now()},
            ${new Date(database.now().getTime() + 365 * DAY_MS)}, ${userId})`;
}
async function membershipOf(userId: string, where = sacco): Promise<string> {
  const [row] = await database.owner<{ id: string }[]>`
    select id from memberships where user_id = ${userId} and sacco_id = ${where}`;
  return row?.id ?? database.newId();
}
async function numberOf(userId: string): Promise<string> {
  const [row] = await database.owner<{ id_number: string }[]>`select id_number from users where id = ${userId}`;
  return row?.id_number ?? '';
}
const record = async (as: string, of: string, over: object = {}, where = sacco) =>
  app.call('POST', `/sacco/members/${await membershipOf(of, where)}/identity-checks`, {
    as,
    sacco: where,
    body: { document: 'national_id', number: await numberOf(of), ...over },
  });
const listed = async (as: string, query = '') =>
  (await app.call('GET', `/sacco/identity-checks${query}`, { as, sacco })).body.results;
const withdraw = (as: string, id: string, where = sacco) =>
  app.call('POST', `/sacco/identity-checks/${id}/withdrawal`, {
    as,
    sacco: where,
    body: { reason: 'It was the card of her sister' },
  });
const isSeen = async (userId: string, where: string | null = sacco) =>
  (await database.transaction((tx) => hasIdentitySeen(tx, [userId], where))).has(userId);
const told = async (userId: string, template: string) =>
  (
    await database.owner<{ text: string }[]>`
      select text from notifications where user_id = ${userId} and template = ${template} order by id`
  ).map(({ text }) => text);
const inList = async (as: string, whose: string) => {
  const id = await membershipOf(whose);
  const { results } = (await app.call('GET', '/sacco/members', { as, sacco })).body;
  return results.find((member: { id: string }) => member.id === id);
};

test('an official records that they saw a member’s card, and the member is told who says so', async () => {
  const name = (await database.owner<{ name: string }[]>`select name from saccos where id = ${sacco}`)[0]?.name;
  const { status, body } = await record(secretary, amina, { document: 'passport' });
  expect([status, body]).toMatchObject([
    201,
    {
      message: 'Recorded. The member is told.',
      check: {
        person: { id: amina, first_name: 'Amina' },
        document: 'passport',
        seen_at: database.now().toISOString(),
        seen_by: { id: secretary, name: 'Wanjiru Kamau' },
        office: 'secretary',
        sacco: { id: sacco },
        looks_related: false,
        ended: null,
        may_withdraw: true,
      },
    },
  ]);
  expect([await isSeen(amina), await isSeen(supervisor)]).toEqual([true, false]);
  // It counts neither in another sacco nor in a pool of all saccos.
  expect([await isSeen(amina, database.newId()), await isSeen(amina, null)]).toEqual([false, false]);
  expect(await told(amina, 'identity_card_recorded')).toEqual([
    `Wanjiru Kamau, secretary of ${name}, recorded that they saw your ID card. If that is not true, write a complaint about ${name}.`,
  ]);
});

test('the officials’ list of members says whose card was seen; plain members are shown nothing of it', async () => {
  expect((await inList(secretary, amina)).identity).toEqual({
    seen_at: null,
    seen_elsewhere: false,
    mpesa_name: null,
    may_record: true,
  });
  await record(secretary, amina);
  await database.owner`update users set phone_confirmed_at = ${database.now()} where id = ${amina}`;
  await database.owner`
    insert into mpesa_names (user_id, phone, state, at) select id, phone, 'differs', created_at from users where id = ${amina}`;
  expect((await inList(secretary, amina)).identity).toEqual({
    seen_at: database.now().toISOString(),
    seen_elsewhere: false,
    mpesa_name: 'differs',
    may_record: false,
  });
  expect((await inList(secretary, secretary)).identity.may_record).toBe(false);
  // Whoever supervises the records makes none.
  expect((await inList(supervisor, secretary)).identity.may_record).toBe(false);
  expect((await inList(amina, secretary)).identity).toBeUndefined();
});

test('officials read how many cards of other members wait to be seen, find those members, and have one less with each record', async () => {
  const waiting = async (as: string) => (await app.call('GET', '/sacco/identity-checks/waiting', { as, sacco })).body;
  const unseen = async (as: string) => (await app.call('GET', '/sacco/members?card=unseen', { as, sacco })).body;
  const membership = await membershipOf(amina);
  const isFound = async () =>
    (await unseen(secretary)).results.some((member: { id: string }) => member.id === membership);
  // The supervisor's and Amina's cards; the secretary's own is seen by somebody else.
  expect([await waiting(secretary), (await unseen(secretary)).count]).toEqual([{ count: 2 }, 3]);
  expect(await isFound()).toBe(true);
  await record(secretary, amina);
  expect([await waiting(secretary), (await unseen(secretary)).count]).toEqual([{ count: 1 }, 2]);
  expect(await isFound()).toBe(false);
  // A card that an operator saw counts as well.
  await database.owner`
    insert into identity_checks (id, user_id, seen_by, document, seen_at)
    values (${database.newId()}, ${supervisor}, ${secretary}, 'passport', ${database.now()})`;
  expect(await waiting(secretary)).toEqual({ count: 0 });
  // The supervisory committee records none; and plain members learn nothing.
  await people.member(sacco, await people.person('Zuhura'));
  expect([await waiting(secretary), await waiting(supervisor)]).toEqual([{ count: 1 }, { count: 0 }]);
  expect([(await waiting(amina)).code, (await unseen(amina)).code]).toEqual(['not_allowed', 'not_allowed']);
  await database.owner`update saccos set state = 'suspended' where id = ${sacco}`;
  expect(await waiting(secretary)).toEqual({ count: 0 });
});

test('of another sacco’s record officials learn only that there is one, and make their own', async () => {
  const [chair, other] = [await people.person('Kiprop', 'Koech'), await people.person('Njeri')];
  const elsewhere = await people.sacco(`Elsewhere of ${chair}`, chair);
  for (const each of [chair, amina]) await people.member(elsewhere, each);
  await office(chair, 'chair', elsewhere);
  await office(other, 'secretary', elsewhere);
  await record(chair, amina, {}, elsewhere);
  expect((await inList(secretary, amina)).identity).toMatchObject({
    seen_at: null,
    seen_elsewhere: true,
    may_record: true,
  });
  expect(await listed(secretary)).toEqual([]);
  expect((await record(secretary, amina)).status).toBe(201);
  // They withdraw their own alone. The other one still counts where it was made, and there alone.
  const [own] = await listed(secretary);
  expect((await withdraw(chair, own.id, elsewhere)).body.code).toBe('not_found');
  expect((await withdraw(secretary, own.id)).status).toBe(200);
  expect([await isSeen(amina), await isSeen(amina, elsewhere)]).toEqual([false, true]);
});

test('nobody but an official of the member’s sacco records anything', async () => {
  expect((await record(amina, supervisor)).body.code).toBe('not_allowed');
  expect((await record(supervisor, amina)).body.code).toBe('not_allowed');
  const stranger = await people.person('Stranger');
  expect((await record(stranger, amina)).body.code).toBe('not_allowed');
  expect((await record(secretary, stranger)).body).toMatchObject({
    code: 'not_found',
    message: 'There is no such member.',
  });
  await database.owner`update offices set ended_at = ${database.now()} where user_id = ${secretary}`;
  expect((await record(secretary, amina)).body.code).toBe('not_allowed');
});

test('an official’s own card is seen by somebody else', async () => {
  expect((await record(secretary, secretary)).body).toMatchObject({
    code: 'own_card',
    message: 'Somebody else records that they saw your own ID card.',
  });
  // The database says so too.
  const byHand = database.owner`
    insert into identity_checks (id, user_id, seen_by, document, seen_at)
    values (${database.newId()}, ${secretary}, ${secretary}, 'passport', ${database.now()})`;
  await expect(byHand).rejects.toThrow('identity_checks_by_another');
});

test('the number on the card is the account’s; otherwise it is refused, and nothing more is said', async () => {
  const wrong = await record(secretary, amina, { number: '87654321' });
  expect([wrong.status, wrong.body]).toMatchObject([
    422,
    { code: 'card_not_of_account', message: 'That is not the number of this account.' },
  ]);
  // Another person's number is answered alike.
  const others = await record(secretary, amina, { number: await numberOf(supervisor) });
  expect(others.body.message).toBe(wrong.body.message);
  expect(await isSeen(amina)).toBe(false);
  const folded = (await numberOf(amina)).toLowerCase();
  expect((await record(secretary, amina, { number: ` ${folded} ` })).status).toBe(201);
});

test('the same once more, and twice at once, is refused', async () => {
  const both = await Promise.all([record(secretary, amina), record(secretary, amina)]);
  expect(both.map(({ status }) => status).sort()).toEqual([201, 409]);
  expect((await record(secretary, amina)).body).toMatchObject({
    code: 'identity_check_conflict',
    message: 'Their ID card is recorded already.',
  });
});

test('a sacco that is suspended vouches for nobody', async () => {
  await database.owner`update saccos set state = 'suspended' where id = ${sacco}`;
  expect((await record(secretary, amina)).body.code).toBe('sacco_inactive');
});

test('an old session is asked for the password', async () => {
  await record(secretary, supervisor);
  await database.owner`update sessions set proven_at = null where user_id = ${secretary}`;
  expect((await record(secretary, amina)).body.code).toBe('proof_required');
});

test('one official records 100 cards in a day and no more', async () => {
  const others = await Promise.all(Array.from({ length: 100 }, (_, n) => people.person(`Member ${n}`)));
  await database.owner`
    insert into identity_checks (id, user_id, seen_by, sacco_id, office, document, seen_at)
    select gen_random_uuid(), u, ${secretary}, ${sacco}, 'secretary', 'national_id', ${database.now()}
    from unnest(${others}::uuid[]) as u`;
  expect((await record(secretary, amina)).body.code).toBe('identity_checks_limit_reached');
  await database.owner`
    update identity_checks set seen_at = ${new Date(database.now().getTime() - DAY_MS)} where user_id = ${others[0] ?? ''}`;
  expect((await record(secretary, amina)).status).toBe(201);
});

test('the supervisory committee is told once a day, and of each account that may be the official’s own', async () => {
  const [one, two] = [await people.person('Juma'), await people.person('Juma', 'Again')];
  for (const each of [one, two]) await people.member(sacco, each);
  await record(secretary, amina);
  await record(secretary, one);
  expect((await told(supervisor, 'identity_cards_supervised')).map((text) => text.split(', ').at(-1))).toEqual([
    'recorded ID cards today. Look at them under Members.',
  ]);
  related.add(secretary).add(two);
  database.world.advance(1);
  await record(secretary, two);
  expect((await told(supervisor, 'identity_cards_supervised')).at(-1)).toMatch(
    /recorded the ID card of Juma Again\. The two accounts may belong together: look at it under Members\.$/,
  );
  expect((await listed(supervisor)).map((each: { looks_related: boolean }) => each.looks_related)).toEqual([
    true,
    false,
    false,
  ]);
  // Each look at members' particulars is kept.
  const [reading] = await database.owner<{ members: string[] }[]>`
    select members from member_record_readings where read_by = ${supervisor} order by id desc limit 1`;
  expect(reading?.members.toSorted()).toEqual([amina, one, two].toSorted());
});

test('where nobody supervises, the other officials are told', async () => {
  const chair = await people.person('Kiprop', 'Koech');
  await people.member(sacco, chair);
  await office(chair, 'chair');
  await database.owner`update offices set ended_at = ${database.now()} where user_id = ${supervisor}`;
  await record(secretary, amina);
  expect(await told(chair, 'identity_cards_supervised')).toHaveLength(1);
  expect(await told(secretary, 'identity_cards_supervised')).toEqual([]);
});

test('any official takes a record back with a reason, which stays; the member shows the card anew', async () => {
  await record(secretary, amina);
  const [check] = await listed(secretary);
  const taken = await withdraw(supervisor, check.id);
  expect(taken.body).toMatchObject({
    message: 'Taken back. The record stays, with your reason.',
    check: {
      ended: { kind: 'withdrawn', by: { name: 'Otieno Ouma' }, reason: 'It was the card of her sister' },
      may_withdraw: false,
    },
  });
  expect(await isSeen(amina)).toBe(false);
  expect(await told(amina, 'identity_card_withdrawn')).toHaveLength(1);
  expect((await withdraw(secretary, check.id)).body.code).toBe('identity_check_conflict');
  expect((await record(secretary, amina)).status).toBe(201);
  const states = ['standing', 'ended', 'all'];
  const counts = await Promise.all(states.map(async (status) => (await listed(secretary, `?status=${status}`)).length));
  expect(counts).toEqual([1, 1, 2]);
});

test('one official takes back the record of one member’s card once, also with a second account, and another one still does', async () => {
  await record(secretary, amina);
  const standing = async () => (await listed(secretary, '?status=standing'))[0].id as string;
  expect((await withdraw(supervisor, await standing())).status).toBe(200);
  await record(secretary, amina);
  const again = await withdraw(supervisor, await standing());
  expect(again.body).toMatchObject({ code: 'identity_check_conflict', message: expect.stringMatching(/once/) });
  const double = await people.person('Double');
  await office(double, 'chair');
  await people.onePhone(supervisor, double);
  expect((await withdraw(double, await standing())).body.code).toBe('identity_check_conflict');
  const byHand = database.owner`
    update identity_checks set ended_at = ${database.now()}, end_kind = 'withdrawn', ended_by = ${double}, end_reason = 'Once more.'
    where id = ${await standing()}`;
  await expect(byHand).rejects.toThrow('that person has taken a record of this card back before');
  expect((await withdraw(secretary, await standing())).status).toBe(200);
  // All with one phone are one person, whom the next tests count.
  database.world.advance(DAY_MS);
});

test('whoever supervises is told of each record that is taken back, with the names; an old session is asked for the password', async () => {
  await record(secretary, amina);
  const [check] = await listed(secretary);
  await database.owner`update sessions set proven_at = null where user_id = ${secretary}`;
  expect((await withdraw(secretary, check.id)).body.code).toBe('proof_required');
  await database.owner`update sessions set proven_at = ${database.now()} where user_id = ${secretary}`;
  database.world.advance(1);
  expect((await withdraw(secretary, check.id)).status).toBe(200);
  expect((await told(supervisor, 'identity_cards_supervised')).at(-1)).toMatch(
    /: Wanjiru Kamau took back the record of the ID card of Amina Yusuf\. Look at it under Members\.$/,
  );
});

test('one person takes five records back in a day and no more, also with a second account', async () => {
  const double = await people.person('Double');
  await office(double, 'chair');
  await people.onePhone(secretary, double);
  const others = await Promise.all(Array.from({ length: 7 }, (_, n) => people.person(`Member ${n}`)));
  await database.owner`
    insert into identity_checks (id, user_id, seen_by, sacco_id, office, document, seen_at)
    select gen_random_uuid(), u, ${supervisor}, ${sacco}, 'secretary', 'national_id', ${database.now()}
    from unnest(${others}::uuid[]) as u`;
  const checks: { id: string }[] = await listed(supervisor);
  const take = async (as: string, place: number) => (await withdraw(as, checks[place]?.id ?? '')).body;
  for (const place of [0, 1, 2]) expect((await take(secretary, place)).success).toBe(true);
  for (const place of [3, 4]) expect((await take(double, place)).success).toBe(true);
  for (const as of [secretary, double]) {
    expect(await take(as, 5)).toMatchObject({
      code: 'identity_checks_limit_reached',
      message: 'You have taken back 5 records of ID cards in a day. Go on tomorrow.',
    });
  }
  expect((await take(supervisor, 5)).success).toBe(true);
  database.world.advance(DAY_MS);
  expect(await take(secretary, 6)).toMatchObject({ success: true });
});

test('the record of one’s own card is not one’s own to take back', async () => {
  const chair = await people.person('Kiprop', 'Koech');
  await people.member(sacco, chair);
  await office(chair, 'chair');
  await record(chair, secretary);
  const [check] = await listed(secretary);
  expect(check.may_withdraw).toBe(false);
  expect((await withdraw(secretary, check.id)).body.code).toBe('own_card');
  expect((await withdraw(amina, check.id)).body.code).toBe('not_allowed');
});

test('another name ends the record, whoever changes it', async () => {
  await record(secretary, amina);
  await database.sql`update users set last_name = 'Hassan', updated_at = ${database.now()} where id = ${amina}`;
  expect(await isSeen(amina)).toBe(false);
  expect((await listed(secretary))[0].ended).toMatchObject({ kind: 'renamed', by: null, reason: null });
});

test('the audit finds a record by somebody who held no such office', async () => {
  // Other tests have moved theirs in time.
  await database.owner`delete from identity_checks`;
  await record(secretary, amina);
  expect(await breaches(database.owner, identityInvariants)).toEqual([]);
  await database.owner`
    insert into identity_checks (id, user_id, seen_by, sacco_id, office, document, seen_at)
    values (${database.newId()}, ${supervisor}, ${amina}, ${sacco}, 'chair', 'passport', ${database.now()})`;
  const found = await breaches(database.owner, identityInvariants);
  expect(found.map(({ rows }) => rows)).toMatchObject([[{ user_id: supervisor, seen_by: amina }]]);
  await database.owner`update identity_checks set seen_by = ${secretary}, office = 'secretary' where seen_by = ${amina}`;
});

test('the list goes by pages, newest first', async () => {
  await record(secretary, amina);
  database.world.advance(1000);
  await record(secretary, supervisor);
  const first = (await app.call('GET', '/sacco/identity-checks?limit=1', { as: secretary, sacco })).body;
  expect([first.count, first.results[0].person.id, first.previous]).toEqual([2, supervisor, null]);
  const next = new URL(first.next);
  const second = (await app.call('GET', `/sacco/identity-checks${next.search}`, { as: secretary, sacco })).body;
  expect([second.results[0].person.id, second.next]).toEqual([amina, null]);
  const back = new URL(second.previous);
  const again = (await app.call('GET', `/sacco/identity-checks${back.search}`, { as: secretary, sacco })).body;
  expect(again.results).toEqual(first.results);
});
