import { API_BASE } from '@ushirika/contract/constants';
import { shillingsFromCents } from '@ushirika/contract/money';
import { Refusal } from '@ushirika/contract/refusal';
import { joined, sentence } from '@ushirika/contract/sentence';
import * as contract from '@ushirika/contract/wallet';
import { PAYOUT_TARIFF } from '@ushirika/contract/withdrawal-charges';
import { asSystem } from '../../db/person.ts';
import type { Tx } from '../../db/tx.ts';
import { type Binding, bindFile, bindHandler, bindStream, bindVerb, type EventSink } from '../../http/bind.ts';
import { requireProof } from '../identity/prove-password.ts';
import { assertSecret } from '../notifications/assert-secret.ts';
import { receiveStatusResult, receiveStatusTimeout } from './ask-status.ts';
import { claimReceipt } from './claim-receipt.ts';
import { receiveBalanceResult, receiveBalanceTimeout } from './compare-float.ts';
import { countHistory, receiptOf, walletHistory } from './history.ts';
import type { LiveChange } from './live.ts';
import { askPayer, confirmPayer, endPayer, payersOf } from './prompt-consents.ts';
import { answerPaybillValidation, receivePaybillConfirmation } from './receive-paybill.ts';
import { receiveStkCallback } from './receive-stk.ts';
import { requestDeposit } from './request-deposit.ts';
import { receivePayoutResult, receivePayoutTimeout } from './settle-withdrawal.ts';
import { statementCsv, statementName, statementOf } from './statement.ts';
import { statementPdf } from './statement-pdf.ts';
import type { WalletDeps } from './wallet.deps.ts';
import { accountNumberOf, claimOf, depositOf, depositsOf, readWallet, withdrawalOf } from './wallet.queries.ts';
import { withdraw } from './withdraw.ts';
import { leftToday } from './withdrawal-limits.ts';

export function walletRoutes(deps: WalletDeps): Binding[] {
  return [
    ...depositRoutes(deps),
    ...payerRoutes(deps),
    ...withdrawalRoutes(deps),
    ...historyRoutes(deps),
    ...callbackRoutes(deps),
  ];
}

function depositRoutes(deps: WalletDeps): Binding[] {
  const { database } = deps;
  return [
    bindVerb(contract.depositRoute, async (tx, { actor, body }) => {
      const id = await requestDeposit(tx, actor, { amountCents: body.amount, phone: body.phone });
      const deposit = await depositOf(tx, actor.userId, id);
      return { success: true as const, message: joined([sentence('Request sent.'), deposit.text]), deposit };
    }),
    bindHandler(contract.getDeposit, ({ actor, params }) => depositOf(database, actor.userId, params.id)),
    bindHandler(contract.listDeposits, async ({ actor, query }) => {
      const before = query.cursor === undefined ? null : uuidCursor(query.cursor);
      const page = await depositsOf(database, actor.userId, { before, limit: query.limit });
      const next = page.hasMore ? nextPage(deps, '/integrations/mpesa/deposits', query, page.rows.at(-1)?.id) : null;
      return { count: page.count, next, previous: null, results: page.rows };
    }),
    bindHandler(contract.getPaybill, async ({ actor }) => ({
      paybill: deps.mpesa.shortcode,
      account_number: await accountNumberOf(database, actor.userId),
    })),
    bindVerb(contract.claimReceiptRoute, async (tx, { actor, body }) => {
      const id = await claimReceipt(tx, actor, { receipt: body.transaction_id, phone: body.phone_number });
      return {
        success: true as const,
        message: sentence(contract.CLAIM_REQUESTED),
        claim: await claimOf(tx, actor.userId, id),
      };
    }),
    bindHandler(contract.getClaim, ({ actor, params }) => claimOf(database, actor.userId, params.id)),
  ] as Binding[];
}

function payerRoutes({ database }: WalletDeps): Binding[] {
  return [
    bindHandler(contract.askPayer, async ({ actor, body }) => {
      // As the platform: it counts the requests of others to that phone, and reads who has confirmed it.
      const expiresAt = await asSystem(() => database.transaction((tx) => askPayer(tx, actor, body)));
      return {
        success: true as const,
        message: sentence(contract.PAYER_CODE_SENT),
        expires_at: expiresAt.toISOString(),
      };
    }),
    bindHandler(contract.confirmPayer, async ({ actor, body }) => {
      // As the platform: no person may read the code's hash, and the phone's owner is notified.
      await asSystem(() => confirmPayer(database, actor, body));
      return { success: true as const, message: sentence(contract.PAYER_AGREED) };
    }),
    // As the platform: it shows the names of other persons whose wallets may send prompts to the user's phone.
    bindHandler(contract.listPayers, ({ actor }) => asSystem(() => payersOf(database, actor))),
    bindVerb(contract.endPayer, async (tx, { actor, params }) => {
      await endPayer(tx, actor, params);
      return { success: true as const, message: sentence(contract.PAYER_ENDED) };
    }),
  ] as Binding[];
}

function withdrawalRoutes({ database, withdrawalCharges = 'platform' }: WalletDeps): Binding[] {
  return [
    bindVerb(contract.withdrawRoute, async (tx, { actor, body }) => {
      await requireProof(tx, actor);
      const wanted = { amountCents: body.amount, phone: body.phone };
      const id = await withdraw(tx, actor, wanted, withdrawalCharges);
      return {
        success: true as const,
        message: sentence(contract.WITHDRAWAL_REQUESTED),
        withdrawal: await withdrawalOf(tx, actor.userId, id),
      };
    }),
    bindHandler(contract.getWithdrawalTerms, async ({ actor }) => {
      const left = await leftToday(database, actor.userId, database.now());
      return {
        borne_by: withdrawalCharges,
        tariff: [...PAYOUT_TARIFF],
        left: { count: left.count, amount: shillingsFromCents(left.cents), renewed_at: left.renewedAt.toISOString() },
      };
    }),
    bindHandler(contract.getWithdrawal, ({ actor, params }) => withdrawalOf(database, actor.userId, params.id)),
  ] as Binding[];
}

function historyRoutes(deps: WalletDeps): Binding[] {
  const { database } = deps;
  return [
    bindHandler(contract.listTransactions, async ({ actor, query }) => {
      const before = query.cursor === undefined ? null : numberCursor(query.cursor);
      const rows = await walletHistory(deps, actor.userId, { ...query, before, limit: query.limit + 1 });
      const results = rows.slice(0, query.limit);
      const next = rows.length > query.limit ? nextPage(deps, '/client/transactions', query, results.at(-1)?.id) : null;
      return { count: await countHistory(database, actor.userId, query), next, previous: null, results };
    }),
    bindFile(contract.getStatement, async ({ actor, query, language }) => {
      const statement = await statementOf(deps, actor.userId, query);
      const filename = `${statementName(statement, language)}.${query.format}`;
      return query.format === 'csv'
        ? { contentType: 'text/csv; charset=utf-8', bytes: statementCsv(statement, language), filename }
        : { contentType: 'application/pdf', bytes: await statementPdf(statement, language), filename };
    }),
    bindHandler(contract.getReceipt, ({ actor, params }) => receiptOf(deps, actor.userId, params.journal)),
    bindStream(contract.clientLive, async ({ actor }, events) => {
      const { userId } = actor;
      // One after the other: of two states of a wallet, the one that was read last must be sent last.
      let sending = Promise.resolve();
      const sendInTurn = (change: LiveChange) => {
        sending = sending.then(() => sendChange(deps, userId, change, events)).catch(() => {});
        return sending;
      };
      const unsubscribe = await deps.live.subscribe(userId, sendInTurn);
      await sendInTurn({ userId, thing: 'wallet', id: '' });
      return unsubscribe;
    }),
  ] as Binding[];
}

/** Sends the present state of the thing that changed. */
async function sendChange({ database }: WalletDeps, userId: string, { thing, id }: LiveChange, events: EventSink) {
  const data =
    thing === 'wallet'
      ? await readWallet(database, userId)
      : await { deposit: depositOf, withdrawal: withdrawalOf, claim: claimOf }[thing](database, userId, id);
  events.send({ event: thing, data });
}

const ACKNOWLEDGED = { ResultCode: 0, ResultDesc: 'Accepted' };

/**
 * The callback routes. Each stores the callback before it answers; none moves money that M-Pesa has not confirmed. The
 * secret is checked before a transaction begins, so that guessing uses no connection.
 */
function callbackRoutes(deps: WalletDeps): Binding[] {
  const stored = async (params: { readonly secret: string }, store: (tx: Tx) => Promise<void>) => {
    assertSecret(params.secret, deps.mpesa.callbackSecret);
    await deps.database.transaction(store);
    return ACKNOWLEDGED;
  };
  return [
    bindHandler(contract.stkCallbackRoute, ({ params, body }) =>
      stored(params, (tx) => receiveStkCallback(tx, params.deposit, body)),
    ),
    bindHandler(contract.payoutResultRoute, ({ params, body }) =>
      stored(params, (tx) => receivePayoutResult(tx, params.withdrawal, body)),
    ),
    bindHandler(contract.payoutTimeoutRoute, ({ params, body }) =>
      stored(params, (tx) => receivePayoutTimeout(tx, params.withdrawal, body)),
    ),
    bindHandler(contract.statusResultRoute, ({ params, body }) =>
      stored(params, (tx) => receiveStatusResult(tx, params.query, body)),
    ),
    bindHandler(contract.statusTimeoutRoute, ({ params, body }) =>
      stored(params, (tx) => receiveStatusTimeout(tx, params.query, body)),
    ),
    bindHandler(contract.balanceResultRoute, ({ params, body }) =>
      stored(params, (tx) => receiveBalanceResult(tx, deps.mpesa, params.comparison, body)),
    ),
    bindHandler(contract.balanceTimeoutRoute, ({ params, body }) =>
      stored(params, (tx) => receiveBalanceTimeout(tx, params.comparison, body)),
    ),
    // Two addresses for each of the paybill's callbacks: M-Pesa does not register addresses with certain words.
    ...[contract.c2bConfirmationRoute, contract.hookConfirmationRoute].map((route) =>
      bindHandler(route, ({ params, body }) =>
        stored(params, (tx) => receivePaybillConfirmation(tx, deps.mpesa.shortcode, body)),
      ),
    ),
    ...[contract.c2bValidationRoute, contract.hookValidationRoute].map((route) =>
      bindHandler(route, ({ params, body }) => {
        assertSecret(params.secret, deps.mpesa.callbackSecret);
        return deps.database.transaction((tx) => answerPaybillValidation(tx, body));
      }),
    ),
  ] as Binding[];
}

function uuidCursor(cursor: string): string {
  if (/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(cursor)) return cursor;
  throw unknownCursor();
}

function numberCursor(cursor: string): number {
  if (/^\d{1,15}$/.test(cursor)) return Number(cursor);
  throw unknownCursor();
}

function unknownCursor(): Refusal {
  return new Refusal('validation_failed', {
    errors: { cursor: [sentence('That page is not there. Start from the first.')] },
  });
}

function nextPage(
  { publicUrl }: WalletDeps,
  path: string,
  query: Readonly<Record<string, unknown>>,
  cursor: string | undefined,
): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && name !== 'cursor') parameters.set(name, String(value));
  }
  parameters.set('cursor', cursor ?? '');
  return `${publicUrl}${API_BASE}${path}?${parameters}`;
}
