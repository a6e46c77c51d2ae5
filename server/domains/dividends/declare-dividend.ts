import type { ChangedValues } from '@ushirika/contract/change-kinds';
import { belowMinimum } from '@ushirika/contract/dividend-rules';
import { dividendTerms, RECORD_DAYS_MAX, RECORD_DAYS_MIN, type Residence } from '@ushirika/contract/dividends';
import { type Cents, formatShillings, shillingsFromCents } from '@ushirika/contract/money';
import { Refusal } from '@ushirika/contract/refusal';
import { longDate, type Sentence, sentence } from '@ushirika/contract/sentence';
import { nairobiDay } from '@ushirika/contract/time';
import { isGuarded } from '#faults';
import type { Tx } from '../../db/tx.ts';
import { balances } from '../../ledger/balances.ts';
import { postOrRefuse } from '../../ledger/post.ts';
import type { About, ChangeExecutor } from '../saccos/changes.types.ts';
import { lockSacco } from '../saccos/lock-sacco.ts';
import { capitalAfter } from './capital.ts';
import { amountsOf, type OfYear, type Rates, ratesOf, type Sums, sumsOf } from './dividend-sums.ts';
import { ownAccount, type Reader } from './year-figures.ts';

type Terms = ReturnType<typeof dividendTerms.parse>;
const DAY_MS = 86_400_000;
/** Members whom one transaction pays. */
const CHUNK = 2_000;

/** Only a vote declares a dividend: no office may propose it. What members saw may be distributed must still be there. */
export const dividendChange = (chunk = CHUNK): ChangeExecutor => ({
  offices: [],
  isDelayed: false,
  words: sentence('a dividend'),
  async current(tx, about): Promise<ChangedValues> {
    const last = await lastYear(tx, saccoOf(about));
    if (!last) return {};
    const [retained = 0] = await balances(tx, [ownAccount(saccoOf(about), 'retained_surplus')]);
    return { year: last.year, distributable: shillingsFromCents(retained) };
  },
  async refusalOf(tx, about, payload) {
    const terms = dividendTerms.safeParse(payload);
    if (!terms.success) return new Refusal('change_conflict');
    const saccoId = saccoOf(about);
    if ((await lockSacco(tx, saccoId)).state !== 'active') return new Refusal('sacco_inactive');
    const why = (await whyNoDividend(tx, about, terms.data)) ?? (await whyNoVote(tx, about, terms.data));
    return why && new Refusal('change_conflict', { message: why });
  },
  announce: async () => {},
  recall: async () => {},
  apply: (tx, about, payload) => declare(tx, about, payload, chunk),
});

/** A dividend as a vote keeps it. */
export const dividendToKeep = (terms: ReturnType<typeof dividendTerms.parse>): ChangedValues => ({ ...terms });

export interface ClosedYear {
  readonly year: number;
  readonly closed_at: Date;
  readonly is_reckoned: boolean;
  readonly is_declared: boolean;
}

/** The last year that was closed. */
export async function lastYear(reader: Pick<Reader, 'sql'>, saccoId: string): Promise<ClosedYear | null> {
  const [row] = await reader.sql<ClosedYear[]>`
    select c.year, c.closed_at, c.reckoned_at is not null as is_reckoned, d.id is not null as is_declared
    from closed_years c left join dividends d on d.sacco_id = c.sacco_id and d.year = c.year
    where c.sacco_id = ${saccoId} order by c.year desc limit 1`;
  return row ?? null;
}

type Taxes = Pick<Rates, 'share_tax' | 'savings_tax' | 'share_tax_abroad' | 'savings_tax_abroad'>;

/** The tax that the law withholds on a day from members in Kenya and from members abroad, in percent. */
export async function taxesOn({ sql }: Pick<Reader, 'sql'>, day: string): Promise<Taxes> {
  const rows = await sql<{ kind: 'shares' | 'savings'; residence: Residence; basis_points: number }[]>`
    select distinct on (kind, residence) kind, residence, basis_points from withholding_rates where valid_from <= ${day}::date
    order by kind, residence, valid_from desc`;
  const of = (kind: 'shares' | 'savings', residence: Residence) =>
    (rows.find((row) => row.kind === kind && row.residence === residence)?.basis_points ?? 0) / 100;
  return {
    share_tax: of('shares', 'kenya'),
    savings_tax: of('savings', 'kenya'),
    share_tax_abroad: of('shares', 'abroad'),
    savings_tax_abroad: of('savings', 'abroad'),
  };
}

/**
 * Why nobody is asked about it, at the draft and at the publication. Else three members keep all later years from being closed, by one vote after
 * the other on a dividend of this one: none begins while the closing of the next year waits, nor after its record date.
 */
async function whyNoVote(tx: Tx, about: About, terms: Terms): Promise<Sentence | null> {
  if (about.proposalId !== undefined) return null;
  if (terms.record_date < nairobiDay(tx.now)) return sentence('That record date is over. Choose a later one.');
  const next = String(terms.year + 1);
  const [closing] = await tx.sql`
    select from sacco_changes
    where sacco_id = ${saccoOf(about)} and kind = 'year_closing' and state = 'confirmed' and payload->>'year' = ${next}`;
  return closing
    ? sentence('Two officials close {year}. Then no dividend of the year before can be declared.', { year: next })
    : null;
}

async function whyNoDividend(tx: Tx, about: About, terms: Terms): Promise<Sentence | null> {
  const saccoId = saccoOf(about);
  const last = await lastYear(tx, saccoId);
  const why = whyNoYear(last, terms.year);
  if (why || !last) return why;
  const days = (count: number) => nairobiDay(new Date(last.closed_at.getTime() + count * DAY_MS));
  const [earliest, latest] = [days(RECORD_DAYS_MIN), days(RECORD_DAYS_MAX)];
  if (terms.record_date < earliest || terms.record_date > latest) {
    const [from, to] = [longDate(new Date(`${earliest}T09:00:00Z`)), longDate(new Date(`${latest}T09:00:00Z`))];
    return sentence('The record date is from {earliest} to {latest}.', { earliest: from, latest: to });
  }
  // Where the vote ends after the record date, it is paid on the day of its execution, and that day's law holds.
  const [, later = terms.record_date] = [terms.record_date, nairobiDay(tx.now)].sort();
  const taxes = await taxesOn(tx, later);
  const { share_tax, savings_tax } = taxes;
  if (terms.share_tax !== share_tax || terms.savings_tax !== savings_tax) {
    return sentence('By law {shares}% is withheld of dividends then, and {savings}% of interest.', {
      shares: String(share_tax),
      savings: String(savings_tax),
    });
  }
  return whyNotPaid(
    tx,
    saccoId,
    await sumsOf(tx, { saccoId, year: terms.year, at: asked(tx, about) }, ratesOf({ ...terms, ...taxes })),
  );
}

/** Why no dividend can be declared of a year at all, whatever the rates. */
export function whyNoYear(last: ClosedYear | null, year: number): Sentence | null {
  if (last?.year !== year)
    return sentence('Only of the last year that two officials closed can a dividend be declared.');
  if (last.is_declared) return sentence('A dividend of that year is declared already.');
  if (last.is_reckoned) return null;
  return sentence('What each member’s shares and savings count for is still being reckoned. Try again in a minute.');
}

/** Why so much cannot be distributed. */
export async function whyNotPaid(reader: Reader, saccoId: string, { gross }: Sums): Promise<Sentence | null> {
  const [retained = 0, cash = 0] = await balances(reader, [
    ownAccount(saccoId, 'retained_surplus'),
    ownAccount(saccoId, 'cash'),
  ]);
  const shown = (cents: Cents) => formatShillings(shillingsFromCents(cents));
  if (retained === 0) return sentence('Nothing may be distributed: the closed years have left no surplus.');
  if (gross === 0) return sentence('At these rates nobody would get anything.');
  if (gross > retained && isGuarded('dividends.surplus_alone')) {
    return sentence('That costs {cost}, and {amount} may be distributed.', {
      cost: shown(gross),
      amount: shown(retained),
    });
  }
  if (gross > cash) {
    return sentence('That costs {cost}, and the sacco holds {amount}: the rest is lent out.', {
      cost: shown(gross),
      amount: shown(cash),
    });
  }
  const { before, minimum, below, isBinding } = await capitalAfter(reader, saccoId, gross);
  if (below.length === 0 || !isBinding || !isGuarded('dividends.capital_kept')) return null;
  const already = belowMinimum(before, minimum);
  if (below.every((ratio) => already.includes(ratio))) {
    return sentence(
      'The sacco’s capital is already below the minimum that the law asks for: nothing may be distributed.',
    );
  }
  return sentence('It would bring the sacco’s capital below the minimum that the law asks for.');
}

/**
 * From when on a record of where a member lives is too late for a dividend: from the publication of its vote. What members saw and voted on is
 * what they get, and nobody changes another's tax by a record of the last minute.
 */
const asked = (tx: Pick<Tx, 'now'>, { publishedAt }: About): Date => publishedAt ?? tx.now;

/** What members are owed leaves the surplus at once, in one journal; a job pays it. The sacco's lock is held. */
async function declare(tx: Tx, about: About, payload: ChangedValues, chunk: number): Promise<void> {
  const [saccoId, at] = [saccoOf(about), asked(tx, about)];
  const terms = dividendTerms.parse(payload);
  // Where the vote ends after the record date, it is paid on that day, and that day's law holds.
  const [, day = terms.record_date] = [terms.record_date, nairobiDay(tx.now)].sort();
  const rates = ratesOf({ ...(await taxesOn(tx, day)), ...terms });
  const sums = await sumsOf(tx, { saccoId, year: terms.year, at }, rates);
  const id = tx.newId();
  const retained = ownAccount(saccoId, 'retained_surplus');
  const payable = { book: saccoId, kind: 'dividends_payable', owner: id } as const;
  const journalId = await postOrRefuse(tx, {
    kind: 'dividend_declared',
    idempotencyKey: `dividend_declared:${id}`,
    causedBy: null,
    about: { type: 'dividend', id },
    transfers: [
      { debit: retained, credit: payable, amount: sums.gross - sums.tax },
      { debit: retained, credit: ownAccount(saccoId, 'tax_payable'), amount: sums.tax },
    ].filter(({ amount }) => amount > 0),
  });
  await tx.sql`
    insert into dividends (id, sacco_id, year, share_rate, savings_rate, savings_method, share_tax, savings_tax,
      share_tax_abroad, savings_tax_abroad, record_on, residence_at, declared_at, gross_cents, tax_cents, members, journal_id, state)
    values (${id}, ${saccoId}, ${terms.year}, ${rates.share_rate}, ${rates.savings_rate}, ${rates.savings_method},
      ${rates.share_tax}, ${rates.savings_tax}, ${rates.share_tax_abroad}, ${rates.savings_tax_abroad}, ${terms.record_date}, ${at}, ${tx.now}, ${sums.gross}, ${sums.tax}, ${sums.members},
      ${journalId}, 'declared')`;
  await insertChunks(tx, { id, saccoId, year: terms.year, at, chunk }, rates);
}

async function insertChunks(
  tx: Tx,
  { id, chunk, ...of }: OfYear & { readonly id: string; readonly chunk: number },
  rates: Rates,
): Promise<void> {
  await tx.sql`
    insert into dividend_chunks (dividend_id, first_member, last_member, state)
    select ${id}, min(member_id::text)::uuid, max(member_id::text)::uuid, 'waiting'
    from (select member_id, (row_number() over (order by member_id) - 1) / ${chunk} as part
          from (${amountsOf(tx, of, rates)}) a) numbered
    group by part`;
}

function saccoOf({ saccoId }: About): string {
  if (saccoId === null) throw new Error('A dividend is of a sacco.');
  return saccoId;
}
