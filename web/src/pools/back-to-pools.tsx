import { Link } from 'react-router';
import { Icon } from '../ui/icon.tsx';
import { say } from '../words/say.ts';
import { usePoolPaths } from './pool-paths.ts';

/** The way back to the list of the area that somebody is in. */
export function BackToPools() {
  const to = usePoolPaths();
  return (
    <Link to={to.list} className="mb-3 inline-flex min-h-11 items-center gap-2 font-semibold text-ink-2 hover:text-ink">
      <Icon name="back" className="size-4.5" />
      {say('All pools')}
    </Link>
  );
}
