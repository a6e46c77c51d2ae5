import postgres from 'postgres';
import { PLATFORM_BOOK } from '../server/ledger/ledger.types.ts';

/** How many there shall be; `members` is a multiple of `saccos`. */
export interface Crowd {
  readonly members: number;
  readonly saccos: number;
  /** Of the members, spread evenly, how many are signed in and have a long history. */
  readonly signedIn: number;
  /** Further top-ups in the history of each of those. */
  readonly topUps: number;
}

/** A member who is signed in. */
export interface SignedIn {
  readonly userId: string;
  readonly token: string;
  readonly saccoId: string;
}

/** What a new member tops up, pays for shares and saves, in cents; and the shares. The benches' prices follow from it. */
const amounts = { topUp: 100_000_000, shares: 1_000, shareValue: 100, savings: 50_000, further: 100 };

/**
 * Fills a migrated database with people as the product would have written them: each with an account, a referral code, a
 * wallet that was topped up, a membership, shares and savings, so that every invariant of the ledger holds. As the
 * owner and set-based, without the foreign keys' triggers: through the verbs a million members would take hours.
 */
export async function fillPeople(ownerUrl: string, crowd: Crowd): Promise<SignedIn[]> {
  if (crowd.members % crowd.saccos !== 0) throw new Error('Every sacco has as many members as any other.');
  const sql = postgres(ownerUrl, { max: 1, onnotice: () => {} });
  try {
    await sql.unsafe(`set session_replication_role = replica; set work_mem = '128MB'; ${functions}`);
    await sql.begin(async (tx) => {
      for (const statement of [...people(crowd), ...accounts(crowd), ...journals(crowd), ...counters(crowd)]) {
        await tx.unsafe(statement);
      }
    });
    await sql.unsafe('set session_replication_role = origin');
    await sql.unsafe('vacuum analyze');
    await sql.unsafe('checkpoint');
    return await signedInOf(sql, crowd);
  } finally {
    await sql.end();
  }
}

/** Ids of their own for each thing, as UUIDv7 are: growing with time, with a random end. */
const functions = `
  create or replace function pg_temp.bench_id(thing text, number bigint) returns uuid language sql immutable as $$
    select (lpad(to_hex(1700000000000 + number), 12, '0') || '7' || substr(md5(thing || number::text), 1, 3)
      || '8' || substr(md5(thing || number::text), 4, 15))::uuid
  $$;
  create or replace function pg_temp.bench_token(number bigint) returns text language sql immutable as $$
    select 'bench' || lpad(number::text, 38, '0')
  $$;`;

const user = (number: string) => `pg_temp.bench_id('user', ${number})`;
const sacco = (number: string) => `pg_temp.bench_id('sacco', ${number})`;
/** Member i is in sacco (i - 1) mod saccos + 1, as its (i - 1) / saccos + 1st member. */
const saccoOf = (member: string, { saccos }: Crowd) => `((${member} - 1) % ${saccos} + 1)`;
const rankOf = (member: string, { saccos }: Crowd) => `((${member} - 1) / ${saccos} + 1)`;
const eachMember = ({ members }: Crowd) => `generate_series(1::bigint, ${members}) as i`;
const eachSacco = ({ saccos }: Crowd) => `generate_series(1::bigint, ${saccos}) as s`;
/** The j-th of those who are signed in is member (j - 1) * step + 1. */
const stepOf = ({ members, signedIn }: Crowd) => Math.floor(members / signedIn);
const eachSignedIn = ({ signedIn }: Crowd) => `generate_series(1::bigint, ${signedIn}) as j`;

function people(crowd: Crowd): string[] {
  const names = (list: string, number: string) => `(array[${list}])[1 + (${number}) % ${list.split(',').length}]`;
  const first = `'Amani','Bahati','Chebet','Daudi','Esther','Faraji','Grace','Hassan','Imani','Juma','Kamau','Lilian'`;
  const last = `'Achieng','Barasa','Cherono','Gathoni','Kiplagat','Mwangi','Njeri','Odhiambo','Otieno','Wanjiru','Yusuf'`;
  const place = `'Athi','Bungoma','Chogoria','Eldoret','Gilgil','Homa Bay','Isiolo','Juja','Kisii','Limuru','Meru',
    'Naivasha','Oloitokitok','Pumwani','Ruiru','Siaya','Thika','Ukunda','Voi','Wajir'`;
  const trade = `'Askari','Biashara','Chai','Dereva','Elimu','Farasi','Gari','Hodari','Imara','Jamii','Kilimo','Leso',
    'Maziwa','Nyota','Omena','Posho','Rafiki','Samaki','Tumaini','Uvuvi','Viazi','Wafanyakazi','Yetu'`;
  return [
    `insert into users (id, id_number, first_name, last_name, phone, phone_confirmed_at, recovery_phone, email,
       password_hash, password_changed_at, created_at, updated_at)
     select ${user('i')}, 'M' || lpad(i::text, 8, '0'), ${names(first, 'i')}, ${names(last, 'i / 12')}, phone, now(), phone,
       'm' || i || '@example.co.ke', '$argon2id$none', now(), now(), now()
     from ${eachMember(crowd)} cross join lateral (select '2547' || lpad(i::text, 8, '0') as phone) p`,
    `insert into referral_codes (user_id, code, created_at)
     select ${user('i')}, lpad(upper(to_hex(i)), 8, '0'), now() from ${eachMember(crowd)}`,
    `insert into saccos (id, name, description, reg_no, type, reg_fee_cents, min_shares, share_value_cents, state,
       state_at, state_by, created_by, created_at)
     select ${sacco('s')}, ${names(place, 's')} || ' ' || ${names(trade, 's / 20')} || ' ' || lpad(s::text, 6, '0'),
       'People who save together.', 'CS/' || lpad(s::text, 7, '0'), 'sacco', 0, 5, ${amounts.shareValue}, 'active', now(),
       ${user('s')}, ${user('s')}, now()
     from ${eachSacco(crowd)}`,
    // Neither the trigger that writes a sacco's first terms nor the one that opens its market runs here.
    `insert into sacco_terms (sacco_id, number, valid_from, reg_fee_cents, min_shares, share_value_cents, after_place)
     select id, 1, created_at, reg_fee_cents, min_shares, share_value_cents, 0 from saccos`,
    // A share is worth a shilling: its price moves by cents.
    `insert into markets (sacco_id, tick_cents, fee_min_cents)
     select ${sacco('s')}, 1, 10 from ${eachSacco(crowd)}`,
    `insert into memberships (id, sacco_id, user_id, state, state_at, joined_at, paid_up_at)
     select pg_temp.bench_id('membership', i), ${sacco(saccoOf('i', crowd))}, ${user('i')}, 'active', now(), now(), now()
     from ${eachMember(crowd)}`,
    `insert into sessions (id, user_id, token_hash, device, address, second_factor_at, created_at, last_seen_at, expires_at)
     select pg_temp.bench_id('session', j), ${user(`(j - 1) * ${stepOf(crowd)} + 1`)},
       translate(rtrim(encode(sha256(convert_to(pg_temp.bench_token(j), 'utf8')), 'base64'), '='), '+/', '-_'),
       'bench', '127.0.0.1', now(), now(), now(), now() + interval '30 days'
     from ${eachSignedIn(crowd)}`,
  ];
}

/** The platform's float first; then what belongs to members, then what belongs to saccos, each kind in one block. */
function accountIdsOf({ members, saccos }: Crowd) {
  const after = (start: number, size: number, number: string) => `(${start + size} + ${number})`;
  return {
    wallet: (i: string) => `(1 + ${i})`,
    deposits: (i: string) => after(1, members, i),
    holding: (i: string) => after(1, 2 * members, i),
    settlement: (s: string) => after(1, 3 * members, s),
    cash: (s: string) => after(1, 3 * members + saccos, s),
    shareCapital: (s: string) => after(1, 3 * members + 2 * saccos, s),
    sharesIssued: (s: string) => after(1, 3 * members + 3 * saccos, s),
  };
}

function accounts(crowd: Crowd): string[] {
  const { members, saccos, signedIn, topUps } = crowd;
  const id = accountIdsOf(crowd);
  const perSacco = members / saccos;
  const paid = amounts.shares * amounts.shareValue;
  const spent = paid + amounts.savings;
  const isSignedIn = `(i - 1) % ${stepOf(crowd)} = 0 and (i - 1) / ${stepOf(crowd)} < ${signedIn}`;
  const wallet = `${amounts.topUp - spent} + case when ${isSignedIn} then ${topUps * amounts.further} else 0 end`;
  const insert = (
    [place, kind, asset, side]: readonly [string, string, string, 'debit' | 'credit'],
    [book, owner, balance]: readonly [string, string, string],
    from: string,
  ) => `
    insert into accounts (id, balance, book_id, owner_id, kind, asset, debit_normal, may_go_negative)
    overriding system value
    select ${place}, ${balance}, ${book}, ${owner}, '${kind}', '${asset}', ${side === 'debit'}, false from ${from}`;
  const platform = `'${PLATFORM_BOOK}'::uuid`;
  const float = members * amounts.topUp + signedIn * topUps * amounts.further;
  const all = String(perSacco * spent);
  const own = sacco('s');
  return [
    insert(['1', 'mpesa_float', 'KES', 'debit'], [platform, 'null::uuid', String(float)], '(select) as one'),
    insert([id.wallet('i'), 'wallet', 'KES', 'credit'], [platform, user('i'), wallet], eachMember(crowd)),
    insert(
      [id.deposits('i'), 'deposits', 'KES', 'credit'],
      [sacco(saccoOf('i', crowd)), user('i'), String(amounts.savings)],
      eachMember(crowd),
    ),
    insert(
      [id.holding('i'), 'holding', 'SHARE', 'credit'],
      [sacco(saccoOf('i', crowd)), user('i'), String(amounts.shares)],
      eachMember(crowd),
    ),
    insert([id.settlement('s'), 'settlement', 'KES', 'credit'], [platform, own, all], eachSacco(crowd)),
    insert([id.cash('s'), 'cash', 'KES', 'debit'], [own, 'null::uuid', all], eachSacco(crowd)),
    insert(
      [id.shareCapital('s'), 'share_capital', 'KES', 'credit'],
      [own, 'null::uuid', String(perSacco * paid)],
      eachSacco(crowd),
    ),
    insert(
      [id.sharesIssued('s'), 'shares_issued', 'SHARE', 'debit'],
      [own, 'null::uuid', String(perSacco * amounts.shares)],
      eachSacco(crowd),
    ),
  ];
}

/** A journal's row for each row of `from`; and a transfer's. */
const heading = (place: string, kind: string, [who, type, about]: readonly string[], from: string) => `
  insert into journals (id, posted_at, caused_by, about_id, kind, about_type, idempotency_key) overriding system value
  select ${place}, now() - interval '30 days', ${who}, ${about}, '${kind}', '${type}', '${kind}:' || ${about} from ${from}`;
const transfer = (
  [journal, position, place]: readonly [string, number, string],
  [debit, debitAfter]: readonly [string, string],
  [credit, creditAfter]: readonly [string, string],
  amount: number,
  from: string,
) => `
  insert into transfers (journal_id, position, id, debit_account_id, credit_account_id, amount, debit_balance_after,
    credit_balance_after) overriding system value
  select ${journal}, ${position}, ${place}, ${debit}, ${credit}, ${amount}, ${debitAfter}, ${creditAfter} from ${from}`;

/** Everybody tops up; then everybody buys shares; then everybody saves; then the signed-in ones top up again. */
function journals(crowd: Crowd): string[] {
  const { members, signedIn, topUps } = crowd;
  const id = accountIdsOf(crowd);
  const perSacco = members / crowd.saccos;
  const paid = amounts.shares * amounts.shareValue;
  const s = saccoOf('i', crowd);
  const rank = rankOf('i', crowd);
  const all = eachMember(crowd);
  const bought = `(${members} + i)`;
  const saved = `(${2 * members} + i)`;
  const further = `(${3 * members} + (k - 1) * ${signedIn} + j)`;
  const member = `((j - 1) * ${stepOf(crowd)} + 1)`;
  const again = `generate_series(1::bigint, ${topUps}) as k cross join ${eachSignedIn(crowd)}`;
  const movement = `pg_temp.bench_id('movement', i)`;
  const saving = `${perSacco * paid} + ${rank} * ${amounts.savings}`;
  const shareTransfer = (
    position: number,
    debit: readonly [string, string],
    credit: readonly [string, string],
    n: number,
  ) => transfer([bought, position, `${members} + 3 * i - ${2 - position}`], debit, credit, n, all);
  const saveTransfer = (position: number, debit: readonly [string, string], credit: readonly [string, string]) =>
    transfer([saved, position, `${4 * members} + 2 * i - ${1 - position}`], debit, credit, amounts.savings, all);
  return [
    heading('i', 'wallet_topped_up', [user('i'), 'deposit', `pg_temp.bench_id('deposit', i)`], all),
    transfer(['i', 0, 'i'], ['1', `i * ${amounts.topUp}`], [id.wallet('i'), String(amounts.topUp)], amounts.topUp, all),
    heading(bought, 'shares_bought', [user('i'), 'share_movement', movement], all),
    shareTransfer(0, [id.wallet('i'), String(amounts.topUp - paid)], [id.settlement(s), `${rank} * ${paid}`], paid),
    shareTransfer(1, [id.cash(s), `${rank} * ${paid}`], [id.shareCapital(s), `${rank} * ${paid}`], paid),
    shareTransfer(
      2,
      [id.sharesIssued(s), `${rank} * ${amounts.shares}`],
      [id.holding('i'), String(amounts.shares)],
      amounts.shares,
    ),
    movements(crowd),
    heading(saved, 'savings_deposited', [user('i'), 'saving', `pg_temp.bench_id('saving', i)`], all),
    saveTransfer(0, [id.wallet('i'), String(amounts.topUp - paid - amounts.savings)], [id.settlement(s), saving]),
    saveTransfer(1, [id.cash(s), saving], [id.deposits('i'), String(amounts.savings)]),
    heading(further, 'wallet_topped_up', [user(member), 'deposit', `pg_temp.bench_id('further', ${further})`], again),
    transfer(
      [further, 0, `${6 * members} + (k - 1) * ${signedIn} + j`],
      ['1', `${members * amounts.topUp} + ((k - 1) * ${signedIn} + j) * ${amounts.further}`],
      [id.wallet(member), `${amounts.topUp - paid - amounts.savings} + k * ${amounts.further}`],
      amounts.further,
      again,
    ),
  ];
}

/** The register's entry of each purchase. */
function movements(crowd: Crowd): string {
  const s = saccoOf('i', crowd);
  const paid = amounts.shares * amounts.shareValue;
  return `insert into share_movements (id, sacco_id, user_id, reason, shares, shares_after, amount_cents, journal_id, caused_by,
       moved_at)
     select pg_temp.bench_id('movement', i), ${sacco(s)}, ${user('i')}, 'bought_from_sacco', ${amounts.shares}, ${amounts.shares}, ${paid},
       ${crowd.members} + i, ${user('i')}, now() - interval '30 days' from ${eachMember(crowd)}`;
}

/** The figures that are kept beside what they count, and where the numbering goes on. */
function counters(crowd: Crowd): string[] {
  const perSacco = crowd.members / crowd.saccos;
  return [
    `insert into sacco_figures (sacco_id, members, share_holders, qualified_holders, holding_limit_since)
     select ${sacco('s')}, ${perSacco}, ${perSacco}, ${perSacco}, case when ${perSacco} >= 10 then now() - interval '30 days' end from ${eachSacco(crowd)}`,
    `update platform_counts set value = ${crowd.saccos} where name = 'saccos:active'`,
    `update platform_counts set value = ${crowd.members} where name = 'members' and shard = 0`,
    ...['accounts', 'journals', 'transfers'].map(
      (table) => `select setval(pg_get_serial_sequence('${table}', 'id'), (select max(id) from ${table}))`,
    ),
  ];
}

async function signedInOf(sql: postgres.Sql, crowd: Crowd): Promise<SignedIn[]> {
  const member = `((j - 1) * ${stepOf(crowd)} + 1)`;
  const rows = await sql.unsafe<{ user_id: string; token: string; sacco_id: string }[]>(`
    select ${user(member)} as user_id, pg_temp.bench_token(j) as token, ${sacco(saccoOf(member, crowd))} as sacco_id
    from ${eachSignedIn(crowd)}`);
  return rows.map((row) => ({ userId: row.user_id, token: row.token, saccoId: row.sacco_id }));
}
