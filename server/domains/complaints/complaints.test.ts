import { complaintsContract, OPEN_COMPLAINTS_MAX } from '@ushirika/contract/complaints';
import { saccoChangesContract } from '@ushirika/contract/sacco-changes';
import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '../../db/test-database.ts';
import { testPeople } from '../../db/test-people.ts';
import { type TestWorld, testWorld } from '../../db/test-world.ts';
import { testApp } from '../../http/test-app.ts';
import { testForm } from '../../http/test-form.ts';
import { standings } from '../membership/standings.ts';
import { applyChanges } from '../saccos/apply-changes.ts';
import { changesRoutes } from '../saccos/changes.routes.ts';
import { testChanges } from '../saccos/test-changes.ts';
import { carryClocks } from './carry-clocks.ts';
import { complaintTermsChange } from './change-complaint-terms.ts';
import { complaintsInvariants } from './complaints.invariants.ts';
import { complaintsRoutes } from './complaints.routes.ts';

const DAY_MS = 86_400_000;
const WORDS = 'My refund of October has not come, and nobody tells me why.';
const ANSWER = 'We have paid the refund today; the receipt is in your wallet.';
const changes = testChanges({ complaint_terms: complaintTermsChange });
let world: TestWorld;
let database: TestDatabase;
let people: ReturnType<typeof testPeople>;
let app: Awaited<ReturnType<typeof testApp>>;
let operator: string;
let sacco: string;
let chair: string;
let treasurer: string;
let member: string;
let other: string;

beforeAll(async () => {
  world = testWorld();
  database = await testDatabase({ world });
  people = testPeople(database);
  operator = await people.person('Halima', 'Yusuf');
  app = await testApp({
    database,
    contract: [...complaintsContract, ...saccoChangesContract],
    bindings: [
      ...complaintsRoutes({ database, publicUrl: 'https://ushirika.test', changes }),
      ...changesRoutes({ database, changes }),
    ],
    operators: [operator],
    standingOf: standings(database),
  });
});
beforeEach(async () => {
  chair = await people.person('Wanjiru', 'Kamau');
  treasurer = await people.person('Otieno', 'Ouma');
  member = await people.person('Amina', 'Said');
  other = await people.person('Juma', 'Ali');
  sacco = await people.sacco(`Sacco of ${chair}`, chair);
  await people.official(sacco, chair, 'chair');
  await people.official(sacco, treasurer, 'treasurer');
  for (const person of [chair, treasurer, member, other]) await people.member(sacco, person);
});
afterAll(async () => {
  await app.close();
  await database.close();
});

const complain = (as: string, fields: Record<string, string> = {}, picture?: Buffer) =>
  app.call('POST', '/complaints', { as, ...testForm({ sacco, kind: 'payout', text: WORDS, ...fields }, picture) });
const made = async (as = member, fields: Record<string, string> = {}): Promise<string> =>
  (await complain(as, fields)).body.complaint.id;
const answer = (as: string, id: string, is_final = true, text = ANSWER, where = sacco) =>
  app.call('POST', `/sacco/complaints/${id}/answer`, { as, sacco: where, body: { text, is_final } });
const close = (as: string, id: string) => app.call('POST', `/complaints/${id}/closure`, { as });
const appeal = (as: string, id: string, text = 'The refund in the wallet is another one, of September.') =>
  app.call('POST', `/complaints/${id}/appeal`, { as, body: { text } });
const resolve = (as: string, id: string, outcome = 'upheld') =>
  app.call('POST', `/operator/complaints/${id}/resolution`, {
    as,
    body: { outcome, reason: 'The books show no refund of October. The sacco pays it by Friday.' },
  });
const asOfficial = (as: string, id: string) => app.call('GET', `/sacco/complaints/${id}`, { as, sacco });
const listed = async (path: string, as: string): Promise<string[]> => {
  const { body } = await app.call('GET', path, { as, sacco });
  return body.results.map(({ id }: { id: string }) => id);
};
const stateOf = async (id: string) =>
  (await database.sql<{ state: string }[]>`select state from complaints where id = ${id}`)[0]?.state;
const told = async (userId: string) => {
  const rows = await database.sql<{ template: string }[]>`
    select template from notifications where user_id = ${userId} order by id`;
  return rows.map(({ template }) => template);
};
const passDays = (days: number) => world.advance(days * DAY_MS);
const refusalOf = ({ status, body }: { status: number; body: { code?: string } | null }) => [status, body?.code];

describe('a complaint that is answered', () => {
  test('the member complains, an official answers, the member closes, and each is told what the other did', async () => {
    const sent = await complain(member);
    expect(sent.status).toBe(201);
    const { id } = sent.body.complaint;
    expect(sent.body.complaint).toMatchObject({
      state: 'open',
      clock: { due: 'answer', days_left: 14 },
      complainer: null,
      may: ['close'],
      steps: [{ kind: 'made', side: 'member', name: 'Amina Said', text: null }],
    });
    expect(await listed('/sacco/complaints', treasurer)).toEqual([id]);
    expect((await asOfficial(treasurer, id)).body).toMatchObject({
      text: WORDS,
      complainer: { name: 'Amina Said', id_number: expect.stringMatching(/^T/) },
      may: ['answer'],
    });
    expect((await answer(treasurer, id)).body.complaint).toMatchObject({ state: 'answered', may: [] });
    expect((await app.call('GET', `/complaints/${id}`, { as: member })).body).toMatchObject({
      clock: { due: 'reaction', days_left: 14 },
      may: ['close', 'appeal'],
      steps: [{ kind: 'made' }, { kind: 'answered', side: 'sacco', name: 'Otieno Ouma', text: ANSWER }],
    });
    expect((await close(member, id)).body.complaint).toMatchObject({ state: 'closed', clock: null, may: [] });
    expect(await told(member)).toEqual(['complaint_answered']);
    expect(await told(chair)).toEqual(['complaint_made', 'complaint_closed']);
  });

  test('that the sacco works on it stops the first clock and leaves the second one running', async () => {
    const id = await made();
    const inHand = await answer(chair, id, false, 'We ask the bank for the statement of October.');
    expect(inHand.body.complaint).toMatchObject({ state: 'in_hand', clock: { due: 'resolution', days_left: 30 } });
    passDays(20);
    await carryClocks(database);
    expect(await stateOf(id)).toBe('in_hand');
    expect((await answer(chair, id)).status).toBe(200);
    expect(await stateOf(id)).toBe('answered');
  });

  test('the same words twice are one complaint and one answer, also when they come at once', async () => {
    const [one, two] = await Promise.all([complain(member), complain(member)]);
    expect(one.body.complaint.id).toBe(two.body.complaint.id);
    const { id } = one.body.complaint;
    const answers = await Promise.all([answer(chair, id), answer(chair, id)]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(answers[0].body.complaint.steps).toHaveLength(2);
    expect(refusalOf(await answer(treasurer, id))).toEqual([409, 'complaint_conflict']);
  });

  test('left alone for 14 days after the answer it closes by itself', async () => {
    const id = await made();
    await answer(chair, id);
    passDays(14);
    await carryClocks(database);
    expect(await stateOf(id)).toBe('answered');
    passDays(1);
    await carryClocks(database);
    expect(await stateOf(id)).toBe('closed');
    expect(await told(member)).toEqual(['complaint_answered', 'complaint_lapsed']);
    expect(refusalOf(await appeal(member, id))).toEqual([409, 'complaint_conflict']);
  });

  test('officials say five times that they work on it, and then answer', async () => {
    const id = await made();
    for (let n = 1; n <= 5; n += 1)
      expect((await answer(chair, id, false, `We still look for it, day ${n}.`)).status).toBe(200);
    expect(refusalOf(await answer(chair, id, false, 'We still look for it, day 6.'))).toEqual([
      409,
      'complaint_conflict',
    ]);
    expect((await answer(chair, id)).status).toBe(200);
  });

  test('words are 20 to 2,000 characters of plain text', async () => {
    for (const text of ['Too short.', 'x'.repeat(2_001), `${WORDS}\u0000`]) {
      expect(refusalOf(await complain(member, { text }))).toEqual([400, 'validation_failed']);
    }
  });
});

describe('what goes to the operator', () => {
  test('an unanswered complaint goes by itself when its 14 days are over, once, and is decided with reasons', async () => {
    const id = await made();
    passDays(14);
    await carryClocks(database);
    expect(await stateOf(id)).toBe('open');
    expect(await listed('/operator/complaints', operator)).not.toContain(id);
    passDays(1);
    // Past its day no official answers it any more, though the job has not been there.
    expect(refusalOf(await answer(chair, id))).toEqual([409, 'complaint_conflict']);
    await Promise.all([carryClocks(database), carryClocks(database)]);
    await carryClocks(database);
    expect(await told(member)).toEqual(['complaint_unanswered']);
    expect(await told(chair)).toEqual(['complaint_made', 'complaint_unanswered']);
    expect(await listed('/operator/complaints', operator)).toContain(id);
    expect(await listed('/sacco/complaints?status=overdue', chair)).toEqual([id]);
    world.advance(1_000);
    const decided = await resolve(operator, id);
    expect(decided.body.complaint).toMatchObject({
      state: 'resolved',
      outcome: 'upheld',
      steps: [
        { kind: 'made' },
        { kind: 'escalated', side: 'clock' },
        { kind: 'resolved', side: 'operator', name: null },
      ],
    });
    expect(refusalOf(await resolve(operator, id, 'not_upheld'))).toEqual([409, 'complaint_conflict']);
    expect(refusalOf(await close(member, id))).toEqual([409, 'complaint_conflict']);
    expect(await told(member)).toEqual(['complaint_unanswered', 'complaint_resolved']);
    expect((await asOfficial(chair, id)).body.steps.at(-1).text).toMatch(/books show no refund/);
    const [noted] = await database.sql<{ action: string }[]>`
      select action from operator_actions where about_id = ${id}`;
    expect(noted?.action).toBe('complaint_upheld');
  });

  test('one that is worked on goes when its 30 days are over', async () => {
    const id = await made();
    await answer(chair, id, false, 'We ask the bank for the statement of October.');
    passDays(31);
    await carryClocks(database);
    expect(await stateOf(id)).toBe('with_operator');
    expect(await told(member)).toEqual(['complaint_progress', 'complaint_unresolved']);
  });

  test('the member appeals a final answer once, with reasons', async () => {
    const id = await made();
    expect(refusalOf(await appeal(member, id))).toEqual([409, 'complaint_conflict']);
    await answer(chair, id);
    expect(refusalOf(await appeal(other, id))).toEqual([404, 'not_found']);
    expect((await appeal(member, id)).body.complaint).toMatchObject({
      state: 'with_operator',
      escalated_because: 'appealed',
    });
    // The same words again are the same appeal; others would be lost.
    expect((await appeal(member, id)).body.complaint.steps).toHaveLength(3);
    expect(refusalOf(await appeal(member, id, 'And one more thing that I forgot to say.'))).toEqual([
      409,
      'complaint_conflict',
    ]);
    await resolve(operator, id, 'not_upheld');
    expect(refusalOf(await appeal(member, id))).toEqual([409, 'complaint_conflict']);
  });

  test('where no other official can answer, it is there at once', async () => {
    await database.sql`update offices set ended_at = ${database.now()} where user_id = ${treasurer}`;
    const { body } = await complain(chair);
    expect(body.complaint).toMatchObject({ state: 'with_operator', escalated_because: 'nobody_else', clock: null });
    expect(await told(chair)).toEqual(['complaint_nobody_else']);
  });

  test('who waited for another’s step takes the next one at its moment, and is not refused', async () => {
    const id = await made();
    passDays(1);
    await answer(chair, id, false, 'We ask the bank for the statement of October.');
    // As in a transaction that began before that step was committed.
    passDays(-1);
    expect((await close(member, id)).status).toBe(200);
    const rows = await database.sql<
      { at: Date }[]
    >`select at from complaint_steps where complaint_id = ${id} order by number`;
    expect(rows.map(({ at }) => at.getTime())).toEqual(
      rows.map(({ at }) => at.getTime()).sort((one, other) => one - other),
    );
  });

  test('more than one batch of them is carried', async () => {
    const ids = await Promise.all(
      Array.from({ length: 103 }, async () => {
        const person = await people.person('Njeri');
        await people.member(sacco, person);
        return made(person);
      }),
    );
    passDays(15);
    await carryClocks(database);
    const [row] = await database.sql<{ left: number }[]>`
      select count(*)::int as left from complaints where id = any (${ids}::uuid[]) and state <> 'with_operator'`;
    expect(row?.left).toBe(0);
  });
});

describe('who may and who may not', () => {
  test('a stranger does not complain; a member in notice does, and one who left less than two years ago', async () => {
    const stranger = await people.person('Kiprop');
    expect(refusalOf(await complain(stranger))).toEqual([403, 'not_a_member']);
    await database.sql`update memberships set state = 'leaving' where user_id = ${other}`;
    expect((await complain(other)).status).toBe(201);
    await database.sql`
      update memberships set state = 'exited', state_at = ${database.now()} where user_id = ${member}`;
    passDays(700);
    expect((await complain(member)).status).toBe(201);
    passDays(40);
    expect(refusalOf(await complain(member, { kind: 'other' }))).toEqual([403, 'not_a_member']);
  });

  test('no official answers or reads in office what they wrote themselves', async () => {
    const id = await made(chair);
    expect(refusalOf(await answer(chair, id))).toEqual([404, 'not_found']);
    expect((await asOfficial(chair, id)).status).toBe(404);
    expect(await listed('/sacco/complaints', chair)).toEqual([]);
    expect((await answer(treasurer, id)).status).toBe(200);
  });

  test('whom a complaint names never sees, answers or hears of it', async () => {
    const terms = await app.call('GET', `/sacco/${sacco}/complaint-terms`, { as: member });
    const named = terms.body.officials.find(({ office }: { office: string }) => office === 'chair');
    expect(terms.body).toMatchObject({ answer_days: 14, resolve_days: 30, may_complain: true });
    const id = await made(member, { kind: 'conduct', about: named.id });
    expect((await asOfficial(chair, id)).status).toBe(404);
    expect(refusalOf(await answer(chair, id))).toEqual([404, 'not_found']);
    expect(await listed('/sacco/complaints?status=all', chair)).toEqual([]);
    expect(await told(chair)).toEqual([]);
    expect((await asOfficial(treasurer, id)).body.about).toEqual({ name: 'Wanjiru Kamau' });
  });

  test('an official is named by a complaint about conduct alone, and nobody names themselves', async () => {
    const { body } = await app.call('GET', `/sacco/${sacco}/complaint-terms`, { as: member });
    const [about] = body.officials.map(({ id }: { id: string }) => id);
    expect(refusalOf(await complain(member, { kind: 'money', about }))).toEqual([400, 'validation_failed']);
    const [own] = await database.sql<{ id: string }[]>`select id from offices where user_id = ${chair}`;
    const refused = await complain(chair, { kind: 'conduct', about: own?.id ?? '' });
    expect(refused.body.errors).toEqual({ about: ['Choose an official of this sacco.'] });
  });

  test('other members, other saccos and operators before their time read nothing', async () => {
    const id = await made();
    const elsewhere = await people.sacco(`Elsewhere ${chair}`, other);
    await people.official(elsewhere, other, 'chair');
    expect((await app.call('GET', `/complaints/${id}`, { as: other })).status).toBe(404);
    expect((await app.call('GET', `/sacco/complaints/${id}`, { as: other, sacco: elsewhere })).status).toBe(404);
    expect((await app.call('GET', `/sacco/complaints/${id}`, { as: member, sacco })).status).toBe(403);
    expect((await app.call('GET', `/operator/complaints/${id}`, { as: operator })).status).toBe(404);
    expect(refusalOf(await answer(other, id, true, ANSWER, elsewhere))).toEqual([404, 'not_found']);
    expect(refusalOf(await resolve(operator, id))).toEqual([404, 'not_found']);
    expect(refusalOf(await close(other, id))).toEqual([404, 'not_found']);
  });

  test('an office that has ended reads nothing any more', async () => {
    const id = await made();
    await answer(chair, id, false, 'We ask the bank for the statement of October.');
    await database.sql`update offices set ended_at = ${database.now()} where user_id = ${chair}`;
    expect((await asOfficial(chair, id)).status).toBe(403);
    expect((await answer(chair, id)).status).toBe(403);
  });

  test('no operator decides about a sacco of their own, nor reads its complaints', async () => {
    const id = await made();
    passDays(15);
    await carryClocks(database);
    await people.member(sacco, operator);
    expect((await app.call('GET', `/operator/complaints/${id}`, { as: operator })).status).toBe(404);
    expect(refusalOf(await resolve(operator, id))).toEqual([404, 'not_found']);
  });

  test('three are open about a sacco at most, and five are made in a day, also when they come at once', async () => {
    const many = await Promise.all(
      Array.from({ length: OPEN_COMPLAINTS_MAX + 2 }, (_, n) => complain(member, { text: `${WORDS} Number ${n}.` })),
    );
    expect(many.map(({ status }) => status).sort()).toEqual([201, 201, 201, 429, 429]);
    for (const { body } of many) if (body.complaint) await close(member, body.complaint.id);
    for (const n of [10, 11]) await close(member, await made(member, { text: `${WORDS} Number ${n}.` }));
    const sixth = await complain(member, { text: `${WORDS} Number 12.` });
    expect(refusalOf(sixth)).toEqual([429, 'complaints_limit_reached']);
    expect(Number(sixth.headers['retry-after'])).toBeGreaterThan(0);
    passDays(1);
    expect((await complain(member, { text: `${WORDS} Number 12.` })).status).toBe(201);
  });

  test('that an official read who complains is kept', async () => {
    const id = await made();
    await asOfficial(treasurer, id);
    const [kept] = await database.sql<{ members: string[] }[]>`
      select members from member_record_readings where read_by = ${treasurer} order by id desc limit 1`;
    expect(kept?.members).toEqual([member]);
  });
});

describe('a picture', () => {
  const draw = (width: number) => sharp({ create: { width, height: 40, channels: 3, background: '#fff' } });

  test('is drawn anew, and shown to the two sides alone until an operator has the complaint', async () => {
    const sent = await complain(member, {}, await draw(60).png().toBuffer());
    const { id, has_picture } = sent.body.complaint;
    expect(has_picture).toBe(true);
    const mine = await app.call('GET', `/complaints/${id}/picture`, { as: member });
    expect([mine.status, mine.headers['content-type']]).toEqual([200, 'image/webp']);
    const path = `/sacco/complaints/${id}/picture`;
    expect((await app.call('GET', path, { as: chair, sacco })).bytes.equals(mine.bytes)).toBe(true);
    expect((await app.call('GET', `/complaints/${id}/picture`, { as: other })).status).toBe(404);
    expect((await app.call('GET', `/operator/complaints/${id}/picture`, { as: operator })).status).toBe(404);
    passDays(15);
    await carryClocks(database);
    expect((await app.call('GET', `/operator/complaints/${id}/picture`, { as: operator })).status).toBe(200);
  });

  test('that comes with the second sending of the same words is added; another official named is another complaint', async () => {
    const id = await made(member, { kind: 'conduct' });
    const again = await complain(member, { kind: 'conduct' }, await draw(60).png().toBuffer());
    expect(again.body.complaint).toMatchObject({ id, has_picture: true });
    const [office] = await database.sql<{ id: string }[]>`select id from offices where user_id = ${chair}`;
    const naming = await complain(member, { kind: 'conduct', about: office?.id ?? '' });
    expect(naming.body.complaint.id).not.toBe(id);
    expect(await listed('/sacco/complaints', chair)).toEqual([id]);
  });

  test('as grainy as can be is kept in fewer colours, and not lost', async () => {
    const noise = Buffer.from(Array.from({ length: 1_200 * 1_200 * 3 }, (_one, at) => (at * 2_654_435_761) >>> 24));
    const jpeg = await sharp(noise, { raw: { width: 1_200, height: 1_200, channels: 3 } })
      .jpeg({ quality: 75 })
      .toBuffer();
    expect(jpeg.length).toBeLessThan(2 * 1024 * 1024);
    const sent = await complain(member, {}, jpeg);
    expect([sent.status, sent.body.complaint?.has_picture]).toEqual([201, true]);
  });

  test('of a stranger is not even looked at', async () => {
    const stranger = await people.person('Kiprop');
    const refused = await complain(stranger, {}, Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'));
    expect(refusalOf(refused)).toEqual([403, 'not_a_member']);
  });

  test('that is none is refused, and no complaint is made', async () => {
    const refused = await complain(member, {}, Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'));
    expect(refusalOf(refused)).toEqual([400, 'picture_not_accepted']);
    expect(await listed('/complaints', member)).toEqual([]);
  });
});

describe('the public page', () => {
  const figures = async () => (await app.call('GET', `/sacco/${sacco}/complaint-figures`)).body;

  test('shows nothing of four complaints, and counts and medians from the fifth on', async () => {
    const complainers = await Promise.all(Array.from({ length: 5 }, () => people.person('Njeri')));
    const ids: string[] = [];
    for (const person of complainers) {
      await people.member(sacco, person);
      ids.push(await made(person));
    }
    expect((await figures()).figures).toBeNull();
    const [one = '', two = '', three = ''] = ids;
    passDays(2);
    await answer(chair, one);
    passDays(2);
    await answer(chair, two);
    passDays(4);
    await answer(chair, three);
    await close(complainers[0] ?? '', one);
    passDays(7);
    await carryClocks(database);
    // What is made in a month shows from the next one on.
    passDays(31);
    expect(await figures()).toMatchObject({
      answer_days: 14,
      resolve_days: 30,
      figures: {
        received: 5,
        answered_in_time: 3,
        escalated: 2,
        median_answer_days: 4,
        median_resolve_days: 8,
      },
    });
    passDays(366);
    expect((await figures()).figures).toBeNull();
  });

  test('counts nobody twice in 30 days, no one who holds no shares yet, and none that no official may answer', async () => {
    const provisional = await people.person('Kiprop');
    await people.member(sacco, provisional, 'provisional');
    await made();
    await made(member, { kind: 'other', text: 'The office was closed on Monday, and on Tuesday as well.' });
    await made(provisional);
    await database.sql`update offices set ended_at = ${database.now()} where user_id = ${treasurer}`;
    await made(chair);
    const counted = async () => {
      const [row] = await database.sql<{ of: number }[]>`
        select coalesce(sum(complaints), 0)::int as of from complaint_counts
        where sacco_id = ${sacco} and measure in ('received', 'escalated')`;
      return row?.of;
    };
    expect(await counted()).toBe(1);
    passDays(31);
    await made(member, { kind: 'other' });
    expect(await counted()).toBe(2);
  });

  test('of a sacco that is not active yet there is none', async () => {
    const waiting = await people.sacco(`Waiting ${chair}`, chair, 'pending');
    expect((await app.call('GET', `/sacco/${waiting}/complaint-figures`)).status).toBe(404);
    expect((await app.call('GET', `/sacco/${waiting}/complaint-terms`, { as: member })).status).toBe(404);
  });
});

test('ten complaints of one person about one sacco are enough for thirty days, also where all of them are over', async () => {
  const many = await people.person('Njeri');
  await people.member(sacco, many);
  for (let number = 0; number < 10; number += 1) {
    if (number % 5 === 0) passDays(1);
    await close(many, await made(many));
  }
  passDays(1);
  expect(refusalOf(await complain(many))).toEqual([429, 'complaints_limit_reached']);
  passDays(30);
  expect((await complain(many)).status).toBe(201);
});

describe('time limits of a sacco', () => {
  const propose = (as: string, answer_days: number, resolve_days: number) =>
    app.call('PUT', '/sacco/complaint-terms', { as, sacco, body: { answer_days, resolve_days } });

  test('are changed by two officials, and hold for complaints that come later', async () => {
    const before = await made();
    const proposed = await propose(chair, 7, 21);
    expect(proposed.status).toBe(202);
    const { id } = proposed.body.change;
    expect((await app.call('POST', `/sacco/changes/${id}/confirmation`, { as: treasurer, sacco })).status).toBe(200);
    passDays(1);
    await applyChanges(database, changes);
    const after = await complain(other);
    expect(after.body.complaint.clock.days_left).toBe(7);
    const { body } = await app.call('GET', `/complaints/${before}`, { as: member });
    expect(body.clock.days_left).toBe(13);
  });

  test('stay within 14 and 30 days, the second not before the first', async () => {
    for (const [first, second] of [
      [0, 30],
      [15, 30],
      [14, 31],
      [10, 9],
    ] as const) {
      expect(refusalOf(await propose(chair, first, second))).toEqual([400, 'validation_failed']);
    }
  });
});

describe('the database itself', () => {
  test('holds what was said and who said it, and lets no complaint go back', async () => {
    const id = await made();
    await answer(chair, id);
    const { sql } = database;
    await expect(sql`update complaints set text = 'Something else entirely.' where id = ${id}`).rejects.toThrow(
      'denied',
    );
    await expect(sql`update complaint_steps set text = 'Something else entirely.'`).rejects.toThrow('denied');
    await expect(sql`delete from complaint_steps`).rejects.toThrow('denied');
    const back = sql`
      update complaints set state = 'in_hand', answered_at = null, react_by = null where id = ${id}`;
    await expect(back).rejects.toThrow('does not go from answered to in_hand');
    const silent = sql`
      update complaints set state = 'closed', state_at = state_at + interval '1 day', ended_at = state_at + interval '1 day'
      where id = ${id}`;
    await expect(silent).rejects.toThrow('changes its state by a step');
  });

  test('takes no answer of whom it names, of a member, or of the complainer', async () => {
    const [office] = await database.sql<{ id: string }[]>`select id from offices where user_id = ${chair}`;
    const id = await made(treasurer, { kind: 'conduct', about: office?.id ?? '' });
    const stepBy = (person: string) => database.sql`
      insert into complaint_steps (complaint_id, number, kind, side, by_id, text, to_state, at)
      values (${id}, 9, 'answered', 'sacco', ${person}, ${ANSWER}, 'answered', ${database.now()})`;
    for (const person of [chair, treasurer, member])
      await expect(stepBy(person)).rejects.toThrow('does not take this step');
  });

  test('what is counted is what the rows say, after all of this', async () => {
    for (const { name, find } of complaintsInvariants) {
      expect({ name, broken: await find(database.sql) }).toEqual({ name, broken: [] });
    }
  });
});
