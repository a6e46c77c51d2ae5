import { groupsInUse, type TransactionKind, transactionGroups, wordsOfJournal } from '@ushirika/contract/journals';
import { say } from '../words/say.ts';

/** What the history can be narrowed to, in words. */
export function historyKinds(): readonly (readonly [TransactionKind, string])[] {
  return groupsInUse.map((group) => [group, say(transactionGroups[group][0])]);
}

/** A movement of the wallet by its event (docs/postings.md), in words; `amount` is below zero for money out. */
export function eventWords(kind: string, amount: number): string {
  return say(wordsOfJournal(kind, amount)[0]);
}

/** What the server says of a movement, in the person's language; a phone and the sacco after the dot stay as they are. */
export function describedWords(description: string): string {
  const [what = '', ...names] = description.split(' · ');
  const [, event = what, direction, phone] = /^(.+) (from|to) ([\d*]+)$/.exec(what) ?? [];
  if (!direction) return [say(what), ...names].join(' · ');
  const values = { event: say(event), phone: phone ?? '' };
  return direction === 'from' ? say('{event} from {phone}', values) : say('{event} to {phone}', values);
}
