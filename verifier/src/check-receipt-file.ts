import { askByFetch } from './chain.ts';
import { messageOf, readText, shown } from './files.ts';
import { nodeCrypto } from './node-crypto.ts';
import { parseCheckpoint, parseKey, parseProof } from './note.ts';
import { checkReceipt, isRight, proofText, type Receipt, type Step, type StepName } from './receipt.ts';
import { exitCodeOf, type Found, line } from './report.ts';

/** Whom and what the reader trusts, from the command line. */
export interface ReceiptTrust {
  readonly keys: readonly string[];
  readonly rpcUrl: string | null;
  /** Contracts of the log: the one of today, and those before it. */
  readonly contracts: readonly string[];
}

const WORDS: Record<StepName, string> = {
  opened: 'The facts on the receipt are the facts that were logged.',
  in_log: 'The entry is in the log, at its place.',
  signed: 'The head of the log is signed by a key that you know.',
  same_history: 'The log on the chain continues the log of this receipt.',
  on_chain: 'The chain itself has this log.',
};

const NO_ENTRY = 'The file holds a proof, and not the entry that it is about.';

/** Checks a receipt in a file: `.json`, or `.tlog-proof`. @throws Unchecked where the file cannot be read */
export async function checkReceiptFile(path: string, trust: ReceiptTrust): Promise<Found> {
  const { receipt, steps, found } = await receiptIn(path, trust);
  if (!receipt) return found;
  return { lines: [...factsOf(receipt), ...found.lines, end(steps)], code: found.code };
}

/**
 * A receipt in a file with its steps, told a line each; null where the file holds none.
 * @throws Unchecked where the file cannot be read
 */
export async function receiptIn(
  path: string,
  trust: ReceiptTrust,
): Promise<{ receipt: Receipt | null; steps: readonly Step[]; found: Found }> {
  const text = await readText(path);
  for (const key of trust.keys) parseKey(nodeCrypto.sha256, key);
  let receipt: Receipt;
  try {
    receipt = text.startsWith('c2sp.org/tlog-proof') ? fromProof(text) : fromJson(text);
  } catch (error) {
    const lines = [line('failed', 'The file is a receipt.', shown(messageOf(error)))];
    return { receipt: null, steps: [], found: { lines, code: 1 } };
  }
  const steps = await check(receipt, trust);
  return { receipt, steps, found: { lines: steps.map(stepLine), code: codeOf(steps, trust) } };
}

function fromJson(text: string): Receipt {
  const value = JSON.parse(text) as Partial<Receipt> | null;
  if (value?.type !== 'ushirika-receipt/1') throw new Error('Its type is not ushirika-receipt/1.');
  return { ...value, anchor: value.anchor ?? null } as Receipt;
}

/** A .tlog-proof of ours holds entry, opening, key and anchor in its extra line; one of another log has none of them. */
function fromProof(text: string): Receipt {
  const { index, proof, checkpoint, extra } = parseProof(text);
  const held = (extra === undefined ? {} : JSON.parse(extra)) as Partial<Receipt>;
  const { entry, opening, key = '', anchor = null } = held;
  if (entry && entry.i !== index) throw new Error('Its proof is of another entry than the one that it holds.');
  const inclusion = proofText(proof);
  return { type: 'ushirika-receipt/1', entry, opening, inclusion, checkpoint, key, anchor } as Receipt;
}

/** The steps. A chain that gives no answer proves nothing against a receipt: that step stays open. */
async function check(receipt: Receipt, { keys, rpcUrl, contracts }: ReceiptTrust): Promise<readonly Step[]> {
  let silence: string | null = null;
  const ask: typeof askByFetch = async (url, body) => {
    try {
      return await askByFetch(url, body);
    } catch (error) {
      silence = `The chain's server gave no answer: ${messageOf(error)}`;
      throw error;
    }
  };
  const steps = await checkReceipt(nodeCrypto, receipt, {
    keys,
    chain: rpcUrl === null ? null : { rpcUrl, contracts, ask },
  });
  return steps.map((step): Step => {
    if (step.name === 'on_chain' && silence !== null) return { name: 'on_chain', state: 'open', reason: silence };
    const isAboutEntry = step.name === 'opened' || step.name === 'in_log';
    if (isAboutEntry && receipt.entry === undefined) return { name: step.name, state: 'open', reason: NO_ENTRY };
    if (step.name === 'signed' && step.state === 'failed' && keys.length === 0 && receipt.key === '') {
      return { name: 'signed', state: 'open', reason: 'The file names no key. Give the key that you know with --key.' };
    }
    return step;
  });
}

/** The facts of the receipt, as JSON, so that nothing in it can pass for a line of ours. */
function factsOf({ entry, opening, checkpoint, key }: Receipt): string[] {
  const lines: string[] = [];
  try {
    const { origin, size } = parseCheckpoint(checkpoint);
    lines.push(`Log:      ${shown(origin)}, ${size} entries when the receipt was made`);
  } catch {}
  if (entry) lines.push(`Entry:    ${shown(`${entry.i}, logged in the hour ${entry.t}`)}`);
  if (opening) {
    lines.push(`Says:     ${json(opening.head)}`);
    for (const part of list(opening.shown)) lines.push(`          ${json((part as { value?: unknown })?.value)}`);
  }
  if (key) lines.push(`Its key:  ${shown(String(key))}`);
  return [...lines, ''];
}

const json = (value: unknown): string => shown(JSON.stringify(value) ?? '');
const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const stepLine = ({ name, state, reason }: Step): string => line(state, WORDS[name], reason && shown(reason));

/** A chain that the reader has named is needed; one that nobody named is not. */
function codeOf(steps: readonly Step[], { rpcUrl }: ReceiptTrust): Found['code'] {
  const isNeeded = ({ name }: Step) => !['same_history', 'on_chain'].includes(name) || rpcUrl !== null;
  const states = (wanted: boolean) => steps.filter((step) => isNeeded(step) === wanted).map(({ state }) => state);
  return exitCodeOf(states(true), states(false));
}

function end(steps: readonly Step[]): string {
  if (steps.some(({ state }) => state === 'failed')) return 'This receipt is NOT right.';
  if (steps.every(({ state }) => state === 'passed')) return 'This receipt is right in every point.';
  return isRight(steps)
    ? 'What was checked is right, and the log is signed. The chain was not part of it.'
    : 'What was checked is right. What was not checked may be wrong.';
}
