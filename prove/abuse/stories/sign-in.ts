import { PASSWORD } from '../../support/product.ts';
import type { Story } from '../story.ts';

const PAGES = [
  'application/x-www-form-urlencoded',
  'text/plain',
  'multipart/form-data; boundary=cut',
  'application/json',
] as const;

/** What a stranger does to keep an owner out. */
export const signInStories: readonly Story[] = [
  {
    name: 'cross-site-form-locks-the-owner-out',
    tells:
      'a page that the owner visits sends wrong passwords in the background, until the owner’s own network is locked',
    without: 'own_pages_only',
    breaks: 'the page of another site may post to sign-in',
    expected: /the owner at home was answered 429/,
    async play({ person, ask, mustNot }) {
      const owner = await person('Owner');
      const wrong = { id_number: owner.idNumber, password: 'Wrong#2026', user_type: 'client' };
      const body = { ...wrong, password: PASSWORD };
      const { address } = owner;
      for (const type of PAGES) {
        const headers = { origin: 'https://news.example', 'content-type': type };
        const isForm = type.endsWith('urlencoded');
        const raw = isForm ? new URLSearchParams(wrong).toString() : JSON.stringify(wrong);
        for (let time = 0; time < 10; time += 1)
          await ask(null, 'POST', '/auth/login/', undefined, { raw, headers, address });
      }
      const { status } = await ask(null, 'POST', '/auth/login/', body, { address });
      mustNot(status !== 200, `after wrong passwords from a foreign page the owner at home was answered ${status}`);
    },
  },
  {
    name: 'stranger-on-the-same-network-locks-the-owner-out',
    tells:
      'behind one address of a mobile network, a stranger types wrong passwords for another until the owner is locked out',
    without: 'known_devices_apart',
    breaks: 'failures on a device where the owner has signed in count with those of strangers',
    expected: /the owner was answered 429 at sign-in, and 0 codes came/,
    async play({ person, ask, mustNot, textsTo }) {
      const owner = await person('Owner');
      const { address } = owner;
      const wrong = { id_number: owner.idNumber, password: 'Wrong#2026', user_type: 'client' };
      const forgot = { id_number: owner.idNumber, phone_number: owner.phone };
      for (let time = 0; time < 11; time += 1) await ask(null, 'POST', '/auth/login/', wrong, { address });
      for (let time = 0; time < 6; time += 1) {
        await ask(null, 'POST', '/auth/reset-password/', { reset_code: 'AAAA-AAAA', password: PASSWORD }, { address });
        await ask(null, 'POST', '/auth/forgot-password/', forgot, { address });
      }
      const { status } = await ask(owner, 'POST', '/auth/login/', { ...wrong, password: PASSWORD });
      const before = (await textsTo(owner.phone)).length;
      await ask(owner, 'POST', '/auth/forgot-password/', forgot);
      const codes = (await textsTo(owner.phone)).length - before;
      const [text = ''] = await textsTo(owner.phone);
      const reset_code = /[0-9A-Z]{4}-[0-9A-Z]{4}/.exec(text)?.[0] ?? 'AAAA-AAAA';
      const reset = await ask(owner, 'POST', '/auth/reset-password/', { reset_code, password: 'Another#2027' });
      mustNot(status !== 200 || codes !== 1, `the owner was answered ${status} at sign-in, and ${codes} codes came`);
      mustNot(reset.status !== 200, `the owner could not use the code: ${reset.status}`);
    },
  },
  {
    name: 'suspended-account-acts',
    tells: 'a thief whose account an operator has suspended sends the loot out all the same, and signs in for more',
    without: 'suspended_accounts_rest',
    breaks: 'a suspended account is treated as any other',
    expected: /a suspended account signed in and moved 2,?000/,
    async play({ person, operator, ask, does, mustNot, wallet, product, signedIn, setsPassword }) {
      const thief = await person('Thief', 5_000);
      const [asha, halima] = [await operator('Asha'), await operator('Halima')];
      const at = `/operator/people/${thief.id}/suspension`;
      await does(asha, 'POST', at, { action: 'suspend', reason: 'Three members were robbed' });
      // The thief has the own phone, and waits until money may leave after the reset.
      await setsPassword(thief);
      product.database.world.advance(25 * 3_600_000);
      const again = await signedIn(thief);
      const out = { amount: 2_000, phone: thief.phone };
      const sent = await ask(again, 'POST', '/integrations/mpesa/withdraw', out);
      mustNot(sent.status === 202, 'a suspended account signed in and moved 2,000');
      // A suspension by one operator alone is over in two weeks; upheld by a second it is not.
      await does(await signedIn(halima), 'POST', at, { action: 'uphold', reason: 'The members confirmed it' });
      product.database.world.advance(15 * 86_400_000);
      const later = await signedIn(thief).catch(() => thief);
      const once = await ask(later, 'POST', '/integrations/mpesa/withdraw', out);
      mustNot(once.status === 202, 'a suspension that two upheld lapsed');
      const lifted = { action: 'lift', reason: 'The loot is back' };
      await does(await signedIn(halima), 'POST', at, lifted);
      await does(await signedIn(asha), 'POST', at, lifted);
      mustNot((await wallet(await signedIn(thief))) !== 5_000, 'money of a suspended account moved');
    },
  },
  {
    name: 'stolen-password-outlives-a-suspension',
    tells:
      'the account of a member whose password was stolen is suspended; the thief signs in again, reads, and waits for its end',
    without: 'new_password_after_suspension',
    breaks: 'a password of before a suspension opens sessions',
    expected: /a stolen password opened a suspended account/,
    async play({ person, operator, ask, does, mustNot, product, signedIn, setsPassword }) {
      const [owner, asha] = [await person('Owner'), await operator('Asha')];
      const at = `/operator/people/${owner.id}/suspension`;
      const stolen = { id_number: owner.idNumber, password: PASSWORD, user_type: 'client' };
      const tries = async () => (await ask(null, 'POST', '/auth/login/', stolen)).status;
      await does(asha, 'POST', at, { action: 'suspend', reason: 'The owner called us' });
      mustNot((await tries()) === 200, 'a stolen password opened a suspended account');
      product.database.world.advance(15 * 86_400_000);
      mustNot((await tries()) === 200, 'a stolen password opened an account that had been suspended');
      await setsPassword(owner);
      await signedIn(owner);
    },
  },
];
