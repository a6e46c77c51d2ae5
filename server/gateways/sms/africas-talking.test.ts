import { expect, test } from 'vitest';
import { createSmsGateway } from './africas-talking.ts';

const CONFIG = {
  baseUrl: 'https://api.africastalking.com',
  username: 'ushirika',
  apiKey: 'atsk_1',
  senderId: 'USHIRIKA',
};

function gatewayThatHears(answer: Response | Error) {
  const sent: { url: string; init: RequestInit }[] = [];
  const fetch: typeof globalThis.fetch = async (input, init = {}) => {
    sent.push({ url: String(input), init });
    if (answer instanceof Error) throw answer;
    return answer;
  };
  return { sent, gateway: createSmsGateway(CONFIG, { fetch }) };
}

const taken = (recipients: readonly object[], message = 'Sent to 1/1 Total Cost: KES 0.8000') =>
  Response.json({ SMSMessageData: { Message: message, Recipients: recipients } }, { status: 201 });
const recipient = (statusCode: number, status: string) => ({
  statusCode,
  number: '+254711082000',
  status,
  cost: 'KES 0.8000',
  messageId: 'ATPid_SampleTxnId123',
});
const SMS = { to: '254711082000', message: 'Code 12345678 & more' };

test('a message goes out as a form, with the key in its header', async () => {
  const { gateway, sent } = gatewayThatHears(taken([recipient(101, 'Success')]));
  expect(await gateway.sendSms(SMS)).toEqual({ outcome: 'sent', id: 'ATPid_SampleTxnId123' });
  expect(sent[0]?.url).toBe('https://api.africastalking.com/version1/messaging');
  expect(new Headers(sent[0]?.init.headers).get('apikey')).toBe('atsk_1');
  expect(Object.fromEntries(new URLSearchParams(String(sent[0]?.init.body)))).toEqual({
    username: 'ushirika',
    to: '+254711082000',
    message: 'Code 12345678 & more',
    from: 'USHIRIKA',
  });
});

test.each([
  ['queued', taken([recipient(102, 'Queued')]), { outcome: 'sent' }],
  ['a number that is none', taken([recipient(403, 'InvalidPhoneNumber')]), { outcome: 'failed', retryable: false }],
  ['the black list', taken([recipient(406, 'UserInBlacklist')]), { outcome: 'failed', retryable: false }],
  ['no credit', taken([recipient(405, 'InsufficientBalance')]), { outcome: 'failed', retryable: true }],
  ['a gateway error', taken([recipient(501, 'GatewayError')]), { outcome: 'failed', retryable: true }],
  ['no recipients', taken([], 'InvalidSenderId'), { outcome: 'failed', reason: 'InvalidSenderId' }],
  [
    'a wrong key',
    new Response('The supplied authentication is invalid', { status: 401 }),
    { outcome: 'failed', retryable: false },
  ],
  ['too many', new Response('', { status: 429 }), { outcome: 'failed', retryable: true }],
  ['a server error', new Response('oops', { status: 500 }), { outcome: 'unknown' }],
  ['a body of another shape', Response.json({ ok: true }), { outcome: 'unknown' }],
  ['a null where data should be', Response.json({ SMSMessageData: null }), { outcome: 'unknown' }],
  ['a broken connection', new TypeError('fetch failed'), { outcome: 'unknown' }],
  [
    'nobody there',
    new TypeError('fetch failed', { cause: { code: 'ECONNREFUSED' } }),
    { outcome: 'failed', retryable: true },
  ],
])('%s is told apart', async (_name, answer, outcome) => {
  const { gateway, sent } = gatewayThatHears(answer);
  expect(await gateway.sendSms(SMS)).toMatchObject(outcome);
  expect(sent).toHaveLength(1);
});
