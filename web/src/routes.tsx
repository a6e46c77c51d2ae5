import { type ReactElement, Suspense } from 'react';
import type { RouteObject } from 'react-router';
import { page, usePages } from './layouts/page.tsx';
import { Splash } from './layouts/splash.tsx';
import { paths } from './paths.ts';
import { OnToClient, RequireNoSession } from './session/guards.tsx';

/*
 * The pages of visitors. All other pages are in signed-in-routes.tsx, which is loaded for any other address. Each page is loaded when it is
 * opened: `page(() => import(file), name)`.
 */

const notedData = page(() => import('./shell/noted-data.tsx'), 'NotedData');
const pools = page(() => import('./pools/pools-page.tsx'), 'PoolsPage');
const books = page(() => import('./proofs/books-page.tsx'), 'BooksPage');
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
    element: notedData,
    children: [
      { path: 'saccos', element: page(() => import('./pages/saccos/saccos-page.tsx'), 'SaccosPage') },
      { path: 'saccos/:id', element: page(() => import('./pages/saccos/sacco-page.tsx'), 'SaccoPage') },
      { path: 'saccos/:id/books', element: books },
      { path: 'log', element: books },
      {
        path: 'voting-proposals/:id?',
        element: page(() => import('./pages/landing/voting-page.tsx'), 'PublicVotingPage'),
      },
      { path: 'pools', element: pools },
      { path: 'guarantor-pools', element: pools },
      { path: 'guarantor-pools/:id', element: page(() => import('./pools/pool-page.tsx'), 'PoolPage') },
    ],
  },
  { path: 'verify', element: page(() => import('./verify/verify-page.tsx'), 'VerifyPage') },
  { path: 'objection', element: page(() => import('./wallet/objection-page.tsx'), 'ObjectionPage') },
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

const routes: RouteObject[] = [
  { path: '/auth', element: page(() => import('./shell/auth-layout.tsx'), 'AuthLayout'), children: authPages },
  {
    element: page(() => import('./shell/list-layout.tsx'), 'ListLayout'),
    children: [{ path: '/saccos-list', element: page(() => import('./pages/saccos/saccos-page.tsx'), 'SaccoList') }],
  },
  { path: '/', element: page(() => import('./shell/public-layout.tsx'), 'PublicLayout'), children: publicPages },
  { path: '*', element: page(() => import('./signed-in-routes.tsx'), 'SignedInRoutes') },
];

export function Routes() {
  return <Suspense fallback={<Splash />}>{usePages(routes)}</Suspense>;
}
