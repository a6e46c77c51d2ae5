import {
  type ChangedValues,
  type ChangeKind,
  changeKinds,
  type FilledWords,
  type KindOfChange,
  textsOfKinds,
} from './change-kinds.ts';
import { formatLongDate, formatShillings } from './format.ts';
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
    'A loan, a guarantee or money in a pool delays what is paid back, not the vote.',
    'Mkopo, udhamini au pesa kwenye kikundi cha udhamini huchelewesha malipo, si kura.',
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

const memberNamed =
  (words: Words, after: Words) =>
  (values: ChangedValues): FilledWords =>
    values.name === undefined ? { words: after } : { words, values: { name: values.name } };

const POOLS = {
  later: [
    'It holds for guarantees that are asked for from then on, and for who joins. Each guarantee that is approved keeps what was signed.',
    'Inatumika kwa dhamana zitakazoombwa kuanzia hapo, na kwa watakaojiunga. Kila dhamana iliyoidhinishwa inabaki na kilichotiwa sahihi.',
  ],
  quoted: [
    'Whoever waits for a signature or for the stewards asks once more.',
    'Anayesubiri sahihi au wasimamizi anaomba tena.',
  ],
  leave: [
    'Nobody is kept in: whoever does not like it gives notice, as before.',
    'Hakuna anayezuiwa: asiyependa anatoa notisi, kama awali.',
  ],
  notices: ['Notices that were given keep their day.', 'Notisi zilizotolewa zinabaki na siku zake.'],
  fees: [
    'Fees of guarantees that are approved from then on are shared by the new parts.',
    'Ada za dhamana zitakazoidhinishwa kuanzia hapo zinagawanywa kwa sehemu mpya.',
  ],
  smaller: [
    'If less may be guaranteed for each shilling, withdrawals wait until guarantees have fallen.',
    'Ikiwa dhamana kwa kila shilingi zitapungua, wanaotoa pesa wanasubiri hadi dhamana zipungue.',
  ],
  stewards: [
    'Stewards decide about guarantees. There are three at most. Two agree, where there are two or more.',
    'Wasimamizi wanaamua kuhusu dhamana. Ni watatu wasiozidi. Wawili wanakubaliana, wakiwa wawili au zaidi.',
  ],
  third: [
    'Once three are elected, whoever created the pool is a steward no more, unless elected too.',
    'Watatu wakishachaguliwa, aliyeunda kikundi si msimamizi tena, isipokuwa amechaguliwa pia.',
  ],
  place_ends: [
    'Whoever it is stays a member of the pool, and the money stays theirs.',
    'Anayehusika anabaki mwanachama wa kikundi, na pesa zinabaki zake.',
  ],
  one_left: [
    'A pool is never without a steward. If nobody else is one by then, nothing ends.',
    'Kikundi hakikosi msimamizi kamwe. Ikiwa hakuna mwingine wakati huo, nafasi haiishi.',
  ],
  given_up: [
    'The claim leaves the pool’s books. What the borrower pays later is still shared out.',
    'Deni linafutwa vitabuni mwa kikundi. Mkopaji akilipa baadaye, pesa hizo bado hugawanywa.',
  ],
  no_steward: ['{name}, no steward', '{name}, si msimamizi'],
  steward: ['{name}, steward', '{name}, msimamizi'],
  a_steward: ['steward, elected by the members', 'msimamizi aliyechaguliwa na wanachama'],
  out_since: ['{amount}, since {day}', '{amount}, tangu {day}'],
  off_books: ['given up', 'limefutwa'],
  days: ['{n, plural, one {# day} other {# days}}', '{n, plural, one {siku #} other {siku #}}'],
  parts: [
    'members {members}%, reserve {reserve}%, sacco {sacco}%',
    'wanachama {members}%, akiba ya dharura {reserve}%, sacco {sacco}%',
  ],
} as const satisfies Readonly<Record<string, Words>>;

const percentOf = (name: string) => (values: ChangedValues) => `${values[name] ?? '–'}%`;
const sumOf = (name: string) => (values: ChangedValues) => formatShillings(Number(values[name] ?? 0));
const daysOf =
  (name: string) =>
  (values: ChangedValues): FilledWords | string =>
    values[name] === undefined ? '–' : { words: POOLS.days, values: { n: Number(values[name]) } };
const partsOf = ({ fee_members = '', fee_reserve = '', fee_sacco = '' }: ChangedValues): FilledWords => ({
  words: POOLS.parts,
  values: { members: fee_members, reserve: fee_reserve, sacco: fee_sacco },
});
const plain = (name: string) => (values: ChangedValues) => String(values[name] ?? '–');

/** A claim of the pool, as it was when the pool had paid; the day in both languages. */
function claimOf({ amount, day }: ChangedValues): FilledWords {
  if (amount === undefined || day === undefined) return { words: POOLS.off_books };
  const noon = `${day}T09:00:00Z`;
  const [english, swahili] = POOLS.out_since;
  const of = (words: string, language: 'en' | 'sw') =>
    words.replace('{amount}', formatShillings(Number(amount))).replace('{day}', formatLongDate(noon, language));
  return { words: [of(english, 'en'), of(swahili, 'sw')] };
}

const count = (name: string) => (values: ChangedValues) => Number(values[name]).toLocaleString('en-KE');
const part =
  (name: string) =>
  (values: ChangedValues): FilledWords => {
    const [above = '', below = ''] = String(values[name] ?? '').split('/');
    return { words: RULES.part, values: { part: above, of: below } };
  };

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
  pool_terms: {
    page: 'voting-proposals',
    title: ['The terms of a guarantor pool', 'Masharti ya kikundi cha udhamini'],
    values: [
      { name: ['Minimum contribution', 'Mchango wa chini'], of: sumOf('min_contribution') },
      {
        name: ['Own money of a borrower, of the guarantee', 'Pesa za mkopaji mwenyewe, kati ya dhamana'],
        of: percentOf('min_contribution_perc'),
      },
      {
        name: ['Time in the pool before a request', 'Muda kwenye kikundi kabla ya kuomba'],
        of: daysOf('min_member_period'),
      },
      { name: ['Base risk a year', 'Kiwango cha msingi cha hatari kwa mwaka'], of: percentOf('base_risk_percentage') },
      { name: ['Risk weight factor', 'Kiwango cha uzito wa hatari'], of: plain('risk_weight_factor') },
      { name: ['Minimum trust score', 'Alama ya chini ya uaminifu'], of: plain('min_trust_score') },
    ],
    meaning: () => [{ words: POOLS.later }, { words: POOLS.quoted }, { words: POOLS.leave }],
  },
  pool_limits: {
    page: 'voting-proposals',
    title: ['The settings of a guarantor pool', 'Mipangilio ya kikundi cha udhamini'],
    values: [
      {
        name: ['Guarantees for each shilling in the pool', 'Dhamana kwa kila shilingi ya kikundi'],
        of: plain('exposure_multiple'),
      },
      {
        name: ['Dearer above this part of the capacity', 'Bei hupanda zaidi ya sehemu hii ya uwezo'],
        of: plain('kink'),
      },
      {
        name: ['Most for one borrower, of the pool', 'Kiasi cha juu kwa mkopaji mmoja, kati ya kikundi'],
        of: percentOf('max_borrower_share'),
      },
      { name: ['Largest part of a loan', 'Sehemu kubwa zaidi ya mkopo inayodhaminiwa'], of: percentOf('max_cover') },
      {
        name: ['Guarantees of one borrower at a time', 'Dhamana za mkopaji mmoja kwa wakati mmoja'],
        of: plain('max_active_per_borrower'),
      },
      { name: ['Who gets the fees', 'Ada zinaenda kwa nani'], of: partsOf },
      {
        name: ['One call may draw, of the reserve', 'Dhamana moja hutumia, kati ya akiba ya dharura'],
        of: percentOf('reserve_draw'),
      },
      { name: ['Notice before money is paid back', 'Notisi kabla ya pesa kurudishwa'], of: daysOf('notice_days') },
      { name: ['Without the stewards up to', 'Bila wasimamizi hadi'], of: sumOf('auto_limit') },
      {
        name: ['Without the stewards up to, of the pool', 'Bila wasimamizi hadi, kati ya kikundi'],
        of: percentOf('auto_limit_share'),
      },
      { name: ['Highest price a year', 'Bei ya juu kabisa kwa mwaka'], of: percentOf('rate_cap') },
    ],
    meaning: () => [
      { words: POOLS.later },
      { words: POOLS.quoted },
      { words: POOLS.notices },
      { words: POOLS.smaller },
      { words: POOLS.fees },
    ],
  },
  pool_steward: {
    page: 'voting-proposals',
    title: ['A steward of a guarantor pool', 'Msimamizi wa kikundi cha udhamini'],
    values: [{ name: ['Who offers to be one', 'Anayejitolea'], of: memberNamed(POOLS.no_steward, POOLS.a_steward) }],
    meaning: () => [{ words: POOLS.stewards }, { words: POOLS.third }],
  },
  pool_steward_end: {
    page: 'voting-proposals',
    title: ['The end of a steward’s place', 'Kumaliza nafasi ya msimamizi'],
    values: [{ name: ['Who it is about', 'Anayehusika'], of: memberNamed(POOLS.steward, PERSONS.gone) }],
    meaning: () => [{ words: POOLS.place_ends }, { words: POOLS.one_left }, { words: PERSONS.answers }],
  },
  pool_write_off: {
    page: 'voting-proposals',
    title: ['Giving up a claim of a guarantor pool', 'Kufuta vitabuni deni la kikundi cha udhamini'],
    values: [{ name: ['What the pool paid', 'Kilicholipwa na kikundi'], of: claimOf }],
    meaning: () => [{ words: POOLS.given_up }],
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
  ...Object.values(POOLS),
];

/** Whatever its drafter would like: what joining and a share cost is a matter of the by-laws (pools-voting-anchoring.md B2). */
export const BY_TWO_THIRDS: readonly ChangeKind[] = [
  'sacco_terms',
  'official_removal',
  'expulsion',
  'vote_rules',
  'bylaws',
  'pool_limits',
];
