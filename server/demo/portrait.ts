import sharp from 'sharp';

const SIDE = 240;
type Colour = readonly [number, number, number];
const GROUNDS: readonly Colour[] = [
  [222, 196, 148],
  [170, 196, 178],
  [198, 184, 214],
];
const CLOTHES: readonly Colour[] = [
  [30, 92, 64],
  [160, 70, 46],
  [44, 62, 120],
];
const SKIN: Colour = [104, 66, 44];

/** A drawn head and shoulders, as WebP: the demonstration shows nobody's face. */
export function portrait(number: number): Promise<Buffer> {
  const pixels = Buffer.alloc(SIDE * SIDE * 3);
  for (let place = 0; place < SIDE * SIDE; place += 1) {
    pixels.set(colourAt((place % SIDE) / SIDE, Math.floor(place / SIDE) / SIDE, number), place * 3);
  }
  return sharp(pixels, { raw: { width: SIDE, height: SIDE, channels: 3 } })
    .webp({ quality: 85 })
    .toBuffer();
}

/** x and y from 0 to 1. */
function colourAt(x: number, y: number, number: number): Colour {
  const isIn = (centreY: number, width: number, height: number) =>
    ((x - 0.5) / width) ** 2 + ((y - centreY) / height) ** 2 < 1;
  if (isIn(0.4, 0.17, 0.21)) return SKIN;
  if (isIn(0.34, 0.2, 0.22)) return [36, 28, 26];
  if (isIn(0.6, 0.08, 0.12)) return SKIN;
  if (isIn(1.02, 0.4, 0.38)) return CLOTHES[number % CLOTHES.length] as Colour;
  return GROUNDS[number % GROUNDS.length] as Colour;
}
