import { phoneDigits } from '@ushirika/contract/phone';
import type { Tx } from '../../db/tx.ts';
import { parseC2bPayment } from '../../gateways/mobile-money/daraja.parse.ts';
import { isListInUse, readListSoon } from './read-payment-list.ts';
import { storeCallback } from './receive-callback.ts';
import { openStatusQuery } from './status-queries.ts';
import { foldAccountReference, plainText } from './wallet.rules.ts';

type Body = Readonly<Record<string, unknown>>;

/** Reported payments that M-Pesa's list has not named, at once: forged ones cost a question each, and real ones are listed. */
const UNLISTED_MAX = 500;
/** Where there is no list a real one that is passed over has to be claimed: so many more that a flood must last for hours. */
const UNLISTED_WITHOUT_LIST_MAX = 5_000;

/** Stores a payment that somebody made to the paybill by hand, and has it verified. It moves no money. */
export async function receivePaybillConfirmation(tx: Tx, shortcode: string, body: Body): Promise<void> {
  await storeCallback(tx, { kind: 'c2b_confirmation', aboutId: null, body, parsed: null });
  const payment = parseC2bPayment(body);
  if (!payment.ok) return;
  const { receipt, amountCents, accountReference, payerName, paidAt } = payment.value;
  await readListSoon(tx);
  if (await areTooMany(tx, shortcode)) return;
  const id = tx.newId();
  const [row] = await tx.sql`
    insert into paybill_payments
      (id, receipt, amount_cents, account_reference, payer_name, paid_at, state, received_at)
    values (${id}, ${receipt}, ${amountCents}, ${plainText(accountReference, 40)}, ${plainText(payerName, 200)},
            ${paidAt}, 'reported', ${tx.now})
    on conflict (receipt) do nothing returning id`;
  if (row) await openStatusQuery(tx, { purpose: 'paybill', aboutId: id, receipt });
}

async function areTooMany(tx: Tx, shortcode: string): Promise<boolean> {
  const most = (await isListInUse(tx, shortcode)) ? UNLISTED_MAX : UNLISTED_WITHOUT_LIST_MAX;
  const [row] = await tx.sql<{ count: number }[]>`
    select count(*)::int as count from (
      select from paybill_payments where state = 'reported' and listed_at is null limit ${most}) unlisted`;
  return (row?.count ?? 0) >= most;
}

const ACCEPTED = { ResultCode: '0', ResultDesc: 'Accepted' };
const REJECTED = { ResultCode: 'C2B00012', ResultDesc: 'Rejected' };

/** Says before a payment is made whether its account number is anybody's: money that is refused need not be sorted. */
export async function answerPaybillValidation(tx: Tx, body: Body): Promise<{ ResultCode: string; ResultDesc: string }> {
  await storeCallback(tx, { kind: 'c2b_validation', aboutId: null, body, parsed: null });
  const payment = parseC2bPayment(body);
  // What cannot be read is not refused: the confirmation will be looked at by a person.
  if (!payment.ok) return ACCEPTED;
  const reference = payment.value.accountReference;
  const [deposit] = await tx.sql`select id from deposits where reference = ${foldAccountReference(reference)}`;
  return deposit || (await ownerOfAccount(tx, reference)) ? ACCEPTED : REJECTED;
}

/** Whose account number that is: a member's ID number, or their confirmed phone number in any usual form. */
export async function ownerOfAccount(tx: Tx, accountReference: string): Promise<string | null> {
  const folded = foldAccountReference(accountReference);
  const [byIdNumber] = await tx.sql<{ id: string }[]>`select id from users where id_number = ${folded}`;
  if (byIdNumber) return byIdNumber.id;
  const phone = phoneDigits(accountReference);
  if (phone === null) return null;
  const [byPhone] = await tx.sql<{ id: string }[]>`
    select id from users where phone = ${phone} and phone_confirmed_at is not null`;
  return byPhone?.id ?? null;
}
