import type { OwnDividend } from '@ushirika/contract/dividends';
import { wordsFor } from '../api/failure.ts';
import { Title } from '../layouts/title.tsx';
import { EmptyState, FailureState, PageHead } from '../ui/card.tsx';
import { Skeletons } from '../ui/skeleton.tsx';
import { say } from '../words/say.ts';
import { dividendPaths } from './dividend-paths.ts';
import { useOwnDividends } from './dividends.queries.ts';
import { YearCard } from './dividends-page.tsx';

/** /profile/dividends: what one gets of any sacco, also of one that one has left. */
export function OwnDividendsPage() {
  const own = useOwnDividends();
  return (
    <div className="max-w-[720px]">
      <Title>{say('Your dividends')}</Title>
      <PageHead
        title={say('Your dividends')}
        lead={say('Of every sacco in which you had shares or savings, also of those that you have left.')}
      />
      <div className="mt-5">
        {own.data ? (
          <List dividends={own.data.dividends} />
        ) : own.isError ? (
          <FailureState words={wordsFor(own.error)} again={say('Try again')} onAgain={() => void own.refetch()} />
        ) : (
          <Skeletons count={2} label={say('Loading...')} className="h-32 rounded-card" />
        )}
      </div>
    </div>
  );
}

function List({ dividends }: { dividends: readonly OwnDividend[] }) {
  if (dividends.length === 0) {
    return (
      <EmptyState
        title={say('No dividend yet')}
        next={say(
          'Once members of a sacco declare a dividend of a year in which you had shares or savings, it stands here.',
        )}
      />
    );
  }
  return (
    <ul className="grid gap-4">
      {dividends.map(({ sacco, ...year }) => (
        <li key={`${sacco.id} ${year.year}`}>
          <YearCard {...year} title={`${sacco.name}, ${year.year}`} to={dividendPaths.ownYear(sacco.id, year.year)} />
        </li>
      ))}
    </ul>
  );
}
