import { CHECK_OFF_DAYS } from '@ushirika/contract/check-offs';
import { formatShillings, shillingsFromCents } from '@ushirika/contract/money';
import { OFFICES } from '@ushirika/contract/route';
import { type Sentence, sentence } from '@ushirika/contract/sentence';
import { isGuarded } from '#faults';
import type { Tx } from '../../db/tx.ts';
import { notify, notifyAll } from '../notifications/notify.ts';
import { amountValue, saccoValue } from '../notifications/sms-values.ts';
import { dayBefore } from './check-off.rules.ts';
import type { CheckOffRow } from './check-off-rows.ts';
import { officialsWith } from './loan-officials.ts';
import { loansSms } from './loans.sms.ts';

/** Neither the employer's name nor a reason: officials type them freely, and they stand on the list's page alone (decision 202). */
type Values = Readonly<Record<'sacco' | 'amount', string>> & { readonly days: number };

function valuesOf(row: CheckOffRow): Values {
  const amount = formatShillings(shillingsFromCents(row.amount_cents));
  return { sacco: row.sacco_name, amount, days: CHECK_OFF_DAYS };
}

const payerWords: Readonly<Record<'waits' | 'withdrawn' | 'expired', (values: Values) => Sentence>> = {
  waits: (v) =>
    sentence(
      '{sacco} asks you to pay a check-off of {amount}. Read it under Check-offs and pay it within {days} days, or decline it. Nothing moves unless you pay.',
      v,
    ),
  withdrawn: (v) =>
    sentence('{sacco} has taken a check-off of {amount} back. You pay nothing. Read why under Check-offs.', v),
  expired: (v) => sentence('A check-off of {amount} for {sacco} was not paid in {days} days and has expired.', v),
};

/**
 * Tells the payer in the app, and of a list that waits by SMS too. One SMS of a sacco goes to a payer within 24 hours, however many lists
 * its officials check and take back. Two lists of one sacco are checked one after the other (`lockListsOf`).
 */
export async function tellPayer(
  tx: Tx,
  causedBy: string | null,
  row: CheckOffRow,
  event: 'waits' | 'withdrawn' | 'expired',
): Promise<void> {
  const text = payerWords[event](valuesOf(row));
  const notice = { userId: row.payer_id, topic: 'money' as const, template: `check_off_${event}`, text, causedBy };
  if (event !== 'waits' || (await wasAskedBySms(tx, row))) return notify(tx, notice);
  const sacco = saccoValue({ name: row.sacco_name, state: row.sacco_state });
  const sms = loansSms.checkOffWaits(sacco, amountValue(row.amount_cents));
  const [delivery] = await notifyAll(tx, [{ ...notice, sms }]);
  if (delivery?.smsId) await tx.sql`update check_offs set payer_sms_at = ${tx.now} where id = ${row.id}`;
}

/** Whether an SMS of this sacco went to this payer within 24 hours. Lists of which none went do not count. */
async function wasAskedBySms(tx: Tx, row: CheckOffRow): Promise<boolean> {
  if (!isGuarded('loans.check_off_sms_a_day')) return false;
  const [asked] = await tx.sql`
    select from check_offs
    where payer_id = ${row.payer_id} and sacco_id = ${row.sacco_id} and payer_sms_at > ${dayBefore(tx.now)} limit 1`;
  return asked !== undefined;
}

const officialWords: Readonly<Record<'paid' | 'declined' | 'expired', (values: Values) => Sentence>> = {
  paid: (v) => sentence('{sacco}: a check-off of {amount} is paid. It is shared out to the members now.', v),
  declined: (v) => sentence('{sacco}: the payer has declined a check-off of {amount}. Read why at the desk.', v),
  expired: (v) =>
    sentence('{sacco}: a check-off of {amount} has expired: {days} days went by without the next step.', v),
};

/** Tells who made the list and who checked it, if they still hold an office there. */
export async function tellOfficials(
  tx: Tx,
  causedBy: string | null,
  row: CheckOffRow,
  event: keyof typeof officialWords,
): Promise<void> {
  const officials = await officialsWith(tx, row.sacco_id, OFFICES);
  const text = officialWords[event](valuesOf(row));
  const told = [row.listed_by, row.checked_by].filter((each) => each !== null && officials.includes(each));
  await notifyAll(
    tx,
    told.map((userId) => ({
      userId: userId as string,
      topic: 'saccos' as const,
      template: `check_off_${event}`,
      text,
      causedBy,
    })),
  );
}
