import { openOffice } from '../../../server/domains/saccos/offices.ts';
import type { Actor, SaccoOfStory, Scene } from '../scene.ts';
import type { Story } from '../story.ts';
import { openPool, TERMS } from './pools.ts';
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

/** Every active member whose card was seen and not withdrawn, however new and however many accounts one person has. */
const everybodyVotes = async ({ product }: Scene): Promise<void> => {
  await product.database.owner`
    create or replace function roll_standing(sacco uuid, since timestamptz) returns table (member_id uuid, reason text)
      language sql stable set search_path = public, pg_temp
    as $$
      select m.user_id, case when not exists (
        select from identity_checks c where c.user_id = m.user_id and c.ended_at is null) then 'card' end
      from memberships m where m.sacco_id = roll_standing.sacco and m.state = 'active'
    $$`;
};

/** A vote on somebody's expulsion holds them back from its publication on. */
const heldByADraft = async ({ product }: Scene): Promise<void> => {
  await product.database.owner`
    create or replace function stands_to_be_expelled(sacco uuid, person uuid) returns boolean
      language sql stable set search_path = public, pg_temp
    as $$ select exists (select from proposals p where p.about_id = person and p.published_at is not null) $$`;
};

const MARKET = { price_mode: 'band', tick: 1, lot: 1, fee_min: 10 };
/** Whoever is a member with full rights drafts and signs, as before. */
const everybodySigns = async ({ product }: Scene): Promise<void> => {
  await product.database.owner`
    create or replace function would_vote(sacco uuid, since timestamptz, person uuid) returns boolean
      language sql stable set search_path = public, pg_temp
    as $$ select true $$`;
};

/** A vote takes the names anew whenever it moves on. */
const namesOfNow = async ({ product }: Scene): Promise<void> => {
  await product.database.owner`
    create or replace function vote_keeps_names() returns trigger language plpgsql set search_path = public, pg_temp
    as $$ begin
      new.about_name := (select first_name || ' ' || last_name from users where id = new.about_id);
      new.drafter_name := (select first_name || ' ' || last_name from users where id = new.drafted_by);
      return new;
    end $$`;
};

/** Three members of two months, with ID cards that were seen. */
async function threeMembers(scene: Scene, own: SaccoOfStory): Promise<[Actor, Actor, Actor]> {
  const people = [await scene.person('Njeri'), await scene.person('Kioko'), await scene.person('Barasa')] as const;
  for (const each of people) await scene.member(each, own, 10);
  await longMembers(scene, own, [own.chair, own.treasurer, ...people]);
  return [...people];
}

/** Somebody drafts and others sign; whether it was published. */
async function drafted({ ask }: Scene, { id: sacco }: SaccoOfStory, signers: readonly Actor[], change?: object) {
  const [first, ...others] = signers;
  const draft = { title: 'Faster answers to complaints', text: 'We have waited long enough for them.' };
  const { body } = await ask(
    first as Actor,
    'POST',
    '/voting/proposals',
    { ...draft, ...(change && { change }) },
    { sacco },
  );
  if (!body.proposal) return false;
  let state = '';
  for (const each of others) {
    const answer = await ask(each, 'POST', `/voting/proposals/${body.proposal.id}/signature`, undefined, { sacco });
    state = answer.body.proposal?.state ?? state;
  }
  return state === 'published';
}

/** What a vote can be used for, by officials and by a member with two accounts. */
export const votingStories: readonly Story[] = [
  {
    name: 'operator-suspends-opponents',
    tells: 'an operator suspends all who would vote against, in the first minute of a vote',
    without: 'suspended_accounts_vote',
    breaks: 'whose account one operator suspended does not vote',
    expected: /one operator kept a member from voting/,
    async play(scene) {
      const { operator, sacco, does, ask, mustNot, product, signedIn, setsPassword } = scene;
      const [one, own] = [await operator('One'), await sacco()];
      const [opponent] = await threeMembers(scene, own);
      const vote = await publish(scene, own);
      product.database.world.advance(8 * 86_400_000);
      const suspend = { action: 'suspend', reason: 'The customer called us' };
      await does(await signedIn(one), 'POST', `/operator/people/${opponent.id}/suspension`, suspend);
      await setsPassword(opponent);
      const back = await signedIn(opponent);
      const cast = { choice: 'against' };
      const { status } = await ask(back, 'POST', `/voting/proposals/${vote}/vote`, cast, { sacco: own.id });
      mustNot(status !== 200, 'one operator kept a member from voting');
    },
  },
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
      await threeMembers(scene, own);
      await longMembers(scene, own, [cousin], 1);
      const vote = await publish(scene, own);
      mustNot(await isOnRoll(scene, cousin, own, vote), 'somebody who joined the day before decides about the others');
    },
  },
  {
    name: 'two-accounts-two-votes',
    tells: 'a member registers twice with one ID number, and votes with both accounts',
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
        select unnest(${[cheat.id, second.id]}::uuid[]), 'id', 'T254799000002', ${product.database.now()}`;
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
      await threeMembers(scene, own);
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
      await threeMembers(scene, own);
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
      await threeMembers(scene, own);
      const vote = await publish(scene, own, { ballot: 'secret' });
      const paper = (letter: string) =>
        ask(
          own.chair,
          'POST',
          `/voting/proposals/${vote}/token`,
          { round: 1, blinded: `${'A'.repeat(340)}${letter}g` },
          {
            sacco: own.id,
          },
        );
      const [first, second] = [await paper('E'), await paper('I')];
      mustNot(first.status !== 200, 'the first paper is refused');
      mustNot(second.status === 200, 'one member has two ballot papers');
    },
  },
  {
    name: 'roll-made-by-withdrawing-cards',
    tells: 'a treasurer withdraws the ID card of a member who would vote against, the day before a vote is published',
    without: everybodyVotes,
    breaks: 'a card that was withdrawn yesterday does not count today',
    expected: /one official took a member off the roll/,
    async play(scene) {
      const own = await scene.sacco();
      const [victim] = await threeMembers(scene, own);
      const now = scene.product.database.now();
      await scene.product.database.owner`
        update identity_checks set seen_at = ${new Date(now.getTime() - 31 * 86_400_000)}, ended_at = ${now}, end_kind = 'withdrawn', ended_by = ${own.treasurer.id},
          end_reason = 'A mistake of mine.' where user_id = ${victim.id}`;
      const vote = await publish(scene, own);
      scene.mustNot(!(await isOnRoll(scene, victim, own, vote)), 'one official took a member off the roll');
    },
  },
  {
    name: 'new-accounts-sign-for-the-members',
    tells: 'somebody opens three accounts, joins with all, and signs a draft of members with them on the same day',
    without: everybodySigns,
    breaks: 'whoever has joined may sign',
    expected: /three new accounts published a vote/,
    async play(scene) {
      const own = await scene.sacco();
      await threeMembers(scene, own);
      const cheats = [await scene.person('Cheat'), await scene.person('Second'), await scene.person('Third')];
      for (const each of cheats) await scene.member(each, own, 10);
      scene.mustNot(await drafted(scene, own, cheats), 'three new accounts published a vote');
    },
  },
  {
    name: 'one-vote-defeats-another',
    tells:
      'the board has members vote on a day more or less, so that what they vote on among themselves finds changed terms',
    without: 'voting.one_at_a_time',
    breaks: 'two votes on the same terms are under way, and the first to be carried out defeats the other',
    expected: /the board published a vote against that of the members/,
    async play(scene) {
      const own = await scene.sacco();
      const members = await threeMembers(scene, own);
      const change = (answer_days: number) => ({ kind: 'complaint_terms', values: { answer_days, resolve_days: 29 } });
      if (!(await drafted(scene, own, members, change(7)))) throw new Error('The members could not publish.');
      const isPublished = await drafted(scene, own, [own.chair, own.treasurer], change(14));
      scene.mustNot(isPublished, 'the board published a vote against that of the members');
    },
  },
  {
    name: 'decoys-block-a-matter',
    tells:
      'chair and treasurer publish a vote nobody asked for, take it back, and publish the next one in the same second',
    without: 'voting.taken_back_bars',
    breaks: 'whoever took a vote back signs the next one on the same matter at once',
    expected: /decoy after decoy keeps the members from a vote/,
    async play(scene) {
      const { does, ask, mustNot } = scene;
      const own = await scene.sacco();
      await threeMembers(scene, own);
      const [sacco, reason] = [own.id, 'We speak about it once more.'];
      const change = { kind: 'complaint_terms', values: { answer_days: 9, resolve_days: 29 } };
      const decoy = await publish(scene, own, { change });
      const next = { title: 'The next decoy', text: 'Nobody has asked for this vote.', change };
      const { body } = await does(own.chair, 'POST', '/voting/proposals', next, { sacco });
      for (const each of [own.chair, own.treasurer])
        await does(each, 'POST', `/voting/proposals/${decoy}/cancellation`, { reason }, { sacco });
      const path = `/voting/proposals/${body.proposal.id}/signature`;
      const { body: signed } = await ask(own.treasurer, 'POST', path, undefined, { sacco });
      mustNot(signed.proposal !== undefined, 'decoy after decoy keeps the members from a vote');
    },
  },
  {
    name: 'shares-at-a-hundredth',
    tells: 'a few have members vote that a share is worth 1 shilling, to buy nearly all shares and vote it back',
    without: 'voting.share_keeps_value',
    breaks: 'members may vote on another share value',
    expected: /a vote makes a share a hundredth of its value/,
    async play(scene) {
      const own = await scene.sacco();
      const members = await threeMembers(scene, own);
      const change = { kind: 'sacco_terms', values: { reg_fee: 500, min_shares: 10, share_value: 1 } };
      scene.mustNot(await drafted(scene, own, members, change), 'a vote makes a share a hundredth of its value');
    },
  },
  {
    name: 'old-session-takes-the-ballot-paper',
    tells:
      'somebody finds a phone that was signed in a quarter of an hour ago and takes the ballot paper of a secret vote',
    without: 'fresh_password',
    breaks: 'a session of a quarter of an hour ago is given a ballot paper without the password',
    expected: /an old session took the ballot paper|an old session drafted a vote/,
    async play(scene) {
      const { ask, later, mustNot } = scene;
      const own = await scene.sacco();
      const [victim] = await threeMembers(scene, own);
      const vote = await publish(scene, own, { ballot: 'secret' });
      await later(16);
      const [sacco, blinded] = [own.id, `${'A'.repeat(340)}Eg`];
      const paper = await ask(victim, 'POST', `/voting/proposals/${vote}/token`, { round: 1, blinded }, { sacco });
      mustNot(paper.status === 200, 'an old session took the ballot paper');
      const draft = { title: 'Of a thief', text: 'Nobody who is a member wrote this.' };
      const drafted = await ask(victim, 'POST', '/voting/proposals', draft, { sacco });
      mustNot(drafted.status < 300, 'an old session drafted a vote');
    },
  },
  {
    name: 'friends-outvote-a-pool',
    tells: 'three friends join a pool with the minimum, and publish a vote by which its guarantees cost nothing',
    without: 'voting.days_in_the_pool',
    breaks: 'whoever joined a pool today drafts and votes in it',
    expected: /friends of today published a vote on what the pool asks/,
    async play(scene) {
      const own = await scene.sacco();
      const { pool, people } = await openPool(scene, own, ['Rafiki', 'Ndugu', 'Jirani']);
      await longMembers(scene, own, people);
      const change = { kind: 'pool_terms', values: { pool, ...TERMS, base_risk_percentage: '0' } };
      const isPublished = await drafted(scene, own, people.slice(0, 3), change);
      scene.mustNot(isPublished, 'friends of today published a vote on what the pool asks');
    },
  },
  {
    name: 'expulsions-drafted-against-a-neighbour',
    tells:
      'three members publish one expulsion of a neighbour after another, so that pools and loans are closed to them',
    without: heldByADraft,
    breaks: 'a vote that nobody has counted binds whom it is about',
    expected: /three members kept a neighbour out of a pool/,
    async play(scene) {
      const { does, ask, mustNot, product } = scene;
      const own = await scene.sacco();
      const [njeri, kioko, neighbour] = await threeMembers(scene, own);
      const made = await does(neighbour, 'POST', '/guarantors/pools', { name: 'Yangu', ...TERMS }, { sacco: own.id });
      const pool = made.body.pool.id;
      const { terms_hash } = (await does(neighbour, 'GET', `/guarantors/pools/${pool}/details`)).body;
      const [row] = await product.database.owner<{ id: string }[]>`
        select id from memberships where user_id = ${neighbour.id} and sacco_id = ${own.id}`;
      const change = { kind: 'expulsion', values: { member: row?.id } };
      const isPublished = await drafted(scene, own, [njeri, kioko, own.chair], change);
      mustNot(!isPublished, 'members could not publish the vote');
      await product.saccos.fund(neighbour.id, 2_000_00);
      const deposit = { pool, amount: 1_000, accept_terms: true, terms_hash };
      const { status } = await ask(neighbour, 'POST', '/guarantors/pools/join', deposit);
      mustNot(status >= 300, 'three members kept a neighbour out of a pool');
    },
  },
  {
    name: 'voted-out-and-invited-back',
    tells: 'while members vote that the treasurer leaves the office, chair and secretary invite them to another one',
    without: 'saccos.voted_out',
    breaks: 'whom members vote out may take another office up',
    expected: /whom members vote out was seated again/,
    async play(scene) {
      const { does, ask, mustNot, product, textsTo, later, signedIn } = scene;
      const own = await scene.sacco();
      const [njeri, kioko, barasa] = await threeMembers(scene, own);
      const secretary = { saccoId: own.id, userId: njeri.id, office: 'secretary' } as const;
      await product.database.transaction((tx) => openOffice(tx, { userId: own.chair.id }, secretary));
      const [held] = await product.database.owner<{ id: string }[]>`
        select id from offices where sacco_id = ${own.id} and user_id = ${own.treasurer.id}`;
      const removal = { kind: 'official_removal', values: { official: held?.id } };
      mustNot(!(await drafted(scene, own, [kioko, barasa, njeri], removal)), 'members could not publish the vote');
      const at = { sacco: own.id };
      const named = { id_number: own.treasurer.idNumber, office: 'manager' };
      const { id } = (await does(own.chair, 'POST', '/sacco/office-invitations', named, at)).body.invitation;
      await does(njeri, 'POST', `/sacco/office-invitations/${id}/confirmation`, undefined, at);
      await later(2);
      const [text = ''] = await textsTo(own.treasurer.phone);
      const code = /[0-9A-Z]{4}(-[0-9A-Z]{4}){3}/.exec(text)?.[0];
      const treasurer = await signedIn(own.treasurer);
      const { status } = await ask(treasurer, 'POST', `/client/office-invitations/${id}/acceptance`, { code });
      mustNot(status < 300, 'whom members vote out was seated again');
    },
  },
  {
    name: 'candidates-name-taken',
    tells: 'a member takes a candidate’s name once an election is published, has the card seen by a friend, and stands',
    without: 'voting.name_of_publication',
    breaks: 'whoever renames after the publication stands under the new name',
    expected: /somebody stood under a name that they took after the publication/,
    async play(scene) {
      const { ask, mustNot, product, does } = scene;
      const own = await scene.sacco();
      const [honest, thief] = await threeMembers(scene, own);
      const vote = await publish(scene, own, { office: 'secretary', title: 'Elect a secretary' });
      const at = { sacco: own.id };
      const stand = `/voting/proposals/${vote}/nomination`;
      await does(honest, 'POST', stand, { words: 'I have kept the minutes of our chama for years.' }, at);
      product.database.world.advance(60_000);
      const [row] = await product.database.owner<{ phone_number: string; email: string }[]>`
        select phone as phone_number, email from users where id = ${thief.id}`;
      await does(thief, 'PATCH', '/client/', { ...row, first_name: 'Njeri', last_name: 'Njeri' });
      await product.database.owner`
        insert into identity_checks (id, user_id, seen_by, document, seen_at)
        values (gen_random_uuid(), ${thief.id}, ${own.chair.id}, 'national_id', ${product.database.now()})`;
      const words = { words: 'I have kept the minutes of our chama for years, too.' };
      const { status } = await ask(thief, 'POST', stand, words, at);
      mustNot(status < 300, 'somebody stood under a name that they took after the publication');
    },
  },
  {
    name: 'subject-of-a-vote-renames',
    tells: 'the member whom a vote would expel takes a neighbour’s name before it is published',
    without: namesOfNow,
    breaks: 'a vote takes the name that its subject has at each step',
    expected: /the ballot paper showed the neighbour’s name/,
    async play(scene) {
      const { does, mustNot, product } = scene;
      const own = await scene.sacco();
      const [one, two, three] = await threeMembers(scene, own);
      const thief = await scene.person('Thief');
      await scene.member(thief, own, 10);
      const { owner } = product.database;
      const [member] = await owner<{ id: string }[]>`select id from memberships where user_id = ${thief.id}`;
      const change = { kind: 'expulsion', values: { member: member?.id } };
      const draft = {
        title: 'Expel the thief of our books',
        text: 'Our books were taken and not brought back.',
        change,
      };
      const at = { sacco: own.id };
      const { id } = (await does(one, 'POST', '/voting/proposals', draft, at)).body.proposal;
      await does(two, 'POST', `/voting/proposals/${id}/signature`, undefined, at);
      const [row] = await owner<{ phone_number: string; email: string }[]>`
        select phone as phone_number, email from users where id = ${thief.id}`;
      await does(thief, 'PATCH', '/client/', { ...row, first_name: 'Njeri', last_name: 'Njeri' });
      await does(three, 'POST', `/voting/proposals/${id}/signature`, undefined, at);
      const { about } = (await does(two, 'GET', `/voting/proposals/${id}`, undefined, at)).body;
      mustNot(about.name.startsWith('Njeri'), 'the ballot paper showed the neighbour’s name');
    },
  },
  {
    name: 'title-of-a-vote-in-our-notices',
    tells: 'a vote is called “Send your PIN to 22345”, and every member is told of it in our name',
    without: 'voting.own_words',
    breaks: 'notices about a vote carry its title',
    expected: /our notice tells members to send their PIN/,
    async play(scene) {
      const { does, mustNot, product } = scene;
      const own = await scene.sacco();
      const [njeri] = await threeMembers(scene, own);
      await publish(scene, own, { title: 'Send your PIN to 22345' });
      await product.app.tasks.tend_votes?.({});
      const { results } = (await does(njeri, 'GET', '/client/notifications')).body;
      const texts: string[] = results.map(({ text }: { text: string }) => text);
      mustNot(!texts.some((text) => /vote|PIN/i.test(text)), 'members were not told of the vote');
      const isLured = texts.some((text) => text.includes('PIN'));
      mustNot(isLured, 'our notice tells members to send their PIN');
    },
  },
];
