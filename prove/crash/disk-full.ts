import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Run } from '../harness.ts';
import { sleep, until, whateverHappens } from '../support/waiting.ts';
import { type Act, actOf, askAgain, askOnce, asOwner, load, prepareScene, type Scene, send } from './acts.ts';
import { assertBooks, assertKept, assertPages, untilNothingIsOnItsWay } from './books.ts';
import { Findings, type Part, sizeOf } from './part.ts';
import { BROKEN_SERVER, ProductProcess } from './product-process.ts';

const ROUNDS = { c: 1, n: 2, r: 5 };
/** After space is back everything has to be well within this. */
const WELL_MS = 30_000;
const NOT_NOW = 'told "not now" on a full disk';

/**
 * H11: the disk with the data is filled to the last byte while members act, and then the disk with the log. Nothing that
 * was acknowledged is lost, what cannot be written is refused as "not now", and all is well once there is space again.
 */
export async function fillDisks(run: Run): Promise<Part> {
  const findings = new Findings();
  const disks = openDisks();
  const product = new ProductProcess({
    folder: disks.data,
    prepared: run.prepared,
    ...(run.broken ? { ...BROKEN_SERVER, env: { BROKEN: run.broken } } : {}),
  });
  try {
    if (disks.areReal) moveLog(product, disks);
    await product.launch();
    const scene = await prepareScene(product.url, product.ownerUrl, 4);
    const stage: Stage = { run, product, disks, scene, findings, acts: [] };
    findings.expects(...expectedOn(disks));
    // What is lost hangs on what was under way at that moment: a broken server is given some more.
    const rounds = run.broken ? 4 : sizeOf(run, ROUNDS);
    for (let round = 1; round <= rounds && findings.count === 0; round += 1) {
      // Whoever answers before the COMMIT refuses nobody, and what comes of a full data disk is seen at once.
      if (run.broken !== 'acknowledged-before-commit') await fillData(stage, round);
      if (run.broken !== 'full-disk-is-a-fault') await fillLog(stage, round);
    }
    if (run.broken || findings.count > 0) return findings.outcome();
    await untilNothingIsOnItsWay(product.ownerUrl);
    await assertBooks(product.ownerUrl, scene, stage.acts, findings);
    await assertPages(product.ownerUrl, findings);
    const how = disks.areReal
      ? 'disks of memory filled to the last byte'
      : 'NOT on full disks, which only root can make: PostgreSQL was made to refuse each COMMIT as on one';
    findings.figure(
      'P17',
      `data full ${rounds}×, log full ${rounds}× (${how}): ${stage.acts.length} acts, 0 lost, ${findings.timesOf(NOT_NOW)} told "not now", back by itself each time`,
    );
    return findings.outcome();
  } finally {
    disks.makeRoom();
    await product.end();
    disks.close();
  }
}

/** All of it on each run: else it proved nothing of a full disk. */
function expectedOn({ areReal }: Disks): string[] {
  const ours = ['data disk filled', 'log disk filled', 'read while the data disk was full', NOT_NOW];
  return areReal ? [...ours, 'PostgreSQL stopped on a full log disk'] : ours;
}

interface Stage {
  readonly run: Run;
  readonly product: ProductProcess;
  readonly disks: Disks;
  readonly scene: Scene;
  readonly findings: Findings;
  readonly acts: Act[];
}

async function fillData(stage: Stage, round: number): Promise<void> {
  const { product, disks, scene, findings } = stage;
  await underLoad(stage, `after round ${round} of a full data disk`, 'data disk filled', async () => {
    await disks.fill('data', product);
    await refusesKindly(stage);
    // Every file of a table has room left in its last page; until that is used up some writes still go through.
    await sleep(sizeOf(stage.run, { c: 500, n: 2_000, r: 3_000 }));
    const summary = await send(product.url, scene.members[0] as Scene['members'][number], '/client/summary', null, '');
    if (summary?.status === 200) findings.fired('read while the data disk was full');
    else
      findings.violated(`with a full data disk a read is answered ${summary?.status} ${summary?.text.slice(0, 200)}`);
    if (!product.isRunning) findings.violated('the server ended when the data disk was full');
  });
}

async function fillLog(stage: Stage, round: number): Promise<void> {
  const { product, disks, findings } = stage;
  await underLoad(stage, `after round ${round} of a full log disk`, 'log disk filled', async () => {
    await disks.fill('log', product);
    if (disks.areReal) await useUpLog(stage);
    // Whoever answers before the COMMIT refuses nobody.
    else if (!stage.run.broken) await refusesKindly(stage);
    await sleep(1_000);
    if (!product.isRunning) findings.violated('the server ended when the log disk was full');
  });
}

/** Members act; the disk fills; there is room again; everything has to be known, there and well. */
async function underLoad(stage: Stage, when: string, name: string, fill: () => Promise<void>): Promise<void> {
  const { product, disks, scene, findings, acts } = stage;
  const before = acts.length;
  const loaded = load(product.url, scene, acts, 4);
  try {
    await sleep(300);
    await fill();
    findings.fired(name);
  } finally {
    disks.makeRoom();
    await sleep(200);
    await loaded.stop();
  }
  const began = performance.now();
  await until(`all is well ${when}`, () => isWell(stage), WELL_MS, 100).catch((error: Error) =>
    findings.violated(`${error.message} ${product.said.slice(-800)}`),
  );
  if (findings.count > 0) return;
  stage.run.tell(`${name}, well again after ${Math.round(performance.now() - began)} ms`);
  const mine = acts.slice(before);
  await assertKept(product.ownerUrl, scene, mine, findings, when);
  if (stage.run.broken) return;
  const refused = mine.flatMap(({ answers }) => answers).filter((status) => status === 503).length;
  findings.fired(NOT_NOW, refused);
  const unknown = await askAgain(product.url, mine);
  if (unknown.length > 0) findings.violated(`${unknown.length} acts are still not known ${when}`);
}

/** Writes go through again, not only reads. */
async function isWell({ product, scene, run }: Stage): Promise<boolean> {
  const [member] = scene.members as [Scene['members'][number]];
  const answer = await send(product.url, member, '/client/summary', null, '', 5_000);
  if (answer?.status !== 200) return false;
  try {
    await asOwner(
      product.ownerUrl,
      (sql) => sql`
        insert into simulator.setting values ('disk', ${String(run.seed)})
        on conflict (name) do update set value = excluded.value`,
    );
    return true;
  } catch {
    return false;
  }
}

/** Until somebody who writes is told that it cannot be now. */
async function refusesKindly({ product, scene, findings, acts }: Stage): Promise<void> {
  const [member] = scene.members as [Scene['members'][number]];
  await until(
    'a full disk refuses a write',
    async () => {
      // Pages with room in them take a few more rows, and are soon used up.
      const act = actOf('save', member, scene.saccoIds, acts.length);
      acts.push(act);
      const answer = await askOnce(product.url, act);
      if (answer?.status === 503 && answer.retryAfter !== null) return true;
      if (answer && answer.status >= 500) {
        findings.violated(`on a full disk a write is answered ${answer.status} ${answer.text.slice(0, 200)}`);
      }
      return answer !== null && answer.status >= 500;
    },
    60_000,
    0,
  );
}

/** The log's last files are used up, until PostgreSQL can write no more and stops at once. */
async function useUpLog({ product, findings }: Stage): Promise<void> {
  // Asked for now: once PostgreSQL has stopped nobody can say.
  const { postmaster, ownerUrl } = product;
  await until(
    'PostgreSQL stops on a full log disk',
    async () => {
      await asOwner(ownerUrl, async (sql) => {
        await sql`select pg_logical_emit_message(true, 'fill', repeat('x', 4000000))`;
        await sql`select pg_switch_wal()`;
      }).catch(() => {});
      return product.postmaster !== postmaster;
    },
    60_000,
    10,
  );
  findings.fired('PostgreSQL stopped on a full log disk');
}

interface Disks {
  readonly data: string;
  readonly log: string;
  readonly areReal: boolean;
  fill(which: 'data' | 'log', product: ProductProcess): Promise<void>;
  /** Takes away what filled them. */
  makeRoom(): void;
  close(): void;
}

/** Two small disks in memory, where we may mount them; else two folders, and a database that refuses as on a full disk. */
function openDisks(): Disks {
  const base = mkdtempSync(join(realpathSync(tmpdir()), 'ushirika-disks-'));
  chmodSync(base, 0o755);
  const [data, log] = [join(base, 'data'), join(base, 'log')];
  for (const folder of [data, log]) mkdirSync(folder);
  const mounted = [mount(data, 320), mount(log, 160)];
  const areReal = mounted.every(Boolean);
  let undo = async () => {};
  const unmount = () => {
    for (const [index, folder] of [data, log].entries()) if (mounted[index]) spawnSync('umount', ['-l', folder]);
    rmSync(base, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
  };
  const ending = whateverHappens(unmount);
  return {
    data,
    log,
    areReal,
    async fill(which, product) {
      if (areReal) return fillUp(join(which === 'data' ? data : log, 'filler'));
      const { ownerUrl } = product;
      await asOwner(ownerUrl, (sql) => sql.unsafe(REFUSE_COMMITS));
      undo = () => asOwner(ownerUrl, (sql) => sql.unsafe('drop trigger disk_full on journals')).then(() => {});
    },
    makeRoom() {
      for (const folder of [data, log]) rmSync(join(folder, 'filler'), { force: true });
      void undo().catch(() => {});
      undo = async () => {};
    },
    close() {
      ending.done();
      unmount();
    },
  };
}

/** As PostgreSQL does when it cannot extend a file, at the moment of COMMIT. */
const REFUSE_COMMITS = `
  create or replace function disk_full() returns trigger language plpgsql as
    $$ begin raise exception 'could not extend file: No space left on device' using errcode = '53100'; end $$;
  create constraint trigger disk_full after insert on journals deferrable initially deferred
    for each row execute function disk_full()`;

function mount(folder: string, megabytes: number): boolean {
  const options = `size=${megabytes}m,mode=0755`;
  return spawnSync('mount', ['-t', 'tmpfs', '-o', options, 'ushirika-prove', folder], { stdio: 'ignore' }).status === 0;
}

function fillUp(file: string): void {
  const descriptor = openSync(file, 'a');
  try {
    for (let bytes = 1 << 20; bytes >= 1; ) {
      try {
        writeSync(descriptor, Buffer.alloc(bytes));
      } catch {
        bytes >>= 1;
      }
    }
  } finally {
    closeSync(descriptor);
  }
}

/** The log gets a disk of its own, as in a house that is careful. */
function moveLog(product: ProductProcess, disks: Disks): void {
  const from = join(product.cluster, 'pg_wal');
  const to = join(disks.log, 'pg_wal');
  const copied = spawnSync('cp', ['-a', from, to], { encoding: 'utf8' });
  if (copied.status !== 0) throw new Error(`The log could not be moved: ${copied.stderr}`);
  rmSync(from, { recursive: true });
  symlinkSync(to, from);
}
