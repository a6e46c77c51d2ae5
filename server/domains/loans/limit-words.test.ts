import { inWords } from '@ushirika/contract/in-words';
import { expect, test } from 'vitest';
import { limitTexts } from './limit-words.ts';

type Facts = Parameters<typeof limitTexts>[0];
const NOW = new Date('2026-11-25T09:00:00Z');
const STEADY = [2_000_00, 2_000_00, 2_000_00, 5_000_00, 2_000_00, 9_000_00];

/** What a borrower with savings of 50,000 reads of them, by what they saved in the last periods of 30 days. */
function ofSavings(recent: readonly number[], language: 'en' | 'sw' = 'en'): string {
  const facts = {
    savings: { free: 50_000_00, pledged: 0 },
    recent,
    standing: { otherPrincipal: 0 },
    coreCapital: 0,
    now: NOW,
  } as unknown as Facts;
  const { savings } = limitTexts(facts, OFFER, 'borrower');
  return inWords(savings, language).replaceAll('\u00a0', ' ');
}

const OFFER = { terms: { multiplier: 300 } } as Parameters<typeof limitTexts>[1];

const REGULAR =
  'Of new savings, Ksh. 2,000.00 in every 30 days counts at once. You saved at least that much in each of the three 30-day periods before the last 90 days. More than that counts once it is 90 days old.';

test('who saves every month reads how much of it counts at once, and what becomes of the rest', () => {
  const all = ofSavings(STEADY);
  expect(all.endsWith(`All your Ksh. 50,000.00 count, pledged ones too. ${REGULAR}`)).toBe(true);
  expect(all).not.toContain('What you save from now on');
  expect(ofSavings(STEADY, 'sw')).toMatch(/Kati ya akiba mpya, Ksh. 2,000.00 kwa kila siku 30 inahesabiwa papo hapo\./);
});

test('of a lump sum beside it both are said', () => {
  const both = ofSavings([32_000_00, ...STEADY.slice(1)]);
  expect(both).toContain('Ksh. 30,000.00 that came in after');
  expect(both.endsWith(`it does once it is 90 days old. ${REGULAR}`)).toBe(true);
});

test('who saved nothing in one of the periods before reads that new savings count later', () => {
  const late = ofSavings([0, 0, 0, 5_000_00, 0, 9_000_00]);
  expect(late.startsWith('3 times your savings of Ksh. 50,000.00 that count. ')).toBe(true);
  expect(late.endsWith('pledged ones too. What you save from now on counts once it is 90 days old.')).toBe(true);
  expect(late).not.toContain('counts at once');
});

test('the limit by the sacco’s own capital says how it comes about, to the borrower and to officials', () => {
  const facts = {
    ...{ savings: { free: 0, pledged: 0 }, recent: STEADY, now: NOW },
    ...{ standing: { otherPrincipal: 4_000_00 }, coreCapital: 300_000_00 },
  } as unknown as Facts;
  const ofCapital = (reader: 'borrower' | 'official') =>
    inWords(limitTexts(facts, OFFER, reader).core_capital, 'en').replaceAll('\u00a0', ' ');
  const working = 'are Ksh. 300,000.00. A tenth is Ksh. 30,000.00, less';
  expect(ofCapital('borrower')).toContain(`${working} the Ksh. 4,000.00 that you owe or have asked for.`);
  expect(ofCapital('official')).toContain(`${working} Ksh. 4,000.00 owed or asked for already.`);
});
