import { Refusal } from '@ushirika/contract/refusal';
import { OFFICES, type Office } from '@ushirika/contract/route';
import { sentence } from '@ushirika/contract/sentence';
import { isGuarded } from '#faults';
import type { Tx } from '../../db/tx.ts';
import { enqueue } from '../../jobs.ts';
import { refuseSecondAccount } from '../identity/second-account.ts';
import { tellPeople } from './change-officials.ts';
import { lockSacco } from './lock-sacco.ts';
import { officeSaid } from './offices.ts';
import { refuseWithoutOffice } from './propose-change.ts';
import { INVITATION_MS, refuseHeldOffice } from './record-official.ts';

interface Deciding {
  readonly namingId: string;
  readonly saccoId: string;
}

interface NamingRow {
  readonly id: string;
  readonly office: Office;
  readonly id_number: string;
  readonly invited_by: string;
  readonly state: 'waiting' | 'asked' | 'refused' | 'withdrawn';
  readonly accepted_at: Date | null;
  readonly expires_at: Date;
  readonly sacco_state: string;
  readonly sacco: string;
}

/**
 * A second official says yes to whom the chair invites: from then on a job looks for the person, and sends them a code.
 * @throws Refusal `not_found`, `sacco_inactive`, `second_official_required` for one's own invitation, `not_allowed` for
 *   whoever is invited and for another account of who invited them, `change_conflict` where it is decided or has lapsed, `office_conflict`
 */
export async function confirmNaming(tx: Tx, actor: { readonly userId: string }, input: Deciding): Promise<void> {
  const naming = await lockNaming(tx, actor, input);
  if (naming.sacco_state !== 'active') throw new Refusal('sacco_inactive');
  if (naming.invited_by === actor.userId && isGuarded('saccos.office_by_two')) {
    throw new Refusal('second_official_required', {
      message: sentence('You have invited them: another official confirms it.'),
    });
  }
  const [self] = await tx.sql`select from users where id = ${actor.userId} and id_number = ${naming.id_number}`;
  if (self) {
    throw new Refusal('not_allowed', { message: sentence('It is you who is invited: another official confirms it.') });
  }
  await refuseSecondAccount(tx, actor.userId, [naming.invited_by], SECOND_ACCOUNT);
  refuseDecided(tx, naming, ['waiting']);
  await refuseHeldOffice(tx, input.saccoId, naming.office);
  await tx.sql`
    update office_invitations set state = 'asked', confirmed_by = ${actor.userId}, confirmed_at = ${tx.now},
      expires_at = ${new Date(tx.now.getTime() + INVITATION_MS)}
    where id = ${naming.id}`;
  await enqueue(tx, 'send_office_invitation', { id: naming.id });
  const values = { name: naming.sacco, office: officeSaid(naming.office) };
  await tellPeople(
    tx,
    [naming.invited_by],
    'office_naming_confirmed',
    sentence('{name}: your invitation to be {office} was confirmed.', values),
  );
}

const SECOND_ACCOUNT = sentence(
  'Your account and that of the official who invited them look like one person’s. Another official must confirm it.',
);

/** Another official says no, also to whom an operator names, or the chair takes it back: until the office is taken up. */
export async function endNaming(
  tx: Tx,
  actor: { readonly userId: string },
  input: Deciding & { readonly end: 'refused' | 'withdrawn' },
): Promise<void> {
  const naming = await lockNaming(tx, actor, input);
  const isOwn = naming.invited_by === actor.userId;
  if (input.end === 'withdrawn' && !isOwn) throw new Refusal('not_found');
  refuseDecided(tx, naming, ['waiting', 'asked']);
  await tx.sql`
    update office_invitations set state = ${isOwn ? 'withdrawn' : 'refused'}, ended_by = ${actor.userId},
      ended_at = ${tx.now}
    where id = ${naming.id}`;
  if (isOwn) return;
  const values = { name: naming.sacco, office: officeSaid(naming.office) };
  await tellPeople(
    tx,
    [naming.invited_by],
    'office_naming_refused',
    sentence('{name}: an official has said no to your invitation to be {office}.', values),
  );
}

/** The platform writes, so PostgreSQL does not ask whose office it is at that moment: we do. Its sacco's lock comes first. */
async function lockNaming(tx: Tx, { userId }: { readonly userId: string }, input: Deciding): Promise<NamingRow> {
  const { saccoId, namingId } = input;
  await lockSacco(tx, saccoId);
  await refuseWithoutOffice(tx, { saccoId, userId }, { offices: OFFICES });
  // Whom founders name is not decided here. Whom an operator names needs no yes of an official; of a suspended sacco none refuses it.
  const [naming] = await tx.sql<NamingRow[]>`
    select i.id, i.office, i.id_number, i.invited_by, i.state, i.accepted_at, i.expires_at, s.state as sacco_state,
      s.name as sacco
    from office_invitations i join saccos s on s.id = i.sacco_id
    where i.id = ${namingId} and i.sacco_id = ${saccoId}
      and (i.named_as = 'chair' or i.named_as = 'operator' and s.state = 'active')
    for update of i`;
  if (!naming) throw new Refusal('not_found');
  return naming;
}

function refuseDecided(tx: Tx, naming: NamingRow, states: readonly NamingRow['state'][]): void {
  const isOpen = states.includes(naming.state) && naming.accepted_at === null && naming.expires_at > tx.now;
  if (!isOpen) throw new Refusal('change_conflict', { message: sentence('That is decided already.') });
}
