import { formatShillings } from '@ushirika/contract/format';
import { type ReactNode, useId } from 'react';
import { Button } from '../ui/button.tsx';
import { Facts, Tag } from '../ui/card.tsx';
import { formatCount, Money } from '../ui/figures.tsx';
import { say } from '../words/say.ts';
import { FeeName } from './fee-name.tsx';
import type { Book, FromMembers, Seller, WaysToBuy } from './market-sums.ts';

const SELLERS: readonly Seller[] = ['members', 'sacco'];

/** Whom to buy from: members or the sacco, in an order that stays while a number is typed; the cheaper one is named. */
export function SellerChoice({
  ways,
  shares,
  shareValue,
  chosen,
  onChoose,
  onOther,
}: {
  ways: WaysToBuy;
  shares: number | null;
  shareValue: number;
  chosen: Seller;
  onChoose: (seller: Seller) => void;
  /** Buys a number that members do sell. */
  onOther: (shares: number) => void;
}) {
  const { offered, members, order, savedCents } = ways;
  if (!offered) return null;
  const missing = shares !== null && members === null;
  const places = offered.price < shareValue ? SELLERS : SELLERS.toReversed();
  const offeredInstead = missing ? nearestOffered(shares, offered) : null;
  return (
    <fieldset>
      <legend className="text-small font-semibold">{say('Whom to buy from')}</legend>
      <p className="mt-0.5 mb-2 text-small text-ink-2">
        {say('Members offer {n} {n, plural, one {share} other {shares}} from {price}; the sacco sells at {value}', {
          n: formatCount(offered.shares),
          price: formatShillings(offered.price),
          value: formatShillings(shareValue),
        })}
      </p>
      <div className="grid gap-2">
        {places.map((seller) => (
          <Way
            key={seller}
            seller={seller}
            name={seller === 'members' ? say('From members') : say('From the sacco')}
            totalCents={seller === 'members' ? members?.totalCents : shares ? ways.saccoCents : undefined}
            cheaperBy={seller === order[0] ? savedCents : 0}
            isChosen={seller === chosen}
            isOut={seller === 'members' && missing}
            onChoose={() => onChoose(seller)}
          >
            {seller === 'sacco'
              ? say('Any number, without a fee.')
              : missing
                ? whyNot(shares, offered)
                : howMembersSell(members)}
          </Way>
        ))}
      </div>
      {offeredInstead !== null && (
        <Button look="line" className="mt-2 w-full" onClick={() => onOther(offeredInstead)}>
          {say('Buy {n} from members', { n: formatCount(offeredInstead) })}
        </Button>
      )}
    </fieldset>
  );
}

/** A number that members do sell, for somebody who wants another one: what there is, or all of an odd offer. */
function nearestOffered(shares: number, { shares: most, odd }: NonNullable<WaysToBuy['offered']>): number | null {
  if (shares > most) return most;
  return odd !== null && odd > shares ? odd : null;
}

function whyNot(shares: number, offered: NonNullable<WaysToBuy['offered']>): string {
  const n = formatCount(offered.shares);
  if (shares > offered.shares) return say('They offer {n} now, not {wanted}.', { n, wanted: formatCount(shares) });
  if (offered.shares < offered.lot) return say('They sell these {n} only together.', { n });
  if (offered.odd !== null) {
    const odd = formatCount(offered.odd);
    return say('They sell in lots of {n}, or {odd} together.', { n: formatCount(offered.lot), odd });
  }
  return say('They sell in lots of {n}.', { n: formatCount(offered.lot) });
}

function howMembersSell(members: FromMembers | null): string {
  if (!members) return say('Best price first; a small fee is added.');
  if (members.offer) return say('One offer has them all.');
  return say('From several offers, at up to {price} each.', { price: formatShillings(members.worst) });
}

/** One radio with all that it means. Its name is short, and what it says besides describes it. */
function Way({
  seller,
  name,
  totalCents,
  cheaperBy,
  isChosen,
  isOut,
  onChoose,
  children,
}: {
  seller: Seller;
  name: string;
  totalCents: number | undefined;
  cheaperBy: number;
  isChosen: boolean;
  isOut: boolean;
  onChoose: () => void;
  children: ReactNode;
}) {
  const id = useId();
  return (
    <label
      className={`flex items-start gap-3 rounded-box border px-3.5 py-3 has-focus-visible:outline-3 has-focus-visible:outline-[var(--focus)] ${isOut ? 'border-line bg-sunken' : 'cursor-pointer'} ${isChosen ? 'border-forest bg-forest-tint' : 'border-edge'}`}
    >
      <input
        type="radio"
        name="seller"
        value={seller}
        checked={isChosen}
        disabled={isOut}
        onChange={onChoose}
        aria-labelledby={`${id}name`}
        aria-describedby={`${id}more`}
        className="mt-0.5 size-5 shrink-0 accent-forest"
      />
      <span className="min-w-0 grow">
        <span className="flex flex-wrap items-center justify-between gap-x-3">
          <span id={`${id}name`} className="font-semibold">
            {name}
          </span>
          {totalCents !== undefined && <Money shillings={totalCents / 100} className="font-semibold" />}
        </span>
        <span
          id={`${id}more`}
          className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1 text-small text-ink-2"
        >
          <span>{children}</span>
          {cheaperBy > 0 && (
            <Tag tone="ochre">{say('Cheaper by {amount}', { amount: formatShillings(cheaperBy / 100) })}</Tag>
          )}
        </span>
      </span>
    </label>
  );
}

/** What buying from members comes to: the shares, the fee, and what is left if offers go meanwhile. */
export function MembersTotal({ members, terms }: { members: FromMembers; terms: Book['terms'] }) {
  return (
    <div>
      <Facts
        facts={[
          [say('For the shares'), <Money key="value" shillings={members.valueCents / 100} />],
          [
            <FeeName key="name" feeCents={members.feeCents} terms={terms} />,
            <Money key="fee" shillings={members.feeCents / 100} />,
          ],
          ...(members.neededCents > members.totalCents
            ? [[say('Needed in your wallet'), <Money key="needed" shillings={members.neededCents / 100} />] as const]
            : []),
        ]}
      />
      {!members.offer && (
        <p className="text-small text-ink-2">
          {members.neededCents > members.totalCents &&
            say('The order first holds all the shares at {price} each. What they cost less is yours again at once.', {
              price: formatShillings(members.worst),
            })}{' '}
          {say('If an offer sells first, the rest waits as your order to buy at up to {price}.', {
            price: formatShillings(members.worst),
          })}
        </p>
      )}
    </div>
  );
}
