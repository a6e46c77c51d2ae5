import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { messageOf, shown } from '../files.ts';
import { nodeCrypto } from '../node-crypto.ts';
import { formatKey, parseKey } from '../note.ts';
import { type ExitCode, exitCodeOf, line } from '../report.ts';
import { type Followed, followLogs } from './follow-logs.ts';
import { Witness } from './witness.ts';
import { lockWitness, WitnessFolder, witnessIdentity } from './witness-folder.ts';
import { witnessServer } from './witness-server.ts';

/** A witness, from the command line. */
export interface WitnessOptions {
  readonly urls: readonly string[];
  readonly keys: readonly string[];
  readonly folder: string;
  readonly name: string;
  /** Null: in the folder. */
  readonly keyFile: string | null;
  readonly listen: { readonly host: string; readonly port: number } | null;
  /** Null: the logs are read once. */
  readonly everySeconds: number | null;
}

/** The output of a command, the signal that ends one that goes on by itself, and the time. */
export interface Terminal {
  readonly say: (line: string) => void;
  readonly stop: AbortSignal;
  readonly now: () => Date;
}

/**
 * Follows logs and co-signs their heads, once or until `stop`.
 * @returns 1 where two heads do not agree or the last reading found something wrong, 2 where it could not check one
 */
export async function runWitness(options: WitnessOptions, terminal: Terminal): Promise<ExitCode> {
  const { sha256 } = nodeCrypto;
  // The name of a log is the log's own text.
  const say = (words: string) => terminal.say(shown(words));
  const unlock = await lockWitness(options.folder);
  try {
    const given = options.keys.map((key) => parseKey(sha256, key));
    const folder = new WitnessFolder(options.folder, given, ({ words }, path) => {
      say(line('failed', `${words} Both heads are in ${path}.`));
    });
    const keyFile = options.keyFile ?? join(options.folder, 'witness.key');
    const me = await witnessIdentity(options.name, keyFile, terminal.now);
    const vkey = formatKey(sha256, me.key);
    const witness = new Witness(nodeCrypto, folder, me);
    say(`The key of this witness, for everybody: ${vkey}`);
    const server = options.listen && witnessServer(witness, vkey, (error) => say(messageOf(error)));
    if (server && options.listen) {
      const { host, port } = options.listen;
      await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, host, resolve));
      say(`It answers at http://${host}:${(server.address() as AddressInfo).port}/add-checkpoint`);
    }
    try {
      const code = await passes(options, { ...terminal, say }, () => followLogs(options.urls, folder, witness));
      // A head that was posted counts as much as one that was read.
      return (await folder.hasEvidence()) ? 1 : code;
    } finally {
      server?.close();
      server?.closeAllConnections();
    }
  } finally {
    await unlock();
  }
}

/** Goes through the logs, once or again and again. A line that says nothing new is not said again. */
async function passes(
  { everySeconds, listen }: WitnessOptions,
  { say, stop }: Terminal,
  pass: () => Promise<Followed[]>,
): Promise<ExitCode> {
  const said = new Map<string, string>();
  for (;;) {
    const followed = await pass();
    for (const { url, verdict, words } of followed) {
      const text = line(verdict, words);
      if (said.get(url) !== text) say(text);
      said.set(url, text);
    }
    const code = exitCodeOf(followed.map(({ verdict }) => verdict));
    const isOnce = everySeconds === null && listen === null;
    if (isOnce || stop.aborted) return code;
    // A witness that only answers waits until it is stopped.
    const seconds = everySeconds ?? 2_000_000;
    await sleep(seconds * 1000, undefined, { signal: stop }).catch(() => {});
    if (stop.aborted) return code;
  }
}
