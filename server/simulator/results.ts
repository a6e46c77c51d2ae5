import { payoutCharge } from '@ushirika/contract/withdrawal-charges';
import type { Tx } from '../db/tx.ts';
import { oweCallback } from './deliveries.ts';
import { type Faults, faultNumber } from './faults.ts';
import { compactTime, dottedTime, newConversationId, newReceipt, noReceipt } from './identifiers.ts';
import { bookPayment } from './payments.ts';
import { isShown, shownPerson, shownText } from './shown-fields.ts';
import type { Core, PaymentRow } from './simulator.types.ts';
import {
  BALANCE_CENTS_MAX,
  moveToOrganisation,
  organisationBalance,
  subscriberOf,
  TRANSACTION_CENTS_MAX,
} from './subscribers.ts';

interface ResultUrls {
  readonly resultUrl: string;
  readonly timeoutUrl: string;
  /** The request as it came: what QueueTimeOut sends back, credential and all. */
  readonly request: Readonly<Record<string, unknown>>;
}

export interface PayoutInput extends ResultUrls {
  readonly originatorConversationId: string;
  readonly phone: string;
  readonly amountCents: number;
  readonly isCredentialRight: boolean;
}

/** Pays out, or notes why not; the verdict goes to ResultURL. Null when the id was sent before. */
export async function payOut(core: Core, tx: Tx, input: PayoutInput, faults: Faults): Promise<string | null> {
  const [sent] = await tx.sql`
    select from simulator.payout where originator_conversation_id = ${input.originatorConversationId}`;
  if (sent) return null;
  const conversationId = newConversationId(core.world);
  const code = await rulingOnPayout(tx, input, faults);
  let payment: PaymentRow | null = null;
  if (code === '0') {
    await moveToOrganisation(tx, input.phone, -input.amountCents);
    await tx.sql`
      update simulator.organisation_account set balance_cents = balance_cents - ${payoutCharge(input.amountCents)}
      where name = 'charges'`;
    payment = await bookPayment(core, tx, {
      kind: 'b2c',
      phone: input.phone,
      amount_cents: input.amountCents,
      account_reference: '',
      receipt: newReceipt(core.world),
      originator_conversation_id: input.originatorConversationId,
      conversation_id: conversationId,
    });
  }
  await tx.sql`
    insert into simulator.payout
      (originator_conversation_id, conversation_id, phone, amount_cents, result_code, receipt, created_at)
    values (${input.originatorConversationId}, ${conversationId}, ${input.phone}, ${input.amountCents}, ${code},
            ${payment?.receipt ?? null}, ${tx.now})`;
  const parameters = payment ? await payoutParameters(tx, payment, faults) : null;
  const ids = { originatorConversationId: input.originatorConversationId, conversationId };
  await oweResult(
    core,
    tx,
    { kind: 'b2c', ...ids, code, receipt: payment?.receipt ?? null, parameters },
    input,
    faults,
  );
  return conversationId;
}

async function rulingOnPayout(tx: Tx, input: PayoutInput, faults: Faults): Promise<string> {
  if (faults.unknown_result_code !== undefined) return faults.unknown_result_code || '7777';
  if (!input.isCredentialRight) return '2001';
  if (input.amountCents < 1_000) return '2';
  if (input.amountCents > TRANSACTION_CENTS_MAX) return '3';
  if ((await organisationBalance(tx, 'utility')) < input.amountCents) return '1';
  const { balance_cents } = await subscriberOf(tx, input.phone);
  return balance_cents + input.amountCents > BALANCE_CENTS_MAX ? '8' : '0';
}

type Parameters = readonly { readonly Key: string; readonly Value?: string | number }[];

async function payoutParameters(tx: Tx, payment: PaymentRow, faults: Faults): Promise<Parameters> {
  const subscriber = await subscriberOf(tx, payment.phone);
  return [
    { Key: 'TransactionAmount', Value: payment.amount_cents / 100 },
    { Key: 'TransactionReceipt', Value: payment.receipt },
    { Key: 'ReceiverPartyPublicName', Value: shownPerson(faults, 'receiver', subscriber) },
    { Key: 'TransactionCompletedDateTime', Value: dottedTime(payment.completed_at) },
    { Key: 'B2CUtilityAccountAvailableFunds', Value: (await organisationBalance(tx, 'utility')) / 100 },
    { Key: 'B2CWorkingAccountAvailableFunds', Value: 0 },
    { Key: 'B2CRecipientIsRegisteredCustomer', Value: 'Y' },
    { Key: 'B2CChargesPaidAccountAvailableFunds', Value: (await organisationBalance(tx, 'charges')) / 100 },
  ];
}

export interface StatusInput extends ResultUrls {
  readonly receipt: string | null;
  readonly originalConversationId: string | null;
  readonly isCredentialRight: boolean;
}

/** Looks a transaction up and owes the answer to ResultURL; 2032 when there is none. */
export async function lookUpTransaction(core: Core, tx: Tx, input: StatusInput, faults: Faults) {
  const ids = {
    originatorConversationId: `${core.world.randomBytes(2).toString('hex')}-${core.world.randomBytes(4).readUInt32BE()}-1`,
    conversationId: newConversationId(core.world),
  };
  const [payment] = await tx.sql<PaymentRow[]>`
    select * from simulator.payment
    where (${input.receipt}::text is null or receipt = ${input.receipt})
      and (${input.originalConversationId}::text is null
           or originator_conversation_id = ${input.originalConversationId}
           or conversation_id = ${input.originalConversationId})
    limit 1`;
  const code = input.isCredentialRight ? (payment ? '0' : '2032') : '2001';
  const parameters = code === '0' && payment ? await statusParameters(core, tx, payment, faults) : null;
  const receipt = code === '0' ? newReceipt(core.world) : null;
  await oweResult(core, tx, { kind: 'transaction_status', ...ids, code, receipt, parameters }, input, faults);
  return ids;
}

/** For a payment in, the paybill comes as a second DebitPartyName: the key repeats (payments.md 3.2). */
async function partiesOf(core: Core, tx: Tx, payment: PaymentRow, faults: Faults): Promise<Parameters> {
  const isPayout = payment.kind === 'b2c';
  const subscriber = await subscriberOf(tx, payment.phone);
  const person = shownPerson(faults, isPayout ? 'receiver' : 'payer', subscriber);
  const ours = `${core.keys.shortcode} - Ushirika`;
  const organisation = shownText(faults, isPayout ? 'payer' : 'receiver', ours) ?? '';
  const sides = isPayout ? [organisation, person] : [person, organisation];
  const [debited = '', credited = ''] = isShown(faults, 'reverse', 'parties') ? sides.reverse() : sides;
  return [
    { Key: 'DebitPartyName', Value: debited },
    { Key: isPayout ? 'CreditPartyName' : 'DebitPartyName', Value: credited },
  ];
}

async function statusParameters(core: Core, tx: Tx, payment: PaymentRow, faults: Faults): Promise<Parameters> {
  return [
    ...(await partiesOf(core, tx, payment, faults)),
    {
      Key: 'OriginatorConversationID',
      Value: faults.request_unnamed ?? shownText(faults, 'request', payment.originator_conversation_id),
    },
    { Key: 'InitiatedTime', Value: shownText(faults, 'time', Number(compactTime(payment.completed_at))) },
    { Key: 'DebitAccountType', Value: payment.kind === 'b2c' ? 'Utility Account' : 'MMF Account For Customer' },
    {
      Key: 'DebitPartyCharges',
      ...(payment.kind === 'b2c'
        ? { Value: `Fee For B2C Payment|KES|${(payoutCharge(payment.amount_cents) / 100).toFixed(2)}` }
        : {}),
    },
    { Key: 'TransactionReason' },
    { Key: 'ReasonType', Value: payment.kind === 'b2c' ? 'Business Payment to Customer via API' : 'Pay Utility' },
    {
      Key: 'TransactionStatus',
      Value: shownState(payment, faults),
    },
    { Key: 'FinalisedTime', Value: shownText(faults, 'time', Number(compactTime(payment.completed_at))) },
    { Key: 'Amount', Value: shownText(faults, 'amount', String(payment.amount_cents / 100)) },
    { Key: 'ConversationID', Value: payment.conversation_id },
    { Key: 'ReceiptNo', Value: shownText(faults, 'receipt', payment.receipt) },
  ].filter(
    ({ Value, Key }) => Value !== undefined || Key === 'TransactionReason' || Key === 'DebitPartyCharges',
  ) as Parameters;
}

function shownState(payment: PaymentRow, faults: Faults): string {
  if (faults.status_contradicts !== undefined) return faults.status_contradicts || 'Failed';
  return payment.reversed_at !== null || faults.reversed !== undefined ? 'Reversed' : 'Completed';
}

export interface BalanceInput extends ResultUrls {
  readonly isCredentialRight: boolean;
}

/** Owes to ResultURL what stands on the organisation's accounts at this moment. */
export async function tellBalance(core: Core, tx: Tx, input: BalanceInput, faults: Faults) {
  const ids = {
    originatorConversationId: `${core.world.randomBytes(2).toString('hex')}-${core.world.randomBytes(4).readUInt32BE()}-1`,
    conversationId: newConversationId(core.world),
  };
  const code = input.isCredentialRight ? '0' : '2001';
  const parameters = code === '0' ? await balanceParameters(tx, faults) : null;
  await oweResult(core, tx, { kind: 'account_balance', ...ids, code, receipt: null, parameters }, input, faults);
  return ids;
}

async function balanceParameters(tx: Tx, faults: Faults): Promise<Parameters> {
  const off = faults.balance_off === undefined ? 0 : 100 * faultNumber(faults, 'balance_off', 1);
  const account = (name: string, cents: number) => {
    const shown = (cents / 100).toFixed(2);
    return `${name}|KES|${shown}|${shown}|0.00|0.00`;
  };
  const accounts = [
    account('Working Account', 0),
    account('Utility Account', (await organisationBalance(tx, 'utility')) + off),
    account('Charges Paid Account', await organisationBalance(tx, 'charges')),
  ];
  return [
    { Key: 'AccountBalance', Value: accounts.join('&') },
    { Key: 'BOCompletedTime', Value: Number(compactTime(tx.now)) },
  ];
}

interface Verdict {
  readonly kind: 'b2c' | 'transaction_status' | 'account_balance';
  readonly originatorConversationId: string;
  readonly conversationId: string;
  readonly code: string;
  readonly receipt: string | null;
  readonly parameters: Parameters | null;
}

const DESCRIPTIONS: Readonly<Record<string, string>> = {
  '0': 'The service request is processed successfully.',
  '1': 'The balance is insufficient for the transaction.',
  '2001': 'The initiator information is invalid.',
  '2032': 'The transaction receipt number does not exist.',
};

async function oweResult(core: Core, tx: Tx, verdict: Verdict, urls: ResultUrls, faults: Faults): Promise<void> {
  const { kind, code, parameters } = verdict;
  const body = JSON.stringify({
    Result: {
      // Of a balance both come as text (payments.md 3.2).
      ResultType: kind === 'account_balance' ? '0' : 0,
      ResultCode: kind !== 'account_balance' && /^(0|[1-9]\d*)$/.test(code) ? Number(code) : code,
      ResultDesc: DESCRIPTIONS[code] ?? 'The transaction could not be completed.',
      OriginatorConversationID: verdict.originatorConversationId,
      ConversationID: verdict.conversationId,
      TransactionID: verdict.receipt ?? noReceipt(core.world),
      ...(parameters ? { ResultParameters: { ResultParameter: withMismatch(parameters, faults) } } : {}),
      ReferenceData: { ReferenceItem: { Key: kind === 'b2c' ? 'QueueTimeoutURL' : 'Occasion' } },
    },
  });
  let afterMs = core.resultDelayMs;
  if (faults.queue_timeout !== undefined) {
    const timeout = JSON.stringify(urls.request);
    await oweCallback(tx, { kind: `${kind}_timeout`, url: urls.timeoutUrl, body: timeout }, {});
    afterMs = faultNumber(faults, 'queue_timeout', 5_000);
  }
  if (faults.before_response !== undefined) afterMs = 0;
  await oweCallback(tx, { kind, url: urls.resultUrl, body, afterMs }, faults);
}

function withMismatch(parameters: Parameters, faults: Faults): Parameters {
  if (faults.amount_mismatch === undefined) return parameters;
  return parameters.map((parameter) => {
    if (parameter.Key !== 'TransactionAmount' && parameter.Key !== 'Amount') return parameter;
    const told = faultNumber(faults, 'amount_mismatch', Number(parameter.Value) + 1);
    return { Key: parameter.Key, Value: typeof parameter.Value === 'string' ? String(told) : told };
  });
}
