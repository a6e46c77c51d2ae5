import { changeTexts } from '@ushirika/contract/change-kinds';
import { journalTexts } from '@ushirika/contract/journals';
import { operatorActTexts } from '@ushirika/contract/operator-acts';
import { refusals } from '@ushirika/contract/refusals';
import { topicTexts } from '@ushirika/contract/topics';
import { voteKindTexts } from '@ushirika/contract/vote-kinds';

const files = import.meta.glob<Readonly<Record<string, string>>>('./sw/*.json', { eager: true, import: 'default' });

/** Of these texts, those whose Swahili has a plural or a select. */
export { default as branching } from 'virtual:branching-texts/sw';

/**
 * The Swahili for every text of the web client. What the contract declares with its words in both languages (refusals,
 * journals, topics, operators' acts, changes by two officials) has it there. Any other text has one line in one of the files of `sw/`: the public
 * pages and design system, the pages for whoever is signed in, the settings and the operator's desk. A new domain brings
 * a file of its own, named like it. say.test.ts lists what is missing. What the server says comes in the reader's language.
 */
export const swahili: Readonly<Record<string, string>> = Object.fromEntries([
  ...journalTexts,
  ...topicTexts,
  ...operatorActTexts,
  ...changeTexts,
  ...voteKindTexts,
  ...Object.values(refusals).map(({ message, swahili: words }) => [message, words]),
  ...Object.values(files).flatMap((file) => Object.entries(file)),
]);
