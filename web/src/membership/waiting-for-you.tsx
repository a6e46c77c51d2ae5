import type { UseWaiting } from '../layouts/waiting-thing.ts';
import { paths } from '../paths.ts';
import { LongDate } from '../ui/figures.tsx';
import { say } from '../words/say.ts';
import { useNoticesToLeave } from './membership.queries.ts';

/** For officials: the number of members who leave, and the day on which the first of them is to be paid back. */
export const useWaiting: UseWaiting = ({ sacco, isOfficial }) => {
  const { data } = useNoticesToLeave(isOfficial ? sacco : undefined);
  if (isOfficial && !data) return undefined;
  const [first] = data?.results ?? [];
  if (!data || !first) return [];
  const n = data.results.length;
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
};
