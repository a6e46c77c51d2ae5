import { execFile } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { complaintsContract } from '@ushirika/contract/complaints';
import { recount } from '@ushirika/contract/recount';
import { Refusal } from '@ushirika/contract/refusal';
import { saccoChangesContract } from '@ushirika/contract/sacco-changes';
import { toText } from '@ushirika/contract/secret-ballots';
import { nairobiDay } from '@ushirika/contract/time';
import { votingContract } from '@ushirika/contract/voting';
import { FIRST_GOVERNANCE } from '@ushirika/contract/voting-rules';
import { compareWithLog } from '@ushirika/verifier/vote-in-log';
import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { asPerson } from '../../db/person.ts';
import { type TestDatabase, testDatabase } from '../../db/test-database.ts';
import { testPeople } from '../../db/test-people.ts';
import { type TestWorld, testWorld } from '../../db/test-world.ts';
import { testApp } from '../../http/test-app.ts';
import { testForm } from '../../http/test-form.ts';
import { complaintTermsChange } from '../complaints/change-complaint-terms.ts';
import { complaintsRoutes } from '../complaints/complaints.routes.ts';
import { fastHash } from '../identity/codes.rules.ts';
import { loanProductChange } from '../loans/change-loan-product.ts';
import { cancelExit } from '../membership/cancel-exit.ts';
import { admissionChange, expulsionChange } from '../membership/expel-member.ts';
import { joinSacco } from '../membership/join-sacco.ts';
import { requestExit } from '../membership/request-exit.ts';
import { standings } from '../membership/standings.ts';
import { summariesOf } from '../membership/summary.queries.ts';
import { tellOfEndedOffices } from '../membership/tell-of-ended-offices.ts';
import { poolExitBlocks } from '../pools/exit-blocks.ts';
import { testPools } from '../pools/test-pools.ts';
import { applyChanges } from '../saccos/apply-changes.ts';
import { changesRoutes } from '../saccos/changes.routes.ts';
import { acceptOffice } from '../saccos/office-invitations.ts';
import { officialRemovalChange } from '../saccos/remove-official.ts';
import { testChanges } from '../saccos/test-changes.ts';
import { bylawsChange } from './bylaws.ts';
import { givingWayToVotes } from './changes-by-vote.ts';
import { noteSaccosThatVote } from './saccos-that-vote.ts';
import { votingSummary } from './summary-part.ts';
import { tendVotes } from './tend-votes.ts';
import { testBallotPaper } from './test-ballot-paper.ts';
import { voteRulesChange } from './vote-rules.ts';
import { votingInvariants } from './voting.invariants.ts';
import { votingRoutes } from './voting.routes.ts';

const DAY_MS = 86_400_000;
const TEXT = 'Our officials answer complaints within a week and settle them within three.';
const executors = testChanges({
  complaint_terms: complaintTermsChange,
  loan_product: loanProductChange,
  official_removal: officialRemovalChange,
  expulsion: expulsionChange(async () => {}),
  admission: admissionChange,
  vote_rules: voteRulesChange,
  bylaws: bylawsChange,
});
const changes = givingWayToVotes(executors);
let world: TestWorld;
let database: TestDatabase;
let people: ReturnType<typeof testPeople>;
let app: Awaited<ReturnType<typeof testApp>>;
let sacco: string;
let chair: string;
let treasurer: string;
let supervisors: string[];
let members: string[];
const operators: string[] = [];

beforeAll(async () => {
  world = testWorld();
  database = await testDatabase({ world });
  people = testPeople(database);
  app = await testApp({
    database,
    rateLimits: { subjectPerMinute: 60 },
    contract: [...complaintsContract, ...saccoChangesContract, ...votingContract],
    bindings: [
      ...complaintsRoutes({ database, publicUrl: 'https://ushirika.test', changes }),
      ...changesRoutes({ database, changes }),
      ...votingRoutes({ database, publicUrl: 'https://ushirika.test', changes: executors }),
    ],
    operators,
    standingOf: standings(database),
  });
});
beforeEach(async () => {
  chair = await people.person('Wanjiru', 'Kamau');
  treasurer = await people.person('Otieno', 'Ouma');
  supervisors = [await people.person('Amina', 'Said'), await people.person('Juma', 'Ali')];
  members = [];
  for (const name of ['Njeri', 'Chebet', 'Barasa', 'Kioko', 'Achieng', 'Mutua']) {
    members.push(await people.person(name, 'Member'));
  }
  sacco = await people.sacco(`Sacco of ${chair}`, chair);
  await people.official(sacco, chair, 'chair');
  await people.official(sacco, treasurer, 'treasurer');
  for (const each of supervisors) await people.official(sacco, each, 'supervisory_committee');
  for (const each of everybody()) await people.member(sacco, each);
  await asLongMembers(everybody());
});
afterAll(async () => {
  await app.close();
  await database.close();
});

/** As if these had been members for a month, with an ID card that was seen and a phone that they have confirmed. */
async function asLongMembers(ids: readonly string[]): Promise<void> {
  const { owner, now } = database;
  await owner`
    update memberships set joined_at = ${new Date(now().getTime() - 31 * DAY_MS)}
    where sacco_id = ${sacco} and user_id = any (${[...ids]}::uuid[])`;
  await owner`
    insert into identity_checks (id, user_id, seen_by, document, seen_at)
    select gen_random_uuid(), id, ${await people.person('Halima', 'Yusuf')}, 'national_id', ${now()}
    from unnest(${[...ids]}::uuid[]) id`;
  await owner`update users set phone_confirmed_at = ${now()} where id = any (${[...ids]}::uuid[])`;
}

const everybody = () => [chair, treasurer, ...supervisors, ...members];
const post = (path: string, as: string, body?: object) =>
  app.call('POST', `/voting/proposals${path}`, { as, sacco, ...(body ? { body } : {}) });
const draft = async (as = chair, more: object = {}) => post('', as, { title: 'Faster answers', text: TEXT, ...more });
const change = { change: { kind: 'complaint_terms', values: { answer_days: 7, resolve_days: 21 } } };
const read = async (id: string, as = members[0] as string) =>
  (await app.call('GET', `/voting/proposals/${id}`, { as, sacco })).body;
const fileOf = async (id: string, name: 'roll' | 'ballots' | 'issued') =>
  String((await app.call('GET', `/voting/public/${id}/${name}`)).bytes);
const tend = () => tendVotes(database, executors);
const pass = (days: number) => world.advance(days * DAY_MS);

/** A vote of the board that is published. */
async function published(more: object = {}): Promise<string> {
  const { body } = await draft(chair, more);
  await post(`/${body.proposal.id}/signature`, treasurer);
  await tend();
  return body.proposal.id;
}
/** The same, open for votes. */
async function opened(more: object = {}): Promise<string> {
  const id = await published(more);
  pass(8.5);
  await tend();
  return id;
}
const vote = (id: string, as: string, choice: string) => post(`/${id}/vote`, as, { choice });
async function votes(id: string, choices: readonly string[]): Promise<void> {
  for (const [place, choice] of choices.entries()) {
    expect((await vote(id, everybody()[place] as string, choice)).status).toBe(200);
  }
}
const keyOf = async (id: string): Promise<string> => (await read(id)).keys.at(-1).key;
const tokenFor = (id: string, as: string, blinded: string, round = 1) => post(`/${id}/token`, as, { round, blinded });
const castSecret = (id: string, body: object) => app.call('POST', `/voting/ballots/${id}`, { body });
/** A secret ballot that is signed for a member, and not cast yet. */
async function signedBallot(id: string, as: string, choice = 'for') {
  const { key, round } = (await read(id)).keys.at(-1);
  const paper = await testBallotPaper(key);
  const { body } = await tokenFor(id, as, paper.blinded, round);
  if (!body.blind_signature) throw new Error(JSON.stringify(body));
  return paper.ballot(body.blind_signature, choice);
}
async function secretVotes(id: string, choices: readonly string[]) {
  const ballots = await Promise.all(
    choices.map((choice, place) => signedBallot(id, everybody()[place] as string, choice)),
  );
  for (const ballot of ballots) expect((await castSecret(id, ballot)).status).toBe(200);
  return ballots;
}
const secret = { ballot: 'secret' };
const limitsNow = async () => {
  const { body } = await app.call('GET', `/sacco/${sacco}/complaint-terms`, { as: chair });
  return [body.answer_days, body.resolve_days];
};

/** The tables in which one of these numbers stands, in whichever column and writing. */
async function tablesWith(numbers: readonly string[]): Promise<string[]> {
  const { owner } = database;
  const written = numbers.flatMap((text) => [text, Buffer.from(text, 'base64url').toString('hex')]);
  const tables = await owner<{ name: string }[]>`
    select c.oid::regclass::text as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind in ('r', 'p') and n.nspname in ('public', 'graphile_worker') order by name`;
  const holds = tables.map(
    ({ name }) => `select '${name}' as name where exists (
    select from ${name} t where exists (select from unnest($1::text[]) w where position(w in t::text) > 0))`,
  );
  const found = await owner.unsafe<{ name: string }[]>(holds.join(' union all '), [written]);
  return found.map(({ name }) => name);
}

/** What `npm run verify-tally` says to a vote whose ballots are served as `change` makes them. */
async function verifyTally(id: string, change: (ballots: string) => string = (text) => text) {
  const server = createServer(async ({ url = '' }, response) => {
    const answer = await app.call('GET', url.replace('/api/v1', ''), {});
    const text = answer.bytes ? String(answer.bytes) : JSON.stringify(answer.body);
    response.end(url.endsWith('/ballots') ? change(text) : text);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/voting-proposals/${id}`;
  const { code, stdout } = await promisify(execFile)(process.execPath, ['verifier/src/cli.ts', 'tally', address]).then(
    (ended) => ({ code: 0, stdout: ended.stdout }),
    (failed: { code: number; stdout: string }) => failed,
  );
  server.close();
  return { code, said: stdout };
}
/** As if a check of somebody's ID card had ended so many days ago, after it had stood for 40 days or for so many. */
const endCheck = (userId: string, days = 0, stood = 40) => {
  const ended = new Date(database.now().getTime() - days * DAY_MS);
  return database.owner`
    update identity_checks set seen_at = ${ended}::timestamptz - ${stood} * interval '1 day', ended_at = ${ended}, end_kind = 'renamed'
    where user_id = ${userId}`;
};
const propose = (answer_days: number) =>
  app.call('PUT', '/sacco/complaint-terms', { as: chair, sacco, body: { answer_days, resolve_days: 29 } });
/** Two officials change how long complaints may take. */
async function changedByOfficials(answer_days: number): Promise<void> {
  await propose(answer_days);
  const [row] = await database.owner`select id from sacco_changes where sacco_id = ${sacco} and state = 'proposed'`;
  await app.call('POST', `/sacco/changes/${row?.id}/confirmation`, { as: treasurer, sacco });
}
const apply = async (days: number) => {
  pass(days);
  await applyChanges(database, changes);
};
const endOffice = (userId: string) => database.owner`
  update offices set ended_at = ${database.now()} where sacco_id = ${sacco} and user_id = ${userId}`;
const takeBack = (id: string, as: string) =>
  post(`/${id}/cancellation`, as, { reason: 'We want to discuss it first.' });
/** A published vote of the board. */
const takeBackBoth = async (id: string) => {
  await takeBack(id, chair);
  return takeBack(id, treasurer);
};
/** Of members: drafted and signed by the first three. */
async function publishedByMembers(more: object = {}) {
  const [one, two, three] = members as [string, string, string];
  const { id } = (await draft(one, more)).body.proposal;
  await post(`/${id}/signature`, two);
  return { id, last: () => post(`/${id}/signature`, three) };
}
const toldOf = async (userId: string) => {
  const rows = await database.owner`
    select template, text as message from notifications where user_id = ${userId} and template like 'vote_%' order by id`;
  return rows.map(({ template, message }) => ({ template, message }));
};
const passed = async (more: object = change) => {
  const id = await opened(more);
  await votes(id, ['for', 'for', 'for']);
  pass(3);
  await tend();
  return id;
};

describe('a draft', () => {
  test('of the board is published by the signature of another of its officials, and by no member', async () => {
    const { body, status } = await draft();
    expect(status).toBe(201);
    const { id } = body.proposal;
    const signatures = { given: 1, needed: 2 };
    expect(body.proposal).toMatchObject({ state: 'draft', is_of_board: true, signatures, may: ['cancel'] });
    expect((await post(`/${id}/signature`, members[0] as string)).status).toBe(409);
    expect((await post(`/${id}/signature`, treasurer)).body.proposal).toMatchObject({
      state: 'published',
      roll_size: 10,
      quorum: 3,
    });
  });
  test('of members needs three of them, and no official can keep it from being published', async () => {
    const [one, two, three] = members as [string, string, string];
    const { id } = (await draft(one)).body.proposal;
    await post(`/${id}/signature`, two);
    expect((await read(id)).signatures).toEqual({ given: 2, needed: 3 });
    expect((await post(`/${id}/cancellation`, chair, { reason: 'We do not want this at all.' })).status).toBe(409);
    expect((await post(`/${id}/signature`, three)).body.proposal.state).toBe('published');
  });
  test('of one member is one of three at most that are under way', async () => {
    for (const title of ['The first', 'The second', 'The third'])
      expect((await (await publishedByMembers({ title })).last()).body.proposal.state).toBe('published');
    const fourth = (await (await publishedByMembers({ title: 'The fourth' })).last()).body;
    expect(fourth).toMatchObject({ message: expect.stringMatching(/once another vote is counted/) });
    expect(fourth.proposal).toMatchObject({ state: 'draft', lapses_at: null });
  });
  test('that finds no place keeps its signatures, does not lapse, and is published next, in the order of the last signatures', async () => {
    await database.owner`
      insert into proposals (id, sacco_id, kind, class, title, text, drafted_by, drafted_at, signatures_needed, published_at,
        rules, roll_size, opens_at, closes_at)
      select gen_random_uuid(), ${sacco}, 'resolution', 'ordinary', 'One of many', ${TEXT}, ${chair}, now(), 2, now(),
        '{}', 1, now(), now() + interval '400 days' from generate_series(1, 20)`;
    const waits = async (title: string) => {
      const { proposal } = (await (await publishedByMembers({ title })).last()).body;
      expect(proposal.state).toBe('draft');
      return proposal.id;
    };
    const [first, second] = [await waits('First in the queue'), await waits('Second in the queue')];
    pass(40);
    await tend();
    expect((await read(first)).state).toBe('draft');
    const over = () => database.owner`
      delete from proposals where id = (select id from proposals where title = 'One of many' limit 1)`;
    await over();
    // Whoever signs at the moment at which a place is free does not overtake.
    const third = await waits('Third in the queue');
    await tend();
    const states = async () => Promise.all([first, second, third].map(async (id) => (await read(id)).state));
    expect(await states()).toEqual(['published', 'draft', 'draft']);
    await over();
    await over();
    await tend();
    expect(await states()).toEqual(['published', 'published', 'published']);
    await database.owner`delete from proposals where title = 'One of many'`;
  });
  test('of members cannot use up the twenty votes of the board, which is told when its own are', async () => {
    const underway = (drafted_as: string | null) => database.owner`
      insert into proposals (id, sacco_id, kind, class, title, text, drafted_by, drafted_as, drafted_at, signatures_needed, published_at,
        rules, roll_size, opens_at, closes_at)
      select gen_random_uuid(), ${sacco}, 'resolution', 'ordinary', 'One of many', ${TEXT}, ${chair}, ${drafted_as}, now(), 2, now(),
        '{}', 1, now(), now() + interval '1 day' from generate_series(1, 20)`;
    await underway(null);
    const { id } = (await draft()).body.proposal;
    await underway('chair');
    expect((await post(`/${id}/signature`, treasurer)).body).toMatchObject({
      message: expect.stringMatching(/once another vote is counted/),
      proposal: { state: 'draft' },
    });
    await database.owner`delete from proposals where drafted_as = 'chair' and title = 'One of many'`;
    await tend();
    expect((await read(id)).state).toBe('published');
    await database.owner`delete from proposals where title = 'One of many'`;
  });
  test('of members is drafted and signed by those alone who could vote on it', async () => {
    const [late, unseen, drafter] = members as [string, string, string];
    await database.owner`update memberships set joined_at = ${database.now()} where user_id = ${late} and sacco_id = ${sacco}`;
    await endCheck(unseen, 31);
    expect((await draft(unseen)).body.message).toContain('whose ID card an official has seen');
    const { id } = (await draft(drafter)).body.proposal;
    expect((await post(`/${id}/signature`, late)).body.code).toBe('vote_conflict');
    expect((await read(id)).may).not.toContain('sign');
    pass(30);
    expect((await draft(late)).status).toBe(201);
  });
  test('sent twice is one draft, with another majority another one, and a signature given twice is one signature', async () => {
    const first = (await draft()).body.proposal.id;
    expect((await draft()).body.proposal.id).toBe(first);
    const { proposal } = (await draft(chair, { class: 'special' })).body;
    expect(proposal.id).not.toBe(first);
    expect(proposal.class).toBe('special');
    await post(`/${first}/signature`, chair);
    expect((await read(first)).signatures.given).toBe(1);
  });
  test('is not signed by the second account of whoever signed it', async () => {
    const { id } = (await draft()).body.proposal;
    await people.onePhone(chair, treasurer);
    expect((await post(`/${id}/signature`, treasurer)).status).toBe(403);
  });
  test('lapses after 14 days, and is no draft any more', async () => {
    const { id } = (await draft()).body.proposal;
    pass(14);
    expect((await read(id, chair)).state).toBe('lapsed');
    expect((await post(`/${id}/signature`, treasurer)).body.code).toBe('vote_conflict');
  });
  test('of somebody of another sacco is not to be found', async () => {
    const { id } = (await draft()).body.proposal;
    const stranger = await people.person('Zawadi', 'Stranger');
    const elsewhere = await people.sacco(`Other of ${chair}`, stranger);
    await people.member(elsewhere, stranger);
    const answer = await app.call('GET', `/voting/proposals/${id}`, { as: stranger, sacco: elsewhere });
    expect(answer.status).toBe(404);
    expect((await app.call('GET', `/voting/proposals/${id}`, { as: stranger, sacco })).status).toBe(403);
  });
});

describe('the roll', () => {
  /** Of everybody by themself, as signing asks; and by the roll that was made. */
  const wouldVote = async () => {
    const since = new Date(database.now().getTime() - 30 * DAY_MS);
    const rows = await database.owner`
      select id from unnest(${everybody()}::uuid[]) id where would_vote(${sacco}, ${since}, id) order by id`;
    return rows.map(({ id }) => id);
  };
  const onRoll = async (id: string) => {
    const rows = await database.owner`select member_id from proposal_roll where proposal_id = ${id} order by member_id`;
    return rows.map(({ member_id }) => member_id);
  };
  test('has members of 30 days whose ID card was seen, and is fixed when the vote is published', async () => {
    const [late, unseen, leaving] = members as [string, string, string];
    await database.owner`update memberships set joined_at = ${database.now()} where user_id = ${late} and sacco_id = ${sacco}`;
    await endCheck(unseen, 31);
    const id = await published();
    expect((await read(id)).roll_size).toBe(8);
    expect(await wouldVote()).toEqual(await onRoll(id));
    await database.owner`update memberships set state = 'leaving' where user_id = ${leaving} and sacco_id = ${sacco}`;
    pass(8.5);
    expect((await vote(id, late, 'for')).body.code).toBe('not_on_roll');
    expect((await vote(id, leaving, 'for')).status).toBe(200);
  });
  test('has one account of a person alone, the one that joined first', async () => {
    const [first, second] = members as [string, string];
    await database.owner`
      insert into referral_traces (user_id, kind, value, created_at)
      select unnest(${[first, second]}::uuid[]), 'id', ${`T${first}`}, ${database.now()}`;
    await database.owner`
      update memberships set joined_at = joined_at - interval '1 day' where user_id = ${first} and sacco_id = ${sacco}`;
    const id = await opened();
    expect(await wouldVote()).toEqual(await onRoll(id));
    expect((await vote(id, first, 'for')).status).toBe(200);
    expect((await vote(id, second, 'for')).body.code).toBe('not_on_roll');
    expect((await read(id, second)).my).toMatchObject({ on_roll: false, off_roll: 'second_account' });
  });
  test('is public by handles that name nobody', async () => {
    const id = await published();
    const handles = (await fileOf(id, 'roll')).trim().split('\n');
    expect(handles).toHaveLength(10);
    expect(handles).toEqual([...handles].sort());
    expect(handles).toContain((await read(id)).my.handle);
  });
});

describe('a vote', () => {
  test('is cast while voting is open, may be changed, and counts once', async () => {
    const id = await published();
    expect((await vote(id, chair, 'for')).body.code).toBe('vote_conflict');
    pass(8.5);
    await votes(id, ['for', 'for', 'for']);
    expect((await vote(id, chair, 'against')).body.receipt).toMatchObject({ choice: 'against', revision: 2 });
    expect((await vote(id, chair, 'against')).body.receipt.revision).toBe(2);
    expect((await read(id, chair)).my.choice).toBe('against');
    pass(3);
    expect((await vote(id, chair, 'for')).body.code).toBe('vote_conflict');
    await tend();
    expect(await read(id)).toMatchObject({ state: 'recorded', result: { for: 2, against: 1, abstain: 0 } });
  });
  test('counts in the summary of a member who may still vote, until they have', async () => {
    const [one, two] = [members[0] as string, members[1] as string];
    const openVotes = async () =>
      (await summariesOf(database, [votingSummary], [one, two, outsider])).map(({ open_votes }) => open_votes);
    const outsider = await people.person('Outsider');
    const id = await published();
    expect(await openVotes()).toEqual([0, 0, 0]);
    pass(8.5);
    expect(await openVotes()).toEqual([1, 1, 0]);
    await vote(id, one, 'for');
    expect(await openVotes()).toEqual([0, 1, 0]);
    const secret = await opened({ title: 'A secret one', ballot: 'secret' });
    expect(await openVotes()).toEqual([1, 1, 0]);
    await signedBallot(secret, two);
    expect(await openVotes()).toEqual([1, 0, 0]);
  });

  test('shows no count before it is over, and the ballots of each handle afterwards', async () => {
    const id = await opened();
    await votes(id, ['for', 'against', 'abstain']);
    expect((await read(id)).result).toBeNull();
    expect(await fileOf(id, 'ballots')).toBe('');
    pass(3);
    await tend();
    const ballots = (await fileOf(id, 'ballots'))
      .trim()
      .split('\n')
      .map((line: string) => JSON.parse(line));
    expect(ballots.map(({ choice }: { choice: string }) => choice).sort()).toEqual(['abstain', 'against', 'for']);
  });
  test('sent twenty times at once is one vote', async () => {
    const id = await opened();
    await Promise.all(Array.from({ length: 20 }, (_, place) => vote(id, chair, place % 2 === 0 ? 'for' : 'against')));
    const [row] = await database.owner`select turnout from proposals where id = ${id}`;
    expect(row?.turnout).toBe(1);
  });
  test('that brings the quorum in the last day moves the end to 24 hours after it, once', async () => {
    const id = await opened();
    const before = (await read(id)).closes_at;
    world.advance(Date.parse(before) - database.now().getTime() - 1.25 * DAY_MS);
    await votes(id, ['for', 'for']);
    pass(0.5);
    expect((await read(id)).closes_at).toBe(before);
    await vote(id, supervisors[0] as string, 'against');
    const after = (await read(id)).closes_at;
    const hour = Math.ceil(database.now().getTime() / 3_600_000) * 3_600_000;
    expect(Date.parse(after)).toBe(hour + DAY_MS);
    expect((await read(id)).events.at(-1)).toMatchObject({
      kind: 'extended',
      at: expect.stringMatching(/:00:00.000Z$/),
    });
    pass(0.5);
    await vote(id, supervisors[1] as string, 'against');
    expect((await read(id)).closes_at).toBe(after);
  });
  test('without a quorum has a second round, in which three votes are enough, and is not taken back before it', async () => {
    const id = await opened();
    await votes(id, ['for', 'for']);
    pass(3);
    await tend();
    expect(await read(id)).toMatchObject({ state: 'published', round: 2, quorum: 3, my: { choice: null } });
    expect((await read(id, chair)).may).toEqual([]);
    expect((await takeBack(id, chair)).body.code).toBe('vote_conflict');
    const cancelled = database.owner`update proposals set cancelled_at = ${database.now()} where id = ${id}`;
    await expect(cancelled).rejects.toEqual(expect.objectContaining({ code: '23514' }));
    pass(14);
    await votes(id, ['for', 'for', 'against']);
    pass(3);
    await tend();
    expect(await read(id)).toMatchObject({ state: 'recorded', result: { for: 2, against: 1, abstain: 0 } });
    expect((await read(id)).rounds).toHaveLength(2);
  });
  test('of three quarters has two weeks of notice and a week to vote, and is recorded with three of four', async () => {
    const id = await published({ class: 'three_quarters' });
    expect(await read(id)).toMatchObject({ quorum: 5, majority: { part: 3, of: 4 } });
    pass(16.5);
    await votes(id, ['for', 'for', 'for', 'for', 'for', 'for', 'against', 'against']);
    pass(7);
    await tend();
    expect((await read(id)).state).toBe('recorded');
    expect((await draft(chair, { class: 'three_quarters', ...change })).body.proposal.class).toBe('ordinary');
  });
  test('of two thirds fails with one vote less', async () => {
    const id = await published({ class: 'special' });
    pass(16.5);
    await votes(id, ['for', 'for', 'for', 'against', 'against']);
    pass(5);
    await tend();
    expect((await read(id)).state).toBe('rejected');
  });
});

describe('a secret vote', () => {
  test('takes one signed ballot of each member without knowing whose it is, and anybody recounts it', async () => {
    const id = await opened(secret);
    const [first] = await secretVotes(id, ['for', 'for', 'against', 'abstain']);
    const mine = (await read(id, chair)).my;
    expect(mine).toMatchObject({ choice: null, voted_at: null, has_token: true });
    expect(await fileOf(id, 'ballots')).toBe('');
    expect(await fileOf(id, 'issued')).toBe('');
    pass(3);
    await tend();
    const counted = await read(id);
    expect(counted).toMatchObject({ state: 'recorded', result: { for: 2, against: 1, abstain: 1 } });
    const { body: announced } = await app.call('GET', `/voting/public/${id}`, {});
    // Members and everybody read the same time of the count.
    expect(announced.counted_at).toBe(counted.events.at(-1).at);
    expect(counted.counted_at).toBe(announced.counted_at);
    const files = {
      roll: await fileOf(id, 'roll'),
      ballots: await fileOf(id, 'ballots'),
      issued: await fileOf(id, 'issued'),
    };
    const found = await recount(files, announced, { mark: first?.serial ?? '', round: 1, choice: 'for' });
    expect(found.checks.filter(({ isRight }) => !isRight)).toEqual([]);
    expect(found.checks.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['signed', 'once', 'issued', 'tally', 'outcome', 'own']),
    );
    expect(found.ballots).toBe(4);
  });
  test('signs for a member once: the same number again gets the same answer, another one none', async () => {
    const id = await opened(secret);
    const [paper, other] = [await testBallotPaper(await keyOf(id)), await testBallotPaper(await keyOf(id))];
    const first = await tokenFor(id, chair, paper.blinded);
    expect((await tokenFor(id, chair, paper.blinded)).body.blind_signature).toBe(first.body.blind_signature);
    expect((await tokenFor(id, chair, other.blinded)).body.code).toBe('vote_conflict');
    const stranger = await people.person('Zawadi', 'Late');
    await people.member(sacco, stranger);
    expect((await tokenFor(id, stranger, other.blinded)).body.code).toBe('not_on_roll');
    expect((await tokenFor(id, treasurer, toText(new Uint8Array(256).fill(255)))).status).toBe(400);
  });
  test('signs for members of the sacco alone, and takes no open ballot', async () => {
    const id = await opened(secret);
    const stranger = await people.person('Zawadi', 'Stranger');
    const elsewhere = await people.sacco(`Other of ${stranger}`, stranger);
    await people.member(elsewhere, stranger);
    const { blinded } = await testBallotPaper(await keyOf(id));
    const answer = await app.call('POST', `/voting/proposals/${id}/token`, {
      as: stranger,
      sacco: elsewhere,
      body: { round: 1, blinded },
    });
    expect(answer.status).toBe(404);
    expect((await vote(id, chair, 'for')).body.code).toBe('vote_conflict');
    const open = await opened({ title: 'An open vote' });
    expect((await tokenFor(open, chair, blinded)).body.code).toBe('vote_conflict');
    expect((await castSecret(open, await signedBallot(id, chair))).status).toBe(404);
  });
  test('refuses a ballot that it has not signed, one that was cast otherwise, and one out of time', async () => {
    const id = await published(secret);
    const another = await published({ ...secret, title: 'Another secret vote' });
    const early = await signedBallot(id, chair);
    const late = await signedBallot(another, treasurer);
    expect((await castSecret(id, early)).body.code).toBe('vote_conflict');
    pass(8.5);
    expect((await castSecret(another, early)).body.code).toBe('ballot_invalid');
    expect((await castSecret(id, { ...early, serial: early.salt })).body.code).toBe('ballot_invalid');
    const { body } = await castSecret(id, early);
    expect(body.receipt).toMatchObject({ serial: early.serial, choice: 'for', salt: early.salt });
    expect((await castSecret(id, early)).body.receipt).toEqual(body.receipt);
    expect((await castSecret(id, { ...early, choice: 'against' })).body.code).toBe('vote_conflict');
    pass(3);
    expect((await castSecret(another, late)).body.code).toBe('vote_conflict');
  });
  test('is kept from nobody of a network by somebody there who sends junk', async () => {
    const id = await opened(secret);
    const [one, two] = [await signedBallot(id, chair), await signedBallot(id, treasurer, 'against')];
    const junk = { ...one, signature: two.signature };
    // Of some that come at once the limit refuses all where it refuses one: the last comes alone.
    const answers = await Promise.all(Array.from({ length: 60 }, () => castSecret(id, junk)));
    expect(new Set(answers.map(({ body }) => body.code))).toEqual(new Set(['ballot_invalid']));
    expect((await castSecret(id, junk)).body.code).toBe('too_many_requests');
    for (const ballot of [one, two]) expect((await castSecret(id, ballot)).status).toBe(200);
  });
  test('counts a ballot once that comes fifty times at once', async () => {
    const id = await opened(secret);
    const ballot = await signedBallot(id, chair);
    const answers = await Promise.all(Array.from({ length: 50 }, () => castSecret(id, ballot)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    const [row] =
      await database.owner`select turnout, secret_turnout(id, 1) as ballots from proposals where id = ${id}`;
    expect(row).toEqual({ turnout: 1, ballots: 1 });
  });
  test('destroys its key by the count, and has another one in the second round', async () => {
    const id = await opened(secret);
    const late = await signedBallot(id, treasurer);
    const { blinded } = await testBallotPaper(await keyOf(id));
    await secretVotes(id, ['for']);
    pass(3);
    await tend();
    expect(await read(id)).toMatchObject({ state: 'published', round: 2, my: { has_token: false } });
    const keys = () => database.owner`
      select round, private_key is null as is_destroyed from proposal_keys where proposal_id = ${id} order by round`;
    expect(await keys()).toEqual([
      { round: 1, is_destroyed: true },
      { round: 2, is_destroyed: false },
    ]);
    pass(14);
    expect((await castSecret(id, late)).body.code).toBe('ballot_invalid');
    // Blinded with the first round’s key: the signature of the second would fit nothing.
    expect((await tokenFor(id, chair, blinded)).body.message).toContain('another round');
    await secretVotes(id, ['for', 'for', 'against']);
    pass(3);
    await tend();
    expect(await read(id)).toMatchObject({ state: 'recorded', result: { for: 2, against: 1, abstain: 0 } });
    expect((await keys()).every(({ is_destroyed }) => is_destroyed)).toBe(true);
  });
  test('moves its end on after a late quorum, to a full hour that does not say when the last ballot came', async () => {
    const id = await opened(secret);
    await secretVotes(id, ['for', 'for']);
    const before = (await read(id)).closes_at;
    world.advance(Date.parse(before) - database.now().getTime() - 0.51 * DAY_MS);
    expect((await castSecret(id, await signedBallot(id, members[0] as string))).status).toBe(200);
    const after = Date.parse((await read(id)).closes_at);
    expect(after).toBeGreaterThan(Date.parse(before));
    expect(after % 3_600_000).toBe(0);
    const { kind, at } = (await read(id)).events.at(-1);
    expect([kind, database.now().getTime() - Date.parse(at) < 3_600_000, Date.parse(at) % 3_600_000]).toEqual([
      ...['extended', true, 0],
    ]);
    expect(Date.parse(at)).toBeLessThanOrEqual(database.now().getTime());
  });
  test('is what an open one becomes once one in ten of the roll has asked for it, before it begins', async () => {
    const id = await published();
    expect(await read(id)).toMatchObject({ ballot: 'open', secret_demands: { given: 0, needed: 1 } });
    expect((await post(`/${id}/secret-demand`, members[0] as string)).body.proposal).toMatchObject({
      ballot: 'secret',
      my: { has_demanded_secret: true },
    });
    expect((await post(`/${id}/secret-demand`, members[0] as string)).status).toBe(200);
    expect((await post(`/${id}/secret-demand`, members[1] as string)).body.message).toContain('secret already');
    const late = await opened({ title: 'Too late for that' });
    expect((await post(`/${late}/secret-demand`, chair)).body.code).toBe('vote_conflict');
  });
  test('of twenty members needs two who ask, and counts each of them once', async () => {
    const more = await Promise.all(Array.from({ length: 10 }, (_, at) => people.person('Member', `Number ${at}`)));
    for (const each of more) await people.member(sacco, each);
    await asLongMembers(more);
    const id = await published();
    const [one, two] = members as [string, string];
    for (let time = 0; time < 2; time += 1) await post(`/${id}/secret-demand`, one);
    expect(await read(id)).toMatchObject({ ballot: 'open', secret_demands: { given: 1, needed: 2 } });
    expect((await post(`/${id}/secret-demand`, two)).body.proposal.ballot).toBe('secret');
  });
  test('leaves no row, time, order or key that leads from a ballot to a member', async () => {
    const id = await opened(secret);
    const ballots = await secretVotes(id, ['for', 'against', 'abstain', 'for', 'against', 'for']);
    // The application itself: neither the rows, nor in which order they came.
    for (const column of ['serial', 'ctid', 'xmin', '1']) {
      const asked = database.sql.unsafe(`select ${column} from secret_ballots`);
      await expect(asked).rejects.toThrow('permission denied');
    }
    const { owner } = database;
    const leads = await owner`
      with recursive led as (
        select 'secret_ballots'::regclass as from_table
        union select c.confrelid::regclass from pg_constraint c join led on c.conrelid = led.from_table
          where c.contype = 'f' and c.confrelid <> 'proposals'::regclass)
      select from_table::text as name from led order by name`;
    expect(leads.map(({ name }) => name)).toEqual(['proposal_keys', 'secret_ballots']);
    const times = await owner`
      select attname from pg_attribute
      where attrelid in ('secret_ballots'::regclass, 'ballot_tokens'::regclass) and attnum > 0
        and (atttypid in ('timestamptz'::regtype, 'date'::regtype, 'uuid'::regtype, 'bigint'::regtype) and attname <> 'proposal_id')`;
    expect(times).toEqual([]);
    pass(3);
    await tend();
    const inFile = async (table: string, column: string) => {
      const rows = await owner.unsafe(
        `select encode(${column}, 'hex') as mark, xmin::text from ${table} where proposal_id = '${id}' order by ctid`,
      );
      expect(new Set(rows.map(({ xmin }) => xmin)).size).toBe(1);
      return rows.map(({ mark }) => mark as string);
    };
    const [serials, handles] = [await inFile('secret_ballots', 'serial'), await inFile('ballot_tokens', 'handle')];
    expect([serials, handles]).toEqual([serials.toSorted(), handles.toSorted()]);
    expect(await tablesWith(ballots.map(({ serial }) => serial))).toEqual(['secret_ballots']);
    // Nor do rows that were there before the count, in the files themselves.
    await owner`create extension if not exists pageinspect`;
    for (const table of ['secret_ballots', 'ballot_tokens']) {
      const dead = await owner.unsafe(`
        select t_xmin from generate_series(0, pg_relation_size('${table}') / 8192 - 1) page (n),
          heap_page_items(get_raw_page('${table}', page.n::int)) where t_xmax <> '0'`);
      expect([table, dead.length]).toEqual([table, 0]);
    }
    await owner`drop extension pageinspect`;
  });
  test('is counted again by a command from its public files alone, which says what is wrong with changed ones', async () => {
    const id = await opened(secret);
    await secretVotes(id, ['for', 'for', 'against']);
    pass(3);
    await tend();
    expect(await verifyTally(id)).toMatchObject({ code: 0, said: expect.stringContaining('right in every point') });
    const other = await testBallotPaper(await keyOf(id));
    const changed = await verifyTally(id, (text) => text.replace(/"serial":"[^"]+"/, `"serial":"${other.serial}"`));
    expect(changed).toMatchObject({
      code: 1,
      said: expect.stringContaining('FAILED       Each ballot carries a signature'),
    });
    const turned = await verifyTally(id, (text) => text.replace('"choice":"against"', '"choice":"for"'));
    expect(turned).toMatchObject({
      code: 1,
      said: expect.stringContaining('FAILED       The ballots give the announced counts'),
    });
  });
  test('that is taken back has no key any more', async () => {
    const id = await published(secret);
    await takeBackBoth(id);
    const [key] = await database.owner`select private_key from proposal_keys where proposal_id = ${id}`;
    expect(key?.private_key).toBeNull();
  });
});

describe('the names of a vote', () => {
  const rename = (userId: string, first: string, last: string) => database.owner`
    update users set first_name = ${first}, last_name = ${last}, updated_at = ${database.now()} where id = ${userId}`;
  const nameless = async (userId: string) => {
    const [row] = await database.owner`select id from memberships where sacco_id = ${sacco} and user_id = ${userId}`;
    return { change: { kind: 'expulsion', values: { member: row?.id } } };
  };
  test('stay those of the draft when its subject or its drafter takes another name, and the change is said', async () => {
    const [drafter, second, third] = members as [string, string, string];
    const subject = members.at(-1) as string;
    const { body } = await draft(drafter, await nameless(subject));
    const { id } = body.proposal;
    await post(`/${id}/signature`, second);
    pass(0.1);
    await rename(subject, 'Chebet', 'Member');
    await post(`/${id}/signature`, third);
    await rename(drafter, 'Wanjiru', 'Kamau');
    const former_name = (name: string) => ({ name, until: expect.anything() });
    expect(await read(id, second)).toMatchObject({
      state: 'published',
      drafted_by: { name: 'Njeri Member', former_name: former_name('Njeri Member') },
      about: { name: 'Mutua Member', former_name: former_name('Mutua Member') },
      change: { before: { name: 'Mutua Member' } },
    });
  });
  test('show the name that a subject had before', async () => {
    const [drafter] = members as [string];
    const subject = members.at(-1) as string;
    await rename(subject, 'Chebet', 'Member');
    const { body } = await draft(drafter, await nameless(subject));
    expect(body.proposal.about).toMatchObject({ name: 'Chebet Member', former_name: { name: 'Mutua Member' } });
  });
  test('are none under which no ID card was seen', async () => {
    for (const each of [chair, members[0] as string]) {
      await database.owner`update identity_checks set seen_at = seen_at - interval '40 days' where user_id = ${each}`;
      await rename(each, 'Amina', 'Otieno');
      const refused = (await draft(each)).body;
      expect(refused).toMatchObject({ code: 'vote_conflict', detail: expect.stringContaining('Show your ID card') });
      pass(0.1);
      await asLongMembers([each]);
      expect((await draft(each)).status).toBe(201);
    }
  });
});

describe('an election', () => {
  const words = { words: 'I have kept the books of our church for ten years.' };
  const stand = (id: string, as: string) => post(`/${id}/nomination`, as, words);
  beforeEach(async () => {
    await database.owner`
      update users set phone_confirmed_at = ${database.now()} where id = any (${everybody()}::uuid[])`;
  });
  /** An election that is published, in which these stand; their candidates’ numbers. */
  async function election(who: readonly string[], office = 'secretary') {
    const id = await published({ office, title: `Elect a ${office}`, ballot: 'open' });
    for (const each of who) expect((await stand(id, each)).status).toBe(200);
    const candidates: string[] = [];
    for (const each of who) {
      candidates.push((await read(id, each)).election.candidates.find(({ is_me }: { is_me: boolean }) => is_me).id);
    }
    return { id, candidates };
  }
  /** While somebody with the name of a member works for Ushirika. */
  async function asOperator(firstName: string, act: () => Promise<unknown>): Promise<void> {
    const operator = await people.person(firstName, 'Member');
    await database.owner`insert into operators (user_id, granted_at) values (${operator}, ${database.now()})`;
    try {
      await act();
    } finally {
      await database.owner`delete from operators where user_id = ${operator}`;
    }
  }
  const holders = async (office: string): Promise<string[]> => {
    const rows = await database.owner`
      select user_id from offices where sacco_id = ${sacco} and office = ${office} and ended_at is null order by user_id`;
    return rows.map(({ user_id }) => user_id);
  };
  test('puts whoever has the most votes into the office two days later, in the place of whoever holds it', async () => {
    const { id, candidates } = await election([members[0] as string, members[1] as string], 'treasurer');
    expect(await read(id)).toMatchObject({ class: 'election', ballot: 'secret', office: 'treasurer' });
    pass(16.5);
    const [one, two] = candidates as [string, string];
    await secretVotes(id, [two, two, one, 'abstain']);
    pass(3);
    await tend();
    expect(await read(id)).toMatchObject({
      state: 'queued',
      election: { elected: two },
      rounds: [
        {
          outcome: 'passed',
          votes: [
            { candidate: two, votes: 2 },
            { candidate: one, votes: 1 },
          ],
        },
      ],
    });
    expect(await holders('treasurer')).toEqual([treasurer]);
    pass(2.1);
    await Promise.all([tend(), tend()]);
    expect(await holders('treasurer')).toEqual([members[1]]);
    expect((await read(id)).state).toBe('executed');
  });
  test('shows the picture that a candidate sent, to members alone, and takes another one only while members may stand', async () => {
    const { id, candidates } = await election([members[0] as string]);
    const face = sharp({ create: { width: 60, height: 40, channels: 3, background: '#fff' } });
    const send = async (as: string) =>
      app.call('POST', `/voting/proposals/${id}/nomination/picture`, {
        as,
        sacco,
        ...testForm({}, await face.png().toBuffer()),
      });
    const shown = (as: string, where = sacco) =>
      app.call('GET', `/voting/candidates/${candidates[0]}/picture`, { as, sacco: where });
    expect((await shown(members[1] as string)).status).toBe(404);
    expect((await send(members[1] as string)).body.code).toBe('vote_conflict');
    expect((await send(members[0] as string)).status).toBe(200);
    await database.owner`update users set first_name = 'Peter', updated_at = ${database.now()} where id = ${members[0] as string}`;
    expect((await read(id, members[1] as string)).election.candidates).toMatchObject([
      { has_picture: true, former_name: { until: expect.anything() } },
    ]);
    expect((await shown(members[1] as string)).status).toBe(200);
    const stranger = await people.person('Stranger');
    const elsewhere = await people.sacco('Elsewhere', stranger);
    await people.member(elsewhere, stranger);
    expect((await shown(stranger, elsewhere)).status).toBe(404);
    expect((await shown(stranger)).body.code).toBe('not_a_member');
    pass(8.5);
    expect((await send(members[0] as string)).body.code).toBe('vote_conflict');
    await expect(database.owner`update candidate_pictures set created_at = ${database.now()}`).rejects.toThrow(
      /are over/,
    );
  });
  test('draws lots between as many votes, so that anybody who recounts draws the same', async () => {
    const { id, candidates } = await election([members[0] as string, members[1] as string]);
    pass(16.5);
    const [one, two] = candidates as [string, string];
    await secretVotes(id, [one, two, one, two]);
    pass(3);
    await tend();
    const { elected_name, election: held } = await read(id);
    const { elected } = held;
    expect(candidates).toContain(elected);
    expect(elected_name).toBe(held.candidates.find((each: { id: string }) => each.id === elected).name);
    const { body: announced } = await app.call('GET', `/voting/public/${id}`, {});
    const files = {
      roll: await fileOf(id, 'roll'),
      ballots: await fileOf(id, 'ballots'),
      issued: await fileOf(id, 'issued'),
    };
    const wrong = async (said: string) =>
      (await recount(files, { ...announced, election: { ...announced.election, elected: said } }, null)).checks
        .filter(({ isRight }) => !isRight)
        .map(({ name }) => name);
    expect(await wrong(elected)).toEqual([]);
    expect(await wrong(elected === one ? two : one)).toEqual(['elected']);
    pass(2.1);
    await tend();
    expect(await holders('secretary')).toEqual([members[elected === one ? 0 : 1]]);
  });
  test('is in the log with the votes of each candidate, so that files in which two change places do not fit it', async () => {
    const { id, candidates } = await election([members[0] as string, members[1] as string]);
    pass(16.5);
    const [one, two] = candidates as [string, string];
    await secretVotes(id, [one, one, one, two]);
    pass(3);
    await tend();
    const { body: vote } = await app.call('GET', `/voting/public/${id}`, {});
    const [entry] = await database.owner<{ head: Record<string, unknown> }[]>`
      select head from log_events where head ->> 'event' = 'vote_counted' and head ->> 'proposal' = ${id}`;
    const files = { roll: await fileOf(id, 'roll'), ballots: '', issued: await fileOf(id, 'issued') };
    const judged = (rounds: unknown, head: unknown = entry?.head) => compareWithLog({ ...vote, rounds }, files, head);
    const words = (verdict: string) => expect.stringMatching(new RegExp(`${verdict}.*Each candidate`));
    expect(judged(vote.rounds).lines).toContainEqual(words('PASSED'));
    expect(judged(vote.rounds).code).toBe(0);
    const turned = vote.rounds.map((round: { votes: { candidate: string; votes: number }[] }) => ({
      ...round,
      votes: round.votes.map((each) => ({ ...each, candidate: each.candidate === one ? two : one })),
    }));
    expect(judged(turned).lines).toContainEqual(words('FAILED'));
    expect(judged(turned).code).toBe(1);
    const { votes: _, ...older } = entry?.head ?? {};
    expect(judged(vote.rounds, older).lines).toContainEqual(words('NOT CHECKED'));
  });
  test('with one candidate needs more votes for them than abstentions, and takes no vote for anybody else', async () => {
    const { id, candidates } = await election([members[0] as string]);
    pass(16.5);
    const [only] = candidates as [string];
    expect((await castSecret(id, await signedBallot(id, members[5] as string, 'for'))).body.code).toBe('vote_conflict');
    await secretVotes(id, [only, 'abstain', 'abstain']);
    pass(3);
    await tend();
    expect(await read(id)).toMatchObject({ state: 'rejected', election: { elected: null } });
  });
  test('for which nobody stands ends after a week', async () => {
    const { id } = await election([]);
    pass(8.5);
    await tend();
    expect(await read(id)).toMatchObject({ state: 'no_candidates', may: [] });
  });
  test('takes candidates in its first week alone, from the roll, with a confirmed phone, no operator’s name, and not of both sides', async () => {
    const { id } = await election([]);
    const [one, unconfirmed, newcomer] = [
      members[0] as string,
      members[1] as string,
      await people.person('Late', 'Comer'),
    ];
    await people.member(sacco, newcomer);
    await database.owner`update users set phone_confirmed_at = null where id = ${unconfirmed}`;
    expect((await stand(id, newcomer)).body.code).toBe('not_on_roll');
    expect((await stand(id, unconfirmed)).body.code).toBe('phone_unconfirmed');
    expect((await stand(id, supervisors[0] as string)).body.code).toBe('office_conflict');
    await asOperator('Barasa', async () => {
      expect((await stand(id, members[2] as string)).body.code).toBe('validation_failed');
    });
    await stand(id, one);
    await stand(id, one);
    expect((await read(id)).election.candidates).toHaveLength(1);
    pass(8.5);
    expect((await stand(id, chair)).body.code).toBe('vote_conflict');
    const again = await draft(chair, { office: 'secretary', title: 'Once more' });
    expect(again.body).toMatchObject({ code: 'change_conflict', vote: id });
    expect((await draft(chair, { office: 'manager', ...change })).status).toBe(400);
  });
  test('is for the name of the publication: who renames after it does not stand, and two honest namesakes both do, with their numbers (power 12)', async () => {
    const [honest, thief, other] = members as [string, string, string];
    const rename = (userId: string, first: string, last: string) =>
      database.owner`update users set first_name = ${first}, last_name = ${last} where id = ${userId}`;
    await rename(other, 'NJERI', 'Member');
    await asLongMembers([other]);
    const { id, candidates } = await election([honest, thief]);
    expect((await stand(id, other)).status).toBe(200);
    const both = (await read(id)).election.candidates;
    expect(new Set(both.map(({ number }: { number: string }) => number)).size).toBe(3);
    const late = members[3] as string;
    await rename(late, 'Wanjiru', 'Kamau');
    expect((await stand(id, late)).body.message).toContain('Yours has changed since');
    // An official who sees the card under the new name changes nothing.
    pass(0.1);
    await database.owner`
      insert into identity_checks (id, user_id, seen_by, document, seen_at)
      values (gen_random_uuid(), ${late}, ${other}, 'national_id', ${database.now()})`;
    expect((await stand(id, late)).body.message).toContain('Yours has changed since');
    await app.call('DELETE', `/voting/proposals/${id}/nomination`, { as: other, sacco });
    pass(16.5);
    await rename(thief, 'Njeri', 'Member');
    const shown = (await read(id)).election.candidates.map(({ name }: { name: string }) => name);
    expect(shown.toSorted()).toEqual(['Chebet Member', 'Njeri Member']);
    await secretVotes(id, [candidates[1] as string, candidates[1] as string, candidates[1] as string]);
    pass(3);
    await tend();
    pass(2.1);
    await tend();
    expect((await read(id)).events.at(-1).text).toContain('under their present name');
    expect(await holders('secretary')).toEqual([]);
  });
  test('of the supervisory committee takes no second account of somebody whom it examines', async () => {
    const [one] = members as [string];
    await database.owner`
      insert into referral_traces (user_id, kind, value, created_at)
      select unnest(${[one, treasurer]}::uuid[]), 'id', ${`T${one}`}, ${database.now()}`;
    await database.owner`update memberships set joined_at = joined_at - interval '1 day' where user_id = ${one} and sacco_id = ${sacco}`;
    const { id } = await election([], 'supervisory_committee');
    expect((await stand(id, one)).body.code).toBe('office_conflict');
    await database.owner`delete from referral_traces where user_id = ${one}`;
    expect((await stand(id, one)).status).toBe(200);
  });
  test('of the supervisory committee is held by its members for a while, and voided by none of them', async () => {
    const { id, candidates } = await election([members[0] as string], 'supervisory_committee');
    pass(16.5);
    const [stands] = candidates as [string];
    await secretVotes(id, [stands, stands, stands]);
    pass(3);
    await tend();
    const [one, two] = supervisors as [string, string];
    const reason = { reason: 'We would rather stay among ourselves.' };
    expect((await post(`/${id}/hold`, one, reason)).body.proposal.state).toBe('held');
    expect((await post(`/${id}/void`, two, reason)).body.message).toContain('your own committee');
    expect((await read(id, two)).may).toEqual(['release']);
    pass(14.1);
    await tend();
    expect(await holders('supervisory_committee')).toContain(members[0]);
  });
  test('for an office of one person is one at a time, also where both were drafted before', async () => {
    const [first, second] = [
      (await draft(chair, { office: 'secretary', title: 'Elect a secretary' })).body.proposal.id,
      (await draft(treasurer, { office: 'secretary', title: 'Elect another one' })).body.proposal.id,
    ];
    expect((await post(`/${first}/signature`, treasurer)).body.proposal.state).toBe('published');
    expect((await post(`/${second}/signature`, chair)).body.proposal).toMatchObject({
      state: 'draft',
      waits_for: { id: first },
    });
  });
  test('changes nothing while whoever was elected has an operator’s name, and says why', async () => {
    const { id, candidates } = await election([members[0] as string, members[1] as string]);
    pass(16.5);
    await secretVotes(
      id,
      Array.from({ length: 3 }, () => candidates[0] as string),
    );
    pass(3);
    await tend();
    pass(2.1);
    await asOperator('Njeri', tend);
    expect((await read(id)).events.at(-1)).toMatchObject({ kind: 'failed', text: expect.stringContaining('the name') });
    expect(await holders('secretary')).toEqual([]);
    pass(0.1);
    await tend();
    expect(await holders('secretary')).toEqual([members[0]]);
  });
  test('changes nothing where whoever was elected has left meanwhile, and says why', async () => {
    const { id, candidates } = await election([members[0] as string, members[1] as string]);
    pass(16.5);
    await secretVotes(
      id,
      Array.from({ length: 4 }, () => candidates[0] as string),
    );
    pass(3);
    await tend();
    await database.owner`update memberships set state = 'leaving' where user_id = ${members[0] as string} and sacco_id = ${sacco}`;
    pass(2.1);
    await tend();
    expect((await read(id)).state).toBe('execution_failed');
    expect(await holders('secretary')).toEqual([]);
  });
});

describe('a candidate', () => {
  const words = { words: 'I have kept the books of our church for ten years.' };
  const standDown = (id: string, as: string) => app.call('DELETE', `/voting/proposals/${id}/nomination`, { as, sacco });
  test('stands down until voting begins, takes no vote then, and may stand again in the first week', async () => {
    const [one, two, other] = members as [string, string, string];
    const id = await published({ office: 'secretary', title: 'Elect a secretary' });
    for (const each of [one, two]) await post(`/${id}/nomination`, each, words);
    expect((await standDown(id, other)).body.code).toBe('vote_conflict');
    expect((await read(id, one)).may).toContain('stand_down');
    expect((await standDown(id, one)).body.proposal).toMatchObject({ may: ['stand'], election: { candidates: [{}] } });
    await post(`/${id}/nomination`, one, words);
    const number = (await read(id, one)).election.candidates.find((each: { is_me: boolean }) => each.is_me).id;
    pass(10);
    expect((await standDown(id, one)).status).toBe(200);
    pass(6.5);
    expect((await standDown(id, two)).body.code).toBe('vote_conflict');
    expect((await castSecret(id, await signedBallot(id, chair, number))).body.code).toBe('vote_conflict');
    expect((await read(id)).events.map(({ kind }: { kind: string }) => kind)).toContain('stood_down');
  });
  test('who was the only one ends the election by standing down', async () => {
    const id = await published({ office: 'secretary', title: 'Elect a secretary' });
    await post(`/${id}/nomination`, members[0] as string, words);
    pass(10);
    await standDown(id, members[0] as string);
    await tend();
    expect((await read(id)).state).toBe('no_candidates');
  });
});

describe('a vote that ends an office', () => {
  const answer = (id: string, as: string, words = 'I have paid in every shilling, and here are the slips.') =>
    post(`/${id}/answer`, as, { words });
  const removalOf = async (userId: string) => {
    const [held] = await database.owner`
      select id from offices where sacco_id = ${sacco} and user_id = ${userId} and ended_at is null`;
    return { change: { kind: 'official_removal', values: { official: held?.id } } };
  };
  const officesOf = async (userId: string): Promise<number> => {
    const rows = await database.owner`
      select from offices where sacco_id = ${sacco} and user_id = ${userId} and ended_at is null`;
    return rows.length;
  };
  /** Drafted by members, passed in secret by five of six, and due. */
  async function removed(userId: string): Promise<string> {
    const { id, last } = await publishedByMembers(await removalOf(userId));
    await last();
    pass(16.5);
    await secretVotes(id, ['for', 'against', 'for', 'for', 'for', 'for']);
    pass(5);
    await tend();
    return id;
  }
  test('is secret and needs two thirds; whoever it is about answers before voting begins', async () => {
    const { id, last } = await publishedByMembers(await removalOf(treasurer));
    await last();
    await tend();
    expect(await read(id)).toMatchObject({
      class: 'special',
      ballot: 'secret',
      about: { name: 'Otieno Ouma', is_me: false, answer: null },
      change: { before: { name: 'Otieno Ouma', office: 'treasurer' } },
    });
    expect((await toldOf(treasurer)).filter(({ template }) => template === 'vote_about_you')).toHaveLength(1);
    expect((await answer(id, chair)).body.code).toBe('vote_conflict');
    expect((await answer(id, treasurer)).body.proposal.may).toContain('answer');
    await answer(id, treasurer, 'Everything is paid in, and the slips are at the office.');
    expect((await read(id)).about.answer.words).toContain('at the office');
    pass(16.5);
    expect((await answer(id, treasurer)).body.code).toBe('vote_conflict');
    expect((await app.call('GET', `/voting/public/${id}`, {})).body.title).toBe('');
  });
  test('ends it a week after the count, and tells whoever held it and the officials who are left', async () => {
    const id = await removed(treasurer);
    expect([(await read(id)).state, await officesOf(treasurer)]).toEqual(['queued', 1]);
    pass(7);
    await Promise.all([tend(), tend()]);
    expect([(await read(id)).state, await officesOf(treasurer)]).toEqual(['executed', 0]);
    await tellOfEndedOffices(database, { user: treasurer, sacco, cause: 'vote' });
    const told =
      await database.owner`select user_id, text from notifications where template = 'office_ended' order by id`;
    expect(told.map(({ user_id }) => user_id)).toEqual(expect.arrayContaining([treasurer, chair]));
    expect(JSON.stringify(told)).toContain('members have voted that');
  });
  test('is not drafted by whoever holds it or for another sacco', async () => {
    expect((await draft(treasurer, await removalOf(treasurer))).body.message).toContain('would be about you');
    const [elsewhere] = await database.owner`select id from offices where sacco_id <> ${sacco} limit 1`;
    const foreign = { change: { kind: 'official_removal', values: { official: elsewhere?.id ?? sacco } } };
    expect((await draft(chair, foreign)).body.code).toBe('change_conflict');
  });
  /** Takes up an office to which chair and secretary have invited, with the code of the SMS. */
  async function takesUp(userId: string, office = 'treasurer'): Promise<string> {
    const [invitationId, code] = [database.newId(), 'ABCDEFGH12345678'];
    await database.owner`
      insert into office_invitations (id, sacco_id, office, id_number, invited_by, created_at, expires_at, state, named_as, confirmed_by,
        confirmed_at, code_hash)
      select ${invitationId}, ${sacco}, ${office}, id_number, ${chair}, ${database.now()}, ${database.now()}::timestamptz + interval '7 days',
        'asked', 'chair', ${supervisors[0] as string}, ${database.now()}, ${fastHash(`${invitationId}:${code}`)} from users where id = ${userId}`;
    const accepting = database.transaction((tx) => acceptOffice(tx, { userId }, { invitationId, code }));
    return accepting.then(
      () => 'taken up',
      (refusal) => refusal.message,
    );
  }
  test('is passed whether or not its holder resigns before the count, and from its publication only an election brings them back, for three years (power 8)', async () => {
    const { id, last } = await publishedByMembers(await removalOf(treasurer));
    await endOffice(treasurer);
    expect((await last()).body.proposal.state).toBe('published');
    const barred = expect.stringContaining('only an election brings you back');
    expect(await takesUp(treasurer)).toEqual(barred);
    expect(await takesUp(treasurer, 'secretary')).toEqual(barred);
    pass(16.5);
    await secretVotes(id, ['for', 'against', 'for', 'for', 'for', 'for']);
    pass(5);
    await tend();
    pass(7);
    await tend();
    expect((await read(id)).state).toBe('executed');
    expect(await takesUp(treasurer)).toEqual(barred);
    expect(await takesUp(members[0] as string)).toBe('taken up');
    pass(3 * 366);
    expect(await takesUp(treasurer, 'secretary')).toBe('taken up');
  });
  test('ends the office also of a treasurer who resigned once the vote was drafted, and took it up anew before it was published', async () => {
    const { id, last } = await publishedByMembers(await removalOf(treasurer));
    await endOffice(treasurer);
    pass(0.1);
    expect(await takesUp(treasurer)).toBe('taken up');
    expect((await last()).body.proposal.state).toBe('published');
    pass(16.5);
    await secretVotes(id, ['for', 'against', 'for', 'for', 'for', 'for']);
    pass(5);
    await tend();
    pass(7);
    await tend();
    expect([(await read(id)).state, await officesOf(treasurer)]).toEqual(['executed', 0]);
  });
  test('is not signed by whom it is about', async () => {
    const removal = await publishedByMembers(await removalOf(treasurer));
    expect((await read(removal.id, treasurer)).may).not.toContain('sign');
    const signed = await post(`/${removal.id}/signature`, treasurer);
    expect(signed.body).toMatchObject({ code: 'not_allowed', message: 'This vote is about you: others sign it.' });
    expect((await removal.last()).body.proposal.state).toBe('published');
  });
  test('of two officials are under way at once, of one official one', async () => {
    const first = await publishedByMembers(await removalOf(treasurer));
    const second = await publishedByMembers({ ...(await removalOf(chair)), title: 'Another one' });
    const third = await publishedByMembers({ ...(await removalOf(treasurer)), title: 'Once more' });
    const published = (await first.last()).body.proposal;
    expect(published.state).toBe('published');
    expect((await second.last()).body.proposal.state).toBe('published');
    // It waits for the one that stands in the way.
    expect((await third.last()).body.proposal).toMatchObject({ state: 'draft', waits_for: { id: published.id } });
  });
  test('is neither held nor voided by the supervisor whom it is about', async () => {
    const [own, other] = supervisors as [string, string];
    const id = await removed(own);
    const reason = { reason: 'I look whether it is lawful.' };
    expect((await post(`/${id}/hold`, own, reason)).body.message).toContain('about you');
    expect((await post(`/${id}/hold`, other, reason)).status).toBe(200);
    expect((await post(`/${id}/void`, own, reason)).body.code).toBe('vote_conflict');
    expect((await read(id, own)).may).toEqual([]);
  });
});

describe('an expulsion', () => {
  const membershipOf = async (userId: string) => {
    const [row] = await database.owner`
      select id, state from memberships where sacco_id = ${sacco} and user_id = ${userId}`;
    return row as unknown as { id: string; state: string };
  };
  const about = async (kind: string, userId: string) => ({
    change: { kind, values: { member: (await membershipOf(userId)).id } },
  });
  const last = () => members.at(-1) as string;
  /** Passed by six, and carried out. */
  async function decided(kind: 'expulsion' | 'admission', meanwhile: () => Promise<unknown> = async () => {}) {
    const draft = await publishedByMembers(await about(kind, last()));
    expect((await draft.last()).body.proposal).toMatchObject({ state: 'published', ballot: 'secret' });
    pass(kind === 'expulsion' ? 16.5 : 8.5);
    await secretVotes(draft.id, ['for', 'against', 'for', 'for', 'for', 'for']);
    pass(5);
    await tend();
    await meanwhile();
    pass(7);
    await Promise.all([tend(), tend()]);
    return draft.id;
  }
  const exits = () => database.owner`
    select state, due_at from exit_requests where sacco_id = ${sacco} and user_id = ${last()}`;
  const takeNoticeBack = () => database.transaction((tx) => cancelExit(tx, { userId: last() }, { saccoId: sacco }));
  test('is an exit of 60 days that nobody takes back; whoever it was joins again only once members have voted so', async () => {
    const id = await decided('expulsion');
    expect(await read(id)).toMatchObject({ state: 'executed', class: 'special', about: { name: 'Mutua Member' } });
    expect((await membershipOf(last())).state).toBe('leaving');
    // The log of the books has no digest of a title that names a person: it could be guessed.
    const logged = await database.owner`
      select head -> 'asked' -> 'title_sha256' as title from log_events where head ->> 'proposal' = ${id} and head ? 'asked'`;
    expect([...logged]).toEqual([{ title: null }]);
    const [exit] = await exits();
    expect(Math.round((exit?.due_at.getTime() - database.now().getTime()) / DAY_MS)).toBe(60);
    await expect(takeNoticeBack()).rejects.toThrow('nobody takes that back');
    await database.owner`
      update exit_requests set state = 'completed', refunded_at = now(), refund_cents = 0, completed_at = now()
      where sacco_id = ${sacco} and user_id = ${last()}`;
    await database.owner`update memberships set state = 'exited' where sacco_id = ${sacco} and user_id = ${last()}`;
    const join = async (userId = last()) => {
      const terms = { regFeeCents: 50_000, minShares: 10, shareValueCents: 10_000, totalCents: 50_000 };
      const input = { saccoId: sacco, ...terms };
      return asPerson({ userId }, () => database.transaction((tx) => joinSacco(tx, { userId }, input, async () => {})));
    };
    await expect(join()).rejects.toThrow('voted to admit you');
    const second = await people.person('Mutua', 'Second');
    await expect(join(second)).rejects.toThrow('Not enough money');
    await database.owner`
      insert into referral_traces (user_id, kind, value, created_at)
      select unnest(${[last(), second]}::uuid[]), 'id', ${`T${second}`}, ${database.now()}`;
    await expect(join(second)).rejects.toThrow('admit that account again');
    await expect(
      database.owner`update memberships set state = 'provisional' where sacco_id = ${sacco} and user_id = ${last()}`,
    ).rejects.toThrow('members admit again');
    expect((await read(await decided('admission'))).class).toBe('ordinary');
    for (const each of [last(), second]) await expect(join(each)).rejects.toThrow('Not enough money');
  });
  test('is carried out whatever binds the member, which delays the refund alone (power 14)', async () => {
    const pools = testPools(database);
    const pool = await pools.pool(last(), sacco);
    await pools.pay(last(), 1_000_00);
    await pools.join(pool, last(), 1_000_00);
    const id = await decided('expulsion');
    expect((await read(id)).state).toBe('executed');
    expect((await membershipOf(last())).state).toBe('leaving');
    expect((await exits())[0]?.state).toBe('requested');
    const member = { userId: last(), saccoId: sacco };
    expect(await database.transaction((tx) => poolExitBlocks(tx, member))).toMatchObject([{ at: { id: pool } }]);
  });
  test('is not defeated by a notice of the member, who cannot take it back then', async () => {
    await decided('expulsion', () =>
      database.transaction((tx) => requestExit(tx, { userId: last() }, { saccoId: sacco, reason: null })),
    );
    expect(await exits()).toHaveLength(1);
    await expect(takeNoticeBack()).rejects.toThrow('nobody takes that back');
  });
  const leave = async () => {
    await database.transaction((tx) => requestExit(tx, { userId: last() }, { saccoId: sacco, reason: null }));
    await database.owner`
      update exit_requests set state = 'completed', refunded_at = requested_at, refund_cents = 0, completed_at = requested_at
      where sacco_id = ${sacco} and user_id = ${last()}`;
    await database.owner`update memberships set state = 'exited' where sacco_id = ${sacco} and user_id = ${last()}`;
  };
  test('bars also a member who has left by the time that it is carried out from joining again', async () => {
    const id = await decided('expulsion', leave);
    expect((await read(id)).state).toBe('executed');
    expect([(await membershipOf(last())).state, await exits()]).toMatchObject(['exited', [{ state: 'completed' }]]);
    const terms = { regFeeCents: 50_000, minShares: 10, shareValueCents: 10_000, totalCents: 50_000 };
    const join = () =>
      database.transaction((tx) => joinSacco(tx, { userId: last() }, { saccoId: sacco, ...terms }, async () => {}));
    await expect(join()).rejects.toThrow('voted to admit you');
    const told =
      await database.owner`select text from notifications where user_id = ${last()} and template = 'member_expelled'`;
    expect(JSON.stringify(told)).toContain('join again only once');
    expect((await read(await decided('admission'))).state).toBe('executed');
    await expect(join()).rejects.toThrow('Not enough money');
  });
  test('finds a member who has left and joined again meanwhile', async () => {
    const id = await decided('expulsion', async () => {
      await leave();
      await database.owner`
        update memberships set state = 'provisional', paid_up_at = null, joinings = joinings + 1 where sacco_id = ${sacco} and user_id = ${last()}`;
    });
    expect([(await read(id)).state, (await membershipOf(last())).state]).toEqual(['executed', 'leaving']);
    expect((await exits()).map(({ state }) => state).sort()).toEqual(['completed', 'requested']);
  });
  test('of one of the supervisory committee is voided by none of them, nor examined by a second account of whoever it is about', async () => {
    const [one, two] = supervisors as [string, string];
    const reason = { reason: 'We would rather stay among ourselves.' };
    const id = await decided('expulsion', async () => {
      const [vote] = await database.owner`select id from proposals where sacco_id = ${sacco}`;
      const act = (what: string, as: string) => post(`/${vote?.id}/${what}`, as, reason);
      await database.owner`
        insert into referral_traces (user_id, kind, value, created_at)
        select unnest(${[one, last()]}::uuid[]), 'id', ${`T${one}`}, ${database.now()}`;
      expect((await act('hold', one)).body.message).toContain('somebody whom this vote is about');
      await database.owner`delete from referral_traces where user_id = ${one}`;
      await people.official(sacco, last(), 'supervisory_committee');
      expect((await act('hold', one)).status).toBe(200);
      expect((await act('void', two)).body.message).toContain('your own committee');
      // Who leaves the committee meanwhile sat on it when members were asked.
      const since = new Date(database.now().getTime() - 60 * DAY_MS);
      await database.owner`update offices set since = ${since}, ended_at = ${database.now()} where user_id = ${last()}`;
      expect((await act('void', two)).body.message).toContain('your own committee');
      expect((await read(vote?.id, two)).may).toEqual(['release']);
      await act('release', two);
    });
    expect((await read(id)).state).toBe('executed');
  });
  test('that somebody got round is found by the audit', async () => {
    await decided('expulsion');
    const { owner } = database;
    const become = (state: string) => owner`
      update memberships set state = ${state} where sacco_id = ${sacco} and user_id = ${last()}`;
    const breaches = async () => (await Promise.all(votingInvariants.map(({ find }) => find(owner)))).flat();
    expect(await breaches()).toEqual([]);
    await owner`alter table memberships disable trigger expelled_stay_out`;
    await become('active');
    expect(await breaches()).toHaveLength(1);
    await become('leaving');
    await owner`alter table memberships enable trigger expelled_stay_out`;
  });
});

describe('a draft on terms on which members vote already', () => {
  test('says which vote it waits for, before it is drafted, to whoever shall sign it, and when it is refused', async () => {
    const id = await published(change);
    const title = 'Faster answers';
    const until = (await read(id)).closes_at;
    const other = { change: { kind: 'complaint_terms', values: { answer_days: 8, resolve_days: 22 } } };
    const rules = (await app.call('GET', '/voting/rules', { as: members[0] as string, sacco })).body;
    const { number } = await read(id);
    const of = { id, number, title };
    expect(rules.underway).toEqual([{ ...of, kind: 'complaint_terms', subject: null, is_decided: false, until }]);
    const second = (await draft(chair, { ...other, title: 'Slower answers' })).body.proposal;
    expect(second.waits_for).toEqual({ ...of, is_decided: false, until });
    const asked = (await toldOf(treasurer)).map(({ message }) => message);
    expect(asked).toContainEqual(expect.stringContaining(`published once vote ${number} (`));
    pass(8.5);
    await votes(id, ['for', 'for', 'for']);
    pass(3);
    await tend();
    const { eta } = await read(id);
    expect((await read(second.id)).waits_for).toEqual({ ...of, is_decided: true, until: eta });
    // On what is carried out nothing waits, and neither does a draft about other terms.
    pass(2);
    await tend();
    expect((await read(second.id)).waits_for).toBeNull();
  });
  test('waits with its signatures, does not lapse, and is published once that vote is over, with what holds then (power 9)', async () => {
    const first = await published(change);
    const other = { change: { kind: 'complaint_terms', values: { answer_days: 8, resolve_days: 22 } } };
    const { id } = (await draft(chair, { ...other, title: 'Slower answers' })).body.proposal;
    const signed = (await post(`/${id}/signature`, treasurer)).body;
    expect(signed).toMatchObject({
      message: 'Signed. It is published by itself once the other vote on the same is over.',
      proposal: { state: 'draft', lapses_at: null, signatures: { given: 2, needed: 2 }, waits_for: { id: first } },
    });
    pass(8.5);
    await votes(first, ['for', 'for', 'for']);
    pass(3);
    await tend();
    pass(2.1);
    await tend();
    const { state, change: asked } = await read(id);
    expect(state).toBe('published');
    expect(asked.before).toMatchObject({ answer_days: 7, resolve_days: 21 });
  });
  test('waits one of each signer, so that a few friends do not fill the queue before others (power 9)', async () => {
    const first = await published(change);
    const decoys = ['The first decoy', 'The second decoy'].map((title) => draft(chair, { ...change, title }));
    const [one, two] = (await Promise.all(decoys)).map(({ body }) => body.proposal.id);
    expect((await post(`/${one}/signature`, treasurer)).body.proposal.waits_for.id).toBe(first);
    expect((await post(`/${two}/signature`, treasurer)).body).toMatchObject({
      code: 'vote_conflict',
      message: 'A draft on the same that you have signed waits already. Sign this one once that is published.',
    });
    // Signed already, it goes on to wait; a draft of another drafter waits behind it.
    expect((await post(`/${one}/signature`, treasurer)).status).toBe(200);
    expect((await (await publishedByMembers(change)).last()).body.proposal.state).toBe('draft');
  });
  test('is published next where that vote is taken back, before the draft of whoever took it back (power 9)', async () => {
    const decoy = await published(change);
    const next = (await draft(chair, { ...change, title: 'The next decoy' })).body.proposal.id;
    const wanted = await publishedByMembers({
      change: { kind: 'complaint_terms', values: { answer_days: 8, resolve_days: 22 } },
    });
    expect((await wanted.last()).body.proposal.state).toBe('draft');
    await takeBackBoth(decoy);
    // In the same second.
    expect((await post(`/${next}/signature`, treasurer)).body).toMatchObject({
      code: 'vote_conflict',
      message: expect.stringContaining('took a vote on the same matter back'),
    });
    expect((await draft(treasurer, { ...change, title: 'One more decoy' })).body.code).toBe('vote_conflict');
    await tend();
    expect((await read(wanted.id)).state).toBe('published');
    // On another matter they do, and on this one after 90 days.
    expect((await draft(treasurer, { title: 'Something else' })).status).toBe(201);
    pass(90.1);
    expect((await draft(treasurer, { ...change, title: 'After 90 days' })).status).toBe(201);
  });
  test('waits for signatures again where its signers might not sign any more, and ends where it holds already', async () => {
    const first = await published(change);
    const same = await publishedByMembers({ ...change, title: 'The same once more' });
    await same.last();
    const other = { change: { kind: 'complaint_terms', values: { answer_days: 8, resolve_days: 22 } } };
    const { id } = (await draft(chair, { ...other, title: 'Slower answers' })).body.proposal;
    await post(`/${id}/signature`, treasurer);
    await endOffice(treasurer);
    pass(8.5);
    await votes(first, ['for', 'for', 'for']);
    pass(3);
    await tend();
    pass(2.1);
    await tend();
    expect((await read(same.id)).events.at(-1)).toMatchObject({ kind: 'cancelled', text: 'That holds already.' });
    await tend();
    expect((await read(id, chair)).signatures).toEqual({ given: 1, needed: 2 });
  });
});

describe('the rules of votes', () => {
  const rules = { ...FIRST_GOVERNANCE, ordinary_notice_days: 14, ordinary_quorum: '1/2', special_majority: '3/4' };
  const asked = (more: object = {}) => ({ change: { kind: 'vote_rules', values: { ...rules, ...more } } });
  test('are set by two thirds for votes that are published later, never below the limits', async () => {
    expect((await draft(chair, asked({ ordinary_notice_days: 6 }))).body.code).toBe('validation_failed');
    expect((await draft(chair, asked({ special_majority: '1/2' }))).body.code).toBe('validation_failed');
    const id = await published(asked());
    pass(14);
    const before = await published({ title: 'Under the old rules' });
    pass(2.5);
    await votes(id, ['for', 'for', 'for', 'against']);
    pass(5);
    await tend();
    expect(await read(id)).toMatchObject({ class: 'special', state: 'queued' });
    pass(7);
    await Promise.all([tend(), tend()]);
    const now = await app.call('GET', '/voting/rules', { as: chair, sacco });
    expect(now.body).toMatchObject({ now: rules, versions: [{ proposal: id, ...rules }] });
    expect((await read(before)).rules.notice_days).toBe(7);
    const draftNow = (await draft(chair, { class: 'special', title: 'Under the new rules' })).body.proposal;
    expect(draftNow.rules.majority).toEqual({ part: 3, of: 4 });
    const later = await published({ title: 'Later' });
    expect(await read(later)).toMatchObject({ quorum: 5, rules: { notice_days: 14, voting_days: 3 } });
  });
});

describe('by-laws', () => {
  const TEXT_OF = (meetings: string) => `1. The members meet ${meetings} a year. `.repeat(8).trim();
  const bylaws = (text: string) => ({ change: { kind: 'bylaws', values: { text } } });
  const adopted = async (text: string) => {
    const id = await published(bylaws(text));
    pass(16.5);
    await votes(id, ['for', 'for', 'for', 'for']);
    pass(5);
    await tend();
    pass(7);
    await Promise.all([tend(), tend()]);
    return id;
  };
  const registration = (id: string, as: string, no = 'CS/12/2026', day = nairobiDay(database.now())) =>
    app.call('POST', `/voting/proposals/${id}/registration`, { as, sacco, body: { no, on: day } });
  const held = async (query = '') => (await app.call('GET', `/voting/by-laws${query}`, { as: chair, sacco })).body;
  test('hold once two officials have recorded the same certificate, and each version is read on any day', async () => {
    const first = await adopted(TEXT_OF('once'));
    expect(await read(first)).toMatchObject({ class: 'special', state: 'executed' });
    expect(await held()).toMatchObject({
      bylaws: null,
      versions: [{ number: 1, in_force_at: null, may_record: true }],
    });
    expect((await registration(first, members[0] as string)).body.code).toBe('not_allowed');
    expect((await registration(first, chair, 'CS/12/2026', '2020-01-01')).body.code).toBe('vote_conflict');
    expect((await registration(first, chair)).body.bylaws.in_force_at).toBeNull();
    expect((await registration(first, treasurer, 'CS/21/2026')).body.bylaws.in_force_at).toBeNull();
    expect((await registration(first, treasurer)).body.bylaws.in_force_at).not.toBeNull();
    expect((await registration(first, chair, 'CS/99/2026')).body.code).toBe('vote_conflict');
    const day = nairobiDay(database.now());
    pass(1);
    const second = await adopted(TEXT_OF('twice'));
    expect((await held()).bylaws.text).toBe(TEXT_OF('once'));
    await registration(second, chair, 'CS/13/2027');
    await registration(second, treasurer, 'CS/13/2027');
    expect((await held()).bylaws).toMatchObject({ number: 2, text: TEXT_OF('twice') });
    expect((await held(`?on=${day}`)).bylaws.number).toBe(1);
    expect((await held('?on=2020-01-01')).bylaws).toBeNull();
    expect((await held('?version=1')).bylaws.text).toBe(TEXT_OF('once'));
    expect((await draft(chair, bylaws(TEXT_OF('twice')))).body.code).toBe('change_conflict');
  });
});

test('by-laws hold by any two equal records, whatever false number one official has recorded (power 10)', async () => {
  const secretary = members[1] as string;
  await people.official(sacco, secretary, 'secretary');
  const text = '1. The members meet twice a year. '.repeat(8).trim();
  const id = await published({ change: { kind: 'bylaws', values: { text } } });
  pass(16.5);
  await votes(id, ['for', 'for', 'for', 'for']);
  pass(5);
  await tend();
  pass(7);
  await tend();
  const records = (as: string, no: string) => {
    const body = { no, on: nairobiDay(database.now()) };
    return app.call('POST', `/voting/proposals/${id}/registration`, { as, sacco, body });
  };
  await records(treasurer, 'CS/FALSE/1');
  expect((await records(chair, 'CS/12/2026')).body.bylaws.in_force_at).toBeNull();
  // The false one once more does not wipe what the others have recorded.
  await records(treasurer, 'CS/FALSE/2');
  const { bylaws } = (await records(secretary, 'CS/12/2026')).body;
  expect(bylaws).toMatchObject({ in_force_at: expect.any(String), registration: { no: 'CS/12/2026' } });
});

describe('what passes', () => {
  test('is carried out by itself once its time has come, and only once', async () => {
    const before = await limitsNow();
    const id = await opened(change);
    await votes(id, ['for', 'for', 'for', 'against']);
    pass(3);
    await tend();
    expect((await read(id)).state).toBe('queued');
    pass(1.9);
    await tend();
    expect(await limitsNow()).toEqual(before);
    pass(0.2);
    // It is told apart from a draft: what only a vote that begins is refused for stops none that has passed.
    const asked = vi.spyOn(executors.complaint_terms, 'refusalOf');
    await Promise.all([tend(), tend()]);
    expect(asked.mock.lastCall?.[1]).toMatchObject({ proposalId: id });
    asked.mockRestore();
    expect(await limitsNow()).toEqual([7, 21]);
    expect((await read(id)).state).toBe('executed');
    const [row] = await database.owner`select count(*)::int as n from complaint_terms where sacco_id = ${sacco}`;
    expect(row?.n).toBe(1);
  });
  test('changes nothing where what it was about has changed, and says why', async () => {
    const id = await opened(change);
    await votes(id, ['for', 'for', 'for']);
    pass(3);
    await tend();
    await database.owner`
      insert into complaint_terms (sacco_id, valid_from, answer_days, resolve_days, changed_by)
      values (${sacco}, ${database.now()}, 5, 10, ${chair})`;
    pass(2.1);
    await tend();
    await tend();
    const found = await read(id);
    expect(found.state).toBe('given_up');
    expect(found.events.filter(({ kind }: { kind: string }) => kind === 'failed')).toHaveLength(1);
    expect(await limitsNow()).toEqual([5, 10]);
    pass(31);
    await tend();
    expect((await read(id)).state).toBe('given_up');
  });
  test('is carried out although a hundred others are refused before it', async () => {
    const id = await passed();
    const { owner, now } = database;
    const at = (days: number) => new Date(now().getTime() + days * DAY_MS);
    await owner`
      insert into proposals (id, sacco_id, kind, class, title, text, drafted_by, drafted_at, signatures_needed, change_kind, expected, payload,
        published_at, rules, roll_size, opens_at, closes_at, counted_at, outcome, eta)
      select ('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, ${sacco}, 'change', 'ordinary', 'One of many', ${TEXT}, ${chair},
        ${at(-9)}, 2, 'complaint_terms', expected, '{"answer_days": 1, "resolve_days": 1}', ${at(-8)}, rules, 9, ${at(-7)}, ${at(-1)}, ${at(-1)},
        'passed', ${at(1)} from proposals, generate_series(1, 100) n where proposals.id = ${id}`;
    let tries = 0;
    const { complaint_terms } = executors;
    const apply: typeof complaint_terms.apply = async (tx, about, payload) => {
      await complaint_terms.apply(tx, about, payload);
      if (payload.answer_days !== 1) return;
      tries += 1;
      throw new Refusal('change_conflict');
    };
    const tendThem = () => tendVotes(database, { ...executors, complaint_terms: { ...complaint_terms, apply } });
    pass(2.1);
    await tendThem();
    expect((await read(id)).state).toBe('executed');
    expect(await limitsNow()).toEqual([7, 21]);
    expect(tries).toBe(100);
    await owner`delete from proposal_events where proposal_id in (select id from proposals where title = 'One of many')`;
    await owner`delete from proposals where title = 'One of many'`;
  });
  test('is tried each hour, and expires where it is refused for 30 days: those who were told that it comes are told that it does not', async () => {
    const id = await passed();
    let [tries, recalls] = [0, 0];
    const { complaint_terms } = executors;
    const refusing: typeof complaint_terms = {
      ...complaint_terms,
      refusalOf: async () => {
        tries += 1;
        return new Refusal('change_conflict');
      },
      recall: async () => {
        recalls += 1;
      },
    };
    const tendThem = () => tendVotes(database, { ...executors, complaint_terms: refusing });
    pass(2.1);
    await tendThem();
    await tendThem();
    expect(tries).toBe(1);
    expect((await read(id)).state).toBe('execution_failed');
    pass(1 / 24);
    await tendThem();
    expect(tries).toBe(2);
    pass(30);
    await tendThem();
    await tendThem();
    const { state, events } = await read(id);
    expect(state).toBe('expired');
    expect(events.slice(-2).map(({ kind }: { kind: string }) => kind)).toEqual(['failed', 'expired']);
    expect(recalls).toBe(1);
  });
  test('cannot be undone by two officials, neither meanwhile nor later', async () => {
    const id = await published(change);
    const other = () =>
      app.call('PUT', '/sacco/complaint-terms', { as: chair, sacco, body: { answer_days: 3, resolve_days: 9 } });
    expect((await other()).body.code).toBe('change_conflict');
    await post(`/${id}/cancellation`, chair, { reason: 'We want to discuss it first.' });
    expect((await other()).body.message).toContain('Members change this by a vote.');
    const way = () => app.call('GET', '/voting/way-of-changes', { as: chair, sacco });
    expect((await way()).body.by).toBe('vote');
    await database.owner`update memberships set state = 'leaving' where sacco_id = ${sacco} and user_id = any (${members}::uuid[])`;
    expect((await way()).body.by).toBe('vote');
  });
  test('is held by one supervisor and voided by another, never by the one who holds it', async () => {
    const id = await opened(change);
    await votes(id, ['for', 'for', 'for']);
    pass(3);
    await tend();
    const [one, two] = supervisors as [string, string];
    const reason = { reason: 'The by-laws ask for a general meeting about this.' };
    expect((await post(`/${id}/hold`, chair, reason)).status).toBe(403);
    expect((await post(`/${id}/hold`, one, reason)).body.proposal.state).toBe('held');
    pass(3);
    await tend();
    expect((await read(id)).state).toBe('held');
    expect((await toldOf(members[4] as string)).at(-1)?.message).toContain(
      'the supervisory committee holds the result of',
    );
    expect((await post(`/${id}/void`, one, reason)).body.code).toBe('second_official_required');
    expect((await post(`/${id}/void`, two, reason)).body.proposal.state).toBe('voided');
    pass(20);
    await tend();
    expect((await read(id)).state).toBe('voided');
    expect((await toldOf(members[4] as string)).at(-1)?.message).toContain('It is never carried out');
  });
  test('is held for 14 days at most and once; then it is carried out', async () => {
    const id = await opened(change);
    await votes(id, ['for', 'for', 'for']);
    pass(3);
    await tend();
    const reason = { reason: 'We look whether this is lawful.' };
    await post(`/${id}/hold`, supervisors[0] as string, reason);
    pass(14);
    expect((await post(`/${id}/hold`, supervisors[1] as string, reason)).body.code).toBe('vote_conflict');
    await tend();
    expect((await read(id)).state).toBe('executed');
  });
});

describe('who would make the roll as they like', () => {
  test('cannot take members off it by withdrawing ID cards, not before 30 days', async () => {
    await endCheck(members[0] as string, 29);
    await endCheck(members[1] as string, 30);
    const id = await published();
    expect((await read(id)).my.on_roll).toBe(true);
    expect((await read(id, members[1] as string)).my).toMatchObject({ on_roll: false, off_roll: 'card' });
  });
  test('cannot put somebody on it by a card that was withdrawn before it had stood for 30 days, or that another sacco saw', async () => {
    const [withdrawn, elsewhere, operators] = members as [string, string, string];
    await endCheck(withdrawn, 1, 29);
    const other = await people.sacco(`Other of ${chair}`, chair);
    await database.owner`update identity_checks set sacco_id = ${other}, office = 'chair' where user_id = ${elsewhere}`;
    const id = await published();
    expect((await read(id, withdrawn)).my).toMatchObject({ on_roll: false, off_roll: 'card' });
    expect((await read(id, elsewhere)).my).toMatchObject({ on_roll: false, off_roll: 'card' });
    expect((await read(id, operators)).my.on_roll).toBe(true);
  });
  test('stops no vote by accounts whose card nobody saw: half of the largest roll so far is enough, and officials decide nothing again', async () => {
    const way = async () => (await app.call('GET', '/voting/way-of-changes', { as: chair, sacco })).body.by;
    await noteSaccosThatVote(database);
    const puppets: string[] = [];
    for (let n = 0; n < 11; n += 1) puppets.push(await people.person(`Puppet ${n}`, 'Friend'));
    for (const each of puppets) await people.member(sacco, each);
    pass(31);
    expect(await way()).toBe('vote');
    expect((await propose(9)).body.code).toBe('change_conflict');
    expect((await read(await published())).roll_size).toBe(10);
    for (const each of members) await endCheck(each, 31);
    const { id } = (await draft(chair, { title: 'Another one' })).body.proposal;
    const refused = await post(`/${id}/signature`, treasurer);
    expect(refused.body.message).toContain('4 of 21');
    expect(refused.body.message).toContain('1 more ID card of members');
  });
  test('publishes nothing while fewer than half of the members could vote, and is told how many cards are to be seen', async () => {
    for (const each of everybody().slice(0, 6)) await endCheck(each, 31);
    const { id } = (await draft()).body.proposal;
    const refused = await post(`/${id}/signature`, treasurer);
    expect(refused).toMatchObject({ status: 409, body: { code: 'vote_conflict' } });
    expect(refused.body.message).toContain('4 of 10');
    expect(refused.body.message).toContain('1 more ID card of members');
    await database.owner`update identity_checks set ended_at = null, end_kind = null where user_id = ${chair}`;
    expect((await post(`/${id}/signature`, treasurer)).body.proposal).toMatchObject({
      state: 'published',
      roll_size: 5,
    });
  });
  test('says nothing to all members in our name: a notice has the number and the kind of a vote, and no word of its drafter (power 16)', async () => {
    const id = await published({ title: 'Send your PIN to 22345' });
    const { number, drafted_by } = await read(id);
    expect((await published({ title: 'Another one' })).length).toBeGreaterThan(0);
    const heard = (await Promise.all(everybody().map(toldOf))).flat().map(({ message }) => message);
    expect(heard.filter((message) => message.includes('22345'))).toEqual([]);
    expect(heard).toContainEqual(
      expect.stringMatching(new RegExp(`: vote ${number} \\(a resolution\\) is coming\\. You vote`)),
    );
    expect(heard).toContainEqual(expect.stringContaining(`: vote ${number + 1} (`));
    // The title stands on the page, below the name of who wrote it.
    expect(drafted_by.name).toMatch(/\w/);
    const rename = database.owner`update proposals set number = 99 where id = ${id}`;
    await expect(rename).rejects.toThrow(/number of a vote stays/);
  });
  test('cannot keep it from the others: every active member is told of the vote, and why they are not on its roll', async () => {
    await endCheck(members[0] as string, 31);
    await database.owner`update users set phone_confirmed_at = null where id = ${members[1] as string}`;
    await published();
    const [unseen, unconfirmed, other] = await Promise.all(members.slice(0, 3).map(toldOf));
    expect(unseen?.[0]?.message).toContain('You are not on its roll: no official of this sacco has seen your ID card.');
    expect(unconfirmed?.[0]?.message).toContain('You are not on its roll: you have not confirmed your phone.');
    expect(other?.[0]?.message).toContain('You vote from');
  });
  test('neither drafts nor signs for the members with accounts that could not vote', async () => {
    const fresh = await people.person('Fresh', 'Account');
    await people.member(sacco, fresh);
    expect((await draft(fresh)).body.code).toBe('vote_conflict');
    const { id } = (await draft(members[0])).body.proposal;
    expect((await post(`/${id}/signature`, fresh)).body.code).toBe('vote_conflict');
    expect((await read(id, fresh)).may).toEqual([]);
  });
  test('takes nobody off it by a number that was given up', async () => {
    await people.onePhone(chair, members[0] as string);
    const id = await published();
    expect([(await read(id)).my.on_roll, (await read(id, chair)).my.on_roll]).toEqual([true, true]);
  });
  test('counts no signature of those who might not sign any more', async () => {
    const [one, two] = members as [string, string];
    const { last } = await publishedByMembers();
    await database.owner`update memberships set state = 'leaving' where sacco_id = ${sacco} and user_id in (${one}, ${two})`;
    const { proposal } = (await last()).body;
    expect(proposal).toMatchObject({ state: 'draft', is_of_board: false, signatures: { given: 1, needed: 3 } });
    await post(`/${proposal.id}/signature`, members[3] as string);
    expect((await post(`/${proposal.id}/signature`, members[4] as string)).body.proposal.state).toBe('published');
    const ofBoard = (await draft()).body.proposal.id;
    await endOffice(chair);
    expect((await post(`/${ofBoard}/signature`, treasurer)).body.proposal).toMatchObject({ state: 'draft' });
  });
});

test('an operator hides the title of a vote from strangers, not from members, who read why; and never in a sacco of their own', async () => {
  const title = 'The treasurer is a thief';
  const id = await published({ title });
  const operator = await people.person('Halima', 'Operator');
  operators.push(operator);
  await database.owner`insert into operators (user_id, granted_at) values (${operator}, ${database.now()})`;
  const show = (is_shown: boolean, as = operator) => {
    const body = { is_shown, reason: 'It calls somebody a thief.' };
    return app.call('POST', `/operator/votes/${id}/title`, { as, body });
  };
  const seen = async () => (await app.call('GET', `/voting/public/${id}`)).body;
  expect((await show(false, chair)).status).toBe(403);
  expect((await show(false)).status).toBe(200);
  await show(false);
  expect(await seen()).toMatchObject({ title: '', title_hidden: true });
  expect((await app.call('GET', `/voting/public?sacco=${sacco}`)).body.results[0].title).toBe('');
  const { events, ...shown } = await read(id);
  expect(shown.title).toBe(title);
  expect(events.filter(({ kind }: { kind: string }) => kind === 'title_hidden')).toMatchObject([
    { name: null, text: 'It calls somebody a thief.' },
  ]);
  // Whoever drafted it is told why, once; whoever may show it again reads it.
  const told = async () => (await toldOf(chair)).filter(({ template }) => template.startsWith('vote_title'));
  expect(await told()).toMatchObject([{ template: 'vote_title_hidden' }]);
  expect((await told())[0]?.message).toMatch(
    /title of vote \d+ \(a resolution\) from strangers, which you drafted\. Members read it as before\. Read why on its page\.$/,
  );
  const byOperator = await app.call('GET', `/voting/public/${id}`, { as: operator });
  expect(byOperator.body).toMatchObject({ title, title_hidden: true });
  expect((await app.call('GET', `/voting/public/${id}`, { as: treasurer })).body.title).toBe('');
  expect((await show(true)).status).toBe(200);
  expect((await told()).map(({ template }) => template).sort()).toEqual(['vote_title_hidden', 'vote_title_shown']);
  expect(await seen()).toMatchObject({ title, title_hidden: false });
  await database.owner`
    insert into referral_traces (user_id, kind, value, created_at)
    select unnest(${[operator, chair]}::uuid[]), 'id', ${`T${operator}`}, ${database.now()}`;
  expect((await show(false)).body.code).toBe('not_allowed');
  await database.owner`delete from referral_traces where user_id = ${operator}`;
  expect((await show(false)).status).toBe(200);
  await people.member(sacco, operator);
  expect((await show(true)).body.code).toBe('not_allowed');
});

describe('a session that was left signed in', () => {
  test('takes no ballot paper, casts no ballot, and drafts and signs nothing without the password (power 15)', async () => {
    const [left, open] = [members[0] as string, await published()];
    const secret = await published({ title: 'In secret', ballot: 'secret' });
    const waiting = (await draft(chair, { title: 'Waits for a signature' })).body.proposal.id;
    pass(8.5);
    await tend();
    await read(open, left);
    const proveAt = (at: string) => database.owner`
      update sessions set proven_at = ${at}::text::timestamptz where user_id = any (${[left, treasurer]}::uuid[])`;
    await proveAt(new Date(world.now().getTime() - 16 * 60_000).toISOString());
    const paper = { round: 1, blinded: toText(new Uint8Array(256)) };
    for (const [path, body, as] of [
      [`/${secret}/token`, paper, left],
      [`/${open}/vote`, { choice: 'for' }, left],
      ['', { title: 'Of a thief', text: TEXT }, left],
      [`/${open}/secret-demand`, undefined, left],
      [`/${waiting}/signature`, undefined, treasurer],
    ] as const) {
      expect((await post(path, as, body)).body.code, path).toBe('proof_required');
    }
    await proveAt('infinity');
    expect((await post(`/${open}/vote`, left, { choice: 'for' })).status).toBe(200);
    expect((await post(`/${waiting}/signature`, treasurer)).body.proposal.state).toBe('published');
  });
});

describe('who takes back what they draft', () => {
  test('does so three times in 24 hours, and takes the place of a vote for as long', async () => {
    for (const title of ['First of three', 'Second of three', 'Third of three']) {
      await takeBack((await draft(chair, { title })).body.proposal.id, chair);
    }
    expect((await draft(chair, { title: 'Fourth of three' })).body.code).toBe('votes_limit_reached');
    await database.owner`
      insert into proposals (id, sacco_id, kind, class, title, text, drafted_by, drafted_as, drafted_at, signatures_needed, published_at,
        rules, roll_size, opens_at, closes_at, cancelled_at)
      select gen_random_uuid(), ${sacco}, 'resolution', 'ordinary', 'One of many', ${TEXT}, ${chair}, 'chair', ${database.now()}, 2,
        ${database.now()}, '{}', 1, ${database.now()}::timestamptz + interval '7 days',
        ${database.now()}::timestamptz + interval '8 days', ${database.now()} from generate_series(1, 20)`;
    const { id } = (await draft(treasurer)).body.proposal;
    expect((await post(`/${id}/signature`, chair)).body.proposal.state).toBe('draft');
    pass(1.1);
    await tend();
    expect((await read(id)).state).toBe('published');
    await database.owner`delete from proposals where title = 'One of many'`;
  });
  test('takes a published vote back with another one alone, who has signed it and still might', async () => {
    const id = await published();
    expect((await takeBack(id, members[0] as string)).body.code).toBe('vote_conflict');
    expect((await takeBack(id, chair)).body).toMatchObject({
      message: expect.stringContaining('Another one who has signed it must agree'),
      proposal: { state: 'published', may: expect.not.arrayContaining(['cancel']) },
    });
    expect((await takeBack(id, chair)).body.proposal.state).toBe('published');
    expect((await read(id, treasurer)).may).toContain('cancel');
    expect((await toldOf(treasurer)).map(({ template }) => template)).toContain('vote_take_back_asked');
    await endOffice(chair);
    expect((await takeBack(id, treasurer)).body.proposal.state).toBe('published');
    const [one, two, three] = members as [string, string, string];
    const ofMembers = await publishedByMembers({ title: 'Of the members' });
    await ofMembers.last();
    await takeBack(ofMembers.id, two);
    expect((await read(ofMembers.id, one)).events.at(-1)).toMatchObject({ kind: 'take_back_asked', name: null });
    // Two signers do not end what another member drafted.
    expect((await takeBack(ofMembers.id, three)).body.message).toContain('by whoever drafted it');
    expect((await takeBack(ofMembers.id, one)).body.proposal.state).toBe('cancelled');
  });
  test('takes no election back in which somebody stands', async () => {
    const id = await published({ office: 'secretary', title: 'Elect a secretary' });
    const words = { words: 'I have kept the books of our church for ten years.' };
    expect((await post(`/${id}/nomination`, members[0] as string, words)).status).toBe(200);
    expect((await takeBackBoth(id)).body.message).toContain('It goes on');
    expect((await read(id, chair)).may).not.toContain('cancel');
  });
  test('tells nobody of a vote that is taken back by then, and of that those alone who had heard of the vote', async () => {
    const { id } = (await draft()).body.proposal;
    await post(`/${id}/signature`, treasurer);
    await takeBackBoth(id);
    await tend();
    const other = await published({ title: 'Another one' });
    pass(0.1);
    await takeBackBoth(other);
    await tend();
    await tend();
    const told = await toldOf(members[5] as string);
    expect(told.map(({ template }) => template)).toEqual(['vote_published', 'vote_cancelled']);
    const { number } = await read(other);
    expect(told.every(({ message }) => message.includes(`: vote ${number} (`))).toBe(true);
  });
  test('leaves nothing of it for everybody, and of a draft nothing but for its signers', async () => {
    const id = await published();
    await takeBackBoth(id);
    expect((await app.call('GET', `/voting/public?sacco=${sacco}`)).body.results).toEqual([]);
    expect((await app.call('GET', `/voting/public/${id}`)).status).toBe(404);
    expect((await read(id)).state).toBe('cancelled');
    pass(0.1);
    const [one, two] = members as [string, string];
    const unfinished = (await draft(one, { title: 'The treasurer is a thief' })).body.proposal.id;
    await takeBack(unfinished, one);
    const past = async (as: string) =>
      (await app.call('GET', '/voting/proposals?view=past', { as, sacco })).body.results.map(
        (each: { id: string }) => each.id,
      );
    expect([await past(one), await past(two)]).toEqual([[unfinished, id], [id]]);
    expect((await read(unfinished, two)).code).toBe('not_found');
  });
  test('stands under Past by its end, the last one first, and under Mine for who has voted in it', async () => {
    const late = await published({ class: 'special', title: 'Drafted first' });
    pass(0.001);
    const early = await published({ title: 'Drafted second', ballot: 'secret' });
    pass(8.5);
    await secretVotes(early, ['for', 'for', 'for']);
    pass(8);
    await votes(late, ['for', 'for', 'for', 'for']);
    pass(5);
    await tend();
    const third = await published({ title: 'Drafted third' });
    await takeBackBoth(third);
    const shown = async (query: string, as = treasurer) =>
      (await app.call('GET', `/voting/proposals?${query}`, { as, sacco })).body;
    const ids = (list: { results: { id: string }[] }) => list.results.map(({ id }) => id);
    expect(ids(await shown('view=past'))).toEqual([third, late, early]);
    const first = await shown('view=past&limit=2');
    expect(ids(first)).toEqual([third, late]);
    const next = await shown(new URL(first.next).search.slice(1));
    expect(ids(next)).toEqual([early]);
    expect(ids(await shown(new URL(next.previous).search.slice(1)))).toEqual([third, late]);
    const mine = await Promise.all([...supervisors, members[0]].map(async (as) => ids(await shown('view=mine', as))));
    expect(mine).toEqual([[early, late], [late], []]);
  });
  test('may draft the same words about another change', async () => {
    const first = (await draft(members[0], change)).body.proposal.id;
    const values = { answer_days: 2, resolve_days: 3 };
    const other = (await draft(members[0], { change: { kind: 'complaint_terms', values } })).body.proposal;
    expect(other.id).not.toBe(first);
    expect(other.change.after).toEqual(values);
  });
});

describe('a vote and two officials', () => {
  test('that too few could vote on before end what officials had confirmed and what is not in force yet', async () => {
    for (const each of everybody()) await endCheck(each, 31);
    await changedByOfficials(9);
    await asLongMembers(everybody());
    const { last } = await publishedByMembers(change);
    expect((await last()).body.proposal.state).toBe('published');
    await apply(1.1);
    expect(await limitsNow()).toEqual([14, 30]);
    expect((await propose(11)).body.code).toBe('change_conflict');
  });
  test('a draft is not published once what it changes has changed', async () => {
    const { id, last } = await publishedByMembers(change);
    await database.owner`
      insert into complaint_terms (sacco_id, valid_from, answer_days, resolve_days, changed_by)
      values (${sacco}, ${database.now()}, 13, 29, ${chair})`;
    expect((await last()).body.message).toContain('Draft it anew');
    expect((await read(id)).state).toBe('draft');
  });
  test('of two votes on one thing the second waits for the first', async () => {
    await published(change);
    const values = { answer_days: 14, resolve_days: 29 };
    const { last } = await publishedByMembers({ change: { kind: 'complaint_terms', values } });
    expect((await last()).body.message).toContain('once the other vote on the same is over');
  });
  test('what cannot be carried out since it changed meanwhile is given up, and members may vote on it anew at once', async () => {
    const id = await passed();
    await database.owner`
      insert into complaint_terms (sacco_id, valid_from, answer_days, resolve_days, changed_by)
      values (${sacco}, ${database.now()}, 5, 10, ${chair})`;
    pass(2.1);
    await tend();
    expect((await read(id)).state).toBe('given_up');
    await published({
      title: 'Answers within twelve days',
      change: { kind: 'complaint_terms', values: { answer_days: 12, resolve_days: 29 } },
    });
    await database.owner`update complaint_terms set answer_days = 14, resolve_days = 30 where sacco_id = ${sacco}`;
    await tend();
    expect((await read(id)).state).toBe('given_up');
  });
  test('of a loan product are about that product alone, and show its old terms beside the new ones', async () => {
    const loan = {
      ...{ name: 'Harvest loan', method: 'flat', monthly_rate: 1, min_amount: 1000, max_amount: 50000, min_months: 1 },
      ...{ max_months: 12, multiplier: 3, min_member_days: 0, min_guarantors: 0, fee_percentage: 0, penalty_rate: 0 },
      is_offered: true,
    };
    const voted = (values: object) => ({ change: { kind: 'loan_product', values: { ...loan, ...values } } });
    expect((await draft(chair, voted({ monthly_rate: 1.00005 }))).status).toBe(400);
    const harvest = await published({ title: 'A loan for the harvest', ...voted({}) });
    const planting = await published({ title: 'A loan for planting', ...voted({ name: 'Planting loan' }) });
    const twice = (await draft(chair, { title: 'The harvest once more', ...voted({}) })).body.proposal.id;
    expect((await post(`/${twice}/signature`, treasurer)).body.message).toContain(
      'once the other vote on the same is over',
    );
    pass(8.5);
    for (const id of [harvest, planting]) await votes(id, ['for', 'for', 'for']);
    pass(3);
    await tend();
    pass(2.1);
    await tend();
    expect([(await read(harvest)).state, (await read(planting)).state]).toEqual(['executed', 'executed']);
    const [row] = await database.owner`select product_id from loan_product_terms where name = 'Harvest loan'`;
    const dearer = (await draft(chair, voted({ product: row?.product_id, monthly_rate: 2.5 }))).body.proposal;
    expect(dearer.change.before).toMatchObject({ name: 'Harvest loan', monthly_rate: 1, is_offered: 'yes' });
    expect(dearer.change.after).toMatchObject({ name: 'Harvest loan', monthly_rate: 2.5 });
  });
});

describe('a hold', () => {
  const reason = { reason: 'We look whether this is lawful.' };
  test('that one supervisor lets go at once is not used up for the others', async () => {
    const [one, two] = supervisors as [string, string];
    const id = await passed();
    await post(`/${id}/hold`, one, reason);
    pass(1);
    await post(`/${id}/release`, one);
    expect((await post(`/${id}/hold`, one, reason)).body.code).toBe('vote_conflict');
    const second = (await post(`/${id}/hold`, two, reason)).body.proposal;
    expect(second.state).toBe('held');
    expect(Date.parse(second.held_until)).toBe(database.now().getTime() + 13 * DAY_MS);
    expect((await post(`/${id}/void`, one, reason)).body.proposal.state).toBe('voided');
  });
  test('comes too while it could not be carried out yet', async () => {
    const id = await passed();
    await database.owner`update proposals set failed_at = eta where id = ${id}`;
    expect((await post(`/${id}/hold`, supervisors[0] as string, reason)).body.proposal.state).toBe('held');
  });
  test('is not let go by the second account of who holds it, and is no ground to void once they left the committee', async () => {
    const [one, two] = supervisors as [string, string];
    const id = await passed();
    await post(`/${id}/hold`, one, reason);
    await people.onePhone(one, two);
    expect((await post(`/${id}/release`, two)).status).toBe(403);
    await database.owner`delete from referral_traces where user_id = ${two}`;
    await endOffice(one);
    expect((await read(id, two)).may).toEqual(['hold', 'release']);
    expect((await post(`/${id}/void`, two, reason)).body.message).toContain('Hold it yourself');
    expect((await post(`/${id}/hold`, two, reason)).body.proposal.state).toBe('held');
  });
});

describe('a count', () => {
  test('has the whole roll for its quorum, whoever is suspended: they vote all the same (power 5)', async () => {
    const id = await published({ class: 'special' });
    pass(16.5);
    await votes(id, ['for', 'for', 'for']);
    const operator = await people.person('Halima', 'Operator');
    for (const each of members.slice(0, 2)) await people.suspend(each, operator);
    pass(5);
    await tend();
    expect(await read(id, chair)).toMatchObject({ state: 'no_quorum', quorum: 4, left_out: 0 });
  });
  test('of a first round is public after the second alone, also of a secret vote', async () => {
    const id = await opened(secret);
    await secretVotes(id, ['against', 'abstain']);
    pass(3);
    await tend();
    const [shown, open] = [await read(id), (await app.call('GET', `/voting/public/${id}`)).body];
    expect([shown.round, shown.rounds, shown.result, open.rounds, open.result]).toEqual([2, [], null, [], null]);
    expect([await fileOf(id, 'ballots'), await fileOf(id, 'issued')]).toEqual(['', '']);
    pass(17);
    await tend();
    expect((await read(id)).rounds.map(({ tally }: { tally: object }) => tally)).toEqual([
      { for: 0, against: 1, abstain: 1 },
      { for: 0, against: 0, abstain: 0 },
    ]);
    expect((await fileOf(id, 'ballots')).trim().split('\n')).toHaveLength(2);
  });
  test('of a first round shows no ballots before the second, which has other handles', async () => {
    const id = await opened();
    const before = await read(id, chair);
    await votes(id, ['for']);
    pass(3);
    await tend();
    expect(await fileOf(id, 'ballots')).toBe('');
    const [roll, after] = [(await fileOf(id, 'roll')).trim().split('\n'), await read(id, chair)];
    expect(roll).toHaveLength(20);
    expect(roll).toEqual(expect.arrayContaining([before.my.handle, `${after.my.handle} 2`]));
    expect(after.my.handle).not.toBe(before.my.handle);
    pass(17);
    await tend();
    await tend();
    expect(await fileOf(id, 'ballots')).toContain(before.my.handle);
  });
  test('takes at most twenty changes of a vote', async () => {
    const id = await opened();
    for (let n = 0; n <= 20; n += 1) expect((await vote(id, chair, n % 2 ? 'for' : 'against')).status).toBe(200);
    expect((await vote(id, chair, 'abstain')).body.message).toContain('20 times');
    expect((await vote(id, chair, 'against')).status).toBe(200);
  });
});

describe('people', () => {
  test('on the roll are told that a vote comes, that it begins, and how it ended, each once', async () => {
    const id = await opened();
    await tend();
    await votes(id, ['for', 'for', 'for']);
    pass(3);
    await tend();
    await tend();
    const told = await database.owner`
      select template from notifications where user_id = ${members[5] as string} and template like 'vote_%' order by id`;
    expect(told.map(({ template }) => template)).toEqual(['vote_published', 'vote_opened', 'vote_result']);
  });
  test('anywhere read titles and results of published votes, and no drafts', async () => {
    const id = await published();
    const hidden = (await draft(treasurer, { title: 'A draft that nobody sees' })).body.proposal.id;
    const list = await app.call('GET', `/voting/public?sacco=${sacco}`, {});
    expect(list.body.results.map((each: { id: string }) => each.id)).toEqual([id]);
    expect((await app.call('GET', `/voting/public/${hidden}`, {})).status).toBe(404);
  });
});

test('the database takes no ballot out of time, no change of a published vote, and no roll that grows', async () => {
  const id = await published();
  const [place] = await database.owner`select handle from proposal_roll where proposal_id = ${id} limit 1`;
  const refused = expect.objectContaining({ code: '23514' });
  await expect(
    database.owner`insert into proposal_ballots values (${id}, 1, ${place?.handle}, 1, 'for', ${database.now()})`,
  ).rejects.toEqual(refused);
  await expect(database.owner`update proposals set title = 'Another title' where id = ${id}`).rejects.toEqual(refused);
  await expect(
    database.owner`insert into proposal_roll values (${id}, ${Buffer.alloc(16)}, ${await people.person('Late', 'Comer')})`,
  ).rejects.toEqual(refused);
});

test('the audit finds a count that its ballots do not bear out', async () => {
  const id = await opened();
  await votes(id, ['for', 'for', 'for']);
  pass(3);
  await tend();
  const breaches = async () => (await Promise.all(votingInvariants.map(({ find }) => find(database.owner)))).flat();
  expect(await breaches()).toEqual([]);
  await database.owner`update proposal_rounds set votes_for = 9 where proposal_id = ${id}`;
  expect(await breaches()).toHaveLength(1);
  await database.owner`update proposal_rounds set votes_for = 3 where proposal_id = ${id}`;
});
