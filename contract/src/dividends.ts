import { z } from 'zod';
import { check } from './checks.ts';
import { basisPointsOf, SAVINGS_METHODS } from './dividend-rules.ts';
import { shillings } from './money.ts';
import { isPlain, NOT_PLAIN } from './plain-text.ts';
import { acted, listOf, pageQuery, route } from './route.ts';
import { proposed } from './sacco-changes.ts';
import { said } from './said.ts';
import { instant } from './time.ts';
import { plainPercent } from './typed.ts';
import { wholeNumber } from './whole-number.ts';

/*
 * Members' part of a year's surplus (domain.md 4.5, docs/decisions/194): two officials close a year, members declare a dividend on
 * shares and interest on savings by vote, and a job pays it. Each member's part is in dividend-rules.ts.
 */

const FIRST_YEAR = 2000;
const LAST_YEAR = 2199;
const year = wholeNumber(FIRST_YEAR, LAST_YEAR);
/** Days from the closing of a year to the earliest and to the latest record date. */
export const RECORD_DAYS_MIN = 14;
export const RECORD_DAYS_MAX = 365;

export const PAID_INTO = ['wallet', 'shares'] as const;
export type PaidInto = (typeof PAID_INTO)[number];

/** Where a member lives for the tax: what the law withholds depends on it. */
export const RESIDENCES = ['kenya', 'abroad'] as const;
export type Residence = (typeof RESIDENCES)[number];

const UP_TO_100 = check('Enter a percentage from 0 to 100 with at most two decimals.');
/** A percentage, as a number or as text; it stays a percentage. */
const percentage = z
  .union([z.number(), z.string().max(20)], { error: UP_TO_100 })
  .transform((value, context): number => {
    const number = typeof value === 'number' ? value : Number(plainPercent(value) ?? Number.NaN);
    if (number >= 0 && number <= 100 && basisPointsOf(number) !== null) return number;
    context.addIssue({ code: 'custom', message: UP_TO_100 });
    return z.NEVER;
  });

const rates = {
  year,
  /** Percent of the value of the shares, and of the savings. */
  share_rate: percentage,
  savings_rate: percentage,
  savings_method: z.enum(SAVINGS_METHODS),
};

/** The terms that members vote on. The taxes are those that the law has then: with others it is refused. */
export const dividendTerms = z.object({
  ...rates,
  /** Until the end of this day members choose where it goes. It is paid on the day after, or once it is declared. */
  record_date: z.iso.date(),
  share_tax: percentage,
  savings_tax: percentage,
});

/** State of a year: closed, then declared by vote, then paid. */
export const DIVIDEND_STATES = ['closed', 'declared', 'paid'] as const;

const declared = z.object({
  share_rate: z.number(),
  savings_rate: z.number(),
  savings_method: z.enum(SAVINGS_METHODS),
  share_tax: z.number(),
  savings_tax: z.number(),
  record_date: z.iso.date(),
  declared_at: instant,
});

/** The part that one member got, or will get. */
const mine = z.object({
  share_dividend: shillings,
  savings_interest: shillings,
  tax: shillings,
  net: shillings,
  /** The uses of the net amount, once it is paid: loans, guarantors and pools that are paid back, and shares that are bought. */
  paid_arrears: shillings,
  paid_back: shillings,
  shares_bought: z.number().int(),
  paid_at: instant.nullable(),
});

export const dividendYear = z.object({
  year: z.number().int(),
  state: z.enum(DIVIDEND_STATES),
  declared: declared.nullable(),
  mine: mine.nullable(),
});
export type DividendYear = z.infer<typeof dividendYear>;

export const readDividends = route({
  name: 'readDividends',
  method: 'GET',
  path: '/dividends',
  summary: 'The closed years of the sacco, newest first, with what one got of each, and where one wants the next one.',
  caller: 'member',
  repetition: 'read',
  reply: z.object({ choice: z.enum(PAID_INTO), years: z.array(dividendYear) }),
});

/** A year for one person, with what it is reckoned from. */
const reckonedYear = dividendYear.extend({
  sacco: z.object({ id: z.uuid(), name: z.string(), reg_no: z.string().nullable() }),
  member: z.object({ name: z.string() }),
  share_value: shillings,
  /** Entries of the register up to the end of the year, oldest first; those before the year as one of its first day. */
  moves: z.array(z.object({ day: z.iso.date(), shares: z.number().int() })),
  savings: z.object({
    opening: shillings,
    months: z.array(z.object({ net: shillings, lowest: shillings })),
  }),
});
export type MyDividend = z.infer<typeof reckonedYear>;

export const readDividend = route({
  name: 'readDividend',
  method: 'GET',
  path: '/dividends/{year}',
  summary: 'One closed year for one member: what the dividend and the interest are reckoned from, line by line.',
  caller: 'member',
  repetition: 'read',
  params: z.object({ year }),
  reply: reckonedYear,
});

export const readOwnDividends = route({
  name: 'readOwnDividends',
  method: 'GET',
  path: '/my-dividends',
  summary: 'What one gets of the declared dividends of any sacco, newest year first; also where one has left since.',
  caller: 'signed_in',
  repetition: 'read',
  reply: z.object({
    dividends: z.array(
      dividendYear.extend({
        sacco: z.object({ id: z.uuid(), name: z.string() }),
        /** Whether one is a member there now. */
        is_member: z.boolean(),
      }),
    ),
  }),
});
export type OwnDividend = z.infer<typeof readOwnDividends.reply>['dividends'][number];

export const readOwnDividend = route({
  name: 'readOwnDividend',
  method: 'GET',
  path: '/my-dividends/{sacco}/{year}',
  summary:
    'One declared dividend of which one gets a part: what it is reckoned from, line by line, also after one has left.',
  caller: 'signed_in',
  repetition: 'read',
  params: z.object({ sacco: z.uuid(), year }),
  reply: reckonedYear,
  refusals: ['not_found'],
});

export const chooseDividend = route({
  name: 'chooseDividend',
  method: 'PUT',
  path: '/dividends/choice',
  summary: 'Where one wants the next dividend: in the wallet, or in whole shares with the rest in the wallet.',
  caller: 'member',
  repetition: 'natural',
  body: z.object({ into: z.enum(PAID_INTO) }),
  reply: acted({ into: z.enum(PAID_INTO) }),
  refusals: ['dividend_conflict'],
});

const figures = z.object({ surplus: shillings, reserve: shillings, distributable: shillings });
const ratios = z.object({
  core_to_assets: z.number().nullable(),
  institutional_to_assets: z.number().nullable(),
  core_to_deposits: z.number().nullable(),
});

export const readDividendDesk = route({
  name: 'readDividendDesk',
  method: 'GET',
  path: '/sacco/dividends',
  summary: 'For officials: the year that can be closed, what may be distributed, and the years that were closed.',
  caller: 'official',
  repetition: 'read',
  reply: z.object({
    /** The year that comes next; its figures, or why it cannot be closed yet. */
    next: z.object({ year: z.number().int(), figures: figures.nullable(), why_not: said.nullable() }),
    /** The surplus of all closed years that was not distributed. */
    distributable: shillings,
    cash: shillings,
    share_tax: z.number(),
    savings_tax: z.number(),
    share_tax_abroad: z.number(),
    savings_tax_abroad: z.number(),
    years: z.array(
      z.object({
        year: z.number().int(),
        state: z.enum(DIVIDEND_STATES),
        /** Whether it is known what each member's shares and savings count for. A vote can be drafted from then on. */
        is_reckoned: z.boolean(),
        closed_at: instant,
        figures,
        declared: declared.nullable(),
        /** Members with shares or savings in that year. */
        members: z.number().int(),
        gross: shillings.nullable(),
        tax: shillings.nullable(),
      }),
    ),
  }),
});
export type DividendDesk = z.infer<typeof readDividendDesk.reply>;

/** Shillings of one member, or of all. The net amount is what went to loans, to guarantors, into shares and into wallets, and what waits. */
const paidParts = z.object({
  share_dividend: shillings,
  savings_interest: shillings,
  tax_on_shares: shillings,
  tax_on_savings: shillings,
  net: shillings,
  to_loans: shillings,
  /** To guarantors and pools that had paid for the member's loans. */
  to_guarantors: shillings,
  into_shares: shillings,
  into_wallet: shillings,
  /** Not paid yet. */
  waits: shillings,
});

/** Their names, in the order in which they are read. */
export const PAID_PARTS = paidParts.keyof().options;

const memberPayment = paidParts.extend({
  id: z.uuid(),
  name: z.string(),
  /** As other members read of them in trades. */
  handle: z.string().nullable(),
  share_days: z.number().int(),
  /** The weight of the savings: shillings × months, by the method that was voted on. */
  savings_months: shillings,
  shares_bought: z.number().int(),
  /** As it was recorded when the dividend was declared: by it the tax was withheld. */
  lives: z.enum(RESIDENCES),
  paid_at: instant.nullable(),
});

export const readDividendPayments = route({
  name: 'readDividendPayments',
  method: 'GET',
  path: '/sacco/dividends/{year}/payments',
  summary:
    'For officials: what a declared dividend comes to, and what each member got of it and where it went. The reading is recorded.',
  caller: 'official',
  repetition: 'read',
  params: z.object({ year }),
  query: z.object(pageQuery),
  reply: listOf(memberPayment).extend({
    /** With the taxes of members in Kenya. */
    declared,
    share_tax_abroad: z.number(),
    savings_tax_abroad: z.number(),
    share_value: shillings,
    /** The sums of all members. With the first page alone. */
    totals: paidParts.nullable(),
  }),
  refusals: ['not_found'],
});
export type DividendPayments = z.infer<typeof readDividendPayments.reply>;
export type MemberPayment = DividendPayments['results'][number];

const paper = z
  .string()
  .trim()
  .min(5, check('Say which paper you saw, in at least 5 characters.'))
  .max(200, check('Keep it within 200 characters.'))
  .refine(isPlain, NOT_PLAIN);

const residence = z.object({
  /** `id` is the membership’s, as in the list of members. */
  member: z.object({ id: z.uuid(), name: z.string() }),
  lives: z.enum(RESIDENCES),
  paper: z.string(),
  by: z.string(),
  at: instant,
});
export type MemberResidence = z.infer<typeof residence>;

export const recordResidence = route({
  name: 'recordResidence',
  method: 'PUT',
  path: '/sacco/members/{id}/residence',
  summary:
    'An official records where a member lives for the tax, by a paper that they saw; never their own. Back to Kenya it takes another official than recorded abroad. It holds for dividends on which members begin to vote later, and the member is told.',
  caller: 'official',
  offices: ['chair', 'secretary', 'treasurer'],
  repetition: 'natural',
  /** The id in the list of members. */
  params: z.object({ id: z.uuid() }),
  body: z.object({ lives: z.enum(RESIDENCES), paper }),
  reply: acted({ lives: z.enum(RESIDENCES) }),
  refusals: ['proof_required', 'sacco_inactive', 'dividend_conflict'],
});

/** Members of whom it is recorded. */
const RESIDENCES_MAX = 1_000;

export const listResidences = route({
  name: 'listResidences',
  method: 'GET',
  path: '/sacco/dividends/residences',
  summary: 'For officials: who was recorded where a member lives for the tax, by which paper, newest first.',
  caller: 'official',
  repetition: 'read',
  reply: z.object({ results: z.array(residence).max(RESIDENCES_MAX) }),
});

export const closeYear = route({
  name: 'closeYear',
  method: 'POST',
  path: '/sacco/dividends/years',
  summary:
    'Propose to close a year that is over. Once a second official confirms it, a fifth of its surplus is reserve.',
  caller: 'official',
  offices: ['chair', 'secretary', 'treasurer'],
  repetition: 'natural',
  body: z.object({ year }),
  ...proposed,
  refusals: [...proposed.refusals, 'sacco_inactive'],
});

export const simulateDividend = route({
  name: 'simulateDividend',
  method: 'GET',
  path: '/sacco/dividends/simulation',
  summary: 'For officials: what rates would cost, what stays, the capital ratios after it, and what members would get.',
  caller: 'official',
  repetition: 'read',
  query: z.object(rates),
  reply: z.object({
    share_dividend: shillings,
    savings_interest: shillings,
    gross: shillings,
    tax: shillings,
    net: shillings,
    /** The sum that may be distributed before and after; below zero where the rates cost more. */
    distributable: shillings,
    stays: shillings,
    ratios: z.object({
      before: ratios,
      after: ratios,
      minimum: ratios,
      below: z.array(z.string()),
      is_refused: z.boolean(),
    }),
    /** The members who get something, and their sums after tax; null where nobody does. */
    members: z.object({ count: z.number().int(), least: shillings, median: shillings, most: shillings }).nullable(),
    /** The sum that the person who asks would get, after tax. */
    mine: shillings,
    /** Why a vote on it would be refused now. */
    why_not: said.nullable(),
  }),
  refusals: ['dividend_conflict'],
});
export type DividendSimulation = z.infer<typeof simulateDividend.reply>;

export const dividendsContract = [
  readDividends,
  readDividend,
  readOwnDividends,
  readOwnDividend,
  chooseDividend,
  readDividendDesk,
  readDividendPayments,
  recordResidence,
  listResidences,
  closeYear,
  simulateDividend,
] as const;
