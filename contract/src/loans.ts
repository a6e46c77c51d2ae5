import { z } from 'zod';
import { check } from './checks.ts';
import { formerName } from './former-name.ts';
import { agreedSchedule, instalment, RECOVERY_STEPS, recoveryStep } from './loan-recovery.ts';
import { amount, positiveAmount, shillings } from './money.ts';
import { plainText, plainWords, productName } from './plain-text.ts';
import { poolRequestEnd } from './pools.ts';
import { receipt } from './receipts.ts';
import { acted, listOf, OFFICES, type Office, pageQuery, route } from './route.ts';
import { proposed } from './sacco-changes.ts';
import { said } from './said.ts';
import { instant } from './time.ts';
import { CODE_TYPED_MAX } from './typed.ts';
import { wholeNumber } from './whole-number.ts';

/*
 * Loans of a sacco to its members, and the guarantees of other members for them (domain.md 4.1). All routes need the header
 * `saccoId`. Rates are percent a month in replies; money is shillings in replies and cents once parsed.
 */

/** How interest is reckoned. `flat` always shows its true rate beside it. */
export const LOAN_METHODS = ['annuity', 'equal_principal', 'flat'] as const;
export type LoanMethod = (typeof LOAN_METHODS)[number];
/** The use of a payment that no instalment needs yet: the loan ends earlier, its instalments fall, or the next ones are excused. */
export const SURPLUSES = ['shorten', 'lower_instalment', 'excuse'] as const;
export type Surplus = (typeof SURPLUSES)[number];

/**
 * - `guarantors_pending`: the application is made and its guarantees are not all signed.
 * - `submitted`: covered, and with the credit committee. `returned`: the committee asks for a change.
 * - `approved`: waits for the borrower's acceptance of the key facts. `accepted`: waits for its disbursement.
 * - `disbursing`: one official has ordered the disbursement, and another one checks it.
 * - `active`, `in_arrears`, `defaulted`, `recovering`: paid out and owed. `written_off`: given up in the books and still owed.
 * - `rejected`, `withdrawn`, `expired` (30 days without a step of the borrower): never paid out.
 * - `closed`: paid, refinanced or recovered in full.
 */
export const LOAN_STATES = [
  'guarantors_pending',
  'submitted',
  'returned',
  'approved',
  'accepted',
  'disbursing',
  'active',
  'in_arrears',
  'defaulted',
  'recovering',
  'written_off',
  'rejected',
  'withdrawn',
  'expired',
  'closed',
] as const;
export type LoanState = (typeof LOAN_STATES)[number];

/** States in which a loan is owed. */
export const OWED_STATES = [
  'active',
  'in_arrears',
  'defaulted',
  'recovering',
  'written_off',
] as const satisfies LoanState[];

export const LOAN_CLOSINGS = ['paid', 'refinanced', 'recovered'] as const;
export type LoanClosing = (typeof LOAN_CLOSINGS)[number];

/** By days past due: 0, 1-30, 31-180, 181-360, more (domain.md 3.8). */
export const LOAN_CLASSES = ['performing', 'watch', 'substandard', 'doubtful', 'loss'] as const;
export type LoanClass = (typeof LOAN_CLASSES)[number];

/**
 * - `asked`: the guarantor has not answered; it lapses after 7 days.
 * - `accepted`: signed; the pledged savings are held. `live`: the loan is paid out.
 * - `refused`, `lapsed`, `voided` (the terms changed or the loan came to nothing): nothing is held.
 * - `released`: the loan is paid, or another guarantor stands in. `called`: the pledge was taken to pay the loan.
 */
export const GUARANTEE_STATES = [
  'asked',
  'accepted',
  'live',
  'refused',
  'lapsed',
  'voided',
  'released',
  'called',
] as const;
export type GuaranteeState = (typeof GUARANTEE_STATES)[number];

/** What happened to a loan, in order; a timeline shows each with its moment. */
export const LOAN_EVENTS = [
  'applied',
  'guarantor_asked',
  'guarantor_accepted',
  'guarantor_refused',
  'guarantor_lapsed',
  'guarantor_replaced',
  'guarantor_needless',
  'submitted',
  'returned',
  'reviewed',
  'approved',
  'rejected',
  'withdrawn',
  'expired',
  'accepted',
  'disbursement_ordered',
  'disbursement_refused',
  'disbursed',
  'repaid',
  'prepaid',
  'charges_taken_back',
  'rest_forgiven',
  'charges_waived',
  'paid_off',
  'instalment_missed',
  'reminded',
  'notice_borrower',
  'notice_guarantors',
  'second_notice',
  'defaulted',
  'final_notice',
  'recovered',
  'guarantor_paid',
  'guarantor_refunded',
  'restructured',
  'schedule_offered',
  'schedule_refused',
  'schedule_withdrawn',
  'schedule_lapsed',
  'refinanced',
  'written_off',
  'closed',
] as const;
export type LoanEventKind = (typeof LOAN_EVENTS)[number];

export const GUARANTOR_MEMBER_DAYS = 180;
export const GUARANTEES_LIVE_MAX = 5;
/** Days in which a guarantor answers, and after which an application without a step of the borrower expires. */
export const GUARANTEE_ANSWER_DAYS = 7;
export const APPLICATION_DAYS = 30;
/** Days in which the committee decides; shown to the borrower. */
export const REVIEW_DAYS = 14;
/** Savings that came in within so many days do not count for the limit, but for standing orders and equal sums each month. */
export const QUALIFYING_DAYS = 90;
/** Instalments may take two thirds of the declared net income. */
export const ABILITY_PARTS = { of: 3, most: 2 } as const;
/** Up to so many cents the credit committee may decide alone: what a sacco may set. Without a change it is the most. */
export const COMMITTEE_ALONE_CENTS = { least: 50_000_00, most: 1_000_000_00 } as const;
/** The most that a sacco may let its manager decide alone, in cents. Without a change it is nothing. */
export const MANAGER_ALONE_CENTS_MAX = 50_000_00;
export const COMMITTEE_APPROVALS = 2;
export const GUARANTORS_PER_LOAN_MAX = 10;
/** Requests to guarantors that a borrower makes in a sacco in 24 hours, and for one application in all. */
export const ASKS_A_DAY = 10;
export const ASKS_PER_APPLICATION = 20;
export const OPEN_APPLICATIONS_MAX = 2;
/** Days behind the due date in which no penalty runs. */
export const PENALTY_GRACE_DAYS = 5;

const LOAN_CENTS_MAX = 100_000_000_00;
const months = wholeNumber(1, 120);
const loanAmount = positiveAmount.refine(
  (cents) => cents <= LOAN_CENTS_MAX,
  check('A loan is at most Ksh. 100,000,000.'),
);
const params = z.object({ id: z.uuid() });
const hash = z
  .string()
  .min(64)
  .max(64)
  .regex(/^[0-9a-f]+$/);
const code = z.string().max(CODE_TYPED_MAX);
const person = z.object({ id: z.uuid(), name: z.string() });

/** The terms of a product that hold now. */
export const loanProduct = z.object({
  id: z.uuid(),
  name: z.string(),
  method: z.enum(LOAN_METHODS),
  /** Percent a month, as the method takes it; and percent a month on the balance owed, fee included, which compares products. */
  monthly_rate: z.number(),
  /** Twelve times the rate a month, exactly. */
  yearly_rate: z.number(),
  /** It depends on the months: the least and the most of all from `min_months` to `max_months`. */
  true_monthly_rate: z.object({ least: z.number(), most: z.number() }),
  min_amount: shillings,
  max_amount: shillings,
  min_months: z.number().int(),
  max_months: z.number().int(),
  /** The limit is so many times the qualifying savings. */
  multiplier: z.number(),
  min_member_days: z.number().int(),
  min_guarantors: z.number().int(),
  /** Percent of the amount, taken out of the disbursement. */
  fee_percentage: z.number(),
  /** Percent a month of an overdue instalment, from the sixth day on. */
  penalty_rate: z.number(),
  /** Instalments are rounded up to whole shillings; the last takes the rest. */
  whole_shillings: z.boolean(),
  is_offered: z.boolean(),
  valid_from: instant,
});
export type LoanProduct = z.infer<typeof loanProduct>;

/** Who decides about how much, as it holds now. A member's other loans count with the one that is decided. */
export const lendingAuthority = z.object({
  committee_alone: shillings,
  /** 0: the manager decides nothing alone. */
  manager_alone: shillings,
  /** Null where the sacco has changed nothing. */
  valid_from: instant.nullable(),
});
export type LendingAuthority = z.infer<typeof lendingAuthority>;

export type Instalment = z.infer<typeof instalment>;

/** What limits a loan, each with its figure: the smallest decides. */
export const loanLimit = z.object({
  limit: shillings,
  parts: z.array(
    z.object({
      kind: z.enum(['savings', 'product', 'core_capital', 'ability']),
      amount: shillings,
      text: said,
    }),
  ),
  /** Why none can be had at all, a sentence each; empty where nothing stands against it. */
  against: z.array(said),
});
export type LoanLimit = z.infer<typeof loanLimit>;

export const loanQuote = z.object({
  product: loanProduct,
  amount: shillings,
  months: z.number().int(),
  /** The largest instalment. */
  instalment: shillings,
  total_interest: shillings,
  fee: shillings,
  /** What arrives in the wallet: the amount less the fee. */
  paid_out: shillings,
  /** What the pool that was named takes when the loan is paid out; 0 without one. */
  pool_fee: shillings,
  /** Interest and both fees. */
  total_cost: shillings,
  /** Percent a month and a year (nominal) on the balance owed, both fees included. */
  true_monthly_rate: z.number(),
  annual_percentage_rate: z.number(),
  schedule: z.array(instalment),
  limit: loanLimit,
  /** Own free savings that would stand in, and what guarantors must cover. */
  own_cover: shillings,
  to_cover: shillings,
  guarantors_needed: z.number().int(),
});
export type LoanQuote = z.infer<typeof loanQuote>;

/** A guarantee as the borrower and the officials read it. */
export const guarantee = z.object({
  id: z.uuid(),
  kind: z.enum(['member', 'self', 'pool']),
  /** The member's name, or the pool's; and the member's id in the list of members, null for a pool. */
  name: z.string(),
  member: z.uuid().nullable(),
  amount: shillings,
  /** What is still pledged. */
  pledged: shillings,
  state: z.enum(GUARANTEE_STATES),
  asked_at: instant,
  answer_by: instant.nullable(),
  signed_at: instant.nullable(),
  /** Paid by the guarantor and not refunded yet. */
  claim: shillings,
  /** What was taken of it to pay the loan, and what of that the borrower has paid back; null while nothing was. */
  called: z.object({ paid: shillings, recovered: shillings }).nullable(),
  /** Who of a pool declined it, when and why; for the borrower alone, null for any other. */
  declined: poolRequestEnd.nullable(),
  /** The guarantee in whose place this one is to stand, until the committee has decided; null for any other. */
  replaces: z.uuid().nullable(),
  /** When the guarantor asked to be replaced. */
  release_asked_at: instant.nullable(),
  /** What the borrower may do with it now: ask for another amount, take the request back, name somebody else in its place. */
  may: z.array(z.enum(['change_amount', 'take_back', 'replace'])),
});
export type Guarantee = z.infer<typeof guarantee>;

export const loan = z.object({
  id: z.uuid(),
  /** The account under which M-Pesa's paybill takes repayments: nine digits. */
  number: z.string(),
  sacco: z.object({ id: z.uuid(), name: z.string() }),
  product: z.string(),
  state: z.enum(LOAN_STATES),
  closed_because: z.enum(LOAN_CLOSINGS).nullable(),
  amount: shillings,
  months: z.number().int(),
  /** Those of the new schedule that holds; null where none does. */
  new_months: z.number().int().nullable(),
  applied_at: instant,
  disbursed_at: instant.nullable(),
  /** Principal owed. */
  principal_owed: shillings,
  /** All that is owed today: principal, interest up to this day and penalty. What pays the loan off. */
  owed: shillings,
  /** What guarantors paid for it and have not got back: the borrower owes it to them besides. */
  owed_to_guarantors: shillings,
  /** What is due by today and not paid: penalty, interest and principal. */
  overdue: shillings,
  days_past_due: z.number().int(),
  /** Borrower and guarantors are asked about a new schedule now. The offer is read by itself. */
  has_offer: z.boolean(),
  next_due: z.object({ amount: shillings, date: z.iso.date() }).nullable(),
  /** What whoever asks may do with it now. */
  may: z.array(
    z.enum([
      'ask_guarantors',
      'pay_guarantors',
      'submit',
      'change',
      'withdraw',
      'accept',
      'repay',
      'review',
      'disburse',
      'check',
      'default',
      'recover',
      'write_off',
      'restructure',
    ]),
  ),
});
export type Loan = z.infer<typeof loan>;

export const loanEvent = z.object({
  at: instant,
  kind: z.enum(LOAN_EVENTS),
  /** One sentence for whoever asks. */
  text: said,
  amount: shillings.nullable(),
  /** The journal by which whoever asks paid or was paid, for its receipt; null where their wallet did not move. */
  journal: z.string().nullable(),
});
export type LoanEvent = z.infer<typeof loanEvent>;

export const scheduled = instalment.extend({
  paid: shillings,
  state: z.enum(['coming', 'paid', 'due', 'overdue']),
  paid_on: z.iso.date().nullable(),
});

/** Principal that was paid outside of the instalments, before it was due or by a recovery: one line of a kind for each instalment. */
export const earlyPrincipal = z.object({
  /** The day of the last payment of the line. */
  on: z.iso.date(),
  /** How many payments it is. */
  payments: z.number().int(),
  /** `paid_off`: with it the loan was over. `recovered`: it was taken, from savings, a pool, guarantors or a dividend. */
  kind: z.enum(['prepaid', 'paid_off', 'recovered']),
  /** The instalment behind which it stands in the schedule. */
  after: z.number().int(),
  principal: shillings,
  /** Principal that is left after this line and all before it, as the schedule shows them. */
  balance_after: shillings,
});
export type EarlyPrincipal = z.infer<typeof earlyPrincipal>;

/** A loan tells so many of its newest movements, and its timeline so many of its newest payments. `listLoanMovements` has all. */
export const LOAN_MOVEMENTS_SHOWN = 10;

/** One movement of money of a loan, the newest first in a list. `amount` is principal, interest, penalty and fee, but for a payout: of it the fee was kept. */
export const loanMovement = z.object({
  /** Names it among the movements of its loan. */
  id: z.string(),
  at: instant,
  what: said,
  amount: shillings,
  principal: shillings,
  interest: shillings,
  penalty: shillings,
  fee: shillings,
  /** Principal that is owed after it. */
  balance_after: shillings,
  /** The number of its entry in the books; null where it has none of its own. */
  entry: z.string().nullable(),
});
export type LoanMovement = z.infer<typeof loanMovement>;

/** What a borrower signs: the key facts. Its hash is over their exact values. */
export const keyFacts = z.object({
  hash,
  amount: shillings,
  paid_out: shillings,
  fee: shillings,
  months: z.number().int(),
  instalment: shillings,
  first_due_on: z.iso.date(),
  total_interest: shillings,
  total_cost: shillings,
  monthly_rate: z.number(),
  yearly_rate: z.number(),
  true_monthly_rate: z.number(),
  annual_percentage_rate: z.number(),
  penalty_rate: z.number(),
  method: z.enum(LOAN_METHODS),
  /** Instalments are rounded up to whole shillings; the last takes the rest. */
  whole_shillings: z.boolean(),
  /** The pool's fee, paid when the loan is paid out; 0 without a pool. */
  pool_fee: shillings,
});
export type KeyFacts = z.infer<typeof keyFacts>;

/** What a loan asks for by the new schedule that holds. */
export const newScheduleInForce = z.object({
  on: instant,
  principal: shillings,
  months: z.number().int(),
  instalment: shillings,
  total_interest: shillings,
  first_due_on: z.iso.date(),
  last_due_on: z.iso.date(),
  true_monthly_rate: z.number(),
  annual_percentage_rate: z.number(),
});

export const loanDetail = loan.extend({
  product_id: z.uuid(),
  purpose: z.string(),
  /** As the borrower declared it: what is left of a month's income before this loan. */
  net_income: shillings,
  method: z.enum(LOAN_METHODS),
  monthly_rate: z.number(),
  yearly_rate: z.number(),
  /** When it was last handed in to the committee; null before, and while a changed one is not handed in again. */
  submitted_at: instant.nullable(),
  /** Days in which the committee decides, and when they are over; null before it was submitted and once it is decided. */
  decide_by: instant.nullable(),
  /** Up to this day. */
  interest_owed: shillings,
  penalty_owed: shillings,
  cover: z.object({
    needed: shillings,
    own: shillings,
    guarantors: shillings,
    pool: shillings,
    guarantors_needed: z.number().int(),
  }),
  guarantees: z.array(guarantee),
  key_facts: keyFacts,
  /** The instalments as they hold. With `early` their principal is the amount of the loan. */
  schedule: z.array(scheduled),
  early: z.array(earlyPrincipal),
  /** The schedule with which the loan was paid out, where it does not hold any more; else null. */
  agreed: z.array(instalment).nullable(),
  /** The new schedule that all agreed to last and that holds, and when it began; null where there was none. */
  changed: newScheduleInForce.nullable(),
  /** What happened, in order. Of payments it has the newest (`LOAN_MOVEMENTS_SHOWN`), and of what guarantors got back as many. */
  timeline: z.array(loanEvent),
  /** Whether there are payments, or refunds of guarantors, that the timeline leaves out. */
  has_more_payments: z.boolean(),
  /** The newest movements of money (`LOAN_MOVEMENTS_SHOWN`), the newest first. */
  movements: z.array(loanMovement),
  has_more_movements: z.boolean(),
  standing_repayment: z.boolean(),
  /** The use of a payment that no instalment needs yet, as the borrower has chosen. */
  surplus: z.enum(SURPLUSES),
  /** Where the money goes, as the borrower accepted it; null before. */
  pay_to: z.enum(['wallet', 'mpesa']).nullable(),
  /** One's own loan that is paid off from this one, and what of it is owed; null without or once it is paid off. */
  refinances: z.object({ number: z.string(), owed: shillings }).nullable(),
  /** Why it was returned or rejected, for the borrower. */
  reason: z.string().nullable(),
  /**
   * What of the borrower's savings in the sacco may be taken if the loan is not repaid, as things are now: those that are held for it, then
   * the others, at most what is owed or asked for. Null once the loan is over, given up, or they were taken.
   */
  taking: z.object({ held: shillings, free: shillings, most: shillings }).nullable(),
  /** What is done about a loan that is behind, in its order: when each step was taken, or from when on it may be. Empty for others. */
  steps: z.array(recoveryStep),
});
export type LoanDetail = z.infer<typeof loanDetail>;

/** What a guarantor reads before signing: all that the loan is, and the worst that can happen. */
export const guaranteeRequest = z.object({
  id: z.uuid(),
  loan: z.uuid(),
  state: z.enum(GUARANTEE_STATES),
  borrower: z.string(),
  /** Nobody else has it; it never changes. */
  borrower_number: z.string(),
  former_name: formerName.nullable(),
  sacco: z.object({ id: z.uuid(), name: z.string() }),
  purpose: z.string(),
  amount: shillings,
  months: z.number().int(),
  instalment: shillings,
  monthly_rate: z.number(),
  yearly_rate: z.number(),
  true_monthly_rate: z.number(),
  /** What is asked of the guarantor; the most that they can lose. */
  pledge: shillings,
  pledged: shillings,
  worst_case: shillings,
  /** What is free to be pledged: savings less what is pledged already. */
  free_savings: shillings,
  /** How the borrower repaid in the last 24 months; null to who does not stand for the loan, nor is asked to. */
  history: z
    .object({
      loans: z.number().int(),
      instalments: z.number().int(),
      on_time: z.number().int(),
      late: z.number().int(),
      in_arrears_now: z.boolean(),
      defaults: z.number().int(),
    })
    .nullable(),
  asked_at: instant,
  answer_by: instant.nullable(),
  signed_at: instant.nullable(),
  /** Until when a signature holds that can be taken back still; null for any other. */
  signature_ends: instant.nullable(),
  /** Over the exact terms; the acceptance sends it back. */
  terms_hash: hash,
  /** How the loan stands; null to who does not stand for it, nor is asked to. */
  loan_state: z.enum(LOAN_STATES).nullable(),
  days_past_due: z.number().int(),
  /** Of a guarantee in force: the guarantor is asked about a new schedule now. The offer is read by itself. */
  has_offer: z.boolean(),
  /** Paid for the borrower and owed to the guarantor. */
  claim: shillings,
  /** When one asked to be replaced. */
  release_asked_at: instant.nullable(),
  /**
   * Of a guarantee in force whose loan is behind: the next step of its recovery and from when on it may be taken, and from when on
   * the guarantor's savings may be. Null days are not known yet.
   */
  recovery: z
    .object({ next: z.enum(RECOVERY_STEPS).nullable(), next_from: instant.nullable(), taken_from: instant.nullable() })
    .nullable(),
  may: z.array(z.enum(['accept', 'refuse', 'ask_to_be_replaced'])),
});
export type GuaranteeRequest = z.infer<typeof guaranteeRequest>;

const done = acted({ loan: loanDetail });
const guaranteed = acted({ guarantee: guaranteeRequest });

/** A request as it is read before it is answered. */
export const guaranteeToSign = guaranteeRequest.extend({
  /** It is asked, and the application is covered without it at this moment. Nothing more is said of the borrower's savings. */
  is_needless: z.boolean(),
  /** The application is covered at this moment, and waits for the borrower to send it to the committee. */
  is_covered: z.boolean(),
  /**
   * What signing does to the guarantor's own money: savings that are free and may stand for a loan of theirs, and what they can
   * borrow, now and after it. Null where nothing waits for a signature.
   */
  signing: z
    .object({
      free: shillings,
      free_after: shillings,
      limit: shillings,
      limit_after: shillings,
      /**
       * Their own applications in that sacco that wait for their cover and of which signing changes something: what of their savings
       * covers each and what is missing, now and after it.
       */
      applications: z.array(
        z.object({
          id: z.uuid(),
          number: z.string(),
          own: shillings,
          own_after: shillings,
          to_cover: shillings,
          to_cover_after: shillings,
        }),
      ),
    })
    .nullable(),
  /** The terms as they were signed, whatever came later, and the hash over them; null before a signature. */
  signed: z
    .object({
      at: instant,
      /** The most that can be lost. */
      pledge: shillings,
      amount: shillings,
      months: z.number().int(),
      instalment: shillings,
      monthly_rate: z.number(),
      yearly_rate: z.number(),
      penalty_rate: z.number(),
      purpose: z.string(),
      /** Null where it was signed before names were. */
      borrower: z.string().nullable(),
      borrower_number: z.string().nullable(),
      hash,
    })
    .nullable(),
  /** The new schedules that one agreed to since, the latest first. */
  schedules: z.array(agreedSchedule),
});
export type GuaranteeToSign = z.infer<typeof guaranteeToSign>;

const guarantorAsked = z.object({
  /** The id of a member in the list of members. */
  member: z.uuid(),
  amount: positiveAmount,
});

export const listLoanProducts = route({
  name: 'listLoanProducts',
  method: 'GET',
  path: '/loans/products',
  summary: 'The loans that the sacco offers, with the terms that hold now, and what stands against one’s own loan.',
  caller: 'member',
  repetition: 'read',
  reply: z.object({ products: z.array(loanProduct), limit: loanLimit }),
});

export const listAllLoanProducts = route({
  name: 'listAllLoanProducts',
  method: 'GET',
  path: '/loans/all-products',
  summary:
    'All loans of the sacco with their terms, also those that it does not offer now: members draft votes on them.',
  caller: 'member',
  repetition: 'read',
  reply: z.object({ products: z.array(loanProduct) }),
});

export const listOfferedLoanProducts = route({
  name: 'listOfferedLoanProducts',
  method: 'GET',
  path: '/sacco/{id}/loan-products',
  summary:
    'The loans that an active sacco offers to its members, with the terms that hold now. Public: it names nobody.',
  caller: 'anyone',
  repetition: 'read',
  params,
  reply: z.object({
    products: z.array(loanProduct),
    /** Whether it has the officials now to decide about the smallest of them and to pay it out; without any, about any loan. */
    has_officials_to_lend: z.boolean(),
  }),
});

export const quoteLoan = route({
  name: 'quoteLoan',
  method: 'POST',
  path: '/loans/quote',
  summary: 'What a loan would cost, with its full schedule if it were paid out today. Nothing is kept.',
  caller: 'member',
  repetition: 'read',
  body: z.object({
    product: z.uuid(),
    amount: loanAmount,
    months,
    net_income: positiveAmount.optional(),
    /** The fee of a pool's guarantee that stands behind it. */
    pool_fee: positiveAmount.optional(),
  }),
  reply: loanQuote,
  refusals: ['loan_terms_not_met'],
});

export const applyForLoan = route({
  name: 'applyForLoan',
  method: 'POST',
  path: '/loans',
  summary:
    'Apply for a loan: the application is kept, and each guarantor is asked. It is submitted once it is covered.',
  caller: 'member',
  repetition: 'key',
  body: z.object({
    product: z.uuid(),
    amount: loanAmount,
    months,
    purpose: plainWords(500, check('Say what the loan is for.')),
    /** What is left of a month's income before this loan. */
    net_income: positiveAmount,
    guarantors: z.array(guarantorAsked).max(GUARANTORS_PER_LOAN_MAX).default([]),
    /** A pool's guarantee request that was quoted for this loan. */
    pool_guarantee: z.uuid().optional(),
    /** One's own loan that is paid off from this one. */
    refinances: z.uuid().optional(),
  }),
  status: 201,
  reply: done,
  refusals: [
    'sacco_inactive',
    'full_rights_required',
    'exit_conflict',
    'loan_terms_not_met',
    'loan_limit_exceeded',
    'guarantor_not_accepted',
    'pool_request_conflict',
    'loan_conflict',
  ],
});

export const listMyLoans = route({
  name: 'listMyLoans',
  method: 'GET',
  path: '/loans',
  summary: 'One’s own loans in the sacco, newest first.',
  caller: 'member',
  repetition: 'read',
  /** `unsettled`: the open ones, and those that are closed while guarantors who paid for them have not got it back. */
  query: z.object({ status: z.enum(['open', 'unsettled', 'over']).optional(), ...pageQuery }),
  reply: listOf(loan),
});

export const readLoan = route({
  name: 'readLoan',
  method: 'GET',
  path: '/loans/{id}',
  summary: 'One of one’s own loans: schedule, balance, guarantors and what happened.',
  caller: 'member',
  repetition: 'read',
  params,
  reply: loanDetail,
});

export const listLoanMovements = route({
  name: 'listLoanMovements',
  method: 'GET',
  path: '/loans/{id}/movements',
  summary: 'Every movement of money of one of one’s own loans, newest first.',
  caller: 'member',
  repetition: 'read',
  params,
  query: z.object(pageQuery),
  reply: listOf(loanMovement),
});

export const changeLoan = route({
  name: 'changeLoan',
  method: 'PUT',
  path: '/loans/{id}',
  summary: 'Change an application that is not submitted, or was returned. Signatures for other terms are void.',
  caller: 'member',
  repetition: 'natural',
  params,
  body: z.object({ amount: loanAmount, months, purpose: plainWords(500), net_income: positiveAmount }),
  reply: done,
  refusals: [
    'sacco_inactive',
    'full_rights_required',
    'exit_conflict',
    'loan_terms_not_met',
    'loan_limit_exceeded',
    'guarantor_not_accepted',
    'loan_conflict',
  ],
});

export const askGuarantor = route({
  name: 'askGuarantor',
  method: 'POST',
  path: '/loans/{id}/guarantors',
  summary: 'Ask a member to guarantee a part of the loan, or ask again with another amount before they have answered.',
  caller: 'member',
  repetition: 'natural',
  params,
  body: guarantorAsked,
  reply: done,
  refusals: [
    'sacco_inactive',
    'full_rights_required',
    'exit_conflict',
    'loan_terms_not_met',
    'guarantor_not_accepted',
    'loan_conflict',
  ],
});

export const dropGuarantor = route({
  name: 'dropGuarantor',
  method: 'DELETE',
  path: '/loans/{id}/guarantors/{guarantee}',
  summary: 'Take a request to a guarantor back, before the loan is submitted.',
  caller: 'member',
  repetition: 'natural',
  params: z.object({ id: z.uuid(), guarantee: z.uuid() }),
  reply: done,
  refusals: ['loan_conflict'],
});

export const submitLoan = route({
  name: 'submitLoan',
  method: 'POST',
  path: '/loans/{id}/submission',
  summary:
    'Hand a covered application to the credit committee. One’s own savings that cover a part are held from then on.',
  caller: 'member',
  repetition: 'natural',
  params,
  reply: done,
  refusals: [
    'proof_required',
    'payout_held',
    'phone_unconfirmed',
    'sacco_inactive',
    'full_rights_required',
    'exit_conflict',
    'loan_terms_not_met',
    'loan_limit_exceeded',
    'loan_not_covered',
    'loan_conflict',
  ],
});

export const withdrawLoan = route({
  name: 'withdrawLoan',
  method: 'POST',
  path: '/loans/{id}/withdrawal',
  summary: 'Take an application back, any time before it is paid out. All that was pledged is free again.',
  caller: 'member',
  repetition: 'natural',
  params,
  reply: done,
  refusals: ['loan_conflict'],
});

export const acceptLoan = route({
  name: 'acceptLoan',
  method: 'POST',
  path: '/loans/{id}/acceptance',
  summary:
    'The borrower accepts the key facts of an approved loan, by the hash that was shown, and says where the money goes.',
  caller: 'member',
  repetition: 'natural',
  params,
  body: z.object({ terms_hash: hash, pay_to: z.enum(['wallet', 'mpesa']).default('wallet') }),
  reply: done,
  refusals: ['proof_required', 'payout_held', 'phone_unconfirmed', 'loan_terms_changed', 'loan_conflict'],
});

export const repayLoan = route({
  name: 'repayLoan',
  method: 'POST',
  path: '/loans/{id}/repayments',
  summary:
    'Pay from the wallet: penalty, what is due, interest up to the day, then principal. What no instalment needs yet shortens the loan, or what the borrower chose.',
  caller: 'member',
  whileSuspended: true,
  repetition: 'key',
  params,
  body: z.object({
    amount: positiveAmount,
    /** For this payment alone; left out, as the borrower has chosen for the loan. */
    surplus: z.enum(SURPLUSES).optional(),
  }),
  reply: acted({ loan: loanDetail, receipt }),
  refusals: ['insufficient_funds', 'loan_overpaid', 'loan_conflict', 'proof_required', 'payout_held'],
});

export const previewRepayment = route({
  name: 'previewRepayment',
  method: 'POST',
  path: '/loans/{id}/repayments/preview',
  summary: 'What the loan would be after a payment of today. Nothing is kept.',
  caller: 'member',
  whileSuspended: true,
  repetition: 'read',
  params,
  body: z.object({ amount: positiveAmount, surplus: z.enum(SURPLUSES).optional() }),
  reply: z.object({
    /** The sum that would be taken: no more than is owed. */
    amount: shillings,
    surplus: z.enum(SURPLUSES),
    /** Null where it pays the loan off. */
    next_due: z.object({ date: z.iso.date(), amount: shillings }).nullable(),
    last_due_on: z.iso.date().nullable(),
    /** Interest of the schedule that would not come any more. */
    saved: shillings,
  }),
  refusals: ['loan_conflict'],
});

export const setSurplus = route({
  name: 'setSurplus',
  method: 'PUT',
  path: '/loans/{id}/surplus',
  summary:
    'Choose what becomes of a payment that no instalment needs yet: a shorter loan, lower instalments, or the next ones excused.',
  caller: 'member',
  repetition: 'natural',
  params,
  body: z.object({ surplus: z.enum(SURPLUSES) }),
  reply: done,
  refusals: ['loan_conflict'],
});

export const promptRepayment = route({
  name: 'promptRepayment',
  method: 'POST',
  path: '/loans/{id}/prompts',
  summary: 'Pay by an M-Pesa prompt on one’s own confirmed phone: what arrives goes to the loan.',
  caller: 'member',
  whileSuspended: true,
  repetition: 'key',
  params,
  body: z.object({
    amount: positiveAmount,
    /** Kept for the loan together with the prompt; left out, as the borrower has chosen before. */
    surplus: z.enum(SURPLUSES).optional(),
  }),
  status: 202,
  reply: acted({ deposit: z.object({ id: z.uuid() }) }),
  refusals: [
    'phone_unconfirmed',
    'phone_not_kenyan',
    'amount_not_whole_shillings',
    'amount_out_of_range',
    'deposit_in_progress',
    'loan_conflict',
  ],
});

export const readPayoff = route({
  name: 'readPayoff',
  method: 'GET',
  path: '/loans/{id}/payoff',
  summary: 'What pays the loan off today: principal, and interest to this day only.',
  caller: 'member',
  repetition: 'read',
  params,
  reply: z.object({
    amount: shillings,
    principal: shillings,
    interest: shillings,
    penalty: shillings,
    /** What guarantors and a pool have paid for the borrower and are owed: they are paid first. */
    claims: shillings,
    /** Interest that would still come by the schedule and is saved. */
    saved: shillings,
    day: z.iso.date(),
  }),
  refusals: ['loan_conflict'],
});

export const payOffLoan = route({
  name: 'payOffLoan',
  method: 'POST',
  path: '/loans/{id}/payoff',
  summary: 'Pay the loan off from the wallet, at the amount that was shown.',
  caller: 'member',
  whileSuspended: true,
  repetition: 'key',
  params,
  body: z.object({ amount: positiveAmount }),
  reply: acted({ loan: loanDetail, receipt }),
  refusals: ['insufficient_funds', 'loan_terms_changed', 'loan_conflict', 'proof_required', 'payout_held'],
});

export const setStandingRepayment = route({
  name: 'setStandingRepayment',
  method: 'PUT',
  path: '/loans/{id}/standing-repayment',
  summary: 'Pay each instalment from the wallet on its day by itself, or no longer.',
  caller: 'member',
  whileSuspended: true,
  repetition: 'natural',
  params,
  body: z.object({ is_on: z.boolean() }),
  reply: done,
  refusals: ['proof_required', 'loan_conflict'],
});

export const listGuaranteeRequests = route({
  name: 'listGuaranteeRequests',
  method: 'GET',
  path: '/loans/guarantee-requests',
  summary: 'Guarantees that are asked of one and those that one has given, newest first, with the worst case of each.',
  caller: 'member',
  repetition: 'read',
  /** `waiting`: asked, and those in force whose loan is 30 days late or in default, so that savings of the guarantor may be taken. */
  query: z.object({ status: z.enum(['asked', 'given', 'over', 'waiting']).optional(), ...pageQuery }),
  reply: listOf(guaranteeRequest).extend({
    /** What one has pledged for others in the sacco, and what could still be pledged. */
    pledged: shillings,
    free_savings: shillings,
  }),
});

export const readGuaranteeRequest = route({
  name: 'readGuaranteeRequest',
  method: 'GET',
  path: '/loans/guarantees/{id}',
  summary: 'One guarantee that is asked of one, or that one has given.',
  caller: 'member',
  repetition: 'read',
  params,
  reply: guaranteeToSign,
});

export const askGuaranteeCode = route({
  name: 'askGuaranteeCode',
  method: 'POST',
  path: '/loans/guarantees/{id}/code',
  summary: 'Send the guarantor an SMS with the code that signs, which says what is signed.',
  caller: 'member',
  repetition: 'natural',
  params,
  body: z.object({ terms_hash: hash }),
  reply: acted({ expires_at: instant }),
  refusals: ['phone_unconfirmed', 'loan_terms_changed', 'guarantee_conflict'],
});

export const acceptGuarantee = route({
  name: 'acceptGuarantee',
  method: 'POST',
  path: '/loans/guarantees/{id}/acceptance',
  summary: 'Sign a guarantee with the code of the SMS, over the hash of the exact terms. The pledge is held at once.',
  caller: 'member',
  repetition: 'natural',
  params,
  body: z.object({ terms_hash: hash, code }),
  reply: guaranteed,
  refusals: ['payout_held', 'otp_not_accepted', 'loan_terms_changed', 'guarantor_not_accepted', 'guarantee_conflict'],
});

export const refuseGuarantee = route({
  name: 'refuseGuarantee',
  method: 'POST',
  path: '/loans/guarantees/{id}/refusal',
  summary:
    'Say no, or take a signature back before the application is handed in. The borrower learns that, and never why.',
  caller: 'member',
  repetition: 'natural',
  params,
  reply: guaranteed,
  refusals: ['guarantee_conflict'],
});

export const replaceGuarantor = route({
  name: 'replaceGuarantor',
  method: 'POST',
  path: '/loans/guarantees/{id}/substitution',
  summary:
    'The borrower names another member in a guarantor’s place. Once that member has signed and the committee has confirmed, both change at one moment.',
  caller: 'member',
  repetition: 'natural',
  params,
  body: z.object({ member: z.uuid() }),
  reply: done,
  refusals: ['guarantor_not_accepted', 'guarantee_conflict', 'loan_conflict'],
});

export const askToBeReplaced = route({
  name: 'askToBeReplaced',
  method: 'POST',
  path: '/loans/guarantees/{id}/release-request',
  summary:
    'A guarantor asks the borrower to find somebody else. They stay bound until another one has signed and the committee has confirmed.',
  caller: 'member',
  repetition: 'natural',
  params,
  reply: guaranteed,
  refusals: ['guarantee_conflict'],
});

/* The credit desk: officials of the sacco. Each reading of a member's loan is recorded. */

const DESK_LISTS = [
  'to_review',
  'to_disburse',
  'to_check',
  'substitutions',
  'arrears',
  'active',
  'written_off',
  'over',
] as const;

export const deskLoan = loan.extend({
  borrower: person,
  /** The borrower holds an office of the sacco now. */
  is_of_official: z.boolean(),
  former_name: formerName.nullable(),
  class: z.enum(LOAN_CLASSES).nullable(),
  provision: shillings,
  decide_by: instant.nullable(),
  /** What comes next for a loan in arrears, and when it may be done. */
  next_step: z.object({ text: said, from: instant.nullable() }).nullable(),
});
export type DeskLoan = z.infer<typeof deskLoan>;

export const loanReview = z.object({
  by: person,
  office: z.enum(OFFICES),
  decision: z.enum(['approve', 'reject', 'return']),
  reason: z.string(),
  at: instant,
});

export const deskLoanDetail = loanDetail.extend({
  is_of_official: z.boolean(),
  former_name: formerName.nullable(),
  borrower: person.extend({
    id_number: z.string(),
    phone_number: z.string(),
    joined_at: instant,
    identity_seen: z.boolean(),
    savings: shillings,
    shares: z.number().int(),
    guarantees_given: shillings,
    other_loans: shillings,
    history: guaranteeRequest.shape.history.unwrap(),
  }),
  limit: loanLimit,
  class: z.enum(LOAN_CLASSES).nullable(),
  provision: shillings,
  reviews: z.array(loanReview),
  /** How many approvals it needs, of whom; and what the rules say against it. */
  approvals: z.object({
    committee: z.number().int(),
    needed: z.number().int(),
    second_tier: z.boolean(),
    second_tier_given: z.boolean(),
    /** Whether the manager's vote alone can still decide it, and whether it did. */
    manager: z.boolean(),
    manager_given: z.boolean(),
    /** Who decides it and why, a sentence each; empty before it was submitted. */
    who: z.array(said),
  }),
  findings: z.array(z.object({ is_met: z.boolean(), text: said })),
  /** Why whoever asks may not take the step that is due now: their own loan, their guarantee, their office, a vote that they have cast. */
  barred: said.nullable(),
  /**
   * Why whoever asks may say no and not yes: another account that looks like theirs has approved the loan or ordered its payout
   * (docs/decisions/189), or the sacco is not active.
   */
  second_account: said.nullable(),
  disbursement: z.object({ ordered_by: person, ordered_at: instant }).nullable(),
});
export type DeskLoanDetail = z.infer<typeof deskLoanDetail>;

const deskDone = acted({ loan: deskLoanDetail });

export const listDeskLoans = route({
  name: 'listDeskLoans',
  method: 'GET',
  path: '/sacco/loans',
  summary: 'Loans of the sacco for its officials: what waits for a decision, or what is owed.',
  caller: 'official',
  repetition: 'read',
  query: z.object({ list: z.enum(DESK_LISTS).default('to_review'), ...pageQuery }),
  reply: listOf(deskLoan),
});

export const readDeskLoan = route({
  name: 'readDeskLoan',
  method: 'GET',
  path: '/sacco/loans/{id}',
  summary:
    'Everything about one loan that its review needs. The reading is recorded; the borrower and guarantors read theirs elsewhere.',
  caller: 'official',
  repetition: 'read',
  params,
  reply: deskLoanDetail,
});

export const listDeskLoanMovements = route({
  name: 'listDeskLoanMovements',
  method: 'GET',
  path: '/sacco/loans/{id}/movements',
  summary:
    'Every movement of money of one loan of the sacco, newest first, for its officials. The reading is recorded.',
  caller: 'official',
  repetition: 'read',
  params,
  query: z.object(pageQuery),
  reply: listOf(loanMovement),
});

export const readLoanFigures = route({
  name: 'readLoanFigures',
  method: 'GET',
  path: '/sacco/loan-figures',
  summary: 'What the sacco has lent, what of it is late, what is set aside for losses, and how the last days were run.',
  caller: 'official',
  repetition: 'read',
  reply: z.object({
    /** Principal in the books, and in how many loans; those that were written off are not among them. */
    owed: shillings,
    loans: z.number().int(),
    /** Given up in the books and still owed by the borrowers: principal, interest and penalty. */
    written_off: z.object({ loans: z.number().int(), owed: shillings }),
    /** The sum that two officials have waived of penalty and interest in the last 365 days. */
    waived: z.object({ waivers: z.number().int(), amount: shillings }),
    /** Parts of what is owed whose loans are more than 30 and 90 days late, 0 to 1. */
    par30: z.number(),
    par90: z.number(),
    provision: shillings,
    classes: z.array(
      z.object({ class: z.enum(LOAN_CLASSES), loans: z.number().int(), owed: shillings, provision: shillings }),
    ),
    waiting: z.object({
      to_review: z.number().int(),
      to_disburse: z.number().int(),
      to_check: z.number().int(),
      substitutions: z.number().int(),
      arrears: z.number().int(),
    }),
    /** Of those, the ones that the caller may decide: not their own, none that they guarantee or have decided already. */
    waiting_for_me: z.object({
      to_review: z.number().int(),
      to_disburse: z.number().int(),
      to_check: z.number().int(),
      substitutions: z.number().int(),
      /** Loans whose next step of recovery may be taken now by the caller, where nobody has voted for it yet. */
      recovery: z.number().int(),
    }),
    /** Defaults, write-offs and new schedules that somebody proposes and the caller may agree to, the oldest first. */
    votes_to_cast: z.array(
      z.object({
        loan: z.uuid(),
        number: z.string(),
        step: z.enum(['default', 'write_off', 'restructure']),
        owed: shillings,
        by: z.object({ id: z.uuid(), name: z.string() }),
        office: z.enum(OFFICES),
        at: instant,
        /** The names of those who have declined it. */
        declined_by: z.array(z.string()),
      }),
    ),
    /** Why no official votes about a loan now: the sacco is not active. Then there are none to cast. */
    votes_barred: said.nullable(),
    /** The last days' runs, newest first. */
    days: z.array(
      z.object({
        day: z.iso.date(),
        state: z.enum(['waiting', 'running', 'done']),
        step: z.string().nullable(),
        started_at: instant.nullable(),
        finished_at: instant.nullable(),
        accrued: shillings,
        penalties: shillings,
        reminders: z.number().int(),
      }),
    ),
  }),
});
export type LoanFigures = z.infer<typeof readLoanFigures.reply>;

export const reviewLoan = route({
  name: 'reviewLoan',
  method: 'POST',
  path: '/sacco/loans/{id}/review',
  summary:
    'One official’s vote: of the credit committee; of treasurer or chair above what it decides alone; of the manager up to what the sacco lets the manager decide. Never about one’s own loan or one that one guarantees.',
  caller: 'official',
  offices: ['credit_committee', 'treasurer', 'chair', 'manager'],
  repetition: 'natural',
  params,
  body: z.object({
    decision: z.enum(['approve', 'reject', 'return']),
    reason: plainWords(500, check('Write the reason.')),
    /** The key facts that were on the page: a loan that has changed since is read again. */
    terms_hash: hash,
  }),
  reply: deskDone,
  refusals: ['not_allowed', 'proof_required', 'sacco_inactive', 'loan_terms_changed', 'loan_conflict'],
});

/** Two people of these offices pay a loan out: one orders it, another checks it. */
export const PAYOUT_OFFICES = [
  'treasurer',
  'chair',
  'vice_chair',
  'manager',
  'secretary',
] as const satisfies readonly Office[];

export const orderDisbursement = route({
  name: 'orderDisbursement',
  method: 'POST',
  path: '/sacco/loans/{id}/disbursement',
  summary:
    'An official orders that an accepted loan be paid out. Nothing moves before another official has checked it.',
  caller: 'official',
  offices: PAYOUT_OFFICES,
  repetition: 'natural',
  params,
  body: z.object({ terms_hash: hash }),
  reply: deskDone,
  refusals: [
    'not_allowed',
    'proof_required',
    'sacco_inactive',
    'second_official_required',
    'loan_terms_changed',
    'loan_conflict',
  ],
});

export const checkDisbursement = route({
  name: 'checkDisbursement',
  method: 'POST',
  path: '/sacco/loans/{id}/disbursement-check',
  summary: 'Another official pays it out, or refuses with a reason. All rules are asked once more.',
  caller: 'official',
  offices: PAYOUT_OFFICES,
  repetition: 'natural',
  params,
  body: z.object({ terms_hash: hash, decision: z.enum(['pay', 'refuse']), reason: plainText(500).optional() }),
  reply: deskDone,
  refusals: [
    'not_allowed',
    'proof_required',
    'sacco_inactive',
    'loan_terms_changed',
    'loan_not_covered',
    'loan_limit_exceeded',
    'sacco_funds_insufficient',
    'loan_conflict',
  ],
});

export const decideSubstitution = route({
  name: 'decideSubstitution',
  method: 'POST',
  path: '/sacco/guarantees/{id}/substitution-decision',
  summary:
    'The credit committee confirms that a guarantor who has signed stands in for another, or refuses. In a sacco that is not active it only refuses.',
  caller: 'official',
  offices: ['credit_committee'],
  repetition: 'natural',
  params,
  body: z.object({ decision: z.enum(['confirm', 'refuse']) }),
  reply: deskDone,
  refusals: ['not_allowed', 'proof_required', 'sacco_inactive', 'guarantee_conflict', 'guarantor_not_accepted'],
});

export const listDeskLoanProducts = route({
  name: 'listDeskLoanProducts',
  method: 'GET',
  path: '/sacco/loan-products',
  summary:
    'All loan products of the sacco for its officials, also those that it does not offer now, and who decides how much.',
  caller: 'official',
  repetition: 'read',
  reply: z.object({ products: z.array(loanProduct), authority: lendingAuthority }),
});

/** Two decimals are kept: what has more is refused, and not rounded behind the back of whoever asked. */
const twoDecimals = (least: number, most: number) =>
  z
    .number()
    .min(least)
    .max(most)
    .refine((value) => Math.abs(value * 100 - Math.round(value * 100)) < 1e-6, check('Two decimals at most.'));

const fourDecimals = (least: number, most: number) =>
  z
    .number()
    .min(least)
    .max(most)
    .refine((value) => Math.abs(value * 10_000 - Math.round(value * 10_000)) < 1e-6, check('Four decimals at most.'));

export const changeLoanProduct = route({
  name: 'changeLoanProduct',
  method: 'PUT',
  path: '/sacco/loan-products',
  summary:
    'Propose to stop offering a loan product: it stops as soon as a second official has confirmed it, for 14 days unless members decide otherwise. Other terms are put to the vote, but where fewer than three members can vote yet.',
  caller: 'official',
  offices: ['chair', 'secretary', 'treasurer'],
  repetition: 'natural',
  body: z
    .object({
      /** Left out for a new product. */
      product: z.uuid().optional(),
      name: productName(60),
      method: z.enum(LOAN_METHODS),
      /** Percent with four decimals at most: a month or a year, one of the two. */
      monthly_rate: fourDecimals(0, 5).optional(),
      yearly_rate: fourDecimals(0, 60).optional(),
      min_amount: positiveAmount,
      max_amount: loanAmount,
      min_months: months,
      max_months: months,
      multiplier: twoDecimals(0.5, 6),
      min_member_days: wholeNumber(0, 1095),
      min_guarantors: wholeNumber(0, GUARANTORS_PER_LOAN_MAX),
      fee_percentage: twoDecimals(0, 5),
      penalty_rate: twoDecimals(0, 5),
      /** Instalments are rounded up to whole shillings. Left out: to the cent. */
      whole_shillings: z.boolean().optional(),
      is_offered: z.boolean(),
    })
    .refine(({ monthly_rate, yearly_rate }) => (monthly_rate === undefined) !== (yearly_rate === undefined), {
      path: ['monthly_rate'],
      error: check('Say the interest by the month or by the year.'),
    })
    .refine(({ min_amount, max_amount }) => min_amount <= max_amount, {
      path: ['max_amount'],
      error: check('The largest amount cannot be below the smallest.'),
    })
    .refine((product) => product.min_months <= product.max_months, {
      path: ['max_months'],
      error: check('The longest time cannot be below the shortest.'),
    }),
  ...proposed,
});

export const changeLendingAuthority = route({
  name: 'changeLendingAuthority',
  method: 'PUT',
  path: '/sacco/lending-authority',
  summary:
    'Propose up to which amounts committee and manager decide alone, where fewer than three members can vote yet; a second official confirms them.',
  caller: 'official',
  offices: ['chair', 'secretary', 'treasurer'],
  repetition: 'natural',
  body: z.object({
    committee_alone: amount.refine(
      (cents) => cents >= COMMITTEE_ALONE_CENTS.least && cents <= COMMITTEE_ALONE_CENTS.most,
      check('The committee decides Ksh. 50,000 to 1,000,000 alone.'),
    ),
    manager_alone: amount.refine(
      (cents) => cents <= MANAGER_ALONE_CENTS_MAX,
      check('The manager decides Ksh. 50,000 alone at most.'),
    ),
  }),
  ...proposed,
});

export const proposeWaiver = route({
  name: 'proposeWaiver',
  method: 'POST',
  path: '/sacco/loans/{id}/waiver',
  summary:
    'Propose to waive penalty, or interest that is due, of one loan; a second official confirms it, and the borrower is told the reason. Never more than is owed, and nobody decides about a loan in which they have an interest. One waits at a time in a sacco.',
  caller: 'official',
  offices: ['chair', 'secretary', 'treasurer'],
  repetition: 'natural',
  params: z.object({ id: z.uuid() }),
  body: z
    .object({ penalty: amount, interest: amount, reason: plainWords(300, check('Write the reason.')) })
    .refine(({ penalty, interest }) => penalty + interest > 0, {
      message: check('Waive some penalty or some interest.'),
      path: ['penalty'],
    }),
  ...proposed,
  refusals: ['loan_conflict', ...proposed.refusals],
});

export const loansContract = [
  listLoanProducts,
  listAllLoanProducts,
  listOfferedLoanProducts,
  quoteLoan,
  applyForLoan,
  listMyLoans,
  readLoan,
  listLoanMovements,
  changeLoan,
  askGuarantor,
  dropGuarantor,
  submitLoan,
  withdrawLoan,
  acceptLoan,
  repayLoan,
  promptRepayment,
  readPayoff,
  payOffLoan,
  setStandingRepayment,
  previewRepayment,
  setSurplus,
  listGuaranteeRequests,
  readGuaranteeRequest,
  askGuaranteeCode,
  acceptGuarantee,
  refuseGuarantee,
  replaceGuarantor,
  askToBeReplaced,
  listDeskLoans,
  readDeskLoan,
  listDeskLoanMovements,
  readLoanFigures,
  reviewLoan,
  orderDisbursement,
  checkDisbursement,
  decideSubstitution,
  listDeskLoanProducts,
  changeLoanProduct,
  changeLendingAuthority,
  proposeWaiver,
] as const;
