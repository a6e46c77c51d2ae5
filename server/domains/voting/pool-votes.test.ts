import { poolsContract } from '@ushirika/contract/pools';
import { votingContract } from '@ushirika/contract/voting';
import type { Choice } from '@ushirika/contract/voting-rules';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '../../db/test-database.ts';
import { type TestWorld, testWorld } from '../../db/test-world.ts';
import { testApp } from '../../http/test-app.ts';
import { standings } from '../membership/standings.ts';
import { callGuarantee } from '../pools/call-guarantee.ts';
import { poolLimitsChange, poolTermsChange } from '../pools/change-pool-parameters.ts';
import { changePoolState } from '../pools/change-pool-state.ts';
import { demandGuarantee } from '../pools/demand-guarantee.ts';
import { postJournals } from '../pools/earn-fees.ts';
import { poolStewardChange, poolStewardEndChange } from '../pools/elect-steward.ts';
import { attachGuarantee } from '../pools/guarantee-cover.ts';
import { activateGuarantee } from '../pools/guarantee-life.ts';
import { readPoolRows } from '../pools/pool-rows.ts';
import { poolsInvariants } from '../pools/pools.invariants.ts';
import { poolsRoutes } from '../pools/pools.routes.ts';
import { notePoolsThatVote } from '../pools/pools-that-vote.ts';
import { noNeeds, type PoolNeeds, requestGuarantee } from '../pools/request-guarantee.ts';
import { testPools } from '../pools/test-pools.ts';
import { NO_HISTORY } from '../pools/trust.rules.ts';
import { withdrawFromPool } from '../pools/withdraw-from-pool.ts';
import { poolWriteOffChange } from '../pools/write-off-claim.ts';
import { testChanges } from '../saccos/test-changes.ts';
import { castBallots } from './cast-ballots.ts';
import { showTitle } from './show-title.ts';
import { testBallotPaper } from './test-ballot-paper.ts';
import { testVotes } from './test-votes.ts';
import { keepsBusy } from './votes-underway.ts';
import { votingInvariants } from './voting.invariants.ts';
import { votingRoutes } from './voting.routes.ts';

const DAY_MS = 86_400_000;
const TEXT = 'We have spoken about it in the pool, and now its members decide.';
const executors = testChanges({
  pool_terms: poolTermsChange,
  pool_limits: poolLimitsChange,
  pool_steward: poolStewardChange,
  pool_steward_end: poolStewardEndChange,
  pool_write_off: poolWriteOffChange,
});
const TERMS = {
  ...{ min_contribution: '1000', min_contribution_perc: '20', min_member_period: '0' },
  ...{ base_risk_percentage: '4.50', risk_weight_factor: '1.50', min_trust_score: '60' },
};
const LIMITS = {
  ...{ exposure_multiple: '0.80', kink: '0.60', max_borrower_share: '20', max_cover: '80', max_active_per_borrower: 3 },
  ...{ fee_members: 70, fee_reserve: 20, fee_sacco: 10, reserve_draw: '50', notice_days: 30 },
  ...{ auto_limit: '50000', auto_limit_share: '5', rate_cap: '30' },
};
let world: TestWorld;
let database: TestDatabase;
let pools: ReturnType<typeof testPools>;
let votes: ReturnType<typeof testVotes>;
let app: Awaited<ReturnType<typeof testApp>>;
let sacco: string;
let pool: string;
let creator: string;
/** Five with money in the pool for 31 days, of whom the first created it. */
let inside: string[];
/** Three members of the sacco without money in the pool. */
let outside: string[];

beforeAll(async () => {
  world = testWorld();
  database = await testDatabase({ world });
  pools = testPools(database);
  votes = testVotes(database, executors);
  app = await testApp({
    database,
    contract: [...poolsContract, ...votingContract],
    bindings: [
      ...poolsRoutes({ database, publicUrl: 'https://ushirika.test' }),
      ...votingRoutes({ database, publicUrl: 'https://ushirika.test', changes: executors }),
    ],
    operators: [],
    standingOf: standings(database),
  });
});
beforeEach(async () => {
  inside = [];
  outside = [];
  for (const name of ['Amina', 'Brian', 'Carol', 'David', 'Esther']) inside.push(await pools.rich(name, 40_000_00));
  for (const name of ['Faith', 'Gitau', 'Halima']) outside.push(await pools.rich(name, 40_000_00));
  creator = inside[0] as string;
  sacco = await pools.people.sacco(`Sacco of ${creator}`, creator);
  for (const each of [...inside, ...outside]) await pools.people.member(sacco, each);
  await votes.onRoll(sacco, [...inside, ...outside], await pools.people.person('Zuhura'));
  pool = await pools.pool(creator, sacco, { min_trust_score: 40 });
  for (const each of inside) await pools.join(pool, each, 10_000_00);
  await longInPool(inside);
});
afterAll(async () => {
  await app.close();
  await database.close();
});

const longInPool = (ids: readonly string[]) => database.owner`
  update pool_members set joined_at = ${new Date(database.now().getTime() - 31 * DAY_MS)}
  where pool_id = ${pool} and user_id = any (${[...ids]}::uuid[])`;
const at = (place: number): string => inside[place] as string;
const terms = (more: object = {}) => ({ kind: 'pool_terms', values: { pool, ...TERMS, ...more } });
const limits = (more: object = {}) => ({ kind: 'pool_limits', values: { pool, ...LIMITS, ...more } });
const offer = () => ({ kind: 'pool_steward', values: { pool } });
const post = (path: string, as: string, body?: object) =>
  app.call('POST', `/voting/proposals${path}`, { as, sacco, ...(body ? { body } : {}) });
const draft = (as: string, change: object, title = 'The pool decides') => post('', as, { title, text: TEXT, change });
const read = async (id: string, as = at(1)) => (await app.call('GET', `/voting/proposals/${id}`, { as, sacco })).body;
const detailsOf = async (as = at(1)) => (await app.call('GET', `/guarantors/pools/${pool}/details`, { as })).body;
const now = async () => (await readPoolRows({ sql: database.sql as never, now: database.now() }, [pool]))[0];
const stewardsNow = async (): Promise<string[]> => {
  const rows = await database.owner<{ user_id: string }[]>`
    select user_id from pool_stewards where pool_id = ${pool} and until is null order by since, id`;
  return rows.map(({ user_id }) => user_id);
};
const noBreaches = async () => {
  for (const { name, find } of [...poolsInvariants, ...votingInvariants]) {
    expect([name, await find(database.owner)]).toEqual([name, []]);
  }
};

/** Drafted by one, and signed by two others. */
async function published(
  change: object,
  [drafter, ...signers]: readonly string[] = [at(0), at(1), at(2)],
): Promise<string> {
  const { body } = await draft(drafter as string, change);
  const id = body.proposal?.id;
  if (!id) throw new Error(JSON.stringify(body));
  for (const each of signers) await post(`/${id}/signature`, each);
  return id;
}

/** Voted on by these, counted, and carried out after its days. */
async function carried(
  id: string,
  voters = inside,
  choice: Choice = 'for',
  meanwhile: () => Promise<unknown> = async () => {},
): Promise<void> {
  const { opens_at, closes_at, ballot, rules } = await read(id, at(1));
  world.setNow(new Date(opens_at));
  if (ballot === 'open') {
    const cast = voters.map((userId) => ({ userId, saccoId: sacco, proposalId: id, choice: 'for' as const }));
    await database.transaction((tx) => castBallots(tx, cast));
  } else for (const each of voters) await voteInSecret(id, each, choice);
  world.setNow(new Date(closes_at));
  await votes.tend();
  await meanwhile();
  world.advance(rules.timelock_hours * 3_600_000);
  await votes.tend();
}

async function voteInSecret(id: string, as: string, choice: Choice): Promise<void> {
  const { key, round } = (await read(id, as)).keys.at(-1);
  const paper = await testBallotPaper(key);
  const { body } = await post(`/${id}/token`, as, { round, blinded: paper.blinded });
  await app.call('POST', `/voting/ballots/${id}`, { body: await paper.ballot(body.blind_signature, choice) });
}

/** Accounts that nobody has seen, with money in the pool since now. */
async function ghosts(count: number): Promise<void> {
  for (let place = 0; place < count; place += 1) {
    const id = await pools.rich('Ghost', 2_000_00);
    await pools.people.member(sacco, id, 'provisional');
    await pools.join(pool, id, 1_000_00);
  }
}

/** So many accounts at once, as if each had money in the pool. */
async function crowd(count: number): Promise<void> {
  await database.owner`
    with made as (
      insert into users (id, id_number, first_name, last_name, phone, recovery_phone, email, password_hash, password_changed_at, created_at, updated_at)
      select gen_random_uuid(), 'G' || lpad(n::text, 7, '0'), 'Ghost', 'Mwangi', '2541' || lpad(n::text, 8, '0'), '2541' || lpad(n::text, 8, '0'), 'c' || n || '@example.com',
        '$argon2id$none', now(), now(), now() from generate_series(1, ${count}) n returning id),
    joined as (
      insert into memberships (id, sacco_id, user_id, state, state_at, joined_at)
      select gen_random_uuid(), ${sacco}, id, 'provisional', now(), now() from made)
    insert into pool_members (id, pool_id, user_id, sequence, joined_at, position_cents)
    select gen_random_uuid(), ${pool}, id, 1000 + row_number() over (), ${database.now()}, 100000 from made`;
  await database.owner`update pools set members_count = members_count + ${count} where id = ${pool}`;
}

const paidOften: PoolNeeds = {
  ...noNeeds,
  historiesOf: async (_, ids) => new Map(ids.map((id) => [id, { ...NO_HISTORY, onTime: 24 }])),
};
/** A guarantee of KES 2,000 for a borrower, in a loan of KES 4,000. */
async function guaranteed(borrower: string): Promise<{ readonly contractId: string; readonly loanId: string }> {
  const asked = { userId: borrower, poolId: pool, amount: 2_000_00, months: 12 };
  const { requestId, contractId } = await pools.sign(asked, paidOften);
  const loanId = database.newId();
  const loan = { requestId, userId: borrower, loanId, saccoId: sacco, principal: 4_000_00, months: 12 };
  await database.transaction((tx) => attachGuarantee(tx, loan));
  return { contractId: contractId as string, loanId };
}
/** The pool is asked to pay for a borrower. */
async function demanded(borrower: string) {
  const { contractId, loanId } = await guaranteed(borrower);
  await pools.lent(sacco, loanId, borrower, 4_000_00);
  await database.transaction(async (tx) => {
    const journal = await activateGuarantee(tx, { loanId, saccoId: sacco, principal: 4_000_00 });
    await postJournals(tx, journal ? [journal] : []);
  });
  await database.transaction((tx) => demandGuarantee(tx, { loanId, daysPastDue: 60 }));
  return { contractId, loanId };
}
/** A claim of two years: the pool has paid for a borrower. */
async function oldClaim(borrower: string): Promise<string> {
  const { contractId, loanId } = await demanded(borrower);
  world.advance(30 * DAY_MS);
  await database.transaction(async (tx) =>
    postJournals(tx, (await callGuarantee(tx, { loanId, shortfall: 1_500_00, causedBy: null })).journals),
  );
  world.advance(2 * 365 * DAY_MS);
  return contractId;
}

describe('a claim of a pool', () => {
  let borrower: string;
  let contract: string;
  beforeEach(async () => {
    borrower = await pools.rich('Ida', 5_000_00);
    await pools.people.member(sacco, borrower);
    await votes.onRoll(sacco, [borrower], await pools.people.person('Zuri'));
    await pools.join(pool, borrower, 1_000_00);
    await longInPool([...inside, borrower]);
    contract = await oldClaim(borrower);
  });
  const writeOff = async (as = creator) => {
    const path = `/guarantors/pools/contracts/${contract}/write-off`;
    return (await app.call('POST', path, { as, body: { reason: 'Nothing came.' } })).body.message;
  };

  test('is given up by its members after two years, and its borrower is named to nobody outside', async () => {
    const change = { kind: 'pool_write_off', values: { pool, contract } };
    // Their money went first. Back in the pool, they still draft nothing about themselves.
    await pools.join(pool, borrower, 1_000_00);
    await longInPool([borrower]);
    expect((await draft(borrower, change)).body.message).toContain('what you owe');
    const id = await published(change, [at(1), at(2), at(3)]);
    expect(await read(id)).toMatchObject({
      title: 'The pool decides',
      change: { before: { contract, amount: expect.anything() } },
    });
    const unread = await read(id, outside[0]);
    expect(unread).toMatchObject({ title: '', text: '', change: null, drafted_by: { name: '' } });
    expect(JSON.stringify(unread)).not.toMatch(new RegExp(`${contract}|1500|amount|Ida`));
    const hold = async (as: string) => (await post(`/${id}/hold`, as, { reason: 'Is it lawful?' })).body.message;
    await carried(id, inside, 'for', async () => {
      // For whom the pool is asked to pay does not examine its votes, nor a second account of whoever owes it.
      await demanded(at(4));
      for (const each of [at(4), outside[0]])
        await pools.people.official(sacco, each as string, 'supervisory_committee');
      expect(await hold(at(4))).toContain('asked to pay for you');
      await database.owner`
        insert into referral_traces (user_id, kind, value, created_at)
        select unnest(${[borrower, outside[0] as string]}::uuid[]), 'id', ${`T${borrower}`}, ${database.now()}`;
      expect(await hold(outside[0] as string)).toContain('the second one of somebody');
    });
    expect((await read(id)).state).toBe('executed');
    const { body } = await app.call('GET', `/guarantors/pools/contracts/${contract}`, { as: at(1) });
    expect(body).toMatchObject({ state: 'WRITTEN_OFF' });
    expect(body.timeline.at(-1).text).toContain('Members of the pool gave');
    // It is not called too young then.
    for (const said of [await writeOff(), (await draft(at(1), change)).body.message]) {
      expect(said).toContain('it was paid back, or given up');
    }
    await noBreaches();
  });

  test('is not for the stewards again because unseen accounts join, nor because the pool is closed', async () => {
    expect(await writeOff()).toContain('decide this by a vote');
    const claim = await app.call('GET', `/guarantors/pools/contracts/${contract}`, { as: creator });
    expect(claim.body).toMatchObject({ state: 'RECOVERING', may: ['propose_write_off'] });
    await ghosts(6);
    const id = await published(terms());
    expect(await writeOff()).toContain('decide this by a vote');
    const close = { poolId: pool, act: 'close' as const, reason: 'We are too few.' };
    await database.transaction((tx) => changePoolState(tx, { userId: creator }, close));
    // Nobody has money in the pool any more, so nobody decides for it, and the claim stays owed.
    expect(await writeOff()).toBe('Not found.');
    // What has not begun ends with the pool, and nobody is asked to vote on it.
    await votes.tend();
    const { state, may } = await read(id, at(1));
    expect([state, may]).toEqual(['cancelled', []]);
    await noBreaches();
  });

  test('is voted on by nobody once the pool is closed', async () => {
    const id = await published(terms());
    const opens = (await read(id)).opens_at;
    world.setNow(new Date(Date.parse(opens) + 3_600_000));
    await votes.tend();
    expect((await read(id, at(1))).may).toContain('vote');
    await database.transaction((tx) =>
      changePoolState(tx, { userId: creator }, { poolId: pool, act: 'close', reason: 'We are too few.' }),
    );
    expect((await read(id, at(1))).may).not.toContain('vote');
    expect((await post(`/${id}/vote`, at(1), { choice: 'for' })).body.code).toBe('vote_conflict');
  });

  test('is not for the steward who gives notice while the members vote on it, nor where nobody has asked for a vote yet', async () => {
    await pools.stewards(pool, at(3));
    const remembered = () => database.owner`delete from pools_that_vote where pool_id = ${pool} returning pool_id`;
    await published({ kind: 'pool_write_off', values: { pool, contract } }, [at(1), at(2), at(3)]);
    for (const each of inside.slice(0, 3)) {
      const all = { poolId: pool, amount: (await detailsOf(each)).me.position * 100 };
      await database.transaction((tx) => withdrawFromPool(tx, { userId: each }, all));
    }
    expect(await writeOff(at(3))).toContain('decide this by a vote');
    // Three could vote: an hour later that is kept, whoever goes then.
    await remembered();
    await database.owner`update pool_withdrawals set state = 'queued' where pool_id = ${pool}`;
    await notePoolsThatVote(database);
    await database.owner`update pool_withdrawals set state = 'given' where pool_id = ${pool}`;
    expect(await writeOff(at(3))).toContain('decide this by a vote');
    await remembered();
    expect(await writeOff(at(3))).not.toContain('decide this by a vote');
  });
});

describe('the terms of a pool', () => {
  test('are changed by those who have money in it: drafted, signed, voted on and carried out', async () => {
    const before = await now();
    await pools.stewards(pool, at(3));
    expect(await detailsOf()).toMatchObject({ may_propose: true, votes: [] });
    const id = await published(terms({ min_contribution: '9000', pool: pool.toUpperCase() }));
    expect(await read(id)).toMatchObject({
      state: 'published',
      roll_size: 5,
      pool: { id: pool, name: 'Umoja pool' },
      my: { on_roll: true },
      change: { before: { base_risk_percentage: 3 }, after: { base_risk_percentage: 4.5 } },
    });
    expect((await detailsOf()).votes).toMatchObject([{ id, state: 'published' }]);
    expect((await read(id, outside[0])).my).toMatchObject({ on_roll: false, off_roll: null });
    const asked = { userId: at(1), poolId: pool, amount: 500_00, months: 6, loanId: null, purpose: 'School fees' };
    await votes.tend();
    const told = await database.owner`select user_id, text from notifications where template = 'vote_published'`;
    const mine = told.filter(({ user_id }) => inside.includes(user_id) || outside.includes(user_id));
    expect(mine).toHaveLength(5);
    expect(JSON.stringify(mine[0])).toMatch(/, Umoja pool: vote \d+ \(.+?\) is coming/);
    await pools.people.official(sacco, creator, 'supervisory_committee');
    await carried(id, inside, 'for', async () => {
      await database.transaction((tx) => requestGuarantee(tx, asked, noNeeds));
      const held = await post(`/${id}/hold`, creator, { reason: 'Is it lawful?' });
      expect(held.body.message).toContain('You are a steward of this pool');
      expect((await read(id, creator)).may).not.toContain('hold');
    });
    expect((await read(id)).state).toBe('executed');
    expect(await now()).toMatchObject({ base_risk: 450, min_trust_score: 60, notice_days: before?.notice_days });
    // What waited for a signature would be signed at terms that are not the pool's any more.
    const [request] = await database.owner`select state, reasons from pool_requests where pool_id = ${pool}`;
    expect(request).toMatchObject({ state: 'DECLINED', reasons: ['terms_changed'] });
    // Whoever joined before leaves in what was the minimum then, and joins nobody can below the new one.
    const taken = { poolId: pool, amount: 5_000_00 };
    await database.transaction((tx) => withdrawFromPool(tx, { userId: at(1) }, taken));
    await expect(pools.join(pool, outside[0] as string, 5_000_00)).rejects.toThrow('at least');
    const { history, me } = await detailsOf();
    expect(me).toMatchObject({ free: 5_000, least: 1_000 });
    expect(history[0]).toMatchObject({ event: 'terms_changed' });
    await noBreaches();
  });

  test('are not for those who joined less than 30 days ago, nor for members outside the pool, nor for those without full rights', async () => {
    const friends = outside.slice(0, 2);
    for (const each of friends) await pools.join(pool, each, 1_000_00);
    expect((await draft(friends[0] as string, terms())).body.message).toContain('joined it 30 days ago or more');
    expect((await draft(outside[2] as string, terms())).body.code).toBe('vote_conflict');
    await database.owner`update memberships set state = 'provisional', paid_up_at = null where sacco_id = ${sacco} and user_id = ${at(4)}`;
    const id = await published(terms());
    // A second account is found among all members of the sacco, not among those of the pool alone.
    await database.owner`
      insert into referral_traces (user_id, kind, value, created_at)
      select unnest(${[outside[2] as string, at(3)]}::uuid[]), 'id', ${pool}, now()`;
    await database.owner`
      update memberships set joined_at = joined_at - interval '1 day' where sacco_id = ${sacco} and user_id = ${outside[2] as string}`;
    const differing = await database.owner`
      select from pool_roll_standing(${pool}, ${database.now()}) of_pool join roll_standing(${sacco}, ${database.now()}) of_sacco using (member_id)
      where of_pool.reason is distinct from of_sacco.reason`;
    expect(differing).toHaveLength(0);
    const [second] = await database.owner`
      select reason from pool_roll_standing(${pool}, ${database.now()}) where member_id = ${at(3)}`;
    expect(second).toMatchObject({ reason: 'second_account' });
    const reasons = await database.owner`
      select member_id, reason from proposal_off_roll where proposal_id = ${id} order by reason`;
    expect(reasons.map(({ reason }) => reason)).toEqual(['new', 'new', 'no_rights']);
    expect((await read(id, friends[0])).my).toMatchObject({ on_roll: false, off_roll: 'new' });
    world.setNow(new Date((await read(id)).opens_at));
    expect((await post(`/${id}/vote`, friends[0] as string, { choice: 'for' })).body.code).toBe('not_on_roll');
  });

  test('need a roll of three, and of half of those who joined 30 days ago', async () => {
    for (const each of outside) await pools.join(pool, each, 1_000_00);
    await longInPool(outside);
    const unseen = [...inside.slice(3), ...outside];
    await database.owner`delete from identity_checks where user_id = any (${unseen}::uuid[])`;
    const { body } = await draft(at(0), terms());
    await post(`/${body.proposal.id}/signature`, at(1));
    const last = await post(`/${body.proposal.id}/signature`, at(2));
    expect(last.body.message).toContain('Too few could vote: 3 of 8 who joined');
    expect((await read(body.proposal.id)).state).toBe('draft');
    // With a fourth ID card they are half. Whoever joined today counts on neither side.
    await pools.seen(at(3), at(4));
    await ghosts(2);
    await post(`/${body.proposal.id}/signature`, at(2));
    expect(await read(body.proposal.id)).toMatchObject({ state: 'published', roll_size: 4 });
  });

  test('need no more signatures because accounts join that nobody has seen', async () => {
    await crowd(58);
    const { body } = await draft(at(0), terms());
    expect(body.proposal.signatures).toEqual({ given: 1, needed: 3 });
    await database.owner`delete from pool_members where pool_id = ${pool} and sequence > 1000`;
    await database.owner`update pools set members_count = members_count - 58 where id = ${pool}`;
  });

  test('are signed by whoever was busy with another vote, as soon as that is counted', async () => {
    const waiting = (await draft(at(0), limits({ notice_days: 31 }))).body.proposal.id;
    await post(`/${waiting}/signature`, at(1));
    const other = await published(terms());
    await post(`/${waiting}/signature`, at(3));
    expect(await read(waiting)).toMatchObject({ state: 'draft', signatures: { given: 1, needed: 3 } });
    await carried(other);
    await post(`/${waiting}/signature`, at(4));
    expect(await read(waiting)).toMatchObject({ state: 'published', signatures: { given: 4 } });
  });

  test('are not for money under notice', async () => {
    const leave = { poolId: pool, amount: 10_000_00 };
    await database.transaction((tx) => withdrawFromPool(tx, { userId: at(4) }, leave));
    expect((await draft(at(4), terms())).body.message).toContain('not under notice');
    expect(await detailsOf(at(4))).toMatchObject({ may_propose: false, me: { is_leaving: true } });
    const id = await published(terms());
    expect(await read(id, at(4))).toMatchObject({ roll_size: 4, my: { on_roll: false, off_roll: null } });
    // What waits in the queue backs guarantees still.
    await database.owner`update pool_withdrawals set state = 'queued' where pool_id = ${pool}`;
    expect(await detailsOf(at(4))).toMatchObject({ may_propose: true, me: { is_leaving: false } });
    await database.owner`update pool_withdrawals set state = 'given' where pool_id = ${pool}`;
    // Nor for money that is taken out once the roll is made: those whose money stays decide.
    await database.owner`delete from proposal_signatures where proposal_id = ${id}`;
    const about = await published(offer(), [at(3), at(0), at(1)]);
    const { key } = (await read(about)).keys.at(-1);
    const { blinded } = await testBallotPaper(key);
    await database.transaction((tx) => withdrawFromPool(tx, { userId: at(2) }, leave));
    const token = { round: 1, blinded };
    expect((await post(`/${about}/token`, at(2), token)).body.message).toContain('whose money stays in it');
    expect((await post(`/${about}/token`, at(3), token)).status).toBe(200);
    world.setNow(new Date((await read(id)).opens_at));
    const cast = async (as: string) => (await post(`/${id}/vote`, as, { choice: 'for' })).body.code;
    expect([await cast(at(2)), await cast(at(3))]).toEqual(['vote_conflict', undefined]);
  });

  test('are under way once at a time; a pool of all saccos has no votes, and a closed one keeps its terms', async () => {
    const id = await published(terms());
    await pools.join(pool, outside[0] as string, 1_000_00);
    await longInPool([...inside, outside[0] as string]);
    const second = await draft(at(3), terms({ base_risk_percentage: '5' }));
    await post(`/${second.body.proposal.id}/signature`, at(4));
    const last = await post(`/${second.body.proposal.id}/signature`, outside[0] as string);
    expect(last.body.message).toContain('once the other vote on the same is over');
    const open = await pools.pool(at(4), null, { name: `Open ${database.newId().slice(0, 8)}` });
    const refusedTo = async () =>
      (await draft(at(0), { kind: 'pool_terms', values: { pool: open, ...TERMS } })).body.message;
    expect(await refusedTo()).toContain('has no such pool');
    await database.owner`update pools set review = 'approved', reviewed_by = ${creator}, reviewed_at = ${database.now()}, review_reason = 'It is fine.' where id = ${open}`;
    expect(await refusedTo()).toContain('has no votes');
    const close = { poolId: pool, act: 'close' as const, reason: 'We are too few.' };
    await carried(id, inside, 'for', () =>
      database.transaction((tx) => changePoolState(tx, { userId: creator }, close)),
    );
    expect((await read(id)).state).toBe('given_up');
  });
});

test('a smaller part of a loan does not reach what is approved, nor does a lock keep in what is free', async () => {
  const saver = outside[0] as string;
  await pools.join(pool, saver, 1_000_00);
  const asked = { userId: at(1), poolId: pool, amount: 2_000_00, months: 12 };
  const { requestId } = await pools.sign(asked, paidOften);
  world.advance(1_000);
  await pools.parameters(pool, { max_cover: 30_00 });
  const loan = { requestId, userId: at(1), loanId: database.newId(), saccoId: sacco, principal: 4_000_00, months: 12 };
  await database.transaction((tx) => attachGuarantee(tx, loan));
  await database.owner`delete from pool_parameters where pool_id = ${pool} and max_cover = 3000`;
  const { me } = await detailsOf(saver);
  expect(me).toMatchObject({ position: 1_000, least: 1_000 });
  expect(me.locked).toBeGreaterThan(0);
  const take = (amount: number) =>
    database.transaction((tx) => withdrawFromPool(tx, { userId: saver }, { poolId: pool, amount }));
  const free = Math.round(me.free * 100);
  await expect(take(free - 1)).rejects.toThrow('Leave at least');
  await take(free);
});

describe('the settings of a pool', () => {
  test('are changed by two thirds of its members, and only as far as its guarantees allow', async () => {
    expect((await draft(at(0), limits({ notice_days: 61 }))).status).toBe(400);
    expect((await draft(at(0), limits({ fee_members: 60 }))).status).toBe(400);
    expect((await draft(outside[0] as string, limits())).body.message).toContain('has money in the pool');
    // Three of five are no two thirds.
    const refused = await published(limits({ notice_days: 31 }));
    world.setNow(new Date((await read(refused)).opens_at));
    for (const each of inside) {
      await post(`/${refused}/vote`, each, { choice: inside.indexOf(each) < 3 ? 'for' : 'against' });
    }
    world.setNow(new Date((await read(refused)).closes_at));
    await votes.tend();
    expect(await read(refused)).toMatchObject({ state: 'rejected', result: { for: 3, against: 2 } });
    const id = await published(limits({ exposure_multiple: '0.50' }));
    expect(await read(id)).toMatchObject({
      class: 'special',
      roll_size: 5,
      pool: { id: pool },
      majority: { part: 2, of: 3 },
    });
    await database.owner`update pools set guaranteed_cents = 2500000, locked_cents = 2500000, weighted_cents = 3000000 where id = ${pool}`;
    await carried(id);
    expect((await read(id)).events.at(-1).text).toContain('guarantees more than that already');
    await database.owner`update pools set guaranteed_cents = 0, locked_cents = 0, weighted_cents = 0 where id = ${pool}`;
    world.advance(3_600_000);
    await votes.tend();
    expect([(await read(id)).state, (await now())?.exposure_multiple]).toEqual(['executed', 50]);
    await noBreaches();
  });
});

describe('the stewards of a pool', () => {
  test('are elected in secret, three at most; then the place of whoever created it ends', async () => {
    const stranger = await draft(outside[0] as string, offer());
    expect(stranger.body.code).toBe('vote_conflict');
    for (const place of [1, 2, 3]) {
      const signers = inside.filter((each) => each !== at(place)).slice(0, 2);
      const id = await published(offer(), [at(place), ...signers]);
      expect(await read(id)).toMatchObject({ ballot: 'secret', about: { is_me: place === 1 } });
      await carried(id);
      expect((await read(id)).state).toBe('executed');
    }
    expect(await stewardsNow()).toEqual([at(1), at(2), at(3)]);
    expect((await draft(at(4), offer())).body.message).toContain('three elected stewards');
    const place = (await detailsOf()).stewards[0];
    expect(place).toMatchObject({ is_elected: true, is_me: true });
    const end = { kind: 'pool_steward_end', values: { pool, steward: place.id } };
    expect((await draft(at(1), end)).body.message).toContain('would be about you');
    const ended = await published(end, [at(4), at(0), at(2)]);
    const answer = { words: 'I have decided about each request within a day.' };
    expect((await post(`/${ended}/answer`, at(1), answer)).status).toBe(200);
    await carried(ended);
    expect(await stewardsNow()).toEqual([at(2), at(3)]);
    await noBreaches();
  });

  test('are never none, have money in the pool, and are not two accounts of one person', async () => {
    const [only] = (await detailsOf()).stewards;
    const end = { kind: 'pool_steward_end', values: { pool, steward: only.id } };
    expect((await draft(at(1), end)).body.message).toContain('never without a steward');
    await pools.people.onePhone(at(0), at(1));
    await database.owner`
      insert into referral_traces (user_id, kind, value, created_at)
      select unnest(${[at(0), at(1)]}::uuid[]), 'id', 'ONE', now()`;
    // The account that was there first is on no roll: nobody has seen its card. So the other one is.
    await database.owner`delete from identity_checks where user_id = ${creator}`;
    expect((await draft(at(1), offer())).body.message).toContain('Another member offers to be one');
    const id = await published(offer(), [at(2), at(3), at(4)]);
    await database.owner`update pool_members set position_cents = 0 where pool_id = ${pool} and user_id = ${at(2)}`;
    await carried(id, [at(3), at(4)]);
    expect((await read(id)).events.at(-1).text).toContain('has money in the pool');
    await database.owner`update pool_members set position_cents = 1000000 where pool_id = ${pool} and user_id = ${at(2)}`;
    // Nor is money enough of which all is under notice.
    const all = { poolId: pool, amount: 10_000_00 };
    await database.transaction((tx) => withdrawFromPool(tx, { userId: at(2) }, all));
    world.advance(3_600_000);
    await votes.tend();
    expect(await stewardsNow()).toEqual([creator]);
    await database.owner`delete from pool_withdrawals where pool_id = ${pool}`;
    await database.owner`update pool_members set notice_cents = 0 where pool_id = ${pool}`;
    await database.owner`update pools set notice_cents = 0 where id = ${pool}`;
    world.advance(3_600_000);
    await votes.tend();
    expect(await stewardsNow()).toEqual([creator, at(2)]);
    // Of two both agree.
    const asked = { userId: at(3), poolId: pool, amount: 6_000_00, months: 12 };
    const { requestId } = await pools.sign(asked, paidOften);
    const decide = async (as: string) => {
      const body = { decision: 'approve', reason: 'They pay.' };
      await app.call('POST', `/guarantors/pools/requests/${requestId}/decision`, { as, body });
      const [row] = await database.owner<{ state: string }[]>`select state from pool_requests where id = ${requestId}`;
      return row?.state;
    };
    expect(await decide(at(2))).toBe('IN_REVIEW');
    // Without money in the pool whoever was elected does not decide: the other one's place is the last.
    await database.owner`update pool_members set position_cents = 0 where pool_id = ${pool} and user_id = ${at(2)}`;
    expect((await draft(at(1), end)).body.message).toContain('never without a steward');
    expect(await decide(at(2))).toBe('IN_REVIEW');
    await database.owner`update pool_members set position_cents = 1000000 where pool_id = ${pool} and user_id = ${at(2)}`;
    expect(await decide(creator)).toBe('APPROVED');
  });

  test('an offer that finds three is given up for good', async () => {
    const id = await published(offer(), [at(4), at(3), at(2)]);
    const since = new Date(database.now().getTime() - 1);
    await database.owner`
      insert into pool_stewards (pool_id, user_id, since, elected_by)
      select ${pool}, x, ${since}, null from unnest(${inside.slice(1, 4)}::uuid[]) x`;
    await database.owner`
      update pool_stewards w set elected_by = p.id from (
        select id, row_number() over (order by id) as n from proposals where pool_id is null or pool_id <> ${pool} limit 3) p
      where w.pool_id = ${pool} and w.user_id = (${inside}::uuid[])[p.n + 1]`;
    await carried(id);
    expect((await read(id)).state).toBe('given_up');
    await database.owner`update pool_stewards set elected_by = null where pool_id = ${pool}`;
  });
});

/** Others like it, taken back today: they count still. */
const copies = (id: string, count: number) => database.owner`
  insert into proposals
  select (jsonb_populate_record(p, jsonb_build_object('id', gen_random_uuid(), 'cancelled_at', ${database.now().toISOString()}::text))).*
  from proposals p, generate_series(1, ${count}) where p.id = ${id}`;

test('a vote that was taken back keeps its drafter from others for a day more, in what is read and in what is refused', () => {
  const now = database.now();
  const takenBack = (hours: number) =>
    keepsBusy(
      {
        ...{ pool_id: pool, change_kind: 'pool_terms', published_at: now, counted_at: null, drafted_by: at(0) },
        ...{ opens_at: null, cancelled_at: new Date(now.getTime() - hours * 3_600_000) },
      },
      at(0),
      now,
    );
  expect([takenBack(1), takenBack(25)]).toEqual([true, false]);
});

test('one person helps one vote of a pool at a time; five are under way at most, and three offers to be a steward beside them', async () => {
  const [one, two, three] = outside as [string, string, string];
  for (const each of outside) await pools.join(pool, each, 1_000_00);
  await longInPool([...inside, ...outside]);
  const last = async (change: object, [drafter, ...signers]: readonly string[]) => {
    const id = (await draft(drafter as string, change)).body.proposal.id;
    const replies = [];
    for (const each of signers) replies.push((await post(`/${id}/signature`, each)).body);
    return replies.at(-1);
  };
  const waiting = (await draft(two, terms())).body.proposal.id;
  await post(`/${waiting}/signature`, at(0));
  const mine = await published(offer(), [at(0), at(1), at(2)]);
  expect((await draft(at(1), terms())).body.message).toContain('another vote of this pool');
  // The pages say so before, to those three alone.
  expect((await read(mine, at(1))).my.keeps_from_others).toBe(true);
  expect((await read(mine, at(3))).my.keeps_from_others).toBe(false);
  expect((await read(waiting, at(0))).my.keeps_from_others).toBe(false);
  // A signature of before does not count either, while that vote is not counted.
  expect((await post(`/${waiting}/signature`, three)).body.code).toBeUndefined();
  expect((await post(`/${waiting}/signature`, at(1))).body.message).toContain('another vote of this pool');
  expect(await read(waiting)).toMatchObject({ state: 'draft' });
  // Whoever signed is free once voting begins; whoever drafted, once it is counted.
  const before = database.now();
  world.setNow(new Date((await read(mine)).opens_at));
  expect((await draft(at(1), limits({ notice_days: 31 }))).status).toBe(201);
  expect((await draft(at(0), limits({ notice_days: 31 }))).body.message).toContain('another vote of this pool');
  world.setNow(before);
  await copies(mine, 2);
  const noPlace = expect.stringMatching(/once another vote is counted/);
  const queued = await last(offer(), [at(3), at(4), one]);
  expect(queued.message).toEqual(noPlace);
  await post(`/${queued.proposal.id}/cancellation`, at(3), { reason: 'It finds no place.' });
  const theirs = await published(terms({ base_risk_percentage: '5' }), [at(3), at(4), one]);
  expect((await read(theirs)).state).toBe('published');
  await copies(theirs, 4);
  await database.owner`delete from proposal_signatures where proposal_id = ${mine}`;
  expect((await last(limits({ notice_days: 31 }), [two, three, at(0)])).message).toEqual(noPlace);
  await database.owner`delete from proposals where pool_id = ${pool} and cancelled_at is not null and published_at is not null`;
  await database.owner`
    insert into pool_stewards (pool_id, user_id, since) values (${pool}, ${at(1)}, ${new Date(database.now().getTime() - 1)})`;
  const [first] = (await detailsOf()).stewards;
  const id = await published({ kind: 'pool_steward_end', values: { pool, steward: first.id } }, [at(2), at(3), at(4)]);
  expect((await read(id)).state).toBe('published');
  // The place is the person's: an offer that was carried out meanwhile has given them another one.
  world.advance(1_000);
  await database.owner`update pool_stewards set until = ${database.now()} where id = ${first.id}`;
  await database.owner`insert into pool_stewards (pool_id, user_id, since) values (${pool}, ${at(1)}, ${database.now()})`;
  const [place] = await database.owner`
    select id from pool_stewards where pool_id = ${pool} and user_id = ${at(1)} and until is null`;
  const twice = { kind: 'pool_steward_end', values: { pool, steward: place?.id } };
  expect((await last(twice, [at(2), at(3), at(4)])).message).toContain('once the other vote on the same is over');
  await carried(id, [at(0), at(2), at(3), at(4)]);
  expect([(await read(id)).state, await stewardsNow()]).toEqual(['executed', [creator]]);
  // The audit sees terms that no vote made, and a pool without a steward.
  const stewards = (until: Date | null) =>
    database.owner`update pool_stewards set until = ${until} where pool_id = ${pool} and user_id = ${creator}`;
  world.advance(1_000);
  await stewards(database.now());
  await pools.parameters(pool, { base_risk: 0 });
  const breaches = await Promise.all(votingInvariants.map(({ find }) => find(database.owner)));
  expect(breaches.filter((found) => JSON.stringify(found).includes(pool))).toHaveLength(2);
  await stewards(null);
  await database.owner`delete from pool_parameters where pool_id = ${pool} and base_risk = 0`;
});

test('whoever is not in a pool reads of its votes neither words nor names; strangers recount one of a pool that they do not see without its name', async () => {
  const id = await published(terms());
  const listed = async () => (await app.call('GET', `/voting/public?sacco=${sacco}`)).body.results;
  expect(await listed()).toMatchObject([{ id, pool: { name: 'Umoja pool' }, title: '', is_about_person: false }]);
  const hide = { id, isShown: false, reason: 'It insults somebody.' };
  const hidden = database.transaction((tx) => showTitle(tx, { userId: database.newId() }, hide));
  await expect(hidden).rejects.toThrow('Strangers never read the title of a vote of a guarantor pool');
  const { stewards } = await detailsOf();
  await database.owner`
    insert into pool_stewards (pool_id, user_id, since) values (${pool}, ${at(1)}, ${new Date(database.now().getTime() - 1)})`;
  const end = { kind: 'pool_steward_end', values: { pool, steward: stewards[0].id } };
  const ended = await published(end, [at(2), at(3), at(4)]);
  expect(await read(ended)).toMatchObject({ about: { name: expect.stringContaining('Amina') } });
  const unnamed = await read(ended, outside[1]);
  expect(unnamed).toMatchObject({ title: '', about: null, drafted_by: { name: '' }, is_about_person: true });
  expect(JSON.stringify(unnamed)).not.toMatch(/Amina|Carol|David|Esther/);
  await database.owner`
    update pools set review = 'refused', reviewed_by = ${creator}, reviewed_at = ${database.now()}, review_reason = 'Advertising.'
    where id = ${pool}`;
  expect(await listed()).toEqual([]);
  expect((await app.call('GET', `/voting/public/${id}`)).body).toMatchObject({ pool: null, title: '', roll_size: 5 });
  const [other] = outside as [string];
  // Drafts, of which anybody makes many, push no published vote off the page.
  const drafted = (await draft(at(3), offer())).body.proposal.id;
  await database.owner`
    insert into proposals
    select (jsonb_populate_record(p, jsonb_build_object('id', 'ffffffff' || substr(gen_random_uuid()::text, 9)))).*
    from proposals p, generate_series(1, 10) where p.id = ${drafted}`;
  const shown = (await detailsOf()).votes.map((vote: { id: string }) => vote.id);
  expect(shown.slice(0, 2)).toEqual([ended, id].sort().reverse());
  await database.owner`delete from proposals where pool_id = ${pool} and id::text like 'ffffffff%'`;
  expect((await read(id)).title).toBe('The pool decides');
  expect(await read(id, other)).toMatchObject({ title: '', text: '', may: [] });
  expect((await detailsOf(other)).votes.map(({ title }: { title: string }) => title)).toEqual(['', '', '']);
  await pools.people.official(sacco, other, 'supervisory_committee');
  expect((await read(ended, other)).title).toBe('The pool decides');
});
