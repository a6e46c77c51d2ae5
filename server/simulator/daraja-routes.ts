import { timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Tx } from '../db/tx.ts';
import { type PaybillOutcome, payPaybill } from './c2b.ts';
import { type Act, payOutB2c, pushStk, queryBalance, queryStk, queryTransaction, registerC2b } from './daraja-acts.ts';
import {
  answerInstead,
  type Fields,
  fieldText,
  invalidField,
  isPhone,
  tokenRefusal,
  type WireAnswer,
  wholeAmountCents,
  wireError,
} from './daraja-wire.ts';
import { type Call, type Faults, faultNumber, takeFaults } from './faults.ts';
import { newRequestId, randomFrom } from './identifiers.ts';
import { pullPayments } from './pull.ts';
import type { Core } from './simulator.types.ts';

const PRODUCTS: readonly (readonly [path: string, call: Call, act: Act])[] = [
  ['/mpesa/stkpush/v1/processrequest', 'stk_push', pushStk],
  ['/mpesa/stkpushquery/v1/query', 'stk_query', queryStk],
  ['/mpesa/b2c/v3/paymentrequest', 'b2c', payOutB2c],
  ['/mpesa/transactionstatus/v1/query', 'transaction_status', queryTransaction],
  ['/mpesa/accountbalance/v1/query', 'account_balance', queryBalance],
  ['/mpesa/c2b/v1/registerurl', 'c2b_register', registerC2b('v1')],
  ['/mpesa/c2b/v2/registerurl', 'c2b_register', registerC2b('v2')],
  ['/pulltransactions/v1/query', 'pull', pullPayments],
];

/** Daraja's wire contract (payments.md 1-3), as the real client meets it. */
export function darajaRoutes(app: FastifyInstance, core: Core): void {
  app.get('/oauth/v1/generate', (request, reply) => answerOauth(core, request, reply));
  for (const [path, call, act] of PRODUCTS) {
    app.post(path, (request, reply) => answerProduct(core, call, act, request, reply));
    app.get(path, (_request, reply) => write(reply, wireError(core, 405, '405.001', 'GET Method Not Allowed')));
  }
  app.post('/mpesa/c2b/v2/simulate', (request, reply) => answerC2bSimulate(core, request, reply));
  for (const prefix of ['/mpesa/*', '/oauth/*', '/pulltransactions/*']) {
    app.all(prefix, (_request, reply) => write(reply, wireError(core, 404, '404.001.01', 'Resource not found')));
  }
}

async function answerOauth(core: Core, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const { faults, answer } = await core.act(async (tx) => {
    const faults = await takeFaults(tx, 'oauth', null, request.headers['x-simulator-fault']);
    return { faults, answer: answerInstead(core, faults) ?? (await issueToken(core, tx, request)) };
  });
  return finish(core, reply, answer, faults);
}

async function issueToken(core: Core, tx: Tx, request: FastifyRequest): Promise<WireAnswer> {
  const header = request.headers.authorization ?? '';
  if (!header.startsWith('Basic ')) return wireError(core, 400, '400.008.01', 'Invalid Authentication passed');
  if ((request.query as Fields).grant_type !== 'client_credentials') {
    return wireError(core, 400, '400.008.02', 'Invalid grant type passed');
  }
  const { consumerKey, consumerSecret } = core.keys;
  const right = Buffer.from(`${consumerKey}:${consumerSecret}`).toString('base64');
  // A wrong key or secret really is answered with nothing.
  if (!isSame(header.slice('Basic '.length), right)) return { status: 400, body: '' };
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
  const token = randomFrom(core.world, alphabet, 28);
  const value = JSON.stringify({ token, expiresAt: tx.now.getTime() + 3_599_000 });
  await tx.sql`
    insert into simulator.setting (name, value) values ('token', ${value})
    on conflict (name) do update set value = excluded.value`;
  return { status: 200, body: { access_token: token, expires_in: '3599' } };
}

async function answerProduct(
  core: Core,
  call: Call,
  act: Act,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const fields = (request.body ?? {}) as Fields;
  const phone = fieldText(fields, 'PhoneNumber') || fieldText(fields, 'PartyB') || null;
  const { faults, answer } = await core.act(async (tx) => {
    const authorization = request.headers.authorization ?? '';
    const refused = await refuseToken(core, tx, call, authorization);
    // Bad luck that lies ready is kept for a request that gets past the door.
    if (refused) return { faults: {}, answer: refused };
    const faults = await takeFaults(tx, call, phone, request.headers['x-simulator-fault']);
    const instead = faults.hang === undefined ? answerInstead(core, faults) : { status: 503, body: '' };
    if (instead) return { faults, answer: instead };
    if (faults.revoke_token === undefined) return { faults, answer: await act(core, tx, fields, faults) };
    await tx.sql`delete from simulator.setting where name = 'token'`;
    return { faults, answer: tokenRefusal(core, call, authorization.replace(/^Bearer /, '')) };
  });
  return finish(core, reply, answer, faults);
}

/** Only the newest token is good, for 3,599 seconds. */
async function refuseToken(core: Core, tx: Tx, call: Call, authorization: string): Promise<WireAnswer | null> {
  const given = authorization.replace(/^Bearer /, '');
  const [row] = await tx.sql<{ value: string }[]>`select value from simulator.setting where name = 'token'`;
  const newest = row ? (JSON.parse(row.value) as { token: string; expiresAt: number }) : null;
  const isGood = newest && newest.expiresAt > tx.now.getTime() && isSame(given, newest.token);
  return isGood ? null : tokenRefusal(core, call, given);
}

/** The sandbox's own way to make a customer pay by hand. */
async function answerC2bSimulate(core: Core, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const fields = (request.body ?? {}) as Fields;
  const phone = fieldText(fields, 'Msisdn');
  const amountCents = wholeAmountCents(fieldText(fields, 'Amount'));
  const { faults, refused } = await core.act(async (tx) => ({
    faults: await takeFaults(tx, 'c2b', phone || null, request.headers['x-simulator-fault']),
    refused: await refuseToken(core, tx, 'c2b', request.headers.authorization ?? ''),
  }));
  if (refused) return write(reply, refused);
  if (fieldText(fields, 'ShortCode') !== core.keys.shortcode) return write(reply, invalidField(core, 'ShortCode'));
  if (!isPhone(phone)) return write(reply, invalidField(core, 'Msisdn'));
  if (amountCents === null) return write(reply, invalidField(core, 'Amount'));
  const accountReference = fieldText(fields, 'BillRefNumber').slice(0, 20);
  const paid: PaybillOutcome = await payPaybill(core, { phone, amountCents, accountReference }, faults);
  const body = {
    OriginatorCoversationID: newRequestId(core.world),
    ResponseCode: '0',
    ResponseDescription: 'refused' in paid ? `Refused ${paid.refused}` : 'Accept the service request successfully.',
  };
  return finish(core, reply, { status: 200, body }, faults);
}

/** Sends the answer, or loses it, as the faults say. */
export async function finish(
  core: Core,
  reply: FastifyReply,
  answer: WireAnswer,
  faults: Faults,
): Promise<FastifyReply> {
  if (faults.before_response !== undefined) await core.tick();
  if (faults.hang !== undefined) {
    reply.hijack();
    const socket = reply.raw.socket;
    setTimeout(() => socket?.destroy(), faultNumber(faults, 'hang', 60_000)).unref();
    return reply;
  }
  if (faults.lost_response !== undefined) {
    reply.hijack();
    reply.raw.socket?.destroy();
    return reply;
  }
  return write(reply, answer);
}

export function write(reply: FastifyReply, answer: WireAnswer): FastifyReply {
  reply.code(answer.status).type(answer.type ?? 'application/json');
  if (answer.location) reply.header('location', answer.location);
  return reply.send(typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body));
}

function isSame(given: string, right: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(right)];
  return a.length === b.length && timingSafeEqual(a, b);
}
