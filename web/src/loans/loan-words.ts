import type {
  GuaranteeState,
  Loan,
  LoanEventKind,
  LoanLimit,
  LoanMethod,
  LoanProduct,
  LoanState,
} from '@ushirika/contract/loans';
import type { TagTone } from '../ui/card.tsx';
import type { IconName } from '../ui/icon.tsx';
import { currentLanguage, say } from '../words/say.ts';
import type { StageKey } from './loan.rules.ts';

const MONTH = { month: 'short', year: 'numeric', timeZone: 'Africa/Nairobi' } as const;
const months = { en: new Intl.DateTimeFormat('en-GB', MONTH), sw: new Intl.DateTimeFormat('sw-KE', MONTH) };

/** The month of a day, `Jan 2027`. */
export const monthOf = (day: string) => months[currentLanguage()].format(new Date(noonOf(day)));

/** Noon in Nairobi on a day, for the parts that show dates. */
export const noonOf = (day: string) => `${day}T12:00:00+03:00`;

/** How a loan stands, to its borrower; `toSend` as `isToSend` has it. */
export function stateWords({ state, closed_because }: Pick<Loan, 'state' | 'closed_because'>, toSend = false): string {
  if (toSend) return say('Waits for you to send it');
  if (state === 'closed' && closed_because === 'refinanced') return say('Paid by a new loan');
  if (state === 'closed' && closed_because === 'recovered') return say('Recovered in full');
  const words: Record<LoanState, string> = {
    guarantors_pending: say('Waits for guarantors'),
    submitted: say('With the committee'),
    returned: say('Returned to you'),
    approved: say('Approved'),
    accepted: say('Waits for payment'),
    disbursing: say('Payment is checked'),
    active: say('Being repaid'),
    in_arrears: say('In arrears'),
    defaulted: say('Defaulted'),
    recovering: say('Being recovered'),
    written_off: say('Written off, still owed'),
    rejected: say('Rejected'),
    withdrawn: say('Taken back'),
    expired: say('Expired'),
    closed: say('Paid'),
  };
  return words[state];
}

/** The same to a guarantor. */
export function stateToGuarantor(state: LoanState, isCovered: boolean): string {
  if (isCovered) return say('Waits for the borrower to send it');
  return state === 'returned' ? say('Returned to the borrower') : stateWords({ state, closed_because: null });
}

export const stateTones: Readonly<Record<LoanState, TagTone>> = {
  guarantors_pending: 'ochre',
  submitted: 'indigo',
  returned: 'clay',
  approved: 'ochre',
  accepted: 'indigo',
  disbursing: 'indigo',
  active: 'forest',
  in_arrears: 'clay',
  defaulted: 'clay',
  recovering: 'clay',
  written_off: 'clay',
  rejected: 'plain',
  withdrawn: 'plain',
  expired: 'plain',
  closed: 'plain',
};

export function stageWords(key: StageKey): string {
  const words: Record<StageKey, string> = {
    guarantors: say('Guarantors'),
    sending: say('To be sent'),
    committee: say('Committee'),
    acceptance: say('Key facts'),
    payment: say('Payout'),
    repayment: say('Repayment'),
  };
  return words[key];
}

/** The line that says that a loan is in whole shillings; nothing for other loans. */
export const wholeShillings = ({ whole_shillings }: Pick<LoanProduct, 'whole_shillings'>) =>
  whole_shillings ? ([[say('Instalments'), say('in whole shillings; the last takes the rest')]] as const) : [];

export function methodWords(method: LoanMethod): string {
  const words: Record<LoanMethod, string> = {
    annuity: say('Equal instalments'),
    equal_principal: say('Falling instalments'),
    flat: say('Flat rate'),
  };
  return words[method];
}

/** What a method means for what is paid, in a sentence. */
export function methodMeaning(method: LoanMethod): string {
  const words: Record<LoanMethod, string> = {
    annuity: say('Every instalment but the last is the same. Interest is taken on what you still owe.'),
    equal_principal: say('You repay the same part each month, so that the interest falls, and the instalment with it.'),
    flat: say(
      'Interest is taken on the whole amount to the end. The true rate is what it costs on what you still owe.',
    ),
  };
  return words[method];
}

export function guaranteeWords(state: GuaranteeState): string {
  const words: Record<GuaranteeState, string> = {
    asked: say('Not answered yet'),
    accepted: say('Signed'),
    live: say('In force'),
    refused: say('Said no'),
    lapsed: say('Did not answer in time'),
    voided: say('No longer holds'),
    released: say('Released'),
    called: say('Paid for the borrower'),
  };
  return words[state];
}

/** The state of a guarantee as people read it: without a pledge left, a live one is released. */
export const guaranteeShown = ({ state, pledged }: { state: GuaranteeState; pledged: number }): GuaranteeState =>
  state === 'live' && pledged === 0 ? 'released' : state;

export const guaranteeTones: Readonly<Record<GuaranteeState, TagTone>> = {
  asked: 'ochre',
  accepted: 'forest',
  live: 'forest',
  refused: 'plain',
  lapsed: 'plain',
  voided: 'plain',
  released: 'plain',
  called: 'clay',
};

/** The same, in the words of the guarantor. */
export function myGuaranteeWords(state: GuaranteeState): string {
  if (state === 'asked') return say('Waits for your answer');
  if (state === 'accepted') return say('You signed');
  if (state === 'refused') return say('You said no');
  if (state === 'lapsed') return say('You did not answer in time');
  if (state === 'called') return say('You paid for the borrower');
  return guaranteeWords(state);
}

export function limitName(kind: LoanLimit['parts'][number]['kind']): string {
  const words: Record<typeof kind, string> = {
    savings: say('By your savings'),
    product: say('By the product'),
    core_capital: say('By the sacco’s own capital'),
    ability: say('By your income'),
  };
  return words[kind];
}

/** `1.5%`: at most two decimals. */
const rates = new Intl.NumberFormat('en-KE', { maximumFractionDigits: 2 });
export const percentOf = (rate: number) => `${rates.format(rate)}%`;
export const aMonth = (rate: number) => say('{rate} a month', { rate: percentOf(rate) });
/** The rate of a loan by the month and by the year. */
export const bothRates = ({ monthly_rate, yearly_rate }: { monthly_rate: number; yearly_rate: number }) =>
  `${aMonth(monthly_rate)} · ${aYear(yearly_rate)}`;
export const aYear = (rate: number) => say('{rate} a year', { rate: percentOf(rate) });

export const monthsInWords = (n: number) => say('{n, plural, one {1 month} other {# months}}', { n });
export const daysInWords = (n: number) => say('{n, plural, one {1 day} other {# days}}', { n });

const MONEY_IN: ReadonlySet<LoanEventKind> = new Set(['disbursed', 'repaid', 'prepaid', 'paid_off', 'closed']);
const WARNINGS: ReadonlySet<LoanEventKind> = new Set([
  'instalment_missed',
  'notice_borrower',
  'notice_guarantors',
  'second_notice',
  'defaulted',
  'final_notice',
  'recovered',
  'written_off',
  'rejected',
  'returned',
  'guarantor_refused',
  'guarantor_lapsed',
]);

/** The drawing beside an event, and whether it is bad news. */
export function eventLook(kind: LoanEventKind): { icon: IconName; isBad: boolean } {
  if (MONEY_IN.has(kind)) return { icon: kind === 'disbursed' ? 'wallet' : 'check', isBad: false };
  if (WARNINGS.has(kind)) return { icon: 'alert', isBad: true };
  if (kind.startsWith('guarantor')) return { icon: 'hands', isBad: false };
  if (kind === 'reviewed' || kind === 'approved' || kind.startsWith('disbursement')) {
    return { icon: 'people', isBad: false };
  }
  if (kind === 'reminded' || kind === 'expired') return { icon: 'clock', isBad: false };
  return { icon: 'person', isBad: false };
}

/** That a loan needs more people than have signed, or are asked, though their amounts may cover it. */
export const guarantorsToSignWords = (values: { readonly missing: number; readonly all: number }): string =>
  say(
    '{missing, plural, one {One more guarantor} other {# more guarantors}} must sign: this loan needs {all}.',
    values,
  );
