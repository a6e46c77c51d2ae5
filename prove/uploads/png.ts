import { crc32, deflateSync } from 'node:zlib';

export const PNG_SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex');

/** One chunk of a PNG; a wrong checksum on request. */
export function chunk(type: string, data: Buffer = Buffer.alloc(0), wrong = 0): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  check.writeUInt32BE((crc32(body) ^ wrong) >>> 0);
  return Buffer.concat([length, body, check]);
}

export interface Header {
  readonly width: number;
  readonly height: number;
  readonly depth?: number;
  /** 0 grey, 2 colour, 3 palette, 6 colour and alpha. */
  readonly colour?: number;
  readonly interlace?: number;
}

export function header({ width, height, depth = 8, colour = 2, interlace = 0 }: Header): Buffer {
  const data = Buffer.alloc(13);
  data.writeUInt32BE(width, 0);
  data.writeUInt32BE(height, 4);
  data.set([depth, colour, 0, 0, interlace], 8);
  return data;
}

/** Rows of 24-bit colour, each with the filter byte that PNG wants. */
export function rows(width: number, height: number, pixel: (index: number) => number = (index) => index % 251): Buffer {
  const stride = width * 3 + 1;
  const raw = Buffer.alloc(stride * height);
  for (let y = 0; y < height; y += 1) {
    for (let x = 1; x < stride; x += 1) raw[y * stride + x] = pixel(y * width * 3 + x);
  }
  return raw;
}

export interface Parts {
  /** Between IHDR and IDAT. */
  readonly before?: readonly Buffer[];
  /** Between IDAT and IEND. */
  readonly after?: readonly Buffer[];
  readonly header?: Buffer;
  readonly data?: Buffer;
  /** After IEND. */
  readonly trailing?: Buffer;
  readonly wrong?: { readonly header?: number; readonly data?: number };
}

/** A picture of 24 × 16 pixels, or what the parts make of it. */
export function png(parts: Parts = {}): Buffer {
  const data = parts.data ?? deflateSync(rows(24, 16));
  return Buffer.concat([
    PNG_SIGNATURE,
    chunk('IHDR', parts.header ?? header({ width: 24, height: 16 }), parts.wrong?.header),
    ...(parts.before ?? []),
    chunk('IDAT', data, parts.wrong?.data),
    ...(parts.after ?? []),
    chunk('IEND'),
    parts.trailing ?? Buffer.alloc(0),
  ]);
}

/** An uncompressed text chunk. */
export const text = (keyword: string, value: string): Buffer =>
  chunk('tEXt', Buffer.concat([Buffer.from(`${keyword}\0`, 'latin1'), Buffer.from(value, 'latin1')]));

/** An international text chunk, as XMP travels in. */
export const internationalText = (keyword: string, value: string): Buffer =>
  chunk('iTXt', Buffer.concat([Buffer.from(`${keyword}\0\0\0\0\0`, 'latin1'), Buffer.from(value)]));

/** A compressed text chunk. */
export const compressedText = (keyword: string, value: string): Buffer =>
  chunk('zTXt', Buffer.concat([Buffer.from(`${keyword}\0\0`, 'latin1'), deflateSync(Buffer.from(value))]));

/** The control chunk of an animated PNG, and frames that repeat the picture. */
export function animation(frames: number, data: Buffer): { before: Buffer[]; after: Buffer[] } {
  const control = Buffer.alloc(8);
  control.writeUInt32BE(frames, 0);
  let sequence = 0;
  const frame = () => {
    const bytes = Buffer.alloc(26);
    bytes.writeUInt32BE(sequence, 0);
    bytes.writeUInt32BE(24, 4);
    bytes.writeUInt32BE(16, 8);
    bytes.writeUInt16BE(1, 20);
    bytes.writeUInt16BE(100, 22);
    sequence += 1;
    return chunk('fcTL', bytes);
  };
  const before = [chunk('acTL', control), frame()];
  const after: Buffer[] = [];
  for (let index = 1; index < frames; index += 1) {
    after.push(frame());
    const number = Buffer.alloc(4);
    number.writeUInt32BE(sequence);
    sequence += 1;
    after.push(chunk('fdAT', Buffer.concat([number, data])));
  }
  return { before, after };
}
