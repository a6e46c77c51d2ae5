import type { RoutePolicy } from './policy.ts';

/* What many routes answer alike. */

/** These alone ask: the route has no regard for who does. */
export function noRegard(): string[] {
  return ['nobody', 'a session that was logged out', 'owner'];
}

export function forOneself(status: number): RoutePolicy {
  return { caller: 'signed_in', lines: `signed in | * | ${status}` };
}

/** One's own list: the page mark of somebody else's list opens none of theirs. */
export function ownList(): RoutePolicy {
  return {
    caller: 'signed_in',
    lines: `
      signed in | cursor malformed | 400 validation_failed
      signed in | *                | 200`,
  };
}

export function ownThing(id: string): RoutePolicy {
  return {
    caller: 'signed_in',
    lines: `
      owner     | ${id} hers    | 200
      fellow    | ${id} his     | 200
      other     | ${id} foreign | 200
      signed in | *             | 404 not_found`,
  };
}

export function memberRead(): RoutePolicy {
  return {
    caller: 'member',
    lines: `
      members of A | saccoId A                | 200
      members of B | saccoId B                | 200
      signed in    | saccoId malformed/absent | 400 sacco_required
      signed in    | *                        | 403 not_a_member`,
  };
}

export function memberList(): RoutePolicy {
  const { lines } = memberRead();
  return {
    caller: 'member',
    lines: `
      members of A | saccoId A, cursor malformed | 400 validation_failed
      members of B | saccoId B, cursor malformed | 400 validation_failed
      ${lines}`,
  };
}

/** For members of the sacco that the request names, or else its header. */
export function marketRead(): RoutePolicy {
  return {
    caller: 'member',
    lines: `
      signed in    | sacco malformed                        | 400 sacco_required
      signed in    | sacco absent, saccoId malformed/absent | 400 sacco_required
      members of A | sacco A                                | 200
      members of B | sacco B                                | 200
      members of A | sacco absent, saccoId A                | 200
      members of B | sacco absent, saccoId B                | 200
      signed in    | *                                      | 403 not_a_member`,
  };
}

/** The same, page by page. */
export function marketList(): RoutePolicy {
  const { caller, lines } = marketRead();
  return {
    caller,
    lines: `
      members of A | sacco A, cursor malformed                 | 400 validation_failed
      members of B | sacco B, cursor malformed                 | 400 validation_failed
      members of A | sacco absent, saccoId A, cursor malformed | 400 validation_failed
      members of B | sacco absent, saccoId B, cursor malformed | 400 validation_failed
      ${lines}`,
  };
}

export function operatorList(): RoutePolicy {
  return {
    caller: 'operator',
    lines: `
      operator | cursor malformed | 400 validation_failed
      operator | *                | 200`,
  };
}

export function operatorAct(open: string, closed?: string): RoutePolicy {
  return {
    caller: 'operator',
    lines: `
      operator | id ${open} | 200
      ${closed === undefined ? '' : `operator | id ${closed} | 409 sacco_state_conflict`}
      operator | * | 404 not_found`,
  };
}

/** Whoever knows the secret of the address. */
export function provider(about?: string): RoutePolicy {
  return {
    caller: 'provider',
    asked: ['nobody', 'owner', 'chair of A', 'operator'],
    lines: `
      anybody | secret wrong/short | 404 not_found
      ${about === undefined ? '' : `anybody | ${about} malformed | 404 not_found`}
      anybody | * | 200`,
  };
}
