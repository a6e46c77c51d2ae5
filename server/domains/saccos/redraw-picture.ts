import { createHash } from 'node:crypto';
import { LOGO_BYTES_MAX } from '@ushirika/contract/constants';
import { Refusal } from '@ushirika/contract/refusal';
import type { RefusalCode } from '@ushirika/contract/refusals';
import sharp from 'sharp';
import { ConcurrencyLimiter } from '../../concurrency-limiter.ts';

/** A picture that we drew ourselves from what was sent. */
export interface Picture {
  readonly webp: Buffer;
  /** The start of its SHA-256: a new picture has a new address. */
  readonly version: string;
}

/** What of a picture is kept, and how one that is none is refused. */
export interface PictureRule {
  /** The longer side, in pixels. */
  readonly sideMax: number;
  /** Bytes of the picture that is kept: what its table holds. */
  readonly bytesMax: number;
  readonly refused: RefusalCode;
}

const LOGO: PictureRule = { sideMax: 512, bytesMax: 1_048_576, refused: 'logo_not_accepted' };
/** A picture of more pixels is refused before it is decoded: a small file may unfold into gigabytes. */
const PIXELS_MAX = 25_000_000;
/** Neither side may be longer: a picture is drawn by whole rows, and a row of a million pixels takes half a gigabyte. */
const SIDE_READ_MAX = 10_000;
const DECODE_SECONDS_MAX = 5;
/** Tried one after the other until the picture is small enough. */
const QUALITIES = [85, 60, 35];
/** Pictures at once, each on one thread and with up to 200 MB; who finds more waiting than this is told to come back. */
const limiter = new ConcurrencyLimiter({ atOnceMax: 2, waitingMax: 20, retryAfterSeconds: 5 });
/** People whose picture is drawn or waits for it. */
const drawingOf = new Set<string>();

// What else libvips can read (SVG, PDF, TIFF, Magick and its kin) nobody may send us, whatever it calls itself.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({
  operation: ['VipsForeignLoadPngBuffer', 'VipsForeignLoadJpegBuffer', 'VipsForeignLoadWebpBuffer'],
});
sharp.concurrency(1);
sharp.cache(false);

/**
 * Draws an uploaded picture anew as WebP, no larger than its rule says. What kind of picture it is, its own first bytes say,
 * never its name or declared type; whatever else the file carried (scripts, trailing archives, locations) is not drawn.
 * @param userId whose it is: one of them is drawn at a time
 * @throws Refusal `unavailable` when too many pictures wait to be drawn, since each may unfold into much memory; or another
 *   one of the same person
 */
export async function redrawPicture(bytes: Buffer, rule: PictureRule, userId?: string): Promise<Picture> {
  if (bytes.length > LOGO_BYTES_MAX || !isPicture(bytes)) throw new Refusal(rule.refused);
  if (userId === undefined) return limiter.run(() => draw(bytes, rule));
  if (drawingOf.has(userId)) throw new Refusal('unavailable', { retryAfterSeconds: 5 });
  drawingOf.add(userId);
  try {
    return await limiter.run(() => draw(bytes, rule));
  } finally {
    drawingOf.delete(userId);
  }
}

/** The same for a logo: at most 512 px. */
export const redrawLogo = (bytes: Buffer, userId?: string): Promise<Picture> => redrawPicture(bytes, LOGO, userId);

/** Who waits for a picture to be drawn, and who could not. */
export const drawingFigures = () => limiter.figures();

async function draw(bytes: Buffer, { sideMax, bytesMax, refused }: PictureRule): Promise<Picture> {
  try {
    const picture = sharp(bytes, { limitInputPixels: PIXELS_MAX, failOn: 'warning', animated: false });
    const { width, height } = await picture.metadata();
    if (width > SIDE_READ_MAX || height > SIDE_READ_MAX) throw new Error(`${width} by ${height} px are too long.`);
    const drawn = picture.rotate().resize({ width: sideMax, height: sideMax, fit: 'inside', withoutEnlargement: true });
    for (const quality of QUALITIES) {
      const webp = await drawn.clone().webp({ quality }).timeout({ seconds: DECODE_SECONDS_MAX }).toBuffer();
      if (webp.length > bytesMax) continue;
      return { webp, version: createHash('sha256').update(webp).digest('hex').slice(0, 16) };
    }
    throw new Error(`Drawn anew it has more than ${bytesMax} bytes.`);
  } catch (cause) {
    // It took too long because the machine is busy: the picture may be good.
    if (/^timeout/.test(String((cause as Error).message))) throw new Refusal('unavailable', { retryAfterSeconds: 5 });
    throw Object.assign(new Refusal(refused), { cause });
  }
}

/** PNG, JPEG or WebP by its first bytes. */
function isPicture(bytes: Buffer): boolean {
  const starts = (hex: string) => bytes.subarray(0, hex.length / 2).toString('hex') === hex;
  return (
    starts('89504e470d0a1a0a') ||
    starts('ffd8ff') ||
    (starts('52494646') && bytes.subarray(8, 12).toString('latin1') === 'WEBP')
  );
}
