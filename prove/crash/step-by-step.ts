import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Embedded, startEmbedded } from '../../server/db/embedded.ts';
import { copyPrepared } from '../../server/db/test-server.ts';
import type { Run, Tier } from '../harness.ts';
import { sleep, until, whateverHappens } from '../support/waiting.ts';
import {
  type Act,
  actOf,
  asOfYesterday,
  asOwner,
  type Kind,
  largeOffer,
  lookAsOwner,
  PATIENCE_MS,
  performAct,
  prepareScene,
  type Scene,
} from './acts.ts';
import { assertBooks, assertPages, presentOf } from './books.ts';
import { Findings, type Part, sizeOf } from './part.ts';
import { PostgresTap, type Reached } from './postgres-tap.ts';
import { killBackend, ProductProcess, signal } from './product-process.ts';

type Victim = 'backend' | 'server';

interface Pass {
  readonly kind: Kind;
  /** Only what the server sends is counted, or what PostgreSQL answers too. */
  readonly ways: 'to server' | 'both';
  /** Who is killed at the first message, the other at the second, and so on; or one of them at each. */
  readonly victims: readonly Victim[];
  /** The first message to be killed at; 1 unless told. Below zero: so many before the last in peace. */
  readonly from?: number;
}

const alternately: readonly Victim[] = ['backend', 'server'];
const ACTS = ['buy', 'save', 'withdraw', 'bid', 'repay', 'contribute'] as const;
const SIZES: Readonly<Record<Tier, readonly Pass[]>> = {
  // A server takes seconds to start again, a backend none: it is killed at every eighth message, COMMIT among them.
  c: [{ kind: 'save', ways: 'to server', victims: ['backend', 'server', ...Array<Victim>(6).fill('backend')] }],
  n: ACTS.map((kind) => ({ kind, ways: 'both', victims: alternately })),
  r: ACTS.flatMap((kind) => [
    { kind, ways: 'both', victims: ['backend'] },
    { kind, ways: 'both', victims: ['server'] },
  ]),
};

/** The negative control: the last messages alone, COMMIT among them. */
const CONTROL: readonly Pass[] = [{ kind: 'save', ways: 'both', victims: ['backend'], from: -12 }];

/** Acts in a row that are refused before they come to the message that is waited for. */
const MISSES_MAX = 20;

const PROGRAM = fileURLToPath(new URL('./api.program.ts', import.meta.url));

/**
 * H2, exhaustively: one transfer is made again and again, and after its first, second, third ... message to or from
 * PostgreSQL, through the last, either the process of PostgreSQL that serves it or the server is killed. Asked for again
 * with the same key it is there once, whatever the message.
 */
export async function killAtEachMessage(run: Run): Promise<Part> {
  const findings = new Findings();
  findings.expects(
    'killed backend at a message',
    'killed server at a message',
    'done before the kill',
    'undone by the kill',
  );
  const base = mkdtempSync(join(realpathSync(tmpdir()), 'ushirika-steps-'));
  const folder = join(base, 'postgres');
  copyPrepared(run.prepared, folder);
  const postgres = await startEmbedded({ folder, settings: { shared_buffers: '32MB' }, onTrouble: () => {} });
  const ending = whateverHappens(() => signal(postgres.pid));
  const stage = new Stage(postgres, run.broken ? { BROKEN: 'acknowledged-before-commit' } : {});
  try {
    const scene = await prepareScene(await stage.url(), postgres.url, 2);
    // So that whoever wants a share trades at once.
    const offer = largeOffer(scene.members[1] as Scene['members'][number], scene.saccoIds, -1);
    const acts: Act[] = [offer];
    if ((await performAct(await stage.url(), offer)) !== 201) findings.violated('nobody offers any shares');
    const lengths: string[] = [];
    for (const pass of run.broken ? CONTROL : sizeOf(run, SIZES)) {
      const before = findings.timesOf('done before the kill');
      const messages = await walk(run, stage, scene, acts, findings, pass);
      lengths.push(
        `${pass.kind} ${messages} (${[...new Set(pass.victims)].join(' and ')}${pass.victims.length > 1 ? ' in turn' : ''})`,
      );
      if (findings.count > 0) return findings.outcome();
      // Whose turn it is at COMMIT hangs on how many messages came before, and these on what the server that was started
      // anew has prepared by then: a server that dies at COMMIT, or soon after, leaves it done.
      for (let tries = 0; tries < 5 && findings.timesOf('done before the kill') === before; tries += 1) {
        // A server that was just started sends more messages, so that the length of the walk above lies behind this act's end.
        await walk(run, stage, scene, acts, findings, { ...pass, victims: ['server'], from: -3 - 6 * tries });
        if (findings.count > 0) return findings.outcome();
      }
      if (findings.timesOf('done before the kill') === before)
        findings.violated(`no ${pass.kind} came past its COMMIT`);
    }
    await assertBooks(postgres.url, scene, acts, findings);
    await assertPages(postgres.url, findings);
    findings.figure('P2', `killed after every message of a transfer: ${lengths.join(', ')}, 0 lost, 0 doubled`);
    return findings.outcome();
  } finally {
    await stage.end();
    await postgres.stop();
    ending.done();
    rmSync(base, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
  }
}

/** An act that takes more, and twice what it takes in peace, never ends. */
const MESSAGES_MAX = 500;

/** Returns how many messages the transfer took. */
async function walk(
  run: Run,
  stage: Stage,
  scene: Scene,
  acts: Act[],
  findings: Findings,
  { kind, ways, victims, from = 1 }: Pass,
): Promise<number> {
  const member = scene.members[0] as Scene['members'][number];
  const least = await undisturbed(stage, scene, acts, findings, { kind, ways });
  // A server that has just been started asks more than one that has done it before.
  const most = Math.max(MESSAGES_MAX, 2 * least);
  let missed = 0;
  for (let message = from > 0 ? from : Math.max(1, least + from); message < most; message += 1) {
    const victim = victims[message % victims.length] as Victim;
    const act = actOf(kind, member, scene.saccoIds, acts.length);
    acts.push(act);
    const where = `${kind}, ${victim} killed after message ${message}`;
    const before = await stage.effects(scene);
    const reached = await stage.tryOnce(act, { messages: message, ways, victim });
    if (!reached && act.acknowledged !== null) {
      if (stage.passed < least) findings.violated(`${where}: it took ${stage.passed} messages, and ${least} in peace`);
      return message - 1;
    }
    if (!reached) {
      // Refused before it came so far, on a line that the last kill had cut: that is no end of the transfer.
      if (!(await stage.resolve(act))) findings.violated(`still not known: ${where}`);
      missed += 1;
      if (missed > MISSES_MAX) findings.violated(`${missed} acts in a row did not come so far: ${where}`);
      if (findings.count > 0) return message;
      message -= 1;
      continue;
    }
    missed = 0;
    findings.fired(`killed ${victim} at a message`);
    const done = (await stage.effects(scene)) - before;
    findings.fired(done === 1 ? 'done before the kill' : 'undone by the kill');
    if (act.acknowledged !== null && done !== 1) findings.violated(`acknowledged and lost: ${where}`);
    if (!(await stage.resolve(act))) findings.violated(`still not known: ${where}: answered ${act.answers.join(', ')}`);
    if (act.answers.includes(500))
      findings.violated(`answered 500: ${where} (${reached.message}): ${stage.lastWords()}`);
    const after = (await stage.effects(scene)) - before;
    if (after !== 1 || act.isDoubled) findings.violated(`${after} effects of one key: ${where} (${reached.message})`);
    if (findings.count > 0) return message;
    if (message % 25 === 0) run.tell(`${where} (${reached.direction} ${reached.message})`);
  }
  findings.violated(`${kind} takes more than ${most} messages, and ${least} in peace`);
  return most;
}

/** So often that each connection of the server has prepared all that the act asks. */
const WARMING = 10;

/** How many messages the act takes where nobody is killed, on a server that has done it before: it never takes fewer. */
async function undisturbed(
  stage: Stage,
  scene: Scene,
  acts: Act[],
  findings: Findings,
  { kind, ways }: Pick<Pass, 'kind' | 'ways'>,
): Promise<number> {
  const counts: number[] = [];
  for (let time = 0; time < WARMING; time += 1) {
    const act = actOf(kind, scene.members[0] as Scene['members'][number], scene.saccoIds, acts.length);
    acts.push(act);
    await stage.tryOnce(act, { messages: 100_000, ways, victim: 'backend' });
    if (act.acknowledged === null) findings.violated(`nobody can ${kind} in peace`);
    counts.push(stage.passed);
  }
  return Math.min(...counts);
}

interface Cut {
  readonly messages: number;
  readonly ways: Pass['ways'];
  readonly victim: Victim;
}

/** The API, which dies and comes again, its tap, and PostgreSQL, which restarts after each kill of one of its processes. */
class Stage {
  readonly #postgres: Embedded;
  readonly #env: Readonly<Record<string, string>>;
  #api: ProductProcess | null = null;
  #tap: PostgresTap | null = null;
  /** Started ahead, so that nobody waits for it. */
  #spare: Promise<{ api: ProductProcess; tap: PostgresTap }> | null = null;

  constructor(postgres: Embedded, env: Readonly<Record<string, string>>) {
    this.#postgres = postgres;
    this.#env = env;
  }

  async url(): Promise<string> {
    if (!this.#api?.isRunning) {
      await this.#tap?.close();
      await this.#api?.end();
      const { api, tap } = await (this.#spare ?? this.#launch());
      this.#api = api;
      this.#tap = tap;
      this.#spare = null;
    }
    return this.#api?.url as string;
  }

  /** Acts, and kills after so many messages; null where it was over before. */
  async tryOnce(act: Act, { messages, ways, victim }: Cut): Promise<Reached | null> {
    if (act.kind === 'withdraw') await lookAsOwner(this.#postgres.url, asOfYesterday);
    // On a slow machine the password of the beginning would count no more.
    await lookAsOwner(
      this.#postgres.url,
      (sql) => sql`update sessions set proven_at = now() where proven_at is not null`,
    );
    const url = await this.url();
    let reached: Reached | null = null;
    let killed: Promise<unknown> = Promise.resolve();
    this.#tap?.stopAfter({ messages, ways }, (at) => {
      reached = at;
      killed = victim === 'server' ? (this.#api as ProductProcess).kill() : killBackend(this.#postgres.pid, at.backend);
      if (victim === 'server') this.#spare ??= this.#launch();
    });
    await performAct(url, act);
    await killed;
    this.#tap?.release();
    await this.#isReachable();
    return reached;
  }

  /** The messages of the last try. */
  get passed(): number {
    return this.#tap?.passed ?? 0;
  }

  /** Asks again with the same key until it is known, for as long as the other parts do; false where it never is. */
  async resolve(act: Act): Promise<boolean> {
    const latest = performance.now() + PATIENCE_MS;
    for (;;) {
      await performAct(await this.url(), act);
      if (act.isSettled || performance.now() > latest) return act.acknowledged !== null;
      await sleep(25);
    }
  }

  /** How many things members have done are in the books. */
  async effects(scene: Scene): Promise<number> {
    const present = await lookAsOwner(this.#postgres.url, (sql) => presentOf(sql, scene.members));
    return [...present.values()].reduce((sum, times) => sum + times, 0);
  }

  lastWords(): string {
    return this.#api?.said.slice(-1_500) ?? '';
  }

  async end(): Promise<void> {
    const spare = await this.#spare?.catch(() => null);
    for (const api of [this.#api, spare?.api]) await api?.kill();
    for (const api of [this.#api, spare?.api]) await api?.end();
    for (const tap of [this.#tap, spare?.tap]) await tap?.close();
  }

  async #launch(): Promise<{ api: ProductProcess; tap: PostgresTap }> {
    const tap = new PostgresTap(this.#postgres.port);
    await tap.listen();
    const env = {
      DATABASE_URL: tap.through(this.#postgres.url),
      HEALTH_CHECK_URL: this.#postgres.url,
      DATABASE_POOL_SIZE: '2',
      ...this.#env,
    };
    const api = new ProductProcess({ program: PROGRAM, env });
    await api.launch();
    return { api, tap };
  }

  async #isReachable(): Promise<void> {
    const answers = () =>
      asOwner(this.#postgres.url, (sql) => sql`select 1`).then(
        () => true,
        () => false,
      );
    await until('PostgreSQL takes connections again', answers, 30_000, 10);
  }
}
