import type postgres from 'postgres';

/*
 * Who may see, add, change and delete which rows, table by table, under PostgreSQL's policies. Most rows are Amina's:
 * she and Farida are plain members of Umoja, whose chair is Chika. Saidi is the chair of another sacco, Bahari. Fatuma
 * has registered a sacco that waits and one that was rejected. Halima is an operator. Nobody is a request without a
 * person.
 */

export const VIEWERS = ['amina', 'farida', 'chika', 'saidi', 'fatuma', 'halima', 'nobody'] as const;
export type Viewer = (typeof VIEWERS)[number];

const id = (number: number) => `00000000-0000-7000-8000-${String(number).padStart(12, '0')}`;
export const PEOPLE: Readonly<Record<Exclude<Viewer, 'nobody'>, string>> = {
  amina: id(1),
  farida: id(2),
  chika: id(3),
  saidi: id(4),
  fatuma: id(5),
  halima: id(6),
};
const { amina, farida, chika, saidi, fatuma, halima } = PEOPLE;
const [UMOJA, BAHARI, WAITING, REJECTED, CHIKAS] = [id(11), id(12), id(13), id(14), id(15)];
const [CLAIM, POOL, STANDING, OPEN_POOL, FARIDAS] = [id(21), id(22), id(23), id(24), id(25)];
const [CLAIMED, PAID] = ['SGH7XK2L9P', 'SGH7XK2L9Q'];
/** An official of Umoja beside Chika, and a former one. Neither makes requests. */
const [OFFICIAL, FORMER] = [id(8), id(9)];
const PHONE = { amina: '254700000000', farida: '254700000001' };
const FRIENDS_PHONE = '254733000000';
const LATER = '2100-01-01';
const EARLIER = '2020-01-01';

export function literal(value: unknown): string {
  if (value === null || value === undefined) return 'null';
  return typeof value === 'number' ? String(value) : `'${String(value).replaceAll("'", "''")}'`;
}

export function insertInto(table: string, row: object): string {
  const columns = Object.keys(row).map((column) => `"${column}"`);
  return `insert into ${table} (${columns}) overriding system value values (${Object.values(row).map(literal)})`;
}

/**
 * Inserts the rows that the cases refer to. Checks and required columns are removed, so only what a policy reads is
 * filled in.
 */
export async function writeWorld(sql: postgres.TransactionSql): Promise<void> {
  const add = async (table: string, rows: readonly object[]) => {
    for (const row of rows) await sql.unsafe(insertInto(table, row));
  };
  await add(
    'users',
    Object.entries(PEOPLE).map(([name, person], index) => ({
      id: person,
      first_name: name,
      last_name: 'Mwangi',
      id_number: `1000000${index}`,
      phone: `25470000000${index}`,
      phone_confirmed_at: EARLIER,
      recovery_phone: `25470000000${index}`,
      email: `${name}@example.com`,
      password_hash: '$argon2id$none',
    })),
  );
  await add('saccos', [
    { id: UMOJA, name: 'Umoja Sacco', reg_no: 'CS/1', state: 'active', created_by: id(9) },
    { id: BAHARI, name: 'Bahari Sacco', reg_no: 'CS/2', state: 'active', created_by: saidi },
    { id: WAITING, name: 'Subira Sacco', reg_no: 'CS/3', state: 'pending', created_by: fatuma },
    { id: CHIKAS, name: 'Chika’s Sacco', reg_no: 'CS/5', state: 'pending', created_by: id(9) },
    { id: REJECTED, name: 'Kataa Sacco', reg_no: 'CS/4', state: 'rejected', created_by: fatuma },
  ]);
  await add('memberships', [
    member(UMOJA, amina, 31),
    member(UMOJA, farida, 32),
    member(UMOJA, chika, 33),
    member(BAHARI, saidi, 34),
  ]);
  await add('offices', [
    office(UMOJA, chika, 40),
    office(BAHARI, saidi, 41),
    office(CHIKAS, chika, 42),
    office(UMOJA, OFFICIAL, 94, { office: 'credit_committee' }),
    office(UMOJA, FORMER, 95, { office: 'credit_committee', ended_at: EARLIER }),
  ]);
  await add('operators', [{ user_id: halima, granted_at: EARLIER }]);
  await add('receipt_claims', [{ id: CLAIM, user_id: amina, receipt: CLAIMED, state: 'pending' }]);
  await add('prompt_consents', [{ id: id(25), user_id: amina, phone: FRIENDS_PHONE, given_at: EARLIER }]);
  await add('mpesa_receipts', [{ receipt: PAID, user_id: amina, credited_to: 'wallet' }]);
  await add('pools', [
    { id: POOL, sacco_id: UMOJA, name: 'Umoja pool', state: 'FORMING', created_by: amina },
    { id: OPEN_POOL, sacco_id: null, name: 'Old pool', state: 'OPEN', created_by: amina, review: 'approved' },
  ]);
  await add('pool_members', [
    { pool_id: POOL, user_id: farida, sequence: 1 },
    { pool_id: FARIDAS, user_id: farida, sequence: 1 },
  ]);
  await add('standing_orders', [{ id: STANDING, sacco_id: UMOJA, user_id: amina, state: 'active' }]);
  await add('accounts', [
    { id: 900, owner_id: amina, kind: 'x' },
    { id: 901, owner_id: farida, kind: 'x' },
    { id: 902, owner_id: null, book_id: UMOJA, kind: 'x' },
  ]);
  await add('journals', [{ id: 900, caused_by: halima, kind: 'x' }]);
  await add('transfers', [{ journal_id: 901, position: 1, debit_account_id: 902, credit_account_id: 900 }]);
}

const member = (sacco_id: string, user_id: string, number: number) => ({
  id: id(number),
  sacco_id,
  user_id,
  state: 'active',
});
const office = (sacco_id: string, user_id: string, number: number, more: object = {}) => ({
  id: id(number),
  sacco_id,
  user_id,
  office: 'chair',
  since: EARLIER,
  until: LATER,
  ...more,
});

const change = (sacco_id: string | null, proposed_by: string, state: string) => ({
  id: id(80),
  kind: sacco_id === null ? 'official_name' : 'market_terms',
  sacco_id,
  proposed_by,
  state,
});

/** What is done to a row, and who may do it. Names are separated by spaces; '' is nobody. */
export interface RowCase {
  /** What the row is, in words. */
  readonly is: string;
  readonly row: Readonly<Record<string, unknown>>;
  /** Who may see, add and delete it, and update it without a change; omitted: nobody. */
  readonly see?: string;
  readonly add?: string;
  readonly change?: string;
  readonly drop?: string;
  /** Changes to the row, and who may make each. */
  readonly into?: readonly (readonly [set: Readonly<Record<string, unknown>>, by: string])[];
}

const ALL = VIEWERS.join(' ');
/** Those who see what only Umoja may see. */
const INSIDE = 'amina farida chika halima';
const MEMBERS = 'amina farida chika';

/** A row that only its person may see and change, in everything that is granted on its table. */
function ownAlone(may: Omit<RowCase, 'is' | 'row'>, row: Readonly<Record<string, unknown>> = {}): RowCase[] {
  const into = may.change === undefined ? [] : [[{ user_id: farida }, ''] as const];
  return [{ is: 'Amina’s own', row: { user_id: amina, ...row }, ...may, into }];
}

/** A row of a person that operators also see. */
const ownAndDesk = { see: 'amina halima' };

/** Of the SMS outbox, operators see only counts. */
const TOLD = { see: 'halima' };

export const ROW_CASES: Readonly<Record<string, readonly RowCase[]>> = {
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
  exit_requests: ownAlone({ see: 'amina', add: 'amina', change: 'amina' }, { sacco_id: UMOJA, state: 'requested' }),
  idempotency_keys: ownAlone({ see: 'amina', add: 'amina', change: 'amina', drop: 'amina' }, { key: 'k' }),
  invitations: [{ is: 'Amina’s own', row: { inviter_id: amina }, see: 'amina', add: 'amina' }],
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
      row: { invited_by: halima, sacco_id: UMOJA, id_number: '1' },
      see: 'halima',
      add: 'halima',
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
  pool_events: [
    { is: 'the making of Amina’s pool', row: { pool_id: POOL, caused_by: amina }, see: INSIDE, add: 'amina' },
    { is: 'one of a public pool', row: { pool_id: OPEN_POOL, caused_by: amina }, see: ALL },
    { is: 'one in somebody else’s pool', row: { pool_id: POOL, caused_by: farida }, see: INSIDE },
  ],
  pool_members: [
    { is: 'Amina’s place in an old pool', row: { pool_id: OPEN_POOL, user_id: amina }, see: 'amina halima' },
    { is: 'a stranger’s place in Farida’s pool', row: { pool_id: POOL, user_id: saidi }, see: 'saidi farida halima' },
  ],
  pool_parameters: [
    {
      is: 'those of Amina’s pool',
      row: { pool_id: POOL, valid_from: EARLIER, changed_by: amina },
      see: INSIDE,
      add: 'amina',
    },
    { is: 'those of a public pool', row: { pool_id: OPEN_POOL, valid_from: EARLIER, changed_by: amina }, see: ALL },
    {
      is: 'those of somebody else’s pool',
      row: { pool_id: POOL, valid_from: EARLIER, changed_by: farida },
      see: INSIDE,
    },
  ],
  pool_stewards: [
    { is: 'the creator’s own', row: { pool_id: POOL, user_id: amina, since: EARLIER }, see: INSIDE, add: 'amina' },
    { is: 'somebody else’s', row: { pool_id: POOL, user_id: farida, since: EARLIER }, see: INSIDE },
    { is: 'one of a public pool', row: { pool_id: OPEN_POOL, user_id: amina, since: EARLIER }, see: ALL },
  ],
  pools: [
    {
      is: 'a new one of Umoja',
      row: { created_by: amina, state: 'FORMING', sacco_id: UMOJA },
      see: INSIDE,
      add: 'amina',
    },
    {
      is: 'a new one of no sacco',
      row: { created_by: saidi, state: 'FORMING', sacco_id: null },
      see: 'saidi halima',
      add: 'saidi',
    },
    {
      is: 'one in which Farida has money',
      row: { id: FARIDAS, created_by: saidi, state: 'FORMING', sacco_id: null },
      see: 'farida saidi halima',
      add: 'saidi',
    },
    {
      is: 'one that waits to be looked at',
      row: { created_by: saidi, state: 'OPEN', review: 'waiting' },
      see: 'saidi halima',
      into: [
        [{ review: 'approved', reviewed_by: halima }, 'halima'],
        [{ review: 'approved', reviewed_by: amina }, ''],
      ],
    },
    {
      is: 'one that Halima has approved',
      row: { created_by: saidi, state: 'OPEN', review: 'approved', reviewed_by: halima },
      see: ALL,
      into: [[{ review: 'refused', reviewed_by: halima }, '']],
    },
    {
      is: 'one with five members',
      row: { created_by: saidi, state: 'OPEN', members_count: 5 },
      see: ALL,
    },
    {
      is: 'one with five members that an operator refused',
      row: { created_by: saidi, state: 'OPEN', members_count: 5, review: 'refused' },
      see: 'saidi halima',
    },
    {
      is: 'one of a sacco that is not the creator’s',
      row: { created_by: saidi, state: 'FORMING', sacco_id: UMOJA },
      see: `${INSIDE} saidi`,
    },
    { is: 'one that says it is open', row: { created_by: amina, state: 'OPEN', sacco_id: UMOJA }, see: INSIDE },
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
  referral_codes: ownAlone({ see: 'amina', add: 'amina', change: 'amina' }, { code: 'X' }),
  referral_rewards: [{ is: 'Amina’s reward', row: { referral_id: id(70), referrer_id: amina }, see: 'amina halima' }],
  referral_terms: [
    {
      is: 'those of Umoja, by its chair',
      row: { sacco_id: UMOJA, valid_from: EARLIER, changed_by: chika },
      see: 'amina farida chika halima',
    },
  ],
  referrals: [
    {
      is: 'Farida’s, whom Amina brought and who has not joined',
      row: { referrer_id: amina, referred_id: farida, status: 'lead' },
      see: 'amina farida halima',
      change: 'halima',
      into: [
        [{ status: 'joined' }, 'farida halima'],
        [{ status: 'fully_paid' }, 'halima'],
        [{ status: 'joined', referred_id: saidi }, 'halima'],
      ],
    },
    {
      is: 'Farida’s, who has joined',
      row: { referrer_id: amina, referred_id: farida, status: 'joined' },
      see: 'amina farida halima',
      change: 'halima',
    },
  ],
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
