import type { OfficeInvitation, OfficeNaming } from '@ushirika/contract/saccos';
import type { UseWaiting, WaitingThing } from '../layouts/waiting-thing.ts';
import { paths } from '../paths.ts';
import { say } from '../words/say.ts';
import { pageOf, titleOf } from './change-words.ts';
import { useSaccoChanges } from './changes.queries.ts';
import { useOfficeInvitations, useOfficeNamings } from './namings.queries.ts';
import { officeWords } from './office-words.ts';

/** The offices that one is asked to take up, in any sacco. For officials also what others proposed, and whom the chair has invited. */
export const useWaiting: UseWaiting = ({ sacco, isOfficial }) => {
  const { data: asked } = useOfficeInvitations();
  const { data: changes } = useSaccoChanges(isOfficial ? sacco : undefined);
  const { data: namings } = useOfficeNamings(isOfficial ? sacco : undefined);
  if (!asked || (isOfficial && (!changes || !namings))) return undefined;
  const toConfirm = changes?.results.filter(({ may }) => may.includes('confirm')) ?? [];
  const invited = namings?.results.filter(({ may }) => may.includes('confirm')) ?? [];
  return [
    ...asked.results.map(askedFor),
    ...toConfirm.map(({ id, kind, proposed_by, lapses_at }) => ({
      key: id,
      dueAt: lapses_at ?? undefined,
      icon: 'people' as const,
      title: titleOf(kind),
      words: say('{name} asks you, as an official, to look and confirm.', { name: proposed_by.name }),
      to: `${paths.client()}/${pageOf(kind)}`,
    })),
    ...invited.map(waitsForSecond),
  ];
};

const askedFor = ({ id, sacco, office, expires_at }: OfficeInvitation): WaitingThing => ({
  key: id,
  icon: 'people',
  title: say('You are asked to take up an office'),
  words: `${sacco.name}: ${officeWords(office)}`,
  to: paths.mySaccos(),
  dueAt: expires_at,
});

const waitsForSecond = ({ id, office, member, id_number, expires_at }: OfficeNaming): WaitingThing => ({
  key: id,
  icon: 'people',
  title: say('An invitation to an office waits for a second official'),
  words: `${officeWords(office)}: ${member ?? id_number}`,
  to: paths.clientMembers(),
  dueAt: expires_at ?? undefined,
});
