import { useQueries } from '@tanstack/react-query';
import { useProfile } from '../identity/profile.queries.ts';
import { useSession } from '../session/session.ts';
import { saccoDetail } from './saccos.queries.ts';

/** The saccos that one holds an office in; its founder is its chair. Undefined until all are read or have failed. */
export function useOfficeSaccos() {
  const viewer = useSession()?.user.id;
  const { data: profile } = useProfile();
  const ids = new Set(profile?.roles.flatMap(({ sacco, office }) => (sacco && office ? [sacco] : [])));
  const read = useQueries({ queries: [...ids].map((id) => saccoDetail(id, viewer)) });
  if (!profile || read.some(({ isPending }) => isPending)) return undefined;
  return read.flatMap(({ data }) => (data ? [data] : []));
}
