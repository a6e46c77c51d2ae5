import http from 'node:http';
import net from 'node:net';
import { sleep } from '../support/waiting.ts';
import { Asker, type Told } from './asking.ts';
import { inWords, judgeBooks, judgeRefusals } from './bad-days.ts';
import type { House } from './world.ts';

const END_MS_MAX = 15_000;
const STALLED_END_MS_MAX = 26_000;

/** SIGTERM under load: it stops being ready first, answers all that it took, and ends with 0 in its time. */
export async function endUnderLoad(house: House): Promise<string> {
  const { server } = house;
  const stream = openStream(house);
  const fresh = net.connect(server.port, '127.0.0.1').on('error', () => {});
  let isOver = false;
  const told: Told[] = [];
  const askers = Array.from({ length: 12 }, () => new Asker(server.port));
  const clients = askers.map(async (asker, index) => {
    while (!isOver) {
      const answer = (await house.deposit(asker, house.members[index % 3])).told;
      told.push(answer);
      // The door is shut, and this client goes home.
      if (answer.error !== null) return;
    }
  });
  await sleep(400);
  const readiness = watchReadiness(server.port);
  await sleep(100);
  const slow = await slowOnes(house);
  const before = told.length;
  const began = performance.now();
  server.signal('SIGTERM');
  await sleep(150);
  server.signal('SIGTERM');
  // By now the door is shut, and these are still inside.
  await sleep(650);
  slow.letGo();
  const code = await Promise.race([server.ended, sleep(END_MS_MAX).then(() => 'it had not ended')]);
  const tookMs = performance.now() - began;
  isOver = true;
  await Promise.all(clients);
  for (const asker of askers) asker.close();
  fresh.destroy();
  house.happened('told to end under load');
  const answered = told.slice(before).filter(({ error }) => error === null).length;
  const turnedAway = told.filter(({ error }) => error !== null).length;
  house.happened('answered between SIGTERM and the end', answered);
  for (const answer of await slow.answers) {
    if (answer.status !== 200) house.violated(`what was under way before SIGTERM was cut off: ${inWords(answer)}`);
  }
  judgeReadiness(house, await readiness);
  judgeAnswers(house, told);
  if (code !== 0) house.violated(`after SIGTERM the exit code was ${code}: ${server.said.slice(-500)}`);
  if (!(await stream).includes('retry:')) house.violated('the event stream ended without saying when to come back');
  await judgeBooks(house);
  return `ended in ${(tookMs / 1000).toFixed(1)} s: of ${told.length} deposits ${answered} answered after SIGTERM, ${turnedAway} turned away at the door, 0 cut off`;
}

/** SIGTERM while the database says nothing: everyone is told, and the process ends in its time all the same. */
export async function endWhileStalled(house: House): Promise<string> {
  const { server } = house;
  const streaming = openStream(house);
  const asked = [
    ...[0, 1, 2].map(async (index) => (await house.deposit(new Asker(server.port), house.members[index])).told),
    ...askOtherQueues(house),
  ];
  house.line.set({ kind: 'freeze' });
  const began = performance.now();
  await sleep(200);
  server.signal('SIGTERM');
  const code = await Promise.race([server.ended, sleep(STALLED_END_MS_MAX).then(() => 'it had not ended')]);
  const seconds = (performance.now() - began) / 1000;
  house.line.set({ kind: 'flow' });
  house.happened('told to end while the database was stalled');
  if (code !== 0) house.violated(`told to end during a stall, the exit code was ${code}: ${server.said.slice(-500)}`);
  const answers = await Promise.all(asked);
  for (const told of answers) {
    if (told.error !== null) house.violated(`told to end during a stall, it cut off a request: ${inWords(told)}`);
    else if (told.status >= 500 && told.status !== 503) {
      house.violated(`told to end during a stall, it answered a request ${inWords(told)}`);
    }
  }
  judgeRefusals(house, answers, 'at an end during a stall');
  await streaming;
  return `ended during a stall in ${seconds.toFixed(1)} s`;
}

/** What goes together with other requests of its kind, so that each kind has a batch on its way to the database. */
function askOtherQueues({ server, sacco, members }: House): Promise<Told>[] {
  const order = '019cad21-cf00-77ea-90ea-81c67b445074';
  const asked = [
    { path: '/api/v1/sacco/members/pay_shares_amount', body: { sacco, shares: 1, amount: 100 } },
    { path: '/api/v1/sacco/order-book-items', body: { sacco, side: 'buy', shares: 1, price: 100 } },
    { path: '/api/v1/sacco/members/buy-user-shares', body: { order, shares: 1, price: 100 } },
  ];
  const token = members[3]?.token ?? '';
  return asked.map((one, index) => new Asker(server.port).ask({ ...one, token, key: `life-batch-${index}` }));
}

/** SIGTERM while somebody holds a lock for longer than a request may take: whoever waits is told, and it ends with 0. */
export async function endBehindALock(house: House): Promise<string> {
  const { server } = house;
  const slow = await slowOnes(house);
  const began = performance.now();
  server.signal('SIGTERM');
  const code = await Promise.race([server.ended, sleep(STALLED_END_MS_MAX).then(() => 'it had not ended')]);
  const seconds = (performance.now() - began) / 1000;
  slow.letGo();
  house.happened('told to end behind a lock');
  if (code !== 0) house.violated(`told to end behind a lock, the exit code was ${code}: ${server.said.slice(-500)}`);
  for (const answer of await slow.answers) {
    if (answer.code !== 'unavailable') house.violated(`told to end behind a lock, it answered ${inWords(answer)}`);
  }
  await judgeBooks(house);
  return `ended behind a lock in ${seconds.toFixed(1)} s`;
}

/** Deposits that wait behind a lock, so that they are under way while the process ends. */
async function slowOnes(house: House): Promise<{ letGo(): void; answers: Promise<Told[]> }> {
  const release = Promise.withResolvers<void>();
  const held = Promise.withResolvers<void>();
  const member = house.members[3];
  const holding = house.database.owner.begin(async (sql) => {
    await sql`select 1 from accounts where owner_id = ${member?.id ?? ''} for update`;
    held.resolve();
    await release.promise;
  });
  await held.promise;
  const askers = [new Asker(house.server.port), new Asker(house.server.port)];
  const asked = askers.map(async (asker) => (await house.deposit(asker, member)).told);
  await sleep(100);
  house.happened('under way when told to end', asked.length);
  const answers = Promise.all([...asked, holding]).then(([first, second]) => {
    for (const asker of askers) asker.close();
    return [first as Told, second as Told];
  });
  return { letGo: release.resolve, answers };
}

/** What new callers are told of readiness, until there is nobody to ask. */
async function watchReadiness(port: number): Promise<string[]> {
  const seen: string[] = [];
  for (;;) {
    const asker = new Asker(port);
    const { status, text, error } = await asker.ask({ path: '/readyz' });
    asker.close();
    const word = error ?? `${status} ${text}`;
    if (seen.at(-1) !== word) seen.push(word);
    if (error !== null) return seen;
    await sleep(10);
  }
}

function judgeReadiness(house: House, seen: readonly string[]): void {
  const draining = seen.findIndex((word) => word.startsWith('503') && word.includes('draining'));
  if (draining === -1) house.violated(`nobody was told that the process ends before it was gone: ${seen.join(' | ')}`);
  if (!seen[0]?.startsWith('200')) house.violated(`before SIGTERM readiness was ${seen[0]}`);
  if (draining >= 0) house.happened('readiness that turned before the end');
}

/** Everyone who was let in is answered whole; only a line that was never taken may be refused. */
function judgeAnswers(house: House, told: readonly Told[]): void {
  for (const answer of told) {
    const isTurnedAway =
      answer.error === 'ECONNREFUSED' ||
      (answer.error !== null && !answer.wasReused && !answer.error.startsWith('cut'));
    if (answer.error !== null && !isTurnedAway) house.violated(`a request was cut off: ${inWords(answer)}`);
    if (answer.error === null && answer.status !== 200 && answer.status !== 503) {
      house.violated(`while the process ended a deposit was answered ${inWords(answer)}`);
    }
    if (answer.status === 503 && !answer.closes) house.violated('a 503 at the end did not close its line');
  }
}

/** Everything that an event stream said until its end. */
function openStream(house: House): Promise<string> {
  const headers = { authorization: `Token ${house.members[0]?.token}` };
  return new Promise((resolve) => {
    let heard = '';
    const request = http.get({ host: '127.0.0.1', port: house.server.port, path: '/api/v1/client/live', headers });
    request.on('error', (error) => resolve(`${heard} ${error.message}`));
    request.on('response', (response) => {
      response.on('data', (chunk) => {
        const text = String(chunk);
        // The first lines say it as well; what counts is what is said at the end.
        heard = text.includes('retry: 2000') ? '' : heard + text;
      });
      response.on('error', () => resolve(heard));
      response.on('end', () => resolve(heard));
    });
  });
}
