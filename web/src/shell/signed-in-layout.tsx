import { QueryClientProvider } from '@tanstack/react-query';
import { Outlet } from 'react-router';
import { queryClient } from '../api/queries.ts';
import { NotificationBell } from '../notifications/notification-bell.tsx';
import { OwnNotes } from './own-notes.tsx';
import { SiteHeader } from './site-header.tsx';

/** Pages for whoever is signed in, outside of any one sacco: top navigation and the page. */
export function SignedInLayout() {
  return (
    <QueryClientProvider client={queryClient}>
      <SiteHeader tools={<NotificationBell />} />
      <main id="main" tabIndex={-1} className="wrap pt-4 pb-20">
        <OwnNotes />
        <Outlet />
      </main>
    </QueryClientProvider>
  );
}
