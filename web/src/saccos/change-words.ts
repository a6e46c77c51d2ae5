import {
  type ChangeKind,
  type FilledWords,
  type KindOfChange,
  kindOfChange,
  meaningOf as meaningInBoth,
} from '@ushirika/contract/change-kinds';
import type { SaccoChange } from '@ushirika/contract/sacco-changes';
import { currentLanguage, say } from '../words/say.ts';

/** One value that changes, in words, from what it was to what it will be. */
export interface ChangedLine {
  readonly name: string;
  readonly before: string;
  readonly after: string;
}

/** Where a kind is declared: pages of officials do not load what only a vote changes. */
export type KindsOf = (kind: ChangeKind) => KindOfChange;

export const titleOf = (kind: ChangeKind, of: KindsOf = kindOfChange): string => say(of(kind).title[0]);

/** The title of one change: of a loan also which one. */
export const titleOfChange = (
  { kind, before, after }: Pick<SaccoChange, 'kind' | 'before' | 'after'>,
  title = titleOf(kind),
): string => (kind === 'loan_product' ? `${title}: ${before.name ?? after.name}` : title);

/** The page of the client area on which a change stands. */
export const pageOf = (kind: ChangeKind): string => kindOfChange(kind).page;

/** Only what changes, each with its name. */
export function linesOf(
  { kind, before, after }: Pick<SaccoChange, 'kind' | 'before' | 'after'>,
  kinds: KindsOf = kindOfChange,
): ChangedLine[] {
  return kinds(kind)
    .values.map(({ name, of }) => ({ name: say(name[0]), before: inWords(of(before)), after: inWords(of(after)) }))
    .filter((line) => line.before !== line.after);
}

/** What it means for the members, in sentences: what an official reads before saying yes. */
export const meaningOf = (
  { kind, before, after }: Pick<SaccoChange, 'kind' | 'before' | 'after'>,
  of: KindsOf = kindOfChange,
): string[] => meaningInBoth(of(kind), before, after).map(inWords);

/** Words with values are in the catalogue; those without may have been put together, with a day in them, and are not. */
function inWords(value: string | FilledWords): string {
  if (typeof value === 'string') return value;
  const [english, swahili] = value.words;
  return value.values ? say(english, value.values) : currentLanguage() === 'sw' ? swahili : english;
}
