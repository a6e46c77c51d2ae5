import postgres from 'postgres';

interface Column {
  readonly schema: string;
  readonly relation: string;
  readonly column: string;
  readonly type: string;
  readonly is_nullable: boolean;
  /** Whether an insert may omit it. */
  readonly is_optional: boolean;
  /** `generated always`: neither inserted nor updated. */
  readonly is_generated: boolean;
}

/** The TypeScript types, for Kysely, of every table and view of a migrated database. */
export async function generateTypes(url: string): Promise<string> {
  const sql = postgres(url, { max: 1, onnotice: () => {} });
  try {
    return print(await readColumns(sql));
  } finally {
    await sql.end();
  }
}

function readColumns(sql: postgres.Sql): Promise<Column[]> {
  return sql<Column[]>`
    select n.nspname as schema, c.relname as relation, a.attname as "column",
      case when t.typtype = 'd' then format_type(t.typbasetype, null) else format_type(a.atttypid, null) end as type,
      not (a.attnotnull or t.typnotnull) as is_nullable,
      a.atthasdef or a.attidentity <> '' or not a.attnotnull as is_optional,
      a.attgenerated <> '' or a.attidentity = 'a' as is_generated
    from pg_attribute a
    join pg_class c on c.oid = a.attrelid
    join pg_namespace n on n.oid = c.relnamespace
    join pg_type t on t.oid = a.atttypid
    where c.relkind in ('r', 'p', 'v', 'm') and not c.relispartition and a.attnum > 0 and not a.attisdropped
      and n.nspname not in ('information_schema', 'graphile_worker', 'migration') and n.nspname not like 'pg\\_%'
    order by n.nspname, c.relname, a.attnum`;
}

function print(columns: readonly Column[]): string {
  const relations = Map.groupBy(columns, ({ schema, relation }) =>
    schema === 'public' ? relation : `${schema}.${relation}`,
  );
  const interfaces = [...relations].map(
    ([name, own]) =>
      `export interface ${pascal(name)} {\n${own.map((each) => `  ${quoteWhenNeeded(each.column)}: ${typeOf(each)};\n`).join('')}}\n`,
  );
  const all = [...relations.keys()].map((name) => `  ${quoteWhenNeeded(name)}: ${pascal(name)};\n`).join('');
  return `import type { ColumnType, GeneratedAlways } from 'kysely';\n\n${interfaces.join('\n')}\nexport interface DB {\n${all}}\n\nexport type { ColumnType, GeneratedAlways };\n`;
}

function typeOf({ type, is_nullable, is_optional, is_generated }: Column): string {
  const element = type.replace(/\[\]$/, '');
  const base = typeNames[element] ?? 'string';
  const read = `${type.endsWith('[]') ? `${base}[]` : base}${is_nullable && base !== 'unknown' ? ' | null' : ''}`;
  if (is_generated) return `GeneratedAlways<${read}>`;
  if (is_optional) return `ColumnType<${read}, ${read} | undefined, ${read}>`;
  return base === 'unknown' ? `ColumnType<unknown, unknown, unknown>` : read;
}

/** Types not listed here arrive as text: uuid, numeric, date, interval, ranges, inet. */
const typeNames: Record<string, string> = {
  smallint: 'number',
  integer: 'number',
  bigint: 'number',
  real: 'number',
  'double precision': 'number',
  boolean: 'boolean',
  bytea: 'Buffer',
  json: 'unknown',
  jsonb: 'unknown',
  'timestamp with time zone': 'Date',
  'timestamp without time zone': 'Date',
};

function pascal(name: string): string {
  return name.replace(/(?:^|[_.])([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}

function quoteWhenNeeded(name: string): string {
  return /^[a-z_][a-z0-9_]*$/i.test(name) ? name : `'${name}'`;
}
