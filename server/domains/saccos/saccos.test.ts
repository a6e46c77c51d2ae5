import { publicContract } from '@ushirika/contract/public';
import { saccoChangesContract } from '@ushirika/contract/sacco-changes';
import { POINTS_BY_HAND, saccosContract } from '@ushirika/contract/saccos';
import { Sentence } from '@ushirika/contract/sentence';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { asPerson } from '../../db/person.ts';
import { type TestDatabase, testDatabase } from '../../db/test-database.ts';
import { testPeople } from '../../db/test-people.ts';
import { testApp } from '../../http/test-app.ts';
import { activateSacco } from './activate-sacco.ts';
import { activationChecklist } from './activation-checklist.ts';
import { sendOfficeInvitation } from './office-invitations.ts';
import { officesOf } from './offices.ts';
import { drawingFigures, redrawLogo } from './redraw-picture.ts';
import { registerSacco } from './register-sacco.ts';
import { reinstateSacco } from './reinstate-sacco.ts';
import { rejectSacco } from './reject-sacco.ts';
import { resubmitSacco } from './resubmit-sacco.ts';
import { saccosRoutes } from './saccos.routes.ts';
import { namePatterns, ratingScore } from './saccos.rules.ts';
import { suspendSacco } from './suspend-sacco.ts';
import { testChanges } from './test-changes.ts';
import { TERMS, testSaccos } from './test-saccos.ts';

const publicUrl = 'https://ushirika.test';
let database: TestDatabase;
let app: Awaited<ReturnType<typeof testApp>>;
let people: ReturnType<typeof testPeople>;
let saccos: ReturnType<typeof testSaccos>;
let founder: string;
let operator: string;
let second: string;
let visitor: string;
let namesake: string;

beforeAll(async () => {
  database = await testDatabase();
  people = testPeople(database);
  saccos = testSaccos(database);
  founder = await people.person('Wanjiru', 'Kamau');
  operator = await people.person('Operator', 'One');
  second = await people.person('Operator', 'Two');
  visitor = await people.person('Achieng', 'Otieno');
  namesake = await people.person('Òperat0r', 'Two.');
  app = await testApp({
    database,
    contract: [...saccosContract, ...saccoChangesContract, ...publicContract],
    bindings: saccosRoutes({
      database,
      publicUrl,
      changes: testChanges(),
      noteOperatorAct: async () => {},
      proposeNaming: async () => {},
    }),
    operators: [operator, second],
  });
});
afterAll(async () => {
  await app.close();
  await database.close();
});

const as = (userId: string) => ({ userId });

function form(fields: Record<string, string>, file?: { name: string; type: string; bytes: Buffer }) {
  const boundary = '----ushirika';
  const parts = Object.entries(fields).map(
    ([name, value]) => `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  );
  const head = file
    ? `--${boundary}\r\nContent-Disposition: form-data; name="logo"; filename="${file.name}"\r\nContent-Type: ${file.type}\r\n\r\n`
    : '';
  const body = Buffer.concat([
    Buffer.from(parts.join('') + head),
    file?.bytes ?? Buffer.alloc(0),
    Buffer.from(`${file ? '\r\n' : ''}--${boundary}--\r\n`),
  ]);
  return { body, headers: { 'content-type': `multipart/form-data; boundary=${boundary}` } };
}

const fields = (name: string, regNo: string, createdBy = founder) => ({
  name,
  description: 'Savings for boda boda riders.',
  reg_no: regNo,
  reg_fee: '500',
  min_shares: '20',
  share_value: '100.50',
  created_by: createdBy,
});

describe('registering a sacco', () => {
  test('a founder registers a sacco with a logo: it is inactive, and the founder is its chair', async () => {
    const png = await sharp({ create: { width: 900, height: 300, channels: 3, background: '#2e5e3e' } })
      .png()
      .toBuffer();
    const sent = form(fields('Boda Boda Sacco', 'CS/2001'), { name: 'logo.png', type: 'image/png', bytes: png });
    const made = await app.call('POST', '/sacco/create', { as: founder, ...sent });
    expect(made.status).toBe(201);
    expect(made.body.sacco).toMatchObject({
      name: 'Boda Boda Sacco',
      status: 'inactive',
      reg_fee: 500,
      min_shares: 20,
      share_value: 100.5,
      members: 0,
      members_list: [],
      created_by: founder,
    });
    const offices = await officesOf(database, founder, made.body.sacco.id);
    expect(offices.map(({ office }) => office)).toEqual(['chair']);
    const path = made.body.sacco.logo.replace('/api/v1', '');
    const logo = await app.call('GET', path, { as: founder });
    expect(logo.headers['content-type']).toBe('image/webp');
    expect(logo.headers['x-content-type-options']).toBe('nosniff');
    expect(logo.headers['cache-control']).toBe('no-store');
    const { format, width } = await sharp(logo.bytes).metadata();
    expect({ format, width }).toEqual({ format: 'webp', width: 512 });
  });

  test('until it is active strangers see its name and terms; its founder, officials and operators see all', async () => {
    const [made] = await database.sql<{ id: string }[]>`select id from saccos where name = 'Boda Boda Sacco'`;
    const id = made?.id ?? '';
    const logo = `/sacco/${id}/logo`;
    for (const reader of [{}, { as: visitor }]) {
      const { body } = await app.call('GET', `/sacco/${id}`, reader);
      const { body: list } = await app.call('GET', '/sacco/list?name=boda', reader);
      for (const shown of [body, list.results[0]]) {
        expect(shown).toMatchObject({
          name: 'Boda Boda Sacco',
          status: 'inactive',
          description: '',
          logo: null,
          reg_no: '',
        });
      }
      expect([body.officials, body.sasra_number, body.application]).toEqual([[], null, null]);
      expect((await app.call('GET', logo, reader)).status).toBe(404);
    }
    for (const as of [founder, operator]) {
      const { body } = await app.call('GET', `/sacco/${id}`, { as });
      expect(body).toMatchObject({
        reg_no: 'CS/2001',
        officials: [{ name: 'Wanjiru Kamau' }],
        application: { state: 'pending' },
      });
      expect(body.description).not.toBe('');
      const { body: list } = await app.call('GET', '/sacco/list?name=boda', { as });
      expect(list.results[0].logo).toBe(body.logo);
      expect((await app.call('GET', logo, { as })).status).toBe(200);
    }
    await database.owner`update saccos set state = 'active' where id = ${id}`;
    const { body, headers } = {
      ...(await app.call('GET', `/sacco/${id}`)),
      headers: (await app.call('GET', logo)).headers,
    };
    expect([body.reg_no, body.officials.length, headers['cache-control']]).toEqual([
      'CS/2001',
      1,
      'public, max-age=60',
    ]);
    await database.owner`update saccos set state = 'pending' where id = ${id}`;
  });

  test('nobody registers a sacco in another person’s name', async () => {
    const made = await app.call('POST', '/sacco/create', {
      as: founder,
      ...form(fields('Theirs', 'CS/2002', visitor)),
    });
    expect(made).toMatchObject({ status: 403, body: { message: 'You register a sacco in your own name only.' } });
  });

  test('a name and a registration number are registered once, whatever their spelling', async () => {
    const name = await app.call('POST', '/sacco/create', {
      as: founder,
      ...form(fields('BODA  boda sacco', 'CS/2003')),
    });
    expect(name).toMatchObject({
      status: 409,
      body: { code: 'sacco_name_taken', errors: { name: expect.any(Array) } },
    });
    const number = await app.call('POST', '/sacco/create', { as: founder, ...form(fields('Another', 'cs 2001')) });
    expect(number.body.errors).toEqual({
      reg_no: ['A sacco with that registration number is already registered.'],
    });
  });

  test('a name that looks like a registered one, or like an authority’s, is refused under its field', async () => {
    const attempt = (name: string) =>
      app.call('POST', '/sacco/create', { as: visitor, ...form(fields(name, 'CS/2009', visitor)) });
    expect(await attempt('B0da Bod\u00e2 Sacc0.')).toMatchObject({
      status: 409,
      body: { code: 'sacco_name_taken', errors: { name: [expect.stringMatching(/looks the same/)] } },
    });
    // A sign that nobody sees is left out of a name: it is the registered one.
    expect(await attempt('Boda\u200b Boda Sacco')).toMatchObject({
      status: 409,
      body: { code: 'sacco_name_taken', errors: { name: [expect.any(String)] } },
    });
    expect(await attempt('S.A.S.R.A Approved Sacco')).toMatchObject({
      status: 400,
      body: { code: 'validation_failed', errors: { name: [expect.stringMatching(/an authority’s/)] } },
    });
  });

  test('two who register names that look alike at once: one is registered', async () => {
    const attempt = (name: string, regNo: string) =>
      database.transaction((tx) => registerSacco(tx, as(visitor), { ...TERMS, name, regNo, logo: null }));
    const outcomes = await Promise.allSettled([attempt('Pacha Sacco', 'CS/2231'), attempt('Pacha Sacc0', 'CS/2232')]);
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  });

  test('nobody takes an office up under an operator’s name, in whatever letters', async () => {
    await database.sql`insert into operators (user_id, granted_at) values (${second}, ${database.now()})
                       on conflict do nothing`;
    const attempt = database.transaction((tx) =>
      registerSacco(tx, as(namesake), { ...TERMS, name: 'Namesake Sacco', regNo: 'CS/2240', logo: null }),
    );
    await expect(attempt).rejects.toMatchObject({
      code: 'validation_failed',
      details: { errors: { first_name: [expect.any(Sentence)] } },
    });
  });

  test('two who register the same name at once: one is registered', async () => {
    const attempt = () =>
      database.transaction((tx) =>
        registerSacco(tx, as(visitor), { ...TERMS, name: 'Twins Sacco', regNo: 'CS/2222', logo: null }),
      );
    const outcomes = await Promise.allSettled([attempt(), attempt()]);
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  });

  test('a form without its fields is refused with a sentence for each', async () => {
    const made = await app.call('POST', '/sacco/create', { as: founder, ...form({ name: 'Only a name' }) });
    expect(made.status).toBe(400);
    expect(Object.keys(made.body.errors).sort()).toEqual(
      ['created_by', 'description', 'min_shares', 'reg_fee', 'reg_no', 'share_value'].sort(),
    );
  });

  test('a sixth application waits until one of five is decided, be it new or submitted again', async () => {
    const terms = (count: number) => ({ ...TERMS, name: `Eager ${count}`, regNo: `EA/${count}` });
    const apply = (count: number) =>
      database.transaction((tx) => registerSacco(tx, as(second), { ...terms(count), logo: null }));
    const decide = (saccoId: string, by = operator) =>
      database.transaction((tx) => rejectSacco(tx, as(by), { saccoId, reason: 'No by-laws.' }));
    const again = (saccoId: string) =>
      database.transaction((tx) => resubmitSacco(tx, as(second), { ...terms(1), saccoId }));
    const [{ id }, other] = [await apply(1), await apply(2)];
    for (const count of [3, 4, 5]) await apply(count);
    await expect(apply(6)).rejects.toMatchObject({ code: 'sacco_state_conflict' });
    await decide(id);
    await apply(6);
    await expect(again(id)).rejects.toMatchObject({ code: 'sacco_state_conflict' });
    await decide(other.id);
    await again(id);
    // One operator rejects a sacco once.
    await expect(decide(id)).rejects.toMatchObject({ code: 'second_operator_required' });
    const byHand = database.owner`
      insert into sacco_state_changes (id, sacco_id, from_state, to_state, changed_by, changed_at)
      values (${database.newId()}, ${id}, 'pending', 'rejected', ${operator}, ${database.now()})`;
    await expect(byHand).rejects.toThrow('that operator has rejected the sacco before');
    await decide(id, founder);
  });
});

describe('a logo', () => {
  const refused = { code: 'logo_not_accepted' };

  test('an SVG that calls itself a PNG is refused', async () => {
    await expect(
      redrawLogo(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>')),
    ).rejects.toMatchObject(refused);
  });

  test('a page of HTML is refused, and so is a PNG that breaks off', async () => {
    await expect(redrawLogo(Buffer.from('<!doctype html><script>1</script>'))).rejects.toMatchObject(refused);
    const png = await sharp({ create: { width: 64, height: 64, channels: 3, background: 'red' } })
      .png()
      .toBuffer();
    await expect(redrawLogo(png.subarray(0, 40))).rejects.toMatchObject(refused);
  });

  test('a small file that unfolds into gigabytes is refused before it is decoded', async () => {
    const bomb = await sharp({ create: { width: 12_000, height: 12_000, channels: 3, background: 'black' } })
      .png({ compressionLevel: 9 })
      .toBuffer();
    expect(bomb.length).toBeLessThan(2 * 1024 * 1024);
    await expect(redrawLogo(bomb)).rejects.toMatchObject(refused);
  });

  test('what hangs behind the picture is not kept', async () => {
    const jpeg = await sharp({ create: { width: 80, height: 40, channels: 3, background: 'green' } })
      .jpeg()
      .toBuffer();
    const tail = Buffer.from('PK\x03\x04<script>alert(1)</script>');
    const { webp } = await redrawLogo(Buffer.concat([jpeg, tail]));
    expect(webp.includes(tail)).toBe(false);
    expect((await sharp(webp).metadata()).format).toBe('webp');
  });

  test('a flood of pictures waits in a line of bounded length, and who comes after is told to come again', async () => {
    const picture = await sharp({ create: { width: 8, height: 8, channels: 3, background: 'green' } })
      .png()
      .toBuffer();
    const { refused } = drawingFigures();
    const drawing = Array.from({ length: 24 }, () => redrawLogo(picture));
    expect(drawingFigures()).toEqual({ waiting: 20, refused: refused + 2 });
    const outcomes = await Promise.allSettled(drawing);
    const told = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []));
    expect(told.map(({ code, details }) => [code, details.retryAfterSeconds])).toEqual([
      ['unavailable', 5],
      ['unavailable', 5],
    ]);
    expect(drawingFigures().waiting).toBe(0);
  });

  test('more than 2 MB is refused', async () => {
    await expect(redrawLogo(Buffer.alloc(2 * 1024 * 1024 + 1, 0x89))).rejects.toMatchObject(refused);
  });
});

describe('the states of a sacco', () => {
  test('an operator activates, suspends and reinstates it; each step is kept with who and why', async () => {
    const id = await saccos.sacco(founder, operator);
    const act = { saccoId: id, reason: 'Complaints.' };
    database.world.advance(1000);
    await database.transaction((tx) => suspendSacco(tx, as(operator), act));
    await expect(database.transaction((tx) => suspendSacco(tx, as(operator), act))).rejects.toMatchObject({
      code: 'sacco_state_conflict',
      message: 'The sacco is suspended: only one that is active can become suspended.',
    });
    database.world.advance(1000);
    await database.transaction((tx) => reinstateSacco(tx, as(second), { saccoId: id, reason: 'Settled.' }));
    const changes = await database.sql`
      select from_state, to_state, reason from sacco_state_changes where sacco_id = ${id} order by changed_at, id`;
    expect(changes.slice(-4).map((row) => `${row.from_state} ${row.to_state} ${row.reason}`)).toEqual([
      'null pending null',
      'pending active Checked.',
      'active suspended Complaints.',
      'suspended active Settled.',
    ]);
  });

  test('nobody activates a sacco of their own', async () => {
    const { id } = await database.transaction((tx) =>
      registerSacco(tx, as(operator), { ...TERMS, name: 'Own Sacco', regNo: 'CS/3001', logo: null }),
    );
    const input = { saccoId: id, reason: 'Mine.', strict: false };
    await expect(database.transaction((tx) => activateSacco(tx, as(operator), input))).rejects.toMatchObject({
      code: 'not_allowed',
    });
  });

  test('a rejected sacco is hidden, gives its name back, and can be submitted again by its founder', async () => {
    const { id } = await database.transaction((tx) =>
      registerSacco(tx, as(founder), { ...TERMS, name: 'Harambee Sacco', regNo: 'CS/3002', logo: null }),
    );
    await app.call('PUT', `/operator/saccos/${id}/checklist/authorisation`, {
      as: operator,
      body: { note: 'Seen the original.', sasra_number: 'SASRA/66' },
    });
    await database.transaction((tx) => rejectSacco(tx, as(operator), { saccoId: id, reason: 'No by-laws.' }));
    expect((await app.call('GET', `/sacco/${id}`)).status).toBe(404);
    const own = await app.call('GET', `/sacco/${id}`, { as: founder });
    expect(own.body.application).toMatchObject({ state: 'rejected', reason: 'No by-laws.' });
    const { created_by: _, ...terms } = fields('Harambee Sacco', 'CS/3002');
    expect((await app.call('POST', `/sacco/${id}/resubmission`, { as: visitor, body: terms })).status).toBe(404);
    const again = await app.call('POST', `/sacco/${id}/resubmission`, { as: founder, body: terms });
    expect(again).toMatchObject({ status: 200, body: { sacco: { status: 'inactive', min_shares: 20 } } });
    // What was seen for the first application, SASRA's number too, is not said of the second.
    expect((await app.call('GET', `/sacco/${id}`)).body.sasra_number).toBeNull();
    const twice = await app.call('POST', `/sacco/${id}/resubmission`, { as: founder, body: terms });
    expect(twice).toMatchObject({ status: 409, body: { code: 'sacco_state_conflict' } });
  });

  test('strictly, every point must be met and a second operator must say so too', async () => {
    const id = await strictSacco();
    const activate = (userId: string) =>
      database.transaction((tx) => activateSacco(tx, as(userId), { saccoId: id, reason: 'All seen.', strict: true }));
    await expect(activate(operator)).rejects.toMatchObject({
      message: expect.stringContaining('The by-laws have been seen'),
    });
    for (const point of POINTS_BY_HAND) {
      const noted = await app.call('PUT', `/operator/saccos/${id}/checklist/${point}`, {
        as: operator,
        body: { note: 'Seen the original.', ...(point === 'authorisation' ? { sasra_number: 'SASRA/77' } : {}) },
      });
      expect(noted.status).toBe(200);
    }
    expect((await activationChecklist(database, id)).filter(({ met }) => !met)).toEqual([]);
    expect(await activate(operator)).toEqual({ state: 'pending', isWaitingForSecond: true, open: [] });
    await expect(activate(operator)).rejects.toMatchObject({ code: 'second_operator_required' });
    expect(await activate(second)).toEqual({ state: 'active', isWaitingForSecond: false, open: [] });
    expect((await app.call('GET', `/sacco/${id}`)).body.sasra_number).toBe('SASRA/77');
  });

  test('activated with open points it says which to its officials, members and operators, and to nobody else', async () => {
    const [chair, member] = await Promise.all([people.person('Chair'), people.person('Member')]);
    const { id } = await database.transaction((tx) =>
      registerSacco(tx, as(chair), { ...TERMS, name: 'Wazi Sacco', regNo: 'CS/3004', logo: null }),
    );
    const seen = { note: 'Seen the original.' };
    for (const point of POINTS_BY_HAND) {
      if (point === 'kra_pin' || point === 'test_deposit') continue;
      await app.call('PUT', `/operator/saccos/${id}/checklist/${point}`, { as: operator, body: seen });
    }
    await database.transaction((tx) =>
      activateSacco(tx, as(operator), { saccoId: id, reason: 'The PIN comes.', strict: false }),
    );
    // A point that is seen later was open all the same.
    await app.call('PUT', `/operator/saccos/${id}/checklist/kra_pin`, { as: operator, body: seen });
    await people.member(id, member);
    const open = async (reader: object) => (await app.call('GET', `/sacco/${id}`, reader)).body.open_at_activation;
    const labels = [
      'At least 3 officials, a chair, a secretary and a treasurer among them',
      'Every official has confirmed a phone number by SMS code',
      'The KRA PIN has been seen',
      'A test deposit of Ksh. 1 arrived',
    ];
    for (const reader of [chair, member, operator]) expect(await open({ as: reader })).toEqual(labels);
    expect([await open({ as: visitor }), await open({})]).toEqual([[], []]);
  });

  test('an operator names an official only soon after the password, and no name is kept without it', async () => {
    const { id } = await database.transaction((tx) =>
      registerSacco(tx, as(visitor), { ...TERMS, name: 'Named Sacco', regNo: 'CS/3009', logo: null }),
    );
    const name = () =>
      app.call('POST', `/sacco/${id}/officials`, {
        as: operator,
        body: { id_number: '88888888', office: 'secretary' },
      });
    const entered = (ago: string) =>
      database.owner`
        update sessions set proven_at = ${database.now()}::timestamptz - ${ago}::interval where user_id = ${operator}`;
    await entered('1 hour');
    expect((await name()).body.code).toBe('proof_required');
    expect(await database.owner`select from office_invitations where sacco_id = ${id}`).toHaveLength(0);
    await entered('1 minute');
    expect((await name()).status).toBe(201);
  });

  async function strictSacco(): Promise<string> {
    const { id } = await database.transaction((tx) =>
      registerSacco(tx, as(founder), { ...TERMS, name: 'Strict Sacco', regNo: 'CS/3003', logo: null }),
    );
    const [one, two] = await Promise.all([official('22222222'), official('33333333')]);
    await database.sql`update users set phone_confirmed_at = ${database.now()} where id in (${founder}, ${one}, ${two})`;
    const name = (idNumber: string, office: string) =>
      app.call('POST', `/sacco/${id}/officials`, { as: founder, body: { id_number: idNumber, office } });
    expect((await name('22222222', 'chair')).body.message).toBe('The office of chair is already held.');
    for (const [idNumber, userId, office] of [
      ['22222222', one, 'secretary'],
      ['33333333', two, 'treasurer'],
    ] as const) {
      const named = await name(idNumber, office);
      expect([named.status, named.body.official]).toEqual([201, { office, state: 'asked' }]);
      expect(JSON.stringify(named.body)).not.toContain('Official');
      expect((await accept(userId, await codeFor(userId))).body.office).toBe(office);
    }
    return id;
  }

  /** The code of the SMS that the job sends. */
  async function codeFor(userId: string): Promise<string> {
    const [user] = await database.sql<{ id_number: string }[]>`select id_number from users where id = ${userId}`;
    await sendOfficeInvitation(database, { id: await invitationOf(user?.id_number ?? '') });
    const [sent] = await database.sql<{ text: string }[]>`
      select text from sms_messages where user_id = ${userId} and template = 'office_code' order by created_at desc, id desc`;
    return /[0-9A-Z]{4}(-[0-9A-Z]{4}){3}/.exec(sent?.text ?? '')?.[0] ?? '';
  }

  async function invitationOf(idNumber: string): Promise<string | undefined> {
    const [row] = await database.sql<{ id: string }[]>`
      select id from office_invitations where id_number = ${idNumber} and code_hash is null`;
    return row?.id;
  }

  /** With a confirmed phone: nobody takes an office up without. */
  async function accept(userId: string, code: string) {
    await database.owner`update users set phone_confirmed_at = ${database.now()} where id = ${userId}`;
    const [invitation] = (await app.call('GET', '/client/office-invitations', { as: userId })).body.results;
    return app.call('POST', `/client/office-invitations/${invitation?.id}/acceptance`, { as: userId, body: { code } });
  }

  test('a founder takes an office while somebody else is of the supervisory committee', async () => {
    const { id } = await database.transaction((tx) =>
      registerSacco(tx, as(founder), { ...TERMS, name: 'Watched Sacco', regNo: 'CS/3132', logo: null }),
    );
    const watching = await official('77777711');
    const name = (idNumber: string, office: string) =>
      app.call('POST', `/sacco/${id}/officials`, { as: founder, body: { id_number: idNumber, office } });
    await name('77777711', 'supervisory_committee');
    expect((await accept(watching, await codeFor(watching))).status).toBe(200);
    const [own] = await database.owner`select id_number from users where id = ${founder}`;
    const named = await name(own?.id_number, 'treasurer');
    expect([named.status, named.body.official]).toEqual([201, { office: 'treasurer', state: 'recorded' }]);
  });

  test('nobody becomes an official without a hand of their own in it, and naming tells nothing of who is here', async () => {
    const { id } = await database.transaction((tx) =>
      registerSacco(tx, as(founder), { ...TERMS, name: 'Asked Sacco', regNo: 'CS/3131', logo: null }),
    );
    const asked = await official('55555555');
    const name = (idNumber: string, office = 'secretary') =>
      app.call('POST', `/sacco/${id}/officials`, { as: founder, body: { id_number: idNumber, office } });
    const [here, nobody] = [await name('55555555'), await name('66666666')];
    expect(nobody.body).toEqual(here.body);
    expect(nobody.status).toBe(here.status);
    const read = async () => (await app.call('GET', `/sacco/${id}`, { as: founder })).body.officials.length;
    expect(await read()).toBe(1);
    // Whoever signs up after the job has looked is sent no code, so that nothing is shown that cannot be accepted.
    await sendOfficeInvitation(database, { id: await invitationOf('66666666') });
    const late = await official('66666666');
    expect((await app.call('GET', '/client/office-invitations', { as: late })).body.results).toEqual([]);
    const code = await codeFor(asked);
    const [row] =
      await database.owner`select to_jsonb(i)::text as text from office_invitations i where code_hash is not null`;
    expect(row?.text).not.toContain(code.replaceAll('-', ''));
    expect((await accept(asked, 'AAAA-AAAA-AAAA-AAAA')).body.code).toBe('otp_not_accepted');
    expect((await accept(founder, code)).status).toBe(404);
    expect(await read()).toBe(1);
    expect((await accept(asked, code.toLowerCase())).status).toBe(200);
    expect(await read()).toBe(2);
    expect((await accept(asked, code)).status).toBe(404);
    expect((await name('55555555')).body.message).toBe('The office of secretary is already held.');
    // The database itself lets nobody put somebody else into an office.
    const byHand = asPerson({ userId: founder }, () =>
      database.transaction(
        (tx) => tx.sql`
          insert into offices (id, sacco_id, user_id, office, since, until, recorded_by)
          values (${tx.newId()}, ${id}, ${asked}, 'treasurer', ${tx.now}, ${new Date('2030-01-01')}, ${founder})`,
      ),
    );
    await expect(byHand).rejects.toThrow('row-level security');
    // Ten a day: each may send somebody an SMS.
    for (let time = 0; time < 8; time += 1) expect((await name(`7777777${time}`, 'treasurer')).status).toBe(201);
    expect((await name('77777779', 'treasurer')).body.code).toBe('too_many_requests');
  });

  async function official(idNumber: string): Promise<string> {
    const id = database.newId();
    const now = database.now();
    await database.sql`
      insert into users (id, id_number, first_name, last_name, phone, recovery_phone, email, password_hash,
                         password_changed_at, created_at, updated_at)
      values (${id}, ${idNumber}, 'Official', ${idNumber}, ${`25471${idNumber}`.slice(0, 12)},
              ${`25471${idNumber}`.slice(0, 12)}, ${`o${idNumber}@example.com`}, '$argon2id$none', ${now}, ${now}, ${now})`;
    return id;
  }
});

describe('the list of saccos', () => {
  test('pages by cursor in every order, forwards and back, repeating and skipping nothing', async () => {
    for (const [index, name] of [
      'Tumaini',
      'tumaini West',
      'Tumaini East',
      'Tumaini 9',
      'Tumaini ñ',
      'TUMAINI a',
    ].entries()) {
      const { id } = await database.transaction((tx) =>
        registerSacco(tx, as(visitor), {
          ...TERMS,
          name,
          regNo: `TU/${index}`,
          logo: null,
        }),
      );
      await database.transaction((tx) =>
        activateSacco(tx, as(operator), { saccoId: id, reason: 'Checked.', strict: false }),
      );
      await database.sql`update sacco_figures set members = ${name.length % 3} where sacco_id = ${id}`;
    }
    for (const sort of ['name', 'newest', 'members']) {
      const seen: string[] = [];
      let path: string | null = `/sacco/list?name=tumaini&sort=${sort}&limit=2`;
      let last = '';
      while (path) {
        const page = await app.call('GET', path.replace(`${publicUrl}/api/v1`, ''));
        expect(page.status).toBe(200);
        expect(page.body.count).toBe(6);
        seen.push(...page.body.results.map((row: { id: string }) => row.id));
        last = path;
        path = page.body.next;
      }
      expect(new Set(seen).size).toBe(6);
      const back: string[] = [];
      path = last;
      while (path) {
        const page = await app.call('GET', path.replace(`${publicUrl}/api/v1`, ''));
        back.unshift(...page.body.results.map((row: { id: string }) => row.id));
        path = page.body.previous;
      }
      expect(back).toEqual(seen);
    }
  });

  test('finds names by parts of words, in any case; one and two letters find beginnings of words', async () => {
    const names = async (name: string) =>
      (await app.call('GET', `/sacco/list?name=${encodeURIComponent(name)}&limit=50`)).body.results.map(
        (row: { name: string }) => row.name,
      );
    expect(await names('boda SACC')).toEqual(['Boda Boda Sacco']);
    expect(await names('oda')).toEqual(['Boda Boda Sacco']);
    expect(await names('we')).toEqual(['tumaini West']);
    expect(await names('%')).toEqual([]);
    expect(await names('no such sacco')).toEqual([]);
  });

  test('lists one’s own saccos only, and never other people’s ids', async () => {
    const id = await saccos.sacco(founder, operator);
    await saccos.join(id, visitor);
    const own = await app.call('GET', `/sacco/list?member=${visitor}`, { as: visitor });
    expect(own.body).toMatchObject({
      count: 1,
      results: [{ id, is_member: true, members: 1, members_list: [visitor] }],
    });
    const others = await app.call('GET', `/sacco/list?member=${visitor}`, { as: founder });
    expect(others).toMatchObject({ status: 403, body: { message: 'You can list your own saccos only.' } });
    expect((await app.call('GET', `/sacco/list?member=${visitor}`)).status).toBe(403);
    const seenByFounder = await app.call('GET', `/sacco/${id}`, { as: founder });
    expect(seenByFounder.body).toMatchObject({ members: 1, members_list: [], is_member: false });
  });

  test('counts by status are those of the table, and so are the public figures', async () => {
    for (const status of ['active', 'inactive']) {
      const listed = await app.call('GET', `/sacco/list?status=${status}`);
      const [row] = await database.sql`
        select count(*)::int as count from saccos where status = ${status} and state <> 'rejected'`;
      expect(listed.body.count).toBe(row?.count);
    }
    const figures = await app.call('GET', '/public/figures');
    const [active] = await database.sql`select count(*)::int as count from saccos where state = 'active'`;
    expect(figures.body).toEqual({
      saccos: active?.count,
      members: 1,
      shillings_in_books: 0,
      last_entry_at: null,
      market: { shares_traded: 0, turnover: 0, trades: 0, markets_open: active?.count },
    });
    await saccos.fund(visitor, 250_00);
    expect((await app.call('GET', '/public/figures')).body).toMatchObject({
      shillings_in_books: 250,
      last_entry_at: database.now().toISOString(),
    });
  });

  test('what members traded among themselves is told for all saccos together', async () => {
    await database.sql`
      update markets set shares_traded = 40, turnover_cents = 4120_50, trades = 3
      where sacco_id = (select id from saccos order by id limit 1)`;
    await database.sql`
      update markets set shares_traded = 2, turnover_cents = 180_00, trades = 1
      where sacco_id = (select id from saccos order by id offset 1 limit 1)`;
    expect((await app.call('GET', '/public/figures')).body.market).toMatchObject({
      shares_traded: 42,
      turnover: 4300.5,
      trades: 4,
    });
  });

  test('text that no table can hold is refused with a sentence', async () => {
    const searched = await app.call('GET', '/sacco/list?name=a%00b');
    expect(searched).toMatchObject({ status: 400, body: { code: 'validation_failed' } });
    const named = await app.call('POST', '/sacco/create', { as: founder, ...form(fields('Null\0 Sacco', 'CS/9001')) });
    expect(named.body.errors.name).toEqual(['A name has characters that cannot be seen. Type it anew.']);
  });

  test('what the list does not know in its address is no fault', async () => {
    expect((await app.call('GET', '/sacco/list?page=2&name=')).status).toBe(200);
  });

  test('a cursor that is none of ours is refused', async () => {
    const answer = await app.call('GET', '/sacco/list?cursor=abc');
    expect(answer).toMatchObject({ status: 400, body: { errors: { cursor: ['That cursor is not one of ours.'] } } });
  });

  test('one sacco is read with its officials, terms and figures', async () => {
    const id = await saccos.sacco(founder, operator, { name: 'Figures Sacco' });
    const read = await app.call('GET', `/sacco/${id}`);
    expect(read.body).toMatchObject({
      name: 'Figures Sacco',
      officials: [{ name: 'Wanjiru Kamau', office: 'chair' }],
      officials_lack: 'second_official',
      parameters: { reg_fee: 500, min_shares: 10, share_value: 100, exit_days: 60 },
      figures: { members: 0, shares_issued: 0, share_capital: 0, money_held: 0, overdue_refunds: 0 },
      application: null,
      sasra_number: null,
    });
    const lack = async () => (await app.call('GET', `/sacco/${id}`)).body.officials_lack;
    await testPeople(database).official(id, visitor, 'treasurer');
    expect(await lack()).toBeNull();
    await database.owner`update offices set ended_at = ${database.now()} where sacco_id = ${id} and office = 'chair'`;
    expect(await lack()).toBe('second_official');
    await testPeople(database).official(id, namesake, 'secretary');
    expect(await lack()).toBe('chair');
    await database.owner`update offices set ended_at = ${database.now()} where sacco_id = ${id} and ended_at is null`;
    expect(await lack()).toBe('officials');
    expect((await app.call('GET', `/sacco/${database.newId()}`)).status).toBe(404);
  });

  test('a member reads from when on they may rate it; its officials and strangers never', async () => {
    const id = await saccos.sacco(founder, operator, { name: 'Rated Sacco' });
    const joinedAt = new Date('2026-03-02T09:00:00Z');
    for (const person of [visitor, founder]) await saccos.join(id, person, joinedAt);
    const from = async (as?: string) => (await app.call('GET', `/sacco/${id}`, as ? { as } : {})).body.rates_from;
    expect(await from(visitor)).toBe('2026-05-31T09:00:00.000Z');
    expect([await from(founder), await from(namesake), await from()]).toEqual([null, null, null]);
  });
});

test('a rating of few is drawn toward 3.0', () => {
  expect(ratingScore(0, 0)).toBe(3);
  expect(ratingScore(5, 1)).toBe(3.18);
  expect(ratingScore(450, 100)).toBe(4.36);
});

test('a search takes its own percent signs to the letter', () => {
  expect(namePatterns('  Umoja 5%_ ')).toEqual([['%umoja%'], ['%5\\%\\_%']]);
  expect(namePatterns('')).toEqual([]);
});
