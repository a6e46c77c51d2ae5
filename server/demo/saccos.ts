import type { SaccoType } from '@ushirika/contract/saccos';
import sharp from 'sharp';
import { type Logo, redrawLogo } from '../domains/saccos/logo.ts';
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

export const pwani: DemoSacco = {
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

/** Draws a sacco's sign and takes it in as an uploaded logo is taken in. */
export async function logoOf({ name, logo }: DemoSacco): Promise<Logo | null> {
  if (!logo) return null;
  const [ground, figure] = logo;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="256" height="256"><rect width="256" height="256" fill="${ground}"/>
    <circle cx="128" cy="112" r="62" fill="none" stroke="${figure}" stroke-width="20"/>
    <path d="M40 210q44-46 88 0t88 0" fill="none" stroke="${figure}" stroke-width="18" stroke-linecap="round"/><title>${name}</title></svg>`;
  return redrawLogo(await sharp(Buffer.from(svg)).png().toBuffer());
}
