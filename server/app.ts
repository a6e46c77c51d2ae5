import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { contract } from '@ushirika/contract/contract';
import type { Route } from '@ushirika/contract/route';
import { type Anchoring, anchoringOf } from './anchoring.ts';
import { auditSchedules, auditTasks } from './audit.ts';
import { watchDatabaseHealth } from './db/database-health.ts';
import { pruneKeys } from './db/idempotency.ts';
import type { Database } from './db/tx.ts';
import { loadDemo } from './demo/load-demo.ts';
import { createPasswords, type Passwords } from './domains/identity/passwords.ts';
import { createSessionReader } from './domains/identity/read-sessions.ts';
import { createMarketHub } from './domains/market/market-live.ts';
import { standings } from './domains/membership/standings.ts';
import type { SmsSettings } from './domains/notifications/send-sms.ts';
import { originBaseOf } from './domains/proofs/append-entries.ts';
import { anchorSchedules } from './domains/proofs/proofs.routes.ts';
import { Sequencer } from './domains/proofs/sequencer.ts';
import { drawingFigures } from './domains/saccos/redraw-picture.ts';
import { createLiveHub } from './domains/wallet/live.ts';
import type { WalletDeps } from './domains/wallet/wallet.deps.ts';
import { bindings, identityDependencies, namesFor, schedules, tasksOf } from './domains.ts';
import { counted } from './gateways/counted.ts';
import type { Daraja } from './gateways/mobile-money/daraja.types.ts';
import type { Gatekeepers } from './http/admit.ts';
import type { Binding } from './http/bind.ts';
import { Figures } from './http/figures.ts';
import { Lifecycle } from './http/lifecycle.ts';
import { ofDatabaseHealth, ofLimiters, ofTheJobs } from './http/readings.ts';
import { RATE_LIMITS } from './http/request-counts.ts';
import { createHttpServer } from './http/server.ts';
import { connectProviders, type Providers } from './providers.ts';
import type { App, AppParts } from './start.ts';
import { waitAtMost } from './wait-at-most.ts';

const WEB_FOLDER = join(dirname(fileURLToPath(import.meta.url)), '../web/dist');
/**
 * Requests a minute that one address may make to a route: one that anyone may use to change something, and any other.
 */
/** A hash takes a core for some 50 ms. A request that would wait longer than eight seconds is refused with a time to retry. */
const HASHES = { atOnceMax: 2, waitingMax: 300 };

const LIVE_CLOSING_MS_MAX = 1_000;

/**
 * Parts that a harness in `prove/` replaces by broken ones, to check that it notices. They can be given in code only:
 * no setting, request or row sets them, and `main.ts` gives none.
 */
export interface Replaced {
  readonly contract?: readonly Route[];
  readonly bindings?: (ours: Binding[]) => Binding[];
  readonly gatekeepers?: (ours: Gatekeepers) => Gatekeepers;
  readonly checkReplies?: boolean;
  readonly providers?: Providers;
  readonly passwords?: Passwords;
  readonly daraja?: (ours: Daraja) => Daraja;
}

/** Builds the server: gives each domain the functions that it needs, and the HTTP server the routes of all. */
export async function buildApp(
  { config, database, databaseUrl, world, keyring }: AppParts,
  replaced: Replaced = {},
): Promise<App> {
  const { publicUrl } = config;
  const { lifecycle, figures, health } = monitoringOf(database, databaseUrl);
  const providers = counting(replaced.providers ?? (await connectProviders(config, database, world)), figures);
  const passwords = replaced.passwords ?? createPasswords({ world, ...HASHES });
  figures.reads(() => ofLimiters({ password_hash: passwords.figures?.(), picture: drawingFigures() }));
  const identity = identityDependencies({ config, database, keyring }, passwords);
  const live = createLiveHub(database);
  const markets = createMarketHub({ database });
  const daraja = replaced.daraja?.(providers.daraja) ?? providers.daraja;
  const [{ mpesa }, { withdrawalCharges }, smsSettings] = [providers, config, smsSettingsOf(config)];
  const wallet: WalletDeps = { database, daraja, mpesa, publicUrl, withdrawalCharges, live, ...namesFor(database) };
  const readSession = createSessionReader({ database, requireSecondFactor: config.requireTotp });
  const gatekeepers: Gatekeepers = { readSession, standingOf: standings(database) };
  const sequencer = sequencerOf(database, publicUrl);
  const anchoring = anchoringOf(config);
  const anchored = { chain: anchoring.ready, anchorEverySeconds: anchoring.everySeconds };
  const bound = bindings({ config, database, identity, wallet, markets, ...anchored });
  const http = await createHttpServer({
    contract: replaced.contract ?? contract,
    bindings: replaced.bindings?.(bound) ?? bound,
    services: {
      database,
      checkReplies: replaced.checkReplies ?? !config.production,
      gatekeepers: replaced.gatekeepers?.(gatekeepers) ?? gatekeepers,
    },
    world,
    ...httpSettingsOf(config),
    simulator: providers.simulatorPlugin,
    lifecycle,
    figures,
    isDatabaseAnswering: () => health.isAnswering,
  });
  health.onSilence(() => http.requests.refuseAll());
  return {
    http,
    lifecycle,
    tasks: {
      ...tasksOf({ database, config, sms: providers.sms, smsSettings, identity, wallet, chain: anchoring.chain }),
      ...auditTasks(databaseUrl, world),
      prune_idempotency_keys: async () => void (await database.transaction(pruneKeys)),
    },
    schedules: schedulesOf(anchoring),
    prepare: async () => {
      const lines = config.demo ? await loadDemo(databaseUrl, world.now()) : [];
      sequencer.start();
      return lines;
    },
    close: async () => {
      await waitAtMost(LIVE_CLOSING_MS_MAX, Promise.all([sequencer.stop(), anchoring.stop()]));
      // Not waited for when the database does not answer: its connections are closed next.
      await waitAtMost(LIVE_CLOSING_MS_MAX, Promise.all([live.close(), markets.close()]));
      await health.close();
    },
  };
}

const schedulesOf = ({ everySeconds }: Anchoring): App['schedules'] => [
  ...schedules,
  ...anchorSchedules(everySeconds),
  ...auditSchedules,
  { task: 'prune_idempotency_keys', everySeconds: 3600 },
];

const sequencerOf = (database: Database, publicUrl: string): Sequencer =>
  new Sequencer({
    database,
    originBase: originBaseOf(publicUrl),
    onError: (error) => console.error('The log of the books does not follow:', error),
  });

const httpSettingsOf = (config: AppParts['config']) => ({
  publicUrl: config.publicUrl,
  webFolder: existsSync(WEB_FOLDER) ? WEB_FOLDER : null,
  keptBuildsFolder: join(config.dataDir, 'web-builds'),
  pageSettings: { displayedMemberOffset: config.displayedMemberOffset, smsCountries: config.smsCountries },
  rateLimits: config.rateLimits ? RATE_LIMITS : null,
  trustProxy: config.trustProxy,
  logLevel: config.logLevel,
  limits: {
    deadlineMs: config.requestDeadlineMs,
    uploadDeadlineMs: 6 * config.requestDeadlineMs,
    atOnceMax: config.requestsMax,
  },
  metricsToken: config.metricsToken,
});

const smsSettingsOf = ({ smsCountries, smsDailyAlarm }: AppParts['config']): SmsSettings => ({
  countries: smsCountries,
  dailyAlarm: smsDailyAlarm,
});

/** The providers, with each call counted by its outcome. */
function counting(providers: Providers, figures: Figures): Providers {
  const tell = (provider: string) => (call: string, outcome: string) =>
    figures.count('ushirika_gateway_calls_total', 'Calls to the providers, by what came of them.', {
      provider,
      call,
      outcome,
    });
  return { ...providers, daraja: counted(providers.daraja, tell('mpesa')), sms: counted(providers.sms, tell('sms')) };
}

/** Makes the phase, the metrics and the database's health check, for /readyz and /metrics (docs/operation.md). */
function monitoringOf(database: Database, databaseUrl: string) {
  const lifecycle = new Lifecycle();
  const figures = new Figures();
  const health = watchDatabaseHealth(databaseUrl);
  lifecycle.needs('database_silent', () => health.isAnswering);
  lifecycle.needs('migrations_missing', () => health.missingMigrations.length === 0);
  figures.reads(async () => [...ofDatabaseHealth(health), ...(health.isAnswering ? await ofTheJobs(database) : [])]);
  return { lifecycle, figures, health };
}
