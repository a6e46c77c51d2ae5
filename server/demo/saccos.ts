import type { SaccoType } from '@ushirika/contract/saccos';
import sharp from 'sharp';
import { type Picture, redrawLogo } from '../domains/saccos/redraw-picture.ts';
import { type DemoPerson, members, secondOfficial, treasurer, wanjiru } from './people.ts';

export interface DemoSacco {
  readonly name: string;
  readonly description: string;
  readonly regNo: string;
  readonly type: SaccoType;
  readonly regFeeCents: number;
  readonly minShares: number;
  readonly shareValueCents: number;
  readonly founder: DemoPerson;
  readonly members: readonly DemoPerson[];
  /** What a member saves in a month, at least. */
  readonly monthlyCents: number;
  /** The colours of its sign; without them it has no logo, and pages show its monogram. */
  readonly logo: readonly [string, string] | null;
  readonly isActivated: boolean;
}

export const mwangaza: DemoSacco = {
  name: 'Mwangaza Traders Sacco',
  description: 'Stall holders of Gikomba and Marikiti who save every market day and lend to each other for stock.',
  regNo: 'CS/11482',
  type: 'sacco',
  regFeeCents: 1_000_00,
  minShares: 20,
  shareValueCents: 100_00,
  founder: treasurer,
  members: [treasurer, secondOfficial, wanjiru, ...members.slice(0, 30)],
  monthlyCents: 1_500_00,
  logo: ['#12503a', '#d9961a'],
  isActivated: true,
};

export const umoja: DemoSacco = {
  name: 'Umoja Boda Riders Chama',
  description: 'Motorcycle riders of Kasarani: a merry-go-round that grew up, with shares and a repair fund.',
  regNo: 'CBO/2051',
  type: 'chama',
  regFeeCents: 300_00,
  minShares: 10,
  shareValueCents: 50_00,
  founder: members[30] as DemoPerson,
  members: [...members.slice(30, 42), wanjiru],
  monthlyCents: 600_00,
  logo: null,
  isActivated: true,
};

export const nuru: DemoSacco = {
  name: 'Nuru Teachers Sacco',
  description:
    'Teachers of Kisumu and Siaya. Long savings, school fees in January, and a house of one’s own at the end.',
  regNo: 'CS/9027',
  type: 'sacco',
  regFeeCents: 500_00,
  minShares: 50,
  shareValueCents: 20_00,
  founder: members[42] as DemoPerson,
  members: members.slice(42, 55),
  monthlyCents: 2_000_00,
  logo: ['#2d4a86', '#fbeed0'],
  isActivated: true,
};

/** They came when it was founded: the others in the year of the story. */
export const foundersOfMwangaza: readonly DemoPerson[] = mwangaza.members.slice(0, 6);

/** Who leaves Nuru, by place, and on which day the notice is given. */
export const LEAVER = 3;
export const LEAVES_ON = 325;

const pwani: DemoSacco = {
  name: 'Pwani Fishers Sacco',
  description: 'Boat owners and fish traders of Kilifi and Malindi, saving for engines, ice and nets.',
  regNo: 'CS/13310',
  type: 'sacco',
  regFeeCents: 750_00,
  minShares: 15,
  shareValueCents: 100_00,
  founder: members[51] as DemoPerson,
  members: [],
  monthlyCents: 0,
  logo: null,
  isActivated: false,
};

export const saccos: readonly DemoSacco[] = [mwangaza, umoja, nuru, pwani];

/** Draws a sacco's sign, a ring over a wave, and takes it in as an uploaded logo is taken in. */
export async function logoOf({ logo }: DemoSacco): Promise<Picture | null> {
  if (!logo) return null;
  const [ground, figure] = logo.map(channelsOf) as [number[], number[]];
  const pixels = Buffer.alloc(SIDE * SIDE * 3);
  for (let index = 0; index < SIDE * SIDE; index += 1) {
    const share = figureAt(index % SIDE, Math.floor(index / SIDE));
    for (const channel of [0, 1, 2]) {
      pixels[index * 3 + channel] = (ground[channel] ?? 0) * (1 - share) + (figure[channel] ?? 0) * share;
    }
  }
  return redrawLogo(
    await sharp(pixels, { raw: { width: SIDE, height: SIDE, channels: 3 } })
      .png()
      .toBuffer(),
  );
}

const SIDE = 256;

/** How much of a pixel the figure covers, 0 to 1: by its distance from the ring's or the wave's middle line. */
function figureAt(x: number, y: number): number {
  const ring = 10.5 - Math.abs(Math.hypot(x - 128, y - 112) - 62);
  const crest = 210 - 23 * Math.sin(((x - 40) / 88) * Math.PI);
  const wave = x < 40 || x > 216 ? 0 : 9.5 - Math.abs(y - crest) * 0.8;
  return Math.min(1, Math.max(0, ring, wave));
}

/** `#rrggbb` as its three channels. */
function channelsOf(colour: string): number[] {
  return [1, 3, 5].map((start) => Number.parseInt(colour.slice(start, start + 2), 16));
}
