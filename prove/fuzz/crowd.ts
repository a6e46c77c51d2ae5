import { Refusal } from '@ushirika/contract/refusal';
import { endPayer } from '@ushirika/contract/wallet';
import sharp from 'sharp';
import { answerComplaint } from '../../server/domains/complaints/answer-complaint.ts';
import { appealComplaint } from '../../server/domains/complaints/end-complaint.ts';
import { makeComplaint } from '../../server/domains/complaints/make-complaint.ts';
import { openSession } from '../../server/domains/identity/open-session.ts';
import { createPasswords, type Passwords } from '../../server/domains/identity/passwords.ts';
import { createQuickPasswords } from '../../server/domains/identity/test-passwords.ts';
import { hotp, stepOf } from '../../server/domains/identity/totp.rules.ts';
import { setMarketTerms } from '../../server/domains/market/set-market-terms.ts';
import { cancelExit } from '../../server/domains/membership/cancel-exit.ts';
import { propose, refuseProposal } from '../../server/domains/operator/proposals.ts';
import { openOffice } from '../../server/domains/saccos/offices.ts';
import { reinstateSacco } from '../../server/domains/saccos/reinstate-sacco.ts';
import { rejectSacco } from '../../server/domains/saccos/reject-sacco.ts';
import { suspendSacco } from '../../server/domains/saccos/suspend-sacco.ts';
import type { World } from '../../server/world.ts';
import { CALLBACK_SECRET, PASSWORD, type Person, type Product } from '../support/product.ts';
import { raiseCheckOffs } from './check-offs.ts';
import { kindOf, ownKind, type Pools } from './pools.ts';

const DAY_MS = 86_400_000;
/** Those who have shares to sell. */
const TRADERS = ['member', 'neighbour', 'official'] as const;
/** As every market has them at first. */
const MARKET_TERMS = {
  price_mode: 'band',
  floor_percentage: 90,
  ceiling_percentage: 110,
  tick_cents: 100,
  lot: 1,
  fee_basis_points: 50,
  fee_min_cents: 1_000,
  order_days_max: 90,
  trading: 'open',
} as const;
/** `official` chairs each sacco and `secretary` is its second official; `colleague` is a second operator. */
const NAMES = ['member', 'neighbour', 'official', 'secretary', 'operator', 'colleague'] as const;
export const OPERATORS: readonly string[] = ['operator', 'colleague'];

/** The people who ask, with what belongs to them and to nobody else. */
export class Crowd {
  readonly product: Product;
  readonly people: ReadonlyMap<string, Person>;
  /** Somebody of whom nobody has heard: what belongs to them was in no request, so that it may be in no reply. */
  readonly bystander: Person;
  /** Somebody whose account two operators have suspended: it has money, and asks for nothing. */
  readonly suspended: Person;
  readonly saccos: readonly string[];
  /** A sacco that nobody but its founder has to do with. */
  readonly vacant: string;
  readonly #tokens = new Map<string, string>();
  readonly #signedOut = new Set<string>();
  #complaints = 0;
  /** The complaint that nobody but a request of the campaign answers. */
  #toAnswer: string | null = null;
  #newcomers = 0;

  constructor(
    product: Product,
    {
      people,
      bystander,
      suspended,
      saccos,
      vacant,
    }: Pick<Crowd, 'people' | 'bystander' | 'suspended' | 'saccos' | 'vacant'>,
  ) {
    this.product = product;
    this.people = people;
    this.bystander = bystander;
    this.suspended = suspended;
    this.saccos = saccos;
    this.vacant = vacant;
    for (const [name, { token }] of people) this.#tokens.set(name, token);
  }

  /** The token that somebody sends; null for nobody, and one of no session for a stranger. */
  tokenOf(name: string): string | null {
    if (name === 'nobody') return null;
    return this.#tokens.get(name) ?? 'a-token-of-nobody';
  }

  /** Their session was found to have ended: it is opened again before the next request. */
  noteSignedOut(name: string): void {
    if (this.people.has(name)) this.#signedOut.add(name);
  }

  async signInAgain(): Promise<void> {
    // Whom an operator of the campaign suspended goes on: they are few.
    await this.product.database.owner`delete from account_suspensions where user_id <> ${this.suspended.id}`;
    for (const name of this.#signedOut) {
      const { id } = this.people.get(name) as Person;
      const origin = { address: '127.0.0.1', userAgent: 'fuzz' };
      const { token } = await this.product.database.transaction((tx) =>
        openSession(tx, { userId: id, origin, hasSecondFactor: true }),
      );
      this.#tokens.set(name, token);
    }
    this.#signedOut.clear();
  }

  /** The account that stays suspended: an operator of the campaign may have lifted it. */
  async suspendAgain(): Promise<void> {
    const { owner, world } = this.product.database;
    const [first, second] = OPERATORS.map((name) => (this.people.get(name) as Person).id);
    const now = world.now();
    await owner`
      insert into account_suspensions (id, user_id, suspended_by, suspended_at, reason, lapses_at, upheld_by, upheld_at, upheld_reason)
      values (gen_random_uuid(), ${this.suspended.id}, ${first as string}, ${now}, 'For the campaign.',
              ${new Date(now.getTime() + DAY_MS)}, ${second as string}, ${now}, 'For the campaign.')
      on conflict (user_id) where ended_at is null do nothing`;
  }

  /** Saccos that the operators of a long run have suspended are reinstated, and may be suspended again at once. */
  async reopenSaccos(): Promise<void> {
    const { database } = this.product;
    const { id: userId } = this.people.get('operator') as Person;
    const suspended = await database.owner<{ id: string }[]>`
      select id::text from saccos where state = 'suspended' and id = any(${[...this.saccos, this.vacant]}::uuid[])`;
    for (const { id: saccoId } of suspended) {
      await database.transaction((tx) => reinstateSacco(tx, { userId }, { saccoId, reason: 'For the next round.' }));
    }
    await database.owner`delete from sacco_suspensions where ended_at is not null`;
  }

  /** One operator suspends a sacco that nobody is a member of, and proposes to reinstate it: the other one may uphold or confirm it. */
  async proposeToColleague(pools: Pools): Promise<void> {
    const { owner, transaction } = this.product.database;
    const operator = { userId: (this.people.get('operator') as Person).id };
    const [about, reason] = [{ saccoId: this.vacant }, 'For the other operator.'];
    const open = await owner<{ id: string; proposed_by: string }[]>`
      select id, proposed_by from operator_proposals where about_id = ${this.vacant} and state = 'proposed'`;
    // Only who proposed something about a sacco takes it back.
    for (const { id: proposalId, proposed_by: userId } of open) {
      await unlessRefused(transaction((tx) => refuseProposal(tx, { userId }, { proposalId, reason })));
    }
    // One operator alone keeps three suspended: those of the campaign are upheld.
    const [now, colleague] = [this.product.database.now(), (this.people.get('colleague') as Person).id];
    await owner`
      update sacco_suspensions set upheld_by = ${colleague}, upheld_at = ${now}, upheld_reason = ${reason}
      where suspended_by = ${operator.userId} and ended_at is null and upheld_by is null and lapses_at > ${now} and sacco_id <> ${this.vacant}`;
    await unlessRefused(transaction((tx) => suspendSacco(tx, operator, { ...about, reason })));
    const proposal = await transaction((tx) =>
      propose(tx, operator, { kind: 'sacco_reinstatement', aboutId: this.vacant, reason }),
    );
    pools.ready('upholdSaccoSuspension', 'colleague', { sacco: this.vacant });
    pools.ready('confirmProposal', 'colleague', { proposal });
  }

  /**
   * Who has given notice stays, markets that officials have narrowed down are as they were, and there are offers again, and check-offs:
   * else nothing would be bought any more.
   */
  async reopenMarkets(pools: Pools): Promise<void> {
    const { database } = this.product;
    const idOf = (name: string) => (this.people.get(name) as Person).id;
    const official = { userId: idOf('official') };
    for (const saccoId of this.saccos) {
      for (const name of TRADERS) {
        await unlessRefused(database.transaction((tx) => cancelExit(tx, { userId: idOf(name) }, { saccoId })));
      }
      await unlessRefused(database.transaction((tx) => setMarketTerms(tx, official, { saccoId, terms: MARKET_TERMS })));
    }
    await offerShares(this, pools);
    await raiseCheckOffs(this, pools);
  }

  /**
   * Some complaints come to the operators, by an answer and an appeal, and have a picture: hardly one would otherwise be left when an
   * operator decides, or have come with a picture. One is left for an official to answer.
   */
  async bringComplaintsToOperators(pools: Pools): Promise<void> {
    const { owner, transaction } = this.product.database;
    await this.#complain(pools);
    const open = await owner<{ id: string; sacco: string; by: string }[]>`
      select id, sacco_id as sacco, complainer_id as by from complaints where state = 'open' and id is distinct from ${this.#toAnswer}::uuid order by random()
      limit greatest(1, 5 - (select count(*) from complaints where state = 'with_operator'))`;
    const answer = { text: 'We have looked at it and found nothing wrong.', isFinal: true };
    for (const [place, { id: complaintId, sacco: saccoId, by }] of open.entries()) {
      const officials = ['official', 'secretary'].map((name) => (this.people.get(name) as Person).id);
      const userId = officials.find((each) => each !== by) ?? by;
      await unlessRefused(transaction((tx) => answerComplaint(tx, { userId }, { ...answer, complaintId, saccoId })));
      // The first is left for its member to appeal.
      const name = NAMES.find((each) => this.people.get(each)?.id === by);
      if (place === 0 && name !== undefined) {
        pools.ready('appealComplaint', name, { complaint: complaintId });
        continue;
      }
      const text = 'Nobody has asked me about it.';
      await unlessRefused(transaction((tx) => appealComplaint(tx, { userId: by }, { complaintId, text })));
    }
    await owner`
      insert into complaint_pictures (complaint_id, webp, created_at)
      select c.id, p.webp, p.created_at
      from complaints c cross join (select webp, created_at from complaint_pictures limit 1) p
      where c.escalated_at is not null and not exists (select from complaint_pictures own where own.complaint_id = c.id)`;
  }

  /** A complaint of a member waits for an official: a new one once the last is answered. */
  async #complain(pools: Pools): Promise<void> {
    const { owner, transaction } = this.product.database;
    const saccoId = this.saccos[0] as string;
    const [waiting] = await owner`select from complaints where id = ${this.#toAnswer}::uuid and state = 'open'`;
    if (!waiting) {
      this.#complaints += 1;
      const { id: userId } = this.people.get(this.#complaints % 2 === 0 ? 'member' : 'neighbour') as Person;
      const text = `The fee was taken from my wallet twice, for the ${this.#complaints}. time.`;
      const picture = await sharp({ create: { width: 8, height: 8, channels: 3, background: '#fff' } })
        .webp()
        .toBuffer();
      const complaint = { saccoId, kind: 'other', text, aboutOffice: null, picture } as const;
      this.#toAnswer = await unlessRefused(transaction((tx) => makeComplaint(tx, { userId }, complaint)));
    }
    if (this.#toAnswer === null) return;
    for (const name of ['official', 'secretary'])
      for (const route of ['answerComplaint', 'readSaccoComplaintPicture'])
        pools.ready(route, name, { sacco: saccoId, complaint: this.#toAnswer });
  }

  /** Of the applications that wait the oldest of each founder but one are rejected: the founder may submit one again, or another. */
  async rejectApplications(pools: Pools): Promise<void> {
    const { owner, transaction } = this.product.database;
    const waiting = await owner<{ id: string; by: string }[]>`
      select id, created_by as by from (
        select id, created_by, row_number() over (partition by created_by order by id desc) as place
        from saccos where state = 'pending') each
      where place > 1`;
    for (const { id: saccoId, by } of waiting) {
      const userId = OPERATORS.map((name) => (this.people.get(name) as Person).id).find((each) => each !== by);
      const input = { saccoId, reason: 'The papers are not complete.' };
      await unlessRefused(transaction((tx) => rejectSacco(tx, { userId: userId as string }, input)));
    }
    const operator = (this.people.get('operator') as Person).id;
    const [left] = await owner<{ id: string }[]>`
      select id from saccos where state = 'pending' and created_by <> ${operator} order by id desc limit 1`;
    if (left) pools.ready('rejectSacco', 'operator', { sacco: left.id });
    const rejected = await owner<{ id: string; by: string }[]>`
      select distinct on (created_by) id, created_by as by from saccos where state = 'rejected' order by created_by, id desc`;
    for (const { id, by } of rejected) {
      const name = NAMES.find((each) => this.people.get(each)?.id === by);
      if (name !== undefined) pools.ready('resubmitSacco', name, { sacco: id });
    }
  }

  /** As a day of quiet does: guesses that are never forgotten would soon keep everybody's right codes from being judged. */
  async forgetAttempts(): Promise<void> {
    await this.product.database.owner`delete from throttles`;
    // Whose phone or password was changed trades nothing for a day, and the campaign takes an hour or two.
    await this.product.database.owner`update users set payout_held_until = null where payout_held_until is not null`;
  }

  /**
   * Codes go out anew, and are read: a day after the last ones, since few are sent in a day. The neighbour forgot the password,
   * and each member wants to be paid for from another's phone.
   */
  async askForCodes(pools: Pools): Promise<void> {
    const { owner } = this.product.database;
    await this.forgetAttempts();
    for (const table of ['sms_messages', 'prompt_consents', 'reset_codes']) {
      await owner`update ${owner(table)} set created_at = created_at - interval '1 day'`;
    }
    // As if everybody had just entered the password.
    await owner`update sessions set proven_at = ${this.product.database.now()} where ended_at is null`;
    await this.forgetPassword();
    // The campaign may have left one or the other without a confirmed phone.
    for (const [index, name] of TRADERS.entries()) {
      const { phone } = this.people.get(TRADERS[(index + 1) % TRADERS.length] as string) as Person;
      const token = this.tokenOf(name) ?? '';
      await this.product.call('POST', '/integrations/mpesa/payers', { token, body: { phone } });
    }
    await this.#useApp(pools);
    this.#comeAnew(pools);
    await this.product.runJobs();
    await this.readPhones(pools);
    const agreed = await owner<{ id: string }[]>`
      select id::text from prompt_consents where given_at is not null and ended_at is null`;
    for (const { id } of agreed) pools.add(kindOf(endPayer, 'params', 'id'), id);
  }

  /** Somebody whom nobody knows may register. */
  #comeAnew(pools: Pools): void {
    // Another one each time: somebody of the campaign may have taken the phone that was made ready before.
    this.#newcomers += 1;
    const number = 5_000_000 + this.#newcomers;
    const newcomer = {
      ...{ phone_number: `25471${number}`, id_number: `4${number}`, email: `new${number}@example.com` },
      ...{ user_type: 'client', first_name: 'Neema', last_name: 'Wekesa', password: PASSWORD },
    };
    // Whoever is signed in may sign somebody up too, and asks far more often.
    for (const name of ['nobody', ...this.people.keys()]) pools.ready('register', name, newcomer);
  }

  /** Somebody has an authenticator app, and the password that they had at first. */
  async #useApp(pools: Pools): Promise<void> {
    const { database, call } = this.product;
    const { id } = this.people.get('official') as Person;
    const hash = await createQuickPasswords().hash(PASSWORD);
    await database.owner`update users set password_hash = ${hash} where id = ${id}`;
    const [on] = await database.owner`select from second_factors where user_id = ${id} and state = 'on'`;
    if (on) return;
    const token = this.tokenOf('official') ?? '';
    const enrolled = await call('POST', '/client/second-factor', { token, body: { current_password: PASSWORD } });
    if (enrolled.status >= 300) return;
    const { secret } = enrolled.body;
    const otp = codeOf(secret, stepOf(database.now()));
    const { status } = await call('POST', '/client/second-factor/confirmation', { token, body: { otp } });
    if (status < 300) pools.replace(ownKind('secret', 'official'), [secret]);
  }

  /** The neighbour asks for a reset code, which the next jobs send. */
  async forgetPassword(): Promise<void> {
    const { id } = this.people.get('neighbour') as Person;
    // By then the campaign may have given them another number or phone.
    const [now] = await this.product.database.owner<{ id_number: string; phone_number: string }[]>`
      select id_number, recovery_phone as phone_number from users where id = ${id}`;
    await this.product.call('POST', '/auth/forgot-password/', { body: { ...now } });
  }

  /**
   * What people read from their phones: the codes of the latest messages, and what their authenticator apps show now for the
   * secrets that replies gave. Each has their own at hand, and may come by another's.
   */
  async readPhones(pools: Pools): Promise<void> {
    const { owner, world } = this.product.database;
    // A code to another's phone lives for ten minutes: its SMS does not wait for the jobs of the campaign.
    const asked = await owner`
      select from prompt_consents where given_at is null and created_at > ${new Date(world.now().getTime() - 60_000)}`;
    if (asked.length > 0) await this.product.runJobs();
    const messages = await owner<{ phone: string; text: string; reader: string | null }[]>`
      select phone, text, u.id::text as reader
      from (select phone, text, sent_at, id from simulator.message order by sent_at desc, id desc limit 12) latest
      left join users u using (phone) order by sent_at desc, latest.id desc`;
    const step = stepOf(world.now());
    const shown: string[] = [];
    for (const [name, { id }] of this.people) {
      const own = pools.all(ownKind('secret', name)).flatMap((secret) => codeOf(String(secret), step) ?? []);
      pools.replace(ownKind('otp', name), own);
      shown.push(...own);
      const sent = messages.filter(({ reader }) => reader === id).flatMap(codesIn);
      pools.replace(ownKind('code', name), sent);
      pools.replace(ownKind('reset_code', name), sent);
    }
    pools.replace('otp', shown);
    for (const code of messages.flatMap(codesIn)) {
      pools.add('reset_code', code);
      pools.add('code', code);
    }
    await this.#handOverCodes(pools, messages);
  }

  /** Who was asked for a code by another's wallet reads it out to its owner, who knows which phone it came to. */
  async #handOverCodes(pools: Pools, messages: readonly { phone: string; text: string }[]): Promise<void> {
    const asked = await this.product.database.owner<{ user_id: string; phone: string }[]>`
      select distinct on (user_id) user_id::text, phone from prompt_consents
      where given_at is null order by user_id, created_at desc`;
    for (const { user_id: id, phone } of asked) {
      const name = [...this.people].find(([, person]) => person.id === id)?.[0];
      const code = messages.filter((message) => message.phone === phone).flatMap(payerCodesIn)[0];
      if (name === undefined || code === undefined) continue;
      pools.replace(ownKind('code', name), [code]);
      pools.replace(ownKind('phone', name), [phone]);
    }
  }

  /** What is written in a request for what only this run has, so that the request can be had again in another. */
  names(): [string, string][] {
    const ofPeople = [...this.people].flatMap(([name, { id, idNumber, phone, email, token }]): [string, string][] => [
      [`{{${name}.id}}`, id],
      [`{{${name}.idNumber}}`, idNumber],
      [`{{${name}.phone}}`, phone],
      [`{{${name}.email}}`, email],
      [`{{${name}.token}}`, token],
    ]);
    return [
      ['{{secret}}', CALLBACK_SECRET],
      ...ofPeople,
      ...this.saccos.map((id, index): [string, string] => [`{{sacco${index}}}`, id]),
    ];
  }
}

function codesIn({ text }: { readonly text: string }): string[] {
  return [...text.matchAll(/\b[0-9A-Z]{4}-[0-9A-Z]{4}\b|\b\d{6}\b/g)].map(([code]) => code);
}

const payerCodesIn = ({ text }: { readonly text: string }): string[] => text.match(/\b\d{4} \d{4}\b/g) ?? [];

/** The code that an app shows for a base32 secret; null for what is none. */
function codeOf(secret: string, step: number): string | null {
  if (!/^[A-Z2-7]{16,}$/.test(secret)) return null;
  const bits = [...secret]
    .map((letter) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0'))
    .join('');
  const bytes = bits.match(/.{8}/g)?.map((byte) => Number.parseInt(byte, 2)) ?? [];
  return hotp(Buffer.from(bytes), step);
}

/** Six people, three saccos in which they stand differently, and money. */
export async function gather(product: Product, pools: Pools): Promise<Crowd> {
  const { saccos, database } = product;
  const people = new Map<string, Person>();
  const bystander = await product.person('Bystander');
  const suspended = await product.person('Suspended');
  for (const name of NAMES) {
    const isOperator = OPERATORS.includes(name);
    people.set(name, isOperator ? await product.operator(`Canary${name}`) : await product.person(`Canary${name}`));
  }
  const [member, neighbour, official, secretary, operator] = NAMES.map((name) => people.get(name) as Person) as [
    Person,
    Person,
    Person,
    Person,
    Person,
  ];
  const made: string[] = [];
  for (let count = 0; count < 3; count += 1) {
    const saccoId = await saccos.sacco(official.id, operator.id);
    const named = { saccoId, userId: secretary.id, office: 'secretary' } as const;
    await database.transaction((tx) => openOffice(tx, { userId: official.id }, named));
    // Checks what the chair lists.
    await database.transaction((tx) => openOffice(tx, { userId: official.id }, { ...named, office: 'vice_chair' }));
    made.push(saccoId);
  }
  const longAgo = new Date(database.now().getTime() - 200 * DAY_MS);
  for (const sacco of made) await saccos.join(sacco, bystander.id, longAgo);
  for (const sacco of made.slice(0, 2)) await saccos.join(sacco, member.id, longAgo);
  for (const sacco of made.slice(1)) await saccos.join(sacco, neighbour.id, longAgo);
  await saccos.join(made[0] as string, neighbour.id);
  await saccos.join(made[0] as string, official.id);
  for (const person of [bystander, suspended, ...people.values()]) {
    await saccos.fund(person.id, 50_000_000_00);
    await product.confirmPhone(person);
  }
  // Else a logo is only there where a founder of the campaign asks for that of their own sacco.
  await database.owner`
    insert into sacco_logos (sacco_id, webp, created_at)
    select id, convert_to('a picture of a sacco', 'UTF8'), ${longAgo} from saccos where id = any (${made}::uuid[])`;
  const vacant = await saccos.sacco(official.id, operator.id);
  const crowd = new Crowd(product, { people, bystander, suspended, saccos: made, vacant });
  await crowd.suspendAgain();
  fill(pools, crowd);
  await openMarkets(crowd, pools);
  await raiseCheckOffs(crowd, pools);
  return crowd;
}

/** All have shares to sell, and money to buy with; and offers stand in every market. */
async function openMarkets(crowd: Crowd, pools: Pools): Promise<void> {
  const members = [['member', 'neighbour', 'official'], ['member', 'neighbour'], ['neighbour']];
  for (const [index, names] of members.entries()) {
    for (const name of names) {
      const body = { sacco: crowd.saccos[index], shares: 5_000, amount: 500_000 };
      const as = crowd.people.get(name) as Person;
      const { status, text } = await crowd.product.call('POST', '/sacco/members/pay_shares_amount', { as, body });
      if (status >= 300) throw new Error(`The markets could not be opened: ${text}`);
    }
  }
  await offerShares(crowd, pools);
}

/** Each offers some shares of every sacco that they are a member of, at prices of their own. */
async function offerShares(crowd: Crowd, pools: Pools): Promise<void> {
  const offers: string[] = [];
  for (const sacco of crowd.saccos) {
    for (const [index, name] of TRADERS.entries()) {
      const body = { sacco, side: 'sell', shares: 100, price: 103 + index };
      const token = crowd.tokenOf(name) ?? '';
      // Who is no member there, or has offered all already, offers nothing more.
      const { status, body: placed } = await crowd.product.call('POST', '/sacco/order-book-items', { token, body });
      if (status < 300) offers.push(placed.order.id);
    }
  }
  if (offers.length > 0) pools.keepOnly('order', offers);
}

/** Null where it was refused. */
async function unlessRefused<T>(act: Promise<T>): Promise<T | null> {
  try {
    return await act;
  } catch (error) {
    if (error instanceof Refusal) return null;
    throw error;
  }
}

/** What a client knows before it asks anything, and what it types. */
function fill(pools: Pools, crowd: Crowd): void {
  const { idNumber: hidden, phone: silent, email: unread, token: unused } = crowd.bystander;
  pools.shun([hidden, silent, unread, unused]);
  for (const sacco of crowd.saccos) pools.keep('sacco', sacco);
  for (const { id, idNumber, phone, email, token } of crowd.people.values()) {
    for (const kind of ['user', 'member', 'created_by']) pools.keep(kind, id);
    for (const kind of ['phone', 'phone_number', 'payer_phone']) pools.keep(kind, phone);
    pools.keep('id_number', idNumber);
    pools.keep('email', email);
    pools.add('token', token);
    pools.add('id', id);
  }
  pools.keep('people', crowd.suspended.id);
  for (const kind of ['password', 'current_password']) pools.keep(kind, PASSWORD);
  pools.keep('secret', CALLBACK_SECRET);
  pools.keep('user_type', 'client');
  pools.keep('employer', 'County of Nakuru');
  // A line of a check-off, at an amount that is often asked for: the neighbour is a member of every sacco.
  pools.keep('list_text', `${crowd.people.get('neighbour')?.phone},150`);
  // The terms of `TERMS` in test-saccos.ts, and twenty shares at them.
  for (const [kind, value] of Object.entries({
    reg_fee: 500,
    total: 500,
    min_share: 10,
    share_value: 100,
    share: 20,
  })) {
    pools.keep(kind, value);
  }
  for (const amount of [2_000, 10, 150]) pools.keep('amount', amount);
  // Prices within the band of every market: some trade at once, some wait.
  for (const price of [95, 100, 103, 105]) pools.keep('price', price);
}

/** Real hashes one time in twenty: how long they take is another harness's business. */
export function mostlyQuickPasswords(world: World): Passwords {
  const real = createPasswords({ world, atOnceMax: 2, waitingMax: 100 });
  const quick = createQuickPasswords();
  let begun = 0;
  const next = () => {
    begun += 1;
    return begun % 20 === 0 ? real : quick;
  };
  return {
    hash: (password) => next().hash(password),
    verify: (password, encoded) => {
      begun += 1;
      return (encoded?.startsWith('$argon2id$v=') ? real : quick).verify(password, encoded);
    },
    hashCode: (code) => next().hashCode(code),
    begun: () => begun,
  };
}
