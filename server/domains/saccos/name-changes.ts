import type { ChangedValues } from '@ushirika/contract/change-kinds';
import { Refusal } from '@ushirika/contract/refusal';
import { OFFICES } from '@ushirika/contract/route';
import { sentence } from '@ushirika/contract/sentence';
import { isGuarded } from '#faults';
import type { Tx } from '../../db/tx.ts';
import type { PersonsName, Renaming } from '../identity/identity.types.ts';
import { nameSkeleton } from '../identity/name-skeleton.rules.ts';
import { refuseOperatorsName } from '../identity/operators.ts';
import { refuseReservedPerson } from '../identity/reserved-names.ts';
import { setName } from '../identity/set-name.ts';
import type { ChangeExecutor } from './changes.types.ts';
import { refuseOfficialsName } from './offices.ts';

/** How an official's new name comes into force: by another official of one of their saccos, and then at once. */
export const officialNameChange = ({ renaming }: { readonly renaming: Renaming }): ChangeExecutor => ({
  offices: OFFICES,
  isDelayed: false,
  words: sentence('name'),
  current: (tx, { proposedBy }) => nameNow(tx, proposedBy),
  refusalOf: (tx, { proposedBy }, payload) => refusalIn(() => refuseName(tx, nameKept(proposedBy, payload))),
  announce: async () => {},
  recall: async () => {},
  apply: async (tx, { proposedBy }, payload) => {
    const endUnderName = await renaming(tx, proposedBy);
    await setName(tx, nameKept(proposedBy, payload));
    await endUnderName();
  },
});

const nameKept = (userId: string, { first_name, last_name }: ChangedValues): PersonsName => ({
  userId,
  firstName: String(first_name),
  lastName: String(last_name),
});

async function nameNow(tx: Tx, userId: string): Promise<{ first_name: string; last_name: string }> {
  const [row] = await tx.sql<{ first_name: string; last_name: string }[]>`
    select first_name, last_name from users where id = ${userId}`;
  return { first_name: row?.first_name ?? '', last_name: row?.last_name ?? '' };
}

/** Asked when it is proposed and once more when it is confirmed: others may have taken the name or an office meanwhile. */
async function refuseName(tx: Tx, name: PersonsName): Promise<void> {
  refuseReservedPerson(name);
  await refuseOperatorsName(tx, name);
  await refuseOfficialsName(tx, name);
  await refuseFellowsName(tx, name);
}

/** Members share names as people do; but of two officials of one sacco nobody takes the other's. */
async function refuseFellowsName(tx: Tx, { userId, firstName, lastName }: PersonsName): Promise<void> {
  const fellows = await tx.sql<{ name: string }[]>`
    select distinct u.first_name || ' ' || u.last_name as name
    from offices own join offices o on o.sacco_id = own.sacco_id join users u on u.id = o.user_id
    where own.user_id = ${userId} and own.ended_at is null and own.until > ${tx.now}
      and o.user_id <> ${userId} and o.ended_at is null and o.until > ${tx.now}`;
  const skeleton = nameSkeleton(`${firstName} ${lastName}`);
  if (!fellows.some(({ name }) => nameSkeleton(name) === skeleton) || !isGuarded('official_names')) return;
  const message = sentence(
    'Another official of your sacco has that name, and members must be able to tell you apart. Add a further name of yours.',
  );
  throw new Refusal('validation_failed', { message, errors: { first_name: [message] } });
}

async function refusalIn(check: () => Promise<void>): Promise<Refusal | null> {
  try {
    await check();
    return null;
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
}
