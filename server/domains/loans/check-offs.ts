import type { Cents } from '@ushirika/contract/money';
import { Refusal } from '@ushirika/contract/refusal';
import type { Office } from '@ushirika/contract/route';
import { sentence } from '@ushirika/contract/sentence';
import type { Tx } from '../../db/tx.ts';
import { postOrRefuse } from '../../ledger/post.ts';
import { integers, texts } from '../../ledger/sql-arrays.ts';
import { valueMoved } from '../identity/value-moved.ts';
import { lockSacco } from '../saccos/lock-sacco.ts';
import { refuseOffice } from './loan-officials.ts';
import { settlementOf, walletOf } from './loan-rows.ts';
import { checkOffAccount } from './pay-check-off.ts';

type Official = { readonly userId: string; readonly saccoId: string };

export interface NewCheckOff {
  /** The employer's name, for members. */
  readonly employer: string;
  /** Whose wallet is to pay the sum. */
  readonly payerId: string;
  readonly lines: readonly {
    /** The id in the list of members. */
    readonly member: string;
    readonly amountCents: Cents;
  }[];
}

/** Lines that one transaction shares out: loans of a chunk wait for its end, under a second. */
export const LINES_OF_CHUNK = 1_000;
const LINES_MAX = 250_000;
const OFFICES: readonly Office[] = ['treasurer', 'manager', 'chair', 'vice_chair'];

const noSuchList = () => new Refusal('not_found', { message: sentence('There is no such list.') });

/**
 * An official lists what an employer pays for whom. Nothing moves yet. Returns the id of the list.
 * @throws Refusal `not_allowed`, `not_found` where somebody of the list is no member, `loan_conflict` where one is there twice
 */
export async function listCheckOff(tx: Tx, official: Official, input: NewCheckOff): Promise<string> {
  const { lines, payerId, employer } = input;
  const sacco = await lockSacco(tx, official.saccoId);
  await refuseOffice(tx, official, OFFICES);
  const members = new Set(lines.map(({ member }) => member));
  const isRefused = sacco.state !== 'active' || lines.length === 0 || lines.length > LINES_MAX;
  if (isRefused || members.size < lines.length) throw new Refusal('loan_conflict');
  const id = tx.newId();
  await tx.sql`
    insert into check_offs (id, sacco_id, payer_id, employer, amount_cents, lines, state, listed_by, listed_at)
    values (${id}, ${sacco.id}, ${payerId}, ${employer}, ${lines.reduce((sum, { amountCents }) => sum + amountCents, 0)},
      ${lines.length}, 'listed', ${official.userId}, ${tx.now})`;
  const listed = await tx.sql`
    insert into check_off_lines (check_off_id, line, member_id, amount_cents)
    select ${id}, l.line, m.user_id, l.amount
    from unnest(${texts(lines.map(({ member }) => member))}::uuid[], ${integers(lines.map(({ amountCents }) => amountCents))}::bigint[])
      with ordinality as l (member, amount, line)
    join memberships m on m.id = l.member and m.sacco_id = ${sacco.id} and m.state <> 'exited'
    order by l.line`;
  if (listed.count < lines.length) {
    throw new Refusal('not_found', { message: sentence('Somebody in the list is not a member of your sacco.') });
  }
  return id;
}

interface CheckOffRow {
  readonly id: string;
  readonly sacco_id: string;
  readonly payer_id: string;
  readonly amount_cents: Cents;
  readonly lines: number;
  readonly state: 'listed' | 'checked' | 'refused' | 'running' | 'done';
  readonly listed_by: string;
}

async function lockCheckOff(tx: Tx, id: string): Promise<CheckOffRow> {
  const [row] = await tx.sql<CheckOffRow[]>`
    select id, sacco_id, payer_id, amount_cents, lines, state, listed_by from check_offs where id = ${id} for update`;
  if (!row) throw noSuchList();
  return row;
}

/**
 * Another official says that the list is right, or that it is not.
 * @throws Refusal `not_allowed`, `not_found`, `loan_conflict` where it is decided
 */
export async function checkCheckOff(
  tx: Tx,
  official: Official,
  input: { readonly id: string; readonly decision: 'approve' | 'refuse' },
): Promise<void> {
  const row = await lockCheckOff(tx, input.id);
  if (row.sacco_id !== official.saccoId) throw noSuchList();
  await refuseOffice(tx, official, OFFICES);
  if (row.state !== 'listed') throw new Refusal('loan_conflict');
  if (row.listed_by === official.userId) {
    throw new Refusal('not_allowed', { message: sentence('Another official must check the list: it is yours.') });
  }
  await tx.sql`
    update check_offs set state = ${input.decision === 'approve' ? 'checked' : 'refused'}, checked_by = ${official.userId},
      checked_at = ${tx.now}
    where id = ${row.id}`;
}

/**
 * The payer pays the sum of a checked list, once. From then on the sacco holds it for the members, and a job shares it out.
 * @throws Refusal `not_found`, `loan_conflict`, `insufficient_funds`, `proof_required`, `payout_held`
 */
export async function payForCheckOff(
  tx: Tx,
  payer: { readonly userId: string; readonly sessionId: string },
  input: { readonly id: string },
): Promise<void> {
  const row = await lockCheckOff(tx, input.id);
  if (row.payer_id !== payer.userId) throw noSuchList();
  if (row.state !== 'checked') throw new Refusal('loan_conflict');
  const { id, sacco_id: book, amount_cents: amount } = row;
  await postOrRefuse(tx, {
    kind: 'check_off_received',
    idempotencyKey: `check_off_received:${id}`,
    causedBy: payer.userId,
    about: { type: 'check_off', id },
    transfers: [
      { debit: walletOf(payer.userId), credit: settlementOf(book), amount },
      { debit: { book, kind: 'cash', owner: null }, credit: checkOffAccount(book, id), amount },
    ],
  });
  await tx.sql`
    insert into check_off_chunks (check_off_id, first_line, last_line, state)
    select ${id}, first, least(first + ${LINES_OF_CHUNK} - 1, ${row.lines}), 'waiting'
    from generate_series(1, ${row.lines}, ${LINES_OF_CHUNK}) first`;
  await tx.sql`update check_offs set state = 'running', received_at = ${tx.now} where id = ${id}`;
  await valueMoved(tx, { userId: payer.userId, sessionId: payer.sessionId, cents: amount });
}
