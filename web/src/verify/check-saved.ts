import { areEqual, fromBase64 } from '@ushirika/verifier/bytes';
import { type AskChain, askByFetch } from '@ushirika/verifier/chain';
import type { Crypto } from '@ushirika/verifier/crypto';
import { type Checkpoint, isSignedBy, parseCheckpoint, parseKey } from '@ushirika/verifier/note';
import { checkReceipt, type Receipt, type Step, type StepName } from '@ushirika/verifier/receipt';
import { isConsistent } from '@ushirika/verifier/tree';
import { isDemonstrationChain } from './demonstration-chain.ts';
import { rememberedKeys, rememberKeys } from './known-keys.ts';
import type { ChainFacts, LogSource } from './log-source.ts';
import type { SavedReceipt } from './saved-receipt.ts';

/** Why a step could not be checked, or failed for a reason of its own; `demonstration`: it passed, and proves little. */
export type Why =
  | 'demonstration'
  | 'no_server'
  | 'no_key'
  | 'key_changed'
  | 'not_anchored'
  | 'no_endpoint'
  | 'other_document'
  | 'chain_silent'
  | 'other_chain'
  | 'other_contract'
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
}

/** `right`: every step passed. `so_far`: no step failed, and the three that need no chain passed. */
export type Verdict = 'right' | 'so_far' | 'open' | 'wrong';

export function verdictOf(steps: readonly CheckedStep[]): Verdict {
  if (steps.some(({ state }) => state === 'failed')) return 'wrong';
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
  readonly ask?: AskChain;
}

/** Checks a receipt that somebody kept, with what the server and the chain answer. Never throws. */
export async function checkSaved(
  saved: SavedReceipt,
  { crypto, logs, endpoint, mayAskChain, ask }: Means,
): Promise<Checked> {
  const origin = saved.entry.log;
  const facts = await logs.facts(origin);
  const receipt = await completed(saved, logs);
  const known = keysOf(crypto, origin, facts?.keys ?? []);
  const chain = facts?.chain ?? null;
  const rpcUrl = endpoint ?? chain?.rpc_url ?? null;
  const asked = listening(ask ?? askByFetch, receipt.anchor?.chain_id);
  // The log may have moved to another chain since. Of the one before, only its number is known, and no contract.
  const hasMoved = chain !== null && receipt.anchor !== null && chain.chain_id !== receipt.anchor.chain_id;
  const steps = await checkReceipt(crypto, receipt, {
    keys: known.keys,
    chain: rpcUrl && mayAskChain && !hasMoved ? { rpcUrl, contract: chain?.contract ?? null, ask: asked.ask } : null,
  });
  const checkpoint = readCheckpoint(receipt.checkpoint);
  const signedAnew = checkpoint !== null && (await isSignedByOne(crypto, checkpoint, known.unseen));
  const history = receipt.anchor ? null : await newestHistory({ crypto, logs }, receipt, known.keys);
  return {
    steps: steps.map((step): CheckedStep => {
      const { name } = step;
      if (name === 'in_log') return receipt.checkpoint ? plain(step) : openFor(name, 'no_server');
      if (name === 'signed') return signatureOf(step, { receipt, known: known.keys, signedAnew });
      if (name === 'same_history') return history ?? plain(step);
      return name === 'on_chain'
        ? chainStep(step, receipt, { rpcUrl, mayAskChain, trouble: hasMoved ? 'other_chain' : asked.trouble() })
        : plain(step);
    }),
    sacco: facts?.sacco?.name ?? null,
    newKeys: known.unseen,
    chain,
  };
}

const plain = ({ name, state }: Step): CheckedStep => ({ name, state });
const openFor = (name: StepName, why: Why): CheckedStep => ({ name, state: 'open', why });

/** The receipt with what its short form leaves out, as far as the server has it. */
async function completed(saved: SavedReceipt, logs: LogSource): Promise<Receipt> {
  const { entry, opening, anchor } = saved;
  const receipt = { type: 'ushirika-receipt/1' as const, entry, opening, anchor, key: saved.key ?? '' };
  if (saved.inclusion && saved.checkpoint) {
    return { ...receipt, inclusion: saved.inclusion, checkpoint: saved.checkpoint };
  }
  const note = await logs.checkpoint(entry.log);
  const size = note === null ? undefined : readCheckpoint(note)?.size;
  const inclusion = size === undefined ? null : await logs.inclusion(entry.log, entry.i, size);
  return { ...receipt, inclusion: inclusion ?? [], checkpoint: inclusion && note ? note : '' };
}

/** The keys that this browser knows of a log. The first that it is told are kept. */
function keysOf({ sha256 }: Crypto, origin: string, told: readonly string[]): { keys: string[]; unseen: string[] } {
  const before = rememberedKeys(sha256, origin);
  if (before.length > 0) return { keys: before, unseen: told.filter((key) => !before.includes(key)) };
  if (told.length > 0) rememberKeys(sha256, origin, told);
  return { keys: [...told], unseen: [] };
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
  { receipt, known, signedAnew }: { receipt: Receipt; known: readonly string[]; signedAnew: boolean },
): CheckedStep {
  if (!receipt.checkpoint) return openFor('signed', 'no_server');
  if (step.state === 'open' || (known.length === 0 && !receipt.key)) return openFor('signed', 'no_key');
  if (step.state === 'failed' && signedAnew) return { name: 'signed', state: 'failed', why: 'key_changed' };
  return plain(step);
}

/** Whether the log's newest signed head continues the one of a receipt that no chain knows yet. */
async function newestHistory(
  { crypto, logs }: Pick<Means, 'crypto' | 'logs'>,
  { entry, checkpoint }: Receipt,
  keys: readonly string[],
): Promise<CheckedStep> {
  const name = 'same_history';
  const own = readCheckpoint(checkpoint);
  const newest = readCheckpoint((await logs.checkpoint(entry.log)) ?? '');
  if (!own || !newest || newest.origin !== entry.log) return openFor(name, 'no_server');
  if (!(await isSignedByOne(crypto, newest, keys))) return openFor(name, 'no_key');
  const { size: from, root: fromRoot } = own;
  const { size: to, root: toRoot } = newest;
  // A log that signed more entries than it has now has lost some.
  if (to < from) return { name, state: 'failed' };
  if (from === to) return { name, state: areEqual(fromRoot, toRoot) ? 'passed' : 'failed' };
  const proof = await logs.consistency(entry.log, from, to);
  if (proof === null) return openFor(name, 'no_server');
  const isOne = isConsistent(crypto.sha256, { from, fromRoot, to, toRoot }, readProof(proof));
  return { name, state: isOne ? 'passed' : 'failed' };
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
  { anchor }: Receipt,
  { rpcUrl, mayAskChain, trouble }: { rpcUrl: string | null; mayAskChain: boolean; trouble: Why | null },
): CheckedStep {
  if (!anchor) return openFor('on_chain', 'not_anchored');
  if (!mayAskChain) return openFor('on_chain', 'other_document');
  if (!rpcUrl) return openFor('on_chain', 'no_endpoint');
  if (trouble) return openFor('on_chain', trouble);
  if (step.reason?.includes('another contract')) return { name: 'on_chain', state: 'failed', why: 'other_contract' };
  if (step.reason?.includes('no anchor')) return { name: 'on_chain', state: 'failed', why: 'no_anchor_there' };
  if (step.state === 'passed' && isDemonstrationChain(anchor.chain_id)) return { ...plain(step), why: 'demonstration' };
  return plain(step);
}
