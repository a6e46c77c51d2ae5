import { formatShillings } from '@ushirika/contract/money';
import type { TrustPart, TrustScore } from '@ushirika/contract/pools';
import type { Unsaid } from '@ushirika/contract/said';
import { joined, type Sentence, sentence } from '@ushirika/contract/sentence';
import { nairobiDay } from '@ushirika/contract/time';
import { isGuarded } from '#faults';
import type { Database, Tx } from '../../db/tx.ts';
import { creditsSince } from '../../ledger/credits-since.ts';
import { booleans, integers, texts } from '../../ledger/sql-arrays.ts';
import {
  AGE_DAYS,
  KYC,
  MOST,
  NO_HISTORY,
  type Raise,
  type RepaymentHistory,
  raisesOf,
  type Trust,
  type TrustInputs,
  trustOf,
} from './trust.rules.ts';

type Reader = Pick<Tx, 'sql' | 'now'>;

/**
 * How people repaid their loans, of loans, which stand below pools: `server/domains.ts` hands it in. Instalments below `leastCents` count
 * for nothing, and without a history somebody is not in the map.
 */
export type HistoriesOf = (
  tx: Reader,
  userIds: readonly string[],
  leastCents?: number,
) => Promise<ReadonlyMap<string, RepaymentHistory>>;

export const noHistories: HistoriesOf = async () => new Map();

/** Smaller instalments, and smaller savings in a month, say nothing of how somebody repays: a score is not farmed with them. */
const COUNTED_INSTALMENT_CENTS = 500_00;
const COUNTED_SAVINGS_CENTS = 100_00;
const DAY_MS = 86_400_000;
/** Twelve whole months and the one under way are never longer. */
const COUNTED_DAYS = 400;

interface InputRow {
  readonly id: string;
  readonly phone_confirmed_at: Date | null;
  readonly email_confirmed_at: Date | null;
  readonly is_frozen: boolean;
  readonly joined_at: Date | null;
  readonly months_due: number;
  readonly months_paid: number;
  /** A called guarantee that is not paid back to its pool, and whole months since others were. */
  readonly owes_pool: boolean;
  readonly made_good: readonly number[];
}

/** What the scores of some people are reckoned from, in a constant number of statements. Asked of the platform. */
export async function trustInputsOf(
  tx: Reader,
  userIds: readonly string[],
  historiesOf: HistoriesOf,
): Promise<ReadonlyMap<string, TrustInputs>> {
  if (userIds.length === 0) return new Map();
  const least = isGuarded('pools.tiny_loans') ? COUNTED_INSTALMENT_CENTS : 0;
  const [rows, seen, histories] = await Promise.all([
    readInputs(tx, userIds),
    cardsOfAnySacco(tx, userIds),
    historiesOf(tx, userIds, least),
  ]);
  return new Map(
    rows.map((row): [string, TrustInputs] => [
      row.id,
      {
        daysInSacco: row.joined_at === null ? null : Math.floor((tx.now.getTime() - row.joined_at.getTime()) / DAY_MS),
        isIdentitySeen: seen.has(row.id),
        isPhoneConfirmed: row.phone_confirmed_at !== null,
        isEmailConfirmed: row.email_confirmed_at !== null,
        // No page asks for a next of kin yet: nobody has these points, and nobody is told to get them.
        hasNextOfKin: false,
        monthsDue: row.months_due,
        monthsPaid: row.months_paid,
        repayment: withClaims(histories.get(row.id) ?? NO_HISTORY, row),
        isFrozen: row.is_frozen,
      },
    ]),
  );
}

/** A score is of a person, in whichever sacco: a card counts that anybody saw. Whoever asks a pool needs one that counts there. */
async function cardsOfAnySacco({ sql }: Reader, userIds: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await sql<{ user_id: string }[]>`
    select distinct user_id from identity_checks where user_id = any (${texts(userIds)}::uuid[]) and ended_at is null`;
  return new Set(rows.map(({ user_id }) => user_id));
}

/** A guarantee that was called is a default too: open until the pool has its money back. */
function withClaims(history: RepaymentHistory, { owes_pool, made_good }: InputRow): RepaymentHistory {
  return {
    ...history,
    hasOpenDefault: history.hasOpenDefault || owes_pool,
    curedMonthsAgo: [...history.curedMonthsAgo, ...made_good],
  };
}

/** Months are calendar months of Nairobi that are over; those before the joining are not due. */
async function readInputs(tx: Reader, asked: readonly string[]): Promise<InputRow[]> {
  const least = isGuarded('pools.tiny_loans') ? COUNTED_SAVINGS_CENTS : 1;
  const ownerIds = [...new Set(asked)];
  const since = new Date(tx.now.getTime() - COUNTED_DAYS * DAY_MS);
  const deposits = await creditsSince(tx, { kind: 'deposits', ownerIds, bookId: null }, since);
  return tx.sql<InputRow[]>`
    with saved as materialized (
      select d.owner_id, date_trunc('month', j.posted_at at time zone 'Africa/Nairobi') as month, sum(t.amount) as cents
      from unnest(${integers(deposits.map(({ account_id }) => account_id))}::bigint[],
        ${texts(deposits.map(({ owner_id }) => owner_id))}::uuid[],
        ${integers(deposits.map(({ first_id }) => first_id))}::bigint[]) as d (account_id, owner_id, first_id)
      join transfers t on t.credit_account_id = d.account_id and t.id >= d.first_id
      join journals j on j.id = t.journal_id
      where j.kind = 'savings_deposited'
      group by 1, 2
    )
    select u.id, u.phone_confirmed_at, u.email_confirmed_at, suspended_since(u.id, ${tx.now}) is not null as is_frozen,
      joined.at as joined_at, months.due::int as months_due, months.paid::int as months_paid,
      exists (select from pool_contracts c where c.user_id = u.id and c.claim_cents > c.recovered_cents) as owes_pool,
      array(select floor(extract(epoch from ${tx.now}::timestamptz - c.state_at) / (30.4375 * 86400))::int
            from pool_contracts c where c.user_id = u.id and c.state in ('RECOVERED', 'SETTLED')) as made_good
    from users u
    left join lateral (
      select min(m.joined_at) as at from memberships m where m.user_id = u.id and m.state <> 'exited'
    ) joined on true
    cross join lateral (
      select count(*) as due, count(*) filter (where saved.cents >= ${least}) as paid
      from generate_series(1, 12) as ago
      cross join lateral (
        select date_trunc('month', ${tx.now}::timestamptz at time zone 'Africa/Nairobi') - make_interval(months => ago) as begins
      ) month
      left join saved on saved.owner_id = u.id and saved.month = month.begins
      where joined.at is not null and joined.at < (month.begins + interval '1 month') at time zone 'Africa/Nairobi'
    ) months
    where u.id = any (${texts(ownerIds)}::uuid[])`;
}

/** Keeps scores with all that they were reckoned from; returns the id of each person's. One statement. */
export async function keepSnapshots(
  tx: Tx,
  scored: readonly { readonly userId: string; readonly inputs: TrustInputs; readonly trust: Trust }[],
): Promise<string[]> {
  const ids = scored.map(() => tx.newId());
  const column = (part: keyof Trust) => integers(scored.map(({ trust }) => trust[part]));
  await tx.sql`
    insert into trust_snapshots (id, user_id, at, score, age, kyc, contributions, repayment, standing, defaults, is_frozen,
      has_open_default, inputs)
    select id, user_id, ${tx.now}, score, age, kyc, contributions, repayment, standing, defaults, frozen, open_default, inputs
    from unnest(${texts(ids)}::uuid[], ${texts(scored.map(({ userId }) => userId))}::uuid[], ${column('score')}::int[],
      ${column('age')}::int[], ${column('kyc')}::int[], ${column('contributions')}::int[], ${column('repayment')}::int[],
      ${column('standing')}::int[], ${column('defaults')}::int[],
      ${booleans(scored.map(({ inputs }) => inputs.isFrozen))}::boolean[],
      ${booleans(scored.map(({ inputs }) => inputs.repayment.hasOpenDefault))}::boolean[],
      ${texts(scored.map(({ inputs }) => JSON.stringify(inputs)))}::text[]::jsonb[])
      as each (id, user_id, score, age, kyc, contributions, repayment, standing, defaults, frozen, open_default, inputs)`;
  return ids;
}

/** People whose scores one transaction reckons. */
const PEOPLE_AT_ONCE = 500;
const FIRST = '00000000-0000-0000-0000-000000000000';

/**
 * The score of each member of a pool, once in a Nairobi day. Only one that differs from the person's latest is kept. Each chunk commits
 * with its mark in `trust_days`. A later run goes on where one was cut off; of two at once each chunk is done by one.
 */
export async function scoreNightly(
  database: Pick<Database, 'now' | 'transaction'>,
  historiesOf: HistoriesOf,
  { peopleAtOnce = PEOPLE_AT_ONCE }: { readonly peopleAtOnce?: number } = {},
): Promise<void> {
  const day = nairobiDay(database.now());
  while (await database.transaction((tx) => scoreChunk(tx, { day, size: peopleAtOnce, historiesOf })));
}

interface Scoring {
  readonly day: string;
  readonly size: number;
  readonly historiesOf: HistoriesOf;
}

/** The next people of that day; false once all are done. */
async function scoreChunk(tx: Tx, { day, size, historiesOf }: Scoring): Promise<boolean> {
  await tx.sql`insert into trust_days (day, started_at) values (${day}, ${tx.now}) on conflict do nothing`;
  const [mark] = await tx.sql<{ after_user: string | null; finished_at: Date | null }[]>`
    select after_user, finished_at from trust_days where day = ${day} for update`;
  if (!mark || mark.finished_at !== null) return false;
  const people = await tx.sql<{ user_id: string }[]>`
    select distinct m.user_id from pool_members m
    where m.position_cents > 0 and m.user_id > ${mark.after_user ?? FIRST}
    order by m.user_id limit ${size}`;
  const ids = people.map(({ user_id }) => user_id);
  await keepChanged(tx, ids, historiesOf);
  const isLast = ids.length < size;
  await tx.sql`
    update trust_days set after_user = coalesce(${ids.at(-1) ?? null}::uuid, after_user), people = people + ${ids.length},
      finished_at = ${isLast ? tx.now : null}
    where day = ${day}`;
  return !isLast;
}

/** Reckons the scores of some people, and keeps those that differ from the latest ones. */
async function keepChanged(tx: Tx, userIds: readonly string[], historiesOf: HistoriesOf): Promise<void> {
  const [inputs, before] = await Promise.all([trustInputsOf(tx, userIds, historiesOf), latestOf(tx, userIds)]);
  const scored = [...inputs].map(([userId, one]) => ({ userId, inputs: one, trust: trustOf(one) }));
  const changed = scored.filter(({ userId, inputs: one, trust }) => {
    const kept = before.get(userId);
    const isSameState = kept?.is_frozen === one.isFrozen && kept.has_open_default === one.repayment.hasOpenDefault;
    return !isSameState || kept.score !== trust.score;
  });
  if (changed.length > 0) await keepSnapshots(tx, changed);
}

interface Latest {
  readonly user_id: string;
  readonly score: number;
  readonly is_frozen: boolean;
  readonly has_open_default: boolean;
}

/** The latest score that was kept of some people. */
async function latestOf(tx: Tx, userIds: readonly string[]): Promise<ReadonlyMap<string, Latest>> {
  const rows = await tx.sql<Latest[]>`
    select latest.* from unnest(${texts(userIds)}::uuid[]) as each (user_id)
    cross join lateral (
      select s.user_id, s.score, s.is_frozen, s.has_open_default from trust_snapshots s
      where s.user_id = each.user_id order by s.at desc limit 1
    ) latest`;
  return new Map(rows.map((row) => [row.user_id, row]));
}

const points = (hundredths: number) => hundredths / 100;

/** The card: each part with what it was reckoned from, and what would raise the score. */
export function trustCard(inputs: TrustInputs, trust: Trust, at: Date): Unsaid<TrustScore> {
  const part = (name: TrustPart, hundredths: number, most: number, text: Sentence) => ({
    part: name,
    points: points(hundredths),
    most: points(most),
    text,
  });
  return {
    score: trust.score,
    parts: [
      part('age', trust.age, MOST.age, ageText(inputs)),
      part('kyc', trust.kyc, MOST.kyc, kycText(inputs)),
      part('contributions', trust.contributions, MOST.contributions, contributionsText(inputs)),
      part('repayment', trust.repayment, MOST.repayment, repaymentText(inputs.repayment)),
      part('standing', trust.standing, MOST.standing, standingText(inputs.repayment)),
      part('defaults', trust.defaults, 0, defaultsText(inputs.repayment)),
    ],
    caps: capsOf(inputs, trust),
    raises: raisesOf(inputs).map(({ raise, hundredths }) => ({
      part: RAISES[raise].part,
      points: points(hundredths),
      text: RAISES[raise].text,
    })),
    at: at.toISOString(),
  };
}

function ageText({ daysInSacco }: TrustInputs): Sentence {
  if (daysInSacco === null) return sentence('You are in no sacco.');
  const said = sentence('You have been in a sacco for {n, plural, one {# day} other {# days}}.', { n: daysInSacco });
  const all = { all: AGE_DAYS, most: points(MOST.age) };
  return joined([
    said,
    daysInSacco < AGE_DAYS
      ? sentence('{all} days give all {most} points. Points: {most} × {n} ÷ {all}.', { ...all, n: daysInSacco })
      : sentence('{all} days or more give all {most} points.', all),
  ]);
}

function kycText(inputs: TrustInputs): Sentence {
  const done = [inputs.isIdentitySeen, inputs.isPhoneConfirmed].filter(Boolean).length;
  return sentence(
    '{done} of these 2 are done: ID card seen ({identity} points), phone confirmed ({phone}). The other {rest} are for an email address and a next of kin, which cannot be confirmed here yet.',
    {
      done,
      identity: points(KYC.identity),
      phone: points(KYC.phone),
      rest: points(KYC.email + KYC.nextOfKin),
    },
  );
}

/** The added months and instalments are those of the formula of A4. */
function contributionsText({ monthsPaid: paid, monthsDue: due }: TrustInputs): Sentence {
  const most = points(MOST.contributions);
  if (due === 0) return sentence('No whole month in a sacco is over yet: this begins at half.');
  return joined([
    sentence('Of the last {due, plural, one {# month} other {# months}} you saved {least} or more in {paid}.', {
      due,
      paid,
      least: formatShillings(COUNTED_SAVINGS_CENTS / 100),
    }),
    sentence('Two months are added for everybody, one of them with savings, so that few months say little.'),
    sentence('Points: {most} × {good} ÷ {all}.', { most, good: paid + 1, all: due + 2 }),
  ]);
}

function repaymentText({ onTime, late30, late90, worse }: RepaymentHistory): Sentence {
  const all = onTime + late30 + late90 + worse;
  const least = formatShillings(COUNTED_INSTALMENT_CENTS / 100);
  if (all === 0) return sentence('You have no instalments of {least} or more yet: this begins at half.', { least });
  const good = (10 * onTime + 5 * late30 + 2 * late90 + 20) / 10;
  return joined([
    sentence('You paid {paid} of {all} instalments of {least} or more on time in the last 24 months.', {
      ...{ paid: onTime, all },
      least,
    }),
    ...(onTime < all
      ? [sentence('One up to 30 days late counts as a half, up to 90 days as a fifth, later as nothing.')]
      : []),
    sentence('Four are added for everybody, two of them on time, so that few instalments say little.'),
    sentence('Points: {most} × {good} ÷ {all}.', { most: points(MOST.repayment), good, all: all + 4 }),
  ]);
}

function standingText({ daysPastDue }: RepaymentHistory): Sentence {
  if (daysPastDue === 0) return sentence('No loan of yours is late.');
  return sentence(
    'A loan of yours is {n, plural, one {# day} other {# days}} late. Up to 30 days leave half of the points, more days none.',
    { n: daysPastDue },
  );
}

/** What the parts come to is said, so that they do not seem to add up wrongly. */
function cappedText({ score, age, kyc, contributions, repayment, standing, defaults }: Trust): Sentence {
  const sum = Math.max(0, Math.round((age + kyc + contributions + repayment + standing + defaults) / 100));
  if (sum <= score) return sentence('A default that is not made good keeps the score at 20 or less.');
  return sentence('The parts come to {sum}. A default that is not made good keeps the score at 20 or less.', { sum });
}

function defaultsText({ hasOpenDefault, curedMonthsAgo: { length: n } }: RepaymentHistory): Sentence {
  if (n === 0 && hasOpenDefault) {
    return sentence('You have a default that is not made good: it takes no points, it limits the whole score.');
  }
  if (n === 0) return sentence('You have no default that lowers it.');
  return sentence(
    '{n, plural, one {# default that you made good} other {# defaults that you made good}}. Each takes 20 points at first, less with each month, and none after 36 months; all together 60 at most.',
    { n },
  );
}

function capsOf({ isFrozen, repayment }: TrustInputs, trust: Trust): Sentence[] {
  return [
    ...(isFrozen ? [sentence('Your account is suspended: the score is 0.')] : []),
    ...(repayment.hasOpenDefault ? [cappedText(trust)] : []),
  ];
}

const RAISES: Readonly<Record<Raise, { readonly part: TrustPart; readonly text: Sentence }>> = {
  identity: { part: 'kyc', text: sentence('Show your ID card to an official of your sacco.') },
  phone: { part: 'kyc', text: sentence('Confirm your phone number.') },
  save: {
    part: 'contributions',
    text: sentence('Save at least {least} in each of the next twelve months.', {
      least: formatShillings(COUNTED_SAVINGS_CENTS / 100),
    }),
  },
  repay: {
    part: 'repayment',
    text: sentence('Pay the next six instalments of {least} or more on time.', {
      least: formatShillings(COUNTED_INSTALMENT_CENTS / 100),
    }),
  },
  arrears: { part: 'standing', text: sentence('Pay what is late.') },
  time: { part: 'age', text: sentence('Stay in your sacco: two years give the most.') },
};
