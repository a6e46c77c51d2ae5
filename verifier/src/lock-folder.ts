import { createHash } from 'node:crypto';
import { mkdir, rm, stat } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The program that locks a folder. */
export interface Locker {
  /** Begins the name of the lock: two programs may have one folder. */
  readonly name: string;
  /** The access that others have to a folder that is made; the system's own where it is not given. */
  readonly mode?: number;
  /** @param holder the process that has the folder, where it answers */
  readonly refused: (holder: string | null) => Error;
}

/**
 * Opens a folder for this process alone, and makes it where it is not there. The lock is a socket that the system closes with its process, so that
 * a killed process blocks nobody, and one of two that start at once is refused.
 * @returns the function that gives it free again @throws the error of `refused` where another process has it
 */
export async function lockFolder(folder: string, { name, mode, refused }: Locker): Promise<() => Promise<void>> {
  await mkdir(folder, { recursive: true, ...(mode === undefined ? {} : { mode }) });
  const address = await addressOf(folder, name);
  const free = await listenAt(address);
  if (free) return free;
  const holder = await askHolder(address);
  // Linux and Windows keep no socket of a process that has ended. Elsewhere its file is left.
  if (holder === null && address.endsWith('.sock')) {
    await rm(address, { force: true });
    const late = await listenAt(address);
    if (late) return late;
  }
  throw refused(holder);
}

/** Names the folder by its place on the disk, whatever path leads to it. */
async function addressOf(folder: string, program: string): Promise<string> {
  const { dev, ino } = await stat(folder, { bigint: true });
  const name = `${program}-${createHash('sha256').update(`${dev}:${ino}`).digest('hex').slice(0, 24)}`;
  if (process.platform === 'linux') return `\0${name}`;
  return process.platform === 'win32' ? `\\\\.\\pipe\\${name}` : join(tmpdir(), `${name}.sock`);
}

/** Answers its process id at an address. @returns the function that ends it; null where another one answers there */
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
