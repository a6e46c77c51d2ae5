import { sentence } from '@ushirika/contract/sentence';
import type { Tx } from '../../db/tx.ts';
import { type Notice, notify, notifyAll } from '../notifications/notify.ts';
import { supervisorsOf } from './record-card.ts';

interface WithdrawnCard {
  /** Whose card it was. */
  readonly userId: string;
  /** The sacco that had recorded it; null where an operator had. */
  readonly saccoId: string | null;
  readonly withdrawnBy: string;
  readonly isByOperator: boolean;
}

/**
 * Tells a person that the record of their card counts no more; whoever wrote it, and why, stands in the list. Those who supervise the officials
 * of its sacco are told each time, with the names: whose card counts decides who may vote.
 */
export async function tellOfWithdrawnCard(tx: Tx, card: WithdrawnCard): Promise<void> {
  const { userId, saccoId, withdrawnBy, isByOperator } = card;
  await notify(tx, {
    userId,
    template: 'identity_card_withdrawn',
    causedBy: withdrawnBy,
    text: sentence('The record that your ID card was seen was taken back. Show the card to an official again.'),
  });
  if (saccoId === null) return;
  const [named] = await tx.sql<{ name: string; person: string; sacco: string }[]>`
    select b.first_name || ' ' || b.last_name as name, p.first_name || ' ' || p.last_name as person, s.name as sacco
    from users b, users p, saccos s where b.id = ${withdrawnBy} and p.id = ${userId} and s.id = ${saccoId}`;
  const { name = '', person = '', sacco = '' } = named ?? {};
  const text = isByOperator
    ? sentence(
        '{sacco}: an operator of Ushirika took back the record of the ID card of {person}. Look at it under Members.',
        { sacco, person },
      )
    : sentence('{sacco}: {name} took back the record of the ID card of {person}. Look at it under Members.', {
        sacco,
        name,
        person,
      });
  const people = await supervisorsOf(tx, saccoId, [withdrawnBy, userId]);
  await notifyAll(
    tx,
    people.map(
      (userId): Notice => ({
        userId,
        topic: 'saccos',
        template: 'identity_cards_supervised',
        text,
        causedBy: withdrawnBy,
      }),
    ),
  );
}
