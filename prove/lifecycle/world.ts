import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readConfig } from '../../server/config.ts';
import { freePort } from '../../server/db/embedded.ts';
import { copyTemplate, type TestDatabase } from '../../server/db/test-copy.ts';
import { testPeople } from '../../server/db/test-people.ts';
import type { TestWorld } from '../../server/db/test-world.ts';
import { openSession } from '../../server/domains/identity/open-session.ts';
import { testSaccos } from '../../server/domains/saccos/test-saccos.ts';
import { realWorld } from '../../server/world.ts';
import { ServerProcess } from '../support/server-process.ts';
import { type TcpProxy, tcpProxy } from '../support/tcp-proxy.ts';
import { Asker, type Told } from './asking.ts';

export interface Limits {
  /** What a request may take. */
  readonly deadlineMs: number;
  /** How many may be under way at once. */
  readonly requestsMax: number;
}

/** Tight, so that a run takes seconds. */
export const TIGHT: Limits = { deadlineMs: 2_500, requestsMax: 50 };
const shipped = readConfig({});
/** As the product comes. */
export const SHIPPED: Limits = { deadlineMs: shipped.requestDeadlineMs, requestsMax: shipped.requestsMax };

const PROGRAM = fileURLToPath(new URL('./lifecycle.program.ts', import.meta.url));
const MEMBERS = 4;

/** A deposit into savings that was tried: what it was told, every time. */
export interface Deposit {
  readonly key: string;
  readonly member: Member;
  readonly told: Told[];
}

export interface Member {
  readonly id: string;
  readonly token: string;
}

/** The product in a process, its database behind a line that can be frozen, and members with money. */
export class House {
  readonly violations: string[] = [];
  readonly fired: Record<string, number> = {};
  readonly deposits: Deposit[] = [];
  readonly database: TestDatabase;
  readonly line: TcpProxy;
  readonly server: ServerProcess;
  readonly members: readonly Member[];
  readonly sacco: string;
  readonly asker: Asker;
  readonly limits: Limits;
  readonly #folder: string;

  constructor(
    parts: Pick<House, 'database' | 'line' | 'server' | 'members' | 'sacco' | 'limits'> & { folder: string },
  ) {
    this.#folder = parts.folder;
    this.limits = parts.limits;
    this.database = parts.database;
    this.line = parts.line;
    this.server = parts.server;
    this.members = parts.members;
    this.sacco = parts.sacco;
    this.asker = new Asker(parts.server.port);
  }

  violated(sentence: string): void {
    this.violations.push(sentence);
  }

  happened(what: string, times = 1): void {
    this.fired[what] = (this.fired[what] ?? 0) + times;
  }

  /** One shilling into savings, under a key of its own. */
  async deposit(asker = this.asker, member = this.members[0] as Member): Promise<{ deposit: Deposit; told: Told }> {
    const deposit: Deposit = { key: `life-${this.deposits.length}`, member, told: [] };
    this.deposits.push(deposit);
    return { deposit, told: await this.again(deposit, asker) };
  }

  /** The same deposit once more. */
  async again({ key, member, told }: Deposit, asker = this.asker): Promise<Told> {
    const body = { sacco: this.sacco, amount: 1 };
    const answer = await asker.ask({ path: '/api/v1/sacco/savings/deposit', token: member.token, key, body });
    told.push(answer);
    return answer;
  }

  /** Whether a deposit is in the books: its key is there with its answer. */
  async isDone({ key, member }: Deposit): Promise<boolean> {
    const [row] = await this.database.owner`
      select 1 from idempotency_keys where user_id = ${member.id} and key = ${key} and status is not null`;
    return row !== undefined;
  }

  /** Whether a COMMIT of a deposit is under way that `withHangingCommits` holds up. */
  async isCommitHanging(): Promise<boolean> {
    const [row] = await this.database.owner`
      select 1 from pg_stat_activity
      where datname = current_database() and wait_event = 'PgSleep' and query = 'commit'`;
    return row !== undefined;
  }

  /** What the process wrote of faults of its own: whoever met one was answered 500. */
  faults(): string[] {
    return this.server.said.split('\n').filter((line) => line.includes('"msg":"unexpected error"'));
  }

  async journals(): Promise<number> {
    const [row] = await this.database.owner<{ count: number }[]>`
      select count(*)::int as count from journals where kind = 'savings_deposited'`;
    return row?.count ?? 0;
  }

  async close(): Promise<void> {
    this.asker.close();
    await this.server.kill();
    rmSync(this.#folder, { recursive: true, force: true });
    await this.line.close();
    await this.database.close();
  }
}

export async function openHouse(
  serverUrl: string,
  { limits = TIGHT, broken = '' }: { readonly limits?: Limits; readonly broken?: string } = {},
): Promise<House> {
  const world = { ...realWorld, advance() {} } as unknown as TestWorld;
  const database = await copyTemplate(serverUrl, { world, poolSize: 3 });
  const { hostname, port } = new URL(database.url);
  const line = await tcpProxy({ host: hostname, port: Number(port) });
  const folder = mkdtempSync(join(tmpdir(), 'ushirika-life-'));
  const server = new ServerProcess({
    port: await freePort(),
    program: PROGRAM,
    env: {
      DATA_DIR: folder,
      DATABASE_URL: line.through(database.url),
      REQUEST_DEADLINE_MS: String(limits.deadlineMs),
      REQUESTS_MAX: broken === 'unbounded' ? '100000' : String(limits.requestsMax),
      DRAIN_GRACE_MS: '400',
      LIFE_BROKEN: broken,
    },
  });
  const [inside] = await Promise.all([furnish(database), server.untilUp()]);
  return new House({ database, line, server, folder, limits, ...inside });
}

async function furnish(database: TestDatabase): Promise<{ members: Member[]; sacco: string }> {
  const people = testPeople(database);
  const saccos = testSaccos(database);
  const founder = await people.person('Asha');
  const sacco = await saccos.sacco(founder, await people.person('Halima'));
  const members: Member[] = [];
  for (let index = 0; index < MEMBERS; index += 1) {
    const id = await people.person('Wanjiru');
    await saccos.join(sacco, id);
    await saccos.fund(id, 1_000_000_00);
    const origin = { address: '127.0.0.1', userAgent: 'life' };
    const input = { userId: id, origin, hasSecondFactor: false };
    members.push({ id, token: (await database.transaction((tx) => openSession(tx, input))).token });
  }
  return { members, sacco };
}
