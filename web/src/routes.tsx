import { type ReactElement, Suspense } from 'react';
import { matchRoutes, type RouteObject, useLocation, useRoutes } from 'react-router';
import { page, preload } from './layouts/page.tsx';
import { Splash } from './layouts/splash.tsx';
import { clientPages, operatorPages, profilePages } from './pages.tsx';
import { paths } from './paths.ts';
import { OnToClient, RequireNoSession, RequireSacco, RequireSession } from './session/guards.tsx';

/*
 * Every page of the web client; those of the profile, the client area and the operator's desk are listed in pages.tsx. Each is loaded
 * when it is opened: `page(() => import(file), name)`.
 */

const fetchedData = page(() => import('./layouts/fetched-data.tsx'), 'FetchedData');
const pools = page(() => import('./pools/pools-page.tsx'), 'PoolsPage');
const explained = (name: 'ReferralsExplained' | 'TradingExplained') =>
  page(() => import('./pages/landing/explain-pages.tsx'), name);

const publicPages: RouteObject[] = [
  { index: true, element: page(() => import('./pages/landing/landing-page.tsx'), 'LandingPage') },
  {
    path: 'referrals',
    element: <OnToClient page={paths.clientReferrals()}>{explained('ReferralsExplained')}</OnToClient>,
  },
  {
    path: 'share-trading',
    element: <OnToClient page={paths.clientShareTrading()}>{explained('TradingExplained')}</OnToClient>,
  },
  {
    element: fetchedData,
    children: [
      { path: 'saccos', element: page(() => import('./pages/saccos/saccos-page.tsx'), 'SaccosPage') },
      { path: 'saccos/:id', element: page(() => import('./pages/saccos/sacco-page.tsx'), 'SaccoPage') },
      {
        path: 'voting-proposals/:id?',
        element: page(() => import('./pages/landing/voting-page.tsx'), 'PublicVotingPage'),
      },
      { path: 'pools', element: pools },
      { path: 'guarantor-pools', element: pools },
      { path: 'guarantor-pools/:id', element: page(() => import('./pools/pool-page.tsx'), 'PoolPage') },
      {
        element: <RequireSession />,
        children: [
          {
            path: 'guarantor-pools/requests/:id',
            element: page(() => import('./pools/request-page.tsx'), 'RequestPage'),
          },
          {
            path: 'guarantor-pools/contracts/:id',
            element: page(() => import('./pools/contract-page.tsx'), 'ContractPage'),
          },
        ],
      },
    ],
  },
  { path: 'objection', element: page(() => import('./wallet/objection-page.tsx'), 'ObjectionPage') },
  { path: '*', element: page(() => import('./layouts/not-found-page.tsx'), 'NotFoundPage') },
];

const withoutSession = (element: ReactElement, clears = false) => (
  <RequireNoSession clears={clears}>{element}</RequireNoSession>
);

const authPages: RouteObject[] = [
  {
    path: 'login',
    element: withoutSession(
      page(() => import('./identity/login-page.tsx'), 'LoginPage'),
      true,
    ),
  },
  { path: 'register', element: withoutSession(page(() => import('./identity/register-page.tsx'), 'RegisterPage')) },
  { path: 'forgot-password', element: page(() => import('./identity/forgot-password-page.tsx'), 'ForgotPasswordPage') },
  { path: 'reset-password', element: page(() => import('./identity/reset-password-page.tsx'), 'ResetPasswordPage') },
];

/** Pages for whoever is signed in, below the top navigation. Fetched data is at hand in all of them. */
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

const routes: RouteObject[] = [
  {
    element: <RequireSession />,
    children: [
      { element: page(() => import('./shell/signed-in-layout.tsx'), 'SignedInLayout'), children: signedInPages },
    ],
  },
  {
    path: '/client',
    element: <RequireSacco />,
    children: [{ element: page(() => import('./shell/client-layout.tsx'), 'ClientLayout'), children: clientPages }],
  },
  { path: '/auth', element: page(() => import('./shell/auth-layout.tsx'), 'AuthLayout'), children: authPages },
  {
    element: fetchedData,
    children: [
      { path: '/saccos-list', element: page(() => import('./pages/saccos/saccos-page.tsx'), 'SaccosListPage') },
    ],
  },
  { path: '/', element: page(() => import('./shell/public-layout.tsx'), 'PublicLayout'), children: publicPages },
];

export function Routes() {
  const { pathname } = useLocation();
  const pages = useRoutes(routes);
  for (const { route } of matchRoutes(routes, pathname) ?? []) preload(route.element);
  return <Suspense fallback={<Splash />}>{pages}</Suspense>;
}
