import type postgres from 'postgres';

/*
 * Whose rows the policies of PostgreSQL are tried with (row-cases.ts and the domains' *.row-cases.ts). Amina's rows, mostly:
 * she and Farida are plain members of Umoja, whose chair is Chika. Saidi is the chair of another sacco, Bahari. Fatuma
 * has registered a sacco that waits and one that was rejected. Halima is an operator. Nobody is a request without a person.
 */

export const VIEWERS = ['amina', 'farida', 'chika', 'saidi', 'fatuma', 'halima', 'nobody'] as const;
export type Viewer = (typeof VIEWERS)[number];

export const id = (number: number) => `00000000-0000-7000-8000-${String(number).padStart(12, '0')}`;
export const PEOPLE: Readonly<Record<Exclude<Viewer, 'nobody'>, string>> = {
  amina: id(1),
  farida: id(2),
  chika: id(3),
  saidi: id(4),
  fatuma: id(5),
  halima: id(6),
};
export const { amina, farida, chika, saidi, fatuma, halima } = PEOPLE;
export const [UMOJA, BAHARI, WAITING, REJECTED, CHIKAS] = [id(11), id(12), id(13), id(14), id(15)];
export const [CLAIM, POOL, STANDING, OPEN_POOL, FARIDAS] = [id(21), id(22), id(23), id(24), id(25)];
export const [CLAIMED, PAID] = ['SGH7XK2L9P', 'SGH7XK2L9Q'];
/** An official of Umoja beside Chika, and a former one. Neither makes requests. */
export const [OFFICIAL, FORMER] = [id(8), id(9)];
export const PHONE = { amina: '254700000000', farida: '254700000001' };
export const FRIENDS_PHONE = '254733000000';
export const LATER = '2100-01-01';
export const EARLIER = '2020-01-01';

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
export async function writeWorld(
  sql: postgres.TransactionSql,
  more: Readonly<Record<string, readonly object[]>>,
): Promise<void> {
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
  await add('standing_orders', [{ id: STANDING, sacco_id: UMOJA, user_id: amina, state: 'active' }]);
  await add('accounts', [
    { id: 900, owner_id: amina, kind: 'x' },
    { id: 901, owner_id: farida, kind: 'x' },
    { id: 902, owner_id: null, book_id: UMOJA, kind: 'x' },
  ]);
  for (const [table, rows] of Object.entries(more)) await add(table, rows);
  await add('journals', [{ id: 900, caused_by: halima, kind: 'x' }]);
  await add('transfers', [{ journal_id: 901, position: 1, debit_account_id: 902, credit_account_id: 900 }]);
}

export const member = (sacco_id: string, user_id: string, number: number) => ({
  id: id(number),
  sacco_id,
  user_id,
  state: 'active',
});
export const office = (sacco_id: string, user_id: string, number: number, more: object = {}) => ({
  id: id(number),
  sacco_id,
  user_id,
  office: 'chair',
  since: EARLIER,
  until: LATER,
  ...more,
});

export const change = (sacco_id: string | null, proposed_by: string, state: string) => ({
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

/** What a domain says of its own tables, as `rows` of its `<name>.row-cases.ts`, which row-cases.ts finds. */
export interface RowPart {
  /** By table. */
  readonly cases: Readonly<Record<string, readonly RowCase[]>>;
  /** What they stand on beside the rows of `writeWorld`, by table. */
  readonly world?: Readonly<Record<string, readonly object[]>>;
  /** Tables of what has happened: nobody but the owner changes or deletes in them. */
  readonly history?: readonly string[];
}

export const ALL = VIEWERS.join(' ');
/** Those who see what only Umoja may see. */
export const INSIDE = 'amina farida chika halima';
export const MEMBERS = 'amina farida chika';

/** A row that only its person may see and change, in everything that is granted on its table. */
export function ownAlone(may: Omit<RowCase, 'is' | 'row'>, row: Readonly<Record<string, unknown>> = {}): RowCase[] {
  const into = may.change === undefined ? [] : [[{ user_id: farida }, ''] as const];
  return [{ is: 'Amina’s own', row: { user_id: amina, ...row }, ...may, into }];
}

/** A row of a person that operators also see. */
export const ownAndDesk = { see: 'amina halima' };

/** Of the SMS outbox, operators see only counts. */
export const TOLD = { see: 'halima' };
