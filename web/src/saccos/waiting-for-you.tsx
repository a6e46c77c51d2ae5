import type { UseWaiting } from '../layouts/waiting-thing.ts';
import { paths } from '../paths.ts';
import { say } from '../words/say.ts';
import { useOfficeNamings } from './namings.queries.ts';
import { officeWords } from './office-words.ts';

/** For officials: whom the chair has invited to an office, and another official is to confirm. */
export const useWaiting: UseWaiting = ({ sacco, isOfficial }) => {
  const { data } = useOfficeNamings(isOfficial ? sacco : undefined);
  if (!isOfficial) return [];
  return data?.results
    .filter(({ may }) => may.includes('confirm'))
    .map(({ id, office, member, id_number, expires_at }) => ({
      key: id,
      icon: 'people' as const,
      title: say('An invitation to an office waits for a second official'),
      words: `${officeWords(office)}: ${member ?? id_number}`,
      to: paths.clientMembers(),
      dueAt: expires_at ?? undefined,
    }));
};
