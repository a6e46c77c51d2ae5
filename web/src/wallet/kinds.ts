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
