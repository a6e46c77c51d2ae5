import { deflateSync, gzipSync } from 'node:zlib';
import sharp from 'sharp';
import { animation, chunk, compressedText, header, internationalText, PNG_SIGNATURE, png, rows, text } from './png.ts';

/** In every hostile file; nothing that is stored or served may hold any of it. */
export const CANARY = 'CANARY-7f3a';
const SCRIPT = `<script>alert("${CANARY}")</script>`;
const PHP = `<?php system("${CANARY}"); ?>`;
const BYTES_MAX = 2 * 1024 * 1024;

/**
 * What must become of a file: `redrawn` (a picture of our own, or it would be refused for nothing), `refused`, or
 * `either`, where only what is stored counts.
 */
export type Fate = 'redrawn' | 'refused' | 'either';

export interface Picture {
  readonly name: string;
  readonly bytes: Buffer;
  readonly fate: Fate;
}

/** Every file of the corpus, made here: none is kept in the repo. */
export async function pictures(): Promise<Picture[]> {
  const good = await goodOnes();
  return [
    ...Object.entries(good).map(([name, bytes]): Picture => ({ name, bytes, fate: 'redrawn' })),
    ...(await laden(good)),
    ...brokenPngs(),
    ...brokenOthers(good),
    ...bombs(),
    ...(await animated()),
    ...otherKinds(),
  ];
}

const canvas = () => sharp(rowsOfColour(), { raw: { width: 40, height: 30, channels: 3 } });

function rowsOfColour(): Buffer {
  return Buffer.from(Array.from({ length: 40 * 30 * 3 }, (_, index) => (index * 7) % 256));
}

type Good = Awaited<ReturnType<typeof goodOnes>>;

/** Pictures as people's phones and scanners make them. */
async function goodOnes() {
  return {
    'a plain PNG': await canvas().png().toBuffer(),
    'a JPEG': await canvas().jpeg().toBuffer(),
    'a WebP': await canvas().webp().toBuffer(),
    'a lossless WebP': await canvas().webp({ lossless: true }).toBuffer(),
    'a progressive JPEG': await canvas().jpeg({ progressive: true }).toBuffer(),
    'a CMYK JPEG': await canvas().toColourspace('cmyk').jpeg().toBuffer(),
    'a grey JPEG': await canvas().grayscale().jpeg().toBuffer(),
    'a PNG of a palette': await canvas().png({ palette: true, colours: 8 }).toBuffer(),
    'an interlaced PNG': await canvas().png({ progressive: true }).toBuffer(),
    'a PNG of 16 bits': await canvas().toColourspace('rgb16').png().toBuffer(),
    'a PNG that one sees through': await canvas().ensureAlpha(0.5).png().toBuffer(),
    'a JPEG that lies on its side': await canvas().withMetadata({ orientation: 6 }).jpeg().toBuffer(),
    'a PNG of one pixel': png({ header: header({ width: 1, height: 1 }), data: deflateSync(rows(1, 1)) }),
    'a very tall PNG': png({ header: header({ width: 1, height: 4000 }), data: deflateSync(rows(1, 4000)) }),
    'a PNG of exactly 2 MB': exactly(BYTES_MAX),
  };
}

/** A PNG of so many bytes: the rest of them in a chunk that nobody reads. */
function exactly(bytes: number): Buffer {
  const bare = png().length + 12;
  return png({ after: [chunk('puDD', Buffer.alloc(bytes - bare, 0x41))] });
}

/** Real pictures that carry more than a picture. */
async function laden(good: Good): Promise<Picture[]> {
  const jpeg = good['a JPEG'];
  const xmp = `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF>${SCRIPT}</rdf:RDF></x:xmpmeta>`;
  const exif = { IFD0: { Copyright: SCRIPT, ImageDescription: PHP }, IFD3: { GPSLatitude: '1/1 17/1 0/1' } };
  const zip = Buffer.concat([Buffer.from('PK\x03\x04\x14\0\0\0\0\0', 'latin1'), Buffer.from(PHP), Buffer.alloc(40)]);
  const pdf = Buffer.from(`%PDF-1.7\n1 0 obj<</JS(app.alert("${CANARY}"))>>endobj\ntrailer<<>>%%EOF`);
  const profile = chunk('iCCP', Buffer.concat([Buffer.from('x\0\0', 'latin1'), deflateSync(Buffer.from(SCRIPT))]));
  const carried: Record<string, Buffer> = {
    'a PNG with a script in tEXt': png({ before: [text('Comment', SCRIPT)] }),
    'a PNG with PHP in tEXt': png({ before: [text('Comment', PHP)] }),
    'a PNG with a script in iTXt': png({ before: [internationalText('XML:com.adobe.xmp', xmp)] }),
    'a PNG with PHP in zTXt': png({ before: [compressedText('Comment', PHP)] }),
    'a PNG with a chunk of PHP': png({ after: [chunk('phPx', Buffer.from(PHP))] }),
    'a PNG whose pixels spell PHP': spelled(),
    'a PNG with a page behind its end': png({ trailing: Buffer.from(`<html>${SCRIPT}`) }),
    'a PNG with a ZIP behind its end': png({ trailing: zip }),
    'a PNG with a PDF behind its end': png({ trailing: pdf }),
    'a PNG with another PNG behind its end': png({ trailing: png({ before: [text('Comment', SCRIPT)] }) }),
    'a PNG with a megabyte behind its end': png({ trailing: Buffer.alloc(1024 * 1024, CANARY) }),
    'a PNG with EXIF that holds a script': await canvas().withExif(exif).png().toBuffer(),
    'a JPEG with EXIF that holds a script and a place': await canvas().withExif(exif).jpeg().toBuffer(),
    'a WebP with EXIF that holds a script': await canvas().withExif(exif).webp().toBuffer(),
    'a WebP with a chunk behind its end': Buffer.concat([good['a WebP'], Buffer.from(SCRIPT)]),
    'a JPEG with a script in its comment': segment(jpeg, 0xfe, Buffer.from(SCRIPT)),
    'a JPEG that is JavaScript too': segment(jpeg, 0xfe, Buffer.from(`*/=alert("${CANARY}")/*`)),
    'a JPEG that is a PHAR too': segment(jpeg, 0xfe, Buffer.from(`${PHP}__HALT_COMPILER(); ?>`)),
    'a JPEG with XMP that holds a script': segment(jpeg, 0xe1, Buffer.from(`http://ns.adobe.com/xap/1.0/\0${xmp}`)),
    'a JPEG with a script in APP13': segment(jpeg, 0xed, Buffer.from(`Photoshop 3.0\0${SCRIPT}`)),
    'a JPEG with a ZIP behind its end': Buffer.concat([jpeg, zip]),
    'a JPEG with a PDF behind its end': Buffer.concat([jpeg, pdf]),
    'a JPEG with a second JPEG behind its end': Buffer.concat([jpeg, segment(jpeg, 0xfe, Buffer.from(PHP))]),
  };
  const doubtful: Record<string, Buffer> = {
    'a PNG with a profile that is a script': png({ before: [profile] }),
    'a JPEG with a profile that is a script': segment(
      jpeg,
      0xe2,
      Buffer.from(`ICC_PROFILE\0\x01\x01${SCRIPT}`, 'latin1'),
    ),
  };
  return [...toPictures(carried, 'redrawn'), ...toPictures(doubtful, 'either')];
}

/** Pixels whose uncompressed bytes, stored as they are, read as a program. */
function spelled(): Buffer {
  const raw = rows(64, 4, () => 0x20);
  raw.write(PHP, 1, 'latin1');
  return png({ header: header({ width: 64, height: 4 }), data: deflateSync(raw, { level: 0 }) });
}

/** A JPEG with one more segment behind its first two bytes. */
function segment(jpeg: Buffer, marker: number, data: Buffer): Buffer {
  const head = Buffer.from([0xff, marker, 0, 0]);
  head.writeUInt16BE(data.length + 2, 2);
  return Buffer.concat([jpeg.subarray(0, 2), head, data, jpeg.subarray(2)]);
}

function brokenPngs(): Picture[] {
  const whole = png();
  const refused: Record<string, Buffer> = {
    'one byte': Buffer.from([0x89]),
    'the signature of a PNG and nothing else': PNG_SIGNATURE,
    'a PNG that breaks off in its header': whole.subarray(0, 20),
    'a PNG that breaks off before its pixels': whole.subarray(0, 33),
    'a PNG that breaks off in its pixels': whole.subarray(0, 60),
    'a PNG with a wrong checksum in its header': png({ wrong: { header: 1 } }),
    'a PNG of no width': png({ header: header({ width: 0, height: 16 }) }),
    'a PNG of negative width': png({ header: header({ width: 0x80000000, height: 16 }) }),
    'a PNG of an impossible depth': png({ header: header({ width: 24, height: 16, depth: 7 }) }),
    'a PNG of an impossible colour': png({ header: header({ width: 24, height: 16, colour: 5 }) }),
    'a PNG without a palette that it needs': png({ header: header({ width: 24, height: 16, colour: 3 }) }),
    'a PNG without pixels': Buffer.concat([
      PNG_SIGNATURE,
      chunk('IHDR', header({ width: 9, height: 9 })),
      chunk('IEND'),
    ]),
    'a PNG whose pixels are no deflate stream': png({ data: Buffer.from(PHP.repeat(8)) }),
    'a page that begins as a PNG': Buffer.concat([PNG_SIGNATURE, Buffer.from(`<html>${SCRIPT}`)]),
    'a megabyte of noise that begins as a PNG': Buffer.concat([PNG_SIGNATURE, Buffer.alloc(1024 * 1024, 0x5a)]),
  };
  const either: Record<string, Buffer> = {
    'a PNG without its end': whole.subarray(0, whole.length - 12),
    'a PNG with a wrong checksum in its pixels': png({ wrong: { data: 1 } }),
    'a PNG with two headers': png({ before: [chunk('IHDR', header({ width: 900, height: 900 }))] }),
    'a PNG with more pixels than it says': png({ data: deflateSync(rows(24, 4_000)) }),
    'a PNG with fewer pixels than it says': png({ data: deflateSync(rows(24, 3)) }),
  };
  return [...toPictures(refused, 'refused'), ...toPictures(either, 'either')];
}

function brokenOthers(good: Good): Picture[] {
  const [jpeg, webp] = [good['a JPEG'], good['a WebP']];
  const lying = Buffer.from(webp);
  lying.writeUInt32LE(0xfffffff0, 4);
  const wide = Buffer.from(jpeg);
  const frame = wide.indexOf(Buffer.from([0xff, 0xc0]));
  wide.writeUInt16BE(65_500, frame + 5);
  wide.writeUInt16BE(65_500, frame + 7);
  const refused: Record<string, Buffer> = {
    'a JPEG that breaks off in its tables': jpeg.subarray(0, 60),
    'a JPEG that breaks off in its pixels': jpeg.subarray(0, jpeg.length - 200),
    'a JPEG of nothing but its first bytes': Buffer.from('ffd8ffe0', 'hex'),
    'a JPEG that says it has 65,500² pixels': wide,
    'a WebP that breaks off': webp.subarray(0, webp.length >> 1),
    'a WebP of nothing but its first bytes': Buffer.from('RIFF\x04\0\0\0WEBP', 'latin1'),
    'a RIFF that is a sound': Buffer.from('RIFF\x24\0\0\0WAVEfmt ', 'latin1'),
    'one byte more than 2 MB': exactly(BYTES_MAX + 1),
    'three megabytes': exactly(3 * 1024 * 1024),
  };
  const either: Record<string, Buffer> = {
    'a JPEG without its end': jpeg.subarray(0, jpeg.length - 2),
    'a JPEG with a segment of no length': Buffer.concat([
      jpeg.subarray(0, 2),
      Buffer.from('ffe10000', 'hex'),
      jpeg.subarray(2),
    ]),
    'a WebP that lies about its length': lying,
  };
  return [...toPictures(refused, 'refused'), ...toPictures(either, 'either')];
}

/** Small files that unfold. */
function bombs(): Picture[] {
  const zeros = deflateSync(Buffer.alloc((12_000 * 36_001) >> 3), { level: 9 });
  // Few pixels, in rows that take half a gigabyte while they are drawn (found by tier R, seed 20261122).
  const wide = png({ header: header({ width: 900_000, height: 16 }), data: deflateSync(rows(900_000, 16, () => 0)) });
  return toPictures(
    {
      'a PNG that says it has 50,000² pixels': png({ header: header({ width: 50_000, height: 50_000 }) }),
      'a PNG that says it has 4,294,967,295 rows': png({ header: header({ width: 1, height: 0x7fffffff }) }),
      'a PNG as wide as a street': wide,
      'a PNG of 12,000² black pixels': png({ header: header({ width: 12_000, height: 12_000 }), data: zeros }),
    },
    'refused',
  );
}

async function animated(): Promise<Picture[]> {
  const data = deflateSync(rows(24, 16));
  const many = animation(2_000, data);
  const frames = Array.from({ length: 60 }, (_, index) => ({
    create: { width: 16, height: 16, channels: 3 as const, background: { r: index * 4, g: 0, b: 0 } },
  }));
  const inputs = await Promise.all(frames.map((frame) => sharp(frame).png().toBuffer()));
  const webp = await sharp(inputs, { join: { animated: true } })
    .webp()
    .toBuffer();
  const gif = await sharp(inputs, { join: { animated: true } })
    .gif()
    .toBuffer();
  const control = Buffer.alloc(8);
  control.writeUInt32BE(0x7fffffff, 0);
  return [
    { name: 'an animated PNG of 2,000 frames', bytes: png({ data, ...many }), fate: 'redrawn' },
    {
      name: 'an animated PNG that says it has 2,147,483,647 frames',
      bytes: png({ before: [chunk('acTL', control)] }),
      fate: 'either',
    },
    { name: 'an animated WebP of 60 frames', bytes: webp, fate: 'redrawn' },
    { name: 'an animated GIF of 60 frames', bytes: gif, fate: 'refused' },
  ];
}

/** Everything that is no PNG, JPEG or WebP, whatever it is called. */
function otherKinds(): Picture[] {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" onload="alert('${CANARY}')">${SCRIPT}</svg>`;
  const box = (brand: string) =>
    Buffer.concat([
      Buffer.from('\0\0\0\x1cftyp', 'latin1'),
      Buffer.from(`${brand}\0\0\0\0${brand}mif1miaf`, 'latin1'),
      Buffer.from(CANARY),
    ]);
  return toPictures(
    {
      'an SVG with a script': Buffer.from(svg),
      'an SVG that asks for a file': Buffer.from(
        `<!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/passwd">]><svg>&x;${CANARY}</svg>`,
      ),
      'an SVG behind a byte order mark': Buffer.from(`\ufeff${svg}`),
      'a compressed SVG': gzipSync(Buffer.from(svg)),
      'a page of HTML': Buffer.from(`<!doctype html>${SCRIPT}`),
      'a program in PHP': Buffer.from(PHP),
      'a GIF': Buffer.from(
        '47494638396101000100800000ffffff00000021f90401000000002c00000000010001000002024401003b',
        'hex',
      ),
      'a GIF that is JavaScript too': Buffer.from(`GIF89a/*${'\0'.repeat(20)}*/=1;alert("${CANARY}")`, 'latin1'),
      'a little-endian TIFF': Buffer.from(`II*\0\x08\0\0\0${CANARY}`, 'latin1'),
      'a big-endian TIFF': Buffer.from(`MM\0*\0\0\0\x08${CANARY}`, 'latin1'),
      'a BMP': Buffer.from(`BM\x46\0\0\0\0\0\0\0\x36\0\0\0\x28\0\0\0${CANARY}`, 'latin1'),
      'an ICO': Buffer.from(`\0\0\x01\0\x01\0\x10\x10\0\0\x01\0\x20\0${CANARY}`, 'latin1'),
      'a PDF': Buffer.from(`%PDF-1.7 ${CANARY}`),
      'an EPS': Buffer.from(`%!PS-Adobe-3.0 EPSF-3.0 ${CANARY}`),
      'PostScript that runs a program': Buffer.from(`%!PS\n(%pipe%${CANARY}) (r) file`),
      'an MVG': Buffer.from(
        `push graphic-context\nviewbox 0 0 9 9\nfill 'url(https://${CANARY}/"|ls)'\npop graphic-context`,
      ),
      'an MSL': Buffer.from(`<?xml version="1.0"?><image><read filename="caption:${CANARY}"/></image>`),
      'an AVIF': box('avif'),
      'a HEIC': box('heic'),
      'a JPEG XL': Buffer.concat([Buffer.from('ff0a', 'hex'), Buffer.from(CANARY)]),
      'a JPEG 2000': Buffer.concat([Buffer.from('0000000c6a5020200d0a870a', 'hex'), Buffer.from(CANARY)]),
      'a PSD': Buffer.from(`8BPS\0\x01${CANARY}`, 'latin1'),
      'a ZIP': Buffer.from(`PK\x03\x04${CANARY}`, 'latin1'),
      'a program for Linux': Buffer.from(`\x7fELF\x02\x01\x01${CANARY}`, 'latin1'),
      'a program for Windows': Buffer.from(`MZ\x90\0${CANARY}`, 'latin1'),
      'a sheet of figures': Buffer.from(`=HYPERLINK("http://x/${CANARY}")`),
    },
    'refused',
  );
}

function toPictures(files: Readonly<Record<string, Buffer>>, fate: Fate): Picture[] {
  return Object.entries(files).map(([name, bytes]) => ({ name, bytes, fate }));
}
