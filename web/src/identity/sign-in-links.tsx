import { useLocation } from 'react-router';
import { paths } from '../paths.ts';
import { rememberPage } from '../session/session.ts';
import { LinkButton } from '../ui/button.tsx';
import { say } from '../words/say.ts';

/** For a visitor who wants what only members can do; after signing in they are back here. */
export function SignInLinks() {
  const { pathname, search } = useLocation();
  const remember = () => rememberPage(pathname + search);
  return (
    <div className="mt-5 grid gap-3">
      <p className="text-ink-2">{say('You need an account for this. It takes two minutes.')}</p>
      <div className="grid grid-cols-2 gap-3">
        <LinkButton to={paths.register()} onClick={remember}>
          {say('Sign Up')}
        </LinkButton>
        <LinkButton to={paths.login()} look="line" onClick={remember}>
          {say('Sign In')}
        </LinkButton>
      </div>
    </div>
  );
}
