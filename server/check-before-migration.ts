import postgres from 'postgres';

/** The database that DATABASE_URL names cannot be used; its message says why, and what to do, a sentence a line. */
export class UnfitDatabase extends Error {}

/** PostgreSQL 18, as `server_version_num` has it: the version of the embedded one, which all tests run on. */
const VERSION_NUM_MIN = 180_000;
/** A value that no server has by itself: it shows whether startup parameters arrive. */
const LOCK_TIMEOUT_MS = 9_999;
const POOLER =
  'DATABASE_URL leads to a pooler (PgBouncer, say) that does not pass startup parameters on. Name PostgreSQL itself, or let the pooler keep a session for each connection and pass all of them.';

interface Found {
  version_num: number;
  version: string;
  may_create_roles: boolean;
  may_create: boolean;
  lock_timeout: string;
}

/**
 * Looks at a database before the first migration touches it: its version, the rights of its owner, and whether
 * connections keep their settings. A migration that fails half-way through the list leaves a database of no version.
 * @throws UnfitDatabase
 */
export async function checkBeforeMigration(url: string, versionNumMin = VERSION_NUM_MIN): Promise<void> {
  const sql = postgres(url, {
    max: 1,
    onnotice: () => {},
    connection: { application_name: 'ushirika start', lock_timeout: LOCK_TIMEOUT_MS },
  });
  try {
    const [found] = await sql<Found[]>`
      select current_setting('server_version_num')::int as version_num, current_setting('server_version') as version,
        (select rolcreaterole or rolsuper from pg_roles where rolname = current_user)
          or (select count(*) = 2 from pg_roles where rolname in ('ushirika_app', 'ushirika_member')
              and pg_has_role(current_user, oid, 'member')) as may_create_roles,
        has_database_privilege(current_database(), 'create') as may_create,
        current_setting('lock_timeout') as lock_timeout`;
    const faults = found ? faultsOf(found, versionNumMin) : [];
    if (faults.length > 0) throw new UnfitDatabase(faults.join('\n'));
  } catch (error) {
    if (isRefusedParameter(error)) throw new UnfitDatabase(POOLER);
    throw error;
  } finally {
    await sql.end({ timeout: 1 });
  }
}

function faultsOf(found: Found, versionNumMin: number): string[] {
  const needed = Math.floor(versionNumMin / 10_000);
  return [
    ...(found.version_num < versionNumMin
      ? [`DATABASE_URL leads to PostgreSQL ${found.version}: Ushirika needs PostgreSQL ${needed} or newer.`]
      : []),
    ...(found.may_create_roles
      ? []
      : ['The user of DATABASE_URL may not create roles: run ALTER ROLE … CREATEROLE as a superuser.']),
    ...(found.may_create
      ? []
      : ['The user of DATABASE_URL may not create schemas: make it the owner of the database.']),
    ...(found.lock_timeout === `${LOCK_TIMEOUT_MS}ms` ? [] : [POOLER]),
  ];
}

/** PgBouncer answers 08P01 (protocol violation) to a startup parameter that it does not know. */
function isRefusedParameter(error: unknown): boolean {
  const { code, message = '' } = error as { code?: string; message?: string };
  return code === '08P01' || /startup parameter/i.test(message);
}
