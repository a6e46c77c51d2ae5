import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import net from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import postgres from 'postgres';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDatabase } from '../../server/db/database.ts';
import { runningUrl } from '../../server/db/embedded.ts';
import type { Database } from '../../server/db/tx.ts';
import { grantOperator } from '../../server/domains/identity/operators.ts';
import { activateSacco } from '../../server/domains/saccos/activate-sacco.ts';
import { registerSacco } from '../../server/domains/saccos/register-sacco.ts';
import { PLATFORM_BOOK } from '../../server/ledger/ledger.types.ts';
import { postOrRefuse } from '../../server/ledger/post.ts';

/** How often the server is killed in the middle of its work; more by hand: `KILLS=20 npx vitest run server/attacks`. */
const KILLS = Number(process.env.KILLS ?? 2);
const MEMBERS = 4;
const CLIENTS_EACH = 3;
const FUNDS_CENTS = 500_000_00;
const SHARE_CENTS = 100_00;
const PASSWORD = 'Attack#2026';

const program = fileURLToPath(new URL('../../server/main.ts', import.meta.url));
const auditProgram = fileURLToPath(new URL('../../server/audit.ts', import.meta.url));
const folder = mkdtempSync(join(realpathSync(tmpdir()), 'ushirika-kill-'));
let server: ChildProcess;
let port = 0;

const url = () => `http://127.0.0.1:${port}/api/v1`;
const postgresFolder = join(folder, 'postgres');

/** What somebody asked for once: its key names it, so that it may be asked for again after a crash. */
interface Act {
  readonly member: Member;
  readonly kind: 'save' | 'buy' | 'withdraw' | 'deposit' | 'join';
  readonly path: string;
  readonly body: Readonly<Record<string, unknown>>;
  readonly cents: number;
  readonly key: string;
  /** The status of each answer that came; none where the server died before it answered. */
  readonly answers: number[];
  /** What the first good answer said, but for what changes by itself. */
  acknowledged: string | null;
  isSettled: boolean;
}

interface Member {
  readonly id: string;
  readonly token: string;
  readonly phone: string;
}

beforeAll(async () => {
  port = await freePort();
  await launch();
}, 120_000);

afterAll(async () => {
  if (server.exitCode === null && server.signalCode === null) {
    server.kill('SIGTERM');
    await once(server, 'exit');
  }
  rmSync(folder, { recursive: true, force: true });
});

test('a server that is killed in the middle of its work loses nothing that it acknowledged and does nothing twice', async () => {
  const database = connect();
  const { members, saccoIds } = await prepare(database);
  await database.close();
  const acts: Act[] = [];
  for (let kill = 0; kill < KILLS; kill += 1) {
    const underLoad = load(acts, members, saccoIds);
    await sleep(1_200 + Math.random() * 900);
    await killServer(kill % 2 === 1);
    await underLoad.stop();
    await launch();
    await askAgain(acts);
  }
  const settled = acts.filter(({ isSettled }) => isSettled);
  expect(settled.length).toBeGreaterThan(KILLS * 20);
  await withOwner(async (sql) => {
    await untilNothingIsOnItsWay(sql);
    const found = await figuresOf(sql, members);
    const figures = tell(acts, found);
    console.log(`kills ${KILLS}: ${JSON.stringify(figures)}`);
    expect(figures.lost).toBe(0);
    expect(figures.doubled).toBe(0);
    expect(figures.faults).toBe(0);
    await expectEveryShilling(sql, members, acts);
  });
  const audited = spawnSync(process.execPath, [auditProgram], {
    env: { PATH: process.env.PATH, DATA_DIR: folder },
    encoding: 'utf8',
  });
  expect(`${audited.stdout}${audited.stderr}`).toMatch(/All \d+ invariants hold/);
  expect(audited.status).toBe(0);
}, 300_000);

async function prepare(database: Database): Promise<{ members: Member[]; saccoIds: string[] }> {
  const people = await Promise.all(Array.from({ length: MEMBERS + 2 }, (_, index) => register(index)));
  const [founder, operator, ...members] = people as [Member, Member, ...Member[]];
  const saccoIds: string[] = [];
  await database.transaction((tx) => grantOperator(tx, operator.id));
  for (const name of ['Umoja', 'Tumaini']) {
    const particulars = {
      name: `${name} Sacco`,
      description: 'For the day on which the light goes out.',
      regNo: `CS/${name}`,
      regFeeCents: 500_00,
      minShares: 1,
      shareValueCents: SHARE_CENTS,
      type: 'sacco',
      logo: null,
    } as const;
    const { id } = await database.transaction((tx) => registerSacco(tx, { userId: founder.id }, particulars));
    const activation = { saccoId: id, reason: 'Looked at.', strict: false };
    await database.transaction((tx) => activateSacco(tx, { userId: operator.id }, activation));
    saccoIds.push(id);
  }
  for (const member of members) {
    await database.sql`update users set phone_confirmed_at = ${database.now()} where id = ${member.id}`;
    await database.transaction((tx) =>
      postOrRefuse(tx, {
        kind: 'wallet_topped_up',
        idempotencyKey: `kill_funds:${member.id}`,
        causedBy: member.id,
        about: { type: 'test', id: member.id },
        transfers: [
          {
            debit: { book: PLATFORM_BOOK, kind: 'mpesa_float', owner: null },
            credit: { book: PLATFORM_BOOK, kind: 'wallet', owner: member.id },
            amount: FUNDS_CENTS,
          },
        ],
      }),
    );
    const joined = await send(member, '/sacco/members/join', joining(saccoIds[0] as string), `first-${member.id}`);
    if (joined?.status !== 200) throw new Error(`Nobody joined: ${joined?.text}`);
  }
  return { members, saccoIds };
}

async function register(index: number): Promise<Member> {
  const phone = `2547110${String(index).padStart(5, '0')}`;
  const response = await fetch(`${url()}/auth/register/`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      first_name: 'Wanjiru',
      last_name: 'Kamau',
      id_number: `KILL${index}${index}`,
      phone_number: phone,
      email: `kill${index}@example.test`,
      password: PASSWORD,
      user_type: 'client',
    }),
  });
  const body = (await response.json()) as { token: string; user: { id: string } };
  return { id: body.user.id, token: body.token, phone };
}

const joining = (sacco: string) => ({ sacco, reg_fee: 500, min_shares: 1, share_value: 100, total: 500 });

/** Members who do one thing after another until the server is gone. */
function load(acts: Act[], members: readonly Member[], saccoIds: readonly string[]) {
  let isOver = false;
  const one = async (member: Member, seed: number) => {
    for (let turn = seed; !isOver; turn += 1) {
      const act = nextAct(member, saccoIds, turn, acts.length);
      acts.push(act);
      await carryOut(act);
    }
  };
  const clients = members.flatMap((member) =>
    Array.from({ length: CLIENTS_EACH }, (_, index) => one(member, index * 3)),
  );
  return {
    async stop() {
      isOver = true;
      await Promise.all(clients);
    },
  };
}

function nextAct(member: Member, saccoIds: readonly string[], turn: number, count: number): Act {
  const [sacco, other] = saccoIds as [string, string];
  const key = `act-${count}`;
  const act = (kind: Act['kind'], path: string, body: Act['body'], cents: number): Act => ({
    member,
    kind,
    path,
    body,
    cents,
    key,
    answers: [],
    acknowledged: null,
    isSettled: false,
  });
  switch (turn % 8) {
    case 1:
    case 5:
      return act('buy', '/sacco/members/pay_shares_amount', { sacco, shares: 1, amount: 100 }, SHARE_CENTS);
    case 3:
      return act('withdraw', '/integrations/mpesa/withdraw', { amount: 11, phone: member.phone }, 11_00);
    case 6: {
      const phone = `2547990${String(count).padStart(5, '0')}`;
      return act('deposit', '/integrations/mpesa/deposit', { amount: 7, phone }, 7_00);
    }
    case 7:
      return act('join', '/sacco/members/join', joining(other), 500_00);
    default:
      return act('save', '/sacco/savings/deposit', { sacco, amount: 3 }, 3_00);
  }
}

async function carryOut(act: Act): Promise<void> {
  const answer = await send(act.member, act.path, act.body, act.key);
  if (!answer) return;
  act.answers.push(answer.status);
  if (answer.status < 300) {
    const said = JSON.parse(answer.text);
    const name = said.receipt?.id ?? said.withdrawal?.id ?? said.deposit?.id ?? said.membership?.id;
    act.acknowledged ??= name;
    // The same key, the same answer: another one would be another act.
    if (act.acknowledged !== name) act.answers.push(599);
    act.isSettled = true;
  } else if (answer.status < 500) {
    act.isSettled = true;
  }
}

/** What was cut off is asked for again, as a person or a phone would, and what was acknowledged once more, to see. */
async function askAgain(acts: readonly Act[]): Promise<void> {
  const open = acts.filter(({ isSettled }) => !isSettled);
  const sample = acts.filter(({ acknowledged }) => acknowledged !== null).slice(-40);
  for (const act of [...open, ...open, ...sample]) await carryOut(act);
}

interface Sent {
  readonly status: number;
  readonly text: string;
}

/** Null where the line was cut before an answer. */
async function send(member: Member, path: string, body: object, key: string): Promise<Sent | null> {
  try {
    const response = await fetch(`${url()}${path}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        authorization: `Token ${member.token}`,
        'idempotency-key': key,
      },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(20_000),
    });
    return { status: response.status, text: await response.text() };
  } catch {
    await sleep(20);
    return null;
  }
}

/** The ids of everything that is in the books, by what it is. */
async function figuresOf(sql: postgres.Sql, members: readonly Member[]): Promise<Map<string, number>> {
  const ids = members.map(({ id }) => id);
  const rows = await sql<{ id: string; times: number }[]>`
    select id, count(*)::int as times from (
      select right(idempotency_key, 36) as id from journals where kind = 'savings_deposited' and caused_by = any(${ids}::uuid[])
      union all select id::text from share_movements where user_id = any(${ids}::uuid[])
      union all select id::text from withdrawals where user_id = any(${ids}::uuid[])
      union all select id::text from deposits where user_id = any(${ids}::uuid[])
      union all select id::text from memberships where user_id = any(${ids}::uuid[])
    ) present group by id`;
  return new Map(rows.map(({ id, times }) => [id, times]));
}

function tell(acts: readonly Act[], found: ReadonlyMap<string, number>) {
  const acknowledged = acts.filter((act) => act.acknowledged !== null);
  const names = new Set(acknowledged.map((act) => act.acknowledged as string));
  // Of joinings there is one more for each member, made before the load.
  const unasked = [...found.keys()].filter((id) => !names.has(id)).length - MEMBERS;
  return {
    tried: acts.length,
    acknowledged: acknowledged.length,
    askedAgain: acts.filter(({ answers }) => answers.length > 1).length,
    refused: acts.length - acknowledged.length,
    lost: acknowledged.filter((act) => !found.has(act.acknowledged as string)).length,
    doubled: [...found.values()].filter((times) => times > 1).length + Math.max(0, unasked),
    faults: acts.flatMap(({ answers }) => answers).filter((status) => status === 500 || status === 599).length,
  };
}

/** Every member's wallet is what came in less what went out, act by act. */
async function expectEveryShilling(sql: postgres.Sql, members: readonly Member[], acts: readonly Act[]): Promise<void> {
  for (const member of members) {
    const own = acts.filter((act) => act.member === member && act.acknowledged !== null);
    const sum = (kind: Act['kind']) =>
      own.filter((act) => act.kind === kind).reduce((total, { cents }) => total + cents, 0);
    const [row] = await sql<{ wallet: string; held: string; paid_in: string; returned: string; unknown: string }[]>`
      select
        (select coalesce(sum(balance), 0) from accounts where kind = 'wallet' and owner_id = ${member.id}) as wallet,
        (select coalesce(sum(balance), 0) from accounts where kind = 'wallet_hold' and owner_id = ${member.id}) as held,
        (select coalesce(sum(amount_cents), 0) from deposits where state = 'paid' and user_id = ${member.id}) as paid_in,
        (select coalesce(sum(amount_cents), 0) from withdrawals where state = 'returned' and user_id = ${member.id})
          as returned,
        (select coalesce(sum(amount_cents), 0) from withdrawals where state = 'sending' and user_id = ${member.id})
          as unknown`;
    const out = sum('save') + sum('buy') + sum('withdraw') + sum('join') + 500_00;
    const expected = FUNDS_CENTS + Number(row?.paid_in) + Number(row?.returned) - out;
    expect(Number(row?.wallet)).toBe(expected);
    expect(Number(row?.held)).toBe(Number(row?.unknown));
  }
}

/**
 * Prompts that were open when the server died are answered, verified and credited by the jobs of the next one. What was
 * cut off between the note that it is being sent and M-Pesa's answer stays `sending`: nobody knows whether M-Pesa heard
 * of it, so that it is never sent again, and its money stays set aside until M-Pesa or an operator says.
 */
async function untilNothingIsOnItsWay(sql: postgres.Sql): Promise<void> {
  await expect
    .poll(
      async () => {
        // What waits for its time does not have to wait in a test.
        await sql`
          update deposits set next_query_at = least(next_query_at, now()) where state in ('sending', 'sent')`;
        await sql`
          update withdrawals set next_query_at = least(next_query_at, now()) where state in ('sending', 'sent')`;
        await sql`update status_queries set next_ask_at = least(next_ask_at, now()) where state in ('waiting', 'asked')`;
        const [row] = await sql<{ open: number }[]>`
          select (select count(*) from deposits where state in ('created', 'sent'))::int
            + (select count(*) from withdrawals where state in ('created', 'sent'))::int as open`;
        return row?.open;
      },
      { timeout: 90_000, interval: 1_000 },
    )
    .toBe(0);
}

async function launch(): Promise<void> {
  const said: string[] = [];
  server = spawn(process.execPath, [program], {
    env: {
      PATH: process.env.PATH,
      PORT: String(port),
      DATA_DIR: folder,
      DEMO: '0',
      RATE_LIMITS: '0',
      SIMULATOR_AUTO: 'approve',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  for (const stream of [server.stdout, server.stderr]) stream?.on('data', (data) => said.push(String(data)));
  const started = server;
  const isUp = () => said.join('').includes('First answer after');
  while (!isUp() && started.exitCode === null) await sleep(50);
  if (started.exitCode !== null) throw new Error(`The server did not start: ${said.join('')}`);
}

/** -9: no handler runs, nothing is written down in time. `withDatabase`: PostgreSQL dies with it. */
async function killServer(withDatabase: boolean): Promise<void> {
  const ended = once(server, 'exit');
  const postmaster = Number(readFileSync(join(postgresFolder, 'cluster', 'postmaster.pid'), 'utf8').split('\n')[0]);
  server.kill('SIGKILL');
  if (withDatabase) process.kill(postmaster, 'SIGKILL');
  await ended;
}

function ownerUrl(): string {
  const found = runningUrl(postgresFolder);
  if (!found) throw new Error('PostgreSQL is not running.');
  return found;
}

function connect(): Database {
  return openDatabase({ url: ownerUrl(), poolSize: 2 });
}

async function withOwner(act: (sql: postgres.Sql) => Promise<void>): Promise<void> {
  const sql = postgres(ownerUrl(), { max: 1, onnotice: () => {} });
  try {
    await act(sql);
  } finally {
    await sql.end();
  }
}

async function freePort(): Promise<number> {
  const probe = net.createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port: free } = probe.address() as net.AddressInfo;
  probe.close();
  return free;
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
