import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from './config.ts';
import { runningUrl, startEmbedded } from './db/embedded.ts';
import { FolderInUse } from './db/folder-lock.ts';

export interface FoundDatabase {
  readonly url: string;
  stop(): Promise<void>;
}

const TRIES_MAX = 150;
const PAUSE_MS = 200;

/**
 * Why a tool of the command line finds no database: the data folder has none, and one that is made for it would be empty.
 * Null where there is one, or where DATABASE_URL names it.
 */
export function whyNoDatabase({ databaseUrl, dataDir }: Pick<Config, 'databaseUrl' | 'dataDir'>): string | null {
  if (databaseUrl || existsSync(join(dataDir, 'postgres'))) return null;
  return `There is no database in ${dataDir}: set DATA_DIR or DATABASE_URL.`;
}

/**
 * The database of the settings, for a tool of the command line: DATABASE_URL, or the embedded one, started for the tool,
 * or joined where a server is running it.
 * @throws FolderInUse when that server does not get ready
 */
export async function findDatabase({
  databaseUrl,
  dataDir,
}: Pick<Config, 'databaseUrl' | 'dataDir'>): Promise<FoundDatabase> {
  if (databaseUrl) return { url: databaseUrl, stop: async () => {} };
  // Where the server keeps it (start.ts).
  const folder = join(dataDir, 'postgres');
  try {
    const server = await startEmbedded({ folder });
    return { url: server.url, stop: () => server.stop() };
  } catch (error) {
    if (!(error instanceof FolderInUse)) throw error;
  }
  // A server holds the folder; it may be starting just now.
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    const url = runningUrl(folder);
    if (url) return { url, stop: async () => {} };
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
  throw new FolderInUse('A server is starting on this data folder and its database does not answer. Try again.');
}
