import type { Database } from './db/tx.ts';
import { complaintTermsChange } from './domains/complaints/change-complaint-terms.ts';
import { complaintsInvariants } from './domains/complaints/complaints.invariants.ts';
import { complaintsToDecide } from './domains/complaints/complaints.queries.ts';
import { complaintsRoutes, complaintsSchedules, complaintsTasks } from './domains/complaints/complaints.routes.ts';
import { yearClosingChange } from './domains/dividends/close-year.ts';
import { dividendChange } from './domains/dividends/declare-dividend.ts';
import { dividendsInvariants } from './domains/dividends/dividends.invariants.ts';
import { dividendsRoutes, dividendsSchedules, dividendsTasks } from './domains/dividends/dividends.routes.ts';
import { identityInvariants } from './domains/identity/identity.invariants.ts';
import { identityRoutes } from './domains/identity/identity.routes.ts';
import { identitySchedules, identityTasks } from './domains/identity/identity.tasks.ts';
import type { IdentityDependencies } from './domains/identity/identity.types.ts';
import type { Passwords } from './domains/identity/passwords.ts';
import { loanProductChange } from './domains/loans/change-loan-product.ts';
import { checkOffsRoutes } from './domains/loans/check-offs.routes.ts';
import { endUnderName } from './domains/loans/end-under-name.ts';
import { loanLeavingEffects } from './domains/loans/leaving-effects.ts';
import { lendingAuthorityChange } from './domains/loans/lending-authority.ts';
import { loanExitBlocks, loanTradeBlocks } from './domains/loans/loan-blocks.ts';
import { loanDaysSchedules, loanDaysTasks } from './domains/loans/loan-days.tasks.ts';
import { loanRecoveryInvariants } from './domains/loans/loan-recovery.invariants.ts';
import { loanRecoveryRoutes } from './domains/loans/loan-recovery.routes.ts';
import { loansInvariants } from './domains/loans/loans.invariants.ts';
import { loansRoutes, loansSchedules, loansTasks } from './domains/loans/loans.routes.ts';
import { applicationForPool, repaymentHistoriesOf } from './domains/loans/pool-needs.ts';
import { loanReceiptDetails } from './domains/loans/receipt-details.ts';
import { loanSteps } from './domains/loans/recovery.queries.ts';
import { dividendLoans } from './domains/loans/share-out-dividend.ts';
import { loansSummary } from './domains/loans/summary-part.ts';
import { loanWaiverChange } from './domains/loans/waive-charges.ts';
import { mayBeDecided, mayJoin } from './domains/loans/who-is-left.ts';
import { marketTermsChange } from './domains/market/change-market-terms.ts';
import { saccoTermsChange } from './domains/market/change-sacco-terms.ts';
import { marketInvariants } from './domains/market/market.invariants.ts';
import { marketRoutes } from './domains/market/market.routes.ts';
import { marketSchedules, marketTasks } from './domains/market/market.tasks.ts';
import type { MarketHub } from './domains/market/market-live.ts';
import { saccosAbout } from './domains/market/saccos-about.ts';
import { leaveMarket } from './domains/market/tend-markets.ts';
import { countSaccosOf } from './domains/membership/count-saccos.ts';
import type { ExitBlocks, LeavingEffects } from './domains/membership/exit.queries.ts';
import { admissionChange, expulsionChange } from './domains/membership/expel-member.ts';
import { membershipRoutes, membershipSchedules, membershipTasks } from './domains/membership/membership.routes.ts';
import { summaryRoutes } from './domains/membership/summary.routes.ts';
import { notificationsRoutes } from './domains/notifications/notifications.routes.ts';
import { notificationsSchedules, notificationsTasks } from './domains/notifications/notifications.tasks.ts';
import { reportSecret } from './domains/notifications/report-secret.ts';
import type { SmsSettings } from './domains/notifications/send-sms.ts';
import { noteAction } from './domains/operator/note-action.ts';
import type { LogsHealth, Waiting } from './domains/operator/operator.queries.ts';
import { operatorRoutes } from './domains/operator/operator.routes.ts';
import { operatorSchedules, operatorTasks } from './domains/operator/operator.tasks.ts';
import { openProposals } from './domains/operator/proposals.queries.ts';
import { propose } from './domains/operator/proposals.ts';
import { poolLimitsChange, poolTermsChange } from './domains/pools/change-pool-parameters.ts';
import { poolStewardChange, poolStewardEndChange } from './domains/pools/elect-steward.ts';
import { poolExitBlocks, poolLeavingEffects } from './domains/pools/exit-blocks.ts';
import { poolsInvariants } from './domains/pools/pools.invariants.ts';
import { poolsToReview } from './domains/pools/pools.queries.ts';
import { poolsRoutes } from './domains/pools/pools.routes.ts';
import { poolsSchedules, poolsTasks } from './domains/pools/pools.tasks.ts';
import type { PoolNeeds } from './domains/pools/request-guarantee.ts';
import { poolWriteOffChange } from './domains/pools/write-off-claim.ts';
import { originBaseOf } from './domains/proofs/append-entries.ts';
import { healthOfLogs } from './domains/proofs/logs-health.queries.ts';
import { proofsInvariants } from './domains/proofs/proofs.invariants.ts';
import { proofsRoutes, proofsSchedules, proofsTasks } from './domains/proofs/proofs.routes.ts';
import { SignedHeads } from './domains/proofs/signed-heads.ts';
import { referralTermsChange } from './domains/referrals/change-referral-terms.ts';
import { noteJoining } from './domains/referrals/note-joining.ts';
import { noteRegistration } from './domains/referrals/note-registration.ts';
import { referralsInvariants } from './domains/referrals/referrals.invariants.ts';
import { referralFigures, referralsToReview } from './domains/referrals/referrals.queries.ts';
import { referralsRoutes } from './domains/referrals/referrals.routes.ts';
import { referralsSchedules, referralsTasks } from './domains/referrals/referrals.tasks.ts';
import { relatedPairs, relativesOf } from './domains/referrals/related.ts';
import type { ChangeExecutors } from './domains/saccos/changes.types.ts';
import { officialNameChange } from './domains/saccos/name-changes.ts';
import { officesOf } from './domains/saccos/offices.ts';
import { officialNames } from './domains/saccos/official-names.ts';
import { officialRemovalChange } from './domains/saccos/remove-official.ts';
import { saccosToActivate } from './domains/saccos/saccos.queries.ts';
import { saccosRoutes, saccosSchedules, saccosTasks } from './domains/saccos/saccos.routes.ts';
import { savingsLeavingEffects } from './domains/savings/leaving-effects.ts';
import { savingsRoutes, savingsSchedules, savingsTasks } from './domains/savings/savings.routes.ts';
import { savingsSummary } from './domains/savings/summary-part.ts';
import { sharesInvariants } from './domains/shares/shares.invariants.ts';
import { sharesRoutes } from './domains/shares/shares.routes.ts';
import { sharesSummary } from './domains/shares/summary-part.ts';
import { bylawsChange } from './domains/voting/bylaws.ts';
import { givingWayToVotes } from './domains/voting/changes-by-vote.ts';
import { votingSummary } from './domains/voting/summary-part.ts';
import { voteRulesChange } from './domains/voting/vote-rules.ts';
import { votingInvariants } from './domains/voting/voting.invariants.ts';
import { votingRoutes, votingSchedules, votingTasks } from './domains/voting/voting.routes.ts';
import { proceedsHeldOf } from './domains/wallet/sale-proceeds.ts';
import { walletSummary } from './domains/wallet/summary-part.ts';
import type { WalletDeps } from './domains/wallet/wallet.deps.ts';
import { walletInvariants } from './domains/wallet/wallet.invariants.ts';
import { walletRoutes } from './domains/wallet/wallet.routes.ts';
import { walletSchedules, walletTasks } from './domains/wallet/wallet.tasks.ts';
import type { Chain } from './gateways/chain/chain.types.ts';
import type { Binding } from './http/bind.ts';
import type { Schedule, Task } from './jobs.ts';
import { type Invariant, ledgerInvariants } from './ledger/invariants.ts';
import type { Providers } from './providers.ts';
import type { AppParts } from './start.ts';

/*
 * The routes, jobs and invariants of each domain, and the functions of later domains that it is given. A new domain adds
 * its lines here, and nowhere else in the code that builds the server.
 */

type Parts = Pick<AppParts, 'config' | 'database' | 'keyring'>;

/** The functions of later domains that identity calls, and its settings. */
export function identityDependencies({ config, database, keyring }: Parts, passwords: Passwords): IdentityDependencies {
  return {
    database,
    passwords,
    keyring,
    requireSecondFactor: config.requireTotp,
    hasSecureCookies: config.publicUrl.startsWith('https:'),
    supportPhone: config.supportPhone,
    smsCountries: config.smsCountries,
    afterRegistration: (tx, registered) => noteRegistration(tx, registered),
    officialNames: officialNames(database),
    renaming: endUnderName,
    officesOf: (userId) => officesOf(database, userId, null),
    countSaccosOf: (userId) => countSaccosOf(database, userId),
    proceedsHeldOf: (userId) => proceedsHeldOf(database.sql, userId, database.now()),
    referralFiguresOf: (userId) => referralFigures({ database, publicUrl: config.publicUrl }, userId),
  };
}

export interface Bound {
  readonly config: AppParts['config'];
  readonly database: Database;
  readonly identity: IdentityDependencies;
  readonly wallet: WalletDeps;
  readonly markets: MarketHub;
  /** The chain that anchors are on, once it is ready. */
  readonly chain: () => Chain | null;
  /** Null: nothing is anchored. */
  readonly anchorEverySeconds: number | null;
}

/** What needs an operator's decision, counted by the domain that it belongs to. */
export const waiting: Waiting = {
  saccos: saccosToActivate,
  referrals: referralsToReview,
  pools: poolsToReview,
  complaints: complaintsToDecide,
  proposals: openProposals,
};

/** How the logs of the books are doing. @param anchorEverySeconds null: nothing is anchored */
export const logsHealth =
  (anchorEverySeconds: number | null): LogsHealth =>
  (database) =>
    healthOfLogs(database, anchorEverySeconds);

/** The bindings of all domains' routes. */
export function bindings({ config, database, identity, wallet, markets, chain, anchorEverySeconds }: Bound): Binding[] {
  const common = { database, publicUrl: config.publicUrl };
  return [
    ...identityRoutes(identity),
    ...notificationsRoutes({
      ...common,
      smsReportSecret: reportSecret(config.smsCallbackSecret, wallet.mpesa.callbackSecret),
    }),
    ...walletRoutes(wallet),
    ...saccosRoutes({
      ...common,
      changes,
      noteOperatorAct: noteAction,
      proposeNaming: (tx, actor, { namingId, reason }) =>
        propose(tx, actor, { kind: 'official_naming', aboutId: namingId, reason }),
    }),
    ...membershipRoutes({
      ...common,
      exitBlocks,
      leavingEffects,
      afterJoined: (tx, { userId }) => noteJoining(tx, [userId]),
      onLeaving: leaveMarket,
      relatedPairs,
    }),
    ...sharesRoutes(common),
    ...summaryRoutes({ database, parts: [walletSummary, sharesSummary, savingsSummary, loansSummary, votingSummary] }),
    ...savingsRoutes(common),
    ...dividendsRoutes({ ...common, changes }),
    ...marketRoutes({ ...common, markets, relatedPairs, changes, blocksOf: loanTradeBlocks }),
    ...poolsRoutes({ ...common, needs: poolNeeds }),
    ...loansRoutes({ ...common, changes, relatedPairs, steps: loanSteps }),
    ...loanRecoveryRoutes(common),
    ...checkOffsRoutes(common),
    ...referralsRoutes({ ...common, changes }),
    ...operatorRoutes({
      ...common,
      strictActivation: config.strictActivation,
      supportPhone: config.supportPhone,
      waiting,
      logsHealth: logsHealth(anchorEverySeconds),
    }),
    ...complaintsRoutes({ ...common, changes }),
    ...votingRoutes({ ...common, changes: executors }),
    ...proofsRoutes({ ...common, chain }),
  ];
}

/** What pools are given of loans and referrals. */
const poolNeeds: PoolNeeds = {
  historiesOf: repaymentHistoriesOf,
  applicationOf: applicationForPool,
  relativesOf,
  mayBeDecided,
  mayJoin,
};

/** Why somebody cannot be paid out of a sacco yet: each domain that binds members says it of itself. */
const exitBlocks: ExitBlocks = async (reader, member) => [
  ...(await loanExitBlocks(reader, member)),
  ...(await poolExitBlocks(reader, member)),
];

/** What leaving a sacco does to what a member has set up or looks after there. */
const leavingEffects: LeavingEffects = async (reader, member) => [
  ...(await savingsLeavingEffects(reader, member)),
  ...(await loanLeavingEffects(reader, member)),
  ...(await poolLeavingEffects(reader, member)),
];

/** The names that a wallet's history shows, and what its receipts say of loans. */
export function namesFor(database: Database): Pick<WalletDeps, 'saccoNames' | 'saccosAbout' | 'receiptDetails'> {
  return {
    saccoNames: (ids) => saccoNames(database, ids),
    saccosAbout: (things) => saccosAbout(database, things),
    receiptDetails: (about, journal) => loanReceiptDetails(database, about, journal),
  };
}

async function saccoNames(database: Database, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const rows = await database.sql<{ id: string; name: string }[]>`
    select id, name from saccos where id = any(${[...ids]}::uuid[])`;
  return new Map(rows.map(({ id, name }) => [id, name]));
}

export interface Working {
  readonly database: Database;
  readonly sms: Providers['sms'];
  readonly smsSettings: SmsSettings;
  readonly identity: IdentityDependencies;
  readonly wallet: WalletDeps;
  readonly chain: () => Promise<Chain | null>;
  readonly config: Pick<AppParts['config'], 'dataDir'>;
}

/** How the terms of a sacco are changed, by kind; each executor belongs to a domain. */
const executors: ChangeExecutors = {
  market_terms: marketTermsChange(),
  referral_terms: referralTermsChange,
  complaint_terms: complaintTermsChange,
  loan_product: loanProductChange,
  lending_authority: lendingAuthorityChange,
  loan_waiver: loanWaiverChange,
  sacco_terms: saccoTermsChange(),
  official_name: officialNameChange({ renaming: endUnderName }),
  year_closing: yearClosingChange,
  dividend: dividendChange(),
  official_removal: officialRemovalChange,
  expulsion: expulsionChange(leaveMarket),
  admission: admissionChange,
  vote_rules: voteRulesChange,
  bylaws: bylawsChange,
  pool_terms: poolTermsChange,
  pool_limits: poolLimitsChange,
  pool_steward: poolStewardChange,
  pool_steward_end: poolStewardEndChange,
  pool_write_off: poolWriteOffChange,
};
/** The same for two officials, as far as members leave it to them. */
const changes = givingWayToVotes(executors);

/** The jobs of all domains. */
export function tasksOf(working: Working): Readonly<Record<string, Task>> {
  const { database, sms, smsSettings, identity, wallet } = working;
  return {
    ...notificationsTasks({ database, sms, smsSettings }),
    ...identityTasks(identity),
    ...walletTasks(wallet),
    ...saccosTasks({ database, changes }),
    ...membershipTasks({ database, exitBlocks, onLeaving: leaveMarket }),
    ...savingsTasks({ database }),
    ...dividendsTasks({ database, loans: dividendLoans }),
    ...marketTasks({ database, relatedPairs, blocksOf: loanTradeBlocks }),
    ...poolsTasks({ database, needs: poolNeeds }),
    ...loanDaysTasks({ database }),
    ...loansTasks({ database }),
    ...referralsTasks({ database }),
    ...operatorTasks({ database, publicUrl: wallet.publicUrl }),
    ...complaintsTasks({ database }),
    ...votingTasks({ database, changes: executors }),
    ...proofsTasks({
      database,
      keyring: identity.keyring,
      originBase: originBaseOf(wallet.publicUrl),
      chain: working.chain,
      heads: new SignedHeads(working.config.dataDir),
    }),
  };
}

/** When the scheduled jobs run. */
export const schedules: readonly Schedule[] = [
  ...notificationsSchedules,
  ...identitySchedules,
  ...walletSchedules,
  ...saccosSchedules,
  ...membershipSchedules,
  ...savingsSchedules,
  ...dividendsSchedules,
  ...marketSchedules,
  ...poolsSchedules,
  ...loanDaysSchedules,
  ...loansSchedules,
  ...referralsSchedules,
  ...operatorSchedules,
  ...complaintsSchedules,
  ...votingSchedules,
  ...proofsSchedules,
];

/** The invariants of the books, which `npm run audit` checks. */
export const invariants: readonly Invariant[] = [
  ...ledgerInvariants,
  ...identityInvariants,
  ...walletInvariants,
  ...sharesInvariants,
  ...dividendsInvariants,
  ...marketInvariants,
  ...poolsInvariants,
  ...loansInvariants,
  ...loanRecoveryInvariants,
  ...referralsInvariants,
  ...complaintsInvariants,
  ...votingInvariants,
  ...proofsInvariants,
];
