/** What stands in one row alone: what a sacco pays for a referral, and receipts of money that an operator looks at. */
export const REWARD_OF_A = 7771.37;
