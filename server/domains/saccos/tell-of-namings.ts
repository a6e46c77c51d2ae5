import type { Office } from '@ushirika/contract/route';
import { sentence } from '@ushirika/contract/sentence';
import type { Tx } from '../../db/tx.ts';
import { officialsAndSuspended, tellPeople } from './change-officials.ts';
import { officeSaid } from './offices.ts';

interface Named {
  readonly id: string;
  readonly name: string;
}

/** The officials of an active sacco hear at once whom an operator names: until the office is taken up any of them may refuse it. */
export async function tellOfNamings(
  tx: Tx,
  { userId }: { readonly userId: string | null },
  { sacco, offices }: { readonly sacco: Named; readonly offices: readonly Office[] },
): Promise<void> {
  const officials = await officialsAndSuspended(tx, { sacco, but: userId });
  for (const office of offices) {
    const text = sentence(
      '{name}: an operator of Ushirika names somebody as {office}. Look at it under Members: you may refuse it until it is taken up.',
      { name: sacco.name, office: officeSaid(office) },
    );
    await tellPeople(tx, userId, officials, { template: 'office_named', text });
  }
}

/** The same once a sacco becomes active, of those whom operators named before: until then they stood in nobody's list. */
export async function tellOfEarlierNamings(
  tx: Tx,
  actor: { readonly userId: string | null },
  sacco: Named,
): Promise<void> {
  const named = await tx.sql<{ office: Office }[]>`
    select office from office_invitations
    where sacco_id = ${sacco.id} and named_as = 'operator' and state = 'asked' and accepted_at is null and expires_at > ${tx.now}
    order by created_at, id`;
  const offices = named.map(({ office }) => office);
  if (offices.length > 0) await tellOfNamings(tx, actor, { sacco, offices });
}
