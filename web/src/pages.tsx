import type { DeskQueue } from '@ushirika/contract/operator-acts';
import type { ReactElement } from 'react';
import { matchRoutes, type RouteObject } from 'react-router';
import { complaintPaths } from './complaints/complaint-paths.ts';
import { dividendPaths } from './dividends/dividend-paths.ts';
import { page } from './layouts/page.tsx';
import { checkOffPaths } from './loans/check-off-paths.ts';
import { loanPaths } from './loans/loan-paths.ts';
import { deskPaths } from './loans-desk/desk-paths.ts';
import type { Health } from './operator/health.rules.ts';
import { paths } from './paths.ts';
import { MEMBERS_PAGES } from './shell/members-pages.ts';
import type { IconName } from './ui/icon.tsx';
import { votingPaths } from './voting/voting-paths.ts';
import { say } from './words/say.ts';

/*
 * The pages of the profile, the client area and the operator's desk, each with its place in their navigation and in its order.
 * Routes and links follow from it. Every other page is in routes.tsx or signed-in-routes.tsx.
 */

export interface Place {
  readonly path: string;
  readonly words: string;
  /** What the narrow bar of a phone says instead. */
  readonly short?: string | undefined;
  readonly icon: IconName;
  /** Shown in the bar at the bottom of a phone's screen; the others are behind 'More'. */
  readonly first?: boolean | undefined;
  /** How many wait there. */
  readonly count?: number | undefined;
}

interface ListedPage {
  readonly path: string;
  readonly element: ReactElement;
  /** How its link is called; without, none leads there from the navigation. */
  readonly words?: () => string;
  readonly short?: () => string;
  readonly icon?: IconName;
  readonly first?: boolean;
  /** Its link is shown to officials of the chosen sacco alone; the page itself says so to others. */
  readonly forOfficials?: boolean;
  /** What waits there for an operator: the link has its count, and the desk's health leads there. */
  readonly queue?: DeskQueue;
  readonly count?: (health: Health) => number;
}

const profilePage = page(() => import('./pages/profile/profile-page.tsx'), 'ProfilePage');
const walletPage = page(() => import('./wallet/wallet-page.tsx'), 'WalletPage');
const settingsPage = page(() => import('./pages/settings/settings-page.tsx'), 'SettingsPage');

const votingPages = page(() => import('./voting/voting-pages.tsx'), 'ClientVotingPages');
const checkOffPage = page(() => import('./loans/check-off-page.tsx'), 'CheckOffPage');
const myComplaintPage = page(() => import('./complaints/complaint-page.tsx'), 'MyComplaintPage');

/** For whoever is signed in, with a chosen sacco or without. */
const inProfile: readonly ListedPage[] = [
  { path: paths.profile(), element: profilePage },
  { path: paths.wallet(), element: walletPage },
  { path: paths.settings(), element: settingsPage },
  { path: paths.proofs(), element: page(() => import('./proofs/balances-page.tsx'), 'BalancesPage') },
  { path: `${paths.proofs()}/:what/:id?`, element: page(() => import('./proofs/proof-page.tsx'), 'ProofPage') },
  {
    path: complaintPaths.complaints(),
    element: page(() => import('./complaints/complaints-page.tsx'), 'MyComplaintsPage'),
  },
  { path: `${complaintPaths.complaints()}/:id`, element: myComplaintPage },
  {
    path: checkOffPaths.profile(),
    element: page(() => import('./loans/check-offs-page.tsx'), 'ProfileCheckOffsPage'),
  },
  { path: `${checkOffPaths.profile()}/:id`, element: checkOffPage },
  {
    path: dividendPaths.own(),
    element: page(() => import('./dividends/own-dividends-page.tsx'), 'OwnDividendsPage'),
  },
  {
    path: `${dividendPaths.own()}/:sacco/:year`,
    element: page(() => import('./dividends/dividend-page.tsx'), 'OwnDividendPage'),
  },
];

const inClientArea: readonly ListedPage[] = [
  {
    path: paths.client(),
    element: page(() => import('./pages/dashboard/dashboard-page.tsx'), 'DashboardPage'),
    words: () => say('Dashboard'),
    icon: 'dashboard',
    first: true,
  },
  {
    path: paths.clientGuarantorPools(),
    element: page(() => import('./pools/guarantor-pools-page.tsx'), 'ClientPoolsPage'),
    words: () => say('Guarantor Pools'),
    short: () => say('Pools'),
    icon: 'shield',
    first: true,
  },
  {
    path: `${paths.clientGuarantorPools()}/:id`,
    element: page(() => import('./pools/pool-page.tsx'), 'ClientPoolPage'),
  },
  {
    path: `${paths.clientGuarantorPools()}/requests/:id`,
    element: page(() => import('./pools/request-page.tsx'), 'ClientRequestPage'),
  },
  {
    path: `${paths.clientGuarantorPools()}/contracts/:id`,
    element: page(() => import('./pools/contract-page.tsx'), 'ClientContractPage'),
  },
  {
    // Officials who are no members find here what waits for them of the market's rules.
    path: paths.clientShareTrading(),
    element: page(() => import('./market/share-trading-page.tsx'), 'ShareTradingPage'),
    words: () => say('Share Trading'),
    short: () => say('Trade'),
    icon: 'chart',
    first: true,
  },
  {
    path: loanPaths.loans(),
    element: page(() => import('./loans/loans-page.tsx'), 'LoansPage'),
    words: () => say('Loans'),
    icon: 'coins',
  },
  { path: loanPaths.apply(), element: page(() => import('./loans/apply-page.tsx'), 'ApplyPage') },
  {
    path: `${loanPaths.loans()}/guarantees/:id`,
    element: page(() => import('./loans/guarantee-page.tsx'), 'GuaranteePage'),
  },
  {
    path: `${loanPaths.loans()}/:id`,
    element: page(() => import('./loans/loan-page.tsx'), 'LoanPage'),
  },
  {
    path: checkOffPaths.client(),
    element: page(() => import('./loans/check-offs-page.tsx'), 'ClientCheckOffsPage'),
  },
  { path: `${checkOffPaths.client()}/:id`, element: checkOffPage },
  {
    path: votingPaths.votes(),
    element: votingPages,
    words: () => say('Voting Proposals'),
    icon: 'ballot',
  },
  // Officials who are no members draft here, too.
  { path: `${votingPaths.votes()}/:id`, element: votingPages },
  {
    path: dividendPaths.dividends(),
    element: page(() => import('./dividends/dividends-page.tsx'), 'DividendsPage'),
    words: () => say('Dividends'),
    icon: 'pig',
  },
  {
    path: dividendPaths.desk(),
    element: page(() => import('./pages/dividends-desk/dividends-desk-page.tsx'), 'DividendsDeskPage'),
  },
  {
    path: `${dividendPaths.desk()}/:year`,
    element: page(() => import('./pages/dividends-desk/payments-page.tsx'), 'DividendPaymentsPage'),
  },
  {
    path: `${dividendPaths.dividends()}/:year`,
    element: page(() => import('./dividends/dividend-page.tsx'), 'DividendPage'),
  },
  {
    path: paths.clientReferrals(),
    element: page(() => import('./referrals/referrals-page.tsx'), 'ReferralsPage'),
    words: () => say('Referrals'),
    icon: 'share',
  },
  { path: paths.clientWallet(), element: walletPage, words: () => say('Wallet'), icon: 'wallet', first: true },
  {
    path: paths.clientMembers(),
    element: page(() => import('./pages/members/members-page.tsx'), 'MembersPage'),
    words: () => say('Members'),
    icon: 'person',
  },
  {
    path: complaintPaths.clientComplaints(),
    element: page(() => import('./complaints/complaints-page.tsx'), 'ClientComplaintsPage'),
    words: () => say('Complaints'),
    icon: 'info',
  },
  { path: `${complaintPaths.clientComplaints()}/:id`, element: myComplaintPage },
  {
    path: `${complaintPaths.clientComplaints()}/answer/:id`,
    element: page(() => import('./complaints/complaint-page.tsx'), 'AnswerComplaintPage'),
  },
  {
    path: deskPaths.desk(),
    element: page(() => import('./loans-desk/desk-overview-page.tsx'), 'DeskOverviewPage'),
    words: () => say('Credit desk'),
    icon: 'book',
    forOfficials: true,
  },
  { path: deskPaths.loans(), element: page(() => import('./loans-desk/desk-loans-page.tsx'), 'DeskLoansPage') },
  {
    path: `${deskPaths.loans()}/:id`,
    element: page(() => import('./loans-desk/desk-loan-page.tsx'), 'DeskLoanPage'),
  },
  {
    path: deskPaths.checkOffs(),
    element: page(() => import('./loans-desk/desk-check-offs-page.tsx'), 'DeskCheckOffsPage'),
  },
  {
    path: `${deskPaths.checkOffs()}/:id`,
    element: page(() => import('./loans-desk/desk-check-off-page.tsx'), 'DeskCheckOffPage'),
  },
  {
    path: deskPaths.products(),
    element: page(() => import('./loans-desk/desk-products-page.tsx'), 'DeskProductsPage'),
  },
  { path: paths.clientProfile(), element: profilePage },
  { path: paths.clientSettings(), element: settingsPage },
];

const onDesk: readonly ListedPage[] = [
  {
    path: paths.operator(),
    element: page(() => import('./operator/operator-saccos-page.tsx'), 'OperatorSaccosPage'),
    words: () => say('Saccos'),
    icon: 'people',
    queue: 'saccos',
  },
  {
    path: paths.operatorMoney(),
    element: page(() => import('./operator/operator-money-page.tsx'), 'OperatorMoneyPage'),
    words: () => say('Money'),
    icon: 'wallet',
    count: (health) => health.exceptions_open.count,
  },
  {
    path: paths.operatorProposals(),
    element: page(() => import('./operator/operator-proposals-page.tsx'), 'OperatorProposalsPage'),
    words: () => say('Two operators'),
    icon: 'check',
    queue: 'proposals',
  },
  {
    path: paths.operatorReferrals(),
    element: page(() => import('./operator/operator-referrals-page.tsx'), 'OperatorReferralsPage'),
    words: () => say('Referrals'),
    icon: 'share',
    queue: 'referrals',
  },
  {
    path: paths.operatorPeople(),
    element: page(() => import('./operator/operator-people-page.tsx'), 'OperatorPeoplePage'),
    words: () => say('People'),
    icon: 'person',
  },
  {
    path: paths.operatorPools(),
    element: page(() => import('./operator/operator-pools-page.tsx'), 'OperatorPoolsPage'),
    words: () => say('Pools'),
    icon: 'shield',
    queue: 'pools',
  },
  {
    path: complaintPaths.operatorComplaints(),
    element: page(() => import('./complaints/operator-complaints-page.tsx'), 'OperatorComplaintsPage'),
    words: () => say('Complaints'),
    icon: 'info',
    queue: 'complaints',
  },
  {
    path: `${complaintPaths.operatorComplaints()}/:id`,
    element: page(() => import('./complaints/complaint-page.tsx'), 'OperatorComplaintPage'),
  },
  {
    path: paths.operatorHealth(),
    element: page(() => import('./operator/operator-health-page.tsx'), 'OperatorHealthPage'),
    words: () => say('Health'),
    icon: 'chart',
  },
  {
    path: paths.operatorLog(),
    element: page(() => import('./operator/operator-log-page.tsx'), 'OperatorLogPage'),
    words: () => say('Log'),
    icon: 'book',
  },
  {
    path: paths.operatorSettings(),
    element: page(() => import('./pages/settings/settings-page.tsx'), 'OperatorSettingsPage'),
    words: () => say('Account Settings'),
    icon: 'settings',
  },
];

export const profilePages: RouteObject[] = inProfile.map(({ path, element }) => ({ path, element }));
export const clientPages: RouteObject[] = routesBelow(paths.client(), inClientArea);
export const operatorPages: RouteObject[] = routesBelow(paths.operator(), onDesk);

/** Whether an address of the client area is of a page that only members have. */
export function isForMembers(pathname: string): boolean {
  return matchRoutes(clientPages, pathname, paths.client())?.at(-1)?.route.handle?.forMembers === true;
}

/** The sidebar of the client area, top to bottom; an official who is no member has no places of members in it. */
export function clientPlaces(isOfficial: boolean, isMember: boolean): readonly Place[] {
  return [
    ...placesOf(
      inClientArea.filter(
        ({ path, forOfficials }) => (isOfficial || !forOfficials) && (isMember || !MEMBERS_PAGES.has(path)),
      ),
    ),
    { path: paths.saccos(), words: say('Saccos'), icon: 'people' },
    { path: paths.home(), words: say('Home'), icon: 'home' },
  ];
}

/** Where on the desk something waits. */
export function pathOfQueue(queue: DeskQueue): string | undefined {
  return onDesk.find((each) => each.queue === queue)?.path;
}

/** The tabs of the operator's desk. */
export function deskPlaces(health: Health | undefined): readonly Place[] {
  return placesOf(onDesk, health);
}

function routesBelow(parent: string, pages: readonly ListedPage[]): RouteObject[] {
  return pages.map(({ path, element }) => ({
    ...(path === parent ? { index: true } : { path: path.slice(parent.length + 1) }),
    element,
    handle: { forMembers: MEMBERS_PAGES.has(path) },
  }));
}

function placesOf(pages: readonly ListedPage[], health?: Health): Place[] {
  return pages.flatMap(({ path, words, short, icon, first, count, queue }) => {
    if (!words || !icon) return [];
    const waiting = health && (queue ? health.waiting[queue] : count?.(health));
    return [{ path, words: words(), short: short?.(), icon, first, count: waiting }];
  });
}
