import { usePrivatePicture } from '../session/private-picture.ts';
import { Monogram } from '../ui/avatar.tsx';

interface Named {
  readonly name: string;
  readonly logo: string | null;
}

/**
 * A sacco's logo, or its monogram. While the sacco waits for its activation the logo is for its founder, its officials and
 * operators alone: then it is fetched in their name, and the monogram stands until it is there.
 */
export function SaccoLogo({ sacco, isActive, large }: { sacco: Named; isActive: boolean; large?: boolean }) {
  const fetched = usePrivatePicture(isActive ? null : sacco.logo);
  return <Monogram name={sacco.name} logo={isActive ? sacco.logo : fetched} {...(large ? { large } : {})} />;
}
