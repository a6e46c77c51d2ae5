import { Refusal } from '@ushirika/contract/refusal';
import type { SaccoState } from '@ushirika/contract/saccos';
import { longDate, type Sentence, sentence, stateSaid } from '@ushirika/contract/sentence';
import type { Tx } from '../../db/tx.ts';
import { notifyAll } from '../notifications/notify.ts';
import { saccoValue } from '../notifications/sms-values.ts';
import { officialsAndSuspended } from './change-officials.ts';
import type { LockedSacco } from './lock-sacco.ts';
import { addToCounts } from './platform-counts.ts';
import { STATES_BEFORE } from './saccos.rules.ts';
import { saccosSms } from './saccos.sms.ts';
import { tellOfEarlierNamings } from './tell-of-namings.ts';

interface StateChange {
  readonly sacco: LockedSacco;
  readonly to: SaccoState;
  readonly reason: string | null;
  /** The time at which a suspension by one operator lapses. Null where two agreed on it. */
  readonly lapsesAt?: Date | null;
  /** The points of the checklist that were open at an activation. */
  readonly openPoints?: readonly string[];
}

/**
 * Moves a sacco, whose lock is held, to another state: who (null: the platform), when and why are kept, and the counts follow.
 * The founder is told; of a suspension and its end all officials; and those of an active one hear whom operators named.
 * @throws Refusal `sacco_state_conflict` for a step that the states do not have
 */
export async function changeState(
  tx: Tx,
  actor: { readonly userId: string | null },
  input: StateChange,
): Promise<void> {
  const { sacco, to, reason, openPoints = [] } = input;
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
    insert into sacco_state_changes (id, sacco_id, from_state, to_state, changed_by, reason, changed_at, open_points)
    values (${tx.newId()}, ${sacco.id}, ${sacco.state}, ${to}, ${actor.userId}, ${reason}, ${tx.now},
      ${[...openPoints]})`;
  await tellOfState(tx, actor, input);
  if (to === 'active') await tellOfEarlierNamings(tx, actor, sacco);
  const members = to === 'active' ? sacco.members : sacco.state === 'active' ? -sacco.members : 0;
  await addToCounts(tx, { [`saccos:${sacco.state}`]: -1, [`saccos:${to}`]: 1, members }, sacco.id);
}

async function tellOfState(tx: Tx, actor: { readonly userId: string | null }, change: StateChange): Promise<void> {
  const { sacco, to } = change;
  const isOfSuspension = to === 'suspended' || sacco.state === 'suspended';
  const officials = isOfSuspension ? await officialsAndSuspended(tx, { sacco, but: actor.userId }) : [];
  const people = [...new Set([sacco.created_by, ...officials])].filter((userId) => userId !== actor.userId);
  const notice = {
    causedBy: actor.userId,
    topic: 'saccos',
    template: `sacco_${to}`,
    text: stateText({ ...change, name: sacco.name, from: sacco.state }),
    // Neither a name that is not accepted nor an operator's own words.
    sms: saccosSms.saccoState(
      to === 'active' && sacco.state === 'suspended' ? 'active_again' : to,
      saccoValue({ name: sacco.name, state: to }),
    ),
  } as const;
  await notifyAll(
    tx,
    people.map((userId) => ({ userId, ...notice })),
  );
}

interface StateSaid extends Pick<StateChange, 'to' | 'reason' | 'lapsesAt'> {
  readonly name: string;
  readonly from: SaccoState;
}

/** What people read of a sacco's new state. */
export function stateText({ name, from, to, reason, lapsesAt }: StateSaid): Sentence {
  const texts: Record<SaccoState, Sentence> = {
    active:
      from === 'suspended'
        ? sentence('{name} is active again: its suspension has ended.', { name })
        : sentence('{name} is active: people can join it and buy its shares.', { name }),
    rejected: sentence('{name} was not accepted: {reason} Mend it and submit it again.', {
      name,
      reason: reason ?? '',
    }),
    suspended: lapsesAt
      ? sentence(
          '{name} is suspended. Read why on its page. Joining, buying, selling, saving and new loans have stopped. You can still repay, withdraw and vote. This ends on {day}, unless a second operator upholds it.',
          { name, day: longDate(lapsesAt) },
        )
      : sentence(
          '{name} is suspended. Read why on its page. Joining, buying, selling, saving and new loans have stopped. You can still repay, withdraw and vote. Two operators agreed on it, and it stands until two operators end it.',
          { name },
        ),
    pending: sentence('{name} waits for its activation again.', { name }),
  };
  return texts[to];
}
