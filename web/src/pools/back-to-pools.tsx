import { BackLink } from '../ui/back-link.tsx';
import { say } from '../words/say.ts';
import { usePoolPaths } from './pool-paths.ts';

/** The way back to the list of the area that somebody is in. */
export function BackToPools() {
  const to = usePoolPaths();
  return <BackLink to={to.list}>{say('All pools')}</BackLink>;
}
