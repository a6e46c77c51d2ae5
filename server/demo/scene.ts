import type { Database, Tx } from '../db/tx.ts';
import type { DemoWorld } from './demo-world.ts';
import { type DemoPerson, operator } from './people.ts';
import type { DemoSacco } from './saccos.ts';

/** Something that happens at its time: in a transaction, or (without a parameter) by itself. */
export interface Happening {
  readonly at: Date;
  /** For whoever has to mend the story. */
  readonly what: string;
  readonly act: ((tx: Tx) => Promise<unknown>) | (() => Promise<unknown>);
}

export interface Scene {
  readonly database: Database;
  readonly world: DemoWorld;
  readonly passwordHash: string;
  readonly start: Date;
  readonly end: Date;
}

/** What a domain shows in the demonstration; story.ts has the list. */
export interface DemoPart {
  readonly happenings: (scene: Scene, cast: Cast) => readonly Happening[];
  /** What its jobs do: once in a week of the story, and at its end. */
  readonly weekly?: (database: Database) => Promise<unknown>;
  /** What whoever looks at the demonstration should find and does not, in words; its test asks. */
  readonly missing?: (sql: Database['sql']) => Promise<readonly string[]>;
}

export const DAY_MS = 86_400_000;
export const HOUR_MS = 3_600_000;

/** Who and what there is so far, by name: verbs take ids, stories take people. */
export class Cast {
  readonly people = new Map<string, string>();
  readonly saccos = new Map<string, string>();

  person = ({ idNumber }: DemoPerson) => ({ userId: this.#known(this.people, idNumber), isOperator: false });
  operator = () => ({ userId: this.#known(this.people, operator.idNumber), isOperator: true });
  sacco = ({ name }: DemoSacco) => this.#known(this.saccos, name);

  #known(map: ReadonlyMap<string, string>, name: string): string {
    const id = map.get(name);
    if (!id) throw new Error(`${name} has not entered yet`);
    return id;
  }
}

/** A time of the story: the first hour of each of its days is ten in the morning in Nairobi. */
export const at = ({ start }: Scene, day: number, hour = 0): Date =>
  new Date(start.getTime() + day * DAY_MS + hour * HOUR_MS);

/**
 * The first year of Mwangaza, as days of the story: on which it is founded, and the first day after its end. Both lie before the
 * story's first day, whatever day of a year that is: a vote and a payout have room, and few members have come yet.
 */
export function firstYear({ start }: Scene): {
  readonly year: number;
  readonly foundedOn: number;
  readonly overOn: number;
} {
  const dayOf = (year: number) => Math.round((Date.UTC(year, 0, 1, start.getUTCHours()) - start.getTime()) / DAY_MS);
  const latest = start.getUTCFullYear();
  const next = dayOf(latest) <= -PAID_WITHIN ? latest : latest - 1;
  return { year: next - 1, foundedOn: dayOf(next) - OPEN_FOR, overOn: dayOf(next) };
}

/** Days from the end of the year until its dividend is paid, and from the founding to the end of the year. */
const [PAID_WITHIN, OPEN_FOR] = [25, 214];
