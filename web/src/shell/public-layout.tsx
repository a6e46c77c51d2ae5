import { Link, Outlet } from 'react-router';
import { paths } from '../paths.ts';
import { useSession } from '../session/session.ts';
import { Mark } from '../ui/icon.tsx';
import { KangaBand } from '../ui/kanga-band.tsx';
import { say } from '../words/say.ts';
import { SiteHeader } from './site-header.tsx';

/** The public pages: top navigation, page, footer. */
export function PublicLayout() {
  return (
    <div className="flex min-h-dvh flex-col">
      <SiteHeader />
      <main id="main" tabIndex={-1} className="grow">
        <Outlet />
      </main>
      <SiteFooter />
    </div>
  );
}

function SiteFooter() {
  const session = useSession();
  const groups: readonly (readonly [string, readonly (readonly [string, string])[]])[] = [
    [
      say('Explore'),
      [
        [paths.saccos(), say('Saccos')],
        [paths.guarantorPools(), say('Guarantor Pools')],
        [paths.shareTrading(), say('Share Trading')],
        [paths.votingProposals(), say('Voting Proposals')],
        [paths.referrals(), say('Referrals')],
        [paths.verify(), say('Check a receipt')],
        [paths.log(), say('Log of the books')],
      ],
    ],
    [
      say('Your account'),
      [
        ...(session
          ? ([[paths.client(), say('Dashboard')]] as const)
          : ([
              [paths.login(), say('Sign In')],
              [paths.register(), say('Sign Up')],
            ] as const)),
        [paths.mySaccos(), say('My saccos')],
        [paths.profile(), say('My Profile')],
      ],
    ],
  ];
  return (
    <footer className="mt-16 bg-sunken">
      <KangaBand isThin />
      <div className="wrap grid grid-cols-2 gap-x-6 gap-y-8 py-10 sm:grid-cols-[1.4fr_1fr_1fr] sm:py-12">
        <div className="max-sm:col-span-2">
          <p className="flex items-center gap-2.5 text-lead font-extrabold">
            <Mark className="size-7" />
            Ushirika
          </p>
          <p className="mt-3 max-w-[40ch] text-ink-2">
            {say('Savings, shares, credit and votes for co-operatives in Kenya, with a receipt for every movement.')}
          </p>
        </div>
        {groups.map(([title, links]) => (
          <nav key={title} aria-label={title}>
            <p className="font-semibold">{title}</p>
            <ul className="mt-1">
              {links.map(([path, words]) => (
                <li key={path}>
                  <Link
                    to={path}
                    reloadDocument={path === paths.verify()}
                    className="inline-flex min-h-11 items-center text-ink-2 hover:text-ink hover:underline sm:min-h-9"
                  >
                    {words}
                  </Link>
                </li>
              ))}
            </ul>
          </nav>
        ))}
      </div>
    </footer>
  );
}
