import { areEqual, fromBase64, toBase64 } from './bytes.ts';
import { type AskChain, logIdOf, rootOnChain } from './chain.ts';
import type { Crypto } from './crypto.ts';
import { isOpenedBy, type LogEntry, leafOf, type Opening } from './entry.ts';
import { type Checkpoint, formatProof, isSignedBy, parseCheckpoint, parseKey, type VerifierKey } from './note.ts';
import { isConsistent, rootOfInclusion } from './tree.ts';

/** The chain's record of a later tree of the log, and the proof that the receipt's tree is its beginning. */
export interface Anchor {
  readonly chain_id: number;
  /** The address of SaccoAnchor, `0x` and 40 digits. */
  readonly contract: string;
  readonly size: number;
  /** Base64. */
  readonly root: string;
  /** From the checkpoint's tree to the anchored one, base64. */
  readonly consistency: readonly string[];
}

/** The proof of an entry that a member keeps: it is checked without the server that made it. */
export interface Receipt {
  readonly type: 'ushirika-receipt/1';
  readonly entry: LogEntry;
  readonly opening: Opening;
  /** From the entry to the checkpoint's root, base64. */
  readonly inclusion: readonly string[];
  /** A signed note. */
  readonly checkpoint: string;
  /** The log's key at the time, as a vkey. */
  readonly key: string;
  readonly anchor: Anchor | null;
}

export type StepName = 'opened' | 'in_log' | 'signed' | 'same_history' | 'on_chain';

/** `passed`, `failed`, or `open`: nothing was there to check it with. */
export interface Step {
  readonly name: StepName;
  readonly state: 'passed' | 'failed' | 'open';
  /** A short reason in English where it did not pass. */
  readonly reason?: string;
}

/** The keys that the reader trusts, and how the chain is asked. */
export interface Trust {
  /** Keys of the log that the reader knows, as vkeys. Where there are none, the receipt's own key is checked, and the step stays open. */
  readonly keys: readonly string[];
  /** Null: the chain is not asked. `contracts`: those that the reader knows; a log may have had another one before. */
  readonly chain: { readonly rpcUrl: string; readonly contracts: readonly string[]; readonly ask: AskChain } | null;
}

/** Checks a receipt, step by step. A step that cannot be read fails; none throws. */
export async function checkReceipt(crypto: Crypto, receipt: Receipt, trust: Trust): Promise<Step[]> {
  const checkpoint = attempt(() => parseCheckpoint(receipt.checkpoint));
  const signed = [
    await step('opened', () => checkOpening(crypto, receipt)),
    await step('in_log', () => checkInclusion(crypto, receipt, checkpoint)),
    await step('signed', () => checkSignature(crypto, receipt, checkpoint, trust)),
  ];
  // The history of a head that nobody has signed says nothing of the log.
  const isSigned = signed.every(({ state }) => state !== 'failed');
  const inTurn = async (name: StepName, check: () => Found | Promise<Found>): Promise<Step> =>
    isSigned ? step(name, check) : { name, state: 'open', reason: 'A step before it failed.' };
  return [
    ...signed,
    await inTurn('same_history', () => checkHistory(crypto, receipt, checkpoint)),
    await inTurn('on_chain', () => checkChain(crypto, receipt, trust)),
  ];
}

/** Whether all that could be checked is right, and the three steps that need no chain were checked. */
export function isRight(steps: readonly Step[]): boolean {
  const needed: readonly StepName[] = ['opened', 'in_log', 'signed'];
  return steps.every(({ name, state }) => state === 'passed' || (state === 'open' && !needed.includes(name)));
}

type Found = true | { open: string } | { failed: string };

async function step(name: StepName, check: () => Found | Promise<Found>): Promise<Step> {
  try {
    const found = await check();
    if (found === true) return { name, state: 'passed' };
    return 'open' in found
      ? { name, state: 'open', reason: found.open }
      : { name, state: 'failed', reason: found.failed };
  } catch (error) {
    return { name, state: 'failed', reason: error instanceof Error ? error.message : String(error) };
  }
}

function attempt<T>(read: () => T): T | null {
  try {
    return read();
  } catch {
    return null;
  }
}

function checkOpening({ sha256 }: Crypto, { entry, opening }: Receipt): Found {
  if (isOpenedBy(sha256, entry, opening)) return true;
  return { failed: 'The facts on this receipt are not the facts that were logged.' };
}

function checkInclusion({ sha256 }: Crypto, { entry, inclusion }: Receipt, checkpoint: Checkpoint | null): Found {
  if (!checkpoint) return { failed: 'The checkpoint cannot be read.' };
  if (entry.log !== checkpoint.origin) return { failed: 'The checkpoint is of another log.' };
  const proof = inclusion.map(fromBase64);
  const root = rootOfInclusion(sha256, leafOf(sha256, entry), { index: entry.i, size: checkpoint.size, proof });
  if (root && areEqual(root, checkpoint.root)) return true;
  return { failed: 'The entry is not in the log that this checkpoint describes.' };
}

async function checkSignature(
  crypto: Crypto,
  receipt: Receipt,
  checkpoint: Checkpoint | null,
  { keys }: Trust,
): Promise<Found> {
  if (!checkpoint) return { failed: 'The checkpoint cannot be read.' };
  const tried = (keys.length > 0 ? keys : [receipt.key])
    .map((vkey): VerifierKey | null => attempt(() => parseKey(crypto.sha256, vkey)))
    .filter((key) => key?.type === 'log' && key.name === checkpoint.origin);
  for (const key of tried) {
    if (!key || !(await isSignedBy(crypto, checkpoint, key))) continue;
    if (keys.length > 0) return true;
    return { open: 'You know no key of this log; the key on the receipt itself fits.' };
  }
  return { failed: 'No key that you know of this log has signed the checkpoint.' };
}

function checkHistory({ sha256 }: Crypto, { anchor }: Receipt, checkpoint: Checkpoint | null): Found {
  if (!anchor) return { open: 'This receipt was saved before the log was anchored again.' };
  if (!checkpoint) return { failed: 'The checkpoint cannot be read.' };
  const { size: from, root: fromRoot } = checkpoint;
  const trees = { from, fromRoot, to: anchor.size, toRoot: fromBase64(anchor.root) };
  if (isConsistent(sha256, trees, anchor.consistency.map(fromBase64))) return true;
  return { failed: 'The anchored log does not begin with the log of this receipt: its history was changed.' };
}

async function checkChain({ sha256 }: Crypto, { anchor, entry }: Receipt, { chain }: Trust): Promise<Found> {
  if (!anchor) return { open: 'This receipt was saved before the log was anchored again.' };
  if (!chain) return { open: 'No chain was asked.' };
  if (chain.contracts.length === 0)
    return { open: 'You named no contract: another one may hold whatever its owner likes.' };
  if (!chain.contracts.some((known) => known.toLowerCase() === anchor.contract.toLowerCase())) {
    return { failed: 'The receipt names another contract than those that you know.' };
  }
  const where = { rpcUrl: chain.rpcUrl, chainId: anchor.chain_id, contract: anchor.contract };
  const root = await rootOnChain(chain.ask, where, { logId: logIdOf(sha256, entry.log), size: anchor.size });
  if (!root) return { failed: 'The chain has no anchor of this log at this size.' };
  return areEqual(root, fromBase64(anchor.root)) ? true : { failed: 'The chain has another root than this receipt.' };
}

/** The receipt as a file of C2SP that other tools read; what these have no place for travels in its extra line. */
export function tlogProofOf({ entry, inclusion, checkpoint, opening, key, anchor }: Receipt): string {
  return formatProof({
    index: entry.i,
    proof: inclusion.map(fromBase64),
    checkpoint,
    extra: JSON.stringify({ entry, opening, key, anchor }),
  });
}

/** Base64 of each hash, as receipts write proofs. */
export const proofText = (proof: readonly Uint8Array[]): string[] => proof.map(toBase64);
