import type { Database } from './db/tx.ts';
import { CLOCKS_APART_MS_MAX, clocksApartMs } from './watched-clock.ts';

/** What PostgreSQL is asked before the first request (threat model, line 19). */
interface Found {
  fsync: string;
  full_page_writes: string;
  data_checksums: string;
  synchronous_commit: string;
  role: string;
  /** Roles of the application that stand above a rule, by name. */
  mighty: string[];
  owning: string[];
  /** Tables that row security does not close. */
  open_tables: string[];
}

/** The database is not one on which members' money may be kept; its message says why, a sentence a line. */
export class UnsoundDatabase extends Error {}

/** Each of these waits until the log is on the disk here, and on a standby where one is waited for. */
const WAITS_FOR_DISK = ['on', 'remote_apply'];

/**
 * Asks whether what was acknowledged stays, whether the application is bound by the database's rules, and whether both
 * have the same time. Returns what is not so, a sentence each.
 */
export async function faultsOfDatabase(database: Pick<Database, 'sql' | 'now'>): Promise<string[]> {
  const [found] = await database.sql<Found[]>`
    select current_setting('fsync') as fsync, current_setting('full_page_writes') as full_page_writes,
      current_setting('data_checksums') as data_checksums, current_setting('synchronous_commit') as synchronous_commit,
      current_user as role,
      array(select rolname::text from pg_roles
            where rolname in ('ushirika_app', 'ushirika_member')
              and (rolsuper or rolbypassrls or rolcreaterole or rolcreatedb or rolreplication)) as mighty,
      array(select distinct r.rolname::text from pg_roles r join pg_class c on c.relowner = r.oid
            where r.rolname in ('ushirika_app', 'ushirika_member')) as owning,
      array(select relname::text from pg_class
            where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relrowsecurity) as open_tables`;
  if (!found) throw new Error('PostgreSQL answered nothing about itself.');
  return [...faultsOfRoles(found), ...faultsOfDurability(found), ...(await faultsOfClock(database))];
}

function faultsOfDurability(found: Found): string[] {
  const mustBeOn = (['fsync', 'full_page_writes', 'data_checksums'] as const).filter((name) => found[name] !== 'on');
  return [
    ...mustBeOn.map((name) => `PostgreSQL runs with ${name} = ${found[name]}: set it on, or a crash loses money.`),
    ...(WAITS_FOR_DISK.includes(found.synchronous_commit)
      ? []
      : [
          `PostgreSQL runs with synchronous_commit = ${found.synchronous_commit}: what it acknowledges may be lost. Set it on.`,
        ]),
  ];
}

function faultsOfRoles({ role, mighty, owning, open_tables }: Found): string[] {
  return [
    ...(role === 'ushirika_app' ? [] : [`The application runs as ${role}: it must run as ushirika_app.`]),
    ...mighty.map((name) => `The role ${name} stands above the database's rules: take its attributes away.`),
    ...owning.map((name) => `The role ${name} owns tables: give them back to the database's owner.`),
    ...open_tables.map((name) => `Row security is off for the table ${name}: enable it.`),
  ];
}

async function faultsOfClock({ sql, now }: Pick<Database, 'sql' | 'now'>): Promise<string[]> {
  const apart = await clocksApartMs(sql, now);
  if (apart <= CLOCKS_APART_MS_MAX) return [];
  return [`The clocks of this machine and of PostgreSQL are ${(apart / 1000).toFixed(1)} s apart: set them right.`];
}

/**
 * In production a database with a fault stops the start. Elsewhere it is told and borne: a test's server need not
 * survive a power cut.
 * @throws UnsoundDatabase
 */
export async function checkDatabase(
  database: Pick<Database, 'sql' | 'now'>,
  options: { readonly isProduction: boolean; readonly warn: (line: string) => void },
): Promise<void> {
  const faults = await faultsOfDatabase(database);
  if (faults.length > 0 && options.isProduction) throw new UnsoundDatabase(faults.join('\n'));
  for (const fault of faults) options.warn(fault);
}
