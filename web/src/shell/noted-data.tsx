import { QueryClientProvider } from '@tanstack/react-query';
import { Outlet } from 'react-router';
import { queryClient } from '../api/queries.ts';
import { OwnSuspension } from '../identity/suspended.tsx';

/** The pages below may fetch data, and are for whoever is signed in: a suspended person is told so. */
export function NotedData() {
  return (
    <QueryClientProvider client={queryClient}>
      <div className="wrap empty:hidden">
        <OwnSuspension />
      </div>
      <Outlet />
    </QueryClientProvider>
  );
}
