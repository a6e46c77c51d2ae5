import { CARDS_COUNTED } from '@ushirika/contract/constants';
import type { NoticeToLeave } from '@ushirika/contract/membership';
import type { UseWaiting, WaitingThing } from '../layouts/waiting-thing.ts';
import { paths } from '../paths.ts';
import { formatCount, LongDate } from '../ui/figures.tsx';
import { say } from '../words/say.ts';
import { useNoticesToLeave, useUnseenCards } from './membership.queries.ts';

/** For officials: the members who leave, with the day on which the first of them is to be paid back; and the ID cards that wait to be seen. */
export const useWaiting: UseWaiting = ({ sacco, isOfficial }) => {
  const { data: exits } = useNoticesToLeave(isOfficial ? sacco : undefined);
  const { data: cards } = useUnseenCards(isOfficial ? sacco : undefined);
  if (isOfficial && (!exits || !cards)) return undefined;
  return [...leaving(exits?.results ?? []), ...unseen(cards?.count ?? 0)];
};

function unseen(n: number): WaitingThing[] {
  if (n === 0) return [];
  return [
    {
      key: 'cards',
      icon: 'person',
      title:
        n < CARDS_COUNTED
          ? say('{n, plural, one {The ID card of a member is} other {The ID cards of # members are}} not seen yet', {
              n,
            })
          : say('The ID cards of {n} or more members are not seen yet', { n: formatCount(n) }),
      words: say('See each card in person, and record it under Members. Before that they cannot vote.'),
      to: paths.clientMembers('unseen'),
    },
  ];
}

function leaving(notices: readonly NoticeToLeave[]): WaitingThing[] {
  const [first] = notices;
  if (!first) return [];
  const n = notices.length;
  return [
    {
      key: 'exits',
      icon: 'people',
      title: say('{n, plural, one {A member leaves} other {# members leave}}', { n }),
      words: (
        <>
          <span>
            {first.has_savings
              ? say('{name} is to be paid back by', { name: first.name })
              : say('{name} leaves, and nothing is to be paid back. It ends on', { name: first.name })}
          </span>{' '}
          <LongDate iso={first.due_at} />
        </>
      ),
      to: paths.clientMembers(),
      dueAt: first.due_at,
    },
  ];
}
