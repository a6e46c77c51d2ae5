import { type ReactNode, Suspense, useEffect, useState } from 'react';
import { Link, NavLink, useLocation } from 'react-router';
import { later } from '../layouts/later.tsx';
import { Switches } from '../layouts/switches.tsx';
import { paths } from '../paths.ts';
import { signOut, useSession } from '../session/session.ts';
import { LinkButton } from '../ui/button.tsx';
import { Icon, Mark } from '../ui/icon.tsx';
import { say } from '../words/say.ts';

const OperatorLink = later(() => import('./operator-link.tsx'), 'OperatorLink', true);

/** The top navigation: beside the mark on a wide screen, behind a button on a phone. `tools` stay in sight on both. */
export function SiteHeader({ tools }: { tools?: ReactNode }) {
  const { pathname } = useLocation();
  const [isOpen, setOpen] = useState(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new page closes the menu
  useEffect(() => setOpen(false), [pathname]);
  return (
    <header className="sticky top-0 z-20 border-b border-transparent bg-paper/95 backdrop-blur-sm">
      <div className="wrap flex min-h-[72px] items-center gap-4">
        <Link
          to={paths.home()}
          className="flex min-h-11 items-center gap-2.5 text-[1.25rem] font-extrabold tracking-tight"
        >
          <Mark />
          Ushirika
        </Link>
        <nav aria-label={say('Main')} className="ml-auto flex items-center gap-1 max-lg:hidden">
          <Places className="btn btn-quiet aria-[current]:text-ink aria-[current]:underline aria-[current]:decoration-ochre aria-[current]:decoration-[3px] aria-[current]:underline-offset-8" />
          <Switches />
          <InOrOut />
        </nav>
        <div className={`flex items-center gap-1 max-lg:ml-auto ${tools ? '' : 'lg:hidden'}`}>
          {tools}
          <button
            type="button"
            className="btn btn-line lg:hidden"
            aria-expanded={isOpen}
            aria-controls="phone-menu"
            onClick={() => setOpen(!isOpen)}
          >
            <Icon name={isOpen ? 'close' : 'menu'} />
            {say('Menu')}
          </button>
        </div>
      </div>
      <nav
        id="phone-menu"
        aria-label={say('Menu')}
        hidden={!isOpen}
        className="wrap border-b border-line bg-paper pb-5 shadow-high lg:hidden"
        onKeyDown={(event) => event.key === 'Escape' && setOpen(false)}
      >
        <div className="grid">
          <Places className="rule flex min-h-13 items-center text-lead font-semibold aria-[current]:text-forest" />
        </div>
        <div className="mt-3 flex flex-wrap items-center justify-between gap-3">
          <Switches />
          <InOrOut />
        </div>
      </nav>
    </header>
  );
}

function Places({ className }: { className: string }) {
  const session = useSession();
  const places: readonly (readonly [string, string])[] = [
    [paths.home(), say('Home')],
    [paths.saccos(), say('Saccos')],
    [paths.pools(), say('Pools')],
    [paths.client(), say('Dashboard')],
    [paths.profile(), say('My Account')],
  ];
  return (
    <>
      {places.map(([path, words]) => (
        <NavLink key={path} to={path} end={path === '/'} className={className}>
          {words}
        </NavLink>
      ))}
      {session && (
        <Suspense>
          <OperatorLink className={className} />
        </Suspense>
      )}
    </>
  );
}

function InOrOut() {
  const session = useSession();
  if (!session) return <LinkButton to={paths.login()}>{say('Login')}</LinkButton>;
  return (
    <button type="button" className="btn btn-line" onClick={() => signOut('asked')}>
      {say('Log Out')}
    </button>
  );
}
