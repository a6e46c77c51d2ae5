import type { LogFacts, readConsistency, readInclusion, readLog } from '@ushirika/contract/proofs';
import { addressOf, send } from '../api/call.ts';
import { callAsNobody } from '../api/call-as-nobody.ts';

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
  async facts(origin) {
    const params = { log: nameOf(origin) };
    const facts = await orNull(callAsNobody<typeof readLog>('GET', '/log/{log}', { params }));
    return facts?.origin === origin ? facts : null;
  },
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

async function fetchNote(address: string): Promise<string | null> {
  const response = await send(address, { credentials: 'omit', referrerPolicy: 'no-referrer', cache: 'no-store' });
  return response.ok ? response.text() : null;
}
