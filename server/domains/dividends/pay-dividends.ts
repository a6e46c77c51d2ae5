import { type Cents, formatShillings, shillingsFromCents } from '@ushirika/contract/money';
import { Refusal } from '@ushirika/contract/refusal';
import type { SaccoState } from '@ushirika/contract/saccos';
import { sentence } from '@ushirika/contract/sentence';
import { nairobiDay } from '@ushirika/contract/time';
import { eachPart } from '../../db/each-part.ts';
import type { Database, Tx } from '../../db/tx.ts';
import { balances } from '../../ledger/balances.ts';
import { integers, texts } from '../../ledger/sql-arrays.ts';
import { notifyAll } from '../notifications/notify.ts';
import { amountValue, type SmsValue, saccoValue } from '../notifications/sms-values.ts';
import { buyShares } from '../shares/buy-shares.ts';
import { amountsOf, type Rates } from './dividend-sums.ts';
import { dividendsSms } from './dividends.sms.ts';
import { ownAccount } from './year-figures.ts';

interface Line {
  readonly line: number;
  readonly memberId: string;
  readonly amountCents: Cents;
}

export interface Outcome {
  readonly line: number;
  /** Of the amount, what paid the member's loans. */
  readonly repaid: Cents;
  /** Of the amount, what guarantors and pools got back who had paid for the member's loans. The rest went to the wallet. */
  readonly refunded: Cents;
  /** What leaves the sacco's cash, to whomever. */
  readonly leavesCash: Cents;
}

/** Pays what members owe of loans out of what they get, and the rest into their wallets. */
export type ShareOut = (
  tx: Tx,
  /** `areInRecovery`: whether these members are of `DividendLoans.inRecovery`. */
  of: { readonly id: string; readonly saccoId: string; readonly firstMember: string; readonly areInRecovery: boolean },
  lines: readonly Line[],
  /** Writes what became of the lines, before any account of the sacco is locked. */
  keep: (outcomes: readonly Outcome[]) => Promise<void>,
) => Promise<unknown>;

/** Handed in, since loans come after this domain. */
export interface DividendLoans {
  /** Those of some members whose dividend first pays back guarantors and pools, and loans in recovery or written off. */
  readonly inRecovery: (tx: Pick<Tx, 'sql'>, saccoId: string, members: readonly string[]) => Promise<readonly string[]>;
  readonly shareOut: ShareOut;
}

/** Members with loans in recovery who are paid in one transaction: it holds the lock of their sacco, and each takes a dozen statements. */
const IN_RECOVERY = 20;

/**
 * Pays every dividend whose record date has passed. Each chunk commits with its mark, so this goes on where it was cut off, and of
 * several processes each takes other chunks. First money goes to loans and wallets, then shares are bought, then everybody is told. A
 * suspended sacco pays nothing until it is active again.
 * @throws where a sacco has no cash for members who are not paid yet: the others have their shares and are told, and the job tries again
 */
export async function payDividends(database: Database, loans: DividendLoans, atOnce = AT_ONCE): Promise<void> {
  const due = await database.sql<{ id: string }[]>`
    update dividends set state = 'running' where state = 'declared' and record_on < ${nairobiDay(database.now())} returning id`;
  const running = await database.sql<{ id: string }[]>`
    select d.id from dividends d join saccos s on s.id = d.sacco_id
    where (d.state = 'running' or d.id = any (${texts(due.map(({ id }) => id))}::uuid[])) and s.state = 'active' order by d.id`;
  await eachPart(
    running.map(({ id }) => async () => {
      await payAndTell(database, id, loans, atOnce);
      await database.transaction((tx) => finish(tx, id));
    }),
  );
}

/** A chunk that needs more cash than the sacco has. */
class NoCash extends Error {
  readonly chunk: Chunk;
  constructor(chunk: Chunk) {
    super(`The sacco ${chunk.sacco_id} has no cash for a part of its dividend: it is tried again.`);
    this.chunk = chunk;
  }
}

/** Chunks of a dividend that are worked on at once, each on a connection of its own: while one waits for an answer, others use the processors. */
const AT_ONCE = 3;

/**
 * Pays all chunks for which there is cash, several at once; after each, shares are bought in those that are paid and their members are told.
 * Where that goes wrong it is tried again after the next payment. Once a payment went wrong no further one begins.
 * @throws what went wrong, once all is done that can be
 */
async function payAndTell(database: Database, id: string, loans: DividendLoans, atOnce: number): Promise<void> {
  const short = new Map<string, NoCash>();
  const unpaid: unknown[] = [];
  const untold: unknown[] = [];
  const worker = async (): Promise<void> => {
    // A worker that finds no free chunk ends. One that another worker has in hand may need several payments: that worker makes them.
    for (let isLeft = true; isLeft && unpaid.length === 0; ) {
      try {
        isLeft = await payNext(database, id, loans, short);
      } catch (fault) {
        unpaid.push(fault);
      }
      await buySharesAndTell(database, id).catch((fault) => void untold.push(fault));
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  const faults = [...unpaid, ...untold.slice(0, 1), ...[...short.values()].slice(0, 1)];
  if (faults.length === 1) throw faults[0];
  if (faults.length > 1)
    throw new AggregateError(faults, `${faults.length} tries of a dividend went wrong: ${faults[0]}`);
}

/** Pays members of the next free chunk; false where no chunk is free. One without cash is added to `short`, which are left out. */
async function payNext(
  database: Database,
  id: string,
  loans: DividendLoans,
  short: Map<string, NoCash>,
): Promise<boolean> {
  try {
    return await database.transaction((tx) => payChunk(tx, id, loans, [...short.keys()]));
  } catch (error) {
    if (!(error instanceof NoCash)) throw error;
    short.set(error.chunk.first_member, error);
    return true;
  }
}

/** For the members of all chunks that are paid. */
async function buySharesAndTell(database: Database, id: string): Promise<void> {
  while (await database.transaction((tx) => investChunk(tx, id)));
  while (await database.transaction((tx) => tellChunk(tx, id)));
}

interface Chunk extends Rates {
  readonly id: string;
  readonly first_member: string;
  readonly last_member: string;
  readonly sacco_id: string;
  readonly year: number;
  readonly sacco: string;
  readonly sacco_state: SaccoState;
  readonly share_value_cents: Cents;
  readonly residence_at: Date;
}

/** A chunk that no other process works on, under its lock; `but` are the first members of those that are left out. */
async function takeChunk(
  tx: Tx,
  id: string,
  state: 'waiting' | 'paid' | 'invested',
  but: readonly string[] = [],
): Promise<Chunk | null> {
  const [chunk] = await tx.sql<Chunk[]>`
    select d.id, k.first_member, k.last_member, d.sacco_id, d.year, d.share_rate, d.savings_rate, d.savings_method, d.share_tax,
      d.savings_tax, d.share_tax_abroad, d.savings_tax_abroad, d.residence_at, s.name as sacco, s.state as sacco_state, s.share_value_cents
    from dividend_chunks k join dividends d on d.id = k.dividend_id join saccos s on s.id = d.sacco_id
    where k.dividend_id = ${id} and k.state = ${state} and k.first_member <> all (${texts(but)}::uuid[])
    order by k.first_member limit 1 for update of k skip locked`;
  return chunk ?? null;
}

const mark = (tx: Tx, { id, first_member }: Chunk, state: 'paid' | 'invested' | 'told') => tx.sql`
  update dividend_chunks set state = ${state}, paid_at = coalesce(paid_at, ${tx.now})
  where dividend_id = ${id} and first_member = ${first_member}`;

/**
 * Pays the members of one chunk, those with loans in recovery before the others and few at a time; false where no chunk is left.
 * @param but first members of chunks that are left out
 * @throws NoCash
 */
async function payChunk(
  tx: Tx,
  id: string,
  { inRecovery, shareOut }: DividendLoans,
  but: readonly string[],
): Promise<boolean> {
  const chunk = await takeChunk(tx, id, 'waiting', but);
  if (!chunk) return false;
  const late = (await inRecovery(tx, chunk.sacco_id, await unpaidOf(tx, chunk))).slice(0, IN_RECOVERY);
  const lines = await insertPayments(tx, chunk, late.length > 0 ? late : null);
  const firstMember = lines[0]?.memberId ?? chunk.first_member;
  const of = { id, saccoId: chunk.sacco_id, firstMember, areInRecovery: late.length > 0 };
  if (lines.length > 0) {
    const sharing = shareOut(tx, of, lines, async (outcomes) => {
      await assertCash(tx, chunk, outcomes);
      await keepReceipts(tx, chunk, lines, outcomes);
    });
    await sharing.catch((error: unknown) => {
      // Another chunk took the cash meanwhile.
      throw error instanceof Refusal && error.code === 'insufficient_funds' ? new NoCash(chunk) : error;
    });
  }
  if (late.length === 0) await mark(tx, chunk, 'paid');
  return true;
}

/**
 * In SQL: what those of a chunk get who have not got it yet. Payments are bounded by the chunk too: of a dividend that no statistics know
 * yet the planner expects one row, and reads all that were paid of it for each member.
 */
const unpaid = (tx: Tx, chunk: Chunk) => tx.sql`
  select * from (${amountsOf(tx, { saccoId: chunk.sacco_id, year: chunk.year, at: chunk.residence_at }, chunk)}) a
  where a.member_id between ${chunk.first_member} and ${chunk.last_member}
    and not exists (
      select from dividend_payments p
      where p.dividend_id = ${chunk.id} and p.member_id = a.member_id and p.member_id between ${chunk.first_member} and ${chunk.last_member})`;

async function unpaidOf(tx: Tx, chunk: Chunk): Promise<readonly string[]> {
  const rows = await tx.sql<{ member_id: string }[]>`select member_id from (${unpaid(tx, chunk)}) u`;
  return rows.map(({ member_id }) => member_id);
}

/** What pays loans of this sacco takes none of its cash. */
async function assertCash(tx: Tx, chunk: Chunk, outcomes: readonly Outcome[]): Promise<void> {
  const leaves = outcomes.reduce((sum, { leavesCash }) => sum + leavesCash, 0);
  const [cash = 0] = await balances(tx, [ownAccount(chunk.sacco_id, 'cash')]);
  if (cash < leaves) throw new NoCash(chunk);
}

/**
 * What each gets who has not got it yet, by kind; a member is in one row of each at most, whatever is done twice.
 * @param only of the chunk; null for all that are left
 */
async function insertPayments(tx: Tx, chunk: Chunk, only: readonly string[] | null): Promise<readonly Line[]> {
  const rows = await tx.sql<{ member_id: string; net: Cents }[]>`
    with due as materialized (
      select * from (${unpaid(tx, chunk)}) u
      ${only === null ? tx.sql`` : tx.sql`where u.member_id = any (${texts(only)}::uuid[])`}
    ), paid as (
      insert into dividend_payments (dividend_id, member_id, kind, gross_cents, tax_cents)
      select ${chunk.id}::uuid, member_id, 'shares', shares, shares_tax from due where shares > 0
      union all
      select ${chunk.id}::uuid, member_id, 'savings', savings, savings_tax from due where savings > 0
    )
    select member_id, (shares + savings - shares_tax - savings_tax)::bigint as net from due
    where shares + savings > shares_tax + savings_tax order by member_id`;
  return rows.map(({ member_id: memberId, net: amountCents }, line) => ({ line, memberId, amountCents }));
}

async function keepReceipts(
  tx: Tx,
  { id, sacco_id }: Chunk,
  lines: readonly Line[],
  outcomes: readonly Outcome[],
): Promise<void> {
  const of = new Map(outcomes.map((each) => [each.line, each]));
  const parts = lines.map(({ line }) => of.get(line));
  await tx.sql`
    insert into dividend_receipts (dividend_id, member_id, net_cents, paid_at, arrears_cents, refunded_cents, into_shares)
    select ${id}::uuid, w.member_id, w.net, ${tx.now}, w.repaid, w.refunded, coalesce(c.into_what = 'shares', false)
    from unnest(${texts(lines.map(({ memberId }) => memberId))}::uuid[], ${integers(lines.map(({ amountCents }) => amountCents))}::bigint[],
      ${integers(parts.map((each) => each?.repaid ?? 0))}::bigint[], ${integers(parts.map((each) => each?.refunded ?? 0))}::bigint[])
      as w (member_id, net, repaid, refunded)
    left join dividend_choices c on c.sacco_id = ${sacco_id} and c.user_id = w.member_id`;
}

interface Wish {
  readonly member_id: string;
  readonly left_cents: Cents;
}

/**
 * Buys whole shares for the members of one chunk who wished it, from what came into their wallets, by the rules of any purchase: where
 * one may not (nobody passes one fifth, whoever leaves buys none) the money stays in the wallet.
 */
async function investChunk(tx: Tx, id: string): Promise<boolean> {
  const chunk = await takeChunk(tx, id, 'paid');
  if (!chunk) return false;
  const wishes = await tx.sql<Wish[]>`
    select member_id, net_cents - arrears_cents - refunded_cents as left_cents from dividend_receipts
    where dividend_id = ${id} and into_shares and member_id between ${chunk.first_member} and ${chunk.last_member}
      and net_cents - arrears_cents - refunded_cents >= ${chunk.share_value_cents} order by member_id`;
  const purchases = wishes.map(({ member_id: userId, left_cents }) => {
    const shares = Math.floor(left_cents / chunk.share_value_cents);
    const amountCents = shares * chunk.share_value_cents;
    return { userId, saccoId: chunk.sacco_id, shares, amountCents, reason: 'dividend' as const };
  });
  const answers = purchases.length === 0 ? [] : await buyShares(tx, purchases);
  const bought = purchases.filter((_, place) => !(answers[place] instanceof Refusal));
  // Bounded by the chunk: else the planner, which knows nothing of a new dividend, reads all of its receipts.
  await tx.sql`
    update dividend_receipts r set shares = w.shares
    from unnest(${texts(bought.map(({ userId }) => userId))}::uuid[], ${integers(bought.map(({ shares }) => shares))}::integer[])
      as w (member_id, shares)
    where r.dividend_id = ${id} and r.member_id = w.member_id
      and r.member_id between ${chunk.first_member} and ${chunk.last_member}`;
  await mark(tx, chunk, 'invested');
  return true;
}

interface Receipt {
  readonly member_id: string;
  readonly net_cents: Cents;
  readonly arrears_cents: Cents;
  readonly refunded_cents: Cents;
  readonly shares: number;
}

/** Tells the members of one chunk; false where none is left. */
async function tellChunk(tx: Tx, id: string): Promise<boolean> {
  const chunk = await takeChunk(tx, id, 'invested');
  if (!chunk) return false;
  const receipts = await tx.sql<Receipt[]>`
    select member_id, net_cents, arrears_cents, refunded_cents, shares from dividend_receipts
    where dividend_id = ${id} and member_id between ${chunk.first_member} and ${chunk.last_member} order by member_id`;
  const name = saccoValue({ name: chunk.sacco, state: chunk.sacco_state });
  await notifyAll(
    tx,
    receipts.map((receipt) => ({
      userId: receipt.member_id,
      topic: 'money' as const,
      template: 'dividend_paid',
      text: toldOf(chunk, receipt),
      sms: smsOf(receipt, name),
      // The clock pays a dividend. An official's account as the cause would allow 30 SMS a day, for all members together.
      causedBy: null,
    })),
  );
  await mark(tx, chunk, 'told');
  return true;
}

function smsOf({ net_cents: net, arrears_cents, refunded_cents }: Receipt, name: SmsValue | null) {
  const used = arrears_cents + refunded_cents;
  return used === 0
    ? dividendsSms.paid(amountValue(net), name)
    : dividendsSms.used(amountValue(net), amountValue(used), name);
}

function toldOf({ sacco, year }: Chunk, { net_cents, arrears_cents, refunded_cents, shares }: Receipt) {
  const values = {
    sacco,
    year: String(year),
    net: formatShillings(shillingsFromCents(net_cents)),
    arrears: formatShillings(shillingsFromCents(arrears_cents)),
    refunded: formatShillings(shillingsFromCents(refunded_cents)),
    shares,
  };
  if (refunded_cents > 0 && arrears_cents > 0) {
    return sentence(
      '{sacco}: of your dividend and interest of {year}, {net} after tax, {refunded} was paid back to those who guaranteed your loans, and {arrears} paid what was due of them.',
      values,
    );
  }
  if (refunded_cents > 0) {
    return sentence(
      '{sacco}: of your dividend and interest of {year}, {net} after tax, {refunded} was paid back to those who guaranteed your loans.',
      values,
    );
  }
  if (arrears_cents > 0) {
    return sentence(
      '{sacco}: of your dividend and interest of {year}, {net} after tax, {arrears} paid loans that were due.',
      values,
    );
  }
  if (shares > 0) {
    return sentence(
      '{sacco}: your dividend and interest of {year} is {net} after tax. It bought {shares, plural, one {# share} other {# shares}}; the rest is in your wallet.',
      values,
    );
  }
  return sentence('{sacco}: your dividend and interest of {year}, {net} after tax, is in your wallet.', values);
}

/** A chunk that another process still works on is not told yet: that process ends the payout. */
async function finish(tx: Tx, id: string): Promise<void> {
  await tx.sql`
    update dividends set state = 'done', finished_at = ${tx.now}
    where id = ${id} and state = 'running'
      and not exists (select from dividend_chunks k where k.dividend_id = ${id} and k.state <> 'told')`;
}
