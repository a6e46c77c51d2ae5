import { formatLongDate, formatShillings } from './format.ts';
import { ratesShown } from './loan-rates.ts';
import { feeOf } from './market-fees.ts';
import type { voteKinds } from './vote-kinds.ts';
import type { Words } from './words.ts';

/*
 * What members change by vote, and two officials together, declared once: a domain adds its kind here, with its words. How it is
 * carried out is in server/domains.ts. What only a vote changes, and no page of officials shows, is in vote-kinds.ts. No schema stands here: the
 * web client loads this file.
 */

/** As the request that proposed a change named them: percentages, shillings, words. */
export type ChangedValues = Readonly<Record<string, string | number>>;

/** A text with what fills its holes. */
export interface FilledWords {
  readonly words: Words;
  readonly values?: Readonly<Record<string, string | number>>;
}

export interface KindOfChange {
  /** The page of the client area on which it stands: `/client/{page}`. */
  readonly page: string;
  readonly title: Words;
  /** What is shown of it, old beside new; an amount or a count is the same in both languages. */
  readonly values: readonly { readonly name: Words; readonly of: (values: ChangedValues) => string | FilledWords }[];
  /** What it means for the members: what an official reads before saying yes. */
  readonly meaning: (before: ChangedValues, after: ChangedValues) => readonly Words[] | readonly FilledWords[];
}

const shillings = (name: string) => (values: ChangedValues) => formatShillings(Number(values[name]));
const count = (name: string) => (values: ChangedValues) => Number(values[name]).toLocaleString('en-KE');

const MARKET = {
  par: ['At the share value only', 'Kwa thamani ya hisa pekee'],
  band: ['{floor}% to {ceiling}% of the share value', '{floor}% hadi {ceiling}% ya thamani ya hisa'],
  dearer: [
    'Trading becomes dearer: a trade of Ksh. 5,000 will cost each side {fee}.',
    'Kununua na kuuza kutakuwa ghali zaidi: kwa mauzo ya Ksh. 5,000 kila upande utalipa {fee}.',
  ],
  cheaper: [
    'Trading becomes cheaper: a trade of Ksh. 5,000 will cost each side {fee}.',
    'Kununua na kuuza kutakuwa nafuu zaidi: kwa mauzo ya Ksh. 5,000 kila upande utalipa {fee}.',
  ],
  same: [
    'A trade of Ksh. 5,000 will cost each side {fee}, as before.',
    'Kwa mauzo ya Ksh. 5,000 kila upande utalipa {fee}, kama awali.',
  ],
  orders: [
    'Open orders keep the fee that they were placed with.',
    'Maagizo yaliyo wazi yanabaki na ada yaliyowekwa nayo.',
  ],
  closed: [
    'Open orders that no longer fit are closed. What they hold is free again, and their members are told.',
    'Maagizo yaliyo wazi yasiyofuata kanuni mpya yatafungwa. Pesa au hisa zilizoshikiliwa zitakuwa huru tena, na wenye maagizo wataambiwa.',
  ],
  open: ['Open for trading', 'Limefunguliwa'],
  shut: ['Closed for trading', 'Limefungwa'],
  nobody: [
    'Nobody buys or sells shares of other members while the market is closed. The sacco itself still sells shares.',
    'Hakuna atakayenunua au kuuza hisa za wanachama wengine soko likiwa limefungwa. Sacco yenyewe bado inauza hisa.',
  ],
  cancel: ['Open orders wait. They can be cancelled.', 'Maagizo yaliyo wazi yanasubiri. Yanaweza kufutwa.'],
} as const satisfies Readonly<Record<string, Words>>;

/** A trade of Ksh. 5,000 as an example: everybody can reckon from there. */
function feeMeans(before: ChangedValues, after: ChangedValues): FilledWords {
  const [old, next] = [feeOfExample(before), feeOfExample(after)];
  const words = next > old ? MARKET.dearer : next < old ? MARKET.cheaper : MARKET.same;
  return { words, values: { fee: formatShillings(next) } };
}

function feeOfExample(values: ChangedValues): number {
  const terms = { fee_basis_points: Number(values.fee_basis_points), fee_min_cents: 100 * Number(values.fee_min) };
  return feeOf(5_000_00, terms) / 100;
}

/** Where a rate a month with four decimals would not be exact. */
const YEARLY = {
  annuity: [
    '{rate}% on the balance, equal instalments: {year}% a year',
    '{rate}% ya salio, awamu sawa: {year}% kwa mwaka',
  ],
  equal_principal: [
    '{rate}% on the balance, falling instalments: {year}% a year',
    '{rate}% ya salio, awamu zinazopungua: {year}% kwa mwaka',
  ],
  flat: ['{rate}% flat on the whole loan: {year}% a year', '{rate}% ya mkopo wote, isiyopungua: {year}% kwa mwaka'],
} as const satisfies Readonly<Record<string, Words>>;

const yearlyRates = (year: string | number) => ({ rate: ratesShown(Number(year) / 12).monthly_rate, year });

const LOAN = {
  annuity: ['{rate}% on the balance, equal instalments', '{rate}% ya salio, awamu sawa'],
  equal_principal: ['{rate}% on the balance, falling instalments', '{rate}% ya salio, awamu zinazopungua'],
  flat: ['{rate}% flat on the whole loan', '{rate}% ya mkopo wote, isiyopungua'],
  yes: ['Yes', 'Ndiyo'],
  no: ['No', 'Hapana'],
  rounded: ['Rounded up', 'Zinaongezwa hadi shilingi kamili'],
  to_the_cent: ['To the cent', 'Hadi senti'],
  made: ['The sacco has a new loan to offer.', 'Sacco ina mkopo mpya wa kutoa.'],
  changed: ['A loan that the sacco has gets other terms.', 'Mkopo ambao sacco inao unapata masharti mengine.'],
  stopped: [
    'Nobody can apply for this loan any more. Each loan that was paid out goes on as it is.',
    'Hakuna anayeweza kuomba mkopo huu tena. Kila mkopo uliotolewa unaendelea kama ulivyo.',
  ],
  later: [
    'They hold for loans that are applied for from then on. Each earlier loan keeps its terms.',
    'Yanatumika kwa mikopo itakayoombwa kuanzia hapo. Kila mkopo wa awali hubaki na masharti yake.',
  ],
} as const satisfies Readonly<Record<string, Words>>;

const AUTHORITY = {
  nothing: ['Nothing', 'Hakuna'],
  committee: [
    'Up to {amount} two of the credit committee decide alone. Above it treasurer or chair must agree as well.',
    'Hadi {amount} wawili wa kamati ya mikopo wanaamua peke yao. Zaidi ya hapo mweka hazina au mwenyekiti lazima akubali pia.',
  ],
  manager: [
    'Up to {amount} the manager alone approves or rejects. The borrower’s other loans count.',
    'Hadi {amount} meneja peke yake anakubali au kukataa. Mikopo mingine ya mkopaji inahesabiwa.',
  ],
  no_manager: ['The manager decides about no loan alone.', 'Meneja haamui peke yake kuhusu mkopo wowote.'],
  later: [
    'It holds for applications that are submitted from then on. Each earlier one is decided as before.',
    'Inatumika kwa maombi yatakayowasilishwa kuanzia hapo. Kila ombi la awali linaamuliwa kama awali.',
  ],
} as const satisfies Readonly<Record<string, Words>>;

const TERMS = {
  fee: [
    'The new fee holds for people who join from then on. Members pay nothing again.',
    'Ada mpya ni kwa watakaojiunga kuanzia hapo. Wanachama hawalipi tena.',
  ],
  value: [
    'The sacco sells its shares at the new value from then on; if it rises, none are sold between the count and then. What members hold stays theirs, share for share.',
    'Sacco itauza hisa zake kwa thamani mpya kuanzia hapo; ikipanda, haitauza hisa kati ya kuhesabu kura na wakati huo. Hisa za wanachama zinabaki zao, hisa kwa hisa.',
  ],
  orders: [
    'All open orders on the market are closed then, and their members are told.',
    'Maagizo yote yaliyo wazi sokoni yatafungwa wakati huo, na wenye maagizo wataambiwa.',
  ],
  more: [
    'Whoever joins from then on needs the new minimum. Members who hold fewer keep their full rights for 90 days. After that they have no vote, get no new loan and guarantee none, until they hold enough.',
    'Atakayejiunga kuanzia hapo anahitaji kiwango kipya. Wanachama wenye hisa chache wana haki kamili kwa siku 90. Baada ya hapo hawapigi kura, hawapati mkopo mpya wala hawadhamini, hadi wawe na za kutosha.',
  ],
  fewer: [
    'The new minimum holds at once. Members may sell down to it.',
    'Kiwango kipya kinaanza mara moja. Wanachama wanaweza kuuza hadi kifikiwe.',
  ],
} as const satisfies Readonly<Record<string, Words>>;

const changes = (name: string, before: ChangedValues, after: ChangedValues) => before[name] !== after[name];
const DIVIDEND = {
  month_after: ['From the month after it came in', 'Kuanzia mwezi unaofuata pesa zilipoingia'],
  month_of: ['From the month in which it came in', 'Kuanzia mwezi ambao pesa ziliingia'],
  lowest_balance: ['By the lowest balance of each month', 'Kwa salio la chini kabisa la kila mwezi'],
  stays: [
    'It comes out of what the sacco may distribute: {amount} when the vote was drafted. What is not paid stays with the sacco.',
    'Inatoka kwenye ziada ambayo sacco inaweza kugawanya: {amount} rasimu ilipoandikwa. Kisicholipwa kinabaki kwa sacco.',
  ],
  dated: [
    'Whoever held shares or savings in {year} is paid, also those who have left. Each day counts.',
    'Aliyekuwa na hisa au akiba mwaka {year} atalipwa, hata aliyeondoka. Kila siku inahesabiwa.',
  ],
  choice: [
    'Until the end of {day} each member chooses wallet or shares. Loans that are late are paid first.',
    'Hadi mwisho wa {day} kila mwanachama anachagua pochi au hisa. Mikopo iliyochelewa inalipwa kwanza.',
  ],
  closed: [
    'Once it is closed, nothing changes its surplus any more. A fifth is reserve and is never distributed.',
    'Mwaka ukifungwa, ziada yake haibadiliki tena. Sehemu ya tano ni akiba ya lazima na haigawanywi kamwe.',
  ],
  voted: [
    'Of the rest members may declare a dividend by vote.',
    'Kwenye kinachobaki wanachama wanaweza kuamua gawio kwa kura.',
  ],
} as const satisfies Readonly<Record<string, Words>>;

const filled = (words: Words, values: ChangedValues): FilledWords => ({ words, values });
/** A day of the calendar in both languages. */
const dayWords = (value: string | number | null | undefined): Words => {
  if (typeof value !== 'string') return ['–', '–'];
  const noon = `${value}T09:00:00Z`;
  return [formatLongDate(noon, 'en'), formatLongDate(noon, 'sw')];
};
const filledByDay = ([english, swahili]: Words, value: string | number | null | undefined): FilledWords => {
  const [day, siku] = dayWords(value);
  return { words: [english.replace('{day}', day), swahili.replace('{day}', siku)] };
};
const savingsMethodOf = ({ savings_method }: ChangedValues) =>
  savings_method === 'month_of' || savings_method === 'lowest_balance' ? savings_method : 'month_after';
const percent = (name: string) => (values: ChangedValues) => (values[name] === undefined ? '–' : `${values[name]}%`);
const sumOf = (name: string) => (values: ChangedValues) =>
  values[name] === undefined ? '–' : formatShillings(Number(values[name]));

const methodOf = ({ method }: ChangedValues) =>
  method === 'flat' || method === 'equal_principal' ? method : 'annuity';

/** A value as it is; a dash where another product was proposed, of which nothing held before. */
const shown = (name: string) => (values: ChangedValues) => String(values[name] ?? '–');
const range = (least: string, most: string, inWords: (value: string | number) => string) => (values: ChangedValues) => {
  const [from, to] = [values[least], values[most]];
  return from === undefined || to === undefined ? '–' : `${inWords(from)} – ${inWords(to)}`;
};

export const changeKinds = {
  market_terms: {
    page: 'share-trading',
    title: ['New market rules', 'Kanuni mpya za soko'],
    values: [
      { name: ['Transfer fee', 'Ada ya uhamisho'], of: (values) => `${Number(values.fee_basis_points) / 100}%` },
      { name: ['Least fee of an order', 'Ada ya chini ya agizo'], of: shillings('fee_min') },
      {
        name: ['Prices', 'Bei'],
        of: ({ price_mode, floor_percentage = '', ceiling_percentage = '' }) =>
          price_mode === 'par'
            ? { words: MARKET.par }
            : { words: MARKET.band, values: { floor: floor_percentage, ceiling: ceiling_percentage } },
      },
      { name: ['Step of prices', 'Hatua ya bei'], of: shillings('tick') },
      { name: ['Lot (shares)', 'Fungu (hisa)'], of: count('lot') },
      {
        name: ['An order waits at most (days)', 'Agizo halisubiri zaidi ya (siku)'],
        of: count('order_days_max'),
      },
      {
        name: ['The market', 'Soko'],
        of: ({ trading }) => ({ words: trading === 'closed' ? MARKET.shut : MARKET.open }),
      },
    ],
    meaning: (before, after) =>
      after.trading === 'closed'
        ? [{ words: MARKET.nobody }, { words: MARKET.cancel }]
        : [feeMeans(before, after), { words: MARKET.orders }, { words: MARKET.closed }],
  },
  referral_terms: {
    page: 'members',
    title: ['A new reward for referrals', 'Zawadi mpya ya mwaliko'],
    values: [
      { name: ['Reward', 'Zawadi'], of: shillings('reward') },
      {
        name: ['Maximum a month for one referrer', 'Mwisho kwa mwezi, kwa mwalikaji mmoja'],
        of: count('monthly_rewards_max'),
      },
    ],
    meaning: () => [
      [
        'It applies to people who sign up from then on. Earlier promises stay as they were.',
        'Itatumika kwa wanaojisajili kuanzia wakati huo. Kilichoahidiwa awali kinabaki vilevile.',
      ],
      [
        'Rewards come out of fees that the sacco has earned, never out of savings or shares.',
        'Zawadi hutoka kwenye ada ambazo sacco imepata, kamwe si kwenye akiba wala hisa.',
      ],
    ],
  },
  complaint_terms: {
    page: 'complaints',
    title: ['New time limits for complaints', 'Muda mpya wa kujibu malalamiko'],
    values: [
      { name: ['Days to a first answer', 'Siku za kutoa jibu la kwanza'], of: count('answer_days') },
      { name: ['Days to the final answer', 'Siku za kutoa jibu la mwisho'], of: count('resolve_days') },
    ],
    meaning: () => [
      [
        'They hold for complaints that come from then on. Each complaint keeps the dates that it began with.',
        'Unatumika kwa malalamiko yatakayokuja kuanzia hapo. Kila lalamiko hubaki na tarehe zake za mwanzo.',
      ],
      [
        'What is not answered in time goes to Ushirika, and the public page counts it.',
        'Lisilojibiwa kwa wakati linaenda Ushirika, na ukurasa wa umma hulihesabu.',
      ],
    ],
  },
  loan_product: {
    page: 'desk/products',
    title: ['A loan product', 'Aina ya mkopo'],
    values: [
      { name: ['Name of the loan', 'Jina la mkopo'], of: shown('name') },
      {
        name: ['Interest a month', 'Riba kwa mwezi'],
        of: (values) =>
          values.yearly_rate !== undefined
            ? { words: YEARLY[methodOf(values)], values: yearlyRates(values.yearly_rate) }
            : values.monthly_rate === undefined
              ? '–'
              : { words: LOAN[methodOf(values)], values: { rate: values.monthly_rate } },
      },
      {
        name: ['Amounts', 'Viwango'],
        of: range('min_amount', 'max_amount', (value) => formatShillings(Number(value))),
      },
      { name: ['Months', 'Miezi'], of: range('min_months', 'max_months', String) },
      { name: ['Times the savings', 'Mara ya akiba'], of: shown('multiplier') },
      { name: ['Guarantors', 'Wadhamini'], of: shown('min_guarantors') },
      { name: ['Days as a member', 'Siku za uanachama'], of: shown('min_member_days') },
      { name: ['Fee of the loan (%)', 'Ada ya mkopo (%)'], of: shown('fee_percentage') },
      {
        name: ['Penalty a month of what is overdue (%)', 'Adhabu kwa mwezi, kwa kilichochelewa (%)'],
        of: shown('penalty_rate'),
      },
      {
        name: ['Instalments in whole shillings', 'Awamu kwa shilingi kamili'],
        of: ({ name, whole_shillings }) =>
          name === undefined ? '–' : { words: whole_shillings === 'yes' ? LOAN.rounded : LOAN.to_the_cent },
      },
      {
        name: ['Open for applications', 'Unapokea maombi'],
        of: ({ is_offered }) => (is_offered === undefined ? '–' : { words: is_offered === 'yes' ? LOAN.yes : LOAN.no }),
      },
    ],
    meaning: (before, after) =>
      before.is_offered === 'yes' && after.is_offered === 'no'
        ? [{ words: LOAN.stopped }]
        : [{ words: after.product === undefined ? LOAN.made : LOAN.changed }, { words: LOAN.later }],
  },
  lending_authority: {
    page: 'desk/products',
    title: ['Who decides about loans', 'Nani anaamua kuhusu mikopo'],
    values: [
      {
        name: ['The credit committee decides alone up to', 'Kamati ya mikopo inaamua peke yake hadi'],
        of: shillings('committee_alone'),
      },
      {
        name: ['The manager decides alone up to', 'Meneja anaamua peke yake hadi'],
        of: ({ manager_alone }) =>
          Number(manager_alone) === 0 ? { words: AUTHORITY.nothing } : formatShillings(Number(manager_alone)),
      },
    ],
    meaning: (_, { committee_alone, manager_alone }) => [
      { words: AUTHORITY.committee, values: { amount: formatShillings(Number(committee_alone)) } },
      Number(manager_alone) === 0
        ? { words: AUTHORITY.no_manager }
        : { words: AUTHORITY.manager, values: { amount: formatShillings(Number(manager_alone)) } },
      { words: AUTHORITY.later },
    ],
  },
  sacco_terms: {
    page: 'voting-proposals',
    title: ['The terms of the sacco', 'Masharti ya sacco'],
    values: [
      { name: ['Registration fee', 'Ada ya usajili'], of: shillings('reg_fee') },
      { name: ['Minimum shares', 'Kiwango cha chini cha hisa'], of: count('min_shares') },
      { name: ['Share value', 'Thamani ya hisa'], of: shillings('share_value') },
    ],
    meaning: (before, after) => [
      ...(changes('reg_fee', before, after) ? [{ words: TERMS.fee }] : []),
      ...(changes('share_value', before, after) ? [{ words: TERMS.value }, { words: TERMS.orders }] : []),
      ...(Number(after.min_shares) > Number(before.min_shares) ? [{ words: TERMS.more }] : []),
      ...(Number(after.min_shares) < Number(before.min_shares) ? [{ words: TERMS.fewer }] : []),
    ],
  },
  year_closing: {
    page: 'dividends/desk',
    title: ['Closing a year', 'Kufunga mwaka'],
    values: [
      { name: ['Last closed year', 'Mwaka wa mwisho uliofungwa'], of: shown('year') },
      { name: ['Surplus', 'Ziada'], of: sumOf('surplus') },
      { name: ['Reserve by law', 'Akiba ya lazima'], of: sumOf('reserve') },
      { name: ['May be distributed', 'Inaweza kugawanywa'], of: sumOf('distributable') },
    ],
    meaning: () => [{ words: DIVIDEND.closed }, { words: DIVIDEND.voted }],
  },
  dividend: {
    page: 'dividends',
    title: ['A dividend and interest on savings', 'Gawio na faida ya akiba'],
    values: [
      { name: ['Year', 'Mwaka'], of: shown('year') },
      { name: ['Dividend on shares', 'Gawio la hisa'], of: percent('share_rate') },
      { name: ['Interest on savings', 'Faida ya akiba'], of: percent('savings_rate') },
      {
        name: ['Savings count', 'Akiba inahesabiwa'],
        of: (values) => (values.savings_method === undefined ? '–' : { words: DIVIDEND[savingsMethodOf(values)] }),
      },
      { name: ['Record date', 'Tarehe ya kumbukumbu'], of: ({ record_date }) => ({ words: dayWords(record_date) }) },
      { name: ['Tax withheld of dividends', 'Kodi inayokatwa kwenye gawio'], of: percent('share_tax') },
      { name: ['Tax withheld of interest', 'Kodi inayokatwa kwenye faida ya akiba'], of: percent('savings_tax') },
    ],
    meaning: (before, after) => [
      filled(DIVIDEND.dated, { year: after.year ?? '' }),
      filledByDay(DIVIDEND.choice, after.record_date),
      filled(DIVIDEND.stays, { amount: formatShillings(Number(before.distributable)) }),
    ],
  },
  loan_waiver: {
    page: 'desk',
    title: ['A waiver of penalty or interest', 'Msamaha wa adhabu au riba'],
    values: [
      { name: ['Number of the loan', 'Nambari ya mkopo huo'], of: shown('number') },
      { name: ['Penalty that is waived', 'Adhabu inayosamehewa'], of: sumOf('penalty') },
      { name: ['Interest that is waived', 'Riba inayosamehewa'], of: sumOf('interest') },
      { name: ['Why it is waived', 'Kwa nini inasamehewa'], of: shown('reason') },
    ],
    meaning: () => [
      [
        'The borrower no longer owes it, and the sacco has that much less income.',
        'Mkopaji hadaiwi tena, na mapato ya sacco yanapungua kiasi hicho.',
      ],
      ['The borrower is told the amount and the reason.', 'Mkopaji ataambiwa kiasi na sababu.'],
    ],
  },
  official_name: {
    page: 'members',
    title: ['A new name for an official', 'Jina jipya la afisa'],
    values: [{ name: ['Name', 'Jina'], of: ({ first_name, last_name }) => `${first_name} ${last_name}` }],
    meaning: () => [
      [
        'Members, and everybody who looks at the sacco, will see the new name.',
        'Wanachama, na kila anayeangalia sacco, wataona jina jipya.',
      ],
      [
        'Say yes only if you know that this is the person’s real name.',
        'Kubali tu ikiwa unajua kwamba hili ni jina lake halisi.',
      ],
    ],
  },
} as const satisfies Readonly<Record<string, KindOfChange>>;

export type OfficialsKind = keyof typeof changeKinds;
export type ChangeKind = OfficialsKind | keyof typeof voteKinds;

/** Of what two officials can propose too, a kind by its name. Pages of votes ask `kindOfVote`. */
export const kindOfChange = (kind: ChangeKind): KindOfChange => changeKinds[kind as OfficialsKind];

/** What a change of a kind means, each as a sentence. */
export const meaningOf = (
  { meaning }: KindOfChange,
  before: ChangedValues,
  after: ChangedValues,
): readonly FilledWords[] => meaning(before, after).map((each) => ('words' in each ? each : { words: each }));

/** The texts of kinds. */
export const textsOfKinds = (kinds: readonly KindOfChange[]): readonly Words[] =>
  kinds.flatMap((kind) => {
    const meaning = meaningOf(kind, {}, {}).map(({ words }) => words);
    return [kind.title, ...kind.values.map(({ name }) => name), ...meaning];
  });

/** Every text of this file. */
export const changeTexts: readonly Words[] = [
  ...textsOfKinds(Object.values(changeKinds)),
  ...Object.values(MARKET),
  ...Object.values(LOAN),
  ...Object.values(AUTHORITY),
  ...Object.values(TERMS),
  ...Object.values(DIVIDEND),
];
