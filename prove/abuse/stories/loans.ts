import { testLateLoans } from '../../../server/domains/loans/test-late-loans.ts';
import { testLoans } from '../../../server/domains/loans/test-loans.ts';
import { leaveOut } from '../../../server/faults.proving.ts';
import type { Actor, SaccoOfStory, Scene } from '../scene.ts';
import type { Story } from '../story.ts';
import { recordCard } from './identity.ts';
import { agreed } from './terms.ts';

const DAY_MS = 86_400_000;
const PRODUCT = {
  name: 'Development loan',
  method: 'annuity',
  monthly_rate: 1,
  min_amount: 1_000,
  max_amount: 500_000,
  min_months: 1,
  max_months: 60,
  multiplier: 3,
  min_member_days: 0,
  min_guarantors: 0,
  fee_percentage: 0,
  penalty_rate: 1,
  is_offered: true,
} as const;
const ASKED = { amount: 20_000, months: 12, purpose: 'A second stall.', net_income: 50_000 };

/** What is made by hand: its keys are counted by database. */
const hands = new WeakMap<object, ReturnType<typeof testLoans>>();
function handsOf({ product: { database } }: Pick<Scene, 'product'>): ReturnType<typeof testLoans> {
  const made = hands.get(database) ?? testLoans(database);
  hands.set(database, made);
  return made;
}

interface Lender extends SaccoOfStory {
  readonly committee: readonly [Actor, Actor];
  readonly product: string;
}

/** A sacco that lends, with a credit committee of two. */
async function lender(scene: Scene): Promise<Lender> {
  const own = await scene.sacco();
  const given = handsOf(scene);
  const committee = [await scene.person('Mwema'), await scene.person('Jioni')] as const;
  for (const one of committee) {
    await scene.member(one, own, 10);
    await given.office(own.id, one.id, 'credit_committee');
  }
  await given.buyShares(own.id, own.chair.id, 2_000_000_00);
  const cents = { min_amount: PRODUCT.min_amount * 100, max_amount: PRODUCT.max_amount * 100 };
  return { ...own, committee, product: await given.product(own.id, own.chair.id, { ...PRODUCT, ...cents }) };
}

/** A member for more than a year, with so many shillings saved all that time. */
async function saver(scene: Scene, own: Lender, name: string, shillings: number): Promise<Actor> {
  const { person, member, product } = scene;
  const [one, { world, owner }] = [await person(name), product.database];
  await member(one, own, 10);
  const now = world.now();
  world.setNow(new Date(now.getTime() - 400 * DAY_MS));
  await owner`update memberships set joined_at = ${world.now()} where user_id = ${one.id}`;
  await owner`
    insert into identity_checks (id, user_id, seen_by, document, seen_at)
    values (gen_random_uuid(), ${one.id}, ${own.chair.id}, 'national_id', ${world.now()})`;
  if (shillings > 0) await handsOf(scene).save(own.id, one.id, shillings * 100);
  world.setNow(now);
  return one;
}

/** As if a loan were 100 days late, its default decided 20 days ago, and its final notice given 15 days ago. */
async function finalNoticeIsOver({ product }: Scene, { committee }: Lender, loan: string): Promise<void> {
  const { owner, world } = product.database;
  const ago = (days: number) => new Date(world.now().getTime() - days * DAY_MS);
  const since = ago(100).toISOString().slice(0, 10);
  await owner`
    update loans set state = 'in_arrears', arrears_since = ${since}, due_on = ${since}, days_past_due = 100,
      overdue_cents = due_cents
    where id = ${loan}`;
  await owner`
    insert into loan_notices (id, loan_id, kind, user_id, guarantee_id, arrears_since, days_past_due, amount_cents, at)
    select gen_random_uuid(), l.id, n.kind, n.user_id, n.guarantee_id, l.arrears_since, 60, 100, n.at
    from loans l cross join lateral (
      select k.kind, l.borrower_id as user_id, null::uuid as guarantee_id, k.at
      from (values ('second', ${ago(60)}::timestamptz), ('final', ${ago(15)}::timestamptz)) k (kind, at)
      union all
      select k.kind, g.guarantor_id, g.id, k.at
      from (values ('formal', ${ago(60)}::timestamptz), ('final', ${ago(15)}::timestamptz)) k (kind, at)
      cross join loan_guarantees g where g.loan_id = l.id and g.kind = 'member') n
    where l.id = ${loan}`;
  for (const { id } of committee) {
    await owner`
      insert into loan_recovery_voices (loan_id, kind, arrears_since, by_id, office, reason, at)
      values (${loan}, 'default', ${since}, ${id}, 'credit_committee', 'Nothing was paid.', ${ago(20)})`;
  }
  for (const [step, days] of [
    ['default', 20],
    ['final_notice', 15],
  ] as const) {
    await owner`
      insert into loan_recovery_steps (loan_id, arrears_since, step, at, by_id)
      values (${loan}, ${since}, ${step}, ${ago(days)}, ${committee[0].id})`;
  }
  await owner`
    update loans set state = 'defaulted', state_at = ${world.now()}, defaulted_at = ${ago(20)}, last_default_at = ${ago(20)},
      duplum_cents = principal_cents
    where id = ${loan}`;
}

const memberOf = (scene: Scene, own: Lender, one: Actor): Promise<string> => handsOf(scene).memberId(own.id, one.id);

/** An application that the borrower's own savings cover, with the credit committee. Returns its id and the hash of its key facts. */
async function submitted({ does }: Scene, own: Lender, borrower: Actor): Promise<{ id: string; terms_hash: string }> {
  const at = { sacco: own.id, key: `loan ${borrower.id}` };
  const { loan } = (await does(borrower, 'POST', '/loans', { product: own.product, ...ASKED }, at)).body;
  const { body } = await does(borrower, 'POST', `/loans/${loan.id}/submission`, undefined, at);
  return { id: loan.id, terms_hash: body.loan.key_facts.hash };
}

/** The same, approved by both of the committee and accepted by the borrower. */
async function accepted(scene: Scene, own: Lender, borrower: Actor): Promise<{ id: string; terms_hash: string }> {
  const { does } = scene;
  const { id, terms_hash } = await submitted(scene, own, borrower);
  const voice = { decision: 'approve', reason: 'Saves well.', terms_hash };
  for (const one of own.committee) await does(one, 'POST', `/sacco/loans/${id}/review`, voice, { sacco: own.id });
  await does(borrower, 'POST', `/loans/${id}/acceptance`, { terms_hash }, { sacco: own.id });
  return { id, terms_hash };
}

/** The rule is in our code and in PostgreSQL: it is left out in both. */
async function oneOfficialAlone({ product }: Scene): Promise<void> {
  leaveOut('loans.two_officials');
  await product.database.owner`alter table loan_disbursements drop constraint loan_disbursements_check`;
}

/** The same of each of these. */
async function ownLoansReviewed({ product }: Scene): Promise<void> {
  leaveOut('loans.own_loan');
  await product.database.owner`alter table loan_reviews disable trigger loan_decided_by_others`;
}
async function recoveryInAnyOrder({ product }: Scene): Promise<void> {
  leaveOut('loans.recovery_in_order');
  await product.database.owner`alter table loan_recovery_steps disable trigger loan_recovery_in_order`;
}

async function returnedForEver({ product }: Scene): Promise<void> {
  leaveOut('loans.one_no');
  await product.database.owner`alter table loan_reviews disable trigger one_return_each`;
}

/** Other terms of a product reach the loans that were not paid out yet, as if each loan read its product's. */
async function termsReachOpenLoans({ product }: Scene): Promise<void> {
  leaveOut('loans.signed_terms');
  await product.database.owner.unsafe(`
    alter table loans disable trigger loan_moves_on;
    create function reach_open_loans() returns trigger language plpgsql as $$
      begin
        update loans set monthly_rate = new.monthly_rate where product_id = new.product_id and disbursed_at is null;
        return new;
      end $$;
    create trigger reach_open_loans after insert on loan_product_terms for each row execute function reach_open_loans();`);
}

/** Readings are thrown away before they are kept. */
async function readingsAreLost({ product }: Scene): Promise<void> {
  await product.database.owner.unsafe(`
    create function lose_reading() returns trigger language plpgsql as $$ begin return null; end $$;
    create trigger lose_reading before insert on member_record_readings for each row execute function lose_reading();`);
}

/** What loans can be used for: by borrowers, by those who stand behind them, and by the officials who decide. */
export const loanStories: readonly Story[] = [
  {
    name: 'guarantors-are-second-accounts',
    tells: 'a borrower opens a second account, which their own phone can recover, and names it as the guarantor',
    without: 'loans.guarantors',
    breaks: 'whoever is a member may guarantee, also a second account of the borrower’s',
    expected: /a second account was asked to guarantee Ksh\. 15,000/,
    async play(scene) {
      const { does, ask, product, mustNot } = scene;
      const own = await lender(scene);
      const [borrower, double] = [
        await saver(scene, own, 'Borrower', 10_000),
        await saver(scene, own, 'Double', 30_000),
      ];
      const { owner, now } = product.database;
      await owner`
        update users set recovery_phone = ${borrower.phone}, recovery_phone_confirmed_at = ${now()} where id = ${double.id}`;
      const at = { sacco: own.id, key: 'apply' };
      const { loan } = (await does(borrower, 'POST', '/loans', { product: own.product, ...ASKED }, at)).body;
      const named = { member: await memberOf(scene, own, double), amount: 15_000 };
      const refused = await ask(borrower, 'POST', `/loans/${loan.id}/guarantors`, named, { sacco: own.id });
      mustNot(refused.status < 400, 'a second account was asked to guarantee Ksh. 15,000');
      // A phone that the borrower had before, and that has gone over to the other account.
      await owner`update users set recovery_phone = phone, recovery_phone_confirmed_at = null where id = ${double.id}`;
      await owner`update users set phone = '254799000111', phone_confirmed_at = ${now()} where id = ${borrower.id}`;
      await owner`update users set phone = ${borrower.phone}, phone_confirmed_at = ${now()} where id = ${double.id}`;
      const again = await ask(borrower, 'POST', `/loans/${loan.id}/guarantors`, named, { sacco: own.id });
      mustNot(again.status < 400, 'the account that has the borrower’s old phone was asked to guarantee Ksh. 15,000');
      const other = { member: await memberOf(scene, own, await saver(scene, own, 'Friend', 30_000)), amount: 15_000 };
      const { status } = await ask(borrower, 'POST', `/loans/${loan.id}/guarantors`, other, { sacco: own.id });
      mustNot(status >= 400, 'somebody else could not be asked either');
    },
  },
  {
    name: 'code-talked-out-of-a-guarantor',
    tells: 'a borrower has the code for a small pledge read out on the phone, and would sign a large one with it',
    without: 'loans.guarantee_code',
    breaks: 'a code signs whatever stands there by now',
    expected: /the code for Ksh\. 5,000 signed a pledge of 19,000/,
    async play(scene) {
      const { does, ask, textsTo, mustNot } = scene;
      const own = await lender(scene);
      const [borrower, friend] = [
        await saver(scene, own, 'Borrower', 20_000),
        await saver(scene, own, 'Friend', 40_000),
      ];
      const at = { sacco: own.id };
      const asked = {
        product: own.product,
        ...ASKED,
        guarantors: [{ member: await memberOf(scene, own, friend), amount: 5_000 }],
      };
      const { loan } = (await does(borrower, 'POST', '/loans', asked, { ...at, key: 'apply' })).body;
      const requests = async () =>
        (await does(friend, 'GET', '/loans/guarantee-requests?status=asked', undefined, at)).body.results[0];
      const small = await requests();
      await does(friend, 'POST', `/loans/guarantees/${small.id}/code`, { terms_hash: small.terms_hash }, at);
      const text = (await textsTo(friend.phone)).find((each) => /\d{4} \d{4}/.test(each)) ?? '';
      const code = /\d{4} \d{4}/.exec(text)?.[0] ?? '';
      const says = ['Ksh. 20,000', 'Ksh. 5,000', 'Give it to nobody, not even the borrower'];
      mustNot(!says.every((word) => text.includes(word)), `the SMS with the code does not say what it signs: ${text}`);
      const signed = { terms_hash: small.terms_hash, code };
      const byBorrower = await ask(borrower, 'POST', `/loans/guarantees/${small.id}/acceptance`, signed, at);
      mustNot(byBorrower.status < 400, 'the borrower signed for the guarantor');
      const larger = { member: asked.guarantors[0]?.member, amount: 19_000 };
      await does(borrower, 'POST', `/loans/${loan.id}/guarantors`, larger, at);
      const large = await requests();
      const sent = { terms_hash: large.terms_hash, code };
      const { status } = await ask(friend, 'POST', `/loans/guarantees/${large.id}/acceptance`, sent, at);
      mustNot(status < 400, 'the code for Ksh. 5,000 signed a pledge of 19,000');
    },
  },
  {
    name: 'committee-member-reviews-their-own-loan',
    tells: 'one of the credit committee applies for a loan, gives a voice for it, and needs one colleague alone',
    without: ownLoansReviewed,
    breaks: 'an official decides about a loan of their own',
    expected: /a loan was approved by a voice of its borrower/,
    async play(scene) {
      const { ask, does, member, person, mustNot } = scene;
      const own = await lender(scene);
      const official = await saver(scene, own, 'Kamara', 30_000);
      await handsOf(scene).office(own.id, official.id, 'credit_committee');
      const { id, terms_hash } = await submitted(scene, own, official);
      const voice = { decision: 'approve', reason: 'It is a good loan.', terms_hash };
      await ask(official, 'POST', `/sacco/loans/${id}/review`, voice, { sacco: own.id });
      await does(own.committee[0], 'POST', `/sacco/loans/${id}/review`, voice, { sacco: own.id });
      const { state } = (await does(official, 'GET', `/loans/${id}`, undefined, { sacco: own.id })).body;
      mustNot(state === 'approved', 'a loan was approved by a voice of its borrower');
      // Nor does somebody whom no office makes a reviewer.
      const outsider = await person('Neighbour');
      await member(outsider, own, 10);
      const { status } = await ask(outsider, 'POST', `/sacco/loans/${id}/review`, voice, { sacco: own.id });
      mustNot(status < 400, 'a member without an office reviewed a loan');
    },
  },
  {
    name: 'one-reviewer-says-no-for-ever',
    tells: 'one of the credit committee sends an application back again and again, and then rejects it alone',
    without: returnedForEver,
    breaks: 'an official returns one application as often as they like',
    expected: /one official returned an application twice/,
    async play(scene) {
      const { ask, does, mustNot } = scene;
      const own = await lender(scene);
      const borrower = await saver(scene, own, 'Borrower', 30_000);
      const { id, terms_hash } = await submitted(scene, own, borrower);
      const [path, at] = [`/sacco/loans/${id}/review`, { sacco: own.id }];
      const says = (decision: string) => ({ decision, reason: 'I do not like it.', terms_hash });
      await does(own.committee[0], 'POST', path, says('return'), at);
      await does(borrower, 'POST', `/loans/${id}/submission`, undefined, at);
      const again = await ask(own.committee[0], 'POST', path, says('return'), at);
      mustNot(again.status < 300, 'one official returned an application twice');
      await ask(own.committee[0], 'POST', path, says('reject'), at);
      const { state } = (await does(borrower, 'GET', `/loans/${id}`, undefined, at)).body;
      mustNot(state !== 'submitted', 'one official alone rejected an application');
    },
  },
  {
    name: 'treasurer-pays-a-friend-alone',
    tells: 'the treasurer orders that a friend’s loan be paid out, and checks the order as well',
    without: oneOfficialAlone,
    breaks: 'who orders a payment may check it, too',
    expected: /the treasurer alone paid out Ksh\. 20,000/,
    async play(scene) {
      const { ask, does, wallet, mustNot } = scene;
      const own = await lender(scene);
      const friend = await saver(scene, own, 'Friend', 30_000);
      const { id, terms_hash } = await accepted(scene, own, friend);
      const [path, at] = [`/sacco/loans/${id}`, { sacco: own.id }];
      await does(own.treasurer, 'POST', `${path}/disbursement`, { terms_hash }, at);
      const before = await wallet(friend);
      await ask(own.treasurer, 'POST', `${path}/disbursement-check`, { terms_hash, decision: 'pay' }, at);
      mustNot((await wallet(friend)) > before, 'the treasurer alone paid out Ksh. 20,000');
      // Nor does the friend pay it out with an office of their own.
      await handsOf(scene).office(own.id, friend.id, 'secretary');
      await ask(friend, 'POST', `${path}/disbursement-check`, { terms_hash, decision: 'pay' }, at);
      mustNot((await wallet(friend)) > before, 'the borrower paid out their own loan');
      await ask(own.chair, 'POST', `${path}/disbursement-check`, { terms_hash, decision: 'pay' }, at);
      mustNot((await wallet(friend)) !== before + 20_000, 'another official could not pay it out');
    },
  },
  {
    name: 'product-changed-after-review',
    tells: 'two officials raise the interest of a product once its loan is approved, before the borrower signs',
    without: termsReachOpenLoans,
    breaks: 'other terms of a product reach loans that are approved already',
    expected: /a loan that was approved at 1 % a month costs 5 %/,
    async play(scene) {
      const { does, mustNot } = scene;
      const own = await lender(scene);
      let borrower = await saver(scene, own, 'Borrower', 30_000);
      const { id, terms_hash } = await submitted(scene, own, borrower);
      const voice = { decision: 'approve', reason: 'Saves well.', terms_hash };
      for (const one of own.committee) await does(one, 'POST', `/sacco/loans/${id}/review`, voice, { sacco: own.id });
      await agreed(scene, own, '/sacco/loan-products', { ...PRODUCT, product: own.product, monthly_rate: 5 });
      borrower = await scene.signedIn(borrower);
      const at = { sacco: own.id };
      const { products } = (await does(borrower, 'GET', '/loans/products', undefined, at)).body;
      mustNot(products[0].monthly_rate !== 5, 'the officials’ change did not take effect');
      const { key_facts } = (await does(borrower, 'GET', `/loans/${id}`, undefined, at)).body;
      const rate = key_facts.monthly_rate;
      mustNot(rate !== 1, `a loan that was approved at 1 % a month costs ${rate} %`);
      const signed = await scene.ask(borrower, 'POST', `/loans/${id}/acceptance`, { terms_hash }, at);
      mustNot(signed.status >= 400, 'what was reviewed could not be signed');
    },
  },
  {
    name: 'late-borrower-sells-out',
    tells: 'a borrower who is late sells all shares and empties their savings, the day before the default',
    without: 'loans.late_sellers',
    breaks: 'a borrower whose loan is late may sell shares',
    expected: /a borrower whose loan is late offered 5 shares/,
    async play(scene) {
      const { ask, does, product, mustNot } = scene;
      const own = await lender(scene);
      const borrower = await saver(scene, own, 'Borrower', 5_000);
      const late = testLateLoans(product.database);
      const loan = { sacco: own.id, borrower: borrower.id, amountCents: 10_000_00, months: 12, ownCents: 2_000_00 };
      const id = await late.loan(loan);
      const day = product.database.now();
      await product.database.owner`
        update loans set state = 'in_arrears', days_past_due = 3, overdue_cents = 1000, arrears_since = ${day} where id = ${id}`;
      await product.saccos.fund(borrower.id, 500_00);
      await does(borrower, 'POST', '/sacco/members/pay_shares_amount', { sacco: own.id, shares: 5, amount: 500 });
      const order = { sacco: own.id, side: 'sell', shares: 5, price: 100 };
      const { status } = await ask(borrower, 'POST', '/sacco/order-book-items', order);
      mustNot(status < 400, 'a borrower whose loan is late offered 5 shares');
      await ask(borrower, 'POST', '/sacco/members/exit', { sacco: own.id });
      const [savings] = await product.database.owner<{ cents: string }[]>`
        select sum(balance) as cents from accounts
        where book_id = ${own.id} and owner_id = ${borrower.id} and kind in ('deposits', 'deposits_hold')`;
      mustNot(Number(savings?.cents) !== 5_000_00, 'savings left the sacco while the loan was late');
    },
  },
  {
    name: 'guarantors-pay-first',
    tells: 'officials who are the borrower’s friends take the guarantors’ savings, and leave the borrower’s alone',
    without: recoveryInAnyOrder,
    breaks: 'the savings of guarantors are taken in whatever order officials please',
    expected: /a guarantor lost Ksh\. 5,000 before anybody was told/,
    async play(scene) {
      const { ask, product, mustNot } = scene;
      const own = await lender(scene);
      const [borrower, guarantor] = [
        await saver(scene, own, 'Borrower', 20_000),
        await saver(scene, own, 'Guarantor', 9_000),
      ];
      const pledges = [{ guarantor: guarantor.id, cents: 5_000_00 }];
      const terms = { sacco: own.id, borrower: borrower.id, amountCents: 10_000_00, months: 12, pledges };
      const id = await testLateLoans(product.database).loan(terms);
      await product.database.owner`
        update loans set state = 'in_arrears', days_past_due = 40, overdue_cents = 100000, arrears_since = ${product.database.now()}
        where id = ${id}`;
      const at = { sacco: own.id };
      for (const one of own.committee)
        await ask(one, 'POST', `/sacco/loans/${id}/default`, { reason: 'They will not pay.' }, at);
      for (const one of [own.treasurer, own.chair])
        await ask(one, 'POST', `/sacco/loans/${id}/recovery`, { step: 'guarantors', amount: 5_000 }, at);
      const [held] = await product.database.owner<{ cents: string }[]>`
        select balance as cents from accounts where book_id = ${own.id} and owner_id = ${guarantor.id} and kind = 'deposits_hold'`;
      const lost = 5_000 - Number(held?.cents) / 100;
      mustNot(lost > 0, `a guarantor lost Ksh. ${lost.toLocaleString('en')} before anybody was told`);
    },
  },
  {
    name: 'savings-spared-for-a-cent',
    tells:
      'a treasurer names a cent of a friend’s savings, to have the guarantors pay; the friend deposits a shilling to stop it all',
    without: 'loans.what_was_there',
    breaks: 'a step takes whatever lower amount an official names',
    expected: /the treasurer took a cent of Ksh\. 4,000, and left the rest to the guarantor/,
    async play(scene) {
      const { ask, does, product, mustNot } = scene;
      const own = await lender(scene);
      const borrower = await saver(scene, own, 'Borrower', 4_000);
      const guarantor = await saver(scene, own, 'Guarantor', 9_000);
      const pledges = [{ guarantor: guarantor.id, cents: 5_000_00 }];
      const terms = { sacco: own.id, borrower: borrower.id, amountCents: 8_000_00, months: 12, pledges };
      const id = await testLateLoans(product.database).loan(terms);
      await finalNoticeIsOver(scene, own, id);
      const take = (amount: number) =>
        ask(own.treasurer, 'POST', `/sacco/loans/${id}/recovery`, { step: 'own_deposits', amount }, { sacco: own.id });
      const { status } = await take(0.01);
      mustNot(status < 400, 'the treasurer took a cent of Ksh. 4,000, and left the rest to the guarantor');
      await product.saccos.fund(borrower.id, 1_00);
      await does(borrower, 'POST', '/sacco/savings/deposit', { sacco: own.id, amount: 1 });
      const taken = await take(4_000);
      mustNot(taken.status >= 400, 'a deposit of a shilling stopped the recovery');
    },
  },
  {
    name: 'reviewer-reads-neighbours',
    tells: 'one of the credit committee opens the loan of every neighbour, out of curiosity',
    without: readingsAreLost,
    breaks: 'an official reads the record of a member, and nothing says so',
    expected: /a neighbour’s loan was read, and nothing says by whom/,
    async play(scene) {
      const { ask, does, product, mustNot } = scene;
      const own = await lender(scene);
      const neighbour = await saver(scene, own, 'Neighbour', 30_000);
      const { id } = await submitted(scene, own, neighbour);
      const [reader] = own.committee;
      await does(reader, 'GET', `/sacco/loans/${id}`, undefined, { sacco: own.id });
      const kept = await product.database.owner`
        select from member_record_readings where read_by = ${reader.id} and ${neighbour.id}::uuid = any (members)`;
      mustNot(kept.length === 0, 'a neighbour’s loan was read, and nothing says by whom');
      const elsewhere = await scene.sacco();
      const { status } = await ask(elsewhere.chair, 'GET', `/sacco/loans/${id}`, undefined, { sacco: elsewhere.id });
      mustNot(status < 400, 'an official of another sacco read it');
      const pretended = await ask(elsewhere.chair, 'GET', `/sacco/loans/${id}`, undefined, { sacco: own.id });
      mustNot(pretended.status < 400, 'an official of another sacco read it under the name of this one');
      const fellow = await saver(scene, own, 'Fellow', 0);
      for (const path of [`/sacco/loans/${id}`, `/loans/${id}`]) {
        const answer = await ask(fellow, 'GET', path, undefined, { sacco: own.id });
        mustNot(answer.status < 400, `a fellow member read the loan at ${path.split('/').slice(0, -1).join('/')}`);
      }
    },
  },
  {
    name: 'guarantee-in-a-friends-name',
    tells: 'a member takes the name of a neighbour’s friend for an hour and asks the neighbour to guarantee a loan',
    without: 'loans.seen_cards',
    breaks: 'whoever renames borrows under a name whose card nobody saw',
    expected: /a neighbour was asked to guarantee a stranger’s loan in the name of Rafiki Mwema/,
    async play(scene) {
      const { does, ask, mustNot } = scene;
      const own = await lender(scene);
      const thief = await saver(scene, own, 'Thief', 10_000);
      const victim = await saver(scene, own, 'Neighbour', 30_000);
      const { phone: phone_number, email } = thief;
      await does(thief, 'PATCH', '/client/', { first_name: 'Rafiki', last_name: 'Mwema', phone_number, email });
      const guarantors = [{ member: await memberOf(scene, own, victim), amount: 15_000 }];
      const { status } = await ask(
        thief,
        'POST',
        '/loans',
        { product: own.product, ...ASKED, guarantors },
        { sacco: own.id },
      );
      mustNot(status < 300, 'a neighbour was asked to guarantee a stranger’s loan in the name of Rafiki Mwema');
    },
  },
  {
    name: 'card-seen-by-a-friend-in-another-sacco',
    tells: 'a member takes a false name, and a friend who is chair of another sacco records the ID card under it',
    without: 'identity.own_sacco',
    breaks: 'a card counts that an official of any sacco has seen',
    expected: /a neighbour was asked to guarantee a loan under a name that a friend elsewhere vouched for/,
    async play(scene) {
      const { does, ask, mustNot } = scene;
      const own = await lender(scene);
      const thief = await saver(scene, own, 'Thief', 10_000);
      const victim = await saver(scene, own, 'Neighbour', 30_000);
      const { phone: phone_number, email } = thief;
      await does(thief, 'PATCH', '/client/', { first_name: 'Rafiki', last_name: 'Mwema', phone_number, email });
      const friends = await scene.sacco();
      await scene.member(thief, friends, 10);
      mustNot((await recordCard(scene, friends.chair, thief, friends)).status >= 300, 'a chair could record no card');
      const guarantors = [{ member: await memberOf(scene, own, victim), amount: 15_000 }];
      const wanted = { product: own.product, ...ASKED, guarantors };
      const { status } = await ask(thief, 'POST', '/loans', wanted, { sacco: own.id });
      mustNot(
        status < 300,
        'a neighbour was asked to guarantee a loan under a name that a friend elsewhere vouched for',
      );
    },
  },
  {
    name: 'savings-held-by-an-application-never-handed-in',
    tells:
      'a borrower has a neighbour sign, never hands the application in, and sends the same values again to prolong it',
    without: 'loans.taken_back',
    breaks: 'a signature stays as long as the borrower prolongs the application',
    expected: /a neighbour’s savings were held for 40 days by an application that nobody handed in/,
    async play(scene) {
      const { does, ask, textsTo, mustNot, product, signedIn } = scene;
      const own = await lender(scene);
      const [borrower, victim] = [
        await saver(scene, own, 'Borrower', 10_000),
        await saver(scene, own, 'Neighbour', 30_000),
      ];
      const at = { sacco: own.id };
      const guarantors = [{ member: await memberOf(scene, own, victim), amount: 12_000 }];
      const values = { product: own.product, ...ASKED };
      const { loan } = (await does(borrower, 'POST', '/loans', { ...values, guarantors }, at)).body;
      const asked = (await does(victim, 'GET', '/loans/guarantee-requests?status=asked', undefined, at)).body
        .results[0];
      const signing = { terms_hash: asked.terms_hash };
      await does(victim, 'POST', `/loans/guarantees/${asked.id}/code`, signing, at);
      const code = /\d{4} \d{4}/.exec(
        (await textsTo(victim.phone)).find((each) => /\d{4} \d{4}/.test(each)) ?? '',
      )?.[0];
      await does(victim, 'POST', `/loans/guarantees/${asked.id}/acceptance`, { ...signing, code }, at);
      for (const days of [20, 20]) {
        product.database.world.advance(days * DAY_MS);
        const { product: _, ...same } = values;
        await ask(await signedIn(borrower), 'PUT', `/loans/${loan.id}`, same, at);
        await product.app.tasks.tend_loans?.({});
      }
      const [row] = await product.database.owner<{ state: string }[]>`
        select state from loan_guarantees where id = ${asked.id}`;
      mustNot(
        row?.state === 'accepted',
        'a neighbour’s savings were held for 40 days by an application that nobody handed in',
      );
    },
  },
];
