import { readReceipt, type SavedReceipt, wasReceipt } from './saved-receipt.ts';
import { codeInPicture } from './scan-code.ts';

/** Reasons why something that was given cannot be checked. */
export type Trouble =
  | 'empty'
  | 'number'
  | 'copied'
  | 'plain_pdf'
  | 'no_code'
  | 'no_picture'
  | 'no_reader'
  | 'cut_off'
  | 'unknown';

export type Reading = { readonly receipt: SavedReceipt } | { readonly trouble: Trouble };

/** Far more than a file of ours has. */
const BYTES_MAX = 4_000_000;
/** A receipt's number as pages show it, `U-002625-Z0`, or the number of its entry in the books. */
const NUMBER = /^(U-\d{6,}-[0-9A-Z]{2}|#?\d{1,16})$/i;

/** Reads a text that was pasted, scanned or is in a file. Never throws. */
export async function readText(text: string): Promise<Reading> {
  const receipt = await readReceipt(text);
  return receipt ? { receipt } : { trouble: troubleOf(text.trim()) };
}

function troubleOf(text: string): Trouble {
  if (text === '') return 'empty';
  if (text.startsWith('%PDF-')) return 'plain_pdf';
  if (NUMBER.test(text)) return 'number';
  // Words of "Copy the receipt" begin with our name.
  if (/^Ushirika\r?\n/.test(text) || /\bU-\d{6,}-[0-9A-Z]{2}\b/.test(text)) return 'copied';
  return wasReceipt(text) ? 'cut_off' : 'unknown';
}

/** Reads a file: a receipt in any of its forms, or a picture with its code. Never throws. */
export async function readFile(file: File): Promise<Reading> {
  if (file.size === 0) return { trouble: 'empty' };
  if (file.type.startsWith('image/')) return readPicture(file);
  if (file.size > BYTES_MAX) return { trouble: 'unknown' };
  return file.text().then(readText, (): Reading => ({ trouble: 'unknown' }));
}

async function readPicture(file: File): Promise<Reading> {
  const picture = await createImageBitmap(file).catch(() => null);
  if (!picture) return { trouble: 'no_picture' };
  try {
    const code = await codeInPicture(picture);
    return code === null ? { trouble: 'no_code' } : await readText(code);
  } catch {
    return { trouble: 'no_reader' };
  }
}
