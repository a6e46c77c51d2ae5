import { expect, test } from 'vitest';
import { queryClient } from '../api/queries.ts';
import { takeWallet } from './live.ts';

const PROFILE = ['Client', 'profile'];
const wallet = (amount: number) => ({ amount, held: 0, available: amount });

test('a balance that is told while an older answer is on its way is shown in the end', async () => {
  let arrive: (profile: { wallet: { amount: number } }) => void = () => {};
  const asked = queryClient.fetchQuery({
    queryKey: PROFILE,
    queryFn: () => new Promise<{ wallet: { amount: number } }>((done) => (arrive = done)),
  });
  takeWallet(wallet(725));
  arrive({ wallet: wallet(0) });
  await asked;
  await expect.poll(() => queryClient.getQueryData<{ wallet: { amount: number } }>(PROFILE)?.wallet.amount).toBe(725);
});

test('a balance that is told is shown at once', () => {
  queryClient.setQueryData(PROFILE, { wallet: wallet(0) });
  takeWallet(wallet(725));
  expect(queryClient.getQueryData(PROFILE)).toEqual({ wallet: wallet(725) });
});
