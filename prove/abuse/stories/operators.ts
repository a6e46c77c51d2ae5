import { leaveOut } from '../../../server/faults.proving.ts';
import type { Scene } from '../scene.ts';
import type { Story } from '../story.ts';

const HOUR_MS = 3_600_000;
const reason = 'The customer called us';
let phones = 0;
const strangersPhone = () => {
  phones += 1;
  return `2547119${String(phones).padStart(5, '0')}`;
};

/** The rule is in our code and in PostgreSQL: it is left out in both. */
async function anyoneRefuses({ product }: Scene): Promise<void> {
  leaveOut('operator.refused_by_nobody');
  await product.database.owner`drop trigger refused_by_nobody on operator_proposals`;
}

/** The rule is in our code and in PostgreSQL: both are left out. */
async function oneOperatorIsEnough({ product }: Scene): Promise<void> {
  leaveOut('second_operator');
  await product.database.owner`alter table operator_proposals drop constraint if exists two_operators`;
}

/** So is this one. */
async function aLiftNeedsNobodyElse({ product }: Scene): Promise<void> {
  leaveOut('lifted_by_two');
  await product.database.owner`alter table account_suspensions drop constraint account_suspensions_lifted_by_two`;
}

async function namingNeedsNobodyElse(scene: Scene): Promise<void> {
  await oneOperatorIsEnough(scene);
  await scene.product.database.owner`alter table office_invitations drop constraint office_invitations_by_another`;
}
async function suspendersName({ product }: Scene): Promise<void> {
  leaveOut('saccos.suspender_names_nobody');
  await product.database.owner`drop trigger named_by_operators_apart on office_invitations`;
}

/** What one person at the operator's desk can do to others. */
export const operatorStories: readonly Story[] = [
  {
    name: 'friend-makes-a-thief-immune',
    tells:
      'an operator lifts what another one suspended, and the thief takes everything before anybody can stop them again',
    without: aLiftNeedsNobodyElse,
    breaks: 'one operator alone lifts what another one suspended',
    expected: /one operator alone opened the account of a thief/,
    async play({ person, operator, does, ask, mustNot }) {
      const [honest, friend, thief] = [await operator(), await operator('Friend'), await person('Thief', 5_000)];
      const at = `/operator/people/${thief.id}/suspension`;
      await does(honest, 'POST', at, { action: 'suspend', reason });
      const { body } = await ask(friend, 'POST', at, { action: 'lift', reason });
      mustNot(body.suspension === null, 'one operator alone opened the account of a thief');
    },
  },
  {
    name: 'one-operator-seats-a-friend',
    tells: 'an operator alone names a friend as the manager of a sacco, and confirms it',
    without: namingNeedsNobodyElse,
    breaks: 'whoever proposed something may also confirm it',
    expected: /one operator alone had a friend asked to take an office up/,
    async play({ person, operator, sacco, member, does, ask, textsTo, later, mustNot }) {
      const [thief, friend, umoja] = [await operator('Thief'), await person('Friend'), await sacco()];
      await member(friend, umoja, 10);
      const before = (await textsTo(friend.phone)).length;
      await does(thief, 'POST', `/sacco/${umoja.id}/officials`, { id_number: friend.idNumber, office: 'manager' });
      const { results } = (await does(thief, 'GET', '/operator/proposals')).body;
      const { id } = results.find((one: { about: { id: string } }) => one.about.id === umoja.id);
      await ask(thief, 'POST', `/operator/proposals/${id}/confirmation`, { reason });
      await later(2);
      const isAsked = (await textsTo(friend.phone)).length > before;
      mustNot(isAsked, 'one operator alone had a friend asked to take an office up');
    },
  },
  {
    name: 'operator-suspends-officials-and-names-others',
    tells: 'an operator suspends the chair of a sacco, and names a friend whom another operator confirms in good faith',
    without: suspendersName,
    breaks: 'whoever has suspended an official names officials of that sacco',
    expected: /an operator who had suspended the chair named an official/,
    async play({ person, operator, sacco, member, does, ask, mustNot }) {
      const [thief, friend, umoja] = [await operator('Thief'), await person('Friend'), await sacco()];
      await member(friend, umoja, 10);
      await does(thief, 'POST', `/operator/people/${umoja.chair.id}/suspension`, { action: 'suspend', reason });
      const named = { id_number: friend.idNumber, office: 'manager' };
      const { status } = await ask(thief, 'POST', `/sacco/${umoja.id}/officials`, named);
      mustNot(status < 300, 'an operator who had suspended the chair named an official');
    },
  },
  {
    name: 'one-operator-credits-suspense',
    tells: 'an operator alone gives a stranger’s payment to an accomplice, because “the customer called”',
    without: oneOperatorIsEnough,
    breaks: 'who proposed something may also confirm it',
    expected: /one operator gave 4,?321 to an accomplice/,
    async play({ person, operator, ask, inSuspense, textsTo, signedIn, wallet, mustNot, product }) {
      const [thief, accomplice] = [await operator('Thief'), await person('Accomplice')];
      const phone = strangersPhone();
      const exception = await inSuspense(phone, 4_321);
      const credit = { action: 'credit', user: accomplice.idNumber, reason };
      const { body } = await ask(thief, 'POST', `/operator/deposits/${exception}/resolution`, credit);
      await ask(thief, 'POST', `/operator/proposals/${body.proposal}/confirmation`, { reason });
      // Should the payer be told, they do not read it.
      await textsTo(phone);
      product.database.world.advance(49 * HOUR_MS);
      await product.app.tasks.sweep_proposals?.({});
      mustNot((await wallet(await signedIn(accomplice))) > 0, 'one operator gave 4,321 to an accomplice');
    },
  },
  {
    name: 'one-operator-refuses-every-credit',
    tells: 'an operator refuses whatever others propose about money in suspense, and proposes something else first',
    without: anyoneRefuses,
    breaks: 'any operator closes what another one has proposed',
    expected: /one operator refused what another had proposed/,
    async play({ operator, person, ask, does, inSuspense, mustNot }) {
      const [thief, one, two] = [await operator('Thief'), await operator('One'), await operator('Two')];
      const member = await person('Member');
      const path = `/operator/deposits/${await inSuspense(member.phone, 4_321)}/resolution`;
      await does(thief, 'POST', path, { action: 'return_note', reason });
      const { body } = await does(one, 'POST', path, { action: 'credit', user: member.idNumber, reason });
      await ask(thief, 'POST', `/operator/proposals/${body.proposal}/refusal`, { reason });
      const credited = await ask(two, 'POST', `/operator/proposals/${body.proposal}/confirmation`, { reason });
      mustNot(credited.status >= 300, 'one operator refused what another had proposed');
    },
  },
  {
    name: 'operators-pay-behind-the-payers-back',
    tells: 'two operators who believe the caller give a stranger’s payment away before its payer can say a word',
    without: 'payer_may_object',
    breaks: 'what two operators agreed on is carried out at once',
    expected: /a payment went to somebody else before its payer could object/,
    async play({ person, operator, ask, does, inSuspense, textsTo, signedIn, wallet, mustNot, product }) {
      const [first, second, caller] = [await operator(), await operator('Second'), await person('Caller')];
      const phone = strangersPhone();
      const exception = await inSuspense(phone, 4_321);
      const credit = { action: 'credit', user: caller.idNumber, reason };
      const { body } = await does(first, 'POST', `/operator/deposits/${exception}/resolution`, credit);
      await does(second, 'POST', `/operator/proposals/${body.proposal}/confirmation`, { reason });
      mustNot((await wallet(caller)) > 0, 'a payment went to somebody else before its payer could object');
      const [text = ''] = await textsTo(phone);
      const code = /[0-9A-Z]{4}(-[0-9A-Z]{4}){3}/.exec(text)?.[0];
      mustNot(code === undefined, 'the payer was told nothing');
      await ask(null, 'POST', '/payments/objections', { code });
      product.database.world.advance(49 * HOUR_MS);
      await product.app.tasks.sweep_proposals?.({});
      mustNot((await wallet(await signedIn(caller))) > 0, 'a payment went away although its payer objected');
    },
  },
  {
    name: 'one-operator-pays-out-a-suspended-thief',
    tells:
      'a thief is suspended with the money still in the wallet; an accomplice at the operator’s desk pays it out alone',
    without: oneOperatorIsEnough,
    breaks: 'who proposed something may also confirm it',
    expected: /one operator alone paid out a suspended account/,
    async play({ person, operator, ask, does, setsPassword, signedIn, wallet, later, mustNot }) {
      const [accomplice, honest, thief] = [
        await operator('Accomplice'),
        await operator(),
        await person('Thief', 5_000),
      ];
      const at = `/operator/people/${thief.id}`;
      await does(honest, 'POST', `${at}/suspension`, { action: 'suspend', reason });
      const { body } = await does(accomplice, 'POST', `${at}/payout`, { amount: 3_000, reason });
      const confirmation = `/operator/proposals/${body.proposal}/confirmation`;
      await ask(accomplice, 'POST', confirmation, { reason });
      await later(5);
      const left = async () => {
        await setsPassword(thief);
        return wallet(await signedIn(thief));
      };
      const lift = () => does(honest, 'POST', `${at}/suspension`, { action: 'lift', reason });
      const found = (await does(honest, 'GET', '/operator/suspensions')).body.results;
      const kept = found.find((one: { person: { id: string } }) => one.person.id === thief.id)?.wallet;
      mustNot(kept < 5_000, 'one operator alone paid out a suspended account');
      await ask(honest, 'POST', confirmation, { reason });
      await later(5);
      await lift();
      mustNot((await left()) !== 2_000, 'what two operators agreed to pay out did not reach the owner of the account');
    },
  },
  {
    name: 'old-operator-session-moves-money',
    tells:
      'somebody finds the desk open that an operator left a quarter of an hour ago, and proposes to pay an accomplice',
    without: 'fresh_password',
    breaks: 'a session of a quarter of an hour ago proposes what becomes of money',
    expected: /a session of 16 minutes proposed to give money away/,
    async play({ person, operator, ask, inSuspense, mustNot, product }) {
      const [absent, accomplice] = [await operator('Absent'), await person('Accomplice')];
      const exception = await inSuspense(strangersPhone(), 4_321);
      product.database.world.advance(16 * 60_000);
      const credit = { action: 'credit', user: accomplice.idNumber, reason };
      const { status } = await ask(absent, 'POST', `/operator/deposits/${exception}/resolution`, credit);
      mustNot(status === 200, 'a session of 16 minutes proposed to give money away');
    },
  },
  {
    name: 'operator-reinstates-own-sacco',
    tells: 'an operator’s own sacco is suspended; the operator, a member of it, makes it active again',
    without: 'own_sacco',
    breaks: 'an operator decides about a sacco whose member they are',
    expected: /an operator had a hand in the reinstatement of a sacco of their own/,
    async play({ sacco, operator, member, does, ask, mustNot }) {
      const [owner, other, own] = [await operator('Owner'), await operator('Other'), await sacco()];
      await member(owner, own, 10);
      const path = `/operator/saccos/${own.id}`;
      await does(other, 'POST', `${path}/suspension`, { reason });
      const proposed = await ask(owner, 'POST', `${path}/reinstatement`, { reason });
      mustNot(proposed.status === 200, 'an operator had a hand in the reinstatement of a sacco of their own');
      const alone = await ask(other, 'POST', `${path}/reinstatement`, { reason });
      mustNot(alone.body.sacco?.state === 'active', 'one operator alone made a suspended sacco active again');
    },
  },
  {
    name: 'one-operator-keeps-a-sacco-shut',
    tells:
      'a dishonest operator suspends a whole sacco, refuses its reinstatement, and suspends it again when that has ended',
    without: 'suspended_again',
    breaks: 'an operator suspends a sacco again as soon as a suspension has ended',
    expected: /one operator suspended a sacco again/,
    async play({ sacco, operator, person, member, does, ask, signedIn, mustNot, product }) {
      const [thief, honest] = [await operator('Thief'), await operator()];
      const [saver, shut] = [await person('Saver', 5_000), await sacco()];
      await member(saver, shut, 10);
      const path = `/operator/saccos/${shut.id}`;
      const saves = async () =>
        (await ask(await signedIn(saver), 'POST', '/sacco/savings/deposit', { sacco: shut.id, amount: 100 })).status;
      await does(thief, 'POST', `${path}/suspension`, { reason });
      mustNot((await saves()) < 300, 'a member saved in a suspended sacco');
      const upheld = await ask(thief, 'POST', `${path}/suspension-upholding`, { reason });
      mustNot(upheld.status === 200, 'one operator alone upheld their own suspension');
      await does(honest, 'POST', `${path}/reinstatement`, { reason });
      const { results } = (await does(honest, 'GET', '/operator/proposals')).body;
      const { id } = results.find((one: { about: { id: string } }) => one.about.id === shut.id);
      const refused = await ask(thief, 'POST', `/operator/proposals/${id}/refusal`, { reason });
      mustNot(refused.status === 200, 'who suspended a sacco refused its reinstatement');
      const others = [await sacco(), await sacco(), await sacco()];
      for (const other of others)
        await ask(await signedIn(thief), 'POST', `/operator/saccos/${other.id}/suspension`, { reason });
      const [{ shut: many = 0 } = {}] = await product.database.owner<{ shut: number }[]>`
        select count(*)::int as shut from sacco_suspensions
        where ended_at is null and upheld_by is null group by suspended_by order by 1 desc limit 1`;
      mustNot(many > 3, 'one operator alone kept more than three saccos shut');
      product.database.world.advance(14 * 24 * HOUR_MS);
      await product.app.tasks.lapse_sacco_suspensions?.({});
      mustNot((await saves()) >= 300, 'one operator alone kept a sacco shut for more than 14 days');
      await ask(await signedIn(thief), 'POST', `${path}/suspension`, { reason });
      mustNot((await saves()) >= 300, 'one operator suspended a sacco again as soon as that had ended');
    },
  },
];
