import type { Cents } from '@ushirika/contract/money';
import type { Text } from '@ushirika/contract/texts';
import type { Tx } from '../../db/tx.ts';

/** Money problems that no rule can settle, with what operators read about each kind. */
export const EXCEPTION_KINDS = {
  amount_mismatch: 'M-Pesa reported another amount than the one that was asked for.',
  phone_mismatch: 'M-Pesa reported another phone than the one that was asked.',
  checkout_mismatch: 'A callback for this top-up carried the id of another request.',
  query_contradicts: 'A callback said that it was paid, and M-Pesa, when asked, said that it was not.',
  unverifiable: 'A callback said that it was paid, and M-Pesa could not be asked.',
  unknown_deposit: 'A payment was told of for a top-up that we do not know.',
  second_receipt: 'A second payment came for one top-up.',
  payment_reversed:
    'M-Pesa took a payment back after it was credited. Look at M-Pesa’s statement: if it is gone, note it as sent back; if it stands, credit it again. What the wallet no longer had, ask its owner for.',
  receipt_of_another: 'A receipt came twice, for different things.',
  unknown_result_code: 'M-Pesa answered with a result that is in no table.',
  claim_not_owner: 'A real payment was claimed by somebody whose confirmed phone did not make it.',
  claim_unverifiable: 'M-Pesa confirms a claimed receipt, but not who paid whom.',
  paybill_account_unknown: 'A payment to the paybill named an account that is nobody’s.',
  paybill_unlisted:
    'A payment to the paybill was confirmed, and the list that names its account number does not hold it.',
  prompt_unknown:
    'M-Pesa has not said whether it took a prompt, and cannot be asked. Its payer may confirm it by receipt.',
  paybill_unverified: 'A payment to the paybill was reported that M-Pesa, when asked, did not confirm.',
  withdrawal_unknown: 'M-Pesa has not said whether a withdrawal was paid. It stays reserved.',
  withdrawal_contradicts: 'M-Pesa reported a result for a withdrawal that was settled otherwise.',
  mpesa_configuration: 'M-Pesa refuses us: a key, product or operator is not set up right.',
  float_variance: 'What M-Pesa holds for us differs from the books.',
} as const satisfies Readonly<Record<string, Text>>;
export type ExceptionKind = keyof typeof EXCEPTION_KINDS;

export interface OpenException {
  readonly kind: ExceptionKind;
  readonly receipt?: string | null;
  readonly phone?: string | null;
  readonly amountCents?: Cents | null;
  readonly about?: { readonly type: string; readonly id: string } | null;
  /** Where the money is booked; `nowhere` unless given. */
  readonly heldIn?: 'nowhere' | 'suspense' | 'reserve';
  readonly detail: Readonly<Record<string, unknown>>;
}

/** The most open exceptions about one thing. More receipts that callbacks name for it share one. */
const OPEN_ABOUT_ONE_MAX = 10;
/** The most open exceptions of one kind that hold no money and are about nothing that we know; more share one. */
const OPEN_ABOUT_NOTHING_MAX = 200;

/** Whether so many are open that another row would hide the others: forged callbacks may come by the thousand. */
export async function areTooMany(tx: Tx, of: { readonly kind: ExceptionKind } | { readonly aboutId: string }) {
  const most = 'kind' in of ? OPEN_ABOUT_NOTHING_MAX : OPEN_ABOUT_ONE_MAX;
  const [kind, aboutId] = 'kind' in of ? [of.kind, null] : [null, of.aboutId];
  const [row] = await tx.sql<{ count: number }[]>`
    select count(*)::int as count from (
      select from money_exceptions
      where resolved_at is null and held_in = 'nowhere' and (kind = ${kind}::text or about_id = ${aboutId}::uuid)
      limit ${most}) open`;
  return (row?.count ?? 0) >= most;
}

/**
 * Opens an exception, or adds to the open one of the same kind, receipt and thing. Returns its id; a journal into
 * suspense is about that id.
 */
export async function openException(tx: Tx, exception: OpenException): Promise<string> {
  const { kind, phone = null, amountCents = null, about = null, heldIn = 'nowhere' } = exception;
  const isShared = about !== null && heldIn === 'nowhere' && (await areTooMany(tx, { aboutId: about.id }));
  const receipt = isShared ? null : (exception.receipt ?? null);
  const [row] = await tx.sql<{ id: string }[]>`
    insert into money_exceptions as e
      (id, kind, receipt, phone, amount_cents, about_type, about_id, held_in, detail, opened_at)
    values (${tx.newId()}, ${kind}, ${receipt}, ${phone}, ${amountCents}, ${about?.type ?? null},
            ${about?.id ?? null}, ${heldIn}, ${tx.sql.json(exception.detail as never)}, ${tx.now})
    on conflict (kind, receipt, about_id) where resolved_at is null do update set
      detail = e.detail || excluded.detail,
      phone = case when ${isSettled(tx)} then e.phone else coalesce(excluded.phone, e.phone) end,
      amount_cents = case when ${isSettled(tx)} then e.amount_cents else coalesce(excluded.amount_cents, e.amount_cents) end,
      held_in = case when excluded.held_in = 'nowhere' then e.held_in else excluded.held_in end
    returning id`;
  if (!row) throw new Error('An exception was neither opened nor found.');
  return row.id;
}

/** The amount and phone of booked money stay as booked: later reports do not change them. */
const isSettled = (tx: Tx) => tx.sql`e.held_in <> 'nowhere' and excluded.held_in = 'nowhere'`;

/** Closes the open exceptions about a thing or receipt, because the platform has settled the matter itself. */
export async function closeExceptions(
  tx: Tx,
  about: { readonly id: string } | { readonly receipt: string },
  reason: Text,
): Promise<void> {
  const [aboutId, receipt] = 'id' in about ? [about.id, null] : [null, about.receipt];
  await tx.sql`
    update money_exceptions set resolved_at = ${tx.now}, resolution = 'matched', reason = ${reason}
    where resolved_at is null and held_in <> 'suspense'
      and kind not in ('unknown_result_code', 'receipt_of_another', 'second_receipt', 'withdrawal_contradicts', 'payment_reversed')
      and (about_id = ${aboutId}::uuid or receipt = ${receipt}::text)`;
}
