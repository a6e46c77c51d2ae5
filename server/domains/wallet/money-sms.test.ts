import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { setPreferences } from '../notifications/set-preferences.ts';
import { type Person, type WalletWorld, walletWorld } from './test-wallet.ts';

let world: WalletWorld;
beforeAll(async () => {
  world = await walletWorld();
});
beforeEach(() => world.settle());
afterAll(async () => {
  await world.audit();
  await world.close();
});

const smsTo = async ({ phone }: Person) => {
  const rows = await world.database.owner<{ text: string }[]>`
    select text from sms_messages where phone = ${phone} order by text`;
  return rows.map(({ text }) => text);
};
const choose = ({ id: userId }: Person, money: boolean, language: 'en' | 'sw' = 'en') =>
  world.database.transaction((tx) =>
    setPreferences(
      tx,
      { userId },
      { language, sms: { money, saccos: true, loans: true, pools: true, referrals: true } },
    ),
  );

async function topUp(person: Person, amount: number) {
  await world.as(person, 'POST', '/integrations/mpesa/deposit', { amount, phone: person.phone });
  await world.settle();
  await world.answerPrompt(person.phone, 'approve');
  await world.settle();
}
async function withdraw(person: Person, amount: number) {
  await world.as(person, 'POST', '/integrations/mpesa/withdraw', { amount, phone: person.phone });
  await world.settle();
}

describe('the SMS about top-ups and withdrawals', () => {
  test('are sent, in their language, to members who want them', async () => {
    const person = await world.person();
    await choose(person, true, 'sw');
    await topUp(person, 500);
    await withdraw(person, 200);
    expect(await smsTo(person)).toEqual([
      'Ushirika: Ksh. 200.00 zimetumwa kutoka pochi yako kwa simu yako. Si wewe? Badilisha nenosiri lako sasa.',
      'Ushirika: Ksh. 500.00 zimeingia kwenye pochi yako.',
    ]);
  });

  test('are not sent to members who do not want them; the list in the app has the messages anyway', async () => {
    const person = await world.person();
    await choose(person, false);
    await topUp(person, 500);
    await withdraw(person, 200);
    expect(await smsTo(person)).toEqual([]);
    const told = await world.database.owner<{ text: string }[]>`
      select text from notifications where user_id = ${person.id} order by text`;
    expect(told.map(({ text }) => text.replaceAll('\u00a0', ' '))).toEqual([
      'Ksh. 200.00 was sent to your phone.',
      'Ksh. 500.00 is in your wallet.',
    ]);
  });
});
