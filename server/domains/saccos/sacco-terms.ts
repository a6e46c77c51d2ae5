import { KEPT_RIGHTS_DAYS } from '@ushirika/contract/constants';
import type { Cents } from '@ushirika/contract/money';
import { shillingsFromCents } from '@ushirika/contract/money';
import { Refusal } from '@ushirika/contract/refusal';
import type { DatedTerms } from '@ushirika/contract/saccos';
import { sentence } from '@ushirika/contract/sentence';
import { asSystem } from '../../db/person.ts';
import type { Database, Tx } from '../../db/tx.ts';

/* The terms of a sacco and the days from which they held (docs/decisions/191). */

const DAY_MS = 86_400_000;

export interface SaccoTerms {
  readonly regFeeCents: Cents;
  readonly minShares: number;
  readonly shareValueCents: Cents;
}

interface TermsRow {
  readonly number: number;
  readonly valid_from: Date;
  readonly reg_fee_cents: number;
  readonly min_shares: number;
  readonly share_value_cents: number;
  readonly kept_shares: number | null;
  readonly kept_until: Date | null;
  readonly proposal_id: string | null;
}

/** All versions, newest first. */
async function versionsOf(reader: Pick<Database, 'sql'> | Pick<Tx, 'sql'>, saccoId: string): Promise<TermsRow[]> {
  return (reader.sql as Tx['sql'])<TermsRow[]>`
    select number, valid_from, reg_fee_cents, min_shares, share_value_cents, kept_shares, kept_until, proposal_id
    from sacco_terms where sacco_id = ${saccoId} order by number desc`;
}

/**
 * Shares that a member has to hold for full rights at a moment: while the time after a higher minimum runs, those that were enough
 * before it.
 */
export function sharesForRights(
  { min_shares, kept_shares, kept_until }: Pick<TermsRow, 'min_shares' | 'kept_shares' | 'kept_until'>,
  now: Date,
): number {
  return kept_shares !== null && kept_until !== null && now < kept_until ? kept_shares : min_shares;
}

/** The same of a sacco whose lock is held, now. */
export async function sharesForRightsNow(tx: Tx, saccoId: string): Promise<number> {
  const [last] = await versionsOf(tx, saccoId);
  if (!last) throw new Error(`Sacco ${saccoId} has no terms.`);
  return sharesForRights(last, tx.now);
}

/**
 * Gives a sacco, whose lock is held, other terms from now on. After a higher minimum, members keep their full rights for 90 days
 * with what was enough before; a second rise within that time begins it anew.
 * @returns until when they keep them, or null
 */
export async function dateTerms(
  tx: Tx,
  {
    saccoId,
    terms,
    proposalId,
  }: { readonly saccoId: string; readonly terms: SaccoTerms; readonly proposalId: string | null },
): Promise<Date | null> {
  const [last] = await versionsOf(tx, saccoId);
  if (!last) throw new Error(`Sacco ${saccoId} has no terms.`);
  const enough = sharesForRights(last, tx.now);
  const keptUntil = terms.minShares > enough ? new Date(tx.now.getTime() + KEPT_RIGHTS_DAYS * DAY_MS) : null;
  await tx.sql`
    insert into sacco_terms (sacco_id, number, valid_from, reg_fee_cents, min_shares, share_value_cents, kept_shares, kept_until,
      after_place, proposal_id)
    select ${saccoId}, ${last.number + 1}, greatest(${tx.now}::timestamptz, ${last.valid_from}::timestamptz + interval '1 millisecond'),
      ${terms.regFeeCents}, ${terms.minShares}, ${terms.shareValueCents}, ${keptUntil && enough}, ${keptUntil},
      coalesce(max(place), 0), ${proposalId}
    from share_register where sacco_id = ${saccoId}`;
  await tx.sql`
    update saccos set reg_fee_cents = ${terms.regFeeCents}, min_shares = ${terms.minShares},
      share_value_cents = ${terms.shareValueCents}
    where id = ${saccoId}`;
  return keptUntil;
}

/** For everybody, and so asked as the platform: the terms at the end of a day in Nairobi, and all versions. @throws Refusal `not_found` */
export async function termsOnDay(
  database: Database,
  saccoId: string,
  day: string | undefined,
): Promise<{ terms: DatedTerms | null; versions: DatedTerms[] }> {
  const rows = await asSystem(async () => {
    const [shown] = await database.sql`select from saccos where id = ${saccoId} and state <> 'rejected'`;
    if (!shown) throw new Refusal('not_found', { message: sentence('There is no such sacco.') });
    return versionsOf(database, saccoId);
  });
  const versions = rows.map((row, place) => shownTerms(row, rows[place - 1]));
  const end = day === undefined ? database.now() : new Date(Date.parse(`${day}T00:00:00+03:00`) + DAY_MS - 1);
  const terms = versions.find(({ valid_from }) => Date.parse(valid_from) <= end.getTime()) ?? null;
  return { terms, versions };
}

const shownTerms = (row: TermsRow, next: TermsRow | undefined): DatedTerms => ({
  valid_from: row.valid_from.toISOString(),
  valid_until: next?.valid_from.toISOString() ?? null,
  reg_fee: shillingsFromCents(row.reg_fee_cents),
  min_shares: row.min_shares,
  share_value: shillingsFromCents(row.share_value_cents),
  kept_shares: row.kept_shares,
  kept_until: row.kept_until?.toISOString() ?? null,
  vote: row.proposal_id,
});
