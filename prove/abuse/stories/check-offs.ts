import { openOffice } from '../../../server/domains/saccos/offices.ts';
import { leaveOut } from '../../../server/faults.proving.ts';
import type { Answer } from '../../support/product.ts';
import type { Actor, SaccoOfStory, Scene } from '../scene.ts';
import type { Story } from '../story.ts';

const BOUNDARY = 'check-off';

interface Listed {
  readonly payer: string;
  /** A phone and an amount on each line. */
  readonly lines: string;
  readonly employer?: string;
}

/** A list is a form, since it may be a file. */
function sends(path: string) {
  return ({ ask }: Scene, by: Actor, { id }: SaccoOfStory, list: Listed): Promise<Answer> => {
    const fields = { employer: list.employer ?? 'Acme Stores', payer_phone: list.payer, list_text: list.lines };
    const parts = Object.entries(fields).map(
      ([name, value]) => `--${BOUNDARY}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
    );
    const headers = { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` };
    return ask(by, 'POST', path, undefined, { sacco: id, raw: `${parts.join('')}--${BOUNDARY}--\r\n`, headers });
  };
}
const makes = sends('/sacco/check-offs');
const looksUp = sends('/sacco/check-off-previews');

const approves = ({ ask }: Scene, by: Actor, { id: sacco }: SaccoOfStory, list: string): Promise<Answer> =>
  ask(by, 'POST', `/sacco/check-offs/${list}/decision`, { decision: 'approve' }, { sacco });

/** The rule is in our code and in PostgreSQL: it is left out in both. */
async function oneOfficialAlone({ product }: Scene): Promise<void> {
  leaveOut('loans.check_off_by_two');
  await product.database.owner`alter table check_offs drop constraint check_offs_check`;
}

/** As above. */
async function anyoneTakesBack({ product }: Scene): Promise<void> {
  leaveOut('loans.check_off_of_makers');
  await product.database.owner`alter table check_offs drop constraint check_offs_taken_back_by_makers`;
}

/** What check-offs can be used for: by officials, alone and two together, and by whoever holds a payer's phone. */
export const checkOffStories: readonly Story[] = [
  {
    name: 'treasurer-checks-their-own-list',
    tells: 'the treasurer puts a friend on an employer’s list with a huge sum, and says that the list is right as well',
    without: oneOfficialAlone,
    breaks: 'whoever makes a list may check it, too',
    expected: /the treasurer alone had an employer asked for Ksh\. 90,000/,
    async play(scene) {
      const { person, sacco, member, does, mustNot } = scene;
      const [own, employer, friend] = [await sacco(), await person('Employer', 100_000), await person('Friend')];
      await member(friend, own, 10);
      const list = { payer: employer.phone, lines: `${friend.phone},90000` };
      const { body } = await makes(scene, own.treasurer, own, list);
      await approves(scene, own.treasurer, own, body.check_off.id);
      const asked = async () => (await does(employer, 'GET', '/check-offs')).body.count;
      mustNot((await asked()) > 0, 'the treasurer alone had an employer asked for Ksh. 90,000');
      const seen = await does(own.chair, 'GET', `/sacco/check-offs/${body.check_off.id}`, undefined, { sacco: own.id });
      mustNot(seen.body.notable[0].amount !== 90_000, 'the second official did not see the largest line first');
      await approves(scene, own.chair, own, body.check_off.id);
      mustNot((await asked()) !== 1, 'another official could not check it');
    },
  },
  {
    name: 'every-list-taken-back',
    tells: 'one official, who has no office for check-offs, takes back each list that two others made and checked',
    without: anyoneTakesBack,
    breaks: 'any official takes back any list',
    expected: /an official took back the list of two others/,
    async play(scene) {
      const { person, sacco, member, ask, mustNot, product } = scene;
      const [own, employer, friend] = [await sacco(), await person('Employer', 100_000), await person('Friend')];
      const rogue = await person('Rogue');
      await product.database.transaction((tx) =>
        openOffice(tx, { userId: own.chair.id }, { saccoId: own.id, userId: rogue.id, office: 'secretary' }),
      );
      await member(friend, own, 10);
      const { body } = await makes(scene, own.treasurer, own, { payer: employer.phone, lines: `${friend.phone},900` });
      const takesBack = async (by: Actor) => {
        const reason = { reason: 'I do not like it.' };
        const path = `/sacco/check-offs/${body.check_off.id}/withdrawal`;
        return (await ask(by, 'POST', path, reason, { sacco: own.id })).status < 300;
      };
      mustNot(await takesBack(rogue), 'an official took back the list of two others before it was checked');
      await approves(scene, own.chair, own, body.check_off.id);
      mustNot(await takesBack(rogue), 'an official took back the list of two others');
      mustNot(!(await takesBack(own.chair)), 'who had checked a list could not take it back');
    },
  },
  {
    name: 'strangers-are-asked-to-pay',
    tells: 'two officials name somebody who has nothing to do with them as the payer of list after list',
    without: 'loans.check_offs_bounded',
    breaks: 'a sacco names one payer as often as it likes',
    expected: /a stranger had 6 lists of one sacco before them/,
    async play(scene) {
      const { person, sacco, does, mustNot } = scene;
      const [own, stranger] = [await sacco(), await person('Stranger')];
      const list = (amount: number) => ({ payer: stranger.phone, lines: `${own.chair.phone},${amount}` });
      for (let amount = 1; amount <= 6; amount += 1) {
        const { body } = await makes(scene, own.treasurer, own, list(amount));
        if (body.check_off) await approves(scene, own.chair, own, body.check_off.id);
      }
      const { body } = await does(stranger, 'GET', '/check-offs?status=to_pay');
      mustNot(body.count > 3, `a stranger had ${body.count} lists of one sacco before them`);
      for (const { id } of body.results) {
        await does(stranger, 'POST', `/check-offs/${id}/refusal`, { reason: 'I do not know these people.' });
      }
      const again = await makes(scene, own.treasurer, own, list(99));
      mustNot(again.status < 400, 'whoever had said no three times was named once more');
      mustNot(body.count === 0, 'no list at all came to its payer');
    },
  },
  {
    name: 'lists-as-a-way-to-send-sms',
    tells: 'two officials check a list and take it back, over and over: each time their victim’s phone rings',
    without: 'loans.check_off_sms_a_day',
    breaks: 'each list that is checked sends an SMS',
    expected: /a stranger had 3 SMS about lists of one sacco in an hour/,
    async play(scene) {
      const { person, sacco, does, textsTo, mustNot } = scene;
      const [own, stranger] = [await sacco(), await person('Stranger')];
      for (let amount = 1; amount <= 3; amount += 1) {
        const list = { payer: stranger.phone, lines: `${own.chair.phone},${amount}` };
        const { id } = (await makes(scene, own.treasurer, own, list)).body.check_off;
        await approves(scene, own.chair, own, id);
        const reason = { reason: 'We listed it twice.' };
        await does(own.treasurer, 'POST', `/sacco/check-offs/${id}/withdrawal`, reason, { sacco: own.id });
      }
      const texts = (await textsTo(stranger.phone)).filter((text) => text.includes('asks you to pay'));
      mustNot(texts.length > 1, `a stranger had ${texts.length} SMS about lists of one sacco in an hour`);
      mustNot(texts.length === 0, 'a payer was not told of a list at all');
    },
  },
  {
    name: 'names-behind-phones',
    tells: 'a treasurer types phone after phone as the payer’s, to learn who has which number',
    without: 'loans.check_off_payers_searched',
    breaks: 'an official may ask as often as they like who is behind a phone',
    expected: /a treasurer was told of 40 phones whose they are/,
    async play(scene) {
      const { person, sacco, mustNot } = scene;
      const [own, victim] = [await sacco(), await person('Victoria')];
      let told = 0;
      for (let n = 0; n < 40; n += 1) {
        const { status, text } = await looksUp(scene, own.treasurer, own, {
          payer: n === 0 ? victim.phone : `254799${String(n).padStart(6, '0')}`,
          lines: `${own.chair.phone},1`,
        });
        if (status !== 200) continue;
        told += 1;
        mustNot(text.includes('Attacked'), 'an official read the surname of whoever has that phone');
      }
      mustNot(told > 30, `a treasurer was told of ${told} phones whose they are`);
      mustNot(told === 0, 'no payer could be named at all');
    },
  },
  {
    name: 'payers-phone-left-open',
    tells: 'two officials list a friend, and one of them finds the employer’s phone unlocked on a desk',
    without: 'value_moved_by_old_session',
    breaks: 'a session that was left open moves any sum',
    expected: /a phone that was left open paid Ksh\. 90,000 to a friend of the officials/,
    async play(scene) {
      const { person, sacco, member, ask, later, wallet, mustNot } = scene;
      const [own, employer, friend] = [await sacco(), await person('Employer', 100_000), await person('Friend')];
      await member(friend, own, 10);
      const list = { payer: employer.phone, lines: `${friend.phone},90000` };
      const { id } = (await makes(scene, own.treasurer, own, list)).body.check_off;
      await approves(scene, own.chair, own, id);
      const [before, had] = [await wallet(friend), await wallet(employer)];
      await later(20);
      const pays = (by: Actor, key: string) =>
        ask(by, 'POST', `/check-offs/${id}/payment`, { amount: 90_000 }, { key });
      await pays(employer, 'on the desk');
      await later(2);
      mustNot(
        (await wallet(friend)) > before,
        'a phone that was left open paid Ksh. 90,000 to a friend of the officials',
      );
      mustNot((await wallet(employer)) !== had, 'money left the employer’s wallet without the password');
      await pays(await scene.signedIn(employer), 'with the password');
      await later(2);
      mustNot((await wallet(friend)) !== before + 90_000, 'the employer could not pay it either');
    },
  },
];
