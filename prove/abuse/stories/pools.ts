import { testLateLoans } from '../../../server/domains/loans/test-late-loans.ts';
import { postJournals } from '../../../server/domains/pools/earn-fees.ts';
import { attachGuarantee } from '../../../server/domains/pools/guarantee-cover.ts';
import { activateGuarantee } from '../../../server/domains/pools/guarantee-life.ts';
import { openOffice } from '../../../server/domains/saccos/offices.ts';
import { leaveOut } from '../../../server/faults.proving.ts';
import type { Actor, SaccoOfStory, Scene } from '../scene.ts';
import type { Story } from '../story.ts';

export const TERMS = {
  min_contribution: '1000',
  min_contribution_perc: '20',
  min_member_period: '0',
  base_risk_percentage: '3.00',
  risk_weight_factor: '1.50',
  min_trust_score: '40',
};

/** As a vote of members makes somebody a steward. */
const makeSteward = ({ product: { database } }: Scene, pool: string, user: string) => database.owner`
  insert into pool_stewards (pool_id, user_id, since) values (${pool}, ${user}, ${database.now()})`;

/**
 * A pool that the chair created and has no money in. Six members have 20,000 each, and an operator has seen their ID cards. The first have
 * the given names; the last two are its stewards.
 */
export async function openPool(scene: Scene, own: SaccoOfStory, names: readonly string[]) {
  const { person, member, does, product } = scene;
  const made = await does(own.chair, 'POST', '/guarantors/pools', { name: 'Soko', ...TERMS }, { sacco: own.id });
  const pool = made.body.pool.id as string;
  const { terms_hash } = (await does(own.chair, 'GET', `/guarantors/pools/${pool}/details`)).body;
  const people: Actor[] = [];
  for (const name of [...names, 'Baraka', 'Chiku', 'Dalila', 'Ekon', 'Faraja'].slice(0, Math.max(6, names.length))) {
    const one = await person(name, 30_000);
    await member(one, own, 10);
    await does(one, 'POST', '/guarantors/pools/join', { pool, amount: 20_000, accept_terms: true, terms_hash });
    await product.database.owner`
      insert into identity_checks (id, user_id, seen_by, sacco_id, document, seen_at)
      values (${product.database.newId()}, ${one.id}, ${own.chair.id}, null, 'national_id', ${product.database.now()})`;
    people.push(one);
  }
  const stewards = people.slice(-2);
  for (const { id } of stewards) await makeSteward(scene, pool, id);
  return { pool, people, stewards };
}

/** Asks, signs with the code of the SMS, and the stewards approve. */
async function guaranteed(
  { does, textsTo }: Scene,
  stewards: readonly Actor[],
  borrower: Actor,
  asked: object,
): Promise<string> {
  const made = await does(borrower, 'POST', '/guarantors/pools/request-guarantee', { ...asked, purpose: 'Stock' });
  const { id, quote_hash } = made.body.request;
  const signing = { request: id, quote_hash };
  await does(borrower, 'POST', '/guarantors/pools/guarantee-contract/code', signing);
  const code = /\d{4} \d{4}/.exec((await textsTo(borrower.phone))[0] ?? '')?.[0] ?? '';
  const { first_name, last_name } = (await does(borrower, 'GET', '/client/')).body.user;
  const signed = await does(borrower, 'POST', '/guarantors/pools/guarantee-contract', {
    ...signing,
    accept: true,
    signed_name: `${first_name} ${last_name}`,
    code,
  });
  if (signed.body.request.state === 'IN_REVIEW') {
    const decision = { decision: 'approve', reason: 'We know them.' };
    for (const one of stewards) await does(one, 'POST', `/guarantors/pools/requests/${id}/decision`, decision);
  }
  return id;
}

/** The rule is in our code and in PostgreSQL: it is left out in both. */
async function poolMembersDecide({ product }: Scene): Promise<void> {
  leaveOut('loans.own_loan');
  await product.database.owner`alter table loan_restructures disable trigger loan_recovered_by_others`;
}

/** Our code and PostgreSQL hold the rule: it is left out in both. */
async function anyStewardDecides({ product: { database } }: Scene): Promise<void> {
  leaveOut('pools.own_money_decides');
  await database.owner`alter table pool_voices disable trigger steward_has_money`;
  await database.owner`alter table pool_contracts disable trigger two_stewards_agreed`;
}

/** What guarantor pools can be used for, by those who borrow on others' money. */
export const poolStories: readonly Story[] = [
  {
    name: 'pool-suspended-without-end',
    tells: 'a steward suspends a pool and never opens it again, and the other steward cannot alone',
    without: 'pools.suspension_lapses',
    breaks: 'the suspension of a pool by one steward does not end',
    expected: /one steward kept the pool shut/,
    async play(scene) {
      const { ask, does, mustNot, product } = scene;
      const { pool, stewards } = await openPool(scene, await scene.sacco(), []);
      const [thief, other] = stewards as [Actor, Actor];
      const at = `/guarantors/pools/${pool}`;
      await does(thief, 'POST', `${at}/state`, { act: 'suspend', reason: 'I do not like it.' });
      product.database.world.advance(31 * 86_400_000);
      await product.app.tasks.tend_pools?.({});
      const again = await scene.signedIn(thief);
      await ask(again, 'POST', `${at}/state`, { act: 'suspend', reason: 'I do not like it.' });
      const { state } = (await does(await scene.signedIn(other), 'GET', `${at}/details`)).body;
      mustNot(state !== 'OPEN', 'one steward kept the pool shut');
    },
  },
  {
    name: 'pool-given-away-by-a-steward-without-a-shilling',
    tells: 'a member makes a pool, puts nothing in, waits for others’ money, and locks it for a friend',
    without: anyStewardDecides,
    breaks: 'a steward without money in the pool decides, and alone',
    expected: /a steward without a shilling locked Ksh\. 20,000 of others for a friend/,
    async play(scene) {
      const { sacco, ask, mustNot, product } = scene;
      const own = await sacco();
      const { pool, people } = await openPool(scene, own, ['Rafiki']);
      // Nobody else was elected yet.
      await product.database.owner`delete from pool_stewards where pool_id = ${pool} and user_id <> ${own.chair.id}`;
      const asked = { pool, amount: 20_000, period_months: 12 };
      const path = '/guarantors/pools/request-guarantee';
      const { request } = (await ask(people[0] as Actor, 'POST', path, { ...asked, purpose: 'Stock' })).body;
      if (request.state === 'QUOTED') {
        await product.database.owner`
          update pool_requests set state = 'IN_REVIEW', signed_name = 'Rafiki', signed_at = requested_at, memorandum_hash = quote_hash
          where id = ${request.id}`;
      }
      const decision = { decision: 'approve', reason: 'My friend.' };
      await ask(own.chair, 'POST', `/guarantors/pools/requests/${request.id}/decision`, decision);
      const [row] = await product.database.owner<{ locked: number }[]>`
        select locked_cents::int as locked from pools where id = ${pool}`;
      mustNot(row?.locked !== 0, 'a steward without a shilling locked Ksh. 20,000 of others for a friend');
    },
  },
  {
    name: 'trust-score-farmed-with-tiny-loans',
    tells: 'a member repays a loan of Ksh. 120 in twelve instalments, to look like somebody who repays',
    without: 'pools.tiny_loans',
    breaks: 'instalments of a few shillings count for the trust score',
    expected: /twelve instalments of Ksh\. 10 made a trust score of/,
    async play({ person, sacco, member, does, mustNot, product }) {
      const [farmer, own] = [await person('Farmer'), await sacco()];
      await member(farmer, own, 10);
      const before = (await does(farmer, 'GET', '/guarantors/trust-score')).body.score;
      const { owner } = product.database;
      const late = testLateLoans(product.database as never);
      const loan = await late.loan({ sacco: own.id, borrower: farmer.id, amountCents: 120_00, months: 12 });
      await owner`
        update loan_instalments set starts_on = starts_on - 400, due_on = due_on - 400, paid_on = due_on - 400,
          paid_principal_cents = principal_cents, paid_interest_cents = interest_cents
        where loan_id = ${loan}`;
      const after = (await does(farmer, 'GET', '/guarantors/trust-score')).body.score;
      mustNot(after > before, `twelve instalments of Ksh. 10 made a trust score of ${after} out of ${before}`);
    },
  },
  {
    name: 'pool-drained-by-second-accounts',
    tells: 'one person with two accounts lets the pool guarantee a full share for each, and means to repay neither',
    without: 'pools.related_count_together',
    breaks: 'each account of one person gets a borrower’s full share of the pool',
    expected: /one person with two accounts was quoted Ksh\. 46,000/,
    async play(scene) {
      const { sacco, ask, mustNot, product } = scene;
      const own = await sacco();
      const { pool, people, stewards } = await openPool(scene, own, ['Kwanza', 'Pili']);
      const [first, second] = people as [Actor, Actor];
      // Both have confirmed one phone, one after the other.
      await product.database.owner`
        insert into referral_traces (user_id, kind, value, created_at)
        select unnest(array[${first.id}, ${second.id}]::uuid[]), 'confirmed_phone', '254799000001', ${product.database.now()}`;
      await guaranteed(scene, stewards, first, { pool, amount: 23_000, period_months: 12 });
      const asked = { pool, amount: 23_000, period_months: 12, purpose: 'Stock' };
      const { request } = (await ask(second, 'POST', '/guarantors/pools/request-guarantee', asked)).body;
      mustNot(request.state === 'QUOTED', 'one person with two accounts was quoted Ksh. 46,000 of a pool of 120,000');
    },
  },
  {
    name: 'money-moved-away-before-the-call',
    tells:
      'a borrower who will not repay gives notice in the pool the day the loan is late, to be gone before the call',
    without: 'pools.late_borrowers_stay',
    breaks: 'a borrower’s money leaves the pool while their guaranteed loan is late',
    expected: /the borrower took Ksh\. 15,000 out of the pool while the loan was late/,
    async play(scene) {
      const { sacco, does, wallet, mustNot, product } = scene;
      const { database } = product;
      const own = await sacco();
      const { pool, people, stewards } = await openPool(scene, own, ['Mkimbizi']);
      const [borrower] = people as [Actor];
      const requestId = await guaranteed(scene, stewards, borrower, { pool, amount: 5_000, period_months: 12 });
      await database.transaction(async (tx) => {
        const loan = { loanId: tx.newId(), saccoId: own.id, principal: 10_000_00 };
        await attachGuarantee(tx, { ...loan, requestId, userId: borrower.id, months: 12 });
        const fee = await activateGuarantee(tx, loan);
        await postJournals(tx, fee ? [fee] : []);
      });
      const late = await testLateLoans(database as never).loan({
        sacco: own.id,
        borrower: borrower.id,
        amountCents: 120_00,
        months: 12,
      });
      await database.owner`update loans set due_on = due_on - 40, days_past_due = 3, overdue_cents = 1000 where id = ${late}`;
      await does(borrower, 'POST', '/guarantors/pools/withdraw', { pool, amount: 15_000 });
      await database.owner`update pool_withdrawals set given_at = given_at - interval '30 days', due_at = due_at - interval '30 days'`;
      const before = await wallet(borrower);
      await product.app.tasks.pay_pool_withdrawals?.({});
      const taken = (await wallet(borrower)) - before;
      mustNot(
        taken > 0,
        `the borrower took Ksh. ${taken.toLocaleString('en')} out of the pool while the loan was late`,
      );
    },
  },
  {
    name: 'pool-held-by-guarantees-that-nobody-uses',
    tells: 'a member signs a guarantee of the pool, lets it lapse and signs the next one: others’ money is never free',
    without: 'pools.one_undrawn',
    breaks: 'a borrower may have several guarantees that no loan uses, one after the other or at once',
    expected: /Ksh\. 10,000 of the pool were locked for one borrower without a loan/,
    async play(scene) {
      const { sacco, ask, mustNot, product } = scene;
      const { database } = product;
      const own = await sacco();
      const { pool, people, stewards } = await openPool(scene, own, ['Mshikaji']);
      const holder = people[0] as Actor;
      const asked = { pool, amount: 5_000, period_months: 12 };
      await guaranteed(scene, stewards, holder, asked);
      const again = async (one: Actor) =>
        (await ask(one, 'POST', '/guarantors/pools/request-guarantee', { ...asked, purpose: 'Stock' })).body.request;
      if ((await again(holder)).state === 'QUOTED') {
        await database.owner`update pool_requests set state = 'CANCELLED', expires_at = null where state = 'QUOTED'`;
        await guaranteed(scene, stewards, holder, asked);
      }
      const [row] = await database.owner<{ locked: string }[]>`
        select locked_cents as locked from pools where id = ${pool}`;
      const locked = Number(row?.locked) / 100;
      mustNot(
        locked > 5_000,
        `Ksh. ${locked.toLocaleString('en')} of the pool were locked for one borrower without a loan`,
      );
      database.world.advance(14 * 86_400_000);
      await product.app.tasks.tend_pools?.({});
      const { state } = await again(await scene.signedIn(holder));
      mustNot(state === 'QUOTED', 'the day it lapsed, the pool was asked to lock the same money again');
    },
  },
  {
    name: 'recovery-put-off-by-those-who-would-pay',
    tells:
      'an official whose own money is in the pool offers a late borrower one new schedule after the other, so that it is not called',
    without: poolMembersDecide,
    breaks: 'whoever has money in the pool that backs a loan decides about it',
    expected: /an official with Ksh\. 20,000 in the pool put the recovery of its loan off/,
    async play(scene) {
      const { sacco, does, ask, mustNot, product } = scene;
      const { database, saccos } = product;
      const own = await sacco();
      // With the chair's money in the pool, two others are left to pay a loan out and to decide about it.
      const named = { saccoId: own.id, userId: (await scene.person('Sabina')).id, office: 'secretary' } as const;
      await database.transaction((tx) => openOffice(tx, { userId: own.chair.id }, named));
      const { pool, people, stewards } = await openPool(scene, own, ['Mkopaji']);
      const borrower = people[0] as Actor;
      await saccos.fund(own.chair.id, 20_000_00);
      const { terms_hash } = (await does(own.chair, 'GET', `/guarantors/pools/${pool}/details`)).body;
      await does(own.chair, 'POST', '/guarantors/pools/join', { pool, amount: 20_000, accept_terms: true, terms_hash });
      const terms = { sacco: own.id, borrower: borrower.id, amountCents: 10_000_00, months: 12 };
      const loan = await testLateLoans(database as never).loan(terms);
      const requestId = await guaranteed(scene, stewards, borrower, { pool, amount: 5_000, period_months: 12 });
      await database.transaction(async (tx) => {
        const of = { loanId: loan, saccoId: own.id, principal: 10_000_00 };
        await attachGuarantee(tx, { ...of, requestId, userId: borrower.id, months: 12 });
        const fee = await activateGuarantee(tx, of);
        await postJournals(tx, fee ? [fee] : []);
      });
      await database.owner`
        update loans set state = 'in_arrears', days_past_due = 60, overdue_cents = 100000, arrears_since = ${database.now()}
        where id = ${loan}`;
      const offer = { months: 6, reason: 'They need more time.' };
      const { status } = await ask(own.chair, 'POST', `/sacco/loans/${loan}/restructure`, offer, { sacco: own.id });
      mustNot(status < 400, 'an official with Ksh. 20,000 in the pool put the recovery of its loan off');
      const offered = await ask(own.treasurer, 'POST', `/sacco/loans/${loan}/restructure`, offer, { sacco: own.id });
      mustNot(offered.status >= 400, 'an official without money in the pool could not offer a new schedule');
    },
  },
];
