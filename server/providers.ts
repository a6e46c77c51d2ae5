import { API_BASE } from '@ushirika/contract/constants';
import type { FastifyPluginAsync } from 'fastify';
import { BadSetting, type Config } from './config.ts';
import type { Database } from './db/tx.ts';
import { reportSecret } from './domains/notifications/report-secret.ts';
import { callbackSecret } from './domains/wallet/callback-secret.ts';
import { createDaraja } from './gateways/mobile-money/daraja.ts';
import type { Daraja } from './gateways/mobile-money/daraja.types.ts';
import { postgresTokenStore } from './gateways/mobile-money/token-store.ts';
import { createSmsGateway, type SmsGateway } from './gateways/sms/africas-talking.ts';
import { ownOrigin } from './own-address.ts';
import { createSimulator, type Simulator } from './simulator/simulator.ts';
import { ORGANISATION_OPENING_CENTS } from './simulator/subscribers.ts';
import type { World } from './world.ts';

/** M-Pesa and SMS, real or simulated. */
export interface Providers {
  readonly daraja: Daraja;
  readonly sms: SmsGateway;
  readonly mpesa: {
    readonly callbackBaseUrl: string;
    readonly callbackSecret: string;
    readonly shortcode: string;
    /** What of the money that M-Pesa holds for us is our own, in cents. */
    readonly ownFundsCents?: number;
    /** Payouts leave from another account than payments come to. */
    readonly paysFromAnother?: boolean;
  };
  /** To be served under `/simulator`; null with real providers. */
  readonly simulatorPlugin: FastifyPluginAsync | null;
}

/** Connects to the providers of the settings, or to the simulator where none are set. @throws BadSetting without either. */
export async function connectProviders(config: Config, database: Database, world: World): Promise<Providers> {
  const own = ownOrigin(config.host, config.port);
  const secret = config.mpesaCallbackSecret ?? (await callbackSecret(database));
  const smsReportUrl = `${own}${API_BASE}/integrations/sms/callback/${reportSecret(config.smsCallbackSecret, secret)}/delivery`;
  const simulator = config.simulator ? await simulated(config, { database, world, smsReportUrl }) : null;
  const daraja = config.mpesa ?? simulator?.darajaConfig(own);
  const sms = config.sms ?? simulator?.smsConfig(own);
  if (!daraja || !sms) {
    throw new BadSetting(
      'No M-Pesa or SMS is configured, and the simulator is off. Set MPESA_* and SMS_*, or SIMULATOR=1.',
    );
  }
  return {
    daraja: createDaraja(daraja, { world, tokenStore: postgresTokenStore(database) }),
    sms: createSmsGateway(sms),
    mpesa: {
      callbackBaseUrl: config.mpesa ? config.publicUrl : own,
      callbackSecret: secret,
      shortcode: daraja.shortcode,
      // The simulated paybill begins with money of its own.
      ownFundsCents: config.mpesaOwnFundsCents + (config.mpesa ? 0 : ORGANISATION_OPENING_CENTS),
      paysFromAnother: (config.mpesa?.payoutShortcode ?? daraja.shortcode) !== daraja.shortcode,
    },
    simulatorPlugin: simulator?.plugin ?? null,
  };
}

function simulated(
  config: Config,
  parts: { readonly database: Database; readonly world: World; readonly smsReportUrl: string },
): Promise<Simulator> {
  return createSimulator({
    ...parts,
    surroundings: {
      mpesaBaseUrl: config.mpesa?.baseUrl,
      nodeEnv: config.production ? 'production' : undefined,
      simulator: config.simulator ? '1' : undefined,
    },
    ...(config.simulatorAuto ? { auto: config.simulatorAuto } : {}),
  });
}
