import { createHash } from 'node:crypto';
import type { Tx } from '../db/tx.ts';
import { oweCallback, postCallback } from './deliveries.ts';
import type { Faults } from './faults.ts';
import { compactTime, newReceipt } from './identifiers.ts';
import { bookPayment } from './payments.ts';
import { shownText } from './shown-fields.ts';
import type { Core, PaymentRow } from './simulator.types.ts';
import { moveToOrganisation, organisationBalance, rulingOnPayment, subscriberOf } from './subscribers.ts';

export interface RegistrationRow {
  readonly response_type: 'Completed' | 'Cancelled';
  readonly confirmation_url: string;
  readonly validation_url: string;
  readonly version: 'v1' | 'v2';
}

export type PaybillOutcome = { readonly receipt: string } | { readonly refused: string };

/** Somebody pays the paybill by hand: validation asked first (8 s), then the money, then the confirmation. */
export async function payPaybill(
  core: Core,
  input: { phone: string; amountCents: number; accountReference: string },
  faults: Faults,
): Promise<PaybillOutcome> {
  const draft = { kind: 'c2b' as const, phone: input.phone, amount_cents: input.amountCents };
  const receipt = newReceipt(core.world);
  const before = await core.act(async (tx) => ({
    ruling: await rulingOnPayment(tx, input.phone, input.amountCents, core.repeatWindowMs),
    registration: await registrationOf(core, tx),
    name: (await subscriberOf(tx, input.phone)).name,
    now: tx.now,
  }));
  if (before.ruling !== '0') return { refused: before.ruling };
  if (before.registration && faults.no_validation === undefined) {
    const body = c2bBody(core, before.registration.version, {
      receipt,
      phone: input.phone,
      amount_cents: input.amountCents,
      account_reference: input.accountReference,
      completed_at: before.now,
      name: before.name,
      balance: '',
    });
    const refusal = await validationRefusal(core, before.registration, body);
    if (refusal) return { refused: refusal };
  }
  return core.act(async (tx) => {
    const ruling = await rulingOnPayment(tx, input.phone, input.amountCents, core.repeatWindowMs);
    if (ruling !== '0') return { refused: ruling };
    await moveToOrganisation(tx, input.phone, input.amountCents);
    const payment = await bookPayment(core, tx, { ...draft, receipt, account_reference: input.accountReference });
    await oweC2bConfirmation(core, tx, payment, faults);
    return { receipt };
  });
}

/** Null when validation says yes, or says nothing and the registration's default is yes. */
async function validationRefusal(core: Core, registration: RegistrationRow, body: string): Promise<string | null> {
  const answer = await postCallback(core, registration.validation_url, body);
  const byDefault = registration.response_type === 'Completed' ? null : 'C2B00016';
  if (answer.status !== 200) return byDefault;
  try {
    const code = String((JSON.parse(answer.text) as { ResultCode?: unknown }).ResultCode);
    return code === '0' ? null : code.slice(0, 20);
  } catch {
    return byDefault;
  }
}

/** No URLs registered: the payment completes silently (payments.md 3.5). */
export async function oweC2bConfirmation(core: Core, tx: Tx, payment: PaymentRow, faults: Faults): Promise<void> {
  const registration = await registrationOf(core, tx);
  if (!registration) return;
  const { name } = await subscriberOf(tx, payment.phone);
  const balance = ((await organisationBalance(tx, 'utility')) / 100).toFixed(2);
  const account = shownText(faults, 'account', payment.account_reference) ?? '';
  const body = c2bBody(core, registration.version, { ...payment, account_reference: account, name, balance });
  await oweCallback(tx, { kind: 'c2b', url: registration.confirmation_url, body }, faults);
}

async function registrationOf(core: Core, tx: Tx): Promise<RegistrationRow | null> {
  const [row] = await tx.sql<RegistrationRow[]>`
    select * from simulator.c2b_registration where shortcode = ${core.keys.shortcode}`;
  return row ?? null;
}

/** All strings; v2 masks the number, v1 sends its SHA-256. */
function c2bBody(
  core: Core,
  version: 'v1' | 'v2',
  payment: Pick<PaymentRow, 'receipt' | 'phone' | 'amount_cents' | 'account_reference' | 'completed_at'> & {
    name: string;
    balance: string;
  },
): string {
  const [firstName = '', lastName = ''] = payment.name.toUpperCase().split(' ');
  return JSON.stringify({
    TransactionType: 'Pay Bill',
    TransID: payment.receipt,
    TransTime: compactTime(payment.completed_at),
    TransAmount: (payment.amount_cents / 100).toFixed(2),
    BusinessShortCode: core.keys.shortcode,
    BillRefNumber: payment.account_reference,
    InvoiceNumber: '',
    OrgAccountBalance: payment.balance,
    ThirdPartyTransID: '',
    MSISDN:
      version === 'v1'
        ? createHash('sha256').update(payment.phone).digest('hex')
        : `${payment.phone.slice(0, 4)} ***** ${payment.phone.slice(-3)}`,
    FirstName: firstName,
    MiddleName: '',
    LastName: lastName,
  });
}
