import { Refusal } from '@ushirika/contract/refusal';
import { sentence } from '@ushirika/contract/sentence';
import { isGuarded } from '#faults';
import type { Tx } from '../../db/tx.ts';

export interface NewPerson {
  readonly idNumber: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly phone: string;
  readonly email: string;
  readonly passwordHash: string;
}

/** The sentence for each thing that only one account may have. */
export const DUPLICATES = {
  id_number: sentence('An account with this ID number already exists.'),
  phone_number: sentence('An account with this phone number already exists.'),
  email: sentence('An account with this email already exists.'),
} as const;

/**
 * A phone is another account's once that one has confirmed it; what somebody has only written down blocks nobody.
 * @throws Refusal `validation_failed` whose `errors` name everything that another account has already.
 */
export async function createPerson(tx: Tx, person: NewPerson): Promise<string> {
  const id = tx.newId();
  if (await isPhoneTaken(tx, person.phone)) throw await duplicateRefusal(tx, person);
  const created = await tx.sql`
    insert into users (id, id_number, first_name, last_name, phone, recovery_phone, email, password_hash,
                       password_changed_at, created_at, updated_at)
    values (${id}, ${person.idNumber}, ${person.firstName}, ${person.lastName}, ${person.phone}, ${person.phone},
            ${person.email}, ${person.passwordHash}, ${tx.now}, ${tx.now}, ${tx.now})
    on conflict do nothing`;
  if (created.count === 0) throw await duplicateRefusal(tx, person);
  return id;
}

async function isPhoneTaken(tx: Tx, phone: string): Promise<boolean> {
  const isAnybodys = !isGuarded('unconfirmed_phones_are_free');
  const [row] = await tx.sql<{ is_taken: boolean }[]>`
    select phone_is_anothers(${phone}, null)
      or (${isAnybodys} and exists (select from users where phone = ${phone})) as is_taken`;
  return row?.is_taken ?? false;
}

async function duplicateRefusal(tx: Tx, person: NewPerson): Promise<Refusal> {
  const taken = await tx.sql<Record<keyof typeof DUPLICATES, boolean>[]>`
    select id_number = ${person.idNumber} as id_number, false as phone_number, email = ${person.email} as email
    from users where id_number = ${person.idNumber} or email = ${person.email}
    union all
    select false, ${await isPhoneTaken(tx, person.phone)}, false`;
  const fields = (['id_number', 'phone_number', 'email'] as const).filter((field) => taken.some((row) => row[field]));
  return refuseDuplicates(fields);
}

export function refuseDuplicates(fields: readonly (keyof typeof DUPLICATES)[]): Refusal {
  const errors = Object.fromEntries(fields.map((field) => [field, [DUPLICATES[field]]]));
  const first = fields[0];
  return new Refusal('validation_failed', { errors, ...(first ? { message: DUPLICATES[first] } : {}) });
}
