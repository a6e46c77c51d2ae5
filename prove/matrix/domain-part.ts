import type { Asked, Foreign } from '../attacks/foreign.ts';
import type { Product } from '../support/product.ts';
import type { Cast, Member } from './cast.ts';
import type { RoutePolicy } from './policy.ts';

/** What one domain brings to the matrix, to the attack on row security and to the model. */
export interface DomainPart {
  /** Who may call its routes, and what they answer: lines of expected.ts. */
  readonly policies: Readonly<Record<string, RoutePolicy>>;
  /** What the parameters of its routes hold, where fixtures.ts has not said it of all routes: by name, or by `route.name`. */
  readonly fixtures: Readonly<Record<string, Fixture>>;
  /** Makes the things that its routes are about, by the names that its fixtures call them. */
  readonly raise?: (product: Product, cast: Cast) => Promise<Kinds>;
  /** Makes what is another's, and says how each of its routes of members, officials and operators is asked for it. */
  readonly attacked?: (foreign: Foreign) => Promise<Asked>;
  /** Its writing routes that the model leaves out, each with the reason. */
  readonly withoutActs?: Readonly<Record<string, string>>;
}

/** One table of what several say. Throws where two say something of the same name: one of them would be forgotten. */
export function gathered<T>(...tables: readonly Readonly<Record<string, T>>[]): Readonly<Record<string, T>> {
  const names = tables.flatMap((table) => Object.keys(table));
  const twice = names.filter((name, index) => names.indexOf(name) !== index);
  if (twice.length > 0) throw new Error(`Two parts of the matrix speak of ${twice.join(', ')}.`);
  return Object.assign({}, ...tables);
}

/** What an id in a request can be the id of. Each has objects by name; the first is meant where nothing else is said. */
export interface Kind {
  readonly objects: Readonly<Record<string, string | ((asker: Member | null) => string)>>;
  /** Everybody may know that it exists: its foreign one may be answered otherwise than one that is not there. */
  readonly isPublic?: boolean;
}

/** By their names. */
export type Kinds = Readonly<Record<string, Kind>>;

export function kindOf(kinds: Kinds, name: string): Kind {
  const kind = kinds[name];
  if (!kind) throw new Error(`Nothing in prove/matrix raises a ${name}.`);
  return kind;
}

export const NOBODYS = { nonexistent: '01900000-0000-7000-8000-00000000dead', malformed: 'no-id' };

/** What a parameter holds: the id of a kind of thing, a value that is right for the asker, or nothing in particular. */
export type Fixture =
  | { readonly kind: string; readonly isList?: true }
  | { readonly value: (asker: Member, cast: Cast) => unknown }
  | { readonly cursor: true }
  | { readonly left: 'out' };

export const is = (value: unknown): Fixture => ({ value: () => value });
export const of = (value: (asker: Member, cast: Cast) => unknown): Fixture => ({ value });
export const id = (kind: string): Fixture => ({ kind });
export const leftOut: Fixture = { left: 'out' };
