import { foldId, IDENTITY_CHECKS_PER_DAY, type IdentityDocument } from '@ushirika/contract/identity';
import { Refusal, sentenceOf } from '@ushirika/contract/refusal';
import type { Office } from '@ushirika/contract/route';
import { sentence } from '@ushirika/contract/sentence';
import { isGuarded } from '#faults';
import type { Tx } from '../../db/tx.ts';

const DAY_MS = 86_400_000;
/** The first half of the advisory locks under which the records of one official or operator are counted. */
const countingChecks = 7253;

export interface SeenCard {
  readonly userId: string;
  readonly document: IdentityDocument;
  /** The number on the card, folded to upper case. */
  readonly number: string;
  /** Where and as what an official saw it; null for an operator. */
  readonly as: { readonly saccoId: string; readonly office: Office } | null;
}

/**
 * Somebody records that they saw the ID card of another person, whose account has the number on it and, as they read it,
 * the name. Whether an official may see cards, membership has asked. Runs as the platform.
 * @throws Refusal `not_allowed` for nobody of the operators, `own_card`, `not_found`, `identity_checks_limit_reached`, `card_not_of_account`,
 *   `identity_check_conflict` where the sacco, or an operator, has recorded it already
 */
export async function recordIdentityCheck(
  tx: Tx,
  actor: { readonly userId: string },
  input: SeenCard,
): Promise<{ readonly id: string; readonly personName: string }> {
  if (input.as === null) await refuseNonOperator(tx, actor.userId);
  if (input.userId === actor.userId && isGuarded('identity.others_only')) {
    throw new Refusal('own_card', {
      message: sentence('Somebody else records that they saw your own ID card.'),
    });
  }
  // Locked against another name at this moment: the card was compared with this one.
  const [person] = await tx.sql<{ id_number: string; name: string }[]>`
    select id_number, first_name || ' ' || last_name as name from users where id = ${input.userId} for share`;
  if (!person) throw new Refusal('not_found');
  await refuseMany(tx, actor.userId);
  if (
    person.id_number !== input.number &&
    person.id_number !== foldId(input.number) &&
    isGuarded('identity.number_on_card')
  ) {
    throw new Refusal('card_not_of_account', { errors: { number: [sentenceOf('card_not_of_account')] } });
  }
  const id = tx.newId();
  const { saccoId = null, office = null } = input.as ?? {};
  const recorded = await tx.sql`
    insert into identity_checks (id, user_id, seen_by, sacco_id, office, document, seen_at)
    values (${id}, ${input.userId}, ${actor.userId}, ${saccoId}, ${office}, ${input.document}, ${tx.now})
    on conflict do nothing`;
  if (recorded.count === 0) {
    throw new Refusal('identity_check_conflict', {
      message: sentence('Their ID card is recorded already.'),
    });
  }
  return { id, personName: person.name };
}

/**
 * The platform writes, so PostgreSQL does not ask who is an operator at that moment: we do.
 * @throws Refusal `not_allowed`
 */
export async function refuseNonOperator(tx: Tx, userId: string): Promise<void> {
  const [operator] = await tx.sql`select from operators where user_id = ${userId} and revoked_at is null`;
  if (!operator) throw new Refusal('not_allowed');
}

/** Counts under a lock that is held until the transaction ends: requests sent at once take turns. */
async function refuseMany(tx: Tx, seenBy: string): Promise<void> {
  await tx.sql`select pg_advisory_xact_lock(${countingChecks}, hashtext(${seenBy}))`;
  const [row] = await tx.sql<{ count: number }[]>`
    select count(*)::int as count from identity_checks
    where seen_by = ${seenBy} and seen_at > ${new Date(tx.now.getTime() - DAY_MS)}`;
  if ((row?.count ?? 0) >= IDENTITY_CHECKS_PER_DAY && isGuarded('identity.checks_a_day')) {
    throw new Refusal('identity_checks_limit_reached');
  }
}
