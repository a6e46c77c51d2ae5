import { formatShillings } from '@ushirika/contract/format';
import type { Ref } from 'react';
import { Facts } from '../ui/card.tsx';
import { formatCount, LongDate, signed } from '../ui/figures.tsx';
import { say } from '../words/say.ts';
import { eventIn, hidesAll } from './event-words.ts';
import { accountWords, byAccount, factsIn, type Movement, titleOf } from './facts-of.ts';
import { byKind } from './own-part.ts';
import type { SavedReceipt } from './saved-receipt.ts';

const SHILLING = 100;

/** A balance of an account: shillings, or shares. */
export function amountWords(value: number, isShares: boolean): string {
  if (!isShares) return formatShillings(value / SHILLING);
  return say('{n} {n, plural, one {share} other {shares}}', { n: formatCount(value) });
}

const changeWords = ({ change, isShares }: Movement): string =>
  isShares ? `${change < 0 ? '−' : '+'}\u00a0${formatCount(Math.abs(change))}` : signed(change / SHILLING);

/** The facts of a receipt, in plain words: what it was, when, what moved and what was there after it. */
export function ReceiptSays({
  receipt,
  sacco,
  ref,
}: {
  receipt: SavedReceipt;
  sacco: string | null;
  ref?: Ref<HTMLElement> | undefined;
}) {
  const facts = factsIn(receipt.opening);
  const event = eventIn(receipt.opening);
  return (
    <section ref={ref} aria-label={say('What the receipt says')}>
      <h2 className="text-lead">{event?.title ?? titleOf(facts)}</h2>
      <Facts
        facts={[
          ...(sacco ? [[say('Sacco'), sacco] as const] : []),
          ...(facts.at ? [[say('When'), <LongDate key="at" iso={facts.at} time />] as const] : []),
          ...(event?.rows ?? []),
          ...[...byKind(receipt.own ?? [])].map(
            ([kind, amount]) =>
              [
                say('One member’s part: {account}', { account: accountWords(kind) }),
                amountWords(amount, kind.startsWith('holding')),
              ] as const,
          ),
          ...byAccount(facts.movements).map(
            (each) =>
              [
                accountWords(each.kind),
                <span key={`${each.transfer} ${each.account}`}>
                  {changeWords(each)}{' '}
                  <span className="block text-small font-normal text-ink-2">
                    {say('after it {balance}', { balance: amountWords(each.after, each.isShares) })}
                  </span>
                </span>,
              ] as const,
          ),
          ...(facts.journal === null
            ? []
            : [[say('Entry in the books'), <code key="journal">{facts.journal}</code>] as const]),
        ]}
      />
      {hidesAll(receipt.opening) && (
        <p className="mt-3 text-ink-2">{say('This copy shows nothing of what members alone read of this entry.')}</p>
      )}
    </section>
  );
}
