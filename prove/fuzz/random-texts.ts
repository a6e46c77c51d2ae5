import type { Random } from '../random.ts';
import { ODD_TEXTS } from './values.ts';

/** What a text is meant to look like. */
export type Likeness = 'amount' | 'number' | 'phone' | 'any';

const LETTERS: Readonly<Record<Likeness, readonly string[]>> = {
  amount: [...'00112233445566778899.....,,--+ eEx_', '１', '٣', '\u00a0', '−'],
  number: [...'0011223456789  .-+ex', '\t', '\u3000', '２'],
  phone: [...'00112233445566778899  -+()./x#', '\u00a0', '７', '٧', 'a'],
  any: [
    ...'aZ09 =+-@"\',;\\/<>%_|{}[]',
    '\n',
    '\r',
    '\t',
    '\0',
    'é',
    '中',
    '\u202e',
    '\u0301',
    '😀',
    '\ud800',
    '\udc00',
  ],
};

const SEEDS: Readonly<Record<Likeness, readonly string[]>> = {
  amount: ['1', '250000', '10.5', '0.01', '999999999999.99', '1000000000000', '1000000000000.01', '-1', '-0', '0'],
  number: ['1', '100', '101', '0', '007', ' 42 ', '1e2', '99999999999999999999'],
  phone: [
    '0712345678',
    '254712345678',
    '+254712345678',
    '712345678',
    '+254 112 345 678',
    '+447911123456',
    '0712-345-678',
  ],
  any: ['=1+1', '-5.00', '"', 'a,b', '1000.00', "'=1"],
};

const MANY = 24;

/** A text that is drawn, a likely one that is changed a little, or an odd one. */
export function randomText(random: Random, likeness: Likeness): string {
  const kind = random.next();
  if (kind < 0.05) return random.pick(ODD_TEXTS);
  let text = kind < 0.55 ? random.pick(SEEDS[likeness]) : '';
  const letters = LETTERS[likeness];
  for (let left = random.whole(text === '' ? 0 : 1, text === '' ? MANY : 3); left > 0; left -= 1) {
    const at = random.whole(0, text.length);
    text = text.slice(0, at) + random.pick(letters) + text.slice(at + (random.chance(0.3) ? 1 : 0));
  }
  return text;
}
