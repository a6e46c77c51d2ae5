import { formatShillings } from '@ushirika/contract/format';
import type { PoolDetails } from '@ushirika/contract/pools';
import { say } from '../words/say.ts';

/** What a member can lose, said before they join: how it comes about first, then how much at most. */
export function WhatCouldBeLost({ settings, amount }: { settings: PoolDetails['settings']; amount: string | null }) {
  const sentences = [
    say(
      'Your money stands behind loans of other members. A part of it is locked for each new guarantee, without asking you.',
    ),
    say(
      'If a borrower does not pay, the pool pays: first from the borrower’s own money, then from its reserve, then from what is locked of each member for that loan.',
    ),
    amount === null
      ? say(
          'At worst you lose all that you put in. You never lose more than that: your wallet, savings and shares stay yours.',
        )
      : say(
          'At worst you lose all {amount}. You never lose more than that: your wallet, savings and shares stay yours.',
          { amount },
        ),
    say('Free money comes back after notice of {time}. Locked money comes free as loans are paid back.', {
      time: say('{n} {n, plural, one {day} other {days}}', { n: settings.notice_days }),
    }),
    say('For your own loan your whole position pays first.'),
  ];
  return (
    <section className="rounded-box bg-clay-tint px-4 py-3.5">
      <h3 className="text-body font-semibold text-clay">{say('What could I lose?')}</h3>
      <ul className="mt-1.5 grid list-disc gap-1.5 pl-4.5 text-small text-ink">
        {sentences.map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
    </section>
  );
}

/** The same in two sentences, with the figures of a position. */
export function lossOf({ locked, position }: { locked: number; position: number }): string {
  if (locked === 0)
    return say(
      'Nothing of it is locked for a guarantee now. New guarantees can lock it at any time, up to all {amount}.',
      {
        amount: formatShillings(position),
      },
    );
  return say(
    'If every guarantee that it is locked for were called today, you would lose {locked} at most. New guarantees can lock the rest.',
    {
      locked: formatShillings(locked),
    },
  );
}
