import postgres from 'postgres';
import { migrate } from '../server/db/migrate.ts';
import { type AppProcess, startApp } from './app-process.ts';
import type { Bench, BenchContext, BenchServer, Measurement } from './bench.types.ts';
import { LoadGenerator, type LoadPlan } from './http-load.ts';
import { type Crowd, fillPeople, type SignedIn } from './people.ts';
import { median } from './statistics.ts';

const membersMax = Number(process.env.MEMBERS ?? 1_000_000);
const large: Crowd = { members: membersMax, saccos: membersMax / 10, signedIn: 2_000, topUps: 25 };
const small: Crowd = { members: 10_000, saccos: 100, signedIn: 2_000, topUps: 25 };
/** Few enough that a request seldom waits for another: what is measured is the request. */
const connections = 4;
const limit = 1.5;
const LIST = '/api/v1/sacco/list';

/** One of the two products: its database and what is asked of it. */
interface Side {
  readonly app: AppProcess;
  readonly routes: Readonly<Record<string, LoadPlan['requests']>>;
  /** Searches for the first two words of a name: they find one sacco in 460, and so the more, the more there are. */
  readonly wideSearches: LoadPlan['requests'];
}

export const bench: Bench = {
  id: 'B10',
  title: `p99 at ${count(large.members)} members and ${count(large.saccos)} saccos, beside 10,000 and 100, each in its own database and server: ${connections} connections`,
  async run(context): Promise<Measurement[]> {
    const server = await context.startServer();
    const ends: (() => Promise<void> | void)[] = [];
    try {
      const generator = new LoadGenerator();
      ends.push(() => generator.stop());
      const sides = {
        large: await side(context, server, large, ends),
        small: await side(context, server, small, ends),
      };
      const p99 = async (of: Side, route: string, seconds: number, seed: number) => {
        const requests = of.routes[route] ?? of.wideSearches;
        return (await generator.run({ port: of.app.port, connections, seconds, seed, requests })).p99;
      };
      const measurements: Measurement[] = [];
      for (const route of Object.keys(sides.large.routes)) {
        const ours: number[] = [];
        const theirs: number[] = [];
        for (const of of Object.values(sides)) await p99(of, route, 1, 0);
        for (let pair = 0; pair < context.pairs; pair += 1) {
          ours.push(await p99(sides.large, route, context.seconds / 2, pair + 1));
          theirs.push(await p99(sides.small, route, context.seconds / 2, pair + 1));
        }
        measurements.push({
          title: `p99 of ${route}, large ÷ small`,
          ratios: ours.map((value, index) => value / (theirs[index] ?? Number.NaN)),
          threshold: { is: 'most', value: limit },
          details: [
            `${route}: p99 ${median(ours).toFixed(2)} ms large, ${median(theirs).toFixed(2)} ms small (medians)`,
          ],
        });
      }
      const wide = [
        await p99(sides.large, '', context.seconds / 2, 1),
        await p99(sides.small, '', context.seconds / 2, 1),
      ];
      context.say(
        `a search for two words, which finds ${Math.round(large.saccos / 460)} saccos and ${Math.round(small.saccos / 460)}: p99 ${wide.map((value) => value.toFixed(2)).join(' and ')} ms`,
      );
      return measurements;
    } finally {
      for (const end of ends.reverse()) await end();
    }
  },
};

async function side(
  context: BenchContext,
  server: BenchServer,
  crowd: Crowd,
  ends: (() => Promise<void> | void)[],
): Promise<Side> {
  const started = performance.now();
  const url = server.embedded.urlOf(`members_${crowd.members}`);
  const owner = postgres(server.url, { max: 1, onnotice: () => {} });
  await owner.unsafe(`create database members_${crowd.members}`);
  await owner.end();
  await migrate(url);
  const people = await fillPeople(url, crowd);
  context.say(
    `filled ${count(crowd.members)} members of ${count(crowd.saccos)} saccos in ${Math.round((performance.now() - started) / 1_000)} s`,
  );
  const names = await someNames(url);
  const app = await startApp(url);
  ends.push(() => app.stop());
  return {
    app,
    routes: routesOf(people, names),
    wideSearches: people.map(({ token }, index) =>
      searchFor((names[index % names.length] ?? '').replace(/ \d+$/, ''), token),
    ),
  };
}

function searchFor(name: string, token: string): LoadPlan['requests'][number] {
  return { method: 'GET', path: `${LIST}?name=${encodeURIComponent(name)}`, token };
}

/** The names of 500 saccos, whole: whoever looks for one finds one, however many there are. */
async function someNames(url: string): Promise<string[]> {
  const sql = postgres(url, { max: 1 });
  try {
    const rows = await sql<{ name: string }[]>`select name from saccos order by md5(id::text) limit 500`;
    return rows.map(({ name }) => name);
  } finally {
    await sql.end();
  }
}

function routesOf(people: readonly SignedIn[], names: readonly string[]): Side['routes'] {
  const get = (path: string) => people.map(({ token }) => ({ method: 'GET' as const, path, token }));
  return {
    'GET /sacco/list': ['', '?sort=newest', '?sort=members'].flatMap((query) => get(`${LIST}${query}`)),
    'GET /sacco/list with a search by name': people.map(({ token }, index) =>
      searchFor(names[index % names.length] ?? '', token),
    ),
    'GET /client/': get('/api/v1/client/'),
    'GET /client/transactions': get('/api/v1/client/transactions'),
    'POST /sacco/members/pay_shares_amount': people.map(({ token, saccoId }) => ({
      method: 'POST',
      path: '/api/v1/sacco/members/pay_shares_amount',
      token,
      body: JSON.stringify({ sacco: saccoId, shares: 1, amount: 1 }),
    })),
  };
}

function count(value: number): string {
  return value.toLocaleString('en-US');
}
