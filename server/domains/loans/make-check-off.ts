import { CHECK_OFF_LINES_MAX, CHECK_OFF_OFFICES } from '@ushirika/contract/check-offs';
import { Refusal } from '@ushirika/contract/refusal';
import { sentence } from '@ushirika/contract/sentence';
import type { Tx } from '../../db/tx.ts';
import { integers, texts } from '../../ledger/sql-arrays.ts';
import { lockListsOf, refuseManyAsked, refuseManyMade, refuseManyOpen } from './check-off-limits.ts';
import type { ListedLine } from './check-off-lines.ts';
import { refuseOffice } from './loan-officials.ts';

export interface NewCheckOff {
  /** The employer's name, for members. */
  readonly employer: string;
  /** Whose wallet is to pay the sum. */
  readonly payerId: string;
  readonly lines: readonly ListedLine[];
  /** Of all of it: the same once more, while it is open, is the same check-off. */
  readonly hash?: string;
}

/**
 * An official lists what an employer pays for whom. Nothing moves yet, and the payer is not told yet. Returns the id of the list.
 * The sacco's state is read without its lock: it is asked again when the list is checked, and when it is paid.
 * @throws Refusal `not_allowed`, `sacco_inactive`, `check_off_lines_wrong` where somebody of the list is no member,
 * `check_off_limit_reached`, `check_off_conflict` where one is there twice or another official has the same list open
 */
export async function makeCheckOff(
  tx: Tx,
  official: { readonly userId: string; readonly saccoId: string },
  input: NewCheckOff,
): Promise<string> {
  const { lines, payerId, employer, hash = null } = input;
  const { saccoId } = official;
  await lockListsOf(tx, saccoId);
  await refuseOffice(tx, official, CHECK_OFF_OFFICES);
  const [sacco] = await tx.sql<{ state: string }[]>`select state from saccos where id = ${saccoId}`;
  if (sacco?.state !== 'active') throw new Refusal('sacco_inactive');
  const members = new Set(lines.map(({ member }) => member));
  const isFit = lines.length > 0 && lines.length <= CHECK_OFF_LINES_MAX && members.size === lines.length;
  if (!isFit) throw new Refusal('check_off_conflict');
  const same = hash === null ? null : await openOf(tx, official, { payerId, hash });
  if (same) return same;
  await refuseManyOpen(tx, saccoId, payerId);
  await refuseManyAsked(tx, saccoId, payerId);
  await refuseManyMade(tx, official, lines.length);
  const id = tx.newId();
  await tx.sql`
    insert into check_offs (id, sacco_id, payer_id, employer, amount_cents, lines, state, listed_by, listed_at, list_hash)
    values (${id}, ${saccoId}, ${payerId}, ${employer}, ${lines.reduce((sum, { amountCents }) => sum + amountCents, 0)},
      ${lines.length}, 'listed', ${official.userId}, ${tx.now}, ${hash})`;
  await insertLines(tx, { id, saccoId }, lines);
  return id;
}

async function insertLines(
  tx: Tx,
  { id, saccoId }: { readonly id: string; readonly saccoId: string },
  lines: readonly ListedLine[],
): Promise<void> {
  const listed = await tx.sql`
    insert into check_off_lines (check_off_id, line, member_id, amount_cents)
    select ${id}, l.line, m.user_id, l.amount
    from unnest(${texts(lines.map(({ member }) => member))}::uuid[], ${integers(lines.map(({ amountCents }) => amountCents))}::bigint[])
      with ordinality as l (member, amount, line)
    join memberships m on m.id = l.member and m.sacco_id = ${saccoId} and m.state <> 'exited'
    order by l.line`;
  if (listed.count === lines.length) return;
  throw new Refusal('check_off_lines_wrong', {
    message: sentence('Somebody in the list is not a member of your sacco any more. Look the list up again.'),
    extra: { wrong: [], wrong_count: lines.length - listed.count },
  });
}

/** The same list that is open already. */
async function openOf(
  tx: Tx,
  official: { readonly userId: string; readonly saccoId: string },
  { payerId, hash }: { readonly payerId: string; readonly hash: string },
): Promise<string | null> {
  const [same] = await tx.sql<{ id: string; listed_by: string }[]>`
    select id, listed_by from check_offs
    where sacco_id = ${official.saccoId} and payer_id = ${payerId} and list_hash = ${hash} and state in ('listed', 'checked')`;
  if (same && same.listed_by !== official.userId) {
    throw new Refusal('check_off_conflict', { message: sentence('Another official has made this very list already.') });
  }
  return same?.id ?? null;
}
