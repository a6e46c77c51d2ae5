import { useInfiniteQuery } from '@tanstack/react-query';
import type { Category } from './queries.ts';

export interface Page<Row> {
  readonly count: number;
  readonly next: string | null;
  readonly results: readonly Row[];
}

/** What a keyset list is asked for. */
export interface PageQuery {
  readonly cursor?: string | undefined;
  readonly limit?: number;
}

/** The rows of a keyset list, page after page: `fetchPage` gets the cursor that the last page's `next` holds. */
export function usePages<Row>(
  key: readonly [Category, ...unknown[]],
  fetchPage: (cursor: string | undefined, signal: AbortSignal) => Promise<Page<Row>>,
) {
  const query = useInfiniteQuery({
    queryKey: key,
    queryFn: ({ pageParam, signal }) => fetchPage(pageParam, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => cursorOf(page.next),
  });
  return { ...query, rows: query.data?.pages.flatMap((page) => page.results), count: query.data?.pages[0]?.count };
}

/** The `cursor` in the address of the next page. */
export function cursorOf(next: string | null): string | undefined {
  if (!next) return undefined;
  return new URL(next, 'http://here').searchParams.get('cursor') ?? undefined;
}
