import type { LogFacts, readConsistency, readInclusion, readLog } from '@ushirika/contract/proofs';
import { addressOf, send } from '../api/call.ts';
import { callAsNobody } from '../api/call-as-nobody.ts';
import { CallFailure } from '../api/failure.ts';
import { hostOf } from './known-keys.ts';

/** Where a log is anchored, and an endpoint of its chain. */
export type ChainFacts = NonNullable<LogFacts['chain']>;

/** The questions about a log; each answer is null where the server is not reached or does not have it. */
export interface LogSource {
  facts(origin: string): Promise<LogFacts | null>;
  /** The newest. */
  checkpoint(origin: string): Promise<string | null>;
  inclusion(origin: string, index: number, size: number): Promise<readonly string[] | null>;
  consistency(origin: string, from: number, to: number): Promise<readonly string[] | null>;
}

/** The name of a log in our addresses: a sacco's id, or `platform`. */
const nameOf = (origin: string): string => origin.split('/').at(-1) ?? '';

const orNull = <T>(answer: Promise<T>): Promise<T | null> => answer.catch(() => null);

/** The logs of this server, asked so that nothing says who asks. */
export const serverLogs: LogSource = {
  facts: async (origin) => (await lookUp(origin)).facts,
  checkpoint: (origin) => orNull(fetchNote(addressOf('/log/{log}/checkpoint', { params: { log: nameOf(origin) } }))),
  async inclusion(origin, index, size) {
    const asked = { params: { log: nameOf(origin) }, query: { index, size } };
    return (
      (await orNull(callAsNobody<typeof readInclusion>('GET', '/log/{log}/proof/inclusion', asked)))?.proof ?? null
    );
  },
  async consistency(origin, from, to) {
    const asked = { params: { log: nameOf(origin) }, query: { from, to } };
    const answer = await orNull(callAsNobody<typeof readConsistency>('GET', '/log/{log}/proof/consistency', asked));
    return answer?.proof ?? null;
  },
};

/** Reasons why our server, which answered, has nothing of a log: the log is of another host, or there is none of its name. */
export type Absence = 'other_host' | 'no_such_log';

/** Answers of our server about a log that it does not have or cannot have. */
const UNKNOWN: readonly number[] = [400, 404, 422];

/** The answer of our server about a log: its facts, or why it, though it answered, does not have it. Both are null where it was not reached. */
export interface LookedUp {
  readonly facts: LogFacts | null;
  readonly absence: Absence | null;
}

export async function lookUp(origin: string): Promise<LookedUp> {
  const read = (log: string) => callAsNobody<typeof readLog>('GET', '/log/{log}', { params: { log } });
  const [facts, error] = await read(nameOf(origin)).then(
    (found) => [found, null] as const,
    (failure: unknown) => [null, failure] as const,
  );
  if (facts?.origin === origin) return { facts, absence: null };
  const isUnknown = facts !== null || (error instanceof CallFailure && UNKNOWN.includes(error.status));
  const own = isUnknown ? await orNull(read('platform')) : null;
  if (!own) return { facts: null, absence: null };
  return { facts: null, absence: hostOf(own.origin) === hostOf(origin) ? 'no_such_log' : 'other_host' };
}

async function fetchNote(address: string): Promise<string | null> {
  const response = await send(address, { credentials: 'omit', referrerPolicy: 'no-referrer', cache: 'no-store' });
  return response.ok ? response.text() : null;
}
