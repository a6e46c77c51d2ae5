import type { MembershipState } from '@ushirika/contract/saccos';
import { Tag, type TagTone } from '../ui/card.tsx';
import { say } from '../words/say.ts';

/** How a person stands in a sacco, in a word. */
export function MembershipTag({ state }: { state: MembershipState | null }) {
  if (!state) return null;
  const shown: Record<MembershipState, [TagTone, string]> = {
    provisional: ['ochre', say('First shares missing')],
    active: ['forest', say('Member')],
    leaving: ['clay', say('Leaving')],
    exited: ['plain', say('Left')],
  };
  const [tone, words] = shown[state];
  return <Tag tone={tone}>{words}</Tag>;
}
