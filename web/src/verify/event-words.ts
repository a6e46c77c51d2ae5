import { formatShillings } from '@ushirika/contract/format';
import type { Opening } from '@ushirika/verifier/entry';
import { longDate } from '../words/dates.ts';
import { say } from '../words/say.ts';

/*
 * Words for entries that are about no movement: a ballot, what was signed, offices, terms, and the log itself. The server writes these heads
 * in migrations 0343, 0346 and 0361, and in the domain proofs.
 */

type Named = Readonly<Record<string, unknown>>;
type Row = readonly [name: string, value: string];
/** A fact of a head, by its name there. It has no row where it is missing or has another shape. */
type Fact = readonly [member: string, name: () => string, words: (value: unknown) => string | null];

const text = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);
const count = (value: unknown): string | null => (Number.isSafeInteger(value) ? String(value) : null);
const cents = (value: unknown): string | null =>
  Number.isSafeInteger(value) ? formatShillings((value as number) / 100) : null;
/** Hundredths of a percent. */
const percent = (value: unknown): string | null =>
  Number.isSafeInteger(value) ? say('{n}% a year', { n: (value as number) / 100 }) : null;
const date = (value: unknown): string | null =>
  typeof value === 'string' && !Number.isNaN(Date.parse(value)) ? longDate(value) : null;

const codes: Readonly<Record<string, () => string>> = {
  for: () => say('In favour'),
  against: () => say('Against'),
  abstain: () => say('Abstain'),
  passed: () => say('Passed'),
  no_quorum: () => say('Too few votes'),
  no_candidates: () => say('Nobody stood'),
  chair: () => say('Chair'),
  vice_chair: () => say('Vice chair'),
  secretary: () => say('Secretary'),
  treasurer: () => say('Treasurer'),
  credit_committee: () => say('Credit committee'),
  supervisory_committee: () => say('Supervisory committee'),
  manager: () => say('Manager'),
  pending: () => say('Pending'),
  active: () => say('Active'),
  suspended: () => say('Suspended'),
  rejected: () => say('Rejected'),
  wallets: () => say('Members’ money and M-Pesa'),
  shares: () => say('Share register'),
  savings: () => say('Members’ savings'),
};
/** A word of ours for a closed list; any other, such as a candidate's number, as it is. */
const coded = (value: unknown): string | null => {
  const code = text(value);
  return code !== null && Object.hasOwn(codes, code) ? (codes[code]?.() ?? code) : code;
};
const outcome = (value: unknown): string | null => (value === 'rejected' ? say('Voted down') : coded(value));

const amount: Fact = ['amount_cents', () => say('Amount'), cents];
const round: Fact = ['round', () => say('Round'), count];
const vote: Fact = ['proposal', () => say('Number of the vote'), text];
const office: readonly Fact[] = [
  ['office', () => say('Office'), coded],
  ['since', () => say('Since'), date],
  ['until', () => say('Elected until'), date],
];

const events: Readonly<Record<string, { readonly title: () => string; readonly facts: readonly Fact[] }>> = {
  vote_counted: {
    title: () => say('Votes counted'),
    facts: [
      vote,
      round,
      ['for', () => say('In favour'), count],
      ['against', () => say('Against'), count],
      ['abstained', () => say('Abstain'), count],
      ['outcome', () => say('Result'), outcome],
    ],
  },
  open_ballot: {
    title: () => say('A ballot in an open vote'),
    facts: [vote, round, ['choice', () => say('What was chosen'), coded]],
  },
  guarantee_signed: { title: () => say('Guarantee signed'), facts: [amount, ['loan', () => say('Loan'), text]] },
  pool_contract_signed: {
    title: () => say('Contract with a guarantor pool'),
    facts: [
      amount,
      ['months', () => say('Months it runs'), count],
      ['rate', () => say('Interest'), percent],
      ['fee_cents', () => say('Fee'), cents],
    ],
  },
  terms_in_force: {
    title: () => say('Terms of the sacco in force'),
    facts: [
      ['reg_fee_cents', () => say('Registration fee'), cents],
      ['min_shares', () => say('Least shares'), count],
      ['share_value_cents', () => say('Value of a share'), cents],
    ],
  },
  bylaws_in_force: {
    title: () => say('By-laws in force'),
    facts: [
      ['number', () => say('Version'), count],
      ['registration_no', () => say('Registration number'), text],
    ],
  },
  office_taken: { title: () => say('Office taken'), facts: office },
  office_ended: { title: () => say('Office ended'), facts: office },
  state_changed: {
    title: () => say('State of the sacco changed'),
    facts: [
      ['from', () => say('State before'), coded],
      ['to', () => say('State after'), coded],
    ],
  },
  totals: {
    title: () => say('Sum of all members’ balances'),
    facts: [
      ['what', () => say('Kind of sum'), coded],
      ['day', () => say('Day'), date],
    ],
  },
  entry_erased: {
    title: () => say('An entry was erased'),
    facts: [['entry', () => say('Position in the log'), count]],
  },
  log_started: { title: () => say('Beginning of the log'), facts: [] },
};

const named = (value: unknown): Named => (typeof value === 'object' && value !== null ? (value as Named) : {});

/** The content of an entry that is about no movement; null for a movement. An entry of a kind that is not known here is called one of the log. */
export function eventIn({ head, shown }: Opening): { readonly title: string; readonly rows: readonly Row[] } | null {
  const said = named(head);
  if (Number.isSafeInteger(said.journal)) return null;
  const name = text(said.event) ?? text(said.kind) ?? '';
  const event = Object.hasOwn(events, name) ? events[name] : undefined;
  const all: Named = Object.assign({}, ...shown.map(({ value }) => named(value)), said);
  const rows = (event?.facts ?? []).flatMap(([member, label, words]): Row[] => {
    const value = words(all[member]);
    return value === null ? [] : [[label(), value]];
  });
  return { title: event?.title() ?? say('Entry of the log'), rows };
}

/** Whether an entry has parts for its members alone, and the copy shows none of them. */
export const hidesAll = ({ parts, shown }: Opening): boolean => parts.length > 0 && shown.length === 0;
