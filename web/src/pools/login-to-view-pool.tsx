import { useLocation } from 'react-router';
import { paths } from '../paths.ts';
import { rememberPage } from '../session/session.ts';
import { LinkButton } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import { say } from '../words/say.ts';

/** What a visitor sees of a pool: the way to sign in, and back here after it. */
export function LoginToViewPool({ words }: { words: string }) {
  const { pathname } = useLocation();
  return (
    <div className="mt-6 flex flex-wrap items-center gap-4 rounded-card bg-forest-tint px-5 py-4 text-forest">
      <Icon name="shield" className="size-7" />
      <p className="grow basis-60">{words}</p>
      <LinkButton to={paths.login()} onClick={() => rememberPage(pathname)} className="max-sm:w-full">
        {say('Login to view Pool')}
      </LinkButton>
    </div>
  );
}
