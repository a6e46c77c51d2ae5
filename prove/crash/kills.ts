import type { Run, Tier } from '../harness.ts';
import { Random } from '../random.ts';
import { sleep, until } from '../support/waiting.ts';
import {
  type Act,
  askAgain,
  asOwner,
  KINDS,
  load,
  performAct,
  prepareScene,
  type Scene,
  standingOffer,
} from './acts.ts';
import { assertBooks, assertInvariants, assertKept, assertPages, tradesIn, untilNothingIsOnItsWay } from './books.ts';
import { Findings, type Part, sizeOf } from './part.ts';
import { killBackend, killPostmaster, ProductProcess } from './product-process.ts';

const SIZES: Readonly<Record<Tier, Size>> = {
  // Each way once; what is rare comes more often, for a process lives through two loads at most.
  c: { kills: 4, members: 4, clientsEach: 4, loadMs: [400, 800], actsMin: 60, moreFaults: 2 },
  n: { kills: 60, members: 6, clientsEach: 4, loadMs: [500, 2_000], actsMin: 0, moreFaults: 1 },
  r: { kills: 200, members: 8, clientsEach: 4, loadMs: [500, 3_000], actsMin: 0, moreFaults: 1 },
};

/** Rare faults on top of the kills, once the server has started: the first fifty turns of each point are spared. */
const FAULTS = { begin_lost: 0.005, commit_slow: 0.02, commit_never_sent: 0.005, commit_reply_lost: 0.01 };

const WAYS = ['server', 'server_and_postgres', 'postgres', 'one_backend'] as const;
type Way = (typeof WAYS)[number];

/**
 * H2: members act, and in the middle of it the server, PostgreSQL, both or one of PostgreSQL's processes is killed with
 * -9. After each restart everything that was acknowledged is there; at the end everything that is there was asked for,
 * once, every shilling is where it should be, and every page of every index and table is whole.
 */
export async function surviveKills(run: Run): Promise<Part> {
  const isAsynchronous = run.broken === 'asynchronous-commit';
  // The control ends with the first kill that loses something; on a busy machine one may come before anything was acknowledged.
  const size = isAsynchronous ? SIZES.c : sizeOf(run, SIZES);
  const findings = new Findings();
  const rates = Object.fromEntries(Object.entries(FAULTS).map(([point, rate]) => [point, rate * size.moreFaults]));
  const faults = JSON.stringify({ seed: run.seed, rates, skip: 50 });
  const product = new ProductProcess({ prepared: run.prepared, env: isAsynchronous ? {} : { FAULTS: faults } });
  try {
    await product.launch();
    const scene = await prepareScene(product.url, product.ownerUrl, size.members);
    await assertDurable(product, findings);
    if (isAsynchronous) await commitWithoutWaiting(product);
    const acts = await killAgainAndAgain(run, product, scene, findings, size);
    if (isAsynchronous || findings.count > 0) return findings.outcome();
    await untilNothingIsOnItsWay(product.ownerUrl);
    await assertBooks(product.ownerUrl, scene, acts, findings);
    findings.fired('shares traded', await tradesIn(product.ownerUrl));
    const pages = await assertPages(product.ownerUrl, findings);
    for (const [point, times] of Object.entries(product.faults())) findings.fired(`fault ${point}`, times);
    const kills = WAYS.reduce((sum, way) => sum + findings.timesOf(`killed ${way}`), 0);
    findings.figure('P2', figureOf(acts, kills, pages));
    return findings.outcome();
  } finally {
    await product.end();
  }
}

interface Size {
  readonly kills: number;
  readonly members: number;
  readonly clientsEach: number;
  readonly loadMs: readonly [number, number];
  /** On a busy machine a load lasts until so many acts were tried, so that each kind has its turn. */
  readonly actsMin: number;
  /** By how much `FAULTS` is multiplied. */
  readonly moreFaults: number;
}

async function killAgainAndAgain(
  run: Run,
  product: ProductProcess,
  scene: Scene,
  findings: Findings,
  size: Size,
): Promise<Act[]> {
  const random = new Random(run.seed);
  const all: Act[] = [standingOffer(scene.members[0] as Scene['members'][number], scene.saccoIds)];
  for (const offer of all) await performAct(product.url, offer);
  findings.expects('acknowledged acts', 'acts cut off', 'acts asked again');
  // A kind of act that is always refused would be killed in vain.
  findings.expects(...KINDS.map((kind) => `${kind} acknowledged`));
  // In tier C a process lives for some hundred turns of each point, and where the seed's first fault of a rare one comes
  // later than that, none does: there the commonest alone is sure.
  const points = run.tier === 'c' ? ['commit_slow'] : Object.keys(FAULTS);
  findings.expects(...points.map((point) => `fault ${point}`));
  for (let kill = 1; kill <= size.kills && findings.count === 0; kill += 1) {
    const way = run.broken ? 'server_and_postgres' : (WAYS[(kill - 1) % WAYS.length] as Way);
    const when = `after kill ${kill} (${way}, seed ${run.seed})`;
    const before = all.length;
    const underLoad = load(product.url, scene, all, size.clientsEach);
    await sleep(random.whole(...size.loadMs));
    await until('members act', async () => all.length - before >= size.actsMin, 60_000);
    findings.fired(`killed ${way}`, await killOneWay(product, way));
    // Where the server lives on, it answers "not now" until PostgreSQL is back, and people keep asking meanwhile.
    if (product.isRunning) await sleep(100);
    await underLoad.stop();
    await comeBack(product, when);
    const acts = all.slice(before);
    const cut = acts.filter(({ isSettled }) => !isSettled).length;
    findings.fired('acknowledged acts', acts.filter(({ acknowledged }) => acknowledged !== null).length);
    findings.fired('acts cut off', cut);
    run.tell(`kill ${kill}/${size.kills} ${way}: ${acts.length} acts, ${cut} cut off`);
    await assertKept(product.ownerUrl, scene, acts, findings, when);
    if (run.broken) continue;
    const unknown = await askAgain(product.url, acts);
    findings.fired('acts asked again', cut);
    if (unknown.length > 0) findings.violated(`${unknown.length} acts are still not known ${when}`);
    if (kill % 20 === 0) await assertInvariants(product.ownerUrl, findings);
  }
  for (const { kind, acknowledged } of all) if (acknowledged !== null) findings.fired(`${kind} acknowledged`);
  return all;
}

/** Returns how many processes it was done to; none where there was no backend to hit. */
async function killOneWay(product: ProductProcess, way: Way): Promise<number> {
  if (way === 'one_backend') return killOneBackend(product);
  const { postmaster } = product;
  if (way !== 'server') await Promise.all([killPostmaster(postmaster), way === 'postgres' ? null : product.kill()]);
  else await product.kill();
  return way === 'server' || postmaster > 0 ? 1 : 0;
}

/** A backend of the product's, in the middle of a transaction where there is one. PostgreSQL then restarts all. */
async function killOneBackend(product: ProductProcess): Promise<number> {
  const pid = await asOwner(product.ownerUrl, async (sql) => {
    const [row] = await sql<{ pid: number }[]>`
      select pid from pg_stat_activity where application_name = 'ushirika'
      order by xact_start is null, random() limit 1`;
    return row?.pid ?? 0;
  });
  return pid > 0 && (await killBackend(product.postmaster, pid)) ? 1 : 0;
}

/** Started again where it is gone; where it is not, it has to find PostgreSQL again by itself. */
async function comeBack(product: ProductProcess, when: string): Promise<void> {
  if (!product.isRunning) await product.launch();
  const answers = async () => {
    const response = await fetch(`${product.url}/sacco/list`, { signal: AbortSignal.timeout(5_000) }).catch(() => null);
    await response?.arrayBuffer();
    return response?.status === 200 && isReachable(product);
  };
  await until(`the product answers again ${when}`, answers, 60_000).catch((error: Error) => {
    const state = product.isRunning ? 'it runs' : 'its process has ended';
    throw new Error(`${error.message} (${state}). Its last words: ${product.said.slice(-2_000)}`);
  });
}

async function isReachable(product: ProductProcess): Promise<boolean> {
  try {
    await asOwner(product.ownerUrl, (sql) => sql`select 1`);
    return true;
  } catch {
    return false;
  }
}

/** A run on a PostgreSQL that does not wait for the disk would prove nothing. */
async function assertDurable(product: ProductProcess, findings: Findings): Promise<void> {
  await asOwner(product.ownerUrl, async (sql) => {
    const rows = await sql<{ name: string; setting: string }[]>`
      select name, setting from pg_settings where name in ('fsync', 'full_page_writes', 'data_checksums')`;
    for (const { name, setting } of rows) if (setting !== 'on') findings.violated(`${name} is ${setting}`);
  });
}

/** The negative control: COMMIT is answered before the log is on the disk. */
async function commitWithoutWaiting(product: ProductProcess): Promise<void> {
  await asOwner(product.ownerUrl, async (sql) => {
    await sql`alter database ushirika set synchronous_commit = off`;
    await sql`alter system set wal_writer_delay = '10s'`;
    await sql`select pg_reload_conf()`;
    // Only a new session takes the setting of its database.
    await sql`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'ushirika'`;
  });
  await sleep(200);
}

function figureOf(acts: readonly Act[], kills: number, pages: { indexes: number; tables: number }): string {
  const acknowledged = acts.filter((act) => act.acknowledged !== null).length;
  const again = acts.filter(({ answers }) => answers.length > 1).length;
  return `${kills} kills, ${acts.length} acts tried, ${acknowledged} acknowledged, 0 lost, 0 invented, ${again} asked again with the same key; ${pages.indexes} indexes and ${pages.tables} tables whole`;
}
