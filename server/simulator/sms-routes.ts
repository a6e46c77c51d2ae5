import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Tx } from '../db/tx.ts';
import { finish, write } from './daraja-routes.ts';
import { answerInstead, type Fields, fieldText, type WireAnswer } from './daraja-wire.ts';
import { oweCallback } from './deliveries.ts';
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
  const message = { numbers, sender: fieldText(fields, 'from') || 'AFRICASTKNG', text };
  const answer = await deliverUntroubled(core, message);
  if (answer) return write(reply, answer);
  return deliverTroubled(core, message, reply);
}

interface Sms {
  /** As the request has them. */
  readonly numbers: readonly string[];
  readonly sender: string;
  readonly text: string;
}

/**
 * Where no fault waits for anybody: one statement and no lock, since hundreds of members are told of a busy minute's trades
 * and the simulator runs in the product's process. Null where a fault may wait.
 */
async function deliverUntroubled({ database, world }: Core, sms: Sms): Promise<WireAnswer | null> {
  const ids = sms.numbers.filter(isNumber).map(() => database.newId());
  const kept = await keep(database, sms, { ids, at: world.now(), evenIfTroubled: false });
  return kept === 0 ? null : answerOf(sms.numbers, ids);
}

async function deliverTroubled(core: Core, sms: Sms, reply: FastifyReply): Promise<FastifyReply> {
  const { numbers } = sms;
  const { faults, answer } = await core.act(async (tx) => {
    const faults = await takeFaults(tx, 'sms', numbers[0]?.replace('+', '') ?? null, undefined);
    const instead = faults.hang === undefined ? answerInstead(core, faults) : { status: 503, body: '' };
    if (instead) return { faults, answer: instead };
    const [refused, undelivered] = [await numbersOf(tx, 'sms_refused'), await numbersOf(tx, 'sms_undelivered')];
    const taken = numbers.filter((number) => !refused.has(number) && isNumber(number));
    const ids = taken.map(() => tx.newId());
    const lost = taken.flatMap((number, index) =>
      undelivered.has(number) ? [{ number, id: ids[index] as string }] : [],
    );
    const arrived = ids.filter((each) => lost.every(({ id }) => id !== each));
    const numbersArrived = taken.filter((number) => !undelivered.has(number));
    await keep(tx, { ...sms, numbers: numbersArrived }, { ids: arrived, at: tx.now, evenIfTroubled: true });
    for (const each of lost) await reportLost(core, tx, each);
    return { faults, answer: answerOf(numbers, ids, refused) };
  });
  return finish(core, reply, answer, faults);
}

/** A moment later the provider reports that a message that it had taken did not arrive. */
async function reportLost(core: Core, tx: Tx, { number, id }: { number: string; id: string }): Promise<void> {
  if (core.smsReportUrl === null) return;
  const report = {
    id: `ATXid_${id}`,
    status: 'Failed',
    phoneNumber: number,
    networkCode: '63902',
    failureReason: 'AbsentSubscriber',
  };
  const body = new URLSearchParams(report).toString();
  await oweCallback(tx, { kind: 'sms_report', url: core.smsReportUrl, body, afterMs: core.resultDelayMs }, {});
}

/** The numbers of a setting in the form of a request: `sms_refused` are refused for good, messages to `sms_undelivered` do not arrive. */
async function numbersOf(tx: Tx, setting: 'sms_refused' | 'sms_undelivered'): Promise<ReadonlySet<string>> {
  const [row] = await tx.sql<{ value: string }[]>`select value from simulator.setting where name = ${setting}`;
  return new Set((row?.value ?? '').split(',').map((phone) => `+${phone}`));
}

const isNumber = (text: string) => /^\+\d{8,15}$/.test(text);

/** Puts a message into the inboxes of its valid numbers, and answers how many those are. */
async function keep(
  { sql }: Pick<Core['database'], 'sql'> | Pick<Tx, 'sql'>,
  { numbers, sender, text }: Sms,
  { ids, at, evenIfTroubled }: { ids: readonly string[]; at: Date; evenIfTroubled: boolean },
): Promise<number> {
  const kept = await sql`
    insert into simulator.message (id, phone, sender, text, sent_at)
    select id, phone, ${sender}::text, ${text}::text, ${at}
    from unnest(${[...ids]}::uuid[], ${numbers.filter(isNumber).map((number) => number.slice(1))}::text[])
      as sent (id, phone)
    where ${evenIfTroubled}::boolean
      or not exists (select from simulator.fault where times_left > 0 and call in ('sms', 'any'))
        and not exists (select from simulator.setting where name in ('chaos', 'sms_refused', 'sms_undelivered'))
    returning id`;
  return kept.length;
}

/** @param ids of the messages to valid numbers, in the order of those */
function answerOf(
  numbers: readonly string[],
  ids: readonly string[],
  refused: ReadonlySet<string> = new Set(),
): WireAnswer {
  const unused = [...ids];
  const recipients = numbers.map((number) =>
    refused.has(number)
      ? { statusCode: 406, number, status: 'UserInBlackList', cost: '0', messageId: 'None' }
      : isNumber(number)
        ? { statusCode: 101, number, status: 'Success', cost: 'KES 0.8000', messageId: `ATXid_${unused.shift()}` }
        : { statusCode: 403, number, status: 'InvalidPhoneNumber', cost: '0', messageId: 'None' },
  );
  const message = `Sent to ${ids.length}/${numbers.length} Total Cost: KES ${(ids.length * 0.8).toFixed(4)}`;
  return { status: 201, body: { SMSMessageData: { Message: message, Recipients: recipients } } };
}
