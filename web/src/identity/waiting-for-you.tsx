import type { UseWaiting } from '../layouts/waiting-thing.ts';
import { paths } from '../paths.ts';
import { say } from '../words/say.ts';
import { useProfile } from './profile.queries.ts';

/** For officials and operators: the second factor that their office asks for. */
export const useWaiting: UseWaiting = () => {
  const { data: profile } = useProfile();
  if (!profile) return undefined;
  if (!profile.second_factor.required || profile.second_factor.state !== 'off') return [];
  return [
    {
      key: 'factor',
      icon: 'shield',
      title: say('Set up an authenticator app'),
      words: say('Your office asks for it before you can act in it.'),
      to: paths.clientSettings(),
      act: say('Set up'),
    },
  ];
};
