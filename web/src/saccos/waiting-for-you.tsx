import type { UseWaiting } from '../layouts/waiting-thing.ts';
import { paths } from '../paths.ts';
import { say } from '../words/say.ts';
import { pageOf, titleOfChange } from './change-words.ts';
import { useSaccoChanges } from './changes.queries.ts';
import { useOfficeNamings } from './namings.queries.ts';
import { officeWords } from './office-words.ts';

/** For officials: what another one proposed, and whom the chair has invited to an office, which they may confirm. */
export const useWaiting: UseWaiting = ({ sacco, isOfficial }) => {
  const { data: changes } = useSaccoChanges(isOfficial ? sacco : undefined);
  const { data: namings } = useOfficeNamings(isOfficial ? sacco : undefined);
  if (!isOfficial) return [];
  if (!changes || !namings) return undefined;
  const toConfirm = changes.results.filter(({ may }) => may.includes('confirm'));
  const invited = namings.results.filter(({ may }) => may.includes('confirm'));
  return [
    ...toConfirm.map(({ id, kind, before, after, proposed_by, lapses_at }) => ({
      key: id,
      dueAt: lapses_at ?? undefined,
      icon: 'people' as const,
      title: titleOfChange({ kind, before, after }),
      words: say('{name} asks you, as an official, to look and confirm.', { name: proposed_by.name }),
      to: `${paths.client()}/${pageOf(kind)}`,
    })),
    ...invited.map(({ id, office, member, id_number, expires_at }) => ({
      key: id,
      icon: 'people' as const,
      title: say('An invitation to an office waits for a second official'),
      words: `${officeWords(office)}: ${member ?? id_number}`,
      to: paths.clientMembers(),
      dueAt: expires_at ?? undefined,
    })),
  ];
};
