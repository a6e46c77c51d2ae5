import type { SaccoDetail } from '@ushirika/contract/saccos';
import { useNavigate } from 'react-router';
import { paths } from '../paths.ts';
import { Button } from '../ui/button.tsx';
import { say } from '../words/say.ts';
import { enterSacco } from './enter-sacco.ts';

/** The way to the members of a sacco for its official who is no member of it; nothing before its activation. */
export function EnterAsOfficial({ sacco }: { sacco: SaccoDetail }) {
  const navigate = useNavigate();
  if (sacco.application?.state !== 'active' && sacco.application?.state !== 'suspended') return null;
  return (
    <Button onClick={() => enterSacco(sacco) && navigate(paths.clientMembers())}>{say('Enter as an official')}</Button>
  );
}
