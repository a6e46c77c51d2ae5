import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';

/** The user that PostgreSQL runs as; null: our own. */
export type RunAs = { readonly uid: number; readonly gid: number } | null;

/** Where root keeps files that the unprivileged user could not reach in the repository or the data folder. */
const reachableBase = '/var/lib/ushirika';

/**
 * PostgreSQL refuses to run as root. Started as root, it runs as the owner of an existing cluster, else as the user
 * `postgres`, else as `nobody`. No user is added to the machine.
 */
export function chooseRunAs(clusterFolder: string): RunAs {
  if (process.getuid?.() !== 0) return null;
  if (existsSync(clusterFolder)) {
    const { uid, gid } = statSync(clusterFolder);
    if (uid !== 0) return { uid, gid };
  }
  for (const name of ['postgres', 'nobody']) {
    const user = readFileSync('/etc/passwd', 'utf8')
      .split('\n')
      .map((line) => line.split(':'))
      .find((fields) => fields[0] === name && Number(fields[2]) > 0);
    if (user) return { uid: Number(user[2]), gid: Number(user[3]) };
  }
  throw new Error(
    'PostgreSQL does not run as root, and this machine has neither a user "postgres" nor "nobody" to run it as. Start as an ordinary user, or set DATABASE_URL.',
  );
}

/**
 * The folder of the cluster: the wanted one, or, if the unprivileged user cannot reach it (a clone in /root, say), one
 * below /var/lib/ushirika that a file `location` in the wanted folder names.
 */
export function reachableFolder(wanted: string, runAs: RunAs): string {
  mkdirSync(wanted, { recursive: true });
  const pointer = join(wanted, 'location');
  if (existsSync(pointer)) return ownFolder(readFileSync(pointer, 'utf8').trim(), runAs);
  if (!runAs || letPass(realpathSync(dirname(resolve(wanted))), runAs)) return ownFolder(wanted, runAs);
  const folder = join(reachableBase, `data-${randomBytes(8).toString('hex')}`);
  makeReachableBase();
  mkdirSync(folder);
  writeFileSync(pointer, `${folder}\n`);
  return ownFolder(folder, runAs);
}

/** The folder of PostgreSQL's programs: as installed, or a copy that the unprivileged user can run. */
export function reachablePrograms(native: string, version: string, runAs: RunAs): string {
  if (!runAs || canRun(native, runAs)) return native;
  const copy = join(reachableBase, `postgresql-${version}`);
  if (existsSync(copy) && canRun(copy, runAs)) return copy;
  makeReachableBase();
  const unfinished = `${copy}.${process.pid}`;
  cpSync(native, unfinished, { recursive: true, verbatimSymlinks: true });
  rmSync(copy, { recursive: true, force: true });
  renameSync(unfinished, copy);
  if (!canRun(copy, runAs)) {
    throw new Error(
      `The unprivileged user ${runAs.uid} can run PostgreSQL neither from ${native} nor from ${copy}. Start as an ordinary user, or set DATABASE_URL.`,
    );
  }
  return copy;
}

function ownFolder(folder: string, runAs: RunAs): string {
  mkdirSync(folder, { recursive: true });
  if (runAs) chownSync(folder, runAs.uid, runAs.gid);
  chmodSync(folder, 0o700);
  return realpathSync(folder);
}

function makeReachableBase(): void {
  mkdirSync(reachableBase, { recursive: true });
  chmodSync(reachableBase, 0o755);
}

function canRun(native: string, runAs: NonNullable<RunAs>): boolean {
  const tried = spawnSync(join(native, 'bin', 'postgres'), ['--version'], { ...runAs, cwd: '/', stdio: 'ignore' });
  return tried.status === 0 && canReach(join(native, 'share'), runAs);
}

/**
 * Whether the user can reach the folder. If only root's own data folder is in the way, it is given search permission.
 */
function letPass(folder: string, runAs: NonNullable<RunAs>): boolean {
  if (canReach(folder, runAs)) return true;
  const { mode, uid } = statSync(folder);
  if (uid !== 0 || !canReach(dirname(folder), runAs)) return false;
  chmodSync(folder, (mode & 0o777) | 0o001);
  return true;
}

/** Whether the modes of all parent folders let the user pass. */
function canReach(folder: string, runAs: NonNullable<RunAs>): boolean {
  const { mode, uid, gid } = statSync(folder);
  const bit = uid === runAs.uid ? 0o100 : gid === runAs.gid ? 0o010 : 0o001;
  if ((mode & bit) === 0) return false;
  return basename(folder) === '' || canReach(dirname(folder), runAs);
}
