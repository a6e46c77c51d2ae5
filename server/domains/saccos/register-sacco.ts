import type { Cents } from '@ushirika/contract/money';
import { tidyName } from '@ushirika/contract/names';
import { Refusal } from '@ushirika/contract/refusal';
import type { SaccoType } from '@ushirika/contract/saccos';
import { type Sentence, sentence } from '@ushirika/contract/sentence';
import type { Tx } from '../../db/tx.ts';
import { keptSkeleton, refuseReservedName } from '../identity/reserved-names.ts';
import { notify } from '../notifications/notify.ts';
import { openOffice } from './offices.ts';
import { addToCounts } from './platform-counts.ts';
import type { Picture } from './redraw-picture.ts';

export interface SaccoParticulars {
  readonly name: string;
  readonly description: string;
  readonly regNo: string;
  readonly regFeeCents: Cents;
  readonly minShares: number;
  readonly shareValueCents: Cents;
  readonly type: SaccoType;
}

/** Applications of one founder that may wait at once: each costs an operator's time. */
const WAITING_MAX = 5;

/**
 * Registers a sacco as pending: the wire says inactive. Its founder becomes the chair, and joins like everybody else
 * once it is active. The logo, if any, has been drawn anew before the transaction (redraw-picture.ts).
 */
export async function registerSacco(
  tx: Tx,
  actor: { readonly userId: string },
  input: SaccoParticulars & { readonly logo: Picture | null },
): Promise<{ readonly id: string }> {
  const name = tidyName(input.name);
  refuseReservedName(name);
  await refuseTooManyWaiting(tx, actor.userId);
  const id = tx.newId();
  const inserted = await tx.sql`
    insert into saccos (id, name, name_skeleton, description, reg_no, type, reg_fee_cents, min_shares, share_value_cents, state,
                        state_at, state_by, logo_version, created_by, created_at)
    values (${id}, ${name}, ${keptSkeleton(name)}, ${input.description}, ${input.regNo}, ${input.type}, ${input.regFeeCents},
            ${input.minShares}, ${input.shareValueCents}, 'pending', ${tx.now}, ${actor.userId},
            ${input.logo?.version ?? null}, ${actor.userId}, ${tx.now})
    on conflict do nothing`;
  if (inserted.count === 0) throw await nameTaken(tx, name, null);
  await tx.sql`insert into sacco_figures (sacco_id) values (${id})`;
  if (input.logo) {
    await tx.sql`insert into sacco_logos (sacco_id, webp, created_at) values (${id}, ${input.logo.webp}, ${tx.now})`;
  }
  await tx.sql`
    insert into sacco_state_changes (id, sacco_id, from_state, to_state, changed_by, changed_at)
    values (${tx.newId()}, ${id}, null, 'pending', ${actor.userId}, ${tx.now})`;
  await openOffice(tx, actor, { saccoId: id, userId: actor.userId, office: 'chair' });
  await notify(tx, {
    userId: actor.userId,
    topic: 'saccos',
    template: 'sacco_registered',
    causedBy: actor.userId,
    text: sentence('{name} is registered and waits for its activation.', { name }),
  });
  await addToCounts(tx, { 'saccos:pending': 1 }, id);
  return { id };
}

/** The founder's own row is locked first: applications that come at once are counted one after the other. */
export async function refuseTooManyWaiting(tx: Tx, userId: string): Promise<void> {
  await tx.sql`select from users where id = ${userId} for no key update`;
  const [row] = await tx.sql<{ waiting: number }[]>`
    select count(*)::int as waiting from saccos where created_by = ${userId} and state = 'pending'`;
  if ((row?.waiting ?? 0) < WAITING_MAX) return;
  throw new Refusal('sacco_state_conflict', {
    message: sentence('{n} of your saccos wait for their activation. Submit another when one of them is decided.', {
      n: WAITING_MAX,
    }),
  });
}

/** Says which of the two is taken, on its field. */
export async function nameTaken(tx: Tx, name: string, exceptId: string | null): Promise<Refusal> {
  const [row] = await tx.sql<{ is_same: boolean; is_alike: boolean }[]>`
    select coalesce(bool_or(name_folded = lower(${name})), false) as is_same, count(*) > 0 as is_alike
    from saccos where (name_folded = lower(${name}) or name_skeleton = ${keptSkeleton(name)})
      and state <> 'rejected' and id is distinct from ${exceptId}`;
  const errors: Record<string, Sentence[]> = row?.is_same
    ? { name: [sentence('A sacco with that name is already registered.')] }
    : row?.is_alike
      ? { name: [sentence('A sacco with a name that looks the same is already registered.')] }
      : { reg_no: [sentence('A sacco with that registration number is already registered.')] };
  return new Refusal('sacco_name_taken', { errors });
}
