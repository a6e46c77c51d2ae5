import { QueryClientProvider } from '@tanstack/react-query';
import { Outlet } from 'react-router';
import { queryClient } from '../api/queries.ts';
import { OwnNotes } from './own-notes.tsx';

/** The pages below may fetch data. Whoever is signed in is told there what concerns them. */
export function NotedData() {
  return (
    <QueryClientProvider client={queryClient}>
      <div className="wrap empty:hidden">
        <OwnNotes />
      </div>
      <Outlet />
    </QueryClientProvider>
  );
}
