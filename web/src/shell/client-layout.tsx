import { QueryClientProvider } from '@tanstack/react-query';
import { Suspense, useState } from 'react';
import { Link, NavLink, Outlet, useLocation } from 'react-router';
import { queryClient } from '../api/queries.ts';
import { holdsOffice } from '../identity/holds-office.ts';
import { useProfile } from '../identity/profile.queries.ts';
import { later } from '../layouts/later.tsx';
import { Switches } from '../layouts/switches.tsx';
import { NotificationBell } from '../notifications/notification-bell.tsx';
import { clientPlaces, isForMembers, type Place } from '../pages.tsx';
import { paths } from '../paths.ts';
import { ForMembersOnly, useHoldsOfficeOnly } from '../saccos/office-only.tsx';
import { useSaccoDetail } from '../saccos/saccos.queries.ts';
import { SuspensionNotice } from '../saccos/suspension-notice.tsx';
import { signOut, useSacco, useSession } from '../session/session.ts';
import { Avatar } from '../ui/avatar.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Icon, Mark } from '../ui/icon.tsx';
import { Menu } from '../ui/menu.tsx';
import { Skeletons } from '../ui/skeleton.tsx';
import { say } from '../words/say.ts';
import { OwnNotes } from './own-notes.tsx';

const OperatorLink = later(() => import('./operator-link.tsx'), 'OperatorLink', true);

/** The client area of the chosen sacco: sidebar and header; on a phone a bar at the bottom. */
export function ClientLayout() {
  return (
    <QueryClientProvider client={queryClient}>
      <div className="min-h-dvh lg:grid lg:grid-cols-[232px_minmax(0,1fr)]">
        <Sidebar />
        <div className="min-w-0">
          <ClientHeader />
          <main id="main" tabIndex={-1} className="px-4 pt-4 pb-28 sm:px-6 lg:pb-12">
            <OwnNotes />
            <OfSuspension />
            <Page />
          </main>
        </div>
        <BottomBar />
      </div>
    </QueryClientProvider>
  );
}

/** The page of the address. What members have is not shown to an official who is no member. */
function Page() {
  const { pathname } = useLocation();
  const isOfficeOnly = useHoldsOfficeOnly();
  if (isOfficeOnly === false || !isForMembers(pathname)) return <Outlet />;
  return isOfficeOnly ? (
    <ForMembersOnly />
  ) : (
    <Skeletons count={1} label={say('Loading...')} className="h-48 rounded-card" />
  );
}

/** On every page of a sacco that is suspended. */
function OfSuspension() {
  const { data } = useSaccoDetail(useSacco()?.id);
  return <SuspensionNotice sacco={data} />;
}

/** The places of whoever is signed in: officials of the chosen sacco have more of them. */
function useOwnPlaces(): readonly Place[] {
  const { data: profile } = useProfile();
  const sacco = useSacco();
  return clientPlaces(holdsOffice(profile, sacco?.id), !useHoldsOfficeOnly());
}

function Sidebar() {
  return (
    <nav
      aria-label={say('Client area')}
      className="sticky top-0 flex h-dvh flex-col gap-1 overflow-y-auto bg-night p-3.5 text-on-night-2 max-lg:hidden"
    >
      <Link
        to={paths.client()}
        className="mb-3 flex min-h-11 items-center gap-2.5 px-3 text-lead font-extrabold text-white"
      >
        <Mark className="size-7" />
        Ushirika
      </Link>
      {useOwnPlaces().map(({ path, words, icon }) => (
        <NavLink
          key={path}
          to={path}
          end={path === paths.client() || path === '/'}
          className="flex min-h-11 items-center gap-3 rounded-[10px] px-3 font-medium hover:bg-white/5 aria-[current]:bg-white/10 aria-[current]:text-white aria-[current]:shadow-[inset_3px_0_0_#d9961a]"
        >
          <Icon name={icon} className="size-4.5 opacity-80" />
          {words}
        </NavLink>
      ))}
    </nav>
  );
}

function ClientHeader() {
  const session = useSession();
  const sacco = useSacco();
  const name = `${session?.user.first_name ?? ''} ${session?.user.last_name ?? ''}`;
  return (
    <header className="flex min-h-[67px] items-center gap-3 border-b border-line px-4 py-2.5 sm:px-6">
      <div className="min-w-0">
        <p className="text-small text-ink-2">{say('Current sacco')}</p>
        <p className="line-clamp-2 leading-tight font-semibold max-sm:text-small sm:line-clamp-1">{sacco?.name}</p>
      </div>
      <div className="ml-auto flex items-center gap-1">
        <div className="max-md:hidden">
          <Switches />
        </div>
        <NotificationBell />
        <Menu
          label={say('My menu, ID number {id_number}', { id_number: session?.user.id_number ?? '' })}
          className="btn btn-quiet gap-2.5 pr-2 max-sm:gap-1.5 max-sm:px-1"
          face={
            <>
              <span className="num">{session?.user.id_number}</span>
              <Avatar name={name} />
            </>
          }
        >
          <Link className="menu-item" to={paths.clientProfile()}>
            <Icon name="person" />
            {say('My Profile')}
          </Link>
          <Link className="menu-item" to={paths.clientSettings()}>
            <Icon name="settings" />
            {say('Account Settings')}
          </Link>
          <Suspense>
            <OperatorLink className="menu-item" withIcon />
          </Suspense>
          <button type="button" className="menu-item" onClick={() => signOut('asked')}>
            <Icon name="out" />
            {say('Log Out')}
          </button>
        </Menu>
      </div>
    </header>
  );
}

const BAR_ITEM =
  'flex min-h-14 flex-col items-center justify-center gap-0.5 px-1 text-center text-tiny leading-tight font-semibold text-ink-2 aria-[current]:text-forest';

function BottomBar() {
  const [isOpen, setOpen] = useState(false);
  const places = useOwnPlaces();
  return (
    <>
      <nav
        aria-label={say('Client area')}
        className="fixed inset-x-0 bottom-0 z-20 grid auto-cols-fr grid-flow-col border-t border-line bg-surface pb-[env(safe-area-inset-bottom)] lg:hidden"
      >
        {places
          .filter(({ first }) => first)
          .map(({ path, words, short, icon }) => (
            <NavLink key={path} to={path} end={path === paths.client()} className={BAR_ITEM}>
              <Icon name={icon} />
              {short ?? words}
            </NavLink>
          ))}
        <button
          type="button"
          className={`${BAR_ITEM} cursor-pointer`}
          aria-haspopup="dialog"
          onClick={() => setOpen(true)}
        >
          <Icon name="menu" />
          {say('More')}
        </button>
      </nav>
      {isOpen && (
        <Dialog title={say('More')} onClose={() => setOpen(false)}>
          {/* biome-ignore lint/a11y/useKeyWithClickEvents lint/a11y/noStaticElementInteractions: following a link closes it */}
          <div onClick={(event) => (event.target as Element).closest('a') && setOpen(false)}>
            {places.map(({ path, words, icon }) => (
              <Link key={path} to={path} className="rule flex min-h-13 items-center gap-3 text-lead font-semibold">
                <Icon name={icon} />
                {words}
              </Link>
            ))}
          </div>
          <div className="mt-4 -ml-2">
            <Switches />
          </div>
        </Dialog>
      )}
    </>
  );
}
