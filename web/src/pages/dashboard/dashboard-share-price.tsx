import { useMarketStats } from '../../market/market.queries.ts';
import { SharePrice } from '../../market/share-price.tsx';
import { paths } from '../../paths.ts';
import { Card } from '../../ui/card.tsx';
import { CardLink } from '../../ui/card-link.tsx';
import { Skeletons } from '../../ui/skeleton.tsx';
import { say } from '../../words/say.ts';

/** What a share of this sacco goes for between members, and the way to the market. */
export function DashboardSharePrice({ sacco }: { sacco: string }) {
  const { data: stats, isError } = useMarketStats(sacco, '1m');
  // The dashboard has more to tell than this: where it cannot be read, it is left out.
  if (!stats && isError) return null;
  return (
    <Card className="px-5 pt-4.5 pb-2">
      <h2 className="mb-1 text-lead">{say('Price of a share')}</h2>
      {stats ? (
        <SharePrice stats={stats} />
      ) : (
        <Skeletons count={1} label={say('Loading...')} className="h-36 rounded-box" />
      )}
      <CardLink to={paths.clientShareTrading()} className="mt-2">
        {say('Share Trading')}
      </CardLink>
    </Card>
  );
}
