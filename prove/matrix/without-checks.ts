import { OFFICES } from '@ushirika/contract/route';
import type { Replaced } from '../../server/app.ts';
import type { Member } from './cast.ts';
import type { Examination, Order } from './examine.ts';
import { leaksOf } from './judge.ts';
import { type Cell, cellsOf, nameOf, send } from './requests.ts';
import type { Row } from './state.ts';

/** A door whose keeper can be sent away: then every session is an operator's, a member's of every sacco, and holds every office. */
export class Door {
  isOpen = false;

  readonly gatekeepers: Replaced['gatekeepers'] = (ours) => ({
    readSession: async (token, options) => {
      const session = await ours.readSession(token, options);
      if (!this.isOpen) return session;
      return session && { ...session, isOperator: true, isOperatorInWaiting: false, mayHoldOffice: true };
    },
    standingOf: async (...asked) => (this.isOpen ? { isMember: true, offices: OFFICES } : ours.standingOf(...asked)),
  });
}

export interface Walls {
  /** Requests that the policy denies, made all the same. */
  readonly requests: number;
  /** How many of them were answered with success: the door was open indeed. */
  readonly letIn: number;
}

/**
 * P8: the requests that the policy denies, with the application's checks removed. The answers may be what they like;
 * nobody reads a row of another person or sacco, and nobody changes one. What stands in the way is PostgreSQL alone.
 */
export async function runWithoutChecks(examination: Examination, { isCrossed }: Order, door: Door): Promise<Walls> {
  let requests = 0;
  let letIn = 0;
  door.isOpen = true;
  const kept = examination.subjects.filter(({ route }) => ['member', 'official', 'operator'].includes(route.caller));
  for (const subject of kept) {
    const cells = cellsOf(subject, examination, isCrossed).filter(isDenied);
    for (const identity of new Set(cells.map((cell) => cell.identity))) {
      if (!isCrossed && !FEW.includes(identity.name)) continue;
      const own = cells.filter((cell) => cell.identity === identity);
      requests += own.length;
      letIn += await countLetIn(examination, own);
    }
  }
  door.isOpen = false;
  return { requests, letIn };
}

/** Of each kind one: at each commit they stand for all. */
const FEW = ['stranger', 'former', 'founder', 'former operator', 'leaver', 'other', 'treasurer of B'];

/** Somebody who is signed in, and whom the policy keeps out. To operators PostgreSQL shows every row, as it should. */
function isDenied({ identity, expected }: Cell): boolean {
  const isKeptOut = expected?.status === 403 || expected?.status === 404;
  return identity.person !== null && identity.name !== 'operator' && isKeptOut;
}

/** What one person does at one route; how often they were let in. */
async function countLetIn(examination: Examination, cells: readonly Cell[]): Promise<number> {
  const { state, findings, canaries } = examination;
  const answers = await Promise.all(cells.map(async (cell) => ({ cell, answer: await send(cell, examination) })));
  for (const { cell, answer } of answers) {
    const leaks = leaksOf(cell, answer, examination, canaries);
    findings.violations.push(...leaks.map((leak) => `without the application’s checks, ${leak}`));
  }
  const changed = await state.changes();
  const [first] = cells as [Cell];
  const foreign = foreignIdsOf(examination, first.identity.person as Member);
  for (const [table, { came, went }] of await state.moved(changed)) {
    const theirs = [...came, ...went].filter((row) => isForeign(row, foreign));
    if (theirs.length === 0) continue;
    const where = cells.map(({ objects }) => Object.values(objects).join(' ')).join(', ');
    findings.violations.push(
      `without the application’s checks, ${nameOf(first)} (or ${where}): changed ${theirs.length} foreign rows of ${table}`,
    );
  }
  if (changed.length > 0) await state.restore();
  return answers.filter(({ answer }) => answer.status < 400).length;
}

/** A row is somebody else's when it names another person, another sacco, or a thing of theirs. */
function isForeign(row: Row, foreign: ReadonlySet<string>): boolean {
  return Object.values(row).some((value) => typeof value === 'string' && foreign.has(value));
}

/** The ids of everybody and everything that is not this person's, their sacco's or founded by them. */
function foreignIdsOf({ cast, kinds }: Examination, person: Member): ReadonlySet<string> {
  const people = cast.people.filter(({ id }) => id !== person.id).map(({ id }) => id);
  const things = Object.values(kinds).flatMap(({ objects }) =>
    Object.entries(objects).flatMap(([name, id]) => (typeof id === 'string' && !isOwn(person, name) ? [id] : [])),
  );
  return new Set([...people, ...things]);
}

function isOwn({ name, sacco }: Member, object: string): boolean {
  if (object === sacco) return true;
  if (object === 'hers') return name === 'owner' || name === 'founder';
  if (object === 'his') return name === 'fellow';
  if (object === 'foreign') return name === 'other';
  return name === 'founder' && (object === 'waiting' || object === 'rejected');
}
