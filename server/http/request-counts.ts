import { Refusal } from '@ushirika/contract/refusal';
import type { Route } from '@ushirika/contract/route';
import type { FastifyRequest, preHandlerAsyncHookHandler, preHandlerHookHandler, RouteShorthandOptions } from 'fastify';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { networkOf } from '../network-of.ts';
import type { CountedBy } from './bind.ts';

/** Limits of requests; each counts one route by itself, in the memory of one process. */
export interface RateLimits {
  /** Requests of one signed-in person in a minute. */
  readonly personPerMinute: number;
  /** Requests for one subject of a route that names one (`CountedBy`) in a minute. */
  readonly subjectPerMinute: number;
  /** Acts of one network in 15 minutes that fail, or that a stranger has something made by: an account, a code. */
  readonly networkPerQuarter: number;
  /** Pages' questions that one network asks in a minute without a session. */
  readonly readsPerMinute: number;
}

/** A meeting of 300 behind one address stays far below each of these (decision 219). */
export const RATE_LIMITS: RateLimits = {
  personPerMinute: 600,
  subjectPerMinute: 30,
  networkPerQuarter: 450,
  readsPerMinute: 6_000,
};

declare module 'fastify' {
  interface FastifyRequest {
    /** The key that it counts under without a session; null before the limits have let it pass. */
    countedAs: string | null;
  }
}

type Hooks = Pick<RouteShorthandOptions, 'onRequest' | 'preHandler' | 'onSend'>;

/**
 * Counts requests and refuses those above a limit. A network that many people share, such as the Wi-Fi of a general
 * meeting or a mobile operator's, is counted by what fails there: nobody is refused because a neighbour signs in too.
 */
export class RequestCounts {
  readonly #persons: RateLimiterMemory;
  readonly #subjects: RateLimiterMemory;
  readonly #networks: RateLimiterMemory;
  readonly #reads: RateLimiterMemory;

  constructor(limits: RateLimits) {
    this.#persons = new RateLimiterMemory({ points: limits.personPerMinute, duration: 60 });
    this.#subjects = new RateLimiterMemory({ points: limits.subjectPerMinute, duration: 60 });
    this.#networks = new RateLimiterMemory({ points: limits.networkPerQuarter, duration: 900 });
    this.#reads = new RateLimiterMemory({ points: limits.readsPerMinute, duration: 60 });
  }

  /**
   * Counts an admitted request: for its person, or where nobody is signed in and it only reads, for its network.
   * @throws Refusal `too_many_requests`
   */
  async countAdmitted(route: Route, request: FastifyRequest, userId: string | null): Promise<void> {
    if (userId !== null) await count(this.#persons, `${route.name} ${userId}`);
    else if (request.countedAs && route.method === 'GET') await count(this.#reads, request.countedAs);
  }

  /** The hooks that count one route's requests without a session. `countedBy` names what a request is about. */
  hooksOf(route: Route, countedBy: CountedBy | undefined): Hooks {
    const preHandler: preHandlerAsyncHookHandler | undefined =
      countedBy && (async (request) => count(this.#subjects, `${route.name} ${await countedBy(request)}`));
    // A secret ballot's address is kept nowhere, not even in a count.
    if (route.isSessionless) return preHandler ? { preHandler: preHandler as preHandlerHookHandler } : {};
    return {
      onRequest: async (request) => {
        const key = `${route.name} ${networkOf(request.ip)}`;
        if (route.method !== 'GET') await refuseIfSpent(this.#networks, key);
        request.countedAs = key;
      },
      ...(preHandler ? { preHandler: preHandler as preHandlerHookHandler } : {}),
      onSend: async (request, reply) => {
        const { countedAs } = request;
        if (countedAs && isCounted(route, countedBy !== undefined, request, reply.statusCode)) {
          await this.#networks.penalty(countedAs);
        }
      },
    };
  }
}

/**
 * A person's own mistakes count for the person; a fault of ours, and a request refused by a limit, for nobody. A read that fails counts as a read:
 * no secret can be guessed by one, and who asks for what is not there keeps no neighbour from what is.
 */
function isCounted(route: Route, namesSubject: boolean, request: FastifyRequest, status: number): boolean {
  if (route.method === 'GET' || request.asker || status >= 500 || status === 429) return false;
  const makesSomething = route.caller === 'anyone' && !namesSubject;
  return status >= 400 || makesSomething;
}

async function refuseIfSpent(limiter: RateLimiterMemory, key: string): Promise<void> {
  const found = await limiter.get(key);
  if (found && found.consumedPoints >= limiter.points) throw tooMany(found);
}

async function count(limiter: RateLimiterMemory, key: string): Promise<void> {
  try {
    await limiter.consume(key);
  } catch (error) {
    throw error instanceof RateLimiterRes ? tooMany(error) : error;
  }
}

function tooMany({ msBeforeNext }: RateLimiterRes): Refusal {
  return new Refusal('too_many_requests', { retryAfterSeconds: Math.ceil(msBeforeNext / 1000) });
}
