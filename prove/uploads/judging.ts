import sharp from 'sharp';
import type { Answer, Person, Product } from '../support/product.ts';
import { CANARY } from './pictures.ts';

const SIDE_MAX = 512;
/** A picture of ours is drawn within this, whatever was sent. */
const MS_MAX = 10_000;
/** Chunks of a WebP that are the picture; all others (EXIF, XMP, ICCP, ANIM) are luggage. */
const PICTURE_CHUNKS = new Set(['VP8 ', 'VP8L', 'VP8X', 'ALPH']);
const REFUSALS = new Set([400, 408, 413, 415]);

export interface Sent {
  readonly name: string;
  readonly regNo: string;
  readonly fate: 'stored' | 'ignored' | 'refused' | 'either';
  /** The file's own bytes, of which nothing may come back; null where no file was sent. */
  readonly bytes: Buffer | null;
}

/** Holds every answer, everything stored and everything served to the promise. Returns what was violated. */
export async function judge(product: Product, sent: Sent, answer: Answer, ms: number): Promise<string[]> {
  const found: string[] = [];
  const say = (what: string) => found.push(`${sent.name}: ${what}`);
  const [row] = await product.database.owner<{ id: string; logo_version: string | null; row: string }[]>`
    select id, logo_version, to_jsonb(s)::text as row from saccos s where reg_no = ${sent.regNo}`;
  const outcome = row === undefined ? 'refused' : row.logo_version === null ? 'ignored' : 'stored';
  if (ms > MS_MAX) say(`it took ${Math.round(ms)} ms`);
  if (answer.status >= 500) say(`it was answered ${answer.status}: ${answer.text.slice(0, 200)}`);
  if (sent.fate !== 'either' && outcome !== sent.fate) say(`it was ${outcome}, not ${sent.fate} (${told(answer)})`);
  if (outcome === 'refused') {
    if (!REFUSALS.has(answer.status) || !answer.body?.code) say(`it was refused without a clear word: ${told(answer)}`);
    return found;
  }
  if (answer.status !== 201) say(`it left a sacco behind and was answered ${told(answer)}`);
  if (row?.row.includes(CANARY)) say('what its form carried is in the sacco’s row');
  if (outcome === 'stored' && row) found.push(...(await judgeStored(product, { ...sent, id: row.id })));
  return found;
}

const told = (answer: Answer) => `${answer.status} ${answer.body?.code ?? ''}`;

async function judgeStored(product: Product, sent: Sent & { id: string }): Promise<string[]> {
  const found: string[] = [];
  const say = (what: string) => found.push(`${sent.name}: ${what}`);
  const [stored] = await product.database.owner<{ webp: Buffer }[]>`
    select webp from sacco_logos where sacco_id = ${sent.id}`;
  // Everybody is shown the picture once an operator has looked at the sacco.
  await product.database.owner`update saccos set state = 'active' where id = ${sent.id}`;
  const response = await fetch(`${product.origin}/api/v1/sacco/${sent.id}/logo`);
  const served = Buffer.from(await response.arrayBuffer());
  if (!stored || !served.equals(stored.webp)) say('what is served is not what is stored');
  if (sent.bytes?.equals(served)) say('it was served as received');
  if (sent.bytes && sharesRun(sent.bytes, served)) say('a run of its own bytes was served');
  if (served.includes(CANARY)) say('what it carried was served');
  for (const luggage of luggageOf(served)) say(luggage);
  const headers = Object.fromEntries(response.headers);
  for (const [name, value] of Object.entries(expectedHeaders)) {
    if (!value.test(headers[name] ?? '')) say(`it is served with ${name}: ${headers[name]}`);
  }
  try {
    const { info } = await sharp(served, { failOn: 'warning' }).raw().toBuffer({ resolveWithObject: true });
    if (info.width > SIDE_MAX || info.height > SIDE_MAX) say(`it is served with ${info.width} × ${info.height} pixels`);
    const { exif, xmp, icc, iptc, pages = 1, format } = await sharp(served).metadata();
    if (exif || xmp || icc || iptc) say('it is served with metadata');
    if (pages > 1 || format !== 'webp') say(`it is served as ${format} of ${pages} pages`);
  } catch (error) {
    say(`what is served cannot be drawn: ${(error as Error).message}`);
  }
  return found;
}

const expectedHeaders: Readonly<Record<string, RegExp>> = {
  'content-type': /^image\/webp$/,
  'x-content-type-options': /^nosniff$/,
  'content-security-policy': /^sandbox; default-src 'none'$/,
  'content-disposition': /^inline$/,
};

/** What a WebP holds beside a picture: foreign chunks, and whatever stands behind its end. */
function luggageOf(bytes: Buffer): string[] {
  if (bytes.toString('latin1', 0, 4) !== 'RIFF' || bytes.toString('latin1', 8, 12) !== 'WEBP') return ['it is no WebP'];
  const found: string[] = [];
  if (bytes.readUInt32LE(4) + 8 !== bytes.length) found.push('there are bytes behind its end');
  for (let at = 12; at + 8 <= bytes.length; ) {
    const name = bytes.toString('latin1', at, at + 4);
    if (!PICTURE_CHUNKS.has(name)) found.push(`there is a chunk ${name} in it`);
    const length = bytes.readUInt32LE(at + 4);
    at += 8 + length + (length % 2);
  }
  return found;
}

const RUN = 24;

/** Whether so many bytes in a row of what was sent came back. Rows of one and the same byte say nothing. */
function sharesRun(sent: Buffer, served: Buffer): boolean {
  const runs = new Set<string>();
  for (let at = 0; at + RUN <= served.length; at += 1) {
    const run = served.toString('latin1', at, at + RUN);
    if (new Set(run).size > 4) runs.add(run);
  }
  if (runs.size === 0) return false;
  for (let at = 0; at + RUN <= Math.min(sent.length, 200_000); at += 1) {
    if (runs.has(sent.toString('latin1', at, at + RUN))) return true;
  }
  return false;
}

/** The sacco is decided upon, so that its founder may register the next. */
export async function clear(product: Product, founder: Person): Promise<void> {
  await product.database
    .owner`update saccos set state = 'suspended' where created_by = ${founder.id} and state = 'pending'`;
}
