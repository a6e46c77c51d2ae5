import type { ReactNode } from 'react';
import { wordsFor } from '../api/failure.ts';
import { EmptyState, FailureState } from '../ui/card.tsx';
import { LoadMore } from '../ui/load-more.tsx';
import { Skeletons } from '../ui/skeleton.tsx';
import { say } from '../words/say.ts';

interface Pages<Row> {
  rows: readonly Row[] | undefined;
  isPending: boolean;
  isError: boolean;
  error: unknown;
  hasNextPage: boolean;
  isFetchingNextPage: boolean;
  refetch: () => unknown;
  fetchNextPage: () => unknown;
}

/** A list in pages: on its way, failed, empty, or there with a way to its next page. */
export function DeskList<Row>({
  pages,
  empty,
  children,
}: {
  pages: Pages<Row>;
  empty: { title: string; next: string };
  children: (rows: readonly Row[]) => ReactNode;
}) {
  if (pages.isPending) {
    return (
      <div className="grid gap-3">
        <Skeletons count={4} label={say('Loading...')} className="h-20 rounded-card" />
      </div>
    );
  }
  if (!pages.rows) {
    return <FailureState words={wordsFor(pages.error)} again={say('Try again')} onAgain={() => void pages.refetch()} />;
  }
  if (pages.rows.length === 0) return <EmptyState {...empty} />;
  return (
    <>
      {children(pages.rows)}
      <LoadMore list={pages} />
    </>
  );
}
