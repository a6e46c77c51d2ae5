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
