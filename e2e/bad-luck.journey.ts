import { randomUUID } from 'node:crypto';
import {
  activeSacco,
  api,
  confirmPhone,
  join,
  register,
  registerWithMoney,
  walletShillingsOf,
} from './support/people.ts';
import { answerPrompt, openPrompt } from './support/simulator.ts';
import { expect, test } from './support/test.ts';

test('in two tabs at once nobody joins twice or buys twice, and a key buys one purchase only', async () => {
  const sacco = await activeSacco();
  const member = await registerWithMoney(5_100);
  const results = await Promise.allSettled([join(member, sacco), join(member, sacco)]);
  expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  expect(await walletShillingsOf(member)).toBe(4_600);

  const key = randomUUID();
  const buy = (shares: number) =>
    api<{ receipt: { id: string } }>('POST', '/sacco/members/pay_shares_amount', {
      token: member.token,
      body: { sacco: sacco.id, shares, amount: shares * 100 },
      key,
    });
  const answers = await Promise.all([buy(10), buy(10), buy(10)]);
  expect(new Set(answers.map(({ receipt }) => receipt.id)).size).toBe(1);
  expect(await walletShillingsOf(member)).toBe(3_600);
  await expect(buy(11)).rejects.toThrow(/idempotency_key_reused/);
  expect(await walletShillingsOf(member)).toBe(3_600);
  const { holding } = await api<{ holding: { shares: number } }>('GET', '/sacco/shares', {
    token: member.token,
    sacco: sacco.id,
  });
  expect(holding.shares).toBe(10);
});

test('a callback that anybody could forge moves no money', async () => {
  const member = await register();
  await confirmPhone(member);
  const { deposit } = await api<{ deposit: { id: string } }>('POST', '/integrations/mpesa/deposit', {
    token: member.token,
    body: { amount: 999, phone: member.phone_number },
  });
  await openPrompt(member.phone_number);
  await api('POST', `/integrations/mpesa/callback/${'x'.repeat(43)}/stk/${deposit.id}`, {
    body: { Body: { stkCallback: { ResultCode: 0, ResultDesc: 'The service request is processed successfully.' } } },
  }).catch(() => {});
  await answerPrompt((await openPrompt(member.phone_number)).id, 'cancel');
  await expect
    .poll(
      async () => (await api<{ status: string }>('GET', `/integrations/mpesa/deposits/${deposit.id}`, member)).status,
    )
    .toBe('cancelled');
  expect(await walletShillingsOf(member)).toBe(0);
});
