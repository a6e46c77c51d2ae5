import { describe, expect, it } from 'vitest';
import { leadsAway } from './plain-text.ts';
import { reasonForMembers } from './proposals.ts';
import { draftVotingProposal, showVoteTitle } from './voting.ts';

describe('what all members of a sacco are told', () => {
  it.each([
    'Pay at pay.example before Friday',
    'Your account is locked: www . see https://t.co/x',
    'Send it to evil[dot]example',
    'Send it to evil (dot) example',
    'Send it to evil dot com',
    'Send it to evil nukta com',
    'Send it to evil。com',
    'Send it to ev\u200bil.c\u200bom',
    'Send it to ｅｖｉｌ．ｃｏｍ',
    'It is at 41.90.64.2 now',
    'Call 0712345678 at once',
    'Call +254 712 345 678 at once',
    'Call 0712 - 345 - 678 at once',
    'Call 0712.345.678 at once',
    'Call O7l2345678 at once',
    'Call ٠٧١٢٣٤٥٦٧٨ at once',
    'Call ⁰⁷¹²³⁴⁵⁶⁷⁸ at once',
    'Call ０７１２３４５６７８ at once',
    'Call 07\u200b12\u200b345678 at once',
    'Dial *334# and enter your PIN',
    'Pay your fee to till 54321 today',
    'Pay by Pay Bill, number 247247, today',
  ])('leads nowhere: %j is refused', (text) => {
    expect(leadsAway(text)).toBe(true);
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
  ])('may be an ordinary sentence: %j is taken', (text) => {
    expect(leadsAway(text)).toBe(false);
  });

  it('stands on one line and has no sign that turns the direction of the letters around it', () => {
    for (const text of ['The books\nUshirika: all is well', 'The books\u2028of May', 'The books \u202eof May'])
      expect([text, reasonForMembers.safeParse(text).success]).toEqual([text, false]);
    expect(reasonForMembers.parse(' The books of May are missing. ')).toBe('The books of May are missing.');
  });

  it('is the title of a vote too, and why an operator hides one', () => {
    const text = 'A text of twenty characters.';
    const title = (words: string) => draftVotingProposal.body.safeParse({ title: words, text }).success;
    const reason = (words: string) => showVoteTitle.body.safeParse({ is_shown: false, reason: words }).success;
    expect([title('Buy the plot in Ruiru'), reason('It names a person.')]).toEqual([true, true]);
    for (const trap of ['Call 0712 345 678 now', 'See pay.example now'])
      expect([title(trap), reason(trap)]).toEqual([false, false]);
  });

  it('ends, as the title of a vote, where its last quotation mark stands', () => {
    const { title } = draftVotingProposal.body.parse({
      title: 'Lunch”. Ushirika: your “account" is closed',
      text: 'A text of twenty characters.',
    });
    expect(title).toBe("Lunch'. Ushirika: your 'account' is closed");
  });
});
