import {
  CHECK_OFF_DAYS,
  CHECK_OFF_LINES_MAX,
  CHECK_OFF_OFFICES,
  CHECK_OFFS_ASKED_MAX,
  CHECK_OFFS_DECLINED_MAX,
  CHECK_OFFS_OPEN_MAX,
} from '@ushirika/contract/check-offs';
import { Refusal } from '@ushirika/contract/refusal';
import { sentence } from '@ushirika/contract/sentence';
import { isGuarded } from '#faults';
import type { Tx } from '../../db/tx.ts';
import { integers, texts } from '../../ledger/sql-arrays.ts';
import { lockSacco } from '../saccos/lock-sacco.ts';
import type { ListedLine } from './check-off-lines.ts';
import { refuseOffice } from './loan-officials.ts';

const DAY_MS = 86_400_000;

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
 * @throws Refusal `not_allowed`, `sacco_inactive`, `not_found` where somebody of the list is no member, `check_off_limit_reached`,
 * `check_off_conflict` where one is there twice or another official has the same list open
 */
export async function listCheckOff(
  tx: Tx,
  official: { readonly userId: string; readonly saccoId: string },
  input: NewCheckOff,
): Promise<string> {
  const { lines, payerId, employer, hash = null } = input;
  const sacco = await lockSacco(tx, official.saccoId);
  await refuseOffice(tx, official, CHECK_OFF_OFFICES);
  if (sacco.state !== 'active') throw new Refusal('sacco_inactive');
  const members = new Set(lines.map(({ member }) => member));
  const isFit = lines.length > 0 && lines.length <= CHECK_OFF_LINES_MAX && members.size === lines.length;
  if (!isFit) throw new Refusal('check_off_conflict');
  const same = hash === null ? null : await openOf(tx, official, { payerId, hash });
  if (same) return same;
  await refuseMany(tx, sacco.id, payerId);
  const id = tx.newId();
  await tx.sql`
    insert into check_offs (id, sacco_id, payer_id, employer, amount_cents, lines, state, listed_by, listed_at, list_hash)
    values (${id}, ${sacco.id}, ${payerId}, ${employer}, ${lines.reduce((sum, { amountCents }) => sum + amountCents, 0)},
      ${lines.length}, 'listed', ${official.userId}, ${tx.now}, ${hash})`;
  await insertLines(tx, { id, saccoId: sacco.id }, lines);
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
  if (listed.count < lines.length) {
    throw new Refusal('not_found', { message: sentence('Somebody in the list is not a member of your sacco.') });
  }
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

/** Nobody is asked to pay over and over: counted under the sacco's lock. */
async function refuseMany(tx: Tx, saccoId: string, payerId: string): Promise<void> {
  if (!isGuarded('loans.check_offs_bounded')) return;
  const since = new Date(tx.now.getTime() - CHECK_OFF_DAYS * DAY_MS);
  const [before] = await tx.sql<{ open: number; declined: number; asked: number }[]>`
    select count(*) filter (where state in ('listed', 'checked'))::int as open,
      count(*) filter (where state = 'declined' and ended_at > ${since})::int as declined,
      count(*) filter (where state <> 'refused' and checked_at > ${since})::int as asked
    from check_offs where payer_id = ${payerId} and sacco_id = ${saccoId}`;
  const { open, declined, asked } = before ?? { open: 0, declined: 0, asked: 0 };
  if (open >= CHECK_OFFS_OPEN_MAX) throw new Refusal('check_off_limit_reached');
  if (declined >= CHECK_OFFS_DECLINED_MAX) {
    throw new Refusal('check_off_limit_reached', {
      message: sentence(
        'This payer has declined {n} lists of your sacco in {days} days. Talk to them before you list another one.',
        { n: CHECK_OFFS_DECLINED_MAX, days: CHECK_OFF_DAYS },
      ),
    });
  }
  if (asked < CHECK_OFFS_ASKED_MAX) return;
  throw new Refusal('check_off_limit_reached', {
    message: sentence('Your sacco has asked this payer {n} times in {days} days. Wait before you list another one.', {
      n: CHECK_OFFS_ASKED_MAX,
      days: CHECK_OFF_DAYS,
    }),
  });
}
