import type postgres from 'postgres';
import type { Random } from '../random.ts';

/** The kinds of edits of one row that a thief with a superuser's password makes. */
export const EDITS = ['change', 'remove', 'insert', 'swap'] as const;
export type EditKind = (typeof EDITS)[number];

type Tx = postgres.TransactionSql;

export interface Column {
  readonly name: string;
  readonly type: string;
  /** It is part of a primary or unique key. */
  readonly isKey: boolean;
}

/** The columns of a table that can be written. */
export async function columnsOf(sql: postgres.Sql, table: string): Promise<Column[]> {
  return sql<Column[]>`
    select a.attname as name, format_type(a.atttypid, null) as type, exists (
      select from pg_index i where i.indrelid = a.attrelid and i.indisunique and a.attnum = any(i.indkey)) as "isKey"
    from pg_attribute a
    where a.attrelid = ${table}::regclass and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
    order by a.attnum`;
}

/** In SQL: another value than the column's own, of the same type. */
function otherValue({ name, type }: Column): string {
  const own = `"${name}"`;
  const by: Readonly<Record<string, string>> = {
    smallint: `coalesce(${own}, 0) + 1`,
    integer: `coalesce(${own}, 0) + 1`,
    bigint: `coalesce(${own}, 0) + 1`,
    numeric: `coalesce(${own}, 0) + 1`,
    boolean: `${own} is not true`,
    uuid: 'gen_random_uuid()',
    text: `case when ${own} is null then 'x' else overlay(${own} placing chr(97 + (ascii(right(${own}, 1)) + 1) % 26) from greatest(length(${own}), 1)) end`,
    bytea: `case when ${own} is null then '\\x00' else set_byte(${own}, 0, (get_byte(${own}, 0) + 1) % 256) end`,
    jsonb: `case when jsonb_typeof(${own}) = 'object' then ${own} || '{"x": 1}' else '{"x": 1}'::jsonb end`,
    date: `coalesce(${own}, current_date) + 1`,
    'timestamp with time zone': `coalesce(${own}, now()) + interval '1 second'`,
  };
  return `(${by[type] ?? own})`;
}

/** A row, by where it lies; null where the table is empty. */
async function anyRow(sql: Tx, table: string, random: Random, except = '(0,0)'): Promise<string | null> {
  const [row] = await sql.unsafe(
    `select ctid::text as at from ${table} where ctid <> $1::tid order by ctid
     offset floor($2::float8 * (select count(*) from ${table} where ctid <> $1::tid))::bigint limit 1`,
    [except, random.next()],
  );
  return row?.at ?? null;
}

/**
 * Makes one edit of one row, with the triggers off.
 * @param ignored columns that say nothing about the past
 * @returns how it may be told; null where the table has no row for it, or nothing came of it
 */
export async function edit(
  sql: Tx,
  kind: EditKind,
  { table, columns, ignored }: { table: string; columns: readonly Column[]; ignored: readonly string[] },
  random: Random,
): Promise<string | null> {
  const at = await anyRow(sql, table, random);
  if (at === null) return null;
  const writable = columns.filter(({ name }) => !ignored.includes(name));
  const column = random.pick(writable);
  if (kind === 'remove') {
    await sql.unsafe(`delete from ${table} where ctid = $1::tid`, [at]);
    return `${table}: a row is removed`;
  }
  if (kind === 'change') {
    const changed = await sql.unsafe(
      `update ${table} set "${column.name}" = ${otherValue(column)}
       where ctid = $1::tid and "${column.name}" is distinct from ${otherValue(column)} returning 1`,
      [at],
    );
    return changed.length > 0 ? `${table}: ${column.name} is changed` : null;
  }
  if (kind === 'swap') {
    const other = await anyRow(sql, table, random, at);
    const free = writable.filter(({ isKey }) => !isKey);
    if (other === null || free.length === 0) return null;
    const { name } = random.pick(free);
    const swapped = await sql.unsafe(
      `update ${table} t set "${name}" = o.value
       from (select ctid as at, lag("${name}") over w as before, lead("${name}") over w as behind, row_number() over w = 1 as is_first
         from ${table} where ctid in ($1::tid, $2::tid) window w as (order by ctid)) s
       cross join lateral (select case when s.is_first then s.behind else s.before end as value) o
       where t.ctid = s.at and t."${name}" is distinct from o.value returning 1`,
      [at, other],
    );
    return swapped.length > 0 ? `${table}: ${name} of two rows is swapped` : null;
  }
  const values = columns.map((each) => (each.isKey ? keyBefore(table, each) : `"${each.name}"`));
  await sql.unsafe(
    `insert into ${table} (${columns.map(({ name }) => `"${name}"`).join(', ')}) overriding system value
     select ${values.join(', ')} from ${table} where ctid = $1::tid`,
    [at],
  );
  return `${table}: a row is inserted`;
}

/** In SQL: a key that no row has, among the oldest. */
function keyBefore(table: string, column: Column): string {
  return /int/.test(column.type) ? `(select min("${column.name}") - 1 from ${table})` : otherValue(column);
}
