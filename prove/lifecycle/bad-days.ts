import { setImmediate } from 'node:timers/promises';
import { dripped } from '../support/dripping.ts';
import { sleep } from '../support/waiting.ts';
import { Asker, type Told } from './asking.ts';
import type { Deposit, House } from './world.ts';

/** A timer of ours, the event loop of theirs and two busy cores: an answer may be so much later than it was decided. */
const SLACK_MS = 750;
const MEGABYTE = 1024 * 1024;
const HANGING_TRIES_MAX = 5;
/** All has to be well so soon after the database is back; nobody waits for it any longer. */
const HEALED_MS_MAX = 5_000;
/** After so many requests a flood lets the others of this process do something. */
const BREATH = 200;

/**
 * More at once than there may be, on a slow database: some wait, the others are told at once, and memory stays: in MB,
 * it grows by no more than `grownMax`.
 */
export async function flood(house: House, size: number, { grownMax = 100 } = {}): Promise<string> {
  house.line.set({ kind: 'latency', ms: 15 });
  const before = house.server.rss();
  const askers = Array.from({ length: 4 }, () => new Asker(house.server.port));
  const watching = watchUnderWay(house);
  const asking: Promise<{ told: Told }>[] = [];
  for (let index = 0; index < size; index += 1) {
    asking.push(house.deposit(askers[index % 4], house.members[index % 4]));
    // The line to the database is this process's too: while it does nothing but ask, it would seem silent.
    if (index % BREATH === BREATH - 1) await setImmediate();
  }
  const answers = await Promise.all(asking);
  const most = await watching.stop();
  const grown = (house.server.rss() - before) / MEGABYTE;
  house.line.set({ kind: 'flow' });
  for (const asker of askers) asker.close();
  const told = answers.map((answer) => answer.told);
  const refused = told.filter(({ status }) => status === 503);
  house.happened('refused in a flood', refused.length);
  const served = told.filter(({ status }) => status === 200).length;
  house.happened('served in a flood', served);
  if (served === 0) house.violated(`in a flood of ${size} nobody was served`);
  const { requestsMax } = house.limits;
  if (most > requestsMax) house.violated(`${most} requests were under way at once, where ${requestsMax} may be`);
  for (const answer of told.filter(({ status }) => status !== 200 && status !== 503)) {
    house.violated(`in a flood a request was answered ${inWords(answer)}`);
  }
  judgeRefusals(house, refused, 'in a flood');
  if (grown > grownMax) house.violated(`a flood of ${size} requests made the process grow by ${Math.round(grown)} MB`);
  const after = await house.deposit();
  if (after.told.status !== 200) house.violated(`after a flood a deposit is answered ${inWords(after.told)}`);
  return `${size} at once, ${requestsMax} let in: ${served} served, ${refused.length} told to come back, grew ${Math.max(0, Math.round(grown))} MB`;
}

/** The most requests that were under way at once, by the process's own word. */
function watchUnderWay(house: House) {
  let most = 0;
  let isOver = false;
  const watch = async () => {
    while (!isOver) {
      const { text } = await house.asker.ask({ path: '/metrics' });
      most = Math.max(most, Number(/^ushirika_http_requests_under_way (\d+)$/m.exec(text)?.[1] ?? 0));
      await sleep(20);
    }
  };
  const watching = watch();
  return {
    async stop(): Promise<number> {
      isOver = true;
      await watching;
      return most;
    },
  };
}

/** Clients who deposit all the time, each on a line of its own, until they are told to stop. */
function keepAsking(house: House, clients: number) {
  const begun: { deposit: Deposit; told: Told; at: number }[] = [];
  const askers = Array.from({ length: clients }, () => new Asker(house.server.port));
  let isOver = false;
  const asking = askers.map(async (asker, index) => {
    while (!isOver) {
      const at = performance.now();
      begun.push({ ...(await house.deposit(asker, house.members[index % 4])), at });
      await sleep(20);
    }
  });
  return {
    begun,
    async stop(): Promise<void> {
      isOver = true;
      await Promise.all(asking);
      for (const asker of askers) asker.close();
    },
  };
}

/** The database says nothing for a while: whoever asks is told within 2 s, and all is well soon after. */
export async function stall(house: House, seconds: number): Promise<string> {
  const before = house.server.rss();
  const asking = keepAsking(house, 16);
  await sleep(300);
  const froze = performance.now();
  house.line.set({ kind: 'freeze' });
  await sleep(1_600);
  const ready = await house.asker.ask({ path: '/readyz' });
  if (ready.status !== 503 || !ready.text.includes('database_silent')) {
    house.violated(`1.6 s into a stall /readyz says ${ready.status} ${ready.text}`);
  }
  await sleep(seconds * 1000 - 1_600);
  const grown = (house.server.rss() - before) / MEGABYTE;
  house.line.set({ kind: 'flow' });
  const thawed = performance.now();
  const healedMs = await untilWell(house);
  await asking.stop();
  const inStall = asking.begun
    .filter(({ at, told }) => at + told.ms > froze && at < thawed - 1_500)
    .map(({ at, told }) => ({ told, hasBegunBefore: at < froze, waitedMs: told.ms - Math.max(0, froze - at) }));
  judgeStall(house, inStall, { grown, healedMs, seconds });
  await judgeBooks(house);
  const turnedAway = inStall.filter(({ told }) => told.status === 503);
  const slowest = Math.max(...turnedAway.map(({ waitedMs }) => waitedMs));
  return `stalled ${seconds} s: ${turnedAway.length} told to come back within ${(slowest / 1000).toFixed(1)} s, grew ${Math.max(0, Math.round(grown))} MB, well after ${(healedMs / 1000).toFixed(1)} s`;
}

/** Every line to the database breaks, and no new one is taken for a while: refused and honest, and soon well again. */
export async function cutOff(house: House, seconds: number): Promise<string> {
  const asking = keepAsking(house, 16);
  // So slow that every line has a transaction on its way at the moment of the cut, on a busy machine too.
  house.line.set({ kind: 'latency', ms: 60 });
  await sleep(600);
  house.line.refuse(true);
  house.line.cut();
  house.line.set({ kind: 'flow' });
  await sleep(seconds * 1000);
  house.line.refuse(false);
  const healedMs = await untilWell(house);
  await asking.stop();
  const refused = asking.begun.map(({ told }) => told).filter(({ status }) => status !== 200);
  house.happened('refused while the database was cut off', refused.length);
  for (const told of refused) {
    if (told.status !== 503) house.violated(`while the database was cut off a request was answered ${inWords(told)}`);
    else if (told.ms > 2_000)
      house.violated(`while the database was cut off a request waited ${Math.round(told.ms)} ms`);
  }
  judgeRefusals(house, refused, 'while the database was cut off');
  if (healedMs > HEALED_MS_MAX)
    house.violated(`${Math.round(healedMs)} ms after the database came back it is not well`);
  await judgeBooks(house);
  return `cut off ${seconds} s: well after ${(healedMs / 1000).toFixed(1)} s`;
}

/** Milliseconds until a deposit goes through and the process calls itself ready. */
async function untilWell(house: House): Promise<number> {
  const began = performance.now();
  while (performance.now() - began < HEALED_MS_MAX + 500) {
    const [{ told }, ready] = await Promise.all([house.deposit(), house.asker.ask({ path: '/readyz' })]);
    if (told.status === 200 && ready.status === 200) break;
    await sleep(50);
  }
  return performance.now() - began;
}

interface InStall {
  readonly told: Told;
  /** Its answer may have been on its way already. */
  readonly hasBegunBefore: boolean;
  /** Since it was asked, or since the database fell silent. */
  readonly waitedMs: number;
}

function judgeStall(
  house: House,
  inStall: readonly InStall[],
  { grown, healedMs, seconds }: { grown: number; healedMs: number; seconds: number },
): void {
  const begunIn = inStall.filter(({ hasBegunBefore }) => !hasBegunBefore);
  house.happened('asked while the database was stalled', begunIn.length);
  for (const { told, hasBegunBefore, waitedMs } of inStall) {
    const isAnswered = told.status === 503 || (hasBegunBefore && told.status === 200);
    if (!isAnswered) house.violated(`while the database was stalled a request was answered ${inWords(told)}`);
    else if (waitedMs > 2_000)
      house.violated(`while the database was stalled a request waited ${Math.round(waitedMs)} ms`);
  }
  judgeRefusals(
    house,
    inStall.map(({ told }) => told),
    'in a stall',
  );
  if (grown > 100) house.violated(`${seconds} s of stall made the process grow by ${Math.round(grown)} MB`);
  if (healedMs > HEALED_MS_MAX) house.violated(`${Math.round(healedMs)} ms after a stall it is not well`);
}

/** Every 503 says when to come back, and soon. */
export function judgeRefusals(house: House, refused: readonly Told[], when: string): void {
  for (const { status, retryAfter } of refused) {
    if (status === 503 && (retryAfter === null || retryAfter < 1 || retryAfter > 5)) {
      house.violated(`${when} a 503 said Retry-After: ${retryAfter}`);
    }
  }
}

/**
 * What was acknowledged is in the books, and what was refused as `unavailable` is not: nobody did it after all. What
 * nobody could tell is asked again under its key, and is then told.
 */
export async function judgeBooks(house: House): Promise<void> {
  for (const deposit of house.deposits) {
    const last = deposit.told.at(-1) as Told;
    if (last.code === 'unknown_outcome') await house.again(deposit);
  }
  const rows = await house.database.owner<{ key: string }[]>`
    select key from idempotency_keys where status is not null and key like 'life-%'`;
  const done = new Set(rows.map(({ key }) => key));
  for (const { key, told } of house.deposits) {
    const isAcknowledged = told.some(({ status }) => status === 200);
    const isCertain = told.every(({ code }) => code !== 'unknown_outcome') && told.every(({ error }) => error === null);
    if (isAcknowledged && !done.has(key)) house.violated(`${key} was acknowledged and is not in the books`);
    if (!isAcknowledged && isCertain && done.has(key)) {
      house.violated(`${key} was refused (${told.map(inWords).join(', ')}) and is in the books all the same`);
    }
  }
  const journals = await house.journals();
  if (journals !== done.size)
    house.violated(`${done.size} keys are answered and ${journals} deposits are in the books`);
}

/** Somebody holds a lock for longer than a request may take: it is refused in time, and surely not done. */
export async function lockedOut(house: House): Promise<void> {
  const release = Promise.withResolvers<void>();
  const [member] = house.members;
  const held = Promise.withResolvers<void>();
  const holding = house.database.owner.begin(async (sql) => {
    await sql`select 1 from accounts where owner_id = ${member?.id ?? ''} for update`;
    held.resolve();
    await release.promise;
  });
  await held.promise;
  const { told, deposit } = await house.deposit();
  release.resolve();
  await holding;
  house.happened('locked out past the deadline');
  if (told.code !== 'unavailable') house.violated(`behind a lock a deposit was answered ${inWords(told)}`);
  judgeTime(house, told, 'behind a lock');
  // What was refused must stay undone now that the lock is gone.
  await sleep(300);
  if (await house.isDone(deposit)) house.violated('a deposit that was refused as unavailable was done after the lock');
}

/**
 * COMMIT takes longer than a request may: nobody can tell, and the same key finds out. On a busy machine a deposit may
 * run out of time before its COMMIT is sent, and `unavailable` is then the truth: PostgreSQL itself is asked which it was.
 */
export async function commitHangs(house: House): Promise<void> {
  for (let tries = 0; tries < HANGING_TRIES_MAX; tries += 1) {
    const watching = watchCommit(house);
    const { told, deposit } = await house.deposit(house.asker, house.members[1]);
    const wasSent = await watching.stop();
    judgeTime(house, told, 'while COMMIT hung');
    if (told.code === 'unavailable' && !wasSent) continue;
    house.happened('a COMMIT that hung past the deadline');
    if (told.code !== 'unknown_outcome') house.violated(`while COMMIT hung a deposit was answered ${inWords(told)}`);
    const second = await house.again(deposit);
    // The first is still at its COMMIT, and this one waits for it: it may take another try.
    const third = second.status === 200 ? second : await house.again(deposit);
    if (third.status !== 200) house.violated(`the same key after an unknown outcome was answered ${inWords(third)}`);
    return;
  }
  house.happened('a COMMIT that hung past the deadline', 0);
}

/** Whether a COMMIT was seen to hang while this watched. */
function watchCommit(house: House) {
  let wasSeen = false;
  let isOver = false;
  const watch = async () => {
    while (!isOver && !wasSeen) {
      wasSeen = await house.isCommitHanging();
      await sleep(20);
    }
  };
  const watching = watch();
  return {
    async stop(): Promise<boolean> {
      isOver = true;
      await watching;
      return wasSeen || house.isCommitHanging();
    },
  };
}

/** While this lasts every COMMIT of a deposit takes longer than a request may. */
export async function withHangingCommits(house: House, during: () => Promise<void>): Promise<void> {
  const { owner } = house.database;
  await owner.unsafe(`
    create function life_waits() returns trigger language plpgsql as $$
      begin
        perform pg_sleep(${(house.limits.deadlineMs + 500) / 1000});
        return null;
      end $$;
    create constraint trigger life_waits after insert on journals deferrable initially deferred
      for each row execute function life_waits();`);
  await during();
  await owner.unsafe('drop trigger life_waits on journals; drop function life_waits();');
}

function judgeTime(house: House, { ms }: Told, when: string): void {
  if (ms > house.limits.deadlineMs + SLACK_MS) house.violated(`${when} the answer took ${Math.round(ms)} ms`);
}

/** Who sends a byte now and then, in the headers or in the body, is told or cut off. */
export async function drip(house: House): Promise<void> {
  const [member] = house.members;
  const head = [
    'POST /api/v1/sacco/savings/deposit HTTP/1.1',
    'host: localhost',
    `authorization: Token ${member?.token}`,
    'content-type: application/json',
    'content-length: 2000',
    '',
    '',
  ].join('\r\n');
  const [body, headers] = await Promise.all([
    dripped(house.server.port, head),
    dripped(house.server.port, 'GET / HTTP/1.1\r\nx: '),
  ]);
  house.happened('dripped bodies and headers', 2);
  const longest = house.limits.deadlineMs + 1_500 + SLACK_MS;
  if (body.ms > longest) house.violated(`a body that drips was borne for ${Math.round(body.ms)} ms`);
  if (!body.heard.includes('408') || !body.heard.includes('request_too_slow')) {
    house.violated(`a body that drips was answered ${body.heard.slice(0, 100)}`);
  }
  if (headers.ms > longest) house.violated(`headers that drip were borne for ${Math.round(headers.ms)} ms`);
}

export function inWords({ status, code, error, ms }: Told): string {
  return `${error ?? `${status} ${code}`} after ${Math.round(ms)} ms`;
}
