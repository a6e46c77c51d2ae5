import type { Actor, SaccoOfStory, Scene } from '../scene.ts';
import type { Story } from '../story.ts';
import { agreed } from './terms.ts';

/** As if these had been members for two months, with an ID card that an operator has seen. */
async function longMembers(
  { product }: Scene,
  { id }: SaccoOfStory,
  people: readonly Actor[],
  days = 60,
): Promise<void> {
  const { owner, now } = product.database;
  const ids = people.map((each) => each.id);
  const [seer] = await owner<{ id: string }[]>`select user_id as id from operators limit 1`;
  await owner`
    update memberships set joined_at = ${now()}::timestamptz - ${days} * interval '1 day'
    where sacco_id = ${id} and user_id = any (${ids}::uuid[])`;
  await owner`
    insert into identity_checks (id, user_id, seen_by, document, seen_at)
    select gen_random_uuid(), person, ${seer?.id ?? ''}, 'national_id', ${now()} from unnest(${ids}::uuid[]) person
    on conflict do nothing`;
}

/** A vote that chair and treasurer publish at this moment. */
async function publish(
  { does }: Scene,
  { id: sacco, chair, treasurer }: SaccoOfStory,
  more: object = {},
): Promise<string> {
  const draft = { title: 'Rent a second office', text: 'It costs Ksh. 20,000 a month, for five years.', ...more };
  const { body } = await does(chair, 'POST', '/voting/proposals', draft, { sacco });
  await does(treasurer, 'POST', `/voting/proposals/${body.proposal.id}/signature`, undefined, { sacco });
  return body.proposal.id;
}

const isOnRoll = async ({ does }: Scene, person: Actor, { id: sacco }: SaccoOfStory, vote: string): Promise<boolean> =>
  (await does(person, 'GET', `/voting/proposals/${vote}`, undefined, { sacco })).body.my.on_roll;

/** Every active member whose card was seen, however new and however many accounts one person has. */
const everybodyVotes = async ({ product }: Scene): Promise<void> => {
  await product.database.owner`
    create or replace function roll_of(sacco uuid, since timestamptz) returns setof uuid
      language sql stable set search_path = public, pg_temp
    as $$
      select m.user_id from memberships m
      where m.sacco_id = roll_of.sacco and m.state = 'active'
        and exists (select from identity_checks c where c.user_id = m.user_id and c.ended_at is null)
    $$`;
};

const MARKET = { price_mode: 'band', tick: 1, lot: 1, fee_min: 10 };

/** What a vote can be used for, by officials and by a member with two accounts. */
export const votingStories: readonly Story[] = [
  {
    name: 'officials-change-terms-past-the-vote',
    tells: 'two officials make trading dearer by themselves, in a sacco whose members could vote on it',
    without: 'voting.terms_by_vote',
    breaks: 'two officials change terms where members can vote',
    expected: /two officials set a fee of 3 %/,
    async play(scene) {
      const { person, sacco, member, does, signedIn, mustNot } = scene;
      const [trader, own] = [await person('Trader'), await sacco()];
      await member(trader, own, 10);
      await longMembers(scene, own, [own.chair, own.treasurer, trader]);
      await agreed(scene, own, '/sacco/market-terms', { ...MARKET, fee_basis_points: 300 });
      const { body } = await does(await signedIn(trader), 'GET', `/sacco/order-book?sacco=${own.id}`);
      mustNot(body.terms.fee_percentage === 3, 'two officials set a fee of 3 %');
    },
  },
  {
    name: 'roll-stuffed-before-publication',
    tells: 'a chair who fears a vote has cousins join the day before it is published',
    without: everybodyVotes,
    breaks: 'whoever has joined by the publication may vote',
    expected: /somebody who joined the day before decides about the others/,
    async play(scene) {
      const { person, sacco, member, mustNot } = scene;
      const [cousin, own] = [await person('Cousin'), await sacco()];
      await member(cousin, own, 10);
      await longMembers(scene, own, [own.chair, own.treasurer]);
      await longMembers(scene, own, [cousin], 1);
      const vote = await publish(scene, own);
      mustNot(await isOnRoll(scene, cousin, own, vote), 'somebody who joined the day before decides about the others');
    },
  },
  {
    name: 'two-accounts-two-votes',
    tells: 'a member confirms one phone with two accounts, one after the other, and votes with both',
    without: everybodyVotes,
    breaks: 'each account has a vote',
    expected: /one person has two votes/,
    async play(scene) {
      const { person, sacco, member, product, mustNot } = scene;
      const [cheat, second, own] = [await person('Cheat'), await person('Second'), await sacco()];
      for (const each of [cheat, second]) await member(each, own, 10);
      await longMembers(scene, own, [own.chair, own.treasurer, cheat, second]);
      await product.database.owner`
        insert into referral_traces (user_id, kind, value, created_at)
        select unnest(${[cheat.id, second.id]}::uuid[]), 'confirmed_phone', '254799000002', ${product.database.now()}`;
      const vote = await publish(scene, own);
      const on = [await isOnRoll(scene, cheat, own, vote), await isOnRoll(scene, second, own, vote)];
      mustNot(
        on.every((each) => each),
        'one person has two votes',
      );
      mustNot(!on.some((each) => each), 'one person has no vote at all');
    },
  },
  {
    name: 'who-voted-how-by-a-session',
    tells: 'an operator has the address to which secret ballots go answer by session, to learn who casts which',
    without: async ({ product }) => {
      await product.database.owner`alter table secret_ballots add column cast_by uuid`;
    },
    breaks: 'a secret ballot has a column for who cast it',
    expected: /a secret ballot says whose it is/,
    async play(scene) {
      const { sacco, product, mustNot } = scene;
      const own = await sacco();
      await longMembers(scene, own, [own.chair, own.treasurer]);
      await publish(scene, own, { ballot: 'secret' });
      const columns = await product.database.owner<{ name: string }[]>`
        select attname as name from pg_attribute
        where attrelid = 'secret_ballots'::regclass and attnum > 0 and not attisdropped order by attnum`;
      const known = 'proposal_id round serial prefix signature choice salt commit_hash';
      mustNot(columns.map(({ name }) => name).join(' ') !== known, 'a secret ballot says whose it is');
    },
  },
  {
    name: 'ballots-read-before-the-end',
    tells: 'an operator with the application’s own access to the database reads secret ballots while members vote',
    without: async ({ product }) => {
      await product.database.owner`grant select on secret_ballots to ushirika_app`;
    },
    breaks: 'the application may read the table of secret ballots',
    expected: /ballots are read while members vote/,
    async play(scene) {
      const { sacco, product, mustNot } = scene;
      const own = await sacco();
      await longMembers(scene, own, [own.chair, own.treasurer]);
      await publish(scene, own, { ballot: 'secret' });
      const isRead = await product.database.sql`select choice from secret_ballots`.then(
        () => true,
        () => false,
      );
      mustNot(isRead, 'ballots are read while members vote');
    },
  },
  {
    name: 'second-paper-for-one-member',
    tells: 'a member asks for a second ballot paper of a secret vote, to vote twice',
    without: async ({ product }) => {
      await product.database.owner`
        create function forget_token() returns trigger language plpgsql security definer as $$
        begin
          delete from ballot_tokens where proposal_id = new.proposal_id and handle = new.handle;
          return null;
        end $$`;
      await product.database.owner`
        create constraint trigger forget_token after insert on ballot_tokens deferrable initially deferred
          for each row execute function forget_token()`;
    },
    breaks: 'nobody writes down who was given a signature',
    expected: /one member has two ballot papers/,
    async play(scene) {
      const { ask, sacco, mustNot } = scene;
      const own = await sacco();
      await longMembers(scene, own, [own.chair, own.treasurer]);
      const vote = await publish(scene, own, { ballot: 'secret' });
      const paper = (letter: string) =>
        ask(
          own.chair,
          'POST',
          `/voting/proposals/${vote}/token`,
          { blinded: `${'A'.repeat(340)}${letter}g` },
          {
            sacco: own.id,
          },
        );
      const [first, second] = [await paper('E'), await paper('I')];
      mustNot(first.status !== 200, 'the first paper is refused');
      mustNot(second.status === 200, 'one member has two ballot papers');
    },
  },
];
