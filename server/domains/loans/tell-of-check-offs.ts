import { CHECK_OFF_DAYS } from '@ushirika/contract/check-offs';
import { formatShillings, shillingsFromCents } from '@ushirika/contract/money';
import { OFFICES } from '@ushirika/contract/route';
import { type Sentence, sentence } from '@ushirika/contract/sentence';
import { isGuarded } from '#faults';
import type { Tx } from '../../db/tx.ts';
import { notify, notifyAll } from '../notifications/notify.ts';
import { amountValue, saccoValue } from '../notifications/sms-values.ts';
import { dayBefore } from './check-off.rules.ts';
import { standingOfPayer } from './check-off-limits.ts';
import type { CheckOffRow } from './check-off-rows.ts';
import { officialsWith } from './loan-officials.ts';
import { loansSms } from './loans.sms.ts';

type Values = Readonly<Record<'sacco' | 'employer' | 'amount' | 'reason', string>> & { readonly days: number };

/** `reason`: of whoever took it back. */
function valuesOf(row: CheckOffRow, reason = ''): Values {
  const amount = formatShillings(shillingsFromCents(row.amount_cents));
  return { sacco: row.sacco_name, employer: row.employer, amount, reason, days: CHECK_OFF_DAYS };
}

const payerWords: Readonly<
  Record<'waits' | 'withdrawn' | 'withdrawn_unsaid' | 'expired', (values: Values) => Sentence>
> = {
  waits: (v) =>
    sentence(
      '{sacco} asks you to pay {amount}: the check-off of {employer}. Read it under Check-offs and pay it within {days} days, or decline it. Nothing moves unless you pay.',
      v,
    ),
  withdrawn: (v) =>
    sentence('{sacco} has taken the check-off of {employer} back: {amount}. You pay nothing. The reason: {reason}', v),
  withdrawn_unsaid: (v) =>
    sentence(
      '{sacco} has taken the check-off of {employer} back: {amount}. You pay nothing. Read why under Check-offs.',
      v,
    ),
  expired: (v) =>
    sentence('The check-off of {employer} for {sacco} was not paid in {days} days and has expired: {amount}.', v),
};

/**
 * Tells the payer in the app, and of a list that waits by SMS too. One SMS of a sacco goes to a payer within 24 hours, however many lists
 * its officials check and take back. Two lists of one sacco are checked one after the other (`lockListsOf`).
 */
export async function tellPayer(
  tx: Tx,
  row: CheckOffRow,
  event: 'waits' | 'withdrawn' | 'expired',
  reason?: string,
): Promise<void> {
  const isUnsaid = event === 'withdrawn' && (await isStranger(tx, row));
  const text = payerWords[isUnsaid ? 'withdrawn_unsaid' : event](valuesOf(row, reason));
  const notice = { userId: row.payer_id, topic: 'money' as const, template: `check_off_${event}`, text };
  if (event !== 'waits' || (await wasAskedBySms(tx, row))) return notify(tx, notice);
  const sacco = saccoValue({ name: row.sacco_name, state: row.sacco_state });
  const sms = loansSms.checkOffWaits(sacco, amountValue(row.amount_cents));
  const [delivery] = await notifyAll(tx, [{ ...notice, sms }]);
  if (delivery?.smsId) await tx.sql`update check_offs set payer_sms_at = ${tx.now} where id = ${row.id}`;
}

/**
 * Whoever has never paid a list of the sacco may have nothing to do with it. What its officials typed freely is kept out of notices to
 * them: it could be a link or a number to pay to. It stands on the list's page, below the sacco's name.
 */
async function isStranger(tx: Tx, row: CheckOffRow): Promise<boolean> {
  return (await standingOfPayer(tx, { saccoId: row.sacco_id, payerId: row.payer_id })) === 'stranger';
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
  paid: (v) =>
    sentence('{sacco}: the check-off of {employer} is paid, {amount}. It is shared out to the members now.', v),
  declined: (v) =>
    sentence('{sacco}: the payer has declined the check-off of {employer}, {amount}. Read why at the desk.', v),
  expired: (v) =>
    sentence(
      '{sacco}: the check-off of {employer}, {amount}, has expired: {days} days went by without the next step.',
      v,
    ),
};

/** Tells who made the list and who checked it, if they still hold an office there. */
export async function tellOfficials(tx: Tx, row: CheckOffRow, event: keyof typeof officialWords): Promise<void> {
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
    })),
  );
}
