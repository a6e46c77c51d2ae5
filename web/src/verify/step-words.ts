import type { StepName } from '@ushirika/verifier/receipt';
import { say } from '../words/say.ts';
import type { CheckedStep, Verdict, Why } from './check-saved.ts';
import { demonstrationWords } from './demonstration-chain.ts';
import { hostOf } from './known-keys.ts';
import type { Absence } from './log-source.ts';

export const stepWords: Readonly<Record<StepName, () => string>> = {
  opened: () => say('The facts are those that were logged'),
  in_log: () => say('The entry is in the log'),
  signed: () => say('The log’s key signed it'),
  same_history: () => say('The history was not changed since'),
  on_chain: () => say('The chain says the same'),
};

export const stateWords: Readonly<Record<CheckedStep['state'], () => string>> = {
  passed: () => say('Passed'),
  failed: () => say('Failed'),
  open: () => say('Could not be checked'),
};

const failures: Readonly<Record<StepName, () => string>> = {
  opened: () => say('What this receipt says is not what was logged.'),
  in_log: () => say('This entry is not in the log that the receipt describes.'),
  signed: () => say('No known key of this log signed it.'),
  same_history: () => say('The log of today does not continue the log of this receipt.'),
  on_chain: () => say('The chain says something else than this receipt.'),
};

const reasons: Readonly<Record<Why, () => string>> = {
  step_before: () => say('A step before it failed.'),
  no_server: () => say('Our server was not reached, and the receipt does not bring it along.'),
  no_key: () => say('This browser has not seen a key of this log yet.'),
  key_changed: () =>
    say('A key signed it that this browser did not see before. Ask your sacco whether the key has changed.'),
  not_here: () => say('This website does not have this log.'),
  not_carried: () => say('This copy does not carry the writing on the chain: check again online, or use the file.'),
  not_written: () => say('The log was not written to the chain since then. Check again later.'),
  no_chain: () => say('This log is written to no chain.'),
  other_document: () => say('This page does not ask the chain. Press Check with the chain.'),
  no_endpoint: () => say('No server of the chain is named.'),
  chain_silent: () => say('The chain’s server gave no answer.'),
  other_chain: () => say('This server is of another chain.'),
  moved: () => say('The log is written to another contract by now. That one holds the history of this receipt.'),
  demonstration: demonstrationWords,
  no_anchor_there: () => say('The chain has nothing of this log at this size.'),
};

/** The reason why a step did not pass, or why it proves little though it passed; null where there is nothing to say. */
export function reasonOf({ name, state, why }: CheckedStep): string | null {
  if (why) return reasons[why]();
  return state === 'failed' ? failures[name]() : null;
}

export const verdictWords: Readonly<Record<Verdict, () => string>> = {
  right: () => say('This receipt is right'),
  so_far: () => say('This receipt is right, as far as it could be checked'),
  open: () => say('This receipt could not be checked yet'),
  elsewhere: () => say('This receipt cannot be checked here'),
  wrong: () => say('Do not trust this receipt'),
};

/** The reason why our server does not have the log of a receipt. */
export function absenceWords(absence: Absence, origin: string): string {
  return absence === 'other_host'
    ? say('This receipt is of {host}, not of this website.', { host: hostOf(origin) })
    : say('There is no such log here.');
}

/** The limits of a right receipt. */
export const limitsWords = (): string =>
  say('It says what was booked then. Money may have been sent back since, and it does not say who shows it.');
