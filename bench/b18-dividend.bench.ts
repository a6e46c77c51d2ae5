import type { Database } from '../server/db/tx.ts';
import { dividendChange } from '../server/domains/dividends/declare-dividend.ts';
import { dividendsInvariants } from '../server/domains/dividends/dividends.invariants.ts';
import { payDividends } from '../server/domains/dividends/pay-dividends.ts';
import { dividendLoans } from '../server/domains/loans/share-out-dividend.ts';
import { breaches, ledgerInvariants } from '../server/ledger/invariants.ts';
import { PLATFORM_BOOK } from '../server/ledger/ledger.types.ts';
import { post } from '../server/ledger/post.ts';
import type { Bench, Measurement } from './bench.types.ts';
import { bookLoans } from './loan-book-ledger.ts';
import { openLoans } from './loan-database.ts';

const members = Number(process.env.MEMBERS ?? 200_000);
const mostSeconds = 30;
/** Of each year, in cents: a thousand shillings a member. */
const SURPLUS = members * 1_000_00;
const FIRST_YEAR = 2001;

export const bench: Bench = {
  id: 'B18',
  title: `A dividend: paid to ${members.toLocaleString('en-US')} members of one sacco, and each is told`,
  async run(context): Promise<Measurement[]> {
    const server = await context.startServer();
    const book = { loansPerSacco: members, loansPerBorrower: 1, daysMost: 120, part: 10_000 };
    const opened = await openLoans(server, 'dividend', { loans: members, book });
    await bookLoans(opened.url);
    const { database } = opened;
    try {
      const seconds: number[] = [];
      for (let pair = 0; pair < context.pairs; pair += 1) {
        await declared(database, FIRST_YEAR + pair);
        const started = performance.now();
        await payDividends(database, dividendLoans);
        seconds.push((performance.now() - started) / 1_000);
        context.say(`paid and told in ${seconds.at(-1)?.toFixed(1)} s`);
      }
      const found = await breaches(database.sql, [...ledgerInvariants, ...dividendsInvariants]);
      const breach = found.length === 0 ? {} : { breach: found.map(({ name }) => name).join('; ') };
      const title = 'seconds until every member is paid and told';
      return [{ title, ratios: seconds, threshold: { is: 'most', value: mostSeconds }, details: [], ...breach }];
    } finally {
      await database.close();
    }
  },
};

/** A year that was closed and reckoned, of which members have declared ten percent; who came in how is not measured. */
async function declared(database: Database, year: number): Promise<void> {
  const [row] = await database.sql<{ id: string; chair: string }[]>`
    select s.id, s.created_by as chair from saccos s limit 1`;
  const { id: sacco = '', chair = '' } = row ?? {};
  const own = (kind: 'cash' | 'fee_income' | 'surplus_appropriated' | 'retained_surplus' | 'statutory_reserve') =>
    ({ book: sacco, kind, owner: null }) as const;
  await database.transaction(async (tx) => {
    const journal = { causedBy: chair, about: { type: 'bench', id: sacco } };
    const float = { book: PLATFORM_BOOK, kind: 'mpesa_float', owner: null } as const;
    const wallet = { book: PLATFORM_BOOK, kind: 'wallet', owner: chair } as const;
    const settlement = { book: PLATFORM_BOOK, kind: 'settlement', owner: sacco } as const;
    const [reserve, rest] = [SURPLUS * 0.2, SURPLUS * 0.8];
    await post(tx, [
      {
        ...{ ...journal, kind: 'paybill_received', idempotencyKey: `paybill_received:${tx.newId()}` },
        transfers: [{ debit: float, credit: wallet, amount: SURPLUS }],
      },
      {
        ...{ ...journal, kind: 'sacco_joined', idempotencyKey: `sacco_joined:${tx.newId()}` },
        transfers: [
          { debit: wallet, credit: settlement, amount: SURPLUS },
          { debit: own('cash'), credit: own('fee_income'), amount: SURPLUS },
        ],
      },
      {
        ...{ ...journal, kind: 'year_closed', idempotencyKey: `year_closed:${tx.newId()}` },
        transfers: [
          { debit: own('surplus_appropriated'), credit: own('retained_surplus'), amount: rest },
          { debit: own('surplus_appropriated'), credit: own('statutory_reserve'), amount: reserve },
        ],
      },
    ]);
    await tx.sql`
      insert into closed_years (sacco_id, year, closed_at, proposed_by, surplus_cents, reserve_cents, distributable_cents,
        share_value_cents, reckoned_at, members)
      values (${sacco}, ${year}, ${tx.now}, ${chair}, ${SURPLUS}, ${reserve}, ${rest}, 10000, ${tx.now}, ${members})`;
    await tx.sql`
      insert into year_members (sacco_id, year, member_id, share_days, month_after, month_of, lowest_balance)
      select ${sacco}, ${year}, user_id, 3650 + row_number() over () % 3650, 12000000, 12000000, 12000000
      from memberships where sacco_id = ${sacco}`;
    const rates = { share_rate: 10, savings_rate: 5, savings_method: 'month_after', share_tax: 5, savings_tax: 15 };
    const payload = { ...rates, year, record_date: `${year + 1}-03-01` };
    await dividendChange().apply(tx, { saccoId: sacco, proposedBy: chair }, payload);
  });
}
