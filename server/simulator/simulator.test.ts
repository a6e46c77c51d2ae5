import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  parseBalanceResult,
  parseC2bPayment,
  parsePayoutResult,
  parseQueueTimeout,
  parseStatusResult,
  parseStkCallback,
} from '../gateways/mobile-money/daraja.parse.ts';
import { createDaraja } from '../gateways/mobile-money/daraja.ts';
import type { Daraja, DarajaLogLine, TokenStore } from '../gateways/mobile-money/daraja.types.ts';
import { memoryTokenStore, postgresTokenStore } from '../gateways/mobile-money/token-store.ts';
import { createSmsGateway } from '../gateways/sms/africas-talking.ts';
import { createSimulator, whyNoSimulator } from './simulator.ts';
import { type SimulatedWorld, simulatedWorld } from './test-simulator.ts';

const SECRET = '0123456789abcdef0123456789abcdef';
let world: SimulatedWorld;
let daraja: Daraja;
const log: DarajaLogLine[] = [];
let nextPhone = 254_711_000_300;
const phone = () => String(++nextPhone);

beforeAll(async () => {
  world = await simulatedWorld();
  daraja = client();
});
afterAll(() => world.close());
beforeEach(async () => {
  await settle();
  world.received.length = 0;
});

function client(tokenStore: TokenStore = memoryTokenStore(), overrides: object = {}): Daraja {
  return createDaraja(
    { ...world.clientSettings, timeoutMs: 1_000, ...overrides },
    { world: world.database.world, tokenStore, log: (line) => log.push(line) },
  );
}

const push = (to: string, amountCents = 50_000, by = daraja) =>
  by.stkPush({
    amountCents,
    phone: to,
    accountReference: 'TOPUP1',
    description: 'Wallet',
    callbackUrl: `${world.hooks}/${SECRET}/stk/1`,
  });

const payOut = (originatorConversationId: string, to: string, amountCents = 100_000) =>
  daraja.b2c({
    originatorConversationId,
    amountCents,
    phone: to,
    remarks: 'Withdrawal',
    resultUrl: `${world.hooks}/${SECRET}/b2c/1/result`,
    timeoutUrl: `${world.hooks}/${SECRET}/b2c/1/timeout`,
  });

const askStatus = (about: { receipt?: string; originalConversationId?: string }) =>
  daraja.transactionStatus({
    ...about,
    remarks: 'Claim',
    resultUrl: `${world.hooks}/${SECRET}/status/1/result`,
    timeoutUrl: `${world.hooks}/${SECRET}/status/1/timeout`,
  });

async function promptOn(to: string): Promise<Record<string, unknown>> {
  const { body } = await world.call(`/api/prompts?phone=${to}`);
  return (body.results as Record<string, unknown>[])[0] ?? {};
}

async function answer(to: string, action: string, pin?: string) {
  const prompt = await promptOn(to);
  return world.call(`/api/prompts/${prompt.id}`, { action, ...(pin ? { pin } : {}) });
}

/** Lets the simulated time pass and sends what falls due in it. */
async function settle(ms = 0): Promise<void> {
  world.database.world.advance(ms);
  await world.simulator.tick();
}

const stkCallbacks = () =>
  world.received.map(({ body }) => parseStkCallback(body)).map((parsed) => (parsed.ok ? parsed.value : null));

async function checkoutOf(pushed: Awaited<ReturnType<typeof push>>): Promise<string> {
  if (pushed.outcome !== 'accepted') throw new Error(`The push was ${pushed.outcome}.`);
  return pushed.checkoutRequestId;
}

describe('a top-up', () => {
  test('that the person approves calls back with the amount and the receipt', async () => {
    const to = phone();
    expect(await push(to)).toMatchObject({ checkoutRequestId: expect.stringMatching(/^ws_CO_\d{17}711000/) });
    expect(await promptOn(to)).toMatchObject({ phone: to, amount: 500, account_reference: 'TOPUP1', status: 'open' });
    const answered = await answer(to, 'approve');
    expect(answered.body.receipt).toMatch(/^[A-Z0-9]{10}$/);
    await settle();
    expect(stkCallbacks()).toMatchObject([
      { resultCode: '0', payment: { amountCents: 50_000, receipt: answered.body.receipt, phone: to } },
    ]);
    expect(world.received[0]?.path).toBe(`/hooks/${SECRET}/stk/1`);
  });

  test.each([
    ['cancel', '1032', 'cancelled'],
    ['timeout', '1037', 'timed_out'],
    ['insufficient_funds', '1', 'insufficient_funds'],
  ])('that ends with %s calls back with %s and without metadata', async (action, code, status) => {
    const to = phone();
    await push(to);
    expect((await answer(to, action)).body).toMatchObject({ receipt: null, status });
    await settle();
    expect(stkCallbacks()).toMatchObject([{ resultCode: code, payment: null }]);
  });

  test('with a wrong PIN fails with 2001, with the right one it is paid', async () => {
    const to = phone();
    await push(to);
    expect((await answer(to, 'approve', '9999')).body).toMatchObject({ receipt: null, result_code: '2001' });
    await push(to);
    expect((await answer(to, 'approve', '1234')).body).toMatchObject({ status: 'approved' });
  });

  test('that nobody answers fails by itself after a minute', async () => {
    const to = phone();
    await push(to);
    await settle(61_000);
    expect(stkCallbacks()).toMatchObject([{ resultCode: '1037' }]);
  });

  test('is answered once: a second answer is refused', async () => {
    const to = phone();
    await push(to);
    const { id } = await promptOn(to);
    const both = await Promise.all([
      world.call(`/api/prompts/${id}`, { action: 'approve' }),
      world.call(`/api/prompts/${id}`, { action: 'approve' }),
    ]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
  });

  test('is refused while a prompt is open on that phone', async () => {
    const to = phone();
    await push(to);
    expect(await push(to, 10_000)).toMatchObject({ outcome: 'rejected', kind: 'subscriber_locked' });
  });

  test('of the same amount from the same phone within two minutes fails with 17, later it is paid', async () => {
    const to = phone();
    await push(to);
    await answer(to, 'approve');
    await push(to);
    expect((await answer(to, 'approve')).body).toMatchObject({ result_code: '17' });
    await settle(121_000);
    await push(to);
    expect((await answer(to, 'approve')).body).toMatchObject({ result_code: '0' });
  });

  test('cannot spend more than there is on the phone', async () => {
    const to = phone();
    await push(to, 20_000_000);
    await answer(to, 'approve');
    await push(to, 20_000_100);
    expect((await answer(to, 'approve')).body).toMatchObject({ receipt: null, result_code: '1' });
  });

  test('is asked about: pending in both of its shapes, then final', async () => {
    const to = phone();
    const checkoutRequestId = await checkoutOf(await push(to));
    const ask = () => daraja.stkQuery({ checkoutRequestId });
    expect(await ask()).toMatchObject({ outcome: 'accepted', verdict: 'pending', resultCode: null });
    expect(await ask()).toMatchObject({ outcome: 'accepted', verdict: 'pending', resultCode: '4999' });
    await answer(to, 'approve');
    expect(await ask()).toMatchObject({ outcome: 'accepted', verdict: 'paid', resultCode: '0' });
    expect(await daraja.stkQuery({ checkoutRequestId: 'ws_CO_1' })).toMatchObject({
      outcome: 'unknown',
      reason: 'not_found',
    });
  });

  test('with a wrong passkey is refused as wrong credentials, with another shortcode as no merchant', async () => {
    expect(await push(phone(), 50_000, client(undefined, { passkey: 'wrong' }))).toMatchObject({
      outcome: 'rejected',
      kind: 'credentials',
      message: 'Wrong credentials',
    });
    expect(await push(phone(), 50_000, client(undefined, { shortcode: '123456' }))).toMatchObject({
      message: 'Merchant does not exist',
    });
  });
});

describe('the access token', () => {
  test('is had with the right key only; a wrong one is an empty 400', async () => {
    const stranger = client(memoryTokenStore(), { consumerSecret: 'wrong' });
    expect(await push(phone(), 50_000, stranger)).toMatchObject({ code: 'no_token', kind: 'credentials' });
  });

  test('that dies early is renewed once and the request sent once more', async () => {
    await push(phone());
    await world.befall('stk_push', 'revoke_token');
    log.length = 0;
    expect(await push(phone())).toMatchObject({ outcome: 'accepted' });
    expect(log).toHaveLength(1);
  });

  test('that is refused even when fresh means that the product is not enabled', async () => {
    await world.befall('b2c', 'revoke_token', 2);
    const answered = await payOut('NOTENABLED', phone());
    expect(answered).toMatchObject({ outcome: 'rejected', kind: 'credentials', code: '401.002.01' });
  });

  test('is shared by processes: six that start at once fetch one, and none knocks another out', async () => {
    let fetched = 0;
    const counting: typeof fetch = (input, init) => {
      if (String(input).includes('/oauth/')) fetched += 1;
      return fetch(input, init);
    };
    const clients = Array.from({ length: 6 }, () =>
      createDaraja(world.clientSettings, {
        world: world.database.world,
        tokenStore: postgresTokenStore(world.database),
        fetch: counting,
      }),
    );
    const pushed = await Promise.all(clients.map((each) => push(phone(), 10_000, each)));
    expect(pushed.map(({ outcome }) => outcome)).toEqual(Array(6).fill('accepted'));
    expect(fetched).toBe(1);
  });

  test('is renewed before it ends', async () => {
    const store = memoryTokenStore();
    const own = client(store);
    await push(phone(), 10_000, own);
    world.database.world.advance(3_599_000 - 50_000);
    log.length = 0;
    expect(await push(phone(), 10_000, own)).toMatchObject({ outcome: 'accepted' });
  });
});

describe('when M-Pesa answers badly', () => {
  test.each([
    ['http_500', 'unknown', 'server_error'],
    ['http_503', 'unknown', 'unreadable'],
    ['html_page', 'unknown', 'unreadable'],
    ['redirect', 'unknown', 'no_answer'],
    ['huge', 'unknown', 'no_answer'],
    ['hang=5000', 'unknown', 'no_answer'],
    ['spike_arrest', 'rejected', 'busy'],
    ['quota', 'rejected', 'busy'],
    ['busy', 'rejected', 'busy'],
  ])('%s makes a push %s (%s), and no prompt is opened', async (fault, outcome, detail) => {
    const to = phone();
    await world.befall('stk_push', fault);
    const pushed = await push(to);
    expect(pushed.outcome).toBe(outcome);
    expect('kind' in pushed ? pushed.kind : 'reason' in pushed ? pushed.reason : '').toBe(detail);
    expect(await promptOn(to)).toEqual({});
  });

  test('an answer that is lost after it acted is unknown, never repeated, and the payment still comes', async () => {
    const to = phone();
    await world.befall('stk_push', 'lost_response');
    expect(await push(to)).toMatchObject({ outcome: 'unknown', reason: 'no_answer' });
    const { body } = await world.call(`/api/prompts?phone=${to}`);
    expect(body.results).toHaveLength(1);
    await answer(to, 'approve');
    await settle();
    expect(stkCallbacks()).toMatchObject([{ resultCode: '0' }]);
  });

  test('nothing secret reaches the log', async () => {
    log.length = 0;
    const to = phone();
    await push(to);
    await world.befall('b2c', 'revoke_token', 2);
    await payOut('SECRETLOG', to);
    const written = JSON.stringify(log);
    const { passkey, consumerSecret, initiator } = world.clientSettings;
    for (const secret of [to, passkey, consumerSecret, initiator.password]) expect(written).not.toContain(secret);
    expect(log.length).toBeGreaterThan(0);
  });
});

describe('when callbacks go astray', () => {
  async function pay(faults: string, to = phone()) {
    await world.befall('stk_push', faults);
    const pushed = await push(to);
    const answered = await answer(to, 'approve');
    await settle();
    return { pushed, receipt: answered.body.receipt };
  }

  test('one that is dropped never comes, and the query knows better', async () => {
    const { pushed, receipt } = await pay('drop');
    await settle(600_000);
    expect(stkCallbacks().filter((callback) => callback?.payment?.receipt === receipt)).toEqual([]);
    const checkoutRequestId = await checkoutOf(pushed);
    expect(await daraja.stkQuery({ checkoutRequestId })).toMatchObject({ verdict: 'paid' });
  });

  test('one that is doubled comes five times, the same each time', async () => {
    await pay('duplicate=5');
    expect(world.received).toHaveLength(5);
    expect(new Set(world.received.map(({ body }) => JSON.stringify(body))).size).toBe(1);
  });

  test('one that is late comes when it is due, and not before', async () => {
    await pay('delay=180000');
    await settle(179_000);
    expect(world.received).toEqual([]);
    await settle(1_000);
    expect(world.received).toHaveLength(1);
  });

  test('two that change places', async () => {
    const first = await pay('reorder');
    const second = await pay('');
    await settle();
    expect(stkCallbacks().map((callback) => callback?.payment?.receipt)).toEqual([second.receipt, first.receipt]);
  });

  test('one that comes before the answer to the push', async () => {
    await world.befall('stk_push', 'before_response');
    let receivedByThen = 0;
    await push(phone()).then(() => {
      receivedByThen = world.received.length;
    });
    expect(receivedByThen).toBe(1);
  });

  test('one that names another amount than was paid', async () => {
    await pay('amount_mismatch=5000');
    expect(stkCallbacks()).toMatchObject([{ payment: { amountCents: 500_000 } }]);
  });

  test('one with a code that no table knows', async () => {
    const { receipt } = await pay('unknown_result_code');
    expect(receipt).toBeNull();
    expect(stkCallbacks()).toMatchObject([{ resultCode: '7777', payment: null }]);
  });

  test('a query that calls a paid prompt cancelled', async () => {
    const { pushed } = await pay('query_contradicts');
    const checkoutRequestId = await checkoutOf(pushed);
    expect(await daraja.stkQuery({ checkoutRequestId })).toMatchObject({ verdict: 'failed', resultCode: '1032' });
    expect(stkCallbacks()).toMatchObject([{ resultCode: '0' }]);
  });

  test('forged ones: a wrong secret, and a request that nobody made', async () => {
    const { receipt } = await pay('forged');
    expect(world.received).toHaveLength(3);
    const genuine = stkCallbacks().filter((callback) => callback?.payment?.receipt === receipt);
    expect(genuine).toHaveLength(1);
    expect(world.received.filter(({ path }) => !path.includes(SECRET))).toHaveLength(1);
  });

  test('the same seed brings the same bad luck', async () => {
    const luck = async () => {
      const rates = { drop: 0.4, duplicate: 0.3 };
      await world.call('/__control/chaos', { seed: 'harambee', calls: ['stk_push'], rates });
      world.received.length = 0;
      const counts: number[] = [];
      for (let each = 0; each < 6; each += 1) {
        const to = phone();
        await push(to);
        await answer(to, 'approve');
        await settle();
        counts.push(world.received.splice(0).length);
      }
      return counts;
    };
    const [first, second] = [await luck(), await luck()];
    await fetch(`${world.origin}/simulator/__control/faults`, { method: 'DELETE' });
    expect(second).toEqual(first);
    expect(new Set(first).size).toBeGreaterThan(1);
  });
});

describe('a payout', () => {
  test('is paid, and its result names receipt and receiver', async () => {
    const to = phone();
    expect(await payOut('OUT1', to)).toMatchObject({ outcome: 'accepted', originatorConversationId: 'OUT1' });
    await settle(500);
    expect(parsePayoutResult(world.received[0]?.body)).toMatchObject({
      ok: true,
      value: { resultCode: '0', originatorConversationId: 'OUT1', payout: { amountCents: 100_000, receiverPhone: to } },
    });
  });

  test('sent again under the same id pays once and says duplicate, which is not a refusal', async () => {
    const to = phone();
    const both = await Promise.all([payOut('OUT2', to), payOut('OUT2', to)]);
    expect(both.map((each) => ('reason' in each ? each.reason : each.outcome)).sort()).toEqual([
      'accepted',
      'duplicate',
    ]);
    await settle(500);
    expect(world.received).toHaveLength(1);
  });

  test('whose answer is lost is unknown, and transaction status by our own id finds it', async () => {
    const to = phone();
    await world.befall('b2c', 'lost_response, drop');
    expect(await payOut('OUT3', to)).toMatchObject({ outcome: 'unknown', reason: 'no_answer' });
    expect(await askStatus({ originalConversationId: 'OUT3' })).toMatchObject({ outcome: 'accepted' });
    await settle(500);
    expect(world.received).toHaveLength(1);
    expect(parseStatusResult(world.received[0]?.body)).toMatchObject({
      ok: true,
      value: {
        transaction: {
          status: 'Completed',
          amountCents: 100_000,
          receiverPhone: to,
          originatorConversationId: 'OUT3',
        },
      },
    });
  });

  test('that times out in the queue says so with our own request, and succeeds later', async () => {
    await world.befall('b2c', 'queue_timeout=3000');
    await payOut('OUT4', phone());
    await settle();
    expect(world.received.map(({ path }) => path.split('/').at(-1))).toEqual(['timeout']);
    expect(parseQueueTimeout(world.received[0]?.body)).toMatchObject({
      value: { shape: 'request', originatorConversationId: 'OUT4' },
    });
    await settle(3_000);
    expect(parsePayoutResult(world.received[1]?.body)).toMatchObject({ value: { resultCode: '0' } });
  });

  test('under a wrong credential is accepted, and fails with 2001 in the result only', async () => {
    const initiator = { ...world.clientSettings.initiator, password: 'wrong' };
    const impostor = client(undefined, { initiator });
    const sent = await impostor.b2c({
      originatorConversationId: 'OUT5',
      amountCents: 100_000,
      phone: phone(),
      remarks: 'Withdrawal',
      resultUrl: `${world.hooks}/r`,
      timeoutUrl: `${world.hooks}/t`,
    });
    expect(sent).toMatchObject({ outcome: 'accepted' });
    await settle(500);
    expect(parsePayoutResult(world.received[0]?.body)).toMatchObject({
      value: { resultCode: '2001', transactionId: null, payout: null },
    });
  });
});

describe('a receipt claim', () => {
  test('is confirmed with payer, payee and amount', async () => {
    const to = phone();
    await push(to);
    const { receipt } = (await answer(to, 'approve')).body;
    await settle();
    world.received.length = 0;
    await askStatus({ receipt: String(receipt) });
    await settle(500);
    expect(parseStatusResult(world.received[0]?.body)).toMatchObject({
      value: {
        transaction: { receipt, status: 'Completed', amountCents: 50_000, payerPhone: to, payeeShortcode: '600984' },
      },
    });
  });

  test('of a receipt that does not exist is answered with 2032', async () => {
    await askStatus({ receipt: 'QQQ1234567' });
    await settle(500);
    expect(parseStatusResult(world.received[0]?.body)).toMatchObject({
      value: { resultCode: '2032', transaction: null },
    });
  });
});

describe('paying the paybill by hand', () => {
  const byHand = (to: string, amount: number, account_reference: string) =>
    world.call('/api/payments', { phone: to, amount, account_reference });
  const urls = () => ({
    confirmationUrl: `${world.hooks}/pay/${SECRET}/confirmation`,
    validationUrl: `${world.hooks}/pay/${SECRET}/validation`,
  });

  test('completes silently while no URLs are registered', async () => {
    expect((await byHand(phone(), 300, 'A1')).body.receipt).toMatch(/^[A-Z0-9]{10}$/);
    await settle();
    expect(world.received).toEqual([]);
  });

  test('is validated and then confirmed, with the number masked', async () => {
    expect(await daraja.c2bRegister(urls())).toMatchObject({ outcome: 'accepted' });
    const to = phone();
    const { body } = await byHand(to, 300, 'A1');
    await settle();
    expect(world.received.map(({ path }) => path.split('/').at(-1))).toEqual(['validation', 'confirmation']);
    expect(parseC2bPayment(world.received[1]?.body)).toMatchObject({
      value: {
        receipt: body.receipt,
        amountCents: 30_000,
        accountReference: 'A1',
        payer: expect.stringContaining('*'),
      },
    });
  });

  test('moves no money when validation says no', async () => {
    world.answers.set('/validation', { ResultCode: 'C2B00012', ResultDesc: 'Rejected' });
    const refused = await byHand(phone(), 300, 'NOBODY');
    world.answers.clear();
    expect(refused).toMatchObject({ status: 422, body: { reason: 'C2B00012' } });
    await settle();
    expect(world.received.map(({ path }) => path.split('/').at(-1))).toEqual(['validation']);
  });

  test('beside a prompt brings the same receipt twice: STK and C2B', async () => {
    await world.befall('stk_push', 'stk_and_c2b');
    const to = phone();
    await push(to);
    const { receipt } = (await answer(to, 'approve')).body;
    await settle();
    const c2b = world.received.map(({ body }) => parseC2bPayment(body)).find((parsed) => parsed.ok);
    expect(c2b).toMatchObject({ value: { receipt } });
    expect(stkCallbacks().some((callback) => callback?.payment?.receipt === receipt)).toBe(true);
  });

  test('with a refused word in a URL is refused by the client and by M-Pesa', async () => {
    const wrong = { ...urls(), confirmationUrl: `${world.hooks}/query/confirmation` };
    expect(await daraja.c2bRegister(wrong)).toMatchObject({ outcome: 'rejected', code: 'invalid_request' });
  });
});

describe('the inbox', () => {
  test('receives a message, newest first', async () => {
    const to = phone();
    const sms = createSmsGateway(world.smsSettings);
    expect(await sms.sendSms({ to, message: 'Karibu Ushirika' })).toMatchObject({ outcome: 'sent' });
    await sms.sendSms({ to, message: 'Your code is 12345678 & it ends in 10 minutes' });
    const { body } = await world.call(`/api/messages?phone=${to}`);
    expect(body.results).toMatchObject([
      { phone: to, text: 'Your code is 12345678 & it ends in 10 minutes' },
      { phone: to, text: 'Karibu Ushirika' },
    ]);
  });

  test.each([
    ['http_500', { outcome: 'unknown' }],
    ['html_page', { outcome: 'unknown' }],
    ['lost_response', { outcome: 'unknown' }],
  ])('does not know what %s means for a message', async (fault, outcome) => {
    await world.befall('sms', fault);
    const sms = createSmsGateway({ ...world.smsSettings, timeoutMs: 1_000 });
    expect(await sms.sendSms({ to: phone(), message: 'Habari' })).toMatchObject(outcome);
  });

  test('takes nothing under a wrong key, and nothing to a number that is none', async () => {
    const stranger = createSmsGateway({ ...world.smsSettings, apiKey: 'wrong' });
    expect(await stranger.sendSms({ to: phone(), message: 'Habari' })).toMatchObject({
      outcome: 'failed',
      retryable: false,
    });
    const sms = createSmsGateway(world.smsSettings);
    expect(await sms.sendSms({ to: '12', message: 'Habari' })).toMatchObject({
      outcome: 'failed',
      reason: '403 InvalidPhoneNumber',
    });
  });

  test('are refused for good where the settings say so (field case M13)', async () => {
    const [barred, other] = [phone(), phone()];
    await world.call('/__control/settings', { sms_refused: [barred] });
    const sms = createSmsGateway(world.smsSettings);
    expect(await sms.sendSms({ to: barred, message: 'Habari' })).toEqual({
      outcome: 'failed',
      retryable: false,
      reason: '406 UserInBlackList',
    });
    expect(await sms.sendSms({ to: other, message: 'Habari' })).toMatchObject({ outcome: 'sent' });
    expect((await world.call(`/api/messages?phone=${barred}`)).body.results).toEqual([]);
    await world.call('/__control/settings', { sms_refused: [] });
  });

  test('that do not arrive are taken, and reported a moment later as the provider does (field case M13)', async () => {
    const reported: { url: string; type: string | null; body: string }[] = [];
    const other = await simulatedWorld({
      smsReportUrl: 'https://ushirika.test/reports',
      fetch: async (url, init) => {
        const type = new Headers(init?.headers).get('content-type');
        reported.push({ url: String(url), type, body: String(init?.body) });
        return new Response('{}');
      },
    });
    const [lost, fine] = [phone(), phone()];
    await other.call('/__control/settings', { sms_undelivered: [lost] });
    const sms = createSmsGateway(other.smsSettings);
    const sent = await sms.sendSms({ to: lost, message: 'Habari' });
    expect(sent).toMatchObject({ outcome: 'sent' });
    expect(await sms.sendSms({ to: fine, message: 'Habari' })).toMatchObject({ outcome: 'sent' });
    other.database.world.advance(1_000);
    await other.call('/__control/tick', {});
    expect(reported).toHaveLength(1);
    expect(reported[0]).toMatchObject({
      url: 'https://ushirika.test/reports',
      type: 'application/x-www-form-urlencoded',
    });
    const id = sent.outcome === 'sent' ? sent.id : '';
    expect(Object.fromEntries(new URLSearchParams(reported[0]?.body))).toMatchObject({
      ...{ id, status: 'Failed', phoneNumber: `+${lost}`, failureReason: 'AbsentSubscriber' },
    });
    for (const [to, many] of [
      [lost, 0],
      [fine, 1],
    ] as const)
      expect((await other.call(`/api/messages?phone=${to}`)).body.results).toHaveLength(many);
    await other.close();
  });
});

describe('the simulator itself', () => {
  test('refuses to exist beside a real M-Pesa, and in production unless told', async () => {
    const { database } = world;
    const real = { mpesaBaseUrl: 'https://api.safaricom.co.ke' };
    await expect(createSimulator({ database, world: database.world, surroundings: real })).rejects.toThrow(
      /a real M-Pesa is configured/,
    );
    expect(whyNoSimulator({ nodeEnv: 'production' })).not.toBeNull();
    expect(whyNoSimulator({ nodeEnv: 'production', simulator: '1' })).toBeNull();
    expect(whyNoSimulator({ nodeEnv: 'production', simulator: '1', ...real })).not.toBeNull();
  });

  test('remembers over a restart: a prompt answered before it calls back after it', async () => {
    const to = phone();
    await world.befall('stk_push', 'delay=30000');
    await push(to);
    const { receipt } = (await answer(to, 'approve')).body;
    const { database } = world;
    const again = await createSimulator({ database, world: database.world, surroundings: {}, tickEveryMs: 0 });
    expect(again.darajaConfig(world.origin)).toEqual(world.clientSettings);
    database.world.advance(30_000);
    await again.tick();
    expect(stkCallbacks()).toMatchObject([{ resultCode: '0', payment: { receipt } }]);
  });

  test('answers by itself when told to, and by the endings of phones when told that', async () => {
    await world.call('/__control/settings', { auto: 'approve' });
    const to = phone();
    await push(to);
    await settle(1_000);
    expect(stkCallbacks()).toMatchObject([{ resultCode: '0' }]);
    world.received.length = 0;
    await world.call('/__control/settings', { auto: 'endings' });
    for (const ending of ['001', '032', '037', '201']) await push(`254722000${ending}`);
    await settle(1_000);
    expect(stkCallbacks().map((callback) => callback?.resultCode)).toEqual(['1', '1032', '1037', '2001']);
    await world.call('/__control/settings', { auto: 'off' });
  });

  test('does what is due by itself while the server listens, and stops with it', async () => {
    const alive = await simulatedWorld({ tickEveryMs: 20, auto: 'approve', autoDelayMs: 0 });
    const own = createDaraja(alive.clientSettings, {
      world: alive.database.world,
      tokenStore: postgresTokenStore(alive.database),
    });
    const callbackUrl = `${alive.hooks}/stk`;
    const to = { phone: '254712345678', accountReference: 'A1', description: 'Wallet' };
    await own.stkPush({ ...to, amountCents: 10_000, callbackUrl });
    await expect.poll(() => alive.received.length, { timeout: 5_000 }).toBe(1);
    await alive.close();
  });

  test('ends although the database holds what it is at', async () => {
    const alive = await simulatedWorld({ tickEveryMs: 20 });
    const held = Promise.withResolvers<void>();
    const letGo = Promise.withResolvers<void>();
    const holding = alive.database.owner.begin(async (sql) => {
      await sql`lock table simulator.payment, simulator.prompt, simulator.delivery in access exclusive mode`;
      held.resolve();
      await letGo.promise;
    });
    await held.promise;
    const isWaiting = async () =>
      (
        await alive.database.owner`
          select 1 from pg_locks
          where not granted and database = (select oid from pg_database where datname = current_database())`
      ).length > 0;
    try {
      await expect.poll(isWaiting, { timeout: 5_000 }).toBe(true);
      await alive.app.close();
      expect(await isWaiting()).toBe(true);
    } finally {
      letGo.resolve();
      await holding;
      await alive.database.close();
    }
  });

  test('is controlled from this machine only, and not through a proxy on it', async () => {
    const asked = async (headers: Record<string, string>) =>
      (await fetch(`${world.origin}/simulator/__control/truth`, { headers })).status;
    expect(await asked({})).toBe(200);
    for (const name of ['x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'forwarded', 'via']) {
      expect(await asked({ [name]: '203.0.113.9' })).toBe(404);
    }
  });

  test('serves the phone page under a strict policy: no inline script, no inline style', async () => {
    const page = await (await fetch(`${world.origin}/simulator/`)).text();
    expect(page).toContain('<title>');
    expect(page).not.toMatch(/<style|<script(?![^>]*\ssrc=)|\sstyle=|\son\w+=/i);
    for (const path of page.matchAll(/(?:src|href)="(\/simulator\/[^"]+)"/g)) {
      expect((await fetch(world.origin + path[1])).status).toBe(200);
    }
  });

  test('answers what stands on each of the paybill’s accounts, or names as much more as it is told to', async () => {
    const ask = () =>
      daraja.accountBalance({
        remarks: 'comparison',
        resultUrl: `${world.hooks}/${SECRET}/balance/1/result`,
        timeoutUrl: `${world.hooks}/${SECRET}/balance/1/timeout`,
      });
    const asked = await ask();
    await world.befall('account_balance', 'balance_off=-12');
    await ask();
    await settle(1_000);
    const answers = world.received
      .map(({ body }) => parseBalanceResult(body))
      .map((read) => (read.ok ? read.value : null));
    const held = Object.fromEntries(
      (await world.database.sql`select name, balance_cents from simulator.organisation_account`).map((row) => [
        row.name,
        Number(row.balance_cents),
      ]),
    );
    expect(asked).toMatchObject({ outcome: 'accepted', conversationId: answers[0]?.conversationId });
    expect(answers[0]?.balance?.accounts).toEqual([
      { name: 'Working Account', cents: 0 },
      { name: 'Utility Account', cents: held.utility },
      { name: 'Charges Paid Account', cents: held.charges },
    ]);
    expect(answers[0]?.balance?.completedAt).toBeInstanceOf(Date);
    expect(answers[1]?.balance?.totalCents).toBe((answers[0]?.balance?.totalCents ?? 0) - 1_200);
  });

  test('keeps its books: what people paid in is what the paybill holds', async () => {
    const [sum] = await world.database.sql`
      select sum(case kind when 'b2c' then -amount_cents else amount_cents end)::bigint as moved from simulator.payment`;
    const [held] = await world.database.sql`
      select balance_cents from simulator.organisation_account where name = 'utility'`;
    expect(held?.balance_cents).toBe(1_000_000_000 + Number(sum?.moved));
  });
});
