import type { Cents } from '@ushirika/contract/money';
import type { Sentence } from '@ushirika/contract/sentence';
import type { Database } from '../../db/tx.ts';
import type { Daraja } from '../../gateways/mobile-money/daraja.types.ts';
import type { LiveHub } from './live.ts';

/** What `server/domains.ts` gives to the wallet's routes and jobs. */
export interface WalletDeps {
  readonly database: Database;
  readonly daraja: Daraja;
  /** Our callback addresses and their secret, and our accounts at M-Pesa. */
  readonly mpesa: {
    /** The start of every callback address: `https://ushirika.example`. */
    readonly callbackBaseUrl: string;
    /** The secret part of a callback address; at least 16 characters of `[A-Za-z0-9_-]`. */
    readonly callbackSecret: string;
    /** The paybill that members pay to. */
    readonly shortcode: string;
    /** The platform's own money on the paybill, which is in no book; 0 unless given. */
    readonly ownFundsCents?: Cents;
    /** Payouts leave from another M-Pesa account, whose balance is not asked for: then nothing is compared. */
    readonly paysFromAnother?: boolean;
  };
  /** The start of links to further pages of lists. */
  readonly publicUrl: string;
  /** Who pays M-Pesa's charge for a withdrawal; the platform unless given. */
  readonly withdrawalCharges?: 'platform' | 'member';
  readonly live: LiveHub;
  /** Names of saccos for descriptions: the wallet knows only their ids. */
  readonly saccoNames?: (ids: readonly string[]) => Promise<ReadonlyMap<string, string>>;
  /**
   * The saccos of orders and trades of shares that journals are about, by the ids of those. The market domain answers.
   */
  readonly saccosAbout?: (things: readonly { type: string; id: string }[]) => Promise<ReadonlyMap<string, string>>;
  /** What the receipt of a journal says besides, by what it is about. The loans answer. */
  readonly receiptDetails?: (
    about: { readonly type: string; readonly id: string },
    journal: string,
  ) => Promise<readonly { readonly name: Sentence; readonly value: Sentence }[]>;
}
