import type { Tx } from '../../db/tx.ts';
import { parseStkCallback } from '../../gateways/mobile-money/daraja.parse.ts';
import { wholePhone } from '../../gateways/mobile-money/party.ts';
import { enqueue } from '../../jobs.ts';
import { areTooMany, openException } from './money-exceptions.ts';
import { storeCallback } from './receive-callback.ts';
import { openStatusQuery } from './status-queries.ts';

type Body = Readonly<Record<string, unknown>>;

/** Stores M-Pesa's report about a prompt, and enqueues its verification. It moves no money. */
export async function receiveStkCallback(tx: Tx, depositId: string, body: Body): Promise<void> {
  const callback = parseStkCallback(body);
  const parsed = callback.ok ? callback.value : null;
  const isNew = await storeCallback(tx, { kind: 'stk', aboutId: depositId, body, parsed });
  if (!isNew || !parsed) return;
  const [deposit] = await tx.sql`select id from deposits where id = ${depositId}`;
  if (deposit) {
    // One job for all callbacks that come before it runs, so that M-Pesa is not asked for each forgery.
    await enqueue(tx, 'verify_deposit', { id: depositId }, { key: `verify_deposit:${depositId}` });
    return;
  }
  if (!parsed.payment || (await isBooked(tx, parsed.payment.receipt))) return;
  if (await areTooMany(tx, { kind: 'unknown_deposit' })) {
    await openException(tx, { kind: 'unknown_deposit', detail: { more: true } });
    return;
  }
  await openException(tx, {
    kind: 'unknown_deposit',
    receipt: parsed.payment.receipt,
    phone: wholePhone(parsed.payment.phone),
    amountCents: parsed.payment.amountCents || null,
    about: { type: 'deposit', id: depositId },
    detail: { result_code: parsed.resultCode },
  });
  if (parsed.payment.receipt) {
    await openStatusQuery(tx, { purpose: 'stray', aboutId: null, receipt: parsed.payment.receipt });
  }
}

async function isBooked(tx: Tx, receipt: string | null): Promise<boolean> {
  const [row] = await tx.sql`select receipt from mpesa_receipts where receipt = ${receipt}`;
  return row !== undefined;
}
