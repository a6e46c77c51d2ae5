/** The JavaScript that may be loaded to show a first view: the build fails past it, and the bench prints it. */
export interface Budget {
  /** What the person opens. */
  view: string;
  /** Parts of the source paths of the pages' own modules that this view loads besides the entry. */
  modules: string[];
  /** Bytes of JavaScript, brotli, at most. */
  most: number;
  /** Opened later than at first, by some: its own scripts are kept for offline once it has been visited. */
  isLater?: boolean;
}

export const budgetedViews: Budget[] = [
  { view: '/', modules: ['shell/public-layout', 'pages/landing/landing-page'], most: 100_000 },
  { view: '/auth/login', modules: ['shell/auth-layout', 'identity/login-page'], most: 100_000 },
  // A name that is no chunk of its own fails the build.
  {
    view: 'the signed-in shell',
    modules: ['signed-in-routes', 'shell/signed-in-layout', 'shell/client-layout', 'pages/dashboard/dashboard-page'],
    most: 170_000,
  },
  // The candles come after it (price-chart.tsx): the ticket never waits for them.
  {
    view: '/client/share-trading',
    modules: ['signed-in-routes', 'shell/client-layout', 'market/share-trading-page'],
    most: 140_000,
    isLater: true,
  },
  // What checks signatures where the browser cannot, and what reads QR codes where it cannot, come when they are needed.
  { view: '/verify', modules: ['shell/public-layout', 'verify/verify-page'], most: 115_000, isLater: true },
];
