import { KEPT_RIGHTS_DAYS } from '@ushirika/contract/constants';
import { formatShillings } from '@ushirika/contract/format';
import type { VotingProposalDetail } from '@ushirika/contract/voting';
import type { ProposalState } from '@ushirika/contract/voting-rules';
import { Card } from '../ui/card.tsx';
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
  const own = summary?.saccos.find(({ id }) => id === vote.sacco.id);
  if (vote.change?.kind !== 'sacco_terms' || !own || !AHEAD.has(vote.state)) return null;
  const sentences = meansFor(own.shares, vote.change as unknown as { before: Terms; after: Terms }, keptUntil(vote));
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

/** The sentences, by the shares that one holds. */
export function meansFor(
  shares: number,
  { before, after }: { readonly before: Terms; readonly after: Terms },
  until: string | null,
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
        ]
      : []),
    ...(missing <= 0 && after.min_shares !== before.min_shares ? [say('You hold enough for the new minimum.')] : []),
    ...(after.share_value !== before.share_value && shares > 0
      ? [
          say('At the new share value your shares come to {after}; now they come to {before}.', {
            before: inWords(shares * before.share_value),
            after: inWords(shares * after.share_value),
          }),
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
