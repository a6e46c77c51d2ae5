import {
  type ChangedValues,
  type ChangeKind,
  changeKinds,
  type FilledWords,
  type KindOfChange,
  textsOfKinds,
} from './change-kinds.ts';
import type { Words } from './words.ts';

/*
 * What members alone decide, by a vote, about persons (docs/decisions/195). The pages of votes load this file, and no others.
 */

const PERSONS = {
  gone: ['no longer', 'si tena'],
  office_ends: [
    'The office ends at once when it is carried out. Whoever held it stays a member.',
    'Wadhifa unaisha mara kura inapotekelezwa. Aliyeushika anabaki mwanachama.',
  ],
  office_waits: [
    'What this office decides waits until members elect somebody for it, by a vote of its own.',
    'Mambo yanayoamuliwa na wadhifa huu yanasubiri hadi wanachama wamchague mtu mwingine kwa kura nyingine.',
  ],
  two_left: [
    'Where two officials must agree, two must be left. If fewer are left, that waits too.',
    'Penye maafisa wawili wanaopaswa kukubaliana, lazima wabaki wawili. Wakibaki wachache, hilo nalo linasubiri.',
  ],
  answers: [
    'Whoever it is about may answer until voting begins. Everybody reads the answer here.',
    'Anayehusika anaweza kujibu hadi kura zianze kupigwa. Kila mtu atasoma jibu hapa.',
  ],
} as const satisfies Readonly<Record<string, Words>>;

/** `Otieno Ouma, treasurer`. */
const OFFICE_OF = {
  chair: ['{name}, chair', '{name}, mwenyekiti'],
  vice_chair: ['{name}, vice chair', '{name}, makamu mwenyekiti'],
  secretary: ['{name}, secretary', '{name}, katibu'],
  treasurer: ['{name}, treasurer', '{name}, mweka hazina'],
  credit_committee: ['{name}, credit committee', '{name}, kamati ya mikopo'],
  supervisory_committee: ['{name}, supervisory committee', '{name}, kamati ya usimamizi'],
  manager: ['{name}, manager', '{name}, meneja'],
} as const satisfies Readonly<Record<string, Words>>;

function officeHeld({ office, name = '' }: ChangedValues): FilledWords {
  const words = OFFICE_OF[office as keyof typeof OFFICE_OF];
  return words ? { words, values: { name } } : { words: PERSONS.gone };
}

export const voteKinds = {
  official_removal: {
    page: 'voting-proposals',
    title: ['The end of an office', 'Kumaliza wadhifa'],
    values: [{ name: ['Holds the office', 'Anashika wadhifa'], of: officeHeld }],
    meaning: () => [
      { words: PERSONS.office_ends },
      { words: PERSONS.office_waits },
      { words: PERSONS.two_left },
      { words: PERSONS.answers },
    ],
  },
} as const satisfies Readonly<Record<string, KindOfChange>>;

const allKinds: Readonly<Record<ChangeKind, KindOfChange>> = { ...changeKinds, ...voteKinds };
export const CHANGE_KINDS = Object.keys(allKinds) as readonly ChangeKind[] as readonly [ChangeKind, ...ChangeKind[]];

/** A kind by its name, whichever it is. */
export const kindOfVote = (kind: ChangeKind): KindOfChange => allKinds[kind];

/** Every text of this file. */
export const voteKindTexts: readonly Words[] = [
  ...textsOfKinds(Object.values(voteKinds)),
  ...Object.values(PERSONS),
  ...Object.values(OFFICE_OF),
];
