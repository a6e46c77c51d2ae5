import { randomUUID } from 'node:crypto';
import type { Lending } from './loans.ts';
import { asOwner } from './past.ts';
import { api, newPerson, register, type SignedInPerson } from './people.ts';

/** Somebody else of the board, who checks what the treasurer lists. */
export async function viceChair({ sacco, treasurer }: Lending): Promise<SignedInPerson> {
  const person = await register(newPerson('Rehema', 'Yusuf'));
  await asOwner(async (owner) => {
    await owner`
      insert into offices (id, sacco_id, user_id, office, since, until, recorded_by)
      values (${randomUUID()}, ${sacco.id}, ${person.id}, 'vice_chair', now(), now() + interval '3 years', ${treasurer.id})`;
  });
  return person;
}

/** A list that the treasurer has made, without the page; its id. */
export async function listed(
  { sacco, treasurer }: Lending,
  payer: SignedInPerson,
  lines: readonly (readonly [SignedInPerson, number])[],
): Promise<string> {
  const body = new FormData();
  body.set('employer', 'County of Nakuru');
  body.set('payer_phone', payer.phone_number);
  body.set('list_text', lines.map(([{ phone_number }, amount]) => `${phone_number},${amount}`).join('\n'));
  const { token } = treasurer;
  const made = await api<{ check_off: { id: string } }>('POST', '/sacco/check-offs', { token, sacco: sacco.id, body });
  return made.check_off.id;
}

/** The list is right, says another official. */
export async function checked({ sacco }: Lending, { token }: SignedInPerson, id: string): Promise<void> {
  const body = { decision: 'approve' };
  await api('POST', `/sacco/check-offs/${id}/decision`, { token, sacco: sacco.id, body });
}
