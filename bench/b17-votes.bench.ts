import { generateKeyPair, randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import { chromium } from '@playwright/test';
import { SIGNATURE_BYTES } from '@ushirika/contract/secret-ballots';
import { CHOICES, type Choice, RULES_OF_CLASS } from '@ushirika/contract/voting-rules';
import postgres from 'postgres';
import { findBrowser } from '../scripts/browser.mjs';
import { audit } from '../server/audit.ts';
import { blindSign } from '../server/domains/voting/ballot-keys.ts';
import { countRound } from '../server/domains/voting/count-votes.ts';
import { ballotsFile, rollFile } from '../server/domains/voting/voting.queries.ts';
import { type AppProcess, startApp } from './app-process.ts';
import type { Bench, BenchContext, BenchServer, Measurement } from './bench.types.ts';
import { readProcessorTime } from './conditions.ts';
import { LoadGenerator } from './http-load.ts';
import { fillPeople, type SignedIn } from './people.ts';
import { median } from './statistics.ts';

const members = Number(process.env.MEMBERS ?? 200_000);
const voters = members / 2;
const connections = 256;
/** Votes that are counted, a round each: a database keeps a count for good. */
const COUNTED = ['00000000-0000-7000-8000-000000000001', '00000000-0000-7000-8000-000000000002'] as const;
/** Blinded tokens that are signed in a run. */
const SIGNED = 1_000;
const OPEN = '00000000-0000-7000-8000-000000000009';

export const bench: Bench = {
  id: 'B17',
  title: `Votes of a sacco of ${members.toLocaleString('en-US')} members: ${voters.toLocaleString('en-US')} of them vote through HTTP; all ballots are counted, published, and counted again in a browser`,
  async run(context): Promise<Measurement[]> {
    const { buildWebClient } = await import('../scripts/running.mjs');
    if (!(await buildWebClient())) throw new Error('The web client could not be built.');
    const server = await context.startServer();
    const people = await fillPeople(server.url, { members, saccos: 1, signedIn: voters, topUps: 0 });
    await fillVotes(server.url);
    // Before the app starts: its own job would count these votes at once.
    const counts = await countAndPublish(context, server);
    const app = await startApp(server.url);
    const generator = new LoadGenerator();
    try {
      const cast = await castBallots(context, { server, app, people, generator });
      const recounts = await recountInBrowser(context, app);
      const broken = (await audit(server.url)).flatMap(({ breach }) => (breach ? [breach.name] : []));
      const breach = broken.length === 0 ? {} : { breach: broken.join('; ') };
      return [
        { ...cast, ...breach },
        {
          title: `seconds of counting ${members.toLocaleString('en-US')} ballots and of writing the roll and the ballots for everybody`,
          ratios: counts,
          threshold: { is: 'most', value: 20 },
          details: [],
          ...breach,
        },
        {
          title: 'seconds of counting the same again in a browser, from the first click on',
          ratios: recounts,
          threshold: { is: 'most', value: 30 },
          details: ['Chromium without a window, on the machine that also serves the files'],
        },
        {
          title: 'milliseconds of processor for the blind signature of a secret ballot',
          ratios: await signBlindly(context.pairs),
          threshold: { is: 'most', value: 2 },
          details: [`${SIGNED} signatures a run, each checked by the public key`],
        },
      ];
    } finally {
      generator.stop();
      await app.stop();
    }
  },
};

interface Stage {
  readonly server: BenchServer;
  readonly app: AppProcess;
  readonly people: readonly SignedIn[];
  readonly generator: LoadGenerator;
}

/** In each pair everybody votes otherwise than before: each answer but a repetition is a new row. */
async function castBallots(context: BenchContext, { server, app, people, generator }: Stage) {
  const ballots = async (seed: number, seconds: number) => {
    const choice = CHOICES[seed % CHOICES.length] as Choice;
    const before = await ballotsIn(server);
    const times = { node: app.processorTime(), postgres: readProcessorTime(server.embedded.pid) ?? Number.NaN };
    const requests = people.map(({ token, saccoId }) => ballot(token, saccoId, choice));
    const result = await generator.run({ port: app.port, connections, seconds, seed, requests });
    const written = (await ballotsIn(server)) - before;
    return {
      perSecond: written / result.seconds,
      p99: result.p99,
      node: (app.processorTime() - times.node) / written,
      postgres: ((readProcessorTime(server.embedded.pid) ?? Number.NaN) - times.postgres) / written,
    };
  };
  await ballots(0, 2);
  await server.pgbenchTpcb(3);
  const ours: Awaited<ReturnType<typeof ballots>>[] = [];
  const theirs: number[] = [];
  for (let pair = 1; pair <= context.pairs; pair += 1) {
    const run = await ballots(pair, context.seconds);
    const tps = await server.pgbenchTpcb(context.seconds);
    context.say(
      `${Math.round(run.perSecond)} ballots/s (p99 ${run.p99.toFixed(0)} ms), TPC-B ${Math.round(tps)} tps; ${run.node.toFixed(0)} µs of processor a ballot in the server, ${run.postgres.toFixed(0)} in PostgreSQL`,
    );
    ours.push(run);
    theirs.push(tps);
  }
  return {
    title: 'durable ballots/s through HTTP ÷ pgbench TPC-B tps',
    ratios: ours.map(({ perSecond }, index) => perSecond / (theirs[index] ?? Number.NaN)),
    threshold: { is: 'least', value: 0.8 } as const,
    details: [
      `medians: ${Math.round(median(ours.map(({ perSecond }) => perSecond)))} ballots/s, TPC-B ${Math.round(median(theirs))} tps; ${connections} connections, each row counted`,
    ],
  };
}

const ballot = (token: string, saccoId: string, choice: Choice) => ({
  method: 'POST' as const,
  path: `/api/v1/voting/proposals/${OPEN}/vote`,
  token,
  saccoId,
  body: JSON.stringify({ choice }),
});

async function ballotsIn({ database }: BenchServer): Promise<number> {
  const [row] = await database.sql<{ count: number }[]>`
    select count(*)::int as count from proposal_ballots where proposal_id = ${OPEN}`;
  return row?.count ?? 0;
}

async function countAndPublish(context: BenchContext, { database }: BenchServer): Promise<number[]> {
  const taken: number[] = [];
  for (const id of COUNTED) {
    const [of] = await database.sql<{ sacco_id: string }[]>`select sacco_id from proposals where id = ${id}`;
    const began = performance.now();
    await countRound(database, { id, saccoId: of?.sacco_id ?? '' }, {} as Parameters<typeof countRound>[2]);
    const counted = performance.now();
    const files = [await rollFile(database, id), await ballotsFile(database, id)];
    const ended = performance.now();
    context.say(
      `counted in ${((counted - began) / 1_000).toFixed(1)} s, written in ${((ended - counted) / 1_000).toFixed(1)} s: ${files.map(({ length }) => `${Math.round(length / 1e5) / 10} MB`).join(' and ')}`,
    );
    taken.push((ended - began) / 1_000);
  }
  return taken;
}

/** What the server does with each token of a secret ballot, without the request and the row around it. */
async function signBlindly(runs: number): Promise<number[]> {
  const { privateKey } = await promisify(generateKeyPair)('rsa', {
    modulusLength: SIGNATURE_BYTES * 8,
    publicKeyEncoding: { type: 'spki', format: 'der' },
    privateKeyEncoding: { type: 'pkcs8', format: 'der' },
  });
  return Array.from({ length: runs }, () => {
    // The first bit is 0: each is a number below the modulus.
    const blinded = Array.from({ length: SIGNED }, () => randomBytes(SIGNATURE_BYTES).fill(0x7f, 0, 1));
    const before = process.cpuUsage();
    if (blinded.some((token) => blindSign(privateKey, token) === null)) throw new Error('A token was not signed.');
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1_000 / SIGNED;
  });
}

async function recountInBrowser(context: BenchContext, app: AppProcess): Promise<number[]> {
  const browser = await chromium.launch({
    executablePath: findBrowser() ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu'],
  });
  try {
    const page = await browser.newPage();
    const taken: number[] = [];
    for (const id of COUNTED) {
      await page.goto(`http://localhost:${app.port}/voting-proposals/${id}`);
      const button = page.getByRole('button', { name: 'Recount this vote' });
      await button.waitFor();
      const began = performance.now();
      await button.click();
      await page.getByText('The count is right in every point.').waitFor({ timeout: 120_000 });
      taken.push((performance.now() - began) / 1_000);
      context.say(`counted again in ${taken.at(-1)?.toFixed(1)} s`);
    }
    return taken;
  } finally {
    await browser.close();
  }
}

/** Votes that are published, everybody on their roll: one that is open, and some that are over, all of whose ballots are in. */
async function fillVotes(ownerUrl: string): Promise<void> {
  const sql = postgres(ownerUrl, { max: 1, onnotice: () => {} });
  const rules = JSON.stringify(RULES_OF_CLASS.ordinary);
  try {
    await sql`set session_replication_role = replica`;
    for (const id of [...COUNTED, OPEN]) {
      const days = id === OPEN ? 0 : 4;
      await sql`
        insert into proposals (id, sacco_id, kind, class, title, text, drafted_by, drafted_at, signatures_needed, signatures,
          published_at, rules, roll_size, opens_at, closes_at, turnout)
        select ${id}, s.id, 'resolution', 'ordinary', 'A second shop', 'We rent a second shop beside the market.', s.created_by,
          now() - interval '20 days', 2, 2, now() - interval '19 days', ${rules}::text::jsonb, ${members},
          now() - interval '1 hour' * ${24 * days + 1}, now() - interval '1 hour' * ${24 * (days - 3) + 1},
          ${id === OPEN ? 0 : members}
        from saccos s`;
      await sql`
        insert into proposal_roll (proposal_id, handle, member_id)
        select ${id}, substr(sha256(convert_to(${id}, 'utf8') || uuid_send(m.user_id)), 1, 16), m.user_id from memberships m`;
    }
    for (const id of COUNTED) {
      await sql`
        insert into proposal_ballots (proposal_id, round, handle, revision, choice, at)
        select r.proposal_id, 1, r.handle, 1, (array['for', 'for', 'against', 'abstain'])[1 + get_byte(r.handle, 0) % 4],
          p.opens_at + interval '1 minute'
        from proposal_roll r join proposals p on p.id = r.proposal_id where p.id = ${id}`;
    }
    await sql`vacuum analyze proposals, proposal_roll, proposal_ballots`;
  } finally {
    await sql.end();
  }
}
