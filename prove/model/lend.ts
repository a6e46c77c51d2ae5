import { decideChange, officialsOf } from './acts/changes.ts';
import { entranceActs, planLogin } from './acts/entrance.ts';
import * as acts from './acts/loans.ts';
import { buy, join, membershipActs, saveIn, type There } from './acts/membership.ts';
import { topUp } from './acts/money.ts';
import { poolActs } from './acts/pools.ts';
import { isProven, planAskForCode, planConfirmPhone, planProve } from './acts/profile.ts';
import { planPool } from './acts/referrals-and-pools.ts';
import { confirmNaming, mustWait, nameOfficial, takeUpOffice } from './acts/saccos.ts';
import type { Member, OfficeInvitation, Person, Sacco } from './naive-books.ts';
import { type Guarantee, isOwed, type Loan, limitOf, mayGuarantee, ownPart, unfit } from './naive-loans.ts';
import { isNew, type Planned, type Simulation } from './simulation.ts';

/*
 * A loan takes ten people, and drawn one by one they would hardly ever meet. So once in a while those whom a loan needs are called in, and
 * each does what is theirs to do: mostly as it should be, now and then otherwise, and now and then they leave it there.
 */

const HOUR_MS = 3_600_000;
const PAUSE_MS = 31_000;
const TRIES = 4;
/** Applications and loans that are under way in a sacco at once. */
const ALIVE_MAX = 9;
const APPLICATIONS = 2;
const STAGES_MAX = 16;
/** The people who are named on one day. A naming may come to nothing, and after 30 days members decide about loan products. */
const NAMED_MAX = 8;
const LEAST = 100_00;
/** Members whom a sacco that lends has at least, what each of them brings, and how many bring it on one day. */
const MEMBERS = 12;
const PEOPLE = 26;
const BROUGHT = 20_000_00;
const AT_ONCE = 6;
const SHARE_VALUE_LEAST = 1_00;
const LAID_DOWN = 0.07;
const ODD = 0.1;
const OFTEN = 0.6;
/** How often a borrower asks the same member for other amounts, and how many. */
const PESTERS = 0.05;
/** Until it has come about once. */
const UNTRIED_PESTERS = 0.3;
const PESTERED = 11;
const FAR_TOO_LITTLE = 1_00;
const PRODUCTS = ['Stall loan', 'School loan', 'Roof loan'];
const INCOME = 1_000_000_00;

const mayWantOut = ({ state, isOwn, wantsOut }: Guarantee) => state === 'live' && !isOwn && !wantsOut;

export async function lend(simulation: Simulation, saccosMax: number, settle: () => Promise<void>): Promise<void> {
  await new Clerk(simulation, settle).work(saccosMax);
}

/** Members with shares, savings and a confirmed phone, a few more each time. */
export async function gather(simulation: Simulation, settle: () => Promise<void>, sacco: Sacco): Promise<void> {
  await new Clerk(simulation, settle).gather(sacco);
}

/** Whether it takes votes by now to offer what is missing of its loans. */
const isLate = ({ lending, couldVote }: Sacco) => lending.products.length < PRODUCTS.length && couldVote !== undefined;

/** Whether one that lends has not offered all its loans yet: after 30 days its members decide on them. */
export const isBeginning = ({ lenders }: Simulation): boolean =>
  lenders.some((one) => one.state === 'active' && one.lending.products.length < PRODUCTS.length && !isLate(one));

class Clerk {
  readonly #simulation: Simulation;
  readonly #settle: () => Promise<void>;

  constructor(simulation: Simulation, settle: () => Promise<void>) {
    this.#simulation = simulation;
    this.#settle = settle;
  }

  async work(saccosMax: number): Promise<void> {
    const { lenders, random, books } = this.#simulation;
    const open = () =>
      lenders.filter((one) => one.state === 'active' && (one.lending.products.length > 0 || !isLate(one)));
    // In the place of one that was suspended another one lends, and of one whose members came to decide before it offered all its loans.
    if (open().filter((one) => !isLate(one)).length < saccosMax) this.#findLender();
    if (open().length === 0) return;
    const sacco = random.pick(open());
    await this.gather(sacco);
    await this.#readIds(sacco);
    if (!(await this.#appoint(sacco))) return;
    if (sacco.lending.products.length < PRODUCTS.length) await this.#offer(sacco);
    for (let more = 0; more < APPLICATIONS && sacco.lending.products.some(({ id }) => id !== ''); more += 1)
      await this.#apply(sacco);
    const waits = ({ state, expiresAt }: Loan) => state === 'submitted' || expiresAt !== null;
    for (const loan of books.loans.filter((one) => one.sacco === sacco && waits(one))) await this.#carryOn(loan);
    await this.#readPool(sacco);
    await this.#leave();
    const owed = books.loans.filter((loan) => loan.sacco === sacco && isOwed(loan));
    const backed = owed.filter((loan) => loan.guarantees.some(mayWantOut));
    const isFirst = this.#simulation.fired['ask to be replaced done'] === undefined;
    if (owed.length > 0) await this.#repay(random.pick(isFirst && backed.length > 0 ? backed : owed));
  }

  /** Where the most members could borrow. */
  #findLender(): void {
    const { books, lenders, sharer } = this.#simulation;
    const able = books.saccos.filter(
      (sacco) =>
        sacco.state === 'active' &&
        sacco !== sharer &&
        !lenders.includes(sacco) &&
        !isLate(sacco) &&
        sacco.shareValue >= SHARE_VALUE_LEAST,
    );
    const [best] = able.sort(
      (one, other) => books.membersOf(other) - books.membersOf(one) || one.number - other.number,
    );
    if (best) lenders.push(best);
  }

  /** So many members with shares and savings: what a sacco can lend. Each time a few who have none yet bring some. */
  async gather(sacco: Sacco): Promise<void> {
    const { books } = this.#simulation;
    const hasEnough = (person: Person) => {
      const member = books.memberOf(person, sacco);
      return member !== null && member.state === 'active' && member.savings + member.pledged >= BROUGHT / 20;
    };
    await this.#register();
    const people = books.people.filter(
      (person) => person.id !== '' && !person.isOperator && books.memberOf(person, sacco)?.state !== 'leaving',
    );
    const missing = MEMBERS - people.filter(hasEnough).length;
    const isOfficial = (person: Person) => Number(books.officesOf(person, sacco, this.#simulation.now).length > 0);
    const poor = people
      .filter((person) => !hasEnough(person))
      .sort((one, other) => isOfficial(one) - isOfficial(other));
    const chosen = poor.slice(0, Math.max(0, Math.min(missing, AT_ONCE)));
    const here: Person[] = [];
    for (const person of chosen) {
      if ((await this.#call(person)) && (await this.#confirm(person))) here.push(person);
    }
    await this.#bring(sacco, here);
  }

  /** There are more people than a sacco lends to, in a short run as well. */
  async #register(): Promise<void> {
    const register = entranceActs.find(({ name }) => name === 'register');
    for (let more = 0; more < AT_ONCE && this.#simulation.books.people.length < PEOPLE; more += 1)
      await this.#do('register', register?.plan(this.#simulation) ?? null);
  }

  /** Whether the phone is theirs: they ask for the code, and type it. */
  async #confirm(person: Person): Promise<boolean> {
    if (person.isConfirmed) return true;
    await this.#do('ask for phone code', planAskForCode(this.#simulation, person));
    await this.#settle();
    await this.#do('confirm phone', planConfirmPhone(this.#simulation, person));
    return person.isConfirmed;
  }

  async #bring(sacco: Sacco, people: readonly Person[]): Promise<void> {
    const { random, books } = this.#simulation;
    const there = (person: Person): There => ({ person, sacco, token: person.sessions.at(-1)?.token });
    const each = async (name: string, plan: (person: Person) => Planned | null) => {
      for (const person of people) if (person.sessions.length > 0) await this.#do(name, plan(person), 0);
      this.#simulation.world.advance(PAUSE_MS);
    };
    const fate = { isFriends: false, isAbroad: false, fate: 'paid', lateMs: 0 } as const;
    await each('top up', (person) => topUp(this.#simulation, { person, cents: BROUGHT, phone: person.phone, ...fate }));
    await this.#settle();
    await each('join', (person) =>
      (books.memberOf(person, sacco)?.state ?? 'exited') === 'exited' ? join(this.#simulation, there(person)) : null,
    );
    const shares = Math.max(sacco.minShares, Math.floor((BROUGHT * 0.6) / sacco.shareValue));
    await each('buy shares', (person) => buy(this.#simulation, there(person), shares));
    await each('save', (person) =>
      saveIn(this.#simulation, there(person), Math.floor(BROUGHT * (0.1 + random.next() * 0.25))),
    );
  }

  /** By the owner's hand: nobody borrows under a name whose card was not seen. */
  async #seeCards(sacco: Sacco): Promise<void> {
    const { books, house, world, random } = this.#simulation;
    const operator = books.people.find(({ isOperator }) => isOperator);
    const unseen = books.members
      .filter((one) => one.sacco === sacco && one.state === 'active')
      .map(({ person }) => person)
      .filter(({ cardSeenUntil, isOperator }) => cardSeenUntil !== Number.POSITIVE_INFINITY && !isOperator);
    for (const person of unseen) {
      if (!operator || random.chance(ODD)) continue;
      await house.database.owner`
        insert into identity_checks (id, user_id, seen_by, document, seen_at)
        values (gen_random_uuid(), ${person.id}, ${operator.id}, 'national_id', ${world.now()})`;
      person.cardBefore = person.cardSeenUntil;
      person.cardSeenAt = world.now().getTime();
      person.cardSeenUntil = Number.POSITIVE_INFINITY;
    }
  }

  /** The ids by which the page names members and products. */
  async #readIds(sacco: Sacco): Promise<void> {
    const { books, house } = this.#simulation;
    const rows = await house.database.owner<{ id: string; user_id: string }[]>`
      select id, user_id from memberships where sacco_id = ${sacco.id}`;
    const found = new Map(rows.map(({ id, user_id }) => [user_id, id]));
    await this.#seeCards(sacco);
    for (const member of books.members.filter((one) => one.sacco === sacco))
      member.id = found.get(member.person.id) ?? '';
    const products = await house.database.owner<{ id: string; name: string }[]>`
      select p.id, t.name from loan_products p join loan_product_terms t on t.product_id = p.id where p.sacco_id = ${sacco.id}`;
    for (const product of sacco.lending.products)
      product.id = products.find(({ name }) => name === product.name)?.id ?? '';
  }

  /** One pool of the sacco's members, whose terms its creator reads: others accept them by their hash. */
  async #readPool(sacco: Sacco): Promise<void> {
    const { books, random } = this.#simulation;
    const own = books.pools.filter((pool) => pool.sacco === sacco && pool.id !== '');
    if (own.some(({ termsHash }) => termsHash !== '')) return this.#usePool();
    const [pool] = own;
    const members = books.members.filter((member) => member.sacco === sacco && member.state === 'active');
    const person = pool?.creator ?? (members.length > 0 ? random.pick(members).person : null);
    if (!person || !(await this.#call(person))) return;
    if (!pool) return this.#do('create a pool', planPool(this.#simulation, { person, sacco }));
    const asking = { route: 'poolDetailsOf', token: person.sessions.at(-1)?.token, params: { id: pool.id } };
    const read = await this.#simulation.ask(asking, `pool ${pool.id}`);
    if (read.ok) pool.termsHash = read.reply.terms_hash;
  }

  /** Nobody has given notice so far: one of those who are here does, so that a short run comes to what follows. */
  async #leave(): Promise<void> {
    const leave = membershipActs.find(({ name }) => name === 'give notice');
    const { jobs, books } = this.#simulation;
    const isDone = () => jobs.ran.has('leave_market') || books.leaving.length > 0;
    for (let tries = 0; tries < TRIES && !isDone(); tries += 1)
      await this.#do('give notice', leave?.plan(this.#simulation) ?? null);
  }

  /** What nobody has done with a pool so far. */
  async #usePool(): Promise<void> {
    const { fired } = this.#simulation;
    for (const { name, plan } of poolActs.filter((act) => isNew(act, fired)))
      await this.#do(name, plan(this.#simulation));
  }

  /** Whether somebody is signed in, and has entered the password a short while ago. */
  async #call(person: Person): Promise<boolean> {
    const { world } = this.#simulation;
    this.#simulation.endIdleSessions();
    for (let tries = 0; person.sessions.length === 0 && tries < TRIES; tries += 1) {
      world.advance(PAUSE_MS);
      await this.#do('sign in', planLogin(this.#simulation, person));
    }
    for (let tries = 0; tries < TRIES; tries += 1) {
      if (person.sessions.length === 0 || isProven(this.#simulation, person)) break;
      await this.#do('prove password', planProve(this.#simulation, person));
    }
    return person.sessions.length > 0;
  }

  async #do(name: string, plan: Planned | null, pauseMs = PAUSE_MS): Promise<void> {
    if (!plan) return;
    await this.#simulation.wave([plan], [name]);
    this.#simulation.world.advance(pauseMs);
  }

  /** Whoever holds one of some offices, and is none of those. */
  #officials(sacco: Sacco, offices: readonly string[], without: (person: Person) => boolean = () => false): Person[] {
    const { books, now } = this.#simulation;
    const people = [...new Set(sacco.offices.map(({ person }) => person))];
    return people.filter(
      (person) => !without(person) && books.officesOf(person, sacco, now).some((office) => offices.includes(office)),
    );
  }

  /** Operators name whom a loan needs: a treasurer, somebody who checks, and three of the credit committee. */
  async #appoint(sacco: Sacco): Promise<boolean> {
    for (const invitation of this.#asked(sacco)) {
      if (!mustWait(this.#simulation.books, invitation, this.#simulation.now) && (await this.#call(invitation.person)))
        await this.#do('take up an office', takeUpOffice(this.#simulation, invitation));
    }
    for (let named = 0; named < NAMED_MAX; named += 1) {
      const office = this.#missing(sacco, this.#asked(sacco));
      if (office === null) break;
      await this.#name(sacco, office);
    }
    return this.#missing(sacco) === null;
  }

  /** Whom operators have named, and who have not taken the office up. */
  #asked(sacco: Sacco): OfficeInvitation[] {
    const { books, now } = this.#simulation;
    return books.officeInvitations.filter((each) => each.sacco === sacco && each.isByOperator && each.expiresAt > now);
  }

  /** The office that is to be filled next, but for those to which somebody is asked. */
  #missing(sacco: Sacco, asked: readonly OfficeInvitation[] = []): string | null {
    const isAsked = (office: string) => asked.some((each) => each.office === office);
    const treasurers = this.#officials(sacco, ['treasurer']);
    if (treasurers.length === 0 && !isAsked('treasurer')) return 'treasurer';
    const others = this.#officials(sacco, acts.PAYERS, (person) => treasurers.includes(person));
    if (others.length === 0 && !asked.some(({ office }) => office !== 'treasurer' && acts.PAYERS.includes(office)))
      return this.#officials(sacco, ['secretary']).length === 0 ? 'secretary' : 'vice_chair';
    const committee = this.#officials(sacco, ['credit_committee']).length;
    const waiting = asked.filter(({ office }) => office === 'credit_committee').length;
    return committee + waiting < 3 ? 'credit_committee' : null;
  }

  async #name(sacco: Sacco, office: string): Promise<void> {
    const { books, random, now } = this.#simulation;
    const operators = books.people.filter(({ isOperator }) => isOperator);
    const isFree = (person: Person) => books.officesOf(person, sacco, now).length === 0;
    // Members stay free to borrow and to guarantee, as far as there are others.
    const people = books.people.filter(
      (person) => person.id !== '' && !person.isOperator && person.isConfirmed && isFree(person),
    );
    const outside = people.filter((person) => (books.memberOf(person, sacco)?.state ?? 'exited') === 'exited');
    const members = people.filter((person) => books.memberOf(person, sacco)?.state === 'active');
    const from = outside.length > 0 ? outside : members;
    const operator = operators.length > 0 ? random.pick(operators) : null;
    if (from.length === 0 || !operator) return;
    const person = random.pick(from);
    // Only members in full rights take an office up.
    if (outside.includes(person) && (await this.#call(person))) await this.#bring(sacco, [person]);
    if (!(await this.#call(operator))) return;
    await this.#do('name an official', nameOfficial(this.#simulation, { actor: operator, sacco, person, office }));
    const naming = sacco.namingsThatWait.find((each) => each.by === operator && each.person === person);
    const second = operators.find((each) => each !== operator);
    if (!naming || !second || !(await this.#call(second))) return;
    await this.#do('name an official', confirmNaming(this.#simulation, second, sacco, naming));
    await this.#settle();
    const invitation = books.officeInvitations.findLast(
      (each) => each.person === person && each.sacco === sacco && each.office === office,
    );
    if (!invitation || !(await this.#call(person))) return;
    // Once in a while somebody is too early.
    if (mustWait(books, invitation, this.#simulation.now) && !random.chance(ODD)) return;
    await this.#do('take up an office', takeUpOffice(this.#simulation, invitation));
  }

  /** One official proposes a product, and another confirms it: a day later it is there. */
  async #offer(sacco: Sacco): Promise<void> {
    const { books } = this.#simulation;
    const isOpen = books.changes.some(
      (change) => change.sacco === sacco && change.kind === 'loans' && change.state !== 'ended',
    );
    const [one, other] = officialsOf(this.#simulation, sacco, 'loans');
    if (isOpen || !one || !other || !(await this.#call(one))) return;
    const name = PRODUCTS[sacco.lending.products.length] as string;
    await this.#do('propose a loan product', acts.proposeProduct(this.#simulation, sacco, one, name));
    const change = books.changes.findLast((each) => each.sacco === sacco && each.kind === 'loans');
    if (change?.state !== 'proposed' || !(await this.#call(other))) return;
    await this.#do('decide on a change', decideChange(this.#simulation, change, other, 'confirmSaccoChange'));
  }

  /** Somebody who may borrow applies, with guarantors for what their own savings do not cover. */
  async #apply(sacco: Sacco): Promise<void> {
    const { books, random } = this.#simulation;
    const alive = books.loans.filter((loan) => loan.sacco === sacco && (loan.expiresAt !== null || isOwed(loan)));
    if (alive.length >= ALIVE_MAX) return;
    const product = random.pick(sacco.lending.products.filter(({ id }) => id !== ''));
    const wish = this.#wish(sacco, product);
    if (!wish || !(await this.#call(wish.member.person))) return;
    await this.#do('apply for a loan', acts.applyFor(this.#simulation, wish));
    if (random.chance(0.05))
      await this.#do('apply for a loan', acts.applyFor(this.#simulation, { ...wish, income: 1 }));
  }

  #wish(sacco: Sacco, product: acts.Wish['product']): acts.Wish | null {
    const { books, random, now } = this.#simulation;
    const isOdd = random.chance(ODD);
    const members = books.members.filter((member) => member.sacco === sacco && !member.person.isOperator);
    const able = members.filter(
      (member) =>
        unfit(books, member, product.terms, now) === null && limitOf(books, member, product.terms, now) >= LEAST,
    );
    const from = isOdd ? members.filter(({ state }) => state !== 'exited') : able;
    if (from.length === 0) return null;
    const member = random.pick(from);
    const others = this.#guarantorsFor(member, sacco);
    const backed = others.reduce((sum, { savings }) => sum + Math.floor(savings * 0.8), member.savings);
    const most = Math.min(limitOf(books, member, product.terms, now), backed);
    const whole = (cents: number) => Math.max(LEAST, Math.floor(cents / 100) * 100);
    const amount = isOdd && random.chance(0.5) ? whole(most * 2) : whole(most * (0.5 + random.next() * 0.5));
    const asked = this.#shares(amount - member.savings, others);
    const months = random.chance(0.04) ? product.terms.monthsMax + 1 : random.whole(1, product.terms.monthsMax);
    const income = isOdd && random.chance(0.3) ? FAR_TOO_LITTLE : INCOME;
    return { member, product, amount, months, income, asked };
  }

  #guarantorsFor(member: Member, sacco: Sacco): Member[] {
    const { books, now } = this.#simulation;
    const loan = { sacco, person: member.person, guarantees: [] } as unknown as Loan;
    return books.members
      .filter((other) => other.sacco === sacco && other.savings >= 1_000)
      .filter((other) => mayGuarantee(books, loan, other.person, 1_000, now))
      .sort((one, other) => other.savings - one.savings || one.person.number - other.person.number)
      .slice(0, 4);
  }

  /** Three at most share what is to be covered, and a cent or two more. */
  #shares(toCover: number, others: readonly Member[]): acts.Wish['asked'][number][] {
    const { random } = this.#simulation;
    const wanted = toCover > 0 ? toCover : random.chance(0.5) ? 5_000 : 0;
    const from = others.slice(0, 3);
    const all = from.reduce((sum, { savings }) => sum + savings, 0);
    if (wanted === 0 || all === 0) return [];
    return from.map(({ person, savings }) => ({ person, cents: Math.ceil((wanted * savings) / all) }));
  }

  /** Everybody whose turn it is does their part, until it is paid out, comes to nothing, or is laid down for another day. */
  async #carryOn(loan: Loan): Promise<void> {
    const { random } = this.#simulation;
    for (let stage = 0; stage < STAGES_MAX && loan.expiresAt !== null; stage += 1) {
      if (random.chance(LAID_DOWN)) return;
      if (!(await this.#nextStage(loan))) return;
      // What is with the committee has no day on which it lapses.
      if (loan.state === 'submitted') break;
    }
    for (let voice = 0; voice < 3 && loan.state === 'submitted'; voice += 1) if (!(await this.#review(loan))) return;
    if (loan.state === 'approved') await this.#payOut(loan);
  }

  async #nextStage(loan: Loan): Promise<boolean> {
    if (loan.state === 'approved' || loan.state === 'accepted' || loan.state === 'disbursing') {
      await this.#payOut(loan);
      return false;
    }
    const asked = loan.guarantees.filter(({ state }) => state === 'asked');
    return asked.length > 0 ? this.#answer(loan, asked) : this.#complete(loan);
  }

  /** Guarantors read what is asked, and sign with the codes of their SMS, or say no. */
  async #answer(loan: Loan, asked: readonly Guarantee[]): Promise<boolean> {
    const { random } = this.#simulation;
    for (const guarantee of asked) {
      guarantee.code = '';
      if (!(await this.#call(guarantee.person))) continue;
      if (random.chance(this.#often('refuse a guarantee', 0.08)))
        await this.#do('refuse a guarantee', acts.refuse(this.#simulation, loan, guarantee));
      else if (this.#mayAskCode(guarantee.person)) await this.#askCode(loan, guarantee);
    }
    await this.#settle();
    this.#simulation.books.codesAwaited = [];
    for (const guarantee of asked.filter(({ state, code }) => state === 'asked' && code !== '')) {
      const odd = random.chance(ODD) ? random.pick(['code', 'terms'] as const) : undefined;
      if (odd) await this.#do('sign a guarantee', acts.sign(this.#simulation, loan, guarantee, odd));
      await this.#do('sign a guarantee', acts.sign(this.#simulation, loan, guarantee));
    }
    // Whoever could not sign now may another day.
    return asked.every(({ state }) => state !== 'asked');
  }

  /** Codes to one phone are bounded: the throttles are another harness's matter. */
  #mayAskCode({ phoneCodes, ...person }: Person): boolean {
    const { books, now } = this.#simulation;
    const own = books.loans.flatMap(({ guarantees }) =>
      guarantees.filter((each) => each.person.number === person.number),
    );
    const sent = [...own.flatMap(({ codesAsked }) => codesAsked), ...phoneCodes.map(({ at }) => at)];
    return (
      sent.filter((at) => at > now - HOUR_MS).length < 3 && sent.filter((at) => at > now - 24 * HOUR_MS).length < 9
    );
  }

  async #askCode(loan: Loan, guarantee: Guarantee): Promise<void> {
    const token = guarantee.person.sessions.at(-1)?.token;
    const of = { token, sacco: loan.sacco.id, params: { id: guarantee.id } };
    const read = await this.#simulation.ask({ route: 'readGuaranteeRequest', ...of }, `request ${guarantee.id}`);
    if (!read.ok) return;
    guarantee.hash = read.reply.terms_hash;
    if (this.#simulation.random.chance(ODD / 2))
      await this.#do('ask for a code to sign', acts.askCode(this.#simulation, loan, guarantee, true));
    await this.#do('ask for a code to sign', acts.askCode(this.#simulation, loan, guarantee));
  }

  /** What nobody has done so far is done the sooner: a short run comes to it, too. */
  #often(name: string, seldom: number): number {
    return this.#simulation.fired[`${name} done`] === undefined ? OFTEN : seldom;
  }

  /** The borrower looks whether it is covered: then it is submitted, else somebody else is asked, or it is made smaller. */
  async #complete(loan: Loan): Promise<boolean> {
    const { random, books } = this.#simulation;
    if (!(await this.#call(loan.person))) return false;
    const own = books.memberOf(loan.person, loan.sacco)?.savings ?? 0;
    const signed = loan.guarantees.filter(({ state, isOwn }) => state === 'accepted' && !isOwn);
    if (signed.length > 0 && random.chance(this.#often('drop a guarantor', 0.05))) {
      await this.#do('drop a guarantor', acts.dropGuarantor(this.#simulation, loan, random.pick(signed)));
      return true;
    }
    if (random.chance(this.#often('change an application', loan.state === 'returned' ? 0.4 : 0.05))) {
      const smaller = Math.max(LEAST, Math.floor((loan.amount * 0.9) / 100) * 100);
      await this.#do('change an application', acts.changeApplication(this.#simulation, loan, smaller, loan.months));
      return true;
    }
    if (ownPart(loan, own) !== null || random.chance(ODD)) {
      await this.#do('submit a loan', acts.submit(this.#simulation, loan));
      return loan.state === 'submitted';
    }
    return this.#askAnother(loan, own);
  }

  async #askAnother(loan: Loan, own: number): Promise<boolean> {
    const { books, random } = this.#simulation;
    const member = books.memberOf(loan.person, loan.sacco) as Member;
    const known = loan.guarantees.filter(({ state }) => state === 'accepted').map(({ person }) => person);
    const [other] = this.#guarantorsFor(member, loan.sacco).filter(({ person }) => !known.includes(person));
    const signed = loan.guarantees
      .filter(({ state }) => state === 'accepted')
      .reduce((sum, { amount }) => sum + amount, 0);
    const missing = Math.max(10_00, loan.amount - own - signed);
    const isUnasked = this.#simulation.fired['ask a guarantor done'] === undefined;
    const givesUp = !isUnasked && random.chance(this.#often('withdraw a loan', 0.1));
    if (!other || loan.guarantees.length >= 8 || givesUp) {
      await this.#do('withdraw a loan', acts.withdraw(this.#simulation, loan));
      return false;
    }
    const cents = Math.min(missing, other.savings);
    await this.#do('ask a guarantor', acts.askGuarantor(this.#simulation, loan, other.person, cents));
    const isUntried = books.happened['guarantors asked too often'] === 0;
    if (random.chance(isUntried ? UNTRIED_PESTERS : PESTERS)) await this.#pester(loan, other.person, cents);
    // A short run may come here once: whoever asked then gives up afterwards, so that it comes to both.
    if (isUnasked && this.#simulation.fired['withdraw a loan done'] === undefined) {
      await this.#do('withdraw a loan', acts.withdraw(this.#simulation, loan));
      return false;
    }
    // Who has asked too often today, or somebody who said no, asks another day.
    return loan.guarantees.some(({ state }) => state === 'asked');
  }

  /** For one amount after the other, until no more is asked today. */
  async #pester(loan: Loan, person: Person, most: number): Promise<void> {
    for (let more = 1; more <= PESTERED && most > more * 100; more += 1)
      await this.#do('ask a guarantor', acts.askGuarantor(this.#simulation, loan, person, most - more * 100));
  }

  async #review(loan: Loan): Promise<boolean> {
    const { random } = this.#simulation;
    const isDone = (person: Person) => loan.voices.some((voice) => voice.person === person);
    const isOut = (person: Person) => acts.isInterested(loan, person) || isDone(person);
    const free = this.#officials(loan.sacco, ['credit_committee'], isOut);
    const odd = this.#officials(loan.sacco, ['treasurer', 'chair', 'secretary', 'credit_committee']);
    const isOdd = random.chance(ODD) && odd.length > 0;
    if (free.length === 0 && !isOdd) return false;
    const person = random.pick(isOdd ? odd : free);
    if (!(await this.#call(person))) return false;
    const decision = random.pick([
      'approve',
      'approve',
      'approve',
      'approve',
      'approve',
      'approve',
      'return',
      'reject',
    ] as const);
    const isOther = random.chance(0.05);
    await this.#do('review a loan', acts.review(this.#simulation, loan, person, decision, isOther));
    return true;
  }

  /** The borrower accepts, an official orders, another one checks. */
  async #payOut(loan: Loan): Promise<void> {
    const { random } = this.#simulation;
    const isOut = (person: Person) => acts.isInterested(loan, person);
    if (loan.state === 'approved') {
      if (!(await this.#call(loan.person))) return;
      if (random.chance(ODD)) await this.#do('accept a loan', acts.accept(this.#simulation, loan, true));
      await this.#do('accept a loan', acts.accept(this.#simulation, loan));
    }
    const [orderer] = this.#officials(loan.sacco, acts.PAYERS, isOut);
    if (loan.state === 'accepted' && orderer && (await this.#call(orderer))) {
      if (random.chance(ODD)) await this.#do('order a disbursement', acts.order(this.#simulation, loan, orderer, true));
      await this.#do('order a disbursement', acts.order(this.#simulation, loan, orderer));
    }
    if (loan.state !== 'disbursing' || random.chance(LAID_DOWN)) return;
    const isOrderer = (person: Person) => person === loan.orderedBy || acts.hasSpoken(loan, person);
    const checkers = this.#officials(loan.sacco, acts.PAYERS, (person) => isOut(person) || isOrderer(person));
    if (orderer && random.chance(ODD) && (await this.#call(orderer)))
      await this.#do('check a disbursement', acts.check(this.#simulation, loan, orderer, 'pay'));
    const checker = checkers.length > 0 ? random.pick(checkers) : null;
    if (!checker || !(await this.#call(checker))) return;
    const decision = random.chance(0.08) ? 'refuse' : 'pay';
    await this.#do('check a disbursement', acts.check(this.#simulation, loan, checker, decision));
  }

  async #repay(loan: Loan): Promise<void> {
    const { random } = this.#simulation;
    const guarantor = loan.guarantees.find(mayWantOut);
    // Few loans have a guarantor who stands for them: the first one asks.
    const isFirst = this.#simulation.fired['ask to be replaced done'] === undefined;
    if (guarantor && random.chance(isFirst ? 1 : 0.1) && (await this.#call(guarantor.person)))
      await this.#do('ask to be replaced', acts.wantOut(this.#simulation, loan, guarantor));
    if (!(await this.#call(loan.person))) return;
    if (random.chance(this.#often('have a loan paid by itself', 0.2)))
      await this.#do('have a loan paid by itself', acts.standing(this.#simulation, loan, random.chance(0.8)));
    if (random.chance(this.#often('pay a loan off', 0.05)))
      await this.#do('pay a loan off', acts.payOff(this.#simulation, loan));
    else await this.#do('repay a loan', acts.someRepayment(this.#simulation, loan));
  }
}
