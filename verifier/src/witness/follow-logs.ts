import { ask, askJson, part } from '../ask-log.ts';
import { toBase64 } from '../bytes.ts';
import { askConsistency } from '../check-consistency.ts';
import { messageOf, shown, Unchecked } from '../files.ts';
import { nodeCrypto } from '../node-crypto.ts';
import { type Checkpoint, formatKey, parseCheckpoint, parseKey } from '../note.ts';
import type { Verdict } from '../report.ts';
import { isConsistent } from '../tree.ts';
import type { Witness } from './witness.ts';
import type { WitnessFolder } from './witness-folder.ts';

const { sha256 } = nodeCrypto;
const AT_ONCE = 8;

/** The result of one log in one pass. */
export interface Followed {
  readonly url: string;
  readonly verdict: Verdict;
  readonly words: string;
}

/** Reads the head of each log once, and has it co-signed where it continues the one before. */
export async function followLogs(
  urls: readonly string[],
  folder: WitnessFolder,
  witness: Witness,
): Promise<Followed[]> {
  const followed: Followed[] = [];
  for (let at = 0; at < urls.length; at += AT_ONCE) {
    const some = urls.slice(at, at + AT_ONCE).map(async (url): Promise<Followed> => {
      try {
        return { url, ...(await follow(url, folder, witness)) };
      } catch (error) {
        if (!(error instanceof Unchecked)) throw error;
        return { url, verdict: 'open', words: error.message };
      }
    });
    followed.push(...(await Promise.all(some)));
  }
  return followed;
}

type Result = Omit<Followed, 'url'>;

async function follow(url: string, folder: WitnessFolder, witness: Witness): Promise<Result> {
  const note = await ask(part(url, 'checkpoint'));
  const head = readHead(url, note);
  const before = (await folder.logs()).find((log) => log.url === url);
  if (before && before.origin !== head.origin) {
    return failed(`This address showed the log ${before.origin}. Now it shows the log ${shown(head.origin)}.`);
  }
  const trusted = before ? '' : await takeUp(url, head, folder);
  const known = (await folder.log(head.origin))?.note ?? null;
  const last = known === null ? null : parseCheckpoint(known);
  if (last && head.size < last.size)
    return older(url, { head, last, notes: [known as string, note] }, { folder, witness });
  const isGrown = last !== null && last.size > 0 && last.size < head.size;
  const proof = isGrown ? await askConsistency(url, last.size, head.size) : [];
  const body = [`old ${last?.size ?? 0}`, ...proof.map(toBase64), '', note].join('\n');
  const { status, body: words } = await witness.addCheckpoint(body);
  if (status === 200) {
    const over = await endOf(url, head.origin);
    if (over !== null) return failed(`${head.origin}: ${head.size} entries, co-signed, and ${over}`);
    return { verdict: 'passed', words: `${head.origin}: ${head.size} entries, co-signed.${trusted}` };
  }
  if (status === 422 && known !== null) {
    const evidence = `The log ${head.origin} gives no proof that its ${head.size} entries continue its ${last?.size ?? 0} entries.`;
    await witness.keepEvidence(head.origin, { words: evidence, notes: [known, note] });
  }
  return refused(head, { status, words }, folder);
}

function readHead(url: string, note: string): Checkpoint {
  try {
    return parseCheckpoint(note);
  } catch (error) {
    throw new Unchecked(`${url} shows no head of a log: ${messageOf(error)}`);
  }
}

const failed = (words: string): Result => ({ verdict: 'failed', words });

/** The answer of the witness in words. Where heads do not agree, the file says that holds both. */
async function refused(
  { origin }: Checkpoint,
  { status, words }: { status: number; words: string },
  folder: WitnessFolder,
): Promise<Result> {
  if ((await folder.log(origin))?.isBroken) {
    return failed(`${origin}: TWO SIGNED HEADS DO NOT AGREE. Both are in ${folder.evidencePath(origin)}.`);
  }
  if (status === 403)
    return failed(`${origin}: no key that this witness knows has signed the head. A new key is given with --key.`);
  const moved = 'another head was co-signed meanwhile';
  return { verdict: 'open', words: `${origin}: not co-signed: ${status === 409 ? moved : words.trim()}.` };
}

/**
 * Takes up a log at its first head. Keys that the operator gave are the only ones; without any, those that the log itself names are
 * taken on trust, and that is said.
 */
async function takeUp(url: string, { origin }: Checkpoint, folder: WitnessFolder): Promise<string> {
  const there = await folder.log(origin);
  if (there) {
    await folder.keepLog({ origin, url, keys: there.keys.map((key) => formatKey(sha256, key)) });
    return '';
  }
  const { keys } = await askJson(url);
  const own = (Array.isArray(keys) ? keys : []).filter((vkey): vkey is string => {
    try {
      const { name, type } = parseKey(sha256, String(vkey));
      return name === origin && type === 'log';
    } catch {
      return false;
    }
  });
  if (own.length === 0) throw new Unchecked(`${url} names no key of the log ${shown(origin)}. Give it with --key.`);
  await folder.keepLog({ origin, url, keys: own });
  return ` Its key was taken on trust, from the log itself: ${own.join(', ')}`;
}

/** A sentence where the log's own server says that it is halted, or ended; null where it goes on, or where the server says nothing of it. */
async function endOf(url: string, origin: string): Promise<string | null> {
  const facts = await askJson(url).catch((error: unknown) => {
    if (error instanceof Unchecked) return {} as { readonly [name: string]: unknown };
    throw error;
  });
  const generations = (Array.isArray(facts.generations) ? facts.generations : []) as Generation[];
  const at = generations.findIndex((each) => each?.origin === origin);
  const next = at < 0 ? undefined : generations[at + 1];
  if (next) return `it has ended: ${shown(String(next.origin))} was begun instead. Ask why, and follow that one too.`;
  return typeof facts.halted_at === 'string' ? 'it is halted: nothing more of it is signed. Ask why.' : null;
}

interface Generation {
  readonly origin?: unknown;
}

/** A head that is older than the one that was co-signed: a server that lags, or one that was set back. */
async function older(
  url: string,
  { head, last, notes }: { head: Checkpoint; last: Checkpoint; notes: readonly [string, string] },
  { folder, witness }: { folder: WitnessFolder; witness: Witness },
): Promise<Result> {
  const words = `${head.origin}: shows ${head.size} entries, and had ${last.size} before.`;
  if (!(await witness.isSigned(head))) return refused(head, { status: 403, words }, folder);
  if (head.size === 0) return { verdict: 'open', words };
  const proof = await askConsistency(url, head.size, last.size);
  const trees = { from: head.size, fromRoot: head.root, to: last.size, toRoot: last.root };
  if (isConsistent(sha256, trees, proof)) return { verdict: 'open', words: `${words} They are the beginning of them.` };
  await witness.keepEvidence(head.origin, { words, notes });
  return refused(head, { status: 422, words }, folder);
}
