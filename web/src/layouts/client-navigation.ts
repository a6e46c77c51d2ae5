import { paths } from '../paths.ts';
import type { IconName } from '../ui/icon.tsx';
import { say } from '../words/say.ts';

export interface Place {
  readonly path: string;
  readonly words: string;
  /** What the narrow bar of a phone says instead. */
  readonly short?: string;
  readonly icon: IconName;
  /** Shown in the bar at the bottom of a phone's screen; the others are behind 'More'. */
  readonly first?: boolean;
}

/** The sidebar, top to bottom. A page whose feature does not exist yet has no line here. */
export function clientPlaces(): readonly Place[] {
  return [
    { path: paths.client(), words: say('Dashboard'), icon: 'dashboard', first: true },
    {
      path: paths.clientGuarantorPools(),
      words: say('Guarantor Pools'),
      short: say('Pools'),
      icon: 'shield',
      first: true,
    },
    {
      path: paths.clientShareTrading(),
      words: say('Share Trading'),
      short: say('Trade'),
      icon: 'chart',
      first: true,
    },
    { path: paths.clientReferrals(), words: say('Referrals'), icon: 'share' },
    { path: paths.clientWallet(), words: say('Wallet'), icon: 'wallet', first: true },
    { path: paths.clientMembers(), words: say('Members'), icon: 'person' },
    { path: paths.saccos(), words: say('Saccos'), icon: 'people' },
    { path: paths.home(), words: say('Home'), icon: 'home' },
  ];
}
