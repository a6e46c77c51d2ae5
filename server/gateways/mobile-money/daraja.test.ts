import { constants, generateKeyPairSync, privateDecrypt } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { testWorld } from '../../db/test-world.ts';
import { isC2bUrlAllowed, nairobiTimestamp, stkPassword } from './daraja.checks.ts';
import { classifyPayout, classifyStk } from './daraja.codes.ts';
import { createDaraja } from './daraja.ts';
import type { DarajaLogLine } from './daraja.types.ts';
import { memoryTokenStore } from './token-store.ts';

const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });

interface Sent {
  readonly url: string;
  readonly init: RequestInit;
  readonly body: Record<string, unknown>;
}

/** Safaricom as a list of answers: tokens are always given, anything else gets the next answer. */
function darajaThatHears(...answers: readonly (Response | Error)[]) {
  const sent: Sent[] = [];
  const log: DarajaLogLine[] = [];
  let tokens = 0;
  const fetch: typeof globalThis.fetch = async (input, init = {}) => {
    const url = String(input);
    if (url.includes('/oauth/')) {
      tokens += 1;
      return Response.json({ access_token: `token-${tokens}`, expires_in: '3599' });
    }
    sent.push({ url, init, body: JSON.parse(String(init.body)) });
    const answer = answers[sent.length - 1] ?? new Error('no more answers');
    if (answer instanceof Error) throw answer;
    return answer;
  };
  const world = testWorld({ now: new Date('2021-06-28T06:24:08Z') });
  const daraja = createDaraja(
    {
      baseUrl: 'https://sandbox.safaricom.co.ke',
      consumerKey: 'key',
      consumerSecret: 'secret',
      shortcode: '174379',
      passkey: 'testpasskey',
      payoutShortcode: '600997',
      initiator: {
        name: 'testapi',
        password: 'Safaricom999!*!',
        certificatePem: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
      },
    },
    { world, tokenStore: memoryTokenStore(), fetch, log: (line) => log.push(line) },
  );
  return { daraja, sent, log, tokenCount: () => tokens };
}

const PUSH = {
  amountCents: 100,
  phone: '254708374149',
  accountReference: 'accountref',
  description: 'txndesc',
  callbackUrl: 'https://mydomain.com/path',
};
const PAYOUT = {
  originatorConversationId: 'OUT1',
  amountCents: 100_000,
  phone: '254708374149',
  remarks: 'Withdrawal',
  resultUrl: 'https://mydomain.com/r',
  timeoutUrl: 'https://mydomain.com/t',
};
const json = (status: number, body: object) => Response.json(body, { status });
const refused = (status: number, errorCode: string, errorMessage: string) =>
  json(status, { requestId: '1c5b-4ba8', errorCode, errorMessage });
const ACCEPTED = {
  MerchantRequestID: '2654-4b64-97ff-b827b542881d3130',
  CheckoutRequestID: 'ws_CO_27112025133814625708374149',
  ResponseCode: '0',
  ResponseDescription: 'Success. Request accepted for processing',
};

describe('golden vectors', () => {
  test('the password is base64 of shortcode, passkey and timestamp', () => {
    expect(stkPassword('174379', 'testpasskey', '20210628092408')).toBe('MTc0Mzc5dGVzdHBhc3NrZXkyMDIxMDYyODA5MjQwOA==');
  });

  test('the timestamp is the time in Nairobi', () => {
    expect(nairobiTimestamp(new Date('2021-06-28T06:24:08Z'))).toBe('20210628092408');
    expect(nairobiTimestamp(new Date('2026-12-31T21:00:00Z'))).toBe('20270101000000');
  });

  test('the credential is the password alone, under RSA with PKCS#1 v1.5', async () => {
    const { daraja, sent } = darajaThatHears(json(200, { ConversationID: 'AG_1', ResponseCode: '0' }));
    await daraja.b2c(PAYOUT);
    const credential = Buffer.from(String(sent[0]?.body.SecurityCredential), 'base64');
    const clear = privateDecrypt({ key: privateKey, padding: constants.RSA_PKCS1_PADDING }, credential);
    expect(clear.toString()).toBe('Safaricom999!*!');
  });
});

describe('a push', () => {
  test('goes out as Safaricom documents it', async () => {
    const { daraja, sent } = darajaThatHears(json(200, ACCEPTED));
    expect(await daraja.stkPush(PUSH)).toEqual({
      outcome: 'accepted',
      merchantRequestId: '2654-4b64-97ff-b827b542881d3130',
      checkoutRequestId: 'ws_CO_27112025133814625708374149',
    });
    expect(sent[0]?.url).toBe('https://sandbox.safaricom.co.ke/mpesa/stkpush/v1/processrequest');
    expect(sent[0]?.init).toMatchObject({ method: 'POST', redirect: 'manual' });
    expect(new Headers(sent[0]?.init.headers).get('authorization')).toBe('Bearer token-1');
    expect(sent[0]?.body).toEqual({
      BusinessShortCode: '174379',
      Password: 'MTc0Mzc5dGVzdHBhc3NrZXkyMDIxMDYyODA5MjQwOA==',
      Timestamp: '20210628092408',
      TransactionType: 'CustomerPayBillOnline',
      Amount: '1',
      PartyA: '254708374149',
      PartyB: '174379',
      PhoneNumber: '254708374149',
      CallBackURL: 'https://mydomain.com/path',
      AccountReference: 'accountref',
      TransactionDesc: 'txndesc',
    });
  });

  test.each([
    ['cents', { amountCents: 150 }],
    ['nothing', { amountCents: 0 }],
    ['too much', { amountCents: 25_000_100 }],
    ['no whole number', { amountCents: 100.5 }],
    ['a foreign phone', { phone: '255708374149' }],
    ['a phone with a plus', { phone: '+254708374149' }],
    ['a reference of 13', { accountReference: 'A234567890123' }],
    ['a reference with a space', { accountReference: 'A 1' }],
    ['a description of 14', { description: '12345678901234' }],
    ['an empty description', { description: '' }],
    ['a URL that is none', { callbackUrl: 'javascript:alert(1)' }],
  ])('with %s is refused before it is sent', async (_name, wrong) => {
    const { daraja, sent } = darajaThatHears(json(200, ACCEPTED));
    expect(await daraja.stkPush({ ...PUSH, ...wrong })).toMatchObject({ outcome: 'rejected', code: 'invalid_request' });
    expect(sent).toEqual([]);
  });

  test.each([
    [refused(400, '400.002.02', 'Bad Request - Invalid BusinessShortCode'), 'invalid_request'],
    [refused(500, '500.001.1001', 'Merchant does not exist'), 'credentials'],
    [refused(500, '500.001.1001', '[MerchantValidate] - Wrong credentials'), 'credentials'],
    [
      refused(
        500,
        '500.001.1001',
        'Unable to lock subscriber, a transaction is already in process for the current subscriber',
      ),
      'subscriber_locked',
    ],
    [refused(500, '500.003.02', 'System is busy. Please try again in few minutes.'), 'busy'],
    [refused(500, '500.003.02', 'Error Occurred: Spike Arrest Violation'), 'busy'],
    [refused(500, '500.003.03', 'Quota Violation'), 'busy'],
    [json(400, { errorCode: '400.002.02', errorMessage: 'no requestId' }), 'invalid_request'],
  ])('that is refused for certain: %#', async (answer, kind) => {
    const { daraja, sent } = darajaThatHears(answer);
    expect(await daraja.stkPush(PUSH)).toMatchObject({ outcome: 'rejected', kind });
    expect(sent).toHaveLength(1);
  });

  test.each([
    ['a broken connection', new TypeError('fetch failed'), 'no_answer'],
    ['a redirect', new Response(null, { status: 302, headers: { location: 'https://evil.example' } }), 'no_answer'],
    ['an answer past the cap', new Response('x'.repeat(300_000)), 'no_answer'],
    ['an HTML page', new Response('<html>502</html>', { status: 502 }), 'unreadable'],
    ['a 200 that is not JSON', new Response('OK'), 'unreadable'],
    ['a 200 without its id', json(200, { ResponseCode: '0' }), 'unreadable'],
    ['a 200 with another ResponseCode', json(200, { ...ACCEPTED, ResponseCode: '1' }), 'unreadable'],
    ['an internal error', refused(500, '500.003.1001', 'Internal Server Error'), 'server_error'],
    ['the overloaded code with no message', refused(500, '500.001.1001', ''), 'server_error'],
    ['a 503 with JSON but no code', json(503, {}), 'server_error'],
  ])('that meets %s is unknown, and never sent again', async (_name, answer, reason) => {
    const { daraja, sent } = darajaThatHears(answer, json(200, ACCEPTED));
    expect(await daraja.stkPush(PUSH)).toMatchObject({ outcome: 'unknown', reason });
    expect(sent).toHaveLength(1);
  });
});

test('a question names the shortcode that took the payment, or paid it out', async () => {
  const { daraja, sent } = darajaThatHears(json(200, ACCEPTED), json(200, ACCEPTED), json(200, ACCEPTED));
  const question = { resultUrl: PAYOUT.resultUrl, timeoutUrl: PAYOUT.timeoutUrl, remarks: 'status' };
  await daraja.transactionStatus({ ...question, originalConversationId: 'OUT1', isPayout: true });
  await daraja.transactionStatus({ ...question, originalConversationId: '2654-4b64' });
  await daraja.transactionStatus({ ...question, receipt: 'SGH7XK2L9D' });
  expect(sent.map(({ init }) => JSON.parse(String(init.body)))).toMatchObject([
    { PartyA: '600997', OriginalConversationID: 'OUT1' },
    { PartyA: '174379', OriginalConversationID: '2654-4b64' },
    { PartyA: '174379', TransactionID: 'SGH7XK2L9D' },
  ]);
});

describe('the token', () => {
  test.each([
    ['404.001.03', 404],
    ['401.002.01', 401],
    ['400.003.01', 400],
    ['401.001', 401],
    ['401.003.01', 401],
  ])('refused with %s is renewed once, and the request sent once more', async (code, status) => {
    const { daraja, sent, tokenCount } = darajaThatHears(
      refused(status, code, 'Invalid Access Token'),
      json(200, ACCEPTED),
    );
    expect(await daraja.stkPush(PUSH)).toMatchObject({ outcome: 'accepted' });
    expect(sent).toHaveLength(2);
    expect(tokenCount()).toBe(2);
    expect(new Headers(sent[1]?.init.headers).get('authorization')).toBe('Bearer token-2');
  });

  test('is asked for once while it lasts, though expires_in comes as text', async () => {
    const { daraja, tokenCount } = darajaThatHears(json(200, ACCEPTED), json(200, ACCEPTED));
    await daraja.stkPush(PUSH);
    await daraja.stkPush(PUSH);
    expect(tokenCount()).toBe(1);
  });

  test('that M-Pesa quotes back in an error does not reach us', async () => {
    const echo = () => refused(401, '401.002.01', 'Error Occurred - Invalid Access Token - token-1');
    const { daraja, log } = darajaThatHears(echo(), echo());
    expect(JSON.stringify([await daraja.b2c(PAYOUT), log])).not.toContain('token-1');
    const odd = darajaThatHears(refused(403, '403.000.01', 'Error Occurred - Invalid Access Token - token-1'));
    expect(JSON.stringify([await odd.daraja.b2c(PAYOUT), odd.log])).not.toContain('token-1');
  });
});

describe('a query', () => {
  const ask = (answer: Response) => darajaThatHears(answer).daraja.stkQuery({ checkoutRequestId: 'ws_CO_1' });

  test('reads its codes as text and knows both shapes of pending', async () => {
    const final = { ResponseCode: '0', ResultCode: '0', ResultDesc: 'The service request is processed successfully.' };
    expect(await ask(json(200, final))).toMatchObject({ outcome: 'accepted', verdict: 'paid', resultCode: '0' });
    expect(await ask(json(200, { ...final, ResultCode: 1032 }))).toMatchObject({ verdict: 'failed' });
    expect(await ask(json(200, { ...final, ResultCode: '4999' }))).toMatchObject({ verdict: 'pending' });
    expect(await ask(refused(500, '500.001.1001', 'The transaction is being processed'))).toMatchObject({
      outcome: 'accepted',
      verdict: 'pending',
    });
  });

  test('never calls an unknown code, an unknown id or an empty message a failure', async () => {
    const odd = json(200, { ResponseCode: '0', ResultCode: '7777', ResultDesc: '?' });
    expect(await ask(odd)).toMatchObject({ outcome: 'accepted', verdict: 'review' });
    expect(await ask(refused(500, '500.001.1001', 'The transaction does not Exist'))).toMatchObject({
      outcome: 'unknown',
      reason: 'not_found',
    });
    expect(await ask(refused(500, '500.001.1001', ''))).toMatchObject({ outcome: 'unknown' });
  });
});

describe('a payout', () => {
  test('that is a duplicate is unknown, not refused: the first one may be paying', async () => {
    const { daraja } = darajaThatHears(refused(500, '500.002.1001', 'Duplicate OriginatorConversationID.'));
    expect(await daraja.b2c(PAYOUT)).toMatchObject({ outcome: 'unknown', reason: 'duplicate' });
  });

  test.each([
    ['below ten shillings', { amountCents: 900 }],
    ['with cents', { amountCents: 100_050 }],
    ['with a bad id', { originatorConversationId: 'a b' }],
    ['with a short remark', { remarks: 'x' }],
  ])('%s is refused before it is sent', async (_name, wrong) => {
    const { daraja, sent } = darajaThatHears();
    expect(await daraja.b2c({ ...PAYOUT, ...wrong })).toMatchObject({ outcome: 'rejected', code: 'invalid_request' });
    expect(sent).toEqual([]);
  });

  test('goes to v3, with our own id and the occasion spelled as Safaricom spells it', async () => {
    const { daraja, sent } = darajaThatHears(
      json(200, { OriginatorConversationID: 'OUT1', ConversationID: 'AG_1', ResponseCode: '0' }),
    );
    await daraja.b2c({ ...PAYOUT, occasion: 'October' });
    expect(sent[0]?.url).toBe('https://sandbox.safaricom.co.ke/mpesa/b2c/v3/paymentrequest');
    expect(sent[0]?.body).toMatchObject({
      OriginatorConversationID: 'OUT1',
      CommandID: 'BusinessPayment',
      Amount: '1000',
      Occassion: 'October',
    });
  });
});

describe('codes', () => {
  test('mean the same in callback and query, but for those that no table knows', () => {
    const verdicts = ['0', '1', '17', '1001', '1032', '1037', '2001', '2028', '8006', 'SFC_IC0003', '4999'].map(
      (code) => classifyStk(code, 'callback').verdict,
    );
    expect(verdicts).toEqual([
      'paid',
      'failed',
      'failed',
      'failed_transient',
      'failed',
      'failed',
      'failed',
      'config_alarm',
      'failed',
      'config_alarm',
      'pending',
    ]);
    expect(classifyStk('7777', 'callback')).toMatchObject({ verdict: 'failed', recognised: false });
    expect(classifyStk('7777', 'query')).toMatchObject({ verdict: 'review', recognised: false });
    expect(classifyStk('constructor', 'query')).toMatchObject({ verdict: 'review' });
    expect(classifyStk('17', 'callback').retryAfterSeconds).toBe(120);
  });

  test('of a payout: an unknown one keeps the reserve, our own fault raises an alarm', () => {
    expect(['0', '2040', '1', '2001', '7777'].map((code) => classifyPayout(code).verdict)).toEqual([
      'paid',
      'failed',
      'config_alarm',
      'config_alarm',
      'review',
    ]);
  });
});

test('a URL with a word that Safaricom refuses is not registered', () => {
  expect(isC2bUrlAllowed('https://ushirika.example/api/v1/hooks/pay/0a1b/confirmation')).toBe(true);
  for (const word of ['mpesa', 'M-PESA', 'safaricom', 'exec', 'x.exe', 'cmd', 'sql', 'Query']) {
    expect(isC2bUrlAllowed(`https://ushirika.example/${word}/confirmation`)).toBe(false);
  }
});
