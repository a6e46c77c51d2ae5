import type { TestDatabase } from '../../db/test-database.ts';
import type { Outcome } from '../dividends/pay-dividends.ts';
import { postAll } from './pledges.ts';
import { shareOutDividend } from './share-out-dividend.ts';

/** A dividend of a sacco is owed to one member alone, and paid out at once, for tests of what it pays of their loans. Answers where it went. */
export function testDividend(database: TestDatabase) {
  return async (sacco: string, memberId: string, cents: number): Promise<Outcome | undefined> => {
    const id = database.newId();
    const own = (kind: 'surplus_appropriated' | 'retained_surplus') => ({ book: sacco, kind, owner: null });
    const payable = { book: sacco, kind: 'dividends_payable', owner: id } as const;
    const about = { type: 'test', id };
    let outcome: Outcome | undefined;
    await database.transaction(async (tx) => {
      const closed = { debit: own('surplus_appropriated'), credit: own('retained_surplus'), amount: cents };
      const declared = { debit: own('retained_surplus'), credit: payable, amount: cents };
      await postAll(tx, [
        { kind: 'year_closed', idempotencyKey: `test:closed:${id}`, causedBy: null, about, transfers: [closed] },
        {
          kind: 'dividend_declared',
          idempotencyKey: `test:declared:${id}`,
          causedBy: null,
          about,
          transfers: [declared],
        },
      ]);
      const line = { line: 0, memberId, amountCents: cents };
      await shareOutDividend(
        tx,
        { id, saccoId: sacco, firstMember: memberId, areInRecovery: true },
        [line],
        async ([kept]) => {
          outcome = kept;
        },
      );
    });
    const [left] =
      await database.sql`select from accounts where kind = 'dividends_payable' and owner_id = ${id} and balance <> 0`;
    if (left) throw new Error(`Of a dividend to ${memberId} something is left.`);
    return outcome;
  };
}
