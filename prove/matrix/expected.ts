import type { Caller } from '@ushirika/contract/route';
import { matrixParts } from '../domains.ts';
import { gathered } from './domain-part.ts';
import {
  forOneself,
  marketList,
  marketRead,
  memberList,
  memberRead,
  noRegard,
  operatorAct,
  operatorList,
  ownList,
  ownThing,
  provider,
} from './policies.ts';
import type { RoutePolicy } from './policy.ts';

/** Offers and trades, which name nobody, for everybody of the sacco. */
const DEALS_SHOWN = `
  members of A | deals of A
  members of B | deals of B`;

/**
 * Who may do what to whose: the policy of this house, to be read by people. A domain that has a file in `domains/` has its
 * lines there. A route without a line fails the matrix, a line whose route is gone fails it too, and so does every
 * answer that is another than its line says.
 *
 * The owner, the fellow and the leaver (who has given notice) are members of sacco A, the other of sacco B; each sacco
 * has an official for each office, who are its members. The founder founded A and holds no office in it; the former has left A.
 * `hers` is the owner's or of sacco A, `his` the fellow's, `foreign` the other's or of sacco B.
 */
const common: Readonly<Record<string, RoutePolicy>> = {
  // What anybody may see and do.
  publicFigures: { caller: 'anyone', lines: 'anybody | * | 200' },
  register: { caller: 'anyone', lines: 'anybody | * | 201', asked: noRegard() },
  login: { caller: 'anyone', lines: 'anybody | * | 200', asked: noRegard() },
  logoutAll: { caller: 'anyone', lines: 'anybody | * | 200', asked: noRegard() },
  forgotPassword: { caller: 'anyone', lines: 'anybody | * | 200' },
  resetPassword: { caller: 'anyone', lines: 'anybody | * | 400 reset_code_invalid', asked: noRegard(), counts: true },
  listSaccos: {
    caller: 'anyone',
    lines: `
      anybody   | member malformed                | 400 validation_failed
      anybody   | member absent, cursor malformed | 400 validation_failed
      signed in | member self, cursor malformed   | 400 validation_failed
      anybody   | member absent                   | 200
      signed in | member self                     | 200
      anybody   | *                               | 403 not_allowed`,
  },
  readSacco: {
    caller: 'anyone',
    lines: `
      founder/operator | id rejected                       | 200
      anybody          | id rejected/nonexistent/malformed | 404 not_found
      anybody          | *                                 | 200`,
    shows: 'anybody | names of officials',
    fields: `
      operator       | *                       | application
      founder        | id A/waiting/rejected   | application
      officials of A | id A                    | application
      officials of B | id B                    | application`,
  },
  readSaccoTerms: {
    caller: 'anyone',
    lines: `
      anybody | id rejected/nonexistent/malformed | 404 not_found
      anybody | *                                 | 200`,
  },
  readSaccoLogo: {
    caller: 'anyone',
    lines: `
      anybody | id A/B | 200
      anybody | *      | 404 not_found`,
  },

  // What everybody who is signed in does for themselves.
  logout: forOneself(200),
  getProfile: { ...forOneself(200), shows: 'signed in | names of officials' },
  changeProfile: forOneself(200),
  changePassword: { ...forOneself(200), counts: true },
  provePassword: { ...forOneself(200), counts: true },
  requestPhoneConfirmation: {
    caller: 'signed_in',
    lines: `
      stranger  | * | 200
      signed in | * | 409 phone_already_confirmed`,
  },
  confirmPhone: {
    caller: 'signed_in',
    lines: `
      stranger  | * | 400 phone_code_invalid
      signed in | * | 409 phone_already_confirmed`,
    counts: true,
  },
  enrolSecondFactor: { ...forOneself(200), counts: true },
  confirmSecondFactor: { caller: 'signed_in', lines: 'signed in | * | 409 second_factor_conflict', counts: true },
  renewRecoveryCodes: { caller: 'signed_in', lines: 'signed in | * | 409 second_factor_conflict', counts: true },
  removeSecondFactor: { caller: 'signed_in', lines: 'signed in | * | 409 second_factor_conflict', counts: true },
  getPreferences: forOneself(200),
  setPreferences: forOneself(200),
  listSessions: forOneself(200),
  listOfficeInvitations: forOneself(200),
  readSummary: forOneself(200),
  getStatement: forOneself(200),
  clientLive: forOneself(200),
  deposit: {
    caller: 'signed_in',
    lines: `
      stranger  | * | 409 phone_unconfirmed
      signed in | * | 202`,
  },
  // The SMS is for somebody who is not here.
  askPayer: {
    caller: 'signed_in',
    lines: `
      stranger  | * | 409 phone_unconfirmed
      signed in | * | 200`,
    counterparty: ['public.sms_messages', 'public.prompted_phones'],
  },
  confirmPayer: { caller: 'signed_in', lines: 'signed in | * | 400 phone_code_invalid' },
  listPayers: forOneself(200),
  claimReceipt: forOneself(202),
  withdraw: {
    caller: 'signed_in',
    lines: `
      stranger  | * | 409 phone_unconfirmed
      signed in | * | 202`,
  },
  // Officials are named to whom they told something, and to everybody on the sacco's page.
  listNotifications: { ...ownList(), shows: 'signed in | names of officials' },
  getPaybill: forOneself(200),
  getWithdrawalTerms: forOneself(200),
  listDeposits: ownList(),
  listTransactions: ownList(),

  // What belongs to one person: for everybody else it is not there.
  getDeposit: ownThing('id'),
  getWithdrawal: ownThing('id'),
  getClaim: ownThing('id'),
  endPayer: ownThing('id'),
  getReceipt: ownThing('journal'),
  endSession: ownThing('id'),
  acceptOffice: ownThing('id'),
  readNotifications: {
    caller: 'signed_in',
    lines: `
      signed in | ids malformed  | 400 validation_failed
      signed in | ids absent     | 200
      owner     | ids hers/mixed | 200
      fellow    | ids his        | 200
      other     | ids foreign/mixed | 200
      signed in | *              | 200 and nothing changes`,
  },

  // What members do in a sacco.
  joinSacco: {
    caller: 'signed_in',
    lines: `
      signed in    | sacco malformed            | 400 validation_failed
      signed in    | sacco rejected/nonexistent | 404 not_found
      signed in    | sacco waiting              | 422 sacco_inactive
      members of A | sacco A                    | 409 already_a_member
      members of B | sacco B                    | 409 already_a_member
      signed in    | *                          | 200`,
  },
  listMembers: {
    ...memberList(),
    // Officials who are no members read the list, too.
    lines: `
      founder | saccoId waiting/rejected, cursor malformed | 400 validation_failed
      founder | saccoId waiting/rejected                   | 200
      ${memberList().lines}`,
    shows: `
      officials of A | particulars of A
      officials of B | particulars of B
      members of A   | names of A
      members of B   | names of B`,
    fields: `
      officials of A | * | results.handle
      officials of A | * | results.id_number
      officials of A | * | results.phone_number
      officials of A | * | results.email
      officials of A | * | results.state
      officials of A | * | results.joined_at
      officials of A | * | results.shares
      officials of A | * | results.savings
      officials of B | * | results.handle
      officials of B | * | results.id_number
      officials of B | * | results.phone_number
      officials of B | * | results.email
      officials of B | * | results.state
      officials of B | * | results.joined_at
      officials of B | * | results.shares
      officials of B | * | results.savings
      officials of A | * | results.identity
      officials of B | * | results.identity`,
    notes: 'public.member_record_readings',
  },
  readShares: {
    ...memberList(),
    // Who bought from a member, or sold to one, has that member's handle in their own register, and no name.
    shows: 'chair of B | deals of B',
  },
  readSavings: memberList(),
  readStandingOrder: memberRead(),
  cancelStandingOrder: {
    caller: 'member',
    lines: `
      owner        | saccoId A                | 200
      other        | saccoId B                | 200
      members of A | saccoId A                | 404 not_found
      members of B | saccoId B                | 404 not_found
      signed in    | saccoId malformed/absent | 400 sacco_required
      signed in    | *                        | 403 not_a_member`,
  },
  payShares: {
    caller: 'signed_in',
    lines: `
      signed in    | sacco malformed            | 400 validation_failed
      signed in    | sacco rejected/nonexistent | 404 not_found
      leaver       | sacco A                    | 409 exit_conflict
      members of A | sacco A                    | 200
      members of B | sacco B                    | 200
      signed in    | *                          | 403 not_a_member`,
  },
  depositSavings: {
    caller: 'signed_in',
    lines: `
      signed in    | sacco malformed            | 400 validation_failed
      signed in    | sacco rejected/nonexistent | 404 not_found
      leaver       | sacco A                    | 409 exit_conflict
      members of A | sacco A                    | 200
      members of B | sacco B                    | 200
      signed in    | *                          | 403 not_a_member`,
  },
  createStandingOrder: {
    caller: 'signed_in',
    lines: `
      signed in    | sacco malformed            | 400 validation_failed
      signed in    | sacco rejected/nonexistent | 404 not_found
      leaver       | sacco A                    | 409 exit_conflict
      owner        | sacco A                    | 409 standing_order_conflict
      other        | sacco B                    | 409 standing_order_conflict
      members of A | sacco A                    | 201
      members of B | sacco B                    | 201
      signed in    | *                          | 403 not_a_member`,
  },
  listExits: {
    caller: 'official',
    lines: `
      officials of A | saccoId A                | 200
      officials of B | saccoId B                | 200
      founder        | saccoId waiting/rejected | 200
      signed in      | saccoId malformed/absent | 400 sacco_required
      signed in      | *                        | 403 not_allowed`,
    shows: `
      officials of A | names of A
      officials of B | names of B`,
  },
  countUnseenCards: {
    caller: 'official',
    lines: `
      officials of A | saccoId A                | 200
      officials of B | saccoId B                | 200
      founder        | saccoId waiting/rejected | 200
      signed in      | saccoId malformed/absent | 400 sacco_required
      signed in      | *                        | 403 not_allowed`,
  },
  readExit: {
    caller: 'signed_in',
    readsHeader: true,
    lines: `
      signed in | sacco malformed                        | 400 validation_failed
      signed in | sacco absent, saccoId malformed/absent | 400 sacco_required
      signed in | *                                      | 200`,
  },
  requestExit: {
    caller: 'signed_in',
    lines: `
      signed in    | sacco malformed            | 400 validation_failed
      signed in    | sacco rejected/nonexistent | 404 not_found
      leaver       | sacco A                    | 409 exit_conflict
      members of A | sacco A                    | 201
      members of B | sacco B                    | 201
      signed in    | *                          | 403 not_a_member`,
  },
  cancelExit: {
    caller: 'signed_in',
    readsHeader: true,
    lines: `
      signed in | sacco malformed                            | 400 validation_failed
      signed in | sacco absent, saccoId malformed/absent     | 400 sacco_required
      signed in | sacco rejected/nonexistent                 | 404 not_found
      signed in | sacco absent, saccoId rejected/nonexistent | 404 not_found
      leaver    | sacco A                                    | 200
      leaver    | sacco absent, saccoId A                    | 200
      signed in | *                                          | 409 exit_conflict`,
  },
  rateSacco: {
    caller: 'signed_in',
    lines: `
      signed in      | id rejected/nonexistent/malformed | 404 not_found
      owner          | id A                              | 200
      officials of A | id A                              | 403 not_allowed
      officials of B | id B                              | 403 not_allowed
      fellow         | id A                              | 422 rating_too_early
      other          | id B                              | 422 rating_too_early
      members of A   | id A                              | 422 full_rights_required
      signed in      | *                                 | 403 not_a_member`,
  },

  // What officials and founders do.
  listSaccoChanges: {
    caller: 'signed_in',
    lines: `
      signed in | sacco malformed | 400 validation_failed
      signed in | *               | 200`,
    shows: `
      officials of A | names of A
      officials of B | names of B`,
  },
  confirmSaccoChange: {
    caller: 'official',
    lines: `
      signed in      | saccoId malformed/absent | 400 sacco_required
      treasurer of A | saccoId A, id hers       | 409 second_official_required
      treasurer of B | saccoId B, id foreign    | 409 second_official_required
      officials of A | saccoId A, id hers       | 200
      officials of B | saccoId B, id foreign    | 200
      officials of A | saccoId A                | 404 not_found
      officials of B | saccoId B                | 404 not_found
      founder        | saccoId waiting/rejected | 404 not_found
      signed in      | *                        | 403 not_allowed`,
    counterparty: ['public.users', 'public.notifications', 'public.sacco_changes'],
    shows: `
      officials of A | names of A
      officials of B | names of B`,
  },
  refuseSaccoChange: {
    caller: 'official',
    lines: `
      signed in      | saccoId malformed/absent | 400 sacco_required
      officials of A | saccoId A, id hers       | 200
      officials of B | saccoId B, id foreign    | 200
      officials of A | saccoId A                | 404 not_found
      officials of B | saccoId B                | 404 not_found
      founder        | saccoId waiting/rejected | 404 not_found
      signed in      | *                        | 403 not_allowed`,
    counterparty: ['public.notifications', 'public.sacco_changes'],
    shows: `
      officials of A | names of A
      officials of B | names of B`,
  },
  withdrawSaccoChange: {
    caller: 'signed_in',
    lines: `
      treasurer of A | id hers    | 200
      treasurer of B | id foreign | 200
      signed in      | *          | 404 not_found`,
  },
  createSacco: {
    caller: 'signed_in',
    lines: `
      signed in | created_by malformed | 400 validation_failed
      signed in | created_by self      | 201
      signed in | *                    | 403 not_allowed`,
  },
  resubmitSacco: {
    caller: 'signed_in',
    lines: `
      founder   | id hers | 200
      signed in | *       | 404 not_found`,
  },
  recordOfficial: {
    caller: 'signed_in',
    lines: `
      signed in | id nonexistent/malformed | 404 not_found
      operator  | id hers/foreign          | 201
      operator  | id rejected              | 409 sacco_state_conflict
      founder   | id hers                  | 201
      signed in | id rejected              | 404 not_found
      signed in | *                        | 403 not_allowed`,
  },

  // The share market: its figures are for everybody, its book for members, orders and trades for their own.
  readMarketStats: {
    caller: 'anyone',
    readsHeader: true,
    lines: `
      anybody | sacco malformed                            | 400 validation_failed
      anybody | sacco absent, saccoId malformed/absent     | 400 sacco_required
      anybody | sacco rejected/nonexistent                 | 404 not_found
      anybody | sacco absent, saccoId rejected/nonexistent | 404 not_found
      anybody | *                                          | 200`,
  },
  readOrderBook: { ...marketRead(), shows: DEALS_SHOWN },
  marketLive: marketRead(),
  listPriceAlerts: marketRead(),
  listTrades: { ...marketList(), shows: DEALS_SHOWN },
  listOrders: {
    caller: 'signed_in',
    readsHeader: true,
    lines: `
      signed in | sacco malformed                        | 400 validation_failed
      signed in | sacco absent, saccoId malformed/absent | 400 sacco_required
      signed in | cursor malformed                       | 400 validation_failed
      signed in | *                                      | 200`,
  },
  placeOrder: {
    caller: 'signed_in',
    lines: `
      signed in    | sacco malformed            | 400 validation_failed
      signed in    | sacco rejected/nonexistent | 404 not_found
      leaver       | sacco A                    | 409 exit_conflict
      members of A | sacco A                    | 201
      members of B | sacco B                    | 201
      signed in    | *                          | 403 not_a_member`,
  },
  changeOrder: ownThing('id'),
  cancelOrder: ownThing('id'),
  takeOffer: {
    caller: 'signed_in',
    lines: `
      signed in    | order malformed   | 400 validation_failed
      signed in    | order nonexistent | 404 not_found
      leaver       | order hers/his    | 409 exit_conflict
      owner        | order hers/his    | 422 self_trade
      fellow       | order his         | 422 self_trade
      members of A | order hers/his    | 200
      other        | order foreign     | 422 self_trade
      members of B | order foreign     | 200
      signed in    | *                 | 404 not_found`,
    counterparty: ['public.share_orders', 'public.accounts', 'public.sale_proceeds'],
  },
  readContractNote: {
    caller: 'signed_in',
    lines: `
      owner            | id hers    | 200
      fellow           | id his     | 200
      other/chair of B | id foreign | 200
      signed in        | *          | 404 not_found`,
    shows: 'chair of B | deals of B',
  },
  listMarkedPairs: {
    caller: 'official',
    offices: ['chair', 'secretary', 'treasurer', 'supervisory_committee'],
    lines: `
      chair of A/secretary of A/treasurer of A/supervisory_committee of A | saccoId A                | 200
      chair of B/secretary of B/treasurer of B/supervisory_committee of B | saccoId B                | 200
      founder                                                             | saccoId waiting/rejected | 200
      signed in                                                           | saccoId malformed/absent | 400 sacco_required
      signed in                                                           | *                        | 403 not_allowed`,
  },
  setMarketTerms: {
    caller: 'official',
    offices: ['chair', 'secretary', 'treasurer'],
    lines: `
      chair of A/secretary of A/treasurer of A | saccoId A                | 202
      chair of B/secretary of B/treasurer of B | saccoId B                | 202
      founder                                  | saccoId waiting/rejected | 422 sacco_inactive
      signed in                                | saccoId malformed/absent | 400 sacco_required
      signed in                                | *                        | 403 not_allowed`,
    counterparty: ['public.notifications'],
  },
  createPriceAlert: {
    caller: 'member',
    lines: `
      members of A | sacco A         | 201
      members of B | sacco B         | 201
      signed in    | sacco malformed | 400 sacco_required
      signed in    | *               | 403 not_a_member`,
  },
  cancelPriceAlert: ownThing('id'),

  // What operators of the platform do.
  listOperatorSaccos: { ...operatorList(), shows: 'operator | names' },
  listMoneyExceptions: {
    ...operatorList(),
    shows: `
      operator | names
      operator | rows`,
    notes: 'public.operator_actions',
  },
  listOperatorActions: { ...operatorList(), shows: 'operator | names' },
  platformHealth: { caller: 'operator', lines: 'operator | * | 200' },
  recordSaccoCheck: operatorAct('hers/foreign', 'rejected'),
  activateSacco: operatorAct('hers/foreign', 'rejected'),
  rejectSacco: operatorAct('hers/foreign', 'rejected'),
  suspendSacco: operatorAct('A/B', 'waiting/rejected'),
  upholdSaccoSuspension: operatorAct('hers/foreign'),
  reinstateSacco: operatorAct('hers/foreign'),
  resolveMoneyException: operatorAct('open/another open'),
  listProposals: {
    ...operatorList(),
    shows: `
      operator | names
      operator | rows`,
    notes: 'public.operator_actions',
  },
  confirmProposal: operatorAct('open/another open'),
  // They are another operator’s.
  refuseProposal: {
    caller: 'operator',
    lines: `
      operator | id open/another open | 403 not_allowed
      operator | *                    | 404 not_found`,
  },
  findPeople: {
    caller: 'operator',
    lines: 'operator | * | 200',
    shows: 'operator | particulars',
    notes: 'public.operator_actions, public.throttles',
  },
  listSuspensions: { ...operatorList(), shows: 'operator | names', notes: 'public.operator_actions' },
  decideSuspension: {
    caller: 'operator',
    lines: `
      operator | id self    | 422 suspension_not_allowed
      operator | id another | 200
      operator | *          | 404 not_found`,
    shows: 'operator | names',
    counterparty: ['public.account_suspensions', 'public.sessions', 'public.notifications', 'public.sms_messages'],
  },
  payOutSuspended: { caller: 'operator', lines: 'operator | * | 404 not_found' },

  // What a payer says against giving the money to somebody else.
  listDisputedPayments: { caller: 'signed_in', lines: 'signed in | * | 200' },
  objectSignedIn: {
    caller: 'signed_in',
    lines: `
      owner     | id hers    | 200
      other     | id foreign | 200
      signed in | *          | 404 not_found`,
  },
  objectByCode: { caller: 'anyone', lines: 'anybody | * | 400 otp_not_accepted', asked: noRegard() },

  // M-Pesa: who knows the secret of the address is M-Pesa; what it says is a hint about anything or nothing.
  stkCallback: provider('deposit'),
  payoutResult: provider('withdrawal'),
  payoutTimeout: provider('withdrawal'),
  statusResult: provider('query'),
  statusTimeout: provider('query'),
  balanceResult: provider('comparison'),
  balanceTimeout: provider('comparison'),
  c2bConfirmation: provider(),
  c2bValidation: provider(),
  hookConfirmation: provider(),
  hookValidation: provider(),
  smsDelivery: {
    caller: 'provider',
    asked: ['nobody', 'owner', 'chair of A', 'operator'],
    lines: `
      anybody | secret wrong/short | 404 not_found
      anybody | *                  | 200 and nothing changes`,
  },
};

export const expected = gathered(common, ...matrixParts.map(({ policies }) => policies));

/** What stands before the lines of every route, by its caller. */
export const byCaller: Readonly<Record<Caller, string>> = {
  anyone: '',
  provider: '',
  signed_in: withSession(),
  member: withSession(),
  official: withSession(),
  operator: withSession(),
};

/** What stands behind them. */
export const afterCaller: Readonly<Record<Caller, string>> = {
  anyone: '',
  provider: '',
  signed_in: '',
  member: '',
  official: '',
  operator: 'signed in | * | 403 not_allowed',
};

function withSession(): string {
  return `
    no session   | * | 401 not_signed_in
    dead session | * | 401 session_ended`;
}

/** Everything else the server answers to, beside the contract: `METHOD /address` by pattern, and why it may. */
export const otherRoutes: readonly { pattern: RegExp; why: string; isOptional?: true }[] = [
  { pattern: /^(GET|HEAD) \/api\/docs(\/.*)?$/, why: 'the documents of the contract: nothing of anybody’s' },
  {
    pattern: /^(GET|HEAD) \/(livez|readyz|metrics)$/,
    why: 'for machines; the metrics to this machine or with a token',
  },
  {
    pattern: /^[A-Z]+ \/simulator(\/.*)?$/,
    why: 'the simulated outside world, which no production serves (prove/attacks/sessions.test.ts)',
  },
  { pattern: /^(GET|HEAD) \/(index\.html|\*)?$/, why: 'the web client, where it is built', isOptional: true },
];
