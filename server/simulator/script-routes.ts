import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { payPaybill } from './c2b.ts';
import { takeFaults } from './faults.ts';
import { type Action, answerPrompt } from './prompts.ts';
import type { Core, PromptRow } from './simulator.types.ts';
import { subscriberOf } from './subscribers.ts';

/** Every simulated subscriber's PIN; a script need not give one. */
export const PIN = '1234';

const PHONE_WANTED = 'phone: digits only, such as 254712345678';
const ACTION_WANTED = 'action: approve, cancel, timeout or insufficient_funds';
const PAYMENT_WANTED = 'phone: 254 and nine digits; amount: whole shillings; account_reference: at most 20 characters';

const phone = z.string().regex(/^254[17]\d{8}$/);
const phoneQuery = z.object({
  phone: z
    .string()
    .regex(/^\d{8,15}$/)
    .optional(),
});
const answerBody = z.object({
  action: z.enum(['approve', 'cancel', 'timeout', 'insufficient_funds']),
  pin: z.string().max(12).optional(),
});
const paymentBody = z.object({
  phone,
  amount: z.coerce.number().int().min(1).max(1_000_000),
  account_reference: z.string().trim().max(20).default(''),
});

/** For scripts and for the phone page: what a person could see and do (architecture.md 3). */
export function scriptRoutes(app: FastifyInstance, core: Core): void {
  app.get('/api/messages', (request, reply) => readMessages(core, request, reply));
  app.get('/api/prompts', (request, reply) => readPrompts(core, request, reply));
  app.post('/api/prompts/:id', (request, reply) => takeAnswer(core, request, reply));
  app.post('/api/payments', (request, reply) => takePayment(core, request, reply));
  app.get('/api/phone', (request, reply) => readPhone(core, request, reply));
  app.get('/api/phones', async () => {
    const results = await core.database.sql`
      select phone, max(at) as last_at from (
        select phone, sent_at as at from simulator.message union all
        select phone, created_at from simulator.prompt) seen
      group by phone order by last_at desc limit 30`;
    return { results };
  });
}

async function readMessages(core: Core, request: FastifyRequest, reply: FastifyReply) {
  const query = phoneQuery.safeParse(request.query);
  if (!query.success) return refuse(reply, 400, 'validation_failed', PHONE_WANTED);
  const phone = query.data.phone ?? null;
  const results = await core.database.sql`
    select id, phone, text, sender, sent_at from simulator.message
    where ${phone}::text is null or phone = ${phone}
    order by ordinal desc limit 100`;
  return { results };
}

async function readPrompts(core: Core, request: FastifyRequest, reply: FastifyReply) {
  const query = phoneQuery.safeParse(request.query);
  if (!query.success) return refuse(reply, 400, 'validation_failed', PHONE_WANTED);
  const phone = query.data.phone ?? null;
  const rows = await core.database.sql<PromptRow[]>`
    select * from simulator.prompt
    where ${phone}::text is null or phone = ${phone}
    order by ordinal desc limit 100`;
  return { results: rows.map(shownPrompt) };
}

async function takeAnswer(core: Core, request: FastifyRequest, reply: FastifyReply) {
  const body = answerBody.safeParse(request.body);
  if (!body.success) return refuse(reply, 400, 'validation_failed', ACTION_WANTED);
  const { id } = request.params as { id: string };
  if (!z.uuid().safeParse(id).success) return refuse(reply, 404, 'not_found', 'There is no such prompt.');
  const { action, pin } = body.data;
  const told: Action = action === 'approve' && pin !== undefined && pin !== PIN ? 'wrong_pin' : action;
  const prompt = await core.act(async (tx) => {
    const [open] = await tx.sql<PromptRow[]>`select * from simulator.prompt where id = ${id}`;
    if (!open) return null;
    return open.status === 'open' ? await answerPrompt(core, tx, open, told) : 'answered';
  });
  if (prompt === null) return refuse(reply, 404, 'not_found', 'There is no such prompt.');
  if (prompt === 'answered') return refuse(reply, 409, 'conflict', 'That prompt has been answered already.');
  soon(core);
  return { receipt: prompt.receipt, status: prompt.status, result_code: prompt.result_code };
}

async function takePayment(core: Core, request: FastifyRequest, reply: FastifyReply) {
  const body = paymentBody.safeParse(request.body);
  if (!body.success) return refuse(reply, 400, 'validation_failed', PAYMENT_WANTED);
  const input = {
    phone: body.data.phone,
    amountCents: body.data.amount * 100,
    accountReference: body.data.account_reference,
  };
  const faults = await core.act((tx) => takeFaults(tx, 'c2b', input.phone, request.headers['x-simulator-fault']));
  const paid = await payPaybill(core, input, faults);
  if ('refused' in paid) return refuse(reply, 422, 'refused', sentenceOf(paid.refused), paid.refused);
  soon(core);
  return { receipt: paid.receipt };
}

async function readPhone(core: Core, request: FastifyRequest, reply: FastifyReply) {
  const query = z.object({ phone }).safeParse(request.query);
  if (!query.success) return refuse(reply, 400, 'validation_failed', PHONE_WANTED);
  const { name, balance_cents } = await core.act((tx) => subscriberOf(tx, query.data.phone));
  return { phone: query.data.phone, name, balance: balance_cents / 100, paybill: core.keys.shortcode };
}

/** The callback need not wait for the next look; a failure is found by it. */
function soon(core: Core): void {
  core.tick().catch(() => {});
}

function shownPrompt(prompt: PromptRow) {
  return {
    id: prompt.id,
    phone: prompt.phone,
    amount: prompt.amount_cents / 100,
    account_reference: prompt.account_reference,
    status: prompt.status,
    receipt: prompt.receipt,
    result_code: prompt.result_code,
    result_description: prompt.result_description,
    created_at: prompt.created_at,
    expires_at: prompt.expires_at,
  };
}

const SENTENCES: Readonly<Record<string, string>> = {
  '1': 'There is not enough money on that phone.',
  '3': 'M-Pesa moves at most Ksh. 250,000 at a time.',
  '4': 'That would pass the daily limit of Ksh. 500,000.',
  '17': 'The same amount from the same phone only once in two minutes.',
  C2B00012: 'The paybill does not know that account number.',
  C2B00013: 'The paybill does not take that amount.',
};

function sentenceOf(code: string): string {
  return SENTENCES[code] ?? `M-Pesa refused it (${code}).`;
}

export function refuse(reply: FastifyReply, status: number, code: string, message: string, reason?: string) {
  return reply.code(status).send({ success: false, code, message, detail: message, ...(reason ? { reason } : {}) });
}
