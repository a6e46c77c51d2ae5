import { concat, textOf, toBase64, utf8 } from '@ushirika/verifier/bytes';
import type { LogEntry, Opening } from '@ushirika/verifier/entry';
import { parseProof } from '@ushirika/verifier/note';
import type { Anchor, Receipt } from '@ushirika/verifier/receipt';
import type { OwnLeaf } from './own-part.ts';

/** A receipt as somebody keeps it. The short form of a QR code has neither proof nor checkpoint, and a .tlog-proof of others no key. */
export interface SavedReceipt {
  readonly entry: LogEntry;
  readonly opening: Opening;
  readonly inclusion: readonly string[] | null;
  readonly checkpoint: string | null;
  readonly key: string | null;
  readonly anchor: Anchor | null;
  /** One's own accounts in a total. */
  readonly own?: readonly OwnLeaf[];
}

const TYPE = 'ushirika-receipt/1';
/** Far more than any receipt has. */
const LONGEST = 1_000_000;
const PROOF_FILE = 'c2sp.org/tlog-proof@';

/** The member of a PDF's facts that holds the receipt's code. */
export const PDF_MEMBER = '/UshirikaReceipt';
const IN_PDF = new RegExp(`${PDF_MEMBER} \\(([\\w-]+)\\)`);
/** More lines than the longest code is broken into. */
const PIECES_MAX = 64;

/**
 * Reads what somebody saved, copied or was sent: the JSON of a receipt, a .tlog-proof, a PDF of ours, an address of /verify, or the code in it.
 * Words before and after it, and blanks and lines within a code, are read past. Null where it is none of these.
 */
export async function readReceipt(given: string): Promise<SavedReceipt | null> {
  const text = given.replaceAll('\r\n', '\n').trim();
  if (text.length > LONGEST) return null;
  try {
    const file = text.indexOf(PROOF_FILE);
    if (file >= 0) return fromProofFile(`${text.slice(file)}\n`);
    if (text.includes(TYPE)) return receiptIn(JSON.parse(text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1)));
  } catch {
    return null;
  }
  for (const code of codesIn(text)) {
    const receipt = await receiptOfCode(code);
    if (receipt) return receipt;
  }
  return null;
}

/** Candidates for a receipt's code in a text: of a PDF, of an address, or the text itself. A code may go on after blanks, or end at the first. */
function codesIn(text: string): string[] {
  const inPdf = IN_PDF.exec(text)?.[1];
  if (inPdf !== undefined) return [inPdf];
  const plain = text.replaceAll(/[\u00ad\u200b-\u200d\u2060\ufeff]/g, '');
  const after = /(?:#|%23)r=([\s\S]+)$/.exec(plain)?.[1];
  if (after === undefined) {
    const whole = plain.replaceAll(/\s/g, '');
    return /^[\w-]{40,}$/.test(whole) ? [whole] : [];
  }
  const codes: string[] = [];
  for (const piece of after.trim().split(/\s+/, PIECES_MAX)) codes.push((codes.at(-1) ?? '') + piece);
  return codes.flatMap((code) => /^[\w-]+/.exec(code)?.[0] ?? []);
}

async function receiptOfCode(code: string): Promise<SavedReceipt | null> {
  try {
    return receiptIn(JSON.parse(await inflated(code)));
  } catch {
    return null;
  }
}

/** Whether a text that cannot be read was one of ours before it was cut off or changed. */
export const wasReceipt = (text: string): boolean =>
  text.includes(TYPE) || text.includes(PROOF_FILE) || /(#|%23)r=/.test(text) || /[\w-]{40}/.test(text);

/** The part of a receipt that a QR code holds: all that nobody else can tell. The page asks for the proof and the checkpoint. */
export function shortReceipt({ entry, opening }: Pick<Receipt, 'entry' | 'opening'>): object {
  return { type: TYPE, entry, opening };
}

/** JSON, deflated (RFC 1951), in base64url: what stands behind `/verify#r=`. */
export async function codeOf(receipt: object): Promise<string> {
  const bytes = await through(utf8(JSON.stringify(receipt)), new CompressionStream('deflate-raw'));
  return toBase64(bytes).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

async function inflated(code: string): Promise<string> {
  const bytes = Uint8Array.from(atob(code.replaceAll('-', '+').replaceAll('_', '/')), (one) => one.charCodeAt(0));
  return textOf(await through(bytes, new DecompressionStream('deflate-raw')));
}

/** @throws past the longest receipt, so that a short code cannot fill the memory */
async function through(bytes: Uint8Array, stream: CompressionStream | DecompressionStream): Promise<Uint8Array> {
  const reader = new Blob([bytes as Uint8Array<ArrayBuffer>]).stream().pipeThrough(stream).getReader();
  const pieces: Uint8Array[] = [];
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    length += value.length;
    if (length > LONGEST) throw new Error('This is longer than any receipt.');
    pieces.push(value);
  }
  return concat(...pieces);
}

/** @throws for a file without our extra line, or whose index is another than its entry's */
function fromProofFile(text: string): SavedReceipt | null {
  const { index, proof, checkpoint, extra = '' } = parseProof(text);
  const held = receiptIn({ ...(JSON.parse(extra) as object), type: TYPE });
  if (held?.entry.i !== index) return null;
  return { ...held, inclusion: proof.map(toBase64), checkpoint };
}

type Named = Readonly<Record<string, unknown>>;
const isNamed = (value: unknown): value is Named =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isText = (value: unknown): value is string => typeof value === 'string';
const areTexts = (value: unknown): value is string[] => Array.isArray(value) && value.every(isText);

/** The receipt in a JSON value, or null where the value has another shape. What it says is checked elsewhere. */
export function receiptIn(value: unknown): SavedReceipt | null {
  if (!isNamed(value) || value.type !== TYPE) return null;
  const { entry, opening, inclusion = null, checkpoint = null, key = null, anchor = null } = value;
  if (!isEntry(entry) || !isOpening(opening)) return null;
  if (inclusion !== null && !areTexts(inclusion)) return null;
  if (checkpoint !== null && !isText(checkpoint)) return null;
  if (key !== null && !isText(key)) return null;
  if (anchor !== null && !isAnchor(anchor)) return null;
  const { own } = value;
  if (own !== undefined && !areOwnLeaves(own)) return null;
  const held = { entry, opening, inclusion, checkpoint: checkpoint || null, key: key || null, anchor };
  return own ? { ...held, own } : held;
}

function isEntry(value: unknown): value is LogEntry {
  if (!isNamed(value) || !Number.isSafeInteger(value.i)) return false;
  return [value.log, value.t, value.k, value.c, value.p].every(isText);
}

function isOpening(value: unknown): value is Opening {
  if (!isNamed(value) || !isText(value.salt) || !areTexts(value.parts) || value.head === undefined) return false;
  const { shown } = value;
  return (
    Array.isArray(shown) &&
    shown.every((part) => isNamed(part) && Number.isSafeInteger(part.at) && isText(part.salt) && 'value' in part)
  );
}

const areOwnLeaves = (value: unknown): value is OwnLeaf[] =>
  Array.isArray(value) &&
  value.every(
    (leaf) =>
      isNamed(leaf) &&
      [leaf.account, leaf.amount].every(Number.isSafeInteger) &&
      [leaf.kind, leaf.salt].every(isText) &&
      Array.isArray(leaf.steps) &&
      leaf.steps.every((step) => isNamed(step) && Number.isSafeInteger(step.sum) && isText(step.hash)),
  );

function isAnchor(value: unknown): value is Anchor {
  if (!isNamed(value) || !areTexts(value.consistency)) return false;
  const { contract, root, chain_id, size } = value;
  return [contract, root].every(isText) && [chain_id, size].every(Number.isSafeInteger);
}
