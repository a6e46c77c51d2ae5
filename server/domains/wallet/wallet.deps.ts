import type { Cents } from '@ushirika/contract/money';
import type { Database } from '../../db/tx.ts';
import type { Daraja } from '../../gateways/mobile-money/daraja.types.ts';
import type { LiveHub } from './live.ts';

/** What the wallet's routes and jobs are given by `app.ts`. */
export interface WalletDeps {
  readonly database: Database;
  readonly daraja: Daraja;
  /** Where M-Pesa finds us, and how it proves that it is M-Pesa. */
  readonly mpesa: {
    /** Begins every callback address: `https://ushirika.example`. */
    readonly callbackBaseUrl: string;
    /** The part of a callback address that cannot be guessed; at least 16 characters of `[A-Za-z0-9_-]`. */
    readonly callbackSecret: string;
    /** The paybill that collects: what a payment must have been made to. */
    readonly shortcode: string;
    /** What of M-Pesa's figure is the platform's own and in no book; none unless told. */
    readonly ownFundsCents?: Cents;
    /** Payouts leave from another account, which is not asked about: what M-Pesa holds is then not compared. */
    readonly paysFromAnother?: boolean;
  };
  /** Begins the addresses of lists. */
  readonly publicUrl: string;
  /** Who bears what M-Pesa charges for a withdrawal; the platform unless told. */
  readonly withdrawalCharges?: 'platform' | 'member';
  readonly live: LiveHub;
  /** Names of saccos for descriptions; a wallet knows only their ids. */
  readonly saccoNames?: (ids: readonly string[]) => Promise<ReadonlyMap<string, string>>;
  /** The saccos of things of domains below that journals are about (orders and trades of shares), by the things' ids. */
  readonly saccosAbout?: (things: readonly { type: string; id: string }[]) => Promise<ReadonlyMap<string, string>>;
}
