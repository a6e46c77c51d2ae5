import fc from 'fast-check';
import { expect, test } from 'vitest';
import { payable } from './referrals.rules.ts';

test('whatever is due, no sacco pays more than either limit leaves it, and no referrer has more than the cap', () => {
  const reward = fc.record({
    referrer_id: fc.constantFrom('amina', 'baraka'),
    sacco_id: fc.constantFrom('umoja', 'pili'),
    reward_cents: fc.integer({ min: 1, max: 1_000 }),
    left_this_month: fc.constant(3),
  });
  const left = fc.record({ ofIncome: fc.nat(3_000), ofMonth: fc.nat(3_000) });
  fc.assert(
    fc.property(fc.array(reward), left, left, (due, umoja, pili) => {
      const paid = payable(due, (saccoId) => (saccoId === 'umoja' ? umoja : pili));
      for (const [saccoId, of] of [['umoja', umoja] as const, ['pili', pili] as const]) {
        const mine = paid.filter(({ sacco_id }) => sacco_id === saccoId);
        const cents = mine.reduce((sum, { reward_cents }) => sum + reward_cents, 0);
        expect(cents).toBeLessThanOrEqual(Math.min(of.ofIncome, of.ofMonth));
        for (const referrer of ['amina', 'baraka']) {
          expect(mine.filter(({ referrer_id }) => referrer_id === referrer).length).toBeLessThanOrEqual(3);
        }
      }
    }),
  );
});
