import { createHash } from 'node:crypto';
import { mkdirSync, statSync } from 'node:fs';
import net from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface FolderLock {
  release(): Promise<void>;
}

/** Another live process uses the folder. The message is written for the person who started us. */
export class FolderInUse extends Error {}

/**
 * Locks a folder for this process. The lock is a listening socket, which the kernel closes when the process ends, so a
 * killed process leaves no stale lock. The socket is named after the folder's identity on disk, not its path. A refused
 * process learns the holder's pid from the socket.
 */
export async function lockFolder(folder: string): Promise<FolderLock> {
  mkdirSync(folder, { recursive: true });
  const address = socketAddress(folder);
  const server = net.createServer((socket) => {
    socket.on('error', () => socket.destroy());
    socket.end(String(process.pid));
  });
  server.unref();
  try {
    await listen(server, address);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    const holder = await askHolder(address);
    throw new FolderInUse(
      `Another Ushirika${holder ? ` (process ${holder})` : ''} is already running on the data folder ${folder}. Stop it first, or set DATA_DIR to another folder.`,
    );
  }
  return { release: () => new Promise((resolve) => server.close(() => resolve())) };
}

function socketAddress(folder: string): string {
  const { dev, ino } = statSync(folder, { bigint: true });
  const name = `ushirika-${createHash('sha256').update(`${dev}:${ino}`).digest('hex').slice(0, 24)}`;
  if (process.platform === 'linux') return `\0${name}`;
  return process.platform === 'win32' ? `\\\\.\\pipe\\${name}` : join(tmpdir(), `${name}.sock`);
}

function listen(server: net.Server, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ path }, () => resolve());
  });
}

function askHolder(path: string): Promise<string | null> {
  return new Promise((resolve) => {
    const socket = net.connect({ path });
    let answer = '';
    socket.setTimeout(500, () => socket.destroy());
    socket.on('data', (chunk) => {
      answer += chunk;
    });
    socket.on('error', () => resolve(null));
    socket.on('close', () => resolve(/^\d+$/.test(answer) ? answer : null));
  });
}
