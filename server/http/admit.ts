import { Refusal } from '@ushirika/contract/refusal';
import { mayWhileSuspended } from '@ushirika/contract/refusals-of';
import type { Office, Route } from '@ushirika/contract/route';
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { isGuarded } from '#faults';
import type { Actor } from './bind.ts';

/** A live session, as the identity domain reads it from a token. */
export interface LiveSession {
  readonly userId: string;
  readonly sessionId: string;
  /** True: the person takes no money out and binds nobody else (docs/decisions/161). */
  readonly isSuspended?: boolean;
  readonly isOperator: boolean;
  /** An operator who must set up an authenticator app before acting as one (REQUIRE_TOTP). */
  readonly isOperatorInWaiting?: boolean;
  /** False: this session may not act in any office until its person has set up an authenticator app. */
  readonly mayHoldOffice?: boolean;
}

/** What a person is in a sacco, as the membership domain reads it. */
export interface Standing {
  readonly isMember: boolean;
  readonly offices: readonly Office[];
}

/**
 * Who a caller is and what they are in a sacco. The domains answer; `app.ts` passes these functions to the HTTP layer.
 */
export interface Gatekeepers {
  /**
   * Null: no live session has this token. `isWatching`: an open stream checks whether it may go on, which does not
   * extend the session.
   */
  readSession(token: string, options?: { readonly isWatching?: boolean }): Promise<LiveSession | null>;
  standingOf(userId: string, saccoId: string): Promise<Standing>;
}

export interface Admitted {
  readonly actor: Actor | null;
  readonly saccoId: string | null;
}

const uuid = z.uuid();

/**
 * Checks that the caller may use the route, by what the route declares. A sacco that does not exist and one that the
 * caller does not belong to get the same refusal.
 * @throws Refusal `not_signed_in`, `session_ended`, `account_suspended`, `not_allowed`, `second_factor_enrolment_required`, `sacco_required`
 * or `not_a_member`
 */
export async function admit(
  route: Route,
  request: FastifyRequest,
  named: { readonly sacco?: unknown },
  gatekeepers: Gatekeepers,
): Promise<Admitted> {
  if (route.caller === 'provider' || route.isSessionless) return { actor: null, saccoId: null };
  const token = tokenOf(request);
  const read = token === null ? null : await gatekeepers.readSession(token);
  const mayNot = read?.isSuspended === true && !(mayWhileSuspended(route) && isGuarded('suspended_accounts_vote'));
  if (mayNot && route.caller !== 'anyone') throw new Refusal('account_suspended');
  // A suspended account acts as a visitor where any visitor may act.
  const session = mayNot ? null : read;
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
  if (route.caller === 'member' && !standing.isMember) {
    if (!route.orOfficial || standing.offices.length === 0) throw new Refusal('not_a_member');
    if (!session.mayHoldOffice) throw new Refusal('second_factor_enrolment_required');
  }
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

/** The sacco of the request: the one in its path, body or query, else that of the header `saccoId`. */
function saccoOf(request: FastifyRequest, named: { readonly sacco?: unknown }): string | null {
  const text = named.sacco ?? request.headers.saccoid;
  // Most requests name no sacco. Parsing `undefined` would build and drop a validation error for each of them.
  if (text === undefined) return null;
  const parsed = uuid.safeParse(text);
  return parsed.success ? parsed.data.toLowerCase() : null;
}
