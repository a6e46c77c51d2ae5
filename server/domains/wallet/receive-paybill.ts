import { isKenyanMobile, phoneDigits } from '@ushirika/contract/phone';
import { isGuarded } from '#faults';
import type { Tx } from '../../db/tx.ts';
import { parseC2bPayment } from '../../gateways/mobile-money/daraja.parse.ts';
import { isListInUse, readListSoon } from './read-payment-list.ts';
import { storeCallback } from './receive-callback.ts';
import { openStatusQuery } from './status-queries.ts';
import { foldAccountReference, plainText } from './wallet.rules.ts';

type Body = Readonly<Record<string, unknown>>;

/**
 * The most reported payments that are not in M-Pesa's list yet. Each forged one costs a question; real ones come with
 * the list.
 */
const UNLISTED_MAX = 500;

/** Stores a report of a payment to the paybill, and enqueues its verification. It moves no money. */
export async function receivePaybillConfirmation(tx: Tx, shortcode: string, body: Body): Promise<void> {
  await storeCallback(tx, { kind: 'c2b_confirmation', aboutId: null, body, parsed: null });
  const payment = parseC2bPayment(body);
  if (!payment.ok) return;
  const { receipt, amountCents, accountReference, payerName, paidAt } = payment.value;
  await readListSoon(tx);
  // Without the list, a real payment would be found in no other way, so none is refused: it is verified in turn with
  // the forged ones.
  if ((await isListInUse(tx, shortcode)) && (await areTooMany(tx))) return;
  const id = tx.newId();
  const [row] = await tx.sql`
    insert into paybill_payments
      (id, receipt, amount_cents, account_reference, payer_name, paid_at, state, received_at)
    values (${id}, ${receipt}, ${amountCents}, ${plainText(accountReference, 40)}, ${plainText(payerName, 200)},
            ${paidAt}, 'reported', ${tx.now})
    on conflict (receipt) do nothing returning id`;
  if (row) await openStatusQuery(tx, { purpose: 'paybill', aboutId: id, receipt });
}

async function areTooMany(tx: Tx): Promise<boolean> {
  const [row] = await tx.sql<{ count: number }[]>`
    select count(*)::int as count from (
      select from paybill_payments where state = 'reported' and listed_at is null limit ${UNLISTED_MAX}) unlisted`;
  return (row?.count ?? 0) >= UNLISTED_MAX;
}

const ACCEPTED = { ResultCode: '0', ResultDesc: 'Accepted' };
const REJECTED = { ResultCode: 'C2B00012', ResultDesc: 'Rejected' };

/**
 * Answers M-Pesa, before a payment is made, whether its account number belongs to anybody. A refused payment need not
 * be sorted later.
 */
export async function answerPaybillValidation(tx: Tx, body: Body): Promise<{ ResultCode: string; ResultDesc: string }> {
  await storeCallback(tx, { kind: 'c2b_validation', aboutId: null, body, parsed: null });
  const payment = parseC2bPayment(body);
  // A payment that cannot be parsed is accepted: an operator will look at its confirmation.
  if (!payment.ok) return ACCEPTED;
  const reference = payment.value.accountReference;
  const [deposit] = await tx.sql`select id from deposits where reference = ${foldAccountReference(reference)}`;
  return deposit || (await ownerOfAccount(tx, reference)) ? ACCEPTED : REJECTED;
}

/**
 * The person whose account a reference names: by the account number that we issued, their own or that of a loan, or by a
 * confirmed Kenyan phone in any usual form. Null where it names nobody, or two people: old numbers of loans are also
 * phones without their 0 (decision 146). ID numbers are not accepted, because people type them unchecked when they sign
 * up (decision 146).
 */
export async function ownerOfAccount(tx: Tx, accountReference: string): Promise<string | null> {
  const folded = foldAccountReference(accountReference);
  const digits = phoneDigits(accountReference);
  const phone = digits !== null && isKenyanMobile(digits) ? digits : null;
  const idNumber = isGuarded('issued_account_numbers') ? null : folded;
  // A loan's number is its borrower's; what is credited to their wallet goes on to the loan (domain: loans).
  const owners = await tx.sql<{ id: string }[]>`
    select id from users
    where account_number = ${folded} or id_number = ${idNumber} or phone = ${phone} and phone_confirmed_at is not null
    union select borrower from loan_borrower(${folded}) borrower where borrower is not null`;
  return owners.length === 1 ? (owners[0]?.id ?? null) : null;
}
