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
  leaves: [
    'The savings are paid back within 60 days. The shares stay theirs: they sell them on the share market.',
    'Akiba inarudishwa ndani ya siku 60. Hisa zinabaki zake: atauza kwenye soko la hisa.',
  ],
  for_good: [
    'Offices end at once. Nobody takes it back but members, by another vote.',
    'Nyadhifa zinaisha mara moja. Hakuna anayeibatilisha isipokuwa wanachama, kwa kura nyingine.',
  ],
  bound: [
    'It waits while somebody has a loan, guarantees one, or has money in a pool. That is settled first.',
    'Inasubiri ikiwa mtu ana mkopo, anadhamini mkopo, au ana pesa kwenye kikundi cha udhamini. Hayo yanamalizwa kwanza.',
  ],
  joins: [
    'Whoever it is may join again, and pays the fee like everybody else.',
    'Mtu huyo anaweza kujiunga tena, na analipa ada kama kila mtu.',
  ],
  member: ['{name}, member', '{name}, mwanachama'],
  expelled: ['{name}, expelled', '{name}, amefukuzwa'],
  may_join: ['may join again', 'anaweza kujiunga tena'],
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

const RULES = {
  part: ['{part} in {of}', '{part} kati ya {of}'],
  later: [
    'They hold for votes that are published from then on. A vote that is published keeps its rules.',
    'Zinatumika kwa kura zitakazotangazwa kuanzia hapo. Kura iliyotangazwa inabaki na kanuni zake.',
  ],
  limits: [
    'The notice is never shorter than 7 and 15 days, and no vote counts with less than one member in ten.',
    'Notisi haiwi fupi kuliko siku 7 na 15, na hakuna kura inayohesabiwa kwa chini ya mwanachama mmoja kati ya kumi.',
  ],
} as const satisfies Readonly<Record<string, Words>>;

const BYLAWS = {
  none: ['none recorded here', 'hazijarekodiwa hapa'],
  version: ['version {n}', 'toleo la {n}'],
  next: ['the text below', 'maandishi yaliyo hapa chini'],
  registered: [
    'They hold once the Commissioner for Co-operatives has registered them, and two officials have recorded the certificate.',
    'Zinaanza kutumika Kamishna wa Ushirika akishazisajili, na maafisa wawili wakisharekodi cheti.',
  ],
  before: ['Until then the by-laws before them hold.', 'Hadi wakati huo sheria ndogo za awali zinatumika.'],
} as const satisfies Readonly<Record<string, Words>>;

const bylawsOf = ({ version, text }: ChangedValues): FilledWords => {
  if (text !== undefined) return { words: BYLAWS.next };
  return Number(version) > 0 ? { words: BYLAWS.version, values: { n: Number(version) } } : { words: BYLAWS.none };
};

const count = (name: string) => (values: ChangedValues) => Number(values[name]).toLocaleString('en-KE');
const part =
  (name: string) =>
  (values: ChangedValues): FilledWords => {
    const [above = '', below = ''] = String(values[name] ?? '').split('/');
    return { words: RULES.part, values: { part: above, of: below } };
  };

const memberNamed =
  (words: Words, after: Words) =>
  (values: ChangedValues): FilledWords =>
    values.name === undefined ? { words: after } : { words, values: { name: values.name } };

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
  expulsion: {
    page: 'voting-proposals',
    title: ['The expulsion of a member', 'Kumfukuza mwanachama'],
    values: [{ name: ['Who it is about', 'Anayehusika'], of: memberNamed(PERSONS.member, PERSONS.gone) }],
    meaning: () => [
      { words: PERSONS.leaves },
      { words: PERSONS.for_good },
      { words: PERSONS.bound },
      { words: PERSONS.answers },
    ],
  },
  admission: {
    page: 'voting-proposals',
    title: ['Admitting somebody again', 'Kumpokea mtu tena'],
    values: [{ name: ['Who it is about', 'Anayehusika'], of: memberNamed(PERSONS.expelled, PERSONS.may_join) }],
    meaning: () => [{ words: PERSONS.joins }],
  },
  vote_rules: {
    page: 'voting-proposals',
    title: ['The rules of votes', 'Kanuni za kura'],
    values: [
      {
        name: ['Ordinary votes: days of notice', 'Kura za kawaida: siku za notisi'],
        of: count('ordinary_notice_days'),
      },
      {
        name: ['Ordinary votes: days to vote', 'Kura za kawaida: siku za kupiga kura'],
        of: count('ordinary_voting_days'),
      },
      { name: ['Ordinary votes: who must vote', 'Kura za kawaida: lazima wapige kura'], of: part('ordinary_quorum') },
      {
        name: ['Ordinary votes: so many are enough', 'Kura za kawaida: idadi inayotosha'],
        of: count('ordinary_quorum_most'),
      },
      { name: ['Special votes: days of notice', 'Kura maalum: siku za notisi'], of: count('special_notice_days') },
      { name: ['Special votes: days to vote', 'Kura maalum: siku za kupiga kura'], of: count('special_voting_days') },
      { name: ['Special votes: who must vote', 'Kura maalum: lazima wapige kura'], of: part('special_quorum') },
      { name: ['Special votes: in favour', 'Kura maalum: wanaounga mkono'], of: part('special_majority') },
    ],
    meaning: () => [{ words: RULES.later }, { words: RULES.limits }],
  },
  bylaws: {
    page: 'voting-proposals',
    title: ['The by-laws', 'Sheria ndogo'],
    values: [{ name: ['By-laws', 'Sheria ndogo'], of: bylawsOf }],
    meaning: () => [{ words: BYLAWS.registered }, { words: BYLAWS.before }],
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
  ...Object.values(RULES),
  ...Object.values(BYLAWS),
];
