import type { Cents } from '@ushirika/contract/money';
import type { Database, Tx } from '../../db/tx.ts';
import { classifyStk } from '../../gateways/mobile-money/daraja.codes.ts';
import type { StkVerdict } from '../../gateways/mobile-money/daraja.types.ts';
import { closeDeposit, creditDeposit, type DepositRow, lockDeposit } from './credit-deposit.ts';
import { type ExceptionKind, openException } from './money-exceptions.ts';
import { readListSoon } from './read-payment-list.ts';
import { openStatusQuery } from './status-queries.ts';
import { DEPOSIT_QUERY_AFTER_MS, refusedDepositState } from './wallet.rules.ts';

/** What M-Pesa said when it was asked about a prompt; `unknown` when it could not be asked. */
export interface Asked {
  readonly checkoutRequestId: string;
  readonly verdict: StkVerdict | 'unknown';
  readonly resultCode: string | null;
}

/** What a callback said: a hint. */
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

/** Receipts that one look at a deposit asks about or reports. */
const RECEIPTS_ASKED_MAX = 5;

const PENDING = new Set(['created', 'sending', 'sent']);

/**
 * Brings a deposit as far as what M-Pesa answered, and what its callbacks hinted at, allow. Any number of runs in any
 * order come to the same.
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

/** The distinct callbacks of a deposit, as they were parsed. */
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
  // Where the answer to the push was lost, the id came in a callback and may be that of another prompt, paid with less:
  // the query names no amount, so that the receipt or the list of payments has to.
  if (deposit.checkout_request_id === null) {
    await readListSoon(tx);
    return keepAsking(tx, deposit, null, successes);
  }
  const own = successes.filter((hint) => hint.checkoutRequestId === asked.checkoutRequestId);
  await reportForeign(tx, deposit, successes, asked.checkoutRequestId);
  const doubtful = own.find((hint) => mismatchOf(hint, deposit) !== null);
  if (doubtful) return reviewMismatch(tx, deposit, doubtful, own);
  // The receipt that a callback names is nobody's before M-Pesa has said so.
  await askForReceipts(tx, deposit, own);
  await creditDeposit(tx, deposit, { receipt: null, paidAt: null });
}

/** Has M-Pesa say what the receipts are that callbacks named: the newest few, since there may be any number. */
async function askForReceipts(tx: Tx, deposit: DepositRow, hints: readonly Hint[]): Promise<void> {
  for (const receipt of receiptsOf(hints)) {
    await openStatusQuery(tx, { purpose: 'deposit', aboutId: deposit.id, receipt });
  }
}

/** Of the newest callbacks, each once, in one order for everybody who writes about them. */
function receiptsOf(hints: readonly Hint[]): string[] {
  const named = hints.flatMap(({ payment }) => payment?.receipt ?? []);
  return [...new Set(named.slice(-RECEIPTS_ASKED_MAX))].sort();
}

function mismatchOf({ payment }: Hint, deposit: DepositRow): 'amount_mismatch' | 'phone_mismatch' | null {
  if (payment && payment.amountCents !== null && payment.amountCents !== deposit.amount_cents) return 'amount_mismatch';
  if (payment && payment.phone !== null && payment.phone !== deposit.phone) return 'phone_mismatch';
  return null;
}

/** M-Pesa confirms the prompt, and its callback tells another amount or phone: the receipt itself decides. */
async function reviewMismatch(tx: Tx, deposit: DepositRow, hint: Hint, own: readonly Hint[]): Promise<void> {
  const kind = mismatchOf(hint, deposit) ?? 'amount_mismatch';
  const reported = hint.payment?.amountCents ?? null;
  await report(tx, deposit, hint, kind, { asked_cents: deposit.amount_cents, reported_cents: reported });
  // The callback that disagrees may be a forger's: the others are asked about as well, and M-Pesa finds the payment by its
  // own name for the request, too.
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

/** Opens an exception about a deposit by what one of its callbacks told. */
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

/** A callback says paid, M-Pesa says not: never credited for the callback's word, never dropped either. */
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
  // A second way to be sure: the receipt that the callback named.
  await askForReceipts(tx, deposit, successes);
  await reportUnaskable(tx, deposit);
  if (!PENDING.has(deposit.state) || deposit.queries < DEPOSIT_QUERY_AFTER_MS.length) return;
  await closeDeposit(tx, deposit, {
    state: 'expired',
    explanation:
      'M-Pesa did not say what became of it. If money left your phone, confirm the deposit with its receipt.',
  });
}

/** The answer to the push was lost, and no callback named the prompt: there is nothing to ask M-Pesa about. */
async function reportUnaskable(tx: Tx, deposit: DepositRow): Promise<void> {
  if (!PENDING.has(deposit.state) || deposit.checkout_request_id !== null || deposit.queries < 2) return;
  await openException(tx, {
    kind: 'prompt_unknown',
    phone: deposit.phone,
    amountCents: deposit.amount_cents,
    about: { type: 'deposit', id: deposit.id },
    detail: { queries: deposit.queries },
  });
}

/** A deposit that was credited already learns its receipt, or turns out to have been paid twice. */
async function joinLateReceipts(tx: Tx, deposit: DepositRow, successes: readonly Hint[]): Promise<void> {
  await reportForeign(tx, deposit, successes, deposit.checkout_request_id);
  const [own] = await tx.sql<{ receipt: string }[]>`
    select receipt from mpesa_receipts where deposit_id = ${deposit.id}`;
  const ofThis = successes.filter(({ checkoutRequestId }) => checkoutRequestId === deposit.checkout_request_id);
  const others = ofThis.filter(({ payment }) => payment?.receipt && payment.receipt !== own?.receipt);
  await askForReceipts(tx, deposit, others);
  // One prompt is paid once: another receipt under it is money of its own, if M-Pesa knows it.
  if (own) for (const hint of newest(others)) await report(tx, deposit, hint, 'second_receipt');
}

/** Callbacks at this deposit's address about another request. */
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
