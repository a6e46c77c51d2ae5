import { openSession } from '../../server/domains/identity/open-session.ts';
import type { LoanRow } from '../../server/domains/loans/loan-rows.ts';
import { endApplications } from '../../server/domains/loans/pledges.ts';
import { testLateLoans } from '../../server/domains/loans/test-late-loans.ts';
import { changeState } from '../../server/domains/saccos/change-state.ts';
import { lockSacco } from '../../server/domains/saccos/lock-sacco.ts';
import { openOffice } from '../../server/domains/saccos/offices.ts';
import { depositSavings } from '../../server/domains/savings/deposit-savings.ts';
import type { Person } from '../support/product.ts';
import { applications } from './applications.ts';
import type { Crowd } from './crowd.ts';
import { employersLists } from './employers-lists.ts';
import { lateLoans } from './late-loans.ts';
import { asked, CROWD, daysAgo, type Hand, HELPERS, type Lending, type Name, type Signature } from './lenders.ts';
import { openPool, pooledLoans, poolRequests } from './pool-guarantees.ts';
import type { Pools } from './pools.ts';
import { votes } from './votes.ts';

const DAY_MS = 86_400_000;
/** In cents, of which everybody saves a part. */
const FUNDS = 2_000_000_00;
const SAVED = 200_000_00;
const SHARES = 500;
const SHARE_VALUE = 100;
/** So that a loan may be asked for, and others be pledged for, from the day on which it is made. */
const MEMBER_DAYS = 200;
/** `official` chairs each sacco already. Guarantors hold no office. */
const OFFICES = [
  ['official', 'credit_committee'],
  ['secretary', 'secretary'],
  ['secretary', 'treasurer'],
  ['secretary', 'supervisory_committee'],
  ['one', 'credit_committee'],
  ['two', 'credit_committee'],
  ['two', 'manager'],
  ['two', 'supervisory_committee'],
  // Checks payouts, also where another official borrows.
  ['three', 'vice_chair'],
] as const;
const MEMBERS = ['member', 'neighbour', 'official', 'guest', 'backer', 'saver'] as const;

/**
 * Loans, guarantees of pools and votes in every state that a route starts from, made anew in two saccos of their own each time. `pools` is
 * told, for each route, what goes together in a request of whom.
 */
export class LendingDesk {
  readonly #crowd: Crowd;
  readonly #pools: Pools;
  readonly #helpers = new Map<string, Person>();
  #signatures: readonly Signature[] = [];
  #last: Lending | null = null;

  constructor(crowd: Crowd, pools: Pools) {
    this.#crowd = crowd;
    this.#pools = pools;
  }

  /** Makes all of it once more: what was made before is used up, or time has moved it on. */
  async renew(): Promise<void> {
    this.#pools.forgetReady();
    const last = this.#last;
    // Where its end fails, the next turn does without it.
    this.#last = null;
    if (last) await this.#end(last);
    const lending = await this.#open();
    this.#last = lending;
    const pool = await openPool(lending, 'official');
    await lateLoans(lending, await pooledLoans(lending, pool));
    await employersLists(lending);
    await votes(lending);
    this.#signatures = [...(await applications(lending)), ...(await poolRequests(lending, pool))];
    await this.askForCodes();
  }

  /** Codes of ten minutes, which those who sign read from their phones. The last ones are of another day: few are sent in one. */
  async askForCodes(): Promise<void> {
    const { database, call } = this.#crowd.product;
    for (const table of ['loan_guarantee_codes', 'pool_codes']) {
      await database.owner`update ${database.owner(table)} set created_at = created_at - interval '1 day'`;
    }
    for (const { route, as, template, path, values, ...sent } of this.#signatures) {
      const { id, token } = await this.#handOf(as);
      const { status } = await call('POST', path, { token, ...sent });
      // The campaign may have answered it, or taken it back.
      if (status >= 300) continue;
      const [sms] = await database.owner<{ text: string }[]>`
        select text from sms_messages where user_id = ${id} and template = ${template}
        order by created_at desc, id desc limit 1`;
      const code = /\d{4} \d{4}/.exec(sms?.text ?? '')?.[0];
      if (code !== undefined) this.#pools.ready(route, as, { ...values, code });
    }
  }

  async #open(): Promise<Lending> {
    const { product } = this.#crowd;
    const { database } = product;
    await this.#comeBack();
    const hands: Partial<Record<Name, Hand>> = {};
    for (const name of [...CROWD, ...HELPERS]) hands[name] = await this.#handOf(name);
    const operator = (this.#crowd.people.get('operator') as Person).id;
    const open = () =>
      product.saccos.sacco(this.#personOf('official').id, operator, {
        name: `Lending ${database.newId()}`,
        regNo: `L/${database.newId().slice(-12)}`,
      });
    const lending: Lending = {
      ...{ crowd: this.#crowd, pools: this.#pools, hands: hands as Lending['hands'] },
      ...{ late: testLateLoans(database), sacco: await open(), lateSacco: await open() },
    };
    for (const sacco of [lending.sacco, lending.lateSacco]) {
      await settle(lending, sacco);
      this.#pools.add('sacco', sacco);
    }
    return lending;
  }

  /** Those who make it are as they were at first: no money of theirs is held, and their phones and cards are known. */
  async #comeBack(): Promise<void> {
    const { product, people } = this.#crowd;
    // Others each time: nobody may guarantee more than a few loans.
    for (const name of HELPERS) this.#helpers.set(name, await product.person(`Lending${name}`));
    for (const name of [...CROWD, ...HELPERS]) await product.saccos.fund(this.#personOf(name).id, FUNDS);
    const { database } = product;
    await this.#rejectWaitingSaccos();
    // A phone gets so much news a day, and a loan goes on once its notice has been sent: those of the last time are of another day.
    await database.owner`update sms_messages set created_at = created_at - interval '1 day'`;
    await database.owner`delete from sms_days`;
    const now = database.now();
    // An official sees a candidate's card before the election is published.
    const seenAt = new Date(now.getTime() - MEMBER_DAYS * DAY_MS);
    const ids = [...CROWD, ...HELPERS].map((name) => this.#personOf(name).id);
    // Whoever has taken over another's phone in the campaign is not that one: officials decide about loans of others alone.
    await database.owner`delete from referral_traces where user_id = any (${ids}::uuid[])`;
    // A phone that somebody else took over in the campaign is theirs: its former owner gets a new one.
    await database.owner`
      update users u set phone = '25479' || lpad((('x' || left(md5(u.id::text || u.phone), 6))::bit(24)::integer % 10000000)::text, 7, '0')
      where u.id = any (${ids}::uuid[]) and u.phone_confirmed_at is null and exists (
        select from users other where other.phone = u.phone and other.id <> u.id
          and (other.phone_confirmed_at is not null or other.id = any (${ids}::uuid[]) and other.id < u.id))`;
    await database.owner`
      update users set payout_held_until = null, phone_confirmed_at = coalesce(phone_confirmed_at, ${now})
      where id = any (${ids}::uuid[])`;
    await database.owner`
      insert into identity_checks (id, user_id, seen_by, sacco_id, document, seen_at)
      select gen_random_uuid(), id, ${(people.get('operator') as Person).id}, null, 'national_id', ${seenAt}
      from unnest(${ids}::uuid[]) as each (id) on conflict do nothing`;
  }

  /** A founder of five saccos that wait for their activation registers no other, and the campaign may have registered so many. */
  async #rejectWaitingSaccos(): Promise<void> {
    const { database } = this.#crowd.product;
    const waiting = await database.owner<{ id: string }[]>`
      select id from saccos where created_by = ${this.#personOf('official').id} and state = 'pending'`;
    for (const { id } of waiting) {
      await database.transaction(async (tx) =>
        changeState(
          tx,
          // The platform: an operator rejects a sacco once.
          { userId: null },
          { sacco: await lockSacco(tx, id), to: 'rejected', reason: 'Its campaign is over.' },
        ),
      );
    }
  }

  /** Applications that are left come to nothing, and what `neighbour` guarantees is paid off: nobody may guarantee more than a few loans. */
  async #end({ crowd, sacco, hands: { neighbour } }: Lending): Promise<void> {
    const { database, call } = crowd.product;
    await database.transaction(async (tx) => {
      const left = await tx.sql<LoanRow[]>`
        select * from loans where sacco_id = ${sacco} and disbursed_at is null and expires_at is not null for update`;
      await endApplications(tx, left, { state: 'withdrawn', byId: null });
    });
    const { token } = await this.#handOf('member');
    const owed = await database.owner<{ id: string }[]>`
      select l.id::text from loans l join loan_guarantees g on g.loan_id = l.id
      where l.sacco_id = ${sacco} and l.state = 'active' and g.guarantor_id = ${neighbour.id} and g.state = 'live'`;
    for (const { id } of owed) {
      const { body } = await call('GET', `/loans/${id}/payoff`, { token, sacco });
      await call('POST', `/loans/${id}/payoff`, { token, sacco, key: database.newId(), body: { amount: body.amount } });
    }
  }

  #personOf(name: string): Person {
    return (this.#crowd.people.get(name) ?? this.#helpers.get(name)) as Person;
  }

  async #handOf(name: Name): Promise<Hand> {
    const { database } = this.#crowd.product;
    const { id } = this.#personOf(name);
    const origin = { address: '127.0.0.1', userAgent: 'fuzz' };
    return database.transaction(async (tx) => {
      const { token } = await openSession(tx, { userId: id, origin, hasSecondFactor: true });
      const [session] = await tx.sql<{ id: string }[]>`
        select id from sessions where user_id = ${id} order by created_at desc, id desc limit 1`;
      return { id, token, sessionId: session?.id ?? '' };
    });
  }
}

/** Members of long standing with shares and savings, and officials for every step. */
async function settle(lending: Lending, sacco: string): Promise<void> {
  const { crowd, hands, late } = lending;
  const { database } = crowd.product;
  for (const [name, office] of OFFICES) {
    const named = { saccoId: sacco, userId: hands[name].id, office };
    await database.transaction((tx) => openOffice(tx, { userId: hands.official.id }, named));
  }
  const joinedAt = new Date(database.now().getTime() - (MEMBER_DAYS + 1) * DAY_MS);
  for (const name of MEMBERS) {
    await late.saccos.join(sacco, hands[name].id, joinedAt);
    // Full rights, where somebody is to borrow by asking for it.
    if (sacco === lending.lateSacco) continue;
    const body = { sacco, shares: SHARES, amount: SHARES * SHARE_VALUE };
    await asked(lending, hands[name], ['POST', '/sacco/members/pay_shares_amount'], { body });
  }
  // Of `neighbour` there is nothing to take where the loans are late: so the guarantors have to pay.
  const savers = MEMBERS.filter((name) => sacco === lending.sacco || name !== 'neighbour');
  const deposits = savers.map((name) => ({ userId: hands[name].id, saccoId: sacco, amountCents: SAVED }));
  await daysAgo(lending, MEMBER_DAYS, () => database.transaction((tx) => depositSavings(tx, deposits)));
}
