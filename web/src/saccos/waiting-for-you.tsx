import type { UseWaiting } from '../layouts/waiting-thing.ts';
import { paths } from '../paths.ts';
import { say } from '../words/say.ts';
import { pageOf, titleOf } from './change-words.ts';
import { useSaccoChanges } from './changes.queries.ts';

/** For officials: what another one proposed, and they may confirm. */
export const useWaiting: UseWaiting = ({ sacco, isOfficial }) => {
  const { data: changes } = useSaccoChanges(isOfficial ? sacco : undefined);
  if (!isOfficial) return [];
  const toConfirm = changes?.results.filter(({ may }) => may.includes('confirm'));
  return toConfirm?.map(({ id, kind, proposed_by, lapses_at }) => ({
    key: id,
    dueAt: lapses_at ?? undefined,
    icon: 'people',
    title: titleOf(kind),
    words: say('{name} asks you, as an official, to look and confirm.', { name: proposed_by.name }),
    to: `${paths.client()}/${pageOf(kind)}`,
  }));
};
