import { z } from 'zod';

interface RefusalKind {
  readonly status: number;
  /** Whether the very same request can succeed later without the person changing anything. */
  readonly retryable: boolean;
  /** The sentence that a person reads when the thrower gives none of its own. */
  readonly message: string;
}

const kind = (status: number, message: string, retryable = false): RefusalKind => ({ status, retryable, message });

/**
 * The closed catalogue of refusals, in the order in which they are checked when several hold: the envelope of the
 * request first, then who asks, then what is asked for, then the rules of the domain. A domain adds its own here.
 */
export const refusals = {
  // The request itself.
  cross_site_request: kind(403, 'That came from a page of another site. Open Ushirika itself and try again.'),
  too_many_requests: kind(429, 'Too many requests. Wait a little and try again.', true),
  unavailable: kind(503, 'The service is busy. Try again in a moment.', true),
  request_too_slow: kind(408, 'The request took too long to arrive. Try again.', true),
  payload_too_large: kind(413, 'That is too large.'),
  unsupported_media_type: kind(415, 'That kind of content is not accepted here.'),
  malformed_request: kind(400, 'The request could not be read.'),
  validation_failed: kind(400, 'Some fields need attention.'),
  idempotency_key_reused: kind(409, 'This Idempotency-Key was used for a different request.'),
  // Who asks.
  not_signed_in: kind(401, 'Sign in to continue.'),
  session_ended: kind(401, 'Your session has ended. Sign in again.'),
  invalid_credentials: kind(401, 'Invalid ID number or password'),
  account_suspended: kind(403, 'Your account is suspended. Call Ushirika: we look at it with you.'),
  second_factor_required: kind(401, 'Enter the code from your authenticator app.'),
  second_factor_invalid: kind(401, 'That code is not right or has been used.'),
  // Of a withdrawal first, of an act that moves value to others last: of what cannot be done anyhow no proof is asked.
  proof_required: kind(403, 'Enter your password to go on.'),
  not_allowed: kind(403, 'You are not allowed to do this.'),
  sacco_required: kind(400, 'Select Sacco!!'),
  not_a_member: kind(403, 'You are not a member of this sacco.'),
  // What is asked for.
  not_found: kind(404, 'Not found.'),
  // Identity.
  user_type_not_allowed: kind(400, 'Only client accounts can sign up or sign in here.'),
  account_held: kind(
    409,
    'For 24 hours after a password reset or a new phone, the phone and the authenticator app cannot be changed.',
    true,
  ),
  current_password_wrong: kind(400, 'Your current password is not right.'),
  password_too_weak: kind(400, 'Password has not satisfied the required specs'),
  reset_code_invalid: kind(400, 'That reset code is not valid or has expired.'),
  phone_taken: kind(409, 'Another account has confirmed that number. Enter another one under Profile.'),
  phone_unconfirmed: kind(409, 'Confirm your phone number first.'),
  phone_code_invalid: kind(400, 'That code is not valid or has expired.'),
  phone_already_confirmed: kind(409, 'This phone number is already confirmed.'),
  second_factor_enrolment_required: kind(
    403,
    'Set up an authenticator app under settings before acting in your office.',
  ),
  second_factor_conflict: kind(409, 'The authenticator app is not in a state that allows this.'),
  otp_not_accepted: kind(400, 'That code is not right or has been used.'),
  payout_held: kind(409, 'Withdrawals are held for 24 hours after a change of password or phone.', true),
  // Money.
  insufficient_funds: kind(422, 'Not enough money in your wallet.'),
  balance_limit_exceeded: kind(422, 'That would take the account past its limit.'),
  account_closed: kind(422, 'That account is closed.'),
  amount_not_whole_shillings: kind(400, 'M-Pesa moves whole shillings only. Enter an amount without cents.'),
  amount_out_of_range: kind(400, 'Enter an amount between Ksh. 1 and Ksh. 250,000.'),
  phone_not_kenyan: kind(400, 'Mobile money goes to Kenyan numbers only, such as 254712345678.'),
  phone_not_yours: kind(403, 'Withdrawals go to your own confirmed phone number only.'),
  withdrawal_limit_reached: kind(429, 'That is more than may be withdrawn in a day. Try again tomorrow.', true),
  phone_holder_not_asked: kind(403, 'That phone is not yours. Ask its owner for the code that we send to it, once.'),
  payer_known: kind(409, 'That phone may pay into your wallet already.'),
  deposit_in_progress: kind(409, 'Your last request to that phone is still open. Wait a minute, then try again.', true),
  receipt_already_claimed: kind(409, 'That M-Pesa receipt has already been credited.'),
  too_many_claims: kind(429, 'You have 20 receipts being checked. Wait until they are settled.', true),
  // Saccos and membership.
  sacco_inactive: kind(422, 'This sacco is not active.'),
  sacco_name_taken: kind(409, 'A sacco with that name or registration number is already registered.'),
  sacco_state_conflict: kind(409, 'The sacco is not in a state that allows this.'),
  terms_changed: kind(409, 'The terms of this sacco have changed. Look at the new amounts and confirm again.'),
  already_a_member: kind(409, 'You are already a member of this sacco.'),
  minimum_shares_not_met: kind(422, 'The first purchase must reach the minimum number of shares.'),
  one_fifth_exceeded: kind(422, 'No member may hold more than one fifth of the shares.'),
  // The share market.
  trading_blocked: kind(422, 'You cannot trade shares of this sacco now.'),
  order_closed: kind(409, 'That order is no longer open.'),
  offer_gone: kind(409, 'That offer is gone. Look at the offers again.'),
  price_not_allowed: kind(422, 'That price is outside what this sacco allows.'),
  lot_mismatch: kind(422, 'Orders are whole lots of shares.'),
  expiry_not_allowed: kind(422, 'An order may wait for 90 days at most.'),
  open_orders_limit_reached: kind(422, 'You have 50 open orders here. Cancel one first.'),
  insufficient_shares: kind(422, 'You do not have that many free shares.'),
  minimum_holding: kind(422, 'Keep at least the minimum shares, or give notice to leave.'),
  self_trade: kind(422, 'That would buy your own shares. Cancel your other order first.'),
  alert_conflict: kind(409, 'You have that alert already, or ten others.'),
  amount_mismatch: kind(409, 'The amount does not match the shares and their value.'),
  standing_order_conflict: kind(409, 'There is already a standing order for this sacco.'),
  full_rights_required: kind(422, 'Only members in full rights rate a sacco.'),
  rating_too_early: kind(422, 'Members may rate a sacco after 90 days of membership.'),
  exit_conflict: kind(409, 'An exit request is already open.'),
  too_many_notices: kind(429, 'You have given notice here twice within 90 days.', true),
  office_conflict: kind(409, 'That office is already held.'),
  change_conflict: kind(409, 'Another change waits, or this one is decided already.'),
  changes_limit_reached: kind(429, 'That was proposed five times in a day. Try again tomorrow.', true),
  second_official_required: kind(409, 'A second official must confirm this.'),
  logo_not_accepted: kind(400, 'The logo must be a PNG, JPEG or WebP picture of at most 2 MB.'),
  // Referrals.
  invitation_limit_reached: kind(429, 'You can send 5 invitations a day.', true),
  invitation_already_sent: kind(409, 'You have invited that number today already.'),
  // Guarantor pools.
  pool_name_taken: kind(409, 'A pool with that name already exists.'),
  pools_forming_limit_reached: kind(422, 'You have 10 pools that are still forming. Let one open first.'),
  pool_already_reviewed: kind(409, 'That pool has been reviewed already.'),
  not_a_pool_member: kind(403, 'The members of a pool are shown to its members only.'),
  // Operator.
  exception_already_resolved: kind(409, 'That exception has been resolved already.'),
  second_operator_required: kind(409, 'A second operator must confirm this.'),
  suspension_not_allowed: kind(422, 'Neither you nor another operator can be suspended here.'),
  suspension_conflict: kind(409, 'The account is not in a state that allows this. Look again.'),
  suspension_limit_reached: kind(429, 'You have suspended 20 accounts in a day. Another operator goes on.', true),
  proposal_closed: kind(409, 'That proposal is not open any more.'),
  payer_objected: kind(409, 'The payer objected. The money can go to whose phone paid, or back.'),
  // Ourselves.
  unknown_outcome: kind(503, 'We could not tell whether that went through. Try again: it will not happen twice.', true),
  internal_error: kind(500, 'Something Went wrong, try again later.', true),
} as const satisfies Record<string, RefusalKind>;

export type RefusalCode = keyof typeof refusals;

/** Those that any route may answer with, whatever it declares. */
export const sharedRefusals = [
  'cross_site_request',
  'too_many_requests',
  'unavailable',
  'request_too_slow',
  'payload_too_large',
  'unsupported_media_type',
  'malformed_request',
  'validation_failed',
  'not_found',
  'unknown_outcome',
  'internal_error',
] as const satisfies RefusalCode[];

/** The body of every refusal; `detail` repeats `message` because the profile screen reads it. */
export const refusalBody = z.object({
  success: z.literal(false),
  code: z.string(),
  message: z.string(),
  detail: z.string(),
  errors: z.record(z.string(), z.array(z.string())).optional(),
});
export type RefusalBody = z.infer<typeof refusalBody>;

export interface RefusalDetails {
  /** A sentence more exact than the catalogue's. */
  message?: string;
  /** Sentences by field, for forms. */
  errors?: Record<string, string[]>;
  /** Seconds after which a retry makes sense; becomes `Retry-After`. */
  retryAfterSeconds?: number;
  /** More for the body, such as the new terms with `terms_changed`. */
  extra?: Record<string, unknown>;
}

/** A refusal on its way to the person who asked: thrown by a verb, mapped to HTTP in one place. */
export class Refusal extends Error {
  readonly code: RefusalCode;
  readonly details: RefusalDetails;

  constructor(code: RefusalCode, details: RefusalDetails = {}) {
    super(details.message ?? refusals[code].message);
    this.name = 'Refusal';
    this.code = code;
    this.details = details;
  }

  get status(): number {
    return refusals[this.code].status;
  }

  body(): RefusalBody & Record<string, unknown> {
    const { errors, extra } = this.details;
    return {
      ...extra,
      success: false,
      code: this.code,
      message: this.message,
      detail: this.message,
      ...(errors ? { errors } : {}),
    };
  }
}
