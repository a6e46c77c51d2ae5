import { operatorContract } from '@ushirika/contract/operator';
import { proposalsContract } from '@ushirika/contract/proposals';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { type TestDatabase, testDatabase } from '../../db/test-database.ts';
import { testPeople } from '../../db/test-people.ts';
import { logsHealth, waiting } from '../../domains.ts';
import { testApp } from '../../http/test-app.ts';
import { lapseSuspensions } from '../saccos/lapse-suspensions.ts';
import { tellOfSuspensions } from '../saccos/tell-of-suspensions.ts';
import { operatorRoutes } from './operator.routes.ts';
import { signedIn } from './test-operators.ts';

/*
 * One operator suspends a sacco for 14 days, another upholds it (docs/decisions/200).
 */

let database: TestDatabase;
let people: ReturnType<typeof testPeople>;
let app: Awaited<ReturnType<typeof testApp>>;
/** Suspends. */
let asha: string;
let second: string;
let third: string;
let founder: string;
let chair: string;
let treasurer: string;
let sacco: string;

const DAY = 86_400_000;
const reason = 'Members say that money is missing';

beforeAll(async () => {
  database = await testDatabase();
  people = testPeople(database);
  [asha, second, third] = [await people.person('Asha'), await people.person('Second'), await people.person('Third')];
  [founder, chair] = [await people.person('Founder'), await people.person('Chair')];
  treasurer = await people.person('Treasurer');
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
    operators: [asha, second, third],
  });
});
afterAll(async () => {
  await app.close();
  await database.close();
});

let saccos = 0;
beforeEach(async () => {
  saccos += 1;
  // One operator alone keeps three suspended at a time.
  await database.owner`
    update sacco_suspensions set ended_at = ${database.now()}, ended_because = 'reinstated' where ended_at is null`;
  sacco = await people.sacco(`Umoja ${saccos} Sacco`, founder);
  await people.official(sacco, chair, 'chair');
  await people.official(sacco, treasurer, 'treasurer');
});

const post = async (as: string, path: string) => {
  database.world.advance(1);
  await signedIn(database, as);
  return app.call('POST', path, { as, body: { reason } });
};
const suspend = (as: string) => post(as, `/operator/saccos/${sacco}/suspension`);
const uphold = (as: string, id = sacco) => post(as, `/operator/saccos/${id}/suspension-upholding`);
const reinstate = (as: string) => post(as, `/operator/saccos/${sacco}/reinstatement`);
const proposal = async () => {
  const [row] = await database.owner<{ id: string }[]>`
    select id from operator_proposals where about_id = ${sacco} order by proposed_at desc, id desc limit 1`;
  return `/operator/proposals/${row?.id}`;
};
const pass = async (ms: number) => {
  database.world.advance(ms);
  await lapseSuspensions(database);
};
const state = async () => {
  const [row] = await database.owner<{ state: string }[]>`select state from saccos where id = ${sacco}`;
  return row?.state;
};
const shown = async (as: string) => {
  const { body } = await app.call('GET', `/operator/saccos?search=umoja%20${saccos}`, { as });
  return body.results.find(({ id }: { id: string }) => id === sacco)?.suspension;
};
const told = async (userId: string) => {
  const rows = await database.owner<{ template: string; text: string }[]>`
    select template, text from notifications where user_id = ${userId} and text like ${`Umoja ${saccos} Sacco%`}
    order by created_at, id`;
  return rows;
};

test('one operator alone stops a sacco for 14 days at most', async () => {
  expect((await suspend(asha)).body.message).toBe(
    'The sacco is suspended for 14 days. It stays so only if another operator upholds it.',
  );
  await pass(14 * DAY - 1);
  expect(await state()).toBe('suspended');
  await pass(1);
  expect(await state()).toBe('active');
  expect(
    await database.owner`select ended_because, upheld_by from sacco_suspensions where sacco_id = ${sacco}`,
  ).toEqual([{ ended_because: 'lapsed', upheld_by: null }]);
  const [last] = await database.owner`
    select to_state, changed_by from sacco_state_changes where sacco_id = ${sacco} order by id desc limit 1`;
  expect(last).toEqual({ to_state: 'active', changed_by: null });
});

test('a suspension that lapses ends once, however often the job runs, also at once', async () => {
  await suspend(asha);
  database.world.advance(14 * DAY);
  // Both have seen that it is due before either holds the sacco's lock.
  const both = await database.owner.begin(async (sql) => {
    await sql`select from sacco_figures where sacco_id = ${sacco} for update`;
    const running = [lapseSuspensions(database), lapseSuspensions(database)];
    await vi.waitFor(async () => {
      const [row] = await database.owner<{ waiting: number }[]>`
        select count(*)::int as waiting from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`;
      expect(row?.waiting).toBe(2);
    });
    return running;
  });
  await Promise.all(both);
  await lapseSuspensions(database);
  const changes = await database.owner`
    select from sacco_state_changes where sacco_id = ${sacco} and to_state = 'active'`;
  expect([await state(), changes.length]).toEqual(['active', 1]);
  expect((await told(chair)).map(({ template }) => template)).toEqual(['sacco_suspended', 'sacco_active']);
});

test('within 90 days after a suspension ended, one operator only proposes another, and nothing stops', async () => {
  await suspend(asha);
  await pass(14 * DAY);
  const { status, body } = await suspend(asha);
  expect([status, body.message, body.sacco]).toEqual([
    200,
    'Nothing has changed yet: a second operator must confirm it, since the sacco was suspended in the last 90 days, or since you have suspended 3 that nobody upheld.',
    { id: sacco, state: 'active' },
  ]);
  expect(await state()).toBe('active');
  expect((await suspend(second)).body.code).toBe('second_operator_required');
  expect((await post(asha, `${await proposal()}/confirmation`)).body.code).toBe('second_operator_required');
  await pass(90 * DAY - 1_000);
  expect((await suspend(asha)).body.sacco.state).toBe('active');
  await pass(1_000);
  await post(asha, `${await proposal()}/refusal`);
  expect((await suspend(asha)).body.sacco.state).toBe('suspended');
});

test('what comes to light within those 90 days stops the sacco once a second operator confirms: it stands until two end it', async () => {
  await suspend(asha);
  await pass(14 * DAY);
  await suspend(asha);
  expect((await post(second, `${await proposal()}/confirmation`)).body.proposal).toMatchObject({ state: 'done' });
  await pass(40 * DAY);
  expect(await state()).toBe('suspended');
  expect(await shown(third)).toMatchObject({
    suspended_by: { id: asha },
    upheld_by: { id: second },
    upheld_reason: reason,
    lapses_at: null,
  });
  const { template, text } = (await told(treasurer)).at(-1) ?? {};
  expect([template, text]).toEqual([
    'sacco_suspended',
    `Umoja ${saccos} Sacco is suspended. Read why on its page. Joining, buying, selling, saving and new loans have stopped. You can still repay, withdraw and vote. Two operators agreed on it, and it stands until two operators end it.`,
  ]);
});

test('an operator who is a member of the sacco neither confirms nor refuses that it is suspended again', async () => {
  await suspend(asha);
  await pass(14 * DAY);
  await suspend(asha);
  await people.member(sacco, second);
  const { body: list } = await app.call('GET', '/operator/proposals', { as: second });
  expect(list.results.at(-1)?.actions).toEqual([]);
  for (const act of ['confirmation', 'refusal']) {
    expect((await post(second, `${await proposal()}/${act}`)).body.code).toBe('not_allowed');
  }
  expect(await state()).toBe('active');
});

test('who suspended it cannot do so alone as soon as two operators have reinstated it', async () => {
  await suspend(asha);
  await reinstate(second);
  expect((await post(third, `${await proposal()}/confirmation`)).body.proposal.state).toBe('done');
  expect((await suspend(asha)).body.sacco.state).toBe('active');
  expect(await state()).toBe('active');
  const rows = await database.owner`select ended_because from sacco_suspensions where sacco_id = ${sacco}`;
  expect(rows).toEqual([{ ended_because: 'reinstated' }]);
});

test('of two operators who suspend it at the same moment one does, and the other is refused', async () => {
  for (const each of [asha, second]) await signedIn(database, each);
  const path = `/operator/saccos/${sacco}/suspension`;
  const both = await Promise.all([asha, second].map((as) => app.call('POST', path, { as, body: { reason } })));
  expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
  expect(await database.owner`select from sacco_suspensions where sacco_id = ${sacco}`).toHaveLength(1);
});

test('a second operator upholds it: then it stands until two operators reinstate it', async () => {
  await suspend(asha);
  const { body } = await uphold(second);
  expect([body.message, body.sacco]).toEqual([
    'Upheld. The sacco stays suspended until two operators reinstate it.',
    { id: sacco, state: 'suspended' },
  ]);
  expect((await app.call('GET', '/operator/actions', { as: third })).body.results[0]).toMatchObject({
    action: 'sacco_suspension_upheld',
    reason,
  });
  await pass(40 * DAY);
  expect(await state()).toBe('suspended');
  expect((await uphold(third)).body).toMatchObject({
    code: 'sacco_state_conflict',
    message: 'It has been upheld already.',
  });
});

test('who suspended it does not uphold it; nor does a member, the founder or an official of it', async () => {
  await suspend(asha);
  expect((await uphold(asha)).body.code).toBe('second_operator_required');
  await people.member(sacco, second);
  expect((await shown(second)).may_uphold).toBe(false);
  expect((await uphold(second)).body).toMatchObject({
    code: 'not_allowed',
    message: 'Another operator must decide about a sacco of yours.',
  });
  expect((await uphold(third)).status).toBe(200);
});

test('nobody upholds a sacco that is active, or whose 14 days are over, or that does not exist', async () => {
  expect((await uphold(second)).body.message).toBe('This sacco is not suspended.');
  await suspend(asha);
  database.world.advance(14 * DAY);
  expect((await uphold(second)).body.code).toBe('sacco_state_conflict');
  expect((await uphold(second, '01900000-0000-7000-8000-00000000dead')).status).toBe(404);
});

test('nobody upholds with a password that was entered long ago', async () => {
  await suspend(asha);
  await signedIn(database, second);
  database.world.advance(16 * 60_000);
  const path = `/operator/saccos/${sacco}/suspension-upholding`;
  expect((await app.call('POST', path, { as: second, body: { reason } })).body.code).toBe('proof_required');
});

test('nobody closes what another proposed about a sacco: who suspended or upheld it, and any third operator, only confirms it', async () => {
  await suspend(asha);
  await reinstate(second);
  for (const other of [asha, third]) {
    const { body: list } = await app.call('GET', '/operator/proposals', { as: other });
    expect(list.results.at(-1)?.actions).toEqual(['confirm']);
    const refused = await post(other, `${await proposal()}/refusal`);
    expect([refused.status, refused.body.message]).toEqual([
      403,
      'Only who proposed it takes it back. Leave it: without a second operator it lapses after seven days.',
    ]);
  }
  expect((await post(asha, `${await proposal()}/confirmation`)).status).toBe(200);
  expect(await state()).toBe('active');
});

test('who proposed it takes it back; once they are no operator any more, anybody else does', async () => {
  await suspend(asha);
  await reinstate(second);
  expect((await post(second, `${await proposal()}/refusal`)).body.proposal.state).toBe('withdrawn');
  await reinstate(second);
  await database.owner`update operators set revoked_at = ${database.now()} where user_id = ${second}`;
  const { body: list } = await app.call('GET', '/operator/proposals', { as: third });
  expect(list.results.at(-1)?.actions).toEqual(['refuse']);
  expect((await post(third, `${await proposal()}/refusal`)).body.proposal.state).toBe('refused');
  await database.owner`update operators set revoked_at = null where user_id = ${second}`;
});

test('members read the reason on every page, so it sends nobody to a web address or a phone', async () => {
  await signedIn(database, asha);
  const traps = {
    'Pay 5,000 to 0712 000 111 to lift it':
      'All members are told it: write no phone number. An amount has commas: 1,500,000.',
    'Sign in at ushirika-help.example to lift it':
      'All members are told it: write no web address. After a full stop there is a space.',
  };
  for (const [trap, says] of Object.entries(traps)) {
    const path = `/operator/saccos/${sacco}/suspension`;
    const { status, body } = await app.call('POST', path, { as: asha, body: { reason: trap } });
    expect([status, body.errors.reason]).toEqual([400, [says]]);
  }
  expect(await state()).toBe('active');
});

test('an operator who upholds a suspension takes back their own word for its end', async () => {
  await suspend(asha);
  await reinstate(second);
  const about = await proposal();
  await uphold(second);
  expect((await post(third, `${about}/confirmation`)).body.code).toBe('proposal_closed');
  expect(await state()).toBe('suspended');
});

test('nobody upholds what somebody suspended who is no operator any more', async () => {
  await suspend(asha);
  await database.owner`update operators set revoked_at = ${database.now()} where user_id = ${asha}`;
  expect((await shown(second)).may_uphold).toBe(false);
  expect((await uphold(second)).body).toMatchObject({
    code: 'sacco_state_conflict',
    message: 'Who suspended it is no operator any more. It ends by itself; then two operators may suspend it again.',
  });
  await database.owner`update operators set revoked_at = null where user_id = ${asha}`;
});

test('what was proposed to end a suspension does not stand in the way once it has ended by itself', async () => {
  await suspend(asha);
  await pass(13 * DAY);
  await reinstate(asha);
  await pass(DAY);
  expect((await suspend(second)).body.sacco.state).toBe('active');
  expect((await post(third, `${await proposal()}/confirmation`)).body.proposal.state).toBe('done');
  expect(await state()).toBe('suspended');
});

test('one operator alone keeps three saccos suspended: for a fourth a second operator is asked', async () => {
  const fourth = sacco;
  for (let more = 0; more < 3; more += 1) {
    sacco = await people.sacco(`Shut ${more} Sacco`, founder);
    expect((await suspend(third)).body.sacco.state).toBe('suspended');
  }
  const last = sacco;
  sacco = fourth;
  expect((await suspend(third)).body).toMatchObject({ sacco: { id: fourth, state: 'active' } });
  // One that a second operator upheld does not count any more.
  sacco = last;
  await uphold(second);
  sacco = await people.sacco('Shut at last Sacco', founder);
  expect((await suspend(third)).body.sacco.state).toBe('suspended');
  await pass(14 * DAY);
});

test('all officials are told: of the suspension with its last day, of the upholding, and of the end', async () => {
  await suspend(asha);
  await uphold(second);
  await reinstate(third);
  await post(second, `${await proposal()}/confirmation`);
  const [{ last } = { last: '' }] = await database.owner<{ last: string }[]>`
    select to_char(lapses_at at time zone 'Africa/Nairobi', 'FMDay, FMMonth FMDD, YYYY') as last from sacco_suspensions
    where sacco_id = ${sacco}`;
  for (const official of [chair, treasurer]) {
    const [first, then, end] = await told(official);
    expect(first?.text).toContain('is suspended. Read why on its page. Joining');
    expect(first?.text).toContain(`This ends on ${last}, unless a second operator upholds it.`);
    expect(then?.text).toContain('a second operator has upheld the suspension. It stands');
    expect(end?.text).toContain('is active again: its suspension has ended.');
  }
  expect((await told(founder)).map(({ template }) => template)).toEqual(['sacco_suspended', 'sacco_active']);
});

const counted = (members: readonly string[]) => Promise.all(members.map(async (person) => (await told(person)).length));
/** New members of the sacco, in the order in which they are told. */
const joined = async (count: number) => {
  for (let nth = 0; nth < count; nth += 1) await people.member(sacco, await people.person('Member'));
  const rows = await database.owner<{ user_id: string }[]>`
    select user_id from memberships where sacco_id = ${sacco} order by id`;
  return rows.map(({ user_id }) => user_id);
};

test('members are told once of a suspension and of its end, by however many processes; officials and whoever has left are not told again', async () => {
  const [member = '', left = ''] = await joined(2);
  await people.member(sacco, chair);
  await database.owner`update memberships set state = 'exited' where sacco_id = ${sacco} and user_id = ${left}`;
  await suspend(asha);
  await Promise.all([tellOfSuspensions(database), tellOfSuspensions(database)]);
  await pass(14 * DAY);
  for (let nth = 0; nth < 3; nth += 1) await tellOfSuspensions(database);
  const [first, end, ...more] = await told(member);
  expect(first?.text).toContain('is suspended. Read why on its page. Joining');
  expect(first?.text).toContain('unless a second operator upholds it.');
  expect(end?.text).toContain('is active again: its suspension has ended.');
  expect([more, await told(left), (await told(chair)).length]).toEqual([[], [], 2]);
});

test('of a suspension that ends before all members are told nobody else is told, and of its end only those who were', async () => {
  const members = await joined(5);
  await suspend(asha);
  // It is cut off in the middle: by the first member of the third pair.
  const [, , , , last = ''] = members;
  await refuseNotices(last, () => expect(tellOfSuspensions(database, 2)).rejects.toThrow());
  expect(await counted(members)).toEqual([1, 1, 1, 1, 0]);
  await pass(14 * DAY);
  await tellOfSuspensions(database, 2);
  expect(await counted(members)).toEqual([2, 2, 2, 2, 0]);
});

test('a sacco whose members cannot be told holds up no other; they are told from the first one on who was not', async () => {
  const [stuck] = await joined(1);
  await suspend(asha);
  const earlier = sacco;
  sacco = await people.sacco(`Umoja ${saccos} Sacco II`, founder);
  const [member = ''] = await joined(1);
  await suspend(asha);
  await refuseNotices(stuck as string, () => expect(tellOfSuspensions(database)).rejects.toThrow());
  expect(await counted([stuck as string, member])).toEqual([0, 1]);
  await tellOfSuspensions(database);
  expect(await counted([stuck as string, member])).toEqual([1, 1]);
  sacco = earlier;
});

test('members who are told after it was upheld read that it stands; what is a week old, or began before suspensions had an end, is not told', async () => {
  const [member = ''] = await joined(1);
  await suspend(asha);
  await uphold(second);
  await tellOfSuspensions(database);
  expect((await told(member))[0]?.text).toContain('it stands until two operators end it.');
  await reinstate(third);
  await post(second, `${await proposal()}/confirmation`);
  database.world.advance(8 * DAY);
  await tellOfSuspensions(database);
  expect(await counted([member])).toEqual([1]);
  const id = database.newId();
  await database.owner`
    insert into sacco_state_changes (id, sacco_id, from_state, to_state, changed_by, reason, changed_at)
    values (${id}, ${sacco}, 'active', 'suspended', ${asha}, ${reason}, ${database.now()})`;
  await tellOfSuspensions(database);
  expect(await counted([member])).toEqual([1]);
});

/** While `act` goes on, nothing can be written into the list of somebody. */
async function refuseNotices(person: string, act: () => Promise<void>): Promise<void> {
  await database.owner.unsafe(
    `alter table notifications add constraint refused check (user_id <> '${person}') not valid`,
  );
  await act();
  await database.owner.unsafe('alter table notifications drop constraint refused');
}

test('operators read who suspended it, why and until when, and who upheld it', async () => {
  expect(await shown(second)).toBeNull();
  await suspend(asha);
  const by = { id: asha, first_name: 'Asha' };
  expect(await shown(second)).toMatchObject({ suspended_by: by, reason, upheld_by: null, may_uphold: true });
  expect(Date.parse((await shown(second)).lapses_at)).toBe(database.now().getTime() + 14 * DAY);
  expect((await shown(asha)).may_uphold).toBe(false);
  await uphold(second);
  expect(await shown(third)).toMatchObject({
    lapses_at: null,
    upheld_by: { id: second },
    upheld_reason: reason,
    may_uphold: false,
  });
});

test('the database holds the same: not longer than 14 days, not upheld by who suspended, one at a time', async () => {
  const insert = (more: object) =>
    database.owner`insert into sacco_suspensions ${database.owner({
      id: database.newId(),
      sacco_id: sacco,
      suspended_by: asha,
      suspended_at: database.now(),
      reason,
      lapses_at: new Date(database.now().getTime() + 14 * DAY),
      ...more,
    })}`;
  const later = new Date(database.now().getTime() + 14 * DAY + 1);
  await expect(insert({ lapses_at: later })).rejects.toThrow(/check constraint/);
  const bySame = { upheld_by: asha, upheld_at: database.now(), upheld_reason: reason };
  await expect(insert(bySame)).rejects.toThrow(/check constraint/);
  await database.owner`update saccos set state = 'suspended' where id = ${sacco}`;
  await insert({});
  await expect(insert({})).rejects.toThrow(/sacco_suspensions_open/);
  await expect(database.sql`delete from sacco_suspensions`).rejects.toThrow(/denied/);
  await expect(database.sql`update sacco_suspensions set lapses_at = ${later}`).rejects.toThrow(/denied/);
});

test('a sacco that was suspended before this was kept stays so: nobody’s doing lapses by surprise', async () => {
  await database.owner`update saccos set state = 'suspended' where id = ${sacco}`;
  await database.owner`
    insert into sacco_suspensions (id, sacco_id, suspended_by, suspended_at, reason)
    values (${database.newId()}, ${sacco}, ${asha}, ${database.now()}, ${reason})`;
  await pass(100 * DAY);
  expect(await state()).toBe('suspended');
  expect((await uphold(second)).body.message).toBe('This suspension does not lapse: it began before they had an end.');
});
