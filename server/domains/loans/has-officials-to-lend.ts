import type { Cents } from '@ushirika/contract/money';
import { authorityOf } from './lending-authority.ts';
import { holdersOf } from './loan-officials.ts';
import type { Reader } from './loan-rows.ts';
import { productsOf } from './loan-terms.ts';
import { samePersonAmong } from './second-account.ts';
import { actsLeft } from './who-is-left.ts';

/**
 * Whether a sacco has the officials who decide about the smallest loan that it offers, or about any where it offers none, and pay it
 * out. Anybody reads it before they pay a fee to join: read as the platform.
 */
export async function hasOfficialsToLend(reader: Reader, saccoId: string): Promise<boolean> {
  const [products, officials, authority] = await Promise.all([
    productsOf(reader, saccoId),
    holdersOf(reader, saccoId),
    authorityOf(reader, saccoId),
  ]);
  const offered = products.filter(({ is_offered }) => is_offered);
  const least: Cents = offered.length === 0 ? 0 : Math.min(...offered.map(({ min_amount_cents }) => min_amount_cents));
  const isOnePerson = await samePersonAmong(reader, [...new Set(officials.map(({ user_id }) => user_id))]);
  const asked = {
    amount_cents: least,
    judged_cents: least,
    committee_alone_cents: authority.committeeCents,
    manager_alone_cents: authority.managerCents,
  };
  const left = actsLeft(asked, officials, { interested: new Set(), isOnePerson });
  return left.has('review') && left.has('payout');
}
