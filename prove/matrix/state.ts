import type postgres from 'postgres';

/**
 * What a request that is refused may change all the same, with the reason. Nothing else may, in any table of ours, of the
 * simulator or of the jobs.
 */
const COLUMNS_THAT_MAY_CHANGE: Readonly<Record<string, { column: string; why: string }>> = {
  'public.sessions': { column: 'last_seen_at', why: 'who asks is there, whatever they are answered; once a minute' },
};
/** On the routes whose policy says `counts`: a wrong password or code is counted before it is judged. */
export const COUNTED = ['public.throttles'];

/** The content of every table, as one hash each. */
export type Hashes = ReadonlyMap<string, string>;

interface Table {
  readonly name: string;
  /** Columns that are written, in order. */
  readonly columns: readonly string[];
  /** The column that says whose a row is; null where a row is nobody's. */
  readonly person: string | null;
}

/**
 * The state of a whole database: its hash, and the way back to the moment when it was kept. A trigger on each table notes
 * that a statement wrote to it, so that only tables to which something was written are hashed.
 */
export class State {
  readonly #owner: postgres.Sql;
  readonly #tables: readonly Table[];
  #kept: Hashes = new Map();
  /** The hashes of what was written, and how often it was: they hold until more is written. */
  #latest: { readonly writes: string; readonly hashes: Hashes } | null = null;

  private constructor(owner: postgres.Sql, tables: readonly Table[]) {
    this.#owner = owner;
    this.#tables = tables;
  }

  /** Keeps the state of now. */
  static async keep(owner: postgres.Sql): Promise<State> {
    const state = new State(owner, await tablesOf(owner));
    const copies = state.#tables.map(({ name }) => `create table ${keptName(name)} as table ${name}`);
    await owner.unsafe(['create schema matrix_kept', ...copies].join(';'));
    state.#kept = await state.#hash(state.#tables);
    const triggers = state.#tables.map(
      ({ name }) => `
        create trigger matrix_note_write after insert or update or delete or truncate on ${name}
        for each statement execute function matrix_kept.note_write()`,
    );
    await owner.unsafe([NOTE_WRITES, ...triggers].join(';'));
    return state;
  }

  get tables(): number {
    return this.#tables.length;
  }

  async #hash(tables: readonly Table[]): Promise<Hashes> {
    if (tables.length === 0) return new Map();
    const hashing = tables.map(hashOf).join(' union all ');
    const rows = await this.#owner.unsafe<{ name: string; hash: string }[]>(hashing);
    return new Map(rows.map(({ name, hash }) => [name, hash]));
  }

  /** The hashes of the tables to which something was written since the state was kept or restored. */
  async #written(): Promise<Hashes> {
    const rows = await this.#owner<{ name: string; times: number }[]>`
      select name, count(*)::int as times from matrix_kept.writes group by name order by name`;
    const writes = JSON.stringify(rows);
    if (this.#latest?.writes === writes) return this.#latest.hashes;
    const names = new Set(rows.map(({ name }) => name));
    const hashes = await this.#hash(this.#tables.filter(({ name }) => names.has(name)));
    this.#latest = { writes, hashes };
    return hashes;
  }

  /** The tables that are otherwise than they were kept; those that may be are left out. */
  async changes(but: readonly string[] = []): Promise<string[]> {
    const now = await this.#written();
    return [...now.keys()].filter((name) => now.get(name) !== this.#kept.get(name) && !but.includes(name));
  }

  /** The rows of some tables that are not as they were kept: as they were, and as they are. */
  async moved(tables: readonly string[]): Promise<Map<string, { went: Row[]; came: Row[] }>> {
    const found = new Map<string, { went: Row[]; came: Row[] }>();
    for (const name of tables) {
      const rows = await this.#owner.unsafe<{ came: boolean; row: Row }[]>(`
        select false as came, to_jsonb(t) as row from ${keptName(name)} t where ${isNotIn(name)}
        union all select true, to_jsonb(t) from ${name} t where ${isNotIn(keptName(name))}`);
      const of = (isNew: boolean) => rows.filter(({ came }) => came === isNew).map(({ row }) => row);
      found.set(name, { went: of(false), came: of(true) });
    }
    return found;
  }

  /** The tables among these in which rows of somebody else than that person have changed. */
  async othersChanged(tables: readonly string[], userId: string): Promise<string[]> {
    const asked = this.#tables.filter(({ name, person }) => person !== null && tables.includes(name));
    if (asked.length === 0) return [];
    const differing = asked.map(({ name, person }) => {
      const columns = 'select t::text from';
      // Of accounts and people, those of people: what a sacco or the platform has may change with anybody's act.
      const isTheirs = person === 'user_id' ? '' : `and t.${person} in (select id from matrix_kept.public__users)`;
      const others = `t where t.${person} is distinct from '${userId}' ${isTheirs}`;
      return `
        select '${name}' as name
        where exists ((${columns} ${name} ${others}) except all (${columns} ${keptName(name)} ${others}))
          or exists ((${columns} ${keptName(name)} ${others}) except all (${columns} ${name} ${others}))`;
    });
    const rows = await this.#owner.unsafe<{ name: string }[]>(differing.join(' union all '));
    return rows.map(({ name }) => name);
  }

  /** Goes back to the kept state. Accounts that were opened since stay, empty: the process may remember their ids. */
  async restore(): Promise<void> {
    const changed = await this.changes();
    if (changed.length === 0) return;
    const tables = this.#tables.filter(({ name }) => changed.includes(name));
    const steps = tables.flatMap(({ name, columns }) => {
      if (name === ACCOUNTS) return RESTORE_ACCOUNTS;
      const list = columns.map((column) => `"${column}"`).join(', ');
      return [
        `delete from ${name} t where ${isNotIn(keptName(name))}`,
        `insert into ${name} (${list}) overriding system value select ${list} from ${keptName(name)} t where ${isNotIn(name)}`,
      ];
    });
    await this.#owner.begin(async (sql) => {
      const local = 'set local session_replication_role = replica';
      await sql.unsafe([local, ...steps, 'delete from matrix_kept.writes'].join(';'));
    });
    this.#latest = null;
    if (!changed.includes(ACCOUNTS)) return;
    const accounts = await this.#hash(tables.filter(({ name }) => name === ACCOUNTS));
    this.#kept = new Map([...this.#kept, ...accounts]);
  }
}

const ACCOUNTS = 'public.accounts';
const RESTORE_ACCOUNTS = [
  `update accounts a set balance = coalesce(k.balance, 0), closed_at = k.closed_at
    from accounts b left join matrix_kept.public__accounts k on k.id = b.id
    where a.id = b.id and (a.balance, a.closed_at) is distinct from (coalesce(k.balance, 0), k.closed_at)`,
  'insert into matrix_kept.public__accounts select * from accounts a where a.id not in (select id from matrix_kept.public__accounts)',
];

/** Rows are alike when all their columns are. */
function isNotIn(table: string): string {
  return `t::text not in (select other::text from ${table} other)`;
}

/** Whoever writes, the note is the owner's: a person's role may not write it. What is restored fires no triggers. */
const NOTE_WRITES = `
  create unlogged table matrix_kept.writes (name text not null);
  create function matrix_kept.note_write() returns trigger language plpgsql security definer as $$
  begin
    insert into matrix_kept.writes values (tg_table_schema || '.' || tg_table_name);
    return null;
  end $$;`;

export type Row = Readonly<Record<string, unknown>>;

function keptName(name: string): string {
  return `matrix_kept.${name.replace('.', '__')}`;
}

async function tablesOf(owner: postgres.Sql): Promise<Table[]> {
  const rows = await owner<{ name: string; columns: string[] }[]>`
    select table_schema || '.' || table_name as name,
      array_agg(column_name::text order by ordinal_position) filter (where is_generated = 'NEVER') as columns
    from information_schema.columns join information_schema.tables using (table_schema, table_name)
    where table_type = 'BASE TABLE'
      and (table_schema in ('public', 'simulator') or (table_schema = 'graphile_worker' and table_name = '_private_jobs'))
    group by 1 order by 1`;
  return rows.map(({ name, columns }) => ({ name, columns, person: personOf(name, columns) }));
}

/** Whose a row is. */
function personOf(table: string, columns: readonly string[]): string | null {
  if (table === 'public.users') return 'id';
  if (table === 'public.accounts') return 'owner_id';
  return columns.includes('user_id') ? 'user_id' : null;
}

function hashOf({ name }: Table): string {
  const spared = COLUMNS_THAT_MAY_CHANGE[name];
  const row = spared ? `(to_jsonb(t) - '${spared.column}')` : 't';
  return `select '${name}' as name, count(*) || ' rows ' ||
    md5(coalesce(string_agg(md5(${row}::text), '' order by md5(${row}::text)), '')) as hash from ${name} t`;
}
