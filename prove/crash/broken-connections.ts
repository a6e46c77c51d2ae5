import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Embedded, startEmbedded } from '../../server/db/embedded.ts';
import { copyPrepared } from '../../server/db/test-server.ts';
import type { Run, Tier } from '../harness.ts';
import { Random } from '../random.ts';
import { type TcpProxy, tcpProxy } from '../support/tcp-proxy.ts';
import { sleep, whateverHappens } from '../support/waiting.ts';
import { type Act, askAgain, load, prepareScene, type Scene } from './acts.ts';
import { assertBooks, assertKept, untilNothingIsOnItsWay } from './books.ts';
import { Findings, type Part, sizeOf } from './part.ts';
import { ANSWERS_EARLY, ProductProcess, signal } from './product-process.ts';

const SIZES: Readonly<Record<Tier, { readonly rounds: number; readonly faultMs: number }>> = {
  c: { rounds: 7, faultMs: 250 },
  n: { rounds: 42, faultMs: 1_000 },
  r: { rounds: 210, faultMs: 1_500 },
};

interface Trouble {
  begin(connection: TcpProxy, random: Random): void;
  /** Of what the proxy counts when this really happens to a connection. */
  readonly mark: 'broken' | 'resets' | 'held';
  /** Nobody is answered as long as it lasts. */
  readonly isStandstill?: boolean;
}

const TROUBLES: Readonly<Record<string, Trouble>> = {
  cut: { begin: (connection) => connection.cut(), mark: 'broken' },
  'hung up': { begin: (connection) => connection.hangUp(), mark: 'broken' },
  'reset in the middle of an answer': {
    begin: (connection, random) => connection.resetAfter(random.whole(1, 4_000)),
    mark: 'resets',
  },
  frozen: { begin: (connection) => connection.set({ kind: 'freeze' }), mark: 'held', isStandstill: true },
  deaf: { begin: (connection) => connection.set({ kind: 'deaf' }), mark: 'held', isStandstill: true },
  late: { begin: (connection) => connection.set({ kind: 'latency', ms: 40 }), mark: 'held' },
  dripping: { begin: (connection) => connection.set({ kind: 'drip', bytes: 7, everyMs: 2 }), mark: 'held' },
};

const came = (name: string) => `connection ${name}`;
const met = (name: string) => `acts that a connection ${name} met`;

/**
 * H11: the connection between the real server and PostgreSQL is cut, reset in the middle of an answer, frozen, deaf, slow.
 * Whoever was told "done" finds it done, whoever was not asks again with the same key, and nothing is half done.
 */
export async function breakConnections(run: Run): Promise<Part> {
  const { rounds: whole, faultMs } = sizeOf(run, SIZES);
  // What is lost hangs on what was under way at that moment: a broken server is given some more, and ends at the first.
  const rounds = run.broken ? 4 * whole : whole;
  const findings = new Findings();
  const base = mkdtempSync(join(realpathSync(tmpdir()), 'ushirika-connections-'));
  const folder = join(base, 'postgres');
  copyPrepared(run.prepared, folder);
  const postgres = await startEmbedded({ folder, onTrouble: () => {} });
  const ending = whateverHappens(() => signal(postgres.pid));
  const connection = await tcpProxy({ host: '127.0.0.1', port: postgres.port });
  const settings = run.broken ? ANSWERS_EARLY : { env: {} };
  const product = new ProductProcess({
    ...settings,
    env: { ...settings.env, DATABASE_URL: connection.through(postgres.url) },
  });
  try {
    await product.launch();
    const scene = await prepareScene(product.url, postgres.url, 4);
    const acts: Act[] = [];
    const random = new Random(run.seed);
    findings.expects(...Object.keys(TROUBLES).flatMap((name) => [came(name), met(name)]));
    for (let round = 0; round < rounds && findings.count === 0; round += 1) {
      const [name, trouble] = Object.entries(TROUBLES)[round % 7] as [string, Trouble];
      await oneRound({ product, postgres, connection, scene, acts, findings, random }, { name, trouble, faultMs });
      if (round % 7 === 6) run.tell(`${round + 1}/${rounds}: ${acts.length} acts`);
    }
    if (run.broken || findings.count > 0) return findings.outcome();
    await untilNothingIsOnItsWay(postgres.url);
    await assertBooks(postgres.url, scene, acts, findings);
    const times = Object.keys(TROUBLES).reduce((sum, name) => sum + findings.timesOf(came(name)), 0);
    findings.figure('P19', `${times} times cut, reset, frozen, deaf or slow under ${acts.length} acts: 0 half done`);
    return findings.outcome();
  } finally {
    connection.set({ kind: 'flow' });
    await product.end();
    await connection.close();
    await postgres.stop();
    ending.done();
    rmSync(base, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
  }
}

interface Stage {
  readonly product: ProductProcess;
  readonly postgres: Embedded;
  readonly connection: TcpProxy;
  readonly scene: Scene;
  readonly acts: Act[];
  readonly findings: Findings;
  readonly random: Random;
}

/** Nothing has been answered yet. */
const isOpen = ({ answers, isSettled }: Act) => answers.length === 0 && !isSettled;

async function oneRound(
  { product, postgres, connection, scene, acts, findings, random }: Stage,
  { name, trouble, faultMs }: { readonly name: string; readonly trouble: Trouble; readonly faultMs: number },
): Promise<void> {
  const before = acts.length;
  const seenBefore = connection.seen[trouble.mark];
  const loaded = load(product.url, scene, acts, 3);
  await sleep(random.whole(80, 250));
  const underWay = acts.slice(before).filter(isOpen);
  trouble.begin(connection, random);
  await sleep(faultMs);
  // Nothing yet, or "not now" where it lasted: whoever was told "done" in a standstill was not held up by it.
  const metBy = trouble.isStandstill ? underWay.filter(({ isSettled }) => !isSettled) : underWay;
  connection.set({ kind: 'flow' });
  connection.resetAfter(null);
  await sleep(50);
  await loaded.stop();
  // What was wanted is one thing: what the connection has seen counts.
  if (connection.seen[trouble.mark] > seenBefore) {
    findings.fired(came(name));
    findings.fired(met(name), metBy.length);
  }
  const mine = acts.slice(before);
  if (!product.isRunning)
    return findings.violated(`the server ended on a connection ${name}: ${product.said.slice(-800)}`);
  const unknown = await askAgain(product.url, mine);
  if (unknown.length > 0) findings.violated(`${unknown.length} acts are still not known after a connection ${name}`);
  await assertKept(postgres.url, scene, mine, findings, `after a connection ${name}`);
}
