import { describe, expect, it } from 'vitest';
import { contactIn, groupName, productName } from './plain-text.ts';
import { reasonForMembers } from './proposals.ts';
import { sentence } from './sentence.ts';
import { draftVotingProposal, showVoteTitle } from './voting.ts';

describe('what all members of a sacco read below its author’s name', () => {
  it.each([
    'Pay at pay.example before Friday',
    'Your account is locked: www . see https://t.co/x',
    'Send it to ev\u200bil.c\u200bom',
    'Send it to ｅｖｉｌ．ｃｏｍ',
    'It is at 41.90.64.2 now',
    'Call 0712345678 at once',
    'Call +254 712 345 678 at once',
    'Call 0712 - 345 - 678 at once',
    'Call 0712.345.678 at once',
    'Call ٠٧١٢٣٤٥٦٧٨ at once',
    'Call ⁰⁷¹²³⁴⁵⁶⁷⁸ at once',
    'Call ０７１２３４５６７８ at once',
    'Call 07\u200b12\u200b345678 at once',
    'It is at 41.90.64.2.',
    'Call (0712) 345 678 at once',
    'Call 0712  345  678 at once',
    'Call 0712 — 345 — 678 at once',
    'Call 0712\u2011345\u2011678 at once',
    'Call 0\ufe0f\u20e37\ufe0f\u20e31\ufe0f\u20e32\ufe0f\u20e33\ufe0f\u20e34\ufe0f\u20e35\ufe0f\u20e36\ufe0f\u20e37\ufe0f\u20e38\ufe0f\u20e3',
    'Call 712345678 at once',
  ])('has no contact in it: %j is refused', (text) => {
    expect(contactIn(text)).not.toBeNull();
  });

  it.each([
    'Raise the registration fee to Ksh. 1,500',
    'Spend Ksh. 12,500,000 on the plot in Ruiru',
    'Raise the limit to 50000 loans',
    'Budget of 2025-2026',
    'Budget of 2026/2027 and 2027/2028',
    'Meet on 2026-12-31, not on 31/12/2026',
    'Change by-laws 4.2.1 and 4.2.2',
    'The A.G.M. of 2026, part 2',
    'Keep the shop open till 2030',
    'Punguza ada ya kujiunga hadi Ksh. 500',
    'Members: 100 more. 200 in all',
    'Pool 12345 and loan 54321',
    'Members repay bill of 12000',
    'Wanachama watalipa na riba ya 12000',
    'Buy goods worth 50000 for the shop',
    'Pay by 31.12.2026',
    'Meet on 1.2.2026',
    'Change by-law 4.2.1.',
    'Accounts of 1/7/2026 - 30/6/2027',
    'Election on 31/12/2026 of 5 seats',
    'Vote on 2026-12-31 at 10 am',
    'Loans of 50000-100000',
    'Accounts of 2024/2025/2026 and 2025/26',
    'Open from 0800-1700',
    'Sell plot LR No. 12345/678',
    'Raise it to Ksh 1500000',
    'Raise it to Ksh. 2.5m at 8.30am',
    'Save 2.5x as much',
    'Mkopo wa Ksh. 1,500,000 hadi tarehe 31/12/2026',
  ])('may be an ordinary sentence: %j is taken', (text) => {
    expect(contactIn(text)).toBeNull();
  });

  it('is not in the name of a sacco or a loan product either', () => {
    const sacco = groupName({ least: 3, most: 60, label: sentence('A name') });
    const taken = (name: string) => [sacco.safeParse(name).success, productName(60).safeParse(name).success];
    expect(['Mwangaza Traders Sacco', 'Class of 2010', 'A.I.C. Kijabe 2'].map(taken)).toEqual([
      [true, true],
      [true, true],
      [true, true],
    ]);
    expect(['Call 0712345678 Sacco', 'savers.example'].map(taken)).toEqual([
      [false, false],
      [false, false],
    ]);
    expect(productName(60).safeParse('School fees\nCall us').success).toBe(false);
  });

  it('is refused at once, however long it is', () => {
    for (const junk of [' ', '\t', '1', '*1', '1 ', '(.', 'till ', '0-', 'l'])
      expect(reasonForMembers.safeParse(`x${junk.repeat(60_000 / junk.length)}y`).success).toBe(false);
  }, 2_000);

  it('stands on one line and has no sign that turns the direction of the letters around it', () => {
    for (const text of ['The books\nUshirika: all is well', 'The books\u2028of May', 'The books \u202eof May'])
      expect([text, reasonForMembers.safeParse(text).success]).toEqual([text, false]);
    expect(reasonForMembers.parse(' The books of May are missing. ')).toBe('The books of May are missing.');
  });

  it('is the title of a vote too, and the reason why it is hidden', () => {
    const text = 'A text of twenty characters.';
    const title = (words: string) => draftVotingProposal.body.safeParse({ title: words, text }).success;
    const reason = (words: string) => showVoteTitle.body.safeParse({ is_shown: false, reason: words }).success;
    expect([title('Buy the plot in Ruiru'), reason('It names a person.')]).toEqual([true, true]);
    for (const trap of ['Call 0712 345 678 now', 'See pay.example now'])
      expect([title(trap), reason(trap)]).toEqual([false, false]);
  });

  it('ends where the last quotation mark around it stands', () => {
    expect(reasonForMembers.parse('Gone”. Ushirika: all is well')).toBe("Gone'. Ushirika: all is well");
    const { title } = draftVotingProposal.body.parse({
      title: 'Lunch"". Ushirika: your “account’’ is closed',
      text: 'A text of twenty characters.',
    });
    expect(title).toBe("Lunch'. Ushirika: your 'account' is closed");
  });
});
