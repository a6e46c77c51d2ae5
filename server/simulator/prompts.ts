import type { Tx } from '../db/tx.ts';
import { oweC2bConfirmation } from './c2b.ts';
import { oweCallback } from './deliveries.ts';
import { reactionOf } from './endings.ts';
import { type Faults, faultNumber, parseFaults } from './faults.ts';
import { compactTime, newCheckoutRequestId, newReceipt, newRequestId } from './identifiers.ts';
import { bookPayment } from './payments.ts';
import { isShown, shownPhone } from './shown-fields.ts';
import type { Auto, Core, PromptRow } from './simulator.types.ts';
import { moveToOrganisation, rulingOnPayment, subscriberOf } from './subscribers.ts';

/** A person has about a minute before M-Pesa says 1037. */
const PROMPT_MS = 60_000;

/** ResultDesc by code; the wording varies in the field, so nobody may match on it (payments.md 2.4). */
const DESCRIPTIONS: Readonly<Record<string, string>> = {
  '0': 'The service request is processed successfully.',
  '1': 'The balance is insufficient for the transaction.',
  '2': 'Declined due to limit rule: less than the minimum transaction amount.',
  '3': 'Declined due to limit rule: greater than the maximum transaction amount.',
  '4': 'Declined due to limit rule: would exceed daily transfer limit.',
  '17': 'Rule limited.',
  '1019': 'Transaction has expired.',
  '1032': 'Request cancelled by user',
  '1037': 'DS timeout user cannot be reached',
  '2001': 'The initiator information is invalid.',
  '8006': 'The security credential is locked.',
};

export type Action = 'approve' | 'cancel' | 'timeout' | 'insufficient_funds' | 'wrong_pin';
const ACTION_CODES: Readonly<Record<Exclude<Action, 'approve'>, string>> = {
  cancel: '1032',
  timeout: '1037',
  insufficient_funds: '1',
  wrong_pin: '2001',
};

export interface PushInput {
  readonly phone: string;
  readonly amountCents: number;
  readonly accountReference: string;
  readonly description: string;
  readonly callbackUrl: string;
}

/** Opens a prompt on a phone; null when one is open there already. */
export async function openPrompt(core: Core, tx: Tx, input: PushInput, faults: Faults): Promise<PromptRow | null> {
  await subscriberOf(tx, input.phone);
  await expirePrompts(core, tx);
  const [before] = await tx.sql<{ open: number; all: number }[]>`
    select count(*) filter (where status = 'open')::int as open, count(*)::int as all
    from simulator.prompt where phone = ${input.phone}`;
  if (before?.open) return null;
  const own = await ownReaction(core, tx, input.phone, faults);
  const expiresAt = new Date(tx.now.getTime() + Math.max(PROMPT_MS, (own?.afterMs ?? 0) + PROMPT_MS));
  const reactAt = own ? new Date(tx.now.getTime() + own.afterMs) : null;
  const [prompt] = await tx.sql<PromptRow[]>`
    insert into simulator.prompt
      (id, merchant_request_id, checkout_request_id, phone, amount_cents, account_reference, description, callback_url,
       status, reaction, react_at, expires_at, created_at, faults)
    values
      (${tx.newId()}, ${newRequestId(core.world)}, ${newCheckoutRequestId(tx.now, input.phone, before?.all ?? 0)},
       ${input.phone}, ${input.amountCents}, ${input.accountReference}, ${input.description}, ${input.callbackUrl},
       'open', ${own?.reaction ?? null}, ${reactAt}, ${expiresAt}, ${tx.now},
       ${JSON.stringify({ ...own?.faults, ...faults })})
    returning *`;
  return prompt ?? null;
}

/** What this phone will do by itself, or null when a person is to answer. */
async function ownReaction(core: Core, tx: Tx, phone: string, faults: Faults) {
  const [row] = await tx.sql<{ value: string }[]>`select value from simulator.setting where name = 'auto'`;
  const auto = (row?.value ?? 'off') as Auto;
  if (faults.before_response !== undefined) return { reaction: 'approve', faults: {}, afterMs: 0 };
  if (auto === 'off') return null;
  if (auto === 'approve') return { reaction: 'approve', faults: {}, afterMs: core.autoDelayMs };
  const { reaction, faults: ending, afterMs } = reactionOf(phone, core.autoDelayMs);
  return { reaction, faults: parseFaults(ending) ?? {}, afterMs };
}

/** Answers that are due by themselves, then prompts that nobody answered. */
export async function reactAndExpire(core: Core, tx: Tx): Promise<void> {
  const due = await tx.sql<PromptRow[]>`
    select * from simulator.prompt where status = 'open' and react_at <= ${tx.now} order by react_at, ordinal`;
  for (const prompt of due) await settlePrompt(core, tx, prompt, prompt.reaction ?? 'approve');
  await expirePrompts(core, tx);
}

async function expirePrompts(core: Core, tx: Tx): Promise<void> {
  const due = await tx.sql<PromptRow[]>`
    select * from simulator.prompt where status = 'open' and expires_at <= ${tx.now} order by expires_at, ordinal`;
  for (const prompt of due) await settlePrompt(core, tx, prompt, '1037');
}

/** Answers an open prompt by an action; a PIN that is given must be right. */
export function answerPrompt(core: Core, tx: Tx, prompt: PromptRow, action: Action): Promise<PromptRow> {
  return settlePrompt(core, tx, prompt, action === 'approve' ? 'approve' : ACTION_CODES[action]);
}

/** `approve` asks M-Pesa's own rules; anything else is the result code itself. */
async function settlePrompt(core: Core, tx: Tx, prompt: PromptRow, reaction: string): Promise<PromptRow> {
  const faults = JSON.parse(prompt.faults) as Faults;
  const forced = faults.unknown_result_code === undefined ? null : faults.unknown_result_code || '7777';
  const code =
    forced ??
    (reaction === 'approve'
      ? await rulingOnPayment(tx, prompt.phone, prompt.amount_cents, core.repeatWindowMs)
      : reaction);
  let receipt: string | null = null;
  if (code === '0') {
    await moveToOrganisation(tx, prompt.phone, prompt.amount_cents);
    // A prompt's MerchantRequestID is the payment's conversation id: what transaction status finds it by without a receipt.
    const payment = await bookPayment(core, tx, {
      ...prompt,
      kind: 'stk',
      receipt: newReceipt(core.world),
      originator_conversation_id: prompt.merchant_request_id,
    });
    receipt = payment.receipt;
    if (faults.stk_and_c2b !== undefined) await oweC2bConfirmation(core, tx, payment, {});
  }
  const [settled] = await tx.sql<PromptRow[]>`
    update simulator.prompt
    set status = ${statusOf(code)}, answered_at = ${tx.now}, result_code = ${code}, receipt = ${receipt},
        result_description = ${DESCRIPTIONS[code] ?? 'The transaction could not be completed.'}
    where id = ${prompt.id} and status = 'open' returning *`;
  if (!settled) throw new Error('A prompt was answered twice.');
  if (faults.forged !== undefined) await oweForgeries(core, tx, settled);
  await oweCallback(
    tx,
    { kind: 'stk', url: settled.callback_url, body: stkCallbackBody(settled, tx.now, faults) },
    faults,
  );
  return settled;
}

function statusOf(code: string): PromptRow['status'] {
  if (code === '0') return 'approved';
  if (code === '1') return 'insufficient_funds';
  if (code === '1032') return 'cancelled';
  return code === '1037' || code === '1019' ? 'timed_out' : 'failed';
}

/** The callback's text: `Amount` with its `.00`, `Balance` without a value, numbers where Safaricom sends numbers. */
function stkCallbackBody(prompt: PromptRow, at: Date, faults: Faults): string {
  const amount = (prompt.amount_cents / 100).toFixed(2);
  const told =
    faults.amount_mismatch === undefined
      ? amount
      : faultNumber(faults, 'amount_mismatch', Number(amount) + 1).toFixed(2);
  const shown = shownPhone(faults, 'phone', prompt.phone);
  const isNumber = /^[1-9]\d*$/.test(shown);
  const phone = isShown(faults, 'omit', 'phone')
    ? ''
    : `,{"Name":"PhoneNumber","Value":${isNumber ? shown : JSON.stringify(shown)}}`;
  const receipt = isShown(faults, 'omit', 'receipt') ? '' : `,"Value":"${prompt.receipt}"`;
  const metadata = prompt.receipt
    ? `,"CallbackMetadata":{"Item":[{"Name":"Amount","Value":${told}},` +
      `{"Name":"MpesaReceiptNumber"${receipt}},{"Name":"Balance"},` +
      `{"Name":"TransactionDate","Value":${compactTime(at)}}${phone}]}`
    : '';
  const code = prompt.result_code ?? '';
  return (
    `{"Body":{"stkCallback":{"MerchantRequestID":"${prompt.merchant_request_id}",` +
    `"CheckoutRequestID":"${prompt.checkout_request_id}",` +
    `"ResultCode":${/^(0|[1-9]\d*)$/.test(code) ? code : JSON.stringify(code)},` +
    `"ResultDesc":${JSON.stringify(prompt.result_description)}${metadata}}}}`
  );
}

/** What an attacker would send: a success with a guessed secret, and one for a request that nobody made. */
async function oweForgeries(core: Core, tx: Tx, prompt: PromptRow): Promise<void> {
  const forged: PromptRow = { ...prompt, result_code: '0', receipt: newReceipt(core.world) };
  const secret = longestSegment(prompt.callback_url);
  const wrongUrl = prompt.callback_url.replace(secret, core.world.randomBytes(16).toString('hex'));
  await oweCallback(tx, { kind: 'forged', url: wrongUrl, body: stkCallbackBody(forged, tx.now, {}) }, {});
  const stranger: PromptRow = {
    ...forged,
    receipt: newReceipt(core.world),
    checkout_request_id: newCheckoutRequestId(tx.now, prompt.phone, 999),
  };
  await oweCallback(tx, { kind: 'forged', url: prompt.callback_url, body: stkCallbackBody(stranger, tx.now, {}) }, {});
}

function longestSegment(url: string): string {
  const segments = new URL(url).pathname.split('/');
  return segments.reduce((longest, segment) => (segment.length > longest.length ? segment : longest), '');
}
