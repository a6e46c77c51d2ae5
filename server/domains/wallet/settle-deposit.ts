import type { Cents } from '@ushirika/contract/money';
import type { Database, Tx } from '../../db/tx.ts';
import { classifyStk } from '../../gateways/mobile-money/daraja.codes.ts';
import type { StkVerdict } from '../../gateways/mobile-money/daraja.types.ts';
import { samePhone } from '../../gateways/mobile-money/party.ts';
import { closeDeposit, creditDeposit, type DepositRow, lockDeposit } from './credit-deposit.ts';
import { type ExceptionKind, openException } from './money-exceptions.ts';
import { readListSoon } from './read-payment-list.ts';
import { openStatusQuery } from './status-queries.ts';
import { DEPOSIT_QUERY_AFTER_MS, refusedDepositState } from './wallet.rules.ts';

/** M-Pesa's answer about a prompt; `unknown` when it could not be asked. */
export interface Asked {
  readonly checkoutRequestId: string;
  readonly verdict: StkVerdict | 'unknown';
  readonly resultCode: string | null;
}

/** What a callback said. It proves nothing. */
interface Hint {
  readonly checkoutRequestId: string;
  readonly resultCode: string;
  readonly payment: {
    readonly amountCents: Cents | null;
    readonly receipt: string | null;
    readonly paidAt: string | null;
    readonly phone: string | null;
  } | null;
}

/** The most receipts that one run asks about or reports. */
const RECEIPTS_ASKED_MAX = 5;

const PENDING = new Set(['created', 'sending', 'sent']);

/**
 * Settles a deposit as far as M-Pesa's answer and its callbacks allow. It may run any number of times, in any order,
 * with the same result.
 */
export async function settleDeposit(tx: Tx, id: string, asked: Asked | null): Promise<void> {
  const deposit = await lockDeposit(tx, id);
  if (!deposit) return;
  const successes = (await hintsOf(tx, id)).filter((hint) => hint.payment !== null);
  if (deposit.credited_at) await joinLateReceipts(tx, deposit, successes);
  else if (asked?.verdict === 'paid') await creditAfterQuery(tx, deposit, asked, successes);
  else if (asked && isRefusal(asked.verdict)) await refuseAfterQuery(tx, deposit, asked, successes);
  else await keepAsking(tx, deposit, asked, successes);
}

/** The distinct callbacks of a deposit, parsed, oldest first. */
export async function hintsOf(reader: Tx | Database, id: string): Promise<Hint[]> {
  const rows = await (reader.sql as Tx['sql'])<{ parsed: Hint }[]>`
    select parsed from callback_log
    where kind = 'stk' and about_id = ${id} and parsed is not null order by received_at desc, id desc limit 50`;
  return rows.map(({ parsed }) => parsed).reverse();
}

function isRefusal(verdict: Asked['verdict']): boolean {
  return verdict === 'failed' || verdict === 'failed_transient' || verdict === 'config_alarm';
}

async function creditAfterQuery(tx: Tx, deposit: DepositRow, asked: Asked, successes: readonly Hint[]): Promise<void> {
  // The answer to the push was lost, so the request id comes from a callback and may be that of another prompt with a
  // smaller amount. The query returns no amount; the receipt or the list of payments must confirm it.
  if (deposit.checkout_request_id === null) {
    await readListSoon(tx);
    return keepAsking(tx, deposit, null, successes);
  }
  const own = successes.filter((hint) => hint.checkoutRequestId === asked.checkoutRequestId);
  await reportForeign(tx, deposit, successes, asked.checkoutRequestId);
  const doubtful = own.find((hint) => mismatchOf(hint, deposit) !== null);
  if (doubtful) return reviewMismatch(tx, deposit, doubtful, own);
  // A receipt that a callback names is used only after M-Pesa has confirmed it.
  await askForReceipts(tx, deposit, own);
  await creditDeposit(tx, deposit, { receipt: null, paidAt: null });
}

/** Asks M-Pesa about the receipts that callbacks named. Only the newest few: there may be any number. */
async function askForReceipts(tx: Tx, deposit: DepositRow, hints: readonly Hint[]): Promise<void> {
  for (const receipt of receiptsOf(hints)) {
    await openStatusQuery(tx, { purpose: 'deposit', aboutId: deposit.id, receipt });
  }
}

/** The receipts of the newest callbacks, each once, sorted so that all code locks them in one order. */
function receiptsOf(hints: readonly Hint[]): string[] {
  const named = hints.flatMap(({ payment }) => payment?.receipt ?? []);
  return [...new Set(named.slice(-RECEIPTS_ASKED_MAX))].sort();
}

function mismatchOf({ payment }: Hint, deposit: DepositRow): 'amount_mismatch' | 'phone_mismatch' | null {
  if (payment && payment.amountCents !== null && payment.amountCents !== deposit.amount_cents) return 'amount_mismatch';
  if (payment && samePhone(payment.phone, deposit.phone) === 'another') return 'phone_mismatch';
  return null;
}

/**
 * M-Pesa confirms the prompt, and its callback names another amount or phone: M-Pesa's answer about the receipt
 * decides.
 */
async function reviewMismatch(tx: Tx, deposit: DepositRow, hint: Hint, own: readonly Hint[]): Promise<void> {
  const kind = mismatchOf(hint, deposit) ?? 'amount_mismatch';
  const reported = hint.payment?.amountCents ?? null;
  await report(tx, deposit, hint, kind, { asked_cents: deposit.amount_cents, reported_cents: reported });
  // The callback that differs may be forged. So the other receipts are asked about too, and M-Pesa is asked by its own
  // id of the request.
  await askForReceipts(tx, deposit, own);
  if (deposit.merchant_request_id !== null) {
    const originalConversationId = deposit.merchant_request_id;
    await openStatusQuery(tx, { purpose: 'deposit', aboutId: deposit.id, originalConversationId });
  }
  await closeDeposit(tx, deposit, {
    state: 'review',
    explanation: 'M-Pesa reported something else than was asked for. We are checking it with M-Pesa.',
  });
}

/** Opens an exception about a deposit from one of its callbacks. */
async function report(
  tx: Tx,
  deposit: DepositRow,
  hint: Hint,
  kind: ExceptionKind,
  detail: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  await openException(tx, {
    kind,
    receipt: hint.payment?.receipt ?? null,
    phone: deposit.phone,
    amountCents: hint.payment?.amountCents || null,
    about: { type: 'deposit', id: deposit.id },
    detail,
  });
}

async function refuseAfterQuery(tx: Tx, deposit: DepositRow, asked: Asked, successes: readonly Hint[]): Promise<void> {
  const resultCode = asked.resultCode ?? '';
  if (PENDING.has(deposit.state)) {
    const explanation = classifyStk(resultCode, 'query').sentence;
    await closeDeposit(tx, deposit, { state: refusedDepositState(resultCode), explanation, resultCode });
  }
  if (asked.verdict === 'config_alarm') {
    await openException(tx, {
      kind: 'mpesa_configuration',
      about: { type: 'deposit', id: deposit.id },
      detail: { result_code: resultCode },
    });
  }
  for (const hint of newest(successes)) await reportContradiction(tx, deposit, hint, resultCode);
}

function newest(hints: readonly Hint[]): readonly Hint[] {
  return hints.slice(-RECEIPTS_ASKED_MAX);
}

/** A callback says paid and M-Pesa says not paid: nothing is credited, and an operator is told. */
async function reportContradiction(tx: Tx, deposit: DepositRow, hint: Hint, resultCode: string): Promise<void> {
  await report(tx, deposit, hint, 'query_contradicts', {
    query_result_code: resultCode,
    callback_checkout_matches: hint.checkoutRequestId === deposit.checkout_request_id,
  });
  await askForReceipts(tx, deposit, [hint]);
}

async function keepAsking(tx: Tx, deposit: DepositRow, asked: Asked | null, successes: readonly Hint[]): Promise<void> {
  if (asked?.verdict === 'review') {
    await openException(tx, {
      kind: 'unknown_result_code',
      about: { type: 'deposit', id: deposit.id },
      phone: deposit.phone,
      amountCents: deposit.amount_cents,
      detail: { result_code: asked.resultCode },
    });
  }
  // The receipt that the callback named is a second way to verify the payment.
  await askForReceipts(tx, deposit, successes);
  await reportPromptUnknown(tx, deposit);
  if (!PENDING.has(deposit.state) || deposit.queries < DEPOSIT_QUERY_AFTER_MS.length) return;
  await closeDeposit(tx, deposit, {
    state: 'expired',
    explanation: 'M-Pesa did not say what became of it. If money left the phone, confirm the deposit with its receipt.',
  });
}

/** The answer to the push was lost and no callback named the request, so M-Pesa cannot be asked: opens an exception. */
async function reportPromptUnknown(tx: Tx, deposit: DepositRow): Promise<void> {
  if (!PENDING.has(deposit.state) || deposit.checkout_request_id !== null || deposit.queries < 2) return;
  await openException(tx, {
    kind: 'prompt_unknown',
    phone: deposit.phone,
    amountCents: deposit.amount_cents,
    about: { type: 'deposit', id: deposit.id },
    detail: { queries: deposit.queries },
  });
}

/** Adds the receipt to a deposit that was credited without one, or reports that it was paid twice. */
async function joinLateReceipts(tx: Tx, deposit: DepositRow, successes: readonly Hint[]): Promise<void> {
  await reportForeign(tx, deposit, successes, deposit.checkout_request_id);
  const [own] = await tx.sql<{ receipt: string }[]>`
    select receipt from mpesa_receipts where deposit_id = ${deposit.id}`;
  const ofThis = successes.filter(({ checkoutRequestId }) => checkoutRequestId === deposit.checkout_request_id);
  const others = ofThis.filter(({ payment }) => payment?.receipt && payment.receipt !== own?.receipt);
  await askForReceipts(tx, deposit, others);
  // One prompt can be paid once. Another receipt for it is other money, if M-Pesa confirms it.
  if (own) for (const hint of newest(others)) await report(tx, deposit, hint, 'second_receipt');
}

/** Reports callbacks at this deposit's address that name another request. */
async function reportForeign(
  tx: Tx,
  deposit: DepositRow,
  successes: readonly Hint[],
  checkoutRequestId: string | null,
): Promise<void> {
  for (const hint of newest(successes)) {
    if (checkoutRequestId === null || hint.checkoutRequestId === checkoutRequestId) continue;
    await report(tx, deposit, hint, 'checkout_mismatch');
    if (hint.payment?.receipt) {
      await openStatusQuery(tx, { purpose: 'stray', aboutId: null, receipt: hint.payment.receipt });
    }
  }
}
