import type { DomainPart } from './domain-part.ts';
import { pools } from './domains/pools.ts';
import { referrals } from './domains/referrals.ts';

/** What domains bring of their own. A new one adds its line here, and all it has to say in its file. */
export const parts: readonly DomainPart[] = [pools, referrals];
