import type { Cents } from './money.ts';

/** Withdrawals of one person in a day of Nairobi: how many, and how much in shillings (M-Pesa's own daily limit). */
export const WITHDRAWALS_A_DAY = 10;
export const WITHDRAWN_SHILLINGS_A_DAY = 500_000;

/**
 * What M-Pesa charges for paying out to a registered customer, in shillings: up to so much, so much. Safaricom's bulk
 * payment tariff, registered users, the business pays; to be compared with one's own contract.
 */
export const PAYOUT_TARIFF: readonly { readonly up_to: number; readonly charge: number }[] = [
  { up_to: 100, charge: 0 },
  { up_to: 1_500, charge: 5 },
  { up_to: 5_000, charge: 9 },
  { up_to: 20_000, charge: 11 },
  { up_to: 250_000, charge: 13 },
];

/** M-Pesa's charge for a payout, both in cents. */
export function payoutCharge(amountCents: Cents): Cents {
  const band = PAYOUT_TARIFF.find(({ up_to }) => amountCents <= up_to * 100) ?? PAYOUT_TARIFF.at(-1);
  return (band?.charge ?? 0) * 100;
}
