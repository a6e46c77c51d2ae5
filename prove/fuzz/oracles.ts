import { isDeepStrictEqual } from 'node:util';
import { refusalBody } from '@ushirika/contract/refusal-body';
import { refusals } from '@ushirika/contract/refusals';
import { refusalsOf } from '@ushirika/contract/refusals-of';
import type { Route } from '@ushirika/contract/route';
import { type Crowd, OPERATORS } from './crowd.ts';
import type { Wire } from './requests.ts';
import type { Reply } from './send.ts';

/** What an answer is judged by. */
export interface Asked {
  readonly route: Route;
  readonly wire: Wire;
  /** False where the address or method was twisted: then another route may have answered, or none. */
  readonly isExact: boolean;
}

/** Words of a stack, of the database or of this machine. */
const LEAKS =
  /\bat \S+ \(|\bat (?:async )?file:|node_modules|node:internal|\.ts:\d+|syntax error at|invalid input syntax|violates \w+ constraint|relation "|PostgresError|ZodError|\/(?:home|root|tmp|work)\/\w|\bselect (?:[^"\\]|\\.|"\w+")+ from\b/i;

/** What is wrong with an answer, as a sentence; null when nothing is. */
export function faultOf(asked: Asked, reply: Reply): string | null {
  const { route, isExact } = asked;
  if (reply.status >= 500) return `answered ${reply.status}: ${short(reply.text)}`;
  const leak = LEAKS.exec(reply.text);
  if (leak && !isEcho(asked.wire, leak[0])) return `leaks "${leak[0]}": ${short(reply.text)}`;
  return (
    headerFault(asked, reply) ??
    (reply.status >= 400 ? refusalFault(asked, reply) : isExact ? replyFault(route, reply) : null)
  );
}

const short = (text: string) => text.slice(0, 300);

/** What the answer repeats of the request is no leak: it is checked elsewhere that it is not run. */
function isEcho({ url, body = '' }: Wire, found: string): boolean {
  return (
    body.includes(found) ||
    decodeURI(url.replaceAll(/%(?![0-9a-f]{2})/gi, '%25').replaceAll(/%[89a-f][0-9a-f]/gi, '')).includes(found)
  );
}

function headerFault({ route, isExact }: Asked, { status, headers }: Reply): string | null {
  if (headers['x-content-type-options'] !== 'nosniff') return 'has no X-Content-Type-Options: nosniff';
  if (!String(headers['content-security-policy'] ?? '').includes("default-src 'none'"))
    return 'has no Content-Security-Policy';
  for (const name of ['server', 'x-powered-by']) if (headers[name] !== undefined) return `tells its ${name}`;
  const mayBeKept = status < 400 && (route.replyType === 'file' || !isExact);
  if (!mayBeKept && headers['cache-control'] !== 'no-store')
    return `may be kept: Cache-Control is ${headers['cache-control']}`;
  return null;
}

function refusalFault({ route, wire, isExact }: Asked, { status, text }: Reply): string | null {
  if (wire.method === 'HEAD') return null;
  const parsed = refusalBody.safeParse(jsonOf(text));
  if (!parsed.success) return `answered ${status} with no refusal: ${short(text)}`;
  const { code } = parsed.data;
  if (!Object.hasOwn(refusals, code)) return `refused with ${code}, which is not in the catalogue`;
  const kind = refusals[code as keyof typeof refusals];
  if (kind.status !== status)
    return `refused with ${code} and status ${status}, which is ${kind.status} in the catalogue`;
  if (isExact && !refusalsOf(route).some((known) => known === code))
    return `refused with ${code}, which it does not declare`;
  return null;
}

function replyFault(route: Route, { status, headers, text }: Reply): string | null {
  if (status !== route.status) return `answered ${status} where ${route.status} is declared`;
  const contentType = String(headers['content-type']);
  if (route.replyType === 'sse') return contentType.startsWith('text/event-stream') ? null : `streams ${contentType}`;
  if (route.replyType === 'file') return null;
  const body = jsonOf(text);
  const result = route.reply.safeParse(body);
  if (!result.success) return `gave a reply that is not of its schema: ${short(result.error.message)}`;
  if (isDeepStrictEqual(JSON.parse(JSON.stringify(result.data)), body)) return null;
  return `gave a reply with a field that its schema does not have: ${short(text)}`;
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * Whose particulars came to somebody who has no business with them. What a person has sent themselves is theirs to see
 * again; an official reads the register of the sacco of the office, an operator what operators read.
 */
export class Canaries {
  readonly #crowd: Crowd;
  readonly #sent = new Map<string, Set<string>>();

  constructor(crowd: Crowd) {
    this.#crowd = crowd;
  }

  async leakedTo(wire: Wire, text: string): Promise<string | null> {
    this.#noteSent(wire);
    if (OPERATORS.includes(wire.as)) return null;
    const { bystander, suspended, people } = this.#crowd;
    for (const [name, person] of [...Object.entries({ bystander, suspended }), ...people]) {
      if (name === wire.as || this.#sent.get(wire.as)?.has(name)) continue;
      const { idNumber, phone, email, token } = person;
      const found = Object.entries({ idNumber, phone, email, token }).find(([, value]) => text.includes(value));
      if (found && !(await this.#isOfficial(wire))) return `gives the ${found[0]} of the ${name} to the ${wire.as}`;
    }
    return null;
  }

  #noteSent({ as, url, body = '', bytes = '' }: Wire): void {
    const all = `${url}\n${body}\n${Buffer.from(bytes, 'base64').toString('latin1')}`;
    const names = this.#sent.get(as) ?? new Set();
    for (const [name, { idNumber, phone, email }] of this.#crowd.people) {
      if ([idNumber, phone, email].some((value) => all.includes(value))) names.add(name);
    }
    this.#sent.set(as, names);
  }

  async #isOfficial({ as, headers }: Wire): Promise<boolean> {
    const person = this.#crowd.people.get(as);
    if (!person) return false;
    const rows = await this.#crowd.product.database.owner<{ sacco_id: string }[]>`
      select sacco_id::text from offices where user_id = ${person.id} and ended_at is null`;
    return rows.some(({ sacco_id }) => String(headers.saccoid).toLowerCase().includes(sacco_id));
  }
}
