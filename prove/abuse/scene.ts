import { inSuspense } from '../../server/domains/operator/test-operators.ts';
import { openOffice } from '../../server/domains/saccos/offices.ts';
import { type Answer, jobRunner, PASSWORD, type Person, type Product, type Sent } from '../support/product.ts';

/** A person of a story, at an address of their own: limits by address must not be what saves the victim. */
export interface Actor extends Person {
  readonly address: string;
}

export interface SaccoOfStory {
  readonly id: string;
  readonly chair: Actor;
  readonly treasurer: Actor;
}

/** What a story is played with. Money is in shillings. */
export interface Scene {
  readonly product: Product;
  /** Somebody who has registered and confirmed their phone; `shillings` are in the wallet. */
  person(name: string, shillings?: number): Promise<Actor>;
  /** As `person`, with a phone that nobody confirmed. */
  newcomer(name: string): Promise<Actor>;
  operator(name?: string): Promise<Actor>;
  /** An active sacco (fee 500, shares of 100, at least 10) with two officials, who are its members, 10 shares each. */
  sacco(): Promise<SaccoOfStory>;
  /** Joins, and buys so many shares from the sacco itself; the money is given. */
  member(person: Actor, sacco: SaccoOfStory, shares: number): Promise<void>;
  /** Asks the API as somebody; a refusal is an answer like any other. */
  ask(person: Actor | null, method: string, path: string, body?: unknown, sent?: Sent): Promise<Answer>;
  /** As `ask`, for what has to succeed for the story to be told at all. */
  does(person: Actor, method: string, path: string, body?: unknown, sent?: Sent): Promise<Answer>;
  /** Money that somebody paid from this phone, and nobody could be credited with: the exception's id. */
  inSuspense(phone: string, shillings: number): Promise<string>;
  /** A new session of the same person: those of before may have died of age. */
  signedIn(person: Actor): Promise<Actor>;
  /** Somebody sets the password with the code that comes to their own phone. What is theirs cannot leave for a day then. */
  setsPassword(person: Actor): Promise<void>;
  /** Somebody pays the paybill by hand from a phone, typing this account. */
  paysByHand(phone: string, shillings: number, account: string): Promise<string>;
  /** The M-Pesa prompts that a phone has had, newest first. */
  promptsOn(phone: string): Promise<{ id: string; status: string; amount: number }[]>;
  answersPrompt(id: string, action: 'approve' | 'cancel'): Promise<void>;
  /** The SMS that a phone has had, newest first. */
  textsTo(phone: string): Promise<string[]>;
  /** What a wallet has available, in shillings. */
  wallet(person: Actor): Promise<number>;
  /** The clock moves on, and what was due is done: jobs, M-Pesa's results, sweepers. */
  later(minutes: number): Promise<void>;
  /** What must not have happened, as a sentence that is true if it did. */
  mustNot(happened: boolean, sentence: string): void;
}

/** The jobs that run by the clock. */
const SWEEPERS = ['sweep_deposits', 'sweep_withdrawals', 'sweep_claims', 'read_payment_list', 'sweep_proposals'];
const STEP_MINUTES = 30;
const TERMS = { reg_fee: 500, min_shares: 10, share_value: 100 };

type Judge = Pick<Scene, 'mustNot'>;
type Requests = Pick<Scene, 'ask' | 'does'>;

/** Opens the scene of one story on a product that others share; `judge` hears what must not have happened. */
export function openScene(product: Product, judge: Judge): Scene & { close(): Promise<void> } {
  const runner = jobRunner(product.app.tasks, product.database.url, 4);
  const requests = requestsTo(product);
  const settle = settling(product, runner.run);
  const passwords = new Map<string, string>();
  return {
    product,
    ...requests,
    ...peopleOf(product, requests, passwords),
    ...mobileMoneyOf(product, settle),
    async setsPassword(person) {
      const { idNumber, phone } = person;
      const asked = { id_number: idNumber, phone_number: phone };
      await requests.does(person, 'POST', '/auth/forgot-password/', asked);
      // Another text may have been sent in the same second.
      const texts = await mobileMoneyOf(product, settle).textsTo(phone);
      const codes = texts.flatMap((text) => /[0-9A-Z]{4}-[0-9A-Z]{4}/.exec(text) ?? []);
      const [reset_code = ''] = codes;
      const password = `${passwords.get(idNumber) ?? PASSWORD}1`;
      await requests.does(person, 'POST', '/auth/reset-password/', { reset_code, password });
      passwords.set(idNumber, password);
    },
    inSuspense: (phone, shillings) => strayPayment(product, phone, shillings),
    ...judge,
    wallet: async (person) => (await requests.does(person, 'GET', '/client/summary')).body.wallet.available,
    later: laterOf(product, settle),
    close: () => runner.end(),
  };
}

function requestsTo(product: Product): Requests {
  const ask: Scene['ask'] = (person, method, path, body, sent = {}) =>
    product.call(method, path, {
      // Each has a browser of their own, which is known by their address.
      ...(person ? { as: person, address: person.address, browser: person.address } : { address: '10.9.9.9' }),
      ...(body === undefined ? {} : { body }),
      ...sent,
    });
  return {
    ask,
    async does(...asked) {
      const answer = await ask(...asked);
      if (answer.status >= 300) throw new Error(`${asked[1]} ${asked[2]}: ${answer.status} ${answer.text}`);
      return answer;
    },
  };
}

let people = 0;

/** @param passwords of people who have set another one, by ID number */
function peopleOf(product: Product, { does }: Requests, passwords: ReadonlyMap<string, string>) {
  const { database } = product;
  async function newcomer(name: string): Promise<Actor> {
    people += 1;
    const address = `10.${Math.floor(people / 250)}.${people % 250}.7`;
    return { ...(await product.person(name, undefined, address, address)), address };
  }
  async function person(name: string, shillings = 0): Promise<Actor> {
    const made = await newcomer(name);
    await product.confirmPhone(made);
    if (shillings > 0) await product.saccos.fund(made.id, shillings * 100);
    return made;
  }
  async function operator(name = 'Halima'): Promise<Actor> {
    const made = await person(name);
    await product.makeOperator(made);
    return made;
  }
  async function member(of: Actor, { id }: Pick<SaccoOfStory, 'id'>, shares: number): Promise<void> {
    await product.saccos.fund(of.id, (TERMS.reg_fee + shares * TERMS.share_value) * 100);
    await does(of, 'POST', '/sacco/members/join', { sacco: id, ...TERMS, total: TERMS.reg_fee });
    const bought = { sacco: id, shares, amount: shares * TERMS.share_value };
    await does(of, 'POST', '/sacco/members/pay_shares_amount', bought);
  }
  async function sacco(): Promise<SaccoOfStory> {
    const [chair, treasurer, founder] = [await person('Charity'), await person('Teresia'), await operator()];
    const id = await product.saccos.sacco(chair.id, founder.id);
    const named = { saccoId: id, userId: treasurer.id, office: 'treasurer' } as const;
    await database.transaction((tx) => openOffice(tx, { userId: chair.id }, named));
    for (const official of [chair, treasurer]) await member(official, { id }, TERMS.min_shares);
    return { id, chair, treasurer };
  }
  async function signedIn(of: Actor): Promise<Actor> {
    const password = passwords.get(of.idNumber) ?? PASSWORD;
    const body = { id_number: of.idNumber, password, user_type: 'client' };
    const answer = await product.call('POST', '/auth/login/', { body, address: of.address, browser: of.address });
    if (answer.status !== 200) throw new Error(`Signing in: ${answer.status} ${answer.text}`);
    return { ...of, token: answer.body.token };
  }
  return { newcomer, person, operator, member, sacco, signedIn };
}

function mobileMoneyOf(product: Product, settle: () => Promise<void>) {
  return {
    async paysByHand(phone: string, shillings: number, account: string): Promise<string> {
      const body = { phone, amount: shillings, account_reference: account };
      const { body: paid } = await product.call('POST', '//simulator/api/payments', { body });
      await settle();
      return paid.receipt;
    },
    async promptsOn(phone: string) {
      await settle();
      return (await product.call('GET', `//simulator/api/prompts?phone=${phone}`)).body.results;
    },
    async answersPrompt(id: string, action: 'approve' | 'cancel'): Promise<void> {
      await product.call('POST', `//simulator/api/prompts/${id}`, { body: { action } });
      await settle();
    },
    async textsTo(phone: string): Promise<string[]> {
      await settle();
      const { body } = await product.call('GET', `//simulator/api/messages?phone=${phone}`);
      return body.results.map(({ text }: { text: string }) => text);
    },
  };
}

let strayPayments = 0;

function strayPayment({ database }: Product, phone: string, shillings: number): Promise<string> {
  strayPayments += 1;
  const receipt = `SST${String(strayPayments).padStart(7, '0')}`;
  return inSuspense(database, { amountCents: shillings * 100, receipt, phone, claimedBy: null });
}

/** Lets jobs, the simulator and its callbacks run until nothing is left to do at this time. */
function settling({ database, call }: Product, runJobs: () => Promise<void>) {
  return async (): Promise<void> => {
    for (let round = 0; round < 40; round += 1) {
      database.world.advance(501);
      const { body } = await call('POST', '//simulator/__control/tick', { body: {} });
      const [jobs] = await database.owner<{ waiting: number }[]>`
        select count(*)::int as waiting from graphile_worker.jobs where run_at <= now() and locked_at is null`;
      if (!jobs?.waiting && body.sent === 0 && round > 0) return;
      await runJobs();
    }
    throw new Error('It does not come to rest.');
  };
}

function laterOf({ database, app }: Product, settle: () => Promise<void>) {
  return async (minutes: number): Promise<void> => {
    for (let left = minutes; left > 0; left -= STEP_MINUTES) {
      database.world.advance(Math.min(left, STEP_MINUTES) * 60_000);
      await settle();
      for (const task of SWEEPERS) await app.tasks[task]?.({});
      await settle();
    }
  };
}
