import { leaveOut } from '../../../server/faults.proving.ts';
import type { Actor, SaccoOfStory, Scene } from '../scene.ts';
import type { Story } from '../story.ts';

/** An official records a member's ID card, as the list of members names the member. */
export async function recordCard({ ask, does }: Scene, by: Actor, whose: Actor, { id }: SaccoOfStory) {
  const { body } = await does(by, 'GET', '/sacco/members?limit=100', undefined, { sacco: id });
  const member = body.results.find(({ id_number }: { id_number: string }) => id_number === whose.idNumber);
  const card = { document: 'national_id', number: whose.idNumber };
  return ask(by, 'POST', `/sacco/members/${member.id}/identity-checks`, card, { sacco: id });
}

/** Both rules are in our code and in PostgreSQL: each is left out in both. */
async function officialsSeeTheirOwnCards({ product }: Scene): Promise<void> {
  leaveOut('identity.others_only');
  await product.database.owner`alter table identity_checks drop constraint identity_checks_by_another`;
}
async function chairsConfirmThemselves({ product }: Scene): Promise<void> {
  leaveOut('saccos.office_by_two');
  await product.database.owner`alter table office_invitations drop constraint office_invitations_by_another`;
}

/** What one official can do with a card that nobody has shown, and one chair with an office that nobody gave away. */
export const identityStories: readonly Story[] = [
  {
    name: 'card-of-a-second-account',
    tells: 'the treasurer opens a second account, joins with it, and records that its ID card was seen',
    without: 'identity.supervised',
    breaks: 'an official records cards, and nobody who supervises hears of it',
    expected: /the treasurer verified a second account of their own, and no other official was told/,
    async play(scene) {
      const { person, sacco, member, ask, does, mustNot } = scene;
      const [double, own] = [await person('Double'), await sacco()];
      await member(double, own, 10);
      await recordCard(scene, own.treasurer, double, own);
      const { body: news } = await does(own.chair, 'GET', '/client/notifications');
      const isTold = news.results.some(({ text }: { text: string }) => /recorded (ID cards|the ID card)/.test(text));
      mustNot(!isTold, 'the treasurer verified a second account of their own, and no other official was told');
      const at = { sacco: own.id };
      const { body: listed } = await does(own.chair, 'GET', '/sacco/identity-checks', undefined, at);
      const record = listed.results.find(({ person: whose }: { person: { id: string } }) => whose.id === double.id);
      mustNot(record?.seen_by.id !== own.treasurer.id, 'the record does not say who made it');
      const reason = { reason: 'Nobody here knows this person.' };
      await does(own.chair, 'POST', `/sacco/identity-checks/${record.id}/withdrawal`, reason, at);
      const { verified } = (await does(double, 'GET', '/client/')).body;
      mustNot(verified.id, 'a record that was taken back counts on');
      const again = await ask(double, 'POST', `/sacco/identity-checks/${record.id}/withdrawal`, reason, at);
      mustNot(again.status < 400, 'a member decides about records of cards');
    },
  },
  {
    name: 'ones-own-card',
    tells: 'the treasurer records that the treasurer’s own ID card was seen',
    without: officialsSeeTheirOwnCards,
    breaks: 'an official vouches for themselves',
    expected: /the treasurer is who the treasurer says/,
    async play(scene) {
      const { sacco, does, mustNot } = scene;
      const own = await sacco();
      await recordCard(scene, own.treasurer, own.treasurer, own);
      const { verified } = (await does(own.treasurer, 'GET', '/client/')).body;
      mustNot(verified.id, 'the treasurer is who the treasurer says');
    },
  },
  {
    name: 'card-of-somebody-else',
    tells: 'the treasurer, who has the number of a friend’s card before them, records it for another account',
    without: 'identity.number_on_card',
    breaks: 'the number on the card need not be the account’s',
    expected: /an account was verified by the number of somebody else's card/,
    async play(scene) {
      const { person, sacco, member, ask, does, mustNot } = scene;
      const [friend, double, own] = [await person('Friend'), await person('Double'), await sacco()];
      await member(double, own, 10);
      const at = { sacco: own.id };
      const { body } = await does(own.treasurer, 'GET', '/sacco/members?limit=100', undefined, at);
      const { id } = body.results.find(({ id_number }: { id_number: string }) => id_number === double.idNumber);
      const card = { document: 'national_id', number: friend.idNumber };
      await ask(own.treasurer, 'POST', `/sacco/members/${id}/identity-checks`, card, at);
      const { verified } = (await does(double, 'GET', '/client/')).body;
      mustNot(verified.id, "an account was verified by the number of somebody else's card");
    },
  },
  {
    name: 'chair-fills-the-offices',
    tells: 'the chair invites a cousin as secretary, and confirms the invitation as well',
    without: chairsConfirmThemselves,
    breaks: 'whoever invites to an office confirms it',
    expected: /the chair alone gave a cousin an office/,
    async play(scene) {
      const { person, sacco, ask, does, mustNot, later, textsTo } = scene;
      const [cousin, own] = [await person('Cousin'), await sacco()];
      const at = { sacco: own.id };
      const wanted = { office: 'secretary', id_number: cousin.idNumber };
      const { invitation } = (await does(own.chair, 'POST', '/sacco/office-invitations', wanted, at)).body;
      await ask(own.chair, 'POST', `/sacco/office-invitations/${invitation.id}/confirmation`, undefined, at);
      await later(1);
      const code = /[0-9A-Z]{4}(-[0-9A-Z]{4}){3}/.exec((await textsTo(cousin.phone)).join(' '))?.[0];
      mustNot(code !== undefined, 'the chair alone gave a cousin an office');
    },
  },
];
