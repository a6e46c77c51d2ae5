import type { LogFacts } from '@ushirika/contract/proofs';
import { areEqual, fromBase64 } from '@ushirika/verifier/bytes';
import { type AskChain, askByFetch } from '@ushirika/verifier/chain';
import type { Crypto } from '@ushirika/verifier/crypto';
import { type Checkpoint, isSignedBy, parseCheckpoint, parseKey } from '@ushirika/verifier/note';
import { type Anchor, checkReceipt, type Receipt, type Step, type StepName } from '@ushirika/verifier/receipt';
import { isConsistent } from '@ushirika/verifier/tree';
import { isDemonstrationChain } from './demonstration-chain.ts';
import { followedKeys, rememberedKeys } from './known-keys.ts';
import type { Absence, ChainFacts, LogSource, LookedUp } from './log-source.ts';
import { isOwnPart } from './own-part.ts';
import type { SavedReceipt } from './saved-receipt.ts';

/**
 * Reasons why a step could not be checked, or failed for a reason of its own. `demonstration`: it passed, and proves little; `moved`: it passed by
 * another chain or contract than the receipt names.
 */
export type Why =
  | 'demonstration'
  | 'moved'
  | 'step_before'
  | 'no_server'
  | 'no_key'
  | 'key_changed'
  | 'not_here'
  | 'not_carried'
  | 'not_written'
  | 'no_chain'
  | 'no_endpoint'
  | 'other_document'
  | 'chain_silent'
  | 'other_chain'
  | 'no_anchor_there';

export interface CheckedStep {
  readonly name: StepName;
  readonly state: Step['state'];
  readonly why?: Why;
}

export interface Checked {
  readonly steps: readonly CheckedStep[];
  /** The log's sacco, where the server was asked. */
  readonly sacco: string | null;
  /** The keys that the server says and this browser has not seen before. */
  readonly newKeys: readonly string[];
  readonly chain: ChainFacts | null;
  /** Why our server, which answered, does not have the log; null where it has it or was not reached. */
  readonly absence: Absence | null;
}

/**
 * `right`: every step passed. `so_far`: no step failed, and the three that need no chain passed. `elsewhere`: nothing failed, and this
 * website does not have the log.
 */
export type Verdict = 'right' | 'so_far' | 'open' | 'elsewhere' | 'wrong';

export function verdictOf({ steps, absence }: Pick<Checked, 'steps' | 'absence'>): Verdict {
  if (steps.some(({ state }) => state === 'failed')) return 'wrong';
  if (absence) return 'elsewhere';
  const open = steps.filter(({ state }) => state === 'open').map(({ name }) => name);
  if (open.length === 0) return 'right';
  return open.some((name) => ['opened', 'in_log', 'signed'].includes(name)) ? 'open' : 'so_far';
}

interface Means {
  readonly crypto: Crypto;
  readonly logs: LogSource;
  /** The chain's endpoint as the reader wants it; null: the one that the log names. */
  readonly endpoint: string | null;
  /** Whether the document may ask other servers than ours: that of /verify alone may (decision 242). */
  readonly mayAskChain: boolean;
  readonly lookUp: (origin: string) => Promise<LookedUp>;
  readonly ask?: AskChain;
}

/** Checks a receipt that somebody kept, with what the server and the chain answer. Never throws. */
export async function checkSaved(saved: SavedReceipt, means: Means): Promise<Checked> {
  const { crypto, logs, endpoint, mayAskChain, ask } = means;
  const origin = saved.entry.log;
  const looking = means.lookUp(origin);
  const early = await checkedAlone(crypto, saved);
  const { facts, absence } = await looking;
  // A server that did not answer is not asked again: without a network each question costs time.
  const known = await followedKeys(crypto, facts ?? { origin, keys: [], key_dates: [] });
  const chain = facts?.chain ?? null;
  const hasMoved = chain !== null && saved.anchor !== null && !isOn(chain, saved.anchor);
  // The contract that a log had before is not asked: what the log's contract has now is proven to be one history with the receipt.
  const brought = hasMoved ? { ...saved, anchor: null } : saved;
  const complete = facts ? await completed(brought, logs) : asReceipt(brought);
  const written = brought.anchor ? null : await newestWriting(means, complete, facts);
  const receipt = written ? { ...complete, anchor: written.anchor } : complete;
  const rpcUrl = endpoint ?? chain?.rpc_url ?? null;
  const asked = listening(ask ?? askByFetch, receipt.anchor?.chain_id);
  const chainAsked =
    rpcUrl && mayAskChain
      ? { rpcUrl, contracts: [chain?.contract ?? receipt.anchor?.contract ?? ''].filter(Boolean), ask: asked.ask }
      : null;
  const steps =
    (!chainAsked && early?.keys.length === known.keys.length && early.steps) ||
    (await checkReceipt(crypto, receipt, { keys: known.keys, chain: chainAsked }));
  const isBroken = receipt.checkpoint !== '' && steps.slice(0, 3).some(({ state }) => state === 'failed');
  const checkpoint = readCheckpoint(receipt.checkpoint);
  const signedAnew = checkpoint !== null && (await isSignedByOne(crypto, checkpoint, known.unseen));
  const silence = absence ? 'not_here' : 'no_server';
  const history = brought.anchor
    ? null
    : await historyOf(means, { receipt, written, keys: known.keys, facts, silence });
  const noAnchor = absence ? 'not_here' : facts === null ? 'not_carried' : chain ? 'not_written' : 'no_chain';
  return {
    steps: steps.map((step): CheckedStep => {
      const { name } = step;
      if (name === 'opened' && saved.own && !isOwnPart(crypto, saved.own, saved.opening.head)) {
        return { name, state: 'failed' };
      }
      if (name === 'in_log') return receipt.checkpoint ? plain(step) : openFor(name, silence);
      if (name === 'signed') return signatureOf(step, { receipt, known: known.keys, signedAnew, silence });
      if (isBroken && (name === 'same_history' || name === 'on_chain')) return openFor(name, 'step_before');
      if (name === 'same_history') return history ?? plain(step);
      if (name !== 'on_chain') return plain(step);
      if (!receipt.anchor) return openFor(name, noAnchor);
      return chainStep(step, receipt.anchor, { rpcUrl, mayAskChain, hasMoved, trouble: asked.trouble() });
    }),
    sacco: facts?.sacco?.name ?? null,
    newKeys: known.unseen,
    chain,
    absence,
  };
}

const isOn = ({ chain_id, contract }: ChainFacts, anchor: Anchor): boolean =>
  chain_id === anchor.chain_id && contract.toLowerCase() === anchor.contract.toLowerCase();

/**
 * The steps of a receipt that brings its proof, by the keys that this browser has seen, while the server is being asked; null for any other.
 * Nothing that the server answers changes them, but for the chain's and a key that is followed.
 */
async function checkedAlone(
  crypto: Crypto,
  saved: SavedReceipt,
): Promise<{ readonly steps: Step[]; readonly keys: readonly string[] } | null> {
  const keys = rememberedKeys(crypto.sha256, saved.entry.log);
  const receipt = asReceipt(saved);
  if (!receipt.checkpoint || keys.length === 0) return null;
  return { steps: await checkReceipt(crypto, receipt, { keys, chain: null }), keys };
}

const plain = ({ name, state }: Step): CheckedStep => ({ name, state });
const openFor = (name: StepName, why: Why): CheckedStep => ({ name, state: 'open', why });

const asReceipt = ({ entry, opening, inclusion, checkpoint, key, anchor }: SavedReceipt): Receipt => ({
  type: 'ushirika-receipt/1',
  entry,
  opening,
  inclusion: inclusion ?? [],
  checkpoint: inclusion && checkpoint ? checkpoint : '',
  key: key ?? '',
  anchor,
});

/** The receipt with what its short form leaves out, as far as the server has it. */
async function completed(saved: SavedReceipt, logs: LogSource): Promise<Receipt> {
  const receipt = asReceipt(saved);
  if (receipt.checkpoint) return receipt;
  const { log, i } = receipt.entry;
  const note = await logs.checkpoint(log);
  const size = note === null ? undefined : readCheckpoint(note)?.size;
  const inclusion = size === undefined ? null : await logs.inclusion(log, i, size);
  return inclusion && note ? { ...receipt, inclusion, checkpoint: note } : receipt;
}

/** The last writing of a log on the chain, and whether that and the receipt's head are one history. */
interface Writing {
  readonly anchor: Anchor;
  readonly isOneHistory: boolean;
}

/**
 * The newest writing on the chain that holds a receipt's entry, as the server names it; null where there is none, or the server does not
 * prove it. Head and writing are each signed or written by themselves, so that either may be the longer one.
 */
async function newestWriting(
  { crypto, logs }: Pick<Means, 'crypto' | 'logs'>,
  { entry, checkpoint }: Receipt,
  facts: LogFacts | null,
): Promise<Writing | null> {
  const own = readCheckpoint(checkpoint);
  const newest = facts?.anchors[0];
  if (!facts?.chain || !newest || !own || newest.size <= entry.i) return null;
  const { chain_id, contract } = facts.chain;
  const heads = [own, { size: newest.size, root: fromBase64(newest.root) }].sort((a, b) => a.size - b.size);
  const isOneHistory = await isContinued({ crypto, logs }, entry.log, heads as [Head, Head]);
  return isOneHistory === null ? null : { anchor: { ...newest, chain_id, contract, consistency: [] }, isOneHistory };
}

type Head = Pick<Checkpoint, 'size' | 'root'>;

/** Whether the second of two heads of a log continues the first; null where the server gives no proof. */
async function isContinued(
  { crypto, logs }: Pick<Means, 'crypto' | 'logs'>,
  log: string,
  [{ size: from, root: fromRoot }, { size: to, root: toRoot }]: readonly [Head, Head],
): Promise<boolean | null> {
  if (from === to) return areEqual(fromRoot, toRoot);
  const proof = await logs.consistency(log, from, to);
  return proof && isConsistent(crypto.sha256, { from, fromRoot, to, toRoot }, readProof(proof));
}

function readCheckpoint(note: string): Checkpoint | null {
  try {
    return parseCheckpoint(note);
  } catch {
    return null;
  }
}

async function isSignedByOne(crypto: Crypto, checkpoint: Checkpoint, vkeys: readonly string[]): Promise<boolean> {
  for (const vkey of vkeys) {
    try {
      if (await isSignedBy(crypto, checkpoint, parseKey(crypto.sha256, vkey))) return true;
    } catch {
      // A key that cannot be read has signed nothing.
    }
  }
  return false;
}

function signatureOf(
  step: Step,
  {
    receipt,
    known,
    signedAnew,
    silence,
  }: { receipt: Receipt; known: readonly string[]; signedAnew: boolean; silence: Why },
): CheckedStep {
  if (!receipt.checkpoint) return openFor('signed', silence);
  if (step.state === 'open' || (known.length === 0 && !receipt.key))
    return openFor('signed', silence === 'not_here' ? silence : 'no_key');
  if (step.state === 'failed' && signedAnew) return { name: 'signed', state: 'failed', why: 'key_changed' };
  return plain(step);
}

/** Whether the log's newest signed head continues the one of a receipt that brings no anchor, and what the chain has is of one history with it. */
async function historyOf(
  { crypto, logs }: Pick<Means, 'crypto' | 'logs'>,
  {
    receipt: { entry, checkpoint },
    written,
    keys,
    facts,
    silence,
  }: {
    receipt: Receipt;
    written: Writing | null;
    keys: readonly string[];
    facts: LogFacts | null;
    silence: Why;
  },
): Promise<CheckedStep> {
  const name = 'same_history';
  if (written?.isOneHistory === false) return { name, state: 'failed' };
  const own = readCheckpoint(checkpoint);
  const newest = facts === null ? null : readCheckpoint((await logs.checkpoint(entry.log)) ?? '');
  if (!own || !newest || newest.origin !== entry.log) return openFor(name, silence);
  if (!(await isSignedByOne(crypto, newest, keys))) return openFor(name, 'no_key');
  // A log that signed more entries than it has now has lost some.
  if (newest.size < own.size) return { name, state: 'failed' };
  const isOne = await isContinued({ crypto, logs }, entry.log, [own, newest]);
  return isOne === null ? openFor(name, silence) : { name, state: isOne ? 'passed' : 'failed' };
}

function readProof(proof: readonly string[]): Uint8Array[] {
  try {
    return proof.map(fromBase64);
  } catch {
    return [];
  }
}

/** Asks a chain, and remembers what kept it from answering. */
function listening(ask: AskChain, chainId: number | undefined): { ask: AskChain; trouble: () => Why | null } {
  let trouble: Why | null = null;
  return {
    trouble: () => trouble,
    async ask(rpcUrl, body) {
      const answer = await ask(rpcUrl, body).catch(() => null);
      const { result } = (answer ?? {}) as { result?: unknown };
      if (typeof result !== 'string') trouble = 'chain_silent';
      else if (body.includes('"eth_chainId"') && Number(result) !== chainId) trouble = 'other_chain';
      return answer;
    },
  };
}

function chainStep(
  step: Step,
  anchor: Anchor,
  given: { rpcUrl: string | null; mayAskChain: boolean; hasMoved: boolean; trouble: Why | null },
): CheckedStep {
  if (!given.mayAskChain) return openFor('on_chain', 'other_document');
  if (!given.rpcUrl) return openFor('on_chain', 'no_endpoint');
  if (given.trouble) return openFor('on_chain', given.trouble);
  if (step.reason?.includes('no anchor')) return { name: 'on_chain', state: 'failed', why: 'no_anchor_there' };
  if (step.state === 'passed' && isDemonstrationChain(anchor.chain_id)) return { ...plain(step), why: 'demonstration' };
  return step.state === 'passed' && given.hasMoved ? { ...plain(step), why: 'moved' } : plain(step);
}
