/** What the simulator's M-Pesa holds for us before anybody paid (migration 0006). */
export const FLOAT_AT_FIRST_CENTS = 1_000_000_000;
