import type { Office } from '@ushirika/contract/route';
import type { TestDatabase } from '../../db/test-database.ts';
import { testPeople } from '../../db/test-people.ts';
import { PLATFORM_BOOK } from '../../ledger/ledger.types.ts';
import { postOrRefuse } from '../../ledger/post.ts';
import { setLoanProduct } from './change-loan-product.ts';

const DAY_MS = 86_400_000;

type Product = Omit<Parameters<typeof setLoanProduct>[2], 'saccoId'>;

/** 1 % a month on the balance, a fee of 1 %, three guarantors. */
export const DEVELOPMENT: Product = {
  name: 'Development loan',
  method: 'annuity',
  monthly_rate: 1,
  min_amount: 1_000_00,
  max_amount: 5_000_000_00,
  min_months: 1,
  max_months: 60,
  multiplier: 3,
  min_member_days: 180,
  min_guarantors: 3,
  fee_percentage: 1,
  penalty_rate: 1,
  is_offered: true,
};

/** A sacco that lends, with its officials, and members who have saved for long; for tests of loans and of what comes of them. */
export function testLoans(database: TestDatabase) {
  const people = testPeople(database);
  // Several of these may work on one database.
  const instance = database.newId();
  let made = 0;
  let reader: string | null = null;
  const fund = (userId: string, cents: number) => {
    made += 1;
    return database.transaction((tx) =>
      postOrRefuse(tx, {
        kind: 'wallet_topped_up',
        idempotencyKey: `test_loan_funds:${instance}:${made}`,
        causedBy: userId,
        about: { type: 'test', id: userId },
        transfers: [
          {
            debit: { book: PLATFORM_BOOK, kind: 'mpesa_float', owner: null },
            credit: { book: PLATFORM_BOOK, kind: 'wallet', owner: userId },
            amount: cents,
          },
        ],
      }),
    );
  };
  const moved = async (saccoId: string, userId: string, cents: number, credit: 'deposits' | 'share_capital') => {
    await fund(userId, cents);
    made += 1;
    const owner = credit === 'deposits' ? userId : null;
    await database.transaction((tx) =>
      postOrRefuse(tx, {
        kind: credit === 'deposits' ? 'savings_deposited' : 'shares_bought',
        idempotencyKey: `test_loan_saved:${instance}:${made}`,
        causedBy: userId,
        about: { type: 'sacco', id: saccoId },
        transfers: [
          {
            debit: { book: PLATFORM_BOOK, kind: 'wallet', owner: userId },
            credit: { book: PLATFORM_BOOK, kind: 'settlement', owner: saccoId },
            amount: cents,
          },
          {
            debit: { book: saccoId, kind: 'cash', owner: null },
            credit: { book: saccoId, kind: credit, owner },
            amount: cents,
          },
        ],
      }),
    );
  };
  const office = async (saccoId: string, userId: string, name: Office) => {
    await database.sql`
      insert into offices (id, sacco_id, user_id, office, since, until, recorded_by)
      values (${database.newId()}, ${saccoId}, ${userId}, ${name}, ${database.now()},
        ${new Date(database.now().getTime() + 1_000 * DAY_MS)}, ${userId})`;
  };
  /** A member of long standing with a confirmed phone and old savings. */
  const member = async (saccoId: string, name: string, savedCents: number): Promise<string> => {
    const id = await people.person(name);
    await database.sql`update users set phone_confirmed_at = ${database.now()} where id = ${id}`;
    await people.member(saccoId, id);
    reader ??= await people.person('Reader');
    await people.seen(id, reader);
    await database.sql`
      update memberships set joined_at = ${new Date(database.now().getTime() - 400 * DAY_MS)} where user_id = ${id}`;
    if (savedCents > 0) await moved(saccoId, id, savedCents, 'deposits');
    return id;
  };
  return {
    fund,
    office,
    member,
    /** Savings that came in now. */
    save: (saccoId: string, userId: string, cents: number) => moved(saccoId, userId, cents, 'deposits'),
    buyShares: (saccoId: string, userId: string, cents: number) => moved(saccoId, userId, cents, 'share_capital'),
    /** Money of the sacco goes to a member, as if it were lent elsewhere. */
    async drain(saccoId: string, userId: string, cents: number) {
      made += 1;
      await database.transaction((tx) =>
        postOrRefuse(tx, {
          kind: 'loan_disbursed',
          idempotencyKey: `test_loan_drained:${instance}:${made}`,
          causedBy: null,
          about: { type: 'test', id: userId },
          transfers: [
            {
              debit: { book: saccoId, kind: 'loan_principal', owner: database.newId() },
              credit: { book: saccoId, kind: 'cash', owner: null },
              amount: cents,
            },
            {
              debit: { book: PLATFORM_BOOK, kind: 'settlement', owner: saccoId },
              credit: { book: PLATFORM_BOOK, kind: 'wallet', owner: userId },
              amount: cents,
            },
          ],
        }),
      );
    },
    /** A wallet is emptied into shares. */
    async spend(saccoId: string, userId: string, cents: number) {
      if (cents === 0) return;
      made += 1;
      await database.transaction((tx) =>
        postOrRefuse(tx, {
          kind: 'shares_bought',
          idempotencyKey: `test_loan_spent:${instance}:${made}`,
          causedBy: userId,
          about: { type: 'sacco', id: saccoId },
          transfers: [
            {
              debit: { book: PLATFORM_BOOK, kind: 'wallet', owner: userId },
              credit: { book: PLATFORM_BOOK, kind: 'settlement', owner: saccoId },
              amount: cents,
            },
            {
              debit: { book: saccoId, kind: 'cash', owner: null },
              credit: { book: saccoId, kind: 'share_capital', owner: null },
              amount: cents,
            },
          ],
        }),
      );
    },
    /** The id in the list of members. */
    async memberId(saccoId: string, userId: string): Promise<string> {
      const [row] = await database.sql<{ id: string }[]>`
        select id from memberships where sacco_id = ${saccoId} and user_id = ${userId}`;
      return row?.id ?? '';
    },
    product: (saccoId: string, by: string, terms: Partial<Product> = {}) =>
      database.transaction((tx) => setLoanProduct(tx, { userId: by }, { saccoId, ...DEVELOPMENT, ...terms })),
    /** With a chair, a treasurer, a secretary and a committee of three, and a capital of two million. */
    async sacco() {
      made += 1;
      const founder = await people.person('Founder');
      const sacco = await people.sacco(`Lending Sacco ${made} ${founder.slice(-6)}`, founder);
      const [chair, treasurer, secretary, one, two, three] = await Promise.all(
        ['Chair', 'Treasurer', 'Secretary', 'Credit One', 'Credit Two', 'Credit Three'].map((name) =>
          member(sacco, name, 0),
        ),
      );
      const officials = { chair, treasurer, secretary, committee: [one, two, three] } as {
        chair: string;
        treasurer: string;
        secretary: string;
        committee: [string, string, string];
      };
      await office(sacco, officials.chair, 'chair');
      await office(sacco, officials.treasurer, 'treasurer');
      await office(sacco, officials.secretary, 'secretary');
      for (const each of officials.committee) await office(sacco, each, 'credit_committee');
      await moved(sacco, officials.chair, 2_000_000_00, 'share_capital');
      return { sacco, ...officials };
    },
    /** The digits of the newest code that a person was sent. */
    async codeOf(userId: string): Promise<string> {
      const [row] = await database.sql<{ text: string }[]>`
        select text from sms_messages where user_id = ${userId} and template = 'loan_guarantee_code'
        order by created_at desc, id desc limit 1`;
      return /(\d{4} \d{4})/.exec(row?.text ?? '')?.[1] ?? '';
    },
  };
}
