import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type AppProcess, startApp, startProgram } from './app-process.ts';
import type { Bench, BenchServer, Measurement } from './bench.types.ts';
import { readProcessorTime } from './conditions.ts';
import { LoadGenerator } from './http-load.ts';
import { fillPeople, type SignedIn } from './people.ts';
import { median } from './statistics.ts';

const crowd = { members: 10_000, saccos: 20, signedIn: 2_000, topUps: 20 };
const connections = 64;
const path = '/api/v1/client/summary';

/**
 * Answers per second; per second of processor time of the server's process; and the same with PostgreSQL's time added.
 */
interface Reading {
  readonly perSecond: number;
  readonly perCore: number;
  readonly perCoreOfBoth: number;
}

export const bench: Bench = {
  id: 'B9',
  title: `GET /client/summary, fresh from the database, beside the same route with no database: ${connections} connections, 2,000 people signed in`,
  async run(context): Promise<Measurement[]> {
    const server = await context.startServer();
    const people = await fillPeople(server.url, crowd);
    const fresh = await startApp(server.url);
    const folder = mkdtempSync(join(tmpdir(), 'ushirika-bench-'));
    const generator = new LoadGenerator();
    let memory: AppProcess | null = null;
    try {
      memory = await startMemoryApp(folder, fresh, people);
      const read = (app: AppProcess, seconds: number, seed: number) =>
        readFrom(app, { server, generator, people, seconds, seed });
      await read(fresh, 2, 0);
      await read(memory, 2, 0);
      const ours: Reading[] = [];
      const theirs: Reading[] = [];
      for (let pair = 0; pair < context.pairs; pair += 1) {
        const our = await read(fresh, context.seconds, pair + 1);
        const their = await read(memory, context.seconds, pair + 1);
        ours.push(our);
        theirs.push(their);
        context.say(`fresh ${inWords(our)}; from memory ${inWords(their)}`);
      }
      const ratios = (of: (reading: Reading) => number) =>
        ours.map((reading, index) => of(reading) / of(theirs[index] as Reading));
      const counted = ratios(({ perCoreOfBoth }) => perCoreOfBoth);
      return [
        {
          title: 'answers per second of the server process’s core, fresh ÷ from memory',
          ratios: ratios(({ perCore }) => perCore),
          threshold: { is: 'least', value: 0.4 },
          details: [
            `counted is the CPU time of the Node process; with PostgreSQL's processes counted too the ratio is ${median(counted).toFixed(2)}`,
            `medians: ${Math.round(median(ours.map(({ perCore }) => perCore)))} a core fresh, ${Math.round(median(theirs.map(({ perCore }) => perCore)))} from memory`,
          ],
        },
      ];
    } finally {
      generator.stop();
      await memory?.stop();
      await fresh.stop();
      rmSync(folder, { recursive: true });
    }
  },
};

/** A server that answers every signed-in person with the reply that the product gave to the first, from memory. */
async function startMemoryApp(folder: string, fresh: AppProcess, people: readonly SignedIn[]): Promise<AppProcess> {
  const headers = { authorization: `Token ${people[0]?.token}` };
  const answer = await fetch(`http://127.0.0.1:${fresh.port}${path}`, { headers });
  if (!answer.ok) throw new Error(`The product answered ${answer.status}.`);
  const file = join(folder, 'known.json');
  const sessions = Object.fromEntries(people.map(({ token, userId }) => [token, userId]));
  writeFileSync(file, JSON.stringify({ sessions, reply: await answer.json() }));
  const program = join(import.meta.dirname, 'memory-app.program.ts');
  return startProgram(program, { NODE_ENV: 'production', BENCH_KNOWN: file });
}

async function readFrom(
  app: AppProcess,
  load: {
    readonly server: BenchServer;
    readonly generator: LoadGenerator;
    readonly people: readonly SignedIn[];
    readonly seconds: number;
    readonly seed: number;
  },
): Promise<Reading> {
  const { server, generator, people, seconds, seed } = load;
  const requests = people.map(({ token }) => ({ method: 'GET' as const, path, token }));
  const before = [app.processorTime(), databaseTime(server)] as const;
  const { answers, seconds: took } = await generator.run({ port: app.port, connections, seconds, seed, requests });
  const own = (app.processorTime() - before[0]) / 1e6;
  const database = (databaseTime(server) - before[1]) / 1e6;
  return { perSecond: answers / took, perCore: answers / own, perCoreOfBoth: answers / (own + database) };
}

function databaseTime({ embedded }: BenchServer): number {
  return readProcessorTime(embedded.pid) ?? Number.NaN;
}

function inWords({ perSecond, perCore }: Reading): string {
  return `${Math.round(perSecond)}/s, ${Math.round(perCore)} a core`;
}
