import type { Database } from '../../db/tx.ts';
import { PLATFORM_BOOK } from '../../ledger/ledger.types.ts';
import { postOrRefuse } from '../../ledger/post.ts';
import { openException } from '../wallet/money-exceptions.ts';

/** For tests, whose tokens are user ids: a session of that id, in which the password was just entered. */
export async function signedIn({ sql, now }: Database, userId: string): Promise<void> {
  const later = new Date(now().getTime() + 30 * 86_400_000);
  // Asked for by several at once, the row breaks two unique indexes, of which an upsert can name one.
  await sql`
    insert into sessions (id, user_id, token_hash, device, address, proven_at, created_at, last_seen_at, expires_at)
    values (${userId}, ${userId}, ${userId.padEnd(43, '0')}, 'test', '127.0.0.1', ${now()}, ${now()}, ${now()}, ${later})
    on conflict do nothing`;
  await sql`update sessions set proven_at = ${now()} where id = ${userId}`;
}

/** Their phone is confirmed from now on; returns it. */
export async function confirmedPhone({ sql, now }: Database, userId: string): Promise<string> {
  const [row] = await sql<{ phone: string }[]>`
    update users set phone_confirmed_at = ${now()} where id = ${userId} returning phone`;
  return row?.phone ?? '';
}

/** Money that came to the paybill for an account that nobody has. */
export function inSuspense(
  database: Database,
  paid: {
    readonly amountCents: number;
    readonly receipt: string;
    readonly phone: string | null;
    readonly claimedBy: string | null;
  },
): Promise<string> {
  const { amountCents, receipt, phone, claimedBy } = paid;
  return database.transaction(async (tx) => {
    const matter = {
      kind: 'paybill_account_unknown',
      receipt,
      phone,
      amountCents,
      heldIn: 'suspense',
      detail: { account: 'KAMAU 7', ...(claimedBy === null ? {} : { claimed_by: claimedBy }) },
    } as const;
    const id = await openException(tx, matter);
    await tx.sql`
      insert into mpesa_receipts (receipt, amount_cents, source, credited_to, phone, credited_at)
      values (${receipt}, ${amountCents}, 'paybill', 'suspense', ${phone}, ${tx.now})`;
    await postOrRefuse(tx, {
      kind: 'money_unmatched',
      idempotencyKey: `money_unmatched:${id}`,
      causedBy: null,
      about: { type: 'money_exception', id },
      transfers: [
        {
          debit: { book: PLATFORM_BOOK, kind: 'mpesa_float', owner: null },
          credit: { book: PLATFORM_BOOK, kind: 'suspense', owner: null },
          amount: amountCents,
        },
      ],
    });
    return id;
  });
}
