import { english } from '@ushirika/contract/in-words';
import type { Cents } from '@ushirika/contract/money';
import { type Sentence, sentence } from '@ushirika/contract/sentence';
import type { Text } from '@ushirika/contract/texts';
import type { Tx } from '../../db/tx.ts';
import { samePhone } from '../../gateways/mobile-money/party.ts';
import { postOrRefuse } from '../../ledger/post.ts';
import { notify } from '../notifications/notify.ts';
import { amountValue } from '../notifications/sms-values.ts';
import { bookStray } from './book-stray.ts';
import { creditDeposit, joinReceipt, lockDeposit } from './credit-deposit.ts';
import { announce } from './live.ts';
import { openException } from './money-exceptions.ts';
import { promptsThatMayBeIt } from './prompts-of-payment.ts';
import { canBeListed, isListInUse, readListSoon } from './read-payment-list.ts';
import { lockReceipt, moneyJournal, mpesaFloat, suspense, takeReceipt, wallet } from './receipts.ts';
import {
  askAgain,
  lockStatusQuery,
  payerOf,
  receiverOf,
  type StatusQuery,
  type StoredAnswer,
} from './status-queries.ts';
import { verifyDeposit } from './verify-deposit.ts';
import type { WalletDeps } from './wallet.deps.ts';
import { inWords } from './wallet.rules.ts';
import { walletSms } from './wallet.sms.ts';

interface Claim {
  readonly id: string;
  readonly user_id: string;
  readonly receipt: string;
  readonly phone: string;
  readonly state: string;
}

const ALREADY = sentence('That payment is in your wallet already.');
const OF_ANOTHER = sentence('That payment has been credited already.');
const RETURNED = sentence('That payment was sent back to its payer.');
const REVIEW = sentence(
  'The payment is real, and it was not made from your confirmed phone. Our team will look at it.',
);

/**
 * Settles a claim by M-Pesa's answer about its receipt. Prompts that the same phone may have paid are verified first,
 * so that one payment is not credited twice.
 */
export async function settleClaim(deps: WalletDeps, query: StatusQuery, answer: StoredAnswer): Promise<void> {
  const { database, mpesa } = deps;
  for (const { id } of await promptsThatMayBeIt(database, answer, true)) await verifyDeposit(deps, id);
  await database.transaction(async (tx) => {
    const claim = await lockClaim(tx, query.about_id as string);
    if (claim?.state !== 'pending') return;
    // What M-Pesa answers about the receipt is not settled meanwhile. Another claim may book it: `takeReceipt` decides there.
    await lockStatusQuery(tx, query.id);
    const refusal = refusalOf(claim, answer, mpesa.shortcode);
    if (refusal === 'unverifiable') return reviewUnverifiable(tx, claim, answer);
    if (refusal !== null) return settle(tx, claim, 'failed', refusal, answer.amountCents);
    if (await isPayoutReceipt(tx, claim.receipt)) {
      return settle(tx, claim, 'failed', sentence('That was a withdrawal, not a deposit.'), answer.amountCents);
    }
    // The list says which account number was paid or which prompt was answered. The payment is booked from the list.
    if (await isForTheList(tx, mpesa.shortcode, claim, answer)) return askAgain(tx, query);
    await creditClaim(tx, query, claim, answer, answer.amountCents as number);
  });
}

async function lockClaim(tx: Tx, id: string): Promise<Claim | null> {
  const [row] = await tx.sql<Claim[]>`
    select id, user_id, receipt, phone, state from receipt_claims where id = ${id} for update`;
  return row ?? null;
}

/**
 * Why a claim fails, as a sentence; `unverifiable` where M-Pesa answers about another receipt; null where nothing is
 * wrong.
 */
function refusalOf(claim: Claim, answer: StoredAnswer, shortcode: string): Sentence | 'unverifiable' | null {
  if (answer.status !== 'Completed' || !answer.amountCents)
    return sentence('M-Pesa says that this payment was not completed.');
  if (answer.receipt !== null && answer.receipt !== claim.receipt) return 'unverifiable';
  const isToAnother =
    answer.payeeShortcode === null ? receiverOf(answer) !== null : answer.payeeShortcode !== shortcode;
  if (isToAnother) return sentence('That payment was not made to us.');
  return samePhone(payerOf(answer), claim.phone) === 'another'
    ? sentence('That payment was not made from the phone number that you entered.')
    : null;
}

/** Whether M-Pesa says that the claimed phone paid us. Where it does not, only a request of ours or the list can tell. */
function isSaid(claim: Claim, answer: StoredAnswer): boolean {
  return answer.payeeShortcode !== null && samePhone(payerOf(answer), claim.phone) === 'same';
}

async function isForTheList(tx: Tx, shortcode: string, claim: Claim, answer: StoredAnswer): Promise<boolean> {
  const [booked] = await tx.sql`select receipt from mpesa_receipts where receipt = ${claim.receipt}`;
  if (booked || !canBeListed(answer.paidAt, tx.now) || !(await isListInUse(tx, shortcode))) return false;
  await readListSoon(tx);
  return true;
}

/** The receipt of a payout does not show that money came in. */
async function isPayoutReceipt(tx: Tx, receipt: string): Promise<boolean> {
  const [row] = await tx.sql`select id from withdrawals where receipt = ${receipt}`;
  return row !== undefined;
}

async function creditClaim(
  tx: Tx,
  query: StatusQuery,
  claim: Claim,
  answer: StoredAnswer,
  amountCents: Cents,
): Promise<void> {
  const joined = await joinPrompt(tx, query, claim, answer);
  if (joined) return;
  const isOwner = isSaid(claim, answer) && (await isOwnerOfPhone(tx, claim, payerOf(answer)));
  const booked = await lockReceipt(tx, claim.receipt);
  if (booked) return creditFromBooks(tx, claim, booked, isOwner);
  if (!isSaid(claim, answer)) return reviewUnverifiable(tx, claim, answer);
  if (!isOwner) {
    await bookStray(tx, {
      receipt: claim.receipt,
      answer,
      kind: 'claim_not_owner',
      about: { type: 'receipt_claim', id: claim.id },
      source: 'claim',
      claimId: claim.id,
      detail: { claimed_by: claim.user_id },
    });
    return settle(tx, claim, 'review', REVIEW, amountCents);
  }
  const isNew = await takeReceipt(tx, {
    receipt: claim.receipt,
    amountCents,
    source: 'claim',
    userId: claim.user_id,
    claimId: claim.id,
    paidAt: answer.paidAt === null ? null : new Date(answer.paidAt),
    phone: payerOf(answer),
  });
  // Another transaction stored the receipt after this one had looked. It has settled whose the money is: look again.
  if (!isNew) return creditClaim(tx, query, claim, answer, amountCents);
  const about = { type: 'receipt_claim', id: claim.id };
  await postOrRefuse(
    tx,
    moneyJournal('receipt_claimed', about, claim.user_id, mpesaFloat, wallet(claim.user_id), amountCents),
  );
  await settle(
    tx,
    claim,
    'credited',
    sentence('{amount} is in your wallet.', { amount: inWords(amountCents) }),
    amountCents,
  );
}

/**
 * The payment answered a prompt, so it belongs to the person who asked for that top-up. True when the claim is settled
 * or put off.
 */
async function joinPrompt(tx: Tx, query: StatusQuery, claim: Claim, answer: StoredAnswer): Promise<boolean> {
  const [booked] = await tx.sql`select receipt from mpesa_receipts where receipt = ${claim.receipt}`;
  if (booked) return false;
  const confirmed = { ...answer, receipt: claim.receipt };
  const open = await promptsThatMayBeIt(tx, confirmed, true);
  if (open.some(({ state }) => state === 'sending' || state === 'sent')) {
    await askAgain(tx, query);
    return true;
  }
  for (const { id, user_id, payer } of await promptsThatMayBeIt(tx, confirmed, false)) {
    // Where M-Pesa does not say who paid, a claim settles only the claimer's own top-ups.
    if (payer === 'not_said' && user_id !== claim.user_id) continue;
    const deposit = await lockDeposit(tx, id);
    if (!deposit || (!deposit.credited_at && user_id !== claim.user_id)) continue;
    const paidAt = answer.paidAt === null ? null : new Date(answer.paidAt);
    if (deposit.credited_at) {
      if ((await joinReceipt(tx, deposit, claim.receipt, paidAt)) === 'second') continue;
    } else {
      await creditDeposit(tx, deposit, { receipt: claim.receipt, paidAt });
    }
    const isOwn = user_id === claim.user_id;
    await settle(tx, claim, isOwn ? 'credited' : 'failed', isOwn ? ALREADY : OF_ANOTHER, answer.amountCents);
    return true;
  }
  return false;
}

/**
 * Whether the claimer's confirmed phone paid. A masked number is theirs when its visible digits are those of their phone, and
 * of no other member's.
 */
async function isOwnerOfPhone(tx: Tx, claim: Claim, shown: string | null): Promise<boolean> {
  const [lowest, highest] = ['0', '9'].map((digit) => `${shown?.split('*')[0] ?? ''}`.padEnd(12, digit)) as [
    string,
    string,
  ];
  const rows = await tx.sql<{ id: string; phone: string }[]>`
    select id, phone from users
    where phone_confirmed_at is not null and phone between ${lowest} and ${highest}`;
  const fitting = rows.filter(({ phone }) => samePhone(shown, phone) === 'same');
  return fitting.length === 1 && fitting[0]?.id === claim.user_id && fitting[0].phone === claim.phone;
}

/** The receipt is booked: in a wallet, or in suspense, from which it goes to the payer who claims it. */
async function creditFromBooks(
  tx: Tx,
  claim: Claim,
  booked: {
    readonly credited_to: string;
    readonly user_id: string | null;
    readonly amount_cents: Cents;
    readonly held_cents: Cents | null;
  },
  isOwner: boolean,
): Promise<void> {
  const amountCents = booked.held_cents ?? booked.amount_cents;
  if (booked.credited_to === 'wallet') {
    const isOwn = booked.user_id === claim.user_id;
    return settle(tx, claim, isOwn ? 'credited' : 'failed', isOwn ? ALREADY : OF_ANOTHER, amountCents);
  }
  if (booked.credited_to === 'returned') return settle(tx, claim, 'failed', RETURNED, amountCents);
  const [open] = await tx.sql<{ id: string }[]>`
    update money_exceptions set resolved_at = ${tx.now}, resolution = 'matched', credited_user_id = ${claim.user_id},
      reason = ${'The payer claimed it by its receipt.' satisfies Text}
    where receipt = ${claim.receipt} and held_in = 'suspense' and resolved_at is null and ${isOwner} returning id`;
  if (!open) {
    // The exception shows operators who has claimed the receipt.
    await tx.sql`
      update money_exceptions set detail = jsonb_build_object('claimed_by', ${claim.user_id}::text) || detail
      where receipt = ${claim.receipt} and held_in = 'suspense' and resolved_at is null`;
    return settle(tx, claim, 'review', REVIEW, amountCents);
  }
  await tx.sql`
    update mpesa_receipts set credited_to = 'wallet', user_id = ${claim.user_id}, claim_id = ${claim.id}, held_cents = null
    where receipt = ${claim.receipt}`;
  const about = { type: 'receipt_claim', id: claim.id };
  await postOrRefuse(
    tx,
    moneyJournal('suspense_credited', about, claim.user_id, suspense, wallet(claim.user_id), amountCents),
  );
  await settle(
    tx,
    claim,
    'credited',
    sentence('{amount} is in your wallet.', { amount: inWords(amountCents) }),
    amountCents,
  );
}

async function reviewUnverifiable(tx: Tx, claim: Claim, answer: StoredAnswer): Promise<void> {
  await openException(tx, {
    kind: 'claim_unverifiable',
    receipt: claim.receipt,
    phone: claim.phone,
    amountCents: answer.amountCents || null,
    about: { type: 'receipt_claim', id: claim.id },
    detail: { mpesa_status: answer.status, payee: answer.payeeShortcode },
  });
  await settle(
    tx,
    claim,
    'review',
    sentence('M-Pesa did not tell us enough about that payment. Our team will look at it.'),
    answer.amountCents,
  );
}

async function settle(
  tx: Tx,
  claim: Claim,
  state: 'credited' | 'failed' | 'review',
  explanation: Sentence,
  amountCents: Cents | null,
): Promise<void> {
  // Only the person who is credited is told the amount: anybody may have seen a receipt over the payer's shoulder.
  const told = state === 'credited' ? amountCents || null : null;
  await tx.sql`
    update receipt_claims set state = ${state}, explanation = ${english(explanation)}, amount_cents = ${told},
      settled_at = ${tx.now}
    where id = ${claim.id}`;
  await notify(tx, {
    userId: claim.user_id,
    template: 'claim_settled',
    causedBy: null,
    topic: 'money',
    text: sentence('{receipt}: {explanation}', { receipt: claim.receipt, explanation }),
    // Money that was in the wallet before was announced before.
    ...(told !== null && explanation !== ALREADY ? { sms: walletSms.moneyReceived(amountValue(told)) } : {}),
  });
  await announce(tx, [
    { userId: claim.user_id, thing: 'claim', id: claim.id },
    { userId: claim.user_id, thing: 'wallet', id: '' },
  ]);
}
