import type postgres from 'postgres';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { MORE_OF_THE_WORLD, ROW_CASES } from './row-cases.ts';
import { insertInto, literal, PEOPLE, type RowCase, VIEWERS, type Viewer, writeWorld } from './row-world.ts';
import { type TestDatabase, testDatabase } from './test-database.ts';

/*
 * PostgreSQL's row policies (decision 110). Each policy is tried with the rows of `row-cases.ts`. Then each part of
 * each policy is removed, and some case must notice.
 */

let database: TestDatabase;

beforeAll(async () => {
  database = await testDatabase();
  const { owner } = database;
  await owner.begin(async (sql) => {
    await sql.unsafe(WITHOUT_CHECKS);
    await sql.unsafe(TRY_AS);
    await sql`set local session_replication_role = replica`;
    await writeWorld(sql, MORE_OF_THE_WORLD);
  });
});
afterAll(() => database.close());

/**
 * Removes every check, not-null constraint and trigger of this database, so that a case need only fill in what it is
 * about.
 */
const WITHOUT_CHECKS = `
  do $$
  declare each record;
  begin
    for each in
      select conrelid::regclass as of, conname from pg_constraint
      where connamespace = 'public'::regnamespace and contype in ('c', 'f', 'n') and conparentid = 0
    loop
      begin
        execute format('alter table %s drop constraint %I cascade', each.of, each.conname);
      exception when invalid_table_definition or syntax_error or object_not_in_prerequisite_state then null; -- a key or an identity
      end;
    end loop;
  end $$`;

/**
 * Runs a statement as somebody, rolls it back, and returns how many rows it met; -1 if it was refused. `look` reads the
 * ctid of the row, which an update changes.
 */
const TRY_AS = `
  create function try_as(person uuid, statement text, look text) returns integer language plpgsql as $$
  declare met integer; place text; place_after text;
  begin
    execute look into place;
    perform set_config('ushirika.user_id', coalesce(person::text, ''), true);
    set local role ushirika_member;
    execute statement;
    get diagnostics met = row_count;
    set local role none;
    execute look into place_after;
    if statement like 'update%' then met := (place is distinct from place_after)::integer; end if;
    raise exception using errcode = 'UT001', message = met::text;
  exception
    when sqlstate 'UT001' then return sqlerrm::integer;
    when unique_violation then return 1; -- past the policies
    when insufficient_privilege then return -1;
  end $$`;

interface Policy {
  readonly table: string;
  readonly name: string;
  readonly using: string | null;
  readonly check: string | null;
}

const policiesNow = () => database.owner<Policy[]>`
  select p.polrelid::regclass::text as "table", p.polname as name,
    pg_get_expr(p.polqual, p.polrelid) as "using", pg_get_expr(p.polwithcheck, p.polrelid) as "check"
  from pg_policy p where 'ushirika_member'::regrole = any (p.polroles) order by 1, 2`;

type Sql = postgres.TransactionSql;

/**
 * Returns who could do what to the rows of a table's cases. `before` may change a policy first. Everything is rolled
 * back. Stops where the answers differ from `until`.
 */
async function tried(table: string, before = '', until: readonly string[] | null = null): Promise<string[]> {
  const found: string[] = [];
  const undo = new Error('undo');
  await database.owner
    .begin(async (sql) => {
      await sql`set local session_replication_role = replica`;
      if (before) await sql.unsafe(before);
      for (const one of ROW_CASES[table] ?? []) {
        found.push(...(await triedOn(sql, table, one)));
        if (until && found.some((line, index) => line !== until[index])) break;
      }
      throw undo;
    })
    .catch((error: unknown) => {
      if (error !== undo) throw error;
    });
  return found;
}

async function triedOn(sql: Sql, table: string, { is, row, into = [] }: RowCase): Promise<string[]> {
  const filled =
    hasId.get(table) && row.id === undefined ? { id: '00000000-0000-7000-8000-00000000ffff', ...row } : row;
  const key = Object.entries(filled).filter(([column]) => !('id' in filled) || column === 'id');
  const where = key.map(([column, value]) => `${column} is not distinct from ${literal(value)}`).join(' and ');
  const look = `select ctid::text from ${table} where ${where}`;
  // Without `returning`: for that PostgreSQL would also check that the new row may be seen.
  const changed = (set: object) =>
    `update ${table} set ${Object.entries(set).map(([column, value]) => `"${column}" = ${literal(value)}`)}`;
  const [last = ['', null]] = Object.entries(filled).slice(-1);
  const acts: Record<string, string> = {
    see: `select ${key[0]?.[0]} from ${table} where ${where}`,
    change: changed({ [last[0]]: last[1] }),
    drop: `delete from ${table} where ${where}`,
    ...Object.fromEntries(into.map(([set]) => [`make ${JSON.stringify(set)} of`, changed(set)])),
  };
  const [add] = await each(sql, [insertInto(table, filled)], look);
  await sql.unsafe(`${insertInto(table, filled)} on conflict do nothing`);
  const others = await each(sql, Object.values(acts), look);
  await sql.unsafe(`delete from ${table} where ${where}`);
  return [`add ${is}: ${add}`, ...Object.keys(acts).map((act, index) => `${act} ${is}: ${others[index]}`)];
}

/** For each statement, who may run it. */
async function each(sql: Sql, statements: readonly string[], look: string): Promise<string[]> {
  const asked = statements.map((statement, index) => {
    const tries = VIEWERS.map((viewer) => {
      const person = viewer === 'nobody' ? null : PEOPLE[viewer];
      return `try_as(${literal(person)}, ${literal(statement)}, ${literal(look)})`;
    });
    return `array[${tries}] as a${index}`;
  });
  const [row] = (await sql.unsafe(`select ${asked}`)) as unknown as [Record<string, number[]>];
  return statements.map((_, index) => VIEWERS.filter((_viewer, at) => (row[`a${index}`]?.[at] ?? 0) > 0).join(' '));
}

/** What the cases of a table declare, in the same format. */
function declared(table: string): string[] {
  return (ROW_CASES[table] ?? []).flatMap(({ is, see, add, change, drop, into = [] }) => [
    `add ${is}: ${inOrder(add)}`,
    `see ${is}: ${inOrder(see)}`,
    `change ${is}: ${inOrder(change)}`,
    `drop ${is}: ${inOrder(drop)}`,
    ...into.map(([set, by]) => `make ${JSON.stringify(set)} of ${is}: ${inOrder(by)}`),
  ]);
}

const inOrder = (names = '') => VIEWERS.filter((viewer: Viewer) => names.split(' ').includes(viewer)).join(' ');

const hasId = new Map<string, boolean>();

beforeAll(async () => {
  const tables = await database.owner<{ name: string; has_id: boolean }[]>`
    select c.relname as name, exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'id' and a.atttypid = 'uuid'::regtype) as has_id
    from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')`;
  for (const { name, has_id } of tables) hasId.set(name, has_id);
});

test('docs/row-policies.md lists the policies of the database; vitest -u rewrites it', async () => {
  await expect(await policiesInWords()).toMatchFileSnapshot('../../docs/row-policies.md');
});

test('each table on which a person has a grant has its cases', async () => {
  const tables = new Set((await policiesNow()).map(({ table }) => table));
  expect([...tables].filter((table) => !(table in ROW_CASES))).toEqual([]);
  expect(Object.keys(ROW_CASES).filter((table) => !tables.has(table))).toEqual([]);
});

describe('who sees, adds, changes and deletes', () => {
  test.each(Object.keys(ROW_CASES))('%s', async (table) => {
    expect(await tried(table)).toEqual(declared(table));
  });
});

test('of Amina, fellow members see the name; her officials and operators see more', async () => {
  const { amina } = PEOPLE;
  const seenBy = async (column: string): Promise<string> => {
    const asked = `select from people where id = ${literal(amina)} and ${column} is not null`;
    return database.owner.begin(async (sql) => (await each(sql, [asked], 'select null::text'))[0] ?? '');
  };
  expect(await seenBy('first_name')).toBe('amina farida chika halima');
  for (const column of ['phone', 'id_number', 'email']) expect(await seenBy(column)).toBe('amina chika halima');
});

describe('removing a part of a policy is noticed', () => {
  test.each(Object.keys(ROW_CASES))('in %s', async (table) => {
    const expected = declared(table);
    const isSeen = async (altered: string) =>
      (await tried(table, altered, expected)).join('\n') !== expected.join('\n');
    const unseen: string[] = [];
    for (const policy of (await policiesNow()).filter((one) => one.table === table)) {
      for (const [altered, inBoth] of alterations(policy)) {
        if (altered in NO_DIFFERENCE || (await isSeen(altered))) continue;
        if (inBoth === null || !(await isSeen(inBoth))) unseen.push(altered);
      }
    }
    expect(unseen).toEqual([]);
  });
});

/** Every table with grants to persons, with its grants and policies. */
async function policiesInWords(): Promise<string> {
  const rows = await database.owner<{ table: string; grants: string[]; policies: string[] }[]>`
    select c.relname as "table",
      array(select word || case when has_table_privilege('ushirika_member', c.oid, word) then '' else ' of ' || (
          select string_agg(a.attname, ', ' order by a.attnum) from pg_attribute a
          where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
            and has_column_privilege('ushirika_member', c.oid, a.attnum, word)) end
        from unnest(array['SELECT', 'INSERT', 'UPDATE', 'DELETE']) word
        where has_table_privilege('ushirika_member', c.oid, word)
          or word <> 'DELETE' and has_any_column_privilege('ushirika_member', c.oid, word)) as grants,
      array(select format(E'- \`%s\`, %s%s%s', p.polname,
          case p.polcmd when 'r' then 'select' when 'a' then 'insert' when 'w' then 'update' when 'd' then 'delete' else 'all' end,
          E'\n  - sees or meets: \`' || ${database.owner.unsafe(plain('polqual'))} || '\`',
          E'\n  - may write: \`' || ${database.owner.unsafe(plain('polwithcheck'))} || '\`')
        from pg_policy p where p.polrelid = c.oid and 'ushirika_member'::regrole = any (p.polroles) order by p.polname) as policies
    from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') order by c.relname`;
  const isPersons = ({ grants, policies }: (typeof rows)[number]) => grants.length + policies.length > 0;
  const platforms = rows.filter((row) => !isPersons(row)).map(({ table }) => `\`${table}\``);
  const tables = rows
    .filter(isPersons)
    .map(({ table, grants, policies }) =>
      [`## ${table}`, '', `Granted: ${grants.join('; ')}`, '', ...policies].join('\n'),
    );
  return `${[POLICIES_TITLE, ...tables, `## The platform's alone\n\n${platforms.join(', ')}`].join('\n\n')}\n`;
}

/** An expression on one line, `( SELECT is_operator() AS is_operator)` as `is_operator()`. */
const plain = (column: string) =>
  `regexp_replace(regexp_replace(pg_get_expr(p.${column}, p.polrelid), '[[:space:]]+', ' ', 'g'), '[(] SELECT ([a-z_]+[(][)]) AS [a-z_]+[)]', '\\1', 'g')`;

const POLICIES_TITLE = `# Row policies

What PostgreSQL lets a request of somebody signed in see and change, table by table (decision 110). This file is written
from the database by \`server/db/row-policies.test.ts\`, which fails when it is out of date. Who may do what is tried
there with the rows of \`server/db/row-cases.ts\` and of the domains' \`*.row-cases.ts\`.`;

/** Parts that another part of the same policy implies, and why. */
const NO_DIFFERENCE: Readonly<Record<string, string>> = {
  'alter policy person on pool_members using ((false OR (pool_id = ANY (( SELECT my_pools() AS my_pools)::uuid[])) OR ( SELECT is_operator() AS is_operator)))':
    'whoever is a member of a pool has it among their own',
  'alter policy operator_notes_again on sacco_checks with check ((true AND (checked_by = ( SELECT person_id() AS person_id))))':
    'only an operator meets the row at all',
};

/** Each policy with one part removed, first in one clause, then in both clauses where both have that part. */
function alterations({ table, name, using, check }: Policy): [one: string, both: string | null][] {
  const clause = (word: string, expression: string) => `${word} (${expression})`;
  const alter = (...clauses: string[]) => `alter policy ${name} on ${table} ${clauses.join(' ')}`;
  const ofUsing = using === null || using === 'true' ? [] : mutantsOf(using);
  const ofCheck = check === null || check === 'true' ? [] : mutantsOf(check);
  const inBoth = (mutant: string) => {
    const isInBoth = ofUsing.includes(mutant) && ofCheck.includes(mutant);
    return isInBoth ? alter(clause('using', mutant), clause('with check', mutant)) : null;
  };
  return [
    ...ofUsing.map((mutant) => [alter(clause('using', mutant)), inBoth(mutant)] as [string, string | null]),
    ...ofCheck.map((mutant) => [alter(clause('with check', mutant)), inBoth(mutant)] as [string, string | null]),
  ];
}

/**
 * An expression of a policy with one part removed: always true, without one operand of an `and`, or without one operand
 * of an `or`; also inside `exists (… where …)`.
 */
function mutantsOf(expression: string): string[] {
  const text = expression.replaceAll(/\s+/g, ' ');
  const found = new Set<string>(['true']);
  collect(text, (part) => part, found);
  found.delete(text);
  return [...found];
}

function collect(text: string, whole: (part: string) => string, found: Set<string>): void {
  const inner = unwrapped(text);
  for (const [word, left] of [
    [' OR ', 'false'],
    [' AND ', 'true'],
  ] as const) {
    const parts = splitAt(inner, word);
    if (parts.length < 2) continue;
    for (const [index, part] of parts.entries()) {
      const within = (given: string) => whole(`(${parts.map((each, at) => (at === index ? given : each)).join(word)})`);
      found.add(within(left));
      collect(part, within, found);
    }
    return;
  }
  const exists = /^(EXISTS \( SELECT .* WHERE )(\(.*\))(\))$/.exec(inner);
  if (exists) {
    const [, head, where = '', tail] = exists;
    found.add(whole('false'));
    collect(where, (given) => whole(`(${head}${given}${tail})`), found);
  }
}

/** Without outer parentheses. */
function unwrapped(text: string): string {
  let inner = text.trim();
  while (inner.startsWith('(') && closes(inner) === inner.length - 1) inner = inner.slice(1, -1).trim();
  return inner;
}

/** The index at which the parenthesis that begins a text is closed. */
function closes(text: string): number {
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    if (text[at] === '(') depth += 1;
    if (text[at] === ')') depth -= 1;
    if (depth === 0) return at;
  }
  return -1;
}

function splitAt(text: string, word: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let from = 0;
  for (let at = 0; at < text.length; at += 1) {
    if (text[at] === '(') depth += 1;
    if (text[at] === ')') depth -= 1;
    if (depth === 0 && text.startsWith(word, at)) {
      parts.push(text.slice(from, at));
      from = at + word.length;
    }
  }
  return [...parts, text.slice(from)];
}
