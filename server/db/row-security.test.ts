import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { HISTORY } from './row-cases.ts';
import { type TestDatabase, testDatabase } from './test-database.ts';
import { testPeople } from './test-people.ts';

let database: TestDatabase;
let people: ReturnType<typeof testPeople>;

beforeAll(async () => {
  database = await testDatabase();
  people = testPeople(database);
  const founder = await people.person('Founder');
  const sacco = await people.sacco('Umoja Sacco', founder);
  await people.member(sacco, founder);
  await people.official(sacco, founder);
});
afterAll(() => database.close());

/** Tables whose rows every signed-in person may see: published data, or a row that everybody locks. */
const PUBLISHED = [
  'capital_minimums',
  'loan_tolerances',
  'market_candles',
  'markets',
  'offices',
  'platform_counts',
  'pool_events',
  'pool_parameters',
  'pool_stewards',
  'pools',
  'sacco_figures',
  'sacco_logos',
  'sacco_terms',
  'withholding_rates',
];

interface Table {
  readonly name: string;
  readonly is_closed: boolean;
  readonly is_for_platform: boolean;
  /** The grants of the persons' role, and the commands of its policies. */
  readonly grants: string[];
  readonly policies: string[];
}

const tables = () => database.owner<Table[]>`
  select c.relname as name, c.relrowsecurity as is_closed,
    exists (select from pg_policy p where p.polrelid = c.oid and 'ushirika_app'::regrole = any (p.polroles)) as is_for_platform,
    array(
      select distinct word from unnest(array['SELECT', 'INSERT', 'UPDATE', 'DELETE', 'TRUNCATE', 'REFERENCES', 'TRIGGER']) word
      where has_table_privilege('ushirika_member', c.oid, word)
        or word in ('SELECT', 'INSERT', 'UPDATE') and has_any_column_privilege('ushirika_member', c.oid, word)
      order by word) as grants,
    array(
      select distinct word from pg_policy p
      cross join lateral unnest(case p.polcmd when 'r' then array['SELECT'] when 'a' then array['INSERT']
        when 'w' then array['UPDATE'] when 'd' then array['DELETE']
        else array['SELECT', 'INSERT', 'UPDATE', 'DELETE'] end) word
      where p.polrelid = c.oid and 'ushirika_member'::regrole = any (p.polroles) order by word) as policies
  from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') order by c.relname`;

describe('every table is closed', () => {
  test('has row security, and a policy for the platform; a new table is visible to nobody until it has one', async () => {
    const all = await tables();
    expect(all.length).toBeGreaterThan(50);
    expect(all.filter((table) => !table.is_closed || !table.is_for_platform).map(({ name }) => name)).toEqual([]);
    await database.owner`create table made_tomorrow (id integer)`;
    expect((await tables()).filter((table) => !table.is_closed).map(({ name }) => name)).toEqual(['made_tomorrow']);
    await database.owner`drop table made_tomorrow`;
  });

  test('grants persons nothing that no policy restricts', async () => {
    const unbounded = (await tables()).flatMap(({ name, grants, policies }) =>
      grants.filter((grant) => !policies.includes(grant)).map((grant) => `${grant} on ${name}`),
    );
    expect(unbounded).toEqual([]);
  });

  test('without a person, only published rows are read', async () => {
    const read: string[] = [];
    for (const { name, grants } of await tables()) {
      if (!grants.includes('SELECT') || PUBLISHED.includes(name)) continue;
      const columns = ['prompt_consents', 'sms_messages'].includes(name) ? 'id' : '*';
      const [row] = await database.owner.begin(async (sql) => {
        await sql`set local role ushirika_member`;
        // Listed saccos are visible to everybody.
        const listed = name === 'saccos' ? sql`where state = 'rejected'` : sql``;
        return sql<{ rows: number }[]>`select count(${sql.unsafe(columns)})::int as rows from ${sql(name)} ${listed}`;
      });
      if ((row?.rows ?? 1) > 0) read.push(name);
    }
    expect(read).toEqual([]);
  });

  test('without a person, the view `people` is empty', async () => {
    const rows = await database.owner.begin(async (sql) => {
      await sql`update offices set ended_at = until`;
      await sql`set local role ushirika_member`;
      return sql`select * from people`;
    });
    expect(rows).toEqual([]);
  });
});

const asPerson = (person: string, statement: string) =>
  database.owner.begin(async (sql) => {
    await sql`set local role ushirika_member`;
    await sql`select set_config('ushirika.user_id', ${person}, true)`;
    return sql.unsafe(statement);
  });

describe('passwords and authenticator secrets', () => {
  test('an operator reads no hash and no secret: not of others, and not as a column at all', async () => {
    const [halima, amina] = [await people.person('Halima'), await people.person('Amina')];
    await database.owner`insert into operators (user_id, granted_at) values (${halima}, now())`;
    await database.owner`
      insert into second_factors (user_id, secret, key_id, state, created_at)
      select ${amina}, decode(repeat('ab', 48), 'hex'), repeat('a', 16), 'pending', now()`;
    expect(await asPerson(halima, `select first_name from users where id = '${amina}'`)).toHaveLength(1);
    for (const what of ['password_hash', '*', 'users']) {
      await expect(asPerson(halima, `select ${what} from users where id = '${amina}'`)).rejects.toThrow(/denied/);
    }
    await expect(asPerson(halima, `select 1 from users where password_hash like '$%'`)).rejects.toThrow(/denied/);
    const [others] = await asPerson(halima, `select password_hash_of('${amina}') as hash`);
    const [own] = await asPerson(amina, `select password_hash_of('${amina}') as hash`);
    expect([others?.hash, own?.hash]).toEqual([null, '$argon2id$none']);
    expect(await asPerson(halima, 'select * from second_factors')).toEqual([]);
    expect(await asPerson(halima, 'select * from recovery_codes')).toEqual([]);
  });
});

describe('messages of other people', () => {
  test("a member cannot read when others were sent messages: not by account, by phone, or by a phone in another's name", async () => {
    const [halima, amina, saidi] = await Promise.all(['Halima', 'Amina', 'Saidi'].map((name) => people.person(name)));
    await database.owner`insert into operators (user_id, granted_at) values (${halima ?? ''}, now())`;
    await database.owner`
      insert into sms_messages
        (id, user_id, phone, template, text, is_secret, kind, caused_by, state, created_at, send_before)
      values (gen_random_uuid(), ${saidi ?? ''}, '254711999001', 'test', 'Hello', false, 'news', ${saidi ?? ''}, 'queued',
              now(), now() + interval '1 day')`;
    const told = (as: string | undefined, person: string | undefined, cause: string | undefined) =>
      asPerson(
        as ?? '',
        `select counted_by from sms_lately(array['254711999001'], array['news'], array['${person}']::uuid[],
           array['${cause}']::uuid[], now() - interval '1 hour') order by counted_by`,
      ).then((rows) => rows.map(({ counted_by }) => counted_by));
    expect(await told(amina, saidi, saidi)).toEqual([]);
    expect(await told(amina, amina, saidi)).toEqual([]);
    expect(await told(amina, saidi, amina)).toEqual([]);
    expect(await told(saidi, saidi, saidi)).toEqual(['cause', 'phone', 'phone_and_person']);
    expect(await told(halima, saidi, halima)).toEqual(['phone', 'phone_and_person']);
  });
});

/** After each count the application vacuums them, so that no freed place in a file ties a ballot to a voter (decision 192). */
const VACUUMED = ['ballot_tokens', 'proposal_roll'];

describe('neither role of the application has power over the database', () => {
  test('they own nothing, cannot log in, and do not bypass row security', async () => {
    const roles = await database.owner`
      select rolname, rolsuper, rolbypassrls, rolcreatedb, rolcreaterole, rolcanlogin, rolreplication,
        (select count(*)::int from pg_shdepend where refobjid = pg_roles.oid and deptype = 'o') as owned,
        array(select g.rolname::text from pg_auth_members m join pg_roles g on g.oid = m.roleid where m.member = pg_roles.oid)
          as member_of
      from pg_roles where rolname in ('ushirika_app', 'ushirika_member') order by rolname`;
    const powerless = {
      rolsuper: false,
      rolbypassrls: false,
      rolcreatedb: false,
      rolcreaterole: false,
      rolcanlogin: false,
      rolreplication: false,
      owned: 0,
      member_of: [],
    };
    expect(roles).toEqual([
      { rolname: 'ushirika_app', ...powerless },
      { rolname: 'ushirika_member', ...powerless },
    ]);
  });

  test.each(HISTORY)('nobody but the owner changes or deletes in %s', async (table) => {
    const powers = await database.owner<{ role: string; power: string }[]>`
      select role, power from unnest(array['ushirika_app', 'ushirika_member']) role,
        unnest(array['UPDATE', 'DELETE', 'TRUNCATE', 'TRIGGER', 'REFERENCES', 'MAINTAIN']) power
      where has_table_privilege(role, ${table}::regclass, power)`;
    expect(powers).toEqual(VACUUMED.includes(table) ? [{ role: 'ushirika_app', power: 'MAINTAIN' }] : []);
  });

  test('nobody but the owner truncates a table, or deletes money exceptions and receipts', async () => {
    const powers = await database.owner`
      select c.relname, role from pg_class c, unnest(array['ushirika_app', 'ushirika_member']) role
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
        and (has_table_privilege(role, c.oid, 'TRUNCATE')
          or c.relname in ('money_exceptions', 'mpesa_receipts', 'callback_log') and role = 'ushirika_member'
             and has_table_privilege(role, c.oid, 'DELETE')
          or c.relname in ('money_exceptions', 'mpesa_receipts') and has_table_privilege(role, c.oid, 'DELETE'))`;
    expect(powers).toEqual([]);
  });

  test.each([
    'alter table journals disable row level security',
    'alter table journals no force row level security',
    'create policy mine on journals for select using (true)',
    'drop policy person on journals',
    'alter table transfers disable trigger all',
    'alter role ushirika_member bypassrls',
    'set session_replication_role = replica',
    'create table mine (id integer)',
    'create function mine() returns integer language sql as $$ select 1 $$',
    'create temporary table mine (id integer)',
    "select close_table('journals')",
    'select * from platform_secrets',
    'select text from sms_messages',
    'select * from daraja_token',
    'select * from open_prompts',
    'select * from referral_traces',
    'select * from reset_requests',
    'select * from callback_log for update',
    'select * from simulator.message',
    'select * from graphile_worker.jobs',
    'select * from migration.applied',
    'update users set password_hash = password_hash where false returning *; delete from users',
  ])('a person may not: %s', async (statement) => {
    const act = database.owner.begin(async (sql) => {
      await sql`set local role ushirika_member`;
      await sql.unsafe(statement);
    });
    await expect(act).rejects.toMatchObject({ code: '42501' });
  });

  test("functions with the owner's rights are for these two roles, set a search path, and are no others", async () => {
    const functions = await database.owner<{ name: string; is_public: boolean; config: string[] | null }[]>`
      select proname as name, has_function_privilege('public', oid, 'execute') as is_public, proconfig as config
      from pg_proc where pronamespace = 'public'::regnamespace and prosecdef order by proname`;
    expect(functions.filter(({ is_public }) => is_public).map(({ name }) => name)).toEqual([]);
    const unpinned = functions.filter(({ config }) => !config?.some((each) => /^search_path=.*pg_temp$/.test(each)));
    expect(unpinned.map(({ name }) => name)).toEqual([]);
    expect(functions.map(({ name }) => name)).toEqual([
      'application_reason',
      'begin_sacco_terms',
      'belongs_as_another_account',
      'card_taken_back_once',
      'count_secret_ballots',
      'dividends_of',
      'end_identity_of_renamed',
      'enqueue_jobs',
      'erase_log_payload',
      'expelled_as_another_account',
      'expelled_exit_goes_on',
      'expelled_stay_out',
      'give_handle',
      'invitations_to',
      'is_operator',
      'is_receipt_credited',
      'job_figures',
      'keep_former_name',
      'keep_given_up_phones',
      'known_secret_ballots',
      'leave_unsigned_entries',
      'ledger_claim',
      'ledger_lock',
      'ledger_open_accounts',
      'ledger_post',
      'ledger_unclaim',
      'ledger_write',
      'lived_abroad',
      'log_platform_event',
      'make_second_roll',
      'may_prompt',
      'mend_sacco_terms',
      'my_accounts',
      'my_offices',
      'my_phone',
      'my_places_in_pools',
      'my_pools',
      'my_saccos',
      'name_borrower',
      'names_shown_since',
      'nothing_new_binds',
      'offices_end_with_rights',
      'one_no_to_a_change',
      'one_no_to_substitutes',
      'one_refusal_each',
      'one_return_each',
      'open_market',
      'operator_name',
      'operators_names',
      'overdue_refunds',
      'own_code_refused_at',
      'password_hash_of',
      'phone_is_anothers',
      'pools_i_steward',
      'proposal_gets_number',
      'published_secret_ballots',
      'reads_words_of',
      'receipt_is_for_loan',
      'refused_by_nobody',
      'rejected_once',
      'saccos_of_mine',
      'secret_turnout',
      'sign_out_suspended',
      'sms_is_of_accounts',
      'sms_lately',
      'steward_has_money',
      'suspended_wallet',
      'take_prompt',
      'taken_by_others',
      'to_log',
      'two_stewards_agreed',
    ]);
  });
});
