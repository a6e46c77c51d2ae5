import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Tx } from '../db/tx.ts';
import { finish, write } from './daraja-routes.ts';
import { answerInstead, type Fields, fieldText, type WireAnswer } from './daraja-wire.ts';
import { takeFaults } from './faults.ts';
import type { Core } from './simulator.types.ts';

/** Africa's Talking's messaging endpoint (payments.md 5.1); what it takes lands in the inbox. */
export function smsRoutes(app: FastifyInstance, core: Core): void {
  app.post('/version1/messaging', (request, reply) => takeMessage(core, request, reply));
}

async function takeMessage(core: Core, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const fields = (request.body ?? {}) as Fields;
  const { smsApiKey, smsUsername } = core.keys;
  if (request.headers.apikey !== smsApiKey || fieldText(fields, 'username') !== smsUsername) {
    return write(reply, { status: 401, type: 'text/html', body: 'The supplied authentication is invalid' });
  }
  const numbers = fieldText(fields, 'to').split(',').filter(Boolean);
  const text = fieldText(fields, 'message');
  if (numbers.length === 0 || text === '') {
    return write(reply, { status: 400, type: 'text/html', body: 'Request is missing required form field' });
  }
  const { faults, answer } = await core.act(async (tx) => {
    const faults = await takeFaults(tx, 'sms', numbers[0]?.replace('+', '') ?? null, undefined);
    const instead = faults.hang === undefined ? answerInstead(core, faults) : { status: 503, body: '' };
    const sender = fieldText(fields, 'from') || 'AFRICASTKNG';
    return { faults, answer: instead ?? (await deliver(tx, numbers, sender, text)) };
  });
  return finish(core, reply, answer, faults);
}

async function deliver(tx: Tx, numbers: readonly string[], sender: string, text: string): Promise<WireAnswer> {
  const recipients = [];
  for (const number of numbers) {
    if (!/^\+\d{8,15}$/.test(number)) {
      recipients.push({ statusCode: 403, number, status: 'InvalidPhoneNumber', cost: '0', messageId: 'None' });
      continue;
    }
    const id = tx.newId();
    await tx.sql`
      insert into simulator.message (id, phone, sender, text, sent_at)
      values (${id}, ${number.slice(1)}, ${sender}, ${text}, ${tx.now})`;
    recipients.push({ statusCode: 101, number, status: 'Success', cost: 'KES 0.8000', messageId: `ATXid_${id}` });
  }
  const sent = recipients.filter(({ statusCode }) => statusCode === 101).length;
  const message = `Sent to ${sent}/${numbers.length} Total Cost: KES ${(sent * 0.8).toFixed(4)}`;
  return { status: 201, body: { SMSMessageData: { Message: message, Recipients: recipients } } };
}
