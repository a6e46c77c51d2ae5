import { Refusal } from '@ushirika/contract/refusal';
import type { Office, Route } from '@ushirika/contract/route';
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Actor } from './bind.ts';

/** What the identity domain knows of a token. */
export interface LiveSession {
  readonly userId: string;
  readonly sessionId: string;
  readonly isOperator: boolean;
  /** An operator who must set up an authenticator app before acting as one (REQUIRE_TOTP). */
  readonly isOperatorInWaiting?: boolean;
  /** False where this session may act in no office until then. */
  readonly mayHoldOffice?: boolean;
}

/** What the membership domain knows of a person in a sacco. */
export interface Standing {
  readonly isMember: boolean;
  readonly offices: readonly Office[];
}

/** Handed in by `app.ts`: the HTTP layer asks, the domains know. */
export interface Gatekeepers {
  /** `isWatching`: nobody did anything, a stream that is open looks whether it may stay so: no reason to live longer. */
  readSession(token: string, options?: { readonly isWatching?: boolean }): Promise<LiveSession | null>;
  standingOf(userId: string, saccoId: string): Promise<Standing>;
}

export interface Admitted {
  readonly actor: Actor | null;
  readonly saccoId: string | null;
}

const uuid = z.uuid();

/**
 * Lets a caller in or refuses, by what the route declares. A sacco that does not exist and one that the caller does not
 * belong to are refused alike.
 */
export async function admit(
  route: Route,
  request: FastifyRequest,
  named: { readonly sacco?: unknown },
  gatekeepers: Gatekeepers,
): Promise<Admitted> {
  if (route.caller === 'provider') return { actor: null, saccoId: null };
  const token = tokenOf(request);
  const session = token === null ? null : await gatekeepers.readSession(token);
  if (session) request.asker = session.userId;
  if (!session && route.caller !== 'anyone') {
    throw new Refusal(token === null ? 'not_signed_in' : 'session_ended');
  }
  if (route.caller === 'operator' && !session?.isOperator) {
    throw new Refusal(session?.isOperatorInWaiting ? 'second_factor_enrolment_required' : 'not_allowed');
  }
  const saccoId = saccoOf(request, named);
  if (!session) return { actor: null, saccoId };
  const offices = await officesFor(route, session, saccoId, gatekeepers);
  const { userId, sessionId, isOperator } = session;
  return { actor: { userId, sessionId, isOperator, offices }, saccoId };
}

async function officesFor(
  route: Route,
  session: LiveSession,
  saccoId: string | null,
  gatekeepers: Gatekeepers,
): Promise<readonly Office[]> {
  if (route.caller !== 'member' && route.caller !== 'official') return [];
  if (saccoId === null) throw new Refusal('sacco_required');
  const standing = await gatekeepers.standingOf(session.userId, saccoId);
  if (route.caller === 'member' && !standing.isMember) throw new Refusal('not_a_member');
  if (route.caller === 'official') {
    if (standing.offices.length > 0 && !session.mayHoldOffice) throw new Refusal('second_factor_enrolment_required');
    const wanted = route.offices;
    if (!standing.offices.some((office) => !wanted || wanted.includes(office))) throw new Refusal('not_allowed');
    if (session.mayHoldOffice === false) throw new Refusal('second_factor_enrolment_required');
  }
  return session.mayHoldOffice === false ? [] : standing.offices;
}

/** The token of `Authorization: Token <token>`; any other scheme is no token. */
function tokenOf(request: FastifyRequest): string | null {
  const header = request.headers.authorization;
  if (!header?.startsWith('Token ')) return null;
  const token = header.slice(6).trim();
  return token.length > 0 && token.length <= 200 ? token : null;
}

/** The sacco that is meant: named by the request itself, else by the header `saccoId`. */
function saccoOf(request: FastifyRequest, named: { readonly sacco?: unknown }): string | null {
  const text = named.sacco ?? request.headers.saccoid;
  // Most requests name none, and to be told by the schema that nothing is no id costs an error made and thrown away.
  if (text === undefined) return null;
  const parsed = uuid.safeParse(text);
  return parsed.success ? parsed.data.toLowerCase() : null;
}
