import { QueryClientProvider } from '@tanstack/react-query';
import { Link, Outlet } from 'react-router';
import { queryClient } from '../api/queries.ts';
import { Switches } from '../layouts/switches.tsx';
import { paths } from '../paths.ts';
import { useSession } from '../session/session.ts';
import { Mark } from '../ui/icon.tsx';
import { SignedInLayout } from './signed-in-layout.tsx';

/** The list of saccos in its plain form: visitors have no places to go to in its header, others have all of theirs. */
export function ListLayout() {
  return useSession() ? <SignedInLayout /> : <PlainLayout />;
}

function PlainLayout() {
  return (
    <QueryClientProvider client={queryClient}>
      <header className="wrap flex min-h-[72px] items-center justify-between gap-4">
        <Link
          to={paths.home()}
          className="flex min-h-11 items-center gap-2.5 text-[1.25rem] font-extrabold tracking-tight"
        >
          <Mark />
          Ushirika
        </Link>
        <Switches />
      </header>
      <main id="main" tabIndex={-1} className="wrap pt-2 pb-16">
        <Outlet />
      </main>
    </QueryClientProvider>
  );
}
