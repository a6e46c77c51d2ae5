import { isDeepStrictEqual } from 'node:util';
import type { ChangedValues, ChangeKind } from '@ushirika/contract/change-kinds';
import { Refusal } from '@ushirika/contract/refusal';
import { CHANGES_PER_DAY } from '@ushirika/contract/sacco-changes';
import { sentence } from '@ushirika/contract/sentence';
import type { Tx } from '../../db/tx.ts';
import { texts } from '../../ledger/sql-arrays.ts';
import { nameOf, otherOfficials, tellPeople } from './change-officials.ts';
import type { About, ChangeExecutor } from './changes.types.ts';
import { lockSacco } from './lock-sacco.ts';

const DAY_MS = 86_400_000;

/**
 * A first official proposes a change; nothing changes before a second one confirms it. At most one waits for each kind,
 * and of waivers one for each loan.
 * @throws Refusal `not_allowed` where they hold none of the offices by now, what the executor says,
 *   `change_conflict` where it holds already or another one waits, `changes_limit_reached`, `second_official_required`
 */
export async function proposeChange(
  tx: Tx,
  about: About,
  { kind, payload }: { readonly kind: ChangeKind; readonly payload: ChangedValues },
  executor: ChangeExecutor,
): Promise<string> {
  if (about.saccoId !== null) {
    await lockSacco(tx, about.saccoId);
    await refuseWithoutOffice(tx, { saccoId: about.saccoId, userId: about.proposedBy }, executor);
  }
  const expected = await executor.current(tx, about, payload);
  const refusal =
    (await executor.refusalTo?.(tx, about.proposedBy, payload)) ?? (await executor.refusalOf(tx, about, payload));
  if (refusal) throw refusal;
  if (isDeepStrictEqual(expected, payload))
    throw new Refusal('change_conflict', { message: sentence('That holds already.') });
  await refuseAnother(tx, about, { kind, payload });
  const others = await otherOfficials(tx, about, executor.offices);
  if (others.length === 0) throw new Refusal('second_official_required', { message: nobodyElse(executor) });
  const id = tx.newId();
  const isClosing = ((await executor.closes?.(tx, about, payload)) ?? null) !== null;
  await tx.sql`
    insert into sacco_changes (id, kind, sacco_id, proposed_by, proposed_at, payload, expected, state, closes_at_once)
    values (${id}, ${kind}, ${about.saccoId}, ${about.proposedBy}, ${tx.now}, ${JSON.stringify(payload)}::text::jsonb,
            ${JSON.stringify(expected)}::text::jsonb, 'proposed', ${isClosing})`;
  const name = await nameOf(tx, about);
  await tellPeople(tx, about.proposedBy, others, {
    template: 'change_proposed',
    text: sentence(
      '{name}: another official asks you to confirm a change of {change}. Look at it and say yes or no within 7 days.',
      { name, change: executor.words },
    ),
  });
  return id;
}

/** Which offices count, and how somebody comes to one. */
const nobodyElse = ({ offices }: Pick<ChangeExecutor, 'offices'>) =>
  offices.includes('secretary')
    ? sentence(
        'Another chair, secretary or treasurer has to confirm this, and your sacco has none besides you who may act now. Let your members elect one and keep the minutes of that meeting: on their strength an operator of Ushirika names that person, who takes the office up with a code sent by SMS.',
      )
    : sentence(
        'Another chair or treasurer has to confirm this, and your sacco has none besides you who may act now. Let your members elect one and keep the minutes of that meeting: on their strength an operator of Ushirika names that person, who takes the office up with a code sent by SMS.',
      );

/** The platform writes, so PostgreSQL does not ask whose office it is at that moment: we do. */
export async function refuseWithoutOffice(
  tx: Tx,
  { saccoId, userId }: { readonly saccoId: string; readonly userId: string },
  { offices }: Pick<ChangeExecutor, 'offices'>,
): Promise<void> {
  const [held] = await tx.sql`
    select from offices
    where sacco_id = ${saccoId} and user_id = ${userId} and ended_at is null and until > ${tx.now}
      and office = any (${texts(offices)}::text[])`;
  if (!held) throw new Refusal('not_allowed');
}

/**
 * Refuses a change while another one of its kind waits, of a waiver for the same loan. At most five of a kind by one official wait or were
 * proposed in a day: more would hide other changes in the list.
 * @throws Refusal `change_conflict`, `changes_limit_reached`
 */
async function refuseAnother(
  tx: Tx,
  { saccoId, proposedBy }: About,
  { kind, payload }: { readonly kind: ChangeKind; readonly payload: ChangedValues },
): Promise<void> {
  const since = new Date(tx.now.getTime() - DAY_MS);
  const [found] = await tx.sql<{ lately: number; is_open: boolean }[]>`
    select count(*) filter (where proposed_by = ${proposedBy})::int as lately,
      coalesce(bool_or(state in ('proposed', 'confirmed') and payload ->> 'loan' is not distinct from ${payload.loan ?? null}::text), false) as is_open
    from sacco_changes
    where kind = ${kind} and case when ${saccoId}::uuid is null then proposed_by = ${proposedBy} else sacco_id = ${saccoId}::uuid end
      and (proposed_at > ${since} or state in ('proposed', 'confirmed'))`;
  if (found?.is_open)
    throw new Refusal('change_conflict', {
      message: sentence('Another change is already waiting. Decide on that first.'),
      // The form shows the way to it.
      extra: { waits: true },
    });
  if ((found?.lately ?? 0) >= CHANGES_PER_DAY) throw new Refusal('changes_limit_reached');
}
