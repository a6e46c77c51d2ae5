/** The simulated M-Pesa's balance for us before any payment (migration 0006). */
export const FLOAT_AT_FIRST_CENTS = 1_000_000_000;
