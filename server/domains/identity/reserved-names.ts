import { Refusal } from '@ushirika/contract/refusal';
import { type Sentence, sentence } from '@ushirika/contract/sentence';
import { isGuarded } from '#faults';
import { nameSkeleton, skeletonOfGroup, wordSkeletons } from './name-skeleton.rules.ts';

/** Names of others, under which nobody collects money here. */
const NAMES_OF_OTHERS = [
  'Safaricom',
  'M-Pesa',
  'M-Shwari',
  'Fuliza',
  'Airtel Money',
  'Central Bank',
  'CBK',
  'SASRA',
  'Kenya Revenue Authority',
  'KRA',
].map(nameSkeleton);

const OURS = nameSkeleton('Ushirika');
/** With our name before or behind them these words are taken for us. `Ushirika` alone is Swahili for co-operative. */
const OFFICIAL_WORDS = [
  ...[
    'security',
    'support',
    'admin',
    'administrator',
    'administration',
    'official',
    'helpdesk',
    'help',
    'verification',
  ],
  ...['alert', 'alerts', 'operator', 'operators', 'wallet', 'platform', 'refund', 'refunds'],
  ...['usalama', 'msaada', 'rasmi', 'wasimamizi'],
].map(nameSkeleton);
/** In a person's name these words are taken for an office, here or at a company. */
const OFFICE_WORDS = [
  ...['team', 'customer', 'care', 'support', 'service', 'admin', 'administrator', 'helpdesk', 'operator', 'official'],
  ...['chair', 'chairman', 'chairlady', 'chairperson', 'treasurer', 'secretary', 'mwenyekiti'],
].map(nameSkeleton);
/** A name of others that is as long as this is found inside a word, too. */
const INSIDE_FROM = 5;

/**
 * Whether a name reads as that of a company, an authority or this platform, however its letters look and wherever blanks
 * stand in it.
 */
export function isReservedName(name: string): boolean {
  const words = wordSkeletons(name);
  const runs = words.flatMap((_, from) =>
    words.slice(from).map((__, more) => words.slice(from, from + more + 1).join('')),
  );
  const isOthers = NAMES_OF_OTHERS.some(
    (other) => runs.includes(other) || (other.length >= INSIDE_FROM && words.some((word) => word.includes(other))),
  );
  const isOurs = words.some((word) => word.includes(OURS));
  return isOthers || (isOurs && (words.length === 1 || words.some((word) => OFFICIAL_WORDS.includes(word))));
}

/** The same of a person's name, in which neither our own name nor a word for an office stands. */
export function isReservedForPersons(name: string): boolean {
  const words = wordSkeletons(name);
  return isReservedName(name) || words.some((word) => word.includes(OURS) || OFFICE_WORDS.includes(word));
}

/** What a row keeps of a name, so that no other looks the same. */
export function keptSkeleton(name: string): string | null {
  return isGuarded('names_that_look_alike') ? skeletonOfGroup(name) : null;
}

/** @throws Refusal `validation_failed`, under the field of the name */
export function refuseReservedName(name: string, field = 'name'): void {
  if (isReservedName(name))
    refuse(field, sentence('That name reads like a company’s, an authority’s or our own. Please choose another one.'));
}

/** @throws Refusal `validation_failed`, under the field of the first name */
export function refuseReservedPerson(person: { readonly firstName: string; readonly lastName: string }): void {
  const name = `${person.firstName} ${person.lastName}`;
  if (isReservedForPersons(name))
    refuse('first_name', sentence('That reads like an office, a company or our own name. Enter your own name.'));
}

function refuse(field: string, message: Sentence): void {
  if (isGuarded('reserved_names')) throw new Refusal('validation_failed', { errors: { [field]: [message] } });
}
