import type { MarketTerms } from '@ushirika/contract/market';
import { Refusal } from '@ushirika/contract/refusal';
import { sentence } from '@ushirika/contract/sentence';
import type { Tx } from '../../db/tx.ts';
import { lockSacco } from '../saccos/lock-sacco.ts';
import { closeUnfit } from './close-unfit.ts';
import type { MarketDependencies } from './market.types.ts';
import { refusalOfNewTerms, refusalOfState, TERMS_COLUMNS, type TermsRow, termsOnWire } from './terms.rules.ts';

/**
 * Puts new trading rules of a sacco in force, on which members or two officials have decided (change-market-terms.ts). Open
 * orders that do not fit are closed in the same transaction, and their members are told. Orders keep the fees that were
 * shown when they were placed.
 * @param actor the official who proposed them
 * @throws Refusal `sacco_inactive`, and `validation_failed` where a lot is more than the minimum shares
 */
export async function setMarketTerms(
  tx: Tx,
  actor: { readonly userId: string },
  { saccoId, terms }: { readonly saccoId: string; readonly terms: TermsRow },
  dependencies: MarketDependencies = {},
): Promise<{ terms: MarketTerms; cancelled: number }> {
  const sacco = await lockSacco(tx, saccoId);
  const refusal = refusalOfState(sacco) ?? refusalOfNewTerms(terms, sacco.min_shares);
  if (refusal) throw refusal;
  const before = await lockTerms(tx, saccoId);
  await tx.sql`
    update markets
    set price_mode = ${terms.price_mode}, floor_percentage = ${terms.floor_percentage},
      ceiling_percentage = ${terms.ceiling_percentage}, tick_cents = ${terms.tick_cents}, lot = ${terms.lot},
      fee_basis_points = ${terms.fee_basis_points}, fee_min_cents = ${terms.fee_min_cents},
      order_days_max = ${terms.order_days_max}, trading = ${terms.trading}, terms_by = ${actor.userId}, terms_at = ${tx.now}
    where sacco_id = ${saccoId}`;
  const shareValueCents = sacco.share_value_cents;
  const cancelled = await closeUnfit(tx, { saccoId, before, after: terms, shareValueCents }, dependencies);
  return { terms: termsOnWire(terms, shareValueCents), cancelled };
}

/** Reads a market's terms and locks its row. The caller holds the sacco's lock. */
export async function lockTerms(tx: Tx, saccoId: string): Promise<TermsRow> {
  const [row] = await tx.sql.unsafe<TermsRow[]>(
    `select ${TERMS_COLUMNS} from markets where sacco_id = $1 for no key update`,
    [saccoId],
  );
  if (!row) throw new Refusal('not_found', { message: sentence('There is no such sacco.') });
  return row;
}
