import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { contract } from '@ushirika/contract/contract';
import type { Route } from '@ushirika/contract/route';
import { auditSchedules, auditTasks } from './audit.ts';
import { pruneKeys } from './db/idempotency.ts';
import { feelPulse } from './db/pulse.ts';
import type { Database } from './db/tx.ts';
import { loadDemo } from './demo/load-demo.ts';
import { identityRoutes } from './domains/identity/identity.routes.ts';
import { identitySchedules, identityTasks } from './domains/identity/identity.tasks.ts';
import type { IdentityDependencies } from './domains/identity/identity.types.ts';
import { createPasswords, type Passwords } from './domains/identity/passwords.ts';
import { createSessionReader } from './domains/identity/read-sessions.ts';
import { marketTermsChange } from './domains/market/change-market-terms.ts';
import { marketRoutes } from './domains/market/market.routes.ts';
import { marketSchedules, marketTasks } from './domains/market/market.tasks.ts';
import { createMarketHub, type MarketHub } from './domains/market/market-live.ts';
import { saccosAbout } from './domains/market/saccos-about.ts';
import { leaveMarket } from './domains/market/tend-markets.ts';
import { countSaccosOf } from './domains/membership/count-saccos.ts';
import { membershipRoutes, membershipSchedules, membershipTasks } from './domains/membership/membership.routes.ts';
import { standings } from './domains/membership/standings.ts';
import { summaryRoutes } from './domains/membership/summary.routes.ts';
import { notificationsRoutes } from './domains/notifications/notifications.routes.ts';
import { notificationsSchedules, notificationsTasks } from './domains/notifications/notifications.tasks.ts';
import type { SmsSettings } from './domains/notifications/send-sms.ts';
import { noteAction } from './domains/operator/note-action.ts';
import { operatorRoutes } from './domains/operator/operator.routes.ts';
import { operatorSchedules, operatorTasks } from './domains/operator/operator.tasks.ts';
import { poolsRoutes } from './domains/pools/pools.routes.ts';
import { referralTermsChange } from './domains/referrals/change-referral-terms.ts';
import { noteJoining } from './domains/referrals/note-joining.ts';
import { noteRegistration } from './domains/referrals/note-registration.ts';
import { referralFigures } from './domains/referrals/referrals.queries.ts';
import { referralsRoutes } from './domains/referrals/referrals.routes.ts';
import { referralsSchedules, referralsTasks } from './domains/referrals/referrals.tasks.ts';
import { relatedPairs } from './domains/referrals/related.ts';
import { changesSchedules } from './domains/saccos/changes.routes.ts';
import type { ChangeExecutors } from './domains/saccos/changes.types.ts';
import { drawingFigures } from './domains/saccos/logo.ts';
import { officialNameChange } from './domains/saccos/name-changes.ts';
import { officesOf } from './domains/saccos/offices.ts';
import { officialNames } from './domains/saccos/official-names.ts';
import { saccosRoutes, saccosTasks } from './domains/saccos/saccos.routes.ts';
import { savingsRoutes, savingsSchedules, savingsTasks } from './domains/savings/savings.routes.ts';
import { savingsSummary } from './domains/savings/summary-part.ts';
import { sharesRoutes } from './domains/shares/shares.routes.ts';
import { sharesSummary } from './domains/shares/summary-part.ts';
import { createLiveHub } from './domains/wallet/live.ts';
import { proceedsHeldOf } from './domains/wallet/sale-proceeds.ts';
import { walletSummary } from './domains/wallet/summary-part.ts';
import type { WalletDeps } from './domains/wallet/wallet.deps.ts';
import { walletRoutes } from './domains/wallet/wallet.routes.ts';
import { walletSchedules, walletTasks } from './domains/wallet/wallet.tasks.ts';
import { counted } from './gateways/counted.ts';
import type { Daraja } from './gateways/mobile-money/daraja.types.ts';
import type { Gatekeepers } from './http/admit.ts';
import type { Binding } from './http/bind.ts';
import { Figures } from './http/figures.ts';
import { Life } from './http/life.ts';
import { ofTheJobs, ofThePulse, ofTheTurns } from './http/readings.ts';
import { createHttpServer } from './http/server.ts';
import { connectOutside, type Outside } from './outside.ts';
import type { App, AppParts } from './start.ts';
import { waitAtMost } from './wait-at-most.ts';

const WEB_FOLDER = join(dirname(fileURLToPath(import.meta.url)), '../web/dist');
/** Requests a minute from one address: to what anyone may change, and to everything else. */
const RATE_LIMITS = { anonymousPerMinute: 30, signedInPerMinute: 600 };
/** A hash takes a core for some 50 ms; those who wait longer than a few seconds are better told to come back. */
const HASHES = { atOnceMax: 2, waitingMax: 100 };

const LIVE_CLOSING_MS_MAX = 1_000;

/**
 * What a harness in `prove/` puts in the place of a part, to see that its loss is noticed. Only a caller in code gives
 * any: no setting, request or row reaches it, and `main.ts` gives none.
 */
export interface Replaced {
  readonly contract?: readonly Route[];
  readonly bindings?: (ours: Binding[]) => Binding[];
  readonly gatekeepers?: (ours: Gatekeepers) => Gatekeepers;
  readonly checkReplies?: boolean;
  readonly outside?: Outside;
  readonly passwords?: Passwords;
  readonly daraja?: (ours: Daraja) => Daraja;
}

/** Puts the house together: domains get what they need handed in, the HTTP server gets their routes. */
export async function buildApp(
  { config, database, databaseUrl, world, keyring }: AppParts,
  replaced: Replaced = {},
): Promise<App> {
  const { publicUrl } = config;
  const { life, figures, pulse } = vitalsOf(database, databaseUrl);
  const outside = counting(replaced.outside ?? (await connectOutside(config, database, world)), figures);
  const passwords = replaced.passwords ?? createPasswords({ world, ...HASHES });
  figures.reads(() => ofTheTurns({ password_hash: passwords.figures?.(), picture: drawingFigures() }));
  const identity = identityDependencies({ config, database, keyring }, passwords);
  const live = createLiveHub(database);
  const markets = createMarketHub({ database });
  const daraja = replaced.daraja?.(outside.daraja) ?? outside.daraja;
  const { mpesa } = outside;
  const { withdrawalCharges } = config;
  const wallet: WalletDeps = { database, daraja, mpesa, publicUrl, withdrawalCharges, live, ...namesFor(database) };
  const readSession = createSessionReader({ database, requireSecondFactor: config.requireTotp });
  const gatekeepers: Gatekeepers = { readSession, standingOf: standings(database) };
  const bound = bindings({ config, database, identity, wallet, markets });
  const http = await createHttpServer({
    contract: replaced.contract ?? contract,
    bindings: replaced.bindings?.(bound) ?? bound,
    carrier: {
      database,
      checkReplies: replaced.checkReplies ?? !config.production,
      gatekeepers: replaced.gatekeepers?.(gatekeepers) ?? gatekeepers,
    },
    world,
    publicUrl,
    webFolder: existsSync(WEB_FOLDER) ? WEB_FOLDER : null,
    pageSettings: { displayedMemberOffset: config.displayedMemberOffset, smsCountries: config.smsCountries },
    rateLimits: config.rateLimits ? RATE_LIMITS : null,
    trustProxy: config.trustProxy,
    logLevel: config.logLevel,
    simulator: outside.simulatorPlugin,
    life,
    figures,
    limits: {
      deadlineMs: config.requestDeadlineMs,
      uploadDeadlineMs: 6 * config.requestDeadlineMs,
      atOnceMax: config.requestsMax,
    },
    isDatabaseAnswering: () => pulse.isAnswering,
    metricsToken: config.metricsToken,
  });
  pulse.onSilence(() => http.requests.refuseAll());
  return {
    http,
    life,
    ...workOf({ database, databaseUrl, world, sms: outside.sms, smsSettings: smsSettingsOf(config), identity, wallet }),
    prepare: async () => (config.demo ? loadDemo(databaseUrl, world.now()) : []),
    close: async () => {
      // A silent database does not keep us: its connections are ended next.
      await waitAtMost(LIVE_CLOSING_MS_MAX, Promise.all([live.close(), markets.close()]));
      await pulse.close();
    },
  };
}

interface Working {
  readonly database: Database;
  readonly databaseUrl: string;
  readonly world: AppParts['world'];
  readonly sms: Outside['sms'];
  readonly smsSettings: SmsSettings;
  readonly identity: IdentityDependencies;
  readonly wallet: WalletDeps;
}

/** What two officials change together, by the domains that it belongs to. */
const changes: ChangeExecutors = {
  market_terms: marketTermsChange(),
  referral_terms: referralTermsChange,
  official_name: officialNameChange,
};

/** What is done without anybody asking at that moment. */
function workOf(working: Working): Pick<App, 'tasks' | 'schedules'> {
  const { database, databaseUrl, world, sms, smsSettings, identity, wallet } = working;
  return {
    tasks: {
      ...notificationsTasks({ database, sms, smsSettings }),
      ...identityTasks(identity),
      ...walletTasks(wallet),
      ...saccosTasks({ database, changes }),
      ...membershipTasks({ database, onLeaving: leaveMarket }),
      ...savingsTasks({ database }),
      ...marketTasks({ database, relatedPairs }),
      ...referralsTasks({ database }),
      ...operatorTasks({ database, publicUrl: wallet.publicUrl }),
      ...auditTasks(databaseUrl, world),
      prune_idempotency_keys: async () => void (await database.transaction(pruneKeys)),
    },
    schedules: [
      ...notificationsSchedules,
      ...identitySchedules,
      ...walletSchedules,
      ...changesSchedules,
      ...membershipSchedules,
      ...savingsSchedules,
      ...marketSchedules,
      ...referralsSchedules,
      ...operatorSchedules,
      ...auditSchedules,
      { task: 'prune_idempotency_keys', everySeconds: 3600 },
    ],
  };
}

const smsSettingsOf = ({ smsCountries, smsDailyAlarm }: AppParts['config']): SmsSettings => ({
  countries: smsCountries,
  dailyAlarm: smsDailyAlarm,
});

/** The outside, with each call to it counted by what came of it. */
function counting(outside: Outside, figures: Figures): Outside {
  const tell = (provider: string) => (call: string, outcome: string) =>
    figures.count('ushirika_gateway_calls_total', 'Calls to the outside, by what came of them.', {
      provider,
      call,
      outcome,
    });
  return { ...outside, daraja: counted(outside.daraja, tell('mpesa')), sms: counted(outside.sms, tell('sms')) };
}

/** How the process and its database are, for the door of the HTTP server, and for machines that ask (docs/operation.md). */
function vitalsOf(database: Database, databaseUrl: string) {
  const life = new Life();
  const figures = new Figures();
  const pulse = feelPulse(databaseUrl);
  life.needs('database_silent', () => pulse.isAnswering);
  life.needs('migrations_missing', () => pulse.missingMigrations.length === 0);
  figures.reads(async () => [...ofThePulse(pulse), ...(pulse.isAnswering ? await ofTheJobs(database) : [])]);
  return { life, figures, pulse };
}

type Parts = Pick<AppParts, 'config' | 'database' | 'keyring'>;

/** What identity asks of the domains below it. */
function identityDependencies({ config, database, keyring }: Parts, passwords: Passwords): IdentityDependencies {
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
    officesOf: (userId) => officesOf(database, userId, null),
    countSaccosOf: (userId) => countSaccosOf(database, userId),
    proceedsHeldOf: (userId) => proceedsHeldOf(database.sql, userId, database.now()),
    referralFiguresOf: (userId) => referralFigures({ database, publicUrl: config.publicUrl }, userId),
  };
}

interface Bound {
  readonly config: AppParts['config'];
  readonly database: Database;
  readonly identity: IdentityDependencies;
  readonly wallet: WalletDeps;
  readonly markets: MarketHub;
}

function bindings({ config, database, identity, wallet, markets }: Bound): Binding[] {
  const common = { database, publicUrl: config.publicUrl };
  return [
    ...identityRoutes(identity),
    ...notificationsRoutes(common),
    ...walletRoutes(wallet),
    ...saccosRoutes({ ...common, changes, noteOperatorAct: noteAction }),
    ...membershipRoutes({
      ...common,
      afterJoined: (tx, { userId }) => noteJoining(tx, [userId]),
      onLeaving: leaveMarket,
    }),
    ...sharesRoutes(common),
    ...summaryRoutes({ database, parts: [walletSummary, sharesSummary, savingsSummary] }),
    ...savingsRoutes(common),
    ...marketRoutes({ ...common, markets, relatedPairs, changes }),
    ...poolsRoutes(common),
    ...referralsRoutes({ ...common, changes }),
    ...operatorRoutes({ ...common, strictActivation: config.strictActivation }),
  ];
}

/** What a wallet's history is worded with. */
function namesFor(database: Database): Pick<WalletDeps, 'saccoNames' | 'saccosAbout'> {
  return {
    saccoNames: (ids) => saccoNames(database, ids),
    saccosAbout: (things) => saccosAbout(database, things),
  };
}

async function saccoNames(database: Database, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const rows = await database.sql<{ id: string; name: string }[]>`
    select id, name from saccos where id = any(${[...ids]}::uuid[])`;
  return new Map(rows.map(({ id, name }) => [id, name]));
}
