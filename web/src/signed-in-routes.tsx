import type { RouteObject } from 'react-router';
import { page, usePages } from './layouts/page.tsx';
import { clientPages, operatorPages, profilePages } from './pages.tsx';
import { RequireSacco, RequireSession } from './session/guards.tsx';

/*
 * Pages for signed-in people, and the page for addresses that do not exist. The pages of the profile, the client area and the operator's
 * desk are listed in pages.tsx; visitors' pages are in routes.tsx.
 */

/** Pages below the top navigation. Fetched data is at hand in all of them. */
const signedInPages: RouteObject[] = [
  { path: '/my-saccos', element: page(() => import('./pages/my-saccos/my-saccos-page.tsx'), 'MySaccosPage') },
  { path: '/credit-desk', element: page(() => import('./loans-desk/desk-overview-page.tsx'), 'AboutDeskPage') },
  ...profilePages,
  {
    path: '/operator',
    element: page(() => import('./shell/operator-layout.tsx'), 'OperatorLayout'),
    children: operatorPages,
  },
];

/** Pages below the header of visitors. */
const poolPages: RouteObject[] = [
  { path: 'requests/:id', element: page(() => import('./pools/request-page.tsx'), 'RequestPage') },
  { path: 'contracts/:id', element: page(() => import('./pools/contract-page.tsx'), 'ContractPage') },
];

const publicLayout = page(() => import('./shell/public-layout.tsx'), 'PublicLayout');
const notedData = page(() => import('./shell/noted-data.tsx'), 'NotedData');

const routes: RouteObject[] = [
  {
    element: <RequireSession />,
    children: [
      { element: page(() => import('./shell/signed-in-layout.tsx'), 'SignedInLayout'), children: signedInPages },
      {
        path: '/guarantor-pools',
        element: publicLayout,
        children: [{ element: notedData, children: poolPages }],
      },
    ],
  },
  {
    path: '/client',
    element: <RequireSacco />,
    children: [{ element: page(() => import('./shell/client-layout.tsx'), 'ClientLayout'), children: clientPages }],
  },
  {
    element: publicLayout,
    children: [{ path: '*', element: page(() => import('./layouts/not-found-page.tsx'), 'NotFoundPage') }],
  },
];

export const SignedInRoutes = () => usePages(routes);
