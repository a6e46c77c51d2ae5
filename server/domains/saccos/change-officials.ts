import type { Office } from '@ushirika/contract/route';
import { OFFICES } from '@ushirika/contract/route';
import type { Sentence } from '@ushirika/contract/sentence';
import type { Tx } from '../../db/tx.ts';
import { texts } from '../../ledger/sql-arrays.ts';
import { notifyAll } from '../notifications/notify.ts';
import type { About } from './changes.types.ts';

/**
 * The people other than the one who proposed it who hold one of these offices now and may act in it: in the sacco, or for a name in any
 * sacco of its bearer where changes are decided. Whoever is suspended cannot act. Asked of the platform.
 */
export const otherOfficials = (tx: Pick<Tx, 'sql' | 'now'>, about: About, offices: readonly Office[] = OFFICES) =>
  holdersOf(tx, about, { offices, without: tx.sql`and suspended_since(o.user_id, ${tx.now}) is null` });

/** The same of all offices, with those who are suspended: what an operator does to the sacco they hear too. */
export const otherOfficialsAndSuspended = (tx: Pick<Tx, 'sql' | 'now'>, about: About) =>
  holdersOf(tx, about, { offices: OFFICES, without: tx.sql`` });

/** All who hold an office of a sacco but `but`, those who are suspended among them. */
export const officialsAndSuspended = (
  tx: Pick<Tx, 'sql' | 'now'>,
  { sacco, but }: { readonly sacco: { readonly id: string }; readonly but: string | null },
) => holdersOf(tx, { saccoId: sacco.id, proposedBy: but }, { offices: OFFICES, without: tx.sql`` });

/** @param about nobody has proposed it where `proposedBy` is null: then nobody is left out */
async function holdersOf(
  tx: Pick<Tx, 'sql' | 'now'>,
  { saccoId, proposedBy }: { readonly saccoId: string | null; readonly proposedBy: string | null },
  { offices, without }: { readonly offices: readonly Office[]; readonly without: ReturnType<Tx['sql']> },
): Promise<string[]> {
  const rows = await tx.sql<{ user_id: string }[]>`
    select distinct o.user_id from offices o
    where o.ended_at is null and o.until > ${tx.now} and o.user_id is distinct from ${proposedBy}::uuid ${without}
      and o.office = any (${texts(offices)}::text[])
      and (o.sacco_id = ${saccoId}::uuid or ${saccoId}::uuid is null and o.sacco_id in (
        select own.sacco_id from offices own join saccos s on s.id = own.sacco_id and s.state in ('active', 'suspended')
        where own.user_id = ${proposedBy}::uuid and own.ended_at is null and own.until > ${tx.now}))
    order by o.user_id`;
  return rows.map(({ user_id }) => user_id);
}

/** Told in their lists; by no SMS, so that proposals cannot be made into messages. */
export async function tellPeople(
  tx: Tx,
  causedBy: string | null,
  people: readonly string[],
  { template, text }: { readonly template: string; readonly text: Sentence },
): Promise<void> {
  await notifyAll(
    tx,
    people.map((userId) => ({ userId, topic: 'saccos' as const, template, text, causedBy })),
  );
}

/** The name of a sacco, for a sentence; of a change of name the person's own. */
export async function nameOf(tx: Tx, { saccoId, proposedBy }: About): Promise<string> {
  const [row] = await tx.sql<{ name: string }[]>`
    select coalesce((select name from saccos where id = ${saccoId}::uuid),
                    (select first_name || ' ' || last_name from users where id = ${proposedBy})) as name`;
  return row?.name ?? '';
}
