import type { Text } from '@ushirika/contract/texts';
import type { Tx } from '../../db/tx.ts';
import type { DarajaOutcome, DarajaRejected, StkPushAccepted } from '../../gateways/mobile-money/daraja.types.ts';
import { enqueue } from '../../jobs.ts';
import { stkCallbackUrl } from './callback-urls.ts';
import { closeDeposit } from './credit-deposit.ts';
import { openException } from './money-exceptions.ts';
import type { WalletDeps } from './wallet.deps.ts';
import { nextDepositQuery, PUSH_LATEST_MS } from './wallet.rules.ts';

interface ToSend {
  readonly phone: string;
  readonly amountCents: number;
  readonly reference: string;
  /** The account number of the wallet that it fills. M-Pesa's description field holds thirteen characters. */
  readonly accountNumber: string;
}

const UNREACHABLE: Text = 'M-Pesa could not be reached. Nothing was taken from you. Try again in a few minutes.';

/**
 * Sends the prompt of a deposit, at most once. The row is set to `sending` before M-Pesa is called, and a run that
 * finds it so does nothing. The outcome then comes from a callback, a query or a claim.
 */
export async function pushDeposit(
  deps: Pick<WalletDeps, 'database' | 'mpesa'> & { readonly daraja: Pick<WalletDeps['daraja'], 'stkPush'> },
  id: string,
): Promise<void> {
  const toSend = await deps.database.transaction((tx) => markSending(tx, id));
  if (!toSend) return;
  const outcome = await deps.daraja.stkPush({
    amountCents: toSend.amountCents,
    phone: toSend.phone,
    accountReference: toSend.reference,
    description: `For ${toSend.accountNumber}`,
    callbackUrl: stkCallbackUrl(deps.mpesa, id),
  });
  await deps.database.transaction((tx) => recordOutcome(tx, id, outcome));
}

async function markSending(tx: Tx, id: string): Promise<ToSend | null> {
  const [row] = await tx.sql<
    {
      state: string;
      user_id: string;
      phone: string;
      amount_cents: number;
      reference: string;
      account_number: string;
      created_at: Date;
    }[]
  >`
    select d.state, d.user_id, d.phone, d.amount_cents, d.reference, u.account_number, d.created_at
    from deposits d join users u on u.id = d.user_id where d.id = ${id} for update of d`;
  if (row?.state !== 'created') return null;
  if (tx.now.getTime() - row.created_at.getTime() > PUSH_LATEST_MS) {
    await closeDeposit(tx, { id, user_id: row.user_id }, { state: 'failed', explanation: UNREACHABLE });
    return null;
  }
  await tx.sql`
    update deposits set state = 'sending', sending_at = ${tx.now}, next_query_at = ${nextDepositQuery(0, tx.now, tx.now)}
    where id = ${id}`;
  const { phone, amount_cents: amountCents, reference, account_number: accountNumber } = row;
  return { phone, amountCents, reference, accountNumber };
}

async function recordOutcome(tx: Tx, id: string, outcome: DarajaOutcome<StkPushAccepted>): Promise<void> {
  // A callback that arrived before this answer may have settled the deposit.
  const [row] = await tx.sql<{ state: string; user_id: string }[]>`
    select state, user_id from deposits where id = ${id} for update`;
  if (!row) return;
  if (outcome.outcome === 'accepted') {
    await tx.sql`
      update deposits set
        state = case when state = 'sending' then 'sent' else state end, sent_at = ${tx.now},
        merchant_request_id = ${outcome.merchantRequestId}, checkout_request_id = ${outcome.checkoutRequestId}
      where id = ${id} and (checkout_request_id is null or checkout_request_id = ${outcome.checkoutRequestId})`;
    const [overtook] = await tx.sql`select id from callback_log where kind = 'stk' and about_id = ${id} limit 1`;
    if (overtook) await enqueue(tx, 'verify_deposit', { id }, { key: `verify_deposit:${id}` });
  } else if (row.state === 'sending' && outcome.outcome === 'rejected') {
    // M-Pesa refused it before the prompt was shown.
    const explanation = outcome.code === 'no_token' ? UNREACHABLE : sentenceOf(outcome);
    await closeDeposit(tx, { id, user_id: row.user_id }, { state: 'failed', explanation, resultCode: outcome.code });
    if (outcome.kind === 'credentials') await alarm(tx, id, outcome);
  }
}

function sentenceOf({ kind }: DarajaRejected): Text {
  switch (kind) {
    case 'subscriber_locked':
      return 'Another M-Pesa prompt is open on that phone. If you did not ask for it, cancel it there. Then try again.';
    case 'busy':
      return 'M-Pesa is busy. Nothing was taken from you. Try again in a few minutes.';
    case 'invalid_request':
      return 'M-Pesa did not accept that phone or amount. Nothing was taken from you.';
    case 'credentials':
      return 'M-Pesa refused us. We have been told, and nothing was taken from you.';
  }
}

async function alarm(tx: Tx, id: string, outcome: DarajaRejected): Promise<void> {
  await openException(tx, {
    kind: 'mpesa_configuration',
    about: { type: 'deposit', id },
    detail: { code: outcome.code, message: outcome.message },
  });
}
