import { shareOutSurplus } from '@ushirika/contract/dividend-rules';
import type { AccountKind } from '@ushirika/contract/journals';
import type { Cents } from '@ushirika/contract/money';
import { type Sentence, sentence } from '@ushirika/contract/sentence';
import { nairobiDay } from '@ushirika/contract/time';
import type { Tx } from '../../db/tx.ts';
import { balances } from '../../ledger/balances.ts';
import type { AccountKey } from '../../ledger/ledger.types.ts';
import { texts } from '../../ledger/sql-arrays.ts';

export type Reader = Pick<Tx, 'sql' | 'now'>;

/** Every account of income and of expense: what a sacco has ever earned less what that cost. */
const INCOME: readonly AccountKind[] = [
  'fee_income',
  'loan_fee_income',
  'interest_income',
  'penalty_income',
  'recovery_income',
];
const EXPENSE: readonly AccountKind[] = ['marketing_expense', 'provision_expense'];

export const ownAccount = (book: string, kind: AccountKind): AccountKey => ({ book, kind, owner: null });
/** The first moment of a year in Nairobi. */
export const startOfYear = (year: number): Date => new Date(`${year}-01-01T00:00:00+03:00`);

/** A loss is below zero, and so is then what it takes of the reserve and of what could have been distributed. */
export interface YearFigures {
  readonly surplus: Cents;
  readonly reserve: Cents;
  readonly distributable: Cents;
}

export interface NextYear {
  readonly year: number;
  readonly whyNot: Sentence | null;
}

/** The year that can be closed next: the one after the last closed one; at first the one in which the sacco began. */
export async function nextYear(reader: Reader, saccoId: string): Promise<NextYear> {
  const current = Number(nairobiDay(reader.now).slice(0, 4));
  const [found] = await reader.sql<{ last: number | null; created_at: Date }[]>`
    select (select max(year) from closed_years where sacco_id = s.id) as last, s.created_at from saccos s where s.id = ${saccoId}`;
  const first = Number(nairobiDay(found?.created_at ?? reader.now).slice(0, 4));
  const year = found?.last == null ? first : found.last + 1;
  return { year, whyNot: year < current ? null : sentence('The year {year} is not over yet.', { year: String(year) }) };
}

/**
 * What a year adds: all that the sacco has earned until its end, less what that cost and what earlier years have kept apart. The
 * accounts of income go on for ever (decision 143), so a loss that nothing covered is in the next year by itself.
 */
export async function figuresOf(reader: Reader, saccoId: string, year: number): Promise<YearFigures> {
  const rows = await reader.sql<{ kind: AccountKind; balance: Cents }[]>`
    select a.kind, last.balance
    from accounts a cross join lateral (
      select balance from (
        (select t.id, t.debit_balance_after as balance from transfers t join journals j on j.id = t.journal_id
         where t.debit_account_id = a.id and j.posted_at < ${startOfYear(year + 1)} order by t.id desc limit 1)
        union all
        (select t.id, t.credit_balance_after from transfers t join journals j on j.id = t.journal_id
         where t.credit_account_id = a.id and j.posted_at < ${startOfYear(year + 1)} order by t.id desc limit 1)) both_sides
      order by id desc limit 1) last
    where a.book_id = ${saccoId} and a.owner_id is null and a.kind = any (${texts([...INCOME, ...EXPENSE])}::text[])`;
  const [appropriated = 0, retained = 0, reserve = 0] = await balances(reader, [
    ownAccount(saccoId, 'surplus_appropriated'),
    ownAccount(saccoId, 'retained_surplus'),
    ownAccount(saccoId, 'statutory_reserve'),
  ]);
  const sign = (kind: AccountKind) => (EXPENSE.includes(kind) ? -1 : 1);
  const surplus = rows.reduce((sum, { kind, balance }) => sum + sign(kind) * balance, -appropriated);
  if (surplus >= 0) return { surplus, ...shareOutSurplus(surplus) };
  const ofRetained = Math.min(retained, -surplus);
  const ofReserve = Math.min(reserve, -surplus - ofRetained);
  return { surplus, reserve: ofReserve === 0 ? 0 : -ofReserve, distributable: ofRetained === 0 ? 0 : -ofRetained };
}
