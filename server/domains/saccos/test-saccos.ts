import type { TestDatabase } from '../../db/test-database.ts';
import { PLATFORM_BOOK } from '../../ledger/ledger.types.ts';
import { postOrRefuse } from '../../ledger/post.ts';
import { activateSacco } from './activate-sacco.ts';
import { registerSacco, type SaccoParticulars } from './register-sacco.ts';

export const TERMS: SaccoParticulars = {
  name: 'Umoja Sacco',
  description: 'Savings for the market women of Gikomba.',
  regNo: 'CS/1001',
  regFeeCents: 500_00,
  minShares: 10,
  shareValueCents: 100_00,
  type: 'sacco',
};

/** Makes saccos by their own verbs and puts money into wallets by the ledger, for the tests of this domain and below. */
export function testSaccos(database: TestDatabase) {
  let made = 0;
  return {
    /** Registered by the founder, activated by the operator. */
    async sacco(founder: string, operator: string, terms: Partial<SaccoParticulars> = {}): Promise<string> {
      made += 1;
      const particulars = { ...TERMS, name: `Umoja Sacco ${made}`, regNo: `CS/${1000 + made}`, ...terms, logo: null };
      const { id } = await database.transaction((tx) => registerSacco(tx, { userId: founder }, particulars));
      database.world.advance(1);
      await database.transaction((tx) =>
        activateSacco(tx, { userId: operator }, { saccoId: id, reason: 'Checked.', strict: false }),
      );
      return id;
    },
    /** Shillings come in from M-Pesa. */
    async fund(userId: string, cents: number): Promise<void> {
      made += 1;
      await database.transaction((tx) =>
        postOrRefuse(tx, {
          kind: 'wallet_topped_up',
          idempotencyKey: `test_funds:${made}`,
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
    },
    /** A member as the register has them. */
    async join(saccoId: string, userId: string, joinedAt = database.now()): Promise<void> {
      await database.sql`
        insert into memberships (id, sacco_id, user_id, state, state_at, joined_at)
        values (${database.newId()}, ${saccoId}, ${userId}, 'provisional', ${joinedAt}, ${joinedAt})`;
      await database.sql`update sacco_figures set members = members + 1 where sacco_id = ${saccoId}`;
      await database.sql`update platform_counts set value = value + 1 where name = 'members' and shard = 0`;
    },
  };
}
