import { REFERRAL_STATUSES } from '@ushirika/contract/referrals';
import { expect, test } from 'vitest';
import { REFERRAL_STATUS_WORDS, toneOf } from './referral-status.ts';

test('Fully Paid is green, Lead is red, any other status is amber', () => {
  expect(['Fully Paid', 'Lead', 'Joined', 'Something new'].map(toneOf)).toEqual(['forest', 'clay', 'ochre', 'ochre']);
});

test('the list can be narrowed to every status that there is', () => {
  expect([...REFERRAL_STATUS_WORDS]).toEqual([...REFERRAL_STATUSES]);
});
