import type { Caller, Office } from '@ushirika/contract/route';

/** What the reviewed file says of one route. */
export interface RoutePolicy {
  /** As the contract must declare it; a caller that was changed there alone is found. */
  readonly caller: Caller;
  readonly offices?: readonly Office[];
  /**
   * Lines of `who | where | answer`; the first that fits decides. Who: names of identities or groups, or `anybody`.
   * Where: what the ids of the request mean, such as `saccoId A/B, cursor hers`, or `*`. Answer: status and code; behind
   * a status of success, `and nothing changes` where an act on another's thing is passed over.
   */
  readonly lines: string;
  /** The route reads the header `saccoId` though its caller is not judged by it. */
  readonly readsHeader?: true;
  /** Only these ask: the route has no regard for who asks, and its acts are done one by one. */
  readonly asked?: readonly string[];
  /** Whose data may stand in an answer besides the asker's own: `who | what`. Nobody's otherwise. */
  readonly shows?: string;
  /** Fields of a reply that are there for some only: `who | where | field`. For everybody else they are null or absent. */
  readonly fields?: string;
  /** A refused attempt is counted in `throttles`. */
  readonly counts?: true;
  /** Tables in which a row of somebody else changes too: who sells and who buys are two people. */
  readonly counterparty?: readonly string[];
  /** Tables, by commas, in which a route that only reads writes all the same: who has looked. */
  readonly notes?: string;
}

/** One request that the matrix makes, by names. */
export interface Asked {
  readonly identity: { readonly name: string; readonly groups: readonly string[] };
  /** The object at each position of an id, by the position's name. */
  readonly objects: Readonly<Record<string, string>>;
}

export interface PolicyLine {
  readonly text: string;
  readonly who: readonly string[];
  readonly where: readonly { readonly position: string; readonly objects: readonly string[] }[];
  readonly then: string;
}

/** Reads the lines of a policy. */
export function linesOf(text: string): PolicyLine[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .map((line) => {
      const [who = '', where = '', then = ''] = line.split('|').map((part) => part.trim());
      return { text: line, who: who.split('/'), where: where === '*' ? [] : where.split(', ').map(conditionOf), then };
    });
}

function conditionOf(text: string): PolicyLine['where'][number] {
  const [position = '', ...objects] = text.split(' ');
  return { position, objects: objects.join(' ').split('/') };
}

export function fits(line: PolicyLine, { identity, objects }: Asked): boolean {
  return (
    fitsWho(line.who, identity) &&
    line.where.every((condition) => condition.objects.includes(objects[condition.position] ?? ''))
  );
}

export function fitsWho(who: readonly string[], identity: Asked['identity']): boolean {
  return who.some((name) => name === 'anybody' || name === identity.name || identity.groups.includes(name));
}

export interface Expected {
  readonly status: number;
  readonly code: string | null;
  readonly mustChangeNothing: boolean;
  readonly line: string;
}

/** What a route must answer, by its own lines and those of its caller; null where no line says. */
export function expectedOf(lines: readonly PolicyLine[], asked: Asked): Expected | null {
  const line = lines.find((one) => fits(one, asked));
  if (!line) return null;
  const [status = '', ...words] = line.then.split(' ');
  const isPassedOver = line.then.endsWith('and nothing changes');
  return {
    status: Number(status),
    code: Number(status) >= 400 ? (words[0] ?? '') : null,
    mustChangeNothing: Number(status) >= 400 || isPassedOver,
    line: line.text,
  };
}
