import type { Cents } from '@ushirika/contract/money';
import { PAYOUT_TARIFF } from '@ushirika/contract/withdrawal-charges';
import type { Tx } from '../../db/tx.ts';
import { PLATFORM_BOOK } from '../../ledger/ledger.types.ts';
import type { FloatFigures } from './float.rules.ts';

/** The most recent transfers of the float that are searched for those since M-Pesa was asked. */
const RECENT_MAX = 10_000;

/**
 * The figures of the books for the comparison, in one statement, so that they are of one moment.
 * @param since what was booked from then on may be missing from M-Pesa's figure
 */
export async function floatFigures(tx: Tx, ownFundsCents: Cents, since: Date): Promise<FloatFigures> {
  const [upTo, charges] = [
    PAYOUT_TARIFF.map(({ up_to }) => up_to * 100),
    PAYOUT_TARIFF.map(({ charge }) => charge * 100),
  ];
  const charge = tx.sql`
    coalesce((select t.charge from unnest(${upTo}::bigint[], ${charges}::bigint[]) as t (up_to, charge)
      where w.amount_cents <= t.up_to order by t.up_to limit 1), ${charges.at(-1) ?? 0}::bigint)`;
  const [row] = await tx.sql<Omit<FloatFigures, 'ownFundsCents'>[]>`
    with float as (
      select id, balance from accounts where book_id = ${PLATFORM_BOOK} and kind = 'mpesa_float'
    ), recent as (
      select t.amount, t.is_in from (
        (select t.journal_id, t.amount, true as is_in from transfers t
          where t.debit_account_id = (select id from float) order by t.id desc limit ${RECENT_MAX})
        union all
        (select t.journal_id, t.amount, false from transfers t
          where t.credit_account_id = (select id from float) order by t.id desc limit ${RECENT_MAX})
      ) t join journals j on j.id = t.journal_id
      where j.posted_at >= ${since}
    ), paid as (
      select w.settled_at, ${charge} as charge from withdrawals w where w.state = 'paid' and w.charge_cents = 0
    )
    select
      coalesce((select balance from float), 0)::bigint as "floatCents",
      (select coalesce(sum(charge), 0) from paid)::bigint as "chargesCents",
      ((select coalesce(sum(amount_cents), 0) from deposits where state in ('sending', 'sent'))
        + (select coalesce(sum(amount_cents), 0) from paybill_payments where state = 'reported'))::bigint as "comingCents",
      (select coalesce(sum(w.amount_cents + ${charge}), 0) from withdrawals w
        where w.state in ('sending', 'sent'))::bigint as "leavingCents",
      (select coalesce(sum(amount) filter (where is_in), 0) from recent)::bigint as "takenInCents",
      ((select coalesce(sum(amount) filter (where not is_in), 0) from recent)
        + (select coalesce(sum(charge), 0) from paid where settled_at >= ${since}))::bigint as "paidOutCents"`;
  if (!row) throw new Error('Figures that are always one row are none.');
  return { ...row, ownFundsCents };
}
