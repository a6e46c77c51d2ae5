import type { Cents } from '@ushirika/contract/money';
import { DECLINED_SHOWN_DAYS, type PoolRequestEnd, type PoolRequestState } from '@ushirika/contract/pools';
import type { Unsaid } from '@ushirika/contract/said';
import type { Fragment, ISql } from 'postgres';
import type { Tx } from '../../db/tx.ts';
import { reasonSaid } from './decline-reasons.ts';
import { after, DAY_MS } from './pool-rows.ts';
import type { RequestRow } from './request-guarantee.ts';

/* How a request for a guarantee came to nothing, as its borrower reads it: who decided, when and why. */

type Ended = Pick<RequestRow, 'state_at' | 'signed_at' | 'reasons' | 'ask_again_at'> & {
  readonly state: PoolRequestState;
  /** What the stewards wrote who declined it; see `decliningWords`. */
  readonly words: readonly string[] | null;
};

/** In SQL: what the stewards wrote who declined a request `r`, in the order in which they spoke. Null while it is not declined. */
export const decliningWords = (sql: ISql): Fragment => sql`
  case when r.state = 'DECLINED' then (
    select array_agg(v.reason order by v.at, v.steward_id) from pool_voices v
    where v.about_id = r.id and v.matter = 'request' and v.voice = 'decline' and v.since = r.signed_at) end`;

/** In SQL: a request `r` that came to nothing without its borrower's doing, and so lately that it is still shown. */
export const endedLately = (sql: ISql, now: Date): Fragment => sql`
  (r.state = 'DECLINED' or r.state = 'EXPIRED' and r.signed_at is not null)
    and r.state_at > ${after(now, -DECLINED_SHOWN_DAYS * DAY_MS)}`;

/** Null for what waits, was approved, or was taken back or left to lapse by its borrower. */
export function endOf(row: Ended): Unsaid<PoolRequestEnd> | null {
  const at = row.state_at.toISOString();
  if (row.state === 'EXPIRED' && row.signed_at !== null) return { by: 'nobody', at, reasons: [], words: [] };
  if (row.state !== 'DECLINED') return null;
  const rules = row.reasons.filter((reason) => reason !== 'stewards');
  return {
    by: rules.length > 0 ? 'rules' : 'stewards',
    at,
    reasons: rules.map((reason) => reasonSaid(reason, row.ask_again_at)),
    words: [...(row.words ?? [])],
  };
}

/** A request that was made for a loan and came to nothing. */
export interface EndedRequest {
  readonly id: string;
  readonly poolName: string;
  readonly amount: Cents;
  readonly askedAt: Date;
  readonly signedAt: Date | null;
  readonly end: Unsaid<PoolRequestEnd>;
}

/** The requests for a loan's guarantee that came to nothing, oldest first; for the borrower. Asked of the platform. */
export async function endedRequestsOf(
  tx: Pick<Tx, 'sql'>,
  { loanId, userId }: { readonly loanId: string; readonly userId: string },
): Promise<EndedRequest[]> {
  const rows = await tx.sql<(Ended & EndedRow)[]>`
    select r.id, p.name as pool_name, r.amount_cents, r.requested_at, r.state, r.state_at, r.signed_at, r.reasons, r.ask_again_at,
      ${decliningWords(tx.sql)} as words
    from pool_requests r join pools p on p.id = r.pool_id
    where r.user_id = ${userId} and r.loan_id = ${loanId}
      and (r.state = 'DECLINED' or r.state = 'EXPIRED' and r.signed_at is not null)
    order by r.id`;
  return rows.flatMap((row) => {
    const end = endOf(row);
    if (!end) return [];
    const { id, pool_name: poolName, amount_cents: amount, requested_at: askedAt, signed_at: signedAt } = row;
    return [{ id, poolName, amount, askedAt, signedAt, end }];
  });
}

interface EndedRow {
  readonly id: string;
  readonly pool_name: string;
  readonly amount_cents: Cents;
  readonly requested_at: Date;
}
