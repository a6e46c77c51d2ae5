import { STREAMS_PER_SESSION_MAX } from '../../server/http/stream.ts';
import { type LiveStream, listen } from '../support/live-stream.ts';
import { sleep } from '../support/waiting.ts';
import type { Scene } from './findings.ts';
import type { Stage, Subject } from './revocation.ts';

/** P10 for what stays open: a stream whose session has ended tells nothing more and ends; and one session has so many. */
export async function proveStreamsEnd(stage: Stage, { run, findings }: Scene): Promise<void> {
  const [row] = await stage.database.sql<{ id: string; id_number: string }[]>`
    select id, id_number from users order by created_at limit 1`;
  const subject: Subject = { id: row?.id ?? '', idNumber: row?.id_number ?? '' };
  for (let time = 0; time < (run.tier === 'c' ? 2 : 50); time += 1) await endOne(stage, subject, { run, findings });
  await openTooMany(stage, subject, { run, findings });
}

async function endOne(stage: Stage, subject: Subject, { findings }: Scene): Promise<void> {
  const token = await stage.signedIn(subject);
  const streams = [await listen(stage.origins[0], token), await listen(stage.origins[1], token)];
  for (const { heard, status } of streams) {
    const hasBegun = await until(() => heard.text.includes('event: wallet'));
    findings.expect(
      hasBegun && !heard.isOver,
      () => `P10: a stream of a living session was answered ${status} and told nothing`,
    );
  }
  const before = streams.map(({ heard }) => heard.text);
  await stage.ask(0, token, 'POST', '/auth/logout/');
  const change = JSON.stringify({ userId: subject.id, thing: 'wallet', id: '' });
  await stage.database.sql`select pg_notify('client_live', ${change})`;
  const haveEnded = await until(() => streams.every(({ heard }) => heard.isOver));
  findings.count('streams whose session ended', streams.length);
  findings.expect(haveEnded, () => 'P10: stale: a stream went on after its session had ended');
  findings.expect(
    streams.every(({ heard }, index) => heard.text === before[index]),
    () => 'P10: stale: a stream told something after its session had ended',
  );
  for (const { stop } of streams) stop();
}

async function openTooMany(stage: Stage, subject: Subject, { findings }: Scene): Promise<void> {
  const token = await stage.signedIn(subject);
  const open: LiveStream[] = [];
  for (let time = 0; time < STREAMS_PER_SESSION_MAX + 1; time += 1) open.push(await listen(stage.origins[0], token));
  const statuses = open.map(({ status }) => status);
  findings.count('streams beyond what a session may have');
  findings.expect(
    `${statuses}` === `${[...Array(STREAMS_PER_SESSION_MAX).fill(200), 429]}`,
    () => `P10: streams of one session were answered ${statuses}`,
  );
  open[0]?.stop();
  const canOpenAgain = await until(async () => {
    const again = await listen(stage.origins[0], token);
    if (again.status === 200) open.push(again);
    return again.status === 200;
  });
  findings.expect(canOpenAgain, () => 'P10: a stream that was closed goes on counting');
  for (const { stop } of open) stop();
}

/** Asks again and again, for less than the 20 seconds after which a heartbeat would do it. */
async function until(isSo: () => boolean | Promise<boolean>): Promise<boolean> {
  const latest = performance.now() + 15_000;
  while (performance.now() < latest) {
    if (await isSo()) return true;
    await sleep(10);
  }
  return false;
}
