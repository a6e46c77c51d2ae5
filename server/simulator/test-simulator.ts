import type { AddressInfo } from 'node:net';
import Fastify, { type FastifyInstance } from 'fastify';
import { type TestDatabase, testDatabase } from '../db/test-database.ts';
import { createSimulator, type Simulator } from './simulator.ts';
import type { ClientSettings, SimulatorOptions, SmsSettings } from './simulator.types.ts';

/** One callback as the platform would have received it. */
export interface Received {
  readonly path: string;
  readonly body: unknown;
}

/** A simulator on a port of its own and a platform that only listens; the test brings the real clients. */
export interface SimulatedWorld {
  readonly database: TestDatabase;
  readonly simulator: Simulator;
  readonly app: FastifyInstance;
  readonly clientSettings: ClientSettings;
  readonly smsSettings: SmsSettings;
  readonly origin: string;
  /** Where the platform listens for callbacks; any path is taken. */
  readonly hooks: string;
  readonly received: Received[];
  /** What the platform answers to callbacks, by path ending; 200 and the usual acknowledgement otherwise. */
  readonly answers: Map<string, object>;
  call(path: string, body?: object): Promise<{ status: number; body: Record<string, unknown> }>;
  /** Lays faults ready for the next calls. */
  befall(call: string, faults: string, times?: number): Promise<void>;
  close(): Promise<void>;
}

export async function simulatedWorld(options: Partial<SimulatorOptions> = {}): Promise<SimulatedWorld> {
  const database = await testDatabase();
  const { world } = database;
  const simulator = await createSimulator({ database, world, surroundings: {}, tickEveryMs: 0, ...options });
  const app = Fastify({ forceCloseConnections: true });
  await app.register(simulator.plugin, { prefix: '/simulator' });
  const received: Received[] = [];
  const answers = new Map<string, object>();
  app.post('/hooks/*', async (request) => {
    received.push({ path: request.url, body: request.body });
    const answer = [...answers].find(([ending]) => request.url.endsWith(ending))?.[1];
    return answer ?? { ResultCode: 0, ResultDesc: 'Accepted' };
  });
  await app.listen({ port: 0, host: '127.0.0.1' });
  const origin = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
  const call = async (path: string, body?: object) => {
    const response = await fetch(`${origin}/simulator${path}`, {
      method: body ? 'POST' : 'GET',
      ...(body ? { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) } : {}),
    });
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  };
  return {
    database,
    simulator,
    app,
    clientSettings: simulator.darajaConfig(origin),
    smsSettings: simulator.smsConfig(origin),
    origin,
    hooks: `${origin}/hooks`,
    received,
    answers,
    call,
    async befall(on, faults, times = 1) {
      const { status } = await call('/__control/faults', { call: on, faults, times });
      if (status !== 200) throw new Error(`The faults ${faults} were refused.`);
    },
    async close() {
      await app.close();
      await database.close();
    },
  };
}
