import { Refusal } from '@ushirika/contract/refusal';
import type { SaccoState } from '@ushirika/contract/saccos';
import { type Sentence, sentence, stateSaid } from '@ushirika/contract/sentence';
import type { Tx } from '../../db/tx.ts';
import { notify } from '../notifications/notify.ts';
import { saccoValue } from '../notifications/sms-values.ts';
import type { LockedSacco } from './lock-sacco.ts';
import { addToCounts } from './platform-counts.ts';
import { STATES_BEFORE } from './saccos.rules.ts';
import { saccosSms } from './saccos.sms.ts';
import { tellOfEarlierNamings } from './tell-of-namings.ts';

/**
 * Moves a sacco, whose lock is held, to another state: who, when and why are kept, the founder is told, of an active one its
 * officials hear whom operators named, and the counts follow. Refuses a step that the states do not have.
 */
export async function changeState(
  tx: Tx,
  actor: { readonly userId: string },
  input: { readonly sacco: LockedSacco; readonly to: SaccoState; readonly reason: string | null },
): Promise<void> {
  const { sacco, to, reason } = input;
  if (!(STATES_BEFORE[to] as readonly SaccoState[]).includes(sacco.state)) {
    throw new Refusal('sacco_state_conflict', {
      message: sentence('The sacco is {state}: it cannot become {to}.', {
        state: stateSaid(sacco.state),
        to: stateSaid(to),
      }),
    });
  }
  await tx.sql`
    update saccos
    set state = ${to}, state_at = ${tx.now}, state_by = ${actor.userId}, state_reason = ${reason},
        confirmed_by = null, confirmed_at = null
    where id = ${sacco.id}`;
  await tx.sql`
    insert into sacco_state_changes (id, sacco_id, from_state, to_state, changed_by, reason, changed_at)
    values (${tx.newId()}, ${sacco.id}, ${sacco.state}, ${to}, ${actor.userId}, ${reason}, ${tx.now})`;
  if (actor.userId !== sacco.created_by) await tellFounder(tx, sacco, to, reason);
  if (to === 'active') await tellOfEarlierNamings(tx, actor, sacco);
  const members = to === 'active' ? sacco.members : sacco.state === 'active' ? -sacco.members : 0;
  await addToCounts(tx, { [`saccos:${sacco.state}`]: -1, [`saccos:${to}`]: 1, members }, sacco.id);
}

async function tellFounder(tx: Tx, sacco: LockedSacco, to: SaccoState, reason: string | null): Promise<void> {
  const { name } = sacco;
  const why = reason ?? '';
  const texts: Record<SaccoState, Sentence> = {
    active: sentence('{name} is active: people can join it and buy its shares.', { name }),
    rejected: sentence('{name} was not accepted: {reason} Mend it and submit it again.', { name, reason: why }),
    suspended: sentence('{name} is suspended: {reason} Nobody can join it or buy its shares meanwhile.', {
      name,
      reason: why,
    }),
    pending: sentence('{name} waits for its activation again.', { name }),
  };
  await notify(tx, {
    userId: sacco.created_by,
    topic: 'saccos',
    template: `sacco_${to}`,
    text: texts[to],
    // Neither a name that is not accepted nor an operator's own words.
    sms: saccosSms.saccoState(to, saccoValue({ name: sacco.name, state: to })),
  });
}
