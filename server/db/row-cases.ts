import { globSync } from 'node:fs';
import {
  ALL,
  amina,
  BAHARI,
  CHIKAS,
  CLAIM,
  CLAIMED,
  change,
  chika,
  EARLIER,
  FORMER,
  FRIENDS_PHONE,
  farida,
  fatuma,
  halima,
  id,
  LATER,
  MEMBERS,
  OFFICIAL,
  office,
  ownAlone,
  ownAndDesk,
  PAID,
  PHONE,
  REJECTED,
  type RowPart,
  STANDING,
  saidi,
  TOLD,
  UMOJA,
  WAITING,
} from './row-world.ts';

/*
 * Who may see, add, change and delete which rows, table by table, as PostgreSQL's policies have it. A domain says it of its own
 * tables in `server/domains/<name>/<name>.row-cases.ts`; those of older domains stand here.
 */

const files = globSync('../domains/*/*.row-cases.ts', { cwd: import.meta.dirname }).sort();
const parts = (await Promise.all(files.map((file) => import(`./${file}`)))).map(({ rows }) => rows as RowPart);

const shared: RowPart['cases'] = {
  account_suspensions: [
    {
      is: 'one by Halima',
      row: { user_id: farida, suspended_by: halima },
      see: 'halima',
      add: 'halima',
      into: [
        [{ upheld_by: halima }, 'halima'],
        [{ upheld_by: amina }, ''],
        [{ ended_at: LATER, lifted_by: halima }, 'halima'],
        [{ ended_at: LATER, lifted_by: amina }, ''],
        [{ ended_at: LATER, end_kind: 'lapsed' }, 'halima'],
      ],
    },
    { is: 'one in Amina’s name', row: { user_id: farida, suspended_by: amina }, see: 'halima' },
    {
      is: 'one that is upheld as it begins',
      row: { user_id: farida, suspended_by: halima, upheld_by: amina },
      see: 'halima',
    },
    {
      is: 'one that has ended',
      row: { user_id: farida, suspended_by: halima, ended_at: EARLIER },
      see: 'halima',
      into: [[{ lifted_by: halima }, '']],
    },
  ],
  accounts: [
    { is: 'Amina’s wallet', row: { id: 1, owner_id: amina, kind: 'wallet' }, see: 'amina halima' },
    {
      is: 'Amina’s savings',
      row: { id: 1, owner_id: amina, book_id: UMOJA, kind: 'savings' },
      see: 'amina chika halima',
    },
    { is: 'the income of Umoja', row: { id: 1, book_id: UMOJA, kind: 'fee_income' }, see: 'amina farida chika halima' },
    { is: 'the shares that Bahari has issued', row: { id: 1, book_id: BAHARI, kind: 'shares_issued' }, see: ALL },
    { is: 'the settlement with Bahari', row: { id: 1, owner_id: BAHARI, kind: 'settlement' }, see: ALL },
    { is: 'a reserve of the platform', row: { id: 1, kind: 'reserve' }, see: 'halima' },
  ],
  audit_runs: [{ is: 'a run of the audit', row: { breaches: 0 }, see: 'halima' }],
  callback_log: [{ is: 'what M-Pesa told', row: { kind: 'stk' }, see: 'halima' }],
  float_comparisons: [
    { is: 'a day’s comparison with M-Pesa', row: { day: '2026-01-01', state: 'open' }, see: 'halima' },
  ],
  deposits: [
    {
      is: 'a top-up by her own phone',
      row: { user_id: amina, phone: PHONE.amina, state: 'created' },
      ...ownAndDesk,
      add: 'amina',
    },
    {
      is: 'one by the phone of a friend who agreed',
      row: { user_id: amina, phone: FRIENDS_PHONE, state: 'created' },
      ...ownAndDesk,
      add: 'amina',
    },
    { is: 'one by Farida’s phone', row: { user_id: amina, phone: PHONE.farida, state: 'created' }, ...ownAndDesk },
    {
      is: 'one of Farida’s by Amina’s phone',
      row: { user_id: farida, phone: PHONE.amina, state: 'created' },
      see: 'farida halima',
    },
    {
      is: 'one that says it is paid',
      row: { user_id: amina, phone: PHONE.amina, state: 'paid' },
      ...ownAndDesk,
    },
  ],
  exit_requests: ownAlone(
    { see: 'amina chika', add: 'amina', change: 'amina' },
    { sacco_id: UMOJA, state: 'requested' },
  ),
  idempotency_keys: ownAlone({ see: 'amina', add: 'amina', change: 'amina', drop: 'amina' }, { key: 'k' }),
  journals: [
    { is: 'what Amina caused', row: { id: 1, caused_by: amina }, see: 'amina halima' },
    { is: 'what somebody else caused', row: { id: 1, caused_by: saidi }, see: 'saidi halima' },
    { is: 'one that a transfer of Amina’s is of', row: { id: 901, caused_by: saidi }, see: 'saidi amina halima' },
  ],
  marked_pairs: [{ is: 'a pair of Umoja', row: { sacco_id: UMOJA, one_id: amina, other_id: farida }, see: 'chika' }],
  market_candles: [{ is: 'a candle of Umoja', row: { sacco_id: UMOJA, unit: 'day', starts_at: EARLIER }, see: ALL }],
  market_events: [{ is: 'a change of Umoja’s book', row: { sacco_id: UMOJA, sequence: 1 }, see: MEMBERS }],
  market_levels: [
    { is: 'a price of Umoja’s book', row: { sacco_id: UMOJA, side: 'buy', price_cents: 1 }, see: MEMBERS },
  ],
  markets: [{ is: 'the market of Umoja', row: { sacco_id: UMOJA }, see: ALL }],
  former_names: [
    {
      is: 'the name that Amina had until lately',
      row: { user_id: amina, until: LATER, first_name: 'Asha', last_name: 'Otieno' },
      see: 'amina farida chika halima',
    },
    {
      is: 'the name that Amina had when she took the loan that she owes',
      row: { user_id: amina, until: EARLIER, first_name: 'Asha', last_name: 'Otieno' },
      see: 'amina farida chika halima',
    },
    {
      is: 'the name that Amina had long before that',
      row: { user_id: amina, until: '2019-01-01', first_name: 'Asha', last_name: 'Otieno' },
      see: '',
    },
  ],
  member_handles: [
    { is: 'Amina’s in Umoja', row: { user_id: amina, sacco_id: UMOJA, handle: 'K7Q2' }, see: 'amina chika' },
  ],
  member_record_readings: [
    { is: 'a reading by Chika in her sacco', row: { read_by: chika, sacco_id: UMOJA }, add: 'chika' },
    { is: 'a reading by Chika elsewhere', row: { read_by: chika, sacco_id: BAHARI } },
  ],
  memberships: [
    {
      is: 'Fatuma’s joining of Umoja',
      row: { user_id: fatuma, sacco_id: UMOJA, state: 'provisional' },
      see: 'fatuma amina farida chika halima',
      add: 'fatuma',
      change: 'fatuma',
      into: [[{ user_id: saidi }, '']],
    },
    {
      is: 'a membership that says it is paid up',
      row: { user_id: fatuma, sacco_id: BAHARI, state: 'active' },
      see: 'fatuma saidi halima',
      change: 'fatuma',
    },
    {
      is: 'one that is over',
      row: { user_id: fatuma, sacco_id: UMOJA, state: 'exited' },
      see: 'fatuma amina farida chika halima',
      change: 'fatuma',
    },
  ],
  money_exceptions: [
    { is: 'an open one', row: { kind: 'x' }, see: 'halima', change: 'halima' },
    {
      is: 'one that was credited to Amina',
      row: { credited_user_id: amina },
      see: 'amina halima',
      change: 'halima',
    },
  ],
  mpesa_receipts: [
    { is: 'a payment of Amina’s', row: { receipt: 'A', user_id: amina }, see: 'amina halima', change: 'halima' },
  ],
  notification_preferences: [
    {
      is: 'Amina’s own',
      row: { user_id: amina },
      see: 'amina halima',
      add: 'amina',
      change: 'amina',
      into: [[{ user_id: farida }, '']],
    },
  ],
  notifications: ownAlone({ see: 'amina', add: 'amina halima', change: 'amina' }),
  office_invitations: [
    {
      is: 'one to Amina, for a sacco that waits',
      row: { invited_by: fatuma, sacco_id: WAITING, id_number: '10000000' },
      see: 'amina fatuma halima',
      add: 'fatuma',
    },
    {
      is: 'one by an operator',
      row: { invited_by: halima, sacco_id: UMOJA, id_number: '1', named_as: 'operator', state: 'waiting' },
      see: 'chika halima',
      add: 'halima',
    },
    {
      is: 'one by an operator that another one is said to have confirmed',
      row: { invited_by: halima, sacco_id: UMOJA, id_number: '1', named_as: 'operator', confirmed_by: amina },
      see: 'chika halima',
    },
    {
      is: 'one to Amina that no second official has confirmed',
      row: { invited_by: chika, sacco_id: UMOJA, id_number: '10000000', state: 'waiting', named_as: 'chair' },
      see: 'chika halima',
    },
    {
      is: 'one that a founder calls confirmed',
      row: { invited_by: fatuma, sacco_id: WAITING, id_number: '1', confirmed_by: chika, named_as: 'chair' },
      see: 'fatuma halima',
    },
    {
      is: 'one by the chair of an active sacco',
      row: { invited_by: chika, sacco_id: UMOJA, id_number: '1' },
      see: 'chika halima',
    },
    {
      is: 'one by somebody else for Fatuma’s',
      row: { invited_by: saidi, sacco_id: WAITING, id_number: '1' },
      see: 'saidi halima',
    },
    {
      is: 'one that says it was accepted',
      row: { invited_by: fatuma, sacco_id: WAITING, id_number: '1', accepted_at: EARLIER },
      see: 'fatuma halima',
    },
    {
      is: 'one with a code of the founder’s choosing',
      row: { invited_by: fatuma, sacco_id: WAITING, id_number: '1', code_hash: 'x' },
      see: 'fatuma halima',
    },
    {
      is: 'one for a rejected sacco',
      row: { invited_by: fatuma, sacco_id: REJECTED, id_number: '1' },
      see: 'fatuma halima',
    },
  ],
  offices: [
    {
      is: 'the founder’s own, in a sacco that waits',
      row: office(WAITING, fatuma, 60, { recorded_by: fatuma }),
      see: 'fatuma halima',
      add: 'fatuma',
      change: 'fatuma halima',
      into: [
        [{ sacco_id: UMOJA }, 'halima'],
        [{ sacco_id: REJECTED }, 'halima'],
      ],
    },
    {
      is: 'one that the founder gives somebody',
      row: office(WAITING, saidi, 60, { recorded_by: fatuma }),
      see: 'saidi fatuma halima',
      change: 'fatuma halima',
    },
    {
      is: 'one that is recorded in somebody else’s name',
      row: office(WAITING, fatuma, 60, { recorded_by: saidi }),
      see: 'fatuma halima',
      change: 'fatuma halima',
    },
    {
      is: 'one in an active sacco',
      row: office(UMOJA, farida, 60, { recorded_by: farida, office: 'treasurer' }),
      see: ALL,
      change: 'halima',
    },
    {
      is: 'one in a sacco that was rejected',
      row: office(REJECTED, fatuma, 60, { recorded_by: fatuma }),
      see: 'fatuma halima',
      change: 'halima',
    },
    {
      is: 'a fellow official’s, in a sacco that waits',
      row: office(CHIKAS, id(9), 60, { recorded_by: id(9), office: 'treasurer' }),
      see: 'chika halima',
      change: 'halima',
    },
    {
      is: 'an operator’s own, in a sacco that waits',
      row: office(WAITING, halima, 60, { recorded_by: halima }),
      see: 'fatuma halima',
      change: 'fatuma halima',
    },
  ],
  operator_actions: [
    { is: 'an act of Halima’s', row: { operator_id: halima }, see: 'halima', add: 'halima' },
    { is: 'an act in another operator’s name', row: { operator_id: amina }, see: 'halima' },
  ],
  operator_proposals: [
    {
      is: 'what Halima proposes',
      row: { proposed_by: halima, state: 'proposed' },
      see: 'halima',
      add: 'halima',
      change: 'halima',
    },
    {
      is: 'a proposal in another’s name',
      row: { proposed_by: amina, state: 'proposed' },
      see: 'halima',
      change: 'halima',
      into: [
        [{ confirmed_by: halima }, 'halima'],
        [{ confirmed_by: chika }, ''],
        [{ confirmed_by: chika, closed_by: halima }, 'halima'],
      ],
    },
    {
      is: 'one that is done as it is made',
      row: { proposed_by: halima, state: 'done' },
      see: 'halima',
      change: 'halima',
    },
    {
      is: 'one that another is said to have confirmed',
      row: { proposed_by: halima, state: 'proposed', confirmed_by: chika },
      see: 'halima',
    },
  ],
  operators: [{ is: 'somebody who was one', row: { user_id: amina, revoked_at: EARLIER }, see: 'amina halima' }],
  paybill_payments: [
    { is: 'one that Amina was credited with', row: { receipt: PAID }, see: 'amina halima' },
    { is: 'one in suspense', row: { receipt: 'X' }, see: 'halima' },
  ],
  prompt_consents: [
    {
      is: 'Amina’s, given by Farida',
      row: { user_id: amina, phone: PHONE.farida, given_at: EARLIER, ended_at: null, ended_by: null },
      see: 'amina farida',
      into: [
        [{ ended_by: amina }, 'amina'],
        [{ ended_by: farida }, 'farida'],
        [{ ended_by: saidi }, ''],
      ],
    },
    {
      is: 'one that Amina asked Farida for',
      row: { user_id: amina, phone: PHONE.farida, given_at: null, ended_at: null, ended_by: null },
      see: 'amina',
      into: [[{ ended_by: amina }, '']],
    },
    {
      is: 'one that is over',
      row: { user_id: amina, phone: PHONE.farida, given_at: EARLIER, ended_at: EARLIER, ended_by: null },
      see: 'amina farida',
      into: [[{ ended_by: amina }, '']],
    },
  ],
  phone_codes: ownAlone({ see: 'amina', add: 'amina', change: 'amina' }),
  platform_counts: [
    {
      is: 'a sum of the platform',
      row: { name: 'x', shard: 0, value: 1 },
      see: ALL,
      change: ALL,
      into: [[{ value: 2 }, ALL]],
    },
  ],
  price_alerts: [
    ...ownAlone({ see: 'amina', add: 'amina', change: 'amina' }, { sacco_id: UMOJA, state: 'waiting' }),
    { is: 'one in a sacco that is not hers', row: { user_id: amina, sacco_id: BAHARI }, see: 'amina', change: 'amina' },
  ],
  receipt_claims: [
    {
      is: 'one that waits',
      row: { user_id: amina, state: 'pending' },
      ...ownAndDesk,
      add: 'amina',
      change: 'amina',
      into: [
        [{ user_id: farida }, ''],
        [{ state: 'credited' }, ''],
      ],
    },
    {
      is: 'one that says it is credited',
      row: { user_id: amina, state: 'credited' },
      ...ownAndDesk,
      into: [[{ state: 'pending' }, '']],
    },
  ],
  recovery_codes: ownAlone({ see: 'amina', add: 'amina', change: 'amina', drop: 'amina' }, { code_hash: 'x' }),
  reset_codes: ownAlone({ see: 'amina', change: 'amina' }),
  sms_choices: [
    {
      is: 'Amina’s own',
      row: { user_id: amina, topic: 'money' },
      see: 'amina halima',
      add: 'amina',
      change: 'amina',
      into: [[{ user_id: farida }, '']],
    },
  ],
  sacco_changes: [
    { is: 'what Umoja’s chair proposes', row: change(UMOJA, chika, 'proposed'), see: 'chika' },
    { is: 'what is confirmed in Umoja', row: change(UMOJA, chika, 'confirmed'), see: MEMBERS },
    {
      is: 'a waiver of a loan of Umoja’s that is in force',
      row: { ...change(UMOJA, chika, 'in_force'), kind: 'loan_waiver' },
      see: 'chika',
    },
    { is: 'what was refused in Umoja', row: change(UMOJA, chika, 'refused'), see: 'chika' },
    { is: 'what Bahari’s chair proposed to Umoja', row: change(UMOJA, saidi, 'proposed'), see: 'chika saidi' },
    { is: 'a new name of Umoja’s chair', row: change(null, chika, 'proposed'), see: 'chika' },
    { is: 'a new name of Amina’s, who holds no office', row: change(null, amina, 'proposed'), see: 'amina' },
    { is: 'a new name of another official of Umoja', row: change(null, OFFICIAL, 'proposed'), see: 'chika' },
    { is: 'a new name of who was one', row: change(null, FORMER, 'proposed') },
    { is: 'what an official of Umoja proposes in Bahari', row: change(BAHARI, OFFICIAL, 'proposed'), see: 'saidi' },
  ],
  sacco_checks: [
    {
      is: 'a point of Umoja',
      row: { sacco_id: UMOJA, point: 'x', checked_by: halima },
      see: 'chika halima',
      add: 'halima',
      change: 'halima',
      into: [[{ checked_by: amina }, '']],
    },
    {
      is: 'a point in somebody else’s name',
      row: { sacco_id: WAITING, point: 'x', checked_by: fatuma },
      see: 'fatuma halima',
    },
    {
      is: 'a point of a rejected sacco',
      row: { sacco_id: REJECTED, point: 'x', checked_by: halima },
      see: 'fatuma halima',
      add: 'halima',
      change: 'halima',
      drop: 'fatuma',
    },
  ],
  sacco_figures: [
    { is: 'those of Fatuma’s', row: { sacco_id: WAITING }, see: ALL, add: 'fatuma', change: 'halima' },
    { is: 'those of Umoja', row: { sacco_id: UMOJA }, see: ALL, change: 'amina farida chika halima' },
  ],
  sacco_logos: [
    { is: 'that of Fatuma’s', row: { sacco_id: WAITING }, see: 'fatuma halima', add: 'fatuma' },
    { is: 'that of one that waits, of which Chika is an official', row: { sacco_id: CHIKAS }, see: 'chika halima' },
    { is: 'that of Umoja', row: { sacco_id: UMOJA }, see: ALL },
  ],
  sacco_ratings: ownAlone({ see: 'amina', add: 'amina', change: 'amina' }, { sacco_id: UMOJA }),
  sacco_state_changes: [
    {
      is: 'Fatuma’s asking again',
      row: { sacco_id: REJECTED, to_state: 'pending', changed_by: fatuma },
      see: 'halima',
      add: 'fatuma',
    },
    {
      is: 'Fatuma’s own activation',
      row: { sacco_id: WAITING, to_state: 'active', changed_by: fatuma },
      see: 'halima',
    },
    {
      is: 'somebody else’s asking again',
      row: { sacco_id: REJECTED, to_state: 'pending', changed_by: saidi },
      see: 'halima',
    },
    {
      is: 'somebody else’s asking for one that waits',
      row: { sacco_id: WAITING, to_state: 'pending', changed_by: saidi },
      see: 'halima',
    },
    {
      is: 'an operator’s decision',
      row: { sacco_id: WAITING, to_state: 'active', changed_by: halima },
      see: 'halima',
      add: 'halima',
    },
    {
      is: 'a decision in another’s name',
      row: { sacco_id: WAITING, to_state: 'active', changed_by: amina },
      see: 'halima',
    },
  ],
  sacco_terms: [{ is: 'Umoja’s', row: { sacco_id: UMOJA, number: 7, valid_from: EARLIER }, see: ALL }],
  saccos: [
    {
      is: 'Fatuma’s, which waits',
      row: { created_by: fatuma, name: 'x', reg_no: 'CS/9', state: 'pending' },
      see: ALL,
      add: 'fatuma',
      change: 'fatuma halima',
      into: [
        [{ state: 'active' }, 'halima'],
        [{ created_by: saidi }, 'halima'],
      ],
    },
    {
      is: 'Fatuma’s, which says it is active',
      row: { created_by: fatuma, name: 'x', reg_no: 'CS/9', state: 'active' },
      see: ALL,
      change: 'halima',
      into: [[{ state: 'pending' }, 'halima']],
    },
    {
      is: 'Fatuma’s, which was rejected',
      row: { created_by: fatuma, name: 'x', reg_no: 'CS/9', state: 'rejected' },
      see: 'fatuma halima',
      change: 'fatuma halima',
    },
  ],
  sale_proceeds: ownAlone({ see: 'amina' }, { starts_at: EARLIER }),
  second_factors: ownAlone({ see: 'amina', add: 'amina', change: 'amina', drop: 'amina' }),
  sessions: ownAlone({ see: 'amina', change: 'amina' }),
  share_movements: [
    { is: 'a purchase of Amina’s', row: { user_id: amina, sacco_id: UMOJA }, see: 'amina chika halima' },
  ],
  share_orders: [
    {
      is: 'Amina’s order',
      row: { user_id: amina, sacco_id: UMOJA, price_cents: 1, side: 'buy', place: 1 },
      see: 'amina',
    },
  ],
  share_trades: [
    {
      is: 'what Amina bought of Farida',
      row: { buyer_id: amina, seller_id: farida, sacco_id: UMOJA },
      see: 'amina farida',
    },
  ],
  phone_changes: ownAlone({ see: 'amina', add: 'amina' }),
  sms_days: [{ is: 'how many a day has had', row: { day: '2026-01-01', sent: 1 }, see: ALL }],
  sms_messages: [
    {
      is: 'one to Amina by her own act',
      row: { user_id: amina, kind: 'news', caused_by: amina },
      ...TOLD,
      add: 'amina',
    },
    {
      is: 'one to Amina by an operator',
      row: { user_id: amina, kind: 'news', caused_by: halima },
      ...TOLD,
      add: 'halima',
    },
    { is: 'one to Farida by Amina', row: { user_id: farida, kind: 'news', caused_by: amina }, ...TOLD },
    { is: 'Amina’s invitation', row: { user_id: null, kind: 'invitation', caused_by: amina }, ...TOLD, add: 'amina' },
    { is: 'an invitation in Farida’s name', row: { user_id: farida, kind: 'invitation', caused_by: amina }, ...TOLD },
    { is: 'another one to nobody', row: { user_id: null, kind: 'news', caused_by: amina }, ...TOLD },
  ],
  standing_order_runs: [
    { is: 'a month of Amina’s standing order', row: { order_id: STANDING, month: '2026-01' }, see: 'amina' },
  ],
  standing_orders: ownAlone({ see: 'amina', add: 'amina', change: 'amina' }, { sacco_id: UMOJA }),
  status_queries: [
    {
      is: 'the question about Amina’s claim',
      row: { purpose: 'claim', state: 'waiting', about_id: CLAIM, receipt: CLAIMED },
      see: 'amina halima',
      add: 'amina halima',
      change: 'halima',
    },
    {
      is: 'one that says it is answered',
      row: { purpose: 'claim', state: 'answered', about_id: CLAIM, receipt: CLAIMED },
      see: 'amina halima',
      change: 'halima',
    },
    {
      is: 'one about another receipt',
      row: { purpose: 'claim', state: 'waiting', about_id: CLAIM, receipt: 'X' },
      see: 'amina halima',
      change: 'halima',
    },
    {
      is: 'one of another purpose',
      row: { purpose: 'deposit', state: 'waiting', about_id: CLAIM, receipt: CLAIMED },
      see: 'halima',
      change: 'halima',
    },
    {
      is: 'one about nobody’s claim',
      row: { purpose: 'claim', state: 'waiting', about_id: id(99), receipt: CLAIMED },
      see: 'halima',
      change: 'halima',
    },
  ],
  throttles: [
    {
      is: 'what is counted of Amina’s passwords',
      row: { key: `proof:${amina}` },
      see: 'amina',
      add: 'amina',
      change: 'amina',
      drop: 'amina',
      into: [[{ key: `proof:${farida}` }, '']],
    },
  ],
  transfers: [
    {
      is: 'out of Amina’s wallet',
      row: { journal_id: 1, position: 1, debit_account_id: 900, credit_account_id: 902 },
      see: 'amina halima',
    },
    {
      is: 'into Farida’s',
      row: { journal_id: 1, position: 1, debit_account_id: 902, credit_account_id: 901 },
      see: 'farida halima',
    },
  ],
  unproven_days: ownAlone({ see: 'amina', add: 'amina', change: 'amina' }, { day: EARLIER }),
  users: [
    {
      is: 'Amina',
      row: { id: amina },
      see: 'amina halima',
      change: 'amina',
      into: [
        [{ id: id(80) }, ''],
        [{ id: farida }, ''],
      ],
    },
  ],
  withdrawals: [
    {
      is: 'one that Amina asks for',
      row: { user_id: amina, state: 'created' },
      ...ownAndDesk,
      add: 'amina',
      change: 'halima',
    },
    { is: 'one that says it is paid', row: { user_id: amina, state: 'paid' }, ...ownAndDesk, change: 'halima' },
  ],
};

/** Every table's, by its name. */
export const ROW_CASES: RowPart['cases'] = gathered(shared, ...parts.map(({ cases }) => cases));

/** What the cases of the domains stand on. */
export const MORE_OF_THE_WORLD = gathered(...parts.map(({ world = {} }) => world));

/** What has happened stays as it was written: nothing that could unwrite it is granted to anybody. */
export const HISTORY: readonly string[] = [
  'accounts',
  'audit_runs',
  'journals',
  'member_record_readings',
  'operator_actions',
  'sacco_state_changes',
  'share_movements',
  'share_trades',
  'transfers',
  ...parts.flatMap(({ history = [] }) => history),
];

/** One table of several. Throws where two say something of the same name: one of them would be forgotten. */
function gathered<T>(...tables: readonly Readonly<Record<string, T>>[]): Readonly<Record<string, T>> {
  const names = tables.flatMap((table) => Object.keys(table));
  const twice = names.filter((name, index) => names.indexOf(name) !== index);
  if (twice.length > 0) throw new Error(`Two files of row cases speak of ${twice.join(', ')}.`);
  return Object.assign({}, ...tables);
}
