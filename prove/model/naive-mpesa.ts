import { createHash } from 'node:crypto';
import type { Daraja, StkPushRequest } from '../../server/gateways/mobile-money/daraja.types.ts';
import { by } from './in-order.ts';
import type { SimulatedWorld } from './simulated-world.ts';

/** What becomes of a prompt. `silent`: M-Pesa never calls back. `lost`: its answer to the push never came. */
export const DEPOSIT_FATES = [
  'paid',
  'paid_twice_told',
  'paid_silent',
  'paid_late',
  'lost_paid',
  'lost_paid_silent',
  'lost_unpaid',
  'cancelled',
  'no_funds',
  'no_answer_silent',
  'busy',
  'forged_success',
  'wrong_amount_told',
] as const;
export type DepositFate = (typeof DEPOSIT_FATES)[number];

export const PAYOUT_FATES = [
  'paid',
  'paid_twice_told',
  'paid_silent',
  'lost_paid',
  'queue_timeout_paid',
  'refused',
  'busy',
  'lost_unpaid',
] as const;
export type PayoutFate = (typeof PAYOUT_FATES)[number];

export interface Payment {
  readonly receipt: string;
  readonly kind: 'prompt' | 'paybill';
  readonly phone: string;
  readonly cents: number;
  readonly account: string;
  readonly at: number;
  readonly conversation: string;
  /** Where the books have it: nowhere yet, in suspense, or in a wallet. */
  booked: 'no' | 'suspense' | 'wallet';
  /** Our reader of M-Pesa's list has come to its end with this payment in it. */
  isListed: boolean;
  /** Somebody was told of it, and said that they have taken it. */
  isTold: boolean;
}

export interface Prompt {
  readonly deposit: string;
  readonly fate: DepositFate;
  readonly checkout: string;
  readonly merchant: string;
  readonly phone: string;
  readonly cents: number;
  readonly account: string;
  readonly decidesAt: number;
  payment: Payment | null;
}

export interface Payout {
  readonly id: string;
  readonly fate: PayoutFate;
  readonly conversation: string;
  readonly phone: string;
  readonly cents: number;
  readonly receipt: string | null;
  readonly at: number;
}

export interface Delivery {
  readonly dueAt: number;
  readonly route: string;
  readonly params: Readonly<Record<string, string>>;
  readonly body: object;
  /** The payment by hand that it tells of. */
  readonly payment?: Payment;
}

/** Jobs run at once, so that payments come in any order: who draws one draws from one order. */
export const byReceipt = by<Payment>(({ receipt }) => receipt);

export const SECRET = 'model1'.repeat(6);
export const SHORTCODE = '600984';
const DAY_MS = 86_400_000;
const CHECKOUT = 'ws_CO_';
const MERCHANT = 'merchant-';
const REFUSED: Readonly<Record<string, string>> = {
  cancelled: '1032',
  no_funds: '1',
  no_answer_silent: '1037',
  forged_success: '1032',
};

/** M-Pesa's side of the truth: who paid what, and what it tells of it. It speaks as the Daraja client does. */
export class NaiveMpesa {
  readonly #world: SimulatedWorld;
  readonly payments = new Map<string, Payment>();
  readonly prompts = new Map<string, Prompt>();
  readonly payouts = new Map<string, Payout>();
  readonly depositFates = new Map<string, { fate: DepositFate; lateMs: number }>();
  readonly payoutFates = new Map<string, PayoutFate>();
  deliveries: Delivery[] = [];
  /** What stands on our account there. */
  heldCents = 0;
  /** Payments of the last days, for the list that M-Pesa gives of them. */
  recent: Payment[] = [];
  #byHand = 0;
  /** What the reading of the list that is under way has been given. */
  #listing: Payment[] = [];
  readonly #asked = new Map<string, number>();

  constructor(world: SimulatedWorld) {
    this.#world = world;
  }

  readonly client: Daraja = {
    stkPush: async (request) => {
      const deposit = lastSegment(request.callbackUrl);
      const { fate, lateMs } = this.depositFates.get(deposit) ?? { fate: 'busy', lateMs: 0 };
      if (fate === 'busy') return { outcome: 'rejected', code: '500.003.02', message: 'System is busy', kind: 'busy' };
      const prompt = this.#openPrompt(deposit, fate, request, lateMs);
      if (fate.startsWith('lost')) return { outcome: 'unknown', reason: 'no_answer', detail: 'the answer was lost' };
      return { outcome: 'accepted', merchantRequestId: prompt.merchant, checkoutRequestId: prompt.checkout };
    },
    stkQuery: async ({ checkoutRequestId }) => {
      const prompt = this.prompts.get(checkoutRequestId.slice(CHECKOUT.length));
      if (!prompt) return { outcome: 'unknown', reason: 'not_found', detail: 'no such prompt' };
      const refused = REFUSED[prompt.fate];
      const [verdict, resultCode] = prompt.payment
        ? (['paid', '0'] as const)
        : refused === undefined
          ? (['pending', '4999'] as const)
          : (['failed', refused] as const);
      return { outcome: 'accepted', verdict, resultCode, resultDescription: verdict };
    },
    b2c: async (request) => {
      const id = request.originatorConversationId;
      const fate = this.payoutFates.get(id) ?? 'busy';
      if (fate === 'busy') return { outcome: 'rejected', code: '500.003.02', message: 'System is busy', kind: 'busy' };
      const payout = this.#payOut(id, fate, request.phone, request.amountCents);
      if (fate.startsWith('lost')) return { outcome: 'unknown', reason: 'no_answer', detail: 'the answer was lost' };
      return { outcome: 'accepted', originatorConversationId: id, conversationId: payout.conversation };
    },
    transactionStatus: async ({ receipt, originalConversationId, resultUrl }) => {
      const query = resultUrl.split('/').at(-2) ?? '';
      const asked = (this.#asked.get(query) ?? 0) + 1;
      this.#asked.set(query, asked);
      const conversationId = `AG_${query}_${asked}`;
      const body = this.#statusBody(receipt ?? null, originalConversationId ?? null, conversationId);
      const at = this.#world.time;
      // Now and then its queue is slow, and it says so first.
      if (/[3a]$/i.test(receipt ?? originalConversationId ?? '')) {
        this.deliveries.push({
          dueAt: at,
          route: 'statusTimeout',
          params: { query },
          body: { ConversationID: conversationId },
        });
      }
      this.deliveries.push({ dueAt: at, route: 'statusResult', params: { query }, body });
      return { outcome: 'accepted', originatorConversationId: `ask-${query}`, conversationId };
    },
    // It keeps no account of ours: what it holds is asked for in vain.
    accountBalance: async () => ({ outcome: 'rejected', code: '500.003.02', message: 'System is busy', kind: 'busy' }),
    c2bRegister: async () => ({ outcome: 'accepted' }),
    pull: async ({ from, to, offset }) => {
      // Every third day the list cannot be had: then only whoever paid can say so.
      if (!this.isListHad(this.#world.time)) {
        return { outcome: 'unknown', reason: 'no_answer', detail: 'the list cannot be had' };
      }
      // Of one moment by receipt: they were paid in whichever order the prompts came.
      const listed = this.recent
        .filter(({ at }) => at >= from.getTime() && at <= to.getTime())
        .sort((one, other) => one.at - other.at || byReceipt(one, other));
      const page = listed.slice(offset, offset + 100);
      this.#listing.push(...page);
      const payments = page.map((payment) => ({
        receipt: payment.receipt,
        amountCents: payment.cents,
        accountReference: payment.account,
        payer: null,
        paidAt: new Date(Math.floor(payment.at / 1000) * 1000),
      }));
      return { outcome: 'accepted', payments, isLast: offset + 100 >= listed.length };
    },
  };

  /** Whether M-Pesa gives its list of payments on that day. */
  isListHad(time: number): boolean {
    return Math.floor(time / DAY_MS) % 3 !== 0;
  }

  /** A reading of the list begins: what one that failed was given, nobody knows of. */
  beginList(): void {
    this.#listing = [];
  }

  /** The reading of the list went through: whoever reads it knows what it named. */
  noteListRead(): void {
    for (const payment of this.#listing) payment.isListed = true;
  }

  /** Somebody pays the paybill by hand. `isTold`: how often M-Pesa tells us. */
  payByHand(phone: string, cents: number, account: string, told: number): Payment {
    const payment = this.#book('paybill', phone, cents, account);
    for (let copy = 0; copy < told; copy += 1) {
      const route = copy % 2 === 0 ? 'hookConfirmation' : 'c2bConfirmation';
      this.deliveries.push({ dueAt: this.#world.time, route, params: {}, body: paybillBody(payment), payment });
    }
    return payment;
  }

  /** What is to be delivered by now, in the order in which it was to be. Late payments happen when their time has come. */
  takeDue(): Delivery[] {
    const now = this.#world.time;
    for (const prompt of this.prompts.values()) {
      if (prompt.fate !== 'paid_late' || prompt.payment || prompt.decidesAt > now) continue;
      this.#pay(prompt);
      this.#tell(prompt, prompt.cents, '0');
    }
    const due = this.deliveries.filter(({ dueAt }) => dueAt <= now);
    this.deliveries = this.deliveries.filter(({ dueAt }) => dueAt > now);
    // In one order for a seed, whichever job's call came first; of one thing in the order in which it was told.
    return due.sort(by(thingOf));
  }

  /** Forgets prompts of long ago, so that a run of years does not search them all. */
  forget(before: number): void {
    for (const [id, { decidesAt, payment }] of this.prompts) {
      if (decidesAt < before && payment?.booked !== 'no') this.prompts.delete(id);
    }
  }

  #openPrompt(deposit: string, fate: DepositFate, request: StkPushRequest, lateMs: number): Prompt {
    const { phone, amountCents: cents, accountReference: account } = request;
    const prompt: Prompt = {
      deposit,
      fate,
      checkout: `${CHECKOUT}${deposit}`,
      merchant: `${MERCHANT}${deposit}`,
      phone,
      cents,
      account,
      decidesAt: this.#world.time + lateMs,
      payment: null,
    };
    this.prompts.set(deposit, prompt);
    const isPaid = fate.includes('paid') && !fate.includes('unpaid') && fate !== 'paid_late';
    if (isPaid || fate === 'wrong_amount_told') this.#pay(prompt);
    if (fate === 'forged_success') this.#tell(prompt, cents, '0');
    else if (fate === 'wrong_amount_told') this.#tell(prompt, cents + 100, '0');
    else if (REFUSED[fate] !== undefined && !fate.endsWith('silent')) this.#tell(prompt, cents, REFUSED[fate] ?? '1');
    else if (isPaid && !fate.endsWith('silent')) this.#tell(prompt, cents, '0');
    if (fate === 'paid_twice_told') this.#tell(prompt, cents, '0');
    return prompt;
  }

  #pay(prompt: Prompt): void {
    prompt.payment = this.#book('prompt', prompt.phone, prompt.cents, prompt.account, prompt.merchant);
  }

  #book(kind: Payment['kind'], phone: string, cents: number, account: string, conversation?: string): Payment {
    this.#byHand += kind === 'paybill' ? 1 : 0;
    const receipt = receiptOf(conversation ?? `by hand ${this.#byHand}`);
    const at = this.#world.time;
    const own = conversation ?? `c-${receipt}`;
    const payment: Payment = {
      receipt,
      kind,
      phone,
      cents,
      account,
      at,
      conversation: own,
      booked: 'no',
      isListed: false,
      isTold: false,
    };
    this.payments.set(receipt, payment);
    this.recent = [...this.recent.filter((other) => other.at > at - 3 * 86_400_000), payment];
    this.heldCents += cents;
    return payment;
  }

  #tell(prompt: Prompt, cents: number, code: string): void {
    const receipt = prompt.payment?.receipt ?? receiptOf(`forged ${prompt.deposit}`);
    const items = [
      { Name: 'Amount', Value: cents / 100 },
      { Name: 'MpesaReceiptNumber', Value: receipt },
      { Name: 'TransactionDate', Value: Number(compact(this.#world.time)) },
      { Name: 'PhoneNumber', Value: Number(prompt.phone) },
    ];
    const stkCallback = {
      MerchantRequestID: prompt.merchant,
      CheckoutRequestID: prompt.checkout,
      ResultCode: Number(code),
      ResultDesc: 'as it went',
      ...(code === '0' ? { CallbackMetadata: { Item: items } } : {}),
    };
    const params = { deposit: prompt.deposit };
    this.deliveries.push({
      dueAt: this.#world.time,
      route: 'stkCallback',
      params,
      body: { Body: { stkCallback } },
    });
  }

  #payOut(id: string, fate: PayoutFate, phone: string, cents: number): Payout {
    const isPaid = fate !== 'refused' && fate !== 'lost_unpaid';
    const at = this.#world.time;
    const receipt = isPaid ? receiptOf(`payout ${id}`) : null;
    const payout = { id, fate, conversation: `AG_out_${id}`, phone, cents, receipt, at };
    this.payouts.set(id, payout);
    if (isPaid) this.heldCents -= cents;
    const tell = (route: string, body: object) =>
      this.deliveries.push({ dueAt: at, route, params: { withdrawal: id }, body });
    if (fate === 'queue_timeout_paid') tell('payoutTimeout', { OriginatorConversationID: id });
    if (fate === 'paid' || fate === 'paid_twice_told' || fate === 'refused') tell('payoutResult', payoutBody(payout));
    if (fate === 'paid_twice_told') tell('payoutResult', payoutBody(payout));
    return payout;
  }

  #statusBody(receipt: string | null, conversation: string | null, asked: string): object {
    const payment =
      (receipt === null ? null : this.payments.get(receipt)) ??
      this.prompts.get(conversation?.slice(MERCHANT.length) ?? '')?.payment ??
      null;
    const payout = conversation === null ? null : (this.payouts.get(conversation) ?? null);
    const head = { ResultType: 0, ResultDesc: 'as it is', OriginatorConversationID: 'ask', ConversationID: asked };
    if (!payment && !payout?.receipt) return { Result: { ...head, ResultCode: 2032, TransactionID: 'OA90000000' } };
    const us = { name: 'DebitPartyName', value: `${SHORTCODE} - Ushirika` };
    const parties = payment
      ? [{ name: 'DebitPartyName', value: `${payment.phone} - Somebody` }, us]
      : [us, { name: 'CreditPartyName', value: `${payout?.phone} - Somebody` }];
    const found = payment ?? { cents: payout?.cents ?? 0, at: payout?.at ?? 0, receipt: payout?.receipt ?? '' };
    const parameters = [
      ...parties.map(({ name, value }) => ({ Key: name, Value: value })),
      { Key: 'TransactionStatus', Value: 'Completed' },
      { Key: 'FinalisedTime', Value: Number(compact(found.at)) },
      { Key: 'Amount', Value: String(found.cents / 100) },
      { Key: 'ReceiptNo', Value: found.receipt },
    ];
    return { Result: { ...head, ResultCode: 0, ResultParameters: { ResultParameter: parameters } } };
  }
}

function payoutBody(payout: Payout): object {
  const head = {
    ResultType: 0,
    ResultDesc: 'as it went',
    OriginatorConversationID: payout.id,
    ConversationID: payout.conversation,
  };
  if (payout.receipt === null) return { Result: { ...head, ResultCode: 2040, TransactionID: 'OA90000000' } };
  const parameters = [
    { Key: 'TransactionAmount', Value: payout.cents / 100 },
    { Key: 'TransactionReceipt', Value: payout.receipt },
    { Key: 'ReceiverPartyPublicName', Value: `${payout.phone} - Somebody` },
  ];
  return {
    Result: {
      ...head,
      ResultCode: 0,
      TransactionID: payout.receipt,
      ResultParameters: { ResultParameter: parameters },
    },
  };
}

export function paybillBody(payment: Pick<Payment, 'receipt' | 'cents' | 'account' | 'at'>): object {
  return {
    TransactionType: 'Pay Bill',
    TransID: payment.receipt,
    TransTime: compact(payment.at),
    TransAmount: (payment.cents / 100).toFixed(2),
    BusinessShortCode: SHORTCODE,
    BillRefNumber: payment.account,
    MSISDN: '2547 ***** 123',
    FirstName: 'SOMEBODY',
    OrgAccountBalance: '',
  };
}

/** What a message tells of: a payment by hand, or what its address names. */
export function thingOf({ payment, params }: Delivery): string {
  return payment?.receipt ?? JSON.stringify(params);
}

/** Ten capitals and digits that hang on what was paid alone, so that they are the same in every run of a seed. */
function receiptOf(what: string): string {
  const number = createHash('sha256').update(what).digest().readBigUInt64BE();
  return `P${number.toString(36).toUpperCase().padStart(13, 'Z').slice(0, 9)}`;
}

/** `20261205134501` in Nairobi, as M-Pesa writes times. */
function compact(time: number): string {
  return new Date(time + 3 * 3_600_000).toISOString().replaceAll(/\D/g, '').slice(0, 14);
}

function lastSegment(url: string): string {
  return url.slice(url.lastIndexOf('/') + 1);
}
