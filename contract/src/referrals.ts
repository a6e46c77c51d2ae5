import { z } from 'zod';
import { check } from './checks.ts';
import { phoneNumber } from './identity.ts';
import { amount } from './money.ts';
import { acted, pageQuery, route } from './route.ts';
import { proposed } from './sacco-changes.ts';
import { instant } from './time.ts';
import { wholeNumber } from './whole-number.ts';

/** How far somebody who was invited has come, exactly as the screens show it (spec 4; domain.md 4.7). */
export const REFERRAL_STATUSES = ['Lead', 'Joined', 'Fully Paid'] as const;
export type ReferralStatus = (typeof REFERRAL_STATUSES)[number];

/**
 * What has become of the reward.
 *
 * - `not_yet`: the referred person is not `Fully Paid`.
 * - `waiting`: due; paid as soon as the sacco's earned fees, those of last month, and the referrer's monthly cap allow.
 * - `in_review`: held, because the two people share an ID, phone or address.
 * - `paid`: in the referrer's wallet.
 * - `none`: there is none: the sacco pays no rewards, the referrer is an official of it, or the review said no.
 */
export const REWARD_STATES = ['not_yet', 'waiting', 'in_review', 'paid', 'none'] as const;
export type RewardState = (typeof REWARD_STATES)[number];

/** Invitations that one person may send in one calendar day of Nairobi. */
export const INVITATIONS_PER_DAY = 5;

export const INVITATION_MESSAGE_LENGTH_MAX = 160;

const REWARD_CENTS_MAX = 10_000_00;

export const referral = z.object({
  id: z.uuid(),
  created_at: instant.nullable(),
  /** Shillings paid for it; null as long as nothing was paid. */
  reward: z.number().nullable(),
  reward_state: z.enum(REWARD_STATES),
  user: z.object({
    first_name: z.string(),
    last_name: z.string(),
    status: z.enum(REFERRAL_STATUSES),
  }),
});
export type Referral = z.output<typeof referral>;

/** `GET /client/referals`: spelt, and wrapped in `data`, as the spec has it. */
export const listReferrals = route({
  name: 'listReferrals',
  method: 'GET',
  path: '/client/referals',
  summary: 'The people who registered with my referral code, newest first.',
  caller: 'signed_in',
  repetition: 'read',
  query: z.object({
    status: z.enum(REFERRAL_STATUSES).optional(),
    /** A part of the first or last name. */
    search: z.string().trim().max(80).optional(),
    ...pageQuery,
  }),
  reply: z.object({
    data: z.object({
      referals: z.array(referral),
      count: z.number().int().nonnegative(),
      next: z.string().nullable(),
    }),
  }),
});

export const referralSummary = route({
  name: 'referralSummary',
  method: 'GET',
  path: '/client/referals/summary',
  summary: 'My referral code and link, my points and what they earned.',
  caller: 'signed_in',
  repetition: 'read',
  reply: z.object({
    referal_code: z.string(),
    referal_link: z.string(),
    /** Points: how many of those whom I referred are `Fully Paid`. */
    referal_count: z.number().int().nonnegative(),
    /** Shillings that referrals have earned me. */
    referal_amount: z.number().nonnegative(),
    statuses: z.object({
      lead: z.number().int().nonnegative(),
      joined: z.number().int().nonnegative(),
      fully_paid: z.number().int().nonnegative(),
    }),
    invitations_left_today: z.number().int().nonnegative(),
  }),
});

const LOOKS_LIKE_A_LINK = /https?:|www\.|[\p{L}\p{N}]\.[\p{L}]{2,}(\/|\b)/iu;

export const sendInvitation = route({
  name: 'sendInvitation',
  method: 'POST',
  path: '/client/send_custom_referral',
  summary: 'Send somebody an SMS with my referral link, in fixed words; 5 a day, and one a day to the same number.',
  caller: 'signed_in',
  repetition: 'key',
  body: z.object({
    phone_number: phoneNumber,
    /** Accepted, since older pages have the field, and not sent: an SMS in our name has our own words (decision 158). */
    message: z
      .string()
      .trim()
      .max(
        INVITATION_MESSAGE_LENGTH_MAX,
        check('Keep the message within {most} characters.', { most: INVITATION_MESSAGE_LENGTH_MAX }),
      )
      .refine((text) => !/\p{Cc}/u.test(text), check('Write the message on one line.'))
      .refine((text) => !LOOKS_LIKE_A_LINK.test(text), check('Leave links out: your referral link is added by itself.'))
      .optional(),
  }),
  reply: acted({ invitations_left_today: z.number().int().nonnegative() }),
  refusals: ['invitation_limit_reached', 'invitation_already_sent'],
});

export const readReferralTerms = route({
  name: 'readReferralTerms',
  method: 'GET',
  path: '/sacco/referral-terms',
  summary: 'What the chosen sacco pays for a referral, out of the fees that it has earned.',
  caller: 'member',
  repetition: 'read',
  reply: z.object({
    /** Shillings for each person who becomes Fully Paid; 0 means that it pays none. */
    reward: z.number().nonnegative(),
    /** Rewards that one referrer may earn in a calendar month; more wait for the next. */
    monthly_rewards_max: z.number().int(),
    /** Null as long as the platform's own terms hold. */
    since: instant.nullable(),
    /**
     * For officials alone. Shillings: `limit`, what the sacco earned in fees in the calendar month before, is the most that it
     * pays in rewards this month; `paid` of it so far.
     */
    month: z.object({ limit: z.number().nonnegative(), paid: z.number().nonnegative() }).nullable(),
  }),
});

export const changeReferralTerms = route({
  name: 'changeReferralTerms',
  method: 'PUT',
  path: '/sacco/referral-terms',
  summary:
    'Where fewer than three members can vote yet: the chair, secretary or treasurer proposes what the sacco pays for those who sign up from then on; 0 turns rewards off. It holds 24 hours after a second one has confirmed it.',
  caller: 'official',
  offices: ['chair', 'secretary', 'treasurer'],
  repetition: 'natural',
  body: z.object({
    reward: amount.refine((cents) => cents <= REWARD_CENTS_MAX, check('A reward is at most Ksh. 10,000.')),
    monthly_rewards_max: wholeNumber(1, 1000),
  }),
  ...proposed,
});

export const referralsContract = [
  listReferrals,
  referralSummary,
  sendInvitation,
  readReferralTerms,
  changeReferralTerms,
] as const;
