import { PASSWORD } from '../../support/product.ts';
import type { Scene } from '../scene.ts';
import type { Story } from '../story.ts';

const particulars = { first_name: 'Asha', last_name: 'Were' };
/** No link, one script: what is checked of a name at sign-up lets it pass. */
const LURE = 'Your account is LOCKED Traders Sacco';

let phones = 0;
/** A number that nobody in any story has. */
const freshPhone = () => {
  phones += 1;
  return `25411077${String(phones).padStart(4, '0')}`;
};

const MINUTE_MS = 60_000;
const toldOfTrades = async ({ product }: Scene, minutes: number) => {
  product.database.world.advance(minutes * MINUTE_MS);
  await product.app.tasks.tell_traders?.({});
};

/** A form with parts, as the page sends it. */
function formOf(fields: Readonly<Record<string, string>>) {
  const parts = Object.entries(fields).map(
    ([name, text]) => `--cut\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${text}\r\n`,
  );
  return { raw: `${parts.join('')}--cut--\r\n`, headers: { 'content-type': 'multipart/form-data; boundary=cut' } };
}

/** What somebody makes our number send, to whom, and how often. */
export const messageStories: readonly Story[] = [
  {
    name: 'alerts-to-an-unconfirmed-phone',
    tells: 'somebody signs up with a stranger’s phone and has price alerts sent to it',
    without: 'sms_to_confirmed_phones',
    breaks: 'news goes to a phone that nobody has confirmed',
    expected: /alerts went to a phone that nobody confirmed/,
    async play(scene) {
      const { newcomer, person, sacco, member, does, textsTo, mustNot } = scene;
      const umoja = await sacco();
      const [pest, accomplice] = [await newcomer('Pest'), await person('Accomplice')];
      await member(pest, umoja, 10);
      await member(accomplice, umoja, 20);
      for (const price of [100, 101, 102]) {
        await does(pest, 'POST', '/sacco/price-alerts', { sacco: umoja.id, price });
      }
      const offer = { sacco: umoja.id, side: 'sell', shares: 1, price: 100 };
      await does(accomplice, 'POST', '/sacco/order-book-items', offer);
      await toldOfTrades(scene, 0);
      const alerts = (await textsTo(pest.phone)).length;
      mustNot(alerts > 0, `${alerts} alerts went to a phone that nobody confirmed`);
    },
  },
  {
    name: 'profile-changes-text-strangers',
    tells: 'somebody writes one stranger’s number after another into their profile and has codes sent to each',
    without: 'phone_changes',
    breaks: 'an account may change its phone as often as it likes',
    expected: /strangers were texted by one account/,
    async play({ person, ask, textsTo, mustNot }) {
      const pest = await person('Pest');
      const strangers = Array.from({ length: 6 }, freshPhone);
      for (const phone_number of strangers) {
        await ask(pest, 'PATCH', '/client/', { ...particulars, email: pest.email, phone_number });
        await ask(pest, 'POST', '/client/phone-confirmation', {});
      }
      const texted = [];
      for (const phone of strangers) texted.push((await textsTo(phone)).length);
      const reached = texted.filter((texts) => texts > 0).length;
      mustNot(reached > 3, `${reached} strangers were texted by one account`);
    },
  },
  {
    name: 'code-after-code',
    tells: 'somebody asks for one code after another to a stranger’s phone',
    without: 'sms_bounds',
    breaks: 'a phone may be sent any number of codes in an hour',
    expected: /codes came to a stranger’s phone in a minute/,
    async play({ newcomer, ask, textsTo, mustNot }) {
      const pest = await newcomer('Pest');
      for (let time = 0; time < 6; time += 1) await ask(pest, 'POST', '/client/phone-confirmation', {});
      const codes = (await textsTo(pest.phone)).length;
      mustNot(codes > 3, `${codes} codes came to a stranger’s phone in a minute`);
    },
  },
  {
    name: 'unconfirmed-phone-blocks-the-owner',
    tells: 'somebody signs up with a stranger’s phone, so that its owner cannot',
    without: 'unconfirmed_phones_are_free',
    breaks: 'a number that is only written down counts as taken',
    expected: /the owner of the phone could not sign up/,
    async play({ newcomer, ask, mustNot }) {
      const { phone: phone_number } = await newcomer('Squatter');
      const own = { id_number: '31415926', email: 'owner@phone.example', password: PASSWORD, user_type: 'client' };
      const { status } = await ask(null, 'POST', '/auth/register/', { ...particulars, ...own, phone_number });
      mustNot(status !== 201, 'the owner of the phone could not sign up');
    },
  },
  {
    name: 'foreign-number-gets-codes',
    tells: 'somebody earns from SMS to numbers of far countries and has codes sent there',
    without: 'sms_countries',
    breaks: 'SMS go to any country',
    expected: /a number of far away was sent a code/,
    async play({ person, ask, textsTo, mustNot }) {
      const pest = await person('Pest');
      const phone_number = '+252612345678';
      await ask(pest, 'PATCH', '/client/', { ...particulars, email: pest.email, phone_number });
      await ask(pest, 'POST', '/client/phone-confirmation', {});
      mustNot((await textsTo('252612345678')).length > 0, 'a number of far away was sent a code');
    },
  },
  {
    name: 'one-order-three-hundred-messages',
    tells: 'somebody takes a dozen small offers with one order, and each offer costs us an SMS',
    without: 'bundled_trades',
    breaks: 'each order that is filled is told by an SMS of its own',
    expected: /SMS were sent for one order/,
    async play(scene) {
      const { person, sacco, member, does, textsTo, mustNot } = scene;
      const umoja = await sacco();
      const [maker, taker] = [await person('Maker'), await person('Taker', 5_000)];
      await member(maker, umoja, 30);
      await member(taker, umoja, 10);
      const offer = { sacco: umoja.id, side: 'sell', shares: 1, price: 100 };
      for (let time = 0; time < 12; time += 1) await does(maker, 'POST', '/sacco/order-book-items', offer);
      await does(taker, 'POST', '/sacco/order-book-items', { ...offer, side: 'buy', shares: 12 });
      await toldOfTrades(scene, 16);
      const texts = (await textsTo(maker.phone)).filter((text) => text.includes('filled')).length;
      mustNot(texts !== 1, `${texts} SMS were sent for one order`);
    },
  },
  {
    name: 'pending-sacco-name-in-sms',
    tells: 'somebody registers a sacco with a lure for a name and names a member as its official',
    without: 'reviewed_names_in_sms',
    breaks: 'the name of a sacco that nobody has looked at goes out by SMS',
    expected: /our SMS says that the account is LOCKED/,
    async play({ person, does, textsTo, mustNot }) {
      const [founder, victim] = [await person('Founder'), await person('Victim')];
      const terms = { reg_fee: '500', min_shares: '10', share_value: '100', reg_no: 'CS/LURE', description: 'Ours.' };
      const form = formOf({ ...terms, name: LURE, created_by: founder.id });
      const { body } = await does(founder, 'POST', '/sacco/create', undefined, form);
      const named = { id_number: victim.idNumber, office: 'treasurer' };
      await does(founder, 'POST', `/sacco/${body.sacco.id}/officials`, named);
      const texts = await textsTo(victim.phone);
      if (texts.length === 0) throw new Error('The official-to-be was sent nothing.');
      mustNot(
        texts.some((text) => text.includes('LOCKED')),
        'our SMS says that the account is LOCKED',
      );
    },
  },
  {
    name: 'invitation-with-a-link',
    tells: 'somebody who is called Huduma Kwa Wateja (customer service) sends invitations that ask for a PIN',
    without: 'checked_names_in_sms',
    breaks: 'any name goes out by SMS',
    expected: /our SMS comes from “Huduma/,
    async play({ person, ask, does, textsTo, mustNot }) {
      const pest = await person('Pest');
      const name = { first_name: 'Huduma Kwa', last_name: 'Wateja' };
      await does(pest, 'PATCH', '/client/', { ...name, email: pest.email, phone_number: pest.phone });
      const texts: string[] = [];
      for (const message of [
        'Ingia 41.90.12.7/login',
        'evil．example',
        'evil\u200b.example',
        'Tuma PIN kwa 0712 000 000',
      ]) {
        const phone_number = freshPhone();
        await ask(pest, 'POST', '/client/send_custom_referral', { phone_number, message });
        texts.push(...(await textsTo(phone_number)));
      }
      mustNot(
        texts.some((text) => /Huduma|Wateja/.test(text)),
        'our SMS comes from “Huduma Kwa Wateja”',
      );
      mustNot(
        texts.some((text) => /41\.90|PIN|evil/.test(text)),
        'our SMS has the words of a stranger',
      );
      if (texts.length === 0) throw new Error('No invitation was sent.');
    },
  },
];
