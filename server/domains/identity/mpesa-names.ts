import type { Tx } from '../../db/tx.ts';
import { payerNameState } from './payer-name.rules.ts';

/** How the name of a payer compares with the account that has confirmed the phone; the name itself is not kept. */
export interface ComparedName {
  readonly userId: string;
  readonly state: 'agrees' | 'differs';
  readonly comparedAt: string;
}

/** Compares the name that M-Pesa gives for a phone; null where nobody has confirmed the phone, or the name says too little. */
export async function comparePayerName(
  tx: Tx,
  payer: { readonly phone: string | null; readonly name: string | null },
): Promise<ComparedName | null> {
  if (payer.phone === null || payer.name === null) return null;
  const [person] = await tx.sql<{ id: string; first_name: string; last_name: string }[]>`
    select id, first_name, last_name from users where phone = ${payer.phone} and phone_confirmed_at is not null`;
  if (!person) return null;
  const state = payerNameState({ firstName: person.first_name, lastName: person.last_name }, payer.name);
  return state && { userId: person.id, state, comparedAt: tx.now.toISOString() };
}

/**
 * Keeps what a payment says of a person's name; the latest payment counts. Nothing is kept where the phone or the name
 * may be another by now: the next payment tells.
 */
export async function keepMpesaName(
  tx: Tx,
  { userId, state, comparedAt }: ComparedName,
  payment: { readonly phone: string; readonly paidAt: Date },
): Promise<void> {
  await tx.sql`
    insert into mpesa_names as n (user_id, phone, state, at)
    select u.id, u.phone, ${state}, ${payment.paidAt} from users u
    where u.id = ${userId} and u.phone = ${payment.phone} and u.phone_confirmed_at is not null
      and u.updated_at <= ${comparedAt}::timestamptz
    for share of u
    on conflict (user_id) do update set phone = excluded.phone, state = excluded.state, at = excluded.at
      where n.at <= excluded.at or n.phone <> excluded.phone`;
}
