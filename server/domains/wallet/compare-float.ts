import { type Cents, shillingsFromCents } from '@ushirika/contract/money';
import type { Text } from '@ushirika/contract/texts';
import { nairobiDay } from '@ushirika/contract/time';
import type { Tx } from '../../db/tx.ts';
import { parseBalanceResult } from '../../gateways/mobile-money/daraja.parse.ts';
import type { Daraja } from '../../gateways/mobile-money/daraja.types.ts';
import { balanceUrls } from './callback-urls.ts';
import {
  FLOAT_ASKS_MAX,
  FLOAT_MARGIN_MS,
  type FloatFigures,
  type FloatVerdict,
  isFloatHour,
  judgeFloat,
  nextFloatAsk,
} from './float.rules.ts';
import { floatFigures } from './float-figures.ts';
import { openException } from './money-exceptions.ts';
import { storeCallback } from './receive-callback.ts';
import type { WalletDeps } from './wallet.deps.ts';

type Mpesa = Pick<WalletDeps['mpesa'], 'ownFundsCents'>;

interface Comparison {
  readonly id: string;
  readonly day: string;
  readonly state: 'open' | 'agrees' | 'differs' | 'unanswered';
  readonly asks: number;
  readonly next_ask_at: Date | null;
  readonly asked_at: Date | null;
  readonly conversation_id: string | null;
}

/** An answer as it is stored; it may arrive before M-Pesa has confirmed the question. */
interface HeardBalance {
  readonly conversationId: string | null;
  readonly mpesaCents: Cents;
  readonly heldAt: string | null;
}

/**
 * Asks M-Pesa for the balance that it holds for us: once a day from three in the morning, Nairobi time. It asks again
 * later when no answer came or payments under way may explain a difference. The answer comes as a callback. Every
 * process may run it at any time.
 */
export async function askBalance(
  deps: Pick<WalletDeps, 'database' | 'mpesa'> & { readonly daraja: Pick<Daraja, 'accountBalance'> },
): Promise<void> {
  const { database, daraja, mpesa } = deps;
  if (mpesa.paysFromAnother || !isFloatHour(database.now())) return;
  const id = await database.transaction(markAsked);
  if (id === null) return;
  const outcome = await daraja.accountBalance({ ...balanceUrls(mpesa, id), remarks: 'comparison with the books' });
  if (outcome.outcome === 'accepted') {
    return database.transaction((tx) => storeConversationId(tx, mpesa, id, outcome.conversationId));
  }
  if (outcome.outcome !== 'rejected' || outcome.kind !== 'credentials') return;
  await database.transaction((tx) =>
    openException(tx, {
      kind: 'mpesa_configuration',
      detail: { call: 'account_balance', code: outcome.code, message: outcome.message },
    }),
  );
}

/** Writes the day's row before M-Pesa is called. The row's lock lets one process ask. */
async function markAsked(tx: Tx): Promise<string | null> {
  const day = nairobiDay(tx.now);
  const [before] = await tx.sql`
    select from float_comparisons where day = ${day}::date and (next_ask_at is null or next_ask_at > ${tx.now})`;
  if (before) return null;
  // An earlier day without an answer is closed; today has its own row.
  await tx.sql`
    update float_comparisons set state = 'unanswered', next_ask_at = null, conversation_id = null
    where state = 'open' and day < ${day}::date`;
  await tx.sql`
    insert into float_comparisons (id, day, state, next_ask_at, created_at)
    values (${tx.newId()}, ${day}::date, 'open', ${tx.now}, ${tx.now}) on conflict (day) do nothing`;
  const [row] = await tx.sql<{ id: string; asks: number }[]>`
    select id, asks from float_comparisons where day = ${day}::date and next_ask_at <= ${tx.now} for update`;
  if (!row) return null;
  if (row.asks >= FLOAT_ASKS_MAX) {
    await tx.sql`
      update float_comparisons set state = 'unanswered', next_ask_at = null, conversation_id = null where id = ${row.id}`;
    return null;
  }
  await tx.sql`
    update float_comparisons set asks = asks + 1, asked_at = ${tx.now}, conversation_id = null,
      next_ask_at = ${nextFloatAsk(row.asks + 1, tx.now)}
    where id = ${row.id}`;
  return row.id;
}

async function lockComparison(tx: Tx, id: string): Promise<Comparison | null> {
  const [row] = await tx.sql<Comparison[]>`
    select id, day::text as day, state, asks, next_ask_at, asked_at, conversation_id
    from float_comparisons where id = ${id} for update`;
  return row ?? null;
}

/**
 * Stores the ConversationID under which M-Pesa took the question. If the answer arrived before this transaction, it is
 * in the callback log and is used now.
 */
async function storeConversationId(tx: Tx, mpesa: Mpesa, id: string, conversationId: string): Promise<void> {
  const comparison = await lockComparison(tx, id);
  if (comparison?.state !== 'open') return;
  await tx.sql`update float_comparisons set conversation_id = ${conversationId.slice(0, 100)} where id = ${id}`;
  const [heard] = await tx.sql<{ parsed: HeardBalance }[]>`
    select parsed from callback_log
    where kind = 'balance_result' and about_id = ${id} and parsed ->> 'conversationId' = ${conversationId}
    order by received_at, id limit 1`;
  if (heard) await compareAnswer(tx, mpesa, { ...comparison, conversation_id: conversationId }, heard.parsed);
}

/**
 * Stores M-Pesa's answer. It counts once, and only with the ConversationID of our newest question: only M-Pesa knows
 * that.
 */
export async function receiveBalanceResult(
  tx: Tx,
  mpesa: Mpesa,
  id: string,
  body: Readonly<Record<string, unknown>>,
): Promise<void> {
  const result = parseBalanceResult(body);
  const heard =
    result.ok && result.value.balance ? heardBalance(result.value.conversationId, result.value.balance) : null;
  await storeCallback(tx, { kind: 'balance_result', aboutId: id, body, parsed: heard });
  const comparison = heard && (await lockComparison(tx, id));
  if (!heard || !comparison || comparison.state !== 'open') return;
  if (comparison.conversation_id === null || heard.conversationId !== comparison.conversation_id) return;
  await compareAnswer(tx, mpesa, comparison, heard);
}

/** M-Pesa's queue timed out, which says nothing about the balance. The question is sent again when it is due. */
export async function receiveBalanceTimeout(
  tx: Tx,
  id: string,
  body: Readonly<Record<string, unknown>>,
): Promise<void> {
  await storeCallback(tx, { kind: 'balance_timeout', aboutId: id, body, parsed: null });
}

function heardBalance(
  conversationId: string | null,
  { totalCents, completedAt }: { readonly totalCents: Cents; readonly completedAt: Date | null },
): HeardBalance {
  return { conversationId, mpesaCents: totalCents, heldAt: completedAt?.toISOString() ?? null };
}

/**
 * Compares the answer with the books. When payments under way may explain the difference, M-Pesa is asked again, up to
 * the last question of the day: then it counts as a difference. No money is moved.
 */
async function compareAnswer(tx: Tx, mpesa: Mpesa, comparison: Comparison, heard: HeardBalance): Promise<void> {
  const asked = (comparison.asked_at ?? tx.now).getTime();
  const held = heard.heldAt === null ? asked : new Date(heard.heldAt).getTime();
  const since = new Date(Math.min(asked, held) - FLOAT_MARGIN_MS);
  const figures = await floatFigures(tx, mpesa.ownFundsCents ?? 0, since);
  const judged = judgeFloat(heard.mpesaCents, figures);
  const isLast = comparison.asks >= FLOAT_ASKS_MAX;
  const verdict = judged.verdict === 'under_way' && isLast ? 'differs' : judged.verdict;
  const state = verdict === 'under_way' ? 'open' : verdict;
  await tx.sql`
    update float_comparisons set state = ${state}, conversation_id = null,
      next_ask_at = ${state === 'open' ? comparison.next_ask_at : null}, compared_at = ${tx.now},
      mpesa_cents = ${heard.mpesaCents}, expected_cents = ${judged.expectedCents},
      under_way_least_cents = ${judged.leastCents}, under_way_most_cents = ${judged.mostCents}
    where id = ${comparison.id}`;
  if (verdict === 'agrees') await closeVariance(tx);
  if (verdict === 'differs') await openVariance(tx, comparison, heard.mpesaCents, judged, figures);
}

async function closeVariance(tx: Tx): Promise<void> {
  await tx.sql`
    update money_exceptions set resolved_at = ${tx.now}, resolution = 'matched', reason = ${'The two agree again.' satisfies Text}
    where kind = 'float_variance' and resolved_at is null`;
}

/** At most one is open: a difference on another day replaces its figures. */
async function openVariance(
  tx: Tx,
  comparison: Comparison,
  mpesaCents: Cents,
  judged: FloatVerdict,
  figures: FloatFigures,
): Promise<void> {
  await openException(tx, {
    kind: 'float_variance',
    amountCents: judged.differenceCents,
    detail: {
      day: comparison.day,
      mpesa: shillingsFromCents(mpesaCents),
      books: shillingsFromCents(judged.expectedCents),
      float: shillingsFromCents(figures.floatCents),
      own_funds: shillingsFromCents(figures.ownFundsCents),
      charges: shillingsFromCents(figures.chargesCents),
      under_way_least: shillingsFromCents(judged.leastCents),
      under_way_most: shillingsFromCents(judged.mostCents),
    },
  });
}
