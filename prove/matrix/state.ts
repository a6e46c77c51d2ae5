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

  private constructor(owner: postgres.Sql, tables: readonly Table[]) {
    this.#owner = owner;
    this.#tables = tables;
  }

  /** Keeps the state of now. */
  static async keep(owner: postgres.Sql): Promise<State> {
    const state = new State(owner, await tablesOf(owner));
    await owner.unsafe('create schema matrix_kept');
    for (const { name } of state.#tables) {
      await owner.unsafe(`create table matrix_kept.${keptName(name)} as table ${name}`);
    }
    state.#kept = await state.#hash(state.#tables);
    await owner.unsafe(NOTE_WRITES);
    for (const { name } of state.#tables) {
      await owner.unsafe(`
        create trigger matrix_note_write after insert or update or delete or truncate on ${name}
        for each statement execute function matrix_kept.note_write()`);
    }
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

  /** The tables to which something was written since the state was kept or restored. */
  async #written(): Promise<Table[]> {
    const rows = await this.#owner<{ name: string }[]>`select distinct name from matrix_kept.writes`;
    const names = new Set(rows.map(({ name }) => name));
    return this.#tables.filter(({ name }) => names.has(name));
  }

  /** The tables that are otherwise than they were kept; those that may be are left out. */
  async changes(but: readonly string[] = []): Promise<string[]> {
    const now = await this.#hash(await this.#written());
    return [...now.keys()].filter((name) => now.get(name) !== this.#kept.get(name) && !but.includes(name));
  }

  /** The rows of some tables, as they are and as they were kept; for finding what an act has changed. */
  async rows(tables: readonly string[]): Promise<Map<string, { was: Row[]; is: Row[] }>> {
    const found = new Map<string, { was: Row[]; is: Row[] }>();
    for (const name of tables) {
      const read = async (table: string) =>
        (await this.#owner.unsafe<{ row: Row }[]>(`select to_jsonb(t) as row from ${table} t`)).map(({ row }) => row);
      found.set(name, { was: await read(`matrix_kept.${keptName(name)}`), is: await read(name) });
    }
    return found;
  }

  /** The tables among these in which rows of somebody else than that person have changed. */
  async othersChanged(tables: readonly string[], userId: string): Promise<string[]> {
    const found: string[] = [];
    for (const { name, person } of this.#tables.filter((table) => tables.includes(table.name))) {
      if (person === null) continue;
      const columns = 'select t::text from';
      // Of accounts and people, those of people: what a sacco or the platform has may change with anybody's act.
      const isTheirs = person === 'user_id' ? '' : `and t.${person} in (select id from matrix_kept.public__users)`;
      const others = `t where t.${person} is distinct from '${userId}' ${isTheirs}`;
      const [row] = await this.#owner.unsafe<{ differ: boolean }[]>(`
        select exists ((${columns} ${name} ${others}) except all (${columns} matrix_kept.${keptName(name)} ${others}))
          or exists ((${columns} matrix_kept.${keptName(name)} ${others}) except all (${columns} ${name} ${others})) as differ`);
      if (row?.differ) found.push(name);
    }
    return found;
  }

  /** Goes back to the kept state. Accounts that were opened since stay, empty: the process may remember their ids. */
  async restore(): Promise<void> {
    const changed = await this.changes();
    if (changed.length === 0) return;
    const tables = this.#tables.filter(({ name }) => changed.includes(name));
    await this.#owner.begin(async (sql) => {
      await sql.unsafe('set local session_replication_role = replica');
      for (const { name, columns } of tables) {
        if (name === 'public.accounts') {
          await sql.unsafe(`
            update accounts a set balance = coalesce(k.balance, 0), closed_at = k.closed_at
            from accounts b left join matrix_kept.${keptName(name)} k on k.id = b.id where a.id = b.id`);
          continue;
        }
        await sql.unsafe(`delete from ${name}`);
        const list = columns.map((column) => `"${column}"`).join(', ');
        await sql.unsafe(`
          insert into ${name} (${list}) overriding system value select ${list} from matrix_kept.${keptName(name)}`);
      }
    });
    if (changed.includes('public.accounts')) {
      await this.#owner`truncate matrix_kept.public__accounts`;
      await this.#owner`insert into matrix_kept.public__accounts select * from accounts`;
      const accounts = await this.#hash(tables.filter(({ name }) => name === 'public.accounts'));
      this.#kept = new Map([...this.#kept, ...accounts]);
    }
    await this.#owner`truncate matrix_kept.writes`;
  }
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
  return name.replace('.', '__');
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
