import type { Database, Tx } from '../db/tx.ts';
import type { World } from '../world.ts';

/**
 * How prompts are answered when nobody answers them: `off` waits for a person or a script, `approve` pays every one,
 * `endings` reacts by the last three digits of the phone (endings.ts).
 */
export type Auto = 'off' | 'approve' | 'endings';

/** What the environment says about the real world; a simulator beside a real M-Pesa refuses to exist. */
export interface Surroundings {
  readonly mpesaBaseUrl?: string | undefined;
  readonly nodeEnv?: string | undefined;
  /** `SIMULATOR`: `1` allows it with NODE_ENV=production. */
  readonly simulator?: string | undefined;
}

export interface SimulatorOptions {
  readonly database: Database;
  readonly world: World;
  readonly surroundings: Surroundings;
  readonly auto?: Auto;
  /** Where the SMS provider's reports go; without it, it sends none. */
  readonly smsReportUrl?: string;
  /** Before a prompt answers itself; 1,000 unless told. */
  readonly autoDelayMs?: number;
  /** Before the Result of a payout or a status query is sent; 500 unless told. */
  readonly resultDelayMs?: number;
  /** Same phone and amount again within this: result 17. 120,000 unless told; 0 turns the rule off. */
  readonly repeatWindowMs?: number;
  /** How often due work is looked for, in real time; 250 unless told; 0: only when `tick` is called. */
  readonly tickEveryMs?: number;
  readonly fetch?: typeof globalThis.fetch;
}

/** Set once in the database by the first process; shared by all. */
export interface SimulatorKeys {
  readonly consumerKey: string;
  readonly consumerSecret: string;
  readonly passkey: string;
  readonly shortcode: string;
  readonly initiatorName: string;
  readonly initiatorPassword: string;
  readonly publicKeyPem: string;
  readonly privateKeyPem: string;
  readonly smsUsername: string;
  readonly smsApiKey: string;
}

/** What the mobile-money client is told (its `DarajaConfig`); the simulator knows the wire, not the client. */
export interface ClientSettings {
  readonly baseUrl: string;
  readonly consumerKey: string;
  readonly consumerSecret: string;
  readonly shortcode: string;
  readonly passkey: string;
  readonly initiator: { readonly name: string; readonly password: string; readonly certificatePem: string };
}

/** What the SMS client is told (its `SmsConfig`). */
export interface SmsSettings {
  readonly baseUrl: string;
  readonly username: string;
  readonly apiKey: string;
  readonly senderId: string;
}

/** The parts that every file of the simulator works with. */
export interface Core {
  readonly database: Database;
  readonly world: World;
  readonly keys: SimulatorKeys;
  readonly autoDelayMs: number;
  readonly resultDelayMs: number;
  readonly repeatWindowMs: number;
  readonly smsReportUrl: string | null;
  readonly fetch: typeof globalThis.fetch;
  /** One act of the simulated world: one transaction under its one lock. */
  act<T>(run: (tx: Tx) => Promise<T>): Promise<T>;
  /** Does all that is due: answers, expiries, callbacks. Returns how many callbacks were sent. */
  tick(): Promise<number>;
}

export interface PromptRow {
  readonly id: string;
  readonly merchant_request_id: string;
  readonly checkout_request_id: string;
  readonly phone: string;
  readonly amount_cents: number;
  readonly account_reference: string;
  readonly description: string;
  readonly callback_url: string;
  readonly status: 'open' | 'approved' | 'cancelled' | 'timed_out' | 'insufficient_funds' | 'failed';
  readonly reaction: string | null;
  readonly result_code: string | null;
  readonly result_description: string | null;
  readonly receipt: string | null;
  readonly queries: number;
  readonly faults: string;
  readonly created_at: Date;
  readonly expires_at: Date;
}

export interface PaymentRow {
  readonly receipt: string;
  readonly kind: 'stk' | 'c2b' | 'b2c';
  readonly phone: string;
  readonly amount_cents: number;
  readonly shortcode: string;
  readonly account_reference: string;
  readonly originator_conversation_id: string;
  readonly conversation_id: string;
  readonly completed_at: Date;
  /** When M-Pesa took it back; null unless it did. */
  readonly reversed_at: Date | null;
}
