import type { Suspension } from '@ushirika/contract/identity';
import { isGuarded } from '#faults';
import type { Database, Tx } from '../../db/tx.ts';

/** What the owner of a suspended account is told: since when, and whom to call. Null for any other account. Read as the platform. */
export async function suspensionTold(
  sql: Tx['sql'] | Database['sql'],
  { userId, now, supportPhone }: { readonly userId: string; readonly now: Date; readonly supportPhone: string | null },
): Promise<Suspension | null> {
  const [row] = await (sql as Tx['sql'])<{ since: Date | null }[]>`select suspended_since(${userId}, ${now}) as since`;
  if (!row?.since || !isGuarded('suspended_accounts_rest')) return null;
  return { since: row.since.toISOString(), support_phone: supportPhone };
}
