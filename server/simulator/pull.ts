import type { Act } from './daraja-acts.ts';
import { fieldText, invalidField } from './daraja-wire.ts';
import type { Faults } from './faults.ts';
import { isShown, shownPhone, shownText } from './shown-fields.ts';
import type { PaymentRow } from './simulator.types.ts';

const PAGE = 100;
const REACH_MS = 48 * 3_600_000;

/** The list of payments to the paybill, of the last 48 hours, a page of 100 at a time (payments.md 3.6). */
export const pullPayments: Act = async (core, tx, fields, faults) => {
  if (fieldText(fields, 'ShortCode') !== core.keys.shortcode) return invalidField(core, 'ShortCode');
  const [from, to] = [nairobiInstant(fieldText(fields, 'StartDate')), nairobiInstant(fieldText(fields, 'EndDate'))];
  if (!from) return invalidField(core, 'StartDate');
  if (!to) return invalidField(core, 'EndDate');
  const offset = Number(fieldText(fields, 'OffSetValue'));
  if (!Number.isSafeInteger(offset) || offset < 0) return invalidField(core, 'OffSetValue');
  const earliest = new Date(Math.max(from.getTime(), tx.now.getTime() - REACH_MS));
  const rows = await tx.sql<PaymentRow[]>`
    select * from simulator.payment
    where kind in ('stk', 'c2b') and reversed_at is null and completed_at >= ${earliest} and completed_at < ${new Date(to.getTime() + 1_000)}
    order by completed_at, receipt limit ${PAGE} offset ${offset}`;
  const ids = { ResponseRefID: tx.newId() };
  if (rows.length === 0) return { status: 200, body: { ...ids, ResponseCode: '1001', ResponseMessage: 'No records' } };
  const Response = [rows.map((row) => listed(row, faults))];
  return { status: 200, body: { ...ids, ResponseCode: '1000', ResponseMessage: 'Success', Response } };
};

function listed(payment: PaymentRow, faults: Faults) {
  return {
    transactionId: payment.receipt,
    trxDate: payment.completed_at.toISOString(),
    msisdn: isShown(faults, 'omit', 'phone') ? undefined : asNumber(shownPhone(faults, 'phone', payment.phone)),
    sender: 'MPESA',
    transactiontype: 'c2b-pay-bill-debit',
    billreference: shownText(faults, 'account', payment.account_reference),
    amount: String(payment.amount_cents / 100),
    organizationname: 'Ushirika',
  };
}

const asNumber = (text: string) => (/^[1-9]\d*$/.test(text) ? Number(text) : text);

function nairobiInstant(text: string): Date | null {
  const at = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.test(text) ? new Date(`${text.replace(' ', 'T')}+03:00`) : null;
  return at && !Number.isNaN(at.getTime()) ? at : null;
}
