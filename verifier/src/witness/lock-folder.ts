import { createHash } from 'node:crypto';
import { mkdir, rm, stat } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Unchecked } from '../files.ts';

/**
 * Opens the folder for this process alone. A second process on the same folder could sign an older head after a newer one. The lock is a socket
 * that the system closes with its process, so that one that was killed blocks nobody, and of two that start at once one is refused.
 * @returns what gives it free again @throws Unchecked where another process has it
 */
export async function lockFolder(folder: string): Promise<() => Promise<void>> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const address = await addressOf(folder);
  const free = await listenAt(address);
  if (free) return free;
  const holder = await askHolder(address);
  // Linux and Windows keep no socket of a process that has ended. Elsewhere its file is left.
  if (holder === null && address.endsWith('.sock')) {
    await rm(address, { force: true });
    const late = await listenAt(address);
    if (late) return late;
  }
  throw new Unchecked(
    `${holder ? `Process ${holder}` : 'Another process'} is a witness with the folder ${folder} already.`,
  );
}

/** Names the folder by its place on the disk, whatever path leads to it. */
async function addressOf(folder: string): Promise<string> {
  const { dev, ino } = await stat(folder, { bigint: true });
  const name = `ushirika-witness-${createHash('sha256').update(`${dev}:${ino}`).digest('hex').slice(0, 24)}`;
  if (process.platform === 'linux') return `\0${name}`;
  return process.platform === 'win32' ? `\\\\.\\pipe\\${name}` : join(tmpdir(), `${name}.sock`);
}

/** Answers its process id at an address. @returns what ends that; null where another one answers there */
function listenAt(address: string): Promise<(() => Promise<void>) | null> {
  const server = createServer((socket) => {
    socket.on('error', () => socket.destroy());
    socket.end(String(process.pid));
  }).unref();
  const close = () => new Promise<void>((resolve) => server.close(() => resolve()));
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      error.code === 'EADDRINUSE' ? resolve(null) : reject(error),
    );
    server.listen({ path: address }, () => resolve(close));
  });
}

/** The id of the process at an address; null where none answers. */
function askHolder(address: string): Promise<string | null> {
  return new Promise((resolve) => {
    const socket = connect({ path: address });
    let answer = '';
    socket.setTimeout(2000, () => socket.destroy());
    socket.on('data', (piece) => {
      answer += String(piece);
    });
    socket.on('error', () => resolve(null));
    socket.on('close', () => resolve(/^\d+$/.test(answer) ? answer : null));
  });
}
