import { agreed } from '../../../server/domains/wallet/test-payers.ts';
import type { Actor, Scene } from '../scene.ts';
import type { Story } from '../story.ts';

const PAYERS = '/integrations/mpesa/payers';

/** The holder of a phone is talked into handing over the code of the SMS, once. */
async function talksInto({ does, textsTo }: Scene, payer: Actor, phone: string): Promise<void> {
  await does(payer, 'POST', PAYERS, { phone });
  const code = /\d{4} \d{4}/.exec((await textsTo(phone))[0] ?? '')?.[0];
  await does(payer, 'POST', `${PAYERS}/confirmation`, { phone, code });
}

/** What somebody does with M-Pesa: other people's payments, other people's phones, and our charges. */
export const mobileMoneyStories: readonly Story[] = [
  {
    name: 'paybill-word',
    tells: 'somebody signs up with a word, or a number, that others type as the account where they pay by hand',
    without: 'issued_account_numbers',
    breaks: 'an ID number, which nobody has looked at, is taken for the account of whoever signed up with it',
    expected: /2,345 that a stranger paid by hand are in the thief’s wallet/,
    async play({ person, ask, paysByHand, wallet, mustNot }) {
      const thief = await person('Thief');
      const signUp = await ask(null, 'POST', '/auth/register/', {
        ...{ first_name: 'Thief', last_name: 'Again', id_number: 'SAVINGS', phone_number: '254733100200' },
        ...{ email: 'savings@thief.example', password: 'Robbing#2026', user_type: 'client' },
      });
      mustNot(signUp.status === 201, 'somebody signed up with the word SAVINGS for an ID number');
      const again = { ...thief, token: signUp.body.token ?? thief.token };
      await paysByHand('254733100100', 1_234, 'Savings');
      await paysByHand('254733100100', 2_345, thief.idNumber);
      mustNot((await wallet(again)) === 1_234, '1,234 that a stranger paid to "Savings" are in the thief’s wallet');
      mustNot((await wallet(thief)) > 0, '2,345 that a stranger paid by hand are in the thief’s wallet');
    },
  },
  {
    name: 'prompts-on-a-stranger',
    tells: 'accounts that nobody knows send M-Pesa prompts to somebody’s phone, until one is answered',
    async without({ product }) {
      await product.database.owner`
        create or replace function may_prompt(payer uuid, wanted_phone text) returns boolean
          language sql stable security definer set search_path = public, pg_temp as $$ select true $$`;
    },
    breaks: 'a prompt goes to any phone, whether or not its holder has agreed',
    expected: /strangers put [1-9]\d* prompts on a phone/,
    async play({ person, newcomer, ask, promptsOn, mustNot }) {
      const victim = await person('Victim');
      const thieves = [await person('Thief'), await newcomer('Accomplice')];
      for (const thief of thieves) {
        for (const phone of [victim.phone, '254733555666']) {
          await ask(thief, 'POST', '/integrations/mpesa/deposit', { amount: 500, phone });
          await ask(thief, 'POST', `${PAYERS}/confirmation`, { phone, code: '1234 5678' });
          await ask(thief, 'POST', '/integrations/mpesa/deposit', { amount: 500, phone });
        }
      }
      const came = [...(await promptsOn(victim.phone)), ...(await promptsOn('254733555666'))];
      mustNot(came.length > 0, `strangers put ${came.length} prompts on a phone that never agreed`);
    },
  },
  {
    name: 'codes-to-a-stranger',
    tells: 'accounts ask for codes to somebody’s phone again and again, with words of their own in the SMS',
    without: 'codes_to_other_phones',
    breaks: 'codes that ask for prompts are not counted by phone',
    expected: /the phone had [4-9] SMS/,
    async play({ person, ask, textsTo, mustNot }) {
      const phone = '254733555777';
      for (let account = 0; account < 3; account += 1) {
        const thief = await person('Huduma');
        await ask(thief, 'PATCH', '/client/', {
          first_name: 'Huduma',
          last_name: 'Wateja',
          phone_number: thief.phone,
          email: thief.email,
        });
        for (let again = 0; again < 2; again += 1) await ask(thief, 'POST', PAYERS, { phone });
      }
      const texts = await textsTo(phone);
      mustNot(texts.length > 3, `the phone had ${texts.length} SMS that its holder did not ask for`);
      mustNot(
        texts.some((text) => /huduma/i.test(text)),
        'an SMS of ours had the words of a stranger',
      );
    },
  },
  {
    name: 'prompts-by-many',
    tells: 'somebody was talked into handing over the code to five accounts, which send prompts one after another',
    without: 'prompts_by_phone',
    breaks: 'prompts are counted by payer alone, and not by phone',
    expected: /five strangers put 5 prompts on a phone in ten minutes/,
    async play(scene) {
      const { person, ask, answersPrompt, promptsOn, mustNot, product } = scene;
      const victim = await person('Victim');
      const open = async () => (await promptsOn(victim.phone)).find(({ status }) => status === 'open');
      for (let account = 0; account < 5; account += 1) {
        // Three codes come to a phone in a day: what the rest got on another day stands in the books.
        const thief = await person('Thief');
        if (account < 3) await talksInto(scene, thief, victim.phone);
        else await agreed(product.database, thief.id, victim.phone);
        await ask(thief, 'POST', '/integrations/mpesa/deposit', { amount: 500 + account, phone: victim.phone });
        const prompt = await open();
        if (prompt) await answersPrompt(prompt.id, 'cancel');
      }
      const came = (await promptsOn(victim.phone)).length;
      mustNot(came > 3, `five strangers put ${came} prompts on a phone in ten minutes`);
    },
  },
  {
    name: 'stranger-blocks-top-up',
    tells: 'somebody keeps a prompt open on a phone, so that its owner answers that one instead of their own',
    async without({ product }) {
      await product.database.owner`create unique index one_prompt_of_all on open_prompts (phone)`;
    },
    breaks: 'one open prompt on a phone is in the way of everybody’s, its owner’s too',
    expected: /a stranger’s open prompt is in the way of the owner’s own top-up/,
    async play(scene) {
      const { person, ask, does, mustNot } = scene;
      const [victim, thief] = [await person('Victim'), await person('Thief')];
      await talksInto(scene, thief, victim.phone);
      await does(thief, 'POST', '/integrations/mpesa/deposit', { amount: 500, phone: victim.phone });
      // The thief's is on the phone before its owner asks.
      await scene.promptsOn(victim.phone);
      const own = await ask(victim, 'POST', '/integrations/mpesa/deposit', { amount: 500, phone: victim.phone });
      mustNot(own.status !== 202, 'a stranger’s open prompt is in the way of the owner’s own top-up');
      await scene.promptsOn(victim.phone);
      const { text } = await ask(victim, 'GET', `/integrations/mpesa/deposits/${own.body.deposit?.id}`);
      mustNot(/answer it/i.test(own.text + text), 'our words ask somebody to answer a prompt of a stranger');
      mustNot(
        !/If you did not ask for it, cancel it/.test(text),
        'nobody says that a stranger’s prompt is to be cancelled',
      );
      const [wallet] = (await does(victim, 'GET', PAYERS)).body.wallets;
      await does(victim, 'DELETE', `${PAYERS}/${wallet.id}`);
      const again = await ask(thief, 'POST', '/integrations/mpesa/deposit', { amount: 400, phone: victim.phone });
      mustNot(again.status === 202, 'a payer sends prompts whom the phone’s owner has put out');
    },
  },
  {
    name: 'withdrawals-by-the-dozen',
    tells: 'a member takes money out in many small withdrawals, or all of a day’s takings of a thief at once',
    without: 'withdrawals_a_day',
    breaks: 'withdrawals of a day are neither counted nor added up',
    expected: /twelve withdrawals at once, and 12 went out/,
    async play({ person, ask, wallet, mustNot }) {
      const [small, large] = [await person('Small', 2_000), await person('Large', 800_000)];
      const takes = (of: Actor, amount: number) =>
        ask(of, 'POST', '/integrations/mpesa/withdraw', { amount, phone: of.phone });
      const tried = await Promise.all(Array.from({ length: 12 }, () => takes(small, 10)));
      const out = tried.filter(({ status }) => status === 202).length;
      mustNot(out > 10, `a member asked for twelve withdrawals at once, and ${out} went out`);
      for (const amount of [250_000, 249_000, 1_001]) await takes(large, amount);
      mustNot((await wallet(large)) < 300_000, 'more than Ksh. 500,000 left a wallet in a day');
      const { body } = await takes(large, 1_001);
      mustNot(body.left?.amount !== 1_000, 'the refusal does not say what is left of the day');
    },
  },
];
