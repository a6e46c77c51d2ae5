import { KEPT_RIGHTS_DAYS } from '@ushirika/contract/constants';
import { formatShillings } from '@ushirika/contract/format';
import type { VotingProposalDetail } from '@ushirika/contract/voting';
import type { ProposalState } from '@ushirika/contract/voting-rules';
import { useOrderBook } from '../market/market.queries.ts';
import type { Book } from '../market/market-book.ts';
import { Card } from '../ui/card.tsx';
import { formatCount } from '../ui/figures.tsx';
import { useSummary } from '../wallet/summary.queries.ts';
import { longDate } from '../words/dates.ts';
import { say } from '../words/say.ts';

const HOUR_MS = 3_600_000;
/** In which it may still come. */
export const AHEAD: ReadonlySet<ProposalState> = new Set([
  ...(['draft', 'published', 'open', 'closed', 'queued', 'held', 'execution_failed'] as const),
]);

interface Terms {
  readonly reg_fee: number;
  readonly min_shares: number;
  readonly share_value: number;
}

/** Of other terms of the sacco: what they would mean for whoever reads, in shares and shillings. */
export function MeansForMe({ vote }: { vote: VotingProposalDetail }) {
  const { data: summary } = useSummary();
  const isRevalued =
    vote.change?.kind === 'sacco_terms' && vote.change.before.share_value !== vote.change.after.share_value;
  const { data: book } = useOrderBook(vote.sacco.id, isRevalued && AHEAD.has(vote.state));
  const own = summary?.saccos.find(({ id }) => id === vote.sacco.id);
  if (vote.change?.kind !== 'sacco_terms' || !own || !AHEAD.has(vote.state)) return null;
  const change = vote.change as unknown as { before: Terms; after: Terms };
  const sentences = meansFor(own.shares, change, keptUntil(vote), book ? ordersOf(book) : null);
  return (
    <Card className="p-5">
      <h2 className="text-lead">{say('What it means for you')}</h2>
      <ul className="num mt-2 grid max-w-[70ch] list-disc gap-1.5 pl-4.5">
        {sentences.map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
    </Card>
  );
}

/** Orders of a market that wait, as far as they are known, and one's own of them. */
interface Orders {
  readonly all: number;
  readonly mine: number;
}

const ordersOf = ({ bids, asks, mine }: Book): Orders => ({
  all: [...bids, ...asks].reduce((sum, { orders }) => sum + orders, 0),
  mine: mine.length,
});

/** The sentences, by the shares that one holds and the orders that wait. */
export function meansFor(
  shares: number,
  { before, after }: { readonly before: Terms; readonly after: Terms },
  until: string | null,
  orders: Orders | null = null,
): string[] {
  const missing = after.min_shares - shares;
  const inWords = (shillings: number) => formatShillings(shillings);
  return [
    say('You hold {n, plural, one {1 share} other {# shares}} now.', { n: shares }),
    ...(missing > 0 && after.min_shares > before.min_shares
      ? [
          say('The minimum would be {least}: you would have to buy {missing} more, for {cost} from the sacco.', {
            least: after.min_shares,
            missing,
            cost: inWords(missing * after.share_value),
          }),
          until
            ? say('You would keep your full rights until {day} in any case.', { day: longDate(until) })
            : say('You would keep your full rights for {n, plural, one {1 day} other {# days}} in any case.', {
                n: KEPT_RIGHTS_DAYS,
              }),
          say('After that you would have no vote, get no new loan and guarantee none, until you hold enough.'),
        ]
      : []),
    ...(missing <= 0 && after.min_shares !== before.min_shares ? [say('You hold enough for the new minimum.')] : []),
    ...(after.share_value !== before.share_value && shares > 0
      ? [
          say(
            'The sacco would sell a share for {after}; now it sells one for {before}. For your shares that would be {worth}.',
            {
              before: inWords(before.share_value),
              after: inWords(after.share_value),
              worth: inWords(shares * after.share_value),
            },
          ),
          say('No money comes to you by that. What members pay one another on the market is another price.'),
          ...(orders
            ? [
                say('All open orders on the market are closed then: {all} now, {mine} of them yours.', {
                  all: formatCount(orders.all),
                  mine: formatCount(orders.mine),
                }),
              ]
            : []),
        ]
      : []),
    ...(after.reg_fee !== before.reg_fee ? [say('You have paid your registration fee, and pay nothing again.')] : []),
  ];
}

/** The earliest end of the time after a higher minimum; null for a draft, which has no times yet. */
function keptUntil({ eta, closes_at, rules }: VotingProposalDetail): string | null {
  const carriedOut = eta ? Date.parse(eta) : closes_at ? Date.parse(closes_at) + rules.timelock_hours * HOUR_MS : null;
  return carriedOut === null ? null : new Date(carriedOut + KEPT_RIGHTS_DAYS * 24 * HOUR_MS).toISOString();
}
