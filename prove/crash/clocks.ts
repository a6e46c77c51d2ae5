import { buildApp } from '../../server/app.ts';
import { readConfig } from '../../server/config.ts';
import { freePort } from '../../server/db/embedded.ts';
import { copyTemplate, type TestDatabase } from '../../server/db/test-copy.ts';
import { type App, start } from '../../server/start.ts';
import { trustClock, watchClock } from '../../server/watched-clock.ts';
import { realWorld, type World } from '../../server/world.ts';
import type { Run } from '../harness.ts';
import { ownDataFolder } from '../support/data-folder.ts';
import { sleep, until } from '../support/waiting.ts';
import { actOf, type Member, performAct, prepareScene, send } from './acts.ts';
import { Findings, type Part, sizeOf } from './part.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const JUMPS = { 'two hours back': -2 * HOUR, 'ten days on': 10 * DAY, 'four hundred days on': 400 * DAY } as const;
const ROUNDS = { c: 1, n: 2, r: 5 };
/** Longer than the product takes to look at both clocks again. */
const LOOKS_MS = 1_300;

/**
 * P18: the clock of the server jumps, then that of PostgreSQL, back and far ahead. While one is wrong nothing that
 * depends on the time happens: no money moves, no session comes alive again or lives longer, no code of a password reset
 * does, nothing that is kept for a day is forgotten. Once it is right again all goes on.
 */
export async function jumpClocks(run: Run): Promise<Part> {
  const findings = new Findings();
  findings.expects('server clock wrong', 'database clock wrong', 'refused while a clock was wrong', 'jobs refused');
  const database = await copyTemplate(run.serverUrl, { poolSize: 2, world: realWorld });
  const house = await openHouse(database, run.broken === 'clock-not-watched');
  try {
    await database.owner.unsafe(FAKE_CLOCK);
    await house.begin();
    for (let round = 0; round < sizeOf(run, ROUNDS); round += 1) {
      for (const [name, ms] of Object.entries(JUMPS)) {
        for (const clock of ['server', 'database'] as const) {
          await jump(house, { clock, name, ms, findings });
          if (findings.count > 0) return findings.outcome();
        }
      }
    }
    findings.figure(
      'P18',
      `${findings.timesOf('server clock wrong')} jumps of the server's clock and ${findings.timesOf('database clock wrong')} of PostgreSQL's (−2 h, +10 d, +400 d): 0 changes, ${findings.timesOf('refused while a clock was wrong')} requests and ${findings.timesOf('jobs refused')} jobs refused meanwhile, well again within seconds`,
    );
    return findings.outcome();
  } finally {
    await house.close();
    await database.close();
  }
}

interface Jump {
  readonly clock: 'server' | 'database';
  readonly name: string;
  readonly ms: number;
  readonly findings: Findings;
}

async function jump(house: House, { clock, name, ms, findings }: Jump): Promise<void> {
  const where = `with the ${clock}'s clock ${name}`;
  const before = await house.picture();
  // The database's is noticed at the next look, the server's own at once.
  await house.set(clock, ms);
  if (clock === 'database') await sleep(LOOKS_MS);
  findings.fired(`${clock} clock wrong`);
  for (const [who, token] of Object.entries(house.tokens)) {
    const answer = await send(house.url, { token }, '/client/summary', null, '');
    if (answer?.status === 503 && answer.retryAfter) findings.fired('refused while a clock was wrong');
    else if (who === 'live' && answer?.status === 401) continue;
    else findings.violated(`${where} the ${who} session is answered ${answer?.status}`);
  }
  const code = { reset_code: 'AAAA-AAAA', password: 'Another#2026' };
  const reset = await send(house.url, { token: house.tokens.live }, '/auth/reset-password/', code, '');
  if (reset?.status === 503) findings.fired('refused while a clock was wrong');
  else findings.violated(`${where} a code of a password reset is judged: ${reset?.status}`);
  const act = actOf('save', house.member, house.saccoIds, house.count());
  const status = await performAct(house.url, act);
  if (status === 503) findings.fired('refused while a clock was wrong');
  else findings.violated(`${where} money is moved: saving is answered ${status}`);
  for (const task of house.timed) {
    const run = house.app.tasks[task];
    if (!run) throw new Error(`There is no task ${task} any more.`);
    const how = await (async () => run({}))().then(
      () => 'ran',
      (error) => (error as { code?: unknown }).code,
    );
    if (how === 'unavailable') findings.fired('jobs refused');
    else findings.violated(`${where} the job ${task} was not refused: ${how}`);
  }
  const after = await house.picture();
  for (const [thing, hash] of Object.entries(after)) {
    if (hash !== before[thing]) findings.violated(`${where} ${thing} changed`);
  }
  await house.set(clock, 0);
  const isWell = async () => (await performAct(house.url, act)) === 200;
  await until(`all is well after a wrong clock (${where})`, isWell, 10_000, 100);
  const expired = await send(house.url, { token: house.tokens.expired }, '/client/summary', null, '');
  if (expired?.status !== 401) findings.violated(`an expired session is answered ${expired?.status} after the jump`);
  await house.replay(findings, where);
}

interface House {
  readonly url: string;
  readonly app: App;
  readonly member: Member;
  readonly saccoIds: readonly string[];
  readonly tokens: Readonly<Record<'live' | 'expired', string>>;
  /** The jobs that do something when their time has come. */
  readonly timed: readonly string[];
  count(): number;
  begin(): Promise<void>;
  set(clock: 'server' | 'database', ms: number): Promise<void>;
  /** A hash of each table in which time could have done something. */
  picture(): Promise<Record<string, string>>;
  /** What was done before has the same answer still. */
  replay(findings: Findings, where: string): Promise<void>;
  close(): Promise<void>;
}

/** The real start of the product, on clocks that can be set. */
async function openHouse(database: TestDatabase<World>, isTrusting: boolean): Promise<House> {
  let offsetMs = 0;
  const world: World = { ...realWorld, now: () => new Date(realWorld.now().getTime() + offsetMs) };
  const config = configOf(database.url, await freePort());
  let app: App | null = null;
  const build: typeof buildApp = async (parts) => {
    app = await buildApp(parts);
    return { ...app, schedules: [] } as App;
  };
  const url = `http://127.0.0.1:${config.port}/api/v1`;
  let started: Awaited<ReturnType<typeof start>> | null = null;
  let members: readonly Member[] = [];
  let saccoIds: readonly string[] = [];
  let first: ReturnType<typeof actOf> | null = null;
  let acts = 0;
  const count = () => {
    acts += 1;
    return acts;
  };
  return {
    url,
    timed: TIMED,
    get app() {
      return app as App;
    },
    get member() {
      return members[0] as Member;
    },
    get saccoIds() {
      return saccoIds;
    },
    get tokens() {
      return { expired: members[1]?.token ?? '', live: members[0]?.token ?? '' };
    },
    count,
    async begin() {
      started = await start(config, build, isTrusting ? trustClock(world) : watchClock(world));
      ({ members, saccoIds } = await prepareScene(url, database.url, 2));
      await setTheStage(database, members, saccoIds[0] as string);
      first = actOf('buy', members[0] as Member, saccoIds, count());
      await performAct(url, first);
      // Four hundred days on it would be past its time, and the money that it holds free.
      const bid = actOf('bid', members[0] as Member, saccoIds, count());
      if ((await performAct(url, bid)) !== 201) throw new Error('Nobody bids.');
    },
    async set(clock, ms) {
      if (clock === 'server') offsetMs = ms;
      else await database.owner`update fake.clock set wrong_by = make_interval(secs => ${ms / 1000})`;
    },
    picture: () => pictureOf(database),
    async replay(findings, where) {
      const was = first?.acknowledged;
      if (first) await performAct(url, first);
      if (!was || first?.isDoubled) findings.violated(`a key from before does not find its answer ${where}`);
    },
    async close() {
      await started?.stop();
    },
  };
}

function configOf(databaseUrl: string, port: number) {
  const off = { RATE_LIMITS: '0', DEMO: '0', DRAIN_GRACE_MS: '0', LOG_LEVEL: 'silent' };
  return readConfig({
    PORT: String(port),
    DATABASE_URL: databaseUrl,
    DATA_DIR: ownDataFolder(),
    SIMULATOR: '1',
    ...off,
  });
}

const TIMED = [
  'run_standing_orders',
  'prune_idempotency_keys',
  'prune_callback_log',
  'sweep_deposits',
  'sweep_withdrawals',
  'sweep_claims',
  'settle_exits',
  'sweep_identity',
  'advance_referrals',
  'expire_orders',
  'prune_markets',
  'read_payment_list',
] as const;

/** What a wrong clock could set going: an order that is due tomorrow, sessions and codes at and past their end, a log. */
async function setTheStage(database: TestDatabase<World>, members: readonly Member[], sacco: string): Promise<void> {
  const { owner } = database;
  const [live, expired] = members as [Member, Member];
  // Past its idle time for an hour: a clock that goes back by two would have it alive again.
  await owner`update sessions set last_seen_at = now() - interval '1 hour', created_at = now() - interval '3 hours'
    where user_id = ${expired.id}`;
  const code = 'A'.repeat(43);
  await owner`insert into reset_codes (id, user_id, code_hash, created_at, expires_at)
    values (${database.newId()}, ${live.id}, ${code}, now() - interval '1 hour', now() - interval '50 minutes')`;
  await owner`insert into callback_log (id, kind, content_hash, body, received_at, last_received_at)
    values (${database.newId()}, 'stk', ${Buffer.alloc(32)}, '{}', now(), now())`;
  const tomorrow = new Date(realWorld.now().getTime() + DAY);
  const day = Math.min(tomorrow.getUTCDate(), 28);
  await owner`insert into standing_orders (id, sacco_id, user_id, amount_cents, day, first_month, state, created_at)
    values (${database.newId()}, ${sacco}, ${live.id}, 1000, ${day}, ${tomorrow.toISOString().slice(0, 7)}, 'active', now())`;
}

async function pictureOf({ owner }: TestDatabase<World>): Promise<Record<string, string>> {
  const picture: Record<string, string> = {};
  for (const table of [
    'journals',
    'accounts',
    'standing_orders',
    'standing_order_runs',
    'sessions',
    'reset_codes',
    'idempotency_keys',
    'memberships',
    'deposits',
    'withdrawals',
    'money_exceptions',
    'share_orders',
    'market_events',
    'callback_log',
  ]) {
    const [row] = await owner.unsafe<{ hash: string }[]>(
      `select coalesce(md5(string_agg(t::text, '|' order by t::text)), '') as hash from ${table} t`,
    );
    picture[table] = row?.hash ?? '';
  }
  return picture;
}

/** PostgreSQL's clock as every statement sees it: functions that stand before its own. */
const FAKE_CLOCK = `
  create schema fake;
  create table fake.clock (wrong_by interval not null);
  insert into fake.clock values ('0');
  create function fake.clock_timestamp() returns timestamptz language sql volatile as
    $$ select pg_catalog.clock_timestamp() + wrong_by from fake.clock $$;
  create function fake.now() returns timestamptz language sql stable as
    $$ select pg_catalog.now() + wrong_by from fake.clock $$;
  grant usage on schema fake to public;
  grant select on fake.clock to public;
  do $$ begin execute format('alter database %I set search_path = fake, pg_catalog, public', current_database()); end $$`;
