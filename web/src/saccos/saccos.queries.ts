import { queryOptions, useQuery } from '@tanstack/react-query';
import type { listSaccos, readSacco } from '@ushirika/contract/saccos';
import { call } from '../api/call.ts';
import { usePages } from '../api/pages.ts';
import { useSession } from '../session/session.ts';

/** Saccos by name, page after page; `member` (a user's id) asks for that person's own. */
export function useSaccos(name: string, member?: string) {
  const viewer = useSession()?.user.id;
  return usePages(['Sacco', 'list', { name, member, viewer }], (cursor, signal) =>
    call<typeof listSaccos>('GET', '/sacco/list', { query: { name: name || undefined, member, cursor }, signal }),
  );
}

/** One sacco, with its officials, terms and published figures. */
export function useSaccoDetail(id: string | undefined) {
  const viewer = useSession()?.user.id;
  return useQuery(saccoDetail(id, viewer));
}

/** The query of one sacco, for pages that read several. */
export function saccoDetail(id: string | undefined, viewer: string | undefined) {
  return queryOptions({
    queryKey: ['Sacco', 'one', id, viewer],
    queryFn: ({ signal }) => call<typeof readSacco>('GET', '/sacco/{id}', { params: { id: id ?? '' }, signal }),
    enabled: id !== undefined,
  });
}
