import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const css = readFileSync(join(import.meta.dirname, 'tokens.css'), 'utf8');
const tokens = new Map(
  [...css.matchAll(/--([\w-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\)/g)].map(([, name, light, dark]) => [
    name,
    [light, dark] as [string, string],
  ]),
);

/** Text on its grounds: 4.5. Edges of fields and the focus ring: 3 (WCAG 2.2, 1.4.3 and 1.4.11). */
const pairs: [front: string, grounds: string[], least: number][] = [
  ['ink', ['paper', 'surface', 'sunken', 'ochre-tint'], 4.5],
  ['ink-2', ['paper', 'surface', 'sunken'], 4.5],
  ['ink-3', ['paper', 'surface', 'sunken'], 4.5],
  ['forest', ['paper', 'surface', 'sunken', 'forest-tint'], 4.5],
  ['on-forest', ['forest', 'forest-deep'], 4.5],
  ['ochre-ink', ['surface', 'ochre-tint'], 4.5],
  ['clay', ['paper', 'surface', 'sunken', 'clay-tint'], 4.5],
  ['on-clay', ['clay'], 4.5],
  ['indigo', ['surface', 'indigo-tint'], 4.5],
  ['up', ['paper', 'surface', 'forest-tint'], 4.5],
  ['down', ['paper', 'surface'], 4.5],
  ['edge', ['paper', 'surface'], 3],
  ['focus', ['paper', 'surface', 'sunken'], 3],
];

test('every text can be read on every ground it stands on, in light and in dark', () => {
  const poor: string[] = [];
  for (const [front, grounds, least] of pairs) {
    for (const ground of grounds) {
      for (const theme of [0, 1] as const) {
        const ratio = contrast(colour(front, theme), colour(ground, theme));
        if (ratio < least) poor.push(`${front} on ${ground}, ${['light', 'dark'][theme]}: ${ratio.toFixed(2)}`);
      }
    }
  }
  expect(poor).toEqual([]);
});

function colour(name: string, theme: 0 | 1): string {
  const found = tokens.get(name)?.[theme];
  if (!found) throw new Error(`No token ${name}`);
  return found;
}

function contrast(one: string, other: string): number {
  const [light = 0, dark = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}

function luminance(hex: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
